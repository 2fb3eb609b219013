"""The strip of scores, step by step: by the rules, as called if that differs, the turn, the hands."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ledger.audit.review import Review
from ledger.record import events as e
from ledger.record.scene import Goal, Hand, Scene
from ledger.record.words import listed, plural
from viewer.replay.story import Story

MANY = 2
"""With more players than this, the words below a score are shorter."""


class Strip(NamedTuple):
    """The strip at a step, by seat.

    `scores` are by the rules, `turns` the seats to act, `notes` a line below each score, `wins` the seats that have
    won, `next_` who acts next, in words, and `status` the status of the table.  `goal` is the contract, `taken` what
    each seat has taken towards it, also when the hand has just ended.
    """

    scores: tuple[int, ...]
    turns: tuple[int, ...]
    notes: tuple[str, ...]
    wins: tuple[int, ...]
    next_: str
    status: str
    goal: Goal | None
    taken: tuple[int, ...]


def strips(story: Story) -> list[Strip]:
    """The strip at each step."""
    review = story.review
    return [
        _strip(story, place, review.scene(place), called)
        for place, called in zip(range(len(review.steps)), called_totals(story), strict=True)
    ]


def _strip(story: Story, place: int, scene: Scene, called: tuple[int, ...]) -> Strip:
    review = story.review
    standing = review.standing(place)
    # Nobody is next in a game that was closed, finished or not.
    closed = story.closed is not None and place >= story.closed
    turns = () if closed else tuple(seat for seat, row in enumerate(scene.seats) if row.turn)
    notes = tuple(_note(story, place, scene, seat, called[seat]) for seat in range(len(scene.seats)))
    wins = standing.winners if standing.finished and not story.shared else ()
    next_, status = _next(story, place, turns), review.named(scene.status)
    return Strip(standing.scores, turns, notes, wins, next_, status, scene.goal, scene.taken)


def _note(story: Story, place: int, scene: Scene, seat: int, called: int) -> str:
    """The line below a score: a different total that was called, the hand's points, the contract, or the hand."""
    standing = story.review.standing(place)
    many = len(scene.seats) > MANY
    parts = [f"called {called}"] if called != standing.scores[seat] and not story.shared else []
    # The bidder is the contractor, so the bid is enough beside the score.
    word = story.review.named(scene.seats[seat].word).removeprefix("contractor, ")
    gained = 0 if story.shared else story.this_hand[place][seat]
    hand = next((hand for hand in scene.hands if hand.owner == seat), None)
    if gained:
        parts.append(f"{gained:+}" if many else f"{gained:+} this hand")
    elif word:
        parts.append(word)
    elif hand is not None and not standing.finished:
        parts += _hand_size(hand, brief=bool(parts) or many)
    return " · ".join(parts)


def _hand_size(hand: Hand, *, brief: bool) -> list[str]:
    if hand.unknown is None:
        return []
    count = len(hand.tiles) + hand.unknown
    if not count:
        return ["hand empty"]
    return [f"{count} in hand" if brief else f"{plural(count, 'tile')} in hand"]


def _next(story: Story, place: int, turns: tuple[int, ...]) -> str:
    if story.review.standing(place).finished:
        closed = type(story.review.steps[place].event) is e.Close
        return plural(story.moves, "move") if closed else story.ending(short=True)
    names = [story.names[seat] for seat in turns]
    if not names:
        return ""
    return f"{listed(names)} {'is next' if story.bids else 'to play'}"


def contracts(strips: Sequence[Strip]) -> Iterator[tuple[int, int]]:
    """The hands with a contract: the first step of each, and the last one, at which the last tiles are taken."""
    first = None
    for place, strip in enumerate(strips):
        if strip.goal is not None and first is None:
            first = place
        elif strip.goal is None and first is not None:
            yield first, place if strip.taken else place - 1
            first = None
    if first is not None:
        yield first, len(strips) - 1


def called_totals(story: Story) -> Iterator[tuple[int, ...]]:
    """The totals of each seat at each step as the table called them, or by the rules if it called none."""
    review: Review = story.review
    totals = [0] * len(story.names)
    for line, step in zip(story.lines, review.steps, strict=True):
        for seat, points in enumerate(line.gains):
            totals[seat] += points
        if line.called is not None and line.phrase.seat is not None:
            totals[line.phrase.seat] += line.called - (line.gains[line.phrase.seat] if line.gains else 0)
        if type(step.event) is e.Score and step.event.scope == "game":
            for player, points in step.event.points.items():
                if player in review.opening.players:
                    totals[review.opening.seat(player)] = points
        yield tuple(totals)
