"""The pages of the rules: the list of the games, and each game clause by clause, with pictures of an example."""

from functools import cache, lru_cache
from typing import Any

from flask import Blueprint, Response, abort, current_app, render_template, request, url_for

from ledger.audit.review import Review, clauses
from ledger.examples.lessons import lessons, lessons_of
from ledger.games import catalog
from ledger.record.errors import UnknownGame
from ledger.record.words import format_value
from ledger.rules.game import Game
from ledger.stores.query import Query
from viewer.pictures.film import film
from viewer.pictures.small_pictures import pointed
from viewer.server.context import store
from viewer.server.policy import svg_answer

rulebook = Blueprint("rulebook", __name__)

PICTURES = 30
"""How many pictures of games a process keeps."""


@rulebook.get("/rules")
def games() -> str:
    """The games of this ledger."""
    return render_template("rules_index.html", games=catalog.games())


@rulebook.app_template_global()
def has_rules(name: str) -> bool:
    """Whether a game is installed: a score card may be of any other."""
    return name in catalog.names()


@rulebook.get("/rules/<name>")
def game(name: str) -> str:
    """A game's rules, clause by clause, with links to records that break them; `?rules=` shows an old revision."""
    newest, game = revision(name, request.args.get("rules"))
    some = clauses(game)
    broken = {clause.id for clause in some if store().find(Query(game=name, clause=clause.id, limit=1))}
    return render_template(
        "rules_page.html",
        game=game,
        newest=newest,
        clauses=some,
        broken=broken,
        format_value=format_value,
        puzzle=url_for("referee.referee_of", day=f"{name}-1").removesuffix("1") + "{n}" if name in pictured() else "",
        record=url_for("phone.start", game=name) if current_app.extensions["recording"] else "",
    )


def revision(name: str, rules: str | None) -> tuple[Game[Any], Game[Any]]:
    """A game in its newest revision and in the requested one; 404 if there is none."""
    try:
        newest = catalog.find(name)
        return newest, newest.under(rules) if rules else newest
    except UnknownGame as error:
        abort(404, str(error))


@rulebook.get("/rules/<name>/picture.svg")
def game_picture(name: str) -> Response:
    """A step of *How to play* a game, `?at=` its number, from 1 on; those of another edition follow."""
    part = request.args.get("at", "1")
    picture = drawn_step(name, int(part)) if part in map(str, range(1, parts_of(name) + 1)) else ""
    return svg_answer(picture) if picture else abort(404)


@cache
def pictured() -> frozenset[str]:
    """The games that say how to play them, and so have pictures."""
    return frozenset(lesson.game for lesson in lessons())


def parts_of(name: str) -> int:
    """How many pictures say how to play a game."""
    return sum(len(lesson.steps) for lesson in lessons_of(name))


def picture_of(name: str, at: int) -> str:
    """The address of a picture of *How to play*."""
    return url_for("rulebook.game_picture", name=name, at=None if at == 1 else at)


def rules_pages() -> list[str]:
    """The addresses of the games' rules and of their pictures, for a phone that keeps them."""
    pictures = [picture_of(name, at) for name in sorted(pictured()) for at in range(1, parts_of(name) + 1)]
    return [url_for("rulebook.games"), *(url_for("rulebook.game", name=name) for name in catalog.names()), *pictures]


@lru_cache(PICTURES)
def drawn_step(name: str, part: int) -> str:
    """A step of *How to play* a game, drawn, with an arrow."""
    steps = [(lesson, step) for lesson in lessons_of(name) for step in lesson.steps]
    lesson, step = steps[part - 1]
    review = Review(lesson.read())
    return pointed(film(review), review.place(step.seq) or 0, step.at)
