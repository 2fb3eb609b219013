"""Signed tree heads and proofs: valid for the events that were there, and for no others."""

from __future__ import annotations

import stat
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from command_output import run_in
from ledger.proof.checkpoints import (
    Signer,
    Verifier,
    parse_proof,
    prove,
    sign_tree_head,
    verify_checkpoint,
    verify_proof,
)
from ledger.proof.tree_head import TreeHead, check
from ledger.record import chain
from ledger.record.errors import NotForNow, UnknownRecord
from ledger.record.events import Note, Open, Player
from temporary import TemporaryStore

# The example key of the signed-note documentation, its text and its signature.
PRIVATE = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
NOTE = (
    f"{TEXT}\n\u2014 PeterNeumann "
    "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
OPENING = Open("zigzag", players=tuple(Player(id=name, name=name.title()) for name in ("ana", "ben", "cy")))


@pytest.fixture
def store() -> TemporaryStore:
    """Three records with interleaved events."""
    ledger = TemporaryStore()
    for name in "rst":
        ledger.append(name, 0, [OPENING])
    for number in range(1, 6):
        for name in "rst":
            ledger.append(name, number, [Note(f"{name} {number}")])
    return ledger


@pytest.fixture(scope="module")
def signer() -> Signer:
    """A key for these tests."""
    return Signer(Signer.new_key("club.example/ledger"))


def test_the_example_of_the_format() -> None:
    signer = Signer(PRIVATE)
    assert str(signer.verifier) == PUBLIC
    assert signer.sign(TEXT) == NOTE
    assert Verifier(PUBLIC).open(NOTE) == TEXT


@pytest.mark.parametrize(
    "note",
    [
        NOTE.replace("answer", "question"), NOTE.replace("PeterNeumann", "PeterNewman"), NOTE.replace("x08go", "x08gp"),
        NOTE.replace("/ZJk", "/ZJl"), TEXT, "", NOTE.partition("\u2014")[0], NOTE.replace("\n\n", "\n"),
        NOTE.replace("answer", "\udcff"),
    ],
)  # fmt: skip
def test_text_with_another_signature_does_not_open(note: str) -> None:
    with pytest.raises(NotForNow):
        Verifier(PUBLIC).open(note)


@pytest.mark.parametrize(
    "text",
    [
        "", "a+b", PUBLIC.replace("c74f", "c74e"), PUBLIC[:-4], PUBLIC.replace("ARpc", "A!pc"),
        PUBLIC.replace("ARpc", "A!Rpc"),
        PUBLIC.replace("ARpc", "A\u0301pc"), PUBLIC.replace("Peter", "\udcff"), PRIVATE.replace("AYEK", "A\u0301EK"),
    ],
)  # fmt: skip
def test_an_invalid_key_is_refused(text: str) -> None:
    with pytest.raises(NotForNow):
        Verifier(text)
    with pytest.raises(NotForNow):
        Signer(text)
    with pytest.raises(NotForNow, match="no spaces"):
        Signer.new_key("a b")


def test_a_checkpoint_is_a_signed_tree_head(store: TemporaryStore, signer: Signer) -> None:
    tree_head = check(store).tree_head
    note = sign_tree_head(tree_head, signer)
    assert note.split("\n")[:2] == ["club.example/ledger", "18"]
    assert verify_checkpoint(note, signer.verifier) == tree_head
    other_signer = Signer(Signer.new_key("club.example/ledger"))
    with pytest.raises(NotForNow, match="did not sign"):
        verify_checkpoint(note, other_signer.verifier)
    with pytest.raises(NotForNow, match="not a checkpoint"):
        verify_checkpoint(signer.sign("another ledger\n18\nAAAA\n"), signer.verifier)
    with pytest.raises(NotForNow, match="not a checkpoint"):
        verify_checkpoint(signer.sign("club.example/ledger\nmany\nAAAA\n"), signer.verifier)


@pytest.mark.parametrize("name", ["r", "s", "t"])
def test_a_record_is_proved_without_the_ledger(store: TemporaryStore, signer: Signer, name: str) -> None:
    proof = prove(store, name, signer)
    record, tree_head = verify_proof(proof, signer.verifier)
    assert record.events == tuple(chain.without_names(event)[0] for event in store.read(name).events)
    assert tree_head == TreeHead(18, check(store).tree_head.root)
    for wrong in (
        replace(proof, record="other"),
        replace(proof, events=proof.events[1:]),
        replace(proof, events=proof.events[:-1]),
        replace(proof, events=(*proof.events[:2], *proof.events[3:])),
        replace(proof, events=(proof.events[0].replace("zigzag", "build-up"), *proof.events[1:])),
        replace(proof, index=proof.index + 1),
        replace(proof, path=proof.path[1:]),
        replace(proof, path=("xyz",)),
        replace(proof, checkpoint=proof.checkpoint.replace("\n18\n", "\n17\n")),
    ):
        with pytest.raises(NotForNow):
            verify_proof(wrong, signer.verifier)
    with pytest.raises(UnknownRecord):
        prove(store, "nobody", signer)
    with pytest.raises(NotForNow, match="not a proof"):
        parse_proof(b"{}")


def run(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run_in(home, "--ledger", "a.sqlite", *arguments)


def test_keys_checkpoints_and_proofs_are_made_and_checked_from_the_command_line(tmp_path: Path) -> None:
    record_id = run(tmp_path, "new", "zigzag", "Ana", "Ben", "Cy").stdout.strip()
    key = run(tmp_path, "key", "club.example/ledger", "club.key")
    (tmp_path / "club.public").write_text(key.stdout)
    assert stat.S_IMODE((tmp_path / "club.key").stat().st_mode) == 0o600
    assert run(tmp_path, "key", "club.example/ledger", "club.key").returncode == 2  # never overwrites a key
    (tmp_path / "point").write_text(run(tmp_path, "checkpoint", "--key", "club.key").stdout)
    (tmp_path / "proof").write_text(run(tmp_path, "prove", record_id[:5], "--key", "club.key").stdout)
    run(tmp_path, "new", "zigzag", "Dee", "Eli", "Fay")
    assert run(tmp_path, "verify", "--against", "point", "--public", "club.public").returncode == 0
    assert "public key with --public" in run(tmp_path, "verify", "--against", "point").stderr
    (tmp_path / "a.sqlite").unlink()
    offline = run(tmp_path, "verify", "--proof", "proof", "--public", "club.public")
    assert offline.returncode == 0
    assert f"proved: record {record_id} (zigzag, p1, p2, p3), 1 event," in offline.stdout
    (tmp_path / "proof").write_text((tmp_path / "proof").read_text().replace("zigzag", "build-up"))
    forged = run(tmp_path, "verify", "--proof", "proof", "--public", "club.public")
    assert forged.returncode == 1
    assert "was not in the ledger like this" in forged.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", "--against", "junk"], ["verify", "--proof", "junk", "--public", "key"],
        ["verify", "--proof", "junk", "--public", "junk"], ["checkpoint", "--key", "junk"],
        ["prove", "x", "--key", "junk"],
    ],
)  # fmt: skip
def test_a_file_that_is_not_text_is_neither_a_key_nor_a_tree_head(tmp_path: Path, arguments: list[str]) -> None:
    run(tmp_path, "new", "zigzag", "Ana", "Ben", "Cy")
    (tmp_path / "junk").write_bytes(bytes(range(255, 0, -1)))
    (tmp_path / "key").write_text(PUBLIC)
    refused = run(tmp_path, *arguments)
    assert refused.returncode == 2
    assert "this is not a " in refused.stderr
    assert "Traceback" not in refused.stderr
