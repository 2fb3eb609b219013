"""A reel: the drawing of a whole game, each piece once, and each step as numbers of pieces.

A page shows a step by putting its pieces in their places, so it needs no geometry.  What stands on squares keeps its
place from the first step to the last.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from zlib import crc32

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from viewer.pictures.drawing import Camera, description, drawing, position, stage_of
from viewer.pictures.film import Film
from viewer.pictures.hands import ALL, opened, racks
from viewer.pictures.look import Look, Piece, Table
from viewer.pictures.things import Domino, Gain, Last, Thing, Tie

SHAPES = {"wide": (856, 440), "phone": (374, 415), "small": (360, 280), "low": (500, 320), "tablet": (740, 580)}
"""The sizes that a page shows, larger or smaller: the one that resembles its own (static/table.js has them, too)."""
TOP, BUTTONS = 8, 52
"""The room above a drawing, and the height that a page keeps for its buttons where there are squares."""
_OPEN = "open"
_OPENS = re.compile('data-open="([^"]+)"')
_LYING = re.compile('(?=<g class="t-seen">|<use href="#back" transform)')
"""Where a tile of a hand begins."""
_HALVES = re.compile('href="#[hn]([0-9]+)"')
_BESIDE = ("hand", "row", _OPEN)
"""The first words of the keys of what lies beside the table; those of a hand that a reader opens begin with `_OPEN`."""


class Step(Struct, frozen=True, array_like=True):
    """A step: its words for people who listen, the list of pieces up to each level, and the hands beside them.

    `tiles` are the numbers of the sentences that name every tile, `camera` is the number of a camera.
    """

    words: str
    levels: tuple[int, ...]
    beside: tuple[int, ...]
    tiles: tuple[int, ...]
    camera: int


class Known(Struct, frozen=True, array_like=True):
    """How many pieces and lists of a reel a page has, and their checksum."""

    pieces: int = 0
    lists: int = 0
    sum: int = 0


class Sent(Struct, frozen=True):
    """What a page needs of a reel.

    `pieces` by key and number, for all that share a key are alike; `lists` have pieces from the farthest to the
    nearest; `sentences` name the tiles; `cameras` are zooms and shifts of the building; `after` says what the page has
    already, `known` what it has then; `squares`: there are levels, and a plan.
    """

    width: float
    height: float
    squares: bool
    pieces: list[tuple[str, dict[int, str]]]
    lists: list[tuple[int, ...]]
    steps: list[Step]
    sentences: list[str]
    cameras: list[Camera]
    after: Known
    known: Known


class Reel:
    """The drawing of all steps of a game in one look: each piece, list, sentence and camera once."""

    def __init__(self, film: Film, look: Look) -> None:
        self.film = film
        tables = [Table(film.at(place), film.names) for place in range(len(film.frames))]
        squares = [table for table in tables if table.floor]
        self.look = replace(look, height=look.height - BUTTONS) if squares else look
        self.squares = bool(squares)
        self.stage = stage_of(*squares, look=self.look) if squares else None
        self._levels = list(map(_level, film.things))
        self._pieces: dict[Piece, int] = {}
        self._lists: dict[tuple[int, ...], int] = {}
        self._sentences: dict[str, int] = {}
        self._cameras: dict[Camera, int] = {}
        self._built = 0
        self._lifted: dict[frozenset[int], int] = {}
        self.steps = [self._step(place, table) for place, table in enumerate(tables)]
        self.pieces, self.lists = list(self._pieces), list(self._lists)
        self.sentences, self.cameras = list(self._sentences), list(self._cameras)

    def known(self, pieces: int, lists: int) -> Known:
        """The first pieces and lists, for a page that has them."""
        return Known(pieces, lists, crc32(msgspec.json.encode((self.pieces[:pieces], self.lists[:lists]))))

    def after(self, had: Known) -> Sent:
        """What a page needs that had the beginning of this reel; all of it, if it had something else."""
        begin = had if had == self.known(had.pieces, had.lists) else Known()
        news = sorted((key, n, svg) for n, (key, svg) in enumerate(self.pieces) if n >= begin.pieces)
        pieces = [(key, {n: svg for _, n, svg in group}) for key, group in groupby(news, lambda piece: piece[0])]
        known = self.known(len(self.pieces), len(self.lists))
        lists = self.lists[begin.lists :]
        return Sent(
            self.look.width, self.look.height, self.squares, pieces, lists, self.steps, self.sentences,
            self.cameras, begin, known,
        )  # fmt: skip

    def _step(self, place: int, table: Table) -> Step:
        high = table.high if self.stage else 0
        lower = tuple(self._up_to(level, place, table) for level in range(1, high))
        on_table, beside = self._parts(table, self.look)
        lines = {match[1] for _key, svg in beside if (match := _OPENS.search(svg))}
        keys = [rack.key for rack in racks(table, rows=True) if lines & {rack.key, ALL}]
        opens = [(f"{_OPEN} {key}", opened(table, self.look, key)) for key in keys]
        tiles = tuple(self._sentences.setdefault(words, len(self._sentences)) for words in position(table))
        all_beside = self._numbers([*_apart(beside), *opens])
        return Step(description(table), (*lower, self._listed(on_table)), all_beside, tiles, self._camera(table))

    def _camera(self, table: Table) -> int:
        """The number of the camera of a step: it never comes closer again, when tiles are taken off."""
        self._built = max(self._built, table.high)
        camera: Camera = 1, 0, 0
        if self.stage and self.look.view != "plan":
            zoom, x, y = self.stage.cameras.get(self._built, camera)
            camera = round(zoom, 3), round(x, 1), round(y, 1)
        return self._cameras.setdefault(camera, len(self._cameras))

    def _up_to(self, level: int, place: int, table: Table) -> int:
        """The list without what is above a level: the same as long as nothing comes below it."""
        if self.look.view == "plan":
            return self._listed(self._parts(table, replace(self.look, level=level))[0])
        things = self.film.frames[place]
        with_gains = not table.last or table.last[-1] <= level
        below = frozenset(n for n in things if 0 <= self._levels[n] <= level and (self._levels[n] or with_gains))
        if below not in self._lifted:
            self._lifted[below] = self._listed(self._parts(table, replace(self.look, peel=level))[0])
        return self._lifted[below]

    def _parts(self, table: Table, look: Look) -> tuple[list[Piece], list[Piece]]:
        """The pieces on the table, and the hands beside them."""
        pieces = drawing(table, look, self.stage)
        beside = [piece for piece in pieces if piece[0].partition(" ")[0] in _BESIDE]
        return pieces[: len(pieces) - len(beside)], beside

    def _listed(self, pieces: Iterable[Piece]) -> int:
        return self._lists.setdefault(self._numbers(pieces), len(self._lists))

    def _numbers(self, pieces: Iterable[Piece]) -> tuple[int, ...]:
        return tuple(self._pieces.setdefault(piece, len(self._pieces)) for piece in pieces)


def look_of(shape: str, view: str = "stacked", turn: int = 0) -> Look:
    """How a reel looks.  Raises KeyError for a shape that there is not."""
    width, height = SHAPES[shape]
    return Look(width=width, height=height, top=TOP, view=view, turn=turn, both=True)


def _apart(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces, hands and rows tile by tile: a page moves the tiles that close up, and draws none of them again."""
    for key, svg in pieces:
        heading, *tiles = _LYING.split(svg)
        if not tiles:
            yield key, svg
            continue
        yield key, f"{heading}</g>"
        tiles[-1] = tiles[-1].removesuffix("</g>")
        for tile in tiles:
            yield f"{'-'.join(_HALVES.findall(tile)[:2]) or 'back'} {key}", f"<g>{tile}</g>"


def _level(thing: Thing) -> int:
    """The level of a thing on squares; 0 for points, which belong to the last act, and -1 for all else."""
    match thing:
        case Domino():
            return thing.level
        case Tie():
            return max(thing.level, thing.level2)
        case Last():
            return thing.at[-1]
        case Gain():
            return 0
    return -1
