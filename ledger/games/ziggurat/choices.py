"""What can happen at a table of Ziggurat: the legal acts, the shuffle, the claims that follow."""

from collections.abc import Hashable, Iterator, Sequence
from random import Random

from msgspec.structs import replace

from ledger.games.ziggurat.clauses import scored_by, winners
from ledger.games.ziggurat.state import Ziggurat, in_window, leaves_gap, lying, places, squares_on, touching
from ledger.games.ziggurat.table import known_tiles
from ledger.record.events import Aside, Correctable, Deal, Event, Place, Result, Score
from ledger.record.grid import DRAWN, PLACES, START, STEPS, column, level_of, pairs, row
from ledger.record.tiles import Tile, full, members
from ledger.rules.game import Ending
from ledger.rules.shared_clauses import deal_out


def choices(state: Ziggurat) -> Sequence[Correctable]:
    """The legal acts now: every tile that the player may hold, in every place, turned both ways."""
    if state.ended or state.turn.seat is None:
        return ()
    spots = [((column(one), row(one)), other - one, level_of(one)) for one, other in _spots(state)]
    return [
        Place(state.rules.players[seat], tile, at, "e" if step == 1 else "s", level)
        for seat in (state.turn.seat, *state.turn.also)
        for tile in members(_may_hold(state, seat))
        for at, step, level in spots
        for tile in ((tile,) if tile.double else (tile, tile.turned))
    ]


def _spots(state: Ziggurat) -> Iterator[tuple[int, int]]:
    """Every two squares on which a domino may be laid now; levels that were left too soon come first."""
    for level in (*state.left, state.level + 1 if state.finished else max(1, state.level)):
        yield from places(state, level) if level > 1 else _base_spots(state)


def _base_spots(state: Ziggurat) -> Iterator[tuple[int, int]]:
    base, rules = squares_on(state.levels, 1), state.rules
    if not base:
        first = DRAWN if rules.drawn else START
        yield first, first + STEPS["e"]
        yield first, first + STEPS["s"]
        return
    free = {corner + place for corner in state.windows for place in PLACES} - base.keys()
    for one, other in pairs(dict.fromkeys(sorted(free))):
        if touching(rules, base, one, other) and in_window(state, one, other) and not leaves_gap(state, one, other):
            yield one, other


def _may_hold(state: Ziggurat, seat: int) -> int:
    """The tiles that a seat may still play: its hand if it is written down, else all that nobody else has shown."""
    if state.dealt[seat].bit_count() >= state.sizes[seat]:
        return state.dealt[seat] & ~lying(state)
    return known_tiles(state, full(state.rules.largest), seat)


def all_open(state: Ziggurat) -> bool:
    """Whether two play, and the record knows every domino on the table and in the hands."""
    if state.ended or len(state.sizes) != 2 or state.misnamed or any(state.unsure):
        return False
    return all(tiles.bit_count() >= size for tiles, size in zip(state.dealt, state.sizes, strict=True))


def position(state: Ziggurat, _seat: int) -> Hashable:
    """All that decides how a game goes on: the pips on each square, the tiles that lie, and whose turn it is."""
    pips = frozenset([item for squares in state.levels.values() for item in squares.items()])
    return pips, lying(state), state.windows, state.turn


ENDING = Ending[Ziggurat](
    plays=5,
    is_open=all_open,
    key=position,
    worth=lambda state, seat: state.scores[seat] - state.scores[1 - seat],
)


def tray(state: Ziggurat, kind: type[Event], seat: int) -> Sequence[Tile]:
    """The tiles that a seat may hold, for a placement; those neither dealt nor placed, for a deal or an aside."""
    if kind is Place:
        return members(_may_hold(state, seat))
    return members(known_tiles(state, full(state.rules.largest), None) & ~state.aside)


def chance(state: Ziggurat, random: Random) -> Sequence[Correctable]:
    """The hands that are not dealt yet, before the first domino; then the tiles that are left, which are set aside."""
    rules = state.rules
    if state.level:
        return ()
    tiles = tray(state, Deal, 0)
    waiting = [player for player, dealt in zip(rules.players, state.dealt, strict=True) if not dealt]
    if not waiting:
        return [Aside(tuple(tiles))] if 0 < len(tiles) < len(rules.players) else ()
    return deal_out(waiting, tiles, rules.share, random)


def claims(before: Ziggurat, act: Correctable, after: Ziggurat) -> Sequence[Correctable]:
    """A placement with its points; the totals and the result when the game is over."""
    if isinstance(act, Place) and act.points is None and after.placed is not before.placed:
        act = replace(act, points=scored_by(before, act, after))
    if not after.ended or before.ended:
        return (act,)
    players = after.rules.players
    totals = Score("game", dict(zip(players, after.scores, strict=True)))
    return act, totals, Result(tuple(players[seat] for seat in winners(after)))
