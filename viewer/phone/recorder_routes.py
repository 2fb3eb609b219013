"""The recorder: begin a game on a page, and enter it move by move on a phone at the table.

Writing to a record needs its key, a secret in the fragment of the recorder's link.  Browsers do not send fragments, so
no log contains the key, and the ledger stores only its digest.  A watcher's link has no key.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal

import msgspec
import segno
from flask import Blueprint, Response, abort, current_app, make_response, redirect, render_template, request, url_for
from msgspec import Meta, Struct

from ledger.audit.review import Review
from ledger.club.dry_run import people_of
from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_id, new_key, new_link
from ledger.keep.recovering import own_id
from ledger.keep.score_cards import ScoreCard
from ledger.record import chain, clock
from ledger.record.codec import check_longer
from ledger.record.errors import IdReused, LedgerError, NotARecord, NotForNow, UnknownGame, UnknownRecord, WrongVersion
from ledger.record.event_words import in_words
from ledger.record.events import AnyEvent, Open
from ledger.record.visible import isolated, visible, without_isolates
from ledger.record.words import day, plural
from ledger.stores import questions
from ledger.stores.beside import Key
from ledger.stores.query import Query
from viewer.in_browser.runtime_routes import with_rules
from viewer.phone.new_game import form_parts, latest_players, opening_of, planned, rematch, typed_names
from viewer.phone.new_game_offline import games_in_browsers
from viewer.phone.offline_files import worker_script
from viewer.phone.recorder_answers import Asked, question_about
from viewer.phone.recorder_view import EventNumber, RecorderView, ViewQuery, recorder_view
from viewer.server.access import unauthorized
from viewer.server.context import ledger_recorder, store
from viewer.server.endpoints import Endpoints, MissedEvent, problem
from viewer.server.phones_of_links import note_phone
from viewer.server.request_log import current_entry, safe_traceback
from viewer.server.roles import KEY, bearer, holds_key, may_begin, roles

endpoint = Endpoints()
recorder = Blueprint("phone", __name__, static_folder="static", static_url_path="/phone/static")

EventId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{8,64}$")]
RecordId = Annotated[str, Meta(pattern=r"^[0-9a-z]{10}$", max_length=10)]
RecordKey = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{43,86}$", max_length=86)]
RECORD_ID = re.compile(r"[0-9a-z]{10}")
LARGEST_FORM = 64_000
"""Maximum size of the form that opens a record, in bytes."""
BUSY = "The ledger cannot save anything at the moment. Nothing is lost: press Begin again in a few seconds."
"""What the form says if the ledger cannot record the opening."""
RECENT = 6
"""How many records' players the form for a new game offers."""


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """An event from a phone, with its own id: it may be sent again, and is stored once."""

    id: EventId
    event: AnyEvent


class Beginning(Struct, frozen=True, forbid_unknown_fields=True):
    """A game that begins: its opening.

    A client that gives its own `id` (ten digits and small letters) and `key` may send it again: the game begins once.
    A ledger that was lost waits for its games: meanwhile it gives the game another id.
    An opening whose day has not come yet anywhere needs `sure`, because most of them are slips.
    """

    opening: Open
    id: RecordId | None = None
    key: RecordKey | None = None
    sure: bool = False


class Begun(Struct, frozen=True):
    """A game that has begun: the id of its record, its version, and the key that records in it."""

    id: str
    version: int
    key: str


class Batch(Struct, frozen=True, forbid_unknown_fields=True):
    """The events waiting on a phone; `expected` is the version of the record that it saw before the first."""

    expected: EventNumber
    entries: Annotated[tuple[Entry, ...], Meta(min_length=1, max_length=500)]


class Draft(ViewQuery, frozen=True, forbid_unknown_fields=True):
    """Events that are not recorded, and what the view with them is to have."""

    events: Annotated[tuple[AnyEvent, ...], Meta(min_length=1, max_length=500)]


class Recorded(Struct, frozen=True):
    """The version of the record after these entries, and its link there."""

    version: int
    link: str


class LinkRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a new link; with `only`, earlier ones of the same role stop working."""

    role: Literal["watch", "record"]
    only: bool = False


class Link(Struct, frozen=True):
    """The secret of a new link, which goes after its #."""

    role: str
    key: str


def day_to_come(opening: Open, *, sure: bool) -> str:
    """What a program is asked about the day of a game; empty if the day has come, or the program is `sure`."""
    if sure or not clock.is_ahead(opening.played):
        return ""
    return f"{day(opening.played or '')} has not come yet: send sure=true if it is the day of the game"


@endpoint("/records/{record_id}/screen", RecorderView, ViewQuery, problems=(400, 404, 409, 422))
def record_screen(query: ViewQuery, record_id: str) -> RecorderView:
    """A record as its recorder sees it, with everything that can be entered next."""
    return recorder_view(Review(store().read(record_id), record_id), query)


@endpoint("/records", Begun, problems=(400, 409, 415, 422), body=Beginning, creates=True)
def begin_record(beginning: Beginning) -> Response:
    """Begins a game: opens its record, and returns the key that records in it."""
    writer = ledger_recorder()
    if doubt := day_to_come(beginning.opening, sure=beginning.sure):
        return problem(422, "This day has not come yet", doubt)
    key = beginning.key or new_key()
    record_id = own_id(store(), beginning.id, key) if beginning.id else new_id()
    if not store().version(record_id):
        catalog.find(beginning.opening.game).opening(beginning.opening)
        _open(writer, beginning.opening, record_id, key)
    elif "record" not in questions.roles(store(), record_id, key_digest(key)):
        return _begun_by_another(record_id, beginning.opening)
    answer = Response(msgspec.json.encode(Begun(record_id, store().version(record_id), key)), 201)
    answer.content_type = "application/json"
    answer.headers["Location"] = url_for("api.record", record_id=record_id)
    return answer


def _begun_by_another(record_id: str, opening: Open) -> Response:
    """The ledger has a record of this id, which this key does not open: another game, or this one with a new link."""
    (link,) = chain.links([chain.chained_bytes(opening)])
    if questions.link(store(), record_id, 1) != link:
        return problem(409, "Another game has this id", "the ledger has another game of this id: choose another id")
    detail = "the ledger has this game, but its link was replaced: ask the owner for the recorder's new link"
    return problem(409, "This game has another link", detail)


@endpoint("/records/{record_id}/links", Link, problems=(400, 401, 404, 409, 415, 422), body=LinkRequest, keyed=True)
def link(link_request: LinkRequest, record_id: str) -> Link | Response:
    """A new link to a record, for its recorder or the owner of the ledger.  Its secret is shown only once.

    With `only`, earlier links for the same role stop working.
    """
    ledger_recorder()
    questions.require(store(), record_id)
    if not (holds_key(record_id) or "owner" in questions.roles(store(), "", bearer())):
        return _wrong_key()
    return Link(link_request.role, new_link(store(), record_id, link_request.role, only=link_request.only))


@endpoint("/records/{record_id}/check", Asked, problems=(400, 404, 409, 415, 422), body=Draft)
def check(draft: Draft, record_id: str) -> Asked:
    """What is asked before the last of these is recorded, for a phone without the rules.  This records nothing."""
    return Asked(question_about(record_id, store().read(record_id), draft.events))


@endpoint("/records/{record_id}/draft", RecorderView, problems=(400, 404, 409, 415, 422), body=Draft)
def draft(draft: Draft, record_id: str) -> RecorderView:
    """The recorder's view of the record with these events, for a phone without the rules.  This records nothing."""
    return recorder_view(Review(check_longer(store().read(record_id), draft.events), record_id), draft)


