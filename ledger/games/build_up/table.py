"""The table of Build Up: its state, and what an event does to it.

The game is in one of three phases: *setup* (layouts, and the draws for the first turn), *play* of a hand, and *over*,
in which the next hand has not begun.  A hand begins with the first deal, play or (at the very start) pass after that.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import Aside, Correctable, Deal, Draw, Layout, Pass, Score, Stack
from ledger.game import Opening, State
from ledger.tiles import TILES, Tile, full, mask, members, size

LARGEST = 6
SET = full(LARGEST)
LAYOUT = 6
"""How many tiles each player lays out."""


class Rules(Struct, frozen=True, gc=False):
    """An opening as the game uses it: how many tiles each hand has, and the rulings."""

    players: tuple[str, ...]
    seat: dict[str, int]
    hands: tuple[int, ...]
    later_start: str
    blocked: bool
    cumulative: bool
    equal_on_double: bool


class Laid(Struct, frozen=True, gc=False):
    """A tile on a stack: its index, and the seat whose colour it has."""

    index: int
    owner: int


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


# ── What may cover what ────────────────────────────────────────────────────────────────────────────────────


# A non-double covers a non-double of the same or fewer pips, and a double of fewer (or, by a ruling, as many);
# a double covers any non-double, and a double of fewer pips.
def covers(tile: Tile, top: Tile, equal_on_double: bool) -> bool:
    """Whether a tile may be put on another."""
    if tile.double:
        return not top.double or tile.pips > top.pips
    if top.double:
        return tile.pips > top.pips or (equal_on_double and tile.pips == top.pips)
    return tile.pips >= top.pips


@cache
def coverable(equal_on_double: bool) -> tuple[int, ...]:
    """For each tile's index, the mask of the tiles that it may cover."""
    tiles = TILES[: size(LARGEST)]
    return tuple(mask(top for top in tiles if covers(tile, top, equal_on_double)) for tile in tiles)


@cache
def covering(equal_on_double: bool) -> tuple[int, ...]:
    """For each tile's index, the mask of the tiles that may cover it."""
    tiles = TILES[: size(LARGEST)]
    return tuple(mask(tile for tile in tiles if covers(tile, top, equal_on_double)) for top in tiles)


def fitting(state: BuildUp, tiles: int) -> int:
    """Those of these tiles that fit some stack."""
    table, fit = covering(state.rules.equal_on_double), 0
    for stack in state.stacks:
        fit |= table[stack[-1].index]
    return fit & tiles


# ── Who holds what, as far as the record has come ──────────────────────────────────────────────────────────


def usual_size(rules: Rules, hand: Hand) -> int:
    """How many tiles a hand of that number has by the rules."""
    return rules.hands[hand.number] if 0 <= hand.number < len(rules.hands) else 0


def size_of(state: BuildUp, seat: int) -> int:
    """How many tiles a seat holds at the beginning of the hand on the table."""
    hand = state.hand
    return hand.dealt[seat].bit_count() if hand.whole >> seat & 1 else usual_size(state.rules, hand)


def holds(state: BuildUp, seat: int) -> int:
    """How many tiles a seat has left in the hand on the table."""
    return max(0, size_of(state, seat) - state.hand.plays[seat])


def known(state: BuildUp, seat: int) -> int | None:
    """The tiles that a seat holds, if the record has written its whole hand."""
    hand = state.hand
    dealt = hand.dealt[seat]
    if hand.whole >> seat & 1 or dealt.bit_count() >= size_of(state, seat):
        return dealt & ~state.used[seat]
    return None


def holders(state: BuildUp) -> int:
    """A bit for each seat that still holds tiles."""
    return sum([1 << seat for seat in range(len(state.rules.players)) if holds(state, seat)])


def can_play(state: BuildUp) -> bool | None:
    """Whether anybody who holds tiles can play: None where the record does not know."""
    sure: bool | None = False
    rules, hand = state.rules, state.hand
    usual, table = usual_size(rules, hand), covering(rules.equal_on_double)
    for seat, dealt in enumerate(hand.dealt):
        whole, size = hand.whole >> seat & 1, dealt.bit_count()
        if hand.plays[seat] >= (size if whole else usual):
            continue
        if not whole and size < usual:
            sure = None
            continue
        tiles = dealt & ~state.used[seat]
        # The first tile that fits is enough, and mostly it is found at once.
        for stack in state.stacks:
            if tiles & table[stack[-1].index]:
                return True
    return sure


def following(rules: Rules, hand: Hand, plays: tuple[int, ...], seat: int) -> int | None:
    """The next seat that still holds tiles, when so many were played."""
    seats, usual = len(plays), usual_size(rules, hand)
    for step in range(seat + 1, seat + 1 + seats):
        after = step % seats
        if plays[after] < (hand.dealt[after].bit_count() if hand.whole >> after & 1 else usual):
            return after
    return None


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
    new = [tile for tile in dict.fromkeys(event.tiles) if tile.high <= LARGEST and not tile.bit & state.laid[seat]]
    stacks = (*state.stacks, *((Laid(tile.index, seat),) for tile in new))
    return replace(state, stacks=stacks, laid=_with(state.laid, seat, state.laid[seat] | mask(new)))


