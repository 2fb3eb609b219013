"""Where the record contradicts itself about the end of a hand, so that a later play proves nothing about a pass.

A tile that a player plays after a pass was in the hand all along, if the hand lasted until that play.  With hidden
hands, only counts and claims say how long it lasted.  If somebody forgot to write which tiles were set aside, or wrote
it too late, tiles of the next hand are counted to this one, and sooner or later something does not add up.

Source: the rules' README, "Proof from the whole record": an audit accuses nobody of what a fitting hand would excuse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from ledger.games.build_up.numbers import SET, points_on_top
from ledger.games.build_up.state import BuildUp, all_hands_played
from ledger.record.events import Correctable, Pass, Result, Score
from ledger.rules.evidence import Evidence, Hand
from ledger.rules.game import Step
from ledger.rules.shared_clauses import is_finished_close

Hands = Mapping[tuple[int, int], Hand]


def take_back(along: Sequence[Step], hands: Hands, proved: dict[tuple[int, int], Evidence]) -> None:
    """Takes back what later events prove about passes in hands that may have ended before those events."""
    said = {step.seq for step in along if type(step.event) is Pass}
    passes = [(act.seq, hand) for hand in hands.values() if not hand.closed for act in hand.acts if act.seq in said]
    doubtful = _may_have_ended_before(along, hands) if passes else ()
    for seq, hand in passes:
        if hand.number in doubtful:
            proved[seq, hand.seat] = _only(hand.written, proved[seq, hand.seat])
    for (seat, number), hand in hands.items():
        following = hands.get((seat, number + 1))
        if not following or not following.left or hand.closed:
            continue
        alone = sum(other == number + 1 for _seat, other in hands) == 1
        # Play that went on past the end shows that a hand was counted as over too early.
        if alone or _counted(following) != following.size or along[-1].after.past:
            # What was set aside may have been left over from this hand.
            for act in hand.acts:
                if not act.plays and (act.seq, seat) in proved:
                    proved[act.seq, seat] = _only(hand.written | hand.played, proved[act.seq, seat])


def _only(shown: int, evidence: Evidence) -> Evidence:
    """The evidence if only these tiles are known to be in the hand; any others may be, too."""
    known = evidence.known & shown
    return replace(evidence, known=known, possible=SET & ~known, slots=max(1, evidence.slots))


# A contradiction is explained by an earlier end of the hand in which it shows, or of one before it, back to one that
# certainly lasted as long as the record says.
def _may_have_ended_before(along: Sequence[Step], hands: Hands) -> set[int]:
    """The numbers of the hands whose earlier end would explain a contradiction in the record."""
    last, claims = along[-1].after, dict[int, Step]()
    for step in along:
        if type(step.event) is Score and step.event.scope == "hand":
            claims.setdefault(step.before.hand.number, step)
    closed = any(type(step.event) is Result or is_finished_close(step.event) for step in along)
    contradicted = bool(last.past) or (closed and not all_hands_played(last))
    doubtful = set[int]()
    for number in sorted({number for _seat, number in hands}, reverse=True):
        these = [hand for (_seat, hand_number), hand in hands.items() if hand_number == number]
        claim, before_a_play = claims.get(number), False
        if any(_counted(hand) > hand.size for hand in these):
            contradicted = True
        elif claim:
            contradicted, before_a_play = False, _was_scored_before_a_play(number, claim, along)
        elif any(hand.left for hand in these):
            contradicted = any(_counted(hand) != hand.size for hand in these)
        elif any(hand.whole for hand in these):
            contradicted = False
        if contradicted or before_a_play:
            doubtful.add(number)
    return doubtful


def _was_scored_before_a_play(number: int, claim: Step, along: Sequence[Step]) -> bool:
    """Whether the points called for a hand are not those at its end, but those before one of its plays."""
    if _agrees(claim.event, claim.after):
        return False
    return any(
        _agrees(claim.event, step.before)
        for step in along
        if step.before.hand.number == number and step.before.hand.acted and step.before.stacks is not step.after.stacks
    )


def _agrees(claim: Correctable, state: BuildUp) -> bool:
    assert type(claim) is Score  # noqa: S101  `_claim` gives no other
    points, _vague = points_on_top(state.stacks, len(state.totals))
    return all(points[state.rules.seat[player]] == called for player, called in claim.points.items())


def _counted(hand: Hand) -> int:
    """How many tiles of a hand were played or set aside."""
    return sum(act.plays for act in hand.acts) + (hand.left & ~hand.played).bit_count()
