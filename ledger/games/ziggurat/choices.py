"""What can happen at a table of Ziggurat: the legal acts, the shuffle, the claims that follow, and slips."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from random import Random

from msgspec.structs import replace

from ledger.games.ziggurat.clauses import scored_by, winners
from ledger.games.ziggurat.state import Ziggurat, in_window, leaves_gap, lying, places, squares_on, touching
from ledger.games.ziggurat.table import evolve, known_tiles
from ledger.record.events import Aside, Correctable, Deal, Event, Pass, Place, Result, Score
from ledger.record.grid import DRAWN, ROW, START, STEPS, WINDOW, column, level_of, row
from ledger.record.tiles import TILES, Tile, full, members, named
from ledger.rules.game import Ending, WithClaims
from ledger.rules.shared_clauses import deal_out


def choices(state: Ziggurat) -> Sequence[Correctable]:
    """The legal acts now: every tile that the player may hold, in every place, turned both ways."""
    if state.ended or state.turn.seat is None:
        return ()
    spots = list(_spots(state))
    return [
        _placed(state.rules.players[seat], tile, one, other)
        for seat in (state.turn.seat, *state.turn.also)
        for tile in members(_may_hold(state, seat))
        for one, other in spots
        for tile in ((tile,) if tile.double else (tile, tile.turned))
    ]


def _placed(player: str, tile: Tile, one: int, other: int) -> Place:
    """A tile laid on a square and the one east or south of it."""
    return Place(player, tile, (column(one), row(one)), "e" if other - one == 1 else "s", level_of(one))


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
    for one, other in _free_pairs(state.windows, base):
        if touching(rules, base, one, other) and in_window(state, one, other) and not leaves_gap(state, one, other):
            yield one, other


def _free_pairs(windows: Sequence[int], base: Collection[int]) -> Iterator[tuple[int, int]]:
    """Every two free squares of the base within the rectangle around all these windows."""
    lefts, tops = [corner % ROW for corner in windows], [corner // ROW for corner in windows]
    for y in range(min(tops), max(tops) + WINDOW):
        for x in range(min(lefts), max(lefts) + WINDOW):
            one = y * ROW + x
            for other in (one + 1, one + ROW):
                if one not in base and other not in base:
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


def position(state: Ziggurat) -> Hashable:
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


def claims(before: Ziggurat, act: Correctable, after: Ziggurat) -> WithClaims:
    """A placement with its points; the totals and the result when the game is over."""
    if isinstance(act, Place) and act.points is None and after.placed is not before.placed:
        act = replace(act, points=scored_by(before, act, after))
    if not after.ended or before.ended:
        return WithClaims(act)
    players = after.rules.players
    totals = Score("game", dict(zip(players, after.scores, strict=True)))
    return WithClaims(act, (totals, Result(tuple(players[seat] for seat in winners(after)))))


def slips(state: Ziggurat, random: Random) -> Iterable[Correctable]:
    """Acts and claims that a table could get wrong."""
    rules = state.rules
    order = list(enumerate(rules.players))
    random.shuffle(order)
    legal = [act for act in choices(state) if isinstance(act, Place)]
    for act in random.sample(legal, min(6, len(legal))):
        yield replace(act, points=scored_by(state, act, evolve(state, act)) + random.choice((-1, 1)))
        yield replace(act, player=order[0][1])
        yield replace(act, tile=random.choice(members(full(rules.largest))))
        yield replace(act, tile=random.choice(TILES))
        for level in (act.level - 1, act.level + 1, act.level + 2):
            yield replace(act, level=max(1, level))
        for x, y in ((0, 1), (1, 0), (0, -1), (-1, 0), (2, 1), (-2, 2), (4, 0)):
            yield replace(act, at=(act.at[0] + x, act.at[1] + y))
            yield replace(act, at=(act.at[0] + x, act.at[1] + y), level=max(1, state.level + 1))
    for tile in members(state.aside):
        for act in legal[:4]:
            yield replace(act, tile=tile)
    whole = members(full(rules.largest) & ~lying(state))
    for _seat, player in order:
        yield Pass(player)
        for wanted in (rules.share - 1, rules.share, rules.share + 1):
            yield Deal(player, tuple(random.sample(whole, min(len(whole), wanted))))
    if state.latest:
        seat, one, other, first, second = state.latest
        yield _placed(rules.players[seat], named(f"{first}-{second}"), one, other)
    off = random.choice((0, 1, 3))
    yield Score("game", {p: n + off for p, n in zip(rules.players, state.scores, strict=True)})
    yield Result((order[0][1],))
    yield Result((order[0][1], order[1][1]))
    if not state.ended and state.last is not None:
        one = state.lies[state.last][0]
        for act in legal[:1]:
            yield replace(act, at=(column(one) + 2 * WINDOW, row(one)), level=1)
        yield Place(order[0][1], TILES[state.last], (column(one), row(one)), "e", level_of(one))
