"""The tables beside the events, compared with the events: the list of records, audits, names and keys.

Readers see these tables, so a row that was changed, added or deleted must not go unnoticed.  The list
follows from the events.  An audit, the names in an event, a key and a client's id of an event do not, so each of them
has a digest of its own, and names, keys and ids are counted: in the table `total`, and in the list.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from ledger.record.chain import Names
from ledger.record.errors import Corrupt, LedgerError, NotARecord
from ledger.record.events import Amend
from ledger.record.record import Record
from ledger.record.words import plural
from ledger.stores.audits import AUDITED, IDS, PLACE_SEARCHED, RECORD, SEARCHED, audit_digest, record_row
from ledger.stores.beside import Alias, Comment, Kept, Key, Named, Renamed
from ledger.stores.book import SHELVES, Book, Shelf, names_of_event
from ledger.stores.contract import Difference
from ledger.stores.query import Row, Summary
from ledger.stores.results import result_rows
from ledger.stores.shared import named_players, read_back, row_of
from ledger.stores.tables import COLUMNS

AT_ONCE = 200
"""Records compared with one set of queries."""
_NAME = COLUMNS["result"].index("name") - 1
TOTALS = (
    ("name", "name", "the table name has"),
    ("key", "key", "the table key has"),
    ("comment", "comment", "the table comment has"),
    ("alias", "alias", "the table alias has"),
    ("renamed", "renamed", "the table renamed has"),
)
"""What the table `total` counts: its row there, what is counted, and the beginning of a sentence about it."""
REPAIR = "`domino-ledger repair` mends it"


def differences(store: Book) -> Iterator[Difference]:
    """The rows beside the events that are missing, too many, or not as they were written."""
    begin = 0
    query = "SELECT position, record FROM event WHERE seq = 0 AND position > ? ORDER BY position LIMIT ?"
    while True:
        with store.reading():
            openings = store.rows(query, (begin, AT_ONCE))
            batch = (
                list(_record_differences(store, {record: position for position, record in openings}))
                if openings
                else []
            )
        yield from batch
        if not openings:
            break
        begin = openings[-1][0]
    with store.reading():
        batch = [
            *_orphan_rows(store),
            *(_said(shelf, row, shelf.changed) for shelf, row in _changed(store)),
            *_total_differences(store),
        ]
    yield from batch


def differences_of(store: Book, record_id: str) -> Iterator[Difference]:
    """The same in the rows of one record."""
    with store.reading():
        openings = store.rows("SELECT record, position FROM event WHERE record = ? AND seq = 0", (record_id,))
        batch = list(_record_differences(store, dict(openings)))
    yield from batch


def _changed(store: Book) -> Iterator[tuple[Shelf, Sequence[Any]]]:
    """The keys, comments and aliases that were changed."""
    kinds: tuple[type[Kept], ...] = (Key, Comment, Alias, Renamed)
    return ((SHELVES[kind], row) for kind in kinds for row in store.changed(kind))


def _said(shelf: Shelf, row: Sequence[Any], sentence: str) -> Difference:
    return Difference(str(row[0]) if shelf.columns[0] == "record" else "", sentence.format(*row))


def _total_differences(store: Book) -> Iterator[Difference]:
    """The tables that have more or fewer rows than were counted."""
    totals = dict(store.rows("SELECT of, number FROM total"))
    for of, table, beginning in TOTALS:
        number, total = store.rows(f"SELECT count(*) FROM {table}")[0][0], totals.get(of)  # noqa: S608  constants
        if number != total:
            yield Difference("", f"{beginning} {plural(number, 'row')}, and should have {total}")


def _orphan_rows(store: Book) -> Iterator[Difference]:
    """The rows that belong to nothing."""
    for condition, reason in (
        ("record r WHERE NOT EXISTS (SELECT 1 FROM event e WHERE e.record = r.id AND e.seq = 0)",
         "the list shows it, and it has no events"),
        ("audit r WHERE NOT EXISTS (SELECT 1 FROM record l WHERE l.id = r.record)",
         "there is an audit of it, and no row in the list"),
        ("broken r WHERE NOT EXISTS (SELECT 1 FROM audit a WHERE a.record = r.record)",
         "there are broken clauses of it, and no audit"),
        ("finding r WHERE NOT EXISTS (SELECT 1 FROM audit a WHERE a.opened = r.opened)",
         "there are findings of it, and no audit"),
        ("cause r WHERE NOT EXISTS (SELECT 1 FROM audit a WHERE a.opened = r.opened)",
         "there are causes of what it found, and no audit"),
        ("result r WHERE NOT EXISTS (SELECT 1 FROM record l WHERE l.opened = r.opened)",
         "there are results of it, and no row in the list"),
        ("name r WHERE NOT EXISTS (SELECT 1 FROM event e WHERE e.record = r.record AND e.seq = r.seq)",
         "there are names for an event that it does not have"),
        ("comment r WHERE NOT EXISTS (SELECT 1 FROM event e WHERE e.record = r.record AND e.seq = r.seq)",
         "there is a comment on an event that it does not have"),
    ):  # fmt: skip
        column = "id" if condition.startswith("record") else "record"
        for (record,) in store.rows(f"SELECT DISTINCT r.{column} FROM {condition}"):  # noqa: S608  constants
            yield Difference(str(record), reason)


def _record_differences(store: Book, openings: dict[str, int]) -> Iterator[Difference]:
    """The differences of these records, which were opened at these positions."""

    def group(table: str, columns: str, order: str, key: str = "record") -> dict[Any, list[Sequence[Any]]]:
        placeholders, keys = ", ".join("?" * len(openings)), [*(openings.values() if key == "opened" else openings)]
        query = f"SELECT {key}, {columns} FROM {table} WHERE {key} IN ({placeholders}) ORDER BY {order}"  # noqa: S608  constants
        rows = store.rows(query, keys)
        grouped = defaultdict[Any, list[Sequence[Any]]](list)
        for row in rows:
            grouped[row[0]].append(row)
        return grouped

    events = group("event", "seq, body, event_id", "record, seq")
    names = group("name", "seq, names, digest", "record, seq")
    list_rows = group("record", ", ".join(RECORD[1:]), "id", "id")
    audits = group("audit", ", ".join(COLUMNS["audit"][1:]), "record")
    broken = group("broken", "opened, clause", "record")
    findings = group("finding", ", ".join(COLUMNS["finding"][1:]), "opened, number", "opened")
    causes = group("cause", ", ".join(COLUMNS["cause"][1:]), "opened, number", "opened")
    results = group("result", ", ".join(COLUMNS["result"][1:]), "opened, seat", "opened")
    indexed = store.search_rows(openings.values())
    for record_id, opened in openings.items():
        names_by_seq, unreadable = _names_by_seq(record_id, names[record_id])
        yield from unreadable
        try:
            record = Record(read_back([row[2] for row in events[record_id]], 0, names_by_seq))
            of_events = row_of(record_id, record)
            expected = record_row(of_events, opened)
        except (NotARecord, AssertionError):  # the check of the events names it
            continue
        if not list_rows[record_id]:
            yield Difference(record_id, f"its row in the list is missing: no list or page shows it; {REPAIR}")
            continue
        row = list_rows[record_id][0]
        if changed := _changed_columns(row, expected, readable=not unreadable):
            yield Difference(record_id, f"its row in the list differs from its events: {', '.join(changed)}; {REPAIR}")
        ids = sum(event[3] is not None for event in events[record_id])
        if row[IDS] != ids:
            reason = f"phones gave ids to {row[IDS]} of its events, and {plural(ids, 'is', 'are')} there"
            yield Difference(record_id, f"{reason}; {REPAIR}")
        searched = (expected[SEARCHED], expected[PLACE_SEARCHED])
        if indexed is not None and not unreadable and indexed.get(opened) != searched:
            yield Difference(record_id, f"its row in the search index differs from its events; {REPAIR}")
        audit = _Audit(audits[record_id], broken[record_id], findings[opened], causes[opened])
        yield from _audit_differences(of_events, row, audit)
        yield from _result_differences(
            of_events, named_players(record), results[opened], audit, readable=not unreadable
        )


class _Audit(NamedTuple):
    """The rows of a record's audit, each with its key before it: at most one of its summary."""

    rows: list[Sequence[Any]]
    broken: list[Sequence[Any]]
    findings: list[Sequence[Any]]
    causes: list[Sequence[Any]]

    def intact(self, row: Row) -> bool:
        """Whether they are as they were written."""
        findings, causes = ([part[4:] for part in parts] for parts in (self.findings, self.causes))
        return all(digest == audit_digest(columns, findings, causes) for *columns, digest in self.rows) and all(
            part[1:4] == (number, row.id, row.game)
            for parts in (self.findings, self.causes)
            for number, part in enumerate(parts)
        )


