"""The options of Build Up: all of them are rulings, because the document is silent or contradicts itself."""

from ledger.games.build_up import state as s
from ledger.games.build_up.numbers import DISPUTED, SET, fits_some
from ledger.record.events import Aside, Deal, Draw, Pass, Result, Score, Stack
from ledger.rules.shared_clauses import ruling

THIRD = 2
"""The number of the first hand for which the document contradicts itself."""


def changes_hand(before: s.BuildUp, _event: object, after: s.BuildUp) -> bool:
    """Whether a hand begins or ends here."""
    return before.hand.number != after.hand.number or before.phase != after.phase or not before.hand.acted


@ruling(
    "hands", "how many tiles each hand has",
    {
        (6, 6, 6, 4): "There are four hands, of 6, 6, 6 and 4 tiles.",
        (6, 6, 4): "There are three hands, of 6, 6 and 4 tiles.",
    },
    Deal, Stack, when=changes_hand,
)  # fmt: skip
def hands(before: s.BuildUp, _event: object, after: s.BuildUp) -> bool:
    """Whether the third or a later hand begins here."""
    return after.hand.number >= THIRD and before.hand.number < after.hand.number


@ruling(
    "later_start", "who begins the second and later hands",
    {
        "recorded": "The record says who begins a later hand.",
        "rotate": "Each later hand is begun by the next player.",
        "same": "The same player begins every hand.",
        "winner": "The winner of a hand begins the next one.",
        "loser": "The loser of a hand begins the next one.",
    },
    Stack, Pass, when=changes_hand,
)  # fmt: skip
def later_start(before: s.BuildUp, _event: object, after: s.BuildUp) -> bool:
    """Whether this is the first act of the second or a later hand."""
    if after.hand.number < 1 or not after.hand.acted:
        return False
    return not before.hand.acted or before.hand.number != after.hand.number


def in_dispute(before: s.BuildUp, event: object, after: s.BuildUp) -> bool:
    """Whether a hand with tiles ends here, or would under another ruling, or somebody passes who may have played."""
    if type(event) is Pass and s.may_have_played(before, after, before.rules.seat[event.player]):
        return True
    return stops_with_tiles(before, event, after)


@ruling(
    "hand_end", "when a hand ends although tiles are left",
    {
        "blocked": "A hand ends as soon as nobody can play.",
        "all-pass": "A hand ends when all have passed in turn.",
    },
    Stack, Pass, Score, Deal, Aside, when=in_dispute,
)  # fmt: skip
def hand_end(before: s.BuildUp, event: object, after: s.BuildUp) -> bool:
    """Whether a hand ends here with tiles left, or would under the other value; never where anybody may pass."""
    return not after.rules.free and stops_with_tiles(before, event, after)


@ruling(
    "passing", "whether only a player who cannot play may pass, or anybody",
    {
        "stuck": "Only a player who cannot play may pass.",
        "free": "Anybody may pass.",
    },
    Stack, Pass, Score, Deal, Aside, when=in_dispute,
)  # fmt: skip
def passing(_before: s.BuildUp, _event: object, _after: s.BuildUp) -> bool:
    """Always: where anybody may pass, only passes end a hand with tiles."""
    return True


def stops_with_tiles(before: s.BuildUp, _event: object, after: s.BuildUp) -> bool:
    """Whether a hand ends here with tiles left, or would under the other value of the ruling."""
    if before.phase == "play" and before.hand.acted and before.hand.number != after.hand.number:
        return bool(s.holders(before))
    if before.phase == "over" or not after.hand.acted:
        return False
    if after.phase == "over" or after.hand.passed:
        holding = s.holders(after)
        if holding and (after.phase == "over" or s.all_passed(holding, after.hand.passed)):
            return True
    return not after.rules.blocked and s.can_play(after) is False and bool(s.holders(after))


@ruling(
    "total", "which hands decide the game",
    {
        "cumulative": "The points of all hands decide the game.",
        "last-hand": "Only the last hand decides the game.",
    },
    Stack, Pass, Score, Deal, Aside, when=changes_hand,
)  # fmt: skip
def total(before: s.BuildUp, _event: object, after: s.BuildUp) -> bool:
    """Whether a second or a later hand is scored here."""
    return after.hand.number >= 1 and 2 <= s.hands_played(after) > s.hands_played(before)


@ruling(
    "tied_tiles", "whether the tiles of a tied draw go back or stay in the first hand",
    {
        "back": "The tiles of a tied draw go back before those players draw again.",
        "kept": "The tiles of a tied draw stay in the first hand.",
    },
    Draw,
)  # fmt: skip
def tied_tiles(before: s.BuildUp, _event: object, after: s.BuildUp) -> bool:
    """Whether a round of draws ends in a tie here."""
    return after is not before and not after.round and after.opener is None


@ruling(
    "tile_on_double", "how many pips a non-double needs to cover a double",
    {
        "more": "A non-double needs more pips than the double that it covers.",
        "equal-or-more": "A non-double needs at least as many pips as the double that it covers.",
    },
    Stack, Pass, Score, Deal, Result,
)  # fmt: skip
def tile_on_double(before: s.BuildUp, event: object, after: s.BuildUp) -> bool:
    """Whether a non-double is put on a double with as many pips, or may be held where that matters.

    It matters at a pass, and where a hand ends or goes on only because such a tile fits or does not.
    """
    if type(event) is Stack:
        there = 1 <= event.stack <= len(before.stacks)
        if there and event.tile.bit & DISPUTED[before.stacks[event.stack - 1][-1].index]:
            return True
        # If a hand lasts until everybody has passed, their passes show whether it depends on such a tile.
        return after.rules.blocked and hangs_on_double(after)
    if type(event) is Pass:
        seat = before.rules.seat[event.player]
        if before.rules.free or not s.holds(before, seat):
            return False
        others = 0 if s.complete(before, seat) else s.unseen(before, seat)
        return fits_some(DISPUTED, before.stacks, s.in_hand(before, seat) | others)
    # Any other event matters only if it ends the hand.
    if before.phase != "play" or not before.hand.acted or not fits_some(DISPUTED, before.stacks, SET):
        return False
    known = all(s.complete(before, seat) for seat in range(len(before.rules.players)) if s.holders(before) >> seat & 1)
    return not known or hangs_on_double(after)


def hangs_on_double(state: s.BuildUp) -> bool:
    """Whether the current hand is over under only one value of the ruling."""
    if not state.hand.acted:
        return False
    # A tile that fits under the stricter value fits under the other as well; mostly somebody can play under both.
    strictly = s.can_play(state, equal_on_double=False)
    return strictly is not True and s.can_play(state, equal_on_double=True) != strictly


OPTIONS = (hands, later_start, hand_end, passing, total, tile_on_double, tied_tiles)
