"""The recorder: a game is begun on a page, and entered move by move from a phone at the table.

Who may write to a record holds its key, a secret that stands in the fragment of the recorder's link: a browser does not
send a fragment, so no log has it, and the ledger keeps only its digest.  A watcher's link has none.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request, url_for
from msgspec import Meta, Struct

from ledger import catalog
from ledger.codec import check as whole
from ledger.errors import IdReused, LedgerError, NotARecord, NotForNow, WrongVersion
from ledger.events import AnyEvent
from ledger.forms import news
from ledger.recorder import Recorder, key_digest, new_id, new_key
from ledger.stores.contract import Key
from ledger.words import in_words
from viewer.answers import current
from viewer.doors import KEY, bearer, holds_key, keyless, same_site
from viewer.endpoints import Missed, endpoint, problem
from viewer.openings import fields_of, opening_of, written
from viewer.pages import store
from viewer.screens import Said, Screen, said, screen

desk = Blueprint("desk", __name__)

EventId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{8,64}$")]
Place = Annotated[int, Meta(ge=1, le=1_000_000_000)]
RECORD_ID = re.compile(r"[0-9a-z]{10}")
LARGEST_FORM = 64_000
"""Bytes of the form that opens a record."""


class Entered(Struct, frozen=True, forbid_unknown_fields=True):
    """An event that was entered on a phone, under an id of its own: it may be sent again, and is stored once."""

    id: EventId
    event: AnyEvent


class Batch(Struct, frozen=True, forbid_unknown_fields=True):
    """What waits on a phone; `expected` is the version of the record that it had seen before the first."""

    expected: Place
    entries: Annotated[tuple[Entered, ...], Meta(min_length=1, max_length=500)]


class Draft(Struct, frozen=True, forbid_unknown_fields=True):
    """Events that somebody might record: the last is the one that is asked about, those before it wait."""

    events: Annotated[tuple[AnyEvent, ...], Meta(min_length=1, max_length=500)]


class Judged(Struct, frozen=True):
    """What the audit would say that it does not say without the last event, and the verdict on the record then."""

    findings: tuple[Said, ...]
    verdict: str


class At(Struct, frozen=True, forbid_unknown_fields=True):
    """At which event a record is entered: before that of seq `before`, or after the last.

    `seen` is a version that whoever asks has seen: the answer tells the link that stands there now.
    """

    before: Place | None = None
    seen: Place | None = None


class Wanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Which link is wanted; with `only` it replaces those that were made before."""

    role: Literal["watch", "record"]
    only: bool = False


class Link(Struct, frozen=True):
    """The secret of a new link, which belongs behind its #."""

    role: str
    key: str


def recorder() -> Recorder:
    """The one writer.  Raises NotForNow where the ledger is only shown."""
    if not current_app.extensions["recording"]:
        raise NotForNow("this ledger is only shown here: nothing can be recorded")
    return Recorder(store(), find_game=catalog.find)


@endpoint("/records/{record_id}/screen", Screen, At, problems=(400, 404, 409, 422))
def record_screen(asked: At, record_id: str) -> Screen:
    """A record as its recorder sees it, with everything that can be entered next."""
    return screen(record_id, store().read(record_id), asked.before, asked.seen)


@endpoint("/records/{record_id}/links", Link, problems=(400, 401, 404, 409, 415, 422), body=Wanted, keyed=True)
def link(asked: Wanted, record_id: str) -> Link | Response:
    """A new link to a record, by who may record it, or who rules over the ledger; its secret is told once.

    With `only` those that were made before for the same role open nothing any more.
    """
    recorder()
    store().read(record_id, 1)
    if not (holds_key(record_id) or "owner" in store().roles("", bearer())):
        return _no_recorder()
    made = new_key()
    if asked.only:
        store().drop_keys(record_id, asked.role)
    store().keep_key(Key(record_id, key_digest(made), asked.role))
    return Link(asked.role, made)


@endpoint("/records/{record_id}/check", Judged, problems=(400, 404, 409, 415, 422), body=Draft)
def check(asked: Draft, record_id: str) -> Judged:
    """What the rules say of an event before it is recorded.  Nothing is."""
    review, findings = news(store().read(record_id), asked.events, record_id)
    return Judged(tuple(said(review, finding) for finding in findings), review.report.verdict)


@endpoint("/records/{record_id}/draft", Screen, problems=(400, 404, 409, 415, 422), body=Draft)
def draft(asked: Draft, record_id: str) -> Screen:
    """How the record would look to its recorder with these events.  Nothing is recorded."""
    return screen(record_id, whole((*store().read(record_id).events, *asked.events)))


