"""A chart over the steps, of scores or of what is taken: a scale, a line for each player, its name and end value."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import ceil
from typing import NamedTuple

from ledger.record.scales import nice
from ledger.record.visible import isolated
from viewer.pictures.flat_tiles import measure, shorten

WIDE, HIGH = 340, 132
LEFT, RIGHT, TOP, BOTTOM = 34, 268, 12, 112
LEADING = 15
"""The least distance between two names."""
MOST_NAMES = 8
"""Of more names than this, only the best stand at their lines."""
MOST_LINES = 4
"""The most lines of the scale above its lowest one."""
CLOSE = 5
"""Moments that are nearer to each other, in pixels, share a dot."""
DASHES = ("", "6 4", "2 3", "8 3 2 3", "10 3", "1 3", "12 3 2 3", "4 2")
"""A pattern for each of eight players: colours alone do not tell them apart."""


class Plot(NamedTuple):
    """A chart with its title, a note beside it, and the first and the last step that it is about."""

    title: str
    note: str
    svg: str
    first: int
    last: int
    shown: bool = True


class Chart:
    """The scores of each seat at each step, or what each has taken.

    `what` names that; `claimed` has (place, seat, points) wherever the table called another total; `flags` are the
    places of findings, or what the slider shows at each; `ticks` are (place, words) along the time axis; `goal` is what
    the bidder has to reach.  The `key` tells the charts of a page apart.
    """

    right, what, zero, side = RIGHT, "Score", "", ' class="ends"'
    """Where the last step is, what is drawn, the class of the line at zero, and that of the names."""
    moments: Sequence[int] = ()
    """The places of the moments."""

    def __init__(
        self,
        scores: Sequence[Sequence[int]],
        names: Sequence[str],
        claimed: Sequence[tuple[int, int, int]] = (),
        flags: Iterable[int] = (),
        ticks: Sequence[tuple[int, str]] = (),
        *,
        what: str = "",
        goal: int | None = None,
        key: str = "",
    ) -> None:
        self.what, self.goal, self.key = what or self.what, goal, key
        self.scores, self.names, self.claimed = scores, names, claimed
        self.flags = flags if isinstance(flags, Mapping) else dict.fromkeys(flags, "breach")
        self.last = max(1, len(scores) - 1)
        self.ticks = ticks or self._moments()
        values = [points for row in scores for points in row] + [points for _place, _seat, points in claimed]
        self._fit(values if goal is None else [*values, goal])

    def _fit(self, values: Sequence[int]) -> None:
        self.step = nice(max(1, max(values, default=0) - min(0, min(values, default=0))) / MOST_LINES)
        self.low = min(0, min(values, default=0)) // self.step * self.step
        self.high = max(self.low + self.step, ceil(max(values, default=0) / self.step) * self.step)

    def x(self, place: float) -> float:
        """The x of a step."""
        return LEFT + place * (self.right - LEFT) / self.last

    def y(self, points: float) -> float:
        """The y of a score."""
        return BOTTOM - (points - self.low) * (BOTTOM - TOP) / (self.high - self.low)

    def _moments(self) -> list[tuple[int, str]]:
        interval = max(1, nice(self.last / 5))
        return [(place, str(place)) for place in range(0, self.last + 1, interval)]

    def svg(self, place: int) -> str:
        """The chart with a line at one step; later steps are pale."""
        curves = [self._curve(seat) for seat in range(len(self.names))]
        pale = "".join(f'<g class="pale" opacity=".4">{curve}</g>' for curve in curves)
        totals = ", ".join(f"{isolated(name)} {score}" for name, score in zip(self.names, self.scores[-1], strict=True))
        x, past = round(self.x(place), 1), f"past{self.key}"
        return (
            f'<svg class="chart" id="chart{self.key}" viewBox="0 0 {WIDE} {HIGH}" data-from="{LEFT}" '
            f'data-to="{self.right}" role="img" aria-label="{self.what} by move. At the end: {escape(totals)}">'
            f'<clipPath id="{past}"><rect class="past" x="0" y="0" width="{x}" height="{HIGH}"/></clipPath>'
            f'{self._scale()}{self._goal()}{self._time()}{pale}<g clip-path="url(#{past})">{"".join(curves)}</g>'
            f'<path class="cursor" d="M0 {TOP - 6}V{BOTTOM}" transform="translate({x} 0)"/>'
            f"{self._rings()}{self._dots()}<g{self.side}>{self._names()}</g>{self._flags()}</svg>"
        )

    def _scale(self) -> str:
        lines = ""
        for points in range(self.low, self.high + 1, self.step):
            y = round(self.y(points), 1)
            lines += f'<path class="grid{"" if points else self.zero}" d="M{LEFT} {y}H{self.right}"/>'
            lines += f'<text class="ax end" x="{LEFT - 6}" y="{y + 4}">{self.label(points)}</text>'
        return lines

    def label(self, points: int) -> int:
        """What the scale says at a line."""
        return points

    def _goal(self) -> str:
        if self.goal is None:
            return ""
        y = round(self.y(self.goal), 1)
        return f'<path class="goal" d="M{LEFT} {y}H{self.right}"/>'

    def _time(self) -> str:
        parts, free = "", -99.0
        for place, words in self.ticks:
            x = round(self.x(place), 1)
            parts += f'<path class="tick" d="M{x} {BOTTOM}v4"/>'
            half = len(words) * 3.2
            if x - half > free:
                parts += f'<text class="ax mid" x="{x}" y="{HIGH - 4}">{escape(words)}</text>'
                free = x + half + 4
        return parts

    def _curve(self, seat: int) -> str:
        dash = DASHES[seat % 8]
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        path = self.stairs([row[seat] for row in self.scores], self.scores[0][seat])
        return f'<path class="curve p{seat % 8 + 1}" d="{path}"{dashed}/>'

    def stairs(self, values: Iterable[int], before: int) -> str:
        """The path along these values, a step at each place that has another than the one before."""
        path = f"M{self.x(0):.1f} {self.y(before):.1f}"
        for place, value in enumerate(values):
            if value != before:
                before = value
                path += f"H{self.x(place):.1f}V{self.y(before):.1f}"
        return f"{path}H{self.right}"

    def _rings(self) -> str:
        return "".join(
            f'<circle class="ring p{seat % 8 + 1}" cx="{self.x(place):.1f}" cy="{self.y(points):.1f}" r="3.500"/>'
            for place, seat, points in self.claimed
        )

    def height(self, place: int) -> float:
        """The y of a moment: on the line of who is ahead."""
        return self.y(max(self.scores[place]))

    def _dots(self) -> str:
        """The moments; those that would hide each other have one dot."""
        dots = list[tuple[float, float]]()
        for x, y in ((self.x(place), self.height(place)) for place in self.moments):
            if all(max(abs(x - left), abs(y - top)) >= CLOSE for left, top in dots):
                dots.append((x, y))
        return "".join(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in dots)

    def _names(self) -> str:
        """The names at the ends of the lines, far enough apart and inside the picture; if there are many, only the best
        players' names.
        """
        order = sorted(range(len(self.names)), key=lambda seat: -self.scores[-1][seat])
        more = len(order) - MOST_NAMES + 1 if len(order) > MOST_NAMES else 0
        order = order[: len(order) - more]
        heights: list[float] = []
        for seat in order:
            heights.append(max(self.y(self.scores[-1][seat]) + 4, heights[-1] + LEADING if heights else TOP))
        for place in range(len(heights) - 1, -1, -1):
            most = heights[place + 1] - LEADING if place + 1 < len(heights) else BOTTOM + 6
            heights[place] = min(heights[place], most)
        rest = f'<text class="ax" x="{self.right + 5}" y="{BOTTOM + 16}">and {more} more</text>' if more else ""
        return rest + "".join(
            self._end(seat, height, leads=not place)
            for place, (seat, height) in enumerate(zip(order, heights, strict=True))
        )

    def _end(self, seat: int, height: float, *, leads: bool) -> str:
        """A name with its score at the end of a line; the leader's is never cut, and stands farther left if need be."""
        name, score = self.names[seat], self.scores[-1][seat]
        room = WIDE - self.right - 5 - measure(f" {score}")
        whole = leads and measure(name) > room
        place = f'class="en whole p{seat % 8 + 1}" x="{WIDE - 2}"' if whole else f'class="en p{seat % 8 + 1}"'
        at = "" if whole else f' x="{self.right + 5}"'
        shown = name if whole else shorten(name, room)
        return f'<text {place}{at} y="{height:.1f}">{escape(isolated(shown))} {score}</text>'

    def _flags(self) -> str:
        return "".join(self._flag(*flag) for flag in self.flags.items())

    def _flag(self, place: int, verdict: str) -> str:
        x = self.x(place)
        kind = "flagged" if verdict == "breach" else f"flagged {verdict}"
        strike = f'<path class="strike" d="M{x - 3:.1f} {TOP + 1}l13-9"/>' if verdict == "impossible" else ""
        return f'<path class="{kind}" d="M{x:.1f} {TOP + 8}V{TOP - 8}h8l-2.500 3.500 2.500 3.500h-8"/>{strike}'


def short(name: str, most: int) -> str:
    """A name of at most so many letters, cut if it is longer."""
    return name if len(name) <= most else f"{name[: most - 1]}…"
