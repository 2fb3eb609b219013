"""The clauses of Build Up."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

from msgspec.structs import replace

from ledger.games.build_up import state as s
from ledger.games.build_up.hands import BySeat, says_end
from ledger.games.build_up.numbers import COVERING, LARGEST, LAYOUT, MOST, UNKNOWN, stack_for
from ledger.games.build_up.scoring import mistakable
from ledger.games.build_up.table import deals_again, draws_out_of_round, laid_before
from ledger.record.events import ACTS, Aside, Deal, Draw, Event, Layout, Pass, Result, Score, Stack
from ledger.record.sentences import PLAYER
from ledger.record.tiles import TILES, Tile, mask, members, names
from ledger.record.words import plural
from ledger.rules import shared_clauses
from ledger.rules.evidence import Evidence
from ledger.rules.game import Clause, Fault, clause, in_order
from ledger.rules.shared_clauses import NOTHING, Faults
from ledger.rules.turns import Turn


# A tile that is used after a play, and was not before, was free and lies on a stack.  Such a play is possible.  If it
# was also that player's turn, with a tile left to play, these clauses find nothing wrong.
def may_be_irregular(before: s.BuildUp, event: Event, after: s.BuildUp) -> bool:
    """Whether an act is anything but a free tile, put on a stack by a player whose turn it was and who held one.

    In the first hand this is also true of its first act, and of each play while the tile drawn is still in that hand.
    """
    if type(event) is not Stack or after.used == before.used or before.phase != "play":
        return True
    hand, seat = before.hand, before.rules.seat[event.player]
    if hand.turn.seat != seat or hand.plays[seat] == hand.sizes[seat] or event.tile.bit & before.left[seat]:
        return True
    return hand.number == 0 and (not hand.acted or bool(before.drawn[seat] & ~after.used[seat]))


# ── The layout and the first hand ──────────────────────────────────────────────────────────────────────────


@clause("build-up.setup.layout", "Each player lays out six tiles, which become the first stacks.", Layout)
def layout(before: s.BuildUp, event: Layout, _after: s.BuildUp, _evidence: object) -> Faults:
    seat = before.rules.seat[event.player]
    count = len(event.tiles) + sum([pile[0].owner == seat for pile in before.stacks])
    if count == LAYOUT:
        return NOTHING
    return [Fault(f"{PLAYER} lays out {plural(count, 'tile')}, not {LAYOUT}", LAYOUT, count)]


@clause(
    "build-up.setup.first",
    "The player who draws the most pips plays first in the first hand (players who tie draw again), "
    "and the tile last drawn is one of that hand's six, or every tile drawn, where the table plays so.",
    Draw, Deal, Stack, Pass, when=may_be_irregular,
)  # fmt: skip
def first(before: s.BuildUp, event: Draw | Deal | Stack | Pass, after: s.BuildUp, _evidence: object) -> Faults:
    if type(event) is Draw:
        if not draws_out_of_round(before, event):
            return NOTHING
        return [Fault("{player} draws again without having tied")]
    if after.hand.number != 0:
        return NOTHING
    seat = before.rules.seat[event.player]
    if type(event) is Deal:
        again = before.hand.whole >> seat & 1
        missing = 0 if event.partial or again else before.drawn[seat] & ~mask(event.tiles)
        return _without_the_drawn(missing) if missing else NOTHING
    faults = []
    opener = before.opener
    if opener is not None and not before.hand.acted and opener != seat:
        starter = before.rules.players[opener]
        faults.append(Fault("{expected} drew the most pips and plays first, not {player}", starter, event.player))
    if (
        opener is None
        and not (before.hand.acted or before.round)
        and all(drawn for seat_, drawn in enumerate(before.drawn) if before.rivals >> seat_ & 1)
    ):
        faults.append(Fault("The draw was a tie, and nobody drew again: {player} begins", verdict="note"))
    if type(event) is Stack and before.drawn[seat] & ~after.used[seat] and not s.complete(after, seat):
        missing = before.drawn[seat] & ~after.used[seat]
        # A misnamed tile may have been the one drawn.
        unknown = after.hand.plays[seat] - s.played(after, seat).bit_count()
        if after.hand.plays[seat] == after.hand.sizes[seat] and missing.bit_count() > unknown:
            faults.extend(_without_the_drawn(missing))
    return faults


def _without_the_drawn(missing: int) -> Faults:
    tiles, verb = names(missing), "is" if missing.bit_count() == 1 else "are"
    return [Fault(f"The {tiles} that {PLAYER} drew {verb} not among the tiles of the first hand", tiles)]


# ── What is impossible at any table ────────────────────────────────────────────────────────────────────────

WITH_TILES = (Layout, Draw, Deal, Stack, Aside)


in_set: Clause[s.BuildUp] = shared_clauses.in_set(WITH_TILES, lambda _state: LARGEST, may_be_irregular)


# The same act written twice in a row is one act.
@clause("tiles.once", "No tile is in two places.", *WITH_TILES, verdict="impossible", when=may_be_irregular)
def once(before: s.BuildUp, event: Any, _after: s.BuildUp, evidence: object) -> Faults:
    if event.player is None:
        return NOTHING
    if isinstance(evidence, int) and evidence & ~(before.used[before.rules.seat[event.player]]):
        again = names(evidence)
        return [Fault(f"{PLAYER}'s {again} was dealt in an earlier hand", claimed=again)]
    seat = before.rules.seat[event.player]
    seen = before.laid[seat] | before.used[seat] | before.left[seat] | before.drawn[seat]
    if type(event) in (Stack, Draw):
        if s.done_before(before, event):
            return [Fault(f"The {event.tile} was recorded twice in a row", claimed=str(event.tile))]
        if not event.tile.bit & seen:
            return NOTHING
    tiles = shared_clauses.touches(event)
    bits = mask(tiles)
    if not bits & seen and len(tiles) == bits.bit_count():
        return NOTHING
    if type(event) is Layout and laid_before(before, event):
        return [Fault("{player}'s layout was recorded twice", claimed=names(bits))]
    reasons = []
    for taken, place in elsewhere(before, event):
        if bits & taken:
            written = {tile.index: str(tile) for tile in tiles if tile.bit & bits & taken}
            reasons.append(f"{PLAYER}'s {', '.join(written.values())} {place}")
            bits &= ~taken
    if len(tiles) > mask(tiles).bit_count():
        twice = [tile for number, tile in enumerate(tiles) if tile.bit & mask(tiles[:number])]
        reasons.append(f"{PLAYER}'s {names(mask(twice))} is listed twice")
    return [Fault("; ".join(reasons), claimed=names(mask(tiles)))] if reasons else NOTHING


def elsewhere(before: s.BuildUp, event: Layout | Draw | Deal | Stack | Aside) -> Sequence[tuple[int, str]]:
    """The tiles of the player's colour that are already in another place, with the words for that place."""
    assert event.player is not None  # noqa: S101  whose tiles they are is known
    seat = before.rules.seat[event.player]
    laid, used, left = before.laid[seat], before.used[seat], before.left[seat]
    if type(event) is Draw and before.rules.kept:
        return (laid, "is in the layout"), (used, "is on a stack already"), (before.drawn[seat], "was drawn already")
    if type(event) is not Deal:
        return (laid, "is in the layout"), (used, "is on a stack already")
    if deals_again(before, event):
        used, left = used & ~s.played(before, seat), left & ~before.hand.dealt[seat]
    return (laid, "is in the layout"), (used, "is on a stack already"), (left, "was set aside")


