"""Ziggurat, by Jonathan A. Leistiko: two or four players build a stepped pyramid of dominoes.

Source: the clause page of Ziggurat; the rule document, Invisible City's free game 28.
"""

from __future__ import annotations

from ledger.common import a_player
from ledger.events import Aside, Deal, Pass, Place, Result, Score
from ledger.game import Game, Opening, Option
from ledger.games.ziggurat.choices import chance, choices, claims, slips, tray
from ledger.games.ziggurat.clauses import CLAUSES, holdings, moment, points, standing
from ledger.games.ziggurat.scene import scene, tally
from ledger.games.ziggurat.table import Ziggurat, evolve, squares, start
from ledger.grid import LEVEL, SIDES, WINDOW


def _twice_matched(before: Ziggurat, event: Place, _after: Ziggurat) -> bool:
    """A base square with two equal neighbours."""
    if event.level != 1:
        return False
    own = squares(event)
    return any(
        sum(before.halves.get(at + step) == half for step in SIDES if at + step not in own) > 1
        for at, half in zip(own, (event.tile.first, event.tile.second), strict=True)
    )


def _scores_above(before: Ziggurat, event: Place, _after: Ziggurat) -> bool:
    """A square above the base that equals what it covers."""
    own = zip(squares(event), (event.tile.first, event.tile.second), strict=True)
    return event.level > 1 and any(before.halves.get(at - LEVEL) == half for at, half in own)


def _single_place(before: Ziggurat, _event: Place, after: Ziggurat) -> bool:
    """A level finished with one domino, over which one place is left."""
    return after.finished and after.lies is not before.lies and any(len(squares) == 2 for squares in after.halves.top)


def _only_a_corner(before: Ziggurat, event: Place, _after: Ziggurat) -> bool:
    """A base domino that shares no edge with another."""
    if event.level != 1 or not before.halves:
        return False
    return not any(at + step in before.halves for at in squares(event) for step in SIDES)


def _outside(_before: Ziggurat, event: Place, _after: Ziggurat) -> bool:
    """A base domino outside the columns and rows that would have been drawn."""
    x, y = event.at
    ends = ((x, y), (x + (event.dir == "e") - (event.dir == "w"), y + (event.dir == "s") - (event.dir == "n")))
    return event.level == 1 and any(not 0 <= value < WINDOW for end in ends for value in end)


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

GAME = Game(
    name="ziggurat",
    title="Ziggurat",
    author="Jonathan A. Leistiko",
    document="Invisible City Productions, free game 28",
    seats="two or four players",
    seated=_seated,
    options=OPTIONS,
    events=(Deal, Aside, Place, Pass, Score, Result),
    clauses=CLAUSES,
    start=start,
    evolve=evolve,
    standing=standing,
    points=points,
    choices=choices,
    chance=chance,
    claims=claims,
    slips=slips,
    tray=tray,
    tally=tally,
    scene=scene,
    holdings=holdings,
    moments={Place: moment},
    end_clause="ziggurat.end",
    unfinished_clause="ziggurat.end",
)
