"""Fives (Muggins, All Fives without a spinner), for two, as a draw game with a double-six set.

The document leaves some questions open.  Here doubles are not spinners: a line has two ends.  The last two tiles of the
boneyard stay there unless the players agree otherwise.  The game ends as soon as a total reaches the target.

Source: Foster's Complete Hoyle, "Muggins, or All Fives".
"""

from fives import clauses
from fives.choices import chance, choices, claims, tray
from fives.scene import scene, tally
from fives.scoring import missing, points, standing
from fives.table import evolve, start
from ledger.record.events import Aside, Deal, Draw, Pass, Play, Result, Score
from ledger.rules.game import Clause, Game, Option, clause
from ledger.rules.shared_clauses import a_count, a_player, after_end, in_set, once, unfinished

GAME = Game(
    name="fives",
    title="Fives",
    author="everybody",
    document="Foster's Complete Hoyle",
    seats="two players",
    seated=lambda opening: len(opening.players) == 2,
    options=(
        Option("target", "variant", (100, 150, 200), "the total that wins the game", "a whole number", a_count),
        Option("last_two", "variant", (True, False), "the last two tiles of the boneyard are never drawn"),
        Option("first", "fact", (None,), "who leads the first hand", "a player", a_player),
    ),
    events=(Deal, Draw, Play, Pass, Aside, Score, Result),
    scores=("game",),
    line_ends=True,
    closing=(Aside,),
    start=start,
    evolve=evolve,
    clauses=(
        in_set((Deal, Draw, Play, Aside), lambda _state: 6),
        once((Deal, Draw, Play, Aside), clauses.elsewhere),
        clauses.dealing,
        clauses.turn,
        clauses.holding,
        clauses.fit,
        clauses.drawing,
        clauses.passing,
        clauses.showing,
        clauses.counted,
        clauses.totals,
        Clause("fives.ends", "A play scores what the ends of the line count, if that is a multiple of five."),
        Clause("fives.left", "The winner of a hand scores the other's pips, rounded to the nearest five."),
        clauses.win,
        clause("fives.unfinished", "A result is called only when somebody has reached the target.", Result)(
            unfinished(standing, missing)
        ),
        after_end((Deal, Draw, Play, Pass)),
    ),
    standing=standing,
    points=lambda before, event, after: tuple(points(before, event, after)),
    scene=scene,
    tally=tally,
    choices=choices,
    tray=tray,
    chance=chance,
    claims=claims,
)
