"""The mistakes of a record with what follows from each, for the page of a record.

Source: the rules' README, "One cause, explained".
"""

from typing import NamedTuple

import msgspec

from ledger.audit.report_in_a_sentence import cause_called, slip_at
from ledger.audit.review import Review
from ledger.audit.slip.causes import WHY, Cause, Repair
from ledger.rules.game import GRAVE, Judged


class Proposal(NamedTuple):
    """A correction in words, and the events that make it, as JSON."""

    message: str
    events: str


class Explained(NamedTuple):
    """A mistake: the `place` of its act, what it is about, the corrections that would clear it, and its findings."""

    place: int
    called: str
    proposals: tuple[Proposal, ...]
    findings: tuple[Judged, ...]


def explained(review: Review) -> list[Explained]:
    """The mistakes in a report whose causes are known, in the order of the game."""
    mistakes = [_explained(review, cause) for cause in review.report.causes or ()]
    return sorted(mistakes, key=lambda mistake: mistake.place)


def _explained(review: Review, cause: Cause) -> Explained:
    findings = sorted((review.judged[index] for index in cause.findings), key=lambda finding: finding.seq)
    place = review.place(slip_at(review, cause))
    return Explained(
        0 if place is None else place,
        cause_called(review, cause),
        tuple(map(_proposal, cause.repairs)),
        tuple(findings),
    )


def _proposal(repair: Repair) -> Proposal:
    events = [correction.because(WHY) for correction in repair.made()]
    return Proposal(repair.message, msgspec.json.encode(events).decode())


def consequences(review: Review, mistakes: list[Explained]) -> frozenset[int]:
    """The places whose findings all follow from a slip somewhere else."""
    slips = {mistake.place for mistake in mistakes}
    places = {
        review.place(finding.seq)
        for mistake in mistakes
        if mistake.proposals
        for finding in mistake.findings
        if finding.verdict in GRAVE
    }
    return frozenset(place for place in places if place is not None and place not in slips)
