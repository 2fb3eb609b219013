"""The daily puzzle of *You are the referee*, and the replay of its game."""

from datetime import date
from functools import lru_cache, partial
from itertools import product

from flask import Blueprint, Response, abort, request, url_for
from markupsafe import Markup
from msgspec.structs import replace

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.play.puzzles import FIVE, Puzzle, puzzle
from ledger.record import clock
from ledger.record.record import Record
from ledger.record.words import is_day
from viewer.in_browser.runtime_routes import with_rules
from viewer.pictures.small_pictures import thumbnail
from viewer.referee.puzzle_page import OF_A_GAME, PuzzleQuestion, puzzle_html
from viewer.replay.replay_view import ReplayView
from viewer.replay.unrecorded import add_drawings, unrecorded_page
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
    return _puzzle(clock.today().isoformat())


@puzzles.get("/referee/<day>")
def referee_of(day: str) -> Response:
    """The puzzle of a day, or one of a game: `ziggurat-2`."""
    return _puzzle(_name(day))


def _puzzle(name: str) -> Response:
    move = request.args.get("move", "")
    chosen = int(move) if move in map(str, range(FIVE)) else None
    html = _puzzle_html(name, clock.today(), request.script_root, chosen)
    return with_rules("referee_page.html", puzzle=Markup(html))  # noqa: S704  a template of ours


@lru_cache(KEPT)
def _puzzle_html(name: str, today: date, root: str, chosen: int | None) -> str:
    question = PuzzleQuestion(name, today)
    for field in ("days", "rules", "replay"):
        question = replace(question, **{field: root + getattr(question, field)})
    return puzzle_html(named_puzzle(name), question, chosen)


@lru_cache(KEPT)
def named_puzzle(name: str) -> Puzzle:
    """A puzzle, kept."""
    return puzzle(name)


@puzzles.get("/referee/<day>/replay")
def referee_replay(day: str) -> str:
    """The game of a puzzle, step by step."""
    return unrecorded_page(_puzzle_view(day), partial(url_for, day=day), "referee.referee")


@puzzles.get("/referee/<day>/table.svg")
def referee_table(day: str) -> Response:
    """The table before the five moves of a puzzle, as a small picture."""
    return svg_answer(drawn_question(_name(day)))


def drawn_question(name: str) -> str:
    """The table before the five moves of a puzzle, as a small picture."""
    made = named_puzzle(name)
    return thumbnail(Review(Record(made.record.events[: made.moves[0].start])), "large")


def _puzzle_view(day: str) -> ReplayView:
    return _replay_of(_name(day))


@lru_cache(VIEWS)
def _replay_of(name: str) -> ReplayView:
    return ReplayView("", named_puzzle(name).record)


add_drawings(puzzles, "/referee/<day>", "referee", _puzzle_view)


@puzzles.app_template_global()
def puzzle_href(game: str) -> str:
    """The first puzzle of a game, or today's for a game without any."""
    return url_for("referee.referee_of", day=f"{game}-1") if game in catalog.built_in() else url_for("referee.referee")


def _name(text: str) -> str:
    """The puzzle in an address; 404 if it is none of a game, and no day, or one too far away."""
    if text.rpartition("-")[::2] in product(catalog.built_in(), map(str, range(1, OF_A_GAME + 1))):
        return text
    # Where it is tomorrow already, tomorrow's puzzle is there.
    if not is_day(text) or not -1 <= (clock.today() - date.fromisoformat(text)).days <= BACK:
        abort(404)
    return text
