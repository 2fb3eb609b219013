"""Domino Ziggurat, by Thomas Gale, editions 1.1 and 2: a puzzle of 28 tiles on three centred tiers.

Source: the clause page of Domino Ziggurat; the rule documents of 2003 (1.1) and 2007 (2).
"""

from ledger.games.domino_ziggurat.choices import chance, choices, claims, tray
from ledger.games.domino_ziggurat.clauses import CLAUSES, holdings, points, standing
from ledger.games.domino_ziggurat.options import OPTIONS
from ledger.games.domino_ziggurat.scene import scene, tally
from ledger.games.domino_ziggurat.state import DominoZiggurat, start
from ledger.games.domino_ziggurat.table import evolve
from ledger.record.events import Cheats, Draw, Lift, Place, Result, Score
from ledger.rules.game import Game, Opening


def _seated(opening: Opening) -> bool:
    return opening.edition != "1.1" or len(opening.players) == 1


GAME: Game[DominoZiggurat] = Game(
    name="domino-ziggurat",
    title="Domino Ziggurat",
    author="Thomas Gale",
    about="Build three tiers from all 28 tiles, each half greater than the one below, with as few cheats as you can.",
    document="GaleGames, versions 1.1 (2003) and 2 (2007)",
    seats="one player (edition 1.1), or one or more (edition 2)",
    seated=_seated,
    options=OPTIONS,
    editions=("1.1", "2"),
    events=(Draw, Place, Lift, Cheats, Score, Result),
    scores=("game",),
    clauses=CLAUSES,
    start=start,
    evolve=evolve,
    standing=standing,
    points=points,
    choices=choices,
    chance=chance,
    claims=claims,
    tray=tray,
    tally=tally,
    scene=scene,
    holdings=holdings,
    unfinished_clause="domino-ziggurat.finish",
)
