"""One exchange with a phone: what it hands in is recorded once, and a lost ledger gets its games back as they were."""

import json
import random
import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient

from ledger.games import catalog
from ledger.keep import recovering
from ledger.keep.recorder import Recorder, key_digest, new_link
from ledger.keep.transfer import forget, known_as
from ledger.play.simulate import simulate
from ledger.proof.log_head import check
from ledger.record import chain, clock, codec
from ledger.record.chain import fingerprint, record_digest
from ledger.record.events import AnyEvent, Insert, Note, Open, Player, Retract
from ledger.stores import questions
from ledger.stores.beside import Key
from temporary import TemporaryStore
from viewer.app import create_app

KEY, WATCH, OWNER, ID = "k" * 43, "w" * 43, "o" * 43, "aaaaaaaaaa"
OPENING = {"type": "open", "game": "zigzag", "rules": "1", "when": "2026-11-20T19:00:00.000Z",
           "players": [{"id": f"p{n}", "name": name} for n, name in enumerate(("Ana", "Ben", "Cy"), 1)]}  # fmt: skip


def note(text: str) -> dict[str, Any]:
    return {"id": f"note-{text:>08}".replace(" ", "0"), "event": {"type": "note", "text": text}}


class Phone:
    """A phone that asks about one game; `have` is what it heard last."""

    def __init__(self, ledger: TemporaryStore, **options: Any) -> None:
        self.client: FlaskClient = create_app(ledger.reopen, **options).test_client()
        self.have: dict[str, Any] = {"from": 0}

    def ask(
        self, add: Sequence[dict[str, Any]] = (), key: str = KEY, status: int = 200, origin: str = "", **more: Any
    ) -> dict[str, Any]:
        question = {"id": ID, "key": key, "have": self.have, "add": list(add)} | more
        headers = {"Origin": origin} if origin else {}
        answer = self.client.post("/api/v1/exchange", json=question, headers=headers)
        assert answer.status_code == status, answer.get_json()
        heard: dict[str, Any] = answer.get_json()
        return heard

    def hear(self, answer: dict[str, Any]) -> None:
        links = [one["link"] for one in answer["events"]] or [answer["after"]]
        self.have = {"from": answer["version"], "link": links[-1], "names": answer["names"]}


@pytest.fixture
def ledger() -> TemporaryStore:
    return TemporaryStore()


@pytest.fixture
def phone(ledger: TemporaryStore) -> Phone:
    phone = Phone(ledger)
    phone.hear(phone.ask([{"id": ID, "event": OPENING}]))
    return phone


def event_of(event: dict[str, Any]) -> AnyEvent:
    return codec.decode_event(json.dumps(event))


def texts(ledger: TemporaryStore) -> list[str]:
    return [event.text for event in ledger.read(ID).events if isinstance(event, Note)]


def test_a_question_that_is_doubled_late_or_unanswered_adds_nothing_twice(ledger: TemporaryStore, phone: Phone) -> None:
    first = phone.ask([note("one")])
    assert [one["id"] for one in first["events"]] == [note("one")["id"]]
    assert phone.ask([note("one"), note("two")])["version"] == 3  # the answer was lost, and another entry followed
    assert phone.ask([note("one")])["version"] == 3
    assert texts(ledger) == ["one", "two"]


def test_an_entry_with_a_name_brings_only_what_is_new(phone: Phone) -> None:
    named = {"id": "named-note-1", "event": {"type": "note", "text": "one", "by": "Dora"}}
    answer = phone.ask([named])
    assert (answer["from"], [one["id"] for one in answer["events"]]) == (1, ["named-note-1"])
    phone.hear(answer)
    assert phone.ask()["events"] == []


def test_where_another_phone_was_first_nothing_is_added(ledger: TemporaryStore, phone: Phone) -> None:
    Recorder(ledger).append(ID, Note("theirs"), event_id="their-note")
    answer = phone.ask([note("mine")])
    assert [one["event"]["text"] for one in answer["events"]] == ["theirs"]
    phone.hear(answer)
    phone.ask([note("mine")])
    assert texts(ledger) == ["theirs", "mine"]


