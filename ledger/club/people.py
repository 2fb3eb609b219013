"""People: which names are one person, and the games they played.

Names that differ only in case, in outer or double spaces, or in their Unicode form are one person.  Other names are one
person if the owner merged them (see `Alias`).  A player without a name is not a person of the club.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from operator import mul
from typing import Any, NamedTuple

from msgspec import Struct

from ledger.keep.recorder import folded
from ledger.record.errors import NotForNow
from ledger.stores.beside import Adjustment, Alias
from ledger.stores.questions import Tables, among

MOST_NEAR = 3
"""The most similar names that are suggested."""
ORDER = "coalesce(played, ''), opened"
"""Games in the order of the day they were played, then of opening; those without a day come first."""


class Person(Struct, frozen=True):
    """A person in the list of players.

    `games` are all their games, `contests` the finished games in which players could beat each other, `wins` how many
    of these they won, a shared one in parts, and `last` is the day of the latest game.
    """

    name: str
    key: str
    games: int
    contests: int
    wins: float
    last: str | None


class Seat(NamedTuple):
    """A player of a game: the key of the person ("" for nobody), the name that people read, and the result.

    `rank` is set when the game is finished and it is known: 1 for the winners.  `score` is None if nobody said it, and
    without an up-to-date audit.  `side` is the number of the team, or a number of its own.
    """

    key: str
    name: str
    score: int | None
    won: bool
    rank: int | None
    side: int

    def compared(self, other: "Seat") -> int:
        """In a finished game with ranks: -1 if this player came before the other, 0 if they are level, 1 if behind."""
        own, others = self.rank or 0, other.rank or 0
        return (own > others) - (own < others)


class Played(NamedTuple):
    """A game that was played, by the rules.

    `event` is the tournament or league that it belongs to; `place` and `day` say where and when it was played, and
    `players` how many took part.
    `card`: only the scores are known.  Without an up-to-date audit the game is not `finished` and the numbers are 0.
    It is `decided` if it is known who won, perhaps nobody.  `set_size` is the N of the double-N set, in a game with
    several.
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
    decided: bool
    set_size: int | None = None

    def seat(self, key: str) -> Seat:
        """The seat of a person who played."""
        return next(seat for seat in self.seats if seat.key == key)

    @property
    def people(self) -> tuple[str, ...]:
        """The key of the person in each seat."""
        return tuple([seat.key for seat in self.seats])

    @property
    def winners(self) -> int:
        """The number of winners; a team is one."""
        return len({seat.side for seat in self.seats if seat.won})

    @property
    def sides(self) -> int:
        """The number of teams and of players without one."""
        return len({seat.side for seat in self.seats})

    @property
    def low_wins(self) -> bool:
        """Whether the lowest score has won, and only that."""
        scores = [seat.score for seat in self.seats if seat.score is not None]
        won = {seat.score for seat in self.seats if seat.won} - {None}
        return bool(won) and won == {min(scores)} != {max(scores)}


class People:
    """Which names are one person; `shown` has the name to show for each person's key.

    The name is the one that the owner chose, or the most frequent spelling.
    """

    def __init__(self, tables: Tables, aliases: Iterable[Alias]) -> None:
        self.aliases = tuple(aliases)
        self._merged = {folded(alias.name): folded(alias.person) for alias in self.aliases}
        self.key_of = cache(self._key_of)
        """The key of the person with this name or alias, whether they have played or not."""
        self._spellings = defaultdict[str, Counter[str]](Counter)
        for name, games in tables.rows(_NAMES):
            self._spellings[self.key_of(name)][name] += games
        self._spellings.pop("", None)
        chosen = {folded(alias.person): alias.person for alias in self.aliases}
        self.shown = {key: chosen.get(key) or _usual(names) for key, names in self._spellings.items()}

    def _key_of(self, name: str) -> str:
        return self._merged.get(folded(name), folded(name))

    def key(self, name: str) -> str | None:
        """The key of the person with this name or alias, or None if nobody of that name has played."""
        key = self._key_of(name)  # people type any name: none of them is kept
        return key if key in self.shown else None

    def name(self, key: str) -> str:
        """The shown name of a person; the key of somebody who first played after these people were asked for."""
        return self.shown.get(key, key)

    def find(self, name: str) -> str:
        """The key of a person.  Raises NotForNow for an unknown name, with suggestions."""
        key = self.key(name)
        if key is None:
            from difflib import get_close_matches

            # People type whole names, first names and aliases.
            keys = {key.split()[0]: key for key in self.shown}
            keys |= {alias: key for alias, key in self._merged.items() if key in self.shown}
            keys |= {key: key for key in self.shown}
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


