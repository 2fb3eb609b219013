"""A record and its corrections.

Nothing in a record is ever overwritten.  `effective` returns the events that are left after corrections, in place;
everything above (replay, audit, sheet, viewer) uses those and can show the history beside them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct

from ledger.record.events import ABOUT_RECORDS, Amend, AnyEvent, Correctable, Event, Insert, Open, Retract, Seq, Void
from ledger.record.lazy import lazy

_ABOUT_RECORDS = frozenset(ABOUT_RECORDS)


ByType = Mapping[type[Event], Sequence[Any]]
"""The events of each type, in order."""


def by_type(events: Iterable[Event]) -> ByType:
    """These events by their types.  A record has few types, so this answers most questions about it at once."""
    groups: dict[type[Event], list[Event]] = defaultdict(list)
    for event in events:
        groups[type(event)].append(event)
    return dict(groups)


class Branch(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a record branches off that tells what might have been: after the event `seq` of another record.

    `record` is the other one's id, empty if no ledger has it; `link` is its link there, in hexadecimal digits.
    """

    record: Annotated[str, Meta(max_length=200)]
    seq: Seq
    link: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]


class Record(Struct, frozen=True, dict=True):
    """One game at one table: its events, each at its seq.  The first is the opening.

    One with a `branch` never happened: it tells what might have been.
    """

    events: tuple[AnyEvent, ...]
    branch: Branch | None = None

    @lazy
    def by_type(self) -> ByType:
        """The same events by their types."""
        return by_type(self.events)

    @property
    def opening(self) -> Open:
        """The opening after corrections."""
        return self._openings()[-1]

    @property
    def rules(self) -> str | None:
        """The revision of the rules of this record: the one that its last opening with a revision names."""
        return next((opening.rules for opening in reversed(self._openings()) if opening.rules), None)

    @property
    def void(self) -> Void | None:
        """The event that set the record aside, if none has brought it back since."""
        last = self.by_type[Void][-1] if Void in self.by_type else None
        return None if last is None or last.undo else last

    def _openings(self) -> list[Open]:
        """The opening as it was first written, and as each correction changed it."""
        first = self.events[0]
        assert isinstance(first, Open)  # noqa: S101  the codec refuses any other record
        amended = (amend.event for amend in self.by_type.get(Amend, ()) if amend.seq == 0)
        return [first, *(opening for opening in amended if type(opening) is Open and not _another_game(first, opening))]


class Entry(Struct, frozen=True, gc=False):
    """An effective event, and the seq by which it is known."""

    seq: int
    event: Correctable


class Slip(NamedTuple):
    """A correction that corrects nothing: its seq, and why."""

    seq: int
    reason: str


class Change(NamedTuple):
    """One correction, for people: the event at `target` before it (`was`) and after it (`now`).

    `was` is None for a forgotten event, `now` for a retracted one.
    """

    seq: int
    event: Retract | Amend | Insert
    target: int
    was: Correctable | None
    now: Correctable | None


class Effective(Struct, frozen=True, dict=True):
    """The events left after corrections, in place, and the seq of each; the changes; the corrections that failed.

    `by_type` has those events by their types.
    """

    events: tuple[Correctable, ...]
    seqs: Sequence[int]
    by_type: ByType
    changes: tuple[Change, ...] = ()
    slips: tuple[Slip, ...] = ()

    @property
    def opening(self) -> Open:
        """The opening after corrections."""
        opening = self.events[0]
        assert isinstance(opening, Open)  # noqa: S101  the codec refuses any other record
        return opening

    @lazy
    def entries(self) -> tuple[Entry, ...]:
        """The same events, each with its seq."""
        return tuple(map(Entry, self.seqs, self.events))

    def longer(self, seq: int, events: Sequence[Correctable]) -> "Effective":
        """The same with these events after it, the first of them at `seq`; none of them may be about the record."""
        end = seq + len(events)
        seqs = range(end) if isinstance(self.seqs, range) else [*self.seqs, *range(seq, end)]
        more = {kind: [*self.by_type.get(kind, ()), *group] for kind, group in by_type(events).items()}
        return Effective((*self.events, *events), seqs, {**self.by_type, **more}, self.changes, self.slips)


