"""The part of the stride of Build Up that sets up a game: the layouts, and the draws for the first turn."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ledger.games.build_up.numbers import LAID, LAYOUT, NO_STACK, SET, UNKNOWN, WORTH, Stacks
from ledger.games.build_up.state import BuildUp, Hand
from ledger.record.events import Correctable, Draw, Layout
from ledger.record.tiles import mask


class Memory(Struct, gc=False):
    """What a run keeps beside the state: the rulings `touched`, and the top tile of each stack.

    `tops` are the indices of the top tiles and `worths` their pips as in `WORTH`, by the number of the stack; place 0
    has no stack.  `known`: none of them is unknown.  `dealt` is the last hand that the run saw dealt completely; nobody
    has acted in it yet.
    """

    touched: set[str]
    tops: list[int] = []
    worths: list[int] = []
    known: bool = False
    dealt: Hand | None = None

    def look_at(self, stacks: Stacks) -> None:
        """Notes the top tile of each stack."""
        tops = [pile[-1] for pile in stacks]
        self.tops = [NO_STACK, *[top.index for top in tops]]
        self.worths = [0, *[WORTH[top.owner][top.index] for top in tops]]
        self.known = UNKNOWN not in self.tops


def layouts(state: BuildUp, events: Sequence[Correctable], place: int, memory: Memory) -> tuple[BuildUp, int]:
    """Layouts of the right size, of tiles that are free."""
    begins = place
    laid, stacks = list(state.laid), list(state.stacks)
    memory.tops, memory.worths, memory.known = [NO_STACK], [0], True
    if stacks:
        memory.look_at(stacks)
    tops, worths, counts = memory.tops, memory.worths, [0] * len(laid)
    for pile in stacks:
        counts[pile[0].owner] += 1
    for event in events[place : place + len(counts)]:
        if type(event) is not Layout:
            break
        seat, tiles = state.rules.seat[event.player], mask(event.tiles)
        if tiles > SET or tiles & (laid[seat] | state.used[seat]):
            break
        if not tiles.bit_count() == len(event.tiles) == LAYOUT - counts[seat]:
            break
        counts[seat] = LAYOUT
        row, worth = LAID[seat], WORTH[seat]
        for index in [tile.index for tile in event.tiles]:
            tops.append(index)
            worths.append(worth[index])
            stacks.append(row[index])
        laid[seat] |= tiles
        place += 1
    if place == begins:
        return state, place
    return replace(state, stacks=tuple(stacks), laid=tuple(laid), last=None), place


def draws(state: BuildUp, events: Sequence[Correctable], place: int, memory: Memory) -> tuple[BuildUp, int]:
    """Draws of free tiles by players who are due to draw in the round."""
    seats, drawn, pips = state.rules.seat, list(state.drawn), dict(state.round)
    rivals, opener, kept, last = state.rivals, state.opener, state.rules.kept, state.last
    if -1 in pips.values():
        return state, place
    for event in events[place : place + len(drawn)]:
        if type(event) is not Draw:
            break
        seat, tile = seats[event.player], event.tile
        before = drawn[seat] if kept else 0
        act = (seat, tile.index, 0)
        if not rivals >> seat & 1 or seat in pips or act == last:
            break
        if tile.bit > SET or tile.bit & (state.laid[seat] | state.used[seat] | before):
            break
        place, last = place + 1, act
        drawn[seat], pips[seat] = before | tile.bit, tile.pips
        if len(pips) == rivals.bit_count():
            most = max(pips.values())
            best = [drawer for drawer in pips if pips[drawer] == most]
            opener = best[0] if len(best) == 1 else None
            rivals, pips = sum([1 << drawer for drawer in best]), {}
            if opener is None:
                memory.touched.add("tied_tiles")
    row = tuple(pips.items())
    return replace(state, drawn=tuple(drawn), round=row, rivals=rivals, opener=opener, last=last), place
