"""Made-up results of a club, for tests of what is computed from them."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.club.people import Club
from ledger.stores.alias_book import Alias
from ledger.stores.results import Mistake, Result

Scores = dict[str, int]


def played(record: str, scores: Scores, game: str = "zigzag", **more: object) -> list[Result]:
    """The results of a finished game by name; the greatest score wins."""
    best = max(scores.values())
    return [
        Result(
            record=record,
            game=game,
            edition=None,
            event=more.get("event"),  # type: ignore[arg-type]
            place=None,
            played=more.get("day"),  # type: ignore[arg-type]
            seat=seat,
            player=f"p{seat + 1}",
            name=name or f"p{seat + 1}",
            named=bool(name),
            players=len(scores),
            score=score,
            won=bool(more.get("finished", True)) and score == best,
            rank=1 + sum(other > score for other in scores.values()) if more.get("finished", True) else None,
            finished=bool(more.get("finished", True)),
            mistakes=int(more.get("mistakes", 0)),  # type: ignore[call-overload]
            moves=int(more.get("moves", 20)),  # type: ignore[call-overload]
            hands=int(more.get("hands", 0)),  # type: ignore[call-overload]
        )
        for seat, (name, score) in enumerate(scores.items())
    ]


def club_with(*games: Iterable[Result], aliases: Iterable[Alias] = (), mistakes: Iterable[Mistake] = ()) -> Club:
    """A club with these games, in which "gale" is cooperative."""
    return Club([tuple(game) for game in games], aliases, {"gale"}, mistakes)
