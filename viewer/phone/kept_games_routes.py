"""Phones as witnesses: what a phone kept is compared with the ledger, and handed back to a ledger that lost it.

A contact that has nothing to say is one small request.  Its token names the newest event that the phone's last
comparison covered; while the ledger still has that event there, only records that grew since can be news.
"""

from collections import Counter, OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Annotated

import msgspec
from flask import Response, current_app, render_template, request
from msgspec import Meta, Struct
from msgspec.structs import replace

from ledger.keep.copies import (
    Copy,
    Different,
    KeyRole,
    checked,
    event_ids,
    is_sealed,
    key_roles,
    names_digest,
    owners,
    restore_copy,
    seal,
    seal_name,
)
from ledger.keep.recorder import key_digest
from ledger.keep.stored_audits import audit_of
from ledger.record.errors import IdReused, NotARecord, NotForNow
from ledger.record.events import AnyEvent
from ledger.record.visible import visible
from ledger.record.words import plural
from ledger.stores import questions
from ledger.stores.event_log import Packed, pack
from ledger.stores.store import SqliteStore
from viewer.every_page import sent_scripts
from viewer.phone.recorder_answers import Recorded
from viewer.phone.recorder_routes import recorder
from viewer.server.access import require_owner
from viewer.server.context import ledger_recorder, store
from viewer.server.endpoints import Endpoints, Nothing, problem
from viewer.server.hosts import is_foreign
from viewer.server.limits import address
from viewer.server.phones_of_links import note_phone
from viewer.server.request_log import current_entry
from viewer.server.roles import bearer, holds_key, roles

endpoint = Endpoints()

MOST_GAMES = 500
MOST_NEW_EVENTS = 2000
"""After more new events than that, a phone compares everything."""
MOST_CHANGED = 100
"""The most records that a short answer names."""
MOST_CLAIMS, MOST_PHONES = 200, 50
"""The most unproved copies that a server remembers, and the most phones that it counts for one."""

Link = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", max_length=64)]
Secret = Annotated[str, Meta(max_length=86)]


class HeldGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A game that a phone keeps: its id, its version there, the link of the last event, and the phone's key to it."""

    id: Annotated[str, Meta(max_length=64)]
    version: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    link: str = ""
    key: Secret = ""


class Contact(Struct, frozen=True, forbid_unknown_fields=True):
    """A phone compares what it keeps with the ledger.

    `token` is from the last answer; without `games` the answer says which games may have changed since.  In a private
    ledger the phone shows that it may ask, with the key of any `record` in the header.
    """

    token: Annotated[str, Meta(max_length=100)] = ""
    record: Annotated[str, Meta(max_length=64)] = ""
    games: Annotated[tuple[HeldGame, ...], Meta(max_length=MOST_GAMES)] = ()


class Standing(Struct, frozen=True):
    """Where the ledger is with a game: its version (0: there is none), the link at the phone's version, a digest of the
    names of people in it, and whether the phone's key records.
    """

    id: str
    version: int
    then: str
    names: str
    opens: bool


class Compared(Struct, frozen=True):
    """What became of a comparison.

    `token` is for the next contact.  `changed` are the marks (see `mark`) of the games that grew since the last one;
    without it, the phone compares all its games.
    """

    token: str
    changed: tuple[int, ...] | None
    games: tuple[Standing, ...] = ()


class HeldCopy(Struct, frozen=True):
    """A record for a phone to keep.

    `ids` are the ids that phones gave to events, by seq; `keys` the roles of the record's keys, by the SHA-256 of the
    key, for those who hold one that records; `names` a digest of the names of people.  The `seal` proves all of it to a
    ledger of the same owner; it is empty if this ledger has none.
    """

    record: str
    version: int
    link: str
    events: tuple[AnyEvent, ...]
    ids: dict[str, str]
    keys: dict[str, KeyRole]
    names: str
    seal: str


class ReturnedCopy(Struct, frozen=True, forbid_unknown_fields=True):
    """A copy that a phone hands in again, as it got it."""

    link: Link
    events: Annotated[tuple[AnyEvent, ...], Meta(min_length=1, max_length=20_000)]
    ids: dict[str, str] = {}
    keys: dict[str, KeyRole] = {}
    seal: Annotated[str, Meta(max_length=100)] = ""


class Claim(Struct, frozen=True):
    """A copy that could not be proved: the owner decides.  Nothing of it is in the ledger.

    So many `phones` have these events, or more after the same ones, and so many have something else (`unlike`).
    """

    record: str
    version: int
    link: str
    game: str
    names: tuple[str, ...]
    phones: int
    unlike: int = 0


