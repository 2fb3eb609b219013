"""What the recorder asks before an entry is recorded, and what it says about the next one."""

import re

import pytest

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import (
    ACTS,
    MOVES,
    Amend,
    AnyEvent,
    Bid,
    Draw,
    Insert,
    Layout,
    Note,
    Open,
    Pass,
    Place,
    Play,
    Player,
    Retract,
    Stack,
)  # fmt: skip
from ledger.record.record import Record
from ledger.record.tiles import named
from viewer.phone.act_prompts import prompts
from viewer.phone.recorder_answers import Question, later_words, question_about
from viewer.phone.recorder_view import recorder_view

RECORD = simulate(catalog.find("ziggurat"), 2)
FIRST = next(seq for seq, event in enumerate(RECORD.events) if isinstance(event, Place))


def asked(event: AnyEvent, record: Record = RECORD) -> Question | None:
    return question_about("x", record, (event,))


def text(question: Question | None) -> str:
    assert question is not None
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", question.body)).strip()


def test_a_deletion_asks_about_deleting_with_what_stays_and_what_no_longer_fits() -> None:
    place = RECORD.events[FIRST]
    assert isinstance(place, Place)
    question = asked(Retract(FIRST, "a slip"))
    assert question is not None
    name = next(player.name for player in RECORD.opening.players if player.id == place.player)
    assert question.title == f"Delete {name}\u2019s {place.tile}?".replace(
        f"{place.tile}", str(place.tile).replace("-", "\u2011")
    )
    assert question.yes == "Delete"
    moves = sum(type(event) in MOVES for event in RECORD.events[FIRST + 1 :])
    assert re.match(rf"({moves}|[A-Z][a-z]+) later moves stay; \w+ no longer fits?\.", text(question))


def test_an_entry_that_is_not_a_move_is_named_by_its_words() -> None:
    seq = len(RECORD.events)
    record = Record((*RECORD.events, Note("rain")))
    question = asked(Retract(seq, "a slip"), record)
    assert question == Question("Delete \u201cNote: rain\u201d?", "", "Delete")


def test_what_breaks_no_rule_is_not_asked() -> None:
    place = RECORD.events[FIRST]
    assert asked(place, Record(RECORD.events[:FIRST])) is None
    assert asked(Amend(FIRST, place, "the same")) is None  # type: ignore[arg-type]  # it is a placement
    assert asked(Note("rain")) is None


def test_a_breach_is_asked_and_what_cannot_be_is_refused() -> None:
    place = RECORD.events[FIRST]
    assert isinstance(place, Place)
    before = Record(RECORD.events[:FIRST])
    other = next(player.id for player in RECORD.opening.players if player.id != place.player)
    wrong = asked(Place(other, place.tile, place.at, place.dir, place.level), before)
    assert wrong is not None
    assert (wrong.title, wrong.yes) == ("That breaks a rule. Did it happen anyway?", "Yes, record it")
    assert '<p class="finding">' in wrong.body
    twice = asked(place, Record(RECORD.events[: FIRST + 1]))
    assert twice is not None
    assert (twice.title, twice.yes) == ("That cannot be recorded", "")


def test_a_change_and_an_insertion_name_both_entries() -> None:
    place = RECORD.events[FIRST]
    assert isinstance(place, Place)
    other = next(player.id for player in RECORD.opening.players if player.id != place.player)
    wrong = Place(other, place.tile, place.at, place.dir, place.level)
    names = {player.id: player.name for player in RECORD.opening.players}
    tile = str(place.tile).replace("-", "\u2011")
    first, second = f"{names[place.player]}\u2019s {tile}", f"{names[other]}\u2019s {tile}"
    change = asked(Amend(FIRST, wrong, "a slip"))
    assert change is not None
    assert (change.title, change.yes) == (f"Change {first} to {second}?", "Change")
    insertion = asked(Insert(FIRST, wrong, "a slip"))
    assert insertion is not None
    assert (insertion.title, insertion.yes) == (f"Insert {second} before {first}?", "Insert")


