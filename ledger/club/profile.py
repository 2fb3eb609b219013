"""The profile of a player: games, wins, averages, opponents, form, best games and mistakes."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby, takewhile
from operator import attrgetter

from msgspec import Struct

from ledger.club.people import Club, Played, Seat
from ledger.club.statistics import Alike, low_wins
from ledger.stores.questions import among

FORM = 10
"""How many of the latest games make up a player's form."""


class Best(Struct, frozen=True):
    """The best game of a player: its record, its day and the player's score."""

    record: str
    played: str | None
    score: int


class InGame(Struct, frozen=True):
    """How a player does in one game with so many players and one set.

    `games` is the number of finished games; `wins` is None for a game that all play together; `score` is the mean
    score, `mistakes` the mean number of the player's own mistakes in games that were audited (None if none was), and
    `best` the game with the best score.
    """

    game: str
    players: int
    set_size: int | None
    games: int
    wins: float | None
    score: float | None
    mistakes: float | None
    best: Best | None

    @property
    def kind(self) -> Alike:
        """The kind of these games."""
        return Alike(self.players, self.set_size, self.games)


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
    """One of a player's latest games, as in a list: `outcome` is won, shared, lost, together, alone or unknown."""

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
    won, a shared one in parts.  `streak` is the longest run of wins, and `running` the number of wins since the last
    game that was not won.
    `form` has the latest game first.  `mistakes` counts the player's own mistakes by clause, the most frequent first.
    """

    name: str
    key: str
    also: tuple[str, ...]
    games: int
    unfinished: int
    cards: int
    contests: int
    wins: float
    streak: int
    running: int
    first: str | None
    last: str | None
    by_game: tuple[InGame, ...]
    opponents: tuple[Opponent, ...]
    form: tuple[Form, ...]
    mistakes: tuple[tuple[str, int], ...]


_MISTAKES = """
SELECT c.game, n.players, n.set_size, c.clause, n.finished, count(*)
FROM cause c JOIN result n ON n.opened = c.opened AND n.player = c.player
WHERE n.finished IS NOT NULL AND n.named = 1 AND {}
GROUP BY c.game, n.players, n.set_size, c.clause, n.finished
"""


def profile(club: Club, key: str) -> Profile:
    """The profile of a person."""
    names = club.people.spellings(key)
    all_games = club.games_of(key)
    finished = [(played, played.seat(key)) for played in all_games if played.finished]
    contests = [pair for pair in finished if club.contested(pair[0])]
    wins = [seat.won for _played, seat in contests]
    days = [played.day for played in all_games if played.day]
    mistakes, of_finished = Counter[str](), Counter[_Kind]()
    for *kind, clause, is_finished, times in club.rows(_MISTAKES.format(among("n.name", names)), names):
        mistakes[clause] += times
        of_finished[(kind[0], kind[1], kind[2])] += times * is_finished
    return Profile(
        name=club.people.name(key),
        key=key,
        also=club.people.also(key),
        games=len(all_games),
        unfinished=len(all_games) - len(finished),
        cards=sum(played.card for played, _seat in finished),
        contests=len(wins),
        wins=_shares(contests),
        streak=longest(wins),
        running=longest_at_end(wins),
        first=min(days, default=None),
        last=max(days, default=None),
        by_game=tuple(
            _in_game(
                kind,
                [pair for pair in finished if _kind(pair[0]) == kind],
                of_finished[kind],
                together=kind[0] in club.together,
            )
            for kind, _games in sorted(
                Counter(_kind(played) for played, _seat in finished).items(), key=lambda one: (-one[1], str(one[0]))
            )
        ),
        opponents=tuple(_opponents(club, finished)),
        form=tuple(_form(club, *pair) for pair in reversed(finished[-FORM:])),
        mistakes=tuple(sorted(mistakes.items(), key=_most_first)),
    )


def _shares(games: "_Games") -> float:
    """How many of these games the person won; a shared win counts in parts, as in standings."""
    return float(sum(Fraction(int(seat.won), played.winners or 1) for played, seat in games))


def _most_first(count: tuple[str, int]) -> tuple[int, str]:
    return -count[1], count[0]


def longest(wins: Iterable[bool]) -> int:
    """The length of the longest run of wins."""
    return max([len([*run]) for is_win, run in groupby(wins) if is_win], default=0)


def longest_at_end(wins: Sequence[bool]) -> int:
    """The length of the run of wins at the end."""
    return len([*takewhile(bool, reversed(wins))])


_Kind = tuple[str, int, int | None]
"""A game, the number of players and the N of the double-N set."""
_Games = Sequence[tuple[Played, Seat]]
"""Games with the seat of one person."""


def _kind(played: Played) -> _Kind:
    return played.game, played.players, played.set_size


def _in_game(kind: _Kind, games: _Games, mistakes: int, *, together: bool) -> InGame:
    scores = [seat.score for _played, seat in games if seat.score is not None]
    audited = sum(not played.card for played, _seat in games)
    low = together or low_wins(played for played, _seat in games)
    clean = [
        Best(played.record, played.day, seat.score)
        for played, seat in games
        if not played.mistakes and seat.score is not None
    ]
    return InGame(
        *kind,
        len(games),
        None if together else _shares([pair for pair in games if pair[0].players > 1]),
        sum(scores) / len(scores) if scores else None,
        mistakes / audited if audited else None,
        (min if low else max)(clean, key=attrgetter("score"), default=None),
    )


def _opponents(club: Club, finished: _Games) -> list[Opponent]:
    counts = defaultdict[str, list[int]](lambda: [0, 0, 0, 0])
    for played, own in finished:
        for other in played.seats:
            if other.key not in ("", own.key):
                together = played.game in club.together or other.side == own.side or not (own.rank and other.rank)
                counts[other.key][3 if together else 1 + own.compared(other)] += 1
    opponents = [Opponent(club.people.name(other), other, *numbers) for other, numbers in counts.items()]
    return sorted(opponents, key=lambda opponent: (-opponent.games, opponent.key))


def _form(club: Club, played: Played, seat: Seat) -> Form:
    if played.game in club.together or played.sides == 1 or not played.decided:
        outcome = "alone" if played.players == 1 else "together" if played.decided else "unknown"
    elif seat.won:
        outcome = "won" if played.winners == 1 else "shared"
    else:
        outcome = "lost"
    others = tuple(other.name for other in played.seats if other.key not in ("", seat.key))
    return Form(played.record, played.game, played.day, outcome, seat.score, seat.rank, played.players, others)
