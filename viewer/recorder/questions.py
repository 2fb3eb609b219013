"""What a recorder asks about a record, and the answers: from the ledger, and by the same code on the phone itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from ledger import catalog, chain
from ledger.codec import check as whole
from ledger.errors import LedgerError, NotForNow
from ledger.events import AnyEvent
from ledger.fitting import Fitting
from ledger.forms import news
from ledger.record import Record
from viewer.recorder.view import RecorderView, Remark, recorder_view, remark

EventNumber = Annotated[int, Meta(ge=1, le=1_000_000_000)]
MovesDigest = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$", max_length=16)]
NewEvents = Annotated[tuple[AnyEvent, ...], Meta(min_length=1, max_length=500)]


class ViewQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Where to record: before the event of seq `before`, or after the last.

    `seen` is a version that the phone has seen: the answer contains the link at that version now.  `moves` is the
    `moves_digest` that it got there: the answer then contains only the moves that are new or different.
    """

    before: EventNumber | None = None
    seen: EventNumber | None = None
    moves: MovesDigest | None = None


class Draft(Struct, frozen=True, forbid_unknown_fields=True):
    """Events that are not recorded yet: the last one is the question, the others are waiting.

    `before`, `seen` and `moves` are as in `ViewQuery`.
    """

    events: NewEvents
    before: EventNumber | None = None
    seen: EventNumber | None = None
    moves: MovesDigest | None = None


class Judgement(Struct, frozen=True):
    """The findings that the last event would add, and the verdict on the record with it."""

    findings: tuple[Remark, ...]
    verdict: str


class Recorded(Struct, frozen=True):
    """The version of the record after these entries, and its link there."""

    version: int
    link: str


def view(record_id: str, record: Record, asked: ViewQuery) -> RecorderView:
    """A record as its recorder sees it, with everything that can be entered next."""
    return recorder_view(record_id, record, asked.before, asked.seen, asked.moves)


def judge(record_id: str, record: Record, asked: Draft) -> Judgement:
    """What the rules say about the last of these events.  Raises NotARecord."""
    review, findings = news(record, asked.events, record_id)
    return Judgement(tuple(remark(review, finding) for finding in findings), review.report.verdict)


def draft_view(record_id: str, record: Record, asked: Draft) -> RecorderView:
    """The recorder's view of a record with these events.  Raises NotARecord."""
    return recorder_view(record_id, whole((*record.events, *asked.events)), asked.before, asked.seen, asked.moves)


# ── The records on a phone ─────────────────────────────────────────────────────────────────────────────────


class PhoneRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A record for the phone to keep: all its events."""

    id: str
    events: tuple[AnyEvent, ...]


class PhoneEvents(Struct, frozen=True, forbid_unknown_fields=True):
    """What the ledger has recorded since `version`."""

    id: str
    version: EventNumber
    events: tuple[AnyEvent, ...]


class Taken(Recorded, frozen=True):
    """What became of entries: how many were `done`, and why the next one was not; "" if all were."""

    done: int
    refused: str = ""


class PhoneView(ViewQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`ViewQuery` about one of the records on the phone."""

    id: str


class PhoneDraft(Draft, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`Draft` about one of the records on the phone."""

    id: str


class PhoneRecords:
    """The records that a page keeps beside the rules, so that no question has to bring its record along."""

    def __init__(self) -> None:
        self._records: dict[str, Record] = {}

    def open(self, asked: PhoneRecord) -> Recorded:
        """Keeps a record in place of an earlier one of that id.  Raises NotARecord."""
        return self._keep(asked.id, asked.events)

    def append(self, asked: PhoneEvents) -> Recorded:
        """Adds what was recorded since.  Raises NotARecord, and NotForNow if something is missing between."""
        known = self._read(asked.id).events
        if len(known) != asked.version:
            raise NotForNow(f"the record has {len(known)} events here, and these come after {asked.version}")
        return self._keep(asked.id, (*known, *asked.events))

    def take(self, asked: PhoneEvents) -> Taken:
        """Adds entries as a ledger does that records them: all, or those before the first that cannot be recorded.

        Raises NotForNow if something is missing between.
        """
        before = self._read(asked.id)
        fitting, refused, taken = Fitting(lambda: before, catalog.find), "", list[AnyEvent]()
        for event in asked.events:
            try:
                fitting.add(event)
                whole((*before.events, *taken, event))
            except LedgerError as error:
                refused = str(error)
                break
            taken.append(event)
        now = self.append(PhoneEvents(asked.id, asked.version, tuple(taken)))
        return Taken(now.version, now.link, len(taken), refused)

    def screen(self, asked: PhoneView) -> RecorderView:
        """See `view`."""
        return view(asked.id, self._read(asked.id), asked)

    def check(self, asked: PhoneDraft) -> Judgement:
        """See `judge`."""
        return judge(asked.id, self._read(asked.id), asked)

    def draft(self, asked: PhoneDraft) -> RecorderView:
        """See `draft_view`."""
        return draft_view(asked.id, self._read(asked.id), asked)

    def _keep(self, record_id: str, events: Sequence[AnyEvent]) -> Recorded:
        record = self._records[record_id] = whole(events)
        return Recorded(len(record.events), chain.links(map(chain.chained_bytes, record.events))[-1].hex())

    def _read(self, record_id: str) -> Record:
        if record_id not in self._records:
            raise NotForNow(f"the rules have no record {record_id} yet")
        return self._records[record_id]
