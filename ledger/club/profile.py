"""The profile of a player: games, wins, averages, opponents, form, best games and mistakes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct

from ledger.club.people import Club, Played

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

    `games` counts all games, `unfinished` the unfinished ones, `cards` the score cards, which were not audited.
    `contests` are the finished games in which players could beat each other, and `wins` how many of these the player
    won.  `streak` is the longest run of wins, `running` the number of wins since the last game that was not won.
    `form` has the latest game first.  `mistakes` counts the player's own mistakes by clause, the most frequent first.
    """

    name: str
    key: str
    also: tuple[str, ...]
    games: int
    unfinished: int
    cards: int
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
    finished = [played for played in all_games if played.game.finished]
    contests = [played for played in finished if played.game.players > 1 and played.game.game not in club.together]
    wins = [played.result(key).won for played in contests]
    days = [played.game.played for played in all_games if played.game.played]
    return Profile(
        name=club.shown[key],
        key=key,
        also=club.also(key),
        games=len(all_games),
        unfinished=len(all_games) - len(finished),
        cards=sum(played.game.card for played in finished),
        contests=len(contests),
        wins=sum(wins),
        streak=longest(wins),
        running=longest_at_end(wins),
        first=min(days, default=None),
        last=max(days, default=None),
        by_game=tuple(_by_game(club, key, finished)),
        opponents=tuple(_opponents(club, key, finished)),
        form=tuple(_form(club, key, played) for played in reversed(finished[-FORM:])),
        mistakes=tuple(_most_first(sum((club.mistakes_of(key, played) for played in all_games), Counter[str]()))),
    )


def _most_first(counts: Counter[str]) -> list[tuple[str, int]]:
    """The counts, the greatest first; equal ones are in the order of their names."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def longest(wins: Sequence[bool]) -> int:
    """The length of the longest run of wins."""
    best = run = 0
    for is_win in wins:
        run = run + 1 if is_win else 0
        best = max(best, run)
    return best


def longest_at_end(wins: Sequence[bool]) -> int:
    """The length of the run of wins at the end."""
    return next((place for place, is_win in enumerate(reversed(wins)) if not is_win), len(wins))


def mean(values: Sequence[int]) -> float | None:
    """The mean; None if there are no values."""
    return sum(values) / len(values) if values else None


def _best_of(club: Club, key: str, games: Sequence[Played]) -> Best | None:
    """The earliest of a person's games of one kind with the best score; games with a mistake do not count."""
    scored = [
        (score, played.game)
        for played in games
        if (score := played.result(key).score) is not None and not played.game.mistakes
    ]
    if not scored:
        return None
    sign = 1 if games[0].game.game in club.together else -1
    score, game = min(scored, key=lambda pair: sign * pair[0])
    return Best(game.record, game.played, score)


def _by_game(club: Club, key: str, finished: Sequence[Played]) -> Iterable[InGame]:
    by_game: defaultdict[str, list[Played]] = defaultdict(list)
    for played in finished:
        by_game[played.game.game].append(played)
    for game, games in sorted(by_game.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        results = [played.result(key) for played in games]
        yield InGame(
            game,
            len(games),
            None
            if game in club.together
            else sum(result.won for result, played in zip(results, games, strict=True) if played.game.players > 1),
            mean([result.score for result in results if result.score is not None]),
            mean([club.mistakes_of(key, played).total() for played in games]) or 0.0,
            _best_of(club, key, games),
        )


def _opponents(club: Club, key: str, finished: Sequence[Played]) -> list[Opponent]:
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for played in finished:
        own_rank = played.result(key).rank
        for other_key, result in zip(played.people, played.game.results, strict=True):
            if other_key in ("", key):
                continue
            if played.game.game in club.together or own_rank is None or result.rank is None:
                counts[other_key][3] += 1
            else:
                counts[other_key][(own_rank > result.rank) - (own_rank < result.rank) + 1] += 1
    opponents = [Opponent(club.shown[other_key], other_key, *numbers) for other_key, numbers in counts.items()]
    return sorted(opponents, key=lambda opponent: (-opponent.games, opponent.key))


def _form(club: Club, key: str, played: Played) -> Form:
    game, result = played.game, played.result(key)
    if game.game in club.together or game.players == 1:
        outcome = "together" if game.players > 1 else "alone"
    elif result.won:
        outcome = "won" if played.winners == 1 else "shared"
    else:
        outcome = "lost"
    others = tuple(club.shown[person] for person in played.people if person not in ("", key))
    return Form(game.record, game.game, game.played, outcome, result.score, result.rank, game.players, others)
