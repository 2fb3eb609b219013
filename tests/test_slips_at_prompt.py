"""Slips at the prompt of `record`: each is read as it was meant, or answered with what would be right.

The person at the keyboard says no to every question, so what was asked about is not recorded.
"""

from collections.abc import Callable
from functools import cache

import click
import pytest
from msgspec.structs import replace

from ledger import notation
from ledger.cli.record_command import Scorer
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from ledger.record.events import AnyEvent
from refused import answers_of
from temporary import TemporaryStore

PLACES = {"zigzag": 14, "bidding": 4, "build-up": 14, "ziggurat": 16, "domino-ziggurat": 16}
"""How many events each game has before the slip.  It is the turn of C, A, A, B and A."""
NEW = "new"
"""A game without a move."""

ASKED = [
    # A tile or a place that there is not.
    ("zigzag", "C 9-9", "The double-8 set has no 9-9."),
    ("ziggurat", "B 7-7 b5-c5", "The double-6 set has no 7-7."),
    ("build-up", "A 2-3 on 99", "There is no stack 99, only 1 to 12."),
    ("build-up", "A 2-3 on 0", "There is no stack 0, only 1 to 12."),
    ("new build-up", "A 2-3 on 4", "There is no stack 4, because no layout is recorded yet."),
    ("ziggurat", "B 2-3 b5-c5", "b5 and c5 are taken."),
    # A tile that was played, or that is listed twice.
    ("zigzag", "2-5", "The 2-5 was played in this hand already."),
    ("build-up", "B 3-5 on 2", "Ben's 3-5 is on a stack already."),
    ("ziggurat", "B 0-2 b5-c5 L2", "The 0-2 lies on the table already."),
    ("domino-ziggurat", "draws 0-0", "The 0-0 lies in the open hand already."),
    ("domino-ziggurat", "lifts 3-3", "The 3-3 does not lie on the ziggurat."),
    (NEW, "A has 1-2 1-2", "The 1-2 is listed twice."),
    # Numbers out of range.
    ("bidding", "A bids 999", "Ana bids 999, more than the 45 there are to take."),
    # The end of a game that goes on.
    ("zigzag", "end finished", "closed as finished, but the game is not over."),
    ("closed", "C 0-1", "The record was already closed."),
]
"""What can be read and is asked about, and a part of the question."""
READ = [
    ("zigzag", "c 0-1", "C 0-1"),
    ("zigzag", "Cy 0-1", "C 0-1"),
    ("zigzag", "C:0-1", "C 0-1"),
    ("zigzag", "C 0-1.", "C 0-1"),
    ("zigzag", "C  0–1 ,", "C 0-1"),
    ("zigzag", "01", "C 0-1"),
    ("bidding", "A bids12", "A bids 12"),
    ("build-up", "A 23 on stack 4", "A 2-3 on 4"),
    ("ziggurat", "2-3 b5 c5 level 2.", "B 2-3 b5-c5 L2"),
]
"""What is read, and how it is recorded."""
REPORTED = [
    ("zigzag", "A 0-1", "It was Cy's turn, not Ana's."),
    ("build-up", "B 0-5 on 3", "It was Ana's turn, not Ben's."),
    ("zigzag", "C passes", "Cy passes instead of playing a tile."),
    ("domino-ziggurat", "3-3 c2-d2", "The 3-3 is not in the open hand, which holds 0-0, 1-4, 4-6."),
]
"""What may have been done against the rules, as it is recorded, and what is said about it at once."""


@cache
def events_of(game: str) -> tuple[AnyEvent, ...]:
    """The events before the slip, by players who are called Ana, Ben and Cy."""
    name = {"bidding": "zigzag", "closed": "zigzag", NEW: "zigzag"}.get(game, game.removeprefix("new "))
    record = simulate(catalog.find(name), 1)
    players = tuple(
        replace(player, name=name) for player, name in zip(record.opening.players, ("Ana", "Ben", "Cy"), strict=False)
    )
    before = 1 if game.startswith(NEW) else PLACES["zigzag" if game == "closed" else game]
    return (replace(record.opening, players=players), *record.events[1:before])


Typed = Callable[[str, str], tuple[list[str], str, bool]]


@pytest.fixture
def typed(capsys, monkeypatch) -> Typed:
    """What a line recorded in a game, in the notation; what was printed; and whether a question was asked."""
    asked = list[str]()

    def no(question: str) -> str:
        asked.append(question)
        return "n"

    monkeypatch.setattr("ledger.cli.record_command.answer_to", no)

    def type_(game: str, line: str) -> tuple[list[str], str, bool]:
        store = TemporaryStore()
        store.append("game", 0, events_of(game))
        scorer = Scorer(Recorder(store, find_game=catalog.find), "game", None)
        if game == "closed":
            scorer.take("end abandoned")
        scorer.asks = True
        before = store.version("game")
        capsys.readouterr()
        assert scorer.take(line)
        record = store.read("game")
        lines = [notation.write_event(event, record, scorer.squares) for event in record.events[before:]]
        return lines, capsys.readouterr().out, bool(asked)

    return type_


