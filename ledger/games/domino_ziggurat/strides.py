"""A fast way through the faultless part of a record of Domino Ziggurat.

`table` says what an event does and `clauses` what is wrong with it.  This file only reaches the same states faster, and
the game is complete without it.  `tests/test_strides.py` compares the two.
"""

from __future__ import annotations

from collections.abc import Iterable, KeysView, Sequence

from msgspec.structs import replace

from ledger.games.domino_ziggurat import clauses, options
from ledger.games.domino_ziggurat.state import EVENTS, HAND, LARGEST, SET, WHOLE, DominoZiggurat, differ, start, written
from ledger.games.domino_ziggurat.table import evolve
from ledger.games.domino_ziggurat.tiers import DOWN, EVERY, SPOTS, Sides, Spot, levels
from ledger.record.events import Correctable, Draw, Lift, Place
from ledger.record.grid import LEVEL
from ledger.record.tiles import Tile
from ledger.rules.leaps import Frame, Stride

_ACTS = frozenset((Draw, Place, Lift))
_ALL_BUT_ONE = 2 * WHOLE - 2
"""How many halves are on the ziggurat before the last domino."""


class Ziggurat:
    """The dominoes on the tiers during a run.

    `halves` and `lies` are those of the state; `equal` has the squares of the halves with each number of pips.
    `touched` are the rulings that the run depends on.
    """

    __slots__ = ("at_once", "equal", "halves", "lies", "reading", "rematch", "touched", "used", "wanted")

    def __init__(self, state: DominoZiggurat, touched: set[str]) -> None:
        self.halves, self.lies, self.touched = state.halves.copy(), state.lies.copy(), touched
        self.used, self.reading, self.wanted = self.halves.keys(), state.rules.reading, EVERY
        self.rematch, self.at_once = state.rules.rematch, state.rules.back_at_once
        self.equal: list[set[int]] = [set() for _ in range(LARGEST + 1)]
        for at, pips in self.halves.items():
            self.equal[pips].add(at)

    def place(self, spot: Spot, tile: Tile, hand: int, lifted: int) -> bool:
        """Lays a domino if no clause finds fault with it; returns whether it did.

        A domino that could be the last is left to a single step.
        """
        put_back, halves, equal = tile.bit & lifted, self.halves, self.equal
        if not put_back and (not tile.bit & hand or (lifted and self.at_once)):
            return False
        (one, other), below, beneath, floor, around = spot
        low, high = tile.first, tile.second
        # The same as `fits`, without its call.
        if halves.get(below, floor) >= low or halves.get(beneath, floor) >= high or one in halves or other in halves:
            return False
        if len(halves) == _ALL_BUT_ONE:
            return False
        first, second = equal[low], equal[high]
        needed = self.rematch or not put_back
        asked = needed or (put_back and "put_back_match" not in self.touched)
        # On the bare foundation there is nothing to match.
        if halves and asked and not self._match(around, first, second, needed=needed):
            return False
        if lifted and not put_back:
            self.touched.add("put_back")
        self.lies[tile.index] = spot[0]
        halves[one], halves[other] = low, high
        first.add(one)
        second.add(other)
        return True

    def _match(self, around: Sides, first: set[int], second: set[int], *, needed: bool) -> bool:
        """Whether a domino matches, or need not; notes the rulings that this depends on."""
        readings = beside(self.used, around, around.first & first | around.second & second, self.wanted)
        if not readings & self.reading:
            if not needed:
                self.touched.add("put_back_match")
            return not needed
        # A ruling is noted only once, so from then on one reading is enough.
        if needed and self.wanted == EVERY and differ(readings):
            self.touched.add("adjacency")
            self.wanted = self.reading
        return True


def beside(used: KeysView[int], around: Sides, equal: Iterable[int], wanted: int) -> int:
    """The readings under which a domino matches one of the `equal` squares around it.

    `used` are all the squares in use.  The search stops once it has the readings `wanted`.
    """
    matching, readings = 0, around.readings
    for near in equal:
        above, free_above, used_above = readings[near]
        matching |= free_above if used.isdisjoint(above) else used_above
        if matching & wanted == wanted:
            break
    return matching


def _can_run(state: DominoZiggurat) -> bool:
    """Whether nothing has happened that needs single steps.

    The first draw needs one: it shows that the hand is known.  All acts need them if a tile was misnamed, or if
    something lies above the third tier.
    """
    if not state.drawn or state.ended or levels(state.halves) != DOWN:
        return False
    return not (state.unknown or state.unread or state.amiss or state.overdue)


def run(
    state: DominoZiggurat, events: Sequence[Correctable], index: int, touched: set[str]
) -> tuple[DominoZiggurat, int]:
    """The state after the longest run of faultless acts, and the index of the first event that it did not consume."""
    if type(events[index]) not in _ACTS or not _can_run(state):
        return state, index
    ziggurat, rules = Ziggurat(state, touched), state.rules
    hand, held, seen, lifted = state.hand, state.held, state.seen, state.lifted
    once, cheats, last, refilling = state.once, state.cheats, state.last, state.refilling
    halves, lies, equal = ziggurat.halves, ziggurat.lies, ziggurat.equal
    most, any_time, end = state.most, not rules.refill_at_once, index
    for event in events[index:]:
        if type(event) is Place:
            bit = event.tile.bit
            # Three tiles are drawn before the first domino.
            ready = once or held >= HAND or lies
            spot = SPOTS[event.at, event.dir, event.level]
            if not (ready and ziggurat.place(spot, event.tile, hand, lifted)):
                break
            last = event.tile.index
            refilling = not bit & lifted
            if refilling:
                hand ^= bit
                held = max(0, held - 1)
            else:
                lifted ^= bit
        elif type(event) is Lift:
            number, bit = event.tile.index, event.tile.bit
            if number not in lies:
                break
            one, other = lies[number]
            if one + LEVEL in halves or other + LEVEL in halves:  # it is covered
                break
            equal[halves.pop(one)].remove(one)
            equal[halves.pop(other)].remove(other)
            del lies[number]
            if bit & once:
                touched.add("cheat_count")
            cheats += not (bit & once and rules.each_domino)
            lifted |= bit
            once |= bit
            last, refilling = None, False
        elif type(event) is Draw and held < most and event.tile.bit & SET & ~seen and (refilling or any_time):
            if not refilling:
                touched.add("refill")
            hand |= event.tile.bit
            seen |= event.tile.bit
            held += 1
            refilling = True
        else:
            break
        end += 1
    if end == index:
        return state, index
    after = replace(
        state, halves=halves, lies=lies, hand=hand, held=held,
        drawn=state.drawn | seen & ~state.seen, seen=seen, lifted=lifted, once=once, cheats=cheats, last=last,
        refilling=refilling, act=written(events[end - 1]),  # type: ignore[arg-type]  # the run holds acts alone
    )  # fmt: skip
    return after, end


STRIDE = Stride(
    run,
    Frame(EVENTS, scores=("game",)),
    vouches=frozenset(
        {
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
            clauses.hand_first,
            clauses.foundation,
            clauses.tier,
            clauses.support,
            clauses.strictly_greater,
            clauses.matching,
            clauses.cheats,
            clauses.finish,
            clauses.title,
            options.adjacency,
            options.put_back,
            options.put_back_match,
            options.cheat_count,
            options.refill,
        }
    ),
)
"""It replaces every event and clause of the game."""
