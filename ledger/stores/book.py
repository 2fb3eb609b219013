"""The book of a database: rows beside the events with names, keys, comments and aliases, each with its own digest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, cast

import msgspec

from ledger.record.chain import Names
from ledger.record.errors import Corrupt, NotForNow
from ledger.stores.beside import Alias, Comment, K, Kept, Key, Named, Renamed
from ledger.stores.database import MOST_ROWS, Database
from ledger.stores.tables import COLUMNS, insert

MOST_COMMENTS = 300
"""The most comments on one record."""


def names_of_event(record_id: str, seq: int, text: str, digest: bytes) -> Names:
    """The names of an event.  Raises Corrupt if they were changed: they have a digest of their own."""
    if not isinstance(text, str) or _names_digest(record_id, seq, text.encode()) != digest:
        raise Corrupt(f"record {record_id}: the names at event {seq} are not as they were written")
    return _names.decode(text)


_names = msgspec.json.Decoder(Names)


def _names_digest(record_id: str, seq: int, text: bytes) -> bytes:
    return sha256(msgspec.json.encode((record_id, seq)) + text).digest()


def _named_row(named: Named) -> tuple[Any, ...]:
    text = msgspec.json.encode(named.names, order="sorted")
    return *named[:2], text.decode(), _names_digest(*named[:2], text)


def _row(item: Kept) -> tuple[Any, ...]:
    return *item, sha256(msgspec.json.encode(item)).digest()


def _comment_row(comment: Comment) -> tuple[Any, ...]:
    *values, digest = _row(comment)
    return *values[:-1], int(comment.folded), digest


def _renamed_row(renamed: Renamed) -> tuple[Any, ...]:
    *values, before = renamed
    text = msgspec.json.encode(before, order="sorted")
    return *values, text.decode(), sha256(msgspec.json.encode(values) + text).digest()


class Shelf(NamedTuple):
    """A table of the book, whose last column has the digest, and how many of the first ones make the key.

    `first` comes before every key.  `row` turns what is kept into a row, and `read` a row into what is kept.
    `changed`, where there is one, is what to say of a row that was changed, and `mended` of one that is then deleted.
    """

    table: str
    keys: int
    first: tuple[object, ...]
    row: Callable[..., tuple[Any, ...]]
    read: Callable[..., Any]
    changed: str = ""
    mended: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table."""
        return COLUMNS[self.table]

    @property
    def where(self) -> str:
        """The condition that a row has a key."""
        return " AND ".join(f"{column} = ?" for column in self.columns[: self.keys])


SHELVES: Mapping[type[Kept], Shelf] = {
    Named: Shelf(
        "name", 2, ("", -1), _named_row,
        lambda *row: Named(row[0], row[1], names_of_event(*row)),
    ),
    Key: Shelf(
        "key", 3, ("", b"", ""), _row, lambda *row: Key(*row[:-1]),
        "a key that allows to {2} was changed: its link does not open anything",
        "a key that allows to {2} was changed and is deleted: make a new link",
    ),
    Comment: Shelf(
        "comment", 2, ("", -1), _comment_row,
        lambda *row: Comment._make((*row[:6], bool(row[6]))),
        "comment {1} was changed; `domino-ledger repair` deletes it", "comment {1} was changed and is deleted",
    ),
    Alias: Shelf(
        "alias", 1, ("",), _row, lambda *row: Alias(*row[:-1]),
        "the alias {0!r} was changed; `domino-ledger repair` deletes it",
        "the alias {0!r} was changed and is deleted: merge it anew",
    ),
    Renamed: Shelf(
        "renamed", 3, (0, "", -1), _renamed_row, lambda *row: Renamed._make((*row[:6], _names.decode(row[6]))),
        "what renaming {0} replaced was changed; `domino-ledger repair` deletes it",
        "what renaming {0} replaced was changed and is deleted: it can't be undone there",
    ),
}  # fmt: skip


