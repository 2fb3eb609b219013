"""What a record of Build Up proves about hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from operator import or_

from ledger.events import Aside, Correctable, Deal, Pass, Result, Score, Stack
from ledger.game import Step
from ledger.games.build_up.numbers import SET, covering, place_for
from ledger.games.build_up.state import BuildUp, Rules, holds, written
from ledger.holdings import Hand, Proof, prove_all
from ledger.tiles import mask

Proofs = Mapping[int, Proof]
"""What is proved about the hand of each seat, at an event that asks about all of them."""
_ENDS = frozenset({Score, Deal, Result})
"""What says that a hand is over."""

SURE = Proof(held=True, known=0, possible=0, slots=0)
"""That of an act about which nothing is to be said, though it tells that a hand has to be looked at."""


def _asks(event: Correctable, before: BuildUp, after: BuildUp) -> bool:
    """Whether the whole record is to be looked at for what it proves about a hand, because of this event.

    Where none does, every tile was laid out of a hand in which it was dealt, every pass was out of a hand that is
    written whole, when nothing in it fitted, and nothing else was set aside: so it is all there to be seen.
    """
    if before.ended and type(event) is not Aside:
        return False
    if type(event) is Stack:
        return after.used is before.used or not event.tile.bit & after.hand.dealt[before.rules.seat[event.player]]
    if type(event) is Pass:
        seat = before.rules.seat[event.player]
        if before.phase != "play" or not holds(before, seat):
            return False
        tiles = written(before)[seat]
        return not tiles or place_for(covering(before.rules.equal_on_double), before.stacks, (tiles,)) is not None
    if type(event) is Aside:
        if event.player is None:
            return False
        return bool(mask(event.tiles) & ~after.hand.dealt[before.rules.seat[event.player]])
    return type(event) in _ENDS and before.phase == "play" and before.hand.acted


def holdings(steps: Sequence[Step]) -> dict[int, Proof | Proofs]:
    """By seq: of a play or pass, the proof about its player's hand; of an end of a hand, that of every seat."""
    asking = [step.seq for step in steps if _asks(step.event, step.before, step.after)]
    if not asking:
        return {}
    rules: Rules = steps[0].after.rules
    hands: dict[tuple[int, int], Hand] = {}
    ends = set[int]()
    for seq, event, before, after in steps:
        if before.ended and type(event) is not Aside:
            continue
        if type(event) in _ENDS and before.phase == "play":
            # Nothing is asked of a deal to the next player, before anybody has played.
            acted = before.hand.acted
            if acted:
                ends.add(seq)
            for seat in range(len(rules.players)):
                hand = _hand_of(hands, before, seat)
                if acted:
                    hand.acts.append((seq, 0))
        if (
            type(event) is Stack
            or type(event) is Deal
            or type(event) is Aside
            or (type(event) is Pass and before.phase != "over")
        ):
            _write(hands, seq, event, after)
    _exclude(hands, steps[-1].after)
    proofs = prove_all(hands.values(), SET)
    by_seq: dict[int, Proof | Proofs] = dict.fromkeys(asking, SURE)
    by_seq |= {seq: proof for (seq, _seat), proof in proofs.items() if seq not in ends}
    for seq in ends:
        by_seq[seq] = {seat: proofs[seq, seat] for seat in range(len(rules.players)) if (seq, seat) in proofs}
    return by_seq


def _hand_of(hands: dict[tuple[int, int], Hand], state: BuildUp, seat: int) -> Hand:
    number = max(state.hand.number, 0)
    hand = hands.get((number, seat))
    if hand is None:
        sizes = state.rules.hands
        hand = hands[number, seat] = Hand(seat, number, sizes[number] if number < len(sizes) else 0)
    return hand


def _write(hands: dict[tuple[int, int], Hand], seq: int, event: Stack | Pass | Deal | Aside, after: BuildUp) -> None:
    """What one act tells of the hand that it comes from."""
    if event.player is None:
        return
    hand = _hand_of(hands, after, after.rules.seat[event.player])
    if type(event) is Stack:
        hand.acts.append((seq, event.tile.bit))
    elif type(event) is Pass:
        hand.acts.append((seq, 0))
    elif type(event) is Deal:
        hand.written |= mask(event.tiles)
        hand.whole = hand.whole or not event.partial
    elif type(event) is Aside:
        hand.left |= mask(event.tiles)


def _exclude(hands: Mapping[tuple[int, int], Hand], last: BuildUp) -> None:
    """What the hands of one colour tell of each other: a tile is in one of them, or in the layout."""
    by_seat: dict[int, list[Hand]] = {}
    for (number, seat), hand in hands.items():
        by_seat.setdefault(seat, []).append(hand)
        drawn = last.drawn[seat]
        if number == 0 and not hand.whole and drawn >= 0:
            hand.written |= 1 << drawn
        hand.gone = last.laid[seat]
    for own in by_seat.values():
        shown = [hand.written | hand.left | hand.played for hand in own]
        # What all the others show, without a look at each of them for each hand: those before it and those after it.
        before = accumulate(shown[:-1], or_, initial=0)
        after = [*accumulate(reversed(shown[1:]), or_, initial=0)]
        for hand, earlier, later in zip(own, before, reversed(after), strict=True):
            hand.gone |= earlier | later
