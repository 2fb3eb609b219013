"""Questions about a ledger that are one query of its tables, and the reading of its records in bulk."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from ledger.record import chain, codec
from ledger.record.errors import Corrupt, LedgerError, NotARecord, no_record
from ledger.record.record import Record
from ledger.record.words import plural
from ledger.stores.beside import Role, names_of_event
from ledger.stores.event_log import listed, read_back
from ledger.stores.query import CauseRow, Summary

if TYPE_CHECKING:
    from ledger.stores.store import SqliteStore


class Tables(Protocol):
    """What a question is put to: a ledger, or the results of games that are in none."""

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows of a question in SQL (placeholders are `?`)."""
        ...


def records(store: "SqliteStore") -> Iterator[tuple[str, Record]]:
    """Every record with its id, in the order of opening, never all in memory at once."""
    for record_id in store.ids():
        yield record_id, store.read(record_id)


def games(store: Tables) -> list[str]:
    """The games that have records, also those of score cards."""
    return [str(game) for (game,) in store.rows("SELECT DISTINCT game FROM record")]


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


# ── Records in bulk ────────────────────────────────────────────────────────────────────────────────────────


def read_checked(store: Tables, ids: Iterable[str]) -> Iterator[tuple[str, Record | Corrupt]]:
    """These records, in the order of opening, each chain verified; a corrupt one is yielded as its Corrupt error."""
    query = "SELECT id, version FROM record WHERE id IN (SELECT value FROM json_each(?)) ORDER BY opened"
    for record_id, version in store.rows(query, (listed(ids),)):
        try:
            events = store.rows("SELECT seq, body, link FROM event WHERE record = ? ORDER BY seq", (record_id,))
            names = store.rows("SELECT record, seq, names, digest FROM name WHERE record = ?", (record_id,))
            yield record_id, _verify(record_id, version, events, names)
        except Corrupt as error:
            yield record_id, error
        except LedgerError as error:
            yield record_id, Corrupt(f"record {record_id}: {error}")


def stored_audits(store: Tables, ids: Iterable[str]) -> dict[str, Summary]:
    """The stored audits of these records, by record; those out of date or damaged are left out."""
    rows = store.rows(
        "SELECT r.id, a.verdict, a.summary FROM record r JOIN audit a ON a.record = r.id AND a.version = r.version "
        "WHERE r.id IN (SELECT value FROM json_each(?))",
        (listed(ids),),
    )
    audits = dict[str, Summary]()
    for record_id, verdict, text in rows:
        with suppress(TypeError, ValueError, msgspec.DecodeError):  # the check of the tables names it
            audits[record_id] = replace(msgspec.json.decode(text, type=Summary), verdict=verdict)
    return audits


def _verify(
    record_id: str, version: int, rows: Sequence[tuple[Any, ...]], name_rows: Sequence[tuple[Any, ...]]
) -> Record:
    """The record in these rows.  Raises Corrupt if they are not as they were written."""
    if len(rows) != version or not rows:
        raise Corrupt(f"record {record_id}: it should have {plural(version, 'event')}, and has {len(rows)}")
    seqs, bodies, links = zip(*rows, strict=True)
    if not {bytes}.issuperset(map(type, bodies)):
        raise Corrupt(f"record {record_id}: a row is not an event")
    expected = chain.links(bodies)
    if seqs != tuple(range(version)) or expected != list(links):
        rows_by_seq = enumerate(zip(expected, seqs, links, strict=True))
        seq = next(n for n, (expected_link, seq, link) in rows_by_seq if (seq, link) != (n, expected_link))
        raise Corrupt(f"record {record_id}: event {seq} does not follow from the one before it: it was changed")
    names = {seq: names_of_event(record_id, seq, text, digest) for _id, seq, text, digest in name_rows}
    try:
        return codec.check(read_back(bodies, 0, names))
    except NotARecord as error:
        raise Corrupt(f"record {record_id}: {error}") from None
