"""How a table of Domino Ziggurat looks: the three tiers, the open hand, and the lifted tiles."""

from collections.abc import Iterator, Sequence
from itertools import islice

from ledger.games.domino_ziggurat.clauses import title_of
from ledger.games.domino_ziggurat.state import WHOLE, DominoZiggurat
from ledger.games.domino_ziggurat.tiers import FOUNDATION, neighbours
from ledger.record.grid import laid, spot
from ledger.record.scene import Grid, Laid, Pile, Row, Scene, Seat, Spot
from ledger.record.tiles import members, named
from ledger.record.words import plural
from ledger.rules.game import Tally


def tally(state: DominoZiggurat) -> Sequence[Tally]:
    """Where the tiles of the set are.

    An unknown domino on the ziggurat came from the hand, although the tile in the record was never played from there;
    at the end it may be one that was lifted.
    """
    lying = len(state.lies) + len(state.unknown)
    lifted = min(state.lifted.bit_count(), WHOLE - lying)
    held = max(0, state.hand.bit_count() + state.unread - len(state.unknown))
    held = min(held, WHOLE - lying - lifted)
    return (
        Tally("on the ziggurat", lying),
        Tally("in the open hand", held),
        Tally("lifted", lifted),
        Tally("in the pile", WHOLE - lying - held - lifted),
    )


def scene(state: DominoZiggurat) -> Scene:
    """The table as data."""
    seats = tuple(Seat(player, state.cheats) for player in state.rules.players)
    areas: tuple[Grid | Row, ...] = (
        Grid("the ziggurat", tuple(_laid(state)), (0, 0, FOUNDATION - 1, FOUNDATION - 1), tuple(_ties(state))),
        Row("the open hand", tuple(Pile(str(tile), (tile,)) for tile in members(state.hand))),
    )
    if state.lifted:
        lifted = tuple(Pile(str(tile), (tile,), marks=("lifted",)) for tile in members(state.lifted))
        areas = (*areas, Row("lifted", lifted))
    return Scene(seats, areas, (), _status(state))


def _laid(state: DominoZiggurat) -> Iterator[Laid]:
    """The dominoes on the ziggurat; the unknown ones as they were written."""
    for index, (one, other) in state.lies.items():
        tile = named(f"{state.halves[one]}-{state.halves[other]}")
        yield laid(tile, one, other, "last") if index == state.last else laid(tile, one, other)
    for one, other, name in state.unknown:
        yield laid(named(name), one, other, "illegal")


def _ties(state: DominoZiggurat) -> Iterator[tuple[Spot, Spot]]:
    """The equal halves beside the domino placed last."""
    if state.last is None:
        return
    one, other = state.lies[state.last]
    for at, own in ((one, other), (other, one)):
        nearby = neighbours(state.halves, at, own, state.rules.reading)
        equal = (near for near in nearby if state.halves[near] == state.halves[at])
        for near in islice(equal, 1):
            yield spot(at), spot(near)


def _status(state: DominoZiggurat) -> str:
    cheats = plural(state.cheats, "cheat")
    if state.ended:
        return f"Finished with {cheats}: {title_of(state)}"
    return f"{len(state.lies) + len(state.unknown)} of {WHOLE} tiles placed · {cheats}"