def test_what_cannot_be_recorded_is_named_and_what_was_before_it_stands(ledger: TemporaryStore, phone: Phone) -> None:
    wrong = {"id": "wrong-one", "event": {"type": "retract", "seq": 99, "why": ""}}
    answer = phone.ask([note("one"), wrong, note("two")])
    assert answer["refused"]["id"] == "wrong-one"
    assert answer["refused"]["why"]
    assert texts(ledger) == ["one"]


@pytest.mark.parametrize("key", ["", "x" * 43])
def test_without_the_key_nothing_is_added(ledger: TemporaryStore, phone: Phone, key: str) -> None:
    answer = phone.ask([note("one")], key=key)
    assert (answer["opens"], answer["version"], texts(ledger)) == (False, 1, [])


def test_another_game_under_the_id_is_shown_and_kept(ledger: TemporaryStore, phone: Phone) -> None:
    other = {**OPENING, "game": "ziggurat", "players": OPENING["players"][:2]}  # type: ignore[index]
    phone.have = {"from": 0}
    answer = phone.ask([{"id": ID, "event": other}, note("mine")], key="y" * 43)
    assert answer["events"][0]["event"]["game"] == "zigzag"
    assert texts(ledger) == []


BEGINNING = {"id": ID, "event": OPENING}


def test_what_is_not_for_a_phone_to_do_changes_nothing(ledger: TemporaryStore, phone: Phone) -> None:
    assert "read-only" in Phone(ledger, recording=False).ask([note("one")], status=409)["detail"]
    phone.ask([note("one")], status=403, origin="https://elsewhere.example")
    phone.ask([note(f"{n}") for n in range(201)], status=413)
    assert texts(ledger) == []


def test_a_link_that_belongs_to_no_event_brings_nothing_that_may_not_be(ledger: TemporaryStore, phone: Phone) -> None:
    event = event_of(wrong := {"type": "play", "player": "nobody", "tile": "2-2"})
    link = chain.link(bytes.fromhex(phone.have["link"]), chain.chained_bytes(event)).hex()
    answer = phone.ask([{"id": "wrong-one", "event": wrong, "link": link}, note("two")])
    assert (answer["refused"]["id"], answer["version"], texts(ledger)) == ("wrong-one", 1, [])


def test_in_a_private_ledger_a_game_that_is_hidden_looks_like_one_that_is_missing(ledger: TemporaryStore) -> None:
    Recorder(ledger, find_game=catalog.find).open(
        Open("zigzag", players=tuple(Player(id=f"p{n}") for n in range(3))), ID
    )
    ledger.put([Key(ID, key_digest(KEY)), Key(ID, key_digest(WATCH), "watch")])
    phone = Phone(ledger, private=True)
    hidden, missing = (phone.ask(key="x" * 43, id=record_id, status=401) for record_id in (ID, "bbbbbbbbbb"))
    assert hidden == missing
    assert [phone.ask(key=key)["opens"] for key in (KEY, WATCH)] == [True, False]


@pytest.mark.parametrize("options", [{"private": True}, {"by_link": True}])
def test_where_not_everybody_begins_games_a_phone_begins_none(options: dict[str, bool]) -> None:
    ledger = ledger_of(OWNER)
    phone = Phone(ledger, **options)
    phone.ask([BEGINNING], status=401)
    assert ledger.ids() == ()
    phone.client.set_cookie("domino", OWNER)
    assert phone.ask([BEGINNING])["version"] == 1


def test_a_key_that_was_ended_stays_so_and_a_name_that_was_erased_too(ledger: TemporaryStore, phone: Phone) -> None:
    before = phone.ask([note("one")])
    phone.hear(before)
    new_link(ledger, ID, "record", only=True)
    forget(ledger, "Ana", known_as(ledger, "Ana"))
    answer = phone.ask([note("two")])
    assert (answer["opens"], answer["from"], texts(ledger)) == (False, 0, ["one"])
    assert answer["events"][0]["event"]["players"][0] == {"id": "p1"}
    assert answer["events"][-1]["link"] == before["events"][-1]["link"]
    phone.have = {"from": 0}
    again = [{**one, "event": {**one["event"]}} for one in answer["events"]]
    again[0]["event"] = OPENING
    assert phone.ask(again)["events"] == answer["events"]


