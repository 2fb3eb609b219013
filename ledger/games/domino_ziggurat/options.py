"""The options of Domino Ziggurat, and the events that depend on them."""

from __future__ import annotations

from ledger.games.domino_ziggurat.state import DominoZiggurat, differ, match, matched, needs_match
from ledger.games.domino_ziggurat.tiers import READINGS
from ledger.record.events import Draw, Lift, Place
from ledger.rules.game import Option


def _readings_differ(before: DominoZiggurat, event: Place, _after: DominoZiggurat) -> bool:
    """Whether a domino matches under only some readings of "adjacent"."""
    if not needs_match(before.rules, before.halves, event.tile.bit & before.lifted):
        return False
    return differ(match(before.halves, event))


def _plays_while_lifted(before: DominoZiggurat, event: Place, _after: DominoZiggurat) -> bool:
    """Whether a domino from the hand is played while another is lifted."""
    return bool(before.lifted) and not event.tile.bit & before.lifted


def _puts_back_unmatched(before: DominoZiggurat, event: Place, _after: DominoZiggurat) -> bool:
    """Whether a domino is put back without an equal half beside it."""
    return bool(before.halves and event.tile.bit & before.lifted) and not matched(before, event)


def _draws_late(before: DominoZiggurat, _event: Draw, _after: DominoZiggurat) -> bool:
    """Whether a tile is drawn at any time but right after a domino from the hand was played."""
    return not before.refilling


def _lifts_again(before: DominoZiggurat, event: Lift, _after: DominoZiggurat) -> bool:
    """Whether a domino is lifted for the second time."""
    return bool(event.tile.bit & before.once)


ADJACENCY = Option(
    "adjacency",
    "ruling",
    tuple(READINGS),
    "which neighbours may match: on the same tier or the visible top, only the top, only the same tier, or any",
    on=(Place,),
    touched=_readings_differ,
    sentences=(
        "A half may match a neighbour on its own tier, or one on top beside it.",
        "A half may match only a neighbour on top beside it.",
        "A half may match only a neighbour on its own tier.",
        "A half may match a neighbour on any tier.",
    ),
)
PUT_BACK = Option(
    "put_back",
    "ruling",
    ("any-time", "at-once"),
    "when lifted dominoes go back",
    on=(Place,),
    touched=_plays_while_lifted,
    sentences=(
        "Lifted dominoes go back at any time.",
        "Lifted dominoes go back before the next one from the hand.",
    ),
)
PUT_BACK_MATCH = Option(
    "put_back_match",
    "ruling",
    (True, False),
    "whether a domino put back must match a neighbour again",
    on=(Place,),
    touched=_puts_back_unmatched,
    sentences=(
        "A domino that is put back must match a neighbour again.",
        "A domino that is put back need not match a neighbour.",
    ),
)
CHEAT_COUNT = Option(
    "cheat_count",
    "ruling",
    ("every-lift", "each-domino"),
    "whether a domino lifted twice counts once",
    on=(Lift,),
    touched=_lifts_again,
    sentences=(
        "Each time a domino is lifted counts as one cheat.",
        "A domino that is lifted twice counts as one cheat.",
    ),
)
REFILL = Option(
    "refill",
    "ruling",
    ("any-time", "at-once"),
    "whether the hand is refilled at any time, or only right after a domino from it was played",
    on=(Draw,),
    touched=_draws_late,
    sentences=(
        "The hand may be filled up at any time.",
        "The hand is filled up only right after a domino was played from it.",
    ),
)

OPTIONS = (ADJACENCY, PUT_BACK, PUT_BACK_MATCH, CHEAT_COUNT, REFILL)
