"""The Python part of a replay that checks itself: record, chain, fingerprint, signed checkpoint, page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from golden import FIXTURES
from ledger.audit.repairs import Repair, Retraction
from ledger.keep.recorder import Recorder
from ledger.proof.checkpoints import Signer, prove
from ledger.record import chain, codec
from ledger.record.errors import LedgerError
from ledger.record.record import Record
from planted_slips import plant
from temporary import TemporaryStore
from viewer import exports
from viewer.pages.alone import Notes, notes_on, one_file
from viewer.pages.checking import CheckResult, File, check
from viewer.pages.replay_view import ReplayView
from viewer.portable import answer
from viewer.runtime import Runtime

TEXT = (FIXTURES / "ziggurat" / "ending-single-place.json").read_bytes()
RECORD = codec.decode(TEXT)


def check_text(text: bytes = TEXT, notes: Notes | None = None) -> CheckResult:
    """The result of the check of a record and the notes about it."""
    notes_json = msgspec.json.encode(notes or notes_on("one", RECORD)).decode()
    return check(File(text.decode(), notes_json))


def test_a_file_that_nobody_changed_passes() -> None:
    result = check_text()
    assert result.faults == ()
    assert any(f"{len(RECORD.events)} events" in line for line in result.passed)
    assert any(chain.fingerprint(chain.record_digest(RECORD.events)) in line for line in result.passed)


def test_the_page_is_the_one_that_was_written() -> None:
    notes = notes_on("one", RECORD, "0123456789abcdef", "http://127.0.0.1/runtime/0123456789abcdef/")
    assert check_text(notes=notes).page == one_file(ReplayView("one", RECORD), notes, drawn=False)


def test_what_a_file_says_of_its_slip_is_checked() -> None:
    slip = plant("build-up", "act-forgotten", 1)
    assert slip
    text = codec.encode_lines(slip.record)
    page = exports.html("one", slip.record).decode()
    assert "One mistake. If “" in page
    noted = re.search(r'id="noted">(.*?)</script>', page)
    assert noted
    notes = msgspec.json.decode(noted[1], type=Notes)
    result = check_text(text, notes)
    assert result.faults == ()
    assert "One mistake. If “" in result.page
    (cause,) = notes.causes
    lie = msgspec.structs.replace(cause.repairs[0], message="If Ben had been honest, nothing else would be wrong.")
    useless = msgspec.structs.replace(cause.repairs[0], corrections=(Retraction(1),))
    for causes in ((msgspec.structs.replace(cause, repairs=(other,)),) for other in (lie, useless, Repair(()))):
        (fault,) = check_text(text, msgspec.structs.replace(notes, causes=causes)).faults
        assert fault.startswith("What this file says of the slip")
    fewer = msgspec.structs.replace(cause, findings=cause.findings[1:])
    assert check_text(text, msgspec.structs.replace(notes, causes=(fewer,))).faults
    assert check_text(text, msgspec.structs.replace(notes, causes=())).faults == ()


def test_every_changed_event_is_named() -> None:
    lines, named = TEXT.splitlines(keepends=True), 0
    for seq in range(1, len(RECORD.events)):
        line = lines[seq + 1]
        swapped = line.replace(b'"player":"ana"', b'"player":"ben"')
        if swapped != line:
            text = b"".join((*lines[: seq + 1], swapped, *lines[seq + 2 :]))
            assert check_text(text).faults[0].startswith(f"Event {seq} was changed: “Ben")
            named += 1
    assert named > 10


def test_a_byte_that_makes_it_no_record_is_named_with_its_event() -> None:
    text = TEXT.replace(b'"type":"place"', b'"type":"plbce"', 1)
    (fault,) = check_text(text).faults
    assert "The record in this file cannot be read: " in fault
    assert "plbce" in fault


def test_a_changed_link_is_told_from_a_changed_event() -> None:
    notes = notes_on("one", RECORD)
    links = list(notes.links)
    links[4] = links[4].replace(links[4][:2], "00" if links[4][:2] != "00" else "01", 1)
    (fault,) = check_text(notes=msgspec.structs.replace(notes, links=tuple(links))).faults
    assert fault.startswith("The link that the file notes for event 4 was changed")


def test_a_missing_event_and_another_fingerprint_are_named() -> None:
    lines = TEXT.splitlines(keepends=True)
    cut = b"".join((*lines[:-2], b"]}")).replace(b",\n]}", b"\n]}")
    faults = check_text(cut).faults
    assert any("the file notes links for" in fault for fault in faults)
    assert any("The file notes the fingerprint" in fault for fault in faults)


def test_what_is_noted_must_be_readable() -> None:
    (fault,) = check(File(TEXT.decode(), '{"id": 3')).faults
    assert fault.startswith("What this file notes about its record cannot be read")


@pytest.fixture
def proof() -> tuple[Record, str, str]:
    """A record in a ledger, its proof, and the signer's public key."""
    store = TemporaryStore()
    Recorder(store).import_record(RECORD, "one")
    signer = Signer(Signer.new_key("club.example/ledger"))
    return RECORD, msgspec.json.encode(prove(store, "one", signer)).decode(), str(signer.verifier)


