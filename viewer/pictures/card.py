"""The picture of a link, 1200 × 630: the table at a step on the left, the players and scores on the right."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple

from viewer.pictures.drawing import drawing
from viewer.pictures.flat import letter, shorten
from viewer.pictures.frames import Film
from viewer.pictures.look import Look, Table, px, safe
from viewer.pictures.svg import whole

WIDTH, HEIGHT = 1200, 630
LEFT, RIGHT = 624, 1128
TABLE = Look(width=592, height=HEIGHT, top=20, eyes=-2)
"""The part of the card that the table takes."""
NOTE = 36
"""The most letters in a line of a note."""


class Line(NamedTuple):
    """A player on the card: name, score, and whether they lead or have won."""

    name: str
    score: str
    first: bool


def card(film: Film, place: int, about: str, players: Sequence[Line], news: str, note: str = "") -> str:
    """The card of a step as SVG.

    `about` says which game and when, `news` what has happened, in a sentence, `note` what was found (with a flag).
    """
    table = Table(film.at(place), film.names)
    table.hands = []
    if table.floor:
        table.rows = {}
    body = "".join(svg for _key, svg in drawing(table, TABLE))
    size = 56 if len(players) <= 2 else 44 if len(players) <= 4 else 26
    step = size * 1.32
    top = (150 if len(players) <= 4 else 124) + size * 0.35
    rows = "".join(_player(seat, line, top + seat * step, size) for seat, line in enumerate(players))
    rule = top + len(players) * step - size * 0.3
    large = max(22.0, min(32.0, (RIGHT - LEFT) / (len(news) * 0.58)))
    text = (
        _text(shorten(about, RIGHT - LEFT, 26), 82, 26, "t-name")
        + rows
        + f'<path class="t-grid" d="M{LEFT} {px(rule)}H{RIGHT}"/>'
        + _text(shorten(news, RIGHT - LEFT, large), rule + 56, large, "t-title")
    )
    if note:
        text += f'<use href="#flag-breach" transform="translate({LEFT + 6} {px(rule + 104)})scale(.8)"/>'
        lines = wrap(note, NOTE, max_lines=2, placeholder=" …")
        text += "".join(_text(line, rule + 100 + n * 28, 22, "t-name", LEFT + 38) for n, line in enumerate(lines))
    logo = (
        f'<g transform="translate({LEFT} 553)scale(22)"><g class="t-pip"><use href="#face"/><use href="#h2"/>'
        '<use href="#h5" x="1"/></g></g>' + _text("Domino Ledger", 573, 26, "t-title", LEFT + 60)
    )
    return whole(WIDTH, HEIGHT, body + text + logo, "light", title=about, told=news)


def last_open(film: Film, place: int) -> int:
    """The last step up to `place` with a tile face up on the table; `place` if there is none."""
    for step in range(place, -1, -1):
        table = Table(film.at(step), film.names)
        if table.tiles or any(heap.tiles for row in table.rows.values() for heap in row.heaps):
            return step
    return place


def _player(seat: int, line: Line, y: float, size: int) -> str:
    kind, middle = "t-title" if line.first else "t-name", y - size * 0.36
    radius = size * 0.42
    return (
        f'<circle class="t-chip t-f{seat % 8 + 1}" cx="{px(LEFT + radius)}" cy="{px(middle)}" r="{px(radius)}"/>'
        f'<text class="t-letter" x="{px(LEFT + radius)}" y="{px(middle + size * 0.15)}" text-anchor="middle" '
        f'style="font-size:{px(size * 0.42)}px">{safe(letter(line.name))}</text>'
        f"{_text(shorten(line.name, RIGHT - LEFT - size * 3.4, size), y, size, kind, LEFT + size * 1.16)}"
        f'<text class="{kind}" x="{RIGHT}" y="{px(y)}" text-anchor="end" style="font-size:{size}px">{safe(line.score)}'
        "</text>"
    )


def _text(words: str, y: float, size: float, kind: str, x: float = LEFT) -> str:
    return f'<text class="{kind}" x="{px(x)}" y="{px(y)}" style="font-size:{px(size)}px">{safe(words)}</text>'
