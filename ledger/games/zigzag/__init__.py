"""Zigzag, by Hans Peter Ahlbach: three players; in each hand the highest bidder plays alone against the others.

Source: the clause page of Zigzag; the rule document, at pagat.com/invented/zigzag.html.
"""

from __future__ import annotations

from typing import Any

from ledger.common import a_count, a_player
from ledger.events import Bid, Deal, Over, Pass, Play, Rank, Result, Score, Take
from ledger.game import Game, Opening, Option, Simulation
from ledger.games.zigzag.choices import chance, choices, claims, slips, tray
from ledger.games.zigzag.clauses import CLAUSES, holdings, moment, points, standing
from ledger.games.zigzag.play import made_with_more
from ledger.games.zigzag.scene import scene, tally
from ledger.games.zigzag.state import SEATS, Zigzag, start
from ledger.games.zigzag.strides import stride
from ledger.games.zigzag.table import evolve
from ledger.strides import Stride


def _hands(value: Any, _opening: Opening) -> bool:
    return type(value) is int and value > 0 and value % SEATS == 0


def _thrown_in(before: Zigzag, _event: object, after: Zigzag) -> bool:
    return after.thrown_in and not before.thrown_in


def _made_with_more(before: Zigzag, _event: object, after: Zigzag) -> bool:
    if after.hand.phase != "over" or before.counted == after.counted:
        return False
    return made_with_more(after.rules, after.hand)


def _taken_by_a_named_order(_before: Zigzag, _event: object, after: Zigzag) -> bool:
    return after.rules.points and after.hand.rank is not None and bool(after.hand.captures)


def _defaults(written: dict[str, Any], _opening: Opening) -> dict[str, Any]:
    """Where points are played for, the target is 250; a fixed number of hands replaces the target."""
    values = {option.name: option.values[0] for option in OPTIONS}
    if written.get("scoring") == "points":
        values["target"] = 250
    return values


OPTIONS = (
    Option("set", "variant", (8, 6, 7, 9), "the double-N set"),
    Option("scoring", "variant", ("tiles", "points"), "points: a taken tile is worth the spots on its lower end"),
    Option("split_penalty", "variant", (False, True), "the opponents share a failed contract's penalty"),
    Option("ranking", "variant", (False, True), "the contractor names the highest number and a direction"),
    Option("lower_end", "ruling", ("spots", "rank"), "which end of a tile is its lower one when a ranking is named",
           on=(Play,), touched=_taken_by_a_named_order),
    Option("target", "variant", (100, 250, None), "the total that ends the game; 250 where points are played for",
           "a whole number, or none", a_count),
    Option("hands", "variant", (None, 3, 6, 9), "a fixed number of hands, not a target", "a multiple of 3, or none",
           _hands),
    Option("over_tile", "variant", ("hidden", "open"), "how the tile over lies during the bidding"),
    Option("first_bidder", "fact", (None,), "who bids first in the first hand", "a player", a_player),
    Option("all_pass", "ruling", ("next", "same"), "who bids first after a hand that all passed",
           on=(Pass,), touched=_thrown_in),
    Option("all_pass_counts", "ruling", (True, False), "whether such a hand counts among a fixed number of hands",
           on=(Pass,), touched=lambda before, event, after: (
               after.rules.hands is not None and _thrown_in(before, event, after))),
    Option("min_bid", "ruling", (1, 0), "the lowest bid",
           on=(Bid,), touched=lambda _before, event, _after: event.bid == 0),
    Option("bid_cap", "ruling", (None, "total"), "whether a bid may exceed all there is to take",
           on=(Bid,), touched=lambda before, event, _after: event.bid > before.rules.total),
    Option("made_scores", "ruling", ("bid", "taken"), "what a made contract scores",
           on=(Play,), touched=_made_with_more, at=("lead", "last")),
)  # fmt: skip

EVENTS = (Deal, Bid, Pass, Rank, Over, Play, Take, Score, Result)

GAME = Game(
    name="zigzag",
    title="Zigzag",
    author="Hans Peter Ahlbach",
    document="https://www.pagat.com/invented/zigzag.html",
    seats="three players",
    seated=lambda opening: len(opening.players) == SEATS,
    options=OPTIONS,
    defaults=_defaults,
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
    stride=Stride(stride, frozenset((EVENTS, (), start, evolve, holdings, *CLAUSES, *OPTIONS))),
    moments={Play: moment},
    hand_number=lambda state: state.begun,
    end_clause="zigzag.end",
    unfinished_clause="zigzag.end",
)
