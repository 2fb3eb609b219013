"""Domino Ziggurat, by Thomas Gale, editions 1.1 and 2: a puzzle of 28 tiles on three centred tiers.

Source: the clause page of Domino Ziggurat; the rule documents of 2003 (1.1) and 2007 (2).
"""

from __future__ import annotations

from ledger.events import Cheats, Draw, Lift, Place, Result, Score
from ledger.game import Game, Opening, Option, Simulation
from ledger.games.domino_ziggurat.choices import chance, choices, claims, slips, tray
from ledger.games.domino_ziggurat.clauses import APART, CLAUSES, holdings, lifting, placing, points, standing
from ledger.games.domino_ziggurat.scene import scene, tally
from ledger.games.domino_ziggurat.table import (
    DominoZiggurat,
    differ,
    evolve,
    match,
    matched,
    needs_match,
    start,
    stride,
)
from ledger.games.domino_ziggurat.tiers import READINGS
from ledger.strides import Stride


def _readings_differ(before: DominoZiggurat, event: Place, _after: DominoZiggurat) -> bool:
    """Whether some reading of "adjacent" finds a match where another finds none."""
    needs = needs_match(before.rules, before.halves, event.tile.bit & before.lifted)
    return needs and differ(match(before.halves, event))


def _plays_while_lifted(before: DominoZiggurat, event: Place, _after: DominoZiggurat) -> bool:
    return bool(before.lifted) and not event.tile.bit & before.lifted


def _puts_back(before: DominoZiggurat, event: Place, _after: DominoZiggurat) -> bool:
    return bool(event.tile.bit & before.lifted) and not matched(before, event)


def _lifts_again(before: DominoZiggurat, event: Lift, _after: DominoZiggurat) -> bool:
    return bool(event.tile.bit & before.once)


def _seated(opening: Opening) -> bool:
    return opening.edition != "1.1" or len(opening.players) == 1


ADJACENCY = Option(
    "adjacency",
    "ruling",
    tuple(READINGS),
    "which neighbours may match: on the same tier or the visible top, only the top, only the same tier, or any",
    on=(Place,),
    touched=_readings_differ,
    at=(*APART, "stuck"),
)

OPTIONS = (
    ADJACENCY,
    Option("put_back", "ruling", ("any-time", "at-once"), "when lifted dominoes go back",
           on=(Place,), touched=_plays_while_lifted),
    Option("put_back_match", "ruling", (True, False), "whether a domino put back must match a neighbour again",
           on=(Place,), touched=_puts_back, at=(*APART, "stuck")),
    Option("cheat_count", "ruling", ("every-lift", "each-domino"), "whether a domino lifted twice counts once",
           on=(Lift,), touched=_lifts_again),
)  # fmt: skip

EVENTS = (Draw, Place, Lift, Cheats, Score, Result)

GAME = Game(
    name="domino-ziggurat",
    title="Domino Ziggurat",
    author="Thomas Gale",
    document="GaleGames, versions 1.1 (2003) and 2 (2007)",
    seats="one player (edition 1.1), or one or more (edition 2)",
    seated=_seated,
    options=OPTIONS,
    editions=("1.1", "2"),
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
    moments={Place: placing, Lift: lifting},
    unfinished_clause="domino-ziggurat.finish",
)
