"""The mistakes of a record with what follows from each, for the page of a record.

Source: the rules' README, "One cause, explained".
"""

from typing import NamedTuple

import msgspec

from ledger.audit.report_in_a_sentence import cause_called, slip_at
from ledger.audit.review import Review
from ledger.audit.slip.causes import WHY, Cause, Repair
from ledger.record.event_words import in_words
from ledger.rules.game import GRAVE, Judged


class Proposal(NamedTuple):
    """A correction in words, and what makes it: one fix, or one for each act that may have been forgotten.

    A fix has a label that says which of several choices it is, or "", and its events as JSON, for one tap.  There is
    none if it only shows what would fit.
    """

    message: str
    fixes: list[tuple[str, str]]


class Explained(NamedTuple):
    """A mistake: the `place` of its act, what it is about, the corrections that would clear it, and its findings.

    Findings may be `alike`, and nothing explains them.
    """

    place: int
    called: str
    proposals: tuple[Proposal, ...]
    findings: tuple[Judged, ...]
    alike: bool = False


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
        tuple(_proposal(review, repair) for repair in cause.repairs),
        tuple(findings),
        cause.alike,
    )


def _proposal(review: Review, repair: Repair) -> Proposal:
    labels = [in_words(choice, review.names, review.squares) for choice in repair.choices] or [""]
    made = ([correction.because(WHY) for correction in repair.made(number)] for number in range(len(labels)))
    fixes = [(label, msgspec.json.encode(events).decode()) for label, events in zip(labels, made, strict=True)]
    return Proposal(repair.message, [] if repair.is_example else fixes)


def consequences(review: Review, mistakes: list[Explained]) -> frozenset[int]:
    """The places whose findings all follow from a slip somewhere else."""
    slips = {mistake.place for mistake in mistakes}
    places = {
        review.place(finding.seq)
        for mistake in mistakes
        if mistake.proposals or mistake.alike
        for finding in mistake.findings
        if finding.verdict in GRAVE
    }
    return frozenset(place for place in places if place is not None and place not in slips)