@endpoint(
    "/records/{record_id}/events", Screen, problems=(400, 401, 404, 409, 415, 422), body=Batch, keyed=True
)  # fmt: skip
def append(asked: Batch, record_id: str) -> Screen | Response:
    """Records what was entered on a phone, each entry once however often it is sent; answers with the new screen."""
    writer = recorder()
    store().read(record_id, 1)  # says that it is not there, before it is said that the key is wrong
    if not holds_key(record_id):
        return _no_recorder()
    known, done = store().version(record_id), list[int]()
    events, ids = [entry.event for entry in asked.entries], [entry.id for entry in asked.entries]
    try:
        writer.take(record_id, asked.expected, events, ids, done)
    except WrongVersion as error:
        return _overtaken(record_id, error, len(done))
    except (NotARecord, NotForNow, IdReused) as error:
        version = store().version(record_id)
        return problem(422, "This cannot be recorded", str(error), done=len(done), version=version)
    finally:  # those before one that cannot be recorded are; those that were sent before are counted already
        current().recorded = sum(version > known for version in done)
    return screen(record_id, store().read(record_id))


def _no_recorder() -> Response:
    return keyless("This link cannot record", "who records holds the recorder's link, not a watcher's")


def _overtaken(record_id: str, error: WrongVersion, done: int) -> Response:
    """Somebody else recorded something first: it is told, and who sent this decides."""
    record = store().read(record_id)
    names = {player.id: player.name or player.id for player in record.opening.players}
    missed = tuple(
        Missed(seq, in_words(event, names), event)
        for seq, event in enumerate(record.events[error.expected :], error.expected)
    )
    title = "Somebody else has recorded something meanwhile"
    return problem(409, title, str(error), done=done, version=len(record.events), missed=missed)


# ── Pages ──────────────────────────────────────────────────────────────────────────────────────────────────


@desk.get("/new")
def start() -> str:
    """Choose a game; then the players, and what the game offers."""
    recorder()
    name, again = request.args.get("game", ""), request.args.get("from", "")
    typed: dict[str, str] = {}
    if again:
        opening = store().read(again).opening
        name, typed = opening.game, written(opening)
    if name not in catalog.names():
        return render_template("start.html", games=catalog.games())
    return _form(name, typed)


def _form(name: str, typed: dict[str, str], wrong: str = "") -> str:
    game = catalog.find(name)
    kept = {"id": typed.get("id") or new_id(), "key": typed.get("key") or new_key()}
    return render_template("opening.html", game=game, fields=fields_of(game, typed), typed=typed, wrong=wrong, **kept)


@desk.post("/new")
def begin() -> Any:
    """Opens the record of a game; sent twice, it is one game all the same."""
    writer = recorder()
    if not same_site():
        abort(403, "a game is begun from this site's own page")
    request.max_content_length = LARGEST_FORM
    typed = {name: value.strip()[:2000] for name, value in request.form.items()}
    record_id, key, name = typed.get("id", ""), typed.get("key", ""), typed.get("game", "")
    if not RECORD_ID.fullmatch(record_id) or not KEY.fullmatch(key) or name not in catalog.names():
        abort(400, "this form is not whole: begin again at /new")
    there = redirect(f"{url_for('desk.record', record_id=record_id)}#{key}", 303)
    if store().version(record_id):
        if "record" not in store().roles(record_id, key_digest(key)):
            abort(409, "this game was begun by another")
        return there
    try:
        opening = opening_of(catalog.find(name), typed)
        catalog.find(name).opening(opening)
    except LedgerError as error:
        return _form(name, typed, str(error)), 422
    store().keep_key(Key(record_id, key_digest(key)))
    writer.open(opening, record_id)
    current().recorded = 1
    return there


@desk.get("/r/<record_id>")
def record(record_id: str) -> str:
    """The recorder.  The page is the same for every game: what it shows it asks for, and keeps on the phone."""
    return render_template("record.html", record_id=record_id)


@desk.get("/worker.js")
def worker() -> Response:
    """The worker that opens the recorder without a network.  It stands at the root, since it serves pages there."""
    return current_app.send_static_file("record/worker.js")


@desk.post("/qr")
def qr() -> Response:
    """A text as a QR code.  It is posted, so that no log has a recorder's link."""
    import segno  # noqa: PLC0415  only here

    text = request.get_data(as_text=True)
    if not 0 < len(text) <= 500:
        abort(400, "a QR code here is of 1 to 500 characters")
    return Response(segno.make(text, micro=False).svg_inline(light="#fff", omitsize=True), content_type="image/svg+xml")