@clause(
    "build-up.stack",
    "A tile is put on one of the stacks of the layout.",
    Stack,
    verdict="impossible",
    when=may_be_irregular,
)
def stack(before: s.BuildUp, event: Stack, _after: s.BuildUp, _evidence: object) -> Faults:
    count = len(before.stacks)
    if 1 <= event.stack <= count:
        return NOTHING
    there_are = f"only 1 to {count}" if count else "because no layout is recorded yet"
    return [Fault(f"There is no stack {event.stack}, {there_are}", f"1 to {count}", event.stack)]


# Nothing is played after the game has ended.  Passes and leftovers may still be recorded: they belong to the last hand.
after_end = shared_clauses.after_end([act for act in ACTS if act not in (Pass, Aside)])


# ── The end of a hand, and taking turns ────────────────────────────────────────────────────────────────────


STOPPED = {Score: "The hand is scored", Deal: "The next hand is dealt", Result: "A result was called"}


# If everybody has passed, each pass is judged by itself.
@clause(
    "build-up.hand.end",
    "A hand ends when every hand is empty, or when nobody who still holds tiles can play.",
    Score, Deal, Result, proved=True,
)  # fmt: skip
def hand_end(
    before: s.BuildUp, event: Score | Deal | Result, after: s.BuildUp, evidence: BySeat | int | None
) -> Faults:
    if before.earned is None and before.hand.first is None:
        early = type(event) is Score and event.scope == "hand" and not before.hand.acted
        return [Fault("A hand is scored before any was played")] if early else NOTHING
    holding = s.holders(before)
    if not says_end(event, before) or (type(event) is Deal and after.hand.number == before.hand.number):
        return NOTHING
    if s.all_passed(holding, before.hand.passed) or (type(event) is Result and not _is_last(before)):
        return NOTHING
    if isinstance(evidence, int):
        evidence = None
    stopped, doubt, fits = STOPPED[type(event)], False, s.fits_somewhere(before)
    for seat, player in enumerate(before.rules.players):
        hand = (evidence or {}).get(seat)
        if hand is None or not holding >> seat & 1:
            continue
        if hand.known & fits:
            tile, number = _a_play(before, hand.known & fits)
            message = f"{stopped}, but {PLAYER} holds the {tile}, which fits stack {number}"
            return [Fault(message, f"{player} plays", player=player)]
        if hand.some(fits):
            message = f"{stopped}, but {PLAYER} can play: whatever {PLAYER} holds, a tile fits"
            return [Fault(message, f"{player} plays", player=player)]
        doubt = doubt or not hand.none(fits)
    message = f"{stopped}, but the record does not show whether anybody could play"
    return [Fault(message, verdict="unproven")] if doubt else NOTHING


