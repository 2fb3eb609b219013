"""Pages of games that no ledger has: the daily puzzle of *You are the referee*, and the examples of an empty ledger."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

from flask import abort, render_template, request
from markupsafe import Markup
from msgspec.structs import replace

from ledger.examples.season import season
from ledger.play.puzzles import FIVE, Puzzle, puzzle
from ledger.record.record import Record
from ledger.stores.query import Query
from viewer.pages.page_routes import pages
from viewer.pages.parts import parts_of
from viewer.pages.referee import DayQuestion, puzzle_html
from viewer.pages.replay_view import ReplayView
from viewer.server.context import loss, store

BACK = 366
"""How many days back the puzzles go."""
KEPT = 16
"""How many pages of puzzles a process keeps."""


@pages.get("/referee")
def referee() -> str:
    """The puzzle of today."""
    return _puzzle(_today())


@pages.get("/referee/<day>")
def referee_of(day: str) -> str:
    """The puzzle of a day."""
    return _puzzle(_day(day))


def _puzzle(day: date) -> str:
    move = request.args.get("move", "")
    chosen = int(move) if move in map(str, range(FIVE)) else None
    html = _puzzle_html(day, _today(), request.script_root, chosen)
    return render_template("referee.html", puzzle=Markup(html), day=day)  # noqa: S704  a template of ours


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


@pages.get("/referee/<day>/replay")
def referee_replay(day: str) -> str:
    """The game of a puzzle, step by step."""
    return _replay(todays(_day(day)).record)


@pages.get("/examples/<example_id>")
def example(example_id: str) -> str:
    """An example, step by step, while the ledger has no game of its own."""
    record = next((example.record for example in season() if example.id == example_id), None)
    if record is None or not has_examples():
        abort(404)
    return _replay(record, "An example: a simulated game of a made-up club. It goes when your first game comes.")


def has_examples() -> bool:
    """Whether the examples stand in for games: the ledger is empty, and has lost nothing."""
    return not loss() and not store().count_records(Query())


def _replay(record: Record, note: str = "") -> str:
    view = ReplayView("", record)
    place = view.place(request.args.get("ply")) if "play" not in request.args else 0
    return render_template("shipped.html", **parts_of(view, place), alone=True, note=note)


def _today() -> date:
    return date.today()  # noqa: DTZ011  the day of this place


def _day(text: str) -> date:
    """The day in an address; 404 for what is none, or too far away."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        abort(404)
    # Where it is tomorrow already, tomorrow's puzzle is there.
    if text != day.isoformat() or not -1 <= (_today() - day).days <= BACK:
        abort(404)
    return day
