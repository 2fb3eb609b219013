"""Turns the tree of a line into an event: each part becomes a field, and its place is kept for error messages.

The result is plain data in the shape of the record format's JSON.  `build_event` turns it into an event with the types
that also read JSON, so a sheet can say only what a record can.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ledger.notation.heading import Heading
from ledger.notation.refusals import refusal
from ledger.notation.seats import Letters
from ledger.notation.tree import Node, Spot, Token, token_of, tokens, trees
from ledger.notation.values import covered, number, text_of, tile, whom
from ledger.record.errors import NotARecord
from ledger.record.events import EVENTS, AnyEvent, kind
from ledger.record.squares import Squares

_TYPES: dict[str, dict[str, Any]] = {
    "hand": {"type": "score", "scope": "hand"},
    "total": {"type": "score", "scope": "game"},
    "place": {"type": "place", "level": 1},
    "deal": {"type": "deal", "tiles": ()},
    **{name: {"type": name, "why": ""} for name in ("retract", "amend", "insert")},
}
"""Initial fields of an event, if it needs more than its type."""
_STRUCTS: dict[str, Any] = {kind(event): event for event in EVENTS}
_FIELDS = {"taken": "tiles", "scores": "points", "ending": "why"}
"""Parts whose name differs from that of their field."""
_PATH = r"\$\.?((?:event\.)?[a-z]*)"
"""The field at the beginning of a path of msgspec."""
_MESSAGES = (
    (r"Expected `int` >= (.*)", "at least {} is expected here"),
    (r"Expected `int` <= (.*)", "at most {} is expected here"),
    (r"Expected `str` of length >= 1", "an empty text is not allowed here"),
    (r"Expected `str` of length <= (.*)", "a text of at most {} characters is expected here"),
    (r"Expected `array` of length >= 1", "the opening does not name its players"),
    (r"Expected `array` of length <= (.*)", "at most {} are allowed here"),
    (r"Expected `str` matching regex .*", "a day is written as in 2026-11-20"),
    (r"Object missing required field `(.*)`", "the opening does not name its {}"),
)
"""Messages of msgspec for values out of bounds, each with one for people."""


class Builder:
    """Builds the event of one line, in which `letters` name players and `squares` name squares.

    `spots` has the place of each field.
    After an opening, or an amended one, `letters` are its letters.
    """

    def __init__(self, letters: Letters, squares: Squares, line: int | None = None) -> None:
        self.letters = letters
        self.squares = squares
        self.spots: dict[str, Spot] = {}
        self._line = line

    def with_by(self, tree: Node, path: str = "") -> dict[str, Any]:
        """The event at the end of this tree, with the `by` before it, if any, as plain data.

        `path` leads to it: ``event.`` inside a correction.
        """
        *before, event = trees(tree)
        by = {"by": whom(token_of(before[0]), self.letters, self._line)} if before else {}
        if by:
            self.spots[f"{path}by"] = (self._line, before[0].column)
        return (self._opening(event, path) if event.data == "opening" else self._event(event, path)) | by

    def _opening(self, tree: Node, path: str) -> dict[str, Any]:
        heading = Heading(self.letters)
        for part in trees(tree):
            heading.add(part, self._line)
        data = heading.data()
        self.letters = heading.letters
        self.spots |= {path + field: spot for field, spot in heading.spots.items()}
        return data

    def _event(self, tree: Node, path: str) -> dict[str, Any]:
        data = dict(_TYPES.get(tree.data) or {"type": tree.data})
        for part in trees(tree):
            field = _FIELDS.get(part.data, part.data)
            self.spots[path + field] = (self._line, part.column)
            if field == "at":
                self.spots[f"{path}dir"] = self.spots[f"{path}at"]
                data["at"], data["dir"] = covered(token_of(part), self.squares, self._line)
            else:
                data[field] = self._value(part)
        return data

    def _value(self, part: Node) -> Any:
        """The value of a part: one token, or a list."""
        match part.data:
            case "event":
                return self.with_by(part, "event.")
            case "tiles":
                return [tile(token, self._line) for token in tokens(part)]
            case "winners":
                return [whom(token_of(player), self.letters, self._line) for player in trees(part)]
            case "scores":
                return self._scores(part)
        return self._single(part.data, token_of(part))

    def _single(self, kind: str, token: Token) -> Any:
        match kind:
            case "player":
                return whom(token, self.letters, self._line)
            case "text" | "title" | "why" | "head":
                return text_of(token, self._line)
            case "tile":
                return tile(token, self._line)
            case "partial":
                return True
            case "direction" | "ending" | "end":
                return token.lower()
            case "level":
                return number(token.lstrip("LEVlev"), token, self._line)
        return number(token, token, self._line)

    def _scores(self, tree: Node) -> dict[str | None, int]:
        points: dict[str | None, int] = {}
        for score in trees(tree):
            player_token, points_token = token_of(trees(score)[0]), token_of(score)
            id_ = whom(player_token, self.letters, self._line)
            if id_ in points:
                raise refusal(f"{player_token} occurs twice", player_token.column, self._line)
            points[id_] = number(points_token, points_token, self._line)
        return points


def build_event(data: dict[str, Any], spots: dict[str, Spot], line: int | None) -> AnyEvent:
    """The event in this plain data.  Raises NotARecord with the place of a field that is not valid."""
    try:
        # By its own type, because msgspec would prepare the union of all types anew for each event.
        event: AnyEvent = msgspec.convert(data, _STRUCTS[data["type"]])
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `")
        raise misfit(_for_people(reason), path, spots, line) from None
    return event


def misfit(reason: str, path: str | None, spots: dict[str, Spot], line: int | None) -> NotARecord:
    """The refusal of the field at this path of an event (``$.event.tile``), with its place in the sheet."""
    match = re.match(_PATH, path or "$")
    field = match[1] if match else ""
    spot = spots.get(field) or spots.get(field.partition(".")[0]) or (line, 1)
    return refusal(reason, spot[1], spot[0])


def _for_people(reason: str) -> str:
    for pattern, message in _MESSAGES:
        if match := re.fullmatch(pattern, reason, re.DOTALL):
            return message.format(*match.groups())
    return reason
