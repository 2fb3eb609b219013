"""What can happen at a table of Domino Ziggurat: the legal acts, the draws, the claims, and slips."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from random import Random

from msgspec.structs import replace

from ledger.games.domino_ziggurat.clauses import TITLES, title_of
from ledger.games.domino_ziggurat.designs import Design, designs, mark
from ledger.games.domino_ziggurat.state import HAND, SET, DominoZiggurat, legal, playable
from ledger.games.domino_ziggurat.table import evolve
from ledger.games.domino_ziggurat.tiers import SPOTS, TIERS, Spot, covered, fits, on_tier, squares
from ledger.record.events import Cheats, Correctable, Direction, Draw, Event, Lift, Place, Result, Score
from ledger.record.grid import LEVEL, STEPS, square
from ledger.record.tiles import TILES, Tile, full, members
from ledger.rules.game import WithClaims

WAYS: tuple[Direction, ...] = ("e", "s", "w", "n")


def choices(state: DominoZiggurat) -> Sequence[Correctable]:
    """The legal acts now, the sensible ones first: those that lead to the finished ziggurat nearest to this one."""
    if state.ended:
        return ()
    player = state.rules.players[len(state.lies) % len(state.rules.players)]
    tiles = members(_playable(state))
    acts: list[Place | Lift] = [place for place in _free(state, player, tiles) if legal(state, place)]
    acts += [Lift(player, TILES[index]) for index, both in state.lies.items() if not covered(state.halves, both)]
    aim = _nearest(state)
    stuck = not any(_could_go(state, aim, tile) for tile in tiles)
    return sorted(acts, key=lambda act: _sense(state, aim, act, stuck=stuck))


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
    return all(
        state.halves.get(below) == aim.halves[below] for at in both for below in range(at - LEVEL, LEVEL, -LEVEL)
    )


def _sense(state: DominoZiggurat, aim: Design, act: Place | Lift, *, stuck: bool) -> int:
    """How sensible an act is: from 0, to place a domino where it belongs, to 5, to lift one that lies right.

    On a `stuck` table no domino can be placed where it belongs, because the halves that they should match are covered.
    Then it makes more sense to lift a domino that lies right.
    """
    place = aim.places[act.tile.index]
    if isinstance(act, Place):
        both = squares(act)
        halves = dict(zip(both, (act.tile.first, act.tile.second), strict=True))
        belongs = set(both) == set(place.squares) and halves[place.squares[0]] == place.pips
        if belongs and _sound(state, aim, both):
            return 0
        return 4 if act.tile.bit & state.lifted else 2
    if _right(state, aim, act.tile.index) and _sound(state, aim, place.squares):
        return 2 if stuck else 5
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
        if on_tier(square(x, y, level) + STEPS[way])
    )


def _free(state: DominoZiggurat, player: str, tiles: Sequence[Tile]) -> Iterator[Place]:
    """Each way to lay these tiles on free squares, on the foundation or on smaller halves."""
    halves = state.halves
    for level, at, way, spot in _spots():
        if spot.both[0] in halves or spot.both[1] in halves:
            continue
        for tile in tiles:
            if fits(halves, spot, tile) and (not tile.double or way in ("e", "s")):
                yield Place(player, tile, at, way, level)


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


def claims(before: DominoZiggurat, act: Correctable, after: DominoZiggurat) -> WithClaims:
    """The cheats, the score and the title when the ziggurat is finished."""
    if not after.ended or before.ended:
        return WithClaims(act)
    players = after.rules.players
    score = Score("game", dict.fromkeys(players, after.cheats))
    return WithClaims(act, (Cheats(after.cheats), score, Result(players, title_of(after))))


def slips(state: DominoZiggurat, random: Random) -> Iterable[Correctable]:
    """Acts and claims that a table could get wrong."""
    player = random.choice(state.rules.players)
    held = members(state.hand | state.lifted) or TILES[:1]
    for tile in (*held, *random.sample(members(SET), 3), random.choice(members(full(8) & ~SET))):
        for level, at, way, _spot in random.sample(_spots(), 60):
            yield Place(player, tile, at, way, level)
        yield Place(player, tile, (random.choice((-1, 5)), random.randrange(6)), "e", 1)
        yield Place(player, tile, (random.randrange(6), random.randrange(5)), "s", random.choice((2, 3, 4)))
    for tile in random.sample(members(SET), 4):
        yield Lift(player, tile)
        yield Draw(player, tile)
    for legal_act in choices(state)[:3]:
        if isinstance(legal_act, Place):
            yield replace(legal_act, tile=random.choice(members(SET)))
    off = random.choice((0, 1, 2))
    yield Cheats(state.cheats + off)
    yield Score("game", dict.fromkeys(state.rules.players, state.cheats + off))
    yield Result(state.rules.players, random.choice(TITLES))
    yield Result(state.rules.players)
    yield Result(())
