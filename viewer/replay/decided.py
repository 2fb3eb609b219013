"""Where a finished game was decided, in words and as charts, for the page of the game."""

from collections.abc import Sequence
from typing import NamedTuple

from ledger.audit.review import Review
from ledger.play.exact_ends import Decided
from ledger.record.event_words import place_in_words
from ledger.record.events import Correctable, Pass
from ledger.record.visible import isolated
from ledger.record.words import first_names, listed, listed_or, plural, sentence
from viewer.replay.chart import Chart, Plot
from viewer.replay.replay_view import ReplayView

MOST_NAMED = 4
"""The most better moves that a sentence names."""


class Told(NamedTuple):
    """A hand for people: the act that decided it, a sentence, what goes on from there, and a chart of what was sure."""

    seq: int
    seat: int
    what: str
    why: str
    plot: Plot


def told(view: ReplayView, found: Sequence[Decided]) -> tuple[list[Told], list[str]]:
    """The hands that were decided in their last plays, and what is known of the others, in sentences."""
    several = len(found) > 1
    hands = [
        Told(hand.seq, hand.seat, f"Move {hand.seq} decided {_hand(view, hand)}.", _why(view, hand), _plot(view, hand))
        for hand in reversed(found)
        if hand.seq is not None
    ]
    earlier: dict[int, list[str]] = {}
    for hand in reversed(found):
        if hand.seq is None:
            earlier.setdefault(hand.plays, []).append(str(hand.number) if several else "")
    rest = [
        f"{_numbered(numbers)} decided before {'their' if len(numbers) > 1 else 'its'} last {plays} plays."
        for plays, numbers in earlier.items()
    ]
    return hands, rest


def _numbered(numbers: Sequence[str]) -> str:
    if numbers == [""]:
        return "The game was"
    return f"Hand {numbers[0]} was" if len(numbers) == 1 else f"Hands {listed(numbers)} were"


def _hand(view: ReplayView, hand: Decided) -> str:
    """What was decided: the last hand decides a game in which whoever is ahead wins."""
    game = view.review.game
    last = game.hand_number(view.review.end) if game.hand_number else 0
    return "the game" if hand.goal is None and hand.number == last else f"hand {hand.number}"


def _why(view: ReplayView, hand: Decided) -> str:
    """What the act changed, and which would have kept it open."""
    review, name = view.review, isolated(first_names(view.review.opening.names)[hand.seat])
    nth = hand.seqs.index(hand.seq or 0)
    before, after = hand.line[nth], hand.line[nth + 1]
    place = review.place(hand.seq or 0) or 0
    better = [_called(review, act) for act in hand.better[:MOST_NAMED]]
    more = len(hand.better) - len(better)
    named = listed_or(better) if not more else f"{', '.join(better)} or {plural(more, 'other')}"
    who = isolated(first_names(review.opening.names)[review.phrase(place).seat or 0])
    act = f"{who}'s {_called(review, review.steps[place].event)}"
    if hand.goal is not None:
        sure = f"{name} could be sure of {plural(after, hand.unit)}, with {hand.goal} to make"
        return f"After {act}, {sure}; {named} would have made it {before}."
    return f"After {act}, {name} could be sure to end {_ahead(after)}; {named} would have made it {_ahead(before)}."


def _ahead(points: int) -> str:
    return f"{plural(abs(points), 'point')} {'ahead' if points > 0 else 'behind'}" if points else "level"


def _called(review: Review, act: Correctable) -> str:
    """An act in the middle of a sentence: ``3-4 on stack 7``."""
    if isinstance(act, Pass):
        return "pass"
    where = place_in_words(act, review.squares)
    where = f" on {where}" if where.startswith("level") else f" {where}" if where else ""
    return f"{getattr(act, 'tile', '')}{where}"


def _plot(view: ReplayView, hand: Decided) -> Plot:
    """What the seat could be sure of, by move."""
    review = view.review
    places = [review.place(seq) or 0 for seq in hand.seqs]
    first, last = places[0], places[-1] + 1
    scores = [hand.line[sum(at <= place for at in places[1:])] for place in range(first, last)] + [hand.line[-1]]
    name = first_names(review.opening.names)[hand.seat]
    what = sentence(f"{plural(2, hand.unit)[2:]} that {isolated(name)} could be sure of")[:-1]
    ticks = [(places[n] - first, str(hand.seqs[n])) for n in range(0, len(places), 4)]
    chart = Chart(
        [(score,) for score in scores], (name,), ticks=ticks, what=what, goal=hand.goal, key=f"-{hand.number}"
    )
    chart.moments = [] if hand.seq is None else [(review.place(hand.seq) or 0) - first + 1]
    return Plot(what, "", chart.svg(last - first), first, last)
