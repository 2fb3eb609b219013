"""What Build Up demands, clause by clause, and why it scores what it scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ledger import common
from ledger.common import NOTHING
from ledger.events import ACTS, Aside, Deal, Draw, Layout, Pass, Result, Score, Stack
from ledger.game import Clause, Fault, Points, Standing, clause
from ledger.games.build_up.hands import Proofs
from ledger.games.build_up.numbers import LARGEST, LAYOUT, covering, describe, fitting, lacking, place_for
from ledger.games.build_up.state import BuildUp, can_play, holds, known, sizes_of
from ledger.games.build_up.table import later_starter
from ledger.holdings import Proof
from ledger.tiles import TILES, Tile, mask, members

Faults = Iterable[Fault]

# ── What no table could have shown ─────────────────────────────────────────────────────────────────────────


def elsewhere(before: BuildUp, event: Layout | Draw | Deal | Stack | Aside) -> Sequence[common.Elsewhere]:
    """The tiles of the player's colour that the record has somewhere else already."""
    if event.player is None:
        return ()
    seat, who = before.rules.seat[event.player], event.player
    laid, used, left = before.laid[seat], before.used[seat], before.left[seat]
    if not mask(common.touches(event)) & (laid | used | left):
        return ()
    places = (laid, f"lies in {who}'s layout"), (used, f"of {who} lies on a stack already")
    if type(event) is Layout:
        return places[:1]
    return (*places, (left, f"of {who} was set aside")) if type(event) is Deal else places


WITH_TILES = (Layout, Draw, Deal, Stack, Aside)
in_set: Clause[BuildUp] = common.in_set(WITH_TILES, lambda _state: LARGEST)
once: Clause[BuildUp] = common.once(WITH_TILES, elsewhere)


# A tile is put on one of the stacks of the layout.
@clause("build-up.stack", "A tile is put on one of the stacks of the layout.", Stack, verdict="impossible")
def stack(before: BuildUp, event: Stack, _after: BuildUp, _evidence: object) -> Faults:
    count = len(before.stacks)
    if 1 <= event.stack <= count:
        return NOTHING
    return [Fault(f"there is no stack {event.stack}, only 1 to {count}", f"1 to {count}", event.stack)]


# Passes and leftovers may be named after the end of the last hand: they belong to it.
after_end: Clause[BuildUp] = common.after_end([act for act in ACTS if act not in (Pass, Aside)])

# ── Setting up ─────────────────────────────────────────────────────────────────────────────────────────────


# Each player lays out six tiles.
@clause("build-up.setup.layout", "Each player lays out six tiles, which are the first of the stacks.", Layout)
def layout(before: BuildUp, event: Layout, _after: BuildUp, _evidence: object) -> Faults:
    lacks = lacking(before.laid[before.rules.seat[event.player]])
    if len(event.tiles) == lacks:
        return NOTHING
    count = LAYOUT - lacks + len(event.tiles)
    return [Fault(f"{event.player} lays out {count} tiles, not {LAYOUT}", LAYOUT, count)]


# The greatest total drawn plays first in the first hand, and the tile drawn is one of that hand's six.
@clause(
    "build-up.setup.first",
    "The greatest total drawn plays first in the first hand (who ties draws again), "
    "and the tile last drawn is one of that hand's six.",
    Draw, Deal, Stack, Pass,
)  # fmt: skip
def first(before: BuildUp, event: Draw | Deal | Stack | Pass, after: BuildUp, _evidence: object) -> Faults:
    if after.hand.number != 0 and type(event) is not Draw:
        return NOTHING
    seat = before.rules.seat[event.player]
    if type(event) is Draw:
        if before.rivals >> seat & 1:
            return NOTHING
        return [Fault(f"{event.player} draws again, though not among those who tied")]
    drawn = before.drawn[seat]
    if type(event) is Deal:
        complete = not event.partial and drawn >= 0 and not 1 << drawn & mask(event.tiles)
        return _without_the_drawn(before, seat, drawn) if complete else NOTHING
    faults = []
    opener = before.opener
    if opener is not None and not before.hand.acted and opener != seat:
        who = before.rules.players[opener]
        faults.append(Fault(f"{who} drew the most pips and plays first, not {event.player}", who, event.player))
    if type(event) is Stack and drawn >= 0 and after.phase != "setup" and known(after, seat) is None:
        empty = after.hand.plays[seat] == sizes_of(after)[seat] and after.hand.plays != before.hand.plays
        if empty and not 1 << drawn & after.used[seat]:
            faults.extend(_without_the_drawn(before, seat, drawn))
    return faults


