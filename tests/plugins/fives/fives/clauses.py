"""The rules."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from fives.scoring import standing
from fives.state import HAND, Acted, Fives, begun, fits, fitting, lying, possible, seat_of, stock
from ledger.record.events import Aside, Deal, Draw, Pass, Play, Result, Score
from ledger.record.sentences import PLAYER, who
from ledger.record.tiles import mask, names
from ledger.rules.game import Fault, clause
from ledger.rules.shared_clauses import NOTHING, by_player, compare_deal, compare_points, compare_winners


# Each player has seven tiles, written down before the first one is played.
@clause("fives.deal", "Each player has seven tiles, written down before the first one is played.", Deal)
def dealing(before: Fives, event: Deal, _after: Fives, _evidence: object) -> Iterable[Fault]:
    if before.phase == "play" and before.line:
        return [Fault("{player}'s hand is written down after the first tile was played")]
    return compare_deal(event, HAND)


# Players act in turn.  The winner of a hand leads the next.
@clause("fives.turn", "Players act in turn; the winner of a hand leads the next.", Draw, Play, Pass)
def turn(before: Fives, event: Draw | Play | Pass, _after: Fives, _evidence: object) -> Iterable[Fault]:
    seat = begun(before).turn
    if seat is None or before.players[seat] == event.player:
        return NOTHING
    return [Fault("It was {expected}'s turn", before.players[seat], event.player)]


# A player plays a tile of their own hand.
@clause("fives.hand", "A player plays a tile of their own hand.", Play)
def holding(before: Fives, event: Play, _after: Fives, _evidence: object) -> Iterable[Fault]:
    if event.tile.bit & possible(before, seat_of(before, event)):
        return NOTHING
    return [Fault(f"{PLAYER} does not hold the {event.tile}", claimed=str(event.tile))]


# A tile goes on an end that equals one of its halves.  One that fits both ends goes on the end that is said.
@clause("fives.fit", "A tile goes on an end that equals one of its halves; where both do, the play says which.", Play)
def fit(before: Fives, event: Play, _after: Fives, _evidence: object) -> Iterable[Fault]:
    line = begun(before).line
    open_ends = fitting(line, event.tile)
    if not open_ends:
        return [Fault(f"The {event.tile} fits neither the {line[0].first} nor the {line[-1].second}")]
    if line and event.end not in (None, *open_ends):
        return [Fault(f"The {event.tile} does not fit on the {event.end}", open_ends[0], event.end)]
    if event.end is None and len(open_ends) == 2:
        return [Fault(f"The {event.tile} fits both ends, and the play does not say which")]
    return NOTHING


# A player draws only when no tile in the hand fits, and leaves the last two tiles where they are.
@clause("fives.draw", "A player draws only when no tile fits, and never the last two tiles of the boneyard.", Draw)
def drawing(before: Fives, event: Draw, _after: Fives, _evidence: object) -> Iterable[Fault]:
    state = begun(before)
    own = state.held[seat_of(state, event)]
    able = fits(state, own or 0)
    if able:
        return [Fault(f"{PLAYER} draws, but the {able[0]} in hand fits")]
    return [Fault("No tiles are left to draw")] if stock(state) == 0 else NOTHING


# A player passes only when no tile in the hand fits and none is left to be drawn.
@clause("fives.pass", "A player passes only when no tile fits and none is left to be drawn.", Pass)
def passing(before: Fives, event: Pass, _after: Fives, _evidence: object) -> Iterable[Fault]:
    state = begun(before)
    own = state.held[seat_of(state, event)]
    able, left = fits(state, own or 0), stock(state)
    if able:
        return [Fault(f"{PLAYER} passes, but the {able[0]} in hand fits")]
    if left:
        return [Fault(f"{PLAYER} passes, but {left} tiles are left to draw")]
    return (
        NOTHING if left == 0 else [Fault("The record does not show whether {player} could go on", verdict="unproven")]
    )


# When a hand is over, the players show what they have left.
@clause("fives.show", "When a hand is over, the players show what they have left, and it is counted.", Aside)
def showing(before: Fives, event: Aside, _after: Fives, _evidence: object) -> Iterable[Fault]:
    if event.player is None:
        return [Fault("It is not written down who shows these tiles")]
    seat = before.players.index(event.player)
    own, other = before.held[seat], before.held[1 - seat]
    if before.phase == "play" and (before.turn != seat or other or before.passes):
        return [Fault("{player} shows tiles while the hand is played")]
    if before.hand == 0 or (own is not None and mask(event.tiles) != own):
        return [Fault(f"{PLAYER} has {names(own or 0)} left", names(own or 0), names(mask(event.tiles)))]
    return NOTHING


# A hand is counted before the next one begins.
@clause(
    "fives.counted", "Every hand is counted before the next one begins.", Deal, Draw, Play, Pass, verdict="unproven"
)
def counted(before: Fives, _event: Acted, _after: Fives, _evidence: object) -> Iterable[Fault]:
    return [Fault("Nobody wrote down what was left in the last hand")] if before.phase == "show" else NOTHING


# The totals are the points of all plays and of all hands that were won.
@clause("fives.score", "The totals are the points of all plays and of all hands that were won.", Score)
def totals(before: Fives, event: Score, _after: Fives, _evidence: object) -> Iterable[Fault]:
    faults = compare_points(event, by_player(before.players, before.totals), "total")
    open_ = before.lost or before.phase == "show"
    return [replace(fault, verdict="unproven") for fault in faults] if open_ else faults


# Who first reaches the target has won.
@clause("fives.win", "Who first reaches the target has won.", Result)
def win(before: Fives, event: Result, _after: Fives, _evidence: object) -> Iterable[Fault]:
    winners = [before.players[seat] for seat in standing(before).winners]
    return compare_winners(event, winners, f"{before.target} points") if before.ended else NOTHING


def elsewhere(state: Fives, event: Deal | Draw | Play | Aside) -> Iterator[tuple[int, str]]:
    """Where the tiles of an event already are."""
    if state.phase == "play" or isinstance(event, Aside):
        yield lying(state), "is in the line already"
    if state.phase == "play" and isinstance(event, Deal | Draw):
        for seat, player in enumerate(state.players):
            if isinstance(event, Draw) or player != event.player:
                yield state.held[seat] or 0, f"is in the hand of {who(seat)}"
