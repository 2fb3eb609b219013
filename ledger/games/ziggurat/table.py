"""The table of Ziggurat: what one event does to it."""

from collections.abc import Callable, Mapping
from operator import lt

from msgspec.structs import replace

from ledger.games.ziggurat import state as s
from ledger.games.ziggurat.base import UNKNOWN, Beside, Windows, beside, scoring, windows_with
from ledger.record.events import Aside, Deal, Pass, Place
from ledger.record.grid import LEVEL
from ledger.record.tiles import full, mask, union
from ledger.rules.game import Evolve, by_event
from ledger.rules.shared_clauses import put
from ledger.rules.turns import Following, Turn, after_act, after_pass_in_breach, following, who_holds

# ── Setting up ─────────────────────────────────────────────────────────────────────────────────────────────


# The set is dealt evenly.  A deal that repeats one, or gives the whole hand after a part, is the same deal.
def on_deal(state: s.Ziggurat, event: Deal) -> s.Ziggurat:
    """A player gets the whole hand, or a part of it.  A tile that is in another place counts only for the number."""
    seat = state.rules.seat[event.player]
    tiles, size = mask(event.tiles), state.sizes[seat]
    known, count = known_tiles(state, tiles, seat), hand_size(state, event, tiles)
    dealt = put(not_in_two_hands(state, tiles, seat), seat, state.dealt[seat] | known)
    if count == state.rules.share or (not state.whole >> seat & 1 and (count > size or not event.partial)):
        size = max(count, dealt[seat].bit_count())
    whole = state.whole if event.partial else state.whole | 1 << seat
    return replace(state, dealt=dealt, sizes=put(state.sizes, seat, size), whole=whole)


def on_aside(state: s.Ziggurat, event: Aside) -> s.Ziggurat:
    """Tiles are set aside."""
    tiles = mask(event.tiles)
    aside = state.aside | known_tiles(state, tiles, None)
    return replace(state, aside=aside, dealt=not_in_two_hands(state, tiles, None))


def known_tiles(state: s.Ziggurat, tiles: int, seat: int | None) -> int:
    """Of tiles that go to a seat or aside, the ones that lie nowhere else yet."""
    elsewhere = union(dealt for other, dealt in enumerate(state.dealt) if other != seat)
    aside = 0 if seat is None else state.aside
    return tiles & full(state.rules.largest) & ~(s.lying(state) | aside | elsewhere)


# If a record puts a tile in two places, it is unknown which is right.
def not_in_two_hands(state: s.Ziggurat, tiles: int, seat: int | None) -> tuple[int, ...]:
    """The known tiles of each hand, without these, which now go to a seat, or aside."""
    return tuple([dealt if other == seat else dealt & ~tiles for other, dealt in enumerate(state.dealt)])


def hand_size(state: s.Ziggurat, event: Deal, tiles: int) -> int:
    """How many tiles a hand has after a deal of these tiles and those before it."""
    before = state.dealt[state.rules.seat[event.player]]
    one_in_the_other = not before & ~tiles or not tiles & ~before
    return len(event.tiles) if one_in_the_other and not event.partial else (before | tiles).bit_count()


# ── Playing ────────────────────────────────────────────────────────────────────────────────────────────────


# Nobody may pass; a player who passes anyway may still place a domino.
def on_pass(state: s.Ziggurat, event: Pass) -> s.Ziggurat:
    """The turn goes to the next player, and nothing else changes."""
    turn = next_turn(state, state.rules.seat[event.player], state.placed, after_pass_in_breach)
    return replace(state, turn=turn, latest=None)


def on_place(state: s.Ziggurat, event: Place) -> s.Ziggurat:
    """The domino is on the table, legal or not, known or not."""
    rules, tile, level, seat = state.rules, event.tile, event.level, state.rules.seat[event.player]
    both = one, other = s.squares(event)
    latest = s.placed_as(seat, one, other, tile)
    # The same act written twice is one act.
    if latest == state.latest:
        return state
    here = s.squares_on(state.levels, level)
    # A square in use has no room for another half.
    if one in here or other in here:
        return replace(state, turn=next_turn(state, seat, state.placed), latest=latest)
    known = s.is_known(state, tile)
    first, second = (tile.first, tile.second) if known else (UNKNOWN, UNKNOWN)
    levels = {**state.levels, level: {**here, one: first, other: second}}
    lies, misnamed, windows = state.lies, state.misnamed, state.windows
    if known:
        lies = {**lies, tile.index: both}
    else:
        misnamed = (*misnamed, (one, other, tile.first, tile.second))
    if level == 1:
        windows = windows_with(windows, one, other) or windows
    reached, left, finished = progress(state, levels, windows, level)
    placed = put(state.placed, seat, state.placed[seat] + 1)
    turn = next_turn(state, seat, placed)
    points, unsure = earned(state, event, both, known)
    return replace(
        state,
        ended=turn.seat is None or (finished and ends(rules, levels, reached)),
        levels=levels, lies=lies, misnamed=misnamed, windows=windows, level=reached, left=left, finished=finished,
        turn=turn,
        placed=placed,
        scores=put(state.scores, seat, state.scores[seat] + points) if points else state.scores,
        unsure=put(state.unsure, seat, state.unsure[seat] + unsure) if unsure else state.unsure,
        last=tile.index if known else None,
        latest=latest,
    )  # fmt: skip