@pytest.mark.parametrize("game", [NEW, *PLACES])
def test_what_nobody_meant_is_answered_and_not_recorded(game: str, typed: Typed, golden_update: bool) -> None:
    def answer(line: str) -> list[str]:
        recorded, printed, asked = typed(game, line)
        assert (recorded, asked) == ([], False)
        return printed.rstrip("\n").split("\n")

    answers_of(f"at the prompt: {game}", answer, golden_update=golden_update)


@pytest.mark.parametrize(
    ("answers", "recorded"),
    [
        (["y"], ["C 9-9"]), (["YES"], ["C 9-9"]), (["n"], []), ([""], []), ([None], []), (["quit"], []),
        (["C 0-1"], ["C 0-1"]), ([" note: Tea. "], ["note: Tea."]), (["nonsense"], []),
        # What is typed instead may be asked about, too.
        (["C 8-9", "C 9-9", "y"], ["C 9-9"]), (["C 8-9", None], []),
    ],
)  # fmt: skip
def test_at_a_question_any_other_line_means_no_and_is_the_next_line(
    answers: list[str | None], recorded: list[str], capsys, monkeypatch
) -> None:
    left = [*answers]

    def answer(_question: str) -> str:
        text = left.pop(0)
        if text is None:  # Ctrl+C
            raise click.Abort
        return text

    monkeypatch.setattr("ledger.cli.record_command.answer_to", answer)
    store = TemporaryStore()
    store.append("game", 0, events_of("zigzag"))
    scorer = Scorer(Recorder(store, find_game=catalog.find), "game", None)
    scorer.asks = True
    before = store.version("game")
    assert scorer.take("C 9-9") == (answers != ["quit"])
    assert not left
    record = store.read("game")
    assert [notation.write_event(event, record, scorer.squares) for event in record.events[before:]] == recorded
    assert "nothing was changed" not in capsys.readouterr().err


def test_help_is_shown_whatever_stands_behind_the_word(typed: Typed) -> None:
    recorded, printed, asked = typed("zigzag", "help x")
    assert (recorded, asked) == ([], False)
    assert "A line is a move as on the score sheet." in printed


@pytest.mark.parametrize(("game", "line", "answer"), ASKED)
def test_what_cannot_be_is_asked_about_and_not_recorded(game: str, line: str, answer: str, typed: Typed) -> None:
    recorded, printed, asked = typed(game, line)
    assert (recorded, asked) == ([], True)
    assert answer in printed


@pytest.mark.parametrize(("game", "line", "meant"), READ)
def test_what_can_only_mean_one_thing_is_read(game: str, line: str, meant: str, typed: Typed) -> None:
    recorded, printed, asked = typed(game, line)
    assert (recorded, asked) == ([meant], False)
    assert "breach" not in printed


@pytest.mark.parametrize(("game", "line", "answer"), REPORTED)
def test_what_breaks_a_rule_is_recorded_and_said_at_once(game: str, line: str, answer: str, typed: Typed) -> None:
    recorded, printed, asked = typed(game, line)
    assert (len(recorded), asked) == (1, False)
    assert answer in printed


@pytest.mark.parametrize(
    ("game", "text", "line"),
    [
        ("zigzag", "C 8", "C 8-8"),
        ("zigzag", "8", "8-8"),
        ("build-up", "2-5 ON 9", "2-5 on 9"),
        ("build-up", "A 2-3 on 6", "A 2-3 on 6"),
        ("domino-ziggurat", "1-4 b2-b1", "1-4 b2-b1"),
        ("zigzag", "hist", "history"),
    ],
)
def test_tab_offers_the_legal_move_or_the_command_that_goes_on_so(game: str, text: str, line: str) -> None:
    store = TemporaryStore()
    store.append("game", 0, events_of(game))
    scorer = Scorer(Recorder(store, find_game=catalog.find), "game", None)
    assert [offer for offer in scorer.possible(text) if offer.casefold().startswith(text.casefold())] == [line]


def test_after_the_bidding_the_prompt_says_who_leads(capsys) -> None:
    store = TemporaryStore()
    store.append("game", 0, events_of("bidding"))
    scorer = Scorer(Recorder(store, find_game=catalog.find), "game", None)
    for line in ("A bids 12", "B bids 13", "C passes"):
        scorer.take(line)
    assert capsys.readouterr().out.rstrip().endswith("Hand 1 · Ben leads")
    assert scorer.prompt == "7 Ben> "
