"""Ratings: how strong players are, estimated from who came before whom, with the uncertainty.

Ratings are computed from the games and never stored, so a corrected record changes them.  Only finished games without
a mistake count, in the order in which they were played, and each kind of game has its own ratings.  The model is
Bradley-Terry by Weng and Lin with all pairs, from `openskill`.  Its Plackett-Luce puts two who share the first place
of five behind the third.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger.club.people import ORDER, Club

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


_Ranked = tuple[list[list[str]], list[float]]
"""A game that is rated: the people and the rank of each side, a team or somebody alone."""
_RATED = f"""
SELECT opened, game, players, name, named, rank + 0.0, coalesce(team, -1 - seat) FROM result
WHERE finished = 1 AND players > 1 AND mistakes = 0 AND rank IS NOT NULL ORDER BY {ORDER}, seat
"""  # noqa: S608  constants


def ladders(club: Club) -> list[Ladder]:
    """The ratings in each game, the one with the most rated games first.

    Rated games are finished, without a mistake, it is known who came where, and their players are known and all
    different.
    """
    rated = defaultdict[str, list[_Ranked]](list)
    rows = club.rows(_RATED)
    for _opened, seats in groupby(rows, key=itemgetter(0)):
        table = [*seats]
        _opened, game, players, *_ = table[0]
        people = [club.people.key_of(row[3]) if row[4] else "" for row in table]
        if game not in club.together and len({*people} - {""}) == players:
            sides = dict[int, tuple[list[str], float]]()
            for person, (*_row, rank, side) in zip(people, table, strict=True):
                sides.setdefault(side, ([], rank))[0].append(person)
            if len(sides) > 1:
                rated[game].append(([side for side, _rank in sides.values()], [rank for _side, rank in sides.values()]))
    made = [_ladder(club, game, games) for game, games in rated.items()]
    return sorted(made, key=lambda ladder: (-ladder.games, ladder.game))


def _ladder(club: Club, game: str, games: Sequence[_Ranked]) -> Ladder:
    from openskill.models import BradleyTerryFull

    model, counts = BradleyTerryFull(), Counter([key for sides, _ranks in games for side in sides for key in side])
    rating: dict[str, Any] = {key: model.rating() for key in counts}
    for sides, ranks in games:
        after = model.rate([[rating[key] for key in side] for side in sides], ranks)
        for side, rated in zip(sides, after, strict=True):
            rating.update(zip(side, rated, strict=True))
    ratings = [
        Rating(club.people.name(key), key, rated.mu, SURE * rated.sigma, counts[key], 0)
        for key, rated in rating.items()
        if counts[key] >= LEAST
    ]
    best_first, placed = sorted(ratings, key=lambda rating: (-rating.sure, rating.key)), list[Rating]()
    # Those that look the same share a rank.
    for _shown, alike in groupby(best_first, key=lambda rating: (f"{rating.value:.1f}", f"{rating.off:.1f}")):
        rank = len(placed) + 1
        placed += [replace(rating, rank=rank) for rating in alike]
    return Ladder(game, len(games), tuple(placed), len(counts) - len(placed))


def mean_cheats(club: Club, game: str) -> list[tuple[str, str, float, int]]:
    """For a game that all play together, in place of ratings: name, key, mean number of cheats, games; the best first.

    Only people with at least ten finished games without a mistake are included.
    """
    cheats = defaultdict[str, list[int]](list)
    for played in club.games("game = ? AND finished = 1 AND mistakes = 0", (game,)):
        for key in {*played.people} - {""}:
            cheats[key].append(played.seat(key).score or 0)
    rows = [
        (club.people.name(key), key, sum(scores) / len(scores), len(scores))
        for key, scores in cheats.items()
        if len(scores) >= LEAST
    ]
    return sorted(rows, key=lambda row: (row[2], row[1]))
