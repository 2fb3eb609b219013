"""The records that a page keeps beside the rules on a phone, and what it asks about them.

One more event costs little, however long the record is: a view goes on from what was worked out for the last one.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ledger import catalog
from ledger.codec import check as whole
from ledger.errors import LedgerError, NotForNow
from ledger.events import AnyEvent
from ledger.fitting import Fitting
from ledger.record import Record
from viewer.recorder.questions import Draft, EventNumber, Judgement, Recorded, ViewQuery, drafted, judge, view
from viewer.recorder.view import Basis, RecorderView, basis_of


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
        self._bases: dict[str, Basis] = {}
        """What was worked out for the last view of each record; the next one goes on from there."""

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
        return view(self._basis(asked.id, self._read(asked.id)), asked)

    def check(self, asked: PhoneDraft) -> Judgement:
        """See `judge`."""
        return judge(asked.id, self._read(asked.id), asked)

    def draft(self, asked: PhoneDraft) -> RecorderView:
        """The view of the record with these events.  Raises NotARecord."""
        return view(self._basis(asked.id, drafted(self._read(asked.id), asked)), asked)

    def _keep(self, record_id: str, events: Sequence[AnyEvent]) -> Recorded:
        record = whole(events)
        basis = self._basis(record_id, record)
        self._records[record_id] = record
        return Recorded(len(record.events), basis.links[-1].hex())

    def _basis(self, record_id: str, record: Record) -> Basis:
        basis = self._bases[record_id] = basis_of(record_id, record, self._bases.get(record_id))
        return basis

    def _read(self, record_id: str) -> Record:
        if record_id not in self._records:
            raise NotForNow(f"the rules have no record {record_id} yet")
        return self._records[record_id]