def _without_the_drawn(before: BuildUp, seat: int, drawn: int) -> Faults:
    tile = str(TILES[drawn])
    return [Fault(f"the {tile} that {before.rules.players[seat]} drew is not among the tiles of the first hand", tile)]


# ── Taking turns ───────────────────────────────────────────────────────────────────────────────────────────


# The hands have 6, 6, 6 and 4 tiles (or as the ruling says).
@clause("build-up.hand.size", "The hands have 6, 6, 6 and 4 tiles, or as the ruling says.", Deal, Stack)
def hand_size(before: BuildUp, event: Deal | Stack, after: BuildUp, _evidence: object) -> Faults:
    if type(event) is Deal:
        number, hands = after.hand.number, before.rules.hands
        return common.compare_deal(event, hands[number]) if number < len(hands) else NOTHING
    seat = before.rules.seat[event.player]
    if before.hand.whole >> seat & 1 or before.phase != "play" or holds(before, seat):
        return NOTHING
    size = sizes_of(before)[seat]
    return [Fault(f"{event.player} has played all {size} tiles of this hand already", size, size + 1)]


# Players play one tile a turn, in turn; a player without tiles is skipped.
@clause("build-up.turn", "Players play one tile a turn, in turn; whoever has no tile left is skipped.", Stack, Pass)
def turn(before: BuildUp, event: Stack | Pass, _after: BuildUp, _evidence: object) -> Faults:
    rules, hand, seat = before.rules, before.hand, before.rules.seat[event.player]
    if before.phase == "play":
        if hand.turn == seat:
            return NOTHING
        # The draws decide the very first turn, and a player without tiles cannot be out of turn.
        if (hand.number == 0 and not hand.acted) or not holds(before, seat):
            return NOTHING
        expected = hand.turn
    elif before.phase == "over" and type(event) is Stack:
        expected = later_starter(before)
    else:
        return NOTHING
    if expected is None or expected == seat:
        return NOTHING
    who = rules.players[expected]
    return [Fault(f"it was {who}'s turn, not {event.player}'s", who, event.player)]


# ── Stacking ───────────────────────────────────────────────────────────────────────────────────────────────


def leftover_of(before: BuildUp, event: Stack) -> bool:
    """Whether a tile was set aside in an earlier hand."""
    return bool(event.tile.bit & before.left[before.rules.seat[event.player]])


# Tiles left over from a hand are out of the game.
@clause("build-up.leftover", "A tile that could not be played is set aside for good.", Stack)
def leftover(before: BuildUp, event: Stack, _after: BuildUp, _evidence: object) -> Faults:
    if not leftover_of(before, event):
        return NOTHING
    return [Fault(f"the {event.tile} of {event.player} was left over from an earlier hand", claimed=str(event.tile))]


held: Clause[BuildUp] = common.held((Stack,), unless=leftover_of)


def _uncoverable(before: BuildUp, event: Stack, double: bool, on_double: bool) -> Tile | None:
    """The tile below, if this one may not cover it, and if this is a double (or not) on a double (or not)."""
    if event.tile.double is not double or not 1 <= event.stack <= len(before.stacks):
        return None
    top = TILES[before.stacks[event.stack - 1][-1].index]
    fits = event.tile.bit & covering(before.rules.equal_on_double)[top.index]
    return None if fits or top.double is not on_double else top


def _too_low(event: Stack, top: Tile, wanted: str) -> Faults:
    said = (
        f"{event.player}'s {event.tile} on stack {event.stack} has {event.tile.pips} pips, "
        f"the {top} below it {top.pips}"
    )
    return [Fault(said, wanted, event.tile.pips)]