def _result_differences(
    row: Row, named_ids: frozenset[str], results: list[Sequence[Any]], audit: _Audit, *, readable: bool
) -> Iterator[Difference]:
    """The differences of a record's results; `readable`: the names in its events are as they were written."""
    if not audit.intact(row):
        return  # the check of the audit names it
    summaries = [
        msgspec.json.decode(audit_row[4], type=Summary) for audit_row in audit.rows if audit_row[2] == row.events
    ]
    expected = [] if row.voided else result_rows(row, named_ids, summaries[0] if summaries else None)
    stored = [tuple(result[1:]) for result in results]
    if not readable:
        stored, expected = ([(*result[:_NAME], *result[_NAME + 2 :]) for result in rows] for rows in (stored, expected))
    if stored != expected:
        yield Difference(row.id, f"the results of its players differ from its events or its audit; {REPAIR}")


def _names_by_seq(record_id: str, rows: Iterable[Sequence[Any]]) -> tuple[dict[int, Names], list[Difference]]:
    """The names in the events of a record, and a difference for each row that cannot be read."""
    names, unreadable = dict[int, Names](), []
    for row in rows:
        try:
            names[row[1]] = names_of_event(*row)
        except Corrupt as error:
            unreadable.append(Difference(record_id, str(error).removeprefix(f"record {record_id}: ")))
    return names, unreadable


