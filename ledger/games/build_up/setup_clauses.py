"""The clauses of Build Up about the layout and the first hand, and the condition that others share with them."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.games.build_up.numbers import LAYOUT
from ledger.games.build_up.setup import draws_out_of_round
from ledger.games.build_up.state import BuildUp, complete, played
from ledger.record.events import Deal, Draw, Event, Layout, Pass, Stack
from ledger.record.sentences import PLAYER
from ledger.record.tiles import mask, names
from ledger.record.words import plural
from ledger.rules.game import Fault, clause
from ledger.rules.shared_clauses import NOTHING

Faults = Iterable[Fault]


# A tile that is used after a play, and was not before, was free and lies on a stack.  Such a play is possible.  If it
# was also that player's turn, with a tile left to play, these clauses find nothing wrong.
def may_be_irregular(before: BuildUp, event: Event, after: BuildUp) -> bool:
    """Whether an act is anything but a free tile, put on a stack by a player whose turn it was and who held one.

    In the first hand this is also true of its first act, and of each play while the tile drawn is still in that hand.
    """
    if type(event) is not Stack or after.used == before.used or before.phase != "play":
        return True
    hand, seat = before.hand, before.rules.seat[event.player]
    if hand.turn.seat != seat or hand.plays[seat] == hand.sizes[seat] or event.tile.bit & before.left[seat]:
        return True
    return hand.number == 0 and (not hand.acted or bool(before.drawn[seat] & ~after.used[seat]))


# Each player lays out six tiles.
@clause("build-up.setup.layout", "Each player lays out six tiles, which become the first stacks.", Layout)
def layout(before: BuildUp, event: Layout, _after: BuildUp, _evidence: object) -> Faults:
    seat = before.rules.seat[event.player]
    count = len(event.tiles) + sum([pile[0].owner == seat for pile in before.stacks])
    if count == LAYOUT:
        return NOTHING
    return [Fault(f"{PLAYER} lays out {plural(count, 'tile')}, not {LAYOUT}", LAYOUT, count)]


# The player who draws the most pips plays first in the first hand, and the tile drawn is one of that hand's six.
@clause(
    "build-up.setup.first",
    "The player who draws the most pips plays first in the first hand (players who tie draw again), "
    "and the tile last drawn is one of that hand's six, or every tile drawn, where the table plays so.",
    Draw, Deal, Stack, Pass, when=may_be_irregular,
)  # fmt: skip
def first(before: BuildUp, event: Draw | Deal | Stack | Pass, after: BuildUp, _evidence: object) -> Faults:
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
    if type(event) is Stack and before.drawn[seat] & ~after.used[seat] and not complete(after, seat):
        missing = before.drawn[seat] & ~after.used[seat]
        # A misnamed tile may have been the one drawn.
        unknown = after.hand.plays[seat] - played(after, seat).bit_count()
        if after.hand.plays[seat] == after.hand.sizes[seat] and missing.bit_count() > unknown:
            faults.extend(_without_the_drawn(missing))
    return faults


def _without_the_drawn(missing: int) -> Faults:
    tiles, verb = names(missing), "is" if missing.bit_count() == 1 else "are"
    return [Fault(f"The {tiles} that {PLAYER} drew {verb} not among the tiles of the first hand", tiles)]