def progress(state: s.Ziggurat, levels: s.Levels, windows: Windows, level: int) -> tuple[int, tuple[int, ...], bool]:
    """The `level` reached, the levels `left` below it and `finished`, after a domino was laid on this level."""
    reached, left = state.level, state.left
    if level > reached:
        # Nothing is left to play on a level that is finished.
        reached, left = level, (*left, *range(reached + 1 if state.finished else max(1, reached), level))
    if left:
        left = tuple([low for low in left if s.is_open(levels, windows, state.rules.cut_up, low)])
    return reached, left, reached - 1 not in left and not s.is_open(levels, windows, state.rules.cut_up, reached)


TO_THE_LEFT: Mapping[int, Following] = {seats: (*range(1, seats), 0).__getitem__ for seats in (2, 4)}
"""By the number of seats: a seat → the one to its left."""


# Play passes to the left.  A player who by count has no domino left is skipped, but may act if the counts are wrong.
def next_turn(state: s.Ziggurat, seat: int, placed: tuple[int, ...], after: Callable[..., Turn] = after_act) -> Turn:
    """Whose turn it is after a seat has acted, given the tiles `placed` by each; nobody's when all are placed."""
    by_seats = after(state.turn, seat, TO_THE_LEFT[len(placed)])
    if all(map(lt, placed, state.sizes)):
        return by_seats
    left = who_holds(state.sizes, placed) if sum(placed) < sum(state.sizes) else 0
    turn = after(state.turn, seat, following(left, len(placed)).__getitem__)
    if turn.seat is None:
        return turn
    more = [other for other in (by_seats.seat, *by_seats.also) if other is not None and not turn.allows(other)]
    return Turn(turn.seat, (*turn.also, *more), turn.missed, turn.by) if more else turn


# The game ends when a new level would have exactly one valid place; by a ruling that place is still played.  Only a
# level of one domino gives the next one a single place.
def ends(rules: s.Rules, levels: s.Levels, level: int) -> bool:
    """Whether the game ends now that this level is finished."""
    return s.dominoes(levels, level - 1 if rules.single_played else level) == 1


# ── Scoring ────────────────────────────────────────────────────────────────────────────────────────────────


# Points that depend on an unknown tile count as called.
def earned(state: s.Ziggurat, event: Place, both: tuple[int, int], known: bool) -> tuple[int, int]:
    """The points that a placement on these squares scores, and how many more it may score; see `worth`."""
    sure, most = worth(state, event, both, known)
    if event.points is not None and (most > sure or not known):
        return event.points, 0
    return sure, most - sure


# The base scores the squares that equal a neighbour; a level above scores those that equal what they cover.
def worth(state: s.Ziggurat, event: Place, both: tuple[int, int], known: bool) -> tuple[int, int]:
    """The points that a placement on these squares certainly scores, and the most that it can score.

    `known`: its tile is known.
    """
    rules, level, tile = state.rules, event.level, event.tile
    near, far = neighbours(state.levels, level, *both)
    near_sure, near_most = equal(near, tile.first, known)
    far_sure, far_most = equal(far, tile.second, known)
    return scored(rules, level, near_sure, far_sure), scored(rules, level, near_most, far_most)


def neighbours(levels: s.Levels, level: int, one: int, other: int) -> tuple[Beside, Beside]:
    """The pips that each half of a domino is compared with: those beside it on the base, else the one below it."""
    if level == 1:
        return beside(s.squares_on(levels, 1), one, other)
    below = s.squares_on(levels, level - 1)
    return (below.get(one - LEVEL),), (below.get(other - LEVEL),)


def equal(pips: Beside, half: int, known: bool) -> tuple[int, int]:
    """How many of these pips certainly equal a half, and how many may equal it."""
    if not known:
        return 0, len(pips) - pips.count(None)
    sure = pips.count(half)
    return sure, sure + pips.count(UNKNOWN)


def scored(rules: s.Rules, level: int, near: int, far: int) -> int:
    """The points for a domino whose halves equal `near` and `far` others."""
    if level == 1:
        return scoring(rules.per_match, near) + scoring(rules.per_match, far)
    return (near + far) * factor(rules, level)


# Above the base, one point for each covered square equal to the half that covers it, times the level; the first level
# above the base counts double, or single by a ruling.
def factor(rules: s.Rules, level: int) -> int:
    """What a match counts on a level above the base."""
    return level + rules.first_factor - 2


evolve: Evolve[s.Ziggurat] = by_event({Deal: on_deal, Aside: on_aside, Pass: on_pass, Place: on_place})
"""The table after an act."""