def _changed_columns(row: Sequence[Any], expected: Sequence[Any], *, readable: bool) -> list[str]:
    """The columns in which a row of the list differs; those with names only if the names are `readable`."""
    return [
        column
        for column, value, expected_value in zip(RECORD[:IDS], row, expected, strict=False)
        if value != expected_value and (readable or column not in ("players", "searched"))
    ]


def _audit_differences(of_events: Row, row: Sequence[Any], audit: _Audit) -> Iterator[Difference]:
    """The differences of a record's audit; `row` is the one in the list."""
    opened, audited = row[1], row[AUDITED]
    if not audit.rows:
        if audited:
            yield Difference(of_events.id, f"its audit is missing; {REPAIR}")
        return
    version, text = audit.rows[0][2], audit.rows[0][4]
    if not audit.intact(of_events) or (version == of_events.events) != audited:
        yield Difference(of_events.id, f"its audit was changed; {REPAIR}")
        return
    clauses = sorted(set(msgspec.json.decode(text, type=Summary).clauses))
    stored = sorted((row_opened, clause) for _record, row_opened, clause in audit.broken)
    if stored != [(opened, clause) for clause in clauses]:
        yield Difference(of_events.id, f"the list of clauses that it breaks was changed; {REPAIR}")


# ── Mending ────────────────────────────────────────────────────────────────────────────────────────────────


