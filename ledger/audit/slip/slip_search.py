"""What was the slip?  Finds the smallest correction after which the fewest findings are left, by trying.

A new kind of slip is one function that yields lists of corrections, beside its sentence, in the table here.

Source: the rules' README, "One cause, explained".
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import TypeVar

from ledger.audit.review import Review
from ledger.audit.slip import slips_of_many as many
from ledger.audit.slip.causes import ALIKE, MOST, Cause, Insertion, InsertionForm, Proposed, Repair, effect, laid
from ledger.audit.slip.forgotten_acts import (
    choices_in_words,
    equals,
    forgotten,
    forgotten_form,
    forgotten_in_words,
    round_forgotten,
    unknown_of,
)
from ledger.audit.slip.misread_acts import acts_in_words, from_here, single_acts
from ledger.audit.slip.slip_case import Case, Kind, Slip
from ledger.audit.slip.trials import Budget, Key, Trials, key_of
from ledger.audit.slip.wrong_claims import claims, claims_in_words, lines_in_words, score_lines
from ledger.record.events import Correctable
from ledger.record.record import Record
from ledger.rules.game import GRAVE, GRAVITY

MARGIN, AN_ACT = 1.0, 0.6
"""How much more than the first repair, or a usual act, another one may cost."""
TRIES, MORE_TRIES, LOOKED_AT = 2000, 250, 60
"""How many slips are tried after one that explains a part, and one that explains all; how many of a part compete."""
KEPT = 0.6
"""The part of what is left of a budget that each search for a slip, and each comparison of some, leaves for later."""
CHOICES = 200
"""The most acts that are tried for what may have been forgotten instead of another."""

CLAIMS, LINES = Kind(claims, claims_in_words), Kind(score_lines, lines_in_words)
HEADING = Kind(many.heading, many.heading_in_words)
NOBODYS = (CLAIMS, LINES, HEADING)
"""Slips of no player's act: where claims alone explain the findings, no other kind is looked for."""
KINDS = (
    CLAIMS,
    LINES,
    Kind(single_acts, acts_in_words),
    Kind(forgotten, forgotten_in_words),
    Kind(round_forgotten, forgotten_in_words),
    Kind(many.exchanged, many.exchange_in_words),
    Kind(many.hand_misread, acts_in_words),
    HEADING,
    Kind(from_here, acts_in_words),
    Kind(many.moved, many.moved_in_words),
)
"""What people slip with when they write a game down."""

T = TypeVar("T")
Pieces = Generator[None, None, T]
"""A search in small pieces: it pauses after each trial, and returns what it found."""


def slips(case: Case, found: Sequence[Slip] = ()) -> Iterator[Slip]:
    """Every slip that is worth a try, by its price; nobody's alone while the first one `found` is a wrong claim."""
    families = [(*priced, kind) for kind in KINDS for priced in kind.candidates(case)]
    for price, family, kind in sorted(families, key=itemgetter(0)):
        if kind in NOBODYS or not (found and found[0].kind in (CLAIMS, LINES)):
            yield from (Slip(price, corrections, kind) for corrections in family if corrections)


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
        self.all_open = len(self.open)
        self.recorded = Trials(review, budget)

    def causes(self) -> Pieces[tuple[Cause, ...]]:
        """All causes, the gravest first."""
        found, unexplained, trials = list[Cause](), set[Key](), self.recorded
        while not self.budget.spent():
            targets = {key: place for key, place in trials.wrong.items() if key not in unexplained}
            if not targets:
                break
            first = min(targets.values())
            slips = yield from Search(trials, first, unexplained, self.budget).slips()
            cause = yield from self._cause(slips)
            if cause is None:
                unexplained |= {key for key, place in targets.items() if place == first}
                continue
            found.append(cause)
            self.open = {index: key for index, key in self.open.items() if index not in cause.findings}
            current = trials.review
            trials = Trials(Review(corrected(current.record, cause.repairs[0].made()), current.name), self.budget)
        found += self._alone()
        return tuple(sorted(found, key=self._gravity))

    def _cause(self, slips: Iterable[Slip]) -> Pieces[Cause | None]:
        """The open findings that the first of these slips explains, with those slips that explain the same."""
        repairs, findings = list[Repair](), tuple[int, ...]()
        for slip in slips:
            yield
            cleared = self._cleared(slip.corrections) if len(repairs) < MOST else ()
            if cleared and (not repairs or cleared == findings):
                findings = cleared
                would_be = effect(len(cleared), everything=len(cleared) == self.all_open)
                form = forgotten_form(slip.corrections) if slip.choices else None
                condition = slip.kind.condition(self.recorded, slip.corrections)
                repairs.append(
                    Repair((form,), choices_in_words(self.recorded, form, slip.choices, would_be), slip.choices)
                    if form
                    else Repair(slip.corrections, f"If {condition}, {would_be}.")
                )
        return Cause(findings, tuple(repairs)) if repairs else None

    def _cleared(self, corrections: tuple[Proposed, ...]) -> tuple[int, ...]:
        """The open findings that these corrections of the record alone clear; none if they add one."""
        left = self.recorded.left(corrections, partly=True)
        return () if left is None else tuple(index for index, key in self.open.items() if key not in left)

    def _alone(self) -> Iterator[Cause]:
        """The findings that nothing explains: many of one clause are one cause, others one for each event."""
        clauses = Counter(clause for _seq, clause, _player in self.open.values())
        causes = defaultdict[object, list[int]](list)
        for index, (seq, clause, _player) in self.open.items():
            causes[clause if clauses[clause] > ALIKE else seq].append(index)
        yield from (Cause(tuple(some), (), alike=isinstance(what, str)) for what, some in causes.items())

    def _gravity(self, cause: Cause) -> tuple[int, int]:
        return min(GRAVITY.index(self.findings[index].verdict) for index in cause.findings), min(cause.findings)


