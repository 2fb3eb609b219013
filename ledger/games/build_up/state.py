"""The state of a game of Build Up, and who holds what as far as the record goes."""

from typing import Literal

from msgspec import Struct

from ledger.games.build_up.numbers import COVERING, SET, Laid, fits_some, fitting, has_unknown_top
from ledger.record.events import Draw, Stack
from ledger.rules.game import Opening, State
from ledger.rules.turns import Turn, who_holds


class Rules(Struct, frozen=True, gc=False, omit_defaults=True):
    """An opening as the game uses it: how many tiles each hand has, and the rulings.

    `blocked`: a hand is over as soon as nobody can play.  `free`: anybody may pass, and passes alone end a hand.
    """

    players: tuple[str, ...]
    seat: dict[str, int]
    hands: tuple[int, ...]
    later_start: str
    blocked: bool
    cumulative: bool
    equal_on_double: bool
    kept: bool
    free: bool = False


class Hand(Struct, frozen=True, gc=False):
    """One hand.  `number` counts from 0 (-1: none has begun).

    By seat: `sizes` is the number of tiles in the hand, `out` are the tiles that were used before it, `dealt` those
    that the record puts in it, `plays` counts the tiles played.  `whole` has a bit for each seat whose whole hand is
    written down, `passed` one for each seat that has passed since a tile was played.  `first` is the seat that began;
    `acted`: somebody has acted, or the hand is scored, so that its acts were not recorded if there are none.
    """

    number: int
    sizes: tuple[int, ...]
    out: tuple[int, ...]
    dealt: tuple[int, ...]
    plays: tuple[int, ...]
    whole: int = 0
    passed: int = 0
    turn: Turn = Turn()
    first: int | None = None
    acted: bool = False


class BuildUp(State, frozen=True, kw_only=True, gc=False):
    """A game.

    By seat: `laid` out tiles, tiles `used` in play, tiles `left` over for good, the tiles `drawn` for the first turn
    that are in the first hand, the points `earned` in the last finished hand, and the `totals`.  `vague` is the most
    points that unknown tiles can add to a total.

    `round` holds the pips drawn in this round of draws, by seat (-1: unknown), `rivals` has a bit for each seat
    that draws in it, `opener` is the seat that drew most.  `last` is the last act, if a tile was drawn or played: its
    seat, its tile's index, and the stack's number (0: drawn).

    If hands are hidden, a row of passes may have ended a hand or not.  `others` are the other states that the game may
    be in; see `rows`.  `ends` shows which rows of passes ended their hand: after a leading 1, a bit for each.
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
    vague: tuple[int, ...]
    last: tuple[int, int, int] | None = None
    ends: int = 1
    others: "tuple[BuildUp, ...]" = ()


def start(opening: Opening) -> BuildUp:
    """The table before the layout."""
    seats = len(opening.players)
    none = (0,) * seats
    options = opening.options
    free = options["passing"] == "free"
    return BuildUp(
        rules=Rules(
            players=opening.players,
            seat={player: i for i, player in enumerate(opening.players)},
            hands=tuple(options["hands"]),
            later_start=options["later_start"],
            blocked=options["hand_end"] == "blocked" and not free,
            cumulative=options["total"] == "cumulative",
            equal_on_double=options["tile_on_double"] == "equal-or-more",
            kept=options["tied_tiles"] == "kept",
            free=free,
        ),
        laid=none,
        used=none,
        left=none,
        drawn=none,
        rivals=(1 << seats) - 1,
        hand=Hand(-1, none, none, none, none),
        totals=none,
        vague=none,
    )


def all_hands_played(state: BuildUp) -> bool:
    """Whether the last hand is over."""
    return state.phase == "over" and state.hand.number + 1 >= len(state.rules.hands)


def hands_played(state: BuildUp) -> int:
    """How many hands are over."""
    return state.hand.number + (state.phase == "over")


def done_before(state: BuildUp, event: Stack | Draw) -> bool:
    """Whether the same act was written down just before."""
    last, tile = state.last, event.tile.index
    if last is None or last[1] != tile:
        return False
    return last == (state.rules.seat[event.player], tile, event.stack if type(event) is Stack else 0)


# The document does not say who begins the later hands; a ruling does.
def later_starter(state: BuildUp) -> int | None:
    """Who begins the next hand by the ruling; None if the first to act decides."""
    rule, first = state.rules.later_start, state.hand.first
    if rule in ("winner", "loser"):
        if state.earned is None:
            return None
        pick = max(state.earned) if rule == "winner" else min(state.earned)
        return state.earned.index(pick)
    if first is None or rule == "recorded":
        return None
    return first if rule == "same" else (first + 1) % len(state.rules.players)


# ── Who holds what, as far as the record goes ──────────────────────────────────────────────────────────────


def holds(state: BuildUp, seat: int) -> int:
    """How many tiles a seat has left in the current hand, by count."""
    return max(0, state.hand.sizes[seat] - state.hand.plays[seat])


def holders(state: BuildUp) -> int:
    """A bit for each seat that still holds tiles, by count."""
    return who_holds(state.hand.sizes, state.hand.plays)


def in_hand(state: BuildUp, seat: int) -> int:
    """The tiles that the record puts in a seat's hand and that are not played yet."""
    return state.hand.dealt[seat] & ~state.used[seat]


