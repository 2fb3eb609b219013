"""What a recorder asks about a record, and the answers: from the ledger, and by the same code on the phone itself."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from ledger.play.forms import news
from ledger.record.codec import check_longer
from ledger.record.events import AnyEvent
from ledger.record.record import Record
from viewer.recorder.asking import Question, moves_entry, question
from viewer.recorder.remarks import Remark, remark
from viewer.recorder.view import Basis, RecorderView, recorder_view

EventNumber = Annotated[int, Meta(ge=1, le=1_000_000_000)]
Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$", max_length=16)]
NewEvents = Annotated[tuple[AnyEvent, ...], Meta(min_length=1, max_length=500)]


class ViewQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where to record: before the event of seq `before`, or after the last.

    `seen` is a version that the phone has seen: the answer contains the link at that version now.  `moves` is the
    `moves_digest` that it got there: the answer then contains only the moves that are new or different.  `findings` is
    the `findings_digest`: the answer then contains no findings if they are still the same.
    """

    before: EventNumber | None = None
    seen: EventNumber | None = None
    moves: Digest | None = None
    findings: Digest | None = None


class Draft(ViewQuery, frozen=True, forbid_unknown_fields=True):
    """Events that are not recorded yet: the last one is judged, the others are waiting."""

    events: NewEvents


class Judgement(Struct, frozen=True):
    """The findings that the last event would add, the verdict on the record with it, and what is asked first."""

    findings: tuple[Remark, ...]
    verdict: str
    question: Question | None


class Recorded(Struct, frozen=True):
    """The version of the record after these entries, and its link there."""

    version: int
    link: str


def view(basis: Basis, query: ViewQuery) -> RecorderView:
    """A record as its recorder sees it, with everything that can be entered next."""
    return recorder_view(basis, query.before, query.seen, query.moves, query.findings)


def judge(record_id: str, record: Record, draft: Draft) -> Judgement:
    """What the rules say about the last of these events, or about the last two if they move an entry.

    Raises NotARecord.
    """
    before, after, findings = news(record, draft.events, record_id, 2 if moves_entry(record, draft.events) else 1)
    remarks = tuple(remark(after, finding) for finding in findings)
    return Judgement(remarks, after.report.verdict, question(before, after, draft.events[-1], findings))


def with_draft(record: Record, draft: Draft) -> Record:
    """A record with these events.  Raises NotARecord."""
    return check_longer(record, draft.events)
