"""What is derived from the audit of a record: how each player did, and a row for each finding and each mistake."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from ledger.record.errors import LedgerError
from ledger.rules.game import GRAVE, Finding
from ledger.stores.query import Row, Summary
from ledger.stores.tables import COLUMNS


class Result(Struct, frozen=True, array_like=True, gc=False):
    """How one player did in one game, by the rules.

    `player` is the id within the record, `name` what people read: the id again if the player is not `named`.  Without
    an up-to-date audit, or with one that could not read the record, `score` and `rank` are None.  `rank` is set when
    the game is finished: 1 for the winners, then by score; ties share it.
    """

    player: str
    name: str
    named: bool
    score: int | None = None
    won: bool = False
    rank: int | None = None


class GameResults(Struct, frozen=True, array_like=True, gc=False):
    """What came of one game, by the rules: the results of its players by seat, and what they share.

    `event`, `place` and `played` are the occasion, where and on which day it was played; `players` is their number.
    `card`: only the scores are known, so they were not audited.
    Without an up-to-date audit, or with one that could not read the record, the game is not `finished` and the numbers
    are 0.
    """

    record: str
    game: str
    edition: str | None
    event: str | None
    place: str | None
    played: str | None
    players: int
    card: bool
    finished: bool
    mistakes: int
    moves: int
    hands: int
    results: tuple[Result, ...]


NO_MEANINGS: Mapping[str, str] = MappingProxyType({})


class CauseRow(NamedTuple):
    """A mistake, as the table `cause` has it: the move to correct, the clause broken first, and whose act it is.

    `findings` are the numbers of the findings that follow from it, and `repairs` the proposals, both as JSON.
    """

    move: int
    clause: str
    player: str | None
    findings: str
    repairs: str = "[]"


class Audit(NamedTuple):
    """The audit of a record at a version: its summary, its findings, and by clause what the clause says.

    Without `causes`, nobody has looked for them yet: every event with a breach or something impossible is a mistake.
    """

    record: str
    version: int
    summary: Summary
    findings: Sequence[Finding] = ()
    meanings: Mapping[str, str] = NO_MEANINGS
    causes: Sequence[CauseRow] | None = None

    @property
    def explained(self) -> bool:
        """Whether nothing is left to explain."""
        return self.causes is not None or not any(finding.verdict in GRAVE for finding in self.findings)


JUDGED = COLUMNS["result"][-7:]
"""The columns of the table `result` that come from an audit, and are NULL without one."""
# A group has its rows in the order of the primary key: by seat.
OF_SQLITE = (
    "SELECT json_array(record, game, edition, event, place, played, players, card IS 1, finished IS 1, "
    "coalesce(mistakes, 0), coalesce(moves, 0), coalesce(hands, 0), "
    "json_group_array(json_array(player, name, named IS 1, score, won IS 1, rank))) "
    "FROM result WHERE {} GROUP BY opened ORDER BY opened"
)
OF_POSTGRES = (
    "SELECT json_build_array(record, game, edition, event, place, played, players, card = 1, "
    "coalesce(finished = 1, false), coalesce(mistakes, 0), coalesce(moves, 0), coalesce(hands, 0), "
    "(SELECT json_agg(json_build_array(n.player, n.name, n.named = 1, n.score, coalesce(n.won = 1, false), n.rank) "
    "ORDER BY n.seat) FROM result n WHERE n.opened = result.opened))::text "
    "FROM result WHERE seat = 0 AND {} ORDER BY opened"
)
"""The query for the results of games, in SQLite and in PostgreSQL: see `Database.results_sql`."""
UNJUDGED = (None,) * len(JUDGED)
MOST = 1 << 63
"""A number that is too large for every database."""


class Mistake(NamedTuple):
    """How often a player broke a clause in a record; `player` is the id there, or None if it is no one player's.

    A slip counts once, under the clause that it broke first, whatever else follows from it.
    """

    record: str
    game: str
    clause: str
    player: str | None
    times: int


def plain(text: str) -> str:
    """A text without NUL, which not every database can store."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def results_of(row: Row, named_ids: Collection[str]) -> GameResults:
    """The results of a record; `named_ids` are the ids of the players who have a name."""
    fixed = fixed_rows(row, named_ids)
    judged = judged_rows([player for player, _name in row.players], row.audit)
    results = tuple(
        Result(player, name, named == 1, score, won == 1, rank)
        for (*_game, player, name, named, _players, _card), (score, won, rank, *_numbers) in zip(
            fixed, judged, strict=True
        )
    )
    finished, *numbers = judged[0][JUDGED.index("finished") :]
    mistakes, moves, hands = (number or 0 for number in numbers)
    game = (row.id, row.game, row.edition, row.event, row.place, row.played)
    return GameResults(*game, len(results), row.card, finished == 1, mistakes, moves, hands, results)


def fixed_rows(row: Row, named_ids: Collection[str]) -> list[tuple[Any, ...]]:
    """What the table `result` has of each player from its events: the columns up to those of `JUDGED`."""
    game = (row.id, row.game, row.edition, row.event, row.place, row.played)
    return [
        (*game, seat, plain(player), plain(name), int(player in named_ids), len(row.players), int(row.card))
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


_decoder = msgspec.json.Decoder(GameResults, strict=False)


def read_results(texts: Iterable[str]) -> list[GameResults]:
    """The results of games in JSON, as a database writes them.  Raises LedgerError for a text that is not.

    A damaged file may lack the row of a player: then the game is left out.
    """
    try:
        games = [_decoder.decode(text) for text in texts]
    except msgspec.DecodeError as error:
        raise LedgerError(f"results cannot be read: {error}; `domino-ledger repair` mends them") from error
    return [game for game in games if len(game.results) == game.players]


def in_order(games: Iterable[GameResults]) -> list[GameResults]:
    """Games by opening, in the order of the day they were played; those without a day come first."""
    dated, undated = list[GameResults](), list[GameResults]()
    for game in games:
        (undated if game.played is None else dated).append(game)
    return [*undated, *sorted(dated, key=attrgetter("played"))]


def finding_rows(audit: Audit) -> list[tuple[Any, ...]]:
    """What the table `finding` has of each finding of an audit: its last columns."""
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


def cause_rows(audit: Audit) -> list[CauseRow]:
    """What the table `cause` has of the mistakes in an audit."""
    if audit.causes is not None:
        return [cause._replace(player=None if cause.player is None else plain(cause.player)) for cause in audit.causes]
    numbers = dict[int, list[int]]()
    for number, finding in enumerate(audit.findings):
        if finding.verdict in GRAVE:
            numbers.setdefault(finding.seq, []).append(number)
    return [
        CauseRow(
            seq,
            audit.findings[same_event[0]].clause,
            None if (player := audit.findings[same_event[0]].player) is None else plain(player),
            msgspec.json.encode(same_event).decode(),
        )
        for seq, same_event in numbers.items()
    ]


def _as_json(value: object) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()
