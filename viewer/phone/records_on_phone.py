"""The records that a page keeps beside the rules on a phone, and what it asks about them."""

from time import perf_counter

from msgspec import Struct

from ledger.audit.report_in_a_sentence import summary
from ledger.audit.review import Review
from ledger.audit.slip.causes import Cause
from ledger.audit.slip.slip_search import Pieces, in_pieces
from ledger.games import catalog
from ledger.keep.recorder import Fitting
from ledger.record import chain
from ledger.record.codec import check as checked_record
from ledger.record.codec import check_longer
from ledger.record.errors import LedgerError, NotForNow
from ledger.record.events import AnyEvent
from ledger.record.record import Record
from ledger.record.words import plural
from ledger.rules.game import GRAVE
from viewer.phone.recorder_answers import Draft, Judgement, Recorded, judge
from viewer.phone.recorder_parts import mistakes
from viewer.phone.recorder_view import EventNumber, RecorderView, ViewQuery, recorder_view, remark
from viewer.replay.mistakes_explained import explained

PIECE = 0.02
"""Seconds until the search pauses, so that a tap never waits for it."""


class Explanation(Struct, frozen=True):
    """What is known so far.  Unless it is `done`, ask again to go on; then `summary` says it in one sentence.

    `mistakes` has them as HTML, each with the corrections that would clear it; it is empty if there is no correction.
    """

    done: bool
    mistakes: str = ""
    summary: str = ""


class Searching:
    """The search for the causes of one record's findings, a piece at a time."""

    def __init__(self, review: Review) -> None:
        self.review = review
        self._pieces: Pieces[tuple[Cause, ...]] = in_pieces(review)
        self._causes: tuple[Cause, ...] | None = None

    def go_on(self) -> tuple[Cause, ...] | None:
        """Searches for one piece of time; returns the causes when the search is over."""
        end = perf_counter() + PIECE
        try:
            while perf_counter() < end:
                next(self._pieces)
        except StopIteration as over:
            if self._causes is None:
                self._causes = over.value
        return self._causes


def explanation(search: Searching) -> Explanation:
    """What explains the findings of a record on the recorder's page, after one more piece of time."""
    causes = search.go_on()
    if causes is None:
        return Explanation(done=False)
    review = Review(search.review.record, search.review.name)
    review.explain(causes)
    found = [
        (mistake, [remark(review, finding) for finding in mistake.findings if finding.verdict in GRAVE])
        for mistake in explained(review)
    ]
    shown = mistakes(found) if any(mistake.proposals or mistake.alike for mistake, _remarks in found) else ""
    return Explanation(done=True, mistakes=shown, summary=summary(review, calm=True))


class PhoneRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A record for the phone to keep: all its events.  Of a record that it keeps: the events that wait."""

    id: str
    events: tuple[AnyEvent, ...] = ()


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
        self._reviews: dict[str, Review] = {}
        """The last review of each record; the next one goes on from there."""
        self._search: Searching | None = None
        """The search that was begun last: a newer one takes its place."""

    def open(self, question: PhoneRecord) -> Recorded:
        """Keeps a record in place of an earlier one of that id.  Raises NotARecord."""
        return self._keep(question.id, checked_record(question.events))

    def append(self, question: PhoneEvents) -> Recorded:
        """Adds what was recorded since then.  Raises NotARecord, and NotForNow if something is missing between."""
        record = self._read(question.id)
        if (count := len(record.events)) != question.version:
            raise NotForNow(f"the record has {plural(count, 'event')} here, and these come after {question.version}")
        return self._keep(question.id, check_longer(record, question.events))

    def take_events(self, question: PhoneEvents) -> Taken:
        """Adds entries as a ledger would record them: all, or those before the first that cannot be recorded.

        Raises NotForNow if something is missing between.
        """
        before = self._read(question.id)
        fitting, refused, added = Fitting(lambda: before, catalog.find), "", list[AnyEvent]()
        for event in question.events:
            try:
                fitting.add(event)
                check_longer(before, (*added, event))
            except LedgerError as error:
                refused = str(error)
                break
            added.append(event)
        result = self.append(PhoneEvents(question.id, question.version, tuple(added)))
        return Taken(result.version, result.link, len(added), refused)

    def screen(self, question: PhoneView) -> RecorderView:
        """See `recorder_view`."""
        return recorder_view(self._review(question.id, self._read(question.id)), question)

    def check(self, question: PhoneDraft) -> Judgement:
        """See `judge`."""
        return judge(question.id, self._read(question.id), question)

    def draft(self, question: PhoneDraft) -> RecorderView:
        """The view of the record with these events.  Raises NotARecord."""
        return recorder_view(
            self._review(question.id, check_longer(self._read(question.id), question.events)), question
        )

    def explain(self, question: PhoneRecord) -> Explanation:
        """Searches for a moment for what explains the findings, with the events that wait.  To go on, ask again."""
        record = check_longer(self._read(question.id), question.events)
        if self._search is None or self._search.review.record.events != record.events:
            self._search = Searching(self._review(question.id, record))
        return explanation(self._search)

    def _keep(self, record_id: str, record: Record) -> Recorded:
        self._review(record_id, record)
        self._records[record_id] = record
        return Recorded(len(record.events), chain.links(map(chain.chained_bytes, record.events))[-1].hex())

    def _review(self, record_id: str, record: Record) -> Review:
        """The review of a record.  Raises UnknownGame, or NotARecord for an opening that the game cannot read."""
        last = self._reviews.get(record_id)
        review = last.longer(record) if last and last.begins(record) else Review(record, record_id)
        self._reviews[record_id] = review
        return review

    def _read(self, record_id: str) -> Record:
        if record_id not in self._records:
            raise NotForNow(f"the rules have no record {record_id} yet")
        return self._records[record_id]
