"""The table of Domino Ziggurat: its state, and what an event does to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import Correctable, Draw, Lift, Place
from ledger.game import Opening, State
from ledger.games.domino_ziggurat.tiers import (
    DOWN,
    EVERY,
    READINGS,
    SPOTS,
    TIERS,
    Spot,
    beside,
    covered,
    fits,
    levels,
    sides,
    squares,
)
from ledger.grid import level_of
from ledger.tiles import Tile, full

LARGEST = 6
SET = full(LARGEST)
HAND = 3
"""How many tiles lie in the open hand."""
WHOLE = sum(TIERS.values())


class Rules(Struct, frozen=True, gc=False):
    """An opening as the game uses it."""

    players: tuple[str, ...]
    adjacency: str
    at_once: bool
    rematch: bool
    each_domino: bool

    @property
    def reading(self) -> int:
        """The reading of "adjacent" as a bit."""
        return READINGS[self.adjacency]


class DominoZiggurat(State, frozen=True, kw_only=True, gc=False):
    """A game.

    `halves` gives for each square in use the pips on it, `lies` for each tile on the ziggurat its two squares.  Tiles
    as bits: the open `hand`, all that were ever `drawn`, those `lifted` and not yet put back, those lifted at least
    `once`.  `held` counts the tiles of the hand by what was drawn and played: after a slip it may differ from `hand`,
    but every play makes room for one draw.  `cheats` counts, `last` is the tile that was placed last.
    """

    rules: Rules
    halves: dict[int, int] = {}
    lies: dict[int, tuple[int, int]] = {}
    hand: int = 0
    held: int = 0
    drawn: int = 0
    lifted: int = 0
    once: int = 0
    cheats: int = 0
    last: int | None = None


def start(opening: Opening) -> DominoZiggurat:
    """The bare foundation."""
    options = opening.options
    return DominoZiggurat(
        rules=Rules(
            players=opening.players,
            adjacency=options["adjacency"],
            at_once=options["put_back"] == "at-once",
            rematch=options["put_back_match"],
            each_domino=options["cheat_count"] == "each-domino",
        )
    )


# ── What may be played, and where it may lie: the predicates that judge, and that find what can be played ──


# One of the tiles of the open hand is played, or one that was lifted is put back.
def playable(rules: Rules, hand: int, lifted: int) -> int:
    """The tiles that may be played, with these in the hand; by a ruling what was lifted goes back before any other."""
    return lifted if lifted and rules.at_once else hand | lifted


def needs_match(rules: Rules, halves: Mapping[int, int], lifted: int) -> bool:
    """The first domino on a bare foundation needs none; by a ruling one that is put back does not either."""
    return bool(halves) and (rules.rematch or not lifted)


def match(halves: Mapping[int, int], event: Place, wanted: int = EVERY) -> int:
    """The readings by which a half of a placement is beside an equal one; enough of them, once those `wanted` are."""
    used, around = halves.keys(), sides(*squares(event), levels(halves))
    first, one, other = around.first, event.tile.first, event.tile.second
    equal = [near for near in around.readings.keys() & used if halves[near] == (one if near in first else other)]
    return beside(used, around, equal, wanted)


def differ(found: int) -> bool:
    """Whether some reading of "adjacent" finds a match where another finds none."""
    return found not in (0, EVERY)


def matched(state: DominoZiggurat, event: Place) -> bool:
    """Whether a half of a placement is beside an equal one by the reading of this game."""
    mine = state.rules.reading
    return bool(match(state.halves, event, mine) & mine)


def legal(state: DominoZiggurat, event: Place) -> bool:
    """Whether a placement keeps every clause about where dominoes lie."""
    if not fits(state.halves, SPOTS[event.at, event.dir, event.level], event.tile):
        return False
    return not needs_match(state.rules, state.halves, event.tile.bit & state.lifted) or matched(state, event)


# ── What an event does ─────────────────────────────────────────────────────────────────────────────────────


def _on_hand(state: DominoZiggurat, event: Draw | Lift) -> DominoZiggurat:
    after, behind = _lay(state, (event,), 0)
    return after if behind else state


def _on_place(state: DominoZiggurat, event: Place) -> DominoZiggurat:
    tile, halves = event.tile, state.halves
    one, other = squares(event)
    if not tile.bit & SET or tile.index in state.lies or one in halves or other in halves:
        return replace(state, held=state.held if tile.bit & state.lifted else max(0, state.held - 1))
    after, _ = _lay(state, (event,), 0)
    return replace(after, ended=True) if finished(after.lies) else after


def stride(
    state: DominoZiggurat, events: Sequence[Correctable], place: int, touched: set[str]
) -> tuple[DominoZiggurat, int]:
    """See `Game.stride`: lifts, draws but for the first, placements but for one that may be the last."""
    # The first draw is what tells `holdings` that the hand is written.
    if type(events[place]) not in _EVOLVE or not state.drawn or state.ended or levels(state.halves) != DOWN:
        return state, place
    after, behind = _lay(state, events, place, touched)
    return (after, behind) if behind > place else (state, place)


class _Strict:
    """What a stride asks of a placement, with a look at where the halves lie: by pips, the squares of such halves."""

    __slots__ = ("halves", "lying", "mine", "rules", "touched", "used", "wanted")

    def __init__(self, rules: Rules, halves: dict[int, int], touched: set[str]) -> None:
        self.rules, self.halves, self.touched = rules, halves, touched
        self.used, self.mine, self.wanted = halves.keys(), rules.reading, EVERY
        self.lying: list[set[int]] = [set() for _ in range(LARGEST + 1)]
        for at, pips in halves.items():
            self.lying[pips].add(at)

    def clean(self, spot: Spot, tile: Tile, hand: int, lifted: int) -> bool:
        """Whether nothing is to be said of a placement but which rulings it rests on; if so, it is noted."""
        again = tile.bit & lifted
        rules, halves = self.rules, self.halves
        # Mostly it is a tile that was lifted, and such a one may be put back at any time.
        if not (again or tile.bit & playable(rules, hand, lifted)) or not fits(halves, spot, tile):
            return False
        # The last domino may finish the ziggurat.
        if len(halves) == 2 * WHOLE - 2:
            return False
        first, second = self.lying[tile.first], self.lying[tile.second]
        needed = needs_match(rules, halves, again)
        # A ruling need not be touched twice.
        if needed or (again and "put_back_match" not in self.touched):
            around = spot.sides
            equal = around.first & first | around.second & second
            wanted = self.wanted
            found = beside(self.used, around, equal, wanted)
            if not found & self.mine:
                if needed:
                    return False
                self.touched.add("put_back_match")
            elif needed and wanted == EVERY and differ(found):
                self.touched.add("adjacency")
                self.wanted = self.mine
        if lifted and not again:
            self.touched.add("put_back")
        one, other = spot.both
        first.add(one)
        second.add(other)
        return True

    def lift(self, one: int, other: int, again: int) -> None:
        """What lies on these squares is lifted, perhaps once `again`."""
        self.lying[self.halves[one]].remove(one)
        self.lying[self.halves[other]].remove(other)
        if again:
            self.touched.add("cheat_count")


# Every domino lifted is a cheat, those lifted to reach it included; by a ruling each domino counts only once.
def _lay(
    state: DominoZiggurat, events: Sequence[Correctable], place: int, touched: set[str] | None = None
) -> tuple[DominoZiggurat, int]:
    """Draws, places and lifts what can be: the table afterwards, and the place of the first event that it leaves.

    With a set for the rulings that are `touched`, it leaves strictly that at which there is something to be said, as
    far as `stride` can tell, and the domino that may finish the ziggurat.
    """
    rules, halves, lies = state.rules, state.halves.copy(), state.lies.copy()
    hand, held, drawn, lifted = state.hand, state.held, state.drawn, state.lifted
    once, cheats, last = state.once, state.cheats, state.last
    strict = None if touched is None else _Strict(rules, halves, touched)
    for behind in range(place, len(events)):
        event = events[behind]
        if type(event) is Place:
            tile = event.tile
            spot, bit = SPOTS[event.at, event.dir, event.level], tile.bit
            if strict and not strict.clean(spot, tile, hand, lifted):
                break
            last = tile.index
            one, other = lies[last] = spot.both
            halves[one], halves[other] = tile.first, tile.second
            if bit & lifted:
                lifted ^= bit
            else:
                hand &= ~bit
                drawn |= bit
                held = max(0, held - 1)
        elif type(event) is Lift:
            tile = event.tile
            bit, both = tile.bit, lies.get(tile.index)
            if both is None or covered(halves, both):
                break
            one, other = both
            if strict:
                strict.lift(one, other, bit & once)
            del lies[tile.index], halves[one], halves[other]
            cheats += not (bit & once and rules.each_domino)
            lifted |= bit
            once |= bit
            last = None
        elif type(event) is Draw and event.tile.bit & SET & ~drawn and (held < HAND or not strict):
            hand |= event.tile.bit
            drawn |= event.tile.bit
            held += 1
        else:
            break
    else:
        behind = len(events)
    after = replace(
        state, halves=halves, lies=lies, hand=hand, held=held, drawn=drawn, lifted=lifted, once=once, cheats=cheats,
        last=last,
    )  # fmt: skip
    return after, behind


# The ziggurat is finished when all 28 tiles lie 18, 8 and 2 on its tiers.
def finished(lies: Mapping[int, tuple[int, int]]) -> bool:
    """Whether the ziggurat of these tiles is finished: none is missing, and so none is lifted."""
    if len(lies) != WHOLE:
        return False
    counts = dict.fromkeys(TIERS, 0)
    for one, _other in lies.values():
        tier = level_of(one)
        counts[tier] = counts.get(tier, 0) + 1
    return counts == TIERS


_EVOLVE: Mapping[type, Any] = {Draw: _on_hand, Place: _on_place, Lift: _on_hand}


def evolve(state: DominoZiggurat, event: Correctable) -> DominoZiggurat:
    """The table after an act."""
    on = _EVOLVE.get(type(event))
    after: DominoZiggurat = on(state, event) if on else state
    return after
