"""What is asked before an entry is recorded that breaks a rule, or corrects another one."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ledger.audit.review import Review
from ledger.play.forms import news
from ledger.record.events import CORRECTIONS, MOVES, Amend, AnyEvent, Insert, Open, Retract
from ledger.record.record import Record, effective
from ledger.record.words import number, sentence
from ledger.rules.game import GRAVE, Judged
from viewer.phone.recorded_moves import called
from viewer.phone.recorder_parts import html
from viewer.phone.recorder_view import remark


class Asked(Struct, frozen=True):
    """What is asked before an entry is recorded; None if it can be recorded at once."""

    question: "Question | None"


def question_about(record_id: str, record: Record, events: Sequence[AnyEvent]) -> "Question | None":
    """What is asked about the last of these events, or about the last two if they move an entry.

    Raises NotARecord.
    """
    before, after, findings = news(record, events, record_id, 2 if moves_entry(record, events) else 1)
    return _question(before, after, events[-1], findings)


class Question(Struct, frozen=True):
    """A question, its text as HTML, and the label of the button for yes; without one, the entry cannot be recorded."""

    title: str
    body: str
    yes: str


def moves_entry(record: Record, events: Sequence[AnyEvent]) -> bool:
    """Whether the last two of these events move an entry of the record: one deletes it, the other inserts it."""
    if len(events) < 2:
        return False
    deletion, insertion = events[-2:]
    if not isinstance(deletion, Retract) or not isinstance(insertion, Insert):
        return False
    entries = effective((*record.events, *events[:-2])).entries
    moved = next((entry.event for entry in entries if entry.seq == deletion.seq), None)
    return moved is not None and replace(moved, when=None, by=None) == replace(insertion.event, when=None, by=None)


def _question(before: Review, after: Review, event: AnyEvent, findings: Sequence[Judged]) -> Question | None:
    """What is asked about the event that `after` has more; None if it can be recorded at once."""
    grave = [finding for finding in findings if finding.verdict in GRAVE]
    if isinstance(event, CORRECTIONS):
        return _of_correction(before, after, event, grave) if grave or isinstance(event, Retract) else None
    if not grave:
        return None
    body = html("question", [remark(after, finding) for finding in grave], "")
    if any(finding.verdict == "impossible" for finding in grave):
        return Question("That cannot be recorded", body, "")
    return Question("That breaks a rule. Did it happen anyway?", body, "Yes, record it")


def _of_correction(before: Review, after: Review, event: AnyEvent, grave: Sequence[Judged]) -> Question:
    """The question about a correction, with what becomes of the later entries."""
    target = event.before if isinstance(event, Insert) else event.seq  # type: ignore[union-attr]  # a correction has one
    place = before.place(target) or 0
    entry = _called(before, target)
    own = len(after.record.events) - 1
    moved = after.record.events[-2]
    if len(after.record.events) - len(before.record.events) > 1 and isinstance(moved, Retract):
        title, yes = f"Move {_called(before, moved.seq)} before {entry}?", "Move"
    elif isinstance(event, Retract):
        title, yes = f"Delete {entry}?", "Delete"
    elif isinstance(event, Amend):
        own = event.seq
        title, yes = f"Change {entry} to {_called(after, own)}?", "Change"
    else:
        title, yes = f"Insert {_called(after, own)} before {entry}?", "Insert"
    later = before.steps[place if isinstance(event, Insert) else place + 1 :]
    fitted = {step.seq for step in later} - {f.seq for f in before.report.findings if f.verdict in GRAVE}
    misfits = fitted & {finding.seq for finding in grave}
    moves = {step.seq for step in later if type(step.event) in MOVES}
    words = later_words(len(moves), len(misfits & moves), len(misfits - moves))
    rules = [remark(after, finding) for finding in grave if finding.seq == own]
    return Question(title, html("question", rules, words), yes)


def _called(review: Review, seq: int) -> str:
    place = review.place(seq)
    if place is None:
        return "an entry"
    if type(review.steps[place].event) is Open:
        return "the opening"
    return called(review.phrase(place), review.opening.names)


def later_words(moves: int, misfits: int, others: int) -> str:
    """What becomes of the later entries; empty if there are none.

    `misfits` of the `moves`, and so many `others`, fitted until now.
    """
    stay = f"{number(moves)} later {'move stays' if moves == 1 else 'moves stay'}"
    who = "it" if moves == 1 else number(misfits)
    fit = f"; {who} no longer {'fits' if misfits == 1 else 'fit'}" if misfits else ""
    other = f"{number(others)} other {'entry no longer fits' if others == 1 else 'entries no longer fit'}"
    return " ".join(map(sentence, ([stay + fit] if moves else []) + ([other] if others else [])))
