"""Compares two groups of games: how long they are, how high the scores, what a seat is worth, how often they tie.

Each figure has the interval in which it lies with 95 % confidence.  Means: the normal distribution.  Shares: E. B.
Wilson, "Probable Inference, the Law of Succession, and Statistical Inference" (1927); their difference: R. G. Newcombe,
"Interval Estimation for the Difference Between Independent Proportions" (1998), method 10.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from math import sqrt
from statistics import fmean, variance
from typing import NamedTuple

from msgspec import Struct

from ledger.audit.review import Review
from ledger.club.statistics import bars
from ledger.keep.stored_audits import list_entry
from ledger.record.events import Cheats
from ledger.record.record import Record

Z = 1.959964
"""The quantile of the normal distribution that leaves 2.5 % on each side."""


class Outcome(NamedTuple):
    """What came of a game: the tiles laid, the hands begun, the scores by seat and the seats of the winners.

    `together`: the players build together and count cheats, so that nobody beats anybody.
    """

    finished: bool
    moves: int
    hands: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    together: bool

    @property
    def decided(self) -> bool:
        """Whether one player alone won."""
        return self.finished and len(self.winners) == 1

    @property
    def margin(self) -> int:
        """How far the only winner was from the next player, whether high or low scores win."""
        (winner,) = self.winners
        return min(abs(self.scores[winner] - score) for seat, score in enumerate(self.scores) if seat != winner)


class Estimate(Struct, frozen=True):
    """A mean or a share (0 to 1), the interval in which it lies with 95 % confidence, and the number of values."""

    value: float
    low: float
    high: float
    count: int


class Figure(Struct, frozen=True):
    """A figure of both groups, and the second less the first; None where a group has no such value.

    `share`: it is a share, from 0 to 1, and not a mean.
    """

    name: str
    share: bool
    a: Estimate | None
    b: Estimate | None
    difference: Estimate | None


class Lengths(Struct, frozen=True):
    """How many finished games of each group have a number of moves from `low` to `high`, both included."""

    low: int
    high: int
    a: int
    b: int


def outcome(record: Record) -> Outcome:
    """What came of a game, by the rules.  Raises NotARecord or UnknownGame if it cannot be audited."""
    review = Review(record)
    entry = list_entry(review)
    winners = tuple(map(review.opening.players.index, entry.winners))
    return Outcome(entry.finished, entry.moves, entry.hands, entry.scores, winners, Cheats in review.game.events)


def compare(a: Sequence[Outcome], b: Sequence[Outcome]) -> tuple[Figure, ...]:
    """All figures that at least one of two groups of games has."""
    figures = (*_means(a, b), *_shares(a, b))
    return tuple(figure for figure in figures if figure.a or figure.b)


def lengths(a: Sequence[Outcome], b: Sequence[Outcome]) -> tuple[Lengths, ...]:
    """How many games have how many moves: at most twelve rows, the same for both groups."""
    moves_a, moves_b = ([game.moves for game in group if game.finished] for group in (a, b))
    if not (moves_a or moves_b):
        return ()
    return tuple(
        Lengths(bar.low, bar.high, *(sum(bar.low <= n <= bar.high for n in moves) for moves in (moves_a, moves_b)))
        for bar in bars([*moves_a, *moves_b])
    )


def _means(a: Sequence[Outcome], b: Sequence[Outcome]) -> Iterator[Figure]:
    of: dict[str, Callable[[Outcome], Iterable[float]]] = {
        "moves": lambda game: (game.moves,),
        "hands": lambda game: (game.hands,) if game.hands else (),
        "score": lambda game: (fmean(game.scores),),
        "winner's score": lambda game: () if game.together else (game.scores[seat] for seat in game.winners),
        "margin": lambda game: (game.margin,) if game.decided and len(game.scores) > 1 else (),
    }
    for name, values in of.items():
        groups = [[value for game in group if game.finished for value in values(game)] for group in (a, b)]
        first, second = map(mean, groups)
        yield Figure(name, False, first, second, _mean_difference(first, second))


def _shares(a: Sequence[Outcome], b: Sequence[Outcome]) -> Iterator[Figure]:
    """The shares: of all games those that are finished, of the finished ones those that somebody won alone, and so on.

    Seats count only in games that one player won alone.
    """
    yield _share("finished", [[game.finished for game in group] for group in (a, b)])
    contests = [
        [game for game in group if game.finished and len(game.scores) > 1 and not game.together] for group in (a, b)
    ]
    yield _share("won by one player", [[game.decided for game in group] for group in contests])
    seats = max((len(game.scores) for group in contests for game in group), default=0)
    for seat, number in zip(range(seats), count(1), strict=False):
        won = [
            [game.winners[0] == seat for game in group if game.decided and seat < len(game.scores)]
            for group in contests
        ]
        yield _share(f"won by seat {number}", won)


def _share(name: str, groups: Sequence[Sequence[bool]]) -> Figure:
    a, b = (share(sum(group), len(group)) for group in groups)
    return Figure(name, True, a, b, _share_difference(a, b))


def mean(values: Sequence[float]) -> Estimate | None:
    """The mean of values, with its interval; None without values."""
    if not values:
        return None
    half = Z * sqrt(variance(values) / len(values)) if len(values) > 1 else float("inf")
    return Estimate(fmean(values), fmean(values) - half, fmean(values) + half, len(values))


def share(hits: int, number: int) -> Estimate | None:
    """The share of hits, with Wilson's interval; None of nothing."""
    if not number:
        return None
    value, weight = hits / number, Z * Z / number
    middle = (value + weight / 2) / (1 + weight)
    half = Z * sqrt(value * (1 - value) / number + weight / (4 * number)) / (1 + weight)
    return Estimate(value, max(0.0, middle - half), min(1.0, middle + half), number)


def _mean_difference(a: Estimate | None, b: Estimate | None) -> Estimate | None:
    if a is None or b is None:
        return None
    half = sqrt((a.high - a.value) ** 2 + (b.high - b.value) ** 2)
    return Estimate(b.value - a.value, b.value - a.value - half, b.value - a.value + half, a.count + b.count)


def _share_difference(a: Estimate | None, b: Estimate | None) -> Estimate | None:
    if a is None or b is None:
        return None
    value = b.value - a.value
    low = value - sqrt((b.value - b.low) ** 2 + (a.high - a.value) ** 2)
    high = value + sqrt((b.high - b.value) ** 2 + (a.value - a.low) ** 2)
    return Estimate(value, low, high, a.count + b.count)
