"""Phones keep a proof by a signed checkpoint beside a copy, and the owner sees what other phones have."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient
from test_witnessing import GAMES, IDS, OWNER, client_of, contact, copy_in, held, ledger_of

from ledger.keep.phone_copies import Shown, shown_by_phone
from ledger.keep.recorder import Recorder
from ledger.proof.checkpoints import CopyProof, Signer, sign_tree_head
from ledger.proof.tree_head import TreeHead, check
from ledger.record.errors import Contradicted
from ledger.record.events import Note
from ledger.stores.shared import pack
from temporary import TemporaryStore
from viewer.commands import prove_by

SIGNER = Signer(Signer.new_key("club.example/ledger"))


def proving(ledger: TemporaryStore, checkpoint: str) -> FlaskClient:
    """The server of a ledger that was started with a checkpoint."""
    client = client_of(ledger)
    prove_by(client.application, ledger, checkpoint)
    return client


def test_a_phone_gets_a_proof_of_what_the_ledger_had_when_its_checkpoint_was_signed() -> None:
    ledger = ledger_of(*IDS[:2])
    checkpoint = sign_tree_head(check(ledger).tree_head, SIGNER)
    Recorder(ledger).append(IDS[1], Note("later"))
    client = proving(ledger, checkpoint)
    for record_id in IDS[:2]:
        proof = msgspec.convert(copy_in(client, record_id)["proof"], CopyProof)
        events = ledger.read(record_id, 30).events
        links = pack(events).links
        name = "the tree head of 60 events that club.example/ledger signed"
        assert shown_by_phone(record_id, links, proof, SIGNER.verifier) == Shown(record_id, links, name)
        with pytest.raises(Contradicted, match="does not have these events"):
            shown_by_phone(record_id, pack((*events[:-1], Note("forged"))).links, proof, SIGNER.verifier)
        with pytest.raises(Contradicted):
            shown_by_phone(record_id, links[:-1], proof, SIGNER.verifier)
    assert [game["proved"] for game in contact(client, "", held(copy_in(client, IDS[1])))["games"]] == [30]


def test_a_new_checkpoint_is_news_for_phones() -> None:
    ledger = ledger_of(IDS[0])
    before = contact(client_of(ledger))["token"]
    client = proving(ledger, sign_tree_head(check(ledger).tree_head, SIGNER))
    answer = contact(client, before)
    assert answer["changed"] is None
    assert contact(client, answer["token"])["changed"] == []


@pytest.mark.parametrize("size", [30, 31, 29])
def test_a_checkpoint_of_another_ledger_proves_nothing(capsys: pytest.CaptureFixture[str], size: int) -> None:
    client = proving(ledger_of(IDS[0]), sign_tree_head(TreeHead(size, bytes(32)), SIGNER))
    assert "not one of this ledger" in capsys.readouterr().err
    assert copy_in(client, IDS[0])["proof"] is None


def test_the_owner_sees_how_many_phones_have_the_same_and_how_many_have_something_else() -> None:
    client = client_of(ledger_of())
    whole, part = GAMES[0], GAMES[0][:20]
    forged = (*part[:-1], Note("forged"))

    def hand_in(phone: str, events: tuple[Any, ...]) -> None:
        body = {"link": pack(events).links[-1].hex(), "events": msgspec.to_builtins(events)}
        base = {"REMOTE_ADDR": phone}
        assert client.post(f"/api/v1/records/{IDS[0]}/copy", json=body, environ_base=base).status_code == 422

    for _ in range(2):  # phones tell of their copies again
        hand_in("10.0.0.1", whole)
        hand_in("10.0.0.2", part)
        hand_in("10.0.0.3", forged)
    claims = client.get("/api/v1/copies/unproved", headers={"Authorization": f"Bearer {OWNER}"}).json
    assert claims is not None
    assert {claim["link"][:8]: (claim["version"], claim["phones"], claim["unlike"]) for claim in claims} == {
        pack(whole).links[-1].hex()[:8]: (30, 1, 0),
        pack(part).links[-1].hex()[:8]: (20, 2, 1),
        pack(forged).links[-1].hex()[:8]: (20, 1, 2),
    }
