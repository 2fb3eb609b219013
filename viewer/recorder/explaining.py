"""What explains the findings of the game on a phone, worked out beside the rules while nothing else is asked.

Source: the rules' README, "One cause, explained".
"""

from __future__ import annotations

from time import perf_counter

from msgspec import Struct

from ledger.audit.causes import Budget, Pieces, clock, in_pieces
from ledger.audit.repairs import Cause
from ledger.audit.review import Review
from ledger.audit.summary import summary
from ledger.rules.game import GRAVE
from viewer.pages.explained import explained
from viewer.recorder.page_parts import mistakes
from viewer.recorder.remarks import remark

PIECE = 0.02
"""Seconds until the search pauses, so that a tap never waits for it."""
LONGEST = 5.0
"""Seconds of the processor's time for searching: a browser takes several times as long as a server."""


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
        self._worked = 0.0
        # Pauses do not count, so the search is not measured by a clock that goes on meanwhile.
        budget = Budget(float("inf"), cancelled=lambda: self._worked > LONGEST)
        self._pieces: Pieces[tuple[Cause, ...]] = in_pieces(review, budget)

    def go_on(self) -> tuple[Cause, ...] | None:
        """Searches for one piece of time; returns the causes when the search is over."""
        end, now = perf_counter() + PIECE, clock()
        try:
            while perf_counter() < end:
                next(self._pieces)
                now, before = clock(), now
                self._worked += now - before
        except StopIteration as over:
            found: tuple[Cause, ...] = over.value
            self._pieces = _answered(found)
            return found
        return None


class Explaining(Searching):
    """The search for what explains the findings of a record on the recorder's page."""

    def __init__(self, review: Review) -> None:
        super().__init__(review)
        self.review = review

    def explanation(self) -> Explanation:
        """Searches for one piece of time."""
        causes = self.go_on()
        if causes is None:
            return Explanation(done=False)
        review = Review(self.review.record, self.review.name)
        review.explain(causes)
        found = [
            (mistake, [remark(review, finding) for finding in mistake.findings if finding.verdict in GRAVE])
            for mistake in explained(review)
        ]
        shown = mistakes(found) if any(mistake.proposals for mistake, _remarks in found) else ""
        return Explanation(done=True, mistakes=shown, summary=summary(review))


def _answered(causes: tuple[Cause, ...]) -> Pieces[tuple[Cause, ...]]:
    """A search that is over."""
    yield from ()
    return causes