@endpoint("/records/{record_id}/events", Recorded, problems=(400, 401, 404, 409, 415, 422), body=Batch, keyed=True)
def append(batch: Batch, record_id: str) -> Recorded | Response:
    """Records entries from a phone, each once however often it is sent; returns where the record is then.

    The answer costs the same however long the record is.  The phone asks for the table afterwards.
    """
    writer = ledger_recorder()
    if not holds_key(record_id):
        questions.require(store(), record_id)  # an unknown record is reported before a wrong key
        return _wrong_key()
    version_before, versions = store().version(record_id), list[int]()
    events, ids = [entry.event for entry in batch.entries], [entry.id for entry in batch.entries]
    try:
        writer.append_entries(record_id, batch.expected, events, ids, versions)
    except WrongVersion as error:
        return _conflict(record_id, error, len(versions))
    except (NotARecord, NotForNow, IdReused) as error:
        version = store().version(record_id)
        return problem(422, "This cannot be recorded", str(error), done=len(versions), version=version)
    finally:  # earlier entries of the batch were stored; retries were counted before
        stored = sum(version > version_before for version in versions)
        note_phone(record_id, bearer(), stored)
    link = questions.link(store(), record_id, versions[-1])
    assert link is not None  # noqa: S101  it was just stored
    return Recorded(versions[-1], link.hex())


def _wrong_key() -> Response:
    detail = (
        "this link does not record: the owner has ended it, or it is for watching only. "
        "Ask the owner of the ledger for a new recorder's link"
    )
    return unauthorized("This link does not record", detail)


def _conflict(record_id: str, error: WrongVersion, count: int) -> Response:
    """Another phone recorded something first: the answer shows it, and the sender decides."""
    record = store().read(record_id)
    review = Review(record, record_id)
    missed = tuple(
        MissedEvent(seq, without_isolates(in_words(event, review.names, review.squares)), event)
        for seq, event in enumerate(record.events[error.expected :], error.expected)
    )
    title = "Another phone has recorded something in the meantime"
    if len(record.events) < error.expected:
        title = "The ledger has less of this game than this phone saw"
    return problem(409, title, str(error), done=count, version=len(record.events), missed=missed)


# ── Pages ──────────────────────────────────────────────────────────────────────────────────────────────────


@recorder.get("/new")
def start() -> Any:
    """The pages to choose a game, then its players and options; `?player=` and `?event=` fill in a planned game.

    `?from=` fills in a rematch with everybody one seat further, `?again=` one with the same seats.

    In a read-only ledger, only the games that the phone itself has.
    """
    if not current_app.extensions["recording"]:
        return render_template("choose_game.html", games=()), 409
    if not may_begin():
        return render_template("choose_game.html", games=()), 401
    name, earlier = request.args.get("game", ""), request.args.get("from", "")
    again = request.args.get("again", "")
    people, event = request.args.getlist("player"), request.args.get("event", "")
    typed = planned(people, event)
    if earlier or again:
        opening = store().read(earlier or again).opening
        name, typed = opening.game, rematch(opening, 1 if earlier else 0)
    if name in catalog.names():
        return _form(name, typed, people=latest_players(store().find(Query(limit=RECENT))))
    page = render_template(
        "choose_game.html",
        games=catalog.games(),
        unknown=visible(name[:60]),
        people=people,
        event=event,
    )
    return page, 404 if name else 200


def _form(name: str, typed: dict[str, str], errors: dict[str, str] | None = None, people: Sequence[str] = ()) -> str:
    """The form for a game, with names to choose from; `errors` says what is wrong, by field ("": no field's)."""
    links = {"rules": url_for("rulebook.game", name=name), "other": url_for("phone.start")}
    parts = form_parts(name, typed, errors, people)
    action = url_for("phone.begin")
    return render_template("new_game.html", **parts, **links, action=action)


