"""Events: games that belong together, such as a tournament or a season, and who is ahead in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from msgspec import Struct

from ledger.club.people import Club, Played
from ledger.recorder import folded

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


class Standings(NamedTuple):
    """Who is ahead in an event: its name, what counts, the places, and the games that count.

    `together` counts the games that all play together: they have no winner, so they are left out.
    """

    name: str
    by: By
    places: tuple[Place, ...]
    games: tuple[Played, ...]
    unfinished: tuple[Played, ...]
    together: int


def events(club: Club) -> list[Event]:
    """The events of a club, the latest first."""
    by_key: defaultdict[str, list[Played]] = defaultdict(list)
    for one in club.games:
        if one.game.event and folded(one.game.event):
            by_key[folded(one.game.event)].append(one)
    found = []
    for key, games in by_key.items():
        days = [one.game.played for one in games if one.game.played]
        found.append(
            Event(
                " ".join((games[0].game.event or "").split()),
                key,
                len(games),
                sum(not one.game.finished for one in games),
                len({person for one in games for person in one.people if person}),
                tuple(dict.fromkeys(one.game.game for one in games)),
                min(days, default=None),
                max(days, default=None),
            )
        )
    return sorted(found, key=lambda event: (event.last or "", event.key), reverse=True)


def standings(club: Club, name: str, by: By = "wins") -> Standings | None:
    """The standings of an event; None if no game names it."""
    games = [one for one in club.games if one.game.event and folded(one.game.event) == folded(name)]
    if not games or not folded(name):
        return None
    finished = [one for one in games if one.game.finished]
    contests = [one for one in finished if one.game.players > 1 and one.game.game not in club.together]
    return Standings(
        " ".join((games[0].game.event or "").split()),
        by,
        tuple(_places(club, contests, by)),
        tuple(contests),
        tuple(one for one in games if not one.game.finished),
        len(finished) - len(contests),
    )


def _places(club: Club, contests: Sequence[Played], by: By) -> Iterable[Place]:
    """The places: by wins or points, then by the games among those who are level, then by the other of the two."""
    games, wins, points = defaultdict[str, int](int), defaultdict[str, Fraction](Fraction), defaultdict[str, int](int)
    for one in contests:
        winners = one.winners or 1
        for key, result in zip(one.people, one.results, strict=True):
            if key:
                games[key] += 1
                wins[key] += Fraction(int(result.won), winners)
                points[key] += result.score or 0
    meetings = met(contests)
    first, second = (wins, points) if by == "wins" else (points, wins)
    level: defaultdict[Fraction, list[str]] = defaultdict(list)
    for key in games:
        level[Fraction(first[key])].append(key)
    direct = {
        key: _won_among(meetings[key], group) if len(group) > 1 else None for group in level.values() for key in group
    }
    order = {key: (-first[key], -(direct[key] or 0), -second[key]) for key in games}
    rank, last, number = 0, None, 0
    for number, key in enumerate(sorted(order, key=lambda key: (order[key], key)), 1):
        rank = number if order[key] != last else rank
        last = order[key]
        yield Place(
            rank, club.shown[key], key, games[key], wins[key], points[key], direct[key],
            {other: tuple(found) for other, found in meetings[key].items()},
        )  # fmt: skip


def met(contests: Iterable[Played]) -> defaultdict[str, defaultdict[str, list[Meeting]]]:
    """The games of each two people, in order, by both keys."""
    found: defaultdict[str, defaultdict[str, list[Meeting]]] = defaultdict(lambda: defaultdict(list))
    for one in contests:
        for key, result in zip(one.people, one.results, strict=True):
            for other, theirs in zip(one.people, one.results, strict=True):
                if key and other and key != other and result.rank is not None and theirs.rank is not None:
                    ahead = (theirs.rank > result.rank) - (theirs.rank < result.rank)
                    found[key][other].append(Meeting(result.record, Fraction(ahead + 1, 2)))
    return found


def _won_among(meetings: dict[str, list[Meeting]], group: Sequence[str]) -> Fraction:
    return sum((meeting.value for other in group for meeting in meetings.get(other, ())), Fraction())


def in_halves(value: Fraction) -> str:
    """A number with its usual fractions, for people: ``2½``, ``0``, ``1⅓``."""
    whole, part = divmod(value, 1)
    signs = {Fraction(1, 2): "½", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}
    if not part:
        return str(whole)
    sign = signs.get(part)
    return f"{whole or ''}{sign}" if sign else f"{float(value):.2f}"
