"""Statistics of a club's games: scores, seats, length, broken rules, highs and lows.

Only finished games count, and only games of one kind are compared: with one set and one number of players.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import sqrt
from operator import attrgetter
from typing import NamedTuple

from msgspec import Struct

from ledger.club.people import ORDER, Club, Played
from ledger.games import catalog
from ledger.record.scales import nice
from ledger.record.words import double, number, plural, sentence

MOST_BARS = 12
"""The most bars of a distribution."""


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
    """How players in one seat did; the first is 1.

    `wins` is a sum of shares, `alone` the number of games that nobody else won, `fair` what chance would give.
    """

    seat: int
    games: int
    wins: float
    alone: int
    fair: float


class Mark(Struct, frozen=True):
    """A high or low: what it is, its value, who holds it (each a name and key), and in which game."""

    title: str
    value: str
    holders: tuple[tuple[str, str], ...]
    record: str
    played: str | None


class Alike(Struct, frozen=True):
    """A kind of games that can be compared: the number of players, the N of the double-N set, how many there are."""

    players: int
    set_size: int | None
    games: int

    @property
    def words(self) -> str:
        """What people call it: ``two-player double-6``."""
        alone = "solitaire" if self.players == 1 else f"{number(self.players)}-player"
        return f"{alone} {double(self.set_size).replace(' ', '-')}".strip()

    @property
    def title(self) -> str:
        """The same as a title: ``Double 6, two players``."""
        who = "alone" if self.players == 1 else f"{number(self.players)} players"
        return sentence(", ".join(filter(None, (double(self.set_size), who))))[:-1]


class Statistics(Struct, frozen=True):
    """The statistics of the games of one kind.

    `kinds` are all kinds, the most played first; the figures are about the games with so many `players` and that set.
    `unfinished` and `rules`, the clauses that acts broke, each with the number of games, and `miscounts`, the number of
    games with a wrong claim, are those of all kinds.  `cards` of the games are score cards, which were not audited and
    tell nothing of moves.  `together`: all play together and count cheats, so the game has no `seats`.
    """

    game: str
    kinds: tuple[Alike, ...]
    players: int
    set_size: int | None
    games: int
    unfinished: int
    cards: int
    together: bool
    scores: Spread | None
    moves: Spread | None
    hands: Spread | None
    seats: tuple[AtSeat, ...]
    rules: tuple[tuple[str, int], ...]
    miscounts: int
    marks: tuple[Mark, ...]

    @property
    def insight(self) -> tuple[str, str]:
        """A sentence that says something about these games, and what chance would give; both may be empty."""
        kind = f"{Alike(self.players, self.set_size, self.games).words} game"
        best = max(self.seats, key=lambda seat: seat.alone, default=None)
        if best is not None and best.alone and best.seat <= len(ORDINALS):
            return f"The {ORDINALS[best.seat - 1]} seat won {best.alone} of {plural(best.games, kind)}.", self._chance
        if self.scores is None:
            return "", ""
        what = "cheats" if self.together else "points"
        return f"Half of {plural(self.games, kind)} ended with {self.scores.median:g} {what} or fewer.", ""

    @property
    def _chance(self) -> str:
        won, games = sum(seat.alone for seat in self.seats), self.seats[0].games
        fair, off = won / self.players, SURE * sqrt(won * (1 - 1 / self.players) / self.players)
        gives = f"hance gives a seat {max(0, round(fair - off))} to {min(won, round(fair + off))} in 19 of 20 clubs."
        if won == games:
            return f"C{gives}"
        shared = f"{sentence(number(games - won))[:-1]} {'was' if games - won == 1 else 'were'} shared."
        return f"{shared} Of the other {won}, c{gives}"


SURE = 1.96
"""Within this many standard deviations lie 19 of 20 values."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


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


