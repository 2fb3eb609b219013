"""The list of records, with their audits and results: rows that follow from the events, and what to find in them.

The rows are compared with the events by the database: they are made a second time, in tables of this connection, and
what is in one of the two and not in the other differs.  They are mended by being made anew.  No event contains an
audit, so an audit has a digest of its own.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ledger.record import clock
from ledger.record.events import ABOUT_RECORDS, CORRECTIONS, AnyEvent, Close
from ledger.record.record import Record, effective
from ledger.record.words import plural
from ledger.rules.game import GRAVE, Standing
from ledger.stores.query import Audit, CauseRow, Corruption, Query, Row, Summary, plain, searchable
from ledger.stores.schema import COLUMNS, EXPECTED, insert

if TYPE_CHECKING:
    from ledger.stores.connection import Connection

FIELDS = (
    "r.id, r.game, r.edition, r.played, r.place, r.event, r.players, r.version, r.closed, r.card, r.voided, a.summary"
)
_ROW = ("id", "game", "edition", "played", "place", "event", "players", "events", "closed", "card", "voided", "audit")
"""What these are of a `Row`."""
People = Iterable[Collection[str]]
REPAIR = "`domino-ledger repair` mends it"
DERIVED = ("record", "result")
"""The tables that follow from the events and the audits, and are made a second time to compare them."""
_BOTH_WAYS = (("main", "temp"), ("temp", "main"))
AUDITED = ("audit", "finding", "cause")
"""The tables with what audits found."""
JUDGED = COLUMNS["result"][-9:]
"""The columns of the table `result` that come from an audit, and are NULL without one."""
_UNJUDGED = (None,) * len(JUDGED)
_JUDGE = f"UPDATE result SET {', '.join(f'{column} = ?' for column in JUDGED)} WHERE opened = ? AND seat = ?"  # noqa: S608
_LENGTHEN = "UPDATE record SET version = version + ?, bytes = bytes + ?, ids = ids + ? WHERE id = ?"
_UNJUDGE = (
    f"UPDATE result SET {', '.join(f'{column} = NULL' for column in JUDGED)} "  # noqa: S608  constants
    "WHERE opened = (SELECT opened FROM record WHERE id = ?) AND finished IS NOT NULL"
)
_LONGEST = 1 << 63
"""A number that is too large for the database."""
_ROW_EVENTS = frozenset((Close, *ABOUT_RECORDS))


class Entry(NamedTuple):
    """A record for the list, and the audit of this version, if there is one.

    `named_ids` are the ids of the players who have a name, `opened` is the position of the opening, `size` the bytes of
    its events with their names, and `ids` how many events have an id of their client.
    """

    row: Row
    named_ids: frozenset[str]
    opened: int
    size: int
    ids: int = 0
    audit: Audit | None = None


class RecordList:
    """The list of records.  Writes need a transaction."""

    def __init__(self, connection: "Connection") -> None:
        self._db = connection

    # ── Finding ────────────────────────────────────────────────────────────────────────────────────────────

    def find(self, query: Query) -> list[Row]:
        """The records that match a query, in its order.  Names that the owner merged are one person."""
        where, values = _where(query, self._people(query))
        way, day = "ASC" if query.reverse else "DESC", list[object]()
        order = f"r.opened {way}"
        if query.order == "played":  # games whose day has not come, which is mostly a slip, come last
            order, day = f"r.played > ?, r.played {way}, {order}", [clock.tomorrow()]
        page = f"SELECT r.opened FROM record r {where} ORDER BY {order} LIMIT ? OFFSET ?"  # noqa: S608
        statement = (
            f"SELECT {FIELDS} FROM record r LEFT JOIN audit a ON a.record = r.id AND a.version = r.version "  # noqa: S608
            f"WHERE r.opened IN ({page}) ORDER BY {order}"
        )
        limit = -1 if query.limit is None else query.limit
        return [_read_row(row) for row in self._db.rows(statement, [*values, *day, limit, query.offset, *day])]

    def count_records(self, query: Query) -> int:
        """The number of records that match a query, whatever its limit and offset."""
        where, values = _where(query, self._people(query))
        return int(self._db.rows(f"SELECT count(*) FROM record r {where}", values)[0][0])  # noqa: S608

    def _people(self, query: Query) -> People:
        """The names of each person who has several, if the query has a player."""
        people = dict[str, set[str]]()
        if query.player:
            for name, person in self._db.rows("SELECT name, person FROM alias"):
                people.setdefault(person, {person}).add(name)
        return people.values()

    def ids(self, part: str = "") -> tuple[str, ...]:
        """The ids of all records, or of those whose id contains `part`, in the order of opening."""
        return tuple(
            id_ for (id_,) in self._db.rows("SELECT id FROM record WHERE instr(id, ?) ORDER BY opened", (part,))
        )

    def version(self, record_id: str) -> int:
        """The number of events in the record; 0 if there is no such record."""
        rows = self._db.rows("SELECT version FROM record WHERE id = ?", (record_id,))
        return int(rows[0][0]) if rows else 0

    # ── Writing ────────────────────────────────────────────────────────────────────────────────────────────

    def enter(self, entries: Sequence[Entry], schema: str = "main") -> None:
        """Adds records to the list and the results, with their audits."""
        self._db.many(insert("record", schema), map(_record_row, entries))
        results = list[tuple[object, ...]]()
        for row, named_ids, opened, _size, _ids, audit in entries:
            if not row.voided:
                results += [(opened, *r) for r in result_rows(row, named_ids, audit.summary if audit else None)]
        self._db.many(insert("result", schema), results)
        if schema == "main":
            self._keep([(entry.opened, entry.row.game, entry.audit) for entry in entries if entry.audit is not None])

    def leave(self, record_id: str, opened: int) -> None:
        """Takes a record out of all that `enter` adds."""
        self._db.many("DELETE FROM record WHERE id = ?", [(record_id,)])
        self._db.many("DELETE FROM result WHERE opened = ?", [(opened,)])
        self._drop_audit(record_id, opened)

    def lengthen(self, record_id: str, events: int, size: int, ids: int, *, judged: bool) -> None:
        """Counts new events in the row of their record; an audit, if it was `judged`, is of an earlier version now."""
        self._db.many(_LENGTHEN, [(events, size, ids, record_id)])
        if judged:
            self._db.many("UPDATE record SET audited = 0 WHERE id = ?", [(record_id,)])
            self._db.many(_UNJUDGE, [(record_id,)])

    def note_audits(self, audits: Iterable[Audit]) -> None:
        """Stores audits, each of its version.  One of a record that has grown since is left out."""
        for audit in audits:
            rows = self._db.rows("SELECT opened, version, game FROM record WHERE id = ?", (audit.record,))
            if not rows or audit.version != rows[0][1]:
                continue
            opened, _version, game = rows[0]
            self._db.many("UPDATE record SET audited = 1 WHERE id = ?", [(audit.record,)])
            seats = self._db.rows("SELECT player, opened, seat FROM result WHERE opened = ? ORDER BY seat", (opened,))
            judged = _judged_rows([player for player, *_seat in seats], audit.summary)
            self._db.many(_JUDGE, [(*values, *seat[1:]) for values, seat in zip(judged, seats, strict=True)])
            self._drop_audit(audit.record, opened)
            self._keep([(opened, game, audit)])

    def _drop_audit(self, record_id: str, opened: int) -> None:
        self._db.many("DELETE FROM audit WHERE record = ?", [(record_id,)])
        self._db.many("DELETE FROM finding WHERE opened = ?", [(opened,)])
        self._db.many("DELETE FROM cause WHERE opened = ?", [(opened,)])

    def _keep(self, audits: Sequence[tuple[int, str, Audit]]) -> None:
        rows = list[tuple[object, ...]]()
        findings, causes = list[tuple[object, ...]](), list[tuple[object, ...]]()
        for opened, game, audit in audits:
            record_id, version, summary = audit[:3]
            text, parts = msgspec.json.encode(summary).decode(), (_finding_rows(audit), cause_rows(audit))
            row = (record_id, opened, version, summary.verdict, text, int(audit.explained))
            rows.append((*row, _audit_digest(row, *parts)))
            findings += [(opened, number, record_id, game, *finding) for number, finding in enumerate(parts[0])]
            causes += [(opened, number, record_id, game, *cause) for number, cause in enumerate(parts[1])]
        self._db.many(insert("audit"), rows)
        self._db.many(insert("finding"), findings)
        self._db.many(insert("cause"), causes)

    # ── Comparing and mending ──────────────────────────────────────────────────────────────────────────────

    def make_beside(self, entries: Iterable[Entry], of: str | None = None) -> None:
        """Makes the tables that follow from the events a second time, beside the ledger's own, of all records or one.

        Audits come from the ledger, unless they were changed.  It is for a reading transaction, whose end undoes it.
        """
        for table in DERIVED:
            self._db.db.execute(EXPECTED[table].replace(f"TABLE {table}", f"TABLE temp.{table}", 1))
        changed = {difference.record for difference in self._changed_audits(of)}
        summaries = "SELECT version, summary FROM audit WHERE record = ?"
        for entry in entries:
            audit = None
            if entry.row.id not in changed:
                for version, text in self._db.rows(summaries, (entry.row.id,)):
                    audit = Audit(entry.row.id, version, msgspec.json.decode(text, type=Summary))
            fits = audit is not None and audit.version == entry.row.events
            self.enter([entry._replace(audit=audit if fits else None)], "temp")

    def beside_differences(self, unreadable: Collection[str], of: str | None = None) -> Iterator[Corruption]:
        """What differs between the tables that `make_beside` made, and the ledger's own; `of` one record.

        `unreadable` are the records whose names were changed: those were not made a second time.
        """
        skipped = set(unreadable)
        changed = {difference.record for difference in self._changed_audits(of)}
        ours, made = (self._rows_of_one(one, other, "record", "id", of) for one, other in _BOTH_WAYS)
        for record in dict.fromkeys((*made, *ours)):
            if record in skipped:
                continue
            if record not in ours or record not in made:
                skipped.add(record)
                yield Corruption(str(record), _one_sided(listed=record in ours))
                continue
            columns = _different(ours[record], made[record], ignored=record in changed)
            if "ids" in columns:
                columns.remove("ids")
                had, has = (row[COLUMNS["record"].index("ids")] for row in (ours[record], made[record]))
                ids = f"phones gave ids to {had} of its events, and {plural(has, 'is', 'are')} there"
                yield Corruption(str(record), f"{ids}; {REPAIR}")
            if columns:
                reason = f"its row in the list differs from its events: {', '.join(columns)}"
                yield Corruption(str(record), f"{reason}; {REPAIR}")
        ours, made = (self._rows_of_one(one, other, "result", "record", of) for one, other in _BOTH_WAYS)
        for record in dict.fromkeys((*made, *ours)):
            if record not in skipped and record not in changed:
                reason = "the results of its players differ from its events or its audit"
                yield Corruption(str(record), f"{reason}; {REPAIR}")
        yield from self._changed_audits(of)

    def _rows_of_one(self, one: str, other: str, table: str, key: str, of: str | None) -> dict[Any, tuple[Any, ...]]:
        """The rows of a table in one schema that the other does not have, by record; of all records or `of` one."""
        ours, theirs = (f"SELECT {', '.join(COLUMNS[table])} FROM {schema}.{table}" for schema in (one, other))  # noqa: S608
        where = "" if of is None else f" WHERE {key} = ?"
        rows = self._db.rows(f"SELECT * FROM ({ours} EXCEPT {theirs}){where}", () if of is None else (of,))  # noqa: S608
        return {row[COLUMNS[table].index(key)]: row for row in rows}

    def _changed_audits(self, of: str | None = None) -> Iterator[Corruption]:
        """The audits that are missing, that belong to nothing, or that are not as they were written."""

        def rows(table: str, columns: str, order: str, key: str = "record") -> list[tuple[Any, ...]]:
            where, values = ("", ()) if of is None else (f" WHERE {key} = ?", (of,))
            return self._db.rows(f"SELECT {columns} FROM main.{table}{where} ORDER BY {order}", values)  # noqa: S608

        findings, causes = (_grouped(rows(table, "*", "opened, number")) for table in ("finding", "cause"))
        listed = {row[0]: row for row in rows("record", "id, opened, version, audited, game", "opened", "id")}
        audits = {row[0]: row for row in rows("audit", "*", "opened")}
        for record, row in audits.items():
            if record not in listed:
                yield Corruption(str(record), "there is an audit of it, and no row in the list")
                continue
            _id, opened, version, audited, game = listed[record]
            found = findings.get(row[1], []), causes.get(row[1], [])
            whole = all(part[1:4] == (number, record, game) for parts in found for number, part in enumerate(parts))
            whole = whole and row[-1] == _audit_digest(row[:-1], *([part[4:] for part in parts] for parts in found))
            if not whole or (opened, audited) != (row[1], int(row[2] == version)):
                yield Corruption(str(record), f"its audit was changed; {REPAIR}")
        for record, _opened, _version, audited, _game in listed.values():
            if audited and record not in audits:
                yield Corruption(str(record), f"its audit is missing; {REPAIR}")
        openings = {row[1] for row in audits.values()}
        for parts, what in ((findings, "findings of it"), (causes, "causes of what it found")):
            for opened in parts.keys() - openings:
                yield Corruption(str(parts[opened][0][2]), f"there are {what}, and no audit")

    def wrong_objects(self) -> list[str]:
        """The triggers, views and indexes that are missing or changed, and strange triggers on the ledger's tables."""
        stored = dict(self._db.rows("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
        messages = []
        for name, sql in EXPECTED.items():
            if stored.get(name) != sql:
                kind = next(word for word in ("trigger", "view", "table", "index") if word.upper() in sql[:21])
                messages.append(f"the {kind} {name} {'was changed' if name in stored else 'is missing'}; {REPAIR}")
        return messages + [
            f"the trigger {name} does not belong to a ledger; {REPAIR}" for name in self._strange_triggers()
        ]

    def _strange_triggers(self) -> list[str]:
        """The triggers on the ledger's tables that no ledger has: they could change what is written."""
        rows = self._db.rows("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'")
        return [name for name, table in rows if name not in EXPECTED and table.lower() in EXPECTED]

    def clear(self) -> None:
        """Makes all that is derived anew, and empty: tables, triggers, views and indexes.

        What others made stays, except for triggers on the ledger's tables.
        """
        for name in self._strange_triggers():
            quoted = name.replace('"', '""')
            self._db.db.execute(f'DROP TRIGGER "{quoted}"')
        kept = set(COLUMNS) - {*DERIVED, *AUDITED}
        objects = self._db.rows(
            "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type = 'table'"
        )
        others = [sql for type_, name, table, sql in objects if type_ == "index" and name not in EXPECTED]
        for type_, name, _table, _sql in objects:
            if name in EXPECTED and name not in kept:
                self._db.db.execute(f"DROP {type_} IF EXISTS {name}")
        names = {name for (name,) in self._db.rows("SELECT name FROM sqlite_master")}
        for name, sql in EXPECTED.items():
            if name not in names:
                self._db.db.execute(sql)
        for sql in others:
            self._db.db.execute(sql.replace("INDEX", "INDEX IF NOT EXISTS", 1))
        self._db.db.execute("REINDEX")


def _one_sided(*, listed: bool) -> str:
    if listed:
        return "the list shows it, and it has no events"
    return f"its row in the list is missing: no list or page shows it; {REPAIR}"


def _different(ours: Sequence[Any], made: Sequence[Any], *, ignored: bool) -> list[str]:
    """The columns in which two rows of the list differ; `ignored`: the audit says itself that it was changed."""
    columns = zip(COLUMNS["record"], ours, made, strict=True)
    return [column for column, one, other in columns if one != other and not (ignored and column == "audited")]


def _grouped(rows: Iterable[Sequence[Any]]) -> dict[Any, list[Sequence[Any]]]:
    grouped = dict[Any, list[Sequence[Any]]]()
    for row in rows:
        grouped.setdefault(row[0], []).append(row)
    return grouped


# ── Rows ───────────────────────────────────────────────────────────────────────────────────────────────────


def changes_row(events: Iterable[AnyEvent]) -> bool:
    """Whether any event can change more of the row than its version: a close, a correction, or a void."""
    return not _ROW_EVENTS.isdisjoint(map(type, events))


def named_players(record: Record) -> frozenset[str]:
    """The ids of the players who have a name."""
    return frozenset(player.id for player in record.opening.players if player.name)


def row_of(record_id: str, record: Record) -> Row:
    """The row of a record in the list, without its audit."""
    opening, events = record.opening, record.events
    kinds = set(map(type, events))
    closed = Close in kinds
    if not kinds.isdisjoint(CORRECTIONS):
        closed = any(type(entry.event) is Close for entry in effective(events).entries)
    return Row(
        id=record_id,
        game=plain(opening.game) or "",
        edition=opening.edition and plain(opening.edition),
        played=opening.played,
        place=opening.place and plain(opening.place),
        event=opening.event and plain(opening.event),
        players=tuple((player.id, player.name or player.id) for player in opening.players),
        events=len(events),
        closed=closed,
        card=opening.card,
        voided=record.void is not None,
    )


def _record_row(entry: Entry) -> tuple[Any, ...]:
    row = entry.row
    players = msgspec.json.encode(row.players).decode()
    searched = searchable("\n".join(name for _id, name in row.players))
    place = searchable("\n".join(filter(None, (row.place, row.event)))) or None
    return (
        # A record without a date sorts before all others.
        row.id, entry.opened, row.events, row.game, row.edition, row.played or "", row.place, row.event, players,
        searched, place, int(row.closed), int(row.card), int(row.voided), entry.size, entry.ids,
        int(entry.audit is not None),
    )  # fmt: skip


def result_rows(row: Row, named_ids: Collection[str], audit: Summary | None) -> list[tuple[Any, ...]]:
    """The rows of a record in the table `result`, without its opening; `named_ids` are the players who have a name."""
    judged = _judged_rows([player for player, _name in row.players], audit)
    game = (row.id, row.game, row.edition, row.event, row.place, row.played)
    return [
        (*game, seat, plain(player), plain(name), int(player in named_ids), len(row.players), int(row.card), *values)
        for seat, ((player, name), values) in enumerate(zip(row.players, judged, strict=True))
    ]


def _judged_rows(players: Sequence[str], audit: Summary | None) -> list[tuple[int | None, ...]]:
    if audit is None or len(audit.scores) != len(players) or any(abs(score or 0) >= _LONGEST for score in audit.scores):
        return [_UNJUDGED] * len(players)
    winners = set(map(plain, audit.winners or ()))
    won = tuple(seat for seat, player in enumerate(players) if plain(player) in winners)
    scores = tuple(score or 0 for score in audit.scores)
    places = Standing(audit.finished, scores, won, ranked=audit.ranks).places
    return [
        (
            score,
            None if audit.winners is None else int(seat in won),
            place if audit.finished else None,
            int(audit.finished),
            audit.mistakes,
            audit.moves,
            audit.hands,
            team,
            audit.set_size,
        )
        for seat, (score, place, team) in enumerate(
            zip(audit.scores, places, audit.teams or (None,) * len(players), strict=True)
        )
    ]


def _finding_rows(audit: Audit) -> list[tuple[Any, ...]]:
    return [
        (
            finding.seq,
            finding.clause,
            plain(audit.meanings.get(finding.clause, "")),
            finding.verdict,
            None if finding.player is None else plain(finding.player),
            plain(finding.message),
            _as_json(finding.expected),
            _as_json(finding.claimed),
        )
        for finding in audit.findings
    ]


def cause_rows(audit: Audit) -> list[CauseRow]:
    """What the table `cause` has of the mistakes in an audit."""
    if audit.causes is not None:
        return [cause._replace(player=None if cause.player is None else plain(cause.player)) for cause in audit.causes]
    numbers = dict[int, list[int]]()
    for number, finding in enumerate(audit.findings):
        if finding.verdict in GRAVE:
            numbers.setdefault(finding.seq, []).append(number)
    return [
        CauseRow(
            seq,
            audit.findings[same_event[0]].clause,
            None if player is None or seq in audit.miscounts else plain(player),
            msgspec.json.encode(same_event).decode(),
            miscount=int(seq in audit.miscounts),
        )
        for seq, same_event in numbers.items()
        for player in [audit.findings[same_event[0]].player]
    ]


def _as_json(value: object) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()


def _audit_digest(row: Sequence[Any], findings: Sequence[Sequence[Any]], causes: Sequence[Sequence[Any]]) -> bytes:
    """The digest of a row with an audit (its columns before the digest), and of the rows with what it found."""
    return sha256(msgspec.json.encode((row, findings, causes))).digest()


def _read_row(columns: tuple[Any, ...]) -> Row:
    """A row of the list, as `find` reads it; one that is damaged is marked as corrupt."""
    row = dict(zip(_ROW, columns, strict=True))
    id_, game, events = str(row["id"]), str(row["game"]), row["events"] if isinstance(row["events"], int) else 0
    row |= {flag: bool(row[flag]) for flag in ("closed", "card", "voided")}
    try:
        row["played"] = row["played"] or None
        row["players"] = msgspec.json.decode(row["players"])
        row["audit"] = msgspec.json.decode(row["audit"]) if row["audit"] else None
        return msgspec.convert(row, Row)  # a damaged file has other types
    except (TypeError, ValueError):
        # One bad row must not hide the others.
        return Row(
            id=id_, game=game, edition=None, played=None, place=None, players=(), events=events, closed=False,
            corrupt=True,
        )  # fmt: skip


# ── The SQL of queries: all parts of a statement are constants of this file, and the values are bound ───────

_Condition = tuple[str, tuple[object, ...]]
_VERDICT = "EXISTS (SELECT 1 FROM audit a WHERE a.record = r.id AND a.version = r.version AND a.verdict = ?)"
_BREAKS = (
    "EXISTS (SELECT 1 FROM finding f JOIN audit a ON a.record = f.record AND a.version = r.version "
    "WHERE f.opened = r.opened AND f.clause = ? AND f.verdict IN ('breach', 'impossible'))"
)


def _where(query: Query, people: People) -> tuple[str, list[object]]:
    """The WHERE clause of a query, or "", and its values."""
    conditions: list[_Condition] = [
        (condition, (value,))
        for condition, value in (
            ("r.game = ?", query.game), ("r.played >= ?", query.since),
            ("r.played > '' AND r.played <= ?", query.until), ("r.closed = ?", query.closed),
            ("r.voided = ?", query.voided), (_VERDICT, query.verdict), (_BREAKS, query.clause),
            ("instr(r.place_searched, ?)", searchable(query.place or "") or None),
        )
        if value is not None
    ]  # fmt: skip
    conditions += [_name(word, people) for word in searchable(query.player or "").split()]
    text = " AND ".join(condition for condition, _values in conditions)
    return text and f"WHERE {text}", [value for _condition, values in conditions for value in values]


def _name(word: str, people: People) -> _Condition:
    """How to find a part of a name.  A person with several names is found by each of them."""
    names = {name for person in people if any(word in name for name in map(searchable, person)) for name in person}
    whole = [f"\n{searchable(name)}\n" for name in sorted(names)]
    either = " OR ".join(["instr(r.searched, ?)", *["instr(char(10) || r.searched || char(10), ?)"] * len(whole)])
    return f"({either})", (word, *whole)
