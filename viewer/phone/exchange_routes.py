"""One exchange with a phone: it says what it has of a game and sends what waits; the answer has what it lacks.

An entry is appended only where the ledger ends exactly where the phone's `have` ends, with those of `add` that are
stored already.  So a request that is repeated, late or doubled finds that something follows, and adds nothing.
"""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from flask import Response, abort, current_app, g
from msgspec import Meta, Struct
from msgspec.structs import asdict

from ledger.games import catalog
from ledger.keep import recovering
from ledger.keep.copies import (
    Copy,
    Different,
    KeyRole,
    checked,
    event_ids,
    is_sealed,
    key_roles,
    owners,
    restore_copy,
    seal,
)
from ledger.keep.recorder import key_digest
from ledger.keep.stored_audits import audit_of
from ledger.record import chain
from ledger.record.errors import IdReused, NotARecord, NotForNow, UnknownGame, WrongVersion
from ledger.record.events import AnyEvent, Open, Void
from ledger.stores import questions
from ledger.stores.beside import Key, Role
from ledger.stores.event_log import pack
from ledger.stores.store import SqliteStore
from viewer.phone.recorder_routes import EventId, RecordId
from viewer.replay.news import Have, News, link_at, news_of
from viewer.server.access import BY_LINK, unauthorized
from viewer.server.context import ledger_recorder, store
from viewer.server.endpoints import Endpoints, problem
from viewer.server.phones_of_links import note_phone
from viewer.server.roles import may_begin, roles

endpoint = Endpoints()

AT_ONCE = 200
"""The most entries in one question, without a seal."""


