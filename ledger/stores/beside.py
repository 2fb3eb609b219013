"""What a ledger keeps beside the events: names, keys, comments, aliases, and what renamings replaced.

No chain binds it, so it can be erased.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeVar

from ledger.record.chain import Names

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


Kept = Named | Key | Comment | Alias | Renamed
"""What is kept."""
K = TypeVar("K", Named, Key, Comment, Alias, Renamed)


class Trace(NamedTuple):
    """A place where erased names can still be read, as a sentence.  `again`: a second run may remove them."""

    sentence: str
    again: bool = False
