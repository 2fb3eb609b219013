"""Build Up, by David Vander Ark: each player has a set of a colour, and builds on the stacks of the layout.

Source: the clause page of Build Up; the rule document, as kept at pagat.com.
"""

from __future__ import annotations

from ledger.events import Aside, Deal, Draw, Layout, Pass, Result, Score, Stack
from ledger.game import Game, Option, Simulation
from ledger.games.build_up.choices import chance, choices, claims, slips, tray
from ledger.games.build_up.clauses import CLAUSES, moment, points, standing
from ledger.games.build_up.hands import holdings
from ledger.games.build_up.rulings import equal_on_double, later_hand, over, stopped_with_tiles, third_hand
from ledger.games.build_up.scene import scene, tally
from ledger.games.build_up.state import start
from ledger.games.build_up.strides import stride
from ledger.games.build_up.table import evolve
from ledger.strides import Stride

NOT_ON = ("turning", "low", "stuck")
"""The moments in which a hand can begin or end."""

OPTIONS = (
    Option("hands", "ruling", ((6, 6, 6, 4), (6, 6, 4)), "how many tiles each hand has",
           on=(Deal, Stack), touched=third_hand, at=NOT_ON),
    Option("later_start", "ruling", ("recorded", "rotate", "same", "winner", "loser"),
           "who begins the second and later hands", on=(Stack,), touched=later_hand, at=NOT_ON),
    Option("hand_end", "ruling", ("blocked", "all-pass"), "when a hand in which tiles are left is over",
           on=(Stack, Pass, Score, Deal, Aside), touched=stopped_with_tiles, at=NOT_ON),
    Option("total", "ruling", ("cumulative", "last-hand"), "which hands decide the game",
           on=(Stack, Pass, Score, Aside), touched=over, at=NOT_ON),
    Option("tile_on_double", "ruling", ("more", "equal-or-more"),
           "how many pips a non-double needs to cover a double", on=(Stack, Pass), touched=equal_on_double),
)  # fmt: skip

EVENTS = (Layout, Draw, Deal, Stack, Pass, Aside, Score, Result)

GAME = Game(
    name="build-up",
    title="Build Up",
    author="David Vander Ark",
    document="https://www.pagat.com/domino/misc/buildup.html",
    seats="two players or more",
    seated=lambda opening: len(opening.players) >= 2,
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
    holdings=holdings,
    stride=Stride(stride, frozenset((EVENTS, (Pass, Aside), start, evolve, holdings, *CLAUSES, *OPTIONS))),
    moments={Stack: moment},
    hand_number=lambda state: state.hand.number + 1,
    closing=(Pass, Aside),
)
