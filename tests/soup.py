"""Random events: anything that the reader accepts, legal only by chance."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ledger.record import events as e
from ledger.record.events import AnyEvent, Event
from ledger.record.tiles import TILES, Tile

ALL = tuple(Tile)
VOID = e.Void("begun by mistake")


def _tile(random: Random) -> Tile:
    return random.choice(TILES[:28] if random.random() < 0.9 else ALL)


def _tiles(random: Random, *sizes: int) -> tuple[Tile, ...]:
    return tuple(_tile(random) for _ in range(random.choice(sizes)))


def _square(random: Random) -> tuple[int, int]:
    limit = 6 if random.random() < 0.95 else 1000
    return random.randint(-limit // 2, limit), random.randint(-limit // 2, limit)


def event(kind: type[Event], players: Sequence[str], random: Random) -> AnyEvent:
    """One event of that type."""
    who, tile = random.choice(players), _tile(random)
    group = tuple(player for player in players if random.random() < 0.6)
    points = {player: random.randint(-2, 60) for player in group}
    rows: dict[type[Event], AnyEvent] = {
        e.Deal: e.Deal(who, _tiles(random, 0, 4, 6, 9, 15, 18), random.random() < 0.5),
        e.Aside: e.Aside(_tiles(random, 0, 1, 2), random.choice((None, who))),
        e.Layout: e.Layout(who, _tiles(random, 0, 6, 6, 7)),
        e.Draw: e.Draw(who, tile),
        e.Bid: e.Bid(who, random.randint(-5, 50)),
        e.Pass: e.Pass(who),
        e.Rank: e.Rank(who, random.randint(-1, 10), random.choice(("regular", "reverse"))),
        e.Over: e.Over(who, tile),
        e.Place: e.Place(
            who, tile, _square(random), random.choice(("e", "s", "w", "n")),
            random.choice((1, 1, 1, 2, 3, 4, 1000)), random.choice((None, 0, 1, 2)),
        ),
        e.Lift: e.Lift(who, tile),
        e.Stack: e.Stack(who, tile, random.randint(-1, 15)),
        e.Play: e.Play(who, tile, random.choice((None, None, "left", "right"))),
        e.Take: e.Take(who, *random.choice(((None, 3), (1, None), (5, 3)))),
        e.Score: e.Score(random.choice(("hand", "game")), points),
        e.Cheats: e.Cheats(random.randint(-1, 9)),
        e.Result: e.Result(group, random.choice((None, "Master Architect"))),
        e.Note: e.Note("tea", random.choice((None, 1))),
        e.Close: e.Close(random.choice(("finished", "abandoned"))),
        e.Confirm: e.Confirm(who, "9f2c41d0"),
    }  # fmt: skip
    return rows[kind]


def correction(length: int, kinds: Sequence[type[Event]], players: Sequence[str], random: Random) -> AnyEvent:
    """A correction of an event, which may not exist, or a void."""
    seq = random.randint(1, length + 1)
    inner = event(random.choice(kinds), players, random)
    return random.choice(
        (e.Retract(seq, "a slip"), e.Amend(seq, inner, "a slip"), e.Insert(seq, inner, "forgotten"), VOID)
    )  # type: ignore[arg-type]
