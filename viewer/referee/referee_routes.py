"""The daily puzzle of *You are the referee*, and the replay of its game."""

from __future__ import annotations

from datetime import date
from functools import cache, lru_cache, partial

from flask import Blueprint, Response, abort, request, url_for
from markupsafe import Markup
from msgspec.structs import replace

from ledger.audit.review import Review
from ledger.examples.season import season
from ledger.games import catalog
from ledger.play.puzzles import FIVE, Puzzle, puzzle
from ledger.record import clock
from ledger.record.events import MOVES
from ledger.record.record import Record
from viewer.in_browser.runtime_routes import with_rules
from viewer.pictures.scene_to_things import open_tiles
from viewer.pictures.small_pictures import thumbnail
from viewer.referee.puzzle_page import DayQuestion, puzzle_html
from viewer.replay.replay_view import ReplayView
from viewer.replay.unrecorded import unrecorded_moment, unrecorded_page, unrecorded_reel
from viewer.server.policy import svg_answer

shipped = Blueprint("referee", __name__, static_folder="static", static_url_path="/referee/static")

BACK = 366
"""How many days back the puzzles go."""
KEPT = 16
"""How many pages of puzzles a process keeps."""
VIEWS = 4
"""How many replays of puzzles a process keeps: page, drawing and pictures are made from one."""
PARTS = 3
"""How many pictures tell a game."""
PICTURES = 24
"""How many pictures of games a process keeps."""


@shipped.get("/referee")
def referee() -> Response:
    """The puzzle of today."""
    return _puzzle(clock.today())


@shipped.get("/referee/<day>")
def referee_of(day: str) -> Response:
    """The puzzle of a day."""
    return _puzzle(_day(day))


def _puzzle(day: date) -> Response:
    move = request.args.get("move", "")
    chosen = int(move) if move in map(str, range(FIVE)) else None
    html = _puzzle_html(day, clock.today(), request.script_root, chosen)
    return with_rules("referee_page.html", puzzle=Markup(html))  # noqa: S704  a template of ours


@lru_cache(KEPT)
def _puzzle_html(day: date, today: date, root: str, chosen: int | None) -> str:
    question = DayQuestion(day, today)
    for name in ("days", "rules", "replay"):
        question = replace(question, **{name: root + getattr(question, name)})
    return puzzle_html(todays(day), question, chosen)


@lru_cache(KEPT)
def todays(day: date) -> Puzzle:
    """The puzzle of a day, kept."""
    return puzzle(day)


@shipped.get("/referee/<day>/replay")
def referee_replay(day: str) -> str:
    """The game of a puzzle, step by step."""
    return unrecorded_page(_puzzle_view(_day(day)), partial(url_for, day=day), "referee.referee")


@shipped.get("/referee/<day>/reel")
def referee_reel(day: str) -> Response:
    """The drawing of the game of a puzzle."""
    return unrecorded_reel(_puzzle_view(_day(day)))


@shipped.get("/referee/<day>/moment.svg")
def referee_moment(day: str) -> Response:
    """The table at a step of the game of a puzzle, as a small picture: `?ply=17`."""
    return unrecorded_moment(_puzzle_view(_day(day)))


@shipped.get("/games/<name>/picture.svg")
def game_picture(name: str) -> Response:
    """The table of an example of a game; `?at=` says after which third of it (1 to 3, by default the last)."""
    part = request.args.get("at", str(PARTS))
    picture = drawn_game(name, int(part)) if part in map(str, range(1, PARTS + 1)) else ""
    return svg_answer(picture) if picture else abort(404)


@cache
def pictured() -> frozenset[str]:
    """The games that have an example, and so a picture."""
    return frozenset(example.record.opening.game for example in season())


def picture_of(name: str, at: int) -> str:
    """The address of a picture of a game: after which third of its example."""
    return url_for("referee.game_picture", name=name, at=None if at == PARTS else at)


def rules_pages() -> list[str]:
    """The addresses of the games' rules and of their pictures, for a phone that keeps them."""
    pictures = [picture_of(name, at) for name in sorted(pictured()) for at in range(1, PARTS + 1)]
    return [url_for("replay.games"), *(url_for("replay.game", name=name) for name in catalog.names()), *pictures]


@lru_cache(PICTURES)
def drawn_game(name: str, part: int) -> str:
    """The fullest table in a third of the moves of the first example; nothing for a game without one."""
    record = next((example.record for example in season() if example.record.opening.game == name), None)
    if record is None:
        return ""
    review = Review(record)
    moves = [place for place, step in enumerate(review.steps) if type(step.event) in MOVES]
    third = moves[len(moves) * (part - 1) // PARTS : len(moves) * part // PARTS]
    last = max(third, key=lambda place: (open_tiles(review.scene(place)), place))
    return thumbnail(Review(Record(record.events[: review.steps[last].seq + 1])), "large")


@shipped.get("/referee/<day>/table.svg")
def referee_table(day: str) -> Response:
    """The table before the five moves of a puzzle, as a small picture."""
    return svg_answer(drawn_question(_day(day)))


def drawn_question(day: date) -> str:
    """The table before the five moves of a puzzle, as a small picture."""
    made = todays(day)
    return thumbnail(Review(Record(made.record.events[: made.moves[0].start])), "large")


@lru_cache(VIEWS)
def _puzzle_view(day: date) -> ReplayView:
    return ReplayView("", todays(day).record)


def _day(text: str) -> date:
    """The day in an address; 404 for what is none, or too far away."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        abort(404)
    # Where it is tomorrow already, tomorrow's puzzle is there.
    if text != day.isoformat() or not -1 <= (clock.today() - day).days <= BACK:
        abort(404)
    return day
