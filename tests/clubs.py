"""Made-up results of a club, for tests of what is computed from them."""

from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any, NamedTuple

from ledger.club.load import LooseResults
from ledger.club.people import Club, People
from ledger.stores.beside import Alias
from ledger.stores.query import CauseRow

Scores = dict[str, int]


class Mistake(NamedTuple):
    """How often a player broke a clause in a record."""

    record: str
    clause: str
    player: str | None
    times: int


def played(record: str, scores: Scores, game: str = "zigzag", **more: Any) -> list[tuple[Any, ...]]:
    """The results of a finished game by name, as a ledger has them; the most points win, or with `low` the fewest."""
    best, finished = (min if more.get("low") else max)(scores.values()), bool(more.get("finished", True))
    numbers = more.get("mistakes", 0), more.get("moves", 20), more.get("hands", 0)
    return [
        (
            record, game, None, more.get("event"), None, more.get("day"), seat, f"p{seat + 1}", name or f"p{seat + 1}",
            int(bool(name)), len(scores), int(more.get("card", False)), score, int(finished and score == best),
            1 + sum((other < score) if more.get("low") else (other > score) for other in scores.values())
            if finished else None, int(finished), *numbers, more.get("teams", {}).get(name), more.get("set"),
        )
        for seat, (name, score) in enumerate(scores.items())
    ]  # fmt: skip


def club_with(*games: list[tuple[Any, ...]], aliases: Iterable[Alias] = (), mistakes: Iterable[Mistake] = ()) -> Club:
    """A club with these games, in which "gale" is cooperative."""
    of = [*mistakes]

    def causes(record: str) -> Iterator[CauseRow]:
        for mistake in of:
            if mistake.record == record:
                yield from repeat(CauseRow(1, mistake.clause, mistake.player, "[]"), mistake.times)

    tables = LooseResults((game, causes(game[0][0])) for game in games)
    return Club(tables, People(tables, aliases), frozenset({"gale"}))
