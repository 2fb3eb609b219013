"""Tries corrections of a record without auditing all of it again.

A trial goes on from the state before the event that it changes, and ends at the first finding that it would add.  What
it lets pass is judged as a whole, with the evidence about hands; the audit of the corrected record has the last word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from ledger.audit.auditor import record_findings, ruling_names
from ledger.audit.equal_names import reread
from ledger.audit.judge import Judgement, judge
from ledger.audit.replay import steps
from ledger.audit.review import Review
from ledger.audit.slip.causes import Amendment, Insertion, Proposed
from ledger.record.events import ACTS, Event
from ledger.record.lazy import lazy
from ledger.record.record import Effective, Entry, by_type
from ledger.rules.game import GRAVE, Finding, Step

_ACTS = frozenset(ACTS)

Key = tuple[int, str, str | None]
"""What makes two findings the same in two audits: seq, clause and player."""


def key_of(finding: Finding) -> Key:
    """The key of a finding."""
    return finding.seq, finding.clause, finding.player


def _about(correction: Proposed) -> int:
    return correction.before if isinstance(correction, Insertion) else correction.seq


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

    def _holdings(self, judged: Sequence[Step]) -> Any:
        return self.game.holdings(judged) if self.game.holdings else {}

    def corrected(self, corrections: Sequence[Proposed]) -> tuple[int, list[Entry]]:
        """The first place that corrections change, and all entries then.

        One correction, or amendments alone, such as the two of a swap.
        """
        entries, places = list(self.entries), [self.place_of(correction) for correction in corrections]
        for correction, place in zip(corrections, places, strict=True):
            if isinstance(correction, Amendment):
                entries[place] = Entry(correction.seq, correction.event)
            elif isinstance(correction, Insertion):
                entries.insert(place, Entry(len(self.review.record.events), correction.event))
            else:
                del entries[place]
        return min(places), entries

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
        """The acts after these corrections, which tell one corrected game from another."""
        _first, entries = self.corrected(corrections)
        return tuple(replace(entry.event, when=None, by=None) for entry in entries if type(entry.event) in _ACTS)

    def first_wrong(self, corrections: Sequence[Proposed], given_up: Collection[Key] = ()) -> Key | None:
        """The first breach or impossible finding after these corrections that needs no evidence about hands, or None.

        It looks only from the first place that they change, and passes over the findings `given_up`.
        """
        first, entries = self.corrected(corrections)
        judgement = self._judged[first].going_on()
        findings = judgement.findings

        def until_wrong() -> Iterator[Step]:
            for step in self._replayed(first, entries):
                if any(key not in given_up for key in self._certain(findings)):
                    return
                yield step

        judge(self.game, until_wrong(), {}, judgement.touched, judgement)
        return next((key for key in self._certain(findings) if key not in given_up), None)

    def _replayed(self, first: int, entries: Sequence[Entry]) -> Iterator[Step]:
        """The steps of the corrected record from the first place that is changed."""
        return steps(self.game, self.review.opening, entries[first:], self.steps[first].before)

    @lazy
    def _judged(self) -> list[Judgement]:
        """What was judged before each step."""
        judgement, before = Judgement(self.game, (), set(self._rulings)), list[Judgement]()
        for step in self.steps:
            before.append(judgement.going_on())
            judge(self.game, [step], self.evidence, judgement.touched, judgement)
        return before

    def _certain(self, findings: Iterable[Finding]) -> Iterator[Key]:
        """The breaches and impossible findings that evidence about hands could not excuse."""
        for finding in findings:
            if finding.verdict in GRAVE:
                evidence = self.evidence.get(finding.seq, _NONE)
                if type(evidence) is not tuple and (evidence is _NONE or finding.clause not in self._proved):
                    yield key_of(finding)

    def left(self, corrections: Sequence[Proposed], *, partly: bool = False) -> frozenset[Key] | None:
        """The breaches and impossible findings that remain after the corrections; None if the corrections add one.

        Names in doubt are believed unless something may be left (`partly`).
        """
        first, entries = self.corrected(corrections)
        judged = [*self.steps[:first], *self._replayed(first, entries)]
        judgement = judge(self.game, judged, self._holdings(judged), set(self._rulings))
        if not partly and any(key_of(finding) not in self.wrong for finding in self._grave(judgement.findings)):
            return None
        events, seqs = tuple([step.event for step in judged]), [step.seq for step in judged]
        played = Effective(events, seqs, by_type(events), (), self.review.effective.slips)
        if partly:
            judgement = reread(self.game, self.review.opening, played, judgement)
        of_record = record_findings(self.game, played, judged)
        keys = frozenset(map(key_of, self._grave((*judgement.findings, *of_record))))
        return keys if keys <= self.wrong.keys() else None

    def _grave(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        return (finding for finding in findings if finding.verdict in GRAVE)


_NONE = object()