class _Phones:
    """The addresses of the phones that have the events of a copy, and of those that have others."""

    def __init__(self) -> None:
        self.alike, self.unlike = set[str](), set[str]()

    def note(self, phone: str, *, alike: bool) -> None:
        addresses = self.alike if alike else self.unlike
        if len(addresses) < MOST_PHONES:
            addresses.add(phone)


class Claims:
    """The latest copies that could not be proved.  Phones tell of them again at each contact, so memory is enough."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._claims = OrderedDict[tuple[str, str], tuple[Claim, _Phones]]()
        self._first = dict[tuple[str, str], str]()
        """The address that brought each."""

    def add(self, claim: Claim, links: Sequence[bytes], phone: str) -> None:
        """Notes a copy with these links, and the address of the phone that has it.

        It speaks for each shorter copy that it goes on from, and against each that it does not.  Phones tell of their
        copies again and again, so the longer of two is compared with the shorter some time.
        """
        key = claim.record, claim.link
        with self._lock:
            self._claims[key] = self._claims.pop(key, (claim, _Phones()))
            self._first.setdefault(key, phone)
            if len(self._claims) > MOST_CLAIMS:
                # Somebody who invents many copies pushes out their own, and no honest one.
                ((busiest, _count),) = Counter(self._first[one] for one in self._claims).most_common(1)
                oldest = next(one for one in self._claims if self._first[one] == busiest)
                del self._claims[oldest], self._first[oldest]
            for other, (known, phones) in self._claims.items():
                if known.record == claim.record and known.version <= claim.version:
                    phones.note(phone, alike=links[known.version - 1].hex() == known.link)
                    self._claims[other] = replace(known, phones=len(phones.alike), unlike=len(phones.unlike)), phones

    def settle(self, record_id: str, link: str) -> None:
        """Forgets a copy that is in the ledger now."""
        with self._lock:
            self._claims.pop((record_id, link), None)
            self._first.pop((record_id, link), None)

    def all(self) -> list[Claim]:
        """The copies, the newest last."""
        with self._lock:
            return [claim for claim, _ in self._claims.values()]


def mark(record_id: str) -> int:
    """Sixteen bits of an id (FNV-1a), so that a short answer names no record to those who do not know it."""
    number = 0x811C9DC5
    for byte in record_id.encode():
        number = (number ^ byte) * 0x01000193 & 0xFFFFFFFF
    return number >> 16 ^ number & 0xFFFF


@endpoint("/copies/contact", Compared, body=Contact, problems=(400, 415))
def contact(contact: Contact) -> Compared:
    """Compares what a phone keeps with the ledger, all its games in one request.  This records nothing."""
    ledger = store()
    known = [game for game in contact.games if _may_see(game)]
    seen = {game.id for game in known}
    games = tuple(
        _standing(ledger, game) if game.id in seen else Standing(game.id, 0, "", "", opens=False)
        for game in contact.games
    )
    if current_app.extensions["private"] and not (seen or roles(contact.record)):
        return Compared("", None, games)
    return Compared(_state(ledger, ledger.size()), None if contact.games else _changed(ledger, contact.token), games)


def _may_see(game: HeldGame) -> bool:
    if not current_app.extensions["private"]:
        return True
    return bool(questions.roles(store(), game.id, key_digest(game.key)) or roles(game.id))


def _standing(ledger: SqliteStore, game: HeldGame) -> Standing:
    version = ledger.version(game.id)
    link = questions.link(ledger, game.id, min(version, game.version)) if version and game.version else None
    names = names_digest(ledger, game.id) if version else ""
    opens = bool(game.key) and "record" in questions.roles(ledger, game.id, key_digest(game.key))
    if opens:
        note_phone(game.id, key_digest(game.key))
    return Standing(game.id, version, link.hex() if link else "", names, opens)


def _state(ledger: SqliteStore, size: int) -> str:
    """The event at this place of the ledger, and what else can change what phones keep: names and the owner's key."""
    newest = next(ledger.log(size - 1, size), None) if size else None
    link = newest.link.hex()[:16] if newest else ""
    owner = next(iter(owners(ledger)), b"")
    return f"{size}.{link}.{questions.renamings(ledger)}.{seal_name(owner) if owner else ''}"


def _changed(ledger: SqliteStore, token: str) -> tuple[int, ...] | None:
    """The marks of the records that grew since; None if the ledger is not the one of that token any more."""
    number = token.partition(".")[0]
    if not (number.isdigit() and len(number) < 18):
        return None
    since, size = int(number), ledger.size()
    if not size - MOST_NEW_EVENTS <= since <= size or _state(ledger, since) != token:
        return None
    query = "SELECT DISTINCT record FROM event WHERE position > ? AND position <= ?"
    marks = sorted({mark(record_id) for (record_id,) in ledger.rows(query, (since, size))})
    return tuple(marks) if len(marks) <= MOST_CHANGED else None