def test_a_watchers_phone_brings_a_lost_game_back_with_its_seal_alone() -> None:
    first = ledger_of(OWNER)
    heard = Phone(first).ask([BEGINNING, note("one")])
    seal = Phone(first).ask()["seal"]
    second = ledger_of(OWNER)
    phone = Phone(second, private=True)
    assert phone.ask(heard["events"], key="", seal={**seal, "text": "00000000:00"}, status=401)
    assert second.ids() == ()
    assert phone.ask(heard["events"], key="", seal=seal)["version"] == 2
    assert questions.roles(second, ID, key_digest(KEY)) == {"record"}


def test_a_long_game_comes_back_with_its_seal_in_one_question() -> None:
    first = ledger_of(OWNER)
    Phone(first).ask([BEGINNING])
    count = 8000
    first.append(ID, 1, [Note(f"{seq}") for seq in range(1, count)], [f"phone-note-{seq}" for seq in range(1, count)])
    heard = Phone(first).ask()
    second = ledger_of(OWNER)
    assert len(json.dumps(heard["events"])) > 1_000_000
    assert Phone(second).ask(heard["events"], seal=heard["seal"])["version"] == count
    assert second.read(ID) == first.read(ID)


@pytest.mark.parametrize("owner", ["", OWNER], ids=["without an owner", "with an owner's seal"])
@pytest.mark.parametrize("void", [False, True], ids=["", "set aside"])
@pytest.mark.parametrize("name", catalog.names())
def test_a_lost_ledger_gets_a_game_back_with_the_same_chain(name: str, void: bool, owner: str) -> None:
    first = ledger_of(owner)
    record = simulate(catalog.find(name), 5, {})
    writer = Recorder(first, find_game=catalog.find)
    first.put([Key(ID, key_digest(KEY)), Key(ID, key_digest(WATCH), "watch")])
    writer.import_record(record, ID)
    writer.append(ID, Note("x", by="Ana"), event_id="phone-note-1")
    writer.correct(ID, Retract(len(record.events), "taken back at once"))
    writer.correct(ID, Insert(3, Note("forgotten"), "forgotten"))
    writer.confirm(ID, record.opening.players[0].id, fingerprint(record_digest(first.read(ID).events)))
    if void:
        writer.void(ID, "a trial")
    phone = Phone(first)
    heard = phone.ask()
    phone.hear(heard)
    writer.append(ID, Note("after the seal"), event_id="phone-note-2")
    events = [*heard["events"], *phone.ask(sealed=20_000)["events"]]
    assert bool(heard["seal"]) == bool(owner)
    second = ledger_of(owner)
    brought = bring_back(Phone(second), events, heard["seal"])
    if void and not owner:  # nobody but the owner sets a game aside
        assert brought < len(events)
        return
    assert [entry.link for entry in second.log(of=ID)] == [entry.link for entry in first.log(of=ID)]
    assert codec.encode(second.read(ID)) == codec.encode(first.read(ID))
    assert ("watch" in questions.roles(second, ID, key_digest(WATCH))) == bool(owner)


def test_an_altered_seal_opens_nothing() -> None:
    first, second = ledger_of(OWNER), ledger_of(OWNER)
    Recorder(first, find_game=catalog.find).import_record(simulate(catalog.find("ziggurat"), 2), ID)
    first.put([Key(ID, key_digest(KEY))])
    heard = Phone(first).ask()
    seal = {**heard["seal"], "keys": {**heard["seal"]["keys"], key_digest("x" * 43).hex(): "record"}}
    assert Phone(second).ask(heard["events"], key="", seal=seal)["version"] == 0
    answer = Phone(second).ask(heard["events"], seal=seal)
    assert (answer["refused"], answer["version"]) == (None, len(heard["events"]))  # as a game without a seal
    assert not questions.roles(second, ID, key_digest("x" * 43))
    third = Phone(ledger_of(OWNER))
    assert third.ask(heard["events"], seal={**seal, "keys": {"no digest": "record"}})["refused"] is None


def ledger_of(owner: str) -> TemporaryStore:
    ledger = TemporaryStore()
    if owner:
        ledger.put([Key("", key_digest(owner), "owner")])
    return ledger


