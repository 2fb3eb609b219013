"""Build Up, by David Vander Ark: each player has a set of a colour, and builds on the stacks of the layout.

Source: the clause page of Build Up; the rule document, as kept at pagat.com.
"""

from __future__ import annotations

from ledger.events import Aside, Deal, Draw, Layout, Pass, Result, Score, Stack
from ledger.game import Game, Option
from ledger.games.build_up.choices import chance, choices, claims, slips, tray
from ledger.games.build_up.clauses import CLAUSES, moment, points, standing
from ledger.games.build_up.hands import holdings
from ledger.games.build_up.numbers import LOOSE, STRICT, disputed
from ledger.games.build_up.scene import scene, tally
from ledger.games.build_up.strides import stride
from ledger.games.build_up.table import BuildUp, evolve, holders, start
from ledger.tiles import TILES


def _third_hand(before: BuildUp, _event: object, after: BuildUp) -> bool:
    return after.hand.number >= 2 and before.hand.number < after.hand.number


def _later_hand(before: BuildUp, _event: object, after: BuildUp) -> bool:
    return after.hand.number > 0 and after.hand.acted and not (before.hand.acted and before.phase == "play")


def _stopped_with_tiles(before: BuildUp, _event: object, after: BuildUp) -> bool:
    return before.phase == "play" and after.phase == "over" and bool(holders(after))


def _over(before: BuildUp, _event: object, after: BuildUp) -> bool:
    return after.ended and not before.ended


def _equal_on_double(before: BuildUp, event: object, _after: BuildUp) -> bool:
    """A non-double with the pips of a double on top: put there, or (in a pass) held."""
    if type(event) is Stack:
        there = 1 <= event.stack <= len(before.stacks)
        return there and disputed(event.tile, TILES[before.stacks[event.stack - 1][-1].index])
    assert type(event) is Pass  # noqa: S101  the ruling is asked about no other
    seat = before.rules.seat[event.player]
    held = before.hand.dealt[seat] & ~before.used[seat]
    if not held and before.phase == "play":
        return any(TILES[stack[-1].index].double for stack in before.stacks)
    return any(held & (LOOSE[stack[-1].index] & ~STRICT[stack[-1].index]) for stack in before.stacks)


NOT_ON = ("turning", "low", "stuck")
"""The moments in which a hand can begin or end."""

OPTIONS = (
    Option("hands", "ruling", ((6, 6, 6, 4), (6, 6, 4)), "how many tiles each hand has",
           on=(Deal, Stack), touched=_third_hand, at=NOT_ON),
    Option("later_start", "ruling", ("recorded", "rotate", "same", "winner", "loser"),
           "who begins the second and later hands", on=(Stack,), touched=_later_hand, at=NOT_ON),
    Option("hand_end", "ruling", ("blocked", "all-pass"), "when a hand in which tiles are left is over",
           on=(Stack, Pass, Score, Deal, Aside), touched=_stopped_with_tiles, at=NOT_ON),
    Option("total", "ruling", ("cumulative", "last-hand"), "which hands decide the game",
           on=(Stack, Pass, Score, Aside), touched=_over, at=NOT_ON),
    Option("tile_on_double", "ruling", ("more", "equal-or-more"),
           "how many pips a non-double needs to cover a double", on=(Stack, Pass), touched=_equal_on_double),
)  # fmt: skip

GAME = Game(
    name="build-up",
    title="Build Up",
    author="David Vander Ark",
    document="https://www.pagat.com/domino/misc/buildup.html",
    seats="two players or more",
    seated=lambda opening: len(opening.players) >= 2,
    options=OPTIONS,
    events=(Layout, Draw, Deal, Stack, Pass, Aside, Score, Result),
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
    stride=stride,
    moments={Stack: moment},
    closing=(Pass, Aside),
)
