"""Conclusions from a record about hidden hands, compared with every hand that fits it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from random import Random

import pytest

from ledger.rules.evidence import NOT_HELD, Evidence, Hand, Shared, prove

SEED = 2026
TILES = 9
Split = tuple[int, ...]
"""The tiles of each hand, as bits; the others are outside."""
Proofs = Mapping[tuple[int, int], Evidence]
"""What is proved, by the seq of an act and the seat of the hand."""


def splits(tiles: int, sizes: Sequence[int]) -> Iterator[Split]:
    """Every way to divide the tiles into hands of these sizes."""
    if not sizes:
        yield ()
        return
    bits = [1 << n for n in range(TILES) if tiles >> n & 1]
    for chosen in combinations(bits, sizes[0]):
        hand = sum(chosen)
        for rest in splits(tiles & ~hand, sizes[1:]):
            yield (hand, *rest)


def table(random: Random) -> tuple[Shared, list[Split]]:
    """Hands that are partly recorded and partly played, and every division of the tiles that fits them."""
    all_tiles = (1 << TILES) - 1
    sizes = [random.randint(1, 4) for _ in range(random.choice((1, 2, 3)))]
    while sum(sizes) > TILES:
        sizes.pop()
    tiles = [1 << n for n in random.sample(range(TILES), TILES)]
    actual = [sum(tiles.pop() for _ in range(size)) for size in sizes]
    outside = all_tiles & ~sum(actual)
    shown = sum(1 << n for n in range(TILES) if outside >> n & 1 and random.random() < 0.6)
    hands, seq = [], iter(range(1000))
    for seat, held in enumerate(actual):
        whole = random.random() < 0.3
        chance = random.choice((0, 0.3, 0.7))
        written = held if whole else sum(1 << n for n in range(TILES) if held >> n & 1 and random.random() < chance)
        hand = Hand(seat, 0, sizes[seat], written, whole, acts=[])
        order = [1 << n for n in range(TILES) if held >> n & 1]
        random.shuffle(order)
        for tile in order[: random.randint(0, len(order))]:
            if random.random() < 0.5:
                hand.ask(next(seq))
            # Sometimes a tile that is not in the hand.
            hand.play(next(seq), random.choice([1 << n for n in range(TILES)]) if random.random() < 0.1 else tile)
        hand.ask(next(seq))
        hands.append(hand)
    group = Shared(hands, all_tiles, shown, (outside & ~shown).bit_count())
    fitting = [
        split
        for split in splits(all_tiles & ~shown, sizes)
        if all(not hand.written & ~tiles for hand, tiles in zip(hands, split, strict=True))
    ]
    return group, fitting


@pytest.mark.parametrize("seed", range(40))
def test_what_is_proved_of_a_tile_and_of_a_hand_is_what_every_split_agrees_on(seed: int) -> None:
    random, answers = Random(SEED + seed), set[bool | None]()
    for _ in range(25):
        group, fitting = table(random)
        evidence = prove([group])
        check_tiles(group, fitting, evidence)
        if not any(_misnamed(group, hand) for hand in group.hands):
            # For a pass, played tiles count too.
            fitting = [s for s in fitting if all(not hand.played & ~s[hand.seat] for hand in group.hands)]
            answers |= set(check_passes(group, fitting, evidence, random))
    assert answers == {True, False, None}


def check_tiles(group: Shared, fitting: list[Split], evidence: Proofs) -> None:
    """A tile is proved held or not exactly if every split agrees; the first one that is open counts all such tiles."""
    for hand in group.hands:
        plays = [act for act in hand.acts if act.tile and not hand.plain]
        held = [agreed(bool(split[hand.seat] & act.tile) for split in fitting) for act in plays]
        expected = [NOT_HELD if answer is False else None for answer in held]
        if None in held:
            expected[held.index(None)] = Evidence(unproved=held.count(None))
        assert [evidence.get((act.seq, hand.seat)) for act in plays] == expected


def check_passes(group: Shared, fitting: list[Split], evidence: Proofs, random: Random) -> Iterator[bool | None]:
    """A hand is known to have one of some tiles, or none, exactly if every split says so; gives what they say."""
    for hand in group.hands if fitting else ():  # none fits if too many tiles were misnamed
        before = 0
        for act in hand.acts:
            if not act.plays and not hand.plain:
                fits = random.randrange(1 << TILES)
                answer = agreed(bool(split[hand.seat] & ~before & fits) for split in fitting)
                conclusion = evidence[act.seq, hand.seat]
                assert (conclusion.some(fits), conclusion.none(fits)) == (answer is True, answer is False)
                yield answer
            before |= act.tile


def agreed(answers: Iterable[bool]) -> bool | None:
    """The answer of all, or None where they differ."""
    different = set(answers)
    return different.pop() if len(different) == 1 else None


def _misnamed(group: Shared, hand: Hand) -> bool:
    """Whether a played tile cannot have been in the hand, or was also played from another hand."""
    elsewhere = group.outside
    for other in group.hands:
        if other is not hand:
            elsewhere |= other.stated | other.played
    return bool(hand.played & elsewhere) or (hand.closed and bool(hand.played & ~hand.stated)) or _twice(hand)


def _twice(hand: Hand) -> bool:
    return sum(act.plays for act in hand.acts) != hand.played.bit_count()


def test_an_unknown_tile_leaves_a_slot() -> None:
    hand = Hand(0, 0, 3, written=0b111, whole=True, acts=[])
    hand.play(1, 0)  # one of the three, misnamed
    hand.ask(2)
    hand.play(3, 0b001)
    hand.ask(4)
    evidence = prove([Shared([hand], 0b111)])
    assert evidence[2, 0] == Evidence(known=0b001, possible=0b110, slots=1)
    assert (evidence[2, 0].some(0b110), evidence[2, 0].some(0b010), evidence[2, 0].none(0b010)) == (True, False, False)
    assert evidence[4, 0].slots == 1


def test_a_record_that_does_not_add_up_accuses_nobody() -> None:
    one, other = Hand(0, 0, 3, acts=[]), Hand(1, 0, 3, written=0b111100, whole=True, acts=[])
    one.ask(1)
    evidence = prove([Shared([one, other], 0b111111)])[1, 0]
    assert (evidence.possible, evidence.slots) == (0b11, 3)
    assert not evidence.some(0b11)
