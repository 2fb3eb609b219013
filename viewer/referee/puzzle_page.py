"""*You are the referee*: the page of a day's puzzle, also without a server."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from markupsafe import Markup
from msgspec import Struct, structs

from ledger.play.puzzles import Puzzle, puzzle
from ledger.record.codec import encode
from ledger.record.events import ACTS, Draw
from ledger.record.words import day as in_words
from ledger.record.words import is_day
from viewer.every_page.templates import filled
from viewer.pictures.look import Look, Table
from viewer.pictures.table_svg import element
from viewer.pictures.things import Gain, Heading, Outcome
from viewer.replay.replay_view import ReplayView

OF_A_GAME = 3
"""How many puzzles each game has of its own."""
PAST = 6
"""How many earlier days the page leads to."""
SIZE = 620, 470
"""The size of a picture of the table."""


class PuzzleQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Which puzzle, of a day or of a game, and what day it is.

    `days` is the address of a puzzle's page, `rules` that of a game's rules, and `replay` that of the puzzle's game at
    a step.  `{day}`, `{game}` and `{seq}` in them stand for what is asked for.
    """

    name: str
    today: date
    days: str = "/referee/{day}"
    rules: str = "/rules/{game}"
    replay: str = "/referee/{day}/replay?ply={seq}"


def referee_page(question: PuzzleQuestion) -> dict[str, Any]:
    """A puzzle as HTML, its game as one line, and the `seq` of the breach.  Raises NotForNow if there is none."""
    made = puzzle(question.name)
    return {"html": puzzle_html(made, question), "record": encode(made.record).decode(), "seq": made.finding.seq}


def puzzle_html(made: Puzzle, question: PuzzleQuestion, chosen: int | None = None) -> str:
    """The puzzle as a part of a page; `chosen` is the index of a move that was tapped where no script runs."""
    view = ReplayView("", made.record)
    review, clause = view.review, made.finding.clause
    before = (review.place(made.moves[0].start) or 0) - 1
    stops = [before, *(_places(view, move)[-1] for move in made.moves)]
    last = min(date.fromisoformat(made.name), question.today) if is_day(made.name) else question.today
    said = in_words(made.name) if is_day(made.name) else ""
    return filled(
        "puzzle.html",
        name=made.name,
        day=made.name if said else "",
        said=said,
        title=f"The puzzle of {said}" if said else f"Puzzle {made.name.rpartition('-')[2]} on {review.game.title}",
        is_today=made.name == question.today.isoformat(),
        game=review.game,
        rules=question.rules.format(game=review.game.name),
        clause=clause,
        meaning=review.meaning(clause),
        finding=view.rows.message(review.judged[0]),
        answer=made.answer,
        chosen=chosen,
        before=_last_words(view, before),
        pictures=[_picture(view, place) for place in stops],
        judged=_picture(view, review.place(made.finding.seq) or 0, judged=True),
        choices=list(_choices(view, made)),
        replay=question.replay.format(day=made.name, seq=made.finding.seq),
        next=question.days.format(day=following(made.name, last)),
        days=list(_days(question, last)),
    )


def following(name: str, today: date) -> str:
    """The name of the puzzle after one: of a day the one before it, of a game its next one, after the third today's."""
    if is_day(name):
        return (date.fromisoformat(name) - timedelta(1)).isoformat()
    game, _, number = name.rpartition("-")
    return f"{game}-{int(number) + 1}" if int(number) < OF_A_GAME else today.isoformat()


def _last_words(view: ReplayView, place: int) -> str:
    """The last move before the five, so that one knows whose turn it is."""
    acts = (n for n in range(place, 0, -1) if isinstance(view.review.steps[n].event, ACTS))
    return view.review.words(next(acts, 0))


def _choices(view: ReplayView, made: Puzzle) -> Iterator[dict[str, Any]]:
    """The moves to choose from: the seat, its letter, the tile, and the sentence."""
    review = view.review
    for move in made.moves:
        places = _places(view, move)
        act = next(n for n in places if isinstance(review.steps[n].event, ACTS) and not _drawn(review.steps[n].event))
        phrase = review.phrase(act)
        letter = view.rows.signs[phrase.seat] if phrase.seat is not None else ""
        sentences = [review.words(place) for place in places if not _drawn(review.steps[place].event)]
        yield {"seat": phrase.seat, "letter": letter, "tile": phrase.tile, "sentence": " · ".join(sentences)}


def _places(view: ReplayView, move: range) -> list[int]:
    return [place for seq in move if (place := view.review.place(seq)) is not None]


def _drawn(event: Any) -> bool:
    return isinstance(event, Draw)


def _picture(view: ReplayView, place: int, *, judged: bool = False) -> Markup:
    """The table after a step.  Unless it is `judged`, nothing shows which move is wrong, nor what it scores.

    Where it has a heading the page says which move it is.
    """
    film, (width, height) = view.film, SIZE
    things = [thing for thing in film.at(place) if not isinstance(thing, Heading)]
    if not judged:
        neutral = [thing for thing in things if not isinstance(thing, Gain | Outcome)]
        things = [structs.replace(thing, mark="") if getattr(thing, "mark", "") else thing for thing in neutral]
    svg = element(Table(things, film.names), Look(width=width, height=height))
    return Markup(svg)  # noqa: S704  our own drawing, whose names are escaped


def _days(question: PuzzleQuestion, day: date) -> Iterator[tuple[str, str, str]]:
    """The day and those around it, the earliest first: address, day, and its number and month."""
    last = min(question.today, day + timedelta(PAST // 2))
    for number in reversed(range(PAST + 1)):
        iso = (last - timedelta(number)).isoformat()
        yield question.days.format(day=iso), iso, in_words(iso).rpartition(" ")[0]
