"""A phone gets only the moves that it does not have, and still has all of them."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from flask.testing import FlaskClient

from ledger import catalog, codec
from ledger.events import ACTS, Amend, AnyEvent, Deal, Insert, Note, Open, Player, Retract
from ledger.record import Record
from ledger.recorder import Recorder
from ledger.simulate import simulate
from ledger.stores.beside import Named
from ledger.stores.memory import MemoryStore
from viewer.app import create_app
from viewer.recorder.moves import RecordedEvent
from viewer.recorder.view import RecorderView, basis_of, recorder_view

SEED = 7
LONG = {"scoring": "points", "hands": 12}


class Phone:
    """A phone that keeps the moves that it was sent."""

    def __init__(self) -> None:
        self.version: int | None = None
        self.digest: str | None = None
        self.moves: tuple[RecordedEvent, ...] = ()

    def look(self, record: Record) -> RecorderView:
        """The answer to this phone, which keeps its moves."""
        view = recorder_view(basis_of("x", record), seen=self.version, digest=self.digest)
        self.moves = (*self.moves[: view.kept], *view.moves)
        self.version, self.digest = view.version, view.moves_digest
        return view


def slip(events: list[AnyEvent], random: Random) -> AnyEvent:
    """A correction of an act, or a note."""
    seq = random.choice([seq for seq, event in enumerate(events) if isinstance(event, ACTS)])
    act = events[random.choice([seq for seq, event in enumerate(events) if isinstance(event, ACTS)])]
    kinds: list[AnyEvent] = [Retract(seq, "why"), Amend(seq, act, "why"), Insert(seq, act, "why"), Note("rain")]  # type: ignore[arg-type]
    return random.choice(kinds)


@pytest.mark.parametrize("game", catalog.built_in())
def test_a_phone_has_every_move_as_the_ledger_has_it(game: str) -> None:
    random, phone = Random(SEED), Phone()
    acts = simulate(catalog.find(game), 3).events[:60]
    events = list(acts[:2])
    for event in acts[2:]:
        events.append(event)
        while random.random() < 0.2 and any(isinstance(event, ACTS) for event in events):
            events.append(slip(events, random))
        if random.random() < 0.7:
            record = codec.check(events)
            phone.look(record)
            assert phone.moves == recorder_view(basis_of("x", record)).moves


def test_the_answer_to_one_tap_does_not_grow_with_the_game() -> None:
    events, phone = simulate(catalog.find("zigzag"), 1, LONG).events, Phone()
    deals = [n for n, event in enumerate(events) if isinstance(event, Deal) and not isinstance(events[n - 1], Deal)]
    assert len(events) > 300
    sizes = [len(msgspec.json.encode(phone.look(Record(events[:n])))) for n in range(1, len(events))]
    first, last = max(sizes[deals[0] : deals[1]]), max(sizes[deals[-2] : deals[-1]])
    assert last < 1.1 * first  # the scores have more digits
    assert len(msgspec.json.encode(phone.moves)) > 10 * last


def test_taking_back_the_last_move_sends_no_move() -> None:
    events, phone = simulate(catalog.find("zigzag"), 1).events[:50], Phone()
    phone.look(Record(events))
    view = phone.look(Record((*events, Retract(49, "taken back at once"))))
    assert (view.kept, view.moves) == (48, ())


def test_a_changed_opening_sends_everything() -> None:
    events, phone = simulate(catalog.find("zigzag"), 1).events[:20], Phone()
    phone.look(Record(events))
    opening = events[0]
    assert isinstance(opening, Open)
    players = (Player(id=opening.players[0].id, name="Zoë"), *opening.players[1:])
    view = phone.look(Record((*events, Amend(0, msgspec.structs.replace(opening, players=players), "her name"))))
    assert view.kept == 0
    assert any("Zoë" in move.words for move in view.moves)


@pytest.fixture
def table() -> tuple[MemoryStore, str, FlaskClient]:
    store, record = MemoryStore(), codec.check(simulate(catalog.find("zigzag"), 1).events[:40])
    record_id = Recorder(store).import_record(record, "aaaaaaaaaa")
    return store, record_id, create_app(lambda: store).test_client()


def test_a_forgotten_name_sends_everything(table: tuple[MemoryStore, str, FlaskClient]) -> None:
    store, record_id, client = table
    path = f"/api/v1/records/{record_id}/screen"
    whole = client.get(path).json
    asked = f"{path}?seen={whole['version']}&moves={whole['moves_digest']}"
    assert client.get(asked).json["moves"] == []
    assert client.get(f"{asked}&before=20").json["moves"] == []
    name = whole["players"][0][1]
    store.set_names([Named(*named[:2], named.names.without({name})) for named in store.names()])
    answer = client.get(asked).json
    assert answer["kept"] == 0
    assert len(answer["moves"]) == len(whole["moves"])
    assert any(name in move["words"] for move in whole["moves"])
    assert not any(name in move["words"] for move in answer["moves"])


def test_a_look_ahead_sends_only_what_is_new(table: tuple[MemoryStore, str, FlaskClient]) -> None:
    _store, record_id, client = table
    path = f"/api/v1/records/{record_id}"
    whole = client.get(f"{path}/screen").json
    known = {"seen": whole["version"], "moves": whole["moves_digest"]}
    answer = client.post(f"{path}/draft", json={"events": [{"type": "note", "text": "rain"}], **known}).json
    assert [move["words"] for move in answer["moves"]] == ["Note: rain"]
    assert answer["kept"] == len(whole["moves"])


def test_a_digest_that_cannot_be_one_is_refused(table: tuple[MemoryStore, str, FlaskClient]) -> None:
    _store, record_id, client = table
    answer = client.get(f"/api/v1/records/{record_id}/screen?seen=1&moves=nonsense")
    assert answer.status_code == 400
    assert "moves" in answer.json["detail"]
