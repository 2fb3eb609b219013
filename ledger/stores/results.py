"""What is derived from the audit of a record: how each player did, and a row for each finding."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from ledger.game import Finding
from ledger.stores.query import Row, Summary


class Result(Struct, frozen=True, gc=False):
    """How one player did in one game, by the rules.

    `event`, `place` and `played` are the occasion, where and on which day it was played; `players` is their number.
    `player` is the id within the record, `name` what people read: the id again if the player is not `named`.  Without
    an up-to-date audit, or with one that could not read the record, `score` is None and the fields after it mean
    nothing.  `rank` is set when the game is finished: 1 for the winners, then by score; ties share it.  `mistakes`,
    `moves` and `hands` are those of the whole game.
    """

    record: str
    game: str
    edition: str | None
    event: str | None
    place: str | None
    played: str | None
    seat: int
    player: str
    name: str
    named: bool
    players: int
    score: int | None = None
    won: bool = False
    rank: int | None = None
    finished: bool = False
    mistakes: int = 0
    moves: int = 0
    hands: int = 0


NO_MEANINGS: Mapping[str, str] = MappingProxyType({})


class Audit(NamedTuple):
    """The audit of a record at a version: its summary, its findings, and by clause what the clause says."""

    record: str
    version: int
    summary: Summary
    findings: Sequence[Finding] = ()
    meanings: Mapping[str, str] = NO_MEANINGS


FIELDS = Result.__struct_fields__
FIXED = FIELDS[: FIELDS.index("score")]
"""The columns that come from the events alone."""
JUDGED = FIELDS[FIELDS.index("score") :]
"""The columns that come from an audit, and are NULL without one."""
OF_SEAT = ("seat", "player", "name", "named", "score", "won", "rank")
"""What a result says of its player."""
OF_GAME = tuple(field for field in FIELDS if field not in OF_SEAT)
"""What it says of the game: the same in all results of the game."""
UNJUDGED = (None,) * len(JUDGED)
MOST = 1 << 63
"""A number that is too large for every database."""


class Mistake(NamedTuple):
    """How often a player broke a clause in a record; `player` is the id there, or None if it is no one player's."""

    record: str
    game: str
    clause: str
    player: str | None
    times: int


def plain(text: str) -> str:
    """A text without NUL, which not every database can store."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def results_of(row: Row, named_ids: Collection[str]) -> list[Result]:
    """The results of a record, by seat; `named_ids` are the ids of the players who have a name."""
    judged = judged_rows([player for player, _name in row.players], row.audit)
    rows = [
        dict(zip(FIELDS, (*fixed, *values), strict=True))
        for fixed, values in zip(fixed_rows(row, named_ids), judged, strict=True)
    ]
    games = [(0, *(result[field] for field in OF_GAME)) for result in rows[:1]]
    return list(read_results(games, [(0, *(result[field] for field in OF_SEAT)) for result in rows]))


def fixed_rows(row: Row, named_ids: Collection[str]) -> list[tuple[Any, ...]]:
    """What the table `result` has of each player in the columns `FIXED`."""
    game = (row.id, row.game, row.edition, row.event, row.place, row.played)
    return [
        (*game, seat, plain(player), plain(name), int(player in named_ids), len(row.players))
        for seat, (player, name) in enumerate(row.players)
    ]


def judged_rows(players: Sequence[str], audit: Summary | None) -> list[tuple[int | None, ...]]:
    """What the table `result` has of each of these players in the columns `JUDGED`."""
    if audit is None or len(audit.scores) != len(players) or any(abs(score) >= MOST for score in audit.scores):
        return [UNJUDGED] * len(players)
    winners = set(map(plain, audit.winners))
    order = [(plain(player) in winners, score) for player, score in zip(players, audit.scores, strict=True)]
    return [
        (
            score,
            int(won),
            1 + sum(other > (won, score) for other in order) if audit.finished else None,
            int(audit.finished),
            audit.mistakes,
            audit.moves,
            audit.hands,
        )
        for won, score in order
    ]


def read_results(games: Iterable[Sequence[Any]], seats: Iterable[Sequence[Any]]) -> Iterator[Result]:
    """The results in rows of the table, in the order of `seats`.

    The rows of `games` have the columns `OF_GAME`, those of `seats` the columns `OF_SEAT`, each after the opening.
    """
    shared = {row[0]: row for row in games}
    for opened, seat, player, name, named, score, won, rank in seats:
        if opened in shared:  # a damaged file may lack the row
            _opened, record, game, edition, event, place, played, *judged = shared[opened]
            players, finished, mistakes, moves, hands = judged
            yield Result(
                record, game, edition, event, place, played, seat, player, name, named == 1, players,
                score, won == 1, rank, finished == 1, mistakes or 0, moves or 0, hands or 0,
            )  # fmt: skip


def in_order(results: Iterable[Result]) -> list[Result]:
    """Results by opening and seat, in the order of the day they were played; those without a day come first."""
    dated, undated = list[Result](), list[Result]()
    for result in results:
        (undated if result.played is None else dated).append(result)
    return [*undated, *sorted(dated, key=attrgetter("played"))]


def finding_rows(audit: Audit) -> list[tuple[Any, ...]]:
    """What the table `finding` has of each finding of an audit: see `audits.FINDING`."""
    return [
        (
            finding.seq,
            finding.clause,
            plain(audit.meanings.get(finding.clause, "")),
            finding.verdict,
            None if finding.player is None else plain(finding.player),
            plain(finding.message),
            _as_json(finding.expected),
            _as_json(finding.claimed),
        )
        for finding in audit.findings
    ]


def _as_json(value: object) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()
