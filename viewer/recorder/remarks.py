"""A finding as the recorder's page says it."""

from __future__ import annotations

from msgspec import Struct

from ledger.audit.review import Review
from ledger.rules.game import Judged


class Remark(Struct, frozen=True):
    """A finding about an event, with the meaning of its clause; `message` uses names."""

    seq: int
    verdict: str
    clause: str
    meaning: str
    message: str


def remark(review: Review, finding: Judged) -> Remark:
    """A finding with names and the meaning of its clause."""
    meaning, message = review.meaning(finding.clause), review.message(finding)
    return Remark(finding.seq, finding.verdict, finding.clause, meaning, message)
