"""Zigzag, by Hans Peter Ahlbach: three players; in each hand the highest bidder plays alone against the others.

Source: the clause page of Zigzag; the rule document, at pagat.com/invented/zigzag.html.
"""

from ledger.games.zigzag.choices import ENDING, chance, choices, claims, tray
from ledger.games.zigzag.clauses import CLAUSES, holdings
from ledger.games.zigzag.options import OPTIONS, defaults
from ledger.games.zigzag.scene import scene, tally
from ledger.games.zigzag.scoring import points, standing
from ledger.games.zigzag.state import SEATS, Zigzag, start
from ledger.games.zigzag.table import evolve
from ledger.record.events import Bid, Deal, Over, Pass, Play, Rank, Result, Score, Take
from ledger.rules.game import Game

GAME: Game[Zigzag] = Game(
    name="zigzag",
    title="Zigzag",
    author="Hans Peter Ahlbach",
    about="Bid how many tiles you take, then play alone against two: a tile that does not cover gives the pile away.",
    document="https://www.pagat.com/invented/zigzag.html",
    seats="three players",
    seated=lambda opening: len(opening.players) == SEATS,
    options=OPTIONS,
    defaults=defaults,
    events=(Deal, Bid, Pass, Rank, Over, Play, Take, Score, Result),
    clauses=CLAUSES,
    start=start,
    evolve=evolve,
    standing=standing,
    points=points,
    choices=choices,
    ending=ENDING,
    chance=chance,
    claims=claims,
    tray=tray,
    tally=tally,
    scene=scene,
    holdings=holdings,
    hand_number=lambda state: state.begun,
    hands_planned=lambda state: state.rules.hands,
    end_clause="zigzag.end",
    unfinished_clause="zigzag.end",
)
