"""Ziggurat, by Jonathan A. Leistiko: two or four players build a stepped pyramid of dominoes.

Source: the clause page of Ziggurat; the rule document, Invisible City's free game 28.
"""

from __future__ import annotations

from ledger.common import a_player
from ledger.events import Aside, Deal, Pass, Place, Result, Score
from ledger.game import Game, Opening, Option, Simulation
from ledger.games.ziggurat.base import ambiguous, beside, beyond, bordering
from ledger.games.ziggurat.choices import chance, choices, claims, slips, tray
from ledger.games.ziggurat.clauses import CLAUSES, holdings, moment, points, standing
from ledger.games.ziggurat.scene import scene, tally
from ledger.games.ziggurat.strides import stride
from ledger.games.ziggurat.table import Ziggurat, evolve, squares, start
from ledger.games.ziggurat.tiers import single
from ledger.grid import LEVEL
from ledger.strides import Stride


def _twice_matched(before: Ziggurat, event: Place, _after: Ziggurat) -> bool:
    """A base square with two equal neighbours."""
    if event.level != 1:
        return False
    one, other = squares(event)
    near, far = beside(before.halves, one, other)
    return ambiguous(near.count(event.tile.first), far.count(event.tile.second))


def _scores_above(before: Ziggurat, event: Place, _after: Ziggurat) -> bool:
    """A square above the base that equals what it covers."""
    one, other = squares(event)
    halves, tile = before.halves, event.tile
    equal = halves.get(one - LEVEL) == tile.first or halves.get(other - LEVEL) == tile.second
    return event.level > 1 and equal


def _single_place(before: Ziggurat, _event: Place, after: Ziggurat) -> bool:
    """A level finished with one domino, over which one place is left."""
    if not after.finished or after.lies is before.lies:
        return False
    top = after.halves.top
    return single(top.below, top.over)


def _only_a_corner(before: Ziggurat, event: Place, _after: Ziggurat) -> bool:
    """A base domino that shares no edge with another."""
    if event.level != 1 or not before.halves:
        return False
    one, other = squares(event)
    taken = one in before.halves or other in before.halves
    return not taken and not bordering(*beside(before.halves, one, other))


def _outside(_before: Ziggurat, event: Place, _after: Ziggurat) -> bool:
    """A base domino outside the columns and rows that would have been drawn."""
    return event.level == 1 and beyond(*squares(event))


def _seated(opening: Opening) -> bool:
    return len(opening.players) in (2, 4)


OPTIONS = (
    Option("set", "fact", (6, 9, 12), "the double-N set"),
    Option("cut_up", "variant", (False, True), "gaps are allowed in the base"),
    Option("base_scoring", "ruling", ("per-square", "per-match"), "whether a base square with two equal neighbours "
           "scores once or twice", on=(Place,), touched=_twice_matched, at=("ground", "ground again", "stuck")),
    Option("first_building_level", "ruling", (2, 1), "what a match counts on the first level above the base",
           on=(Place,), touched=_scores_above, at=("above", "begins", "above again", "stuck")),
    Option("single_place", "ruling", ("unplayed", "played"), "whether the one valid place of the last level is played",
           on=(Place,), touched=_single_place),
    Option("touch", "ruling", ("edge", "corner"), "whether sharing a corner counts as touching",
           on=(Place,), touched=_only_a_corner, at=("ground", "ground again", "stuck")),
    Option("window", "ruling", ("floating", "drawn"), "whether the 4 × 4 was marked beforehand",
           on=(Place,), touched=_outside, at=("ground", "ground again", "stuck")),
    Option("first", "fact", (None,), "who played first; the first seat, if it is not said", "a player", a_player),
)  # fmt: skip

EVENTS = (Deal, Aside, Place, Pass, Score, Result)

GAME = Game(
    name="ziggurat",
    title="Ziggurat",
    author="Jonathan A. Leistiko",
    document="Invisible City Productions, free game 28",
    seats="two or four players",
    seated=_seated,
    options=OPTIONS,
    events=EVENTS,
    clauses=CLAUSES,
    start=start,
    evolve=evolve,
    standing=standing,
    points=points,
    choices=choices,
    simulation=Simulation(chance, claims, slips),
    tray=tray,
    tally=tally,
    scene=scene,
    scores=("game",),
    holdings=holdings,
    stride=Stride(stride, frozenset((EVENTS, (), start, evolve, holdings, *CLAUSES, *OPTIONS))),
    moments={Place: moment},
    end_clause="ziggurat.end",
    unfinished_clause="ziggurat.end",
)
