"""Tiles that lie flat: in hands, in rows, on stacks."""

import re
from collections.abc import Sequence
from functools import lru_cache
from unicodedata import category

from ledger.record.visible import isolated, without_isolates
from viewer.pictures.look import SMALL, Look, halves, px, text
from viewer.pictures.tile_symbols import ROUND

EDGE = 0.05
"""The thickness of a tile in a stack, in widths of a tile."""
MOST = 3
"""The most courses of a stack that are drawn; the number of tiles is written beside it."""
BOLD = 15
"""The size at which usual letters are as wide as the bold ones of a drawing."""


def face(tile: str, x: float, y: float, wide: float, look: Look, turn: int = 0) -> str:
    """A tile whose upper left corner is at (x, y), `wide` pixels long; turned clockwise about its first half."""
    first, second = halves(tile)
    if not look.quiet and (look.numerals or wide < 2 * SMALL):
        inside = numerals(first, second, turn)
    else:
        inside = pips(first, second, look)
        if look.both:
            inside = f'<g class="t-pips">{inside}</g><g class="t-numerals">{numerals(first, second, turn)}</g>'
    return f'<g class="t-pip" transform="{transform(x, y, wide, turn)}"><use href="#face"/>{inside}</g>'


def pips(first: str, second: str, look: Look) -> str:
    """The pips of a tile's halves, beside each other."""
    first_class, second_class = (f' class="t-n{n}"' if look.both else "" for n in (first, second))
    return f'<use href="#h{first}"{first_class}/><use href="#h{second}" x="1"{second_class}/>'


def numerals(first: str, second: str, turn: int) -> str:
    """The numerals of a tile's halves, which are always upright."""
    upright = f' transform="rotate({-turn} .5 .5)"' if turn else ""
    second_place = f' transform="translate(1 0)rotate({-turn} .5 .5)"' if turn else ' x="1"'
    return f'<use href="#n{first}"{upright}/><use href="#n{second}"{second_place}/>'


def symbol(name: str, x: float, y: float, wide: float, turn: int = 0, more: str = "") -> str:
    """A symbol placed like a tile: its back, a rim, the ring of the last act, the rim of a wrong tile."""
    return f'<use href="#{name}"{more} transform="{transform(x, y, wide, turn)}"/>'


def transform(x: float, y: float, wide: float, turn: int = 0) -> str:
    """The transform of a tile."""
    about = f"rotate({turn} .5 .5)" if turn else ""
    return f"translate({px(x)} {px(y)})scale({px(wide / 2)}){about}"


def below(count: int, x: float, y: float, wide: float) -> str:
    """The courses of a stack under its top tile, whose upper left corner is at (x, y)."""
    edge = wide * EDGE
    return "".join(
        f'<rect class="t-seam" x="{px(x)}" y="{px(y + n * edge)}" width="{px(wide)}" height="{px(wide / 2)}" '
        f'rx="{px(wide / 2 * ROUND)}"/><rect class="t-left" x="{px(x)}" y="{px(y + n * edge - 1)}" width="{px(wide)}" '
        f'height="{px(wide / 2)}" rx="{px(wide / 2 * ROUND)}"/>'
        for n in range(min(count - 1, MOST), 0, -1)
    )


def lift(count: int, wide: float) -> float:
    """The height of a stack above a single tile."""
    return min(max(count - 1, 0), MOST) * wide * EDGE


def chip(seat: int, names: Sequence[str], x: float, y: float) -> str:
    """A player's sign in the player's colour, centred at a point."""
    shown = sign(seat, names)
    return (
        f'<circle class="t-chip t-f{seat % 8 + 1}" cx="{px(x)}" cy="{px(y)}" r="10"/>'
        f"{text(shown, x, y + 4, 't-letter' if len(shown) == 1 else 't-sign', 'middle')}"
    )


def sign(seat: int, names: Sequence[str]) -> str:
    """The first letter of a player's name, and a second one where others begin alike; with more players than colours,
    the first and a number.
    """
    return _signs(tuple(names))[seat]


@lru_cache(maxsize=64)
def _signs(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(names) > COLOURS:
        return tuple([f"{isolated(letter(name))}{seat + 1}" for seat, name in enumerate(names)])
    signs = list[str]()
    for seat, name in enumerate(names):
        alike = [other.strip() for other in names if letter(other) == letter(name)]
        if len(alike) == 1:
            signs.append(letter(name))
            continue
        # The letters after those that all of them have in common come first: Anna, Anton, Anja are An, At, Aj.
        common = next((n for n, at in enumerate(zip(*alike, strict=False)) if len(set(at)) > 1), len(min(alike)))
        rest = name.strip()[common:] + name.strip()[1:] + str(seat + 1)
        pairs = [letter(name) + more for more in rest if more.isalnum()]
        signs.append(next((pair for pair in pairs if pair not in signs), letter(name)))
    return tuple(signs)


def letter(name: str) -> str:
    """The first letter of a name, in capitals; ``?`` for a blank name."""
    return (name.strip() or "?")[0].upper()


LETTERS = 1 << 12
"""The letters whose width is remembered, out of a million: those of most scripts, and of a club's names in any."""
COLOURS = 8
"""How many players are told apart by colours."""
_BROAD = re.compile(
    "[MW@%\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\U0001f000-\U0001faff]"
)
"""Letters that are much broader than others."""
_SLIM = re.compile("[ \u0591-\u05f4\u0622\u0623\u0625\u0627\u062f-\u0632\u0644\u0648-\u064a]")
"""Letters that are slimmer than others, in every usual font: the space, those of Hebrew, some of Arabic."""


@lru_cache(LETTERS)
def share(letter: str) -> float:
    """How wide a letter is, in usual letters."""
    if letter in "\u2068\u2069" or category(letter) == "Mn":
        return 0
    return 1.6 if _BROAD.match(letter) else 0.85 if _SLIM.match(letter) else 1


def measure(words: str, size: float = 13) -> float:
    """The approximate width of a text in pixels: a drawing on the server cannot measure it."""
    return sum(map(share, words)) * size * 0.58


def shorten(words: str, wide: float, size: float = 13) -> str:
    """The text, cut to a width in pixels."""
    if len(words) <= 2 or measure(words, size) <= wide:
        return words
    words = without_isolates(words)
    count, used = 1, share(words[0])
    while count < len(words) and used + share(words[count]) + 1 <= wide / (size * 0.58):
        used += share(words[count])
        count += 1
    return isolated(words[:count] + "…")


def shares(needs: Sequence[float], room: float) -> list[float]:
    """The room divided: those that need less than the others leave them the rest; what nobody needs, all get alike."""
    parts, left = [0.0] * len(needs), room
    for done, place in enumerate(sorted(range(len(needs)), key=needs.__getitem__)):
        parts[place] = min(needs[place], left / (len(needs) - done))
        left -= parts[place]
    return [part + left / len(needs) for part in parts]
