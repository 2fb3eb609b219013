"""Ratings: how strong players are, estimated from who came before whom, with the uncertainty.

Ratings are computed from the games and never stored, so a corrected record changes them.  Only finished games without
a mistake count, in the order in which they were played, and each kind of game has its own ratings.  The model is
Plackett-Luce by Weng and Lin, from `openskill` (the extra ``club``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.club.people import Club, Played
from ledger.errors import NotForNow

if TYPE_CHECKING:
    from openskill.models import PlackettLuce, PlackettLuceRating

LEAST = 10
"""A rating is shown from this many games on: before that it says more about luck."""
SURE = 2
"""With 95 % certainty the true strength lies within this many standard deviations of the rating."""


class Rating(Struct, frozen=True):
    """A person's rating in one game: its value, how far off it may be (95 %), and the number of games behind it."""

    name: str
    key: str
    value: float
    off: float
    games: int

    @property
    def sure(self) -> float:
        """The low end of the range in which the strength lies: people are ranked by it."""
        return self.value - self.off


class Ladder(Struct, frozen=True):
    """The ratings of one game, the best first.  `waiting` counts people with fewer than ten rated games, not shown."""

    game: str
    games: int
    ratings: tuple[Rating, ...]
    waiting: int


def counts(club: Club, one: Played) -> bool:
    """Whether a game is rated: it is finished, without a mistake, and its players are known and all different."""
    game = one.game
    return (
        game.finished
        and game.players > 1
        and game.game not in club.together
        and not one.mistakes
        and all(one.people)
        and len(set(one.people)) == len(one.people)
        and all(result.rank is not None for result in one.results)
    )


def ladders(club: Club) -> list[Ladder]:
    """The ratings of each game that has rated games, the game with the most of them first.

    Raises NotForNow without the extra that computes them.
    """
    return Ratings().ladders(club)


class Ratings:
    """The ratings of a growing club: a new game costs the same, however many came before."""

    def __init__(self) -> None:
        self._rated: list[Played] = []
        self._books: dict[str, Book] = {}

    def ladders(self, club: Club) -> list[Ladder]:
        """See `ladders`.  If an earlier game or a name has changed, everything is computed again."""
        rated = [one for one in club.games if counts(club, one)]
        if rated[: len(self._rated)] != self._rated:
            self._rated, self._books = [], {}
        for one in rated[len(self._rated) :]:
            book = self._books.get(one.game.game)
            if book is None:
                book = self._books[one.game.game] = Book(one.game.game)
            book.add(one)
        self._rated = rated
        books = sorted(self._books.values(), key=lambda book: (-book.games, book.game))
        return [book.ladder(club) for book in books]


class Book:
    """The ratings of one kind of game, to which games are added one after the other."""

    def __init__(self, game: str) -> None:
        self.game, self.games = game, 0
        self._model = model()
        self._ratings: dict[str, PlackettLuceRating] = {}
        self._counts: dict[str, int] = {}

    def add(self, one: Played) -> None:
        """Adds a game."""
        teams = [[self._ratings.get(key) or self._model.rating()] for key in one.people]
        rated = self._model.rate(teams, ranks=[float(result.rank or 0) for result in one.results])
        for key, team in zip(one.people, rated, strict=True):
            self._ratings[key] = team[0]
            self._counts[key] = self._counts.get(key, 0) + 1
        self.games += 1

    def ladder(self, club: Club) -> Ladder:
        """The ratings so far of those with enough games."""
        enough = [key for key, games in self._counts.items() if games >= LEAST]
        found = (
            Rating(club.shown[key], key, self._ratings[key].mu, SURE * self._ratings[key].sigma, self._counts[key])
            for key in enough
        )
        ranked = sorted(found, key=lambda rating: (-rating.sure, rating.key))
        return Ladder(self.game, self.games, tuple(ranked), len(self._counts) - len(enough))


def model() -> PlackettLuce:
    """The model of the ratings.  Raises NotForNow without the extra."""
    try:
        from openskill.models import PlackettLuce  # noqa: PLC0415  an extra
    except ImportError:
        raise NotForNow("ratings need an extra: pip install 'domino-ledger[club]'") from None
    return PlackettLuce()


def mean_cheats(club: Club, game: str) -> Iterable[tuple[str, str, float, int]]:
    """For a game that all play together, in place of ratings: name, key, mean number of cheats, games; the best first.

    Only people with at least ten finished games without a mistake are included.
    """
    cheats: dict[str, list[int]] = {}
    for one in club.finished(game):
        if not one.mistakes and one.game.score is not None:
            for key in {*one.people} - {""}:
                cheats.setdefault(key, []).append(one.game.score)
    enough = {key: counted for key, counted in cheats.items() if len(counted) >= LEAST}
    rows = [(club.shown[key], key, sum(counted) / len(counted), len(counted)) for key, counted in enough.items()]
    return sorted(rows, key=lambda row: (row[2], row[1]))
