"""Ratings: how strong people play, estimated from who came before whom, with how sure that is.

A projection: the ratings are worked out anew from the games and nothing of them is stored, so a corrected record
changes them.  Only finished games without a mistake count, in the order in which they were played, and each kind of
game by itself.

Source: R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12 (2011), algorithm 4
(Plackett-Luce).  The numbers are those of the library `openskill` 6 to the last digits; tests hold ours against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, sqrt

from msgspec import Struct

from ledger.club.people import Club, Played

LEAST = 10
"""Games from which a rating is shown: before that it says more about luck."""
SURE = 2
"""Standard deviations on either side of a rating in which the true strength lies with 95 %."""

Strength = tuple[float, float]
"""What is known of a person's strength: the most likely value, and its standard deviation."""
NEW: Strength = (25.0, 25 / 3)
"""The strength of somebody who has not played yet."""
LUCK = (25 / 6) ** 2
"""The variance of how somebody plays from game to game."""
CHANGE = (25 / 300) ** 2
"""The variance by which a strength may change between two games."""
LEAST_SHARE = 0.0001
"""The share of a variance that a game leaves at least."""


class Rating(Struct, frozen=True):
    """A person's rating in one game: its value, how far off it may be (95 %), and the number of games behind it."""

    name: str
    key: str
    value: float
    off: float
    games: int

    @property
    def sure(self) -> float:
        """The strength that the person has at least, most likely: people are ranked by it."""
        return self.value - self.off


class Ladder(Struct, frozen=True):
    """The ratings of one game, the best first; `waiting` people have fewer than ten rated games, so far not shown."""

    game: str
    games: int
    ratings: tuple[Rating, ...]
    waiting: int


def counts(club: Club, one: Played) -> bool:
    """Whether a game is rated: finished, without a mistake, and everybody in it known and there once."""
    game = one.game
    return (
        game.finished
        and game.players > 1
        and game.game not in club.together
        and not one.mistakes
        and "" not in one.people
        and len({*one.people}) == len(one.people)
    )


def ladders(club: Club) -> list[Ladder]:
    """The ratings of each game that has rated games, the game with the most of them first."""
    return Ratings().ladders(club)


class Ratings:
    """The ratings of a club that grows: games that are only added cost no more than themselves."""

    def __init__(self) -> None:
        self._books: dict[str, Book] = {}
        self._club: Club | None = None
        self._ladders: dict[str, Ladder | None] = {}

    def ladders(self, club: Club) -> list[Ladder]:
        """See `ladders`."""
        found = [self.ladder(club, game) for game in {one.game.game for one in club.games}]
        return sorted((ladder for ladder in found if ladder), key=lambda ladder: (-ladder.games, ladder.game))

    def ladder(self, club: Club, game: str) -> Ladder | None:
        """The ratings of one game, or None if no game of it is rated."""
        if club is not self._club:
            self._club, self._ladders = club, {}
        if game not in self._ladders:
            self._ladders[game] = self._work_out(club, game)
        return self._ladders[game]

    def _work_out(self, club: Club, game: str) -> Ladder | None:
        """The ratings of one game.  If one of its earlier games or a name has changed, they are worked out anew."""
        rated = [one for one in club.games if one.game.game == game and counts(club, one)]
        book = self._books.get(game)
        if book is None or rated[: len(book.rated)] != book.rated:
            book = self._books[game] = Book(game)
        book.add(rated[len(book.rated) :])
        return book.ladder(club) if rated else None


class Book:
    """The ratings of one kind of game while its games are added, one after the other."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.rated: list[Played] = []
        self._strengths: dict[str, Strength] = {}
        self._counts: dict[str, int] = {}

    def add(self, games: Sequence[Played]) -> None:
        """Takes games into account, in their order."""
        strengths, numbers = self._strengths, self._counts
        for one in games:
            before = [strengths.get(key, NEW) for key in one.people]
            after = strengths_after(before, [result.rank or 0 for result in one.results])
            for key, strength in zip(one.people, after, strict=True):
                strengths[key] = strength
                numbers[key] = numbers.get(key, 0) + 1
        self.rated += games

    def ladder(self, club: Club) -> Ladder:
        """The ratings so far of those with enough games."""
        enough = [key for key, games in self._counts.items() if games >= LEAST]
        found = []
        for key in enough:
            value, deviation = self._strengths[key]
            found.append(Rating(club.shown[key], key, value, SURE * deviation, self._counts[key]))
        ranked = sorted(found, key=lambda rating: (-rating.sure, rating.key))
        return Ladder(self.game, len(self.rated), tuple(ranked), len(self._counts) - len(enough))


def strengths_after(before: Sequence[Strength], ranks: Sequence[int]) -> list[Strength]:
    """The strengths of players after a game in which they had these ranks; 1 is the best, and ties share a rank."""
    variances = [deviation * deviation + CHANGE for _value, deviation in before]
    scale = sqrt(sum(variances) + LUCK * len(before))
    weights = [exp(value / scale) for value, _deviation in before]
    # A game is a row of choices: who comes first of all, who comes first of the others, and so on.
    totals, total = dict[int, float](), 0.0
    for rank, weight in sorted(zip(ranks, weights, strict=True), reverse=True):
        totals[rank] = total = total + weight
    choices, after = list(totals.items()), []
    for (value, _deviation), variance, weight, rank in zip(before, variances, weights, ranks, strict=True):
        surprise, certainty = 1 / ranks.count(rank), 0.0
        for chosen, total in choices:
            if chosen <= rank:
                chance = weight / total
                surprise -= chance
                certainty += chance - chance * chance
        left = max(1 - certainty * variance * sqrt(variance) / scale**3, LEAST_SHARE)
        after.append((value + variance / scale * surprise, sqrt(variance * left)))
    return after


def mean_cheats(club: Club, game: str) -> Iterable[tuple[str, str, float, int]]:
    """Instead of ratings, in a game that all play together: name, key, mean of the cheats, games; the best first.

    Only people with ten finished games without a mistake are there.
    """
    cheats: dict[str, list[int]] = {}
    for one in club.finished(game):
        if not one.mistakes and one.game.score is not None:
            for key in {*one.people} - {""}:
                cheats.setdefault(key, []).append(one.game.score)
    enough = {key: counted for key, counted in cheats.items() if len(counted) >= LEAST}
    rows = [(club.shown[key], key, sum(counted) / len(counted), len(counted)) for key, counted in enough.items()]
    return sorted(rows, key=lambda row: (row[2], row[1]))