def _is_last(state: s.BuildUp) -> bool:
    return state.hand.number + 1 >= len(state.rules.hands)


@clause("build-up.hand.size", "The hands have 6, 6, 6 and 4 tiles, or as the ruling says.", Deal, Stack,
        when=may_be_irregular)  # fmt: skip
def hand_size(before: s.BuildUp, event: Deal | Stack, after: s.BuildUp, _evidence: object) -> Faults:
    seat = before.rules.seat[event.player]
    if type(event) is Deal:
        return _deal_size(before, event, after, seat)
    size = before.hand.sizes[seat]
    # If the hand is known, a tile that is not in it was not held; and one tile too many is reported once.
    if before.hand.plays[seat] != size or before.phase != "play" or s.complete(before, seat):
        return NOTHING
    return [Fault(f"{PLAYER} has played all {size} tiles of this hand already", size, size + 1)]


def _deal_size(before: s.BuildUp, event: Deal, after: s.BuildUp, seat: int) -> Faults:
    number, hands = after.hand.number, before.rules.hands
    if number >= len(hands):
        return NOTHING
    written = before.hand.dealt[seat] if before.hand.number == number else 0
    tiles, wanted = mask(event.tiles), hands[number]
    count = max(len(event.tiles), (tiles | written).bit_count())
    if before.hand.number == number and before.hand.whole >> seat & 1:
        if not tiles & ~written:
            return NOTHING
        return [Fault("{player}'s hand is written down again with other tiles", names(written), names(tiles))]
    if count == wanted or (event.partial and count < wanted):
        return NOTHING
    return [Fault(f"{PLAYER}'s hand has {plural(count, 'tile')}, not {wanted}", wanted, count)]