def bring_back(phone: Phone, events: list[dict[str, Any]], seal: dict[str, Any] | None) -> int:
    """Hands in all that the phone has, as far as the ledger takes it; returns how many events that are."""
    version = 0
    while version < len(events):
        size = len(events) if seal and not version else 200
        answer = phone.ask(events[version : version + size], **({"seal": seal} if seal and not version else {}))
        if answer["refused"] or answer["version"] <= version:
            break
        phone.hear(answer)
        version = answer["version"]
    return version


@pytest.fixture
def lost() -> tuple[TemporaryStore, dict[str, Any]]:
    """What a ledger of the owner answered before it was lost."""
    first = ledger_of(OWNER)
    phone = Phone(first)
    phone.hear(phone.ask([BEGINNING, note("one")]))
    phone.have = {"from": 0}
    new = ledger_of(OWNER)
    recovering.begin(new)
    return new, phone.ask()


def begun(client: FlaskClient, door: str, key: str) -> str:
    """The id of a game that somebody begins under the id of a lost one, through this door of a ledger."""
    if door == "form":
        form = {"id": ID, "key": key, "game": "zigzag", "player1": "A", "player2": "B", "player3": "C"}
        return client.post("/new", data=form).location.partition("/r/")[2][:10]
    if door == "program":
        answer = client.post("/api/v1/records", json={"id": ID, "key": key, "opening": OPENING})
        return str(answer.get_json()["id"])
    return str(client.post("/api/v1/exchange", json={"id": ID, "key": key, "add": [BEGINNING]}).get_json()["taken"])


@pytest.mark.parametrize("door", ["form", "program", "phone"])
def test_a_stranger_who_comes_first_cannot_take_a_lost_id(
    lost: tuple[TemporaryStore, dict[str, Any]], door: str
) -> None:
    ledger, heard = lost
    phone = Phone(ledger)
    other = begun(phone.client, door, "s" * 43)
    assert begun(phone.client, door, "s" * 43) == other  # sent twice, it begins once
    assert ledger.ids() == (other,)
    assert other != ID
    assert questions.roles(ledger, other, key_digest("s" * 43)) == {"record"}
    answer = phone.ask(heard["events"], seal=heard["seal"])
    assert [one["link"] for one in answer["events"]] == [one["link"] for one in heard["events"]]
    assert phone.ask([note("two")], have={"from": 2, "link": heard["events"][1]["link"]})["version"] == 3


def test_a_game_that_begins_while_a_ledger_recovers_goes_on_under_its_new_id(
    lost: tuple[TemporaryStore, dict[str, Any]],
) -> None:
    phone = Phone(lost[0])
    answer = phone.ask([BEGINNING, note("one")])
    assert (answer["version"], answer["opens"], answer["waits"]) == (0, True, False)
    new_id = answer["taken"]
    answer = phone.ask([{"id": new_id, "event": OPENING}, note("one")], id=new_id)
    assert [one["id"] for one in answer["events"]] == [new_id, note("one")["id"]]


def test_what_a_lost_ledger_had_waits_for_the_owner_without_its_seal(
    lost: tuple[TemporaryStore, dict[str, Any]], monkeypatch
) -> None:
    ledger, heard = lost
    forged = {**heard["seal"], "keys": {key_digest("x" * 43).hex(): "record"}}
    for seal in ({}, {"seal": forged}):
        answer = Phone(ledger).ask(heard["events"], **seal)
        assert (answer["waits"], answer["opens"], answer["taken"], ledger.ids()) == (True, False, "", ())
    later = clock.now() + timedelta(recovering.DAYS)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert Phone(ledger).ask(heard["events"])["version"] == len(heard["events"])


def test_the_owner_sees_until_when_a_ledger_recovers(lost: tuple[TemporaryStore, dict[str, Any]]) -> None:
    client = create_app(lost[0].reopen).test_client()
    client.set_cookie("domino", OWNER)
    assert re.search("Until (<[^>]*>)?4 Dec 2026(<[^>]*>)? it waits for the phones", client.get("/owner").text)
    client = create_app(ledger_of(OWNER).reopen).test_client()
    client.set_cookie("domino", OWNER)
    assert "recovering" not in client.get("/owner").text


