"""The table of Build Up: what one event does to it.

The game has three phases: *setup* (layouts, and the draws for the first turn), *play* of a hand, and *over*, before the
next hand begins.  A hand begins with the first deal, play or (at the very start) pass after that.
"""

from collections.abc import Iterable, Sequence
from operator import add

from msgspec.structs import replace

from ledger.games.build_up import state as s
from ledger.games.build_up.numbers import LAID, SET, UNKNOWN, points_on_top
from ledger.games.build_up.scoring import scores_the_hand, scores_unplayed
from ledger.record.events import ACTS, Aside, Correctable, Deal, Draw, Event, Layout, Pass, Result, Score, Stack
from ledger.record.tiles import mask
from ledger.rules.game import Evolve, by_event
from ledger.rules.shared_clauses import put
from ledger.rules.turns import NOBODY, Turn, after_act, after_pass_in_breach, following, who_holds

# ── Setting up ─────────────────────────────────────────────────────────────────────────────────────────


# Each player lays out six tiles; they begin the stacks, in the order in which they were laid.
def on_layout(state: s.BuildUp, event: Layout) -> s.BuildUp:
    """Each tile begins a stack; one that cannot be there counts as an unknown tile."""
    seat = state.rules.seat[event.player]
    if laid_before(state, event):
        return replace(state, last=None)
    stacks, free = list(state.stacks), SET & ~(state.laid[seat] | state.used[seat])
    for tile in event.tiles:
        stacks.append(LAID[seat][tile.index if tile.bit & free else UNKNOWN])
        free &= ~tile.bit
    laid = SET & ~(free | state.used[seat])
    return replace(state, stacks=tuple(stacks), laid=put(state.laid, seat, laid), last=None)


def laid_before(state: s.BuildUp, event: Layout) -> bool:
    """Whether the same layout was written down before, tile for tile."""
    tiles, laid = mask(event.tiles), state.laid[state.rules.seat[event.player]]
    return bool(tiles) and tiles == laid


# Each player draws a tile.  The player with the most pips plays first; those who tie draw again.  The tile drawn is in
# the first hand; the tiles of a tied draw go back, or stay by a ruling.
def on_draw(state: s.BuildUp, event: Draw) -> s.BuildUp:
    """Counts the draw if the player draws in this round; the last draw of a round decides it."""
    seat, tile = state.rules.seat[event.player], event.tile
    if draws_out_of_round(state, event) or s.done_before(state, event):
        return state
    free = tile.bit & SET & ~(state.laid[seat] | state.used[seat] | (state.drawn[seat] if state.rules.kept else 0))
    drawn = (state.drawn[seat] if state.rules.kept else 0) | free
    draws = {**dict(state.round), seat: tile.pips if free else -1}
    state = replace(state, drawn=put(state.drawn, seat, drawn), round=tuple(draws.items()), last=(seat, tile.index, 0))
    if len(draws) < state.rivals.bit_count():
        return state
    if -1 in draws.values():
        # It is unknown who drew the most, so anybody may begin or draw again.
        return replace(state, round=(), rivals=(1 << len(state.rules.players)) - 1, opener=None)
    best = [drawer for drawer, pips in draws.items() if pips == max(draws.values())]
    rivals = sum(1 << drawer for drawer in best)
    return replace(state, round=(), rivals=rivals, opener=best[0] if len(best) == 1 else None)


def draws_out_of_round(state: s.BuildUp, event: Draw) -> bool:
    """Whether a player draws who did not tie, or who has already drawn in this round."""
    seat = state.rules.seat[event.player]
    return not state.rivals >> seat & 1 or seat in dict(state.round)


# ── A hand begins ──────────────────────────────────────────────────────────────────────────────────────────


def next_hand(state: s.BuildUp) -> s.Hand:
    """The next hand, before anything was dealt or played in it."""
    hands, seats, number = state.rules.hands, len(state.rules.players), state.hand.number + 1
    none, sizes = (0,) * seats, (hands[number] if number < len(hands) else 0,) * seats
    return s.Hand(
        number, sizes, state.used, none, none, turn=Turn(state.opener if number == 0 else s.later_starter(state))
    )


