"""Statistics of a club's games: scores, seats, length, streaks, broken rules and house records.

Only finished games count.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter, itemgetter
from statistics import median
from typing import Any, NamedTuple

from msgspec import Struct

from ledger.club.people import ORDER, Club, Played, Seat
from ledger.record.scales import nice
from ledger.record.words import plural

MOST_BARS = 12
"""The most bars of a distribution."""
MOST_STREAKS = 5
"""The most streaks that are shown."""


class Bar(Struct, frozen=True):
    """A bar of a distribution: the values from `low` to `high`, both included, and their number."""

    low: int
    high: int
    count: int

    @property
    def label(self) -> str:
        """The values in words: ``20–29``."""
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"


class Spread(Struct, frozen=True):
    """A distribution: the number of values, the least, median, mean and greatest, and the bars."""

    count: int
    least: int
    median: float
    mean: float
    greatest: int
    bars: tuple[Bar, ...]


class AtSeat(Struct, frozen=True):
    """How players in one seat did; the first is 1.  `wins` is a sum of shares, `fair` what chance would give."""

    seat: int
    games: int
    wins: float
    fair: float


class Won(Struct, frozen=True):
    """A game that somebody won: its record, and the day on which it was played."""

    record: str
    played: str | None


class Streak(Struct, frozen=True):
    """A run of wins by one person, with its first and last game; `running` if it has not ended."""

    name: str
    key: str
    wins: int
    first: Won
    last: Won
    running: bool


class Mark(Struct, frozen=True):
    """A house record: what it is, its value, who holds it (each a name and key), and in which game."""

    title: str
    value: str
    holders: tuple[tuple[str, str], ...]
    record: str
    played: str | None


class Statistics(Struct, frozen=True):
    """The statistics of all games of one kind.

    `rules` are the broken clauses, each with the number of games.  Unfinished games count only in `unfinished` and in
    `rules`.  `cards` of the games are score cards, which were not audited and tell nothing of moves.
    `by_players` is the number of games by the number of players.  `together`: all play together and count cheats, so
    the game has neither `seats` nor `streaks`.
    """

    game: str
    games: int
    unfinished: int
    cards: int
    together: bool
    by_players: tuple[tuple[int, int], ...]
    scores: Spread | None
    moves: Spread | None
    hands: Spread | None
    seats: tuple[AtSeat, ...]
    streaks: tuple[Streak, ...]
    rules: tuple[tuple[str, int], ...]
    marks: tuple[Mark, ...]


class Kind(NamedTuple):
    """How often a game was played: the numbers of games and of finished ones, and the day of the latest."""

    game: str
    games: int
    finished: int
    last: str | None


_KINDS = """
SELECT game, count(*), sum(CASE WHEN finished = 1 THEN 1 ELSE 0 END), max(played)
FROM result WHERE seat = 0 GROUP BY game ORDER BY count(*) DESC, min(coalesce(played, '')), min(opened)
"""


def kinds(club: Club) -> list[Kind]:
    """The games that were played, the most frequent first."""
    return [Kind(*row) for row in club.rows(_KINDS)]


class _Table(NamedTuple):
    """A finished game, as statistics need it.

    `winners` is their number and `won_by` their seats, one bit each.  `top` is the highest score and `bottom` the
    lowest, `most` the highest that won and `least` the lowest; `other_top` and `other_bottom` are those of the others.
    `known`: the number of known scores.
    """

    day: str
    opened: int
    players: int
    card: int
    mistakes: int
    moves: int
    hands: int
    winners: int
    won_by: int
    known: int
    top: int | None
    bottom: int | None
    most: int | None
    least: int | None
    other_top: int | None
    other_bottom: int | None

    @property
    def low_wins(self) -> bool:
        """Whether the lowest score has won, and only that."""
        return self.least == self.most == self.bottom != self.top

    @property
    def lead(self) -> int | None:
        """How far the only winner was ahead of the next player; None if nobody was, or if a score is not known."""
        if self.winners != 1 or self.known < self.players or self.least is None or self.other_top is None:
            return None
        if self.low_wins and self.other_bottom is not None:
            return self.other_bottom - self.least
        return self.least - self.other_top if self.least >= self.other_top else None


_TABLES = """
SELECT max(coalesce(played, '')), opened, count(*), max(card), max(mistakes), max(moves), max(hands), sum(won),
    sum(won << seat), count(score), max(score), min(score), max(CASE WHEN won = 1 THEN score END),
    min(CASE WHEN won = 1 THEN score END), max(CASE WHEN won = 0 THEN score END), min(CASE WHEN won = 0 THEN score END)
