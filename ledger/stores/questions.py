"""Questions about a ledger that are one query of its tables, the same in every database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from ledger.record.errors import no_record
from ledger.record.record import Record
from ledger.stores.beside import Role
from ledger.stores.contract import EventLog
from ledger.stores.results import CauseRow


class Tables(Protocol):
    """What a question is put to: any store."""

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """See `Store.rows`."""
        ...


def records(store: EventLog) -> Iterator[tuple[str, Record]]:
    """Every record with its id, in the order of opening, never all in memory at once."""
    for record_id in store.ids():
        yield record_id, store.read(record_id)


class Kin(NamedTuple):
    """A record with a certain opening: its version, and the links of the event in its middle and of its last one.

    The event in the middle is the last one of the first half.
    """

    record: str
    version: int
    middle: bytes
    last: bytes


def same_opening(store: Tables, link: bytes) -> list[Kin]:
    """The records whose opening has this link."""
    query = (
        "SELECT o.record, r.version, m.link, l.link FROM event o JOIN record r ON r.id = o.record "
        "JOIN event m ON m.record = o.record AND m.seq = (r.version + 1) / 2 - 1 "
        "JOIN event l ON l.record = o.record AND l.seq = r.version - 1 "
        "WHERE o.seq = 0 AND o.link = ? ORDER BY o.position"
    )
    return [Kin(*row) for row in store.rows(query, (link,))]


def unlisted(store: Tables) -> list[str]:
    """The records that have events and no row in the list, by opening, found without reading the events."""
    # Two counts by an index are enough if no row is missing.
    numbers = "SELECT (SELECT count(*) FROM event WHERE seq = 0), (SELECT count(*) FROM record)"
    openings, list_rows = store.rows(numbers)[0]
    if openings <= list_rows:
        return []
    query = (
        "SELECT e.record FROM event e WHERE e.seq = 0 AND NOT EXISTS (SELECT 1 FROM record r WHERE r.id = e.record) "
        "ORDER BY e.position"
    )
    return [record for (record,) in store.rows(query)]


def renamings(store: Tables) -> int:
    """How often names were replaced, or the list rebuilt.

    If it changes, a page that is open may show a name that was erased.
    """
    rows = store.rows("SELECT number FROM total WHERE of = 'renaming'")
    return int(rows[0][0]) if rows else 0


def roles(store: Tables, record_id: str, digest: bytes) -> frozenset[Role]:
    """What the secret with this SHA-256 allows with the record."""
    rows = store.rows("SELECT role FROM key WHERE record = ? AND digest = ?", (record_id, digest))
    return frozenset(row[0] for row in rows)


def may_write(store: Tables, digest: bytes) -> bool:
    """Whether the secret with this SHA-256 is that of a recorder's link, of any record, or of the owner's."""
    return bool(store.rows("SELECT 1 FROM key WHERE digest = ? AND role <> 'watch' LIMIT 1", (digest,)))


def link(store: Tables, record_id: str, version: int) -> bytes | None:
    """The link of a record's event at seq `version` - 1, or None if there is none (see `chain`)."""
    rows = store.rows("SELECT link FROM event WHERE record = ? AND seq = ?", (record_id, version - 1))
    return rows[0][0] if rows else None


def marks(store: Tables, record_id: str, since: int) -> list[tuple[bytes, str | None]]:
    """The link of each event of a record after the first `since`, and the id that a phone gave it."""
    query = "SELECT link, event_id FROM event WHERE record = ? AND seq >= ? ORDER BY seq"
    return [(link, event_id) for link, event_id in store.rows(query, (record_id, since))]


def require(store: Tables, record_id: str) -> None:
    """Raises UnknownRecord if the ledger has no such record."""
    if link(store, record_id, 1) is None:
        raise no_record(record_id)


def unaudited(store: Tables) -> tuple[str, ...]:
    """The ids of the records without an up-to-date audit, in the order of opening."""
    rows = store.rows("SELECT id FROM record WHERE audited = 0 ORDER BY opened")
    return tuple(row[0] for row in rows)


def unexplained(store: Tables, most: int) -> tuple[str, ...]:
    """The ids of up to `most` records with up-to-date audits whose causes are not known yet, newest first."""
    rows = store.rows(
        "SELECT r.id FROM audit a JOIN record r ON r.id = a.record AND r.version = a.version "
        "WHERE a.explained = 0 ORDER BY a.opened DESC LIMIT ?",
        (most,),
    )
    return tuple(row[0] for row in rows)


def causes(store: Tables, record_id: str) -> list[CauseRow] | None:
    """The mistakes that explain what an up-to-date audit found; None while nobody has looked for them."""
    audit = store.rows(
        "SELECT r.opened FROM audit a JOIN record r ON r.id = a.record AND r.version = a.version "
        "WHERE a.record = ? AND a.explained = 1",
        (record_id,),
    )
    if not audit:
        return None
    rows = store.rows(f"SELECT {', '.join(CauseRow._fields)} FROM cause WHERE opened = ? ORDER BY number", audit[0])  # noqa: S608  constants
    return [CauseRow(*row) for row in rows]


def versions(store: Tables) -> dict[str, int]:
    """The version of each record by its id, in the order of opening."""
    return dict(store.rows("SELECT id, version FROM record ORDER BY opened"))


class Seen(NamedTuple):
    """A state of a ledger: its number of events and the link of the last, and what else can change a result.

    `unaudited` are the openings of the records without an up-to-date audit.
    """

    events: int
    link: bytes | None
    renamings: int
    unreadable: int
    unexplained: int
    unaudited: frozenset[int]


def seen(store: Tables) -> Seen:
    """The state of a ledger: if it is the same as before, so is every result and mistake."""
    query = (
        "SELECT e.position, e.link, t.number, (SELECT count(*) FROM audit WHERE verdict = 'unreadable'), "
        "(SELECT count(*) FROM audit WHERE explained = 0) FROM total t "
        "LEFT JOIN event e ON e.position = (SELECT max(position) FROM event) WHERE t.of = 'renaming'"
    )
    (events, link, *numbers), *_ = store.rows(query) or [(0, None, 0, 0, 0)]
    unaudited = store.rows("SELECT opened FROM record WHERE audited = 0")
    return Seen._make((events or 0, link, *numbers, frozenset(opened for (opened,) in unaudited)))


def among(column: str, values: Sequence[object]) -> str:
    """The condition that a column has one of these values."""
    return f"{column} IN ({', '.join('?' * len(values))})" if values else "1 = 0"
