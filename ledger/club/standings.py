"""Events: games that belong together, such as a tournament or a season, and who is ahead in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from msgspec import Struct

from ledger.club.people import Club, Played
from ledger.keep.recorder import folded

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


def events(club: Club) -> list[Event]:
    """The events of a club, the latest first."""
    occasions = []
    for key, games in club.occasions.items():
        days = [played.game.played for played in games if played.game.played]
        occasions.append(
            Event(
                " ".join((games[0].game.event or "").split()),
                key,
                len(games),
                sum(not played.game.finished for played in games),
                len({person for played in games for person in played.people if person}),
                tuple(dict.fromkeys(played.game.game for played in games)),
                min(days, default=None),
                max(days, default=None),
            )
        )
    return sorted(occasions, key=lambda event: (event.last or "", event.key), reverse=True)


def people_of(club: Club, event: str) -> list[str]:
    """The names of those who play in an event, the earliest first."""
    games = club.occasions.get(folded(event), ())
    return [club.shown[key] for key in dict.fromkeys(key for played in games for key in played.people if key)]


def standings(club: Club, name: str, by: By = "wins") -> Standings | None:
    """The standings of an event; None if no game names it."""
    games = club.occasions.get(folded(name))
    if games is None:
        return None
    finished = [played for played in games if played.game.finished]
    contests = [played for played in finished if played.game.players > 1 and played.game.game not in club.together]
    return Standings(
        " ".join((games[0].game.event or "").split()),
        by,
        tuple(_places(club, contests, by)),
        tuple(contests),
        tuple(played for played in games if not played.game.finished),
        len(finished) - len(contests),
        sum(played.game.card for played in contests),
    )


def _places(club: Club, contests: Sequence[Played], by: By) -> Iterable[Place]:
    """The places: by wins or points, then by the games among those who are level, then by the other of the two."""
    games, wins, points = defaultdict[str, int](int), defaultdict[str, Fraction](Fraction), defaultdict[str, int](int)
    for played in contests:
        winners = played.winners or 1
        for key, result in zip(played.people, played.game.results, strict=True):
            if key:
                games[key] += 1
                wins[key] += Fraction(int(result.won), winners)
                points[key] += result.score or 0
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
            rank, club.shown[key], key, games[key], wins[key], points[key], direct[key],
            {other: tuple(between) for other, between in meetings[key].items()},
        )  # fmt: skip


_VALUES = {-1: Fraction(0), 0: Fraction(1, 2), 1: Fraction(1)}
"""What a game counts for a person who was behind, level or before."""


def met(contests: Iterable[Played]) -> defaultdict[str, defaultdict[str, list[Meeting]]]:
    """The games of each two people, in order, by both keys."""
    meetings: defaultdict[str, defaultdict[str, list[Meeting]]] = defaultdict(lambda: defaultdict(list))
    for played in contests:
        ranked = [
            (key, result.rank)
            for key, result in zip(played.people, played.game.results, strict=True)
            if key and result.rank is not None
        ]
        for key, rank in ranked:
            for other, other_rank in ranked:
                if key != other:
                    ahead = (other_rank > rank) - (other_rank < rank)
                    meetings[key][other].append(Meeting(played.game.record, _VALUES[ahead]))
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
