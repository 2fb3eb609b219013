"""The state of a game of Domino Ziggurat, and what may be played in it and where.

The clauses judge by the predicates here, and `choices` finds by them what can be played: what is legal stands once.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ledger.events import Cheats, Draw, Lift, Place, Result, Score
from ledger.game import Opening, State
from ledger.games.domino_ziggurat.tiers import EVERY, READINGS, SPOTS, TIERS, beside, fits, levels, sides, squares
from ledger.tiles import full

EVENTS = (Draw, Place, Lift, Cheats, Score, Result)
"""The acts and claims of the game."""
LARGEST = 6
SET = full(LARGEST)
HAND = 3
"""How many tiles lie in the open hand."""
WHOLE = sum(TIERS.values())


class Rules(Struct, frozen=True, gc=False):
    """An opening as the game uses it."""

    players: tuple[str, ...]
    adjacency: str
    at_once: bool
    rematch: bool
    each_domino: bool

    @property
    def reading(self) -> int:
        """The reading of "adjacent" as a bit."""
        return READINGS[self.adjacency]


class DominoZiggurat(State, frozen=True, kw_only=True, gc=False):
    """A game.

    `halves` gives the pips on each square in use, `lies` the two squares of each tile on the ziggurat.  Tiles as bits:
    the open `hand`, all that were ever `drawn`, those `lifted` and not yet put back, those lifted at least `once`.
    `held` counts the tiles of the hand by what was drawn and played: after a slip it may differ from `hand`, but every
    play makes room for one draw.  `cheats` is their number, `last` the tile placed last.
    """

    rules: Rules
    halves: dict[int, int] = {}
    lies: dict[int, tuple[int, int]] = {}
    hand: int = 0
    held: int = 0
    drawn: int = 0
    lifted: int = 0
    once: int = 0
    cheats: int = 0
    last: int | None = None


def start(opening: Opening) -> DominoZiggurat:
    """The bare foundation."""
    options = opening.options
    return DominoZiggurat(
        rules=Rules(
            players=opening.players,
            adjacency=options["adjacency"],
            at_once=options["put_back"] == "at-once",
            rematch=options["put_back_match"],
            each_domino=options["cheat_count"] == "each-domino",
        )
    )


# One of the tiles of the open hand is played, or a lifted one is put back.
def playable(rules: Rules, hand: int, lifted: int) -> int:
    """The tiles that may be played, with these in the hand; by a ruling what was lifted goes back before any other."""
    return lifted if lifted and rules.at_once else hand | lifted


# The first domino on a bare foundation needs no match; by a ruling one that is put back needs none either.
def needs_match(rules: Rules, halves: Mapping[int, int], lifted: int) -> bool:
    """Whether a domino must match; `lifted` is its bit if it is put back, else 0."""
    return bool(halves) and (rules.rematch or not lifted)


def match(halves: Mapping[int, int], event: Place, wanted: int = EVERY) -> int:
    """The readings by which a half of a placement lies beside an equal one.

    The search stops once it has the readings `wanted`.
    """
    used, around = halves.keys(), sides(*squares(event), levels(halves))
    first, one, other = around.first, event.tile.first, event.tile.second
    equal = [near for near in around.readings.keys() & used if halves[near] == (one if near in first else other)]
    return beside(used, around, equal, wanted)


def differ(readings: int) -> bool:
    """Whether a domino matches by some readings of "adjacent" and not by others."""
    return readings not in (0, EVERY)


def matched(state: DominoZiggurat, event: Place) -> bool:
    """Whether a half of a placement lies beside an equal one by the reading of this game."""
    reading = state.rules.reading
    return bool(match(state.halves, event, reading) & reading)


def legal(state: DominoZiggurat, event: Place) -> bool:
    """Whether a placement keeps every clause about where dominoes lie."""
    if not fits(state.halves, SPOTS[event.at, event.dir, event.level], event.tile):
        return False
    return not needs_match(state.rules, state.halves, event.tile.bit & state.lifted) or matched(state, event)
