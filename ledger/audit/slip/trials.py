"""Tries corrections of a record without auditing all of it again.

A trial goes on from the state before the first event that it changes, and ends at the first finding that it would add.
What it lets pass is judged as a whole, with the evidence about hands; the audit of the corrected record has the last
word.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from ledger.audit.auditor import record_findings, ruling_names
from ledger.audit.equal_names import MOST, ONCE, reread
from ledger.audit.judge import Judgement, judge
from ledger.audit.replay import steps
from ledger.audit.review import Review
from ledger.audit.slip.causes import Amendment, Insertion, Proposed, laid
from ledger.record.events import ACTS, Open
from ledger.record.lazy import lazy
from ledger.record.record import Effective, Entry, by_type
from ledger.rules.game import GRAVE, Finding, Opening, Step

EVENTS = 30_000
"""How many events a search for a record's causes audits by default: about half a second of a quiet processor."""
A_TRIAL = 2
"""What each trial costs besides the events that it audits, in events."""

_ACTS = frozenset(ACTS)

Key = tuple[int, str, str | None]
"""What makes two findings the same in two audits: seq, clause and player."""


class Budget:
    """How long a search may go on: until it has audited so many `events`, or until `cancelled` says so.

    It counts events and not seconds, so that every machine finds the same, however busy it is.
    """

    def __init__(self, events: float = EVENTS, cancelled: Callable[[], bool] | None = None) -> None:
        self.left, self._cancelled = events, cancelled

    def spend(self, events: float) -> None:
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


def grave(findings: Iterable[Finding]) -> dict[Key, Finding]:
    """The breaches and impossible findings among these."""
    return {key_of(finding): finding for finding in findings if finding.verdict in GRAVE}


