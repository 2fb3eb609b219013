"""Ratings: how strong players are, estimated from who came before whom, with the uncertainty.

Ratings are computed from the games and never stored, so a corrected record changes them.  Only finished games without
a mistake count, in the order in which they were played, and each kind of game has its own ratings.  The model is
Plackett-Luce by Weng and Lin, from `openskill`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from ledger.club.people import Club, Played
from ledger.record.later import later

with later():
    from openskill.models import PlackettLuce


if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating

LEAST = 10
"""A rating is shown from this many games on: before that it says more about luck."""
SURE = 2
"""With 95 % certainty the true strength lies within this many standard deviations of the rating."""

MARKED = 250
"""The number of games between two marks.  If an old game changes, rating begins again at the mark before it."""


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


def counts(club: Club, played: Played) -> bool:
    """Whether a game is rated: it is finished, without a mistake, and its players are known and all different."""
    game = played.game
    return (
        game.finished
        and game.players > 1
        and game.game not in club.together
        and not game.mistakes
        and "" not in played.people
        and len({*played.people}) == len(played.people)
    )


def ladders(club: Club) -> list[Ladder]:
    """The ratings of each kind of game, the one with the most rated games first."""
    return Ratings().ladders(club)


class Ratings:
    """The ratings of a growing club: a new game costs the same, however many came before."""

    def __init__(self) -> None:
        self._books: dict[str, Book] = {}
        self._club: Club | None = None
        self._ladders: dict[str, Ladder | None] = {}

    def ladders(self, club: Club) -> list[Ladder]:
        """See `ladders`."""
        all_ladders = [self.ladder(club, game) for game in club.kinds]
        return sorted((ladder for ladder in all_ladders if ladder), key=lambda ladder: (-ladder.games, ladder.game))

    def ladder(self, club: Club, game: str) -> Ladder | None:
        """The ratings of one game, or None if no game of it is rated."""
        if club is not self._club:
            self._club, self._ladders = club, {}
        if game not in self._ladders:
            self._ladders[game] = self._work_out(club, game)
        return self._ladders[game]

    def _work_out(self, club: Club, game: str) -> Ladder | None:
        """The ratings of one game."""
        rated_games = [played for played in club.of_kind(game) if counts(club, played)]
        if not rated_games:
            return None
        book = self._books.get(game)
        if book is None:
            book = self._books[game] = Book(game)
        book.renew(rated_games)
        return book.ladder(club)


class _Mark(NamedTuple):
    """What a book said after its first `games` games: each person's mean and deviation, and number of games."""

    games: int
    ratings: Mapping[str, tuple[float, float]]
    counts: Mapping[str, int]


_Team = list["PlackettLuceRating"]
"""The rating of one person, as a team of `openskill`."""


class _Teams(list[_Team]):
    """The teams of a game.  `rate` changes their ratings in place: copying them takes longer than rating them."""

    def __deepcopy__(self, _memo: object) -> _Teams:
        return self


class Book:
    """The ratings of one kind of game while its games are added, one after the other."""

    def __init__(self, game: str) -> None:
        self.game, self._model = game, PlackettLuce()
        self._games: list[Played] = []
        self._teams: dict[str, _Team] = {}
        self._counts = Counter[str]()
        self._marks = [_Mark(0, {}, {})]

    def renew(self, games: Sequence[Played]) -> None:
        """Rates these games, from the last mark before the first game that has changed."""
        unchanged = next((n for n, (old, new) in enumerate(zip(self._games, games, strict=False)) if old != new), None)
        if unchanged is None:
            unchanged = min(len(self._games), len(games))
        if unchanged < len(self._games):
            self._marks = [mark for mark in self._marks if mark.games <= unchanged]
            unchanged, ratings, counts = self._marks[-1]
            self._teams = {key: [self._model.rating(mu, sigma)] for key, (mu, sigma) in ratings.items()}
            self._counts = Counter(counts)
        while unchanged < len(games):
            if unchanged % MARKED == 0 and unchanged > self._marks[-1].games:
                current = {key: (team[0].mu, team[0].sigma) for key, team in self._teams.items()}
                self._marks.append(_Mark(unchanged, current, dict(self._counts)))
            up_to_mark = games[unchanged : unchanged - unchanged % MARKED + MARKED]
            self._counts.update(chain.from_iterable([played.people for played in up_to_mark]))
            for key in self._counts.keys() - self._teams.keys():
                self._teams[key] = [self._model.rating()]
            for played in up_to_mark:
                self._rate(played)
            unchanged += len(up_to_mark)
        self._games = [*games]

    def _rate(self, played: Played) -> None:
        """Adds a game."""
        teams, people = self._teams, played.people
        ranks: list[float] = [result.rank or 0 for result in played.game.results]
        if len({*ranks}) == len(ranks):
            # Teams in the order of their ranks need no ranks: the same ratings, to the bit, in half the time.
            people = tuple([key for _rank, key in sorted(zip(ranks, people, strict=True))])
            rated = self._model.rate(_Teams([teams[key] for key in people]))
        else:
            rated = self._model.rate(_Teams([teams[key] for key in people]), ranks)
        for key, team in zip(people, rated, strict=True):
            teams[key] = team

    def ladder(self, club: Club) -> Ladder:
        """The ratings so far, of the people with enough games."""
        keys = [key for key, games in self._counts.items() if games >= LEAST]
        ratings = (
            Rating(club.shown[key], key, rating.mu, SURE * rating.sigma, self._counts[key])
            for key in keys
            for rating in self._teams[key]
        )
        ranked = sorted(ratings, key=lambda rating: (-rating.sure, rating.key))
        return Ladder(self.game, len(self._games), tuple(ranked), len(self._counts) - len(keys))


def mean_cheats(club: Club, game: str) -> Iterable[tuple[str, str, float, int]]:
    """For a game that all play together, in place of ratings: name, key, mean number of cheats, games; the best first.

    Only people with at least ten finished games without a mistake are included.
    """
    cheats: dict[str, list[int]] = {}
    for played in club.finished(game):
        score = played.game.results[0].score
        if not played.game.mistakes and score is not None:
            for key in {*played.people} - {""}:
                cheats.setdefault(key, []).append(score)
    enough = {key: numbers for key, numbers in cheats.items() if len(numbers) >= LEAST}
    rows = [(club.shown[key], key, sum(numbers) / len(numbers), len(numbers)) for key, numbers in enough.items()]
    return sorted(rows, key=lambda row: (row[2], row[1]))
