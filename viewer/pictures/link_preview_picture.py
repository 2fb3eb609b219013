"""The picture of a link, 1200 × 630: the table at a step on the left, the players and scores on the right."""

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from msgspec.structs import replace

from ledger.record.visible import isolated
from viewer.pictures.drawing import drawing
from viewer.pictures.film import Film
from viewer.pictures.flat_tiles import letter, share
from viewer.pictures.look import Look, Table, px, safe
from viewer.pictures.table_svg import picture_file

WIDTH, HEIGHT = 1200, 630
LEFT, RIGHT = 624, 1128
TABLE = Look(width=592, height=HEIGHT, top=20)
"""The part of the card that the table takes."""
LINES = 3
"""The most lines of a note."""
FOOT = 540
"""Where the text must end: below it stands the name of the program."""
SIZES = (28, 26, 24, 22, 20, 18, 16)
"""The sizes of a note's letters, the largest that fits is used."""
BOLD = 1.13
"""How much broader bold letters are."""
BROAD, NARROW = frozenset("mw…—"), frozenset("ijlftrI.,:;'!|()·- ")
"""Letters that are broader or narrower than others, besides those that `share` knows."""


class Line(NamedTuple):
    """A player on the card: name, score, whether they lead or have won, and the seat if they are not in that order."""

    name: str
    score: str
    first: bool
    seat: int | None = None


def card(
    film: Film | None,
    place: int,
    heading: str,
    players: Sequence[Line],
    news: str,
    note: str = "",
    verdict: str = "breach",
) -> str:
    """The card of a step as SVG.

    `heading` says which game and when, `news` what has happened, in a sentence, `note` what is wrong, with the flag of
    its `verdict`, or why the step mattered, without one.  Without a `film` there is no table, and the words stand
    in the middle.
    """
    body = "" if film is None else _table(film, place)
    size = 56 if len(players) <= 2 else 44 if len(players) <= 4 else 26
    step = size * 1.32
    top = (150 if len(players) <= 4 else 124) + size * 0.35
    # The same letters for all names, as large as the longest one allows: a winner's must not be smaller.
    room = RIGHT - max(_wide(line.score, size, "t-title") for line in players) - size * 0.4 - (LEFT + size * 1.16)
    widest = max(_wide(line.name, size, "t-title") for line in players)
    letters = max(size * 0.6, min(size, size * room / max(widest, 1)))
    rows = "".join(
        _player(n if line.seat is None else line.seat, line, top + n * step, size, letters)
        for n, line in enumerate(players)
    )
    rule = top + len(players) * step - size * 0.3
    lines, high = _fitted(news, RIGHT - LEFT, "t-title", (32, 30, 28, 26), LINES, FOOT - rule - (96 if note else 30))
    rule_below = rule + (len(lines) - 1) * 34
    text = (
        _line(heading, 82, (20, 26), "t-name")
        + rows
        + f'<path class="t-grid" d="M{LEFT} {px(rule)}H{RIGHT}"/>'
        + "".join(_text(line, rule + 56 + n * 34, high, "t-title") for n, line in enumerate(lines))
    )
    if note:
        flag = f'<use href="#flag-{verdict}" transform="translate({LEFT + 6} {px(rule_below + 108)})scale(.8)"/>'
        flag, begin = (flag, LEFT + 38) if verdict else ("", LEFT)
        lines, high = _fitted(note, RIGHT - begin, "t-name", SIZES, LINES, FOOT - rule_below - 84)
        text += flag + "".join(
            _text(line, rule_below + 104 + n * high * 1.3, high, "t-name", begin) for n, line in enumerate(lines)
        )
    logo = (
        f'<g transform="translate({LEFT} 553)scale(22)"><g class="t-pip"><use href="#face"/><use href="#h2"/>'
        '<use href="#h5" x="1"/></g></g>' + _text("Domino Ledger", 573, 26, "t-title", LEFT + 60)
    )
    words = text + logo if film else f'<g transform="translate({(WIDTH - LEFT - RIGHT) // 2})">{text}{logo}</g>'
    return picture_file(WIDTH, HEIGHT, body + words, "light", title=heading, words=news)


