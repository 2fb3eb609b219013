"""The part of a store's contract about data beside the events: names, secrets and comments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, Protocol

from msgspec import Struct

from ledger.record.chain import Names

Role = Literal["record", "watch", "owner"]
"""What a secret allows: recording, watching, or everything (the owner's secret, which belongs to no record)."""


class Key(NamedTuple):
    """What a ledger stores of a secret: its record, its SHA-256, and what it allows."""

    record: str
    digest: bytes
    role: Role = "record"


class Comment(Struct, frozen=True):
    """A short remark of a reader on a move, outside the record: no chain binds it, and it can be erased.

    `number` counts from 1 in each record, `seq` is the event that it is about, `author` a name or empty, `written` a
    time (RFC 3339, UTC).  A `folded` one is shown only to those who ask for it.
    """

    record: str
    number: int
    seq: int
    text: str
    author: str = ""
    written: str = ""
    folded: bool = False


class Named(NamedTuple):
    """The names of people in the event at a seq."""

    record: str
    seq: int
    names: Names


class Trace(NamedTuple):
    """A place where erased names can still be read, as a sentence.  `again`: a second run may remove them."""

    sentence: str
    again: bool = False


class NameBook(Protocol):
    """The names in events.  They are outside the chain, so they can be erased."""

    def names(self) -> Iterator[Named]:
        """The names in events.  They are outside the chain."""
        ...

    def set_names(self, names: Iterable[Named]) -> None:
        """Replaces the names in these events; a name that is left out is erased."""
        ...

    def renamings(self) -> int:
        """How often names were replaced, or the list rebuilt.

        If it changes, a page that is open may show a name that was erased.
        """
        ...

    def forget_traces(self) -> list[Trace]:
        """Removes erased names from the underlying files; returns what may still have them.

        It waits a while for readers that hold an old state.
        """
        ...


class KeyRing(Protocol):
    """What secrets allow with a record."""

    def keep_key(self, key: Key) -> None:
        """Stores the digest of a secret and what it allows.  The record need not exist yet."""
        ...

    def drop_keys(self, record_id: str, role: Role) -> int:
        """Deletes every secret of that role for the record; returns how many there were."""
        ...

    def kept_keys(self) -> Iterator[Key]:
        """Everything stored about secrets."""
        ...

    def roles(self, record_id: str, digest: bytes) -> frozenset[Role]:
        """What the secret with this SHA-256 allows with the record."""
        ...


class CommentBook(Protocol):
    """Readers' comments on moves.  They are outside the chain, so they can be erased."""

    def comments(self, record_id: str | None = None) -> Iterator[Comment]:
        """The comments on a record, or on all, by record and number."""
        ...

    def add_comment(self, comment: Comment) -> Comment:
        """Stores a comment under the next number of its record; returns it.  Raises NotForNow if there are too many."""
        ...

    def put_comments(self, comments: Iterable[Comment]) -> None:
        """Stores these comments under their numbers, in place of those that are there."""
        ...

    def drop_comments(self, comments: Iterable[Comment]) -> None:
        """Deletes these comments."""
        ...
