"""The ledger in memory, for tests and for trying things out: a store in plain Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Self

from msgspec.structs import replace

from ledger import codec
from ledger.errors import UnknownRecord, WrongVersion
from ledger.events import AnyEvent
from ledger.record import Record
from ledger.store import Query, Row, Summary, admitted, digest, first, folded, read_back, retried, row_of, written


class MemoryStore:
    """A ledger in memory, for tests and for trying things out: `Store` in plain Python."""

    def __init__(self) -> None:
        self._events: dict[str, tuple[AnyEvent, ...]] = {}
        self._sent: dict[str, dict[str, tuple[int, bytes]]] = {}
        self._rows: dict[str, Row] = {}
        self._keys: set[tuple[str, bytes]] = set()
        self._log: list[tuple[str, int]] = []

    def append(
        self, record_id: str, expected: int, events: Sequence[AnyEvent], event_ids: Sequence[str] | None = None
    ) -> int:
        """See `Store.append`."""
        new = read_back(written(events, expected))
        held = self._events.get(record_id, ())
        version, sent = len(held), self._sent.get(record_id, {})
        if event_ids is not None:
            again = retried(record_id, events, event_ids, sent)
            if again is not None and again.known == len(events):
                return again.version
            if again is not None:
                events, event_ids, expected = events[again.known :], event_ids[again.known :], again.version
        if not version and expected:
            raise UnknownRecord(f"the ledger has no record {record_id}")
        if expected != version:
            raise WrongVersion(record_id, expected, version, held[max(expected, 0) :])
        if not events:
            return version
        players = frozenset(id_ for id_, _name in self._rows[record_id].players) if version else frozenset[str]()
        admitted(version, players, events)
        self._sent[record_id] = sent | {
            id_: (seq, digest(event))
            for seq, (id_, event) in enumerate(zip(event_ids or (), events, strict=False), version)
        }
        self._keep(record_id, (*held, *new[len(new) - len(events) :]))
        return version + len(events)

    def append_records(self, records: Iterable[tuple[str, Sequence[AnyEvent]]]) -> int:
        """See `Store.append_records`."""
        new: dict[str, tuple[AnyEvent, ...]] = {}
        for record_id, events in records:
            codec.check(events)
            held = new.get(record_id) or self._events.get(record_id)
            if held:
                raise WrongVersion(record_id, 0, len(held), held)
            new[record_id] = read_back(written(events))
        for record_id, stored in new.items():
            self._keep(record_id, stored)
        return len(new)

    def _keep(self, record_id: str, events: tuple[AnyEvent, ...]) -> None:
        self._log += ((record_id, seq) for seq in range(len(self._events.get(record_id, ())), len(events)))
        self._events[record_id] = events
        # Without its audit, if it had one: that was of an earlier version.
        self._rows[record_id] = row_of(record_id, Record(events))

    def read(self, record_id: str, upto: int | None = None) -> Record:
        """See `Store.read`."""
        return Record(self._of(record_id)[: first(upto)])

    def events(self, record_id: str, since: int = 0) -> Iterator[tuple[int, AnyEvent]]:
        """See `Store.events`."""
        return iter([(seq, event) for seq, event in enumerate(self._of(record_id)) if seq >= since])

    def _of(self, record_id: str) -> tuple[AnyEvent, ...]:
        if record_id not in self._events:
            raise UnknownRecord(f"the ledger has no record {record_id}")
        return self._events[record_id]

    def version(self, record_id: str) -> int:
        """See `Store.version`."""
        return len(self._events.get(record_id, ()))

    def ids(self) -> tuple[str, ...]:
        """See `Store.ids`."""
        return tuple(self._events)

    def records(self) -> Iterator[tuple[str, Record]]:
        """See `Store.records`."""
        for record_id in self.ids():
            yield record_id, self.read(record_id)

    def log(self, upto: int | None = None) -> Iterator[tuple[str, int, bytes]]:
        """See `Store.log`."""
        for record_id, seq in self._log[:upto]:
            yield record_id, seq, codec.encode_event(self._events[record_id][seq])

    def find(self, query: Query) -> list[Row]:
        """See `Store.find`."""
        rows = [row for row in self._rows.values() if _fits(row, query)]
        if query.order == "played":
            rows.sort(key=lambda row: row.played or "")
        if not query.reverse:
            rows.reverse()
        return rows[query.offset :][: query.limit]

    def note_audit(self, record_id: str, version: int, summary: Summary) -> None:
        """See `Store.note_audit`."""
        if version and version == self.version(record_id):
            self._rows[record_id] = replace(self._rows[record_id], audit=summary)

    def note_audits(self, notes: Iterable[tuple[str, int, Summary]]) -> None:
        """See `Store.note_audits`."""
        for note in notes:
            self.note_audit(*note)

    def unaudited(self) -> tuple[str, ...]:
        """See `Store.unaudited`."""
        return tuple(row.id for row in self._rows.values() if row.audit is None)

    def keep_key(self, record_id: str, digest: bytes) -> None:
        """See `Store.keep_key`."""
        self._keys.add((record_id, digest))

    def has_key(self, record_id: str, digest: bytes) -> bool:
        """See `Store.has_key`."""
        return (record_id, digest) in self._keys

    def rebuild(self) -> None:
        """See `Store.rebuild`."""
        self._rows = {record_id: row_of(record_id, Record(events)) for record_id, events in self._events.items()}

    def close(self) -> None:
        """See `Store.close`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()


def _fits(row: Row, query: Query) -> bool:
    audit, played = row.audit, row.played
    people = "\n".join(text for pair in row.players for text in pair)
    return (
        query.game in (None, row.game)
        and (query.player is None or folded(query.player) in folded(people))
        and (query.place is None or folded(query.place) in folded(row.place or ""))
        and (query.since is None or (played is not None and played >= query.since))
        and (query.until is None or (played is not None and played <= query.until))
        and (query.verdict is None or (audit is not None and audit.verdict == query.verdict))
        and (query.clause is None or (audit is not None and query.clause in audit.clauses))
    )
