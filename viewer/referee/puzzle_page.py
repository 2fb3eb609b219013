"""*You are the referee*: the page of a day's puzzle, also without a server."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, NamedTuple

from markupsafe import Markup
from msgspec import Struct, structs

from ledger.play.puzzles import Puzzle, puzzle
from ledger.record.codec import encode
from ledger.record.events import ACTS, Draw
from ledger.record.words import day as in_words
from viewer.every_page.templates import filled
from viewer.pictures.look import Look, Table
from viewer.pictures.table_svg import element
from viewer.pictures.things import Gain, Outcome
from viewer.replay.replay_view import ReplayView

PAST = 7
"""How many earlier days the page leads to."""
LARGE, SMALL = (620, 470), (300, 219)
"""The sizes of the pictures: the table before the five moves, and after each of them."""


class DayQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Which day's puzzle, and what day it is.

    `days` is the address of a day's page, `rules` that of a game's rules, and `replay` that of the puzzle's game at a
    step.  `{day}`, `{game}` and `{seq}` in them stand for what is asked for.
    """

    day: date
    today: date
    days: str = "/referee/{day}"
    rules: str = "/games/{game}"
    replay: str = "/referee/{day}/replay?ply={seq}"


class PuzzlePage(Struct, frozen=True):
    """The puzzle as HTML, and its game as one line, for a link to the replay."""

    html: str
    record: str
    seq: int


class Choice(NamedTuple):
    """A move to choose: the seat, its letter and colour, the tile, the sentence, and the table after it."""

    seat: int | None
    letter: str
    tile: Any
    sentence: str
    picture: Markup


def referee_page(question: DayQuestion) -> PuzzlePage:
    """The puzzle of a day.  Raises NotForNow if there is none."""
    made = puzzle(question.day)
    return PuzzlePage(puzzle_html(made, question), encode(made.record).decode(), made.finding.seq)


def puzzle_html(made: Puzzle, question: DayQuestion, chosen: int | None = None) -> str:
    """The puzzle as a part of a page; `chosen` is the index of a move that was tapped where no script runs."""
    view = ReplayView("", made.record)
    review, clause = view.review, made.finding.clause
    before = review.place(made.moves[0].start) or 0
    return filled(
        "puzzle.html",
        day=question.day,
        said=in_words(question.day.isoformat()),
        is_today=question.day == question.today,
        game=review.game,
        rules=question.rules.format(game=review.game.name),
        clause=clause,
        meaning=review.meaning(clause),
        finding=view.rows.message(review.judged[0]),
        answer=made.answer,
        chosen=chosen,
        before=_last_words(view, before - 1),
        position=_picture(view, before - 1, LARGE),
        shown=_picture(view, review.place(made.finding.seq) or 0, LARGE, judged=True),
        choices=list(_choices(view, made)),
        replay=question.replay.format(day=question.day.isoformat(), seq=made.finding.seq),
        days=list(_days(question)),
    )


def _last_words(view: ReplayView, place: int) -> str:
    """The last move before the five, so that one knows whose turn it is."""
    acts = (n for n in range(place, 0, -1) if isinstance(view.review.steps[n].event, ACTS))
    return view.review.words(next(acts, 0))


def _choices(view: ReplayView, made: Puzzle) -> Iterator[Choice]:
    review = view.review
    for move in made.moves:
        places = [place for seq in move if (place := review.place(seq)) is not None]
        act = next(n for n in places if isinstance(review.steps[n].event, ACTS) and not _drawn(review.steps[n].event))
        phrase = review.phrase(act)
        letter = view.rows.signs[phrase.seat] if phrase.seat is not None else ""
        sentences = [review.words(place) for place in places if not _drawn(review.steps[place].event)]
        yield Choice(phrase.seat, letter, phrase.tile, " · ".join(sentences), _picture(view, places[-1], SMALL))


def _drawn(event: Any) -> bool:
    return isinstance(event, Draw)


def _picture(view: ReplayView, place: int, size: tuple[int, int], *, judged: bool = False) -> Markup:
    """The table after a step.  Unless it is `judged`, nothing shows which move is wrong, nor what it scores."""
    film, (width, height) = view.film, size
    things = film.at(place)
    if not judged:
        neutral = [thing for thing in things if not isinstance(thing, Gain | Outcome)]
        things = [structs.replace(thing, mark="") if getattr(thing, "mark", "") else thing for thing in neutral]
    svg = element(Table(things, film.names), Look(width=width, height=height))
    return Markup(svg)  # noqa: S704  our own drawing, whose names are escaped


class Day(NamedTuple):
    """A day of the row: its address, the number of the day, and its month."""

    address: str
    iso: str
    words: str
    is_here: bool


def _days(question: DayQuestion) -> Iterator[Day]:
    """The day and those before it, the earliest first."""
    last = min(question.today, question.day + timedelta(PAST // 2))
    for number in reversed(range(PAST + 1)):
        day = last - timedelta(number)
        words = in_words(day.isoformat()).rpartition(" ")[0]
        yield Day(question.days.format(day=day.isoformat()), day.isoformat(), words, day == question.day)