class Search:
    """The search for the slip behind the findings at one place.  `given_up` are findings that nothing explains."""

    def __init__(self, trials: Trials, first: int, given_up: Collection[Key], budget: Budget) -> None:
        self.trials, self.first, self.given_up, self.budget = trials, first, frozenset(given_up), budget
        self.targets = {key for key, place in trials.wrong.items() if place == first and key not in given_up}
        # What a later act proves can be the slip of that act; any other finding is at the slip or after it.
        self.proved_later = all(clause in trials.proved for _seq, clause, _player in self.targets)
        findings = [finding for finding in trials.review.report.findings if key_of(finding) in trials.wrong]
        self.case = Case(trials, findings, first)
        self.whole: list[Slip] = []
        self.partly: list[tuple[int, float, int, Slip]] = []

    def slips(self) -> Pieces[list[Slip]]:
        """The slips that explain most, the likeliest first: all that is open, or else as much as possible."""
        seen, kept, tries_left = set[object](), KEPT * self.budget.left, TRIES
        for slip in slips(self.case, self.whole):
            if self.budget.spent(kept) or len(self.whole) == MOST or tries_left <= 0:
                break
            if self.whole and slip.price > max(self.whole[0].price, AN_ACT) + MARGIN:
                break
            if self.trials.begin(slip.corrections) > self.first and not self.proved_later:
                continue
            yield
            tries_left -= bool(self.whole or self.partly)
            if self._explains_all(slip):
                tries_left = min(tries_left, MORE_TRIES)
                signatures = set(self._signatures(slip))
                if signatures.isdisjoint(seen):
                    self.whole.append(slip)
                seen |= signatures
        found = self.whole or (yield from self._best_partly())
        return (yield from self._asked(found))

    def _signatures(self, slip: Slip) -> Iterator[object]:
        """What two equal slips share: the record that follows, or the same forgotten act, wherever it stood."""
        yield self.trials.acts_after(slip.corrections, claims=slip.kind in (CLAIMS, LINES))
        form = forgotten_form(slip.corrections)
        if form is not None:
            yield form
            yield laid(slip.corrections[0].event)  # type: ignore[union-attr]  # an insertion

    def _explains_all(self, slip: Slip) -> bool:
        """Whether nothing is left after these corrections; keeps those that leave only what was wrong before."""
        key = self.trials.first_wrong(slip.corrections, self.given_up)
        if key is None:
            left = self.trials.left(slip.corrections)
            if left is not None and left <= self.given_up:
                return True
            key = min(left - self.given_up, key=self.trials.wrong.__getitem__) if left else None
        reach = self.trials.places.get(key[0], 0) if key else 0
        if reach > self.first >= self.trials.begin(slip.corrections):
            self.partly.append((-reach, slip.price, len(self.partly), slip))
        return False

    def _best_partly(self) -> Pieces[list[Slip]]:
        """The slips that leave the fewest findings, and of those that explain as much, claims before acts."""
        ranked, best, kept = list[tuple[int, float, int, Slip]](), 0, KEPT * self.budget.left
        for reach, price, number, slip in sorted(self.partly)[:LOOKED_AT]:
            if self.budget.spent(kept) or len(ranked) == MOST or (ranked and reach > best):
                break
            yield
            left = self.trials.left(slip.corrections, partly=True)
            if left is not None and not left & self.targets:
                best = reach
                ranked.append((len(left), price, number, slip))
        return [slip for *_order, slip in sorted(ranked)]

    def _asked(self, found: Sequence[Slip]) -> Pieces[list[Slip]]:
        """These slips; where several tiles or numbers may have been forgotten alike, it is open which."""
        forms = dict[InsertionForm, list[Correctable]]()
        for slip in found:
            form = forgotten_form(slip.corrections)
            if form is not None and form not in forms:
                forms[form] = yield from self._equals(slip)
        fitting = {(form.event.type, unknown_of(event)) for form, events in forms.items() for event in events}
        asked = list[Slip]()
        for slip in found:
            form = forgotten_form(slip.corrections)
            events = tuple(forms.pop(form, ())) if form else ()
            if form is None:
                asked.append(slip)
            elif events and sum(kind == form.event.type for kind, _unknown in fitting) > 1:
                asked.append(slip._replace(choices=events))
            else:
                asked += [slip._replace(corrections=(Insertion(form.before, event),)) for event in events]
        return asked

    def _equals(self, slip: Slip) -> Pieces[list[Correctable]]:
        """The act that was forgotten, and what explains as much in its place: the same player's other choices."""
        (insertion,) = slip.corrections
        assert isinstance(insertion, Insertion)  # noqa: S101  an act that was forgotten
        found, left = {laid(insertion.event): insertion.event}, self.trials.left(slip.corrections, partly=True)
        for event in islice(equals(self.case, insertion), CHOICES):
            if self.budget.spent():
                break
            yield
            other = (Insertion(insertion.before, event),)
            if laid(event) in found or (not left and self.trials.first_wrong(other, self.given_up)):
                continue
            if self.trials.left(other, partly=True) == left:
                found[laid(event)] = event
        return list(found.values())
