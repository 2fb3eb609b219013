"""The drawing of the architecture, made from the table of floors in `tests/test_house.py`.

Above, the way of a move from the table to the screen; below, the floors of the house with their rooms, the ground at
the bottom.  A file imports only files on lower floors, so nothing in a band knows what stands above it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple

from ledger.games import catalog

HOUSE = Path(__file__).parents[2] / "tests" / "test_house.py"
PLACE = "<!-- the drawing: made from the code -->"
"""Where the drawing goes in the page about the architecture."""

WIDTH, EDGE, GAP = 960, 24, 8
ROOM, LETTER = 30, 8.2
TITLE = 256


class Band(NamedTuple):
    """Some floors of the house, drawn as one: from the `lowest` to the `highest`, with a name and what they do."""

    lowest: int
    highest: int
    name: str
    about: str


BANDS = (
    Band(0, 1, "Records", "what was written down"),
    Band(2, 2, "Rules", "what a game is, and what games share"),
    Band(3, 4, "Games, stores, sheets", "rules beside each other; events kept"),
    Band(5, 5, "Audit", "one review for every view"),
    Band(6, 6, "Keeping and playing", "who wrote what; what may follow"),
    Band(7, 9, "Clubs, many records, terminal", "questions, processes, commands"),
    Band(10, 11, "Pictures, every page", "the table drawn; frame and style"),
    Band(12, 13, "Server, rule book", "who asks; rules, also in a browser"),
    Band(14, 15, "A game", "replay, referee, sheets on paper"),
    Band(16, 17, "Phone and club, API, site", "recording, people, programs"),
    Band(18, 99, "The program", "serve, site, demo"),
)

WAY = (
    ("phone, sheet", "what happened"),
    ("codec, notation", "strict reading"),
    ("recorder", "only appends"),
    ("store", "events, chained"),
    ("replay", "a pure reducer"),
    ("audit", "clause by clause"),
    ("review", "for every view"),
)
"""The path of a move, in steps: who, and what happens there."""


def floors() -> dict[str, int]:
    """The floor of each room, as `tests/test_house.py` has it."""
    for node in ast.parse(HOUSE.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "FLOORS":
            table: dict[str, int] = ast.literal_eval(node.value)
            return table
    raise ValueError(f"{HOUSE.name} has no table FLOORS")


def rooms(band: Band) -> list[str]:
    """The rooms of a band from the lowest floor up, by the names that they have in the code."""
    names = [
        name
        for name, floor in sorted(floors().items(), key=lambda item: item[1])
        if band.lowest <= floor <= band.highest
    ]
    shown = [name for name in names if "." in name]
    if "ledger.games" in shown:
        at = shown.index("ledger.games")
        shown[at : at + 1] = [f"games/{game.replace('-', '_')}" for game in sorted(catalog.built_in())]
    return [name.removeprefix("ledger.").replace("viewer.", "viewer/") for name in shown]


def svg() -> str:
    """The drawing as SVG, in the colours of the page around it."""
    top, way = 132, "".join(_way())
    bands = []
    for band in reversed(BANDS):
        picture, height = _band(band, top)
        bands.append(picture)
        top += height + GAP
    label = "The way of a move from the table to the screen, and the floors of the code, the ground at the bottom"
    return (
        f'<svg class="drawing" viewBox="0 0 {WIDTH} {top}" role="img" aria-label="{label}" '
        f'font-family="var(--sans)">{way}{"".join(bands)}</svg>'
    )


def _way() -> Iterator[str]:
    """The boxes of the path of a move, with arrows between them."""
    step = (WIDTH - GAP) / len(WAY)
    for number, (name, about) in enumerate(WAY):
        x, width = GAP + number * step, step - 20
        yield _box(x, 24, width, 62, 'rx="10" fill="var(--panel)" stroke="var(--line-2)"')
        yield _text(
            x + width / 2, 50, name, 'font-size="12.5" font-weight="600" fill="var(--ink)" text-anchor="middle"'
        )
        yield _text(x + width / 2, 70, about, 'font-size="11" fill="var(--ink-2)" text-anchor="middle"')
        if number < len(WAY) - 1:
            yield (
                f'<path d="M{x + width + 3:.0f} 55h11m-5 -5l5 5l-5 5" fill="none" stroke="var(--accent)" '
                'stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>'
            )
    yield _text(
        GAP, 116, "Who may know whom: each row knows only the rows below it.", 'font-size="13" fill="var(--ink-2)"'
    )


def _band(band: Band, top: int) -> tuple[str, int]:
    """A row of the house, and its height."""
    boxes, x, y = [], float(TITLE), top + 12
    for name in rooms(band):
        width = len(name) * LETTER + 18
        if x + width > WIDTH - EDGE:
            x, y = float(TITLE), y + ROOM + GAP
        boxes.append(
            _box(x, y, width, ROOM, 'rx="6" fill="var(--tile)" stroke="var(--tile-line)"')
            + _text(
                x + width / 2,
                y + 20,
                name,
                'font-size="13" font-family="var(--mono)" fill="var(--pip)" text-anchor="middle"',
            )
        )
        x += width + GAP
    height = y + ROOM + 12 - top
    head = _text(EDGE - 8, top + 24, band.name, 'font-size="13.5" font-weight="600" fill="var(--table-ink)"')
    about = _text(EDGE - 8, top + 42, band.about, 'font-size="11.5" fill="var(--table-ink-2)"')
    back = _box(0, top, WIDTH, height, 'rx="10" fill="var(--table)"')
    return "".join((back, head, about, *boxes)), height


def _box(x: float, y: float, width: float, height: float, attributes: str) -> str:
    return f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" {attributes}/>'


def _text(x: float, y: float, text: str, attributes: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" {attributes}>{escape(text)}</text>'
