"""Statistics of a club's games: scores, seats, length, streaks, broken rules and house records.

Only finished games count.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from statistics import median
from typing import NamedTuple

from msgspec import Struct

from ledger.club.people import Club, Played
from ledger.games import catalog
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

    `rules` are the clauses that acts broke, each with the number of games; `miscounts` the number of games with a wrong
    claim.  Unfinished games count only in `unfinished` and in these.  `cards` of the games are score cards, which were
    not audited and tell nothing of moves.
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
    miscounts: int
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


def is_known(club: Club, game: str) -> bool:
    """Whether a game is installed, or was played."""
    return game in catalog.names() or bool(club.rows("SELECT 1 FROM result WHERE game = ? LIMIT 1", (game,)))


_UNFINISHED = "SELECT count(*) FROM result WHERE game = ? AND seat = 0 AND (finished = 0 OR finished IS NULL)"
_BROKEN = """
SELECT c.clause, count(DISTINCT c.opened) FROM cause c JOIN result n ON n.opened = c.opened AND n.seat = 0
WHERE c.game = ? AND n.finished IS NOT NULL AND c.miscount = 0 GROUP BY c.clause ORDER BY 2 DESC, c.clause
"""
_MISCOUNTED = """
SELECT count(DISTINCT c.opened) FROM cause c JOIN result n ON n.opened = c.opened AND n.seat = 0
WHERE c.game = ? AND n.finished IS NOT NULL AND c.miscount = 1
"""


def low_wins(games: Iterable[Played]) -> bool:
    """Whether the lowest score wins, by most of these games that were no draw: of a score card there are no rules."""
    return sum(1 if game.low_wins else -1 for game in games if game.winners < game.sides) > 0


def statistics(club: Club, game: str) -> Statistics:
    """The statistics of a game."""
    together = game in club.together
    games = club.games("game = ? AND finished = 1", (game,))
    # All who play together have one score.
    scored = [seat for played in games for seat in (played.seats[:1] if together else played.seats)]
    return Statistics(
        game=game,
        games=len(games),
        unfinished=club.rows(_UNFINISHED, (game,))[0][0],
        cards=sum(played.card for played in games),
        together=together,
        by_players=tuple(sorted(Counter(played.players for played in games).items())),
        scores=spread([seat.score for seat in scored if seat.score is not None]),
        moves=spread([played.moves for played in games if not played.card]),
        hands=spread([played.hands for played in games if played.hands]),
        seats=() if together else tuple(seats(games)),
        streaks=() if together else tuple(streaks(club, games)),
        rules=tuple(club.rows(_BROKEN, (game,))),
        miscounts=club.rows(_MISCOUNTED, (game,))[0][0],
        marks=tuple(marks(games, together=together)),
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


def seats(games: Iterable[Played]) -> list[AtSeat]:
    """How the players in each seat did.  A shared win is split among the winners."""
    decided = [played for played in games if played.winners and played.sides > 1]
    tables = Counter(played.players for played in decided)
    # A seat's share of the winning seats: of a team, each has one.
    wins = Counter(
        (place, sum(other.won for other in played.seats))
        for played in decided
        for place, seat in enumerate(played.seats)
        if seat.won
    )
    return [
        AtSeat(
            seat + 1,
            sum(number for players, number in tables.items() if seat < players),
            sum((number / winners for (place, winners), number in wins.items() if place == seat), 0.0),
            sum(number / players for players, number in tables.items() if seat < players),
        )
        for seat in range(max(tables, default=0))
    ]


def streaks(club: Club, games: Iterable[Played]) -> list[Streak]:
    """The longest runs of at least two wins, one for each person; a shared win counts."""
    runs, best = defaultdict[str, list[Played]](list), dict[str, list[Played]]()
    for played in games:
        for seat in played.seats if played.players > 1 else ():
            if not seat.won:
                runs[seat.key] = []
                continue
            run = runs[seat.key]
            run.append(played)
            if len(run) > len(best.get(seat.key, ())):
                best[seat.key] = run
    longest = sorted([(-len(run), key) for key, run in best.items() if key and len(run) > 1])
    return [
        Streak(club.people.name(key), key, -wins, _won(run[0]), _won(run[-1]), runs[key] is run)
        for wins, key in longest[:MOST_STREAKS]
        for run in [best[key]]
    ]


def _won(played: Played) -> Won:
    return Won(played.record, played.day)


# ── House records ──────────────────────────────────────────────────────────────────────────────────────────


def marks(games: Sequence[Played], *, together: bool) -> Iterator[Mark]:
    """The house records: of several games with the same value, the first.

    Scores count only in games without a mistake.
    """
    clean = [played for played in games if not played.mistakes]
    scores = [(seat.score, (seat,), played) for played in clean for seat in played.seats if seat.score is not None]
    cheats = [(score, played.seats, played) for score, _seat, played in scores if together]
    if together:
        scores = []
    won = [score for score in scores if score[1][0].won]
    leads = [(lead, (seat,), played) for _score, (seat,), played in won if (lead := _lead(played)) is not None]
    hands = [(played.hands, played.seats, played) for played in games if played.hands]
    moves = [(played.moves, played.seats, played) for played in games if not played.card]
    low = low_wins(played for played in clean if played.winners)
    for title, best, of, words in (
        ("Fewest cheats", min, cheats, str),
        ("Lowest score", min, scores if low else [], str),
        ("Highest score", max, [] if low else scores, str),
        ("Highest score that won", max, won if low else [], str),
        ("Lowest score that won", min, [] if low else won, str),
        ("Widest win", max, leads, _margin),
        ("Narrowest win", min, leads, _margin),
        ("Most hands", max, hands, partial(plural, one="hand")),
        ("Longest game", max, moves, partial(plural, one="move")),
        ("Shortest game", min, moves, partial(plural, one="move")),
    ):
        if of:
            number, holders, played = best(of, key=itemgetter(0))
            people = tuple((seat.name, seat.key) for seat in holders if seat.key)
            yield Mark(title, words(number), people, played.record, played.day)


def _margin(points: int) -> str:
    return f"by {plural(points, 'point')}"


def _lead(played: Played) -> int | None:
    """How far the only winner was ahead of the next player; None if nobody was."""
    won, others = (
        [seat.score for seat in played.seats if seat.won is is_won and seat.score is not None]
        for is_won in (True, False)
    )
    if played.winners > 1 or not won or not others or len(won) + len(others) < played.players:
        return None
    lead = won[0] - max(others)
    if lead < 0 and played.low_wins:
        lead = min(others) - won[0]
    return lead if lead >= 0 else None
