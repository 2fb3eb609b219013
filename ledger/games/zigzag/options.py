"""The options of Zigzag, and where a ruling makes a difference."""

from typing import Any

from ledger.games.zigzag.scoring import made_with_more
from ledger.games.zigzag.state import Zigzag
from ledger.record.errors import NotARecord
from ledger.record.events import Bid, Deal, Pass, Play, Score
from ledger.rules.game import Opening, Option
from ledger.rules.shared_clauses import a_count, a_player, ruling


def thrown_in(before: Zigzag, _event: object, after: Zigzag) -> bool:
    """Whether the last of three passes threw the hand in."""
    return after.thrown_in and not before.thrown_in


all_pass = ruling(
    "all_pass", "who bids first after a hand that all passed",
    {
        "next": "When all pass, the next player bids first in the next hand.",
        "same": "When all pass, the same player bids first again.",
    },
    Pass, Bid, Deal,
)(thrown_in)  # fmt: skip


@ruling(
    "all_pass_counts", "whether such a hand counts among a fixed number of hands",
    {
        True: "A hand that all passed counts as one of the fixed number of hands.",
        False: "A hand that all passed does not count as one of the fixed number of hands.",
    },
    Pass, Bid, Deal,
)  # fmt: skip
def all_pass_counts(before: Zigzag, event: object, after: Zigzag) -> bool:
    """Whether a hand was thrown in in a game with a fixed number of hands."""
    return after.rules.hands is not None and thrown_in(before, event, after)


@ruling(
    "min_bid", "the lowest bid",
    {
        0: "A bid may be 0.",
        1: "The lowest bid is 1.",
    },
    Bid,
)  # fmt: skip
def min_bid(_before: Zigzag, event: Bid, _after: Zigzag) -> bool:
    """Whether a bid is 0, or less."""
    return event.bid <= 0


@ruling(
    "bid_cap", "whether a bid may exceed all there is to take",
    {
        None: "A bid may be more than there is to take.",
        "total": "A bid is at most what there is to take.",
    },
    Bid,
)  # fmt: skip
def bid_cap(before: Zigzag, event: Bid, _after: Zigzag) -> bool:
    """Whether a bid is more than there is to take."""
    return event.bid > before.rules.total


@ruling(
    "made_scores", "what a made contract scores",
    {
        "bid": "A contract that is made scores what was bid.",
        "taken": "A contract that is made scores what was taken.",
    },
    Play, Deal, Bid, Pass, Score,
)  # fmt: skip
def made_scores(before: Zigzag, _event: object, after: Zigzag) -> bool:
    """Whether a hand is over in which the contractor took more than was bid."""
    if before.counted == after.counted or after.thrown_in:
        return False
    # If the next hand begins at once, the hand before it was left.
    return made_with_more(after.rules, after.hand if after.hand.phase == "over" else before.hand)


@ruling(
    "lower_end", "which end of a tile is its lower one when a ranking is named",
    {
        "spots": "The end with fewer spots is the lower one, whatever ranking is named.",
        "rank": "The end that ranks lower is the lower one.",
    },
    Play, Deal, Bid, Pass, Score,
)  # fmt: skip
def lower_end(before: Zigzag, _event: object, after: Zigzag) -> bool:
    """Whether points were taken under a named order of the numbers."""
    ranked = before.rules.points and (before.hand.rank is not None or after.hand.rank is not None)
    return ranked and (before.hand.piles.taken != after.hand.piles.taken or before.counted != after.counted)


OPTIONS = (
    Option("set", "variant", (8, 6, 7, 9), "the double-N set"),
    Option("scoring", "variant", ("tiles", "points"), "points: a taken tile is worth the spots on its lower end"),
    Option("split_penalty", "variant", (False, True), "the opponents share a failed contract's penalty"),
    Option("ranking", "variant", (False, True), "the contractor may name the highest number and a direction"),
    lower_end,
    Option("target", "variant", (100, 250, None),
           "the total that ends the game (250 when playing for points, none with `hands`)",
           "a whole number from 1, or none", a_count),
    Option("hands", "variant", (None, 3, 6, 9), "a fixed number of hands, not a target",
           "a whole number from 1, best a multiple of 3, or none", a_count),
    Option("over_tile", "variant", ("hidden", "open"), "how the tile over lies during the bidding"),
    Option("first_bidder", "fact", (None,), "who bids first in the first hand", "a player", a_player),
    all_pass,
    all_pass_counts,
    min_bid,
    bid_cap,
    made_scores,
)  # fmt: skip


# A game has a target, or a fixed number of hands in its place.
def defaults(written: dict[str, Any], _opening: Opening) -> dict[str, Any]:
    """The target is 250 when playing for points, and none with a fixed number of hands.

    Raises NotARecord if the opening gives both a target and a number of hands.
    """
    values = {option.name: option.values[0] for option in OPTIONS}
    if written.get("hands") is not None:
        if written.get("target") is not None:
            reason = "a game has a target or a fixed number of hands, not both"
            raise NotARecord(reason, event=0, field="$.options.hands")
        values["target"] = None
    elif written.get("scoring") == "points":
        values["target"] = 250
    return values