@recorder.post("/new")
def begin() -> Any:
    """Opens the record of a game; sending the form twice opens only one."""
    writer = ledger_recorder()
    request.max_content_length = LARGEST_FORM
    typed = {name: value.strip()[:2000] for name, value in request.form.items()}
    record_id, key, name = typed.get("id", ""), typed.get("key", ""), typed.get("game", "")
    if not RECORD_ID.fullmatch(record_id) or not KEY.fullmatch(key) or name not in catalog.names():
        abort(400, "this form is incomplete: start over at /new")
    try:
        return _begin(writer, record_id, key, typed)
    except (NotARecord, NotForNow, IdReused, WrongVersion, UnknownGame, UnknownRecord):
        raise
    except LedgerError as error:  # a full disk or a busy file: what was typed must not be lost
        current_entry().error = safe_traceback(error)
        answer = make_response(_form(name, typed, {"": BUSY}), 503)
        answer.headers["Retry-After"] = "5"
        return answer


def _begin(writer: Recorder, record_id: str, key: str, typed: dict[str, str]) -> Any:
    record_id = own_id(store(), record_id, key)
    answer = redirect(f"{url_for('phone.record', record_id=record_id)}#{key}", 303)
    game = catalog.find(typed["game"])
    if store().version(record_id):
        if "record" not in questions.roles(store(), record_id, key_digest(key)):
            abort(409, "another person has begun this game")
        return answer
    opening = opening_of(game, typed)
    if isinstance(opening, dict):
        return _form(game.name, typed, opening), 422
    asked = _perhaps_known(opening)
    if asked and typed.get("asked") != (names := ", ".join(asked)):
        errors = {f"player{seat}": text for seat, name in enumerate(typed_names(typed), 1) if (text := asked.get(name))}
        return _form(game.name, {**typed, "asked": names}, errors), 422
    _open(writer, opening, record_id, key)
    return answer


def _perhaps_known(opening: Open) -> dict[str, str]:
    """The names that nobody here has, and that look like somebody's; each with a question."""
    names = dict.fromkeys(player.name or player.id for player in opening.players)
    people = [one for one in people_of([ScoreCard(opening.game, names)], store()) if one.same_as]
    same = {one.name: f"The same as {isolated(one.same_as)}, {plural(one.others, 'game')}?" for one in people}
    return {name: f"{question} Then write it so; if not, begin again." for name, question in same.items()}


def _open(writer: Recorder, opening: Open, record_id: str, key: str) -> None:
    store().put([Key(record_id, key_digest(key))])
    writer.open(opening, record_id)


@recorder.get("/r/")
@recorder.get("/r/<record_id>")
def record(record_id: str = "") -> Response:
    """The recorder's page, the same for every game.  It fetches its data and keeps it on the phone.

    Without a record it begins a game.  An unknown one has status 404, and the page says so, unless the phone has
    entries for it.  In a private ledger a visitor without access cannot tell an unknown game from any other.
    """
    page = with_rules("recorder_page.html", games=games_in_browsers())
    is_hidden = current_app.extensions["private"] and not roles(record_id)
    with suppress(LedgerError):  # the phone tries again, and keeps what is entered until then
        if record_id and not is_hidden and not store().version(record_id):
            page.status_code = 404
    return page


@recorder.get("/kept")
def kept() -> Response:
    """The replay of a game that no ledger has: the game is in the address, and the rules are in the browser."""
    return with_rules("game_in_link.html")


@recorder.get("/on-this-phone")
def on_phone() -> str:
    """The games that this phone keeps, and whether the ledger has them: the phone itself fills the page."""
    return render_template("on_this_phone.html")


@recorder.get("/worker.js")
def worker() -> Response:
    """The service worker that opens the recorder without a network.  It is at the root to serve pages there.

    It contains the list of all files of the pages and of the rules, so that it can store them when it is installed, and
    a digest of them: browsers install it anew when one has changed.
    """
    return Response(worker_script(), content_type="text/javascript", headers={"Cache-Control": "no-cache"})


@recorder.post("/qr")
def qr() -> Response:
    """A text as a QR code.  It takes POST, so no log contains a recorder's link."""
    text = request.get_data(as_text=True)
    if not 0 < len(text) <= 500:
        abort(400, "a QR code needs 1 to 500 characters")
    return Response(segno.make(text, micro=False).svg_inline(light="#fff", omitsize=True), content_type="image/svg+xml")
