"""The examples that stand in for games while a ledger is empty."""

from functools import lru_cache, partial

from flask import Blueprint, Response, abort, request, url_for

from ledger.examples.season import season
from ledger.stores.query import Query
from viewer.pictures.growing_picture import GROWING, growing
from viewer.replay.replay_view import ReplayView
from viewer.replay.unrecorded import add_drawings, unrecorded_page
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


def _example(example_id: str) -> ReplayView:
    """The replay of an example; 404 once the ledger has games, or has lost some."""
    if loss() or store().count_records(Query()):
        abort(404)
    return example_view(example_id)


@lru_cache(VIEWS)
def example_view(example_id: str) -> ReplayView:
    """The replay of an example, kept; 404 if there is none."""
    record = next((example.record for example in season() if example.id == example_id), None)
    return ReplayView("", record) if record else abort(404)


add_drawings(examples, "/examples/<example_id>", "example", _example)


@examples.get("/examples/<example_id>/growing.svg")
def example_growing(example_id: str) -> Response:
    """An example as a picture that grows; with `?still=1` what it grows to."""
    return svg_answer(drawn_example(example_id, still="still" in request.args))


@lru_cache(VIEWS)
def drawn_example(example_id: str, *, still: bool) -> str:
    """An example of the season as a picture that grows, or as what it grows to."""
    return growing(example_view(example_id).film, *GROWING, still=still)
