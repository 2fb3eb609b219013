"""Phones as witnesses: what they kept is compared with the ledger, which takes back what it lost and what is proved."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.games import catalog
from ledger.keep.copies import event_ids
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.keep.transfer import forget, known_as
from ledger.play.simulate import simulate
from ledger.proof.log_head import check
from ledger.record.chain import chained_bytes, links, record_digest
from ledger.record.codec import decode_event
from ledger.record.events import AnyEvent, Note, Open
from ledger.stores import questions
from ledger.stores.beside import Key
from ledger.stores.event_log import pack
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.phone.kept_games_routes import mark

OWNER, KEY = new_key(), new_key()
IDS = ("aaaaaaaaa1", "bbbbbbbbb2", "ccccccccc3")
GAMES = [tuple[AnyEvent, ...](simulate(catalog.find("zigzag"), seed=seed).events)[:30] for seed in range(3)]


def ledger_of(*record_ids: str, owner: str = OWNER) -> TemporaryStore:
    """A ledger with these games, as phones recorded them."""
    store = TemporaryStore()
    if owner:
        store.put([Key("", key_digest(owner), "owner")])
    for record_id in record_ids:
        events = GAMES[IDS.index(record_id)]
        assert isinstance(events[0], Open)
        store.put([Key(record_id, key_digest(KEY))])
        ids = [f"{record_id}-{seq}" for seq in range(1, len(events))]
        Recorder(store).open(events[0], record_id)
        Recorder(store).append_entries(record_id, 1, events[1:], ids, [])
    return store


def client_of(store: TemporaryStore, **options: Any) -> FlaskClient:
    return create_app(store.reopen, **options).test_client()


def copy_in(client: FlaskClient, record_id: str, key: str = KEY) -> dict[str, Any]:
    answer = client.get(f"/api/v1/records/{record_id}/copy", headers={"Authorization": f"Bearer {key}"})
    copy: dict[str, Any] = json.loads(answer.data)
    return copy


def hand_in(client: FlaskClient, copy: dict[str, Any], key: str = "", record_id: str = "") -> TestResponse:
    body = {name: copy[name] for name in ("link", "events", "ids", "keys", "seal") if name in copy}
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return client.post(f"/api/v1/records/{record_id or copy['record']}/copy", json=body, headers=headers)


def contact(client: FlaskClient, token: str = "", *games: dict[str, Any], **more: Any) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {more.pop('bearer')}"} if "bearer" in more else {}
    body = {"token": token, "games": games, **more}
    answer: dict[str, Any] = json.loads(client.post("/api/v1/copies/contact", json=body, headers=headers).data)
    return answer


def held(copy: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": copy["record"], "version": copy["version"], "link": copy["link"], **more}


def test_a_lost_game_comes_back_as_it_was() -> None:
    old = ledger_of(*IDS)
    agreed = old.read(IDS[0])
    Recorder(old).confirm(IDS[0], agreed.opening.players[0].id, record_digest(agreed.events).hex())
    copies = [copy_in(client_of(old), record_id) for record_id in IDS]
    new = ledger_of()
    for copy in copies:
        answer = hand_in(client_of(new), copy)
        assert (answer.status_code, json.loads(answer.data)) == (
            200,
            {"version": copy["version"], "link": copy["link"]},
        )
        # Another phone has the same game: it is there once.
        assert hand_in(client_of(new), copy).status_code == 200
    for record_id in IDS:
        assert new.read(record_id).events == old.read(record_id).events
        assert event_ids(new, record_id) == event_ids(old, record_id)
        assert questions.roles(new, record_id, key_digest(KEY)) == {"record"}
    assert not check(new).corruptions
    assert questions.unaudited(new) == ()


def test_an_older_backup_gets_the_rest_and_a_longer_ledger_keeps_what_it_has() -> None:
    old = ledger_of(IDS[0])
    copy = copy_in(client_of(old), IDS[0])
    backup = ledger_of()
    events = old.read(IDS[0]).events
    Recorder(backup).open(events[0], IDS[0])  # type: ignore[arg-type]  # it is the opening
    Recorder(backup).append_entries(IDS[0], 1, events[1:10], [f"{IDS[0]}-{seq}" for seq in range(1, 10)], [])
    assert hand_in(client_of(backup), copy).status_code == 200
    assert list(backup.log(of=IDS[0])) == list(old.log(of=IDS[0]))
    Recorder(backup).append(IDS[0], Note("and on"))
    assert hand_in(client_of(backup), copy).status_code == 200
    assert backup.version(IDS[0]) == 31


def test_two_ends_of_a_game_are_both_kept() -> None:
    copy = copy_in(client_of(ledger_of(IDS[0])), IDS[0])
    forked = ledger_of()
    Recorder(forked).open(GAMES[0][0], IDS[0])
    Recorder(forked).append(IDS[0], Note("another evening"))
    answer = hand_in(client_of(forked), copy)
    assert (answer.status_code, answer.json["title"]) == (409, "The ledger has something else")  # type: ignore[index]
    assert forked.version(IDS[0]) == 2


@pytest.mark.parametrize("tries", [60, pytest.param(1000, marks=pytest.mark.wide)])
def test_altered_and_invented_games_get_nothing_in(tries: int) -> None:
    chance = random.Random(31)
    copies = [copy_in(client_of(ledger_of(*IDS)), record_id) for record_id in IDS]
    strange = ledger_of(IDS[0], owner=new_key())
    copies.append(copy_in(client_of(strange), IDS[0]))  # sealed by another owner
    new = ledger_of()
    client, before = client_of(new), list(new.log())
    keys = list(new.kept(Key))
    for number in range(tries):
        altered = alter(json.loads(json.dumps(copies[number % 4])), chance) if number % 4 < 3 else copies[3]
        answer = hand_in(client, altered, record_id=altered["record"])
        assert answer.status_code in (400, 404, 409, 422), altered
    assert (list(new.log()), list(new.kept(Key))) == (before, keys)


Alteration = Callable[[dict[str, Any], random.Random], object]
ALTERATIONS: tuple[Alteration, ...] = (
    lambda copy, chance: copy["events"].insert(chance.randrange(1, 30), {"type": "note", "text": str(chance.random())}),
    lambda copy, chance: copy["events"].__delitem__(slice(chance.randrange(1, 30), None)),
    lambda copy, chance: copy["events"].__setitem__(chance.randrange(1, 30), {"type": "note", "text": "x"}),
    lambda copy, chance: copy["events"][0]["players"][0].update(name=f"Mallory {chance.random()}"),
    lambda copy, chance: copy["events"][chance.randrange(1, 30)].update(by="Mallory"),
    lambda copy, chance: copy["keys"].update({chance.randbytes(32).hex(): "record"}),
    lambda copy, _chance: copy.update(keys=dict.fromkeys(copy["keys"], "watch")),
    lambda copy, chance: copy["ids"].update({str(chance.randrange(1, 30)): f"invented-{chance.randrange(10**6)}"}),
    lambda copy, chance: copy["ids"].pop(str(chance.randrange(1, 30))),
    lambda copy, chance: copy.update(record=f"zzzzz{chance.randrange(10**5):05}"),
    lambda copy, chance: copy.update(seal=copy["seal"][:-4] + f"{chance.randrange(16**4):04x}"),
    lambda copy, _chance: copy.update(seal=""),
    lambda copy, chance: copy.update(link=chance.randbytes(32).hex()),
)
"""Each makes a copy another one than the ledger sealed."""


def alter(copy: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """An altered copy: mostly with the chain that belongs to its events."""
    before, link = json.dumps(copy), copy["link"]
    while json.dumps(copy) == before:
        chance.choice(ALTERATIONS)(copy, chance)
    if copy["link"] == link and chance.random() < 0.8:
        bodies = (chained_bytes(decode_event(json.dumps(event).encode())) for event in copy["events"])
        copy["link"] = links(bodies)[-1].hex()
    return copy


def test_what_cannot_be_proved_is_shown_to_the_owner_who_decides() -> None:
    copy = copy_in(client_of(ledger_of(IDS[0], owner="")), IDS[0])
    assert copy["seal"] == ""
    new = ledger_of()
    client = client_of(new)
    answer = hand_in(client, copy)
    assert (answer.status_code, answer.json["title"]) == (422, "This copy cannot be proved")  # type: ignore[index]
    hand_in(client, copy)
    assert client.get("/api/v1/copies/unproved").status_code == 401
    claims = client.get("/api/v1/copies/unproved", headers={"Authorization": f"Bearer {OWNER}"}).json
    assert claims == [
        {"record": IDS[0], "version": 30, "link": copy["link"], "game": "zigzag", "phones": 1, "unlike": 0,
         "names": [player["name"] for player in copy["events"][0]["players"]]}
    ]  # fmt: skip
    client.post("/door", data={"key": OWNER, "then": "owner"})
    page = client.get("/owner").text
    assert "Copies that cannot be proved" in page
    assert "30 entries. One phone has this." in page
    assert new.size() == 0
    assert hand_in(client, copy, OWNER).status_code == 200
    assert client.get("/api/v1/copies/unproved", headers={"Authorization": f"Bearer {OWNER}"}).json == []
    assert "cannot be proved" not in client.get("/owner").text
    assert new.version(IDS[0]) == 30


def test_a_contact_with_nothing_to_say_is_small() -> None:
    ledger = ledger_of(*IDS)
    client = client_of(ledger)
    full = contact(client, "", *(held(copy_in(client, record_id)) for record_id in IDS))
    assert [(game["version"], game["then"]) for game in full["games"]] == [
        (30, copy_in(client, record_id)["link"]) for record_id in IDS
    ]
    quiet = contact(client, full["token"])
    assert (quiet["token"], quiet["changed"]) == (full["token"], [])
    Recorder(ledger).append(IDS[1], Note("more"))
    assert contact(client, full["token"])["changed"] == [mark(IDS[1])]
    # A name that is gone, another owner, another ledger: then everything is compared.
    forget(ledger, GAMES[0][0].players[0].name, known_as(ledger, GAMES[0][0].players[0].name))  # type: ignore[union-attr]
    assert contact(client, full["token"])["changed"] is None
    assert contact(client_of(ledger_of(*IDS, owner=new_key())), full["token"])["changed"] is None
    assert contact(client_of(ledger_of(IDS[0])), full["token"])["changed"] is None
    for token in ("", "x", "9" * 17, "-1.", "1.x.0."):
        assert contact(client, token)["changed"] is None


def test_the_ledger_says_what_it_has_where_it_has_less_or_nothing() -> None:
    old = ledger_of(IDS[0])
    copy, opening = copy_in(client_of(old), IDS[0]), old.read(IDS[0]).opening
    backup = ledger_of(IDS[1])
    Recorder(backup).open(opening, IDS[0])
    answer = contact(client_of(backup), "", held(copy), {"id": IDS[2], "version": 3, "link": "0" * 64})
    less, none = answer["games"]
    assert (less["version"], less["then"]) == (1, links([chained_bytes(opening)])[0].hex())
    assert (none["version"], none["then"], none["names"], none["opens"]) == (0, "", "", False)


@pytest.mark.parametrize("key", ["", KEY], ids=["no key", "a key"])
def test_a_private_ledger_tells_those_with_a_key(key: str) -> None:
    ledger = ledger_of(*IDS)
    client = client_of(ledger, private=True)
    link = questions.link(ledger, IDS[0], 30)
    assert link is not None
    answer = contact(client, "", {"id": IDS[0], "version": 30, "link": link.hex(), "key": key})
    (game,) = answer["games"]
    assert (game["version"], game["then"], bool(answer["token"])) == ((30, link.hex(), True) if key else (0, "", False))
    assert contact(client, answer["token"], record=IDS[0], bearer=key or "x")["changed"] == ([] if key else None)
    assert client.get(f"/api/v1/records/{IDS[0]}/copy").status_code == 401


def test_keys_come_back_where_there_are_none_and_a_revoked_one_does_not() -> None:
    old = ledger_of(IDS[0])
    recorders, watchers = (copy_in(client_of(old), IDS[0], key) for key in (KEY, ""))
    new = ledger_of()
    hand_in(client_of(new), watchers)
    assert not contact(client_of(new), "", held(recorders, key=KEY))["games"][0]["opens"]
    assert hand_in(client_of(new), recorders).status_code == 200
    assert contact(client_of(new), "", held(recorders, key=KEY))["games"][0]["opens"]
    new.drop(list(new.kept(Key, IDS[0])))
    new.put([Key(IDS[0], key_digest(new_key()))])
    assert hand_in(client_of(new), recorders).status_code == 200
    assert not contact(client_of(new), "", held(recorders, key=KEY))["games"][0]["opens"]


def test_a_browser_that_has_a_watchers_copy_gets_the_keys_with_a_key() -> None:
    client = client_of(ledger_of(IDS[0]))
    watched = client.get(f"/api/v1/records/{IDS[0]}/copy")
    headers = {"Authorization": f"Bearer {KEY}", "If-None-Match": watched.headers["ETag"]}
    assert client.get(f"/api/v1/records/{IDS[0]}/copy", headers=headers).status_code == 200
    assert client.get(f"/api/v1/records/{IDS[0]}/copy", headers={**headers, "Authorization": ""}).status_code == 304


def test_a_watcher_gets_no_keys_and_an_erased_name_is_erased() -> None:
    ledger = ledger_of(IDS[0])
    client = client_of(ledger)
    watched = copy_in(client, IDS[0], "")
    assert (watched["keys"], bool(watched["seal"])) == ({}, True)
    name = watched["events"][0]["players"][0]["name"]
    forget(ledger, name, known_as(ledger, name))
    later = copy_in(client, IDS[0], "")
    assert "name" not in later["events"][0]["players"][0]
    assert (later["link"], later["names"] == watched["names"]) == (watched["link"], False)
    assert hand_in(client, watched).status_code == 200
    assert "name" not in copy_in(client, IDS[0], "")["events"][0]["players"][0]


def test_the_ledger_and_the_page_make_the_same_mark_of_an_id() -> None:
    assert (mark(IDS[0]), mark(IDS[1])) == (58645, 14438)  # as tests/viewer/phone/contact.test.js


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
