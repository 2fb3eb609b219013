"""Which tiles a player held when, as far as the whole record proves it.

Hands are hidden at a table, so a record seldom knows them.  It knows what was written (deals, draws, asides, layouts,
the tile over), how large hands are, and what was played.  The question is always which hands fit all that: what holds
in every one of them is proved, and what holds in some of them stays open.

Which tiles nobody knows is a matter of counting.  Any of them may lie in any place that has room for one, so

- a hand holds an unknown tile for certain only where no other place has room, and
- a hand with room for more unknown tiles than there are of one kind holds some of another kind.

Source: the rules' README, "Proof from the whole record".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace


class Act(Struct, frozen=True, gc=False):
    """An act out of a hand, or a question about it: the tile played as a bit (0: none, or nobody knows which).

    `plays` tells whether a tile left the hand.
    """

    seq: int
    tile: int
    plays: bool


class Hand(Struct):
    """All that a record tells of one player's tiles in one hand; tiles are bits, as in `tiles.mask`.

    `size` is how many tiles the hand has by the rules.  `written` are those that the record puts in it, `whole` tells
    whether that is all of it, `left` are those set aside out of it at its end.  `acts` stand in their order.
    """

    seat: int
    number: int
    size: int
    written: int = 0
    whole: bool = False
    left: int = 0
    acts: list[Act] = []

    def play(self, seq: int, tile: int) -> None:
        """A tile was played out of the hand; 0 if nobody knows which."""
        self.acts.append(Act(seq, tile, plays=True))

    def ask(self, seq: int) -> None:
        """The event asks what the hand held then: its player passes, or play stops."""
        self.acts.append(Act(seq, 0, plays=False))

    @property
    def stated(self) -> int:
        """The tiles that were in the hand by what the record says of it, whatever was played."""
        return self.written | self.left

    @property
    def closed(self) -> bool:
        """Whether the record says all of the hand."""
        return self.whole or self.stated.bit_count() >= self.size

    @property
    def played(self) -> int:
        """The tiles that were played out of the hand."""
        bits = 0
        for act in self.acts:
            bits |= act.tile
        return bits

    @property
    def plain(self) -> bool:
        """Whether the hand's player only played tiles that the record puts in it, so that nothing is left to prove."""
        stated = self.stated
        for act in self.acts:  # noqa: SIM110  a generator for each hand takes half as long again
            if not act.tile & stated:
                return False
        return True


class Shared(Struct):
    """Hands that share one lot of `tiles`: the hands of a deal, or all hands of one colour.

    `outside` are the tiles that lie in none of these hands for certain (set aside, laid out, over), and `room` is how
    many tiles that nobody knows lie outside as well.
    """

    hands: Sequence[Hand]
    tiles: int
    outside: int = 0
    room: int = 0


class Evidence(Struct, frozen=True, gc=False):
    """What the whole record proves about a hand just before one act of its player.

    `held`: whether the tile played was in it (None: open, or nothing was played).  `known` are tiles certainly in it;
    besides them it holds `slots` tiles out of the `possible` ones.  `unproved` is, at the first of a player's acts that
    nothing proves, how many there are; 0 at all others.
    """

    held: bool | None
    known: int
    possible: int
    slots: int
    unproved: int = 0

    def some(self, tiles: int) -> bool:
        """Whether every hand that fits the record holds one of these tiles."""
        # A record whose hands do not add up has no hand that fits it, which proves nothing against anybody.
        return (
            bool(self.known & tiles) or (self.possible & ~tiles).bit_count() < self.slots <= self.possible.bit_count()
        )

    def none(self, tiles: int) -> bool:
        """Whether no hand that fits the record holds one of these tiles."""
        return not self.known & tiles and not (self.slots and self.possible & tiles)


def prove(groups: Iterable[Shared]) -> dict[tuple[int, int], Evidence]:
    """The evidence for every act of these hands, by (seq, seat); a hand that is `plain` needs none."""
    evidence: dict[tuple[int, int], Evidence] = {}
    open_acts: dict[int, list[int]] = {}
    for group in groups:
        doubtful = [hand for hand in group.hands if not hand.plain]
        if not doubtful:
            continue
        by_statement = _Split(group, [hand.stated for hand in group.hands])
        # A tile that was played was in its player's hand, unless the record puts it elsewhere.
        by_play = _Split(group, [_shown(group, hand) for hand in group.hands])
        for hand in doubtful:
            for act, found in _of_hand(hand, by_statement, by_play):
                evidence[act.seq, hand.seat] = found
                if act.tile and found.held is None:
                    open_acts.setdefault(hand.seat, []).append(act.seq)
    for seat, seqs in open_acts.items():
        first = min(seqs)
        evidence[first, seat] = replace(evidence[first, seat], unproved=len(seqs))
    return evidence


def _shown(group: Shared, hand: Hand) -> int:
    """The tiles that were in a hand by what the record says or by being played."""
    if hand.closed:
        return hand.stated
    elsewhere = group.outside
    for other in group.hands:
        if other is not hand:
            elsewhere |= other.stated
    return hand.stated | (hand.played & group.tiles & ~elsewhere)


class _Split:
    """How the tiles of a group are split, given the tiles `shown` to be in each hand."""

    def __init__(self, group: Shared, shown: Sequence[int]) -> None:
        self.shown = {id(hand): tiles & group.tiles for hand, tiles in zip(group.hands, shown, strict=True)}
        self.slots = {
            id(hand): 0 if hand.closed else max(0, hand.size - tiles.bit_count())
            for hand, tiles in zip(group.hands, shown, strict=True)
        }
        taken = group.outside
        for tiles in shown:
            taken |= tiles
        self.unknown = group.tiles & ~taken
        self.room = sum(self.slots.values()) + group.room

    def certain(self, hand: Hand) -> int:
        """The tiles that are in the hand in every split: with no room elsewhere, all that are unknown too."""
        alone = self.room == self.slots[id(hand)] == self.unknown.bit_count()
        return self.shown[id(hand)] | (self.unknown if alone else 0)

    def full(self, hand: Hand) -> bool:
        """Whether the certain tiles are all of the hand."""
        return not self.slots[id(hand)] or self.certain(hand).bit_count() >= hand.size


def _of_hand(hand: Hand, by_statement: _Split, by_play: _Split) -> Iterator[tuple[Act, Evidence]]:
    dealt, closed = by_statement.certain(hand), by_statement.full(hand)
    certain, slots = by_play.certain(hand), 0 if by_play.full(hand) else by_play.slots[id(hand)]
    size = max(hand.stated.bit_count(), 0 if hand.whole else hand.size)
    before = hand.played
    plays = sum(act.plays for act in hand.acts)
    later = hand.left
    # Backwards, so that what is played later is known when its turn comes.
    for act in reversed(hand.acts):
        before &= ~act.tile
        plays -= act.plays
        known, free = certain & ~before, by_play.unknown & ~certain
        holds = size - plays
        if known.bit_count() > holds:
            # A tile that nobody knows was played out of these: only what shows up later is certainly still there.
            known, free = known & later, known & ~later
        slots = max(0, holds - known.bit_count()) if free else 0
        yield act, Evidence(_held(act, dealt, closed, by_statement.unknown), known, free if slots else 0, slots)
        later |= act.tile


def _held(act: Act, dealt: int, closed: bool, unknown: int) -> bool | None:
    """Whether the tile of an act was in the hand, by all that was dealt, drawn, laid out and set aside."""
    if not act.tile:
        return None
    if act.tile & dealt:
        return True
    return None if act.tile & unknown and not closed else False
