"""Made-up results of a club, for tests of what is computed from them."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.club.people import Club
from ledger.stores.beside import Alias
from ledger.stores.results import GameResults, Mistake, Result

Scores = dict[str, int]


def played(record: str, scores: Scores, game: str = "zigzag", **more: object) -> GameResults:
    """The results of a finished game by name; the greatest score wins."""
    best, finished = max(scores.values()), bool(more.get("finished", True))
    return GameResults(
        record=record,
        game=game,
        edition=None,
        event=more.get("event"),  # type: ignore[arg-type]
        place=None,
        played=more.get("day"),  # type: ignore[arg-type]
        players=len(scores),
        card=bool(more.get("card", False)),
        finished=finished,
        mistakes=int(more.get("mistakes", 0)),  # type: ignore[call-overload]
        moves=int(more.get("moves", 20)),  # type: ignore[call-overload]
        hands=int(more.get("hands", 0)),  # type: ignore[call-overload]
        results=tuple(
            Result(
                player=f"p{seat}",
                name=name or f"p{seat}",
                named=bool(name),
                score=score,
                won=finished and score == best,
                rank=1 + sum(other > score for other in scores.values()) if finished else None,
            )
            for seat, (name, score) in enumerate(scores.items(), 1)
        ),
    )


def club_with(*games: GameResults, aliases: Iterable[Alias] = (), mistakes: Iterable[Mistake] = ()) -> Club:
    """A club with these games, in which "gale" is cooperative."""
    return Club(games, aliases, {"gale"}, mistakes)
