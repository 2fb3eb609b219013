"""The replay of a game that no ledger has: its page, its drawing, and its pictures."""

from collections.abc import Callable

from flask import Blueprint, Response, current_app, render_template, url_for

from ledger.audit.moments import Moment
from viewer.pictures.small_pictures import step
from viewer.replay.reels_for_pages import reel_json
from viewer.replay.replay_routes import asked_ply, asked_reel
from viewer.replay.replay_view import ReplayView
from viewer.replay.template_values import parts_of
from viewer.server.policy import svg_answer


def unrecorded_page(
    view: ReplayView, address: Callable[..., str], kind: str, note: str = "", next_film: str = ""
) -> str:
    """The page of a game whose drawing, and whose pictures of moments, are at an `address` of that kind.

    After the film it offers the `next_film` and a game of one's own.
    """
    parts = parts_of(view, view.place(asked_ply()))
    reel = address(f"{kind}_reel")
    pictures: Callable[[Moment], str] = lambda moment: address(f"{kind}_moment", ply=moment.seq)  # noqa: E731
    begin = url_for("phone.start", game=view.review.game.name) if current_app.extensions["recording"] else ""
    values = {"note": note, "reel": reel, "next_film": next_film, "begin_href": begin}
    return render_template("replay_of_example.html", **parts, **values, alone=True, moment_pictures=pictures)


def add_drawings(blueprint: Blueprint, path: str, name: str, view_of: Callable[..., ReplayView]) -> None:
    """Adds the drawing of a game below a path, and the table at a step as a small picture: `?ply=17`."""

    def reel(**parts: str) -> Response:
        return Response(reel_json(view_of(**parts), *asked_reel()), content_type="application/json")

    def moment(**parts: str) -> Response:
        view = view_of(**parts)
        return svg_answer(step(view.film, view.place(asked_ply())))

    blueprint.add_url_rule(f"{path}/reel", f"{name}_reel", reel)
    blueprint.add_url_rule(f"{path}/moment.svg", f"{name}_moment", moment)
