"""Plots as SVG, drawn on the server: bars over their values.  The colours are the page's own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil

from markupsafe import Markup

from ledger.record.scales import nice
from viewer.club.links import decimal

WIDE, HIGH = 340, 150
LEFT, RIGHT, TOP, BOTTOM = 34, 334, 10, 122
MOST_LINES = 4
"""The most lines of the scale above zero."""
LETTER = 6.4
"""The approximate width of a letter in a label."""


def bar_chart(labels: Sequence[str], values: Sequence[float], title: str, fair: Sequence[float] = ()) -> Markup:
    """A bar for each value over its label; `fair` marks where each bar would end by chance.

    `title` describes the plot for people who listen.
    """
    step = nice(max(1, *values, *fair) / MOST_LINES)
    top = max(step, ceil(max(*values, *fair, 0) / step) * step)
    room = (RIGHT - LEFT) / len(values)

    def y(value: float) -> float:
        return BOTTOM - value * (BOTTOM - TOP) / top

    parts = [_line(y(value), value) for value in range(0, top + 1, step)]
    wide = min(room * 0.78, 56)
    # If there are many labels, only some are written, so that they do not touch.
    every = ceil((max(map(len, labels)) + 1) * LETTER / room)
    for place, (label, value) in enumerate(zip(labels, values, strict=True)):
        middle = LEFT + (place + 0.5) * room
        height = BOTTOM - y(value)
        if value:
            parts.append(
                f'<rect class="bar" x="{middle - wide / 2:.1f}" y="{BOTTOM - height:.1f}" width="{wide:.1f}" '
                f'height="{height:.1f}" rx="2"><title>{escape(label)}: {decimal(value)}</title></rect>'
            )
        if fair:
            parts.append(f'<path class="fair" d="M{middle - wide / 2 - 3:.1f} {y(fair[place]):.1f}h{wide + 6:.1f}"/>')
        if place % every == 0:
            parts.append(f'<text class="ax mid" x="{middle:.1f}" y="{BOTTOM + 16}">{escape(label)}</text>')
    return Markup(  # noqa: S704  numbers, and escaped above
        f'<svg class="plot" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )


def _line(y: float, value: int) -> str:
    return (
        f'<path class="grid" d="M{LEFT} {y:.1f}H{RIGHT}"/>'
        f'<text class="ax end" x="{LEFT - 6}" y="{y + 4:.1f}">{value}</text>'
    )
