"""Where a finished game was decided, in words and as charts, for the page of the game."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from ledger.audit.review import Review
from ledger.play.exact_ends import Decided
from ledger.record.event_words import place_in_words
from ledger.record.events import Correctable, Pass
from ledger.record.visible import isolated
from ledger.record.words import first_names, listed, listed_or, plural, sentence
from viewer.every_page.templates import filled
from viewer.replay.chart import Chart, Plot
from viewer.replay.replay_view import ReplayView

MOST_NAMED = 4
"""The most better moves that a sentence names."""


class DecidedHand(NamedTuple):
    """A hand for people: the act that decided it, a sentence, what goes on from there, and a chart of what was sure.

    `better` are the keys of the drawn tiles that would have been better.
    """

    seq: int
    seat: int
    what: str
    why: str
    better: tuple[str, ...]
    plot: Plot


def decided_hands(view: ReplayView, hands: Sequence[Decided]) -> str:
    """The hands that were decided in their last plays, and what is known of the others, as HTML."""
    found = hands[::-1]
    earlier = sorted((hand for hand in found if hand.seq is None), key=lambda hand: -hand.plays)
    rest = [
        f"{_numbered([hand.number for hand in hands], len(found))} last {plays} plays."
        for plays, hands in groupby(earlier, lambda hand: hand.plays)
    ]
    shown = [_hand(view.review, hand) for hand in found if hand.seq is not None]
    return filled("decided_hands.html", hands=shown, rest=rest)


def _numbered(numbers: Sequence[int], count: int) -> str:
    if count == 1:
        return "The game was decided before its"
    if len(numbers) == 1:
        return f"Hand {numbers[0]} was decided before its"
    return f"Hands {listed(map(str, numbers))} were decided before their"


def _hand(review: Review, hand: Decided) -> DecidedHand:
    """A hand that was decided in its last plays.  If the player who is ahead wins, the last hand decides the game."""
    place, nth = review.place(hand.seq or 0) or 0, hand.seqs.index(hand.seq or 0)
    step, seat, names = review.steps[place], review.phrase(place).seat or 0, first_names(review.opening.names)
    before, after = hand.line[nth : nth + 2]
    better = [_called(review, act) for act in hand.better[:MOST_NAMED]]
    more = len(hand.better) - len(better)
    named = f"{', '.join(better)} or {plural(more, 'other')}" if more else listed_or(better)
    if hand.goal is None:
        sure, instead = f"end {_ahead(after)}", _ahead(before)
    else:
        sure, instead = f"get {plural(after, hand.unit)}, with {hand.goal} to make", str(before)
    last = review.game.hand_number(review.end) if review.game.hand_number else 0
    what = "the game" if hand.goal is None and hand.number == last else f"hand {hand.number}"
    who = isolated(names[hand.seat])
    return DecidedHand(
        step.seq,
        hand.seat,
        f"Move {place} decided {what}.",
        f"After {isolated(names[seat])}'s {_called(review, step.event)}, {who} could be sure to {sure}; "
        f"{named} would have made it {instead}.",
        tuple(f"{getattr(act, 'tile', '')} hand {seat}" for act in hand.better),
        _plot(review, hand, names[hand.seat], place),
    )


def _ahead(points: int) -> str:
    return f"{plural(abs(points), 'point')} {'ahead' if points > 0 else 'behind'}" if points else "level"


def _called(review: Review, act: Correctable) -> str:
    """An act in the middle of a sentence: ``3-4 on stack 7``."""
    if isinstance(act, Pass):
        return "pass"
    where = place_in_words(act, review.squares)
    where = f" on {where}" if where.startswith("level") else f" {where}" if where else ""
    return f"{getattr(act, 'tile', '')}{where}"


def _plot(review: Review, hand: Decided, name: str, decides: int) -> Plot:
    """What the player could be sure of, by move."""
    places = [review.place(seq) or 0 for seq in hand.seqs]
    first, last = places[0], places[-1] + 1
    scores = [(hand.line[sum(at <= place for at in places[1:])],) for place in range(first, last)]
    what = sentence(f"{plural(2, hand.unit)[2:]} that {isolated(name)} could be sure of")[:-1]
    ticks = [(place - first, str(place)) for place in places[::4]]
    chart = Chart([*scores, hand.line[-1:]], (name,), ticks=ticks, what=what, goal=hand.goal, key=f"-{hand.number}")
    chart.moments = [decides - first + 1]
    return Plot(what, "", chart.svg(last - first), first, last)