def test_a_signed_checkpoint_is_left_to_the_browser_with_what_it_shows(proof: tuple[Record, str, str]) -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    record, text, key = proof
    result = check_text(notes=notes_on("one", record, proof=text, key=key))
    assert result.faults == ()
    assert result.signature is not None
    assert "club.example/ledger" in result.signature.sentence
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(result.signature.public))
    public.verify(bytes.fromhex(result.signature.signature), result.signature.text.encode())


@pytest.mark.parametrize("part", ["events", "path", "index", "checkpoint"])
def test_a_proof_of_something_else_is_a_fault(proof: tuple[Record, str, str], part: str) -> None:
    record, text, key = proof
    parts = json.loads(text)
    parts[part] = {
        "events": [*parts["events"][:-1], parts["events"][-1].replace("finished", "left")],
        "path": ["00" * 32, *parts["path"]],
        "index": parts["index"] - 1,
        "checkpoint": parts["checkpoint"].replace("\n", "\n1", 1),
    }[part]
    result = check_text(notes=notes_on("one", record, proof=json.dumps(parts), key=key))
    assert any(fault.startswith("The signed checkpoint does not fit") for fault in result.faults)


def test_the_face_answers_in_json_and_refuses_in_a_sentence() -> None:
    question = msgspec.json.encode(File(TEXT.decode(), msgspec.json.encode(notes_on("one", RECORD)).decode()))
    assert json.loads(answer("verify", question.decode()))["faults"] == []
    assert "not JSON" in json.loads(answer("audit", '{"record": "nonsense"}'))["problem"]
    sheet = json.loads(answer("audit", json.dumps({"record": TEXT.decode().replace('"ziggurat"', '"zigurat"', 1)})))
    assert "did you mean ziggurat?" in sheet["problem"]


def test_marks_of_direction_in_a_name_are_written_as_escapes_and_checked_all_the_same() -> None:
    text = TEXT.replace(b'"name":"Ana"', '"name":"A\u202ena"'.encode())
    record = codec.decode(text)
    page = exports.html("one", record).decode()
    assert "\u202e" not in page
    match = re.search(r'<script type="application/json" id="record">(.*?)</script>', page, re.DOTALL)
    assert match
    assert codec.decode(match[1]) == record
    assert check(File(match[1], msgspec.json.encode(notes_on("one", record)).decode())).faults == ()


# ── The export ─────────────────────────────────────────────────────────────────────────────────────────────


def test_an_export_without_the_rules_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "find", lambda: "The rules for browsers are not built here: `make runtime` builds it.")
    assert b"Check this game" in exports.html("one", RECORD)
    with pytest.raises(LedgerError, match=r"cannot contain the rules\. .*make runtime"):
        exports.html("one", RECORD, self_contained=True)


def test_a_self_contained_page_contains_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "python.js.gz").write_bytes(b"script")
    (tmp_path / "rules.pack").write_bytes(b"all the rest")
    (tmp_path / "NOTICE.txt").write_text("Licences of <all> parts", "utf-8")
    monkeypatch.setattr(exports, "find", lambda: Runtime("0123456789abcdef", tmp_path))
    page = exports.html("one", RECORD, self_contained=True).decode()
    assert '<script type="text/plain" id="python">c2NyaXB0</script>' in page
    assert '<script type="text/plain" id="rules">YWxsIHRoZSByZXN0</script>' in page
    assert "<pre>Licences of &lt;all&gt; parts</pre>" in page
    assert "Licences of" not in exports.html("one", RECORD).decode()
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")


def test_an_export_refuses_a_proof_of_another_record(proof: tuple[Record, str, str]) -> None:
    _record, text, key = proof
    other_record = codec.decode((FIXTURES / "zigzag" / "ending-target.json").read_bytes())
    with pytest.raises(LedgerError, match="is not the one that was signed"):
        exports.html("one", other_record, proof=text, key=key)