@clause(
    "build-up.turn", "Players play one tile a turn, in turn; a player who has no tile left is skipped.", Stack, Pass,
    when=may_be_irregular, lesson=True,
)  # fmt: skip
def turn(before: s.BuildUp, event: Stack | Pass, _after: s.BuildUp, _evidence: object) -> Faults:
    rules, hand, seat = before.rules, before.hand, before.rules.seat[event.player]
    if before.phase == "play":
        # The draws decide the very first turn, and a player without tiles cannot be out of turn.
        if hand.turn.allows(seat) or (hand.number == 0 and not hand.acted) or not s.holds(before, seat):
            return NOTHING
        due = hand.turn.seat
    elif before.phase == "over" and type(event) is Stack:
        due = s.later_starter(before)
    else:
        return NOTHING
    if due is None or due == seat:
        return NOTHING
    return [Fault("It was {expected}'s turn, not {player}'s", rules.players[due], event.player)]


# ── Stacking ───────────────────────────────────────────────────────────────────────────────────────────────


def leftover_of(before: s.BuildUp, event: Stack) -> bool:
    """Whether a tile was set aside in an earlier hand."""
    return bool(event.tile.bit & before.left[before.rules.seat[event.player]])


@clause("build-up.leftover", "A tile that could not be played is set aside for good.", Stack, when=may_be_irregular)
def leftover(before: s.BuildUp, event: Stack, _after: s.BuildUp, _evidence: object) -> Faults:
    if not leftover_of(before, event):
        return NOTHING
    return [Fault(f"{PLAYER}'s {event.tile} was left over from an earlier hand", claimed=str(event.tile))]


held: Clause[s.BuildUp] = shared_clauses.held((Stack,), unless=leftover_of)


# The three clauses about covering judge only a tile that breaks one of them.
def is_too_low(before: s.BuildUp, event: Stack, _after: s.BuildUp) -> bool:
    """Whether a tile lies on one that it may not cover."""
    if not 1 <= event.stack <= len(before.stacks):
        return False
    below = before.stacks[event.stack - 1][-1].index
    return below != UNKNOWN and not event.tile.bit & COVERING[before.rules.equal_on_double][below]


def _below(before: s.BuildUp, event: Stack) -> Tile:
    """The tile that this one covers."""
    return TILES[before.stacks[event.stack - 1][-1].index]


def _too_low(event: Stack, top: Tile, wanted: str) -> Faults:
    pips = plural(event.tile.pips, "pip")
    message = f"{PLAYER}'s {event.tile} has {pips}, but on the {top} of stack {event.stack} it needs {wanted}"
    if top.pips == MOST:
        message = f"{PLAYER}'s {event.tile} is on the {top} of stack {event.stack}, which no tile covers"
    return [Fault(message, wanted, event.tile.pips)]


@clause("build-up.cover.tile", "A non-double covers a non-double of the same or fewer pips.", Stack, when=is_too_low,
        lesson=True)  # fmt: skip
def cover_tile(before: s.BuildUp, event: Stack, _after: s.BuildUp, _evidence: object) -> Faults:
    top = _below(before, event)
    return NOTHING if event.tile.double or top.double else _too_low(event, top, f"{top.pips} pips or more")


cover_double: Clause[s.BuildUp] = Clause(
    "build-up.cover.double", "A double covers any non-double; this is never a breach of its own."
)


@clause("build-up.cover.double-on-double", "A double covers a double of fewer pips only.", Stack, when=is_too_low,
        lesson=True)  # fmt: skip
def double_on_double(before: s.BuildUp, event: Stack, _after: s.BuildUp, _evidence: object) -> Faults:
    top = _below(before, event)
    return _too_low(event, top, f"more than {top.pips} pips") if event.tile.double else NOTHING


@clause("build-up.cover.tile-on-double", "A non-double covers a double of fewer pips only; a ruling lets it have as "
        "many.", Stack, when=is_too_low, lesson=True)  # fmt: skip
def tile_on_double(before: s.BuildUp, event: Stack, _after: s.BuildUp, _evidence: object) -> Faults:
    top = _below(before, event)
    if event.tile.double or not top.double:
        return NOTHING
    wanted = f"{top.pips} pips or more" if before.rules.equal_on_double else f"more than {top.pips} pips"
    return _too_low(event, top, wanted)