def begin(state: s.BuildUp) -> s.BuildUp:
    """The game at the beginning of its next hand."""
    return replace(state, phase="play", hand=next_hand(state))


# A deal says what a hand holds.  A deal that repeats one of the current hand, or gives the whole hand after a part, is
# the same deal.  Any other begins the next hand once somebody has acted.
def on_deal(state: s.BuildUp, event: Deal) -> s.BuildUp:
    """The tiles are in the player's hand; one that cannot be there leaves room for an unknown tile."""
    if not deals_again(state, event):
        state = begin(finish(state) if state.phase == "play" else state)
    hand, seat, tiles = state.hand, state.rules.seat[event.player], mask(event.tiles)
    if hand.whole >> seat & 1:
        return replace(state, last=None)
    fresh = tiles & SET & ~(state.laid[seat] | hand.out[seat] | (state.left[seat] & ~hand.dealt[seat]))
    dealt = hand.dealt[seat] | fresh
    if not event.partial:
        size = max(len(event.tiles), dealt.bit_count())
        hand = replace(hand, sizes=put(hand.sizes, seat, size), whole=hand.whole | 1 << seat)
    return replace(state, hand=replace(hand, dealt=put(hand.dealt, seat, dealt)), last=None)


def deals_again(state: s.BuildUp, event: Deal) -> bool:
    """Whether a deal belongs to the current hand and does not begin another."""
    if state.phase == "setup":
        return False
    if state.phase == "play" and not state.hand.acted:
        return True
    seat, tiles = state.rules.seat[event.player], mask(event.tiles)
    dealt = state.hand.dealt[seat]
    if dealt:
        return not tiles & ~dealt or not dealt & ~tiles
    return bool(s.played(state, seat)) and not s.played(state, seat) & ~tiles


# ── Playing and passing ────────────────────────────────────────────────────────────────────────────────────


def on_stack(state: s.BuildUp, event: Stack) -> s.BuildUp:
    """The tile is on the stack, and the turn goes on.

    A tile that cannot be there counts as an unknown one.  If there is no such stack, only the turn goes on.
    """
    if s.done_before(state, event):
        return state
    if state.phase != "play":
        state = begin(state)
    seat, tile, place = state.rules.seat[event.player], event.tile, event.stack - 1
    last, plays = (seat, tile.index, event.stack), state.hand.plays
    if not 0 <= place < len(state.stacks):
        return replace(state, hand=take_turn(state, seat, plays), last=last)
    free = SET & ~(state.used[seat] | state.laid[seat])
    put_down = LAID[seat][tile.index if tile.bit & free else UNKNOWN]
    state = replace(
        state,
        stacks=put(state.stacks, place, state.stacks[place] + put_down),
        used=put(state.used, seat, state.used[seat] | tile.bit & free),
        left=put(state.left, seat, state.left[seat] & ~tile.bit) if tile.bit & state.left[seat] else state.left,
        hand=take_turn(state, seat, put(plays, seat, plays[seat] + 1)),
        last=last,
    )
    return finish(state) if s.is_over(state) else state


def on_pass(state: s.BuildUp, event: Pass) -> s.BuildUp:
    """The player has passed, and the turn goes on; the hand is over if nobody is left to play."""
    after = pass_on(state, event)
    return finish(after) if ends_with_pass(state, after) else after


def pass_on(state: s.BuildUp, event: Pass) -> s.BuildUp:
    """The same, but the hand does not end; a pass without tiles or after the hand changes nothing."""
    if state.phase == "setup":
        state = begin(state)
    seat = state.rules.seat[event.player]
    if state.phase == "over" or not s.holds(state, seat):
        return state if state.last is None else replace(state, last=None)
    tiles = s.known(state, seat)
    # If the hand is unknown, a later play may show that the pass was a breach.
    breach = not state.rules.free and (tiles is None or s.one_fits(state, tiles))
    hand = take_turn(state, seat, state.hand.plays, passed=state.hand.passed | 1 << seat, breach=breach)
    return replace(state, hand=hand, last=None)


def ends_with_pass(before: s.BuildUp, after: s.BuildUp) -> bool:
    """Whether a hand is over after a pass."""
    return after.phase == "play" and after.hand is not before.hand and s.is_over(after)


