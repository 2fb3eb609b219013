"""`recover`: what signed tree heads and other phones say about the copies that phones saved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from click.testing import Result

from ledger.keep.copies import Copy, take
from ledger.keep.phone_copies import PhoneCopy, seal
from ledger.keep.recorder import key_digest
from ledger.proof.checkpoints import CopyProof, InclusionProof, Signer, parse_proof, prove, sign_tree_head
from ledger.proof.tree_head import TreeHead, check
from ledger.record.events import AnyEvent, Note
from ledger.stores.beside import Key
from ledger.stores.shared import pack
from ledger.stores.sqlite import SqliteStore
from test_keeping_ids import GAME, ID, IDS, KEY
from test_recover import OWNER, run

OTHER = "bbbbbbbbb2"
EVENTS = GAME[:4]
SIGNER = Signer(Signer.new_key("club.example/ledger"))
HEAD = "the tree head of 10 events that club.example/ledger signed"


@pytest.fixture
def proof(tmp_path: Path) -> InclusionProof:
    """The proof of a record in a ledger that is lost, in the file `proof`; a new ledger has its owner's key."""
    with SqliteStore(tmp_path / "old.sqlite") as store:
        take(store, Copy(ID, GAME, IDS, {}))
        take(store, Copy(OTHER, EVENTS, {}, {}))
        proof = prove(store, OTHER, SIGNER)
        (tmp_path / "checkpoint").write_text(sign_tree_head(check(store).tree_head, SIGNER))
    (tmp_path / "proof").write_bytes(msgspec.json.encode(proof))
    (tmp_path / "public").write_text(str(SIGNER.verifier))
    with SqliteStore(tmp_path / "new.sqlite") as store:
        store.put([Key("", key_digest(OWNER), "owner")])
    return proof


def save(file: Path, events: Sequence[AnyEvent], proof: InclusionProof | None = None, *, sealed: bool = False) -> Path:
    """What a phone saves of the other record, with the key of a stranger to it."""
    keys = {KEY.hex(): "record"}
    text = seal(key_digest(OWNER), Copy(OTHER, events, {}, keys), pack(events)) if sealed else ""
    beside = proof and CopyProof(proof.checkpoint, len(proof.events), proof.index, proof.path)
    line = PhoneCopy("domino-ledger-copy/1", OTHER, tuple(events), {}, keys, text, beside)
    file.write_bytes(msgspec.json.encode(line))
    return file


def recover(folder: Path, *args: object, stdin: str = "") -> Result:
    return run(folder, "recover", "--public", folder / "public", *args, stdin=stdin)


def kept(folder: Path) -> int:
    """How many events of the record came back."""
    with SqliteStore(folder / "new.sqlite") as store:
        return store.version(OTHER)


@pytest.mark.parametrize("beside", [True, False])
def test_a_signed_tree_head_proves_the_events_of_a_copy_but_not_its_keys(
    tmp_path: Path, proof: InclusionProof, *, beside: bool
) -> None:
    file = save(tmp_path / "ana.copies", EVENTS, proof if beside else None)
    result = recover(tmp_path, file, *([] if beside else ["--proof", tmp_path / "proof"]))
    assert result.exit_code == 0, result.output
    assert f"{OTHER}: 4 events came back, proved by {HEAD}; names are as ana.copies has them" in result.stdout
    with SqliteStore(tmp_path / "new.sqlite") as store:
        assert [entry.link.hex() for entry in store.log(of=OTHER)] == [link.hex() for link in pack(EVENTS).links]
        assert {key.role for key in store.kept(Key)} == {"owner"}


@pytest.mark.parametrize("beside", [True, False])
@pytest.mark.parametrize("sealed", [True, False])
def test_a_copy_that_contradicts_a_signed_tree_head_is_refused_whatever_else_speaks_for_it(
    tmp_path: Path, proof: InclusionProof, *, beside: bool, sealed: bool
) -> None:
    altered = (*EVENTS[:3], Note("forged"), *GAME[4:])
    file = save(tmp_path / "mallory.copies", altered, proof if beside else None, sealed=sealed)
    result = recover(tmp_path, "--accept", file, *([] if beside else ["--proof", tmp_path / "proof"]))
    assert (result.exit_code, kept(tmp_path)) == (1, 0)
    assert f"mallory.copies: {OTHER}: refused, because " in result.stderr
    assert HEAD in result.stderr


def test_what_comes_after_a_signed_tree_head_is_asked_about(tmp_path: Path, proof: InclusionProof) -> None:
    file = save(tmp_path / "ana.copies", (*EVENTS, Note("later")), proof)
    no = recover(tmp_path, file, stdin="n\n")
    assert "Only the first 4 events of this copy are proved. Take it in?" in no.stderr
    assert (no.exit_code, kept(tmp_path)) == (1, 4)
    assert (recover(tmp_path, file, stdin="y\n").exit_code, kept(tmp_path)) == (0, 5)


def test_a_proof_under_another_key_or_without_a_key_proves_nothing(tmp_path: Path, proof: InclusionProof) -> None:
    file = save(tmp_path / "ana.copies", EVENTS, proof)
    assert "1 copy has a proof: name the public key" in run(tmp_path, "recover", file, stdin="n\n").stderr
    assert "a proof needs a public key" in run(tmp_path, "recover", "--proof", tmp_path / "proof").stderr
    stranger = Signer(Signer.new_key("club.example/ledger"))
    forged = msgspec.structs.replace(proof, checkpoint=sign_tree_head(TreeHead(10, bytes(32)), stranger))
    result = recover(tmp_path, save(tmp_path / "ana.copies", EVENTS, forged), stdin="n\n")
    assert (result.exit_code, kept(tmp_path)) == (1, 0)
    assert "Nothing proves this copy. Take it in?" in result.stderr


def test_what_other_phones_have_is_said(tmp_path: Path, proof: InclusionProof) -> None:
    assert parse_proof((tmp_path / "proof").read_bytes()) == proof
    files = [save(tmp_path / "ana.copies", EVENTS), save(tmp_path / "ben.copies", EVENTS[:3])]
    files.append(save(tmp_path / "mallory.copies", (*EVENTS[:2], Note("forged"))))
    result = recover(tmp_path, *files, stdin="y\ny\nn\n")
    ana, ben, mallory = (line for line in result.stderr.splitlines() if "Take it in?" in line)
    said = "Nothing proves this copy. The same is in {}. mallory.copies has something else after 2 events."
    assert said.format("ben.copies") in plain(ana)
    assert said.format("ana.copies") in plain(ben)
    assert "ana.copies has something else after 2 events. ben.copies has something else after" in plain(mallory)
    assert (result.exit_code, kept(tmp_path)) == (1, 4)


def plain(text: str) -> str:
    """Without the marks that keep names apart."""
    return text.replace("\u2068", "").replace("\u2069", "")


def test_a_signed_tree_head_that_was_kept_is_compared(tmp_path: Path, proof: InclusionProof) -> None:
    file = save(tmp_path / "ana.copies", EVENTS, proof)
    assert "--public" in run(tmp_path, "recover", "--against", tmp_path / "checkpoint").stderr
    result = recover(tmp_path, "--against", tmp_path / "checkpoint", file)
    assert "missing: 6 of 10 events of the tree head" in result.stderr
