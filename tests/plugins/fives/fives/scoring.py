"""The totals, the winner, and the reasons for points."""

from collections.abc import Iterator

from fives.state import Fives, pips_of, worth
from ledger.record.events import Correctable, Play
from ledger.record.sentences import who
from ledger.rules.game import Points, Standing


def missing(state: Fives) -> str:
    """What was missing when a result was claimed."""
    return f"nobody has {state.target} points"


def standing(state: Fives) -> Standing:
    """The totals and the winner."""
    winners = tuple(seat for seat in (0, 1) if state.totals[seat] >= state.target)
    return Standing(state.ended, state.totals, winners if state.ended else ())


def points(before: Fives, event: Correctable, after: Fives) -> Iterator[Points]:
    """The reasons for points: the ends of the line, and the other player's last tiles."""
    for seat in (0, 1):
        gained = after.totals[seat] - before.totals[seat]
        at_ends = worth(after.line) if isinstance(event, Play) and event.player == after.players[seat] else 0
        if gained and at_ends:
            yield Points(seat, at_ends, "fives.ends", f"the ends count {at_ends}")
        if gained > at_ends:
            left = pips_of(after.held[1 - seat] or 0)
            yield Points(seat, gained - at_ends, "fives.left", f"{who(1 - seat)} has {left} pips left")
