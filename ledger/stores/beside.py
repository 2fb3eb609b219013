"""What a ledger keeps beside the events: names, keys, comments, aliases, what renamings replaced, imports, adjustments.

No chain binds it, so it can be erased.  Each row has a digest of its own, and the rows of each table are counted.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import msgspec

from ledger.record.chain import Names
from ledger.record.errors import Corrupt, NotForNow
from ledger.record.words import plural
from ledger.stores.query import Corruption
from ledger.stores.schema import BESIDE, COLUMNS, insert

if TYPE_CHECKING:
    from ledger.stores.connection import Connection

NAMES_CHANGED = "the names at event {} are not as they were written"
MOST_COMMENTS = 300
"""The most comments on one record."""
Role = Literal["record", "watch", "owner"]
"""What a secret allows: recording, watching, or everything (the owner's secret, which belongs to no record)."""


class Named(NamedTuple):
    """The names of people in the event at a seq."""

    record: str
    seq: int
    names: Names


class Key(NamedTuple):
    """What a ledger stores of a secret: its record, its SHA-256, and what it allows."""

    record: str
    digest: bytes
    role: Role = "record"


class Comment(NamedTuple):
    """A short remark of a reader on a move.

    `number` counts from 1 in each record; a new comment has 0, and `put` numbers it.  `seq` is the event that it is
    about, `author` a name or empty, `written` a time (RFC 3339, UTC).  A `folded` one is shown only to those who ask.
    """

    record: str
    number: int
    seq: int
    text: str
    author: str = ""
    written: str = ""
    folded: bool = False


class Alias(NamedTuple):
    """Another name of a person, as the owner of the ledger said."""

    name: str
    person: str


class Renamed(NamedTuple):
    """The names in an event before the owner renamed a person: what it takes to undo that.

    `number` counts the renamings from 1; each has a row for every event that has the name.  `old` and `new` are the
    names, `when` a time (RFC 3339, UTC), `before` the names in the event.  A row without a record is about an alias:
    its name and person are the players of `before`.
    """

    number: int
    record: str
    seq: int
    old: str
    new: str
    when: str
    before: Names


class Brought(NamedTuple):
    """What an import did with a record.

    `number` counts the imports from 1; each has a row for every record that it added or changed.  `before` is the
    record's version without it (0 for a new record), `after` with it, and `version` the one that the import, or taking
    it back, left.  `when` and `undone` are times (RFC 3339, UTC); `undone` is empty for what was not taken back.
    """

    number: int
    record: str
    before: int
    after: int
    version: int
    file: str
    when: str
    undone: str = ""


class ColumnsSaid(NamedTuple):
    """What the columns of a table mean, a JSON array, because somebody said so; `titles` is a digest of its titles.

    A title may be the name of a person, so none is kept.
    """

    titles: str
    columns: str


class Adjustment(NamedTuple):
    """Points that the owner adds to a player in an event, and why; `number` counts from 1, `when` is a time."""

    number: int
    event: str
    player: str
    points: int
    why: str
    when: str


class DecidedAt(NamedTuple):
    """Where a game was decided, by a version of its record; `hands` is JSON of `ledger.play.exact_ends`."""

    record: str
    version: int
    hands: str


class Recovering(NamedTuple):
    """Until when (RFC 3339, UTC) a ledger that was lost waits for the phones to bring its games back."""

    until: str


Kept = Named | Key | Comment | Alias | Renamed | Brought | ColumnsSaid | Adjustment | DecidedAt | Recovering
"""What is kept."""
K = TypeVar("K", bound=Kept)


class Trace(NamedTuple):
    """A place where erased names can still be read, as a sentence.  `again`: a second run may remove them."""

    sentence: str
    again: bool = False


def names_of_event(record_id: str, seq: int, text: str, digest: bytes) -> Names:
    """The names of an event.  Raises Corrupt if they were changed: they have a digest of their own."""
    if _digest((record_id, seq, text)) != digest:
        raise Corrupt(f"record {record_id}: {NAMES_CHANGED.format(seq)}")
    return _names.decode(text)


_names = msgspec.json.Decoder(Names)


def _digest(values: Sequence[Any]) -> bytes:
    return sha256(msgspec.json.encode(values)).digest()


def _row(item: Kept) -> tuple[Any, ...]:
    values = [*map(_column, item)]
    return *values, _digest(values)


def _column(value: object) -> object:
    if isinstance(value, Names):
        return msgspec.json.encode(value, order="sorted").decode()
    return int(value) if isinstance(value, bool) else value


def key_of(item: Kept) -> tuple[Any, ...]:
    """What tells an item from the others of its kind."""
    return item[: SHELVES[type(item)].keys]


class Shelf(NamedTuple):
    """A table of the book, whose last column has the digest, and how many of the first ones make the key.

    `what` is a row in words, for one that was changed, with what a keeper does when it is deleted (`then`).  `read`
    turns a row into what is kept, where its columns are not the fields.
    """

    table: str
    keys: int
    what: str = ""
    then: str = ""
    read: Callable[..., Any] | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table."""
        return COLUMNS[self.table]

    @property
    def where(self) -> str:
        """The condition that a row has a key."""
        return " AND ".join(f"{column} = ?" for column in self.columns[: self.keys])

    def changed(self, row: Sequence[Any], *, deleted: bool) -> Corruption:
        """That a row was changed, and what is done about it."""
        end = f" and is deleted{self.then}" if deleted else "; `domino-ledger repair` deletes it"
        record = str(row[0]) if self.columns[0] == "record" else ""
        return Corruption(record, f"{self.what.format(*row)} was changed{end}")


SHELVES: Mapping[type[Any], Shelf] = {
    Named: Shelf("name", 2, read=lambda *row: Named(row[0], row[1], names_of_event(*row))),
    Key: Shelf("key", 3, "a key that allows to {2}", ": its link opens nothing; make a new one"),
    Comment: Shelf("comment", 2, "comment {1}", read=lambda *row: Comment._make((*row[:6], bool(row[6])))),
    Alias: Shelf("alias", 1, "the alias {0!r}", ": merge it anew"),
    Renamed: Shelf(
        "renamed", 3, "what renaming {0} replaced", ": it can't be undone there",
        lambda *row: Renamed._make((*row[:6], _names.decode(row[6]))),
    ),
    Brought: Shelf("brought", 2, "what import {0} did with record {1}", ": it can't be taken back there"),
    ColumnsSaid: Shelf("columns_said", 1, "what columns of a table mean", ": it will be asked again"),
    Adjustment: Shelf("adjustment", 1, "adjustment {0}"),
    DecidedAt: Shelf("decided", 1, "where the game was decided", ": it will be worked out again"),
    Recovering: Shelf("recovering", 1, "the end of recovering", ": run `domino-ledger recover --owner` again"),
}  # fmt: skip


class Beside:
    """What a ledger keeps beside its events.  Writes need a transaction."""

    def __init__(self, connection: "Connection") -> None:
        self._db = connection

    def kept(self, kind: type[K], record: str | None = None) -> Iterator[K]:
        """What is kept of this kind, of a record or of all, in the order of its key; an alias belongs to no record."""
        shelf = SHELVES[kind]
        keys, columns = ", ".join(shelf.columns[: shelf.keys]), ", ".join(shelf.columns)
        where, values = ("", ()) if record is None else (" WHERE record = ?", (record,))
        rows = self._db.rows(f"SELECT {columns} FROM {shelf.table}{where} ORDER BY {keys}", values)  # noqa: S608
        return (shelf.read(*row) if shelf.read else kind(*row[:-1]) for row in rows)

    def put(self, items: Sequence[Kept]) -> None:
        """Keeps these, each in place of what has the same key; see `SqliteStore.put`."""
        numbered = self._numbered(items)
        self.drop(numbered)
        by_key = {(type(item), key_of(item)): item for item in numbered}
        self.keep(item for item in by_key.values() if not isinstance(item, Named) or item.names)

    def keep(self, items: Iterable[Kept]) -> None:
        """Adds new rows."""
        rows = dict[type[Kept], list[tuple[Any, ...]]]()
        for item in items:
            rows.setdefault(type(item), []).append(_row(item))
        for kind, new in rows.items():
            self._db.many(insert(SHELVES[kind].table), new)
            self.count(SHELVES[kind].table, len(new))

    def drop(self, items: Sequence[Kept]) -> int:
        """Deletes what has the keys of these; returns how many there were."""
        dropped = 0
        for item in items:
            shelf, key = SHELVES[type(item)], key_of(item)
            if self._db.rows(f"SELECT 1 FROM {shelf.table} WHERE {shelf.where}", key):  # noqa: S608
                self._db.many(f"DELETE FROM {shelf.table} WHERE {shelf.where}", [key])  # noqa: S608
                self.count(shelf.table, -1)
                dropped += 1
        return dropped

    def count(self, of: str, more: int) -> None:
        """Counts rows or renamings that were added."""
        if more:
            self._db.many("UPDATE total SET number = number + ? WHERE of = ?", [(more, of)])

    def _numbered(self, items: Iterable[Kept]) -> list[Kept]:
        """The same with the next numbers in the new comments.  Raises NotForNow if there are too many."""
        query, new = "SELECT count(*), coalesce(max(number), 0) FROM comment WHERE record = ?", Counter[str]()
        numbered = list[Kept]()
        for item in items:
            if isinstance(item, Comment) and not item.number:
                count, last = self._db.rows(query, (item.record,))[0]
                new[item.record] += 1
                if count + new[item.record] > MOST_COMMENTS:
                    raise NotForNow(f"this game has {MOST_COMMENTS} comments already, and no more are taken")
                numbered.append(item._replace(number=last + new[item.record]))
            else:
                numbered.append(item)
        return numbered

    def names_of(self, record_id: str, since: int = 0, upto: int | None = None) -> dict[int, Names]:
        """The names in the events of a record from seq `since` on (and before `upto`), by seq.  Raises Corrupt."""
        query = "SELECT seq, names, digest FROM name WHERE record = ? AND seq >= ? AND seq < ?"
        rows = self._db.rows(query, (record_id, since, upto if upto is not None else 1 << 30))
        return {seq: names_of_event(record_id, seq, text, digest) for seq, text, digest in rows}

    # ── What is not as it was written ──────────────────────────────────────────────────────────────────────

    def changed(self, kind: type[Kept]) -> Iterator[tuple[Any, ...]]:
        """The rows of this kind that are not as they were written."""
        shelf = SHELVES[kind]
        columns, keys = ", ".join(shelf.columns), ", ".join(shelf.columns[: shelf.keys])
        rows = self._db.rows(f"SELECT {columns} FROM {shelf.table} ORDER BY {keys}")  # noqa: S608
        return (row for row in rows if _digest(row[:-1]) != row[-1])

    def differences(self) -> Iterator[Corruption]:
        """The rows that were changed, that belong to no event, and the tables with more or fewer rows than counted."""
        for table, reason in (
            ("name", "there are names for an event that it does not have"),
            ("comment", "there is a comment on an event that it does not have"),
        ):
            for (record,) in self._db.rows(f"SELECT DISTINCT record FROM {table} t WHERE {_WITHOUT_EVENT}"):  # noqa: S608
                yield Corruption(str(record), reason)
        for record, seq, *_rest in self.changed(Named):
            yield Corruption(str(record), NAMES_CHANGED.format(seq))
        for shelf, row in self._bad():
            yield shelf.changed(row, deleted=False)
        totals = dict(self._db.rows("SELECT of, number FROM total"))
        for table in BESIDE:
            number, total = self._db.rows(f"SELECT count(*) FROM {table}")[0][0], totals.get(table)  # noqa: S608
            if number != total:
                yield Corruption("", f"the table {table} has {plural(number, 'row')}, and should have {total}")

    def mend(self) -> Iterator[Corruption]:
        """Deletes what was changed or belongs to nothing, and counts anew; yields what is lost.  Names stay."""
        totals = dict(self._db.rows("SELECT of, number FROM total"))
        lost_keys = totals.get("key", 0) - self._db.rows("SELECT count(*) FROM key")[0][0]
        if lost_keys > 0:
            lost = plural(lost_keys, "key is", "keys are")
            yield Corruption("", f"{lost} gone: replace the links that no longer open")
        for table in ("name", "comment"):
            self._db.many(f"DELETE FROM {table} AS t WHERE {_WITHOUT_EVENT}", [()])  # noqa: S608
        for shelf, row in list(self._bad()):
            self._db.many(f"DELETE FROM {shelf.table} WHERE {shelf.where}", [row[: shelf.keys]])  # noqa: S608
            yield shelf.changed(row, deleted=True)
        if "renaming" not in totals:
            self._db.many("INSERT INTO total (of, number) VALUES ('renaming', 0)", [()])

    def count_anew(self) -> None:
        """Counts the rows of each table."""
        for table in BESIDE:
            self._db.many("DELETE FROM total WHERE of = ?", [(table,)])
            self._db.many(f"INSERT INTO total (of, number) SELECT '{table}', count(*) FROM {table}", [()])  # noqa: S608

    def _bad(self) -> Iterator[tuple[Shelf, Sequence[Any]]]:
        return ((shelf, row) for kind, shelf in SHELVES.items() if kind is not Named for row in self.changed(kind))


_WITHOUT_EVENT = "NOT EXISTS (SELECT 1 FROM event e WHERE e.record = t.record AND e.seq = t.seq)"
