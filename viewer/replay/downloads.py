"""Downloads of a replay: the record, its sheet, pictures, an animation, one file with everything."""

from collections.abc import Callable

from flask import Blueprint, Response, request

from ledger.audit.review import sheet
from ledger.club.load import club_of_reviews
from ledger.club.result_exports import csv_bytes
from ledger.record import codec
from ledger.record.errors import NotForNow
from ledger.stores.beside import Alias
from viewer.pictures.colours import tokens
from viewer.pictures.growing_picture import GROWING, growing
from viewer.pictures.link_preview_picture import WIDTH as CARD
from viewer.pictures.look import Look
from viewer.pictures.png_and_gif import animation, raster
from viewer.pictures.small_pictures import step
from viewer.pictures.table_svg import position
from viewer.replay.decided import decided_hands
from viewer.replay.link_preview import picture
from viewer.replay.one_file import one_file
from viewer.replay.replay_routes import HTML, answer, hands_in_ledger, replay_of, whole_number
from viewer.replay.replay_view import ReplayView
from viewer.replay.thumbnails import KEEP
from viewer.server.context import store

share = Blueprint("share", __name__)

ALONE = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
"""The policy of a single file: it may run what is in it, and fetch nothing."""

MOST_FRAMES = 400
"""The maximum number of steps in an animation."""
WIDE, HIGH = 720, 620
"""The size of the table in a picture, in units."""
ADDRESSED = ("ply", "v", "from", "to", "every", "view", "theme", "numerals", "level", "turn")
"""What the address of a picture can say."""
PIXELS = 1440
"""The width of a picture, in pixels."""


@share.get("/g/<record_id>/record.json")
def as_json(record_id: str) -> Response:
    """The record in its public format; works without the game."""
    return _file(codec.encode_lines(store().read(record_id)), "application/json", f"{record_id}.json")


@share.get("/g/<record_id>/sheet.txt")
def as_sheet(record_id: str) -> Response:
    """The record as a score sheet."""
    text = sheet(store().read(record_id), numbered=True).encode()
    return _file(text, "text/plain; charset=utf-8", f"{record_id}.sheet")


@share.get("/g/<record_id>/result.csv")
def as_csv(record_id: str) -> Response:
    """The result for a spreadsheet, a line for each player."""
    text = csv_bytes(club_of_reviews([replay_of(record_id).review], store().kept(Alias)).games())
    return _file(text, "text/csv; charset=utf-8", f"{record_id}.csv")


@share.get("/g/<record_id>/position.svg")
def as_svg(record_id: str) -> Response:
    """The table at a step: `?ply=17&view=plan&theme=dark&numerals=1`."""
    return _picture(record_id, lambda view: _svg(view, _place(view)).encode(), "image/svg+xml")


@share.get("/g/<record_id>/moment.svg")
def as_moment(record_id: str) -> Response:
    """The table at a step as a small picture: `?ply=17&v=EVENTS`; `v` tells apart the pictures of a growing game."""
    response = _picture(record_id, lambda view: step(view.film, _place(view)).encode(), "image/svg+xml")
    response.headers["Cache-Control"] = f"private, max-age={KEEP}"
    return response


@share.get("/g/<record_id>/position.png")
def as_png(record_id: str) -> Response:
    """The same as a PNG."""
    return _picture(record_id, lambda view: raster(_svg(view, _place(view)), PIXELS), "image/png")


@share.get("/g/<record_id>/card.png")
def as_card(record_id: str) -> Response:
    """The picture of a link to a step, for chats, 1200 by 630."""
    return _picture(record_id, lambda view: raster(picture(view, _place(view)), CARD), "image/png")


@share.get("/g/<record_id>/growing.svg")
def as_growing(record_id: str) -> Response:
    """The whole game in a few seconds, as a picture that grows; with `?still=1` what it grows to."""
    still = "still" in request.args
    return _picture(record_id, lambda view: growing(view.film, *GROWING, still=still).encode(), "image/svg+xml")


@share.get("/g/<record_id>/animation.gif")
def as_gif(record_id: str) -> Response:
    """The moves from `?from=` to `?to=`, one picture for every `?every=` steps, each moment, and the last step.

    Raises NotForNow for no steps, or for too many.
    """
    return _picture(record_id, _animation, "image/gif")


def _animation(view: ReplayView) -> bytes:
    end = len(view.review.steps) - 1
    first, last = whole_number("from"), min(end, whole_number("to")) if "to" in request.args else end
    text = request.args.get("every", "1")
    interval = max(1, int(text)) if text.isdecimal() and len(text) < 5 else 1
    steps = {*range(first, last, interval), last} if first <= last else set()
    if not steps or len(steps) > MOST_FRAMES:
        raise NotForNow(f"an animation goes from a move to a later one, in at most {MOST_FRAMES} pictures")
    # The moments are never left out, and they stay longer.
    moments = {moment.place: moment.seconds for moment in view.moments if first <= moment.place <= last}
    places = sorted(steps | moments.keys())
    pictures = [_svg(view, place, still=False) for place in places]
    return animation(pictures, tokens(_theme()), [moments.get(place, 0) for place in places])


@share.get("/g/<record_id>/replay.html")
def as_one_file(record_id: str) -> Response:
    """The replay as one file, which opens from a disk."""
    hands = hands_in_ledger(replay_of(record_id))

    def make(view: ReplayView) -> bytes:
        return one_file(view, "" if hands is None else decided_hands(view, hands)).encode()

    page = answer(record_id, (request.endpoint, hands is None), make, HTML)
    file = _download(page, f"{record_id}.html")
    # The file contains a policy, which also holds when no server sends this one.
    file.headers["Content-Security-Policy"] = ALONE
    return file


def _place(view: ReplayView) -> int:
    return view.place(request.args.get("ply"))


def _theme() -> str:
    return "dark" if request.args.get("theme") == "dark" else "light"


def _svg(view: ReplayView, place: int, *, still: bool = True) -> str:
    """The table at a step, with the caption of a moment; where it is not `still`, each step has the room for one."""
    look = Look(
        width=WIDE,
        height=HIGH,
        view="plan" if request.args.get("view") == "plan" else "stacked",
        numerals=request.args.get("numerals") == "1",
        level=whole_number("level"),
        turn=whole_number("turn") % 4,
    )
    captions = {moment.place: (moment.headline, moment.why) for moment in view.moments}
    caption = captions.get(place, () if still else ("", ""))
    return position(view.film, place, look, theme=_theme(), title=view.title, caption=caption)


def _file(body: bytes, kind: str, name: str) -> Response:
    return _download(Response(body, content_type=kind), name)


def _download(response: Response, name: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _picture(record_id: str, make: Callable[[ReplayView], bytes], kind: str) -> Response:
    """A picture of a record, made of its replay and of the address; see `kept`."""
    key = request.endpoint, *(request.args.get(name) for name in ADDRESSED)
    response = answer(record_id, key, make, kind)
    # A picture has its own style and nothing else: it runs no script and fetches nothing.
    response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return response
