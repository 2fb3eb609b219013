"""Ratings: how strong players are, estimated from who came before whom, with the uncertainty.

Ratings are computed from the games and never stored, so a corrected record changes them.  Only finished games without
a mistake count, in the order in which they were played, and each kind of game has its own ratings.  The model is
Bradley-Terry by Weng and Lin with all pairs, from `openskill`.  Its Plackett-Luce puts two who share the first place
of five behind the third.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from ledger.club.people import Club
from ledger.stores import questions
from ledger.stores.beside import Alias
from ledger.stores.questions import Seen

LEAST = 10
"""A rating is shown from this many games on: before that it says more about luck."""
SURE = 2
"""With 95 % certainty the true strength lies within this many standard deviations of the rating."""

MARKED = 250
"""The number of games between two marks.  If an old game changes, rating begins again at the mark before it."""


class Rating(Struct, frozen=True):
    """A person's rating in one game: its value, how far off it may be (95 %), and the number of games behind it.

    Ratings that look the same share a rank.
    """

    name: str
    key: str
    value: float
    off: float
    games: int
    rank: int

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


class Rated(NamedTuple):
    """A game that is rated: its day ("" if unknown) and opening, its kind, and the person and the rank in each seat."""

    day: str
    opened: int
    game: str
    people: tuple[str, ...]
    ranks: tuple[int, ...]


_RATED = """
SELECT opened, game, coalesce(played, ''), players, name, named, rank FROM result
WHERE finished = 1 AND players > 1 AND mistakes = 0 AND {} ORDER BY opened, seat
"""
MOST_CHANGED = 200
"""The most changed games that are read by themselves; if more have changed, all are read again."""


class RatedGames:
    """The rated games of a ledger, read again only where it has changed.

    They are finished, without a mistake, and their players are known and all different.
    """

    def __init__(self) -> None:
        self._games: dict[int, Rated] = {}
        self._seen: Seen | None = None
        self._aliases: Sequence[Alias] = ()

    def of(self, club: Club, now: Seen | None = None, *only: str) -> Mapping[str, list[Rated]]:
        """The games of each kind, or of one, in the order in which they were played; `now` is the ledger's state."""
        changed = None if now is None else questions.changed(club, self._seen, now)
        if changed is None or len(changed) > MOST_CHANGED or self._aliases != club.people.aliases:
            self._games, where, openings = {}, "TRUE", list[int]()
        else:
            where, openings = questions.among("opened", [*changed]), [*changed]
        for opened in openings:
            self._games.pop(opened, None)
        rows = club.rows(_RATED.format(f"{where} AND game = ?" if only else where), [*openings, *only])
        key = club.people.key_of
        for _opened, seats in groupby(rows, key=itemgetter(0)):
            table = [*seats]
            opened, game, day, players, *_ = table[0]
            people = tuple([key(row[4]) if row[5] else "" for row in table])
            if game not in club.together and "" not in people and len({*people}) == players:
                self._games[opened] = Rated(day, opened, game, people, tuple([row[-1] for row in table]))
        self._seen, self._aliases = now, club.people.aliases
        games = defaultdict[str, list[Rated]](list)
        for rated in sorted(self._games.values()):
            games[rated.game].append(rated)
        return games


class Ratings:
    """The ratings of a growing club: only games since the first that has changed are rated again."""

    def __init__(self) -> None:
        self._books: dict[str, Book] = {}
        self._rated = defaultdict[tuple[str, ...], RatedGames](RatedGames)

    def ladders(self, club: Club, now: Seen | None = None, *only: str) -> list[Ladder]:
        """The ratings of each kind of game, the one with the most rated games first; or those of one kind.

        `now` is the state of the ledger; without it, all games are read.
        """
        # Where all kinds are kept already, one kind is not kept again.
        read, made = () if () in self._rated else only, []
        for kind, games in self._rated[read].of(club, now, *read).items():
            if not only or kind in only:
                book = self._books.setdefault(kind, Book(kind))
                book.renew(games)
                made.append(book.ladder(club))
        return sorted(made, key=lambda ladder: (-ladder.games, ladder.game))


class _Mark(NamedTuple):
    """What a book said after its first `games` games: each person's mean and deviation, and number of games."""

    games: int
    ratings: Mapping[str, tuple[float, float]]
    counts: Mapping[str, int]


_Team = list[Any]
"""The rating of one person, as a team of `openskill`."""


class _Teams(list[_Team]):
    """The teams of a game.  `rate` changes their ratings in place: copying them takes longer than rating them."""

    def __deepcopy__(self, _memo: object) -> _Teams:
        return self


class Book:
    """The ratings of one kind of game while its games are added, one after the other."""

    def __init__(self, game: str) -> None:
        from openskill.models import BradleyTerryFull

        self.game, self._model = game, BradleyTerryFull()
        self._games: list[Rated] = []
        self._teams: dict[str, _Team] = {}
        self._counts = Counter[str]()
        self._marks = [_Mark(0, {}, {})]

    def renew(self, games: Sequence[Rated]) -> None:
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
            self._counts.update(chain.from_iterable([rated.people for rated in up_to_mark]))
            for key in self._counts.keys() - self._teams.keys():
                self._teams[key] = [self._model.rating()]
            for rated in up_to_mark:
                self._rate(rated)
            unchanged += len(up_to_mark)
        self._games = [*games]

    def _rate(self, game: Rated) -> None:
        """Adds a game."""
        teams, people = self._teams, game.people
        ranks: list[float] = [*game.ranks]
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
            Rating(club.people.name(key), key, rating.mu, SURE * rating.sigma, self._counts[key], 0)
            for key in keys
            for rating in self._teams[key]
        )
        ranked = list[Rating]()
        for place, rating in enumerate(sorted(ratings, key=lambda rating: (-rating.sure, rating.key)), 1):
            before = ranked[-1] if ranked else None
            shared = before is not None and _shown(before) == _shown(rating)
            ranked.append(replace(rating, rank=ranked[-1].rank if shared else place))
        return Ladder(self.game, len(self._games), tuple(ranked), len(self._counts) - len(keys))


def _shown(rating: Rating) -> tuple[str, str]:
    """A rating as pages and the command show it."""
    return f"{rating.value:.1f}", f"{rating.off:.1f}"


def mean_cheats(club: Club, game: str) -> list[tuple[str, str, float, int]]:
    """For a game that all play together, in place of ratings: name, key, mean number of cheats, games; the best first.

    Only people with at least ten finished games without a mistake are included.
    """
    query = (
        "SELECT opened, name, score FROM result "
        "WHERE game = ? AND finished = 1 AND mistakes = 0 AND named = 1 AND score IS NOT NULL"
    )
    cheats = defaultdict[str, dict[int, int]](dict)
    for opened, name, score in club.rows(query, (game,)):
        cheats[club.people.key_of(name)][opened] = score
    rows = [
        (club.people.name(key), key, sum(scores.values()) / len(scores), len(scores))
        for key, scores in cheats.items()
        if key and len(scores) >= LEAST
    ]
    return sorted(rows, key=lambda row: (row[2], row[1]))
