"""A game with its options and clauses, as programs get it from the command and from a server."""

from typing import Any, Literal

from msgspec import Struct

from ledger.audit.review import clauses
from ledger.record.events import kind
from ledger.rules.game import Game


class ClauseView(Struct, frozen=True):
    """A clause of a game."""

    id: str
    meaning: str
    events: list[str]


class OptionView(Struct, frozen=True):
    """An option of a game, its default first."""

    name: str
    kind: Literal["variant", "ruling", "fact"]
    values: list[Any]
    accepts: str
    meaning: str


class GameView(Struct, frozen=True):
    """A game with one `revision` of its rules; `revisions` lists all of them, oldest first."""

    name: str
    title: str
    author: str
    seats: str
    editions: tuple[str, ...]
    revision: str
    revisions: tuple[str, ...]
    options: list[OptionView]
    clauses: list[ClauseView]


def game_view(newest: Game[Any], game: Game[Any]) -> GameView:
    """A game under one revision of its rules; `newest` is the same game under the newest."""
    return GameView(
        name=game.name,
        title=game.title,
        author=game.author,
        seats=game.seats,
        editions=game.editions,
        revision=game.revision,
        revisions=tuple(rules.revision for rules in newest.revisions),
        options=[OptionView(o.name, o.kind, list(o.values), o.accepts, o.meaning) for o in game.options],
        clauses=clause_views(game),
    )


def clause_views(game: Game[Any]) -> list[ClauseView]:
    """The clauses of a game, in order."""
    return [ClauseView(clause.id, clause.meaning, [kind(event) for event in clause.on]) for clause in clauses(game)]
