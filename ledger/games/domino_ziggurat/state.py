"""The state of a game of Domino Ziggurat, and what may be played where.

The clauses judge with these predicates, and `choices` uses them to find legal plays: each rule is written once.
"""

from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct

from ledger.games.domino_ziggurat import tiers
from ledger.record.events import Draw, Lift, Place
from ledger.record.grid import level_of
from ledger.record.tiles import full, named
from ledger.rules.game import Opening, State

LARGEST = 6
SET = full(LARGEST)
HAND = 3
"""How many tiles are in the open hand."""
WHOLE = sum(tiers.TIERS.values())


class Rules(Struct, frozen=True, gc=False):
    """An opening as the game uses it."""

    players: tuple[str, ...]
    adjacency: str
    back_at_once: bool
    rematch: bool
    each_domino: bool
    refill_at_once: bool

    @property
    def reading(self) -> int:
        """The reading of "adjacent" as a bit."""
        return tiers.READINGS[self.adjacency]


class DominoZiggurat(State, frozen=True, kw_only=True, gc=False):
    """A game.

    `halves` has the pips on each square in use, `lies` the two squares of each tile on the ziggurat.  `unknown` are the
    unknown dominoes on it: both squares, and the tile as it was written; the pips of their halves are `UNKNOWN`.

    Tiles as bits: the open `hand`, all that were `drawn`, all that were `seen` (drawn or laid), those `lifted` and not
    yet put back, those lifted at least `once`, and those that should have gone back before another was played
    (`overdue`).

    `held` counts the tiles of the hand; `most` is the size of the largest hand so far, at least three.  `unread` counts
    unknown tiles that were drawn, `amiss` dominoes that were laid but not in the hand.  `refilling`: the hand may be
    filled up now.  `cheats` counts the cheats, `last` is the tile placed last, `act` the last act (see `written`).
    """

    rules: Rules
    halves: dict[int, int] = {}
    lies: dict[int, tuple[int, int]] = {}
    unknown: tuple[tuple[int, int, str], ...] = ()
    hand: int = 0
    drawn: int = 0
    seen: int = 0
    lifted: int = 0
    once: int = 0
    overdue: int = 0
    held: int = 0
    most: int = HAND
    unread: int = 0
    amiss: int = 0
    refilling: bool = True
    cheats: int = 0
    last: int | None = None
    act: tuple[str | int, ...] = ("", "", -1)


def start(opening: Opening) -> DominoZiggurat:
    """The bare foundation."""
    options = opening.options
    return DominoZiggurat(
        rules=Rules(
            players=opening.players,
            adjacency=options["adjacency"],
            back_at_once=options["put_back"] == "at-once",
            rematch=options["put_back_match"],
            each_domino=options["cheat_count"] == "each-domino",
            refill_at_once=options["refill"] == "at-once",
        )
    )


def written(event: Draw | Place | Lift) -> tuple[str | int, ...]:
    """What identifies an act: its kind, its player, its tile, and the squares of its halves."""
    if type(event) is not Place:
        return ("lift" if type(event) is Lift else "draw", event.player, event.tile.index)
    one, other = tiers.squares(event)
    low, high, pips = (one, other, event.tile.first) if one < other else (other, one, event.tile.second)
    return ("place", event.player, event.tile.index, low, high, pips)


def short(state: DominoZiggurat) -> int:
    """How many of the first three tiles were not drawn; 0 once a domino has been played."""
    return 0 if state.halves or state.once else max(0, HAND - state.held - state.unread)


# ── Which tile it was ──────────────────────────────────────────────────────────────────────────────────────


def nameless(state: DominoZiggurat, event: Place) -> bool:
    """Whether a placement names a tile that it cannot be: one that is not in the set, or is on the table already."""
    return not event.tile.bit & SET or event.tile.index in state.lies


# A domino was laid that was not in the hand.  If it is drawn later, it was another that was laid; if a tile of the hand
# is drawn again, the other tile had been drawn in its place.  The slip was reported when the domino was laid.
def explains(state: DominoZiggurat, event: Draw) -> bool:
    """Whether the draw of a tile that is somewhere already only shows which act before it names the wrong tile."""
    bit = event.tile.bit
    return bool(state.amiss) and bool(bit & state.hand or (event.tile.index in state.lies and not bit & state.drawn))


