"""Proves from the whole record which tiles a player held at each act.

Hands are hidden, so a record seldom has them.  It has what was written down (deals, draws, asides, layouts, the tile
over) and what was played, and the rules say how large hands are.  Many hands may fit all that.  What holds for every
one of them is proved; what holds for only some of them stays open.

Unknown tiles are a matter of counting.  Any of them may be in any place with room for one, so

- a hand certainly holds an unknown tile only if no other place has room, and
- a hand with room for more unknown tiles than there are of one kind holds some of another kind.

Source: the rules' README, "Proof from the whole record".
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from ledger.record.tiles import union


class Act(Struct, frozen=True, gc=False):
    """An act from a hand, or a question about it: the tile played, as a bit (0: none, or an unknown one).

    `plays`: a tile left the hand.
    """

    seq: int
    tile: int
    plays: bool


class Hand(Struct):
    """All that a record says about one player's tiles in one hand; tiles are bits, as in `tiles.mask`.

    `size` is the number of tiles that the hand has by the rules.  `written` are those that the record puts in it;
    `whole`: they are all of it.  `left` are the tiles set aside from it at its end.  `acts` are in order.
    """

    seat: int
    number: int
    size: int
    written: int = 0
    whole: bool = False
    left: int = 0
    acts: list[Act] = []

    def play(self, seq: int, tile: int) -> None:
        """Adds a tile that was played from the hand; 0 if it is unknown."""
        self.acts.append(Act(seq, tile, plays=True))

    def ask(self, seq: int) -> None:
        """Adds an event that asks what the hand held then: its player passes, or play stops."""
        self.acts.append(Act(seq, 0, plays=False))

    @property
    def stated(self) -> int:
        """The tiles that the record puts in the hand, whatever was played."""
        return self.written | self.left

    @property
    def closed(self) -> bool:
        """Whether the record has the whole hand."""
        return self.whole or self.stated.bit_count() >= self.size

    @property
    def played(self) -> int:
        """The tiles that were played from the hand."""
        return union([act.tile for act in self.acts])

    @property
    def plain(self) -> bool:
        """Whether the hand's player only played tiles that the record puts in it, so that nothing is left to prove."""
        stated = self.stated
        for act in self.acts:  # noqa: SIM110  a generator for each hand takes half as long again
            if not act.tile & stated:
                return False
        return True


class Shared(Struct):
    """Hands that share the same `tiles`: the hands of a deal, or all hands of one colour.

    `outside` are the tiles that are certainly in none of these hands (set aside, laid out, over), and `room` is the
    number of unknown tiles outside.
    """

    hands: Sequence[Hand]
    tiles: int
    outside: int = 0
    room: int = 0


class Evidence(Struct, frozen=True, gc=False):
    """What the whole record proves about the hand behind one act of its player.

    About a play: `held`, whether the tile was in the hand (None: that is open); `unproved` is the number of the
    player's plays that are open, at the first of them.  About a question: `known` are the tiles that were certainly in
    the hand then; it also held `slots` of the `possible` tiles.
    """

    held: bool | None = None
    known: int = 0
    possible: int = 0
    slots: int = 0
    unproved: int = 0

    def some(self, tiles: int) -> bool:
        """Whether every hand that fits the record holds one of these tiles."""
        # If the hands of a record do not add up, no hand fits it, and that proves nothing against anybody.
        return (
            bool(self.known & tiles) or (self.possible & ~tiles).bit_count() < self.slots <= self.possible.bit_count()
        )

    def none(self, tiles: int) -> bool:
        """Whether no hand that fits the record holds one of these tiles."""
        return not self.known & tiles and not (self.slots and self.possible & tiles)


NOT_HELD = Evidence(held=False)
"""About a play of a tile that was not in the hand."""


class Way(Struct, frozen=True, gc=False):
    """One way in which a game may have gone: the state before an event and after it, and the evidence there."""

    before: Any
    after: Any
    evidence: Any


Ways = tuple[Way, ...]
"""Every way that the whole record leaves open, for an event at which they differ from each other or from the state."""


