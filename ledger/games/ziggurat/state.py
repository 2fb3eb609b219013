"""The state of a game of Ziggurat, and questions about it."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ledger.games.ziggurat.base import Squares, Windows, borders, cornering, fillable, is_complete, windows_with
from ledger.record.events import Place
from ledger.record.grid import DRAWN, LEVEL, ORIGIN, PLACES, ROW, STEPS, pairs
from ledger.record.tiles import Tile, size
from ledger.rules.game import Opening, State
from ledger.rules.turns import Turn

Levels = Mapping[int, Squares]
"""By level, from 1, the squares in use there with their pips; a level without dominoes is left out."""
NOTHING_LIES: Squares = {}

PlacedAs = tuple[int, int, int, int, int]
"""A placement: the seat, two squares, and the pips on each; the lesser square comes first."""


class Rules(Struct, frozen=True, gc=False):
    """An opening as the game uses it: `share` tiles for each, and the rulings."""

    players: tuple[str, ...]
    seat: dict[str, int]
    largest: int
    share: int
    cut_up: bool
    per_match: bool
    first_factor: int
    single_played: bool
    corners: bool
    drawn: bool
    first: int


class Ziggurat(State, frozen=True, kw_only=True, gc=False):
    """A game.

    The building: `levels` are the squares in use, `lies` has the two squares of each tile on the table.  `misnamed` has
    the unknown dominoes, whose names cannot be right, as two squares and the pips that were written.  `windows` are
    those in which the base may lie (none while nothing limits them).  `level` is the highest level reached (0: none
    yet), `left` are the levels below it that still have a place; `finished`: neither the level reached nor the one
    below it has a place.

    By seat: the tiles that are known to be `dealt`, the `sizes` of the hands, how many were `placed`, the `scores`, and
    the most points that may come on top because of unknown tiles (`unsure`).  `whole` has a bit for each hand that is
    completely written down, `aside` are the tiles out of the game.

    `turn` is whose turn it is, `last` the tile that was placed last, `latest` the last act, if it was a placement.
    """

    rules: Rules
    levels: dict[int, dict[int, int]] = {}
    lies: dict[int, tuple[int, int]] = {}
    misnamed: tuple[tuple[int, int, int, int], ...] = ()
    windows: tuple[int, ...] = ()
    level: int = 0
    left: tuple[int, ...] = ()
    finished: bool = False
    turn: Turn
    dealt: tuple[int, ...]
    sizes: tuple[int, ...]
    whole: int = 0
    aside: int = 0
    placed: tuple[int, ...]
    scores: tuple[int, ...]
    unsure: tuple[int, ...]
    last: int | None = None
    latest: PlacedAs | None = None


def start(opening: Opening) -> Ziggurat:
    """The table before the deal."""
    options, players = opening.options, opening.players
    seat = {player: i for i, player in enumerate(players)}
    first = 0 if options["first"] is None else seat[options["first"]]
    share, none = size(options["set"]) // len(players), (0,) * len(players)
    drawn = options["window"] == "drawn"
    return Ziggurat(
        rules=Rules(
            players=players,
            seat=seat,
            largest=options["set"],
            share=share,
            cut_up=options["cut_up"],
            per_match=options["base_scoring"] == "per-match",
            first_factor=options["first_building_level"],
            single_played=options["single_place"] == "played",
            corners=options["touch"] == "corner",
            drawn=drawn,
            first=first,
        ),
        windows=(DRAWN,) if drawn else (),
        turn=Turn(first),
        dealt=none,
        sizes=(share,) * len(players),
        placed=none,
        scores=none,
        unsure=none,
    )


# ── Where dominoes lie ─────────────────────────────────────────────────────────────────────────────────────


def squares(event: Place) -> tuple[int, int]:
    """The two squares of a placement, the first half's first."""
    x, y = event.at
    at = event.level * LEVEL + y * ROW + x + ORIGIN
    return at, at + STEPS[event.dir]


def squares_on(levels: Levels, level: int) -> Squares:
    """The squares in use on a level."""
    return levels.get(level, NOTHING_LIES)


def lying(state: Ziggurat) -> int:
    """The tiles that are known to lie on the table."""
    bits = 0
    for index in state.lies:
        bits |= 1 << index
    return bits


def is_known(state: Ziggurat, tile: Tile) -> bool:
    """Whether a placed tile can be the one that was named: it is in the set, and not on the table yet."""
    return tile.high <= state.rules.largest and tile.index not in state.lies


def placed_as(seat: int, one: int, other: int, tile: Tile) -> PlacedAs:
    """A placement on these squares in a form that does not depend on how it was written."""
    if one < other:
        return seat, one, other, tile.first, tile.second
    return seat, other, one, tile.second, tile.first


# ── Where a domino may lie: predicates for the clauses and for `choices` ───────────────────────────────────


def touching(rules: Rules, base: Squares, one: int, other: int) -> bool:
    """Whether a base domino on these squares touches another one as the rules demand."""
    return borders(base, one, other) or (rules.corners and cornering(base, one, other))


def in_window(state: Ziggurat, one: int, other: int) -> bool:
    """Whether a base domino on these squares lies in a window that is still allowed."""
    for corner in state.windows:
        if one - corner in PLACES and other - corner in PLACES:
            return True
    return not state.windows


# A gap that was certain before is not reported again.
def leaves_gap(state: Ziggurat, one: int, other: int) -> bool:
    """Whether a base domino on these squares lies in a window, and is the first after which none can be filled."""
    if state.rules.cut_up:
        return False
    base, windows = squares_on(state.levels, 1), windows_with(state.windows, one, other)
    if not windows or fillable(windows, (*base, one, other)):
        return False
    return not base or fillable(state.windows, base)


def places(state: Ziggurat, level: int) -> Iterator[tuple[int, int]]:
    """Every pair of squares on which a domino can lie on a level above the base: free ones with a half below each."""
    here, below = squares_on(state.levels, level), squares_on(state.levels, level - 1)
    return pairs({at + LEVEL for at in below if at + LEVEL not in here})


# A level is finished when no play is left on it, whether one would score or not.
def is_open(levels: Levels, windows: Windows, cut_up: bool, level: int) -> bool:
    """Whether something can still be played on a level."""
    if level == 1:
        return not is_complete(windows, squares_on(levels, 1), cut_up)
    here, below = levels.get(level, NOTHING_LIES), levels.get(level - 1, NOTHING_LIES)
    for at in below:
        above = at + LEVEL
        if above in here:
            continue
        if at + 1 in below and above + 1 not in here:
            return True
        if at + ROW in below and above + ROW not in here:
            return True
    return False


# A level is closed once it is finished and a higher one is begun.
def is_closed(state: Ziggurat, level: int) -> bool:
    """Whether nothing may be played on a level any more."""
    return level < state.level and level not in state.left


def dominoes(levels: Levels, level: int) -> int:
    """How many dominoes lie on a level."""
    return len(squares_on(levels, level)) // 2


# ── Who holds how many tiles, and whose turn it is ─────────────────────────────────────────────────────────


def holding(state: Ziggurat) -> list[int]:
    """How many tiles each seat still holds."""
    return [max(0, tiles - placed) for tiles, placed in zip(state.sizes, state.placed, strict=True)]
