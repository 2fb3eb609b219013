"""The state of a game, its tiles and their points."""

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from ledger.record.events import Deal, Draw, LineEnd, Pass, Play
from ledger.record.tiles import Tile, full, mask, members
from ledger.rules.game import State

SET, HAND = full(6), 7
Acted = Deal | Draw | Play | Pass


class Fives(State, frozen=True, kw_only=True, gc=False):
    """The totals, and the hand that is in play or was played last.

    `line` has the tiles from left to right as they lie, `held` the current hand of each seat as bits, None if it is
    unknown.  `phase`: a hand is in play; or the players still have to show their last tiles (`out` has none; it is None
    if the line is blocked); or it is counted.  `leader` begins a hand.  `lost` is True if some hand was never counted
    because the last tiles were not recorded.
    """

    players: tuple[str, ...]
    target: int
    stay: int
    totals: tuple[int, ...] = (0, 0)
    phase: Literal["play", "show", "over"] = "over"
    hand: int = 0
    line: tuple[Tile, ...] = ()
    held: tuple[int | None, ...] = (None, None)
    turn: int | None = None
    leader: int | None = None
    out: int | None = None
    passes: int = 0
    lost: bool = False


def begun(state: Fives) -> Fives:
    """The hand in play; a new one if the last is over."""
    if state.phase == "play":
        return state
    return replace(
        state, phase="play", hand=state.hand + 1, line=(), held=(None, None), turn=state.leader, out=None, passes=0,
        lost=state.lost or state.phase == "show",
    )  # fmt: skip


def seat_of(state: Fives, event: Acted) -> int:
    """The seat of the player who acts."""
    return state.players.index(event.player)


def longer(line: tuple[Tile, ...], tile: Tile, end: LineEnd | None) -> tuple[Tile, ...]:
    """The line with one more tile, turned so that equal halves meet if possible."""
    if not line:
        return (tile,)
    if (end or next(iter(fitting(line, tile)), "right")) == "left":
        return (tile if tile.second == line[0].first else tile.turned, *line)
    return (*line, tile if tile.first == line[-1].second else tile.turned)


def fitting(line: tuple[Tile, ...], tile: Tile) -> Sequence[LineEnd | None]:
    """The ends of the line that a tile fits.  The first tile of a line goes to no end: None."""
    if not line:
        return (None,)
    ends: tuple[tuple[LineEnd, int], ...] = (("left", line[0].first), ("right", line[-1].second))
    return [end for end, half in ends if half in (tile.first, tile.second)]


def fits(state: Fives, bits: int) -> Sequence[Tile]:
    """The tiles among these that can be played now."""
    line = () if state.phase != "play" else state.line
    return [tile for tile in members(bits) if fitting(line, tile)]


def lying(state: Fives) -> int:
    """The tiles on the table."""
    return mask(state.line)


def possible(state: Fives, seat: int) -> int:
    """The tiles that a seat may have: its hand or, if that is not recorded, all tiles that are not elsewhere."""
    if state.phase != "play":
        return SET
    own, other = state.held[seat], state.held[1 - seat]
    return SET & ~(other or 0) & ~lying(state) if own is None else own


def boneyard(state: Fives) -> int:
    """The tiles that may be in the boneyard: those not known to be elsewhere."""
    return SET & ~lying(state) & ~(state.held[0] or 0) & ~(state.held[1] or 0)


def stock(state: Fives) -> int | None:
    """How many tiles can still be drawn; None if a hand is unknown."""
    return None if None in state.held else max(0, boneyard(state).bit_count() - state.stay)


def ends(line: tuple[Tile, ...]) -> int:
    """The count of the open ends; a double lies crosswise and counts both halves."""
    if len(line) == 1:
        return line[0].pips
    left, right = line[0], line[-1]
    return left.first * (1 + left.double) + right.second * (1 + right.double)


def worth(line: tuple[Tile, ...]) -> int:
    """The points of a play: the count of the ends if it is a multiple of five."""
    return 0 if ends(line) % 5 else ends(line)


def pips_of(bits: int) -> int:
    """The pips of these tiles."""
    return sum(tile.pips for tile in members(bits))


def nearest_five(pips: int) -> int:
    """Pips, rounded to the nearest multiple of five."""
    return (pips + 2) // 5 * 5
