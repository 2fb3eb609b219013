"""The pages of a record."""

import re
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from hashlib import sha256
from html import escape
from typing import Any

import msgspec
from flask import Blueprint, Response, abort, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as WerkzeugResponse

from ledger import notation
from ledger.audit.moments import Moment
from ledger.audit.slip.causes import Cause
from ledger.keep.copies import names_digest
from ledger.keep.stored_audits import stored_causes
from ledger.play.exact_ends import Decided
from ledger.record import codec
from ledger.record.chain import matches
from ledger.record.errors import LedgerError, no_record
from ledger.stores import questions
from ledger.stores.beside import Comment, DecidedAt, Named
from ledger.stores.query import Query
from viewer.pictures.look import Look
from viewer.pictures.reel import SHAPES, Known, look_of
from viewer.pictures.table_svg import printed
from viewer.replay.decided import decided_hands
from viewer.replay.decided_apart import Apart
from viewer.replay.link_preview import card
from viewer.replay.reels_for_pages import reel_json
from viewer.replay.replay_view import ReplayView
from viewer.replay.template_values import parts_of, renewed
from viewer.server.compression import as_packed, packed
from viewer.server.context import loss, own, store
from viewer.server.kept import kept
from viewer.server.roles import is_owner

NEXT = 200
"""How many of the games played last are films one after another."""
ANIMATED = 40
"""About how many steps an animation shows, unless the request says otherwise."""

VIEW, STEP = 100_000, 3000
"""About the bytes of a replay with all its parts, and for each of its events."""

HTML, JSON = "text/html; charset=utf-8", "application/json"

pages = Blueprint("replay", __name__, static_folder="static", static_url_path="/replay/static")

State = tuple[str, bytes | None, bytes]


def state_of(record_id: str) -> State:
    """What all pages of a record are made of: its id, the link of its last event, and a digest of what stands beside.

    Beside it stand names, comments and causes.  Raises UnknownRecord.
    """
    ledger = store()
    version = ledger.version(record_id)
    if not version:
        raise no_record(record_id)
    beside = list(ledger.kept(Named, record_id)), list(ledger.kept(Comment, record_id)), causes_of(record_id)
    return record_id, questions.link(ledger, record_id, version), sha256(msgspec.json.encode(beside)).digest()


def replay_of(record_id: str, *, recorded: bool = False) -> ReplayView:
    """The replay of a record, kept.  Raises UnknownRecord, NotARecord, UnknownGame."""
    return _view(state_of(record_id), recorded=recorded)


def causes_of(record_id: str, *, recorded: bool = False) -> tuple[Cause, ...]:
    """The causes that the ledger has for the findings of a record; none for a record before its corrections."""
    return () if recorded else stored_causes(store(), record_id) or ()


def _view(state: State, *, recorded: bool) -> ReplayView:
    record_id, *_ = state

    def make() -> ReplayView:
        return ReplayView(
            record_id, store().read(record_id), causes_of(record_id, recorded=recorded), recorded=recorded
        )

    return kept().get_or_make((*state, "replay", recorded), make, lambda view: VIEW + STEP * view.version)


def made_of(record_id: str, look: Hashable, make: Callable[[ReplayView], bytes], *, recorded: bool = False) -> bytes:
    """Something made of the replay of a record, kept; `look` says what and how.

    Raises what `replay_of` and `make` raise.
    """
    state = state_of(record_id)

    def made() -> bytes:
        view = _view(state, recorded=recorded)
        with view.alone:  # it makes its parts when they are first used
            return make(view)

    return kept().get_or_make((*state, recorded, look), made, len)


def answer(
    record_id: str, look: Hashable, make: Callable[[ReplayView], bytes], kind: str, *, recorded: bool = False
) -> Response:
    """The answer of a content type about a record, kept as it is sent.  Raises what `made_of` raises."""
    return as_packed(made_of(record_id, look, lambda view: packed(make(view), kind), recorded=recorded), kind)


@pages.get("/g/<record_id>")
def replay(record_id: str) -> Response:
    """A record, step by step."""
    return _replay(record_id, "replay.html")


@pages.get("/g/<record_id>/next")
def next_film(record_id: str) -> WerkzeugResponse:
    """To the film of the finished game that was played before this one; after the last of them to the latest."""
    # A link to one game of a private ledger tells of no other.
    rows = () if current_app.extensions["private"] else store().find(Query(order="played", limit=NEXT))
    films = [row.id for row in rows if row.id == record_id or (row.audit and row.audit.finished and not row.card)]
    following = films[(films.index(record_id) + 1) % len(films)] if record_id in films else films[0] if films else ""
    return redirect(url_for("replay.replay", record_id=following, play=1) if following else url_for("home.front"), 303)


@pages.get("/embed/<record_id>")
def embed(record_id: str) -> Response:
    """A record, step by step, for a frame on another site."""
    return _replay(record_id, "embed.html")


