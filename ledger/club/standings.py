"""Events: games that belong together, such as a tournament or a season, and who is ahead in them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from ledger.club.people import ORDER, Club, Played
from ledger.keep.recorder import folded
from ledger.stores.beside import Adjustment
from ledger.stores.questions import among

By = Literal["wins", "points"]
"""What standings count first: wins (shared ones in parts), or the sum of the scores."""


class Event(Struct, frozen=True):
    """An occasion with its games: its usual name, its key, the numbers of games and people, its first and last day."""

    name: str
    key: str
    games: int
    unfinished: int
    people: int
    kinds: tuple[str, ...]
    first: str | None
    last: str | None


class Meeting(NamedTuple):
    """A game in which two people met: its record, and 1, ½ or 0 for a person who was before, level or behind."""

    record: str
    value: Fraction


class Place(NamedTuple):
    """A line of the standings.

    `rank` 1 is the best; people who are level share it.  `wins` is a sum of shares, `points` the sum of the scores,
    `direct` the wins against those who are level with them (None if nobody is).  `meetings` has the games against each
    other person, by key.
    """

    rank: int
    name: str
    key: str
    games: int
    wins: Fraction
    points: int
    direct: Fraction | None
    meetings: dict[str, tuple[Meeting, ...]]

    def view(self) -> PlaceView:
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
    """Who is ahead in an event: its name, what counts, the places, and the games that count.

    `together` counts the games that all play together: they have no winner, so they are left out.  `cards` of the games
    that count are score cards, which were not audited.  `season` has all games of the event, from the first day to the
    last; those without a day come last.  `adjustments` are the points that the owner added, which count.
    """

    name: str
    by: By
    places: tuple[Place, ...]
    games: tuple[Played, ...]
    unfinished: tuple[Played, ...]
    together: int
    cards: int
    season: tuple[Played, ...]
    adjustments: tuple[Adjustment, ...] = ()

    @property
    def people(self) -> int:
        """How many people play in the event."""
        return len({key for played in self.season for key in played.people if key})

    @property
    def undecided(self) -> int:
        """How many finished games do not say who won: they do not count."""
        return sum(played.finished and not played.decided for played in self.season)


_EVENTS = f"""
SELECT event, game, played, finished FROM result
WHERE event IS NOT NULL AND seat = 0 ORDER BY {ORDER}
"""  # noqa: S608  constants
_PEOPLE = "SELECT DISTINCT event, name FROM result WHERE event IS NOT NULL AND named = 1"


def events(club: Club) -> list[Event]:
    """The events of a club, the latest first."""
    occasions, people = defaultdict[str, list[tuple[Any, ...]]](list), defaultdict[str, set[str]](set)
    key_of = cache(folded)
    for row in club.rows(_EVENTS):
        occasions[key_of(row[0])].append(row)
    for name, person in club.rows(_PEOPLE):
        people[key_of(name)].add(club.people.key_of(person))
    occasions.pop("", None)
    return sorted(
        [
            Event(
                " ".join(games[0][0].split()),
                key,
                len(games),
                sum([finished != 1 for *_, finished in games]),
                len(people[key] - {""}),
                tuple(dict.fromkeys([game for _event, game, *_ in games])),
                min([day for *_, day, _finished in games if day], default=None),
                games[-1][2],
            )
            for key, games in occasions.items()
        ],
        key=lambda event: (event.last or "", event.key),
        reverse=True,
    )


def games_of(club: Club, event: str) -> list[Played]:
    """The games of an event, however it is written, in the order in which they were played."""
    key = folded(event)
    spellings = [name for (name,) in club.rows("SELECT DISTINCT event FROM result WHERE event IS NOT NULL")]
    names = [name for name in spellings if folded(name) == key != ""]
    return club.games(among("event", names), names)


def standings(club: Club, name: str, by: By = "wins") -> Standings | None:
    """The standings of an event; None if no game names it."""
    games = games_of(club, name)
    if not games:
        return None
    finished = [played for played in games if played.finished]
    contests = [played for played in finished if club.contested(played)]
    adjustments = tuple(one for one in club.adjustments if folded(one.event) == folded(name))
    return Standings(
        " ".join((games[0].event or "").split()),
        by,
        tuple(_places(club, contests, adjustments, by)),
        tuple(contests),
        tuple(played for played in games if not played.finished),
        sum(played.decided for played in finished) - len(contests),
        sum(played.card for played in contests),
        tuple(sorted(games, key=lambda played: (not played.day, played.day or ""))),
        adjustments,
    )


def _places(club: Club, contests: Sequence[Played], adjustments: Iterable[Adjustment], by: By) -> Iterable[Place]:
    """The places: by wins or points, then by the games among those who are level, then by the other of the two."""
    games, wins, points = Counter[str](), defaultdict[str, Fraction](Fraction), Counter[str]()
    meetings: defaultdict[str, defaultdict[str, list[Meeting]]] = defaultdict(lambda: defaultdict(list))
    for played in contests:
        known = [seat for seat in played.seats if seat.key]
        for seat in known:
            games[seat.key] += 1
            wins[seat.key] += Fraction(int(seat.won), played.winners or 1)
            points[seat.key] += seat.score or 0
        for one, other in permutations(known, 2):
            if one.key != other.key and one.side != other.side and one.rank and other.rank:
                meetings[one.key][other.key].append(Meeting(played.record, _VALUES[one.compared(other)]))
    for adjustment in adjustments:
        key = club.people.key_of(adjustment.player)
        games[key] += 0
        points[key] += adjustment.points
    main, tiebreak = (wins, points) if by == "wins" else (points, wins)
    level = defaultdict[Fraction | int, list[str]](list)
    for key in games:
        level[main[key]].append(key)
    direct = {
        key: sum((meeting.value for other in equals for meeting in meetings[key].get(other, ())), Fraction())
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
            {other: tuple(between) for other, between in meetings[key].items()},
        )  # fmt: skip


_VALUES = {-1: Fraction(1), 0: Fraction(1, 2), 1: Fraction(0)}
"""What a game counts for a person who was before, level or behind."""
_SIGNS = {(1, 2): "½", (1, 3): "⅓", (2, 3): "⅔", (1, 4): "¼", (3, 4): "¾"}


def in_halves(value: Fraction | float) -> str:
    """A number with its usual fractions, for people: ``2½``, ``0``, ``1⅓``."""
    exact = Fraction(value).limit_denominator(60)
    whole, part = divmod(exact.numerator, exact.denominator)
    if not part:
        return str(whole)
    sign = _SIGNS.get((part, exact.denominator))
    return f"{whole or ''}{sign}" if sign else f"{float(value):.2f}"