def effective(events: Sequence[AnyEvent], groups: ByType | None = None) -> Effective:
    """What happened at the table, after all corrections.  `groups` are the same events by type, if they are known.

    An amended event keeps its place and seq.  An inserted event comes directly before the event that the insert names,
    and its seq is that of the insert.  Two inserts before the same event keep the order in which they were recorded.
    A correction of a later event, a retracted one, or another correction changes nothing and is among the slips.
    """
    groups = by_type(events) if groups is None else groups
    if _ABOUT_RECORDS.isdisjoint(groups):
        return Effective(tuple(events), range(len(events)), groups)  # type: ignore[arg-type]  # no corrections among them
    corrections = Corrections()
    for event in events:
        corrections.add(event)
    return corrections.effective()


class Corrections:
    """The corrections of a record, read one event at a time; each costs the same, however many came before."""

    def __init__(self) -> None:
        self._standing: dict[int, Correctable | None] = {}
        self._order: list[int] = []
        self._before: dict[int, list[int]] = {}
        self._changes: list[Change] = []
        self._slips: list[Slip] = []
        self._seq = 0

    def add(self, event: AnyEvent) -> Change | None:
        """Adds the next event of the record; returns what it changes, None for an event that corrects nothing."""
        reason = self.refuse(event) if isinstance(event, Retract | Amend | Insert) else None
        seq, self._seq = self._seq, self._seq + 1
        if isinstance(event, Void):
            return None
        if not isinstance(event, Retract | Amend | Insert):
            self._standing[seq] = event
            self._order.append(seq)
            return None
        target = _target(event)
        if reason:
            self._slips.append(Slip(seq, reason))
            return None
        if isinstance(event, Insert):
            self._standing[seq] = event.event
            self._before.setdefault(target, []).append(seq)
            change = Change(seq, event, seq, None, event.event)
        else:
            now = event.event if isinstance(event, Amend) else None
            change = Change(seq, event, target, self._standing[target], now)
            self._standing[target] = now
        self._changes.append(change)
        return change

    def refuse(self, event: Retract | Amend | Insert) -> str | None:
        """Why this correction, as the next event, would change nothing, or None."""
        target = _target(event)
        if target >= self._seq:
            return f"There is no earlier move {target} to correct"
        if target not in self._standing:
            return f"Move {target} is a correction itself: record what really happened instead"
        if isinstance(event, Insert):
            return "Nothing happened before the opening" if target == 0 else None
        now = self._standing[target]
        if now is None:
            return f"Move {target} was deleted already: record it again instead"
        if (
            isinstance(event, Amend)
            and isinstance(now, Open)
            and isinstance(event.event, Open)
            and (_another_game(now, event.event))
        ):
            kind = "a score card, or cease to be one" if now.game == event.event.game else "one of another game"
            return f"A record cannot become {kind}: begin a new record instead"
        return None

    def effective(self) -> Effective:
        """The events that are left after these corrections."""
        standing = {seq: event for seq in self._in_place() if (event := self._standing[seq]) is not None}
        return _effective(standing, self._changes, self._slips)

    def _in_place(self) -> list[int]:
        """The seqs in the order at the table: inserted events come before the event that their insert names."""
        before, waiting, seqs = dict(self._before), self._order[::-1], list[int]()
        while waiting:
            seq = waiting.pop()
            inserted = before.pop(seq, None)
            if inserted is None:
                seqs.append(seq)
            else:
                waiting += [seq, *reversed(inserted)]
        return seqs


def _target(event: Retract | Amend | Insert) -> int:
    return event.before if isinstance(event, Insert) else event.seq


def as_written(events: Sequence[AnyEvent]) -> Effective:
    """The events as they were first written down: without the corrections."""
    return _effective(
        {seq: event for seq, event in enumerate(events) if not isinstance(event, Retract | Amend | Insert | Void)}
    )


def _effective(
    standing: Mapping[int, Correctable], changes: Sequence[Change] = (), slips: Sequence[Slip] = ()
) -> Effective:
    events = tuple(standing.values())
    return Effective(events, list(standing), by_type(events), tuple(changes), tuple(slips))


def _another_game(now: Open, amended: Open) -> bool:
    """Whether an amendment would change the game of an opening, or turn a game into a score card or back."""
    return (amended.game, amended.card) != (now.game, now.card)
