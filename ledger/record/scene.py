"""The look of a table, as data.

A game produces this data; the terminal and the pages draw it and never ask which game it is.
Its words have a place for each person (see `ledger.record.sentences`).
A scene is a list of areas.  An area is a `Grid` of laid tiles on levels, for games on squares, or a `Row` of
tiles or piles, with a label and an owner.
"""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ledger.record.tiles import Tile

Mark = Literal["last", "covered", "matched", "illegal", "over", "top", "lifted"]
"""The reasons for marking a tile."""


class Laid(Struct, frozen=True, gc=False):
    """A tile that lies on a grid: `at` is the square of its first half, `to` that of its second, (x, y).

    `level` counts from 1; `owner` is a seat, where owners matter.
    """

    tile: Tile
    at: tuple[int, int]
    to: tuple[int, int]
    level: int
    owner: int | None = None
    marks: tuple[Mark, ...] = ()


Spot = tuple[int, int, int]
"""A square of a level: (x, y, level)."""


class Grid(Struct, frozen=True, tag="grid"):
    """Squares: `bounds` is the part to show, (left, top, right, bottom), all inclusive.

    `ties` join each half of the last tile with the equal half that it matched or covered.  `reach` are the squares that
    can come into use, as bounds, of a base that lies anywhere; None where the squares are fixed beforehand.
    """

    title: str
    laid: tuple[Laid, ...]
    bounds: tuple[int, int, int, int]
    ties: tuple[tuple[Spot, Spot], ...] = ()
    reach: tuple[int, int, int, int] | None = None


class Pile(Struct, frozen=True, gc=False):
    """Tiles on top of each other, the topmost last, each with its owner's seat (or None).

    `hidden` counts tiles that nobody has seen.  `label` names the pile (a stack's number).
    """

    label: str
    tiles: tuple[Tile, ...] = ()
    owners: tuple[int | None, ...] = ()
    hidden: int = 0
    marks: tuple[Mark, ...] = ()


class Row(Struct, frozen=True, tag="row"):
    """Piles or single tiles side by side: a layout's line, the pile in the centre, the tiles that a player took."""

    title: str
    piles: tuple[Pile, ...]
    owner: int | None = None


class Hand(Struct, frozen=True, tag="hand"):
    """A player's hand: the known tiles, and the number of unknown ones (None if that is unknown too)."""

    owner: int
    tiles: tuple[Tile, ...]
    unknown: int | None = 0


class Seat(Struct, frozen=True, gc=False):
    """A player as the table shows them: the score so far, whether it is their turn, and a word (contractor)."""

    name: str
    score: int | None
    turn: bool = False
    word: str = ""


class Goal(Struct, frozen=True, gc=False):
    """A contract: a seat's bid, and how much of it is reached, in tiles or points."""

    seat: int
    bid: int
    done: int
    unit: Literal["tiles", "points"] = "tiles"


def hand_title(number: int, planned: int | None = None) -> str:
    """Which hand it is: ``Hand 2``, or ``Hand 2 of 4`` if their number is fixed; empty before the first."""
    if not number:
        return ""
    return f"Hand {number}" if planned is None else f"Hand {number} of {planned}"


class Plan(Struct, frozen=True):
    """What the rules fix beforehand, so that a drawing can keep room for it.

    `rows` are the rows to come, with their titles and the labels of their piles; `hand` is the most tiles of a hand.
    """

    rows: tuple[tuple[str, tuple[str, ...]], ...] = ()
    hand: int = 0


class Scene(Struct, frozen=True):
    """The whole table: the players by seat, the areas from the middle outwards, the hands, and a line of status.

    `goal` is the contract, in a game that has one.  `taken` is what each seat has taken towards it in this hand, in the
    unit of the contract, also when the hand has just ended; it is empty before there is a contract.  `note` says how to
    read the table, in a few words.  `plan` is what the rules fix about later scenes.
    """

    seats: tuple[Seat, ...]
    areas: tuple[Grid | Row, ...]
    hands: tuple[Hand, ...] = ()
    status: str = ""
    goal: Goal | None = None
    taken: tuple[int, ...] = ()
    note: str = ""
    plan: Plan = Plan()


def fill_scene(scene: Scene, fill: Callable[[str], str]) -> Scene:
    """The same table with every sentence, title and label filled in."""

    def of(area: Grid | Row) -> Grid | Row:
        if isinstance(area, Grid):
            return area
        piles = tuple([replace(pile, label=fill(pile.label)) for pile in area.piles])
        return replace(area, title=fill(area.title), piles=piles)

    seats = tuple([replace(seat, word=fill(seat.word)) for seat in scene.seats])
    rows = tuple([(fill(title), tuple(map(fill, labels))) for title, labels in scene.plan.rows])
    plan, areas = replace(scene.plan, rows=rows), tuple(map(of, scene.areas))
    return replace(scene, seats=seats, areas=areas, status=fill(scene.status), note=fill(scene.note), plan=plan)