_ALIKE = """
SELECT players, set_size, count(*) FROM result WHERE game = ? AND finished = 1 AND seat = 0
GROUP BY players, set_size ORDER BY count(*) DESC, players, set_size
"""
WHERE = "game = ? AND finished = 1 AND players = ? AND set_size IS ?"
"""The finished games of one kind, in the table `result`."""


def statistics(club: Club, game: str, players: int | None = None, set_size: int | None = None) -> Statistics:
    """The statistics of the most played kind of a game, or of the most played one with so many players or that set.

    A set of 0 is one that nobody noted.
    """
    together, kinds = game in club.together, tuple([Alike(*row) for row in club.rows(_ALIKE, (game,))])
    fitting = [k for k in kinds if players in (None, k.players) and set_size in (None, k.set_size or 0)]
    kind = fitting[0] if fitting else Alike(players or 0, set_size, 0)
    of = game, kind.players, kind.set_size

    games = [_Game(*row) for row in club.rows(_PER_GAME, of)]
    return Statistics(
        game=game,
        kinds=kinds,
        players=kind.players,
        set_size=kind.set_size,
        games=kind.games,
        unfinished=club.rows(_UNFINISHED, (game,))[0][0],
        cards=sum(one.card for one in games),
        together=together,
        # All who play together have one score.
        scores=spread(dict(club.rows(_SCORES.format("seat = 0" if together else "TRUE"), of))),
        moves=spread(Counter(one.moves for one in games if not one.card)),
        hands=spread(Counter(one.hands for one in games if one.hands)),
        seats=() if together else tuple(seats(kind.players, club.rows(_WON, of))),
        rules=tuple(club.rows(_BROKEN, (game,))),
        miscounts=club.rows(_MISCOUNTED, (game,))[0][0],
        marks=tuple(marks(club, games, together=together)),
    )


