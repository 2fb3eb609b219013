"""The ledger as one SQLite file: a log of events that only grows, a list that follows from it, and names beside it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self

import msgspec

from ledger.record import codec
from ledger.record.chain import Names
from ledger.record.errors import Corrupt, LedgerError, NotARecord, NotForNow, WrongVersion, no_record
from ledger.record.events import Amend, AnyEvent
from ledger.record.record import Record
from ledger.record.words import plural
from ledger.stores.beside import Beside, K, Kept, Named, Trace
from ledger.stores.connection import OF_A_THREAD, Connection
from ledger.stores.event_log import (
    MOST_BYTES,
    EventLog,
    EventRow,
    Logged,
    Packed,
    admit,
    checked_length,
    encode,
    event_rows,
    find_retry,
    has_intact_id,
    listed,
    pack,
    read_back,
    size_of,
)
from ledger.stores.query import MOST_ROWS, Audit, Corruption, Query, Row
from ledger.stores.record_list import Entry, RecordList, changes_row, named_players, row_of

NO_AUDITS: Mapping[str, Audit] = MappingProxyType({})


class SqliteStore:
    """A ledger in one file.  One object serves one thread; several processes may write to the same ledger.

    Close it, or use it in a `with`.  A record is a list of events that only grows; its version is their number.  A
    writer states the version it has seen, so two writers cannot both write the next event.  The list of records follows
    from the events and can be made anew at any time.

    Beside the file is its high-water mark (`FILE.head`).  If the file has fewer events than the mark says, some were
    lost, and the store refuses to write until you have looked.

    Reading writes nothing.  The first write turns the write-ahead log on (`FILE-wal`) for good, so that readers and
    writers never wait for each other.  The last program that closes the ledger moves everything into the file, which is
    then the whole ledger, and says so (`PRAGMA application_id`).
    """

    connect: ClassVar[type[Connection]] = Connection

    def __init__(self, path: Path | str, *, outdated: bool = False) -> None:
        """Opens or creates the ledger.  Raises NotALedger for another kind of file, or one of another schema.

        `outdated`: an older schema is opened too, to `migrate` it.
        """
        self.connection = self.connect(path, outdated=outdated)
        self._log = EventLog(self.connection)
        self._list = RecordList(self.connection)
        self._beside = Beside(self.connection)

    @property
    def path(self) -> Path:
        """The file."""
        return self.connection.path

    # ── Appending ──────────────────────────────────────────────────────────────────────────────────────────

    def append(
        self, record_id: str, expected: int | None, events: Sequence[AnyEvent], event_ids: Sequence[str] | None = None
    ) -> int:
        """Appends all of these events or none, and returns the version after them.

        `expected` is the version that the writer has seen, or None for any; 0 opens a record, whose first event is its
        opening.
        `event_ids` are the client's own, one per event, and make retries safe: events at the start of the batch that
        are stored already are skipped, and the rest must follow directly.  If the whole batch was stored already, the
        version after its last event is returned, even if the record has grown since.

        Raises WrongVersion with the events that the writer has missed, IdReused for an id of another event,
        UnknownRecord for a missing record, NotARecord for events that would make the record invalid or too large.
        """
        with self.connection.writing():
            end = self._log.end_of(record_id, event_ids or ())
            version = end.version
            if expected is None:
                expected = version
            if event_ids is not None:
                stored = self._log.by_id(record_id, event_ids) if end.repeated else {}
                retry = find_retry(record_id, events, event_ids, stored)
                if retry is not None and retry.known == len(events):
                    return retry.version
                if retry is not None:
                    events, event_ids, expected = events[retry.known :], event_ids[retry.known :], retry.version
            if not version and expected:
                raise no_record(record_id)
            if expected != version:
                raise WrongVersion(record_id, expected, version, self._events(record_id, expected))
            if not events:
                return version
            encoded = encode(events, version)
            admit(end, encoded, events)
            self._log.insert(event_rows(self._log.next_position(), record_id, end, encoded, event_ids))
            if encoded.names:
                self._beside.keep(_named(record_id, encoded.names))
            if version and not changes_row(events):
                self._list.lengthen(record_id, len(events), encoded.size, len(event_ids or ()), judged=end.judged)
            else:
                self._list_anew(record_id, len(event_ids or ()))
        return version + len(events)

    def append_records(
        self, records: Iterable[tuple[str, Sequence[AnyEvent] | Packed]], audits: Mapping[str, Audit] = NO_AUDITS
    ) -> int:
        """Adds whole records under new ids, with their audits by id, all of them or none; returns their number.

        Raises WrongVersion for an id in use, NotARecord for events that are not a record.
        """
        count, rows, entries, names = 0, list[EventRow](), dict[str, Entry](), list[Named]()

        def flush() -> None:
            self._refuse_known(entries)
            self._log.insert(rows)
            self._beside.keep(names)
            self._list.enter(list(entries.values()))
            for waiting in (rows, names, entries):
                waiting.clear()

        with self.connection.writing():
            position = self._log.next_position()
            for record_id, contents in records:
                if len(rows) > MOST_ROWS or record_id in entries:
                    flush()
                packed = contents if isinstance(contents, Packed) else pack(contents)
                rows += [
                    (position + seq, record_id, seq, None, None, body, link)
                    for seq, (body, link) in enumerate(zip(packed.bodies, packed.links, strict=True))
                ]
                names += _named(record_id, packed.names)
                audit = audits.get(record_id)
                fits = audit is not None and audit.version == len(packed.bodies)
                entry = _entry(record_id, packed.record, position, packed.size)
                entries[record_id] = entry._replace(audit=audit if fits else None)
                position += len(packed.bodies)
                count += 1
            flush()
        return count

    def _refuse_known(self, ids: Mapping[str, object]) -> None:
        query = "SELECT id, version FROM record WHERE id IN (SELECT value FROM json_each(?))"
        for record_id, version in self.rows(query, (listed(ids),)):
            raise WrongVersion(record_id, 0, version, self._events(record_id))

    def append_log(self, log: Iterable[Logged]) -> int:
        """Adds events from the log of another ledger, all of them or none; returns their number.

        They must continue where this ledger ends: both then have the same head of the log.  Raises Corrupt for an event
        that does not follow from the one before it.
        """
        with self.connection.writing():
            rows: list[EventRow] = [
                (position, entry.record, entry.seq, *_id_of(entry), entry.body, entry.link)
                for position, entry in enumerate(self._log.follow_on(log), self._log.next_position())
            ]
            self._log.insert(rows)
            ids = Counter(row[1] for row in rows if row[3] is not None)
            for record_id in dict.fromkeys(row[1] for row in rows):
                self._list_anew(record_id, ids[record_id])
        return len(rows)

    def _list_anew(self, record_id: str, more_ids: int = 0) -> int:
        """Makes a record's row in the list anew, without the audit, which was of an earlier version; returns its size.

        The number of ids is not read off the events, because they may have lost some.
        """
        opened = self.rows("SELECT position FROM event WHERE record = ? AND seq = 0", (record_id,))[0][0]
        counted = self.rows("SELECT ids FROM record WHERE id = ?", (record_id,))
        self._list.leave(record_id, opened)
        entry = self._entry_of(record_id, opened)
        self._list.enter([entry._replace(ids=more_ids + (int(counted[0][0]) if counted else 0))])
        return entry.size

    def _entry_of(self, record_id: str, opened: int) -> Entry:
        """A record for the list, read off its events.  Raises NotARecord or Corrupt if they cannot be read."""
        rows = self.rows("SELECT body, event_id FROM event WHERE record = ? ORDER BY seq", (record_id,))
        bodies, names = [row[0] for row in rows], self._beside.names_of(record_id)
        record = codec.check(read_back(bodies, 0, names))
        ids = sum(event_id is not None for _body, event_id in rows)
        return _entry(record_id, record, opened, size_of(bodies, names))._replace(ids=ids)

    # ── Reading ────────────────────────────────────────────────────────────────────────────────────────────

    def _events(self, record_id: str, since: int = 0, upto: int | None = None) -> tuple[AnyEvent, ...]:
        return self._log.events(record_id, since, upto, self._beside.names_of(record_id, since, upto))

    def read(self, record_id: str, upto: int | None = None) -> Record:
        """The record, or its first `upto` events.  Raises UnknownRecord, and NotForNow for an `upto` below 1."""
        events = self._events(record_id, upto=checked_length(upto))
        if not events:
            raise no_record(record_id)
        return codec.check(events)

    def events(self, record_id: str, since: int = 0) -> Iterator[tuple[int, AnyEvent]]:
        """The events from seq `since` on, each with its seq.  Raises UnknownRecord."""
        if not self.version(record_id):
            raise no_record(record_id)
        since = max(since, 0)
        return iter(list(enumerate(self._events(record_id, since), since)))

    def version(self, record_id: str) -> int:
        """The number of events in the record; 0 if there is no such record."""
        return self._list.version(record_id)

    def ids(self, part: str = "") -> tuple[str, ...]:
        """The ids of all records, or of those whose id contains `part`, in the order of opening."""
        return self._list.ids(part)

    def find(self, query: Query) -> list[Row]:
        """The records that match a query, in its order.  Names that the owner merged are one person."""
        return self._list.find(query)

    def count_records(self, query: Query) -> int:
        """The number of records that match a query, whatever its limit and offset."""
        return self._list.count_records(query)

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows of a question in SQL (placeholders are `?`) to the ledger's tables and views."""
        return self.connection.rows(statement, values)

    def log(self, since: int = 0, upto: int | None = None, of: str | None = None) -> Iterator[Logged]:
        """The events after the first `since` (up to the first `upto`), in order of writing; all, or `of` a record."""
        size = self.size() if of is None else self.version(of)
        return self._log.log(since, size if upto is None else min(upto, size), of)

    def size(self) -> int:
        """The number of events in the ledger."""
        return int(self.rows("SELECT coalesce(max(position), 0) FROM event")[0][0])

    # ── What stands beside ─────────────────────────────────────────────────────────────────────────────────

    def kept(self, kind: type[K], record: str | None = None) -> Iterator[K]:
        """What is kept of this kind, of a record or of all, in the order of its key; an alias belongs to no record."""
        return self._beside.kept(kind, record)

    def put(self, items: Iterable[Kept]) -> None:
        """Keeps these, each in place of what has the same key.  The record need not exist yet.

        A comment with the number 0 gets the next one of its record.  An event whose `Named` has no names loses them.
        Raises NotForNow for too many comments, and for names with which a record would be too large.
        """
        items = list(items)
        with self.connection.writing():
            self._beside.put(items)
            self._list_renamed(items)

    def drop(self, items: Iterable[Kept]) -> int:
        """Deletes what has the keys of these; returns how many there were."""
        items = list(items)
        with self.connection.writing():
            dropped = self._beside.drop(items)
            self._list_renamed(items)
        return dropped

    def _list_renamed(self, items: Iterable[Kept]) -> None:
        """Lists the records anew in whose events names were replaced."""
        records = dict.fromkeys(item.record for item in items if isinstance(item, Named))
        self._beside.count("renaming", int(bool(records)))
        for record in records:
            if self.version(record) and self._list_anew(record) > MOST_BYTES:
                raise NotForNow(f"with so long a name, record {record} would have more than {MOST_BYTES // 10**6} MB")

    def note_audits(self, audits: Iterable[Audit]) -> None:
        """Stores audits, each of its version.  One of a record that has grown since is left out."""
        with self.connection.writing():
            self._list.note_audits(audits)

    def forget_traces(self) -> list[Trace]:
        """Removes erased names from the underlying files; returns what may still have them.

        It waits a while for readers that hold an old state.
        """
        if self.connection.empty_journal():
            return []
        reason = (
            f"{self.path} and its -wal still hold erased names, because another program is reading an old state. "
            "Run `domino-ledger forget` again, without a name, when that program has ended"
        )
        return [Trace(reason, again=True)]

    # ── What was lost or changed ───────────────────────────────────────────────────────────────────────────

    def loss(self) -> str:
        """What the ledger has lost, as far as that is known without reading all of it; empty if nothing."""
        return self.connection.displaced() or self._log.loss()

    def accept_loss(self) -> None:
        """Goes on without the events that are gone from the end: from now on nothing misses them."""
        with self.connection.writing():
            rows = self.connection.db.execute("SELECT record, link FROM event ORDER BY position")
            self.connection.mark.start_over(rows)

    def damage(self) -> list[str]:
        """Damage that the database reports, such as an index that does not match its table; gaps between events."""
        messages = [str(row[0]) for row in self.rows("PRAGMA integrity_check (20)")]
        messages = [] if messages == ["ok"] else messages
        doubts = filter(None, (self.connection.doubt, self.connection.displaced()))
        return [*doubts, *self._log.gaps(), *messages]

    def differences(self, of: str | None = None) -> Iterator[Corruption]:
        """The rows of the list, of names, audits and keys that are missing, too many, or not as they were written.

        All of them, or those `of` a record.  Also triggers, views and indexes that are missing or changed.
        """
        with self.connection.reading():
            found = list[Corruption]()
            unreadable = set[str]()
            self._list.make_beside(self._entries(of, found, unreadable), of)
            found += self._list.beside_differences(unreadable, of)
            if of is None:
                found += self._beside.differences()
                found += (Corruption("", message) for message in self._list.wrong_objects())
        return iter(dict.fromkeys(found))

    def _entries(self, of: str | None, found: list[Corruption], unreadable: set[str]) -> Iterator[Entry]:
        """The records for the list, read off their events; those whose names were changed are found `unreadable`."""
        where, values = ("", ()) if of is None else (" AND record = ?", (of,))
        query = f"SELECT record, position FROM event WHERE seq = 0{where} ORDER BY position"  # noqa: S608
        for record_id, position in self.rows(query, values):
            try:
                yield self._entry_of(record_id, position)
            except Corrupt as error:
                unreadable.add(record_id)
                found.append(Corruption(record_id, str(error).removeprefix(f"record {record_id}: ")))
            except (NotARecord, AssertionError):  # the check of the events names it
                unreadable.add(record_id)

    def rebuild(self) -> list[Corruption]:
        """Makes the list anew from the events, and mends names and keys; returns what could not be restored.

        Stored audits are deleted: no event contains them, and they are made again.
        """
        with self.connection.writing():
            lost = [*self._lost_ids(), *self._names_from_list()]
            lost += self._beside.mend()
            self._beside.count_anew()
            self._list.clear()
            self._beside.count("renaming", 1)  # what others have read may have been damaged
            for record_id, position in self.rows("SELECT record, position FROM event WHERE seq = 0 ORDER BY position"):
                try:
                    self._list.enter([self._entry_of(record_id, position)])
                except (NotARecord, Corrupt) as error:
                    lost.append(Corruption(record_id, f"its events cannot be read, only a backup has them: {error}"))
        return lost

    def _lost_ids(self) -> Iterator[Corruption]:
        query = (
            "SELECT r.id, r.ids - count(e.event_id) FROM record r JOIN event e ON e.record = r.id "
            "GROUP BY r.id, r.ids, r.opened HAVING r.ids > count(e.event_id) ORDER BY r.opened"
        )
        for record_id, ids in self.rows(query):
            lost = plural(ids, "id that phones gave to events is", "ids that phones gave to events are")
            yield Corruption(record_id, f"{lost} gone: only a backup has them")

    def _names_from_list(self) -> Iterator[Corruption]:
        """Deletes names that were changed, and restores those of players from the list; yields what is lost."""
        total = dict(self.rows("SELECT of, number FROM total")).get("name", 0)
        missing = total - self.rows("SELECT count(*) FROM name")[0][0]
        bad = {(row[0], row[1]): str(row[2]) for row in self._beside.changed(Named)}
        self.connection.many("DELETE FROM name WHERE record = ? AND seq = ?", list(bad))
        stray = "NOT EXISTS (SELECT 1 FROM event e WHERE e.record = n.record AND e.seq = n.seq)"
        strays = self.rows(f"SELECT count(*) FROM name n WHERE {stray}")[0][0]  # noqa: S608  a constant
        if not bad and missing + strays <= 0:
            return
        intact = {record for (record,) in self.rows("SELECT record FROM name WHERE seq = 0")}
        restored = set[tuple[str, int]]()
        for record_id, text in self.rows("SELECT id, players FROM record"):
            names = None if record_id in intact else self._names_shown(record_id, text)
            if names:
                self._beside.keep([Named(record_id, 0, Names(players=names))])
                restored.add((record_id, 0))
        for (record_id, seq), text in bad.items():
            if (record_id, seq) not in restored:
                yield Corruption(record_id, f"the names at event {seq} are lost: only a backup has them")
            elif '"by":' in text or '"recorder":' in text:
                yield Corruption(record_id, "who recorded its opening is lost: only a backup has it")
        missing -= len(restored - bad.keys())
        if missing > 0:
            lost = plural(missing, "row with names is", "rows with names are")
            yield Corruption("", f"{lost} gone: only a backup has them")

    def _names_shown(self, record_id: str, players: str) -> dict[str, str]:
        """The names that the list shows of the players of a record whose opening was not amended."""
        try:
            bodies = self.rows("SELECT body FROM event WHERE record = ? ORDER BY seq", (record_id,))
            events = read_back([body for (body,) in bodies])
            ids = {player.id for player in Record(events).opening.players}
            names = {str(id_): str(name) for id_, name in msgspec.json.decode(players) if id_ in ids and name != id_}
        except (LedgerError, AssertionError, LookupError, TypeError, ValueError, msgspec.DecodeError):
            return {}
        return {} if any(isinstance(event, Amend) for event in events) else names

    # ── The file ───────────────────────────────────────────────────────────────────────────────────────────

    def migrate(self, backup: Path) -> tuple[int, int]:
        """Upgrades an older schema after copying the ledger to a file; returns the schema that it had, and has."""
        return self.connection.migrate(backup, self._log.digest)

    def reopen(self) -> Self:
        """The same ledger for another thread, which must close it too.  Raises Displaced if its file was replaced."""
        self.connection.refuse_displaced()
        again = type(self)(self.path)
        again.connection.identity = self.connection.identity
        again.connection.db.execute(f"PRAGMA cache_size = {-OF_A_THREAD}")
        return again

    def close(self) -> None:
        """Closes the file.  The last program to close a ledger leaves one whole file."""
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()


def _named(record_id: str, names: Mapping[int, Names]) -> Iterator[Named]:
    return (Named(record_id, seq, event_names) for seq, event_names in names.items() if event_names)


def _entry(record_id: str, record: Record, opened: int, size: int) -> Entry:
    return Entry(row_of(record_id, record), named_players(record), opened, size)


def _id_of(entry: Logged) -> tuple[str | None, bytes | None]:
    """The client's id of an event in another ledger and its digest, or neither if the id was changed there."""
    return (entry.event_id, entry.id_digest) if has_intact_id(entry) else (None, None)
