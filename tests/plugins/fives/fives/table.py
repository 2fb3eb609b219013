"""The effect of each event."""

from msgspec.structs import replace

from fives.state import SET, Fives, begun, boneyard, longer, lying, nearest_five, pips_of, seat_of, worth
from ledger.record.events import Aside, Correctable, Deal, Draw, Pass, Play
from ledger.record.tiles import mask
from ledger.rules.game import Opening


def start(opening: Opening) -> Fives:
    """Before the first hand."""
    first = opening.options["first"]
    leader = None if first is None else opening.seat(first)
    stay = 2 if opening.options["last_two"] else 0
    return Fives(players=opening.players, target=opening.options["target"], stay=stay, leader=leader)


def evolve(state: Fives, event: Correctable) -> Fives:
    """The table after one event."""
    match event:
        case Deal():
            return deal(begun(state), event)
        case Draw():
            return draw(begun(state), event)
        case Play():
            return play(begun(state), event)
        case Pass():
            return passed(begun(state), event)
        case Aside():
            return show(state, event)
    return state


def deal(state: Fives, event: Deal) -> Fives:
    """A whole hand is recorded; a part of one is ignored."""
    if event.partial:
        return state
    return replace(state, held=put(state.held, seat_of(state, event), mask(event.tiles) & SET))


def draw(state: Fives, event: Draw) -> Fives:
    """A tile comes from the boneyard into a hand; the turn stays."""
    seat = seat_of(state, event)
    own = state.held[seat]
    if own is None or not event.tile.bit & boneyard(state):
        return state
    return replace(state, held=put(state.held, seat, own | event.tile.bit))


def play(state: Fives, event: Play) -> Fives:
    """A tile goes on the line; the ends may score, and a player without tiles is out."""
    bit, seat = event.tile.bit, seat_of(state, event)
    if not bit & SET & ~lying(state):  # no table could show it, so nothing changes
        return state
    held = tuple(None if bits is None else bits & ~bit for bits in state.held)
    line = longer(state.line, event.tile, event.end)
    leader = seat if state.leader is None else state.leader
    state = replace(state, line=line, held=held, turn=1 - seat, leader=leader, passes=0)
    state = scored(state, seat, worth(line))
    return state if state.ended or held[seat] != 0 else finish(state, seat)


def passed(state: Fives, event: Pass) -> Fives:
    """A player cannot play; if neither can, the line is blocked."""
    state = replace(state, turn=1 - seat_of(state, event), passes=state.passes + 1)
    return finish(state, None) if state.passes == 2 else state


def show(state: Fives, event: Aside) -> Fives:
    """A player shows the last tiles: during a hand this means that the other player is out."""
    if event.player is None or state.phase == "over":
        return state
    seat = state.players.index(event.player)
    out = 1 - seat if state.phase == "play" else state.out
    return finish(replace(state, held=put(state.held, seat, mask(event.tiles) & SET)), out)


def finish(state: Fives, out: int | None) -> Fives:
    """The hand after its last act; it is counted when the remaining tiles are known."""
    one, other = (0 if seat == out else bits for seat, bits in enumerate(state.held))
    leader = state.leader if out is None else out
    state = replace(state, phase="show", held=(one, other), out=out, leader=leader, turn=None)
    if one is None or other is None:
        return state
    state, pips = replace(state, phase="over"), (pips_of(one), pips_of(other))
    if pips[0] == pips[1]:
        return state
    winner = int(pips[1] < pips[0])
    return scored(replace(state, leader=winner), winner, nearest_five(pips[1 - winner]))


def scored(state: Fives, seat: int, points: int) -> Fives:
    """The totals with these points; the game ends when one of them reaches the target."""
    totals = tuple(total + points * (n == seat) for n, total in enumerate(state.totals))
    ended = totals[seat] >= state.target
    return replace(state, totals=totals, ended=ended, phase="over" if ended else state.phase)


def put(held: tuple[int | None, ...], seat: int, bits: int) -> tuple[int | None, ...]:
    """The hands with other tiles for one seat."""
    return tuple(bits if n == seat else known for n, known in enumerate(held))
