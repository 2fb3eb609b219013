"""The options of Ziggurat, and where another value of a ruling would make a difference."""

from __future__ import annotations

from ledger.common import a_player
from ledger.events import Place
from ledger.game import Option
from ledger.games.ziggurat.base import ambiguous, beside, beyond, bordering
from ledger.games.ziggurat.state import Ziggurat, squares
from ledger.games.ziggurat.table import single_place
from ledger.grid import LEVEL


def twice_matched(before: Ziggurat, event: Place, _after: Ziggurat) -> bool:
    """Whether a base square has two equal neighbours."""
    if event.level > 1:
        return False
    near, far = beside(before.halves, *squares(event))
    return ambiguous(near.count(event.tile.first), far.count(event.tile.second))


def scores_above(before: Ziggurat, event: Place, _after: Ziggurat) -> bool:
    """Whether a square above the base equals the one below it."""
    if event.level == 1:
        return False
    one, other = squares(event)
    halves, tile = before.halves, event.tile
    return halves.get(one - LEVEL) == tile.first or halves.get(other - LEVEL) == tile.second


def one_place_left(before: Ziggurat, _event: Place, after: Ziggurat) -> bool:
    """Whether a level is finished that leaves one place for the next one, or was itself the one place."""
    return after.finished and after.lies is not before.lies and single_place(after.halves, after.level)


def only_a_corner(before: Ziggurat, event: Place, _after: Ziggurat) -> bool:
    """Whether a base domino shares no edge with another."""
    if event.level > 1 or not before.halves:
        return False
    one, other = squares(event)
    taken = one in before.halves or other in before.halves
    return not taken and not bordering(*beside(before.halves, one, other))


def outside(_before: Ziggurat, event: Place, _after: Ziggurat) -> bool:
    """Whether a base domino lies outside the columns and rows that would have been drawn."""
    return event.level == 1 and beyond(*squares(event))


base_set = Option("set", "fact", (6, 9, 12), "the double-N set")
cut_up = Option("cut_up", "variant", (False, True), "gaps are allowed in the base")
base_scoring = Option(
    "base_scoring", "ruling", ("per-square", "per-match"),
    "whether a base square with two equal neighbours scores once or twice", on=(Place,), touched=twice_matched,
)  # fmt: skip
first_building_level = Option(
    "first_building_level", "ruling", (2, 1), "what a match counts on the first level above the base",
    on=(Place,), touched=scores_above,
)  # fmt: skip
last_place = Option(
    "single_place", "ruling", ("unplayed", "played"), "whether the one valid place of the last level is played",
    on=(Place,), touched=one_place_left,
)  # fmt: skip
touch = Option(
    "touch", "ruling", ("edge", "corner"), "whether sharing a corner counts as touching",
    on=(Place,), touched=only_a_corner,
)  # fmt: skip
window = Option(
    "window", "ruling", ("floating", "drawn"), "whether the 4 × 4 was marked beforehand", on=(Place,), touched=outside
)  # fmt: skip
first = Option("first", "fact", (None,), "who played first; the first seat, if it is not said", "a player", a_player)

OPTIONS = (base_set, cut_up, base_scoring, first_building_level, last_place, touch, window, first)
