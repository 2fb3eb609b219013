"""People: which names are one person, and which games they played.

Names that differ only in case, in outer or double spaces, or in their Unicode form are one person.  Other names are one
person if the owner merged them (see `Alias`).  A player without a name is not a person of the club.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import chain, groupby
from operator import attrgetter
from typing import NamedTuple

from msgspec import Struct

from ledger.errors import NotForNow
from ledger.recorder import folded
from ledger.stores.alias_book import Alias
from ledger.stores.results import Mistake, Result

MOST_NEAR = 3
"""The most similar names that are suggested."""


class Played(NamedTuple):
    """A game that was played: its players' results by seat, and the key of the person in each seat ("" for nobody).

    `game` is the first of the results, for the fields that all of them share.
    """

    results: tuple[Result, ...]
    people: tuple[str, ...]
    game: Result

    def result(self, key: str) -> Result:
        """The result of a person who played."""
        return self.results[self.people.index(key)]

    @property
    def mistakes(self) -> int:
        """The mistakes of the whole game."""
        return self.game.mistakes

    @property
    def winners(self) -> int:
        """The number of winners."""
        return sum([result.won for result in self.results])


def by_record(results: Iterable[Result]) -> Iterator[tuple[Result, ...]]:
    """The results of each game, of results in which those of a game stand together."""
    return (tuple(group) for _record, group in groupby(results, attrgetter("record")))


class Club:
    """The games of a club, and the people who played them.

    `games` are the results of each, by seat (see `by_record`), and `mistakes` what `Store.mistakes` gives.  `together`
    names the games that all play together, counting cheats: in these nobody beats anybody, and a low score is good.
    """

    def __init__(
        self,
        games: Iterable[tuple[Result, ...]],
        aliases: Iterable[Alias] = (),
        together: Collection[str] = (),
        mistakes: Iterable[Mistake] = (),
    ) -> None:
        self.together = frozenset(together)
        self._mistakes: defaultdict[str, list[Mistake]] = defaultdict(list)
        for mistake in mistakes:
            self._mistakes[mistake.record].append(mistake)
        self.aliases = tuple(aliases)
        self._merged = {folded(alias.name): folded(alias.person) for alias in self.aliases}
        self._keys: dict[str, str] = {}
        seated = list(games)
        counts = Counter([seat.name for seats in seated for seat in seats if seat.named])
        keys = {name: self._key(name) for name in counts}
        self.games: list[Played] = [
            Played(seats, tuple([keys[seat.name] if seat.named else "" for seat in seats]), seats[0])
            for seats in seated
        ]
        spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for name, key in keys.items():
            spellings[key][name] = counts[name]
        spellings.pop("", None)
        chosen = {folded(alias.person): alias.person for alias in self.aliases}
        self.shown = {key: chosen.get(key) or _usual(names) for key, names in spellings.items()}
        """The name of each person, by key: the one that the owner chose, or the most frequent spelling."""

    def _key(self, name: str) -> str:
        key = self._keys.get(name)
        if key is None:
            key = folded(name)
            key = self._keys[name] = self._merged.get(key, key)
        return key

    def key(self, name: str) -> str | None:
        """The key of the person with this name or alias, or None if nobody of that name has played."""
        key = self._key(name)
        return key if key in self.shown else None

    def find(self, name: str) -> str:
        """The key of a person.  Raises NotForNow for an unknown name, with suggestions."""
        key = self.key(name)
        if key is None:
            near = get_close_matches(folded(name), self._near(), n=MOST_NEAR, cutoff=0.6)
            meant = " or ".join(dict.fromkeys(self.shown[self._near()[one]] for one in near))
            raise NotForNow(f"nobody called {name!r} has played here" + (f"; did you mean {meant}?" if meant else ""))
        return key

    def spelling(self, name: str) -> str:
        """A typed name as the club writes it; an alias stays as it is.  Raises NotForNow as `find` does."""
        shown = self.shown[self.find(name)]
        return shown if folded(shown) == folded(name) else name

    def _near(self) -> dict[str, str]:
        """The folded names that can be typed, including first names, with the key of each."""
        first_names = {key.split()[0]: key for key in self.shown if key.split()}
        aliases = {alias: key for alias, key in self._merged.items() if key in self.shown}
        return first_names | aliases | {key: key for key in self.shown}

    def also(self, key: str) -> tuple[str, ...]:
        """The other names of a person."""
        return tuple(alias.name for alias in self.aliases if folded(alias.person) == key)

    def finished(self, game: str | None = None) -> list[Played]:
        """The finished games: all, or those of one kind."""
        return [one for one in self.games if one.game.finished and game in (None, one.game.game)]

    def contested(self, game: str | None = None) -> list[Played]:
        """The finished games in which players could beat each other."""
        return [one for one in self.finished(game) if one.game.players > 1 and one.game.game not in self.together]

    def mistakes_of(self, key: str, one: Played) -> Counter[str]:
        """How often a person broke each clause in a game."""
        found = Counter[str]()
        own = {result.player for other, result in zip(one.people, one.results, strict=True) if other == key}
        for mistake in self._mistakes.get(one.game.record, ()):
            if mistake.player in own:
                found[mistake.clause] += mistake.times
        return found

    def broken(self, game: str) -> Counter[str]:
        """The number of records of a game in which each clause was broken."""
        records = {
            (mistake.record, mistake.clause)
            for found in self._mistakes.values()
            for mistake in found
            if mistake.game == game
        }
        return Counter(clause for _record, clause in records)

    def of(self, key: str) -> list[Played]:
        """The games that a person played, each once."""
        return [one for one in self.games if key in one.people]


def _usual(counts: Counter[str]) -> str:
    """The most frequent spelling, without outer and double spaces; of equally frequent ones, the first."""
    return " ".join(counts.most_common(1)[0][0].split())


class Person(Struct, frozen=True):
    """A person in the list of players.

    `games` are all their games, `contests` the finished games in which players could beat each other, `wins` how many
    of these they won, and `last` is the day of the latest game.
    """

    name: str
    key: str
    games: int
    contests: int
    wins: int
    last: str | None


def people(club: Club) -> list[Person]:
    """Everybody who played, the most frequent first."""
    contested = club.contested()
    games = Counter(chain.from_iterable([one.people for one in club.games]))
    contests = Counter(chain.from_iterable([one.people for one in contested]))
    wins = Counter([one.people[seat] for one in contested for seat, result in enumerate(one.results) if result.won])
    last: dict[str, str | None] = {}
    for one in reversed(club.games):  # they are by day, the latest last
        for key in one.people:
            last.setdefault(key, one.game.played)
        if last.keys() >= club.shown.keys():
            break
    found = [Person(club.shown[key], key, games[key], contests[key], wins[key], last[key]) for key in club.shown]
    return sorted(found, key=lambda person: (-person.games, person.key))


# ── Merging and splitting ──────────────────────────────────────────────────────────────────────────────────


def merge(aliases: Sequence[Alias], name: str, person: str) -> list[Alias]:
    """The aliases to store so that `name` becomes `person`, with the aliases that `name` has.

    Raises NotForNow if they are one person already, if `name` is somebody else's alias, or if a name is blank.
    """
    if not folded(name) or not folded(person):
        raise NotForNow("a name is missing: write `players merge ALIAS NAME`")
    merged = {folded(alias.name): alias.person for alias in aliases}
    root = merged.get(folded(person), " ".join(person.split()))
    if folded(merged.get(folded(name), name)) == folded(root):
        raise NotForNow(f"{name!r} and {person!r} are one person already")
    if folded(name) in merged:
        other = merged[folded(name)]
        raise NotForNow(f"{name!r} is an alias of {other!r}: split it from there first")
    moved = [Alias(alias.name, root) for alias in aliases if folded(alias.person) == folded(name)]
    return [*moved, Alias(" ".join(name.split()), root)]


def split(aliases: Sequence[Alias], name: str) -> Alias:
    """The alias to delete so that `name` is a separate person again.  Raises NotForNow if it is not an alias."""
    for alias in aliases:
        if folded(alias.name) == folded(name):
            return alias
    others = [alias.name for alias in aliases if folded(alias.person) == folded(name)]
    reason = f"; it is the name of a person with the aliases {', '.join(others)}" if others else ""
    raise NotForNow(f"{name!r} is not an alias{reason}")
