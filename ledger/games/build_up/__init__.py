"""Build Up, by David Vander Ark: each player has a set of their own colour, and builds on the stacks of the layout.

Source: the clause page of Build Up; the rule document, as kept at pagat.com.
"""

from ledger.games.build_up.choices import ENDING, chance, choices, claims, tray
from ledger.games.build_up.clauses import CLAUSES
from ledger.games.build_up.hands import holdings
from ledger.games.build_up.options import OPTIONS
from ledger.games.build_up.scene import scene, tally
from ledger.games.build_up.scoring import points, standing
from ledger.games.build_up.state import BuildUp, start
from ledger.games.build_up.table import evolve
from ledger.record.events import Aside, Deal, Draw, Layout, Pass, Result, Score, Stack
from ledger.rules.game import Game

GAME: Game[BuildUp] = Game(
    name="build-up",
    title="Build Up",
    author="David Vander Ark",
    about="Cover each other's stacks: at the end of a hand, the pips of your colour on top are your points.",
    document="https://www.pagat.com/domino/misc/buildup.html",
    seats="two players or more",
    seated=lambda opening: len(opening.players) >= 2,
    options=OPTIONS,
    events=(Layout, Draw, Deal, Stack, Pass, Aside, Score, Result),
    closing=(Pass, Aside),
    clauses=CLAUSES,
    start=start,
    evolve=evolve,
    standing=standing,
    points=points,
    tally=tally,
    holdings=holdings,
    hand_number=lambda state: state.hand.number + 1,
    hands_planned=lambda state: len(state.rules.hands),
    scene=scene,
    choices=choices,
    tray=tray,
    ending=ENDING,
    chance=chance,
    claims=claims,
)
