"""What can happen at a table of Build Up: legal acts, the shuffle, the claims that follow."""

from collections.abc import Hashable, Sequence
from operator import add
from random import Random

from ledger.games.build_up.numbers import COVERING, LAYOUT, MOST, PIPS, SET, has_unknown_top, points_on_top
from ledger.games.build_up.state import BuildUp, Hand, all_hands_played, holds, in_hand, known, later_starter, unseen
from ledger.games.build_up.table import next_hand
from ledger.record.events import Aside, Correctable, Deal, Draw, Event, Layout, Pass, Result, Score, Stack
from ledger.record.tiles import Tile, members, union
from ledger.rules.game import Ending
from ledger.rules.shared_clauses import by_player, greatest
from ledger.rules.turns import Turn


def choices(state: BuildUp) -> Sequence[Correctable]:
    """The legal acts now: every tile that the player may hold, on every stack that it fits, or a pass if none fits.

    A ruling lets anybody pass.
    """
    if all_hands_played(state) or (state.phase == "setup" and state.opener is None):
        return ()
    starter = state.opener if state.phase == "setup" else later_starter(state)
    turn = state.hand.turn if state.phase == "play" else Turn(starter)
    table, acts = COVERING[state.rules.equal_on_double], list[Correctable]()
    for seat in range(len(state.rules.players)):
        if not turn.allows(seat) or (state.phase == "play" and not holds(state, seat)):
            continue
        player = state.rules.players[seat]
        sure = state.phase == "play" and known(state, seat) is not None
        plays: list[Correctable] = [
            Stack(player, tile, place)
            for tile in members(_may_hold(state, seat))
            for place, stack in enumerate(state.stacks, 1)
            if tile.bit & table[stack[-1].index]
        ]
        acts += plays
        if state.phase == "play" and (not plays or not sure or state.rules.free):
            acts.append(Pass(player))
    return acts


def _may_hold(state: BuildUp, seat: int) -> int:
    """The tiles that a seat may play: its hand if it is written down, else all unseen tiles of its colour."""
    tiles = known(state, seat) if state.phase == "play" else None
    return unseen(state, seat) & ~state.hand.dealt[seat] | in_hand(state, seat) if tiles is None else tiles


def all_open(state: BuildUp) -> bool:
    """Whether a hand is being played, and every tile of it and on top of the stacks is written down."""
    seats = range(len(state.rules.players))
    if state.phase != "play" or state.others or has_unknown_top(state.stacks):
        return False
    return all(known(state, seat) is not None for seat in seats)


def position(state: BuildUp, seat: int) -> Hashable:
    """All that decides what a seat can still gain: tops that can be covered, hands, whose turn it is, its rivals."""
    held = union(known(state, each) or 0 for each in range(len(state.used)))
    table = COVERING[state.rules.equal_on_double]
    open_ = [(table[top.index] & held, PIPS[top.index], top.owner) for *_below, top in state.stacks]
    tops = sorted([top for top in open_ if top[0]])
    rivals = [points for other, points in enumerate(_scores(state)) if other != seat]
    return tuple(tops), state.used, state.hand.turn, state.hand.passed, tuple([max(rivals) - one for one in rivals])


def ahead(state: BuildUp, seat: int) -> int:
    """How far a seat is ahead of its best rival if the hand ends now: after the last hand in all, else in that hand."""
    scores = _scores(state)
    return scores[seat] - max(scores[other] for other in range(len(scores)) if other != seat)


def _scores(state: BuildUp) -> Sequence[int]:
    last = state.hand.number + 1 >= len(state.rules.hands)
    if state.phase == "over":
        return state.totals if last else state.earned or state.totals
    now = points_on_top(state.stacks, len(state.totals))[0]
    return list(map(add, state.totals, now)) if last and state.rules.cumulative else now


# A tile brings its pips and takes away those of the tile that it covers: no more than its own, unless it is a double.
def reach(state: BuildUp, seat: int) -> tuple[int, int]:
    """How much a seat's lead can shrink and grow, at the most, by the tiles that are still held."""
    tiles = [members(known(state, each) or 0) for each in range(len(state.used))]
    most = [sum(tile.pips + (MOST if tile.double else tile.pips) for tile in held) for held in tiles]
    return most[seat] - sum(most), most[seat]


ENDING = Ending[BuildUp](plays=8, is_open=all_open, key=position, worth=ahead, reach=reach)


def tray(state: BuildUp, kind: type[Event], seat: int) -> Sequence[Tile]:
    """The whole colour for a layout, the tiles not laid out for a draw, the unseen ones for a deal, else the hand."""
    if kind is Layout:
        return members(SET)
    if kind is Draw:
        return members(SET & ~state.laid[seat])
    if kind is Deal:
        return members(unseen(state, seat))
    return members(_may_hold(state, seat))


def chance(state: BuildUp, random: Random) -> Sequence[Correctable]:
    """The layouts, the draws for the first turn round by round, and the hands that are not dealt yet."""
    rules = state.rules
    if state.ended:
        return ()
    if state.phase == "over" or (state.phase == "setup" and state.opener is not None):
        return _deals(state, next_hand(state), random)
    if state.phase == "play":
        return () if state.hand.acted else _deals(state, state.hand, random)
    bare = [seat for seat, laid in enumerate(state.laid) if not laid]
    if bare:
        return [Layout(rules.players[seat], tuple(random.sample(members(SET), LAYOUT))) for seat in bare]
    drew = {seat for seat, _pips in state.round}
    rivals = [seat for seat in range(len(rules.players)) if state.rivals >> seat & 1 and seat not in drew]
    gone = [laid | (drawn if rules.kept else 0) for laid, drawn in zip(state.laid, state.drawn, strict=True)]
    return [Draw(rules.players[seat], random.choice(members(SET & ~gone[seat]))) for seat in rivals]


def _deals(state: BuildUp, hand: Hand, random: Random) -> Sequence[Correctable]:
    """The deals that are missing at the beginning of this hand."""
    rules = state.rules
    if hand.number >= len(rules.hands):
        return ()
    deals = []
    for seat, player in enumerate(rules.players):
        if hand.dealt[seat]:
            continue
        drawn = state.drawn[seat] if hand.number == 0 else 0
        left = members(unseen(state, seat) & ~drawn)
        tiles = random.sample(left, min(len(left), max(0, rules.hands[hand.number] - drawn.bit_count())))
        deals.append(Deal(player, tuple(sorted((*members(drawn), *tiles), key=lambda tile: tile.index))))
    return deals


def claims(before: BuildUp, act: Correctable, after: BuildUp) -> Sequence[Correctable]:
    """An act and what a careful table says when it ends a hand: the leftovers, the scores, in the end the result."""
    over = after.phase == "over" and (before.phase != "over" or before.hand.number != after.hand.number)
    if not over or after.earned is None:
        return (act,)
    players = after.rules.players
    claims_ = [act]
    for seat, player in enumerate(players):
        fresh = after.left[seat] & ~before.left[seat]
        if fresh:
            claims_.append(Aside(members(fresh), player))
    claims_.append(Score("hand", by_player(players, after.earned)))
    claims_.append(Score("game", by_player(players, after.totals)))
    if all_hands_played(after):
        claims_.append(Result(tuple(players[seat] for seat in greatest(after.totals))))
    return claims_
