"""Statistics of a club's games: scores, seats, length, streaks, broken rules and house records.

Only finished games count.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from statistics import median

from msgspec import Struct

from ledger.club.people import Club, Played
from ledger.record.scales import nice
from ledger.record.words import plural
from ledger.stores.results import Result

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


def statistics(club: Club, game: str) -> Statistics:
    """The statistics of a game."""
    games, finished = club.of_kind(game), club.finished(game)
    contests = club.contested(game)
    together = game in club.together
    return Statistics(
        game=game,
        games=len(finished),
        unfinished=len(games) - len(finished),
        cards=sum(played.game.card for played in finished),
        together=together,
        by_players=tuple(sorted(Counter(played.game.players for played in finished).items())),
        scores=spread(_scores(finished, per_table=together)),
        moves=spread([played.game.moves for played in finished if not played.game.card]),
        hands=spread([played.game.hands for played in finished if played.game.hands]),
        seats=tuple(seats(contests)),
        streaks=tuple(streaks(club, contests)),
        rules=tuple(sorted(club.broken(game).items(), key=lambda pair: (-pair[1], pair[0]))),
        marks=tuple(marks(club, finished, together=together)),
    )


def _scores(finished: Iterable[Played], *, per_table: bool) -> list[int]:
    """All final scores; `per_table`, only one of each table in a game that all play together."""
    return [
        result.score
        for played in finished
        for result in (played.game.results[:1] if per_table else played.game.results)
        if result.score is not None
    ]


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
    counts = Counter(value // width for value in values)
    return tuple(
        Bar(place * width, place * width + width - 1, counts[place])
        for place in range(least // width, greatest // width + 1)
    )


def seats(contests: Iterable[Played]) -> list[AtSeat]:
    """How the players in each seat did.  A shared win is split among the winners."""
    decided = [(played.game.results, winners) for played in contests if (winners := played.winners)]
    games = Counter([len(results) for results, _winners in decided])
    wins = Counter(
        [(seat, winners) for results, winners in decided for seat, result in enumerate(results) if result.won]
    )
    return [
        AtSeat(
            seat + 1,
            sum(number for players, number in games.items() if seat < players),
            sum(number / winners for (place, winners), number in wins.items() if place == seat),
            sum(number / players for players, number in games.items() if seat < players),
        )
        for seat in range(max(games, default=0))
    ]


def streaks(club: Club, contests: Iterable[Played]) -> list[Streak]:
    """The longest runs of at least two wins, one for each person; a shared win counts."""
    runs, best = defaultdict[str, list[Played]](list), dict[str, list[Played]]()
    for played in contests:
        for key, result in zip(played.people, played.game.results, strict=True):
            if not key:
                continue
            if not result.won:
                runs[key] = []
                continue
            run = runs[key]
            run.append(played)
            if len(run) > len(best.get(key, ())):
                best[key] = run
    longest = [
        Streak(club.shown[key], key, len(run), _won(run[0]), _won(run[-1]), runs[key] is run)
        for key, run in best.items()
        if len(run) > 1
    ]
    return sorted(longest, key=lambda streak: (-streak.wins, streak.key))[:MOST_STREAKS]


def _won(played: Played) -> Won:
    return Won(played.game.record, played.game.played)


# ── House records ──────────────────────────────────────────────────────────────────────────────────────────


def marks(club: Club, finished: Sequence[Played], *, together: bool) -> list[Mark]:
    """The house records.  Scores count only in games without a mistake."""
    clean = [played for played in finished if not played.game.mistakes and played.game.results[0].score is not None]
    house_records: list[Mark] = []

    def add(title: str, value: str, played: Played, *keys: str) -> None:
        holders = tuple((club.shown[key], key) for key in keys if key)
        house_records.append(Mark(title, value, holders, played.game.record, played.game.played))

    if together and clean:
        best = min(clean, key=lambda played: played.game.results[0].score or 0)
        add("Fewest cheats", str(best.game.results[0].score), best, *best.people)
    elif clean:
        top = max([result.score or 0 for played in clean for result in played.game.results])
        played, key = next(
            (played, key)
            for played in clean
            for key, result in zip(played.people, played.game.results, strict=True)
            if (result.score or 0) == top
        )
        add("Highest score", str(top), played, key)
        _add_win_records(clean, add)
    most_hands = max(finished, key=lambda played: played.game.hands, default=None)
    if most_hands is not None and most_hands.game.hands:
        add("Most hands", plural(most_hands.game.hands, "hand"), most_hands, *most_hands.people)
    recorded = [played for played in finished if not played.game.card]
    if recorded:
        longest = max(recorded, key=lambda played: played.game.moves)
        shortest = min(recorded, key=lambda played: played.game.moves)
        add("Longest game", plural(longest.game.moves, "move"), longest, *longest.people)
        add("Shortest game", plural(shortest.game.moves, "move"), shortest, *shortest.people)
    return house_records


def _add_win_records(clean: Sequence[Played], add: Callable[..., None]) -> None:
    """Adds the lowest score that won, the widest win and the narrowest one."""
    wins, leads = list[tuple[int, Played, str]](), list[tuple[int, Played, str]]()
    for played in clean:
        results = played.game.results
        winners = [seat for seat, result in enumerate(results) if result.won]
        for seat in winners:
            wins.append((results[seat].score or 0, played, played.people[seat]))
        if len(winners) == 1 and (lead := _lead(results, winners[0])) is not None:
            leads.append((lead, played, played.people[winners[0]]))
    if wins:
        lowest, played, key = min(wins, key=itemgetter(0))
        add("Lowest score that won", str(lowest), played, key)
    if leads:
        widest = max(leads, key=itemgetter(0))
        add("Widest win", _margin(widest[0]), widest[1], widest[2])
        narrowest = min(leads, key=itemgetter(0))
        add("Narrowest win", _margin(narrowest[0]), narrowest[1], narrowest[2])


def _margin(points: int) -> str:
    return f"by {points} point{'' if points == 1 else 's'}"


def _lead(results: Sequence[Result], winner: int) -> int | None:
    """How many points the only winner, in this seat, was ahead of the next player; None if there is no such number."""
    scores = [result.score for result in results if result.score is not None]
    if len(scores) < max(len(results), 2):
        return None
    lead = scores.pop(winner) - max(scores)
    return lead if lead >= 0 else None
