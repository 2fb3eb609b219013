"""A game of Build Up as it stands: the state, and who holds what as far as the record has come."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ledger.events import Aside, Deal, Draw, Event, Layout, Pass, Result, Score, Stack
from ledger.game import Opening, State
from ledger.games.build_up.numbers import SET, Laid, covering, place_for, sizes, who_holds

EVENTS: tuple[type[Event], ...] = (Layout, Draw, Deal, Stack, Pass, Aside, Score, Result)
"""The acts and claims of the game."""
CLOSING: tuple[type[Event], ...] = (Pass, Aside)
"""The acts that belong to the end of a hand and may stand after it."""


class Rules(Struct, frozen=True, gc=False):
    """An opening as the game uses it: how many tiles each hand has, and the rulings."""

    players: tuple[str, ...]
    seat: dict[str, int]
    hands: tuple[int, ...]
    later_start: str
    blocked: bool
    cumulative: bool
    equal_on_double: bool


class Hand(Struct, frozen=True, gc=False):
    """One hand.  `number` counts from 0 (-1: none has begun).

    `dealt` are the tiles that the record puts in each hand, `whole` has a bit for each seat whose hand is written
    whole; `plays` counts the tiles played by each seat, `passed` has a bit for each seat that passed since.  `turn` is
    the seat that should act (None: nobody knows), `first` the one that began, `acted` whether anybody has.
    """

    number: int
    dealt: tuple[int, ...]
    plays: tuple[int, ...]
    whole: int = 0
    passed: int = 0
    turn: int | None = None
    first: int | None = None
    acted: bool = False


class BuildUp(State, frozen=True, kw_only=True, gc=False):
    """A game.

    By seat: `laid` out tiles, tiles `used` in play, tiles `left` over for good, the tile last `drawn` for the first
    turn (-1: none), the points `earned` in the last hand that is over, and the `totals`.  `round` are the draws of the
    round that is being drawn, `rivals` the seats that draw in it, `opener` who won it.  `broken`: a hand was stopped
    although somebody could play, so the game did not come to its end by the rules.
    """

    rules: Rules
    phase: Literal["setup", "play", "over"] = "setup"
    stacks: tuple[tuple[Laid, ...], ...] = ()
    laid: tuple[int, ...]
    used: tuple[int, ...]
    left: tuple[int, ...]
    drawn: tuple[int, ...]
    round: tuple[tuple[int, int], ...] = ()
    rivals: int
    opener: int | None = None
    hand: Hand
    totals: tuple[int, ...]
    earned: tuple[int, ...] | None = None
    broken: bool = False


def start(opening: Opening) -> BuildUp:
    """The table before the layout."""
    seats = len(opening.players)
    none = (0,) * seats
    options = opening.options
    return BuildUp(
        rules=Rules(
            players=opening.players,
            seat={player: i for i, player in enumerate(opening.players)},
            hands=tuple(options["hands"]),
            later_start=options["later_start"],
            blocked=options["hand_end"] == "blocked",
            cumulative=options["total"] == "cumulative",
            equal_on_double=options["tile_on_double"] == "equal-or-more",
        ),
        laid=none,
        used=none,
        left=none,
        drawn=(-1,) * seats,
        rivals=(1 << seats) - 1,
        hand=Hand(-1, none, none),
        totals=none,
    )


# ── Who holds what, as far as the record has come ──────────────────────────────────────────────────────────


def sizes_of(state: BuildUp) -> tuple[int, ...]:
    """How many tiles each seat holds at the beginning of the hand on the table, as it is written or by the rules."""
    hand = state.hand
    return sizes(state.rules.hands, hand.number, hand.dealt, hand.whole)


def holds(state: BuildUp, seat: int) -> int:
    """How many tiles a seat has left in the hand on the table."""
    return max(0, sizes_of(state)[seat] - state.hand.plays[seat])


def known(state: BuildUp, seat: int) -> int | None:
    """The tiles that a seat holds, if the record has written its whole hand."""
    hand = state.hand
    dealt = hand.dealt[seat]
    if hand.whole >> seat & 1 or dealt.bit_count() >= sizes_of(state)[seat]:
        return dealt & ~state.used[seat]
    return None


def holders(state: BuildUp) -> int:
    """A bit for each seat that still holds tiles."""
    return who_holds(sizes_of(state), state.hand.plays)


def can_play(state: BuildUp) -> bool | None:
    """Whether anybody who holds tiles can play: None where the record does not know."""
    sure: bool | None = False
    table = covering(state.rules.equal_on_double)
    holding = holders(state)
    for seat in range(len(state.rules.players)):
        if not holding >> seat & 1:
            continue
        tiles = known(state, seat)
        if tiles is None:
            sure = None
        elif place_for(table, state.stacks, (tiles,)):
            return True
    return sure


def written(state: BuildUp) -> list[int]:
    """The tiles that each seat holds where the record has written its hand whole; none where the play differs."""
    hand = state.hand
    whole, held = hand.whole, []
    for seat, (dealt, used) in enumerate(zip(hand.dealt, state.used, strict=True)):
        tiles = dealt & ~used
        sure = whole >> seat & 1 and not dealt & (state.laid[seat] | state.left[seat])
        held.append(tiles if sure and tiles.bit_count() == dealt.bit_count() - hand.plays[seat] else 0)
    return held


def unseen(state: BuildUp, seat: int) -> int:
    """The tiles of a colour that may yet be dealt."""
    return SET & ~(state.laid[seat] | state.used[seat] | state.left[seat])


# A hand is over when every hand is empty, or when nobody who still holds tiles can play.  Where that cannot be
# known, or by a ruling, it is over when everybody who still holds tiles has passed in a row.
def is_over(state: BuildUp) -> bool:
    """Whether a hand is over after an act."""
    if state.hand.turn is None:
        return True
    if not state.rules.blocked:
        return False
    playable = can_play(state)
    return all_passed(holders(state), state.hand.passed) if playable is None else not playable


def all_passed(holding: int, passed: int) -> bool:
    """Whether all of these seats have passed."""
    return not holding & ~passed