def test_a_move_in_the_list_asks_about_moving() -> None:
    places = [seq for seq, event in enumerate(RECORD.events) if isinstance(event, Place)]
    first, second = places[3], places[4]
    event = RECORD.events[second]
    assert isinstance(event, Place)
    both = (Retract(second, "a slip"), Insert(first, event, "a slip"))
    question = question_about("x", RECORD, both)
    assert question is not None
    names = {player.id: player.name for player in RECORD.opening.players}
    earlier = RECORD.events[first]
    assert isinstance(earlier, Place)
    moved, other = (f"{names[place.player]}\u2019s {place.tile}".replace("-", "\u2011") for place in (event, earlier))
    assert (question.title, question.yes) == (f"Move {moved} before {other}?", "Move")
    assert "later moves stay" in text(question)
    another = RECORD.events[places[5]]
    assert isinstance(another, Place)
    apart = question_about("x", RECORD, (Retract(second, "a slip"), Insert(first, another, "a slip")))
    assert apart is None or apart.title.startswith("Insert")
    note = (Note("rain"),)
    record = Record((*RECORD.events, Note("tea"), *note))
    last = len(record.events) - 1
    assert question_about("x", record, (Retract(last, "x"), Insert(last - 1, Note("rain"), "x"))) is None


@pytest.mark.parametrize(
    ("moves", "misfits", "others", "words"),
    [
        (6, 2, 0, "Six later moves stay; two no longer fit."),
        (6, 1, 0, "Six later moves stay; one no longer fits."),
        (1, 1, 0, "One later move stays; it no longer fits."),
        (13, 13, 2, "13 later moves stay; 13 no longer fit. Two other entries no longer fit."),
        (0, 0, 0, ""),
    ],
)
def test_the_words_follow_the_numbers(moves: int, misfits: int, others: int, words: str) -> None:
    assert later_words(moves, misfits, others) == words


FILLED = {"who", "tiles", "tile", "tap", "fits"}
"""What the page fills in."""


@pytest.mark.parametrize("game", catalog.built_in())
def test_every_kind_of_act_of_a_game_has_its_words(game: str) -> None:
    rules = catalog.find(game)
    rows = prompts(rules, ())
    assert {row.kind for row in rows} == {event.__name__.lower() for event in rules.events if event in ACTS}
    for row in rows:
        assert row.label
        assert not set(re.findall(r"{(\w+)}", row.ask + row.hint + row.held + row.held_hint)) - FILLED
        assert row.many or row.kind not in ("layout", "deal", "aside")
        assert row.bare or row.kind != "pass"
        assert not (row.many or row.bare) or row.kind not in ("draw", "over", "rank", "place", "stack", "play", "bid")


def test_a_tie_is_drawn_again() -> None:
    players = (Player(id="ana", name="Ana"), Player(id="ben", name="Ben"))
    opening = Open("build-up", None, {}, players)
    draws = (Draw("ana", named("1-2")), Draw("ben", named("3-4")))

    def again(*events: AnyEvent) -> dict[str, str]:
        record = Record((opening, *events))
        rows = recorder_view(Review(record, "x")).prompts
        return next((row.again for row in rows if row.kind == "draw"), {})

    assert set(again(*draws)) == {"ana", "ben"}
    assert set(again(draws[0])) == {"ana"}
    assert again(*draws, Layout("ana", (named("0-0"),))) == {}
    assert again() == {}


def test_the_calls_of_a_round_stand_at_the_seats() -> None:
    record = simulate(catalog.find("zigzag"), 3)
    bids = [seq for seq, event in enumerate(record.events) if isinstance(event, Bid | Pass)]
    seq = next(seq for seq in bids if seq + 1 in bids)
    view = recorder_view(Review(Record(record.events[: seq + 1]), "x"))
    call = record.events[seq]
    words = f"bid {call.bid}" if isinstance(call, Bid) else "passed"
    assert f"<small>{words}&nbsp;" in view.parts.seats.replace("\u00a0", "&nbsp;")
    if isinstance(call, Bid):
        assert view.parts.least == call.bid + 1
        assert f"<strong>{call.bid}</strong>" in view.parts.middle
    play = next(seq for seq, event in enumerate(record.events) if isinstance(event, Play | Stack))
    assert recorder_view(Review(Record(record.events[: play + 1]), "x")).parts.least == 0
