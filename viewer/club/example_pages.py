"""The examples that stand in for games while a ledger is empty."""

from functools import lru_cache, partial

from flask import Blueprint, Response, abort, request, url_for

from ledger.audit.review import Review
from ledger.examples.season import season
from ledger.stores.query import Query
from viewer.pictures.film import film
from viewer.pictures.growing_picture import GROWING, growing
from viewer.replay.replay_view import ReplayView
from viewer.replay.unrecorded import unrecorded_moment, unrecorded_page, unrecorded_reel
from viewer.server.context import loss, store
from viewer.server.policy import svg_answer

examples = Blueprint("examples", __name__)

VIEWS = 4
"""How many replays of examples a process keeps."""


@examples.get("/examples/<example_id>")
def example(example_id: str) -> str:
    """An example, step by step, while the ledger has no game of its own."""
    note = "An example: a simulated game of a made-up club. It goes when your first game comes."
    view, address = _example(example_id), partial(url_for, example_id=example_id)
    films = [example.id for example in season() if not example.record.opening.card]
    following = films[films.index(example_id) - 1]
    film = url_for("examples.example", example_id=following, play=1)
    return unrecorded_page(view, address, "examples.example", note, film)


@examples.get("/examples/<example_id>/reel")
def example_reel(example_id: str) -> Response:
    """The drawing of an example."""
    return unrecorded_reel(_example(example_id))


@examples.get("/examples/<example_id>/moment.svg")
def example_moment(example_id: str) -> Response:
    """The table at a step of an example, as a small picture: `?ply=17`."""
    return unrecorded_moment(_example(example_id))


def _example(example_id: str) -> ReplayView:
    if not has_examples() or not any(example.id == example_id for example in season()):
        abort(404)
    return _example_view(example_id)


@lru_cache(VIEWS)
def _example_view(example_id: str) -> ReplayView:
    return ReplayView("", next(example.record for example in season() if example.id == example_id))


@examples.get("/examples/<example_id>/growing.svg")
def example_growing(example_id: str) -> Response:
    """An example as a picture that grows; with `?still=1` what it grows to."""
    if not any(example.id == example_id for example in season()):
        abort(404)
    return svg_answer(drawn_example(example_id, still="still" in request.args))


@lru_cache(4)
def drawn_example(example_id: str, *, still: bool) -> str:
    """An example of the season as a picture that grows, or as what it grows to."""
    record = next(example.record for example in season() if example.id == example_id)
    return growing(film(Review(record)), *GROWING, still=still)


def has_examples() -> bool:
    """Whether the examples stand in for games: the ledger is empty, and has lost nothing."""
    return not loss() and not store().count_records(Query())
