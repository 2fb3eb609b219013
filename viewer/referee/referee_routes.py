"""The daily puzzle of *You are the referee*, and the replay of its game."""

from datetime import date
from functools import lru_cache, partial

from flask import Blueprint, Response, abort, request, url_for
from markupsafe import Markup
from msgspec.structs import replace

from ledger.audit.review import Review
from ledger.play.puzzles import FIVE, Puzzle, puzzle
from ledger.record import clock
from ledger.record.record import Record
from viewer.in_browser.runtime_routes import with_rules
from viewer.pictures.small_pictures import thumbnail
from viewer.referee.puzzle_page import DayQuestion, puzzle_html
from viewer.replay.replay_view import ReplayView
from viewer.replay.unrecorded import unrecorded_moment, unrecorded_page, unrecorded_reel
from viewer.server.policy import svg_answer

puzzles = Blueprint("referee", __name__, static_folder="static", static_url_path="/referee/static")

BACK = 366
"""How many days back the puzzles go."""
KEPT = 16
"""How many pages of puzzles a process keeps."""
VIEWS = 4
"""How many replays of puzzles a process keeps: page, drawing and pictures are made from one."""


@puzzles.get("/referee")
def referee() -> Response:
    """The puzzle of today."""
    return _puzzle(clock.today())


@puzzles.get("/referee/<day>")
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


@puzzles.get("/referee/<day>/replay")
def referee_replay(day: str) -> str:
    """The game of a puzzle, step by step."""
    return unrecorded_page(_puzzle_view(_day(day)), partial(url_for, day=day), "referee.referee")


@puzzles.get("/referee/<day>/reel")
def referee_reel(day: str) -> Response:
    """The drawing of the game of a puzzle."""
    return unrecorded_reel(_puzzle_view(_day(day)))


@puzzles.get("/referee/<day>/moment.svg")
def referee_moment(day: str) -> Response:
    """The table at a step of the game of a puzzle, as a small picture: `?ply=17`."""
    return unrecorded_moment(_puzzle_view(_day(day)))


@puzzles.get("/referee/<day>/table.svg")
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
    """The day in an address; 404 if it is not a day, or too far away."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        abort(404)
    # Where it is tomorrow already, tomorrow's puzzle is there.
    if text != day.isoformat() or not -1 <= (clock.today() - day).days <= BACK:
        abort(404)
    return day
