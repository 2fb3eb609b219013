"""The lead of two players over the steps: a band above the middle line for one, below it for the other."""

from collections.abc import Sequence
from html import escape
from math import ceil

from ledger.record.scales import nice
from ledger.record.visible import isolated
from viewer.pictures.flat_tiles import measure
from viewer.replay.chart import BOTTOM, LEFT, TOP, Chart, short

MOST_LETTERS = 32
"""The most letters of a name on the band."""
FLAG = 10
"""The width of a flag."""


class Band(Chart):
    """Who is ahead at each step, and by how much."""

    right, what, zero, side = 306, "Lead", " zero", ""

    def _fit(self, _values: Sequence[int]) -> None:
        """The same scale on both sides of the middle line."""
        self.leads = [one - other for one, other in self.scores]
        most = max(1, *map(abs, self.leads))
        self.step = nice(most / 2)
        self.high = ceil(most / self.step) * self.step
        self.low = -self.high

    def height(self, place: int) -> float:
        """The y of a moment: at the edge of the band."""
        return self.y(self.leads[place])

    def label(self, points: int) -> int:
        """The size of a lead, no matter who leads."""
        return abs(points)

    def _curve(self, seat: int) -> str:
        """The band of one player: what is on the other side of the middle line is the other's."""
        side = 1 if seat == 0 else -1
        path = self.stairs((side * max(0, side * lead) for lead in self.leads), 0)
        return f'<path class="area p{seat + 1}" d="{path}V{self.y(0):.1f}Z"/>'

    def _rings(self) -> str:
        rings = ""
        for place, seat, points in self.claimed:
            lead = points - self.scores[place][1 - seat]
            y = min(BOTTOM, max(TOP, self.y(lead if seat == 0 else -lead)))
            rings += f'<circle class="ring p{seat + 1}" cx="{self.x(place):.1f}" cy="{y:.1f}" r="3.500"/>'
        return rings

    def _names(self) -> str:
        """Whose side is whose, and by how much somebody is ahead at the end."""
        one, other = (escape(isolated(short(name, MOST_LETTERS))) for name in self.names)
        lead = self.leads[-1]
        # Flags stand at the upper edge: a name that they would hide is below them.
        wide = measure(f"{one} ahead", 12) + FLAG
        top = TOP + (20 if any(self.x(place) < LEFT + 4 + wide for place in self.flags) else 4)
        sides = f'<text class="en p1" x="{LEFT + 4}" y="{top}">{one} ahead</text>'
        sides += f'<text class="en p2" x="{LEFT + 4}" y="{BOTTOM - 3}">{other} ahead</text>'
        seat = 1 if lead > 0 else 2
        kind, end = (f"en p{seat}", f"+{abs(lead)}") if lead else ("ax", "level")
        y = self.y(lead) + 4
        return f'{sides}</g><g class="ends"><text class="{kind}" x="{self.right + 5}" y="{y:.1f}">{end}</text>'
