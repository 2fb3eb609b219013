"""The table of Build Up: its state, and what an event does to it.

The game is in one of three phases: *setup* (layouts, and the draws for the first turn), *play* of a hand, and *over*,
in which the next hand has not begun.  A hand begins with the first deal, play or (at the very start) pass after that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import add
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import Aside, Correctable, Deal, Draw, Layout, Pass, Score, Stack
from ledger.game import Opening, State
from ledger.games.build_up.numbers import (
    LAID,
    LARGEST,
    LOOSE,
    SET,
    STRICT,
    Laid,
    covering,
    following,
    having,
    place_for,
    points_on_top,
)
from ledger.tiles import mask


class Rules(Struct, frozen=True, gc=False):
    """An opening as the game uses it: how many tiles each hand has, and the rulings."""

    players: tuple[str, ...]
    seat: dict[str, int]
    hands: tuple[int, ...]
    later_start: str
    blocked: bool
    cumulative: bool
    equal_on_double: bool


class Hand(Struct, frozen=True, gc=False):
    """One hand.  `number` counts from 0 (-1: none has begun).

    `dealt` are the tiles that the record puts in each hand, `whole` has a bit for each seat whose hand is written
    whole; `plays` counts the tiles played by each seat, `passed` has a bit for each seat that passed since.  `turn` is
    the seat that should act (None: nobody knows), `first` the one that began, `acted` whether anybody has.
    """

    number: int
    dealt: tuple[int, ...]
    plays: tuple[int, ...]
    whole: int = 0
    passed: int = 0
    turn: int | None = None
    first: int | None = None
    acted: bool = False


class BuildUp(State, frozen=True, kw_only=True, gc=False):
    """A game.

    By seat: `laid` out tiles, tiles `used` in play, tiles `left` over for good, the tile last `drawn` for the first
    turn (-1: none), the points `earned` in the last hand that is over, and the `totals`.  `round` are the draws of the
    round that is being drawn, `rivals` the seats that draw in it, `opener` who won it.  `broken`: a hand was stopped
    although somebody could play, so the game did not come to its end by the rules.
    """

    rules: Rules
    phase: Literal["setup", "play", "over"] = "setup"
    stacks: tuple[tuple[Laid, ...], ...] = ()
    laid: tuple[int, ...]
    used: tuple[int, ...]
    left: tuple[int, ...]
    drawn: tuple[int, ...]
    round: tuple[tuple[int, int], ...] = ()
    rivals: int
    opener: int | None = None
    hand: Hand
    totals: tuple[int, ...]
    earned: tuple[int, ...] | None = None
    broken: bool = False


def start(opening: Opening) -> BuildUp:
    """The table before the layout."""
    seats = len(opening.players)
    none = (0,) * seats
    options = opening.options
    return BuildUp(
        rules=Rules(
            players=opening.players,
            seat={player: i for i, player in enumerate(opening.players)},
            hands=tuple(options["hands"]),
            later_start=options["later_start"],
            blocked=options["hand_end"] == "blocked",
            cumulative=options["total"] == "cumulative",
            equal_on_double=options["tile_on_double"] == "equal-or-more",
        ),
        laid=none,
        used=none,
        left=none,
        drawn=(-1,) * seats,
        rivals=(1 << seats) - 1,
        hand=Hand(-1, none, none),
        totals=none,
    )


# ── Who holds what, as far as the record has come ──────────────────────────────────────────────────────────


def usual_size(rules: Rules, hand: Hand) -> int:
    """How many tiles a hand of that number has by the rules."""
    return rules.hands[hand.number] if 0 <= hand.number < len(rules.hands) else 0


def size_of(state: BuildUp, seat: int) -> int:
    """How many tiles a seat holds at the beginning of the hand on the table, as it is written or by the rules."""
    hand = state.hand
    return hand.dealt[seat].bit_count() if hand.whole >> seat & 1 else usual_size(state.rules, hand)


def holds(state: BuildUp, seat: int) -> int:
    """How many tiles a seat has left in the hand on the table."""
    return max(0, size_of(state, seat) - state.hand.plays[seat])


def rest(state: BuildUp) -> list[int]:
    """How many tiles each seat has left, or below 0 how many too many it played."""
    return [size_of(state, seat) - played for seat, played in enumerate(state.hand.plays)]


def known(state: BuildUp, seat: int) -> int | None:
    """The tiles that a seat holds, if the record has written its whole hand."""
    hand = state.hand
    dealt = hand.dealt[seat]
    if hand.whole >> seat & 1 or dealt.bit_count() >= size_of(state, seat):
        return dealt & ~state.used[seat]
    return None


def holders(state: BuildUp) -> int:
    """A bit for each seat that still holds tiles."""
    return having(rest(state))


def can_play(state: BuildUp) -> bool | None:
    """Whether anybody who holds tiles can play: None where the record does not know."""
    sure: bool | None = False
    table = covering(state.rules.equal_on_double)
    for seat, played in enumerate(state.hand.plays):
        if played >= size_of(state, seat):
            continue
        tiles = known(state, seat)
        if tiles is None:
            sure = None
        elif place_for(table, state.stacks, (tiles,)):
            return True
    return sure


# ── What an event does ─────────────────────────────────────────────────────────────────────────────────────


def later_starter(state: BuildUp) -> int | None:
    """Who begins the next hand, by the ruling; None where it is whoever did."""
    rule, first = state.rules.later_start, state.hand.first
    if rule in ("winner", "loser"):
        if state.earned is None:
            return None
        pick = max(state.earned) if rule == "winner" else min(state.earned)
        return state.earned.index(pick)
    if first is None or rule == "recorded":
        return None
    return first if rule == "same" else (first + 1) % len(state.rules.players)


def begin(state: BuildUp) -> BuildUp:
    """The next hand, before anything was dealt or played in it."""
    none = (0,) * len(state.rules.players)
    number = state.hand.number + 1
    turn = state.opener if number == 0 else later_starter(state)
    return replace(state, phase="play", hand=Hand(number, none, none, turn=turn))


def _on_layout(state: BuildUp, event: Layout) -> BuildUp:
    seat = state.rules.seat[event.player]
    free, own = SET & ~state.laid[seat], LAID[seat]
    new = [(own[tile.index],) for tile in dict.fromkeys(event.tiles) if tile.bit & free]
    laid = _with(state.laid, seat, state.laid[seat] | (mask(event.tiles) & free))
    return replace(state, stacks=(*state.stacks, *new), laid=laid)


# The greatest total of pips plays first; those who tie for it draw again.
def _on_draw(state: BuildUp, event: Draw) -> BuildUp:
    seat = state.rules.seat[event.player]
    if not state.rivals >> seat & 1 or seat in dict(state.round):
        return state
    drawn = _with(state.drawn, seat, event.tile.index)
    draws = (*state.round, (seat, event.tile.pips))
    if len(draws) < state.rivals.bit_count():
        return replace(state, drawn=drawn, round=draws)
    most = max(pips for _, pips in draws)
    tied = [drawer for drawer, pips in draws if pips == most]
    opener = tied[0] if len(tied) == 1 else None
    return replace(state, drawn=drawn, round=(), rivals=sum(1 << drawer for drawer in tied), opener=opener)


def _on_deal(state: BuildUp, event: Deal) -> BuildUp:
    seat = state.rules.seat[event.player]
    if state.phase != "play" or state.hand.acted or state.hand.dealt[seat]:
        if state.phase == "play":
            state = _stop(state)
        state = begin(state)
    return hand_out(state, (event,), 0)[0]


def hand_out(state: BuildUp, events: Sequence[Correctable], place: int, strictly: bool = False) -> tuple[BuildUp, int]:
    """Deals tiles in the hand on the table: the state afterwards, and the place of the first event that it leaves.

    Strictly, it leaves that at which there is something to be said: all but a whole hand to somebody who has none, of
    the right size, and of tiles that were nowhere else.
    """
    rules, hand = state.rules, state.hand
    dealt, whole, usual = list(hand.dealt), hand.whole, usual_size(rules, hand)
    for behind in range(place, len(events)):
        event = events[behind]
        if type(event) is not Deal:
            break
        seat, tiles = rules.seat[event.player], mask(event.tiles)
        if strictly and (dealt[seat] or event.partial or not usual == len(event.tiles) == tiles.bit_count()):
            break
        drawn = state.drawn[seat] if hand.number == 0 else -1
        if strictly and (tiles & ~unseen(state, seat) or (drawn >= 0 and not tiles >> drawn & 1)):
            break
        dealt[seat] |= tiles
        if not event.partial:
            whole |= 1 << seat
    else:
        behind = len(events)
    return replace(state, hand=replace(hand, dealt=tuple(dealt), whole=whole)), behind


def _on_stack(state: BuildUp, event: Stack) -> BuildUp:
    if state.phase != "play":
        state = begin(state)
    after, _ = act(state, (event,), 0)
    return finish(after) if after.used is not state.used and _ended(after) else after


def _on_pass(state: BuildUp, event: Pass) -> BuildUp:
    if state.phase == "over":
        return state
    if state.phase == "setup":
        state = begin(state)
    if not holds(state, state.rules.seat[event.player]):
        return state
    after, _ = act(state, (event,), 0)
    return finish(after) if _ended(after) else after


# A player puts a tile on a stack, or passes; then it is the turn of the next seat that still holds tiles.
def act(state: BuildUp, events: Sequence[Correctable], place: int, *, strictly: bool = False) -> tuple[BuildUp, int]:
    """Lays tiles and passes while a hand goes on: the state afterwards, and the place of the first event it leaves.

    Strictly, it leaves that at which there is something to be said, as far as it can tell: what is out of turn or not
    out of a hand that is written; a tile that not every reading lets cover the one below; a pass with a tile that fits
    by any; and that after which the hand may be over.
    """
    rules, hand, stacks, used = state.rules, state.hand, list(state.stacks), list(state.used)
    seats, number, plays, passed, turn = rules.seat, rest(state), list(hand.plays), hand.passed, hand.turn
    left, count, latest, earlier = having(number), len(stacks), None, 0
    after = following(left, len(used))
    held = [written(state, seat) for seat in range(len(used))] if strictly else [0] * len(used)
    for behind in range(place, len(events)):
        event = events[behind]
        if type(event) is Stack:
            seat, tile, where = seats[event.player], event.tile, event.stack - 1
            bit, there = tile.bit, 0 <= where < count
            if not strictly:
                there = there and tile.high <= LARGEST and not bit & (used[seat] | state.laid[seat])
            elif seat != turn or not there or not bit & held[seat] & STRICT[stacks[where][-1].index]:
                break
            if there:
                stacks[where] += (LAID[seat][tile.index],)
                used[seat] |= bit
                held[seat] &= ~bit
                plays[seat] += 1
                number[seat] -= 1
                if number[seat] <= 0:
                    left &= ~(1 << seat)
                    after = following(left, len(used))
            latest, earlier, passed = event, passed, 0
        elif type(event) is Pass and (
            not strictly
            or (
                (seats[event.player] == turn and held[turn] and not place_for(LOOSE, stacks, (held[turn],)))
                and (place_for(STRICT, stacks, held) if rules.blocked else left & ~(passed | 1 << turn))
            )
        ):
            seat = seats[event.player]
            passed |= 1 << seat
        else:
            break
        turn = after[seat]
    else:
        behind = len(events)
    # Each tile but the last was followed by an act that shows that the hand went on.  Where it is over with the last,
    # nothing is to be said of that if no tiles are left and another hand is to come.
    over = strictly and behind > place and not (place_for(STRICT, stacks, held) if rules.blocked else left)
    if over and latest and (left or hand.number + 1 >= len(rules.hands)):
        behind, turn, where, bit, passed = behind - 1, seats[latest.player], latest.stack - 1, latest.tile.bit, earlier
        stacks[where], used[turn], plays[turn] = stacks[where][:-1], used[turn] ^ bit, plays[turn] - 1
    laid, first = tuple(plays), hand.first if hand.acted else hand.turn if strictly else seat
    hand = Hand(hand.number, hand.dealt, laid, hand.whole, passed, turn, first, acted=True)
    if laid == state.hand.plays:
        return replace(state, hand=hand), behind
    return replace(state, stacks=tuple(stacks), used=tuple(used), hand=hand), behind


def written(state: BuildUp, seat: int) -> int:
    """The tiles of a seat whose hand the record has written whole; none where it does not agree with the play."""
    hand = state.hand
    dealt = hand.dealt[seat]
    tiles = dealt & ~state.used[seat]
    if not hand.whole >> seat & 1 or dealt & (state.laid[seat] | state.left[seat]):
        return 0
    return tiles if tiles.bit_count() == dealt.bit_count() - hand.plays[seat] else 0


# A hand is over when every hand is empty, or when nobody who still holds tiles can play.  Where that cannot be
# known, or by a ruling, it is over when everybody who still holds tiles has passed in a row.
def _ended(state: BuildUp) -> bool:
    playable = can_play(state) if state.rules.blocked else None
    if playable is not None:
        return not playable
    return all_passed(holders(state), state.hand.passed)


def all_passed(holding: int, passed: int) -> bool:
    """Whether all of these seats have passed."""
    return not holding & ~passed


# Tiles that could not be played are set aside for good.  They are named when the hand is over.
def _on_aside(state: BuildUp, event: Aside) -> BuildUp:
    if state.phase == "play" and state.hand.acted and can_play(state) is not True:
        state = finish(state)
    if event.player is None:
        return state
    seat = state.rules.seat[event.player]
    bits = mask(event.tiles) & ~state.used[seat]
    return replace(state, left=_with(state.left, seat, state.left[seat] | bits))


def _on_score(state: BuildUp, event: Score) -> BuildUp:
    # A claim changes nothing but where the hand ends: who scores it says that it is over.
    if event.scope == "hand" and state.phase == "play" and state.hand.acted:
        return _stop(state)
    return state


def finish(state: BuildUp, *, early: bool = False) -> BuildUp:
    """The hand on the table is over: scored, and what is left of it set aside.  Early: though somebody could play."""
    earned = points_on_top(state.stacks, len(state.used))
    rules, hand = state.rules, state.hand
    totals = tuple(map(add, state.totals, earned)) if rules.cumulative else earned
    left = list(state.left)
    for seat, number in enumerate(rest(state)):
        if number > 0:
            left[seat] |= known(state, seat) or 0
    broken = state.broken or early
    ended = hand.number + 1 >= len(rules.hands) and not broken
    return replace(
        state,
        phase="over",
        hand=replace(hand, turn=None),
        earned=earned,
        totals=totals,
        left=tuple(left),
        broken=broken,
        ended=ended,
    )


def _stop(state: BuildUp) -> BuildUp:
    """The hand on the table is said to be over, whether it is or not."""
    passed = not state.rules.blocked and all_passed(holders(state), state.hand.passed)
    return finish(state, early=can_play(state) is True and not passed)


def _with(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


_EVOLVE: Mapping[type, Any] = {
    Layout: _on_layout, Draw: _on_draw, Deal: _on_deal, Stack: _on_stack, Pass: _on_pass, Aside: _on_aside,
    Score: _on_score,
}  # fmt: skip


def evolve(state: BuildUp, event: Correctable) -> BuildUp:
    """The table after an act."""
    on = _EVOLVE.get(type(event))
    after: BuildUp = on(state, event) if on else state
    return after


def unseen(state: BuildUp, seat: int) -> int:
    """The tiles of a colour that may yet be dealt."""
    return SET & ~(state.laid[seat] | state.used[seat] | state.left[seat])
