"""The profile of a player: games, wins, averages, opponents, form, best games and mistakes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct

from ledger.club.people import Club, Played
from ledger.stores.results import Result

FORM = 10
"""How many of the latest games make up a player's form."""


class Best(Struct, frozen=True):
    """The best game of a player: its record, its day and the player's score."""

    record: str
    played: str | None
    score: int


class InGame(Struct, frozen=True):
    """How a player does in one game.

    `games` is the number of finished games; `wins` is None for a game that all play together; `score` is the mean
    score, `mistakes` the mean number of the player's own mistakes, and `best` the game with the best score.
    """

    game: str
    games: int
    wins: int | None
    score: float | None
    mistakes: float
    best: Best | None


class Opponent(Struct, frozen=True):
    """How a player does against another: the numbers of games in which they were `before` the other, `level`, `behind`.

    `with_them` counts the games that both played together, not against each other.
    """

    name: str
    key: str
    before: int
    level: int
    behind: int
    with_them: int

    @property
    def games(self) -> int:
        """The number of games that both played."""
        return self.before + self.level + self.behind + self.with_them


class Form(Struct, frozen=True):
    """One of a player's latest games, as in a list: `outcome` is won, shared, lost or together."""

    record: str
    game: str
    played: str | None
    outcome: str
    score: int | None
    rank: int | None
    players: int
    others: tuple[str, ...]


class Profile(Struct, frozen=True):
    """Everything that the club shows about a player.

    `games` counts all games, `unfinished` the unfinished ones, `contests` the finished games in which players could
    beat each other, and `wins` how many of these the player won.  `streak` is the longest run of wins, `running` the
    number of wins since the last game that was not won.  `form` has the latest game first.  `mistakes` counts the
    player's own mistakes by clause, the most frequent first.
    """

    name: str
    key: str
    also: tuple[str, ...]
    games: int
    unfinished: int
    contests: int
    wins: int
    streak: int
    running: int
    first: str | None
    last: str | None
    by_game: tuple[InGame, ...]
    opponents: tuple[Opponent, ...]
    form: tuple[Form, ...]
    mistakes: tuple[tuple[str, int], ...]


def profile(club: Club, key: str) -> Profile:
    """The profile of a person."""
    all_games = club.of(key)
    finished = [one for one in all_games if one.game.finished]
    contests = [one for one in finished if one.game.players > 1 and one.game.game not in club.together]
    won = [one.result(key).won for one in contests]
    days = [one.game.played for one in all_games if one.game.played]
    return Profile(
        name=club.shown[key],
        key=key,
        also=club.also(key),
        games=len(all_games),
        unfinished=len(all_games) - len(finished),
        contests=len(contests),
        wins=sum(won),
        streak=longest(won),
        running=longest_at_end(won),
        first=min(days, default=None),
        last=max(days, default=None),
        by_game=tuple(_by_game(club, key, finished)),
        opponents=tuple(_opponents(club, key, finished)),
        form=tuple(_form(club, key, one) for one in reversed(finished[-FORM:])),
        mistakes=tuple(_most(sum((club.mistakes_of(key, one) for one in all_games), Counter[str]()))),
    )


def _most(counts: Counter[str]) -> list[tuple[str, int]]:
    """The counts, the greatest first; equal ones are in the order of their names."""
    return sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))


def longest(won: Sequence[bool]) -> int:
    """The length of the longest run of wins."""
    best = run = 0
    for one in won:
        run = run + 1 if one else 0
        best = max(best, run)
    return best


def longest_at_end(won: Sequence[bool]) -> int:
    """The length of the run of wins at the end."""
    return next((place for place, one in enumerate(reversed(won)) if not one), len(won))


def mean(values: Sequence[int]) -> float | None:
    """The mean; None if there are no values."""
    return sum(values) / len(values) if values else None


def best_of(club: Club, results: Iterable[Result]) -> Best | None:
    """The earliest of the results with the best score; games with a mistake do not count."""
    scored = [result for result in results if result.score is not None and not result.mistakes]
    if not scored:
        return None
    sign = 1 if scored[0].game in club.together else -1
    best = min(scored, key=lambda result: sign * (result.score or 0))
    return Best(best.record, best.played, best.score or 0)


def _by_game(club: Club, key: str, finished: Sequence[Played]) -> Iterable[InGame]:
    by_game: defaultdict[str, list[Result]] = defaultdict(list)
    mistakes: defaultdict[str, list[int]] = defaultdict(list)
    for one in finished:
        by_game[one.game.game].append(one.result(key))
        mistakes[one.game.game].append(club.mistakes_of(key, one).total())
    for game, results in sorted(by_game.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        alone = game in club.together
        contests = [result for result in results if result.players > 1]
        yield InGame(
            game,
            len(results),
            None if alone else sum(result.won for result in contests),
            mean([result.score for result in results if result.score is not None]),
            mean(mistakes[game]) or 0.0,
            best_of(club, results),
        )


def _opponents(club: Club, key: str, finished: Sequence[Played]) -> list[Opponent]:
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for one in finished:
        own = one.result(key).rank
        for other, result in zip(one.people, one.results, strict=True):
            if other in ("", key):
                continue
            if one.game.game in club.together or own is None or result.rank is None:
                counts[other][3] += 1
            else:
                counts[other][(own > result.rank) - (own < result.rank) + 1] += 1
    found = [Opponent(club.shown[other], other, *numbers) for other, numbers in counts.items()]
    return sorted(found, key=lambda opponent: (-opponent.games, opponent.key))


def _form(club: Club, key: str, one: Played) -> Form:
    result = one.result(key)
    if one.game.game in club.together or result.players == 1:
        outcome = "together" if result.players > 1 else "alone"
    elif result.won:
        outcome = "won" if one.winners == 1 else "shared"
    else:
        outcome = "lost"
    others = tuple(club.shown[other] for other in one.people if other not in ("", key))
    return Form(result.record, result.game, result.played, outcome, result.score, result.rank, result.players, others)
