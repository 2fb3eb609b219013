"""The records that a page keeps beside the rules on a phone, and what it asks about them."""

from time import perf_counter
from typing import Annotated, Any

from msgspec import Meta

from ledger.audit.report_in_a_sentence import summary
from ledger.audit.review import Review
from ledger.audit.slip.causes import Cause
from ledger.audit.slip.slip_search import Pieces, in_pieces
from ledger.record.codec import check, check_longer
from ledger.record.errors import NotForNow
from ledger.record.events import AnyEvent
from ledger.record.record import Record
from ledger.record.words import plural
from ledger.rules.game import GRAVE
from viewer.phone.recorder_answers import Asked, question_about
from viewer.phone.recorder_parts import html
from viewer.phone.recorder_view import RecorderView, ViewQuery, recorder_view, remark
from viewer.replay.mistakes_explained import explained

PIECE = 0.02
"""Seconds until the search pauses, so that a tap never waits for it."""


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


def explanation(search: Searching) -> dict[str, Any]:
    """What explains the findings of a record, after one more piece of time.  Unless it is `done`, ask again to go on.

    Then `summary` says it in one sentence, and `mistakes` has them as HTML, each with the corrections that would clear
    it; it is empty if there is no correction.
    """
    causes = search.go_on()
    if causes is None:
        return {"done": False, "mistakes": "", "summary": ""}
    review = Review(search.review.record, search.review.name)
    review.explain(causes)
    found = [
        (mistake, [remark(review, finding) for finding in mistake.findings if finding.verdict in GRAVE])
        for mistake in explained(review)
    ]
    shown = html("mistakes", found) if any(mistake.proposals or mistake.alike for mistake, _remarks in found) else ""
    return {"done": True, "mistakes": shown, "summary": summary(review, calm=True)}


class PhoneQuestion(ViewQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A question about a game on this phone: `events` follow the first `version` events, which the rules have already.

    `more` come after these, and are not recorded: nothing is kept of them.
    """

    id: str
    version: Annotated[int, Meta(ge=0)] = 0
    events: tuple[AnyEvent, ...] = ()
    more: tuple[AnyEvent, ...] = ()


class PhoneRecords:
    """The records that a page keeps beside the rules, so that no question has to bring its record along."""

    def __init__(self) -> None:
        self._records: dict[str, Record] = {}
        self._reviews: dict[str, Review] = {}
        """The last review of each record; the next one goes on from there."""
        self._search: Searching | None = None
        """The search that was begun last: a newer one takes its place."""

    def screen(self, question: PhoneQuestion) -> RecorderView:
        """See `recorder_view`.  Raises NotARecord, UnknownGame, NotForNow if the rules have fewer events."""
        record = self._kept(question)
        if question.more:
            record = check_longer(record, question.more)
        return recorder_view(self._review(question.id, record), question)

    def check(self, question: PhoneQuestion) -> Asked:
        """What is asked before the last of `more` is recorded: see `question_about`."""
        return Asked(question_about(question.id, self._kept(question), question.more))

    def explain(self, question: PhoneQuestion) -> dict[str, Any]:
        """Searches for a moment for what explains the findings.  To go on, ask again."""
        record = self._kept(question)
        if self._search is None or self._search.review.record.events != record.events:
            self._search = Searching(self._review(question.id, record))
        return explanation(self._search)

    def _kept(self, question: PhoneQuestion) -> Record:
        """The record as the phone has it now, which is kept."""
        record, count = self._records.get(question.id), question.version
        if count and (record is None or len(record.events) < count):
            raise NotForNow(f"the rules do not have {plural(count, 'event')} of {question.id}")
        if not count or record is None:
            record = check(question.events)
        elif question.events or len(record.events) > count:
            record = check_longer(Record(record.events[:count]), question.events)
        self._records[question.id] = record
        return record

    def _review(self, record_id: str, record: Record) -> Review:
        """The review of a record.  Raises UnknownGame, or NotARecord for an opening that the game cannot read."""
        last = self._reviews.get(record_id)
        review = last.longer(record) if last and last.begins(record) else Review(record, record_id)
        self._reviews[record_id] = review
        return review
