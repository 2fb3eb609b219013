"""People: which names are one person, and the games they played.

Names that differ only in case, in outer or double spaces, or in their Unicode form are one person.  Other names are one
person if the owner merged them (see `Alias`).  A player without a name is not a person of the club.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from msgspec import Struct

from ledger.keep.recorder import folded
from ledger.record.errors import NotForNow
from ledger.rules.game import Standing
from ledger.stores.beside import Alias
from ledger.stores.questions import Tables, among

MOST_NEAR = 3
"""The most similar names that are suggested."""
ORDER = "coalesce(played, ''), opened"
"""Games in the order of the day they were played, then of opening; those without a day come first."""


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


class Seat(NamedTuple):
    """A player of a game: the key of the person ("" for nobody), the name that people read, and the result.

    `rank` is set when the game is finished: 1 for the winners.  Without an up-to-date audit `score` is None too.
    """

    key: str
    name: str
    score: int | None
    won: bool
    rank: int | None


class Played(NamedTuple):
    """A game that was played, by the rules.

    `event`, `place` and `day` are the occasion, where and when it was played; `players` is their number.  `card`: only
    the scores are known.  Without an up-to-date audit the game is not `finished` and the numbers are 0.
    """

    record: str
    game: str
    edition: str | None
    event: str | None
    place: str | None
    day: str | None
    players: int
    card: bool
    finished: bool
    mistakes: int
    moves: int
    hands: int
    seats: tuple[Seat, ...]

    def seat(self, key: str) -> Seat:
        """The seat of a person who played."""
        return next(seat for seat in self.seats if seat.key == key)

    @property
    def people(self) -> tuple[str, ...]:
        """The key of the person in each seat."""
        return tuple([seat.key for seat in self.seats])

    @property
    def winners(self) -> int:
        """The number of winners."""
        return sum([seat.won for seat in self.seats])

    @property
    def low_wins(self) -> bool:
        """Whether the lowest score has won, and only that; False if a score is not known."""
        scores = [seat.score for seat in self.seats if seat.score is not None]
        winners = tuple(n for n, seat in enumerate(self.seats) if seat.won)
        return len(scores) == len(self.seats) and Standing(self.finished, tuple(scores), winners).low_wins


class People:
    """Which names are one person; `shown` has the name to show for each person's key.

    The name is the one that the owner chose, or the most frequent spelling.
    """

    def __init__(self, tables: Tables, aliases: Iterable[Alias]) -> None:
        self.aliases = tuple(aliases)
        self._merged = {folded(alias.name): folded(alias.person) for alias in self.aliases}
        self._keys: dict[str, str] = {}
        self._spellings = defaultdict[str, Counter[str]](Counter)
        for name, games, _first in sorted(tables.rows(_NAMES), key=itemgetter(2)):
            self._spellings[self.key_of(name)][name] += games
        self._spellings.pop("", None)
        chosen = {folded(alias.person): alias.person for alias in self.aliases}
        self.shown = {key: chosen.get(key) or _usual(names) for key, names in self._spellings.items()}

    def key_of(self, name: str) -> str:
        """The key of the person with this name or alias, whether they have played or not."""
        key = self._keys.get(name)
        if key is None:
            key = folded(name)
            key = self._keys[name] = self._merged.get(key, key)
        return key

    def key(self, name: str) -> str | None:
        """The key of the person with this name or alias, or None if nobody of that name has played."""
        key = self.key_of(name)
        return key if key in self.shown else None

    def name(self, key: str) -> str:
        """The shown name of a person; the key of somebody who first played after these people were asked for."""
        return self.shown.get(key, key)

    def find(self, name: str) -> str:
        """The key of a person.  Raises NotForNow for an unknown name, with suggestions."""
        key = self.key(name)
        if key is None:
            from difflib import get_close_matches

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

    def spellings(self, key: str) -> tuple[str, ...]:
        """How records write the name of a person."""
        return tuple(self._spellings.get(key, ()))

    def also(self, key: str) -> tuple[str, ...]:
        """The other names of a person."""
        return tuple(alias.name for alias in self.aliases if folded(alias.person) == key)

    def _keys_by_folded_name(self) -> dict[str, str]:
        """The folded names that can be typed, including first names, with the key of each."""
        first_names = {key.split()[0]: key for key in self.shown}
        aliases = {alias: key for alias, key in self._merged.items() if key in self.shown}
        return first_names | aliases | {key: key for key in self.shown}


_NAMES = "SELECT name, count(*), min(opened) FROM result WHERE named = 1 GROUP BY name"


def _usual(counts: Counter[str]) -> str:
    """The most frequent spelling, without outer and double spaces; of equally frequent ones, the first."""
    return " ".join(counts.most_common(1)[0][0].split())


class Club:
    """The people of a ledger and the games they played, asked from its tables.

    `together` names the games that all play together, counting cheats: in these nobody beats anybody, and a low score
    is good.
    """

    def __init__(self, tables: Tables, people: People, together: frozenset[str]) -> None:
        self.rows, self.people, self.together = tables.rows, people, together

    def person(self, name: str, named: int) -> tuple[str, str]:
        """The key and the shown name of a player in the table `result`; the key of nobody is ""."""
        key = self.people.key_of(name) if named else ""
        return key, self.people.shown.get(key, name)

    def games(self, where: str = "TRUE", values: Sequence[object] = ()) -> list[Played]:
        """The games whose rows in the table `result` fulfil a condition, in the order in which they were played."""
        games = []
        query = f"SELECT {_COLUMNS} FROM result WHERE {where} ORDER BY {ORDER}, seat"  # noqa: S608  constants
        for _opened, group in groupby(self.rows(query, values), key=itemgetter(0)):
            rows = [*group]
            *game, card, finished, mistakes, moves, hands = rows[0][1:13]
            if len(rows) != game[-1]:
                continue  # a damaged file may lack the row of a player
            seats = [
                Seat(*self.person(name, named), score, won == 1, rank) for *_, name, named, score, won, rank in rows
            ]
            numbers = mistakes or 0, moves or 0, hands or 0
            games.append(Played._make((*game, card == 1, finished == 1, *numbers, tuple(seats))))
        return games

    def games_of(self, key: str) -> list[Played]:
        """The games that a person played, each once."""
        names = self.people.spellings(key)
        own = f"SELECT opened FROM result WHERE named = 1 AND {among('name', names)}"  # noqa: S608  constants
        return self.games(f"opened IN ({own})", names)

    def contested(self, played: Played) -> bool:
        """Whether a game is finished, and players could beat each other in it."""
        return played.finished and played.players > 1 and played.game not in self.together


_COLUMNS = (
    "opened, record, game, edition, event, place, played, players, card, finished, mistakes, moves, hands, "
    "name, named, score, won, rank"
)


_EVERYBODY = """
SELECT name, count(*), sum(contested), sum(contested * won), max(played) FROM (
    SELECT name, won, played, CASE WHEN finished = 1 AND players > 1 AND NOT ({}) THEN 1 ELSE 0 END AS contested
    FROM result WHERE named = 1
) r GROUP BY name
"""


def everybody(club: Club) -> list[Person]:
    """Everybody who played, the most frequent first."""
    games, contests, wins, last_days = Counter[str](), Counter[str](), Counter[str](), defaultdict[str, str](str)
    together = [*club.together]
    for name, played, contested, won, last in club.rows(_EVERYBODY.format(among("game", together)), together):
        key = club.people.key_of(name)
        games[key] += played
        contests[key] += contested
        wins[key] += won or 0
        last_days[key] = max(last_days[key], last or "")
    for key in {club.people.key_of(alias.person) for alias in club.people.aliases} & club.people.shown.keys():
        # Names that met before they were found to be one person: each game counts once.
        own = club.games_of(key)
        won = [played.seat(key).won for played in own if club.contested(played)]
        games[key], contests[key], wins[key] = len(own), len(won), sum(won)
    persons = [
        Person(shown, key, games[key], contests[key], wins[key], last_days[key] or None)
        for key, shown in club.people.shown.items()
    ]
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
