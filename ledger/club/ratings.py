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

LEAST = 10
"""A rating is shown from this many games on: before that it says more about luck."""
SURE = 2
"""With 95 % certainty the true strength lies within this many standard deviations of the rating."""


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


def ladders(club: Club, *only: str) -> list[Ladder]:
    """The ratings of one kind of game, or of each kind, the kind with the most rated games first."""
    made = [_ladder(club, kind, games) for kind, games in _rated_games(club, *only).items()]
    return sorted(made, key=lambda ladder: (-ladder.games, ladder.game))


def _rated_games(club: Club, *only: str) -> Mapping[str, list[Rated]]:
    """The games of each kind, or of one, in the order in which they were played.

    They are finished, without a mistake, and their players are known and all different.
    """
    games, key = defaultdict[str, list[Rated]](list), club.people.key_of
    rows = club.rows(_RATED.format("game = ?" if only else "TRUE"), only)
    for _opened, seats in groupby(rows, key=itemgetter(0)):
        table = [*seats]
        opened, game, day, players, *_ = table[0]
        people = tuple([key(row[4]) if row[5] else "" for row in table])
        if game not in club.together and "" not in people and len({*people}) == players:
            games[game].append(Rated(day, opened, game, people, tuple([row[-1] for row in table])))
    return {game: sorted(rated) for game, rated in games.items()}


_Team = list[Any]
"""The rating of one person, as a team of `openskill`."""


class _Teams(list[_Team]):
    """The teams of a game.  `rate` changes their ratings in place: copying them takes longer than rating them."""

    def __deepcopy__(self, _memo: object) -> _Teams:
        return self


def _ladder(club: Club, game: str, games: Sequence[Rated]) -> Ladder:
    """The ratings after these games, of the people with enough of them."""
    from openskill.models import BradleyTerryFull

    model, counts = BradleyTerryFull(), Counter(chain.from_iterable([rated.people for rated in games]))
    teams: dict[str, _Team] = {key: [model.rating()] for key in counts}
    for rated in games:
        people, ranks = rated.people, [*map(float, rated.ranks)]
        if len({*ranks}) == len(ranks):
            # Teams in the order of their ranks need no ranks: the same ratings, to the bit, in half the time.
            people = tuple([key for _rank, key in sorted(zip(ranks, people, strict=True))])
            after = model.rate(_Teams([teams[key] for key in people]))
        else:
            after = model.rate(_Teams([teams[key] for key in people]), ranks)
        teams.update(zip(people, after, strict=True))
    keys = [key for key, number in counts.items() if number >= LEAST]
    ratings = (
        Rating(club.people.name(key), key, rating.mu, SURE * rating.sigma, counts[key], 0)
        for key in keys
        for rating in teams[key]
    )
    best_first, ranked = sorted(ratings, key=lambda rating: (-rating.sure, rating.key)), list[Rating]()
    # Those that look the same share a rank.
    for _shown, alike in groupby(best_first, key=lambda rating: (f"{rating.value:.1f}", f"{rating.off:.1f}")):
        rank = len(ranked) + 1
        ranked += [replace(rating, rank=rank) for rating in alike]
    return Ladder(game, len(games), tuple(ranked), len(counts) - len(keys))


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
