"""Pictures: the items of a film as SVG, for one step or for a page that switches between steps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

from viewer.pictures.frames import Film
from viewer.pictures.projection import WIDTH, Panel
from viewer.pictures.shapes import DEFS, style, text, variables

NO_TEXT = dict.fromkeys({*range(32), 0xFFFE, 0xFFFF} - {9, 10, 13}, "\N{REPLACEMENT CHARACTER}")
"""Characters that a name may contain but XML may not: browsers would not draw such a picture."""


def panel(found: Film, place: Panel, shown: Collection[int]) -> str:
    """A panel with every item of the film; items not in `shown` are switched off."""
    parts = [
        f'<g id="i{n}"{"" if n in shown else off}>{item.svg}</g>'
        for n, item in enumerate(found.items)
        if item.panel == place.name
        for off in (' class="o"',)
    ]
    return (
        f'<svg class="panel {place.name}" viewBox="0 0 {WIDTH} {place.height:g}" '
        f'role="img" aria-label="{escape(place.title)}">'
        f"{place.ground}{''.join(parts)}</svg>"
    )


def position(
    found: Film, ply: int, *, view: str = "stacked", theme: str = "light", title: str = "", numerals: bool = False
) -> str:
    """A self-contained picture of one step: for a file, for print, for another site.

    `view` is ``plan`` or ``stacked``, for games on squares; `theme` is light or dark.
    """
    frame = found.frames[ply]
    panels = [place for place in found.panels if place.name not in ("plan", "stacked") or place.name == view]
    head, parts, top = 54, [], 54.0
    for place in panels:
        there = "".join(item.svg for n, item in enumerate(found.items) if item.panel == place.name and n in frame.items)
        parts.append(f'<g transform="translate(0 {top:g})">{place.ground}{there}</g>')
        top += place.height + 6
    words = f"{frame.seq} · {frame.words}"
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top:g}" '
        f'width="{WIDTH * 2}" height="{top * 2:g}" '
        f'class="{"numerals" if numerals else ""}" font-family="DejaVu Sans, sans-serif">'
        f"<title>{escape(title)}</title><desc>{escape(words)}; {escape(frame.status)}</desc>"
        f"<style>{style(theme)}.veil{{display:none}}</style>{DEFS}"
        f'<rect class="ground" width="{WIDTH}" height="{top:g}"/>'
        f"{text(title, 6, 20, 't')}{text(_short(words), 6, head - 16)}"
        f"{''.join(parts)}</svg>"
    )
    return picture.translate(NO_TEXT)


def _short(words: str) -> str:
    return words if len(words) <= 76 else f"{words[:75]}…"


class Chart:
    """The scores over the steps: a line for each player, a ring where a claim parts from them, a flag for a finding.

    `claimed` are (place, seat, points); `flags` (place, mark).  Each step is a link to itself.
    """

    DASHES = ("", "6 3", "2 3", "8 3 2 3")

    def __init__(
        self,
        found: Film,
        players: Sequence[str],
        claimed: Sequence[tuple[int, int, int]],
        flags: Sequence[tuple[int, str]],
    ) -> None:
        self.frames, self.players, self.claimed, self.flags = found.frames, players, claimed, flags
        self.scores = [frame.scores for frame in found.frames]
        self.count = max(1, len(found.frames) - 1)
        self.top = max([1, *(s for row in self.scores for s in row), *(points for _p, _s, points in claimed)])
        self.low = min([0, *(s for row in self.scores for s in row)])

    def x(self, place: float) -> float:
        """The x coordinate of a step."""
        return 8 + place * (WIDTH - 60) / self.count

    def y(self, points: float) -> float:
        """The y coordinate of a score."""
        return 96 - (points - self.low) * 84 / (self.top - self.low)

    def svg(self) -> str:
        """The chart."""
        curves = "".join(map(self._curve, range(len(self.players))))
        rings = "".join(
            f'<circle class="claim o{seat % 4}" cx="{self.x(place):.1f}" cy="{self.y(points):.1f}" r="4"/>'
            for place, seat, points in self.claimed
        )
        flags = "".join(text(mark, round(self.x(place), 1), 112, "flag", "middle") for place, mark in self.flags)
        return (
            f'<svg class="chart" viewBox="0 0 {WIDTH} 118" role="group" aria-label="The scores over the moves">'
            f'<path class="cell" d="M8 96H{WIDTH - 52}"/><path id="cursor" class="cursor" d="M8 4V100"/>'
            f"{curves}{rings}{flags}{self._names()}{self._hits()}</svg>"
        )

    def _curve(self, seat: int) -> str:
        path, before = f"M{self.x(0):.1f} {self.y(self.scores[0][seat]):.1f}", self.scores[0][seat]
        for place, row in enumerate(self.scores):
            if row[seat] != before:
                path += f"H{self.x(place):.1f}V{self.y(row[seat]):.1f}"
                before = row[seat]
        dash = f' stroke-dasharray="{self.DASHES[seat % 4]}"' if seat % 4 else ""
        return f'<path class="curve o{seat % 4}" d="{path}H{self.x(self.count):.1f}"{dash}/>'

    def _names(self) -> str:
        last, names = -99.0, ""
        for height, seat in sorted((self.y(score), seat) for seat, score in enumerate(self.scores[-1])):
            last = max(height + 4, last + 12)
            names += text(self.players[seat][:7], WIDTH - 48, round(last, 1), f"name n{seat % 4}")
        return names

    def _hits(self) -> str:
        wide = (WIDTH - 60) / self.count
        return "".join(
            f'<a href="?ply={frame.seq}#{frame.seq}" data-ply="{n}" tabindex="-1" aria-label="step {frame.seq}">'
            f'<rect class="hit" x="{self.x(n) - wide / 2:.1f}" width="{wide:.2f}" height="116"/></a>'
            for n, frame in enumerate(self.frames)
        )


def sheet_of_colours() -> str:
    """The variables of both themes for a page's style."""
    light, dark = variables("light"), variables("dark")
    return (
        f":root{{{light}}}@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}"
        f":root[data-theme=dark]{{{dark}}}@media print{{:root{{{light}}}}}{style()}"
    )