# ── Passing ────────────────────────────────────────────────────────────────────────────────────────────────


# A pass out of turn is not judged here.
@clause("build-up.pass", "A player passes only when no tile in hand fits any stack; a ruling lets anybody pass.", Pass,
        proved=True, needs_evidence=True)  # fmt: skip
def passing(before: s.BuildUp, event: Pass, after: s.BuildUp, evidence: Evidence | None) -> Faults:
    seat = before.rules.seat[event.player]
    if evidence is None or before.rules.free or before.phase == "over" or not s.holds(after, seat):
        return NOTHING
    if not (before.hand.turn if before.phase == "play" else Turn(before.opener)).allows(seat):
        return NOTHING
    fits = s.fits_somewhere(before)
    if evidence.known & fits:
        tile, number = _a_play(before, evidence.known & fits)
        return [Fault(f"{PLAYER} passes, but the {tile} in hand fits stack {number}", f"{tile} on {number}")]
    if evidence.some(fits):
        return [Fault("{player} passes, but can play: whatever {player} holds, a tile fits", "a tile is played")]
    if evidence.none(fits):
        return NOTHING
    return [Fault("The record does not show whether {player} could play", verdict="unproven")]


def _a_play(state: s.BuildUp, fits: int) -> tuple[Tile, int]:
    """The first of these tiles that fits a stack, and the stack's number."""
    tile = members(fits)[0]
    number = stack_for(COVERING[state.rules.equal_on_double], state.stacks, tile)
    assert number is not None  # noqa: S101  the tile fits
    return tile, number


# ── Scoring ────────────────────────────────────────────────────────────────────────────────────────────────


# The stacks stay, so a difference in what lies on them stays, too.
@clause(
    "build-up.score",
    "At the end of a hand each player scores the pips of their own tiles on top of the stacks.",
    Score,
)
def score(_before: s.BuildUp, event: Score, after: s.BuildUp, _evidence: object) -> Faults:
    if event.scope != "hand" or after.earned is None:
        return NOTHING
    expected = shared_clauses.by_player(after.rules.players, after.earned)
    faults = shared_clauses.compare_points(event, expected, "points in this hand")
    if not faults:
        return NOTHING
    running: Literal["part", "total"] = "part" if after.rules.cumulative else "total"
    more = {after.rules.seat[fault.player]: fault.claimed - (fault.expected or 0) for fault in faults if fault.player}
    return [replace(fault, running=running, stays=partial(mistakable, after, after.rules.seat[fault.player], more))
            for fault in faults if fault.player]  # fmt: skip


@clause("build-up.win", "The highest total over all hands wins; equal totals share the win.", Score, Result)
def win(before: s.BuildUp, event: Score | Result, after: s.BuildUp, _evidence: object) -> Faults:
    players = before.rules.players
    if type(event) is Score:
        if event.scope != "game":
            return NOTHING
        return shared_clauses.compare_points(event, shared_clauses.by_player(players, after.totals), "total")
    assert type(event) is Result  # noqa: S101  the clause judges no other
    if not s.all_hands_played(before):
        return NOTHING
    winners = [players[seat] for seat in shared_clauses.greatest(before.totals)]
    return shared_clauses.compare_winners(event, winners, f"{max(before.totals)} is the highest total")


# `hand_end` judges whether the last hand is over.
@clause("record.unfinished", "A record is closed with a result only when the game has ended.", Result)
def unfinished(before: s.BuildUp, event: Result, _after: s.BuildUp, _evidence: object) -> Faults:
    if s.all_hands_played(before) or (says_end(event, before) and _is_last(before)):
        return NOTHING
    hands = len(before.rules.hands)
    missing = hands - max(s.hands_played(before), 0)  # before the first hand its number is -1
    are = "is" if missing == 1 else "are"
    message = f"A result was called, but {missing} of {hands} hands {are} not played out"
    return [Fault(message, "no result yet", list(event.winners))]


CLAUSES = in_order(globals())
