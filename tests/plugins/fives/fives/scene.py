"""The display."""

from collections.abc import Sequence

from fives.state import Fives, boneyard, ends
from ledger.record.scene import Hand, Pile, Row, Scene, Seat
from ledger.record.sentences import who
from ledger.record.tiles import members
from ledger.rules.game import Tally


def scene(state: Fives) -> Scene:
    """The players with their totals, the line as it lies, the boneyard and the hands."""
    seats = tuple(Seat(player, state.totals[n], turn=n == state.turn) for n, player in enumerate(state.players))
    areas = [Row("the line", tuple(Pile(str(tile), (tile,)) for tile in state.line))]
    if state.hand and None not in state.held:
        areas.append(Row("boneyard", (Pile("face down", hidden=boneyard(state).bit_count()),)))
    hands = tuple(
        Hand(seat, (), None) if bits is None else Hand(seat, members(bits)) for seat, bits in enumerate(state.held)
    )
    return Scene(seats, tuple(areas), hands, status(state))


def status(state: Fives) -> str:
    """The state of play, in one line."""
    if state.ended:
        return "the game is over"
    if state.phase == "show":
        return "the players show what they have left"
    if state.phase == "over":
        leads = f", {who(state.leader)} leads" if state.leader is not None else ""
        return f"hand {state.hand + 1} is to be dealt{leads}"
    turn_ = f": {who(state.turn)} to play" if state.turn is not None else ""
    return f"hand {state.hand}, the ends count {ends(state.line)}{turn_}" if state.line else f"hand {state.hand}{turn_}"


def tally(state: Fives) -> Sequence[Tally]:
    """Where the tiles are, as far as known."""
    held = (state.held[0] or 0).bit_count() + (state.held[1] or 0).bit_count()
    line = len(state.line)
    return (Tally("on the table", line), Tally("in hands", held), Tally("elsewhere", 28 - line - held))
