"""Who held which tile when: yes, no or unknown, proved from the whole record.

Hands are hidden at a table, so a record seldom knows them.  It knows what was written (deals, draws, the tile
over) and what happened later: a tile played later in a hand was in it all along.  From that this module proves
what can be proved and leaves the rest open; it never invents a hand.

Source: the rules' README, "Proof from the whole record".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace


class Hand(Struct):
    """All that a record tells of one player's tiles in one hand; tiles are bits, as in `tiles.mask`.

    `written` are those that the record puts there, `whole` whether that is the entire hand, `left` those set aside
    from it at its end.  `size` is how many it holds by the rules.  `acts` are the player's acts in it, in order:
    (seq, the bit of the tile played or 0).  `foreign` are tiles that were certainly elsewhere; `gone` are tiles
    that the record shows elsewhere, but only by somebody's play.
    """

    seat: int
    number: int
    size: int
    written: int = 0
    whole: bool = False
    left: int = 0
    foreign: int = 0
    gone: int = 0
    acts: list[tuple[int, int]] = []

    @property
    def played(self) -> int:
        """The tiles played out of this hand."""
        bits = 0
        for _, bit in self.acts:
            bits |= bit
        return bits

    @property
    def plain(self) -> bool:
        """Whether each act was to play a tile that is written there: then nothing about it is to be proved."""
        certain = self.written | self.left
        for _, bit in self.acts:  # noqa: SIM110  a generator for each hand would take half as long again
            if not bit & certain:
                return False
        return True


class Proof(Struct, frozen=True, gc=False):
    """What the whole record proves about a hand just before one act of its player.

    `held`: whether the tile played was in it (None: unknown, or nothing was played).  `known` are tiles certainly in
    it, `slots` how many more there are, each one of `possible`.  `unproved` is, at the first of a player's acts that
    nothing proves, how many there are; 0 at all others.
    """

    held: bool | None
    known: int
    possible: int
    slots: int
    unproved: int = 0


def prove(hands: Iterable[Hand], full: int) -> dict[int, Proof]:
    """A proof for every act of these hands but the plain ones, by seq.  `full` is the set that a hand is dealt from."""
    return {seq: proof for (seq, _seat), proof in prove_all(hands, full).items()}


def prove_all(hands: Iterable[Hand], full: int) -> dict[tuple[int, int], Proof]:
    """The same by (seq, seat), for games in which one event asks about several hands."""
    proofs: dict[tuple[int, int], Proof] = {}
    unproved: dict[int, list[int]] = {}
    for hand in hands:
        if hand.plain:
            continue
        for seq, bit, proof in _prove(hand, full):
            proofs[seq, hand.seat] = proof
            if bit and proof.held is None:
                unproved.setdefault(hand.seat, []).append(seq)
    for seat, seqs in unproved.items():
        first = min(seqs)
        proofs[first, seat] = replace(proofs[first, seat], unproved=len(seqs))
    return proofs


def _prove(hand: Hand, full: int) -> Iterator[tuple[int, int, Proof]]:
    certain = hand.written | hand.left
    size = certain.bit_count() if hand.whole else hand.size
    closed = hand.whole or certain.bit_count() >= size
    before = hand.played
    later = 0
    # Backwards, so that what is played later is known when its turn comes.
    for seq, bit in reversed(hand.acts):
        before &= ~bit
        # Where the whole hand is written, a tile that is played although it is not there proves nothing about it.
        known = (certain if closed else certain | (later & ~hand.foreign)) & ~before
        slots = 0 if closed else max(0, size - before.bit_count() - known.bit_count())
        possible = full & ~(hand.foreign | hand.gone | before | known) if slots else 0
        yield seq, bit, Proof(_held(hand, certain, closed, bit), known, possible, slots)
        later |= bit


def _held(hand: Hand, certain: int, closed: bool, bit: int) -> bool | None:
    if not bit:
        return None
    if bit & certain:
        return True
    return False if closed or bit & hand.foreign else None
