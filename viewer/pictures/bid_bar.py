"""The contract of a hand: who bid how much, and how much of it is reached."""

from __future__ import annotations

from ledger.record.visible import isolated
from viewer.pictures.flat import chip, measure, shorten
from viewer.pictures.look import Look, Piece, Table, px, text
from viewer.pictures.things import reached


def contract(table: Table, look: Look) -> list[Piece]:
    """The contract, at the upper edge: who bid how much, and how much of it is reached."""
    goal = table.goal
    if goal is None:
        return []
    progress = reached(goal.done, goal.bid, goal.unit)
    bar = 120 if look.width > 600 else 64 if look.width > 350 else 24
    spare = look.width - 16 - 38 - bar - measure(progress) - 46 - measure(f" bid {goal.bid}")
    bid_words = f"{isolated(shorten(table.names[goal.seat], min(look.width / 4, spare)))} bid {goal.bid}"
    wide = 38 + measure(bid_words) + bar + measure(progress) + 46
    x, y = (look.width - wide) / 2, look.top + 16
    part = min(1.0, goal.done / max(1, goal.bid))
    track = f'x="{px(x + 46 + measure(bid_words))}" y="{px(y - 4)}"'
    svg = (
        f'<g><rect class="t-band" x="{px(x)}" y="{px(y - 16)}" width="{px(wide)}" height="32" rx="16"/>'
        f"{chip(goal.seat, table.names, x + 17, y)}{text(bid_words, x + 34, y + 5, 't-title')}"
        f'<rect class="t-track" {track} width="{bar}" height="8" rx="4"/>'
        f'<rect class="t-tile" {track} width="{px(bar * part)}" height="8" rx="{px(min(4, bar * part / 2))}"/>'
        f"{text(progress, x + wide - 16, y + 5, 't-title', 'end')}</g>"
    )
    return [("goal", svg)]