# The greatest total of pips plays first; those who tie for it draw again.
def _on_draw(state: BuildUp, event: Draw) -> BuildUp:
    seat = state.rules.seat[event.player]
    if not state.rivals >> seat & 1 or any(seat == drawer for drawer, _ in state.round):
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
            state = finish(state)
        state = begin(state)
    hand = state.hand
    dealt = _with(hand.dealt, seat, hand.dealt[seat] | mask(event.tiles))
    whole = hand.whole if event.partial else hand.whole | 1 << seat
    return replace(state, hand=replace(hand, dealt=dealt, whole=whole))


def _on_stack(state: BuildUp, event: Stack) -> BuildUp:
    if state.phase != "play":
        state = begin(state)
    rules, hand, used, stacks = state.rules, state.hand, state.used, state.stacks
    seat = rules.seat[event.player]
    first = hand.first if hand.acted else seat
    tile, place, plays = event.tile, event.stack - 1, hand.plays
    there = 0 <= place < len(stacks) and tile.high <= LARGEST and not tile.bit & (used[seat] | state.laid[seat])
    if there:
        plays = _with(plays, seat, plays[seat] + 1)
        used = _with(used, seat, used[seat] | tile.bit)
        lines = list(stacks)
        lines[place] = (*lines[place], Laid(tile.index, seat))
        stacks = tuple(lines)
    turn = following(rules, hand, plays, seat)
    hand = Hand(hand.number, hand.dealt, plays, hand.whole, 0, turn, first, acted=True)
    if not there:
        return replace(state, hand=hand)
    state = replace(state, stacks=stacks, used=used, hand=hand)
    return finish(state) if _ended(state) else state


# A hand is over when every hand is empty, or when nobody who still holds tiles can play.  Where that cannot be
# known, or by a ruling, it is over when everybody who still holds tiles has passed in a row.
def _ended(state: BuildUp) -> bool:
    if state.rules.blocked:
        playable = can_play(state)
        if playable is not None:
            return not playable
    holding = holders(state)
    return holding & state.hand.passed == holding


def _on_pass(state: BuildUp, event: Pass) -> BuildUp:
    if state.phase == "over":
        return state
    if state.phase == "setup":
        state = begin(state)
    seat = state.rules.seat[event.player]
    if not holds(state, seat):
        return state
    hand = state.hand
    first = hand.first if hand.acted else seat
    turn = following(state.rules, hand, hand.plays, seat)
    state = replace(state, hand=replace(hand, passed=hand.passed | 1 << seat, first=first, acted=True, turn=turn))
    return finish(state) if _ended(state) else state


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
        return finish(state)
    return state


# Each player scores the pips of the tiles of their own colour on top of the stacks; layout tiles count too.
def points_on_top(state: BuildUp) -> tuple[int, ...]:
    """The points of a hand that ends now, by seat."""
    points = [0] * len(state.rules.players)
    for stack in state.stacks:
        top = stack[-1]
        points[top.owner] += TILES[top.index].pips
    return tuple(points)


def finish(state: BuildUp) -> BuildUp:
    """The hand on the table is over: scored, and what is left of it set aside."""
    earned = points_on_top(state)
    rules, hand = state.rules, state.hand
    totals = tuple(map(sum, zip(state.totals, earned, strict=True))) if rules.cumulative else earned
    left = tuple(
        kept | (known(state, seat) or 0) if holds(state, seat) else kept for seat, kept in enumerate(state.left)
    )
    broken = state.broken or (can_play(state) is True and not _all_passed(state))
    ended = hand.number + 1 >= len(rules.hands) and not broken
    return replace(
        state,
        phase="over",
        hand=replace(hand, turn=None),
        earned=earned,
        totals=totals,
        left=left,
        broken=broken,
        ended=ended,
    )


def _all_passed(state: BuildUp) -> bool:
    holding = holders(state)
    return not state.rules.blocked and holding & state.hand.passed == holding


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


def boneyard(state: BuildUp, seat: int) -> int:
    """The tiles of a colour that nobody has seen yet."""
    return SET & ~(state.laid[seat] | state.used[seat] | state.left[seat] | state.hand.dealt[seat])


def describe(index: int) -> str:
    """A tile with its pips, as an argument about a stack needs them: ``5-3 (8 pips)``."""
    tile = TILES[index]
    return f"{tile} ({tile.pips} pips)"


def in_words(bits: int) -> str:
    """Tiles one after the other, for a sentence."""
    return ", ".join(str(tile) for tile in members(bits))
