"""What was the slip?  Finds the smallest correction after which the fewest findings are left, by trying.

Source: the rules' README, "One cause, explained".
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from typing import Any, TypeVar

from ledger.audit.report_in_a_sentence import mistake_at
from ledger.audit.review import Review
from ledger.audit.slip.causes import SECONDS, Amendment, Cause, Insertion, Proposed, Repair, laid
from ledger.audit.slip.forgotten_acts import elsewhere
from ledger.audit.slip.likely_slips import Slip, slips
from ledger.audit.slip.trials import Key, Trials, key_of
from ledger.record import event_words
from ledger.record.events import CLAIMS
from ledger.record.record import Record
from ledger.record.squares import Squares
from ledger.record.tiles import Tile
from ledger.rules.game import GRAVE, GRAVITY

MOST = 3
"""The most repairs of a cause."""
MARGIN, MORE_TRIES = 1.0, 600
"""How much more than the first repair another one may cost, and how many more slips are tried for another."""
PARTLY, LOOKED_AT = 12, 150
"""How many slips are compared that explain some of the findings, but not all; and how many are judged to find them."""

# Python in a browser has no clock of a thread; there, nothing else runs beside the rules.
clock: Callable[[], float] = getattr(time, "thread_time", time.perf_counter)

T = TypeVar("T")
Pieces = Generator[None, None, T]
"""A search in small pieces: it pauses after each trial, and returns what it found."""


class Budget:
    """How long a search may go on: `seconds` of processor time, or until `cancelled` says so."""

    def __init__(self, seconds: float = SECONDS, cancelled: Callable[[], bool] | None = None) -> None:
        self._end, self._cancelled = clock() + seconds, cancelled
        self.over = False

    def spent(self) -> bool:
        """Whether the search must stop now."""
        self.over = self.over or clock() > self._end or (self._cancelled is not None and self._cancelled())
        return self.over


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
        self.recorded = Trials(review) if self.open else None

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
            current = Review(corrected(current.record, cause.repairs[0].corrections), current.name)
            trials = Trials(current)
        found += self._alone()
        return tuple(sorted(found, key=self._gravity))

    def _cause(self, trials: Trials, first: int) -> Pieces[Cause | None]:
        """The cause of the findings at the first place that is not explained, or None if no repair is found."""
        repairs, findings = list[Repair](), tuple[int, ...]()
        found = yield from Search(trials, first, self.unexplained, self.budget).slips()
        for slip in found:
            yield
            cleared = self._cleared(slip.corrections)
            if cleared and (not repairs or set(cleared) == set(findings)):
                findings = findings or cleared
                repairs.append(Repair(slip.corrections, self._message(slip.corrections, len(cleared))))
        return Cause(findings, tuple(repairs[:MOST])) if repairs else None

    def _cleared(self, corrections: tuple[Proposed, ...]) -> tuple[int, ...]:
        """The open findings that these corrections of the record alone clear; none if they add one."""
        left = None
        if self.recorded and self.recorded.can_try(corrections):
            left = self.recorded.left(corrections, partly=True)
        return () if left is None else tuple(index for index, key in self.open.items() if key not in left)

    def _message(self, corrections: tuple[Proposed, ...], cleared: int) -> str:
        assert self.recorded is not None  # noqa: S101  there is something to clear
        everything = cleared == sum(finding.verdict in GRAVE for finding in self.findings)
        return in_words(self.recorded, corrections, cleared, everything=everything)

    def _alone(self) -> Iterator[Cause]:
        """The findings that nothing explains, event by event: each is a cause without a repair."""
        by_seq: dict[int, list[int]] = {}
        for index, (seq, _clause, _player) in self.open.items():
            by_seq.setdefault(seq, []).append(index)
        for indices in by_seq.values():
            yield Cause(tuple(indices))

    def _gravity(self, cause: Cause) -> tuple[int, int]:
        return min(GRAVITY.index(self.findings[index].verdict) for index in cause.findings), min(cause.findings)


class Search:
    """The search for the slip behind the findings at one place.  `given_up` are findings that nothing explains."""

    def __init__(self, trials: Trials, first: int, given_up: Collection[Key], budget: Budget) -> None:
        self.trials, self.first, self.given_up, self.budget = trials, first, frozenset(given_up), budget
        self.targets = {key for key, place in trials.wrong.items() if place == first and key not in given_up}
        self.whole: list[Slip] = []
        self.partly: list[tuple[int, float, Slip]] = []
        self.tried = self.tried_at_first = 0

    def slips(self) -> Pieces[list[Slip]]:
        """The slips that explain most, the likeliest first: all that is open, or else as much as possible."""
        findings = [finding for finding in self.trials.review.report.findings if key_of(finding) in self.trials.wrong]
        seen = set[object]()
        for slip in slips(self.trials, findings, self.first):
            if self.budget.spent() or self._enough(slip):
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
        return self.whole or (yield from self._best_partly())

    def _elsewhere(self) -> Pieces[None]:
        """Adds where else a forgotten act may have stood, and how else it may be written, if there is room for more."""
        for slip in tuple(self.whole):
            (correction, *_others) = slip.corrections
            for other in elsewhere(self.trials, correction) if isinstance(correction, Insertion) else ():
                if len(self.whole) == MOST or self.budget.spent():
                    return
                yield
                if self._explains_all(Slip(slip.price, (other,))):
                    self.whole.append(Slip(slip.price, (other,)))

    def _signatures(self, slip: Slip) -> Iterator[object]:
        """What two equal slips share: the acts that follow, or the same forgotten act, wherever it stood."""
        yield self.trials.acts_after(slip.corrections)
        (correction, *_others) = slip.corrections
        if isinstance(correction, Insertion):
            yield laid(correction.event)

    def _enough(self, slip: Slip) -> bool:
        if not self.whole:
            return False
        return (
            len(self.whole) >= MOST
            or slip.price > self.whole[0].price + MARGIN
            or self.tried > self.tried_at_first + MORE_TRIES
        )

    def _explains_all(self, slip: Slip) -> bool:
        """Whether nothing is left after these corrections; keeps those that leave only what was wrong before."""
        key = self.trials.first_wrong(slip.corrections, self.given_up)
        if key is None:
            left = self.trials.left(slip.corrections)
            if left is not None and left <= self.given_up:
                return True
            key = min(left - self.given_up, key=self.trials.wrong.__getitem__) if left else None
        reach = self.trials.places.get(key[0], 0) if key else 0
        if reach > self.first:
            self.partly.append((-reach, slip.price, slip))
        return False

    def _best_partly(self) -> Pieces[list[Slip]]:
        """The slips that leave the fewest findings."""
        ranked = list[tuple[int, float, Slip]]()
        for _reach, price, slip in nsmallest(LOOKED_AT, self.partly, key=lambda one: one[:2]):
            if self.budget.spent() or len(ranked) == PARTLY:
                break
            yield
            left = self.trials.left(slip.corrections, partly=True)
            if left is not None and not left & self.targets:
                ranked.append((len(left), price, slip))
        ranked.sort(key=lambda one: one[:2])
        return [slip for _left, _price, slip in ranked]


def in_words(trials: Trials, corrections: Sequence[Proposed], cleared: int, *, everything: bool) -> str:
    """What these corrections say, and what they would clear."""
    return f"If {condition(trials, corrections)}, {_effect(cleared, everything=everything)}."


def _effect(cleared: int, *, everything: bool) -> str:
    if everything:
        return "nothing else would be wrong"
    return "this mistake would be gone" if cleared == 1 else f"these {cleared} findings would be gone"


def condition(trials: Trials, corrections: Sequence[Proposed]) -> str:
    """What these corrections say happened: ``Ben's bid at move 113 was 60``."""
    review, (first, *others) = trials.review, corrections
    place = trials.place_of(first)
    if others:
        seqs = [trials.entries[trials.place_of(correction)].seq for correction in corrections]
        return f"moves {' and '.join(map(str, seqs))} were the other way round"
    if isinstance(first, Insertion):
        event = event_words.in_words(first.event, review.names, review.squares)
        return f"“{event}” was forgotten before move {first.before}"
    called = mistake_at(review, place)
    if not isinstance(first, Amendment):
        return f"{called} never happened"
    was, now = trials.entries[place].event, first.event
    return f"{called} {_was(was, now, review.names, review.squares)}"


def _was(was: Any, now: Any, names: Mapping[str, str], squares: Squares) -> str:
    """What an event was really: the one thing in it that differs, or the whole event."""
    differing = [name for name in was.__struct_fields__ if getattr(was, name) != getattr(now, name)]
    name = differing[0] if len(differing) == 1 and not isinstance(now, CLAIMS) else ""
    if name == "player":
        return f"was {names[now.player]}'s"
    if name == "tiles":
        return _held(was.tiles, now.tiles)
    if name in ("at", "dir"):
        return f"was on {squares.of_place(now)}"
    if name in ("level", "stack"):
        return f"was on {name} {getattr(now, name)}"
    if name in ("tile", "bid", "high", "direction"):
        return f"was {'the ' if name == 'tile' else ''}{getattr(now, name)}"
    return f"was “{event_words.in_words(now, names, squares)}”"


def _held(was: Sequence[Tile], now: Sequence[Tile]) -> str:
    """What a hand really held, where it differs from what was written."""
    gone, new = ([str(tile) for tile in some if tile not in others] for some, others in ((was, now), (now, was)))
    if not new:
        return "had one tile fewer" if not gone else f"did not hold the {gone[0]}"
    return f"held the {new[0]}" + (f", not the {gone[0]}" if gone else " too")