def played(state: BuildUp, seat: int) -> int:
    """The tiles that a seat played in the current hand."""
    return state.used[seat] & ~state.hand.out[seat]


def complete(state: BuildUp, seat: int) -> bool:
    """Whether the record has every tile of a seat's hand."""
    return 0 < state.hand.sizes[seat] <= state.hand.dealt[seat].bit_count()


def known(state: BuildUp, seat: int) -> int | None:
    """The tiles that a seat holds; None if the record does not say, or a tile of the hand was misnamed."""
    hand = state.hand
    size, dealt = hand.sizes[seat], hand.dealt[seat]
    tiles = dealt & ~state.used[seat]
    if not 0 < size <= dealt.bit_count() or tiles.bit_count() != max(0, size - hand.plays[seat]):
        return None
    return tiles


def unseen(state: BuildUp, seat: int) -> int:
    """The tiles of a colour that may still be dealt."""
    return SET & ~(state.laid[seat] | state.used[seat] | state.left[seat])


def fits_somewhere(state: BuildUp) -> int:
    """The tiles that fit some stack."""
    return fitting(COVERING[state.rules.equal_on_double], state.stacks, SET)


def one_fits(state: BuildUp, tiles: int) -> bool:
    """Whether one of these tiles fits some stack."""
    return fits_some(COVERING[state.rules.equal_on_double], state.stacks, tiles)


def may_have_played(before: BuildUp, after: BuildUp, seat: int) -> bool:
    """Whether a seat that passes here holds a tile that fits, as far as its hand is known, or may hold one."""
    if before.phase == "over" or not holds(after, seat):
        return False
    tiles = known(before, seat)
    return tiles is None or one_fits(before, tiles)


def can_play(state: BuildUp, equal_on_double: bool | None = None) -> bool | None:
    """Whether any player who holds tiles can play; None if the record does not show it yet."""
    table = COVERING[state.rules.equal_on_double if equal_on_double is None else equal_on_double]
    stacks, hand, used = state.stacks, state.hand, state.used
    able: bool | None = False
    for seat, dealt in enumerate(hand.dealt):
        size, tiles = hand.sizes[seat], dealt & ~used[seat]
        count, written = size - hand.plays[seat], 0 < size <= dealt.bit_count()
        if tiles and fits_some(table, stacks, tiles):
            if tiles.bit_count() <= count:
                return True
            # The player still has `count` of these tiles.  It may be 0: then somebody else's play was recorded for
            # this player, or a tile was misnamed.
            if written:
                if (tiles & ~fitting(table, stacks, tiles)).bit_count() < count:
                    return True
                able = None
        if count > 0 and not written:
            able = None
    return None if able is False and holders(state) and has_unknown_top(stacks) else able


# A hand is over when nobody who still holds tiles can play.  If that is unknown, or by two rulings, it is over when
# everybody who still holds tiles has passed in a row.  So it is over, too, when every hand is empty.
def is_over(state: BuildUp) -> bool:
    """Whether a hand is over after an act."""
    if state.rules.blocked:
        able = can_play(state)
        if able is not None:
            return not able
    return all_passed(holders(state), state.hand.passed)


def all_passed(holding: int, passed: int) -> bool:
    """Whether all of these seats have passed."""
    return holding & passed == holding
