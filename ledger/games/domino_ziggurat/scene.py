"""How a table of Domino Ziggurat looks: the three tiers, the open hand, and the lifted tiles."""

from collections.abc import Iterator, Sequence
from itertools import islice

from ledger.games.domino_ziggurat.clauses import title_of
from ledger.games.domino_ziggurat.state import WHOLE, DominoZiggurat
from ledger.games.domino_ziggurat.tiers import FOUNDATION, neighbours
from ledger.record.grid import column, level_of, row
from ledger.record.scene import Grid, Laid, Mark, Pile, Row, Scene, Seat, Spot
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
    laid = (*(_laid(state, index) for index in state.lies), *map(_unknown, state.unknown))
    areas: tuple[Grid | Row, ...] = (
        Grid("the ziggurat", laid, (0, 0, FOUNDATION - 1, FOUNDATION - 1), tuple(_ties(state))),
        Row("the open hand", tuple(Pile(str(tile), (tile,)) for tile in members(state.hand))),
    )
    if state.lifted:
        lifted = tuple(Pile(str(tile), (tile,), marks=("lifted",)) for tile in members(state.lifted))
        areas = (*areas, Row("lifted", lifted))
    return Scene(seats, areas, (), _status(state))


def _laid(state: DominoZiggurat, index: int) -> Laid:
    one, other = state.lies[index]
    tile = named(f"{state.halves[one]}-{state.halves[other]}")
    marks: tuple[Mark, ...] = ("last",) if index == state.last else ()
    return Laid(tile, (column(one), row(one)), (column(other), row(other)), level_of(one), None, marks)


def _unknown(domino: tuple[int, int, str]) -> Laid:
    """An unknown domino, as it was written."""
    one, other, name = domino
    return Laid(named(name), (column(one), row(one)), (column(other), row(other)), level_of(one), None, ("illegal",))


def _ties(state: DominoZiggurat) -> Iterator[tuple[Spot, Spot]]:
    """The equal halves beside the domino placed last."""
    if state.last is None:
        return
    one, other = state.lies[state.last]
    for at, own in ((one, other), (other, one)):
        nearby = neighbours(state.halves, at, own, state.rules.reading)
        equal = (near for near in nearby if state.halves[near] == state.halves[at])
        for near in islice(equal, 1):
            yield _spot(at), _spot(near)


def _spot(at: int) -> Spot:
    return column(at), row(at), level_of(at)


def _status(state: DominoZiggurat) -> str:
    cheats = plural(state.cheats, "cheat")
    if state.ended:
        return f"Finished with {cheats}: {title_of(state)}"
    return f"{len(state.lies) + len(state.unknown)} of {WHOLE} tiles placed · {cheats}"