class Sent(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry with the phone's own id; an opening has the record's.  `link` is the one that a ledger gave it."""

    id: EventId
    event: AnyEvent
    link: Annotated[str, Meta(max_length=64)] = ""


class Seal(Struct, frozen=True):
    """What proves the first `version` events to a ledger of the same owner, with the roles of the record's keys."""

    version: int
    text: str
    keys: dict[str, KeyRole]


class Exchange(Struct, frozen=True, forbid_unknown_fields=True):
    """A question about a game, with what waits: 200 entries, or all that the `seal` proves.

    `n` is its number on the phone, which hears it again.  The phone has a seal of the first `sealed` events.
    """

    LARGEST: ClassVar[int] = 8_000_000
    """The most bytes of a question: a seal proves a whole record, with the ids and links of its entries."""

    id: RecordId
    have: Have = Have()
    key: Annotated[str, Meta(max_length=86)] = ""
    add: Annotated[tuple[Sent, ...], Meta(max_length=20_000)] = ()
    n: int = 0
    seal: Seal | None = None
    sealed: Annotated[int, Meta(ge=0, le=20_000)] = 0


class Refused(Struct, frozen=True):
    """The first entry that cannot be recorded, and why."""

    id: str
    why: str


class Exchanged(News, frozen=True, rename={"start": "from"}):
    """News of the game, and what became of the entries.

    A ledger that was lost waits for its games: one that begins there has the id `taken` instead of the phone's, and one
    that another ledger had, without a proof of it, `waits` for the owner to take it in.
    """

    refused: Refused | None = None
    seal: Seal | None = None
    taken: str = ""
    waits: bool = False


@endpoint("/exchange", Exchanged, body=Exchange, problems=(400, 401, 403, 409, 415, 422))
def exchange(asked: Exchange) -> Exchanged | Response:
    """Exchanges one game with a phone: each entry is recorded once, and only where the phone has seen all before it.

    In a private ledger the `key` shows that the phone may ask.
    """
    ledger, refused = store(), None
    if asked.add and (asked.key or asked.seal):
        ledger_recorder()  # a ledger that is only read takes nothing
        if len(asked.add) > AT_ONCE and asked.seal is None:
            return problem(413, "That is too much at once", f"send {AT_ONCE} entries at once, or a seal of them")
        refused = _add(ledger, asked)
    is_private = current_app.extensions["private"]
    if is_private and not (g.get("proved") or _roles(ledger, asked) or roles(asked.id)):
        return unauthorized("This is private", "you need a link to this game, or the owner's link")
    version = ledger.version(asked.id)
    if asked.add and not version and recovering.until(ledger):
        own = recovering.own_id(ledger, asked.id, asked.key)
        is_begun = bool(ledger.version(own))
        return Exchanged(0, 0, "", "", is_begun, (), refused, taken=own if is_begun else "", waits=_was_kept(asked))
    opens = "record" in _roles(ledger, asked) if version else bool(asked.key)
    news = news_of(ledger, asked.id, asked.have, opens=opens)
    fresh = _seal(ledger, asked.id) if version and not asked.add and asked.sealed < version else None
    return Exchanged(**asdict(news), refused=refused, seal=fresh)


def _was_kept(asked: Exchange) -> bool:
    """Whether a ledger had the first of what waits, as the phone says."""
    return bool(asked.add[0].link)


def _roles(ledger: SqliteStore, asked: Exchange) -> frozenset[Role]:
    """What the key of a phone allows with the game that it asks about."""
    return questions.roles(ledger, asked.id, key_digest(asked.key)) if asked.key else frozenset()


def _seal(ledger: SqliteStore, record_id: str) -> Seal | None:
    owner = next(iter(owners(ledger)), None)
    if not owner:
        return None
    copy = Copy(record_id, ledger.read(record_id).events, event_ids(ledger, record_id), key_roles(ledger, record_id))
    return Seal(len(copy.events), seal(owner, copy, pack(copy.events)), dict(copy.keys))


def _add(ledger: SqliteStore, asked: Exchange) -> Refused | None:
    """Records what waits on the phone, where it follows what the phone has; returns what cannot be recorded."""
    add, seen, first = list(asked.add), asked.have.version, asked.add[0]
    try:
        count = 0 if seen else _take_sealed(ledger, asked)
        if not count and not seen and asked.key and isinstance(first.event, Open):
            count = _open(ledger, asked, first)
    except Different:
        return None
    except (NotARecord, NotForNow, UnknownGame) as error:
        return Refused(first.id, str(error))
    add, seen = add[count:], seen + count
    may_record = "record" in _roles(ledger, asked)
    if not add or not may_record or (not count and link_at(ledger, asked.id, seen) != asked.have.link):
        return None
    version = ledger.version(asked.id)
    if version == seen:
        count = _as_it_was(ledger, asked.id, seen, add)
        add, seen = add[count:], seen + count
    return _record(asked, version, seen, add) if add else None


def _record(asked: Exchange, version: int, seen: int, add: Sequence[Sent]) -> Refused | None:
    """Records these entries after the first `seen` events; `version` is where the ledger was before this request."""
    versions = list[int]()
    try:
        ledger_recorder().append_entries(asked.id, seen, [one.event for one in add], [one.id for one in add], versions)
    except WrongVersion:  # others were first: the phone hears of it, and people choose
        pass
    except (NotARecord, NotForNow, IdReused) as error:
        return Refused(add[len(versions)].id, str(error))
    finally:
        note_phone(asked.id, key_digest(asked.key), sum(stored > version for stored in versions))
    return None


def _open(ledger: SqliteStore, asked: Exchange, first: Sent) -> int:
    """Begins the record if there is none; returns 1 if the ledger has an opening under that id then.

    A ledger that was lost begins it under an id of its own, and a game that it may have had waits for the owner.
    """
    assert isinstance(first.event, Open)  # noqa: S101  the caller has looked
    if not ledger.version(asked.id):
        if not may_begin() or (current_app.extensions["private"] and "owner" not in roles("")):
            abort(unauthorized("A link is needed to begin a game", BY_LINK))
        own = recovering.own_id(ledger, asked.id, asked.key)
        if own != asked.id and (_was_kept(asked) or ledger.version(own)):
            return 0
        catalog.find(first.event.game).opening(first.event)
        ledger.put([Key(own, key_digest(asked.key))])
        if not _as_it_was(ledger, own, 0, [first]):
            ledger_recorder().open(first.event, own)
        g.begun = True
        return int(own == asked.id)
    return 1


def _take_sealed(ledger: SqliteStore, asked: Exchange) -> int:
    """Takes in the events of a record that the seal proves, with its keys; returns how many those are."""
    if asked.seal is None or not 0 < asked.seal.version <= len(asked.add):
        return 0
    first = asked.add[: asked.seal.version]
    ids = {seq: one.id for seq, one in enumerate(first) if seq and one.id != one.link}
    copy = Copy(asked.id, [one.event for one in first], ids, asked.seal.keys)
    try:
        is_proved = is_sealed(ledger, copy, checked(copy), asked.seal.text)
    except (NotARecord, NotForNow, IdReused):
        return 0
    if not is_proved:
        return 0
    g.proved = True
    if restore_copy(ledger, copy):
        ledger.note_audits([audit_of(asked.id, ledger.read(asked.id))])
    return len(first)


def _as_it_was(ledger: SqliteStore, record_id: str, seen: int, add: Sequence[Sent]) -> int:
    """Stores the first of these entries that have the links which a ledger gave them, unchanged; returns how many."""
    last, again = bytes.fromhex(link_at(ledger, record_id, seen)) or chain.FIRST, list[Sent]()
    for one in add:
        last = chain.link(last, chain.chained_bytes(one.event))
        if last.hex() != one.link or isinstance(one.event, Void):
            break
        again.append(one)
    if again:
        try:
            ledger.append(record_id, seen, [one.event for one in again], [one.id for one in again] if seen else None)
        except (NotARecord, IdReused, WrongVersion):  # they are looked at one by one, as those without a link
            return 0
    return len(again)