# A tile that is on the table already is laid again elsewhere.  It is unknown which tile that was, until its old place
# turns out to be free: then it was lifted, and nobody wrote that down.
def laid_anew(state: DominoZiggurat, places: Iterable[int]) -> tuple[int, ...]:
    """The tiles on these squares that must have been lifted if an act shows that the squares are free.

    Empty if one of them was not laid again elsewhere, or if something rests on it.
    """
    used = state.halves.keys() & set(places)
    again = {named(name).index for _one, _other, name in state.unknown}
    tiles = tuple(index for index in again & state.lies.keys() if used.intersection(state.lies[index]))
    theirs = {at for index in tiles for at in state.lies[index]}
    return (
        tiles if used <= theirs and not any(tiers.covered(state.halves, state.lies[index]) for index in tiles) else ()
    )


def liftable(state: DominoZiggurat, event: Lift) -> tuple[int, int] | None:
    """The squares of the domino that is lifted; None if there is none, or if something rests on it.

    If the tile is not known to be on the ziggurat, it may be one of the unknown dominoes: the one laid last.
    """
    both = state.lies.get(event.tile.index)
    if both is not None:
        return None if tiers.covered(state.halves, both) and not laid_anew(state, tiers.above(both)) else both
    if event.tile.bit & SET:
        for one, other, _name in reversed(state.unknown):
            if not tiers.covered(state.halves, (one, other)):
                return one, other
    return None


# A hand that is too large shows that a placement was not written down.  If a tile of the hand is then lifted, it is
# that domino.  The slip was reported when the hand grew too large.
def unwritten(state: DominoZiggurat, event: Lift) -> bool:
    """Whether a lift only shows which placement was not written down."""
    return state.held > HAND and bool(event.tile.bit & state.hand)


def on_tiers(lies: Mapping[int, tuple[int, int]], unknown: Collection[tuple[int, int, str]]) -> tuple[int, ...]:
    """How many of these dominoes lie on each tier."""
    found = [level_of(one) for one, _other in lies.values()] + [level_of(one) for one, _other, _name in unknown]
    return tuple(map(found.count, tiers.TIERS))


# ── What may be played, and where ──────────────────────────────────────────────────────────────────────────


# One of the tiles of the open hand is played, or a lifted one is put back.
def playable(rules: Rules, hand: int, lifted: int) -> int:
    """The tiles that may be played from this hand; by a ruling, lifted ones go back before any other."""
    return lifted if lifted and rules.back_at_once else hand | lifted


# The first domino on a bare foundation needs no match; by a ruling, one that is put back needs none either.
def needs_match(rules: Rules, halves: Mapping[int, int], lifted: int) -> bool:
    """Whether a domino must match; `lifted` is its bit if it is put back, else 0."""
    return bool(halves) and (rules.rematch or not lifted)


def match(halves: Mapping[int, int], event: Place, wanted: int = tiers.EVERY) -> int:
    """The readings under which a half of a placement lies beside one that is equal, or may be.

    The search stops once it has the readings `wanted`.
    """
    around, used = tiers.sides(*tiers.squares(event), tiers.levels(halves)), halves.keys()
    first, one, other, matching = around.first, event.tile.first, event.tile.second, 0
    for near in filter(halves.__contains__, around.readings):
        if halves[near] in (one if near in first else other, tiers.UNKNOWN):
            squares_above, free_above, used_above = around.readings[near]
            matching |= free_above if used.isdisjoint(squares_above) else used_above
            if matching & wanted == wanted:
                break
    return matching


def matched(state: DominoZiggurat, event: Place) -> bool:
    """Whether a half of a placement lies beside an equal one under this game's reading."""
    # Under every reading but one, an equal half on the same tier is enough.
    if state.rules.adjacency != "top":
        around, half_at = tiers.SPOTS[event.at, event.dir, event.level].sides, state.halves.get
        if event.tile.first in map(half_at, around.near) or event.tile.second in map(half_at, around.far):
            return True
    reading = state.rules.reading
    return bool(match(state.halves, event, reading) & reading)


def legal(state: DominoZiggurat, event: Place) -> bool:
    """Whether a placement keeps every clause about where dominoes lie."""
    if not tiers.fits(state.halves, tiers.SPOTS[event.at, event.dir, event.level], event.tile):
        return False
    return not needs_match(state.rules, state.halves, event.tile.bit & state.lifted) or matched(state, event)