def sealed_game() -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The events of a game as a ledger of the owner gave them to a phone, and their seal."""
    first = ledger_of(OWNER)
    first.put([Key(ID, key_digest(KEY)), Key(ID, key_digest(WATCH), "watch")])
    Recorder(first).open(Open("zigzag", players=tuple(Player(id=f"p{n}", name=f"Ana {n}") for n in range(3))), ID)
    phone = Phone(first)
    phone.have = {}
    for number in range(12):
        Recorder(first).append(ID, Note(f"{number}", by="Ana 1"), event_id=f"note-{number:06}" if number % 2 else None)
    heard = phone.ask()
    return heard["events"], heard["seal"]


Game = dict[str, Any]
ALTERATIONS: tuple[Callable[[Game, random.Random], object], ...] = (
    lambda game, chance: game["add"].insert(chance.randrange(1, 12), note(f"{chance.randrange(10**6)}")),
    lambda game, chance: game["add"].__delitem__(slice(chance.randrange(1, 12), None)),
    lambda game, chance: game["add"][chance.randrange(1, 12)]["event"].update(text="another"),
    lambda game, chance: game["add"][0]["event"]["players"][0].update(name=f"Mallory {chance.random()}"),
    lambda game, chance: game["add"][chance.randrange(1, 12)]["event"].update(by="Mallory"),
    lambda game, chance: game["seal"]["keys"].update({chance.randbytes(32).hex(): "record"}),
    lambda game, _chance: game["seal"].update(keys=dict.fromkeys(game["seal"]["keys"], "watch")),
    lambda game, _chance: game["seal"].update(keys={}),
    lambda game, chance: game["add"][chance.randrange(1, 12)].update(id=f"invented-{chance.randrange(10**6)}"),
    lambda game, chance: game.update(id=f"zzzzz{chance.randrange(10**5):05}"),
    lambda game, chance: game["seal"].update(text=game["seal"]["text"][:-6] + f"{chance.randrange(16**6):06x}"),
    lambda game, _chance: game["seal"].update(text=""),
    lambda game, chance: game["seal"].update(version=chance.randrange(1, 12)),
)
"""Each makes of a game another one than the ledger sealed."""


@pytest.mark.parametrize("tries", [60, pytest.param(1000, marks=pytest.mark.wide)])
def test_altered_games_get_nothing_in(tries: int) -> None:
    chance, (events, seal) = random.Random(31), sealed_game()
    new = ledger_of(OWNER)
    phone, keys = Phone(new, private=True), list(new.kept(Key))
    for number in range(tries):
        game = json.loads(json.dumps({"id": ID, "add": events, "seal": seal}))
        before = json.dumps(game)
        while json.dumps(game) == before:
            chance.choice(ALTERATIONS)(game, chance)
        phone.ask(status=401, key=KEY if number % 2 else "", **game)
    assert (list(new.log()), list(new.kept(Key))) == ([], keys)
    other = TemporaryStore()
    other.put([Key("", key_digest("p" * 43), "owner")])
    Phone(other, private=True).ask(events, seal=seal, status=401)  # another owner's ledger
    assert phone.ask(events, seal=seal)["version"] == len(events)
    assert not check(new).corruptions


@pytest.mark.parametrize("version", [1, 5, 12])
def test_an_older_backup_gets_the_rest(version: int) -> None:
    events, seal = sealed_game()
    backup = ledger_of(OWNER)
    assert Phone(backup).ask(events, seal=seal)["version"] == len(events)
    older = ledger_of(OWNER)
    older.append_log(list(backup.log(of=ID))[:version])
    older.put([Key(ID, key_digest(KEY))])
    phone = Phone(older)
    phone.have = {"from": len(events), "link": events[-1]["link"]}
    answer = phone.ask()
    assert (answer["version"], answer["after"]) == (version, events[version - 1]["link"])
    phone.hear(answer)
    assert phone.ask(events[version:])["events"] == events[version:]


def test_the_keys_of_a_seal_replace_none_that_are_there() -> None:
    events, seal = sealed_game()
    ledger = ledger_of(OWNER)
    Phone(ledger).ask(events, seal=seal)
    new_link(ledger, ID, "record", only=True)
    answer = Phone(ledger).ask(events, seal=seal)
    assert (answer["opens"], answer["version"]) == (False, len(events))
    assert not questions.roles(ledger, ID, key_digest(KEY))