def _table(film: Film, place: int) -> str:
    table = Table(film.at(place), film.names)
    table.hands, table.room = [], replace(table.room, tiles=0)
    if table.floor:
        table.rows = {}
    return "".join(svg for _key, svg in drawing(table, TABLE))


def last_open(film: Film, place: int) -> int:
    """The last step up to `place` with a tile face up on the table; `place` if there is none."""
    for step in range(place, -1, -1):
        table = Table(film.at(step), film.names)
        if table.tiles or any(heap.tiles for row in table.rows.values() for heap in row.heaps):
            return step
    return place


def _fitted(
    words: str, room: float, kind: str, sizes: Sequence[float], most: int, height: float = HEIGHT
) -> tuple[list[str], float]:
    """A sentence in at most `most` lines, and the size of its letters: the largest of the sizes that fits.

    Lines end between words.  A sentence that is too long even in the smallest letters ends with an ellipsis.
    """
    lines, size = [words], sizes[0]
    for size in sizes:
        lines = _broken(words, size, room, kind)
        if len(lines) <= most and len(lines) * size * 1.3 <= height:
            return lines, size
    fitting = max(1, min(most, int(height / (size * 1.3))))
    last = lines[fitting - 1]
    while " " in last and _wide(f"{last} …", size, kind) > room:
        last = last.rpartition(" ")[0]
    return [*lines[: fitting - 1], _cut(f"{last} …", size, room, kind)], size


def _broken(words: str, size: float, room: float, kind: str) -> list[str]:
    """The words in lines that fit into a room.  A single word that is broader is cut."""
    lines: list[str] = []
    for word in words.split(" "):
        if lines and _wide(f"{lines[-1]} {word}", size, kind) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(_cut(word, size, room, kind))
    return lines


def _player(seat: int, line: Line, y: float, size: int, letters: float) -> str:
    kind, middle = "t-title" if line.first else "t-name", y - size * 0.36
    radius, begin = size * 0.42, LEFT + size * 1.16
    end = RIGHT - _wide(line.score, size, kind) - size * 0.4
    return (
        f'<circle class="t-chip t-f{seat % 8 + 1}" cx="{px(LEFT + radius)}" cy="{px(middle)}" r="{px(radius)}"/>'
        f'<text class="t-letter" x="{px(LEFT + radius)}" y="{px(middle + size * 0.15)}" text-anchor="middle" '
        f'style="font-size:{px(size * 0.42)}px">{safe(letter(line.name))}</text>'
        f"{_line(line.name, y, (letters, letters), kind, begin, end)}"
        f'<text class="{kind}" x="{RIGHT}" y="{px(y)}" text-anchor="end" style="font-size:{size}px">{safe(line.score)}'
        "</text>"
    )


def _line(words: str, y: float, sizes: tuple[float, float], kind: str, begin: float = LEFT, end: float = RIGHT) -> str:
    """A text between two places, as large as the sizes (the least and the most) allow; cut if it is still too long."""
    least, most = sizes
    room = end - begin
    size = max(least, min(most, most * room / max(_wide(words, most, kind), 1)))
    return _text(_cut(words, size, room, kind), y, size, kind, begin)


def _cut(words: str, size: float, room: float, kind: str) -> str:
    """The words, or their beginning with an ellipsis if they are too wide."""
    if _wide(words, size, kind) <= room:
        return words
    ends = accumulate(_wide(letter, size, kind) for letter in words)
    return isolated(words[: sum(place <= room - _wide("…", size, kind) for place in ends)] + "…")


def _wide(words: str, size: float, kind: str) -> float:
    """About how wide a text is, in pixels, in the broadest of the usual fonts: the server's font is not known."""
    return sum(map(_em, words)) * size * (BOLD if kind == "t-title" else 1)


def _em(letter: str) -> float:
    """How wide a letter is, as a part of the size of its font."""
    if letter in BROAD or share(letter) > 1:
        return 1
    return 0.42 if letter in NARROW else 0.79 if letter.isupper() else 0.64


def _text(words: str, y: float, size: float, kind: str, x: float = LEFT) -> str:
    return f'<text class="{kind}" x="{px(x)}" y="{px(y)}" style="font-size:{px(size)}px">{safe(words)}</text>'