# A non-double covers a non-double of the same or fewer pips.
@clause("build-up.cover.tile", "A non-double covers a non-double of the same or fewer pips.", Stack)
def cover_tile(before: BuildUp, event: Stack, _after: BuildUp, _evidence: object) -> Faults:
    top = _uncoverable(before, event, double=False, on_double=False)
    return NOTHING if top is None else _too_low(event, top, f"{top.pips} pips or more")


# A double covers any non-double.
cover_double: Clause[BuildUp] = Clause(
    "build-up.cover.double", "A double covers any non-double; this is never a breach of its own."
)


# A double covers a double of fewer pips only.
@clause("build-up.cover.double-on-double", "A double covers a double of fewer pips only.", Stack)
def double_on_double(before: BuildUp, event: Stack, _after: BuildUp, _evidence: object) -> Faults:
    top = _uncoverable(before, event, double=True, on_double=True)
    return NOTHING if top is None else _too_low(event, top, f"more than {top.pips} pips")


# A non-double covers a double of fewer pips only (a ruling lets it have as many).
@clause(
    "build-up.cover.tile-on-double",
    "A non-double covers a double of fewer pips only; a ruling lets it have as many.",
    Stack,
)
def tile_on_double(before: BuildUp, event: Stack, _after: BuildUp, _evidence: object) -> Faults:
    top = _uncoverable(before, event, double=False, on_double=True)
    least = "or more" if before.rules.equal_on_double else "and more, not as many"
    return NOTHING if top is None else _too_low(event, top, f"{top.pips} pips {least}")


# ── Passing, and the end of a hand ─────────────────────────────────────────────────────────────────────────


# A player passes only when no tile in hand fits any stack.
@clause("build-up.pass", "A player passes only when no tile in hand fits any stack.", Pass, proved=True)
def passing(before: BuildUp, event: Pass, _after: BuildUp, evidence: Proof | None) -> Faults:
    seat = before.rules.seat[event.player]
    if evidence is None or before.phase != "play" or not holds(before, seat):
        return NOTHING
    fits, sure = playable(before, evidence)
    if sure and not fits:
        return NOTHING
    if not sure:
        said = f"nothing in the record proves that {event.player} could not play"
        if cornered(before, evidence):
            said += f"; of the tiles that {event.player} can have held, too few fit nothing to fill the hand"
        return [Fault(said, verdict="unproven")]
    tile = members(fits)[0]
    place = _place_for(before, tile)
    return [Fault(f"{event.player} passes with the {tile} in hand, which fits stack {place}", f"{tile} on {place}")]


def playable(state: BuildUp, evidence: Proof) -> tuple[int, bool]:
    """The tiles of a hand that certainly fit, and whether it is certain at all if it can be played from.

    Besides the tiles known to be in it, a hand holds `slots` of the possible ones; if none of those fits, that is
    certain too.
    """
    table = covering(state.rules.equal_on_double)
    fits = fitting(table, state.stacks, evidence.known)
    if fits or not evidence.slots:
        return fits, True
    return 0, not fitting(table, state.stacks, evidence.possible)


def cornered(state: BuildUp, evidence: Proof) -> bool:
    """Whether a hand must hold a tile that fits, though nothing says which.

    By the rules only deals and later plays prove, so a pass is not called a breach for it; but people should know.
    """
    fits = fitting(covering(state.rules.equal_on_double), state.stacks, evidence.possible)
    return (evidence.possible & ~fits).bit_count() < evidence.slots


def _place_for(state: BuildUp, tile: Tile) -> int:
    """The first stack that a tile fits."""
    found = place_for(covering(state.rules.equal_on_double), state.stacks, (tile.bit,))
    assert found is not None  # noqa: S101  the tile was said to fit
    return found[1] + 1


