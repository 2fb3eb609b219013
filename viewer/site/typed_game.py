"""A game that somebody typed or dropped into a page, without a ledger: its replay, and what explains its findings.

Source: the rules' README, "One cause, explained".
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from msgspec import Struct

from ledger.audit.moments import Moment
from ledger.audit.review import Review, sheet
from ledger.keep.sources import TextChunk, parse, read
from ledger.play import exact_ends
from ledger.play.exact_ends import MOST_POSITIONS
from ledger.record import codec
from ledger.record.errors import NotARecord
from ledger.record.record import Record
from ledger.record.words import plural
from viewer.every_page.templates import filled
from viewer.phone.records_on_phone import Searching
from viewer.pictures.small_pictures import as_address, step
from viewer.replay.decided import decided_hands
from viewer.replay.replay_view import ReplayView
from viewer.replay.template_values import parts_of, renewed


class Typed(Struct, frozen=True, forbid_unknown_fields=True):
    """A score sheet, a record, or an archive, as text.

    The addresses are those of the next things to do after its film; `puzzles` has {} for the name of a game.
    """

    text: str
    next_film: str = ""
    puzzles: str = ""
    begin: str = ""


def replay_page(typed: Typed) -> dict[str, str]:
    """The parts of a game's page: `main` as HTML, `data` as JSON for its script.

    `record` is the game as one line, for a link; `notice` says what was left out.  Raises NotARecord, UnknownGame.
    """
    record, more = _read(typed.text)
    try:
        view = ReplayView("", record)
    except NotARecord as error:  # if the game refuses something in a sheet, its line helps more than the event
        from ledger import notation  # most phones read no sheet

        raise error if typed.text.lstrip().startswith("{") else notation.locate(typed.text, error) from None
    place = len(view.review.steps) - 1
    values = {"alone": True, "waits": True, "moment_pictures": pictures_in(view)}
    doors = {"next_film": typed.next_film, "begin_href": typed.begin, "puzzle_href": typed.puzzles.format}
    main = filled("replay_body.html", **parts_of(view, place), **values, **doors)
    notice = f"This is an archive. To see {plural(more, 'more game')} in it, use the program itself." if more else ""
    line = codec.encode(record).decode()
    return {"title": view.title, "main": main, "data": view.data, "record": line, "notice": notice}


def pictures_in(view: ReplayView) -> Callable[[Moment], str]:
    """What gives the picture of a moment as an address that needs no server."""
    return lambda moment: as_address(step(view.film, moment.place))


def sheet_of(typed: Typed) -> dict[str, str]:
    """The score `sheet` of a game.  Raises NotARecord."""
    return {"sheet": sheet(_read(typed.text)[0])}


def _read(text: str) -> tuple[Record, int]:
    """The game in a text, and how many more there are.  Raises NotARecord."""
    body = text.encode()
    lines = [line for line in body.split(b"\n") if line.strip()]
    # An archive has a whole record on each line; one record may be spread over many.
    if len(lines) > 1 and all(line.startswith(b"{") and line.rstrip().endswith(b"}") for line in lines):
        result, more = next(item.result for item in read(TextChunk("", 1, body, 0))), len(lines) - 1
    else:
        result, more = parse(body, ""), 0
    if isinstance(result, NotARecord):
        raise result
    return result, more


class TypedRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A game as one line, as `replay_page` gives it."""

    record: str


def decided(question: TypedRecord) -> dict[str, str]:
    """Where a game was decided, as far as a browser gets in a moment, as `html`.  Raises NotARecord, UnknownGame."""
    view = ReplayView("", codec.decode(question.record))
    return {"html": decided_hands(view, exact_ends.decided(view.review.game, view.review.steps, MOST_POSITIONS // 5))}


@lru_cache(maxsize=1)
def _search(record: str) -> Searching:
    """The search that was begun last."""
    return Searching(Review(codec.decode(record)))


def explain(question: TypedRecord) -> dict[str, Any]:
    """Searches for a moment for what explains the findings; not `done`: ask again.  Else the `parts` that change.

    Raises NotARecord, UnknownGame.
    """
    search = _search(question.record)
    causes = search.go_on()
    if causes is None:
        return {"done": False, "parts": ""}
    view = ReplayView("", search.review.record, causes)
    return {"done": True, "parts": renewed(view, filled, alone=True, moment_pictures=pictures_in(view)).decode()}
