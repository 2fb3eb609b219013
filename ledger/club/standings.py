"""Events: games that belong together, such as a tournament or a season, and who is ahead in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby, permutations
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from ledger.club.people import ORDER, Club, Played
from ledger.keep.recorder import folded
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


class Standings(NamedTuple):
    """Who is ahead in an event: its name, what counts, the places, and the games that count.

    `together` counts the games that all play together: they have no winner, so they are left out.  `cards` of the games
    that count are score cards, which were not audited.
    """

    name: str
    by: By
    places: tuple[Place, ...]
    games: tuple[Played, ...]
    unfinished: tuple[Played, ...]
    together: int
    cards: int = 0


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
    return standings_of(club, games, by) if games else None


def standings_of(club: Club, games: Sequence[Played], by: By) -> Standings:
    """The standings of an event with these games: one at least."""
    finished = [played for played in games if played.finished]
    contests = [played for played in finished if club.contested(played)]
    return Standings(
        " ".join((games[0].event or "").split()),
        by,
        tuple(_places(club, contests, by)),
        tuple(contests),
        tuple(played for played in games if not played.finished),
        len(finished) - len(contests),
        sum(played.card for played in contests),
    )


def _places(club: Club, contests: Sequence[Played], by: By) -> Iterable[Place]:
    """The places: by wins or points, then by the games among those who are level, then by the other of the two."""
    games, wins, points = defaultdict[str, int](int), defaultdict[str, Fraction](Fraction), defaultdict[str, int](int)
    for played in contests:
        winners = played.winners or 1
        for key, _name, score, won, _rank in played.seats:
            if key:
                games[key] += 1
                wins[key] += Fraction(int(won), winners)
                points[key] += score or 0
    meetings = met(contests)
    main, tiebreak = (wins, points) if by == "wins" else (points, wins)
    groups: defaultdict[Fraction, list[str]] = defaultdict(list)
    for key in games:
        groups[Fraction(main[key])].append(key)
    direct = {
        key: _won_among(meetings[key], group) if len(group) > 1 else None for group in groups.values() for key in group
    }
    order = {key: (-main[key], -(direct[key] or 0), -tiebreak[key]) for key in games}
    rank, previous, number = 0, None, 0
    for number, key in enumerate(sorted(order, key=lambda key: (order[key], key)), 1):
        rank = number if order[key] != previous else rank
        previous = order[key]
        yield Place(
            rank, club.people.name(key), key, games[key], wins[key], points[key], direct[key],
            {other: tuple(between) for other, between in meetings[key].items()},
        )  # fmt: skip


_VALUES = {-1: Fraction(1), 0: Fraction(1, 2), 1: Fraction(0)}
"""What a game counts for a person who was before, level or behind."""


def met(contests: Iterable[Played]) -> defaultdict[str, defaultdict[str, list[Meeting]]]:
    """The games of each two people, in order, by both keys."""
    meetings: defaultdict[str, defaultdict[str, list[Meeting]]] = defaultdict(lambda: defaultdict(list))
    for played in contests:
        for one, other in permutations(played.seats, 2):
            if one.key and other.key and one.key != other.key:
                meetings[one.key][other.key].append(Meeting(played.record, _VALUES[one.compared(other)]))
    return meetings


def _won_among(meetings: dict[str, list[Meeting]], group: Sequence[str]) -> Fraction:
    return sum((meeting.value for other in group for meeting in meetings.get(other, ())), Fraction())


_SIGNS = {(1, 2): "½", (1, 3): "⅓", (2, 3): "⅔", (1, 4): "¼", (3, 4): "¾"}


def in_halves(value: Fraction) -> str:
    """A number with its usual fractions, for people: ``2½``, ``0``, ``1⅓``."""
    whole, part = divmod(value.numerator, value.denominator)
    if not part:
        return str(whole)
    sign = _SIGNS.get((part, value.denominator))
    return f"{whole or ''}{sign}" if sign else f"{float(value):.2f}"


class Evening(NamedTuple):
    """The games of one day, in the order in which they were opened; without a day, those whose day is unknown."""

    day: str | None
    games: tuple[Played, ...]


class Season(NamedTuple):
    """An event: its standings, its evenings from the first to the last, and how many games and people it has.

    `left_out` counts the earliest games, if there were too many for one page.  In the games of `together` all play
    together and count cheats.
    """

    standings: Standings
    evenings: tuple[Evening, ...]
    games: int
    people: int
    left_out: int
    together: frozenset[str]


def season(club: Club, name: str, by: By = "wins", most: int | None = None) -> Season | None:
    """The season of an event, with its latest `most` games or with all; None if no game names the event."""
    games = games_of(club, name)
    if not games:
        return None
    shown = by_day(games) if most is None else by_day(games)[-most:]
    days = groupby(shown, key=lambda played: played.day)
    return Season(
        standings_of(club, games, by),
        tuple(Evening(day, tuple(of_day)) for day, of_day in days),
        len(games),
        len({key for played in games for key in played.people if key}),
        len(games) - len(shown),
        club.together,
    )


def by_day(games: Iterable[Played]) -> list[Played]:
    """Games from the first day to the last; those without a day come last."""
    return sorted(games, key=lambda played: (not played.day, played.day or ""))
