"""The piles of Zigzag: what is in the centre, who takes it, and what the table claims about it.

An unknown tile may cover the one below it or not, and be covered or not.  So there are several ways in which the piles
may lie, until a pile is certainly taken, or the table says who took how many.

Source: the clause page of Zigzag (`zigzag.cover`, `zigzag.take`); the rules' README, "One slip, one finding".
"""

from collections.abc import Sequence

from msgspec.structs import replace

from ledger.games.zigzag.scoring import added
from ledger.games.zigzag.state import UNKNOWN, Capture, Hand, Piles, Rules, covers, worths
from ledger.record.events import Take
from ledger.rules.shared_clauses import put
from ledger.rules.turns import Turn

MOST_WAYS = 64
"""The most ways in which the piles may lie that are followed."""


def capture(rules: Rules, hand: Hand, pile: Sequence[int]) -> Capture:
    """A pile as a capture."""
    values = worths(rules.largest, hand.rank, rules.by_rank)
    return Capture(len(pile), sum([values[tile] for tile in pile if tile != UNKNOWN]), pile.count(UNKNOWN))


def taken(
    piles: Piles,
    seat: int,
    pile: Capture,
    captures: tuple[Capture, ...],
    rest: tuple[int, ...] = (),
    by: int | None = None,
) -> Piles:
    """The piles after a seat has taken one.

    `captures` are what it took last; `rest` is the pile that is left, whose top tile was played `by` a seat.
    """
    return Piles(
        rest,
        put(piles.captures, seat, captures),
        added(piles.taken, seat, pile.tiles),
        added(piles.worth, seat, pile.points),
        added(piles.unknown, seat, pile.unknown) if pile.unknown else piles.unknown,
        seat,
        by,
    )


# A covering tile stays on the pile; otherwise the player of the tile before takes all before it, and it begins a pile.
def laid(rules: Rules, hand: Hand, piles: Piles, tile: int, seat: int) -> tuple[Piles, ...]:
    """The ways in which the piles may lie after a seat has played a tile, the likeliest first."""
    pile = piles.pile
    if not pile or piles.by is None:
        return (replace(piles, pile=(tile,), by=seat),)
    top = pile[-1]
    unknown = UNKNOWN in (top, tile)
    if not unknown and covers(rules.largest, hand.rank)[top] >> tile & 1:
        return (replace(piles, pile=(*pile, tile), by=seat),)
    took = capture(rules, hand, pile)
    alone = taken(piles, piles.by, took, (took,), (tile,), seat)
    return (alone, replace(piles, pile=(*pile, tile), by=seat)) if unknown else (alone,)


def to_pile(rules: Rules, hand: Hand, tile: int, seat: int, due: int | None) -> tuple[Sequence[Piles], int]:
    """The ways in which the piles may lie after a seat has played a tile, and the seats (bits) that took one now.

    A tile played out of order may have been written for the wrong player, instead of the one who was `due`.
    """
    if due is None and not hand.ways:
        likely_ways = laid(rules, hand, hand.piles, tile, seat)
        first = likely_ways[0]
        return likely_ways, 1 << first.taker if first.taken is not hand.piles.taken and first.taker is not None else 0
    ways: list[Piles] = []
    fresh = 0
    for piles in hand.all_piles:
        for way in laid(rules, hand, piles, tile, seat):
            ways.append(way)
            if due is not None:
                ways.append(replace(way, by=due))
            if way.taken is not piles.taken and way.taker is not None:
                fresh |= 1 << way.taker
    return ways, fresh


def last_taken(rules: Rules, hand: Hand, piles: Piles) -> Piles:
    """The piles after the last tile: nothing is left in the centre."""
    seat = piles.by
    if seat is None or not piles.pile:
        return piles
    took = capture(rules, hand, piles.pile)
    with_it = piles.captures[seat] if hand.fresh >> seat & 1 and piles.taker == seat else ()
    return taken(piles, seat, took, (*with_it, took))


def with_ways(hand: Hand, ways: Sequence[Piles]) -> Hand:
    """The hand, with these ways in which its piles may lie."""
    if len(ways) == 1 and not hand.ways:
        return replace(hand, piles=ways[0])
    first, *others = dict.fromkeys(ways)
    if hand.unclear or len(others) >= MOST_WAYS:
        return replace(hand, piles=first, ways=(), unclear=True)
    return replace(hand, piles=first, ways=tuple(others))


def last_to_player(rules: Rules, hand: Hand) -> Hand:
    """The hand after its last tile: its player takes it with the tiles that it covers."""
    ways: list[Piles] = []
    fresh = hand.fresh
    for piles in hand.all_piles:
        ways.append(last_taken(rules, hand, piles))
        fresh |= 0 if piles.by is None else 1 << piles.by
    return with_ways(replace(hand, phase="over", turn=Turn(), fresh=fresh, told=hand.told & ~fresh), ways)


# A take is true if it names what its player took last in the hand, even if it is written some plays later.  Two piles
# that came with one tile may be written together or one by one.
def is_true(rules: Rules, captures: Sequence[Capture], event: Take) -> bool:
    """Whether a take may be about one of these piles, or about all of them together."""
    tiles, points = event.tiles, event.points
    for pile in captures if len(captures) < 2 else (*captures, together(captures)):
        if tiles is not None and tiles != pile.tiles:
            continue
        if points is None or 0 <= points - pile.points <= pile.unknown * rules.largest:
            return True
    return False


def together(captures: Sequence[Capture]) -> Capture:
    """Several captures as one."""
    return Capture(
        sum([pile.tiles for pile in captures]),
        sum([pile.points for pile in captures]),
        sum([pile.unknown for pile in captures]),
    )


def agreeing(rules: Rules, hand: Hand, seat: int, event: Take) -> Hand:
    """The hand after a take, if a tile is unknown: only the ways that agree with the take are left."""
    ways = [piles for piles in hand.all_piles if is_true(rules, piles.captures[seat], event)]
    return with_ways(hand, [worth_told(piles, seat, event) for piles in ways]) if ways else hand


def worth_told(piles: Piles, seat: int, event: Take) -> Piles:
    """The piles after a take says the worth of a pile with an unknown tile."""
    if event.points is None or len(piles.captures[seat]) != 1 or not piles.captures[seat][0].unknown:
        return piles
    pile = piles.captures[seat][0]
    return replace(
        piles,
        captures=put(piles.captures, seat, (Capture(pile.tiles, event.points),)),
        worth=added(piles.worth, seat, event.points - pile.points),
        unknown=added(piles.unknown, seat, -pile.unknown),
    )
