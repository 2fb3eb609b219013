"""The things on the table, as plain data for the drawing.

A `Thing` is one fact that holds at some steps: a tile that lies somewhere, a pile, a hand.  Things are written as short
JSON arrays whose first element names their kind.  Between two steps only a few come or go.
"""

from msgspec import Struct


class Floor(Struct, frozen=True, array_like=True, tag="floor", gc=False):
    """The squares that are drawn, inclusive, and the names of columns (from the left) and rows (from the top)."""

    left: int
    top: int
    right: int
    bottom: int
    columns: tuple[str, ...]
    rows: tuple[str, ...]


class Sky(Struct, frozen=True, array_like=True, tag="sky", gc=False):
    """How high each column gets while the building has its current number of levels: (x, y, level).

    The drawing is fitted to this, so its scale changes with a level and never with a move.
    """

    columns: tuple[tuple[int, int, int], ...]


class Domino(Struct, frozen=True, array_like=True, tag="tile", gc=False):
    """A tile on the squares: its first half lies on (x, y), its second on (x + dx, y + dy).

    `mark` is the worst verdict against the act that laid it, or empty.
    """

    tile: str
    x: int
    y: int
    dx: int
    dy: int
    level: int
    mark: str = ""


class Tie(Struct, frozen=True, array_like=True, tag="tie", gc=False):
    """Two equal halves that match, side by side or one on the other: the square and level of each."""

    x: int
    y: int
    level: int
    x2: int
    y2: int
    level2: int


class Line(Struct, frozen=True, array_like=True, tag="row", gc=False):
    """A row of piles: its number, its title, and the places that it is drawn with.

    `numbered`: its piles are stacks with numbers; `owned`: each belongs to a player; `labelled`: they have labels;
    `high`: the tiles of its highest pile at any step.
    """

    row: int
    title: str
    places: int
    numbered: bool = False
    owned: bool = False
    labelled: bool = False
    high: int = 1


class Heap(Struct, frozen=True, array_like=True, tag="pile", gc=False):
    """A pile at a place of a row: its label, its tiles in number, the topmost known ones (the top last), its owner."""

    row: int
    place: int
    label: str
    count: int
    tiles: tuple[str, ...]
    owners: tuple[int | None, ...]
    mark: str = ""


class Held(Struct, frozen=True, array_like=True, tag="hand", gc=False):
    """A hand: its owner's seat, the known tiles, the number of unknown ones (None if that is unknown)."""

    owner: int
    tiles: tuple[str, ...]
    unknown: int | None


class Room(Struct, frozen=True, array_like=True, tag="room", gc=False):
    """What any step of the game has beside squares, so that drawings leave room for it and nothing moves.

    The number of tiles in the largest hand, the rows, and whether there are headings and contracts.
    """

    tiles: int
    lines: tuple[Line, ...] = ()
    headed: bool = False
    bids: bool = False


def reached(done: int, bid: int, unit: str) -> str:
    """How much of a contract is reached: ``5 of 29 taken``; of more than was bid, ``31 taken``."""
    return f"{done} {f'of {bid} ' * (done <= bid)}{'points' if unit == 'points' else 'taken'}"


class Contract(Struct, frozen=True, array_like=True, tag="goal", gc=False):
    """A seat's bid, how much of it is reached, and the unit."""

    seat: int
    bid: int
    done: int
    unit: str


class Heading(Struct, frozen=True, array_like=True, tag="heading", gc=False):
    """Which hand is on the table, in a game of several: ``Hand 2 of 4``; and how to read the table, in a few words."""

    words: str
    note: str = ""


class Last(Struct, frozen=True, array_like=True, tag="last", gc=False):
    """Where the last act was: (x, y, level) of a tile, or (row, place) of a pile."""

    at: tuple[int, ...]


class Gain(Struct, frozen=True, array_like=True, tag="gain", gc=False):
    """Points beside the last act; struck if the table counted them and the rules do not."""

    text: str
    struck: bool


class Outcome(Struct, frozen=True, array_like=True, tag="outcome", gc=False):
    """The winner and the margin, for an end without open tiles, and for each hand a few words and all points.

    After a hand that is not the last, the words are how its contract ended, and whose it was.
    """

    words: str
    margin: str
    hands: tuple[tuple[str, tuple[int, ...]], ...] = ()


Thing = Floor | Sky | Domino | Tie | Line | Heap | Held | Room | Contract | Heading | Last | Gain | Outcome
