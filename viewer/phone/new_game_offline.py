"""A new game without a server: the form, and the opening that it asks for."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger.games import catalog
from ledger.record.events import AnyEvent, When
from ledger.record.record import Record
from ledger.rules.game import Game
from viewer.every_page.templates import filled
from viewer.phone.new_game import form_parts, opening_of, rematch

LONGEST = 2000
"""Characters of a field that are read."""


class FormQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Which form to show: for a game, with what was `typed`, or for a rematch of the record with these `events`.

    `rules` and `other` are the addresses of the game's rules and of the list of games.
    """

    game: str = ""
    typed: dict[str, str] = {}
    events: tuple[AnyEvent, ...] = ()
    rules: str = ""
    other: str = ""


class BeginQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What was typed into the form, by field, and the time.  `rules` and `other` are as in `FormQuestion`."""

    typed: dict[str, str]
    when: When
    rules: str = ""
    other: str = ""


def games_in_browsers() -> list[Game[Any]]:
    """The games that the rules for browsers have."""
    return [catalog.find(name) for name in sorted(catalog.built_in())]


def form(question: FormQuestion) -> dict[str, str]:
    """The form as HTML, with the name and the title of its game.  Raises UnknownGame."""
    name, typed = question.game, question.typed
    if question.events:
        opening = Record(question.events).opening
        name, typed = opening.game, rematch(opening)
    return {"game": name, "title": catalog.find(name).title, "html": _html(name, typed, question)}


def begin(question: BeginQuestion) -> dict[str, Any]:
    """The opening that was typed, as a ledger records it: with the newest revision of the rules, and the time.

    Without one, the form says what is wrong.  Raises UnknownGame.
    """
    typed = {name: value.strip()[:LONGEST] for name, value in question.typed.items()}
    game = catalog.find(typed.get("game", ""))
    opening = opening_of(game, typed)
    if isinstance(opening, dict):
        return {"title": game.title, "opening": None, "html": _html(game.name, typed, question, opening)}
    opening = replace(opening, rules=game.revision, when=question.when)
    return {"title": game.title, "opening": opening, "html": ""}


def _html(
    name: str, typed: dict[str, str], question: FormQuestion | BeginQuestion, errors: dict[str, str] | None = None
) -> str:
    parts = form_parts(name, typed, errors)
    return filled("new_game_form.html", **parts, rules=question.rules, other=question.other)
