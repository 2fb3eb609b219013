"""Plans who plays whom: a round robin for tables of two, and fixed plans for tables of three."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from ledger.club.people import Club, Played
from ledger.games import catalog
from ledger.keep.recorder import folded
from ledger.record.errors import NotForNow
from ledger.record.words import listed_or

MOST = 16
"""The most people in a round robin."""


class Round(Struct, frozen=True):
    """A round: who sits at each table, the one who begins first, and who sits out."""

    tables: tuple[tuple[str, ...], ...]
    out: tuple[str, ...] = ()


def plan(names: Sequence[str], game: str | None = None) -> list[Round]:
    """The rounds for a game: tables of three for one that three people play and two do not, otherwise of two.

    Raises NotForNow for a game that is for neither, and as `pairs` and `threes` do; UnknownGame for one that is not
    installed.
    """
    if game is None:
        return pairs(names)
    rules = catalog.find(game)
    counts = catalog.player_counts(rules)
    if 2 in counts:
        return pairs(names)
    if 3 in counts:
        return threes(names)
    raise NotForNow(f"{rules.title} is for {rules.seats}: there is no plan for it")


def games_at(club: Club, names: Sequence[str], games: Iterable[Played], game: str | None = None) -> list[Played]:
    """The games in which exactly these people played, in any order; with a kind of game, only games of that kind."""
    people = {club.people.key(name) for name in names}
    return [
        played
        for played in games
        if played.players == len(names) and {*played.people} == people and game in (None, played.game)
    ]


def check_names(names: Sequence[str]) -> None:
    """Raises NotForNow for a blank name, or for a name that occurs twice."""
    counts = Counter(map(folded, names))
    if "" in counts:
        raise NotForNow("a name is blank")
    twice = next((name for name in names if counts[folded(name)] > 1), None)
    if twice is not None:
        raise NotForNow(f"{twice!r} is there twice: add a letter to one, such as {twice + ' L.'!r}")


def pairs(names: Sequence[str]) -> list[Round]:
    """A round robin: everybody plays everybody once, and begins in half of the games.

    It uses the circle method: one person stays, the others move on by one seat after each round.  If the number is odd,
    one person sits out each round.  Raises NotForNow for fewer than 2 people, more than 16, or a name twice.
    """
    check_names(names)
    if not 2 <= len(names) <= MOST:
        raise NotForNow(f"a round robin is for 2 to {MOST} people, not {len(names)}")
    circle: list[str | None] = [*names] if len(names) % 2 == 0 else [None, *names]
    rounds = []
    for number in range(len(circle) - 1):
        tables, out = list[tuple[str, ...]](), list[str]()
        for place in range(len(circle) // 2):
            one, other = circle[place], circle[-1 - place]
            if one is None or other is None:
                out += [name for name in (one, other) if name is not None]
            else:
                # The one who stays begins in every other round; at the other tables the sides of the circle alternate.
                swapped = number % 2 if not place else place % 2
                tables.append((other, one) if swapped else (one, other))
        rounds.append(Round(tuple(tables), tuple(out)))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds


def threes(names: Sequence[str]) -> list[Round]:
    """Tables of three for 6, 9, 12 or 15 people: everybody plays in every round and meets everybody.

    Nine and fifteen people meet exactly once (Kirkman's schoolgirls).  For six and twelve that is impossible: six meet
    one to three times, twelve once or twice.  Raises NotForNow for another number of people, or a name twice.
    """
    check_names(names)
    if len(names) not in THREES:
        raise NotForNow(f"tables of three are for {listed_or(map(str, sorted(THREES)))} people, not {len(names)}")
    began = Counter[str]()
    rounds = []
    for groups in THREES[len(names)]:
        tables = []
        for letters in groups.split():
            group = [names[ord(letter) - ord("a")] for letter in letters]
            # The person who has begun least often begins; the others keep their order.
            first = min(range(3), key=lambda place: (began[group[place]], place))
            began[group[first]] += 1
            tables.append((*group[first:], *group[:first]))
        rounds.append(Round(tuple(tables)))
    return rounds


THREES = {
    6: ("abc def", "abd cef", "abe cdf", "acd bef", "acf bde"),
    9: ("abc def ghi", "adg beh cfi", "aei bfg cdh", "afh bdi ceg"),
    12: (
        "acf bdg ehi jkl",
        "adh bfk cgl eij",
        "aek bdi cgh fjl",
        "adj bce fhl gik",
        "afi bgj chk del",
        "abl cdj efg hik",
        "aeg bhj cil dfk",
    ),
    15: (
        "abc dhl ejo fkm gin",
        "ade bhj cmn fio gkl",
        "afg bik clo djn ehm",
        "ahi bln cef dko gjm",
        "ajk bmo cdg eil fhn",
        "alm bdf cij ekn gho",
        "ano beg chk dim fjl",
    ),
}
"""For each number of people the rounds: who sits together, by letters in the order of their names."""
