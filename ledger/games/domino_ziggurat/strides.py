"""A fast way through the faultless part of a record of Domino Ziggurat.

`table` says what an event does and `clauses` what is wrong with it; this file only gets to the same states sooner, and
the game is complete without it.  `tests/test_strides.py` compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ledger.events import Correctable, Draw, Lift, Place
from ledger.games.domino_ziggurat import clauses
from ledger.games.domino_ziggurat.options import ADJACENCY, CHEAT_COUNT, PUT_BACK, PUT_BACK_MATCH
from ledger.games.domino_ziggurat.state import EVENTS, HAND, LARGEST, SET, WHOLE, DominoZiggurat, differ, start
from ledger.games.domino_ziggurat.table import evolve
from ledger.games.domino_ziggurat.tiers import DOWN, EVERY, SPOTS, Spot, beside, covered, fits, levels
from ledger.strides import Stride
from ledger.tiles import Tile

_ACTS = frozenset((Draw, Place, Lift))


class Ziggurat:
    """The dominoes on the tiers while a run goes on.

    `halves` and `lies` are those of the state; `equal` gives for each number of pips the squares of the halves that
    have it.  `touched` are the rulings that the run rests on.
    """

    __slots__ = ("at_once", "equal", "halves", "lies", "reading", "rematch", "touched", "used", "wanted")

    def __init__(self, state: DominoZiggurat, touched: set[str]) -> None:
        self.halves, self.lies, self.touched = state.halves.copy(), state.lies.copy(), touched
        self.used, self.reading, self.wanted = self.halves.keys(), state.rules.reading, EVERY
        self.rematch, self.at_once = state.rules.rematch, state.rules.at_once
        self.equal: list[set[int]] = [set() for _ in range(LARGEST + 1)]
        for at, pips in self.halves.items():
            self.equal[pips].add(at)

    def place(self, spot: Spot, tile: Tile, hand: int, lifted: int) -> bool:
        """Lays a domino if no clause faults that, and tells whether it did.

        It leaves the domino that could finish the ziggurat to a single step.
        """
        put_back, halves = tile.bit & lifted, self.halves
        if not put_back and (not tile.bit & hand or (lifted and self.at_once)):
            return False
        if len(halves) == 2 * WHOLE - 2 or not fits(halves, spot, tile):
            return False
        first, second = self.equal[tile.first], self.equal[tile.second]
        needed = bool(halves) and (self.rematch or not put_back)
        if (needed or (put_back and "put_back_match" not in self.touched)) and not self._match(
            spot, first, second, needed=needed
        ):
            return False
        if lifted and not put_back:
            self.touched.add("put_back")
        one, other = self.lies[tile.index] = spot.both
        halves[one], halves[other] = tile.first, tile.second
        first.add(one)
        second.add(other)
        return True

    def _match(self, spot: Spot, first: set[int], second: set[int], *, needed: bool) -> bool:
        """Whether a domino matches, or does not have to; notes the rulings that this rests on."""
        around = spot.sides
        readings = beside(self.used, around, around.first & first | around.second & second, self.wanted)
        if not readings & self.reading:
            if not needed:
                self.touched.add("put_back_match")
            return not needed
        # A ruling is noted once; from then on one reading is enough.
        if needed and self.wanted == EVERY and differ(readings):
            self.touched.add("adjacency")
            self.wanted = self.reading
        return True

    def lift(self, tile: Tile, once: int) -> bool:
        """Lifts a domino that lies uncovered, and tells whether it did; `once` are those that were lifted before."""
        both, halves = self.lies.get(tile.index), self.halves
        if both is None or covered(halves, both):
            return False
        one, other = both
        self.equal[halves[one]].remove(one)
        self.equal[halves[other]].remove(other)
        del self.lies[tile.index], halves[one], halves[other]
        if tile.bit & once:
            self.touched.add("cheat_count")
        return True


def run(
    state: DominoZiggurat, events: Sequence[Correctable], index: int, touched: set[str]
) -> tuple[DominoZiggurat, int]:
    """The state after the longest run of faultless acts, and the index of the first event that it did not consume.

    It leaves the first draw to a single step: that draw shows that the record knows the hand.
    """
    if type(events[index]) not in _ACTS or not state.drawn or state.ended or levels(state.halves) != DOWN:
        return state, index
    ziggurat, each_domino = Ziggurat(state, touched), state.rules.each_domino
    hand, held, drawn, lifted = state.hand, state.held, state.drawn, state.lifted
    once, cheats, last = state.once, state.cheats, state.last
    end, count = index, len(events)
    while end < count:
        event = events[end]
        if type(event) is Place:
            bit = event.tile.bit
            if not ziggurat.place(SPOTS[event.at, event.dir, event.level], event.tile, hand, lifted):
                break
            last = event.tile.index
            if bit & lifted:
                lifted ^= bit
            else:
                hand ^= bit
                held = max(0, held - 1)
        elif type(event) is Lift:
            bit = event.tile.bit
            if not ziggurat.lift(event.tile, once):
                break
            cheats += not (bit & once and each_domino)
            lifted |= bit
            once |= bit
            last = None
        elif type(event) is Draw and event.tile.bit & SET & ~drawn and held < HAND:
            hand |= event.tile.bit
            drawn |= event.tile.bit
            held += 1
        else:
            break
        end += 1
    if end == index:
        return state, index
    after = replace(
        state, halves=ziggurat.halves, lies=ziggurat.lies, hand=hand, held=held, drawn=drawn, lifted=lifted, once=once,
        cheats=cheats, last=last,
    )  # fmt: skip
    return after, end


STRIDE = Stride(
    run,
    vouches=frozenset(
        {
            EVENTS,
            (),
            start,
            evolve,
            clauses.holdings,
            clauses.in_set,
            clauses.once,
            clauses.occupied,
            clauses.lift,
            clauses.put_back,
            clauses.after_end,
            clauses.hand,
            clauses.foundation,
            clauses.tier,
            clauses.support,
            clauses.strictly_greater,
            clauses.matching,
            clauses.cheats,
            clauses.finish,
            clauses.title,
            ADJACENCY,
            PUT_BACK,
            PUT_BACK_MATCH,
            CHEAT_COUNT,
        }
    ),
)
"""It stands in for every event and clause of the game; `()` is that nothing may stand after the end."""
