"""Events: games that belong together, such as those of a tournament or a league, and who is ahead in them."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from ledger.club.people import Club, Played
from ledger.keep.recorder import folded
from ledger.stores.beside import Adjustment
from ledger.stores.questions import among

By = Literal["wins", "points"]
"""What standings count first: wins (shared ones in parts), or the sum of the scores."""


class Event(Struct, frozen=True):
    """An event in a list: its name and key, how many games and people it has, and its first and last day."""

    name: str
    key: str
    games: int
    unfinished: int
    people: int
    first: str | None
    last: str | None


class Met(NamedTuple):
    """How somebody did against another: in so many games, each counting 1 for coming before them, ½ for being level."""

    value: Fraction
    games: int


class Place(NamedTuple):
    """A line of the standings.

    `rank` 1 is the best; people who are level share it.  `wins` is a sum of shares, `points` the sum of the scores,
    `direct` the wins against those who are level with them (None if nobody is).  `meetings` says how they did against
    each other person, by key.
    """

    rank: int
    name: str
    key: str
    games: int
    wins: Fraction
    points: int
    direct: Fraction | None
    meetings: dict[str, Met]

    def view(self) -> "PlaceView":
        """The same for programs."""
        direct = None if self.direct is None else float(self.direct)
        return PlaceView(self.rank, self.name, self.games, float(self.wins), self.points, direct)


class PlaceView(Struct, frozen=True):
    """A line of the standings for programs: `wins` is a sum of shares, `direct` the wins among people who are level."""

    rank: int
    name: str
    games: int
    wins: float
    points: int
    direct: float | None


class AdjustmentView(Struct, frozen=True):
    """Points that the owner added to a player in an event, and why, for programs."""

    number: int
    name: str
    points: int
    why: str
    when: str


class Standings(NamedTuple):
    """Who is ahead in an event: its name, what counts, the places, the people, and the numbers of its games.

    `total` are all games, from the `first` day to the `last`.  `games` count, `cards` of them are score cards, which
    were not audited.  The others do not: those `unfinished`, `together` (nobody beats anybody), and `undecided`
    (nobody noted who won).  `adjustments` are the points that the owner added, which count.
    """

    name: str
    by: By
    places: tuple[Place, ...]
    people: int
    total: int
    games: int
    cards: int
    unfinished: int
    together: int
    undecided: int
    first: str | None
    last: str | None
    adjustments: tuple[Adjustment, ...] = ()


_EVENTS = """
SELECT event, count(*), sum(finished IS NOT 1), min(played), max(played) FROM result
WHERE event IS NOT NULL AND seat = 0 GROUP BY event ORDER BY min(coalesce(played, '')), min(opened)
"""
_PEOPLE = "SELECT DISTINCT event, name FROM result WHERE event IS NOT NULL AND named = 1"


def events(club: Club) -> list[Event]:
    """The events of a club, the latest first."""
    rows, people = defaultdict[str, list[tuple[Any, ...]]](list), defaultdict[str, set[str]](set)
    key_of = cache(folded)
    for row in club.rows(_EVENTS):
        rows[key_of(row[0])].append(row)
    for name, person in club.rows(_PEOPLE):
        people[key_of(name)].add(club.people.key_of(person))
    rows.pop("", None)
    made = []
    for key, of_event in rows.items():
        names, games, unfinished, first, last = zip(*of_event, strict=True)
        days = min(filter(None, first), default=None), max(filter(None, last), default=None)
        made.append(Event(_tidy(names[0]), key, sum(games), sum(unfinished), len(people[key] - {""}), *days))
    return sorted(made, key=lambda event: (event.last or "", event.key), reverse=True)


def _tidy(name: str) -> str:
    return " ".join(name.split())


def _spellings(club: Club, event: str) -> list[str]:
    """How records write the name of an event, the earliest first."""
    names = dict.fromkeys(name for name, *_ in club.rows(_EVENTS))
    return [name for name in names if folded(name) == folded(event) != ""]


def games_of(club: Club, event: str, people: Iterable[str] = (), most: int = -1) -> list[Played]:
    """The games of an event, however it is written, in the order in which they were played.

    With `people`, given by their keys, only games in which all of them played; with `most`, only the latest so many.
    """
    values = _spellings(club, event)
    where = [among("event", values)]
    for person in people:
        names = club.people.spellings(person)
        where.append(f"opened IN (SELECT opened FROM result WHERE named = 1 AND {among('name', names)})")  # noqa: S608
        values += names
    latest = f"SELECT opened FROM result WHERE seat = 0 AND {' AND '.join(where)}"  # noqa: S608
    return club.games(f"opened IN ({latest} ORDER BY played DESC, opened DESC LIMIT ?)", [*values, most])


_LINES = """
SELECT r.id, json_extract(a.summary, '$.line') FROM record r JOIN audit a ON a.record = r.id AND a.version = r.version
WHERE r.card = 0 AND r.id IN (SELECT value FROM json_each(?))
"""


def lines(club: Club, games: Iterable[Played]) -> dict[str, str]:
    """How each of these games of a ledger was won, by record, where that is known."""
    return dict(club.rows(_LINES, (json.dumps([played.record for played in games]),)))


_GAMES = """
WITH seats AS (SELECT *, coalesce(team, -1 - seat) AS side FROM result WHERE {event}),
game AS (
    SELECT opened, played, card, finished IS 1 AS over, finished IS 1 AND max(won) IS NOT NULL AS decided,
        finished IS 1 AND max(won) IS NOT NULL AND count(DISTINCT side) > 1 AND NOT ({together}) AS counts,
        count(DISTINCT iif(won = 1, side, NULL)) AS winners
    FROM seats GROUP BY opened HAVING count(*) = players)
