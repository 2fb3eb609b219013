"""Ziggurat, by Jonathan A. Leistiko: two or four players build a stepped pyramid of dominoes.

Source: the clause page of Ziggurat; the rule document, Invisible City's free game 28.
"""

from ledger.games.ziggurat.choices import ENDING, chance, choices, claims, tray
from ledger.games.ziggurat.clauses import CLAUSES, holdings, points, standing
from ledger.games.ziggurat.options import OPTIONS
from ledger.games.ziggurat.scene import scene, tally
from ledger.games.ziggurat.state import Ziggurat, start
from ledger.games.ziggurat.table import evolve
from ledger.record.events import Aside, Deal, Pass, Place, Result, Score
from ledger.rules.game import Game, Opening


def seated(opening: Opening) -> bool:
    """Whether this number of people can play."""
    return len(opening.players) in (2, 4)


GAME = Game[Ziggurat](
    name="ziggurat",
    title="Ziggurat",
    author="Jonathan A. Leistiko",
    about="Build a tower level by level: where a half equals the one below it, you score the level.",
    document="Invisible City Productions, free game 28",
    seats="two or four players",
    seated=seated,
    options=OPTIONS,
    events=(Deal, Aside, Place, Pass, Score, Result),
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
    scores=("game",),
    holdings=holdings,
    end_clause="ziggurat.end",
    unfinished_clause="ziggurat.end",
)
