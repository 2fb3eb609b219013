"""A phone gets only the moves that it does not have, and still has all of them."""

from itertools import pairwise
from random import Random

import msgspec
import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.events import ACTS, Amend, AnyEvent, Deal, Insert, Note, Open, Retract
from ledger.record.record import Record
from ledger.stores.beside import Named
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.phone.recorded_moves import RecordedEvent, moves_of
from viewer.phone.recorder_view import RecorderView, Remark, ViewQuery, recorder_view

SEED = 7
LONG = {"scoring": "points", "hands": 12}


class Phone:
    """A phone that keeps the moves that it was sent."""

    def __init__(self) -> None:
        self.version: int | None = None
        self.digests: tuple[str | None, str | None] = (None, None)
        self.moves: tuple[RecordedEvent, ...] = ()
        self.findings: tuple[Remark, ...] | None = None

    def look(self, record: Record, review: Review | None = None) -> RecorderView:
        """The answer to this phone, which keeps its moves and findings."""
        query = ViewQuery(seen=self.version, moves=self.digests[0], findings=self.digests[1])
        view = recorder_view(review or Review(record, "x"), query)
        self.moves = (*self.moves[: view.kept], *view.moves)
        self.findings = self.findings if view.findings is None else view.findings
        self.version, self.digests = view.version, (view.moves_digest, view.findings_digest)
        return view


def slip(events: list[AnyEvent], random: Random) -> AnyEvent:
    """A correction of an act, or a note."""
    seq = random.choice([seq for seq, event in enumerate(events) if isinstance(event, ACTS)])
    act = events[random.choice([seq for seq, event in enumerate(events) if isinstance(event, ACTS)])]
    kinds: list[AnyEvent] = [Retract(seq, "why"), Amend(seq, act, "why"), Insert(seq, act, "why"), Note("rain")]  # type: ignore[arg-type]
    return random.choice(kinds)


@pytest.mark.parametrize("game", catalog.built_in())
def test_a_phone_has_every_move_and_finding_as_a_view_of_the_whole_record_has_it(game: str) -> None:
    random, phone = Random(SEED), Phone()
    record, review = Record(()), None
    for event in simulate(catalog.find(game), 3).events[:50]:
        events = [event]
        while random.random() < 0.15 and any(isinstance(event, ACTS) for event in record.events):
            events.append(slip([*record.events, *events], random))
        for more in events:
            record = codec.check_longer(record, (more,)) if record.events else codec.check((more,))
            review = review.longer(record) if review else Review(record, "x")
            assert record == codec.check(record.events)
            whole = recorder_view(Review(record, "x"))
            assert recorder_view(review) == whole
            if random.random() < 0.7:  # it misses some, and the server may have forgotten what it had
                phone.look(record, review if random.random() < 0.5 else None)
                assert (phone.moves, phone.findings) == (whole.moves, whole.findings)


def test_the_answer_to_one_tap_does_not_grow_with_the_game() -> None:
    events, phone = simulate(catalog.find("zigzag"), 1, LONG).events, Phone()
    deals = [n for n, event in enumerate(events) if isinstance(event, Deal) and not isinstance(events[n - 1], Deal)]
    assert len(events) > 300

    def largest_answer(begin: int, end: int) -> int:
        phone.look(Record(events[:begin]))
        return max(len(msgspec.json.encode(phone.look(Record(events[:n])))) for n in range(begin + 1, end + 1))

    first, last = largest_answer(*deals[:2]), largest_answer(*deals[-2:])
    assert last < 1.1 * first  # the scores have more digits
    assert len(msgspec.json.encode(phone.moves)) > 10 * last


def test_findings_are_sent_only_when_they_change() -> None:
    wrong, phone = simulate(catalog.find("zigzag"), 1, fault="zigzag.bid.raise").events, Phone()
    answers = [phone.look(Record((*wrong[:length],))) for length in range(1, len(wrong) + 1)]
    changed = [a.findings_digest != b.findings_digest for a, b in pairwise(answers)]
    assert [answer.findings is not None for answer in answers] == [True, *changed]
    assert phone.findings
    assert {True, False} == {*changed}


def test_taking_back_the_last_move_sends_no_move() -> None:
    events, phone = simulate(catalog.find("zigzag"), 1).events[:50], Phone()
    phone.look(Record(events))
    taken_back = Record((*events, Retract(49, "taken back at once")))
    on_phone = phone.look(taken_back, Review(Record(events), "x").longer(taken_back))
    assert (on_phone.kept, on_phone.moves) == (48, ())
    again = Phone()
    again.look(Record(events))
    assert again.look(taken_back) == on_phone


@pytest.fixture
def table() -> tuple[TemporaryStore, str, FlaskClient]:
    store, record = TemporaryStore(), codec.check(simulate(catalog.find("zigzag"), 1).events[:40])
    record_id = Recorder(store).import_record(record, "aaaaaaaaaa")
    return store, record_id, create_app(store.reopen).test_client()


def test_a_forgotten_name_sends_everything(table: tuple[TemporaryStore, str, FlaskClient]) -> None:
    store, record_id, client = table
    path = f"/api/v1/records/{record_id}/screen"
    screen = client.get(path).json
    newer = f"{path}?seen={screen['version']}&moves={screen['moves_digest']}&findings={screen['findings_digest']}"
    assert client.get(newer).json["moves"] == []
    assert client.get(newer).json["findings"] is None
    assert client.get(f"{newer}&before=20").json["moves"] == []
    name = screen["players"][0][1]
    store.put([Named(*named[:2], named.names.without({name})) for named in store.kept(Named)])
    answer = client.get(newer).json
    assert answer["kept"] == 0
    assert len(answer["moves"]) == len(screen["moves"])
    assert any(name in move["words"] for move in screen["moves"])
    assert not any(name in move["words"] for move in answer["moves"])


def test_a_digest_that_cannot_be_one_is_refused(table: tuple[TemporaryStore, str, FlaskClient]) -> None:
    _store, record_id, client = table
    answer = client.get(f"/api/v1/records/{record_id}/screen?seen=1&moves=nonsense")
    assert answer.status_code == 400
    assert "moves" in answer.json["detail"]


def test_moves_are_said_anew_and_all_are_sent_when_a_name_changes() -> None:
    phone = Phone()
    events = simulate(catalog.find("zigzag"), SEED).events[:30]
    opening = events[0]
    assert isinstance(opening, Open)
    first = Review(Record(events[:20]), "x")
    assert moves_of(first)
    grown = first.longer(Record(events))
    assert moves_of(grown) == moves_of(Review(Record(events), "x"))
    others = tuple(replace(player, name=f"{player.name} II") for player in opening.players)
    renamed = Record((*events, Amend(0, replace(opening, players=others), "a name")))
    phone.look(Record(events), grown)
    assert phone.look(renamed, grown.longer(renamed)).kept == 0
    after = moves_of(grown.longer(renamed))
    assert after == moves_of(Review(renamed, "x"))
    assert all(" II" in move.phrase.sentence for move in after if move.phrase.seat is not None)