def mend(store: Book) -> Iterator[Difference]:
    """Mends the rows with names and keys, within a transaction; yields what cannot be restored.

    The list still shows the names of a record's players, if it was not damaged as well.
    """
    totals = dict(store.rows("SELECT of, number FROM total"))
    missing = totals.get("name", 0) - store.rows("SELECT count(*) FROM name")[0][0]
    store.many("DELETE FROM name WHERE NOT EXISTS (SELECT 1 FROM event e WHERE e.record = name.record AND e.seq = name.seq)", [()])  # fmt: skip  # noqa: E501
    rows = store.rows("SELECT count(*) FROM name")[0][0]
    bad = {(row[0], row[1]): str(row[2]) for row in store.changed(Named)}
    store.many("DELETE FROM name WHERE record = ? AND seq = ?", list(bad))
    if bad or totals.get("name", 0) > rows:
        intact = {record for (record,) in store.rows("SELECT record FROM name WHERE seq = 0")}
        yield from _names_from_list(store, bad, intact, missing)
    lost_keys = totals.get("key", 0) - store.rows("SELECT count(*) FROM key")[0][0]
    if lost_keys > 0:
        yield Difference("", f"{plural(lost_keys, 'key is', 'keys are')} gone: replace the links that no longer open")
    store.many("DELETE FROM comment WHERE NOT EXISTS (SELECT 1 FROM event e WHERE e.record = comment.record AND e.seq = comment.seq)", [()])  # fmt: skip  # noqa: E501
    for shelf, row in list(_changed(store)):
        store.many(f"DELETE FROM {shelf.table} WHERE {shelf.where}", [row[: shelf.keys]])  # noqa: S608  constants
        yield _said(shelf, row, shelf.mended)
    query = (
        "SELECT r.id, r.ids - count(e.event_id) FROM record r JOIN event e ON e.record = r.id "
        "GROUP BY r.id, r.ids, r.opened HAVING r.ids > count(e.event_id) ORDER BY r.opened"
    )
    for record_id, ids in store.rows(query):
        lost = plural(ids, "id that phones gave to events is", "ids that phones gave to events are")
        yield Difference(record_id, f"{lost} gone: only a backup has them")
    if "renaming" not in totals:
        store.many("INSERT INTO total (of, number) VALUES ('renaming', 0)", [()])
    for of, table, _beginning in TOTALS:
        store.many("DELETE FROM total WHERE of = ?", [(of,)])
        store.many(f"INSERT INTO total (of, number) SELECT '{of}', count(*) FROM {table}", [()])  # noqa: S608  constants


def _names_from_list(
    store: Book, bad: dict[tuple[str, int], str], intact: set[str], missing: int
) -> Iterator[Difference]:
    """Restores lost names of players from the list of records; yields what it does not show.

    `bad` are the texts of damaged rows, `intact` the records whose opening still has its names, and `missing` rows are
    gone.
    """
    restored = set[tuple[str, int]]()
    for record_id, text in store.rows("SELECT id, players FROM record"):
        if record_id in intact:
            continue
        try:
            bodies = store.rows("SELECT body FROM event WHERE record = ? ORDER BY seq", (record_id,))
            events = read_back([body for (body,) in bodies])
            ids = {player.id for player in Record(events).opening.players}
            names = {str(id_): str(name) for id_, name in msgspec.json.decode(text) if id_ in ids and name != id_}
        except (LedgerError, AssertionError, LookupError, TypeError, ValueError, msgspec.DecodeError):
            continue
        if names and not any(isinstance(event, Amend) for event in events):
            store.keep([Named(record_id, 0, Names(players=names))])
            restored.add((record_id, 0))
    for (record_id, seq), text in bad.items():
        if (record_id, seq) not in restored:
            yield Difference(record_id, f"the names at event {seq} are lost: only a backup has them")
        elif '"by":' in text or '"recorder":' in text:
            yield Difference(record_id, "who recorded its opening is lost: only a backup has it")
    missing -= len(restored - bad.keys())
    if missing > 0:
        lost = plural(missing, "row with names is", "rows with names are")
        yield Difference("", f"{lost} gone: only a backup has them")
