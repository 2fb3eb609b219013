"""Reads what was said about a game, and its end: each function reads the fields of one kind of line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.notation.event_line import Line
from ledger.notation.pieces import Pieces
from ledger.notation.players import player


def scores(line: Line, data: dict[str, Any], scope: str) -> None:
    """The points of some players, or of nobody."""
    data["scope"] = scope
    line.mark(":")
    line.field("points")
    points = data["points"] = dict[str, int]()
    if line.keyword("nobody"):
        return
    while True:
        begin = line.begin
        id_ = player(line)
        if id_ in points:
            raise line.refuse(f"{line.line[begin : line.begin].strip(' :')} occurs twice", begin + 1)
        points[id_] = line.whole()
        if not line.mark(",") and (line.ends() or line.is_because()):
            return
        if line.nothing_left():  # a comma at the end of the line
            return


def counted(line: Line, data: dict[str, Any]) -> None:
    """How many cheats there were."""
    line.mark(":")
    line.field("count")
    data["count"] = line.whole()


def result(line: Line, data: dict[str, Any], text: Callable[[Pieces], str] = Pieces.text) -> None:
    """Who won, and perhaps the title that was earned; `text` reads it."""
    line.mark(":")
    line.field("winners")
    winners = data["winners"] = list[str]()
    if not line.keyword("nobody"):
        winners.append(player(line))
        while line.mark(",") or line.one_of(("and",)):
            if line.nothing_left():  # a comma at the end of the line
                break
            winners.append(player(line))
    if line.keyword("as"):
        line.field("title")
        data["title"] = text(line)


def note(line: Line, data: dict[str, Any], text: Callable[[Pieces], str] = Pieces.text) -> None:
    """A remark, perhaps about an event; `text` reads it."""
    line.field("about")
    if line.piece[:1].isdecimal():
        data["about"] = line.nth()
    else:
        line.expect("NTH")
    line.require(":")
    line.field("text")
    data["text"] = text(line)


def closed(line: Line, data: dict[str, Any]) -> None:
    """How the game ended."""
    line.field("why")
    why = line.one_of(("finished", "abandoned"))
    if why is None:
        line.expect("ENDING")
        raise line.unexpected()
    data["why"] = why


def agreed(line: Line, data: dict[str, Any]) -> None:
    """The fingerprint of the record that a player agrees to."""
    line.field("head")
    data["head"] = line.word()