def _replay(record_id: str, template: str) -> Response:
    recorded = "recorded" in request.args.getlist("view")
    ply, fingerprint = asked_ply(), request.args.get("fingerprint")
    if fingerprint is not None:
        view = replay_of(record_id, recorded=recorded)
        comparison = render(view, template, view.place(ply), compared=matches(fingerprint, view.record_digest))
        return Response(comparison, content_type=HTML)
    comments = list(store().kept(Comment, record_id)) if template == "replay.html" else []

    def make(view: ReplayView) -> bytes:
        link = (questions.link(store(), record_id, view.version) or b"").hex()
        names = names_digest(store(), record_id, view.version)
        more = {"comments": comments, "commentable": True, "has": {"names": names, "link": link}}
        return render(view, template, view.place(ply), **more).encode()

    return answer(record_id, (*_look(template), ply), make, HTML, recorded=recorded)


def _look(name: str) -> tuple[Hashable, ...]:
    """What a page about a record depends on, besides the record."""
    return name, request.script_root, request.host_url, loss(), is_owner()


@pages.get("/g/<record_id>/reel")
def drawing(record_id: str) -> Response:
    """The drawing of a record, as JSON: `shape`, `view` and `turn` as in `Look`; without what a page has of it."""
    look, known = asked_reel()
    recorded = "recorded" in request.args.getlist("view")
    return answer(record_id, ("reel", look, known), lambda view: reel_json(view, look, known), JSON, recorded=recorded)


def asked_reel() -> tuple[Look, Known]:
    """The look of the reel that is asked for, and what the page has of it."""
    views, shape = request.args.getlist("view"), request.args.get("shape", "")
    if shape not in SHAPES:
        abort(404, f"there is no shape {shape!r}: {', '.join(SHAPES)}")
    look = look_of(shape, "plan" if "plan" in views else "stacked", whole_number("turn") % 4)
    numbers = [int(part) for part in request.args.get("known", "").split(",") if re.fullmatch("[0-9]{1,10}", part)]
    return look, Known(*numbers) if len(numbers) == len(Known.__struct_fields__) else Known()


@pages.get("/g/<record_id>/parts")
def parts(record_id: str) -> Response:
    """What a new move changes on the page of a record, for a page that follows a game; see `renewed`."""
    comments = list(store().kept(Comment, record_id))

    def make(view: ReplayView) -> bytes:
        return renewed(view, render_template, comments=comments, linked=True, moment_pictures=moment_pictures(view))

    return answer(record_id, _look("parts"), make, JSON)


def render(view: ReplayView, template: str, place: int, **more_values: Any) -> str:
    """A page of a record at one step."""
    if template == "replay.html" and view.review.card:
        template = "replay_of_score_card.html"
    every = max(1, round((len(view.story.lines) - 1) / ANIMATED))
    values = {"every": every, "embed_code": embed_code(view), "card": card(view, place)}
    if template in ("replay.html", "replay_of_score_card.html"):
        following = "" if current_app.extensions["private"] else url_for("replay.next_film", record_id=view.id)
        values |= {"linked": True, "moment_pictures": moment_pictures(view), "next_film": following}
    return render_template(template, **{**parts_of(view, place), **values, **more_values})


def moment_pictures(view: ReplayView) -> Callable[[Moment], str]:
    """What tells the address of the picture of a moment; a browser keeps the picture until the game has grown."""
    return lambda moment: url_for("share.as_moment", record_id=view.id, ply=moment.seq, v=view.version)


def asked_ply() -> str | None:
    """The step in the address; the first one if the game is to play by itself."""
    return request.args.get("ply", "0" if "play" in request.args else None)


def embed_code(view: ReplayView) -> str:
    """The HTML to copy into another site, which shows the record there.  A page that shows it escapes it again."""
    address = escape(url_for("replay.embed", record_id=view.id, _external=True))
    return f'<iframe src="{address}" width="480" height="720" title="{escape(view.title)}"></iframe>'


def whole_number(name: str) -> int:
    """A number in the address; 0 for anything else."""
    text = request.args.get(name, "")
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 4 else 0


@pages.get("/g/<record_id>/decided")
def decided(record_id: str) -> Response:
    """Where a game was decided, for its page; 202 while that is being worked out."""
    view = replay_of(record_id)
    hands = hands_in_ledger(view)
    if hands is not None:
        return Response(decided_hands(view, hands))
    if not view.decidable:
        abort(404)
    own(Apart).begin(codec.encode(view.record))
    return Response("It is being worked out. Load this page again in a moment.", 202, {"Refresh": "2"})


def hands_in_ledger(view: ReplayView) -> Sequence[Decided] | None:
    """Where a game was decided, if that was worked out; what was just found is put into the ledger."""
    version = len(view.record.events)
    stored = next((one.hands for one in store().kept(DecidedAt, view.id) if one.version == version), None)
    found = stored or own(Apart).found(codec.encode(view.record))
    if found is None:
        return None
    if isinstance(found, bytes) and current_app.extensions["recording"]:
        with suppress(LedgerError):  # such as a full disk: it stays in memory
            store().put([DecidedAt(view.id, version, found.decode())])
    return msgspec.json.decode(found, type=tuple[Decided, ...])


@pages.get("/g/<record_id>/print")
def print_page(record_id: str) -> Response:
    """The score sheet with its audit, for paper."""

    def make(view: ReplayView) -> bytes:
        sheet = notation.write(view.record, numbered=True, squares=view.review.squares)
        end = view.place(None)
        return render(view, "print_replay.html", end, sheet=sheet, table=printed(view.film, end)).encode()

    return answer(record_id, _look("print_replay.html"), make, HTML)
