"""The options of Domino Ziggurat, and the events that depend on them."""

from ledger.games.domino_ziggurat.state import DominoZiggurat, match, matched, needs_match
from ledger.games.domino_ziggurat.tiers import EVERY
from ledger.record.events import Draw, Lift, Place
from ledger.rules.shared_clauses import ruling


@ruling(
    "adjacency",
    "which neighbours may match: on the same tier or the visible top, only the top, only the same tier, or any",
    {
        "visible": "A half may match a neighbour on its own tier, or one on top beside it.",
        "top": "A half may match only a neighbour on top beside it.",
        "same-tier": "A half may match only a neighbour on its own tier.",
        "any": "A half may match a neighbour on any tier.",
    },
    Place,
)  # fmt: skip
def adjacency(before: DominoZiggurat, event: Place, _after: DominoZiggurat) -> bool:
    """Whether a domino matches under only some readings of "adjacent"."""
    if not needs_match(before.rules, before.halves, event.tile.bit & before.lifted):
        return False
    return match(before.halves, event) not in (0, EVERY)


@ruling(
    "put_back", "when lifted dominoes go back",
    {
        "any-time": "Lifted dominoes go back at any time.",
        "at-once": "Lifted dominoes go back before the next one from the hand.",
    },
    Place,
)  # fmt: skip
def put_back(before: DominoZiggurat, event: Place, _after: DominoZiggurat) -> bool:
    """Whether a domino from the hand is played while another is lifted."""
    return bool(before.lifted) and not event.tile.bit & before.lifted


@ruling(
    "put_back_match", "whether a domino put back must match a neighbour again",
    {
        True: "A domino that is put back must match a neighbour again.",
        False: "A domino that is put back need not match a neighbour.",
    },
    Place,
)  # fmt: skip
def put_back_match(before: DominoZiggurat, event: Place, _after: DominoZiggurat) -> bool:
    """Whether a domino is put back without an equal half beside it."""
    return bool(before.halves and event.tile.bit & before.lifted) and not matched(before, event)


@ruling(
    "refill", "whether the hand is refilled at any time, or only right after a domino from it was played",
    {
        "any-time": "The hand may be filled up at any time.",
        "at-once": "The hand is filled up only right after a domino was played from it.",
    },
    Draw,
)  # fmt: skip
def refill(before: DominoZiggurat, _event: Draw, _after: DominoZiggurat) -> bool:
    """Whether a tile is drawn at any time but right after a domino from the hand was played."""
    return not before.refilling


@ruling(
    "cheat_count", "whether a domino lifted twice counts once",
    {
        "every-lift": "Each time a domino is lifted counts as one cheat.",
        "each-domino": "A domino that is lifted twice counts as one cheat.",
    },
    Lift,
)  # fmt: skip
def cheat_count(before: DominoZiggurat, event: Lift, _after: DominoZiggurat) -> bool:
    """Whether a domino is lifted for the second time."""
    return bool(event.tile.bit & before.once)


OPTIONS = (adjacency, put_back, put_back_match, cheat_count, refill)