def take_turn(state: s.BuildUp, seat: int, plays: tuple[int, ...], passed: int = 0, *, breach: bool = False) -> s.Hand:
    """The hand after an act of this seat: who acts next, and who has passed since a tile was played.

    `plays` counts the tiles played, by seat, after the act; `breach`: the act is, or may be, a pass in breach.
    """
    hand = state.hand
    follow = following(who_holds(hand.sizes, plays), len(plays)).__getitem__
    turn = (after_pass_in_breach if breach else after_act)(hand.turn, seat, follow)
    first = seat if hand.first is None else hand.first
    return replace(hand, plays=plays, passed=passed, turn=turn, first=first, acted=True)


# ── A hand ends ────────────────────────────────────────────────────────────────────────────────────────────


# Tiles that could not be played are set aside for good.  They are named when the hand is over.
def on_aside(state: s.BuildUp, event: Aside) -> s.BuildUp:
    """The tiles are left over; the current hand is over, unless the record shows that somebody can play."""
    if state.phase == "play" and state.hand.acted and s.can_play(state) is not True:
        state = finish(state)
    if event.player is None:
        return replace(state, last=None)
    seat = state.rules.seat[event.player]
    left = state.left[seat] | mask(event.tiles) & SET & ~(state.used[seat] | state.laid[seat])
    return replace(state, left=put(state.left, seat, left), last=None)


# A claim changes only where the hand ends: a hand that is scored is over.  Points of unknown tiles count as claimed.
def on_score(state: s.BuildUp, event: Score) -> s.BuildUp:
    """The current hand is over if its points are claimed, or are in the totals."""
    if scores_the_hand(state, event):
        state = finish(state)
    elif scores_unplayed(state, event):
        state = begin(state) if state.phase == "setup" else state
        state = replace(state, hand=replace(state.hand, acted=True))
    if not any(state.vague):
        return state
    computed, vague = state.totals, state.vague
    if event.scope == "hand" and state.earned is not None:
        computed, vague = state.earned, points_on_top(state.stacks, len(vague))[1]
    more = list[int]()
    for seat, player in enumerate(state.rules.players):
        difference = event.points.get(player, computed[seat]) - computed[seat]
        more.append(difference if player in event.points and 0 <= difference <= vague[seat] else -1)
    settled = [max(0, difference) for difference in more]
    return replace(
        state,
        earned=None if state.earned is None else tuple(map(add, state.earned, settled)),
        totals=tuple(map(add, state.totals, settled)),
        vague=tuple(
            [max(0, old - now) if new >= 0 else old for old, now, new in zip(state.vague, vague, more, strict=True)]
        ),
    )


# At the end of a hand every player scores the tiles of their colour on top of the stacks.  The stacks stay.
def finish(state: s.BuildUp) -> s.BuildUp:
    """The hand is over: it is scored, and the tiles left in it are set aside."""
    holding, left = s.holders(state), state.left
    if holding:
        left = tuple([aside | ((holding >> seat & 1 and s.known(state, seat)) or 0) for seat, aside in enumerate(left)])
    rules, hand = state.rules, state.hand
    earned, vague = points_on_top(state.stacks, len(left))
    if rules.cumulative:
        vague = tuple(map(add, state.vague, vague)) if any(vague) else state.vague
    return replace(
        state,
        phase="over",
        hand=hand if hand.turn is NOBODY else replace(hand, turn=NOBODY),
        earned=earned,
        totals=tuple(map(add, state.totals, earned)) if rules.cumulative else earned,
        vague=vague,
        left=left,
        ended=hand.number + 1 >= len(rules.hands),
    )


# A hand that the table left too early is over all the same, and counts: `build-up.hand.end` says that it was too early.
def on_result(state: s.BuildUp, _event: Result) -> s.BuildUp:
    """The last hand is over if the winners are called in it."""
    last = state.hand.number + 1 >= len(state.rules.hands)
    return finish(state) if last and state.phase == "play" and state.hand.acted else state


play_on: Evolve[s.BuildUp] = by_event({
    Layout: on_layout, Draw: on_draw, Deal: on_deal, Stack: on_stack, Pass: on_pass, Aside: on_aside, Score: on_score,
    Result: on_result,
})  # fmt: skip
"""The table after one event, if every row of passes ends its hand."""