_NAMES = "SELECT name, count(*) FROM result WHERE named = 1 GROUP BY name ORDER BY min(opened)"


def _usual(counts: Counter[str]) -> str:
    """The most frequent spelling, without outer and double spaces; of equally frequent ones, the first."""
    return " ".join(counts.most_common(1)[0][0].split())


class Club:
    """The people of a ledger and the games they played, asked from its tables.

    `together` names the games that all play together, counting cheats: in these nobody beats anybody, and a low score
    is good.  `adjustments` are the points that the owner added to players in events, by their names of today.
    """

    def __init__(
        self, tables: Tables, people: People, together: frozenset[str], adjustments: Iterable[Adjustment] = ()
    ) -> None:
        self.rows, self.people, self.together, self.adjustments = tables.rows, people, together, tuple(adjustments)

    def games(self, where: str = "TRUE", values: Sequence[object] = ()) -> list[Played]:
        """The games that fulfil a condition on the table `result`, in the order in which they were played."""
        games, key_of, shown = list[Played](), self.people.key_of, self.people.shown
        for *game, card, finished, mistakes, moves, hands, set_size, rows in self.rows(_GAMES.format(where), values):
            seats, decided = list[Seat](), False
            for seat, name, named, score, won, rank, team in sorted(json.loads(rows)):
                key = key_of(name) if named else ""
                seats.append(Seat(key, shown.get(key, name), score, won == 1, rank, team or -1 - seat))
                decided = decided or won is not None
            if len(seats) == game[-1]:  # a damaged file may lack the row of a player
                numbers = card == 1, finished == 1, mistakes, moves, hands
                games.append(Played._make((*game, *numbers, tuple(seats), decided, set_size)))
        return games

    def games_of(self, key: str) -> list[Played]:
        """The games that a person played, each once."""
        names = self.people.spellings(key)
        own = f"SELECT opened FROM result WHERE named = 1 AND {among('name', names)}"  # noqa: S608  constants
        return self.games(f"opened IN ({own})", names)

    def contested(self, played: Played) -> bool:
        """Whether a game is finished, players could beat each other in it, and it is known who did."""
        return played.finished and played.sides > 1 and played.decided and played.game not in self.together


_GAMES = f"""
SELECT record, game, edition, event, place, played, players, card, finished, coalesce(mistakes, 0),
    coalesce(moves, 0), coalesce(hands, 0), set_size,
    json_group_array(json_array(seat, name, named, score, won, rank, team))
FROM result WHERE {{}} GROUP BY opened ORDER BY {ORDER}
"""  # noqa: S608  constants
_EVERYBODY = """
SELECT opened, name, finished IS 1 AND players > 1 AND won IS NOT NULL AND NOT ({})
        AND (team IS NULL
            OR EXISTS (SELECT 1 FROM result o WHERE o.opened = result.opened AND o.team IS NOT result.team)),
    iif(won = 1, 1.0 / (SELECT count(DISTINCT coalesce(w.team, -1 - w.seat)) FROM result w
        WHERE w.opened = result.opened AND w.won = 1), 0), coalesce(played, '')
FROM result WHERE named = 1 ORDER BY opened, seat
"""


def everybody(club: Club) -> list[Person]:
    """Everybody who played, the most frequent first.  Somebody who sat at a table twice played one game there."""
    games, together = defaultdict[str, dict[int, list[Any]]](dict), [*club.together]
    for opened, name, *game in club.rows(_EVERYBODY.format(among("game", together)), together):
        games[club.people.key_of(name)].setdefault(opened, game)
    persons = []
    for key, shown in club.people.shown.items():
        contested, won, days = zip(*games[key].values(), strict=True)
        wins = sum(map(mul, contested, won))
        persons.append(Person(shown, key, len(days), sum(contested), wins, max(days) or None))
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
