"""The options of Ziggurat, and where another value of a ruling would make a difference."""

from ledger.games.ziggurat.base import beside, beyond, borders, fillable, is_complete, windows_around
from ledger.games.ziggurat.state import Ziggurat, dominoes, is_closed, squares, squares_on
from ledger.record.events import Place
from ledger.record.grid import DRAWN, LEVEL
from ledger.rules.game import Option
from ledger.rules.shared_clauses import a_player, ruling


def concerns_base(before: Ziggurat, event: Place, _after: Ziggurat) -> bool:
    """Whether a domino is placed on the base, or begins the level above it."""
    return event.level <= 1 or before.level <= 1


@ruling(
    "base_scoring", "whether a base square with two equal neighbours scores once or twice",
    {
        "per-square": "A square of the base scores once, even with two equal neighbours.",
        "per-match": "A square of the base scores once for each equal neighbour.",
    },
    Place, when=concerns_base,
)  # fmt: skip
def base_scoring(before: Ziggurat, event: Place, _after: Ziggurat) -> bool:
    """Whether a base square has two equal neighbours."""
    if event.level > 1:
        return False
    near, far = beside(squares_on(before.levels, 1), *squares(event))
    return near.count(event.tile.first) > 1 or far.count(event.tile.second) > 1


@ruling(
    "first_building_level", "what a match counts on the first level above the base",
    {
        2: "On the first level above the base a match counts 2 points.",
        1: "On the first level above the base a match counts 1 point.",
    },
    Place,
)  # fmt: skip
def first_building_level(before: Ziggurat, event: Place, _after: Ziggurat) -> bool:
    """Whether a square above the base equals the one below it."""
    if event.level == 1:
        return False
    below, (one, other) = squares_on(before.levels, event.level - 1), squares(event)
    return below.get(one - LEVEL) == event.tile.first or below.get(other - LEVEL) == event.tile.second


@ruling(
    "single_place", "whether the one valid place of the last level is played",
    {
        "unplayed": "The only valid place of a last level is not played any more.",
        "played": "The only valid place of a last level is still played.",
    },
    Place,
)  # fmt: skip
def last_place(before: Ziggurat, _event: Place, after: Ziggurat) -> bool:
    """Whether a level is finished that leaves one place on the next one, or that was itself the one place."""
    if not after.finished or after.levels is before.levels:
        return False
    return dominoes(after.levels, after.level) == 1 or dominoes(after.levels, after.level - 1) == 1


@ruling(
    "touch", "whether sharing a corner counts as touching",
    {
        "edge": "Tiles touch where they share an edge.",
        "corner": "Tiles touch where they share an edge or a corner.",
    },
    Place, when=concerns_base,
)  # fmt: skip
def touch(before: Ziggurat, event: Place, after: Ziggurat) -> bool:
    """Whether a base domino shares no edge with another."""
    if event.level > 1 or after.levels is before.levels or is_closed(before, 1):
        return False
    base = squares_on(before.levels, 1)
    if not base:
        return False
    return not borders(base, *squares(event))


# While the base stays inside the window that would have been drawn, the other value can only change what is left to
# fill.
@ruling(
    "window", "whether the 4 × 4 was marked beforehand",
    {
        "floating": "The 4 × 4 square of the base lies wherever the first tiles leave it room.",
        "drawn": "The 4 × 4 square of the base was marked before the game.",
    },
    Place, when=concerns_base,
)  # fmt: skip
def window(before: Ziggurat, event: Place, after: Ziggurat) -> bool:
    """Whether it matters for a domino whether the 4 × 4 was marked beforehand."""
    if event.level > 1:
        # A base that is cut up may be complete in a drawn window or in a floating one, but not in both.
        base = squares_on(before.levels, 1) if before.level < 2 and before.rules.cut_up else ()
        return bool(base) and is_complete((DRAWN,), base, True) != is_complete(windows_around(base), base, True)
    if after.levels is before.levels or is_closed(before, 1):
        return False
    base = squares_on(after.levels, 1)
    if beyond(*base):
        return True
    # A base that can be filled in the drawn window can be filled in a floating one.
    return not (before.rules.cut_up or fillable((DRAWN,), base)) and fillable(windows_around(base), base)


base_set = Option("set", "fact", (6, 9, 12), "the double-N set")
cut_up = Option("cut_up", "variant", (False, True), "gaps are allowed in the base")
first = Option("first", "fact", (None,), "who played first (default: the first seat)", "a player", a_player)

OPTIONS = (base_set, cut_up, base_scoring, first_building_level, last_place, touch, window, first)
