"""A report in one sentence for players: ``Two mistakes: Ben's pass at move 7 and the score of hand 2.``"""

from ledger.audit.auditor import SCORES_ONLY
from ledger.audit.review import Review
from ledger.audit.slip.causes import Amendment, Cause, Retraction
from ledger.record import events as e
from ledger.record.event_words import called_in_words
from ledger.record.words import listed, number, plural
from ledger.rules.game import GRAVE, Finding

ALIKE = "These look like one slip."
"""What is said of many findings of one clause that nothing explains."""
MOST = 3
"""The most mistakes that are named; if there are more, only the first one is named."""


def summary(review: Review, *, calm: bool = False) -> str:
    """A report in one sentence: how many mistakes there are, and which.

    `calm`: without what the record leaves open, which is usual after an ordinary game.
    """
    if review.report.verdict == SCORES_ONLY:
        return "Only the result is known, so nothing was audited."
    findings = [finding for finding in review.report.findings if finding.verdict in GRAVE]
    findings.sort(key=lambda finding: finding.seq)
    causes = review.report.causes
    if causes and len(causes) == 1 and causes[0].repairs and len(causes[0].findings) > 1:
        return f"One mistake. {causes[0].repairs[0].message}"
    if causes and len(causes) == 1 and causes[0].alike:
        first = review.called(findings[0].seq)
        return f"One mistake. {len(causes[0].findings)} findings from {first} on look like one slip."
    names = list(dict.fromkeys(mistake(review, finding) for finding in findings))
    if causes:
        names = [cause_called(review, cause) for cause in causes]
    if not names:
        count = sum(finding.verdict == "unproven" for finding in review.report.findings)
        questions = f", but the record leaves {plural(count, 'thing')} open" if count and not calm else ""
        return f"No mistakes found{questions}."
    many = number(len(names)).capitalize()
    if len(names) > MOST:
        return f"{many} mistakes, starting with {names[0]}."
    return f"{many} mistake{'s' if len(names) > 1 else ''}: {listed(names)}."


def slip_at(review: Review, cause: Cause) -> int:
    """The seq of the act to correct, if it explains several findings; else of the first finding, which is the mistake.

    Source: the rules' README, "One cause, explained": a single finding is its own cause.
    """
    if not cause.repairs or len(cause.findings) == 1:
        return min(review.report.findings[index].seq for index in cause.findings)
    correction = cause.repairs[0].corrections[0]
    return correction.seq if isinstance(correction, Amendment | Retraction) else correction.before


def cause_called(review: Review, cause: Cause) -> str:
    """What the mistake behind findings is about: the act of its first repair; a single finding is the mistake."""
    first_finding = mistake(review, review.report.findings[cause.findings[0]])
    if cause.alike:
        return f"{len(cause.findings)} findings alike, from {first_finding} on"
    if not cause.repairs or len(cause.findings) == 1:
        return first_finding
    correction = cause.repairs[0].corrections[0]
    if not isinstance(correction, Amendment | Retraction):
        return f"what was forgotten before {review.called(correction.before)}"
    place = review.place(correction.seq)
    return first_finding if place is None else mistake_at(review, place)


def mistake(review: Review, finding: Finding) -> str:
    """What a finding is about, as part of a sentence: ``Ben's pass at move 7``."""
    place = review.place(finding.seq)
    if place is None:
        return f"the correction at {review.called(finding.seq)}"
    return mistake_at(review, place)


def mistake_at(review: Review, place: int) -> str:
    """What a mistake in the event of that step is about."""
    step = review.steps[place]
    event = step.event
    name = called_in_words(event, review.names)
    if type(event) is e.Score and event.scope == "hand" and review.game.hand_number:
        return f"{name} of hand {review.game.hand_number(step.before)}"
    return f"{name} at move {place}" if type(event) is not e.Open else name


def was_or_were(event: e.Event) -> str:
    """The verb for what an event is called: ``the totals were``."""
    plural = type(event) in (e.Aside, e.Cheats) or (type(event) is e.Score and event.scope == "game")
    return "were" if plural else "was"
