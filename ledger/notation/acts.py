"""Reads what a player did, behind the player: each function reads the fields of one kind of act."""

from __future__ import annotations

from typing import Any

from ledger.notation import loose
from ledger.notation.event_line import ONTO, Line
from ledger.notation.foreign import misplaced, places
from ledger.record import events as e
from ledger.record.events import Event

_MORE = ("...", "…")


def played(line: Line, data: dict[str, Any], who: str, *, bare: bool) -> type[Event]:
    """A tile, and where it was played; returns the type of event."""
    line.field("tile")
    data["tile"] = loose.tile(line, who if bare else "")
    column = line.column
    kind = _where(line, data)
    reason = misplaced(line.setting, kind, f"{who} {data['tile']}", has_end="end" in data)
    if reason is None or line.meant:
        return kind
    if line.column == column:
        if not (line.ends() or line.is_because()):
            line.expected = [lambda: places(line.setting)]
            raise line.unexpected()
        column = len(line.line[: line.begin].rstrip()) + 1
    raise line.refuse(reason, column)


def _where(line: Line, data: dict[str, Any]) -> type[Event]:
    """Where a tile was played; returns the type of event."""
    pair = loose.squares_here(line)
    if pair:
        line.field("at")
        line.field("dir")
        data["at"], data["dir"] = loose.covered(line, pair)
        line.field("level")
        level = loose.level(line)
        data["level"] = 1 if level is None else level
        _points(line, data)
        return e.Place
    only_stacks = line.setting.game is not None and line.setting.has(e.Stack)
    if line.keyword("on") or (only_stacks and line.one_of(ONTO)):
        line.one_of(("stack",))
        line.field("stack")
        if loose.tile_here(line):
            raise line.refuse("a stack is named by its number, counted from 1: write `on 10`")
        line.expected.clear()
        data["stack"] = line.whole()
        return e.Stack
    line.field("end")
    end = line.one_of(("left", "right"))
    if end:
        data["end"] = end
    else:
        line.expected = [lambda: places(line.setting)]
    return e.Play


def _points(line: Line, data: dict[str, Any]) -> None:
    """The points of a placement or a pile, if they stand here: ``=4`` or ``4 points``."""
    line.field("points")
    if line.mark("="):
        data["points"] = line.whole()
    elif line.piece[:1] == "+" and line.piece[1:].isdecimal():
        line.go(line.begin + 1)
        data["points"] = line.whole()
    elif line.number_here():
        data["points"] = line.whole()
        if not line.keyword("points", "point"):
            raise line.unexpected()


def draw(line: Line, data: dict[str, Any]) -> None:
    """A single tile: drawn, lifted, or the one over."""
    line.field("tile")
    data["tile"] = loose.tile(line)


def tiles(line: Line, data: dict[str, Any]) -> None:
    """Several tiles, or `nothing`."""
    line.field("tiles")
    named = data["tiles"] = list[str]()
    if line.keyword("nothing"):
        return
    named.append(loose.listed_tile(line))
    while line.mark(",") or loose.tile_here(line):
        if line.nothing_left() or line.piece in _MORE:  # a comma at the end
            break
        named.append(loose.listed_tile(line))


def held(line: Line, data: dict[str, Any]) -> None:
    """The tiles of a hand; dots stand for others that nobody wrote down."""
    data["tiles"] = []
    if not _more(line, data):
        tiles(line, data)
        _more(line, data)


def _more(line: Line, data: dict[str, Any]) -> bool:
    """Whether the hand has other tiles, which nobody wrote down."""
    line.field("partial")
    if line.piece not in _MORE:
        line.expect("MORE")
        return False
    line.step()
    data["partial"] = True
    return True


def aside(line: Line, data: dict[str, Any]) -> None:
    """Tiles set aside."""
    line.mark(":")
    tiles(line, data)


def bid(line: Line, data: dict[str, Any]) -> None:
    """The number that was bid."""
    line.field("bid")
    data["bid"] = line.whole()


def nothing(_line: Line, _data: dict[str, Any]) -> None:
    """Nothing: the word says all."""


def ranked(line: Line, data: dict[str, Any]) -> None:
    """The highest number, and perhaps the direction."""
    line.field("high")
    data["high"] = line.whole()
    line.field("direction")
    direction = line.one_of(("regular", "reverse"))
    if direction:
        data["direction"] = direction
    else:
        line.expect("RANKING")


def taken(line: Line, data: dict[str, Any]) -> None:
    """How many tiles were taken, what they are worth, or both."""
    line.field("tiles")
    line.field("points")
    if line.piece == "=":
        _points(line, data)
        return
    line.expect('"="')
    number = line.whole()
    if line.keyword("points", "point"):
        data["points"] = number
        return
    line.keyword("tiles", "tile")
    data["tiles"] = number
    comma = line.mark(",")
    _points(line, data)
    if comma and "points" not in data and not line.nothing_left():
        raise line.unexpected()
