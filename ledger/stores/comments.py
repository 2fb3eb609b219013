"""Comments on moves, in every kind of database: rows beside the events, each with a digest of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256

import msgspec
from msgspec.structs import astuple, replace

from ledger.record.errors import NotForNow
from ledger.stores.beside import Comment
from ledger.stores.database import Database

MOST = 300
"""The most comments on one record."""
COLUMNS = "record, number, seq, text, author, written, folded"


class Comments(Database):
    """The part of a database that keeps comments."""

    def comments(self, record_id: str | None = None) -> Iterator[Comment]:
        """See `Store.comments`."""
        where, values = ("", ()) if record_id is None else ("WHERE record = ?", (record_id,))
        for row in self.rows(f"SELECT {COLUMNS} FROM comment {where} ORDER BY record, number", values):  # noqa: S608  constants
            yield read_row(row)

    def add_comment(self, comment: Comment) -> Comment:
        """See `Store.add_comment`."""
        with self.writing():
            query = "SELECT count(*), coalesce(max(number), 0) FROM comment WHERE record = ?"
            count, last = self.rows(query, (comment.record,))[0]
            refuse_many(count)
            comment = replace(comment, number=last + 1)
            self._insert([comment])
        return comment

    def put_comments(self, comments: Iterable[Comment]) -> None:
        """See `Store.put_comments`."""
        with self.writing():
            comments = list(comments)
            self._delete(comments)
            self._insert(comments)

    def drop_comments(self, comments: Iterable[Comment]) -> None:
        """See `Store.drop_comments`."""
        with self.writing():
            self._delete(comments)

    def _insert(self, comments: Iterable[Comment]) -> None:
        rows = [(*_row(comment), comment_digest(comment)) for comment in comments]
        self.many(f"INSERT INTO comment ({COLUMNS}, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)  # noqa: S608  constants
        self.count("comment", len(rows))

    def _delete(self, comments: Iterable[Comment]) -> None:
        for comment in comments:
            key = (comment.record, comment.number)
            number = self.rows("SELECT count(*) FROM comment WHERE record = ? AND number = ?", key)[0][0]
            self.many("DELETE FROM comment WHERE record = ? AND number = ?", [key])
            self.count("comment", -int(number))


def refuse_many(count: int) -> None:
    """Raises NotForNow if a record has as many comments as it may have."""
    if count >= MOST:
        raise NotForNow(f"this game has {MOST} comments already, and no more are taken")


def _row(comment: Comment) -> tuple[object, ...]:
    return (*astuple(comment)[:-1], int(comment.folded))


def read_row(row: tuple[object, ...]) -> Comment:
    """A comment from its row."""
    return msgspec.convert(dict(zip(Comment.__struct_fields__, (*row[:-1], bool(row[-1])), strict=True)), Comment)


def comment_digest(comment: Comment) -> bytes:
    """The digest of a row with a comment."""
    return sha256(msgspec.json.encode(astuple(comment))).digest()
