"""What a record of Build Up proves about hands.

All hands of one colour share a set of 28 tiles with the layout and the boneyard.

Source: the rules' README, "Proof from the whole record".
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ledger.games.build_up.numbers import SET, points_on_top
from ledger.games.build_up.scoring import scores_the_hand
from ledger.games.build_up.state import BuildUp, all_hands_played, holds, may_have_played
from ledger.games.build_up.table import ways
from ledger.record.events import Aside, Correctable, Deal, Pass, Result, Score, Stack
from ledger.record.tiles import mask, union
from ledger.rules.evidence import Evidence, Hand, Shared, Way, Ways, prove
from ledger.rules.game import Step
from ledger.rules.shared_clauses import is_finished_close

OUT_OF_HANDS = frozenset((Stack, Pass, Deal, Aside))
"""The events that show what a hand held."""
BySeat = Mapping[int, Evidence]
"""The evidence about the hand of each seat, for an event that asks about all of them."""


def holdings(steps: Sequence[Step]) -> Mapping[int, Evidence | BySeat | Ways | int]:
    """By seq: for a play or pass, the evidence about its player's hand; for the end of a hand, that about every seat.

    For a deal of tiles that were dealt to an earlier hand, these tiles, if it does not end a hand.

    It is empty if the record shows everything: each tile was dealt to the hand that it was played from, and each pass
    came from a hand that was dealt whole, when nothing in it fitted.
    """
    if not any(_asks(step.event, step.before, step.after) for step in steps):
        return {}
    courses = [_along(steps, way) for way in ways(steps[-1].after)]
    by_seq: dict[int, Evidence | BySeat | Ways | int] = {**dealt_again(steps), **courses[0][1]}
    if len(courses) > 1 or courses[0][0] is not steps:
        for place, step in enumerate(steps):
            possible = [Way(way[place].before, way[place].after, proved.get(step.seq)) for way, proved in courses]
            as_recorded = possible[0].before is step.before and possible[0].after is step.after
            if not as_recorded or (len(possible) > 1 and any(way != possible[0] for way in possible)):
                by_seq[step.seq] = tuple(possible)
    return by_seq


def _asks(event: Correctable, before: BuildUp, after: BuildUp) -> bool:
    """Whether an event raises a question that only the whole record can answer."""
    if before.ended and type(event) is not Aside:
        return False
    if before.others or after.others:
        return True
    if type(event) is Stack:
        return after.used == before.used or not event.tile.bit & after.hand.dealt[before.rules.seat[event.player]]
    if type(event) is Pass:
        return not before.rules.free and may_have_played(before, after, before.rules.seat[event.player])
    if type(event) is Aside:
        if event.player is None:
            return False
        return bool(mask(event.tiles) & ~after.hand.dealt[before.rules.seat[event.player]])
    return says_end(event, before)


def says_end(event: Correctable, before: BuildUp) -> bool:
    """Whether an event says that the hand on the table is over, or the game."""
    if type(event) not in (Score, Deal, Result) or before.phase != "play" or not before.hand.acted:
        return False
    return type(event) is not Score or scores_the_hand(before, event)


# ── Along one way ──────────────────────────────────────────────────────────────────────────────────────────


def _along(steps: Sequence[Step], last: BuildUp) -> tuple[Sequence[Step], dict[int, Evidence | BySeat]]:
    """The steps along the way that leads to this last state, and the evidence by seq."""
    along = _lead_to(steps, last)
    seats = len(last.rules.players)
    hands: dict[tuple[int, int], Hand] = {}
    ends = set[int]()
    for step in along:
        seq, event, before, after = step.seq, step.event, step.before, step.after
        if before.ended and type(event) is not Aside:
            continue
        if says_end(event, before) and after.hand.number >= before.hand.number:
            ends.add(seq)
            for seat in range(seats):
                _hand_of(hands, before, seat).ask(seq)
        if type(event) in OUT_OF_HANDS:
            _tell(hands, step)
    evidence = prove(_colours(hands, last))
    take_back(along, hands, evidence)
    by_seq: dict[int, Evidence | BySeat] = {seq: hand for (seq, _), hand in evidence.items() if seq not in ends}
    for seq in ends:
        by_seq[seq] = {seat: evidence[seq, seat] for seat in range(seats) if (seq, seat) in evidence}
    return along, by_seq


def _lead_to(steps: Sequence[Step], last: BuildUp) -> Sequence[Step]:
    """The same steps, with the states of the way that leads to the last one."""
    if last.ends == 1:
        return steps
    along, after = [], last
    for step in reversed(steps):
        before = step.before
        if before.others:
            # An event adds one digit to the `ends` at most.
            before = next(way for way in ways(before) if way.ends in (after.ends, after.ends >> 1))
        along.append(Step(step.seq, step.event, before, after))
        after = before
    return along[::-1]


Hands = dict[tuple[int, int], Hand]
"""The hands so far, by seat and number."""


def _hand_of(hands: Hands, state: BuildUp, seat: int) -> Hand:
    number = max(state.hand.number, 0)
    hand = hands.get((seat, number))
    if hand is None:
        hand = hands[seat, number] = Hand(seat, number, state.hand.sizes[seat], acts=[])
    return hand


def _tell(hands: Hands, step: Step) -> None:
    """Adds what one act `OUT_OF_HANDS` shows about its hand."""
    event: Any = step.event
    seq, before, after = step.seq, step.before, step.after
    if event.player is None:
        return
    kind, seat = type(event), after.rules.seat[event.player]
    if kind is Stack:
        if after.stacks is not before.stacks:
            _hand_of(hands, after, seat).play(seq, event.tile.bit & after.used[seat] & ~before.used[seat])
    elif kind is Pass:
        if before.phase != "over" and holds(after, seat):
            _hand_of(hands, after, seat).ask(seq)
    elif kind is Deal:
        hand = _hand_of(hands, after, seat)
        hand.written, hand.size = after.hand.dealt[seat], after.hand.sizes[seat]
        # A tile that cannot be in the hand leaves room for an unknown one.
        hand.whole = bool(after.hand.whole >> seat & 1) and hand.written.bit_count() >= hand.size
    else:
        _hand_of(hands, after, seat).left |= after.left[seat] & ~before.left[seat] & mask(event.tiles)


def _colours(hands: Mapping[tuple[int, int], Hand], last: BuildUp) -> list[Shared]:
    """The hands of each colour, which share its set with the layout and the boneyard."""
    groups = []
    for seat in range(len(last.rules.players)):
        own = [hand for (owner, _number), hand in sorted(hands.items()) if owner == seat]
        # A tile that is dealt to two hands is misnamed in one of them, and nobody knows in which.
        for hand in own:
            twice = hand.written & ~hand.played & union(other.written for other in own if other is not hand)
            if twice:
                hand.written, hand.whole = hand.written & ~twice, False
        if own and own[0].number == 0:
            # The tiles drawn for the first turn are in the first hand, if it has room for them beside those played.
            first, drawn = own[0], last.drawn[seat]
            if not first.whole and (first.played | first.stated | drawn).bit_count() <= first.size:
                first.written |= drawn
        size = sum([max(hand.size, hand.stated.bit_count()) for hand in own])
        # All other tiles are in the boneyard, or would have been in a hand that never began.
        room = (SET & ~last.laid[seat]).bit_count() - size
        groups.append(Shared(own, SET, last.laid[seat], max(0, room)))
    return groups


def dealt_again(steps: Sequence[Step]) -> dict[int, int]:
    """By the seq of a deal, the tiles in it that were dealt to an earlier hand of the same player."""
    dealt: list[dict[int, int]] = [{} for _ in steps[-1].after.rules.players]
    again: dict[int, int] = {}
    for step in steps:
        event, before, after = step.event, step.before, step.after
        if type(event) is not Deal or before.ended:
            continue
        number, tiles, of_player = after.hand.number, mask(event.tiles), dealt[before.rules.seat[event.player]]
        earlier = union([others for hand, others in of_player.items() if hand < number])
        if tiles & earlier:
            again[step.seq] = tiles & earlier
        of_player[number] = of_player.get(number, 0) | tiles
    return again


# ── Where the record contradicts itself about the end of a hand ────────────────────────────────────────────


# A tile that a player plays after a pass was in the hand all along, if the hand lasted until that play.  With hidden
# hands, only counts and claims say how long it lasted.  If somebody forgot to write which tiles were set aside, or
# wrote it too late, tiles of the next hand are counted to this one, and sooner or later something does not add up.  An
# audit accuses nobody of what a fitting hand would excuse.
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
    assert type(claim) is Score  # noqa: S101  it is a claim of points
    points, _vague = points_on_top(state.stacks, len(state.totals))
    return all(points[state.rules.seat[player]] == called for player, called in claim.points.items())


def _counted(hand: Hand) -> int:
    """How many tiles of a hand were played or set aside."""
    return sum(act.plays for act in hand.acts) + (hand.left & ~hand.played).bit_count()
