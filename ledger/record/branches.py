"""Branches: records that tell what might have been after an event of another record.

They are audited and replayed like any record, and are in no ledger, list, count or statistic.

Source: the record format, version 1 (`from`).
"""

from itertools import takewhile

from ledger.record import chain
from ledger.record.errors import NotARecord, NotForNow
from ledger.record.events import Amend, AnyEvent, Close, Insert, Retract
from ledger.record.record import Branch, Record, effective

_WHY = "corrected later in the real game"


def branch_of(record: Record, seq: int, record_id: str = "") -> Record:
    """What might have been after the move `seq`: a record with the table that a replay shows there.

    It begins with events of the other record, unchanged.  What was corrected later comes after them, as corrections of
    its own.  A game that is closed branches off before that.  Raises NotForNow if corrections left no such move.
    """
    entries = effective(record.events, record.by_type).entries
    place = next((place for place, entry in enumerate(entries) if entry.seq == seq), None)
    if place is None:
        raise NotForNow(f"there is no event {seq} in this game, or it was deleted")
    shown = list(takewhile(lambda entry: not isinstance(entry.event, Close), entries[: place + 1]))
    last = max(entry.seq for entry in shown if not isinstance(record.events[entry.seq], Insert))
    first, wanted = record.events[: last + 1], {entry.seq: entry.event for entry in shown}
    before = {entry.seq: entry.event for entry in effective(first).entries}
    own: list[AnyEvent] = [
        Amend(target, wanted[target], _WHY) if target in wanted else Retract(target, _WHY)
        for target, event in before.items()
        if wanted.get(target) != event
    ]
    for place, entry in enumerate(shown):
        if entry.seq not in before:
            following = next((later.seq for later in shown[place:] if later.seq in before), None)
            own.append(entry.event if following is None else Insert(following, entry.event, _WHY))
    return Record((*first, *own), Branch(record_id, last, _link(first)))


def check_branch(record: Record) -> Record:
    """The same record.  Raises NotARecord if it says that it branches off where it does not."""
    branch = record.branch
    if branch and (len(record.events) <= branch.seq or _link(record.events[: branch.seq + 1]) != branch.link):
        raise NotARecord(f"its events up to {branch.seq} do not have the link that `from` gives", field="$.from.link")
    return record


def happened(record: Record, name: str | None = None) -> Record:
    """The same record, for ledgers, lists and counts.  Raises NotARecord if it tells what might have been."""
    if record.branch:
        reason = "this is a what-if: its end never happened, so it is in no ledger, list or count"
        raise NotARecord(reason, source=name)
    return record


def _link(events: tuple[AnyEvent, ...]) -> str:
    """The last link of these events."""
    return chain.links(map(chain.chained_bytes, events))[-1].hex()
