"""What Undo takes back: the last thing that was done, and the corrections that take it back.

A record only grows, so taking back is recorded, too: as corrections with the reason `TAKEN_BACK`.  These are not taken
back themselves.  Taking back again goes on backwards, in the order in which things were done.
"""

from collections.abc import Sequence
from itertools import islice
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ledger.audit.slip.causes import WHY
from ledger.record.chain import UNCOUNTED
from ledger.record.events import Amend, AnyEvent, Close, Event, Insert, Retract
from ledger.record.record import Change, Corrections

TAKEN_BACK = "taken back at once"
Correction = Retract | Amend | Insert
E = TypeVar("E", bound=Event | None)


class Undo(Struct, frozen=True):
    """One thing that was done: the seqs of the events that did it, and the corrections that take it back, in order."""

    seqs: tuple[int, ...]
    corrections: tuple[Correction, ...]


def undoable(events: Sequence[AnyEvent], most: int | None = None) -> tuple[Undo, ...]:
    """What was done in a record and can be taken back, the latest first, up to a number of them.

    That is every event but the opening, confirmations and voids.  A deleted close was taken back by that, too.
    """
    done = _Done()
    for event in events:
        done.add(event)
    return tuple(map(_undo, islice(reversed(done.stack), most)))


class _Done:
    """What was done in a record and not taken back.

    In the stack, a seq alone stands for an event that Undo deletes.
    """

    def __init__(self) -> None:
        self.stack: list[int | Undo] = []
        self._corrections = Corrections()
        self._last: Change | None = None
        """The last change, if it is something that was done."""
        self._seq = 0

    def add(self, event: AnyEvent) -> None:
        """Adds the next event of the record."""
        seq, self._seq = self._seq, self._seq + 1
        change = self._corrections.add(event)
        if not isinstance(event, Correction):
            if seq and type(event) not in UNCOUNTED:
                self.stack.append(seq)
        elif change is not None and not self._takes_back(event, seq):
            if type(change.was) is Close and change.now is None:
                self.stack = [undo for undo in self.stack if change.target not in _targets(undo)]
            else:
                self._correct(change)
                self._last = change

    def _takes_back(self, event: Correction, seq: int) -> bool:
        """Whether a correction takes back the last thing that was done; that is then no longer there."""
        if event.why != TAKEN_BACK or not self.stack:
            return False
        last = _undo(self.stack[-1])
        if _bare(event) != _bare(last.corrections[0]):
            return False
        del self.stack[-1]
        if isinstance(event, Insert):  # what was deleted is known by another seq now
            self.stack = [_renumbered(undo, event.before, seq) for undo in self.stack]
        if last.corrections[1:]:
            self.stack.append(Undo(last.seqs, last.corrections[1:]))
        return True

    def _correct(self, change: Change) -> None:
        """Adds a correction.  One that is made together with the last is one thing with it."""
        back: Correction
        if isinstance(change.event, Insert):
            back = Retract(change.seq, TAKEN_BACK)
        else:
            assert change.was is not None  # noqa: S101  only an inserted event was nothing before
            kind = Insert if change.now is None else Amend
            back = kind(change.target, change.was, TAKEN_BACK)
        if self._last is not None and _are_one(self._last, change):
            before = _undo(self.stack.pop())
            self.stack.append(Undo((*before.seqs, change.seq), (back, *before.corrections)))
        else:
            self.stack.append(change.seq if isinstance(change.event, Insert) else Undo((change.seq,), (back,)))


def _are_one(first: Change, second: Change) -> bool:
    """Whether two changes, recorded together, are one thing: one proposal, an event moved, or two events swapped."""
    together = (first.event.why, first.event.when) == (second.event.why, second.event.when)
    if not together or second.seq != first.seq + 1:
        return False
    # What the first one put away, the second one puts there: nothing in its place if the event was moved.
    crossed = _plain(first.was) == _plain(second.now) and _plain(first.now) == _plain(second.was)
    return first.event.why == WHY or (crossed and first.was is not None and first.target != second.target)


def _undo(done: int | Undo) -> Undo:
    return done if isinstance(done, Undo) else Undo((done,), (Retract(done, TAKEN_BACK),))


def _targets(done: int | Undo) -> list[int]:
    """The seqs of the events that taking this back would delete or change."""
    return [correction.seq for correction in _undo(done).corrections if not isinstance(correction, Insert)]


def _renumbered(done: int | Undo, old: int, new: int) -> int | Undo:
    if old not in _targets(done):
        return done
    undo = _undo(done)
    corrections = (
        correction if isinstance(correction, Insert) or correction.seq != old else replace(correction, seq=new)
        for correction in undo.corrections
    )
    return Undo(undo.seqs, tuple(corrections))


def _plain(event: E) -> E:
    """An event without when and by whom it was recorded."""
    return event if event is None else replace(event, when=None, by=None)


def _bare(correction: Correction) -> Correction:
    """A correction without when and by whom it and its event were recorded."""
    if isinstance(correction, Amend | Insert):
        correction = replace(correction, event=_plain(correction.event))
    return _plain(correction)