def spread(counts: Mapping[int, int]) -> Spread | None:
    """The distribution of values, each with how often it occurs; None if there are none."""
    if not counts:
        return None
    values, count = sorted(counts), sum(counts.values())
    # The middle one of an odd number of values, the mean of the middle two of an even number.
    middle, seen = list[int](), 0
    for value in values:
        seen += counts[value]
        middle += [value] * sum(seen - counts[value] <= place < seen for place in {(count - 1) // 2, count // 2})
    mean = sum(value * times for value, times in counts.items()) / count
    return Spread(count, values[0], sum(middle) / len(middle), mean, values[-1], bars(counts))


def bars(counts: Mapping[int, int]) -> tuple[Bar, ...]:
    """At most twelve bars of the same round width, which hold every value once."""
    least, greatest = min(counts), max(counts)
    width = nice((greatest - least + 1) / MOST_BARS)
    while greatest // width - least // width + 1 > MOST_BARS:
        width = nice(width + 1)
    heights = Counter[int]()
    for value, times in counts.items():
        heights[value // width] += times
    return tuple(
        Bar(place * width, place * width + width - 1, heights[place])
        for place in range(least // width, greatest // width + 1)
    )


_SCORES = f"SELECT score, count(*) FROM result WHERE {WHERE} AND score IS NOT NULL AND {{}} GROUP BY score"  # noqa: S608
_WON = f"""
SELECT seat, winning, count(*) FROM (
    SELECT seat, won, sum(won) OVER game AS winning, min({{side}}) OVER game < max({{side}}) OVER game AS against
    FROM result WHERE {WHERE} WINDOW game AS (PARTITION BY opened))
WHERE won = 1 AND against GROUP BY seat, winning
""".format(side="coalesce(team, -1 - seat)")  # noqa: S608  constants


def seats(players: int, wins: Iterable[tuple[int, int, int]]) -> list[AtSeat]:
    """How the players in each seat did, given (seat, how many won with it, in how many games).

    A shared win is split among the winning seats: of a team, each has one.
    """
    shares, alone = Counter[int](), Counter[int]()
    for seat, winning, times in wins:
        shares[seat] += times / winning  # type: ignore[assignment]  # a part of a win
        alone[seat] += times if winning == 1 else 0
    games = round(sum(shares.values()))
    return [AtSeat(n + 1, games, shares[n], alone[n], games / players) for n in range(players if games else 0)]


# ── Highs and lows ─────────────────────────────────────────────────────────────────────────────────────────

_PER_GAME = f"""
SELECT opened, card, coalesce(moves, 0), nullif(hands, 0), clean, lowest, highest, won_least, won_most,
    CASE WHEN winners BETWEEN 1 AND sides - 1 THEN iif(low_won, 1, -1) ELSE 0 END,
    CASE WHEN winners = 1 AND complete AND won_most >= lost_most THEN won_most - lost_most
        WHEN winners = 1 AND complete AND low_won THEN lost_least - won_most END
FROM (SELECT *, won_most = won_least AND won_least = lowest AND lowest < highest AS low_won FROM (
    SELECT opened, card, moves, hands, played, coalesce(mistakes, 0) = 0 AND count(score) > 0 AS clean,
        count(score) = players AS complete, count(DISTINCT side) AS sides,
        count(DISTINCT iif(won = 1, side, NULL)) AS winners, min(score) AS lowest, max(score) AS highest,
        min(iif(won = 1, score, NULL)) AS won_least, max(iif(won = 1, score, NULL)) AS won_most,
        min(iif(won = 0, score, NULL)) AS lost_least, max(iif(won = 0, score, NULL)) AS lost_most
    FROM (SELECT *, coalesce(team, -1 - seat) AS side FROM result WHERE {WHERE}) GROUP BY opened)) ORDER BY {ORDER}
"""  # noqa: S608  constants


class _Game(NamedTuple):
    """A game in numbers: the least and greatest score of all and of the winners, and how far the only winner was ahead.

    `low` is 1 if the lowest score has won, -1 if another, 0 if nobody beat anybody.
    """

    opened: int
    card: int
    moves: int
    hands: int | None
    clean: int
    lowest: int
    highest: int
    won_least: int | None
    won_most: int | None
    low: int
    lead: int | None


def marks(club: Club, games: Sequence[_Game], *, together: bool) -> Iterator[Mark]:
    """The highs and lows of a kind of games: of several games with the same value, the first.

    Scores count only in games without a mistake.
    """
    clean, audited = [game for game in games if game.clean], [game for game in games if not game.card]
    low, won = sum(game.low for game in clean) > 0, [] if together else clean
    for title, best, measure, among_, words in (
        ("Fewest cheats", min, "lowest", clean if together else [], str),
        ("Lowest score", min, "lowest", won if low else [], str),
        ("Highest score", max, "highest", [] if low else won, str),
        ("Highest score that won", max, "won_most", won if low else [], str),
        ("Lowest score that won", min, "won_least", [] if low else won, str),
        ("Widest win", max, "lead", won, _margin),
        ("Narrowest win", min, "lead", won, _margin),
        ("Most hands", max, "hands", games, partial(plural, one="hand")),
        ("Longest game", max, "moves", audited, partial(plural, one="move")),
        ("Shortest game", min, "moves", audited, partial(plural, one="move")),
    ):
        value_of = attrgetter(measure)
        if known := [game for game in among_ if value_of(game) is not None]:
            value = value_of(game := best(known, key=value_of))
            (played,) = club.games("opened = ?", (game.opened,))
            seats = [seat for seat in played.seats if seat.key]
            if measure == "lead":
                seats = [seat for seat in seats if seat.won][:1]
            elif measure not in ("hands", "moves") and not together:
                seats = [seat for seat in seats if seat.score == value and ("won" not in measure or seat.won)][:1]
            yield Mark(title, words(value), tuple((seat.name, seat.key) for seat in seats), played.record, played.day)


def _margin(points: int) -> str:
    return f"by {plural(points, 'point')}"
