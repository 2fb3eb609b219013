"""How a table of Build Up looks: the layout's lines of stacks, the hands, the leftovers."""

from collections.abc import Sequence

from ledger.games.build_up.numbers import LAYOUT, UNKNOWN
from ledger.games.build_up.state import BuildUp, Rules, all_hands_played, holds, in_hand
from ledger.record.scene import Hand, Pile, Plan, Row, Scene, Seat, hand_title
from ledger.record.sentences import who
from ledger.record.tiles import TILES, members, size
from ledger.record.words import plural
from ledger.rules.game import Tally

LEFT = "left over"
"""The title of the row of tiles that nobody could play."""


def tally(state: BuildUp) -> Sequence[Tally]:
    """Where the tiles of all colours are."""
    seats = range(len(state.rules.players))
    stacked = sum(map(len, state.stacks))
    held = sum(holds(state, seat) for seat in seats) if state.phase == "play" else 0
    aside = sum(map(int.bit_count, state.left))
    return (
        Tally("on the stacks", stacked),
        Tally("in hands", held),
        Tally("left over", aside),
        # A misnamed tile is on a stack, and perhaps somewhere else as well.
        Tally("in the boneyards", max(0, len(seats) * size(6) - stacked - held - aside)),
    )


def scene(state: BuildUp) -> Scene:
    """The table as data: one line of stacks for each player's layout."""
    rules = state.rules
    seats = tuple(
        Seat(player, state.totals[seat], state.hand.turn.seat == seat, _word(state, seat))
        for seat, player in enumerate(rules.players)
    )
    lines = []
    for begin in range(0, len(state.stacks), LAYOUT):
        piles = tuple(_pile(state, place) for place in range(begin, min(begin + LAYOUT, len(state.stacks))))
        lines.append(Row(_title(begin), piles))
    left = tuple(
        Pile(who(seat), members(state.left[seat]), (seat,) * state.left[seat].bit_count())
        for seat in range(len(rules.players))
    )
    areas = (*lines, Row(LEFT, left)) if any(state.left) else tuple(lines)
    hands = tuple(_hand(state, seat) for seat in range(len(rules.players))) if state.phase == "play" else ()
    note = f"{plural(len(state.stacks), 'stack')}, top tile counts" if state.stacks else ""
    return Scene(seats, areas, hands, _status(state), note=note, plan=_plan(rules))


def _plan(rules: Rules) -> Plan:
    begins = range(0, LAYOUT * len(rules.players), LAYOUT)
    stacks = [(_title(begin), tuple(str(begin + place) for place in range(1, LAYOUT + 1))) for begin in begins]
    return Plan((*stacks, (LEFT, tuple(map(who, range(len(rules.players)))))), max(rules.hands, default=0))


def _title(begin: int) -> str:
    return f"stacks {begin + 1} to {begin + LAYOUT}"


def _pile(state: BuildUp, place: int) -> Pile:
    stack = state.stacks[place]
    seen = [laid for laid in stack if laid.index != UNKNOWN]
    tiles, owners = tuple(TILES[laid.index] for laid in seen), tuple(laid.owner for laid in seen)
    return Pile(str(place + 1), tiles, owners, hidden=len(stack) - len(seen))


def _hand(state: BuildUp, seat: int) -> Hand:
    tiles = members(in_hand(state, seat))
    return Hand(seat, tiles, max(0, holds(state, seat) - len(tiles)))


def _word(state: BuildUp, seat: int) -> str:
    if state.phase == "play" and state.hand.passed >> seat & 1:
        return "passed"
    if state.phase == "over" and state.earned is not None:
        return f"{state.earned[seat]} in the last hand"
    return ""


def _status(state: BuildUp) -> str:
    rules, hand = state.rules, state.hand
    if all_hands_played(state):
        return "Game over"
    if state.phase == "setup":
        return "Setting up"
    title = hand_title(hand.number + 1, len(rules.hands))
    if state.phase == "over":
        return f"{title} is over"
    turn = f" · {who(hand.turn.seat)} to play" if hand.turn.seat is not None else ""
    return f"{title}{turn}"