@endpoint("/records/{record_id}/copy", HeldCopy, Nothing, problems=(400, 404, 422), keyed=True)
def record_copy(_query: Nothing, record_id: str) -> HeldCopy:
    """A record for a phone to keep, sealed if the ledger has an owner."""
    ledger = store()
    record, may_record = ledger.read(record_id), holds_key(record_id)
    keys = key_roles(ledger, record_id) if may_record else {}
    copy = Copy(record_id, record.events, event_ids(ledger, record_id), keys)
    packed = pack(copy.events)
    owner = next(iter(owners(ledger)), None)
    return HeldCopy(
        record_id,
        len(record.events),
        packed.links[-1].hex(),
        record.events,
        {str(seq): event_id for seq, event_id in copy.ids.items()},
        keys,
        names_digest(ledger, record_id),
        seal(owner, copy, packed) if owner else "",
    )


@endpoint("/records/{record_id}/copy", Recorded, problems=(400, 409, 415, 422), body=ReturnedCopy)
def return_copy(returned: ReturnedCopy, record_id: str) -> Recorded | Response:
    """Takes back a record that this ledger lost, whole or in part, from a phone that kept it, with the same chain.

    The seal of the ledger's owner proves the copy, or the owner's key in the request vouches for it.  What cannot be
    proved is noted for the owner, and not recorded.
    """
    ledger_recorder()
    if is_foreign(request):
        return problem(403, "Another site asks", "a page of another site cannot hand in a game here")
    ledger = store()
    try:
        ids = {int(seq): event_id for seq, event_id in returned.ids.items() if seq.isdecimal() and len(seq) < 9}
        copy = Copy(record_id, returned.events, ids, returned.keys)
        packed = checked(copy)
    except (NotARecord, NotForNow, IdReused) as error:
        return problem(422, ALTERED, str(error))
    if packed.links[-1].hex() != returned.link or len(ids) < len(returned.ids):
        return problem(422, ALTERED, "its events do not belong to the link that it names")
    if not is_sealed(ledger, copy, packed, returned.seal) and "owner" not in questions.roles(ledger, "", bearer()):
        return _unproved(ledger, copy, packed)
    try:
        stored = restore_copy(ledger, copy)
    except Different as error:
        return problem(409, DIFFERENT, str(error), version=ledger.version(record_id))
    if stored:
        ledger.note_audits([audit_of(record_id, ledger.read(record_id))])
    current_app.extensions["claims"].settle(record_id, returned.link)
    version = ledger.version(record_id)
    link = questions.link(ledger, record_id, version)
    assert link is not None  # noqa: S101  it was just stored
    return Recorded(version, link.hex())


ALTERED, DIFFERENT = "This copy was altered", "The ledger has something else"
UNPROVED = "This copy cannot be proved"


def _unproved(ledger: SqliteStore, copy: Copy, packed: Packed) -> Response:
    """Refuses a copy without a seal, unless the ledger has all of it anyway; the owner sees it."""
    version, length = ledger.version(copy.record), len(packed.links)
    link = questions.link(ledger, copy.record, length)
    if link == packed.links[-1] and not current_app.extensions["private"]:
        newest = questions.link(ledger, copy.record, version) or link
        return Response(msgspec.json.encode(Recorded(version, newest.hex())), content_type="application/json")
    opening = packed.record.opening
    names = tuple(visible(player.name or player.id) for player in opening.players)
    claim = Claim(copy.record, length, packed.links[-1].hex(), visible(opening.game), names, 1)
    current_app.extensions["claims"].add(claim, packed.links, address())
    current_entry().error = f"a phone has a copy of {copy.record} with {plural(length, 'event')} that cannot be proved"
    detail = (
        "it has no seal of this ledger's owner: save it as a file, and give that to the owner, "
        "who takes it in with `domino-ledger recover`"
    )
    return problem(422, UNPROVED, detail)


@endpoint("/copies/unproved", list[Claim], problems=(400, 401))
def unproved(_query: Nothing) -> list[Claim]:
    """The copies that phones handed in since the server started and could not prove, for the owner of the ledger."""
    require_owner(writing=False)
    claims: list[Claim] = current_app.extensions["claims"].all()
    return claims


@recorder.get("/on-this-phone")
def on_phone() -> str:
    """The games that this phone keeps, and whether the ledger has them: the phone itself fills the page."""
    return render_template("on_this_phone.html")


@recorder.get("/on-this-phone.js")
def on_phone_script() -> Response:
    """The script of that page in one answer."""
    return sent_scripts.script("phone/static/on_this_phone.js")
