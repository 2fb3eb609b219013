"""What is derived from the audit of a record: how each player did, and a row for each finding and each mistake."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from ledger.rules.game import GRAVE, Finding, Standing
from ledger.stores.query import Row, Summary
from ledger.stores.tables import COLUMNS

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
UNJUDGED = (None,) * len(JUDGED)
MOST = 1 << 63
"""A number that is too large for every database."""


def plain(text: str) -> str:
    """A text without NUL, which not every database can store."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def result_rows(row: Row, named_ids: Collection[str], audit: Summary | None) -> list[tuple[Any, ...]]:
    """The rows of a record in the table `result`, without its opening; `named_ids` are the players who have a name."""
    judged = judged_rows([player for player, _name in row.players], audit)
    game = (row.id, row.game, row.edition, row.event, row.place, row.played)
    return [
        (*game, seat, plain(player), plain(name), int(player in named_ids), len(row.players), int(row.card), *values)
        for seat, ((player, name), values) in enumerate(zip(row.players, judged, strict=True))
    ]


def judged_rows(players: Sequence[str], audit: Summary | None) -> list[tuple[int | None, ...]]:
    """What the table `result` has of each of these players in the columns `JUDGED`."""
    if audit is None or len(audit.scores) != len(players) or any(abs(score) >= MOST for score in audit.scores):
        return [UNJUDGED] * len(players)
    winners = set(map(plain, audit.winners))
    won = tuple(seat for seat, player in enumerate(players) if plain(player) in winners)
    places = Standing(audit.finished, audit.scores, won).places
    return [
        (
            score,
            int(seat in won),
            place if audit.finished else None,
            int(audit.finished),
            audit.mistakes,
            audit.moves,
            audit.hands,
        )
        for seat, (score, place) in enumerate(zip(audit.scores, places, strict=True))
    ]


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