class Book(Database):
    """The part of a database that keeps what no event binds."""

    def kept(self, kind: type[K], record: str | None = None) -> Iterator[K]:
        """See `Store.kept`."""
        shelf = SHELVES[kind]
        keys, columns = ", ".join(shelf.columns[: shelf.keys]), ", ".join(shelf.columns)
        places = ", ".join("?" * shelf.keys)
        of = "" if record is None else "record = ? AND "
        query = f"SELECT {columns} FROM {shelf.table} WHERE {of}({keys}) > ({places}) ORDER BY {keys} LIMIT ?"  # noqa: S608
        values: tuple[object, ...] = () if record is None else (record,)
        last: tuple[object, ...] = shelf.first
        while rows := self.rows(query, (*values, *last, MOST_ROWS)):
            for row in rows:
                yield cast("K", shelf.read(*row))
            last = rows[-1][: shelf.keys]

    def put(self, items: Iterable[Kept]) -> None:
        """See `Store.put`."""
        items = list(items)
        with self.writing():
            items = self._numbered(items)
            self._drop(items)
            by_key = {(type(item), SHELVES[type(item)].row(item)[: SHELVES[type(item)].keys]): item for item in items}
            self.keep(item for item in by_key.values() if not isinstance(item, Named) or item.names)
            self.renamed(dict.fromkeys(item.record for item in items if isinstance(item, Named)))

    def drop(self, items: Iterable[Kept]) -> int:
        """See `Store.drop`."""
        items = list(items)
        with self.writing():
            dropped = self._drop(items)
            self.renamed(dict.fromkeys(item.record for item in items if isinstance(item, Named)))
        return dropped

    def renamed(self, records: Iterable[str]) -> None:
        """Follows names that were replaced in these records, within a transaction."""

    def keep(self, items: Iterable[Kept]) -> None:
        """Adds new rows, within a transaction."""
        rows = dict[type[Kept], list[tuple[Any, ...]]]()
        for item in items:
            rows.setdefault(type(item), []).append(SHELVES[type(item)].row(item))
        for kind, new in rows.items():
            self.many(insert(SHELVES[kind].table), new)
            self.count(SHELVES[kind].table, len(new))

    def _drop(self, items: Sequence[Kept]) -> int:
        dropped = 0
        for item in items:
            shelf = SHELVES[type(item)]
            key = shelf.row(item)[: shelf.keys]
            if self.rows(f"SELECT 1 FROM {shelf.table} WHERE {shelf.where}", key):  # noqa: S608
                self.many(f"DELETE FROM {shelf.table} WHERE {shelf.where}", [key])  # noqa: S608
                self.count(shelf.table, -1)
                dropped += 1
        return dropped

    def _numbered(self, items: Iterable[Kept]) -> list[Kept]:
        """The same with the next numbers in the new comments.  Raises NotForNow if there are too many."""
        query, new = "SELECT count(*), coalesce(max(number), 0) FROM comment WHERE record = ?", Counter[str]()
        numbered = list[Kept]()
        for item in items:
            if isinstance(item, Comment) and not item.number:
                count, last = self.rows(query, (item.record,))[0]
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
        rows = self.rows(query, (record_id, since, upto if upto is not None else 1 << 30))
        return {seq: names_of_event(record_id, seq, text, digest) for seq, text, digest in rows}

    def changed(self, kind: type[Kept]) -> Iterator[tuple[Any, ...]]:
        """The rows that are not as they were written."""
        shelf = SHELVES[kind]
        columns, keys = ", ".join(shelf.columns), ", ".join(shelf.columns[: shelf.keys])
        for row in self.rows(f"SELECT {columns} FROM {shelf.table} ORDER BY {keys}"):  # noqa: S608
            try:
                if shelf.row(shelf.read(*row)) != row:
                    yield row
            except (Corrupt, TypeError, msgspec.DecodeError):
                yield row
