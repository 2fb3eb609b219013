"""What was the slip?  Finds the smallest correction after which the fewest findings are left, by trying.

Source: the rules' README, "One cause, explained".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from heapq import nsmallest
from itertools import islice
from typing import TypeVar

from ledger.audit.review import Review
from ledger.audit.slip.causes import ALIKE, Cause, Insertion, InsertionForm, Proposed, Repair, effect, laid, repair
from ledger.audit.slip.forgotten_acts import choices_in_words, elsewhere, equals, forgotten_form, unknown_of
from ledger.audit.slip.likely_slips import CLAIMS, slips
from ledger.audit.slip.slip_case import Case, Slip
from ledger.audit.slip.trials import Budget, Key, Trials, key_of
from ledger.record.errors import NotARecord
from ledger.record.events import Correctable
from ledger.record.record import Record
from ledger.rules.game import GRAVE, GRAVITY

MOST = 3
"""The most repairs of a cause."""
MARGIN, AN_ACT, MORE_TRIES = 1.0, 0.6, 600
"""How much more than the first repair, or a usual act, another one may cost; and how many slips are tried for it."""
PARTLY, LOOKED_AT = 6, 30
"""How many slips are compared that explain some of the findings, but not all; and how many are judged to find them."""
KEPT = 0.6
"""The part of what is left of a budget that is kept for slips which explain some findings only, and for the rest."""
CHOICES = 200
"""The most acts that are tried for what may have been forgotten instead of another."""

T = TypeVar("T")
Pieces = Generator[None, None, T]
"""A search in small pieces: it pauses after each trial, and returns what it found."""


def causes(review: Review, budget: Budget | None = None) -> tuple[Cause, ...]:
    """The causes of a record's breaches and impossible findings, the gravest first; each finding is in exactly one.

    A search that ends early explains what it has found so far; every other event with findings is a cause by itself.
    """
    pieces = in_pieces(review, budget)
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            found: tuple[Cause, ...] = end.value
            return found


def in_pieces(review: Review, budget: Budget | None = None) -> Pieces[tuple[Cause, ...]]:
    """The same search, which pauses after each trial, for a caller that has more urgent things to do."""
    return _Explanation(review, budget or Budget()).causes()


def explain(review: Review, budget: Budget | None = None) -> None:
    """Adds the causes of its findings to the report of a review."""
    review.explain(causes(review, budget))


def corrected(record: Record, corrections: Iterable[Proposed], why: str = "") -> Record:
    """The record with these corrections as its last events."""
    return Record((*record.events, *(correction.because(why) for correction in corrections)))


class _Explanation:
    """The causes of one record, found one after the other: the best first, then what explains the rest."""

    def __init__(self, review: Review, budget: Budget) -> None:
        self.review, self.budget = review, budget
        self.findings = review.report.findings
        self.open = {index: key_of(finding) for index, finding in enumerate(self.findings) if finding.verdict in GRAVE}
        self.unexplained = set[Key]()
        self.recorded = Trials(review, budget) if self.open else None

    def causes(self) -> Pieces[tuple[Cause, ...]]:
        """All causes, the gravest first."""
        found, current = list[Cause](), self.review
        trials = self.recorded
        while trials and self.open and not self.budget.spent():
            targets = {key: place for key, place in trials.wrong.items() if key not in self.unexplained}
            if not targets:
                break
            cause = yield from self._cause(trials, min(targets.values()))
            if cause is None:
                self.unexplained |= {key for key, place in targets.items() if place == min(targets.values())}
                continue
            found.append(cause)
            self.open = {index: key for index, key in self.open.items() if index not in cause.findings}
            current = Review(corrected(current.record, cause.repairs[0].made()), current.name)
            trials = Trials(current, self.budget)
        found += self._alone()
        return tuple(sorted(found, key=self._gravity))

    def _cause(self, trials: Trials, first: int) -> Pieces[Cause | None]:
        """The cause of the findings at the first place that is not explained, or None if no repair is found."""
        repairs, findings = list[Repair](), tuple[int, ...]()
        found = yield from Search(trials, first, self.unexplained, self.budget).slips()
        for slip, choices in found:
            yield
            if len(repairs) == MOST:
                break
            cleared = self._cleared(slip.corrections)
            if cleared and (not repairs or set(cleared) == set(findings)):
                findings = findings or cleared
                repairs.append(self._repair(slip, choices, len(cleared)))
        return Cause(findings, tuple(repairs)) if repairs else None

    def _cleared(self, corrections: tuple[Proposed, ...]) -> tuple[int, ...]:
        """The open findings that these corrections of the record alone clear; none if they add one."""
        left = None
        if self.recorded and self.recorded.can_try(corrections):
            left = self.recorded.left(corrections, partly=True)
        return () if left is None else tuple(index for index, key in self.open.items() if key not in left)

    def _repair(self, slip: Slip, choices: tuple[Correctable, ...], cleared: int) -> Repair:
        assert self.recorded is not None  # noqa: S101  there is something to clear
        everything = cleared == sum(finding.verdict in GRAVE for finding in self.findings)
        would_be = effect(cleared, everything=everything)
        form = forgotten_form(slip.corrections) if choices else None
        if form is None:
            return repair(slip.corrections, slip.kind.condition(self.recorded, slip.corrections), would_be)
        return Repair((form,), choices_in_words(self.recorded, form, choices, would_be), choices)

    def _alone(self) -> Iterator[Cause]:
        """The findings that nothing explains: many of one clause are one cause, others one for each event."""
        by_clause, by_seq = defaultdict[str, list[int]](list), defaultdict[int, list[int]](list)
        for index, (_seq, clause, _player) in self.open.items():
            by_clause[clause].append(index)
        for index, (seq, clause, _player) in self.open.items():
            if len(by_clause[clause]) <= ALIKE:
                by_seq[seq].append(index)
        yield from (Cause(tuple(some), (), alike=True) for some in by_clause.values() if len(some) > ALIKE)
        yield from (Cause(tuple(some), ()) for some in by_seq.values())

    def _gravity(self, cause: Cause) -> tuple[int, int]:
        return min(GRAVITY.index(self.findings[index].verdict) for index in cause.findings), min(cause.findings)


Found = list[tuple[Slip, tuple[Correctable, ...]]]
"""Slips, each with what an act that was forgotten may have been, if that is open."""


class Search:
    """The search for the slip behind the findings at one place.  `given_up` are findings that nothing explains."""

    def __init__(self, trials: Trials, first: int, given_up: Collection[Key], budget: Budget) -> None:
        self.trials, self.first, self.given_up, self.budget = trials, first, frozenset(given_up), budget
        self.targets = {key for key, place in trials.wrong.items() if place == first and key not in given_up}
        # What a later act proves can be the slip of that act; any other finding is at the slip or after it.
        self.proved_later = all(clause in trials.proved for _seq, clause, _player in self.targets)
        self.whole: list[Slip] = []
        self.partly: list[tuple[int, float, int, Slip]] = []
        self.tried = self.tried_at_first = 0

    def slips(self) -> Pieces[Found]:
        """The slips that explain most, the likeliest first: all that is open, or else as much as possible."""
        findings = [finding for finding in self.trials.review.report.findings if key_of(finding) in self.trials.wrong]
        case = Case(self.trials, findings, self.first)
        seen, kept = set[object](), KEPT * self.budget.left
        for slip in slips(case):
            if self.budget.spent(kept) or self._enough(slip):
                break
            yield
            self.tried += 1
            if self._explains_all(slip):
                signatures = set(self._signatures(slip))
                if signatures.isdisjoint(seen):
                    self.tried_at_first = self.tried_at_first or self.tried
                    self.whole.append(slip)
                seen |= signatures
        yield from self._elsewhere()
        found = self.whole or (yield from self._best_partly())
        return (yield from self._asked(case, found))

    def _elsewhere(self) -> Pieces[None]:
        """Adds where else a forgotten act may have stood, and how else it may be written, if there is room for more."""
        for slip in tuple(self.whole):
            (correction, *_others) = slip.corrections
            for other in elsewhere(self.trials, correction) if len(slip.corrections) == 1 else ():
                if len(self.whole) == MOST or self.budget.spent():
                    return
                yield
                if self._explains_all(slip._replace(corrections=(other,))):
                    self.whole.append(slip._replace(corrections=(other,)))

    def _signatures(self, slip: Slip) -> Iterator[object]:
        """What two equal slips share: the acts that follow, or the same forgotten act, wherever it stood."""
        yield repr(slip.corrections) if slip.kind is CLAIMS else self.trials.acts_after(slip.corrections)
        form = forgotten_form(slip.corrections)
        if form is not None:
            yield form
            yield laid(slip.corrections[0].event)  # type: ignore[union-attr]  # an insertion

    def _enough(self, slip: Slip) -> bool:
        if not self.whole:
            return False
        return (
            len(self.whole) >= MOST
            or slip.price > max(self.whole[0].price, AN_ACT) + MARGIN
            or self.tried > self.tried_at_first + MORE_TRIES
        )

    def _explains_all(self, slip: Slip) -> bool:
        """Whether nothing is left after these corrections; keeps those that leave only what was wrong before."""
        if self.trials.begin(slip.corrections) > self.first and not self.proved_later:
            return False
        try:
            key = self.trials.first_wrong(slip.corrections, self.given_up)
        except NotARecord:
            return False
        if key is None:
            left = self.trials.left(slip.corrections)
            if left is not None and left <= self.given_up:
                return True
            key = min(left - self.given_up, key=self.trials.wrong.__getitem__) if left else None
        reach = self.trials.places.get(key[0], 0) if key else 0
        if reach > self.first and self.trials.begin(slip.corrections) <= self.first:
            self.partly.append((-reach, slip.price, len(self.partly), slip))
        return False

    def _best_partly(self) -> Pieces[list[Slip]]:
        """The slips that leave the fewest findings, and of those that explain as much, claims before acts."""
        ranked = list[tuple[int, float, int, Slip]]()
        for _reach, price, number, slip in nsmallest(LOOKED_AT, self.partly):
            if self.budget.spent() or len(ranked) == PARTLY:
                break
            yield
            left = self.trials.left(slip.corrections, partly=True)
            if left is not None and not left & self.targets:
                ranked.append((len(left), price, number, slip))
        return [slip for *_order, slip in sorted(ranked)]

    def _asked(self, case: Case, found: Sequence[Slip]) -> Pieces[Found]:
        """These slips; where several tiles or numbers may have been forgotten alike, it is open which."""
        several, forms = Found(), dict[InsertionForm, list[Correctable]]()
        fitting = defaultdict[str, set[object]](set)
        for slip in found:
            form = forgotten_form(slip.corrections)
            if form is None or form not in forms:
                several.append((slip, ()))
            if form is not None and form not in forms:
                forms[form] = yield from self._equals(case, slip)
                fitting[form.event.type] |= set(map(unknown_of, forms[form]))
        asked: Found = []
        for slip, none in several:
            form = forgotten_form(slip.corrections)
            if form is None:
                asked.append((slip, none))
            elif len(fitting[form.event.type]) > 1:
                asked.append((slip, tuple(forms[form])))
            else:
                asked += [(slip._replace(corrections=(Insertion(form.before, event),)), ()) for event in forms[form]]
        return asked

    def _equals(self, case: Case, slip: Slip) -> Pieces[list[Correctable]]:
        """The act that was forgotten, and what explains as much in its place: the same player's other choices."""
        (insertion,) = slip.corrections
        assert isinstance(insertion, Insertion)  # noqa: S101  an act that was forgotten
        found, left = {laid(insertion.event): insertion.event}, self.trials.left(slip.corrections, partly=True)
        for event in islice(equals(case, insertion), CHOICES):
            if self.budget.spent():
                break
            yield
            other = (Insertion(insertion.before, event),)
            if laid(event) in found or (not left and self.trials.first_wrong(other, self.given_up)):
                continue
            if self.trials.left(other, partly=True) == left:
                found[laid(event)] = event
        return list(found.values())
