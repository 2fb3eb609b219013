"""A line with an event: its pieces, its number, and the place of each field that was read."""

from __future__ import annotations

from ledger.notation.pieces import Pieces
from ledger.notation.refusals import Spot
from ledger.notation.setting import Setting

_NUMBERED = r"([0-9]+)\s*[.)]"
_BULLETS = ("-", "*", "•", "–")
_OPENS = r"""(?i)(?:by\s+(?:"(?:[^"\\]|\\.)*"|[^\s:]+)\s*:\s*)?open\b"""
_REMARK = r"\(([^()]+)\)?\s*(?:[.#]|//|$)"
ONTO = ("to", "onto", "upon", "->", "=>", "→")
"""Other words for `on`, in a game where tiles go onto stacks."""
_MEANT = frozenset((
    *ONTO, "on", "left", "right", "regular", "reverse", "nobody", "because", "point", "points", "play", "plays", "tile",
    "tiles", "level", "has", "have", "aside", "lays", "draws", "bids", "bid", "passes", "pass", "ranks", "over",
    "lifts", "takes", "hand", "total", "cheats", "end", "result", "note", "retract", "amend", "insert", "void",
    "restore", "finished",
    "abandoned",
))  # fmt: skip
"""Words that mean something in an event: a remark in parentheses has none."""


class Line(Pieces):
    """A line with an event.

    `seq` is the number that it begins with, as it was written, and its column.  `path` leads to the fields: ``event.``
    inside a correction.  `meant`: the event was written with an exclamation mark, so it may be one of another game.
    """

    __slots__ = ("meant", "path", "seq", "spots")

    def __init__(self, line: str, number: int | None, setting: Setting) -> None:
        super().__init__(line, number, setting)
        self.path = ""
        self.meant = False
        self.spots = dict[str, Spot]()
        self.seq: tuple[str, int] | None = None
        if self.piece[:1] in "-*•–0123456789":
            self._skip_number()

    def _skip_number(self) -> None:
        """Goes past a bullet and a number at the beginning of the line."""
        if self.piece in _BULLETS and self.following().isspace():
            self.step()
        numbered = self.match(_NUMBERED)
        if numbered:
            self.seq = numbered[1], self.column
            self.go(numbered.end())

    def field(self, name: str) -> None:
        """What is read next is this field."""
        self.spots[self.path + name] = (self.number, self.column)

    def opens(self) -> bool:
        """Whether this is the opening on one line."""
        return self.match(_OPENS) is not None

    def ends(self) -> bool:
        """Whether nothing follows, or only a remark, perhaps in parentheses."""
        if self.piece == "(":
            remark = self.match(_REMARK)
            if remark and not any(map(str.isdigit, remark[1])) and _MEANT.isdisjoint(remark[1].lower().split()):
                return True
        return self.at_end()