FROM result WHERE game = ? AND finished = 1 GROUP BY opened
"""
_SCORES = f"""
SELECT opened, name, named, score, won FROM result
WHERE game = ? AND finished = 1 ORDER BY {ORDER}, seat
"""  # noqa: S608  constants
_UNFINISHED = "SELECT count(*) FROM result WHERE game = ? AND seat = 0 AND (finished = 0 OR finished IS NULL)"
_BROKEN = """
SELECT c.clause, count(DISTINCT c.opened) FROM cause c JOIN result n ON n.opened = c.opened AND n.seat = 0
WHERE c.game = ? AND n.finished IS NOT NULL GROUP BY c.clause
"""


def tables_of(club: Club, game: str) -> list[_Table]:
    """The finished games of one kind, in the order in which they were played."""
    return sorted(map(_Table._make, club.rows(_TABLES, (game,))), key=itemgetter(0, 1))


def low_wins(games: Iterable[_Table | Played]) -> bool:
    """Whether the lowest score wins, by most of these games that were no draw: of a score card there are no rules."""
    return sum(1 if game.low_wins else -1 for game in games if game.winners < game.players) > 0


def statistics(club: Club, game: str) -> Statistics:
    """The statistics of a game."""
    together = game in club.together
    tables = tables_of(club, game)
    rows = club.rows(_SCORES, (game,))
    scores = [table.top for table in tables] if together else [row[-2] for row in rows]
    return Statistics(
        game=game,
        games=len(tables),
        unfinished=club.rows(_UNFINISHED, (game,))[0][0],
        cards=sum(table.card for table in tables),
        together=together,
        by_players=tuple(sorted(Counter(table.players for table in tables).items())),
        scores=spread([score for score in scores if score is not None]),
        moves=spread([table.moves for table in tables if not table.card]),
        hands=spread([table.hands for table in tables if table.hands]),
        seats=() if together else tuple(seats(tables)),
        streaks=() if together else tuple(streaks(club, tables, rows)),
        rules=tuple(sorted(club.rows(_BROKEN, (game,)), key=lambda row: (-row[1], row[0]))),
        marks=tuple(marks(club, tables, together=together)),
    )


def spread(values: Sequence[int]) -> Spread | None:
    """The distribution of values; None if there are none."""
    if not values:
        return None
    least, greatest = min(values), max(values)
    return Spread(len(values), least, median(values), sum(values) / len(values), greatest, bars(values))


def bars(values: Sequence[int]) -> tuple[Bar, ...]:
    """At most twelve bars of the same round width, which hold every value once."""
    least, greatest = min(values), max(values)
    width = nice((greatest - least + 1) / MOST_BARS)
    while greatest // width - least // width + 1 > MOST_BARS:
        width = nice(width + 1)
    counts = Counter[int]()
    for value, times in Counter(values).items():
        counts[value // width] += times
    return tuple(
        Bar(place * width, place * width + width - 1, counts[place])
        for place in range(least // width, greatest // width + 1)
    )


def seats(tables: Iterable[_Table]) -> list[AtSeat]:
    """How the players in each seat did.  A shared win is split among the winners."""
    decided = [table for table in tables if table.winners and table.players > 1]
    games = Counter([table.players for table in decided])
    wins = Counter([(table.won_by, table.winners) for table in decided])
    return [
        AtSeat(
            seat + 1,
            sum(number for players, number in games.items() if seat < players),
            _shares(wins, seat),
            sum(number / players for players, number in games.items() if seat < players),
        )
        for seat in range(max(games, default=0))
    ]


def _shares(wins: Mapping[tuple[int, int], int], seat: int) -> float:
    """The wins of a seat, of the numbers of games by who won (one bit for each seat) and by the number of winners."""
    shared = Counter[int]()
    for (won_by, winners), number in wins.items():
        shared[winners] += number * (won_by >> seat & 1)
    return sum(number / winners for winners, number in shared.items())


def streaks(club: Club, tables: Iterable[_Table], rows: Iterable[tuple[Any, ...]]) -> list[Streak]:
    """The longest runs of at least two wins, one for each person; a shared win counts."""
    contests = {table.opened for table in tables if table.players > 1}
    runs, best = defaultdict[str, list[int]](list), dict[str, list[int]]()
    for opened, name, named, _score, won in rows:
        if not named or opened not in contests:
            continue
        key = club.people.key_of(name)
        if not won:
            runs[key] = []
            continue
        run = runs[key]
        run.append(opened)
        if len(run) > len(best.get(key, ())):
            best[key] = run
    longest = sorted([key for key, run in best.items() if len(run) > 1], key=lambda key: (-len(best[key]), key))
    return [
        Streak(club.people.name(key), key, len(run), _won(club, run[0]), _won(club, run[-1]), runs[key] is run)
        for key in longest[:MOST_STREAKS]
        for run in [best[key]]
    ]


def _won(club: Club, opened: int) -> Won:
    return Won(*club.rows("SELECT record, played FROM result WHERE opened = ? AND seat = 0", (opened,))[0])


# ── House records ──────────────────────────────────────────────────────────────────────────────────────────


def marks(club: Club, tables: Sequence[_Table], *, together: bool) -> Iterator[Mark]:
    """The house records: of several games with the same value, the first.

    Scores count only in games without a mistake.
    """
    scored = [table for table in tables if not table.mistakes and table.top is not None]
    won = [] if together else [table for table in scored if table.least is not None]
    led = [] if together else [table for table in won if table.lead is not None]
    low = low_wins(won)
    recorded = [table for table in tables if not table.card]
    for title, words, value, best, of in (
        ("Fewest cheats", str, "top", min, scored if together else []),
        ("Lowest score", str, "bottom", min, [] if together or not low else scored),
        ("Highest score", str, "top", max, [] if together or low else scored),
        ("Highest score that won", str, "most", max, won if low else []),
        ("Lowest score that won", str, "least", min, [] if low else won),
        ("Widest win", _margin, "lead", max, led),
        ("Narrowest win", _margin, "lead", min, led),
        ("Most hands", partial(plural, one="hand"), "hands", max, [table for table in tables if table.hands]),
        ("Longest game", partial(plural, one="move"), "moves", max, recorded),
        ("Shortest game", partial(plural, one="move"), "moves", min, recorded),
    ):
        if of:
            table = best(of, key=attrgetter(value))
            number = int(getattr(table, value))
            alone = value in ("top", "bottom", "most", "least", "lead") and not together
            for played in club.games("opened = ?", (table.opened,)):
                holders = [seat for seat in played.seats if not alone or _holds(seat, value, number)]
                people = tuple((seat.name, seat.key) for seat in (holders[:1] if alone else holders) if seat.key)
                yield Mark(title, words(number), people, played.record, played.day)


def _margin(points: int) -> str:
    return f"by {plural(points, 'point')}"


def _holds(seat: Seat, value: str, number: int) -> bool:
    """Whether a house record that belongs to one player of a game is this player's."""
    return (value in ("top", "bottom") or seat.won) and (value == "lead" or seat.score == number)
