"""The options of Build Up: all of them are rulings, because the document is silent or contradicts itself."""

from __future__ import annotations

from ledger.games.build_up.rulings import (
    changes_hand,
    equal_on_double,
    hand_end_matters,
    in_dispute,
    is_later_hand,
    is_third_hand,
    passing_matters,
    scores_second_hand,
    ties,
)
from ledger.record.events import Aside, Deal, Draw, Pass, Result, Score, Stack
from ledger.rules.game import Option

HANDS = Option(
    "hands", "ruling", ((6, 6, 6, 4), (6, 6, 4)), "how many tiles each hand has",
    on=(Deal, Stack), touched=is_third_hand, when=changes_hand,
    sentences=(
        "There are four hands, of 6, 6, 6 and 4 tiles.",
        "There are three hands, of 6, 6 and 4 tiles.",
    ),
)  # fmt: skip
LATER_START = Option(
    "later_start", "ruling", ("recorded", "rotate", "same", "winner", "loser"), "who begins the second and later hands",
    on=(Stack, Pass), touched=is_later_hand, when=changes_hand,
    sentences=(
        "The record says who begins a later hand.",
        "Each later hand is begun by the next player.",
        "The same player begins every hand.",
        "The winner of a hand begins the next one.",
        "The loser of a hand begins the next one.",
    ),
)  # fmt: skip
HAND_END = Option(
    "hand_end", "ruling", ("blocked", "all-pass"), "when a hand ends although tiles are left",
    on=(Stack, Pass, Score, Deal, Aside), touched=hand_end_matters, when=in_dispute,
    sentences=(
        "A hand ends as soon as nobody can play.",
        "A hand ends when all have passed in turn.",
    ),
)  # fmt: skip
PASSING = Option(
    "passing", "ruling", ("stuck", "free"), "whether only a player who cannot play may pass, or anybody",
    on=(Stack, Pass, Score, Deal, Aside), touched=passing_matters, when=in_dispute,
    sentences=(
        "Only a player who cannot play may pass.",
        "Anybody may pass.",
    ),
)  # fmt: skip
TOTAL = Option(
    "total", "ruling", ("cumulative", "last-hand"), "which hands decide the game",
    on=(Stack, Pass, Score, Deal, Aside), touched=scores_second_hand, when=changes_hand,
    sentences=(
        "The points of all hands decide the game.",
        "Only the last hand decides the game.",
    ),
)  # fmt: skip
TILE_ON_DOUBLE = Option(
    "tile_on_double", "ruling", ("more", "equal-or-more"), "how many pips a non-double needs to cover a double",
    on=(Stack, Pass, Score, Deal, Result), touched=equal_on_double,
    sentences=(
        "A non-double needs more pips than the double that it covers.",
        "A non-double needs at least as many pips as the double that it covers.",
    ),
)  # fmt: skip
TIED_TILES = Option(
    "tied_tiles", "ruling", ("back", "kept"), "whether the tiles of a tied draw go back or stay in the first hand",
    on=(Draw,), touched=ties,
    sentences=(
        "The tiles of a tied draw go back before those players draw again.",
        "The tiles of a tied draw stay in the first hand.",
    ),
)  # fmt: skip

OPTIONS = (HANDS, LATER_START, HAND_END, PASSING, TOTAL, TILE_ON_DOUBLE, TIED_TILES)