# ── Rows of passes ─────────────────────────────────────────────────────────────────────────────────────

# If somebody may have been able to play, for example because hands are hidden, only later events show whether a row of
# passes ended the hand.  So the state keeps every way in which the game may have gone: it is itself the way in which
# every row ended its hand, and the `others` are the ways in which some row did not.
#
# - A play rules out each way in which its player had no tile left.
# - A hand's score, a deal or an aside shows where the hand ended: the right way is the one in which it lasted until
#   then.
# - A result shows that the last hand was over.
#
# Source: the clause page of Build Up, on rows of passes; the record format, on where a hand ends.


MOST_WAYS = 8
"""The most ways that a state keeps; real games rarely have more than two."""


def evolve(state: s.BuildUp, event: Correctable) -> s.BuildUp:
    """The game after one event."""
    if not state.others:
        if type(event) is Pass:
            return together(step(state, event))
        return play_on(state, event)
    possible = ways(state)
    if type(event) in (Deal, Aside, Result) or (type(event) is Score and event.scope == "hand"):
        right = right_way(possible, event)
        return state if right is None else play_on(only(right), event)
    after = [new for way in possible if not contradicts(way, event) for new in step(way, event)]
    if after:
        return together(after)
    # The act is possible in no way.  If the game is over in one of them, the act comes after its end.
    for way in possible:
        if s.all_hands_played(way):
            return replace(only(way), past=True)
    return play_on(only(possible[0]), event)


def ways(state: s.BuildUp) -> Sequence[s.BuildUp]:
    """Every way in which the game may have gone, each by itself; the first is the one in which every row ended."""
    return (replace(state, others=()), *state.others)


def step(way: s.BuildUp, event: Correctable) -> Sequence[s.BuildUp]:
    """One way after an event: two ways after the last pass of a row, if somebody may have been able to play."""
    if type(event) is not Pass or way.phase == "over":
        return (play_on(way, event),)
    on = pass_on(way, event)
    if not ends_with_pass(way, on):
        return (on,)
    if way.hand.acted and s.all_passed(s.holders(way), way.hand.passed):
        return (on,)  # this way went on after the row, and another pass shows nothing
    over = finish(on)
    if on.rules.free or not s.holders(on) or s.can_play(on) is False:
        return (over,)
    return (replace(over, ends=way.ends << 1 | 1), replace(on, ends=way.ends << 1))


def contradicts(way: s.BuildUp, event: Correctable) -> bool:
    """Whether an act is impossible in this way: a play by a player without tiles, or after the last hand."""
    if type(event) not in ACTS or type(event) is Pass:
        return False  # passes may be recorded after the end
    if s.all_hands_played(way):
        return True
    if type(event) is not Stack or way.phase != "play":
        return False
    seat = way.rules.seat[event.player]
    return not s.holds(way, seat) and not event.tile.bit & s.in_hand(way, seat)


def right_way(possible: Iterable[s.BuildUp], event: Event) -> s.BuildUp | None:
    """The way in which the hand lasted until an event that says it is over; None if a result fits none."""
    if type(event) is Result:
        possible = [way for way in possible if s.all_hands_played(way)]
    # A row that did not end its hand is a 0 in `ends`: the first such row shows which hand lasted longest.
    return min(possible, key=lambda way: bin(way.ends), default=None)


def together(possible: Sequence[s.BuildUp]) -> s.BuildUp:
    """These ways as one state; if there are several, it is not certain that the game is over."""
    if len(possible) == 1:
        return only(possible[0])
    first, *others = sorted(possible, key=lambda way: bin(way.ends), reverse=True)
    # If there are too many ways, the last ones stay: those in which hands lasted longest.
    others = others[-(MOST_WAYS - 1) :]
    return replace(first, ended=False, others=tuple([replace(way, ended=False) for way in others]))


def only(way: s.BuildUp) -> s.BuildUp:
    """A way that is the only one left."""
    if not way.others and way.ended == s.all_hands_played(way):
        return way
    return replace(way, others=(), ended=s.all_hands_played(way))
