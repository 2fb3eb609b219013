"""How a drawing looks, and what it draws: the things on the table, sorted by kind."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, TypeVar

from msgspec import Struct

from ledger.record.visible import isolated
from viewer.pictures import things as t

T = TypeVar("T")
Piece = tuple[str, str]
"""A part of a drawing: its unique key, and its SVG.  A piece that is the same at two steps is drawn once."""
POINT = "%.1f %.1f"
"""The format of a point in a path."""
_MINUS = re.compile(r"-0(?![.\d])")
SMALL = 28
"""Halves with shorter sides show numerals."""
SHORT = 220
"""A lower table has no lines for hands, which would cover what lies on it."""


class Look(Struct, frozen=True, kw_only=True):
    """How a drawing looks.

    `width` and `height` in pixels; `top` is kept free for buttons; `view` is ``stacked`` or ``plan``; `level` lifts off
    what is above it (0: nothing), and in the plan chooses the large sheet; `peel` lifts off without a new fit; `turn`
    counts quarter turns; `numerals` instead of pips; `quiet` leaves out names, ruler, shadow, marks and hands, for a
    small picture.  `both` draws numerals and coloured pips, and the backs of the tiles of hands: a page's style sheet
    shows what is wanted.
    """

    width: float
    height: float
    top: float = 14
    view: str = "stacked"
    level: int = 0
    peel: int = 0
    turn: int = 0
    numerals: bool = False
    quiet: bool = False
    both: bool = False


@dataclass
class Row:
    """A row with its piles."""

    line: t.Line
    heaps: list[t.Heap] = field(default_factory=list)


class Table:
    """The things on the table at one step; `names` are the players' names by seat."""

    def __init__(self, things: Iterable[t.Thing], names: tuple[str, ...]) -> None:
        kinds = defaultdict[type, list[Any]](list)
        for thing in things:
            kinds[type(thing)].append(thing)

        def only(kind: type[T]) -> T | None:
            return kinds[kind][-1] if kinds[kind] else None

        self.names, self.floor, self.goal, self.outcome = names, only(t.Floor), only(t.Contract), only(t.Outcome)
        self.sky = (only(t.Sky) or t.Sky(())).columns
        self.room = only(t.Room) or t.Room(0)
        self.heading, self.note = (heading.words, heading.note) if (heading := only(t.Heading)) else ("", "")
        self.last = (only(t.Last) or t.Last(())).at
        self.ties: list[t.Tie] = kinds[t.Tie]
        self.gains: list[t.Gain] = kinds[t.Gain]
        self.hands: list[t.Held] = sorted(kinds[t.Held], key=lambda hand: hand.owner)
        self.tiles: list[t.Domino] = sorted(kinds[t.Domino], key=lambda laid: (laid.level, laid.y, laid.x, laid.tile))
        rows = {line.row: Row(line) for line in kinds[t.Line]}
        for heap in sorted(kinds[t.Heap], key=lambda heap: heap.place):
            rows.setdefault(heap.row, Row(t.Line(heap.row, "", 1))).heaps.append(heap)
        self.rows = dict(sorted(rows.items()))
        self.high = max((laid.level for laid in self.tiles), default=0)

    def spot(self, laid: t.Domino) -> str:
        """Where a tile lies, in words: ``4-4, level 2, b2-c2``."""
        floor = self.floor
        squares = [(laid.x, laid.y), (laid.x + laid.dx, laid.y + laid.dy)]
        names = [f"{floor.columns[x - floor.left]}{floor.rows[y - floor.top]}" for x, y in squares] if floor else []
        return f"{laid.tile}, level {laid.level}, {'-'.join(names)}"


def halves(tile: str) -> tuple[str, str]:
    """The numbers of a tile's halves."""
    first, _, second = tile.partition("-")
    return first, second


def px(value: float) -> str:
    """A length as SVG writes it, to a tenth of a pixel."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def path(points: Sequence[tuple[float, float]], end: str = "Z", form: str = "") -> str:
    """A path along points, to a tenth of a pixel: straight, or in the `form` of a text with places for the numbers.

    It writes what `px` writes, but all numbers at once: that takes a quarter of the time.
    """
    form = form or f"M{'L'.join([POINT] * len(points))}{end}"
    text = (form % tuple(chain.from_iterable(points))).replace(".0", "")
    return _MINUS.sub("0", text) if "-0" in text else text


def safe(text: str) -> str:
    """Text that may hold anything, inside markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def text(words: str, x: float, y: float, kind: str, anchor: str = "start") -> str:
    """A line of text at its baseline."""
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text class="{kind}" x="{px(x)}" y="{px(y)}"{where}>{safe(words)}</text>'


def two(
    first: str, second: str, x: float, y: float, anchor: str = "start", kinds: tuple[str, str] = ("t-title", "t-name")
) -> str:
    """Two words in a line: one that matters and a lesser one, or of other `kinds`."""
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return (
        f'<text x="{px(x)}" y="{px(y)}"{where}><tspan class="{kinds[0]}">{safe(isolated(first))}</tspan>'
        f'<tspan class="{kinds[1]}" dx="6">{safe(second)}</tspan></text>'
    )


def rim_of(verdict: str) -> str:
    """The symbol of the rim for a verdict."""
    return "wrong" if verdict == "breach" else f"wrong-{verdict}"


def flag(verdict: str, x: float, y: float, scale: float) -> str:
    """A flag planted at a point."""
    return f'<use href="#flag-{verdict}" transform="translate({px(x)} {px(y)})scale({scale:.2f})"/>'


def equals(x: float, y: float, scale: float) -> str:
    """An equals sign on a white disc: a half covers an equal one, which is hidden."""
    radius = max(6.5, scale * 0.11)
    dot, half = f"M{px(x)} {px(y)}h0", radius * 0.45
    bars = "".join(f"M{px(x - half)} {px(y + radius * off)}h{px(2 * half)}" for off in (-0.28, 0.28))
    return (
        f'<path class="t-tie" d="{dot}" stroke-width="{px(2 * radius + 3)}"/>'
        f'<path class="t-tie0" d="{dot}" stroke-width="{px(2 * radius)}"/>'
        f'<path class="t-tie" d="{bars}" stroke-width="{px(max(1.6, radius * 0.28))}"/>'
    )


def badges(gains: Iterable[t.Gain], x: float, y: float, bounds: tuple[float, float]) -> Iterator[str]:
    """The points beside a tile: dark labels side by side, centred at a point but inside the bounds (left, right)."""
    labels = [(gain, 14 + 9.5 * len(gain.text)) for gain in gains]
    whole = sum(wide + 4 for _gain, wide in labels) - 4 if labels else 0
    left = min(max(x - whole / 2, bounds[0]), bounds[1] - whole)
    for gain, wide in labels:
        kind = "t-off" if gain.struck else "t-gain"
        yield (
            f'<rect class="t-badge" x="{px(left)}" y="{px(y - 13)}" width="{px(wide)}" height="26" rx="13"/>'
            f"{text(gain.text, left + wide / 2, y + 5, kind, 'middle')}"
        )
        left += wide + 4
