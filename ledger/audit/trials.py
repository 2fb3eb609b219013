"""Tries corrections of a record without auditing all of it again.

A trial goes on from the state before the event that it changes, and ends at the first finding that it would add.  What
it lets pass is judged as a whole, with the evidence about hands; the audit of the corrected record has the last word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import copy
from itertools import chain, islice
from typing import Any, NamedTuple

from msgspec.structs import replace

from ledger.audit.auditor import record_findings, ruling_names
from ledger.audit.judge import Judgement, judge
from ledger.audit.judge.doubts import Reading, reread
from ledger.audit.repairs import Amendment, Insertion, Proposed
from ledger.audit.replay import steps
from ledger.audit.review import Review
from ledger.record.events import ACTS, Event
from ledger.record.record import Effective, Entry, by_type
from ledger.rules.game import GRAVE, Finding, Judged, Step

_ACTS = frozenset(ACTS)

Key = tuple[int, str, str | None]
"""What makes two findings the same in two audits: seq, clause and player."""


def key_of(finding: Finding) -> Key:
    """The key of a finding."""
    return finding.seq, finding.clause, finding.player


def _about(correction: Proposed) -> int:
    return correction.before if isinstance(correction, Insertion) else correction.seq


class Memory(NamedTuple):
    """What judging remembers before an event: differences in points that were reported, and claims that were wrong.

    `known` is the number of findings so far.
    """

    differences: dict[Any, Any]
    lasting: dict[Any, Any]
    wrong_claims: set[Any]
    known: int


class Trials:
    """Tries corrections of one record.

    `entries` are its events after corrections and `steps` their states; `wrong` are the keys of its breaches and
    impossible findings, with the place of each.
    """

    def __init__(self, review: Review) -> None:
        self.review, self.game = review, review.game
        self.entries: Sequence[Entry] = review.effective.entries
        self.steps: Sequence[Step] = review.steps
        self.places = {entry.seq: place for place, entry in enumerate(self.entries)}
        grave = [finding for finding in review.report.findings if finding.verdict in GRAVE]
        self.wrong: dict[Key, int] = {key_of(finding): self.places.get(finding.seq, 0) for finding in grave}
        self.evidence = self._holdings(self.steps)
        self._rulings = frozenset(ruling_names(self.game))
        self._proved = {clause.id for clause in self.game.clauses if clause.proved and not clause.needs_evidence}
        self._memories, self._findings = self._remember()

    def _holdings(self, judged: Sequence[Step]) -> Any:
        return dict(self.game.holdings(judged)) if self.game.holdings else {}

    def _remember(self) -> tuple[list[Memory], list[Judged]]:
        """What judging remembers before each event, and all that it finds.  Neighbours share what did not change."""
        judgement, memories = Judgement(self.game, self.steps, set(self._rulings)), list[Memory]()

        def watched() -> Iterator[Step]:
            for step in self.steps:
                now = judgement.differences, judgement.lasting, judgement.wrong_claims
                if not memories or now != memories[-1][:3]:
                    now = copy(now[0]), copy(now[1]), copy(now[2])
                    memories.append(Memory(*now, len(judgement.findings)))
                else:
                    memories.append(memories[-1]._replace(known=len(judgement.findings)))
                yield step

        judge(self.game, watched(), self.evidence, set(self._rulings), judgement)
        return memories, judgement.findings

    def corrected(self, corrections: Sequence[Proposed]) -> tuple[int, Iterator[Entry]]:
        """The first place that corrections change, and the entries from there on.

        One correction, or amendments alone, such as the two of a swap.
        """
        first = min(self.place_of(correction) for correction in corrections)
        amended = {correction.seq: correction.event for correction in corrections if type(correction) is Amendment}
        if amended:
            last = max(map(self.places.__getitem__, amended))
            changed = (
                Entry(entry.seq, amended[entry.seq]) if entry.seq in amended else entry
                for entry in self.entries[first : last + 1]
            )
            return first, chain(changed, islice(self.entries, last + 1, None))
        (correction,) = corrections
        if isinstance(correction, Insertion):
            inserted = Entry(len(self.review.record.events), correction.event)
            return first, chain((inserted,), islice(self.entries, first, None))
        return first, islice(self.entries, first + 1, None)

    def can_try(self, corrections: Sequence[Proposed]) -> bool:
        """Whether these corrections can be tried on this record: a single correction, or only amendments, of events
        that it has.
        """
        alone = len(corrections) == 1 or all(type(correction) is Amendment for correction in corrections)
        return bool(corrections) and alone and all(_about(correction) in self.places for correction in corrections)

    def place_of(self, correction: Proposed) -> int:
        """The place that a correction changes."""
        return self.places[_about(correction)]

    def acts_after(self, corrections: Sequence[Proposed]) -> tuple[Event, ...]:
        """The acts from the first place that corrections change, which tell one corrected game from another."""
        first, entries = self.corrected(corrections)
        everything = chain(islice(self.entries, first), entries)
        return tuple(replace(entry.event, when=None, by=None) for entry in everything if type(entry.event) in _ACTS)

    def first_wrong(self, corrections: Sequence[Proposed], given_up: Collection[Key] = ()) -> Key | None:
        """The first breach or impossible finding after these corrections that needs no evidence about hands, or None.

        It looks only from the first place that they change, and passes over the findings `given_up`.
        """
        first, entries = self.corrected(corrections)
        judgement = self._judgement_before(first, ())
        ahead = steps(self.game, self.review.opening, entries, self.steps[first].before)
        judge(self.game, self._until_wrong(judgement, ahead, given_up), {}, judgement.touched, judgement)
        return next((key for key in map(key_of, self._certain(judgement.findings)) if key not in given_up), None)

    def _judgement_before(self, place: int, judged: Sequence[Step]) -> Judgement:
        judgement, memory = Judgement(self.game, judged, set(self._rulings)), self._memories[place]
        judgement.differences, judgement.lasting = copy(memory.differences), copy(memory.lasting)
        judgement.wrong_claims = copy(memory.wrong_claims)
        return judgement

    def _until_wrong(self, judgement: Judgement, ahead: Iterable[Step], given_up: Collection[Key]) -> Iterator[Step]:
        """These steps up to the first one with a breach or something impossible, while they are being judged."""
        known, findings = 0, judgement.findings
        for step in ahead:
            if len(findings) > known:
                if any(key_of(finding) not in given_up for finding in self._certain(findings[known:])):
                    return
                known = len(findings)
            yield step

    def _certain(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """The breaches and impossible findings that evidence about hands could not excuse."""
        for finding in findings:
            if finding.verdict in GRAVE:
                evidence = self.evidence.get(finding.seq, _NONE)
                if type(evidence) is not tuple and (evidence is _NONE or finding.clause not in self._proved):
                    yield finding

    def left(self, corrections: Sequence[Proposed], *, partly: bool = False) -> frozenset[Key] | None:
        """The breaches and impossible findings that remain after the corrections; None if the corrections add one.

        It judges the record with the evidence about hands, from the first event on that has other evidence or another
        state than before: what an event is judged by is the same up to there.  Names in doubt are believed unless
        something may be left (`partly`).
        """
        first, entries = self.corrected(corrections)
        judged = [*self.steps[:first], *steps(self.game, self.review.opening, entries, self.steps[first].before)]
        evidence = self._holdings(judged)
        begin = self._first_change(first, evidence)
        judgement = self._judgement_before(begin, judged)
        findings = judgement.findings = self._findings[: self._memories[begin].known]

        def while_known() -> Iterator[Step]:
            for step in islice(judged, begin, None):
                if not partly and any(key_of(finding) not in self.wrong for finding in self._grave(findings)):
                    return
                yield step

        judge(self.game, while_known(), evidence, judgement.touched, judgement)
        events = tuple([step.event for step in judged])
        seqs = [step.seq for step in judged]
        played = Effective(events, seqs, by_type(events), (), self.review.effective.slips)
        if partly:
            plain = Reading(judgement, judged[-1].after)
            findings = reread(self.game, self.review.opening, played, plain).judgement.findings
        of_record = record_findings(self.game, played, judged)
        keys = frozenset(map(key_of, self._grave((*findings, *of_record))))
        return keys if keys <= self.wrong.keys() else None

    def _first_change(self, first: int, evidence: Any) -> int:
        """The first place up to this one whose evidence about hands is not what it was."""
        if not evidence and not self.evidence:
            return first
        before = (step.seq for step in islice(self.steps, first))
        changes = (
            place for place, seq in enumerate(before) if evidence.get(seq, _NONE) != self.evidence.get(seq, _NONE)
        )
        return next(changes, first)

    def _grave(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        return (finding for finding in findings if finding.verdict in GRAVE)


_NONE = object()
