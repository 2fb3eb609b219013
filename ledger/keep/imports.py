"""Imports.  What one import brought is taken back as one thing, and brought back as one thing.

New games are set aside.  Records that an import amended or continued are corrected to what they said before, or to what
a later import says.  What somebody has changed since is left as it is.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from ledger.keep.recorder import new_id, now
from ledger.keep.renaming import person_of
from ledger.keep.score_cards import Match, amendments
from ledger.keep.stored_audits import audit_anew, audit_of
from ledger.record.errors import NotForNow
from ledger.record.events import Amend, AnyEvent, Insert, Retract, Void
from ledger.record.record import Record, effective
from ledger.record.words import day
from ledger.stores.beside import Brought
from ledger.stores.store import SqliteStore


class Import(Struct, frozen=True):
    """An import: its number, the file, when it was, how many games it added and how many it changed.

    `undone` is when it was taken back, empty if it was not.
    """

    number: int
    file: str
    when: str
    added: int
    changed: int
    undone: str

    @property
    def words(self) -> str:
        """Its file and its day."""
        return f"{self.file} of {day(self.when[:10])}"


class TakenBack(NamedTuple):
    """What became of an import: how many games are as they were before it, and the records left as they are."""

    of: Import
    done: int
    left: list[str]


def imports(store: SqliteStore) -> list[Import]:
    """The imports that brought something, the earliest first."""
    groups = ([*rows] for _number, rows in groupby(store.kept(Brought), key=lambda row: row.number))
    return [
        Import(
            rows[0].number, rows[0].file, rows[0].when, sum(not row.before for row in rows),
            sum(bool(row.before) for row in rows), max(row.undone for row in rows),
        )
        for rows in groups
    ]  # fmt: skip


def note(store: SqliteStore, file: str, versions: Iterable[tuple[str, int, int]]) -> None:
    """Keeps what an import did: each record with its version before (0 for a new one) and after."""
    known, at = [*store.kept(Brought)], dict[tuple[str, int], list[Brought]]()
    for row in known:
        at.setdefault((row.record, row.version), []).append(row)
    number = max((row.number for row in known), default=0) + 1
    for record, old, new in versions:
        earlier = [row._replace(version=new) for row in at.get((record, old), ())]
        store.put([*earlier, Brought(number, record, old, new, new, Path(file).name, now())])


def keep(store: SqliteStore, matches: Sequence[Match], file: str) -> list[Match]:
    """Stores the games that are new, and amends those that are corrected; returns each match with its record."""
    person, why = person_of(store), f"corrected in {Path(file).name}"
    new, changed, kept = dict[str, Record](), dict[str, list[AnyEvent]](), list[Match]()
    for match in matches:
        record = new_id() if match.outcome == "new" else match.record
        if match.outcome == "new":
            new[record] = match.card.record()
        elif match.outcome == "amended":
            events = amendments(store.read(record), match.card, why, person)
            changed[record] = [replace(event, when=now()) for event in events]
        kept.append(match._replace(record=record))
    old = {record: store.version(record) for record in changed}
    # This is noted before anything is stored, so that all of it can be taken back.
    note(store, file, [
        *((record, 0, len(card.events)) for record, card in new.items()),
        *((record, old[record], old[record] + len(events)) for record, events in changed.items()),
    ])  # fmt: skip
    audits = {record: audit_of(record, card) for record, card in new.items()}
    store.append_records(((record, card.events) for record, card in new.items()), audits)
    for record, events in changed.items():
        store.append(record, old[record], events)
    audit_anew(store)
    return kept


def find(store: SqliteStore, name: str = "") -> Import:
    """The import with this number or of this file, the latest of several; without a name, the latest of all.

    Raises NotForNow if there is none.
    """
    known = [one for one in imports(store) if name in ("", str(one.number), one.file) or Path(name).name == one.file]
    if not known:
        of = f" from {name}" if name else ""
        raise NotForNow(f"nothing was imported{of}")
    return known[-1]


def take_back(store: SqliteStore, wanted: Import, *, redo: bool = False) -> TakenBack:
    """Takes an import back, or with `redo` brings it back.  Raises NotForNow if that was done already.

    A game says what the latest import of it says that was not taken back.  If all were, it is as it was before them.
    """
    of_record = defaultdict[str, list[Brought]](list)
    for row in store.kept(Brought):
        of_record[row.record].append(row)
    every = chain.from_iterable(of_record.values())
    rows = [row for row in every if row.number == wanted.number and bool(row.undone) is redo]
    if not rows:
        raise NotForNow(f"{wanted.words} was {'not taken back' if redo else 'taken back already'}")
    done, left = 0, list[str]()
    for row in rows:
        version = store.version(row.record)
        if version != row.version:
            left += [row.record] if version else []
            continue
        # With the same version, nobody has changed the record between these imports.
        same = [
            one._replace(undone="" if redo else now()) if one.number == row.number else one
            for one in of_record[row.record]
            if one.version == version
        ]
        says = next((one.after for one in reversed(same) if not one.undone), same[0].before)
        why = f"the import of {row.file} was {'brought' if redo else 'taken'} back"
        events = [*_changes(store.read(row.record), says, why)]
        if events:
            store.append(row.record, version, [replace(event, when=now()) for event in events])
            done += 1
        else:
            left.append(row.record)
        store.put([one._replace(version=version + len(events)) for one in same])
    audit_anew(store)
    return TakenBack(wanted, done, left)


def _changes(record: Record, version: int, why: str) -> Iterator[AnyEvent]:
    """What makes a record say what it said at an earlier version, or sets it aside for 0."""
    aside = not version or Record(record.events[:version]).void is not None
    if aside is (record.void is None):
        yield Void(why, undo=not aside)
    if not version:
        return
    wanted = {entry.seq: entry.event for entry in effective(record.events[:version]).entries}
    there = {entry.seq: entry.event for entry in effective(record.events).entries}
    yield from (Retract(seq, why) for seq in there if seq not in wanted)
    for seq, event in wanted.items():
        if seq in there and there[seq] != event:
            yield Amend(seq, event, why)
        elif seq not in there:
            before = next((later for later in wanted if later > seq and later in there), None)
            yield event if before is None else Insert(before, event, why)