def prove(groups: Iterable[Shared]) -> dict[tuple[int, int], Evidence]:
    """What is proved about these hands, by (seq, seat).

    There is an entry for each play of a tile that was not held, for the first of a player's plays that are open, and
    for each question about a hand that is not `plain`.
    """
    evidence: dict[tuple[int, int], Evidence] = {}
    open_plays: dict[int, list[int]] = {}
    for group in groups:
        doubtful = [hand for hand in group.hands if not hand.plain]
        if not doubtful:
            continue
        stated = [hand.stated for hand in group.hands]
        closed = [hand.whole or tiles.bit_count() >= hand.size for hand, tiles in zip(group.hands, stated, strict=True)]
        split = _Split(group, stated, closed)
        for hand in doubtful:
            dealt, full = split.certain(hand), split.full(hand)
            for act in hand.acts:
                if not act.tile or act.tile & dealt:
                    continue
                if act.tile & split.unknown and not full:
                    open_plays.setdefault(hand.seat, []).append(act.seq)
                else:
                    evidence[act.seq, hand.seat] = NOT_HELD
        if any(not act.plays for hand in doubtful for act in hand.acts):
            # A tile that was played was in that player's hand, unless the record puts it elsewhere.
            split = _Split(group, _shown(group, stated, closed), closed)
            for hand in doubtful:
                for seq, answer in _answers(hand, split):
                    evidence[seq, hand.seat] = answer
    for seat, seqs in open_plays.items():
        # An inserted act has a greater seq than those after it.
        evidence[seqs[0], seat] = Evidence(unproved=len(seqs))
    return evidence


def _shown(group: Shared, stated: Sequence[int], closed: Sequence[bool]) -> list[int]:
    """By hand, the tiles that were in it because the record says so or because they were played from it.

    `stated` are the tiles that the record puts in each hand; a hand that is `closed` has no others.
    """
    shown = list(stated)
    for place, hand in enumerate(group.hands):
        if not closed[place]:
            elsewhere = union((*stated[:place], *stated[place + 1 :]))
            shown[place] |= hand.played & group.tiles & ~(group.outside | elsewhere)
    return shown


class _Split:
    """How the tiles of a group are split, given the tiles `shown` to be in each hand, and which hands are `closed`."""

    def __init__(self, group: Shared, shown: Sequence[int], closed: Sequence[bool]) -> None:
        self.shown: dict[int, int] = {}
        self.slots: dict[int, int] = {}
        for hand, tiles, is_closed in zip(group.hands, shown, closed, strict=True):
            self.shown[id(hand)] = tiles & group.tiles
            self.slots[id(hand)] = 0 if is_closed else max(0, hand.size - tiles.bit_count())
        self.unknown = group.tiles & ~(group.outside | union(shown))
        self.room = sum(self.slots.values()) + group.room

    def certain(self, hand: Hand) -> int:
        """The tiles that are in the hand in every split, with all unknown tiles if no other place has room."""
        alone = self.room == self.slots[id(hand)] == self.unknown.bit_count()
        return self.shown[id(hand)] | (self.unknown if alone else 0)

    def full(self, hand: Hand) -> bool:
        """Whether the certain tiles are the whole hand."""
        return not self.slots[id(hand)] or self.certain(hand).bit_count() >= hand.size


def _answers(hand: Hand, split: _Split) -> Iterator[tuple[int, Evidence]]:
    """What the hand held at each question about it, by seq; the last one first."""
    certain = split.certain(hand)
    size = max(hand.stated.bit_count(), 0 if hand.whole else hand.size)
    plays = sum(act.plays for act in hand.acts)
    unknown = [act.tile for act in hand.acts if act.plays].count(0)
    before, later = hand.played, hand.left
    # It goes backwards, so that at each question the later plays are known.
    for act in reversed(hand.acts):
        if act.plays:
            before &= ~act.tile
            later |= act.tile
            plays -= 1
            unknown -= not act.tile
            continue
        holds, known, free = size - plays, certain & ~before, split.unknown & ~certain
        if unknown or known.bit_count() > holds:
            # An unknown tile was played, perhaps one of these: only those that show up later are certainly still there.
            all_known = known.bit_count() > holds
            known, free = known & later, known & ~later | (0 if all_known else free)
        slots = max(0, holds - known.bit_count()) if free else 0
        yield act.seq, Evidence(known=known, possible=free if slots else 0, slots=slots)
