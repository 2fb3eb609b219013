"""The pages of the rules: the list of the games, and each game clause by clause, with pictures of an example."""

from functools import cache, lru_cache
from typing import Any

from flask import Blueprint, Response, abort, render_template, request, url_for

from ledger.audit.review import Review, clauses
from ledger.examples.season import season
from ledger.games import catalog
from ledger.record.errors import UnknownGame
from ledger.record.events import MOVES
from ledger.record.record import Record
from ledger.record.words import format_value
from ledger.rules.game import Game
from ledger.stores.query import Query
from viewer.pictures.scene_to_things import open_tiles
from viewer.pictures.small_pictures import thumbnail
from viewer.server.context import store
from viewer.server.policy import svg_answer

rulebook = Blueprint("rulebook", __name__)

PARTS = 3
"""How many pictures tell a game."""
PICTURES = 24
"""How many pictures of games a process keeps."""


@rulebook.get("/games")
def games() -> str:
    """The games of this ledger."""
    return render_template("rules_index.html", games=catalog.games())


@rulebook.app_template_global()
def has_rules(name: str) -> bool:
    """Whether a game is installed: a score card may be of any other."""
    return name in catalog.names()


@rulebook.get("/games/<name>")
def game(name: str) -> str:
    """A game's rules, clause by clause, with links to records that break them; `?rules=` shows an old revision."""
    newest, game = revision(name, request.args.get("rules"))
    some = clauses(game)
    broken = {clause.id for clause in some if store().find(Query(game=name, clause=clause.id, limit=1))}
    return render_template(
        "rules_page.html", game=game, newest=newest, clauses=some, broken=broken, format_value=format_value
    )


def revision(name: str, rules: str | None) -> tuple[Game[Any], Game[Any]]:
    """A game in its newest revision and in the requested one; 404 if there is none."""
    try:
        newest = catalog.find(name)
        return newest, newest.under(rules) if rules else newest
    except UnknownGame as error:
        abort(404, str(error))


@rulebook.get("/games/<name>/picture.svg")
def game_picture(name: str) -> Response:
    """The table of an example of a game; `?at=` says after which third of it (1 to 3, by default the last)."""
    part = request.args.get("at", str(PARTS))
    picture = drawn_game(name, int(part)) if part in map(str, range(1, PARTS + 1)) else ""
    return svg_answer(picture) if picture else abort(404)


@cache
def pictured() -> frozenset[str]:
    """The games that have an example, and so a picture."""
    return frozenset(example.record.opening.game for example in season())


def picture_of(name: str, at: int) -> str:
    """The address of a picture of a game: after which third of its example."""
    return url_for("rulebook.game_picture", name=name, at=None if at == PARTS else at)


def rules_pages() -> list[str]:
    """The addresses of the games' rules and of their pictures, for a phone that keeps them."""
    pictures = [picture_of(name, at) for name in sorted(pictured()) for at in range(1, PARTS + 1)]
    return [url_for("rulebook.games"), *(url_for("rulebook.game", name=name) for name in catalog.names()), *pictures]


@lru_cache(PICTURES)
def drawn_game(name: str, part: int) -> str:
    """The fullest table in a third of the moves of the first example; nothing for a game without one."""
    record = next((example.record for example in season() if example.record.opening.game == name), None)
    if record is None:
        return ""
    review = Review(record)
    moves = [place for place, step in enumerate(review.steps) if type(step.event) in MOVES]
    third = moves[len(moves) * (part - 1) // PARTS : len(moves) * part // PARTS]
    last = max(third, key=lambda place: (open_tiles(review.scene(place)), place))
    return thumbnail(Review(Record(record.events[: review.steps[last].seq + 1])), "large")
