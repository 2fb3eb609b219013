"""What can happen at a table of Domino Ziggurat: the legal acts, the draws, and the claims."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from random import Random
from typing import NamedTuple

from ledger.games.domino_ziggurat.clauses import title_of
from ledger.games.domino_ziggurat.state import HAND, SET, DominoZiggurat, legal, playable
from ledger.games.domino_ziggurat.table import evolve
from ledger.games.domino_ziggurat.tiers import SPOTS, SQUARES, TIERS, Spot, covered, squares
from ledger.record.events import Cheats, Correctable, Direction, Draw, Event, Lift, Place, Result, Score
from ledger.record.grid import LEVEL, STEPS, square
from ledger.record.tiles import TILES, Tile, members, named

# ── Finished ziggurats, which show where dominoes can go ───────────────────────────────────────────────

Mark = tuple[int, int, int, int]


class Belongs(NamedTuple):
    """The place of a domino in a design: its two squares, the pips on the first, and an act that puts it there.

    `around` are the squares on which it depends whether it can go there: these two, those below and those beside.
    """

    squares: tuple[int, int]
    pips: int
    act: Place
    around: frozenset[int]


class Design(NamedTuple):
    """A finished ziggurat: the places of its tiles by index, the pips by square, and the places as a set."""

    places: Mapping[int, Belongs]
    halves: Mapping[int, int]
    marks: frozenset[Mark]


def mark(index: int, both: tuple[int, int], halves: Mapping[int, int]) -> Mark:
    """A tile as it lies, the same for both ways to write it: index, lesser square, greater, the pips on the lesser."""
    one, other = both
    low, high = both if one < other else (other, one)
    return index, low, high, halves[low]


_LAST = 5
"""The last column and row of the foundation."""

# Finding a finished ziggurat is the puzzle.  These two can be built in nearly any order: one under the reading of
# "adjacent" by which only tops count, one under the other readings.  (If only the same tier counts, no second tier can
# be begun, unless a ruling lets a domino go back there unmatched.)  Turned and mirrored, each gives eight.
_WRITTEN = (
    """
    1: 2-0 0,0s  1-4 1,0e  4-2 3,0e  6-0 5,0s  1-1 1,1e  1-0 3,1s  0-0 4,1s  0-5 0,2s  1-5 1,2s
    1: 3-2 2,2s  0-4 5,2s  0-3 3,3s  1-3 4,3s  1-6 0,4s  5-6 1,4s  2-6 2,4s  4-3 5,4s  6-3 3,5e
    2: 5-2 1,1e  2-2 3,1s  2-1 4,1s  5-4 1,2e  6-6 1,3s  3-3 2,3s  4-6 3,3e  4-4 3,4e
    3: 5-3 2,2e  5-5 2,3e
    """,
    """
    1: 6-0 0,0e  3-5 2,0e  5-5 4,0e  2-0 0,1e  1-0 2,1s  5-1 3,1s  0-5 4,1e  3-3 0,2s  0-3 1,2s
    1: 0-0 4,2s  0-4 5,2s  3-1 2,3s  1-1 3,3s  5-2 0,4s  1-2 1,4s  1-4 4,4e  2-2 2,5e  1-6 4,5e
    2: 2-3 1,1s  3-4 2,1s  6-2 3,1e  5-4 3,2e  4-4 1,3s  4-6 2,3s  3-6 3,3s  4-2 4,3s
    3: 5-6 2,2e  6-6 2,3e
    """,
)
"""Each line is a tier of tiles: the tile, the column and row of its first half, and its direction, east or south."""


_WAYS: Mapping[int, Direction] = {STEPS["e"]: "e", STEPS["s"]: "s", STEPS["w"]: "w", STEPS["n"]: "n"}


@cache
def designs(*, top: bool) -> tuple[Design, ...]:
    """The designs for a table where only the `top` of a column may match, or for the other tables."""
    return tuple(_design(_WRITTEN[0 if top else 1], turn) for turn in range(8))


def _design(text: str, turn: int) -> Design:
    places: dict[int, Belongs] = {}
    halves: dict[int, int] = {}
    for tile, one, other, level in _read(text):
        at, to = _turned(*one, turn), _turned(*other, turn)
        both = square(*at, level), square(*to, level)
        way = _WAYS[both[1] - both[0]]
        below = {under for half in both for under in range(half, 0, -LEVEL)}
        around = frozenset(below | SPOTS[at, way, level].sides.readings.keys())
        places[tile.index] = Belongs(both, tile.first, Place("", tile, at, way, level), around)
        halves |= {both[0]: tile.first, both[1]: tile.second}
    marks = frozenset(mark(index, place.squares, halves) for index, place in places.items())
    return Design(places, halves, marks)


def _read(text: str) -> Iterator[tuple[Tile, tuple[int, int], tuple[int, int], int]]:
    """The dominoes as they are written: tile, the columns and rows of its halves, tier."""
    for line in text.strip().split("\n"):
        level, _, dominoes = line.partition(":")
        words = dominoes.split()
        for name, place in zip(words[::2], words[1::2], strict=True):
            x, y = map(int, place[:-1].split(","))
            yield named(name), (x, y), (x + 1, y) if place[-1] == "e" else (x, y + 1), int(level)


def _turned(x: int, y: int, turn: int) -> tuple[int, int]:
    """A square after `turn` quarter turns; if `turn` is 4 or more, it is mirrored first."""
    if turn >= 4:
        x = _LAST - x
    for _ in range(turn % 4):
        x, y = _LAST - y, x
    return x, y


# ── What may be done ───────────────────────────────────────────────────────────────────────────────────

WAYS: tuple[Direction, ...] = ("e", "s", "w", "n")


def choices(state: DominoZiggurat) -> Sequence[Correctable]:
    """The legal acts now, the sensible ones first: those that lead to the finished ziggurat nearest to this one."""
    if state.ended:
        return ()
    player = state.rules.players[len(state.lies) % len(state.rules.players)]
    tiles = members(_playable(state))
    aim = _nearest(state)
    going = [tile for tile in tiles if _could_go(state, aim, tile)]
    by_sense: list[list[Place | Lift]] = [[] for _ in range(SENSES)]
    usual = {tile.index: by_sense[4 if tile.bit & state.lifted else 2] for tile in tiles}
    for place, both in _places(state, player, tiles):
        index = place.tile.index
        at = aim.places[index].squares
        if (both == at or both == at[::-1]) and _belongs(state, aim, place):
            by_sense[0].append(place)
        else:
            usual[index].append(place)
    for index, both in state.lies.items():
        if not covered(state.halves, both):
            lift = Lift(player, TILES[index])
            by_sense[_sense_to_lift(state, aim, lift, going)].append(lift)
    return [*chain.from_iterable(by_sense)]


SENSES = 6
"""How sensible an act is: from 0, to place a domino where it belongs, to 5, to lift one that lies right."""


def _playable(state: DominoZiggurat) -> int:
    return playable(state.rules, state.hand, state.lifted)


def _nearest(state: DominoZiggurat) -> Design:
    """The design that has most of these dominoes where they lie; at the start, any of them."""
    known = designs(top=state.rules.adjacency == "top")
    first = state.drawn % len(known)
    lying = {mark(index, both, state.halves) for index, both in state.lies.items()}
    return max((*known[first:], *known[:first]), key=lambda aim: len(aim.marks & lying))


def _right(state: DominoZiggurat, aim: Design, index: int) -> bool:
    """Whether a domino lies as in a design."""
    return mark(index, state.lies[index], state.halves) in aim.marks


def _sound(state: DominoZiggurat, aim: Design, both: Iterable[int]) -> bool:
    """Whether everything below these squares is as in a design."""
    here, there = state.halves.get, aim.halves
    for at in both:
        for below in range(at - LEVEL, LEVEL, -LEVEL):
            if here(below) != there[below]:
                return False
    return True


def _belongs(state: DominoZiggurat, aim: Design, act: Place) -> bool:
    """Whether a placement on the squares where a domino belongs lays it as in the design, on what is right below."""
    place, both = aim.places[act.tile.index], squares(act)
    pips = act.tile.first if both == place.squares else act.tile.second
    return pips == place.pips and _sound(state, aim, both)


def _sense_to_lift(state: DominoZiggurat, aim: Design, act: Lift, going: Sequence[Tile]) -> int:
    """How sensible it is to lift a domino, while the tiles in `going` could be placed where they belong.

    If none could, because the halves that they should match are covered, it makes more sense to lift a domino that lies
    right.
    """
    if _right(state, aim, act.tile.index) and _sound(state, aim, aim.places[act.tile.index].squares):
        return 5 if going else 2
    lying = state.lies[act.tile.index]
    bits = playable(state.rules, state.hand, state.lifted | act.tile.bit)
    if any(tile.bit & bits and aim.places[tile.index].around.isdisjoint(lying) for tile in going):
        return 1  # what could go still can, because nothing near it changes
    without = evolve(state, act)
    return 1 if any(_could_go(without, aim, tile) for tile in members(_playable(without))) else 3


def _could_go(state: DominoZiggurat, aim: Design, tile: Tile) -> bool:
    """Whether a domino could be placed where it belongs."""
    act = aim.places[tile.index].act
    return _sound(state, aim, squares(act)) and legal(state, act)


@cache
def _spots() -> tuple[tuple[int, tuple[int, int], Direction, Spot], ...]:
    """Every way to lay a domino on the tiers: level, square and direction, and what is below and beside."""
    return tuple(
        (level, (x, y), way, SPOTS[(x, y), way, level])
        for level in TIERS
        for x in range(level - 1, 7 - level)
        for y in range(level - 1, 7 - level)
        for way in WAYS
        if square(x, y, level) + STEPS[way] in SQUARES
    )


def _places(state: DominoZiggurat, player: str, tiles: Sequence[Tile]) -> Iterator[tuple[Place, tuple[int, int]]]:
    """Each legal way to lay these tiles, with its two squares."""
    for level, at, way, spot in _spots():
        if spot.both[0] in state.halves or spot.both[1] in state.halves:
            continue
        for tile in tiles:
            if not (tile.double and way in ("w", "n")):  # a double lies the same in two directions
                place = Place(player, tile, at, way, level)
                if legal(state, place):
                    yield place, spot.both


def tray(state: DominoZiggurat, kind: type[Event], _seat: int) -> Sequence[Tile]:
    """The pile for a draw, the tiles on the ziggurat for a lift, the open hand and lifted tiles for a placement."""
    if kind is Draw:
        return members(SET & ~state.seen)
    if kind is Lift:
        return [TILES[index] for index in state.lies]
    return members(state.hand | state.lifted)


def chance(state: DominoZiggurat, random: Random) -> Sequence[Correctable]:
    """A draw while the hand has room and the pile has tiles."""
    pile = SET & ~state.seen
    if state.ended or not pile or state.held >= HAND or (state.rules.refill_at_once and not state.refilling):
        return ()
    player = state.rules.players[len(state.lies) % len(state.rules.players)]
    return [Draw(player, random.choice(members(pile)))]


def claims(before: DominoZiggurat, act: Correctable, after: DominoZiggurat) -> Sequence[Correctable]:
    """An act, and the cheats, the score and the title when the ziggurat is finished."""
    if not after.ended or before.ended:
        return (act,)
    players = after.rules.players
    score = Score("game", dict.fromkeys(players, after.cheats))
    return act, Cheats(after.cheats), score, Result(players, title_of(after))