class Trials:
    """Tries corrections of one record, whose headings the game must be able to read.

    `entries` are its events after corrections and `steps` their states; `wrong` are the keys of its breaches and
    impossible findings, with the place of each; `proved` are the clauses that judge by evidence about hands.
    """

    def __init__(self, review: Review, budget: Budget | None = None) -> None:
        self.review, self.game, self.budget = review, review.game, budget or Budget(float("inf"))
        self.entries: Sequence[Entry] = review.effective.entries
        self.steps: Sequence[Step] = review.steps
        self.places = {entry.seq: place for place, entry in enumerate(self.entries)}
        self.wrong = {key: self.places.get(finding.seq, 0) for key, finding in grave(review.report.findings).items()}
        self.proved = {clause.id for clause in self.game.clauses if clause.proved}
        self._excused = self.proved - {clause.id for clause in self.game.clauses if clause.needs_evidence}

    @lazy
    def evidence(self) -> Any:
        """What the whole record proves about hands, by seq."""
        return self._holdings(self.steps)

    def _holdings(self, judged: Sequence[Step]) -> Any:
        return self.game.holdings(judged) if self.game.holdings else {}

    def corrected(self, corrections: Sequence[Proposed]) -> tuple[int, list[Entry]]:
        """The first place that corrections change, and all entries then."""
        entries, end = list(self.entries), len(self.review.record.events)
        numbered = [(self.place_of(one), isinstance(one, Insertion), n, one) for n, one in enumerate(corrections)]
        # From the last place to the first, and what is inserted before an event after what changes it.
        for place, _inserts, n, correction in sorted(
            numbered, key=lambda one: (one[0], not one[1], one[2]), reverse=True
        ):
            if isinstance(correction, Amendment):
                entries[place] = Entry(correction.seq, correction.event)
            elif isinstance(correction, Insertion):
                entries.insert(place, Entry(end + n, correction.event))
            else:
                del entries[place]
        return self.begin(corrections), entries

    def place_of(self, correction: Proposed) -> int:
        """The place that a correction changes."""
        return self.places[_about(correction)]

    def begin(self, corrections: Iterable[Proposed]) -> int:
        """The first place that corrections change."""
        return min(map(self.place_of, corrections))

    def amended(self, corrections: Iterable[Proposed]) -> list[tuple[Any, Any]]:
        """What was written and what was really, for each amendment of these corrections."""
        amendments = (correction for correction in corrections if isinstance(correction, Amendment))
        return [(self.entries[self.place_of(one)].event, one.event) for one in amendments]

    def acts_after(self, corrections: Sequence[Proposed], *, claims: bool = False) -> tuple[object, ...]:
        """The heading and the acts after these corrections, which tell one corrected game from another."""
        _first, (opening, *entries) = self.corrected(corrections)
        acts = [replace(entry.event, when=None, by=None) for entry in entries if type(entry.event) in _ACTS]
        return repr(opening.event), *map(laid, acts), repr(corrections) if claims else ""

    def first_wrong(self, corrections: Sequence[Proposed], given_up: Collection[Key] = ()) -> Key | None:
        """The first breach or impossible finding after these corrections that needs no evidence about hands, or None.

        It looks only from the first place that they change, and passes over the findings `given_up`.
        """
        first, entries = self.corrected(corrections)
        judgement = self._judged[first].going_on()
        self.budget.spend(A_TRIAL)
        for step in self._replayed(first, entries):
            judge(self.game, [step], {}, judgement.touched, judgement)
            self.budget.spend(1)
            for key in self._certain(judgement.findings) if judgement.findings else ():
                if key not in given_up:
                    return key
        return None

    def _replayed(self, first: int, entries: Sequence[Entry]) -> Iterator[Step]:
        """The steps of the corrected record from the first place that is changed."""
        state = self.steps[first].before if first else None
        return steps(self.game, self._opening(entries), entries[first:], state)

    def _opening(self, entries: Sequence[Entry]) -> Opening:
        opening = entries[0].event
        same = opening is self.entries[0].event or type(opening) is not Open
        return self.review.opening if same else self.game.opening(opening)  # type: ignore[arg-type]  # an opening

    @lazy
    def _judged(self) -> list[Judgement]:
        """What was judged before each step."""
        judgement, before = Judgement(self.game, (), set(ruling_names(self.game))), list[Judgement]()
        for step in self.steps:
            before.append(judgement.going_on())
            before[-1].findings += judgement.findings
            judge(self.game, [step], self.evidence, judgement.touched, judgement)
        return before

    def _certain(self, findings: Iterable[Finding]) -> Iterator[Key]:
        """The breaches and impossible findings that evidence about hands could not excuse."""
        for key, finding in grave(findings).items() if findings else ():
            evidence = self.evidence.get(finding.seq, _NONE)
            if type(evidence) is not tuple and (evidence is _NONE or finding.clause not in self._excused):
                yield key

    def left(self, corrections: Sequence[Proposed], *, partly: bool = False) -> frozenset[Key] | None:
        """The breaches and impossible findings that remain after the corrections.

        None if the corrections add one, or are about events that the record does not have.  Names in doubt are believed
        unless something may be left (`partly`).
        """
        if not all(_about(correction) in self.places for correction in corrections):
            return None
        found = self.found(corrections, partly=partly)
        return None if found is None or not found.keys() <= self.wrong.keys() else frozenset(found)

    def found(self, corrections: Sequence[Proposed], *, partly: bool = True) -> dict[Key, Finding] | None:
        """The breaches and impossible findings after the corrections; None as soon as one is new, unless `partly`."""
        first, entries = self.corrected(corrections)
        opening, judged = self._opening(entries), [*self.steps[:first], *self._replayed(first, entries)]
        evidence = self._holdings(judged)
        # Up to here nothing is judged otherwise than before.
        first = next(
            (n for n in range(first) if evidence.get(judged[n].seq) != self.evidence.get(judged[n].seq)), first
        )
        judgement = self._judged[first].going_on()
        judgement.findings += self._judged[first].findings
        judge(self.game, judged[first:], evidence, judgement.touched, judgement)
        judgement.steps = judged
        self.budget.spend(A_TRIAL + len(judged) - first + (len(judged) if self.game.holdings else 0))
        if not partly and not grave(judgement.findings).keys() <= self.wrong.keys():
            return None
        events, seqs = tuple([step.event for step in judged]), [step.seq for step in judged]
        played = Effective(events, seqs, by_type(events), (), self.review.effective.slips)
        if partly:
            doubles = sum(finding.clause == ONCE for finding in judgement.findings)
            # Each is judged again without one of its names, and without both.
            self.budget.spend(2 * len(judged) * min(doubles, MOST))
            judgement = reread(self.game, opening, played, judgement)
        return grave((*judgement.findings, *record_findings(self.game, played, judged)))


_NONE = object()