# A hand ends when every hand is empty, or when nobody who still holds tiles can play.
@clause(
    "build-up.hand.end",
    "A hand ends when every hand is empty, or when nobody who still holds tiles can play.",
    Score, Deal, Result, proved=True,
)  # fmt: skip
def hand_end(before: BuildUp, event: Score | Deal | Result, after: BuildUp, evidence: Proofs | None) -> Faults:
    if type(event) is Score:
        if event.scope != "hand":
            return NOTHING
        if before.earned is None and not before.hand.acted:
            return [Fault("a hand is scored before any was played")]
    going = before.phase == "play" and before.hand.acted
    if not going or (type(event) is Deal and after.hand.number == before.hand.number):
        return NOTHING
    if can_play(before) is True:
        return [Fault(_stopped(event), "play until nobody can")]
    doubt = False
    for seat, player in enumerate(before.rules.players):
        proof = (evidence or {}).get(seat)
        if not holds(before, seat) or proof is None:
            continue
        fits, sure = playable(before, proof)
        if sure and fits:
            tile = members(fits)[0]
            said = f"{_stopped(event)}: {player} holds the {tile}, which fits stack {_place_for(before, tile)}"
            return [Fault(said, f"{player} plays", player=player)]
        doubt = doubt or not sure
    return [Fault(f"{_stopped(event)}? nothing proves that nobody could", verdict="unproven")] if doubt else NOTHING


def _stopped(event: Score | Deal | Result) -> str:
    how = {Score: "the hand is scored", Deal: "the next hand is dealt", Result: "a result is claimed"}[type(event)]
    return f"{how} although somebody could play"


# ── Scoring ────────────────────────────────────────────────────────────────────────────────────────────────


# At the end of a hand every player scores the pips of their own tiles on top of the stacks.
@clause(
    "build-up.score",
    "At the end of a hand each player scores the pips of their own tiles on top of the stacks.",
    Score,
)
def score(_before: BuildUp, event: Score, after: BuildUp, _evidence: object) -> Faults:
    if event.scope != "hand" or after.earned is None:
        return NOTHING
    expected = common.by_player(after.rules.players, after.earned)
    return common.compare_points(event, expected, "the hand's points")


def points(before: BuildUp, _event: object, after: BuildUp) -> Sequence[Points]:
    """The reasons for what a hand scored, stack by stack, at the event that ended it."""
    if after.phase != "over" or (before.phase == "over" and before.hand.number == after.hand.number):
        return ()
    reasons = []
    for number, pile in enumerate(after.stacks, 1):
        top = pile[-1]
        because = f"{describe(top.index)} on top of stack {number}"
        reasons.append(Points(top.owner, TILES[top.index].pips, score.id, because))
    return reasons


# The greatest total over all hands wins; equal totals share the win.
def standing(state: BuildUp) -> Standing:
    """The totals of finished hands; the greatest wins when the game has ended."""
    return Standing(state.ended, state.totals, common.greatest(state.totals) if state.ended else ())


@clause("build-up.win", "The greatest total over all hands wins; equal totals share the win.", Score, Result)
def win(before: BuildUp, event: Score | Result, _after: BuildUp, _evidence: object) -> Faults:
    players = before.rules.players
    if type(event) is Score:
        if event.scope != "game":
            return NOTHING
        expected = common.by_player(players, before.totals)
        return common.compare_points(event, expected, "the total")
    assert type(event) is Result  # noqa: S101  the clause judges no other
    if not before.ended:
        return NOTHING
    winners = [players[seat] for seat in common.greatest(before.totals)]
    return common.compare_winners(event, winners, f"{max(before.totals)} is the greatest total")


# A result is claimed when all hands have been played.
@clause("record.unfinished", "A record is closed with a result only when the game has ended.", Result)
def unfinished(before: BuildUp, event: Result, _after: BuildUp, evidence: Proofs | None) -> Faults:
    if before.ended:
        return NOTHING
    hands, number = before.rules.hands, before.hand.number
    last = number + 1 >= len(hands) and not before.broken
    if last and all(fault.verdict == "unproven" for fault in hand_end.faults(before, event, before, evidence)):
        return [Fault("nothing in the record proves that the last hand was over", verdict="unproven")]
    missing = len(hands) - number - (before.phase == "over")
    said = f"{missing} of {len(hands)} hands are still to be played out" if missing else "a hand was stopped early"
    return [Fault(f"a result is claimed, but {said}", "no result yet", list(event.winners))]


CLAUSES: tuple[Clause[BuildUp], ...] = (
    in_set, once, stack, after_end, unfinished, layout, first, hand_end, hand_size, turn, leftover, held, cover_tile,
    cover_double, double_on_double, tile_on_double, passing, score, win,
)  # fmt: skip
"""Every clause of the game, in the order in which an event meets them: what is impossible first."""
