"""Tries corrections of a record without auditing all of it again.

A trial goes on from the state before the first event that it changes, and ends at the first finding that it would add.
What it lets pass is judged as a whole, with the evidence about hands; the audit of the corrected record has the last
word.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from ledger.audit.auditor import record_findings, ruling_names
from ledger.audit.equal_names import MOST, ONCE, reread
from ledger.audit.judge import Judgement, judge
from ledger.audit.replay import steps
from ledger.audit.review import Review
from ledger.audit.slip.causes import Amendment, Insertion, Proposed, laid
from ledger.record.errors import NotARecord
from ledger.record.events import ACTS, Open
from ledger.record.lazy import lazy
from ledger.record.record import Effective, Entry, by_type
from ledger.rules.game import GRAVE, Finding, Opening, Step

EVENTS = 45_000
"""How many events a search for a record's causes audits by default: about half a second of a quiet processor."""

_ACTS = frozenset(ACTS)

Key = tuple[int, str, str | None]
"""What makes two findings the same in two audits: seq, clause and player."""


class Budget:
    """How long a search may go on: until it has audited so many `events`, or until `cancelled` says so.

    It counts events and not seconds, so that every machine finds the same, however busy it is.
    """

    def __init__(self, events: float = EVENTS, cancelled: Callable[[], bool] | None = None) -> None:
        self.left, self._cancelled = events, cancelled

    def spend(self, events: int) -> None:
        """Counts events that were audited."""
        self.left -= events

    def spent(self, kept: float = 0) -> bool:
        """Whether the search must stop now, so that so many events are `kept` for later."""
        if self._cancelled is not None and self._cancelled():
            self.left = 0
        return self.left <= kept


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

    def __init__(self, review: Review, budget: Budget | None = None) -> None:
        self.review, self.game, self.budget = review, review.game, budget or Budget(float("inf"))
        self.entries: Sequence[Entry] = review.effective.entries
        self.steps: Sequence[Step] = review.steps
        self.places = {entry.seq: place for place, entry in enumerate(self.entries)}
        grave = [finding for finding in review.report.findings if finding.verdict in GRAVE]
        self.wrong: dict[Key, int] = {key_of(finding): self.places.get(finding.seq, 0) for finding in grave}
        self.evidence = self._holdings(self.steps)
        self._rulings = frozenset(ruling_names(self.game))
        self.proved = {clause.id for clause in self.game.clauses if clause.proved}
        self._excused = {clause.id for clause in self.game.clauses if clause.proved and not clause.needs_evidence}

    def _holdings(self, judged: Sequence[Step]) -> Any:
        return self.game.holdings(judged) if self.game.holdings else {}

    def corrected(self, corrections: Sequence[Proposed]) -> tuple[int, list[Entry]]:
        """The first place that corrections change, and all entries then."""
        entries, places = list(self.entries), [self.place_of(correction) for correction in corrections]
        # From the last place to the first, and what is inserted before an event after what changes it.
        for number in sorted(
            range(len(places)), key=lambda n: (places[n], not isinstance(corrections[n], Insertion), n), reverse=True
        ):
            correction, place = corrections[number], places[number]
            if isinstance(correction, Amendment):
                entries[place] = Entry(correction.seq, correction.event)
            elif isinstance(correction, Insertion):
                entries.insert(place, Entry(len(self.review.record.events) + number, correction.event))
            else:
                del entries[place]
        return min(places), entries

    def can_try(self, corrections: Sequence[Proposed]) -> bool:
        """Whether the record has the events that these corrections are about."""
        return bool(corrections) and all(_about(correction) in self.places for correction in corrections)

    def place_of(self, correction: Proposed) -> int:
        """The place that a correction changes."""
        return self.places[_about(correction)]

    def begin(self, corrections: Sequence[Proposed]) -> int:
        """The first place that corrections change."""
        return min(map(self.place_of, corrections))

    def acts_after(self, corrections: Sequence[Proposed]) -> tuple[object, ...]:
        """The heading and the acts after these corrections, which tell one corrected game from another."""
        _first, (opening, *entries) = self.corrected(corrections)
        acts = [replace(entry.event, when=None, by=None) for entry in entries if type(entry.event) in _ACTS]
        return repr(opening.event), *map(laid, acts)

    def first_wrong(self, corrections: Sequence[Proposed], given_up: Collection[Key] = ()) -> Key | None:
        """The first breach or impossible finding after these corrections that needs no evidence about hands, or None.

        It looks only from the first place that they change, and passes over the findings `given_up`.  Raises
        NotARecord if the game cannot read the opening then.
        """
        first, entries = self.corrected(corrections)
        judgement = self._judged[first].going_on()
        findings = judgement.findings

        def until_wrong() -> Iterator[Step]:
            for step in self._replayed(first, entries):
                if any(key not in given_up for key in self._certain(findings)):
                    return
                self.budget.spend(1)
                yield step

        judge(self.game, until_wrong(), {}, judgement.touched, judgement)
        return next((key for key in self._certain(findings) if key not in given_up), None)

    def _replayed(self, first: int, entries: Sequence[Entry]) -> Iterator[Step]:
        """The steps of the corrected record from the first place that is changed."""
        state = self.steps[first].before if first else None
        return steps(self.game, self._opening(entries), entries[first:], state)

    def _opening(self, entries: Sequence[Entry]) -> Opening:
        opening = entries[0].event
        if opening is self.entries[0].event or type(opening) is not Open:
            return self.review.opening
        return self.game.opening(opening)

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
                if type(evidence) is not tuple and (evidence is _NONE or finding.clause not in self._excused):
                    yield key_of(finding)

    def left(self, corrections: Sequence[Proposed], *, partly: bool = False) -> frozenset[Key] | None:
        """The breaches and impossible findings that remain after the corrections; None if the corrections add one.

        Names in doubt are believed unless something may be left (`partly`).
        """
        found = self._found(corrections, partly=partly)
        return None if found is None or not found.keys() <= self.wrong.keys() else frozenset(found)

    def added(self, corrections: Sequence[Proposed]) -> list[Finding]:
        """The breaches and impossible findings that the corrections add."""
        found = self._found(corrections, partly=True) or {}
        return [finding for key, finding in found.items() if key not in self.wrong]

    def _found(self, corrections: Sequence[Proposed], *, partly: bool) -> dict[Key, Finding] | None:
        """The breaches and impossible findings after the corrections; None as soon as one is new, unless `partly`."""
        first, entries = self.corrected(corrections)
        try:
            opening = self._opening(entries)
            judged = [*self.steps[:first], *self._replayed(first, entries)]
        except NotARecord:
            return None
        self.budget.spend(len(judged) * (2 if self.game.holdings else 1))
        judgement = judge(self.game, judged, self._holdings(judged), set(self._rulings))
        if not partly and any(key_of(finding) not in self.wrong for finding in self._grave(judgement.findings)):
            return None
        events, seqs = tuple([step.event for step in judged]), [step.seq for step in judged]
        played = Effective(events, seqs, by_type(events), (), self.review.effective.slips)
        if partly:
            doubles = sum(finding.clause == ONCE for finding in judgement.findings)
            # Each is judged again without one of its names, and without both.
            self.budget.spend(2 * len(judged) * min(doubles, MOST))
            judgement = reread(self.game, opening, played, judgement)
        of_record = record_findings(self.game, played, judged)
        return {key_of(finding): finding for finding in self._grave((*judgement.findings, *of_record))}

    def _grave(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        return (finding for finding in findings if finding.verdict in GRAVE)


_NONE = object()
