"""News of a record: a page asks again and again what the ledger has of it that the page has not.

A question costs the same however long the record is.  It says where the page is: so many events, the link of the last,
and a digest of the names.  An answer of another link or digest begins at the first event, because the ledger has
something else, or the page may show a name that was erased.
"""

from typing import Annotated

import msgspec
from flask import Response
from msgspec import Meta, Struct

from ledger.keep.copies import names_digest
from ledger.record.events import AnyEvent
from ledger.stores import questions
from ledger.stores.store import SqliteStore
from viewer.server.context import store
from viewer.server.endpoints import Endpoints
from viewer.server.roles import holds_key

endpoint = Endpoints()


class Have(Struct, frozen=True, forbid_unknown_fields=True, rename={"version": "from"}):
    """What a page has of a record: so many events, the link of the last, and the digest of the names.

    What it does not say is taken as the ledger's.
    """

    version: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    link: Annotated[str, Meta(max_length=64)] = ""
    names: Annotated[str, Meta(max_length=16)] = ""


class Given(Struct, frozen=True):
    """An event, its link, and the id by which every phone knows it.

    That is the id which a phone gave it, or else its link; for an opening, the record's.
    """

    id: str
    link: str
    event: AnyEvent


class News(Struct, frozen=True, rename={"start": "from"}):
    """Where the ledger is with a record: its version, and its events after the first `from`; `after` is the link there.

    `names` is a digest of the names of people in it, and `opens` says whether the key of the request records.  A record
    that the ledger does not have is at version 0.
    """

    version: int
    start: int
    after: str
    names: str
    opens: bool
    events: tuple[Given, ...]


@endpoint("/records/{record_id}/news", News, Have, keyed=True)
def news(have: Have, record_id: str) -> Response:
    """What the ledger has of a record that you have not."""
    body = msgspec.json.encode(news_of(store(), record_id, have, opens=holds_key(record_id)))
    return Response(body, content_type="application/json", headers={"Cache-Control": "no-store"})


def news_of(ledger: SqliteStore, record_id: str, have: Have, *, opens: bool) -> News:
    """What the ledger has of a record after what a page has."""
    version = ledger.version(record_id)
    if not version:
        return News(0, 0, "", "", opens, ())
    names, start = names_digest(ledger, record_id, version), min(have.version, version)
    after = link_at(ledger, record_id, start)
    is_other = start == have.version and have.link not in ("", after)
    if is_other or have.names not in ("", names_digest(ledger, record_id, start)):
        start, after = 0, ""
    events: tuple[Given, ...] = ()
    if start < version:
        marks = questions.marks(ledger, record_id, start)
        events = tuple(
            Given(record_id if not seq else event_id or link.hex(), link.hex(), event)
            for (seq, event), (link, event_id) in zip(ledger.events(record_id, start), marks, strict=False)
        )
    return News(start + len(events), start, after, names, opens, events)


def link_at(ledger: SqliteStore, record_id: str, version: int) -> str:
    """The link of the last of the first `version` events; empty if there are not so many."""
    link = questions.link(ledger, record_id, version) if version else None
    return link.hex() if link else ""
