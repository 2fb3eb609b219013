"""Lines of another game: what to write instead.

An illegal act was played, so it is recorded.  But a line that the game does not have at all is nearly always a slip of
the pen: a stack that was forgotten, or a square where there are only stacks.
"""

from __future__ import annotations

from collections.abc import Iterable

from ledger.notation.refusals import guess
from ledger.notation.setting import Setting
from ledger.record import events as e
from ledger.record.event_words import lacked_in_words
from ledger.record.events import Event

_INSTEAD: dict[type[Event], str] = {e.Layout: "plays", e.Score: "total:"}
"""What people mean in a game that does not have such an event."""
_PLACES: dict[type[Event], tuple[str, str]] = {
    e.Stack: ("on which stack?", " on 10"),
    e.Place: ("on which squares?", " b2-c2"),
    e.Play: ("", ""),
}
"""For each way to play a tile, the question where, and an example."""


def foreign(setting: Setting, kind: type[Event], expected: str) -> str:
    """That the game has no such event, and what is `expected` instead."""
    assert setting.game is not None  # noqa: S101  an unknown game has every event
    return f"{setting.game.title} has no {lacked_in_words(kind)}: expected {expected}{guess(_INSTEAD.get(kind))}"


def misplaced(setting: Setting, kind: type[Event], act: str, *, has_end: bool) -> str | None:
    """Why the game has no such place for a tile, or that the place is missing, and what to write instead of `act`.

    None if the game has it, or is unknown.
    """
    game = setting.game
    if game is None or (setting.has(kind) and not (has_end and not game.line_ends)):
        return None
    ways = [_PLACES[way] for way in _PLACES if setting.has(way)]
    if not ways:
        return f"{game.title} has no tiles to play"
    question = " or ".join(f"{question} write `{act}{example}`".lstrip() for question, example in ways)
    if kind is e.Play and not has_end:
        return question
    lacks = "ends of a line" if has_end else lacked_in_words(kind)
    return f"{game.title} has no {lacks}: {question}"


def places(setting: Setting) -> Iterable[str]:
    """What can be expected behind a tile."""
    game = setting.game
    yield from ["SQUARES"] if setting.has(e.Place) else []
    yield from ["on"] if setting.has(e.Stack) else []
    yield from ["SIDE"] if setting.has(e.Play) and (game is None or game.line_ends) else []
    yield from ["END"] if setting.has(e.Play) else []
