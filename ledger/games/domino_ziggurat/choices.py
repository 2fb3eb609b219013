"""What can be done at a table of Domino Ziggurat: the legal acts, the draws, what is said then, what can go wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Literal

from msgspec.structs import replace

from ledger.events import Cheats, Correctable, Draw, Lift, Place, Result, Score
from ledger.game import Said
from ledger.games.domino_ziggurat.clauses import TITLES, title_of
from ledger.games.domino_ziggurat.table import HAND, SET, TIERS, DominoZiggurat, covered, legal
from ledger.tiles import TILES, Tile, full, members

WAYS: tuple[Literal["e", "s", "w", "n"], ...] = ("e", "s", "w", "n")


def choices(state: DominoZiggurat) -> Sequence[Correctable]:
    """The legal acts now: first what can be placed, then what can be lifted."""
    if state.ended:
        return ()
    player = state.rules.players[len(state.lies) % len(state.rules.players)]
    tiles = state.lifted if state.rules.at_once and state.lifted else state.hand | state.lifted
    acts: list[Correctable] = [place for place in _placements(player, members(tiles)) if legal(state, place)]
    acts += [Lift(player, TILES[index]) for index, both in state.lies.items() if not covered(state, both)]
    return acts


def _placements(player: str, tiles: Iterable[Tile]) -> Iterator[Place]:
    """Every way to lie on the tiers, legal or not."""
    for tile in tiles:
        for level in TIERS:
            for x in range(level - 1, 7 - level):
                for y in range(level - 1, 7 - level):
                    for way in WAYS:
                        if not tile.double or way in ("e", "s"):
                            yield Place(player, tile, (x, y), way, level)


def chance(state: DominoZiggurat, random: Random) -> Sequence[Correctable]:
    """A draw while the hand has room and the pile has tiles."""
    pile = SET & ~state.drawn
    if state.ended or not pile or state.held >= HAND:
        return ()
    player = state.rules.players[len(state.lies) % len(state.rules.players)]
    return [Draw(player, random.choice(members(pile)))]


def claims(before: DominoZiggurat, act: Correctable, after: DominoZiggurat) -> Said:
    """The cheats, the score and the title when the ziggurat is finished."""
    if not after.ended or before.ended:
        return Said(act)
    players = after.rules.players
    score = Score("game", dict.fromkeys(players, after.cheats))
    return Said(act, (Cheats(after.cheats), score, Result(players, title_of(after))))


def slips(state: DominoZiggurat, random: Random) -> Iterable[Correctable]:
    """Acts and claims out of all that a table could get wrong."""
    player = random.choice(state.rules.players)
    held = members(state.hand | state.lifted) or TILES[:1]
    for tile in (*held, *random.sample(members(SET), 3), random.choice(members(full(8) & ~SET))):
        yield from random.sample(list(_placements(player, [tile])), 60)
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
