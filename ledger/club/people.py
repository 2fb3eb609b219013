"""People: which names are one person, and which games they played.

Names that differ only in case, in outer or double spaces, or in their Unicode form are one person.  Other names are one
person if the owner merged them (see `Alias`).  A player without a name is not a person of the club.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain, compress

from msgspec import Struct

from ledger.keep.recorder import folded
from ledger.record.errors import NotForNow
from ledger.record.lazy import lazy
from ledger.stores.beside import Alias
from ledger.stores.results import GameResults, Mistake, Result

MOST_NEAR = 3
"""The most similar names that are suggested."""


class Played(Struct, frozen=True, gc=False):
    """A game that was played, and the key of the person in each seat ("" for nobody)."""

    game: GameResults
    people: tuple[str, ...]

    def result(self, key: str) -> Result:
        """The result of a person who played."""
        return self.game.results[self.people.index(key)]

    @property
    def winners(self) -> int:
        """The number of winners."""
        return sum([result.won for result in self.game.results])


class Club:
    """The games of a club, and the people who played them.

    `games` and `mistakes` are what `Store.results` and `Store.mistakes` return.  `together` names the games that all
    play together, counting cheats: in these nobody beats anybody, and a low score is good.
    """

    def __init__(
        self,
        games: Iterable[GameResults],
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
        all_games = list(games)
        counts = Counter([result.name for game in all_games for result in game.results if result.named])
        keys = {name: self._key(name) for name in counts}
        self.games: list[Played] = [
            Played(game, tuple([keys[result.name] if result.named else "" for result in game.results]))
            for game in all_games
        ]
        spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for name, key in keys.items():
            spellings[key][name] = counts[name]
        spellings.pop("", None)
        chosen_names = {folded(alias.person): alias.person for alias in self.aliases}
        self.shown = {key: chosen_names.get(key) or _usual(names) for key, names in spellings.items()}
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
            keys = self._keys_by_folded_name()
            close = get_close_matches(folded(name), keys, n=MOST_NEAR, cutoff=0.6)
            suggestions = " or ".join(dict.fromkeys(self.shown[keys[match]] for match in close))
            hint = f"; did you mean {suggestions}?" if suggestions else ""
            raise NotForNow(f"nobody called {name!r} has played here{hint}")
        return key

    def spelling(self, name: str) -> str:
        """A typed name as the club writes it; an alias stays as it is.  Raises NotForNow as `find` does."""
        shown = self.shown[self.find(name)]
        return shown if folded(shown) == folded(name) else name

    def _keys_by_folded_name(self) -> dict[str, str]:
        """The folded names that can be typed, including first names, with the key of each."""
        first_names = {key.split()[0]: key for key in self.shown if key.split()}
        aliases = {alias: key for alias, key in self._merged.items() if key in self.shown}
        return first_names | aliases | {key: key for key in self.shown}

    def also(self, key: str) -> tuple[str, ...]:
        """The other names of a person."""
        return tuple(alias.name for alias in self.aliases if folded(alias.person) == key)

    @lazy
    def kinds(self) -> Mapping[str, Sequence[Played]]:
        """The games of each kind, such as zigzag; the kind with the most games first."""
        games: defaultdict[str, list[Played]] = defaultdict(list)
        for played in self.games:
            games[played.game.game].append(played)
        return dict(sorted(games.items(), key=lambda kind: -len(kind[1])))

    @lazy
    def occasions(self) -> Mapping[str, Sequence[Played]]:
        """The games of each event, by its folded name."""
        games, keys = defaultdict[str, list[Played]](list), dict[str, str]()
        for played in self.games:
            name = played.game.event
            if name:
                key = keys.get(name)
                if key is None:
                    key = keys[name] = folded(name)
                games[key].append(played)
        games.pop("", None)
        return dict(games)

    def of_kind(self, game: str | None) -> Sequence[Played]:
        """The games of one kind, or all games."""
        return self.games if game is None else self.kinds.get(game, ())

    def finished(self, game: str) -> list[Played]:
        """The finished games of one kind."""
        return [played for played in self.of_kind(game) if played.game.finished]

    def contested(self, game: str | None = None) -> list[Played]:
        """The finished games in which players could beat each other: all, or those of one kind."""
        return [
            played
            for played in self.of_kind(game)
            if (results := played.game).finished and results.players > 1 and results.game not in self.together
        ]

    def mistakes_of(self, key: str, played: Played) -> Counter[str]:
        """How often a person broke each clause in a game."""
        counts, mistakes = Counter[str](), self._mistakes.get(played.game.record, ())
        if not mistakes:
            return counts
        player_ids = {
            result.player for person, result in zip(played.people, played.game.results, strict=True) if person == key
        }
        for mistake in mistakes:
            if mistake.player in player_ids:
                counts[mistake.clause] += mistake.times
        return counts

    def broken(self, game: str) -> Counter[str]:
        """The number of records of a game in which each clause was broken."""
        records = {
            (mistake.record, mistake.clause)
            for mistakes in self._mistakes.values()
            for mistake in mistakes
            if mistake.game == game
        }
        return Counter(clause for _record, clause in records)

    def of(self, key: str) -> list[Played]:
        """The games that a person played, each once."""
        return [played for played in self.games if key in played.people]


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
    games = Counter(chain.from_iterable([played.people for played in club.games]))
    contests = Counter(chain.from_iterable([played.people for played in contested]))
    won = [result.won for played in contested for result in played.game.results]
    wins = Counter(compress(chain.from_iterable([played.people for played in contested]), won))
    last_days: dict[str, str | None] = {}
    for played in reversed(club.games):  # they are by day, the latest last
        for key in played.people:
            last_days.setdefault(key, played.game.played)
        if last_days.keys() >= club.shown.keys():
            break
    persons = [Person(club.shown[key], key, games[key], contests[key], wins[key], last_days[key]) for key in club.shown]
    return sorted(persons, key=lambda person: (-person.games, person.key))


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
        current_person = merged[folded(name)]
        raise NotForNow(f"{name!r} is an alias of {current_person!r}: split it from there first")
    moved = [Alias(alias.name, root) for alias in aliases if folded(alias.person) == folded(name)]
    return [*moved, Alias(" ".join(name.split()), root)]


def split(aliases: Sequence[Alias], name: str) -> Alias:
    """The alias to delete so that `name` is a separate person again.  Raises NotForNow if it is not an alias."""
    for alias in aliases:
        if folded(alias.name) == folded(name):
            return alias
    alias_names = [alias.name for alias in aliases if folded(alias.person) == folded(name)]
    reason = f"; it is the name of a person with the aliases {', '.join(alias_names)}" if alias_names else ""
    raise NotForNow(f"{name!r} is not an alias{reason}")
