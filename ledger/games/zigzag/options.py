"""The options of Zigzag, and where a ruling makes a difference.

Source: the clause page of Zigzag, its table of options.
"""

from __future__ import annotations

from typing import Any

from ledger.games.zigzag.scoring import made_with_more
from ledger.games.zigzag.state import Zigzag
from ledger.record.errors import NotARecord
from ledger.record.events import Bid, Deal, Pass, Play, Score
from ledger.rules.game import Opening, Option
from ledger.rules.shared_clauses import a_count, a_player


def thrown_in(before: Zigzag, _event: object, after: Zigzag) -> bool:
    """Whether the last of three passes threw the hand in."""
    return after.thrown_in and not before.thrown_in


def thrown_in_of_a_fixed_number(before: Zigzag, event: object, after: Zigzag) -> bool:
    """Whether a hand was thrown in in a game with a fixed number of hands."""
    return after.rules.hands is not None and thrown_in(before, event, after)


def bid_of_nothing(_before: Zigzag, event: Bid, _after: Zigzag) -> bool:
    """Whether a bid is 0, or less."""
    return event.bid <= 0


def bid_beyond_all(before: Zigzag, event: Bid, _after: Zigzag) -> bool:
    """Whether a bid is more than there is to take."""
    return event.bid > before.rules.total


def hand_made_with_more(before: Zigzag, _event: object, after: Zigzag) -> bool:
    """Whether a hand is over in which the contractor took more than was bid."""
    if before.counted == after.counted or after.thrown_in:
        return False
    # If the next hand begins at once, the hand before it was left.
    return made_with_more(after.rules, after.hand if after.hand.phase == "over" else before.hand)


def taken_by_a_named_order(before: Zigzag, _event: object, after: Zigzag) -> bool:
    """Whether points were taken under a named order of the numbers."""
    ranked = before.rules.points and (before.hand.rank is not None or after.hand.rank is not None)
    return ranked and (before.hand.piles.taken != after.hand.piles.taken or before.counted != after.counted)


LOWER_END = Option(
    "lower_end", "ruling", ("spots", "rank"), "which end of a tile is its lower one when a ranking is named",
    on=(Play, Deal, Bid, Pass, Score), touched=taken_by_a_named_order,
    sentences=(
        "The end with fewer spots is the lower one, whatever ranking is named.",
        "The end that ranks lower is the lower one.",
    ),
)  # fmt: skip
ALL_PASS = Option(
    "all_pass", "ruling", ("next", "same"), "who bids first after a hand that all passed",
    on=(Pass, Bid, Deal), touched=thrown_in,
    sentences=(
        "When all pass, the next player bids first in the next hand.",
        "When all pass, the same player bids first again.",
    ),
)  # fmt: skip
ALL_PASS_COUNTS = Option(
    "all_pass_counts", "ruling", (True, False), "whether such a hand counts among a fixed number of hands",
    on=(Pass, Bid, Deal), touched=thrown_in_of_a_fixed_number,
    sentences=(
        "A hand that all passed counts as one of the fixed number of hands.",
        "A hand that all passed does not count as one of the fixed number of hands.",
    ),
)  # fmt: skip
MIN_BID = Option(
    "min_bid", "ruling", (0, 1), "the lowest bid",
    on=(Bid,), touched=bid_of_nothing,
    sentences=(
        "A bid may be 0.",
        "The lowest bid is 1.",
    ),
)  # fmt: skip
BID_CAP = Option(
    "bid_cap", "ruling", (None, "total"), "whether a bid may exceed all there is to take",
    on=(Bid,), touched=bid_beyond_all,
    sentences=(
        "A bid may be more than there is to take.",
        "A bid is at most what there is to take.",
    ),
)  # fmt: skip
MADE_SCORES = Option(
    "made_scores", "ruling", ("bid", "taken"), "what a made contract scores",
    on=(Play, Deal, Bid, Pass, Score), touched=hand_made_with_more,
    sentences=(
        "A contract that is made scores what was bid.",
        "A contract that is made scores what was taken.",
    ),
)  # fmt: skip

OPTIONS = (
    Option("set", "variant", (8, 6, 7, 9), "the double-N set"),
    Option("scoring", "variant", ("tiles", "points"), "points: a taken tile is worth the spots on its lower end"),
    Option("split_penalty", "variant", (False, True), "the opponents share a failed contract's penalty"),
    Option("ranking", "variant", (False, True), "the contractor may name the highest number and a direction"),
    LOWER_END,
    Option("target", "variant", (100, 250, None),
           "the total that ends the game (250 when playing for points, none with `hands`)",
           "a whole number from 1, or none", a_count),
    Option("hands", "variant", (None, 3, 6, 9), "a fixed number of hands, not a target",
           "a whole number from 1, best a multiple of 3, or none", a_count),
    Option("over_tile", "variant", ("hidden", "open"), "how the tile over lies during the bidding"),
    Option("first_bidder", "fact", (None,), "who bids first in the first hand", "a player", a_player),
    ALL_PASS,
    ALL_PASS_COUNTS,
    MIN_BID,
    BID_CAP,
    MADE_SCORES,
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