"""
"""The games of an event: whether each counts, and how many sides won it.  A team is one side."""
_NUMBERS = """
SELECT count(*), total(counts), total(counts AND card), total(NOT over), total(decided AND NOT counts),
    total(over AND NOT decided), min(played), max(played) FROM game
"""
_PLAYERS = "SELECT DISTINCT name FROM seats WHERE named = 1"
_SUMS = """
SELECT name, winners, count(*), total(won), total(score) FROM game JOIN seats USING (opened)
WHERE counts AND named = 1 GROUP BY name, winners
"""
_MEETINGS = """
SELECT one.name, other.name, total(one.rank < other.rank) + total(one.rank = other.rank) / 2, count(*)
FROM game JOIN seats one USING (opened) JOIN seats other USING (opened)
WHERE counts AND one.seat < other.seat AND one.side <> other.side AND one.named = 1 AND other.named = 1
    AND one.rank > 0 AND other.rank > 0 GROUP BY one.name, other.name
"""


def standings(club: Club, name: str, by: By = "wins") -> Standings | None:
    """The standings of an event; None if no game names it."""
    names, together = _spellings(club, name), [*club.together]
    games = _GAMES.format(event=among("event", names), together=among("game", together))
    asked = [*names, *together]
    (total, *numbers, first, last), *_ = club.rows(games + _NUMBERS, asked)
    if not total:
        return None
    people = {club.people.key_of(player) for (player,) in club.rows(games + _PLAYERS, asked)} - {""}
    adjustments = tuple(one for one in club.adjustments if folded(one.event) == folded(name))
    places = _places(club, club.rows(games + _SUMS, asked), club.rows(games + _MEETINGS, asked), adjustments, by)
    counted = *map(int, numbers), first, last, adjustments
    return Standings._make((_tidy(names[0]), by, tuple(places), len(people), total, *counted))


_Rows = Iterable[Sequence[Any]]


def _places(club: Club, sums: _Rows, meetings: _Rows, adjustments: Iterable[Adjustment], by: By) -> Iterable[Place]:
    """The places: by wins or points, then by the games among those who are level, then by the other of the two."""
    key_of = club.people.key_of
    games, wins, points = Counter[str](), defaultdict[str, Fraction](Fraction), Counter[str]()
    for name, winners, played, won, score in sums:
        key = key_of(name)
        games[key] += played
        wins[key] += Fraction(int(won), winners or 1)
        points[key] += int(score)
    for adjustment in adjustments:
        key = key_of(adjustment.player)
        games[key] += 0
        points[key] += adjustment.points
    met = defaultdict[str, defaultdict[str, Met]](lambda: defaultdict(lambda: Met(Fraction(), 0)))
    for name, name_of_other, value, number in meetings:
        one, other = key_of(name), key_of(name_of_other)
        for key, opponent, counted in ((one, other, value), (other, one, number - value)) if one != other else ():
            before = met[key][opponent]
            met[key][opponent] = Met(before.value + Fraction(counted), before.games + number)
    main, tiebreak = (wins, points) if by == "wins" else (points, wins)
    level = defaultdict[Fraction | int, list[str]](list)
    for key in games:
        level[main[key]].append(key)
    direct = {
        key: sum((met[key][other].value for other in equals if other in met[key]), Fraction())
        for equals in level.values()
        for key in equals
        if len(equals) > 1
    }
    order = {key: (-main[key], -direct.get(key, 0), -tiebreak[key]) for key in games}
    ranked = sorted(games, key=lambda key: (order[key], key))
    rank = {order[key]: number for number, key in reversed([*enumerate(ranked, 1)])}
    for key in ranked:
        yield Place(
            rank[order[key]], club.people.name(key), key, games[key], wins[key], points[key], direct.get(key),
            dict(met[key]),
        )  # fmt: skip


_SIGNS = {(1, 2): "½", (1, 3): "⅓", (2, 3): "⅔", (1, 4): "¼", (3, 4): "¾"}


def in_halves(value: Fraction | float) -> str:
    """A number with its usual fractions, for people: ``2½``, ``0``, ``1⅓``."""
    exact = Fraction(value).limit_denominator(60)
    whole, part = divmod(exact.numerator, exact.denominator)
    if not part:
        return str(whole)
    sign = _SIGNS.get((part, exact.denominator))
    return f"{whole or ''}{sign}" if sign else f"{float(value):.2f}"
