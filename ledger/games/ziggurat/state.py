"""The state of a game of Ziggurat, and what can be read off it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from ledger.events import Place
from ledger.game import Opening, State
from ledger.games.ziggurat.base import base_squares, beside, bordering, cornering, fillable, spacious, windows
from ledger.grid import LEVEL, ORIGIN, ROW, STEPS, paired, pairs
from ledger.tiles import size


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

    `halves` gives for each square in use the pips on it, `owner` the index of the tile there, `lies` for each tile on
    the table its two squares.  `level` is the highest one reached (0: nothing lies yet), `finished` whether nothing
    can be played on it any more.  By seat: `dealt` tiles, how many were `placed`, the `scores`; `whole` has a bit for
    each hand that is written whole, `aside` are the tiles out of the game.  `turn` is the seat that should act, None
    when no one has a tile left, `last` the tile that was placed last.
    """

    rules: Rules
    halves: dict[int, int] = {}
    owner: dict[int, int] = {}
    lies: dict[int, tuple[int, int]] = {}
    level: int = 0
    finished: bool = False
    turn: int | None
    dealt: tuple[int, ...]
    whole: int = 0
    aside: int = 0
    placed: tuple[int, ...]
    scores: tuple[int, ...]
    last: int | None = None


def start(opening: Opening) -> Ziggurat:
    """The table before the deal."""
    options, players = opening.options, opening.players
    seat = {player: i for i, player in enumerate(players)}
    first = 0 if options["first"] is None else seat[options["first"]]
    none = (0,) * len(players)
    return Ziggurat(
        rules=Rules(
            players=players,
            seat=seat,
            largest=options["set"],
            share=size(options["set"]) // len(players),
            cut_up=options["cut_up"],
            per_match=options["base_scoring"] == "per-match",
            first_factor=options["first_building_level"],
            single_played=options["single_place"] == "played",
            corners=options["touch"] == "corner",
            drawn=options["window"] == "drawn",
            first=first,
        ),
        turn=first,
        dealt=none,
        placed=none,
        scores=none,
    )


# ── Where dominoes lie, and where one may lie ──────────────────────────────────────────────────────────────


def squares(event: Place) -> tuple[int, int]:
    """The two squares of a placement, the first half's first."""
    x, y = event.at
    at = event.level * LEVEL + y * ROW + x + ORIGIN
    return at, at + STEPS[event.dir]


def lying(state: Ziggurat) -> int:
    """The tiles on the table."""
    bits = 0
    for index in state.lies:
        bits |= 1 << index
    return bits


def touching(rules: Rules, halves: Mapping[int, int], one: int, other: int) -> bool:
    """Whether a base domino on these squares touches one that lies there as the rules want it."""
    return bordering(*beside(halves, one, other)) or (rules.corners and cornering(halves, one, other))


def in_window(rules: Rules, base: list[int]) -> bool:
    """Whether a base lies within a window."""
    return bool(windows(rules.drawn, base))


def completable(rules: Rules, base: list[int]) -> bool:
    """Whether a base is as the rules want it: within a window of which the rest can be filled, if it must be."""
    return in_window(rules, base) if rules.cut_up else fillable(rules.drawn, base)


def uncovered(halves: Mapping[int, int], level: int) -> set[int]:
    """The squares of a level above the base on which a half can lie: free ones with a half below."""
    low, high = (level - 1) * LEVEL, level * LEVEL
    return {at + LEVEL for at in halves if low <= at < high and at + LEVEL not in halves}


def places(state: Ziggurat, level: int) -> Iterator[tuple[int, int]]:
    """Every pair of squares on which a domino can lie on a level above the base."""
    return pairs(uncovered(state.halves, level))


# A level is finished when no play is left on it, whether one would score or not.
def is_open(rules: Rules, halves: Mapping[int, int], level: int) -> bool:
    """Whether something can still be played on a level."""
    if level > 1:
        return paired(uncovered(halves, level))
    return not level or spacious(rules.drawn, rules.cut_up, base_squares(halves))


# ── Who holds how many tiles, and whose turn it is ─────────────────────────────────────────────────────────


# Of hands that are not written the record knows by the rules how large they are.
@lru_cache(maxsize=256)
def hand_sizes(dealt: tuple[int, ...], whole: int, share: int) -> tuple[int, ...]:
    """How many tiles each seat was dealt, when the record knows these, and which of the hands are written whole."""
    known = [tiles.bit_count() for tiles in dealt]
    return tuple(tiles if whole >> seat & 1 or tiles > share else share for seat, tiles in enumerate(known))


def sizes(state: Ziggurat) -> tuple[int, ...]:
    """How many tiles each seat was dealt."""
    return hand_sizes(state.dealt, state.whole, state.rules.share)


def holding(state: Ziggurat) -> list[int]:
    """How many tiles each seat still holds."""
    return [max(0, tiles - placed) for tiles, placed in zip(sizes(state), state.placed, strict=True)]


# Play passes to the left, and who has no domino left is passed over.
def following(dealt: Sequence[int], placed: Sequence[int], seat: int) -> int | None:
    """The next seat that still has a tile, when they were dealt and have placed so many; None if nobody has."""
    seats = len(dealt)
    for step in range(seat + 1, seat + 1 + seats):
        after = step % seats
        if placed[after] < dealt[after]:
            return after
    return None


def put(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    """The same values by seat, with another one for one seat."""
    return (*values[:seat], value, *values[seat + 1 :])
