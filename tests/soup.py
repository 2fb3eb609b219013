"""Random events: anything that the reader accepts, legal only by chance."""

from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec import inspect

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


def made_up(kind: type[Event], players: Sequence[str], random: Random) -> AnyEvent:
    """An event of any type, from the types of its fields: so a new one needs no row below."""
    struct = inspect.type_info(kind)
    assert isinstance(struct, inspect.StructType)
    names = [field for field in struct.fields if field.name not in ("when", "by")]
    values = {
        field.name: random.choice(players) if field.name == "player" else _value(field.type, players, random)
        for field in names
    }
    return kind(**values)  # type: ignore[return-value]  # one of those types


def _value(of: inspect.Type, players: Sequence[str], random: Random) -> Any:
    """A value of a field of that type."""
    match of:
        case inspect.UnionType():
            return _value(random.choice(of.types), players, random)
        case inspect.LiteralType():
            return random.choice(of.values)
        case inspect.BoolType():
            return random.random() < 0.5
        case inspect.IntType():
            return random.randint(max(-5, of.ge or -5), 50)
        case inspect.EnumType():
            return _tile(random)
        case inspect.VarTupleType():
            return tuple(_value(of.item_type, players, random) for _ in range(random.choice((0, 1, 6))))
        case inspect.TupleType():
            return tuple(_value(item, players, random) for item in of.item_types)
        case inspect.DictType():
            return {player: _value(of.value_type, players, random) for player in players}
        case inspect.StrType():
            return random.choice(players)
    assert isinstance(of, inspect.NoneType), of
    return None


def event(kind: type[Event], players: Sequence[str], random: Random) -> AnyEvent:
    """An event of that type, such as a game could have."""
    who, tile = random.choice(players), _tile(random)
    group = tuple(player for player in players if random.random() < 0.6)
    points = {player: random.randint(-2, 60) for player in group}
    rows: dict[type[Event], AnyEvent] = {
        e.Deal: e.Deal(who, _tiles(random, 0, 4, 6, 9, 15, 18), random.random() < 0.5),
        e.Aside: e.Aside(_tiles(random, 0, 1, 2), random.choice((None, who))),
        e.Layout: e.Layout(who, _tiles(random, 0, 6, 6, 7)),
        e.Bid: e.Bid(who, random.randint(-5, 50)),
        e.Rank: e.Rank(who, random.randint(-1, 10), random.choice(("regular", "reverse"))),
        e.Place: e.Place(
            who, tile, _square(random), random.choice(("e", "s", "w", "n")),
            random.choice((1, 1, 1, 2, 3, 4, 1000)), random.choice((None, 0, 1, 2)),
        ),
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
    return rows.get(kind) or made_up(kind, players, random)


def correction(length: int, kinds: Sequence[type[Event]], players: Sequence[str], random: Random) -> AnyEvent:
    """A correction of an event, which may not exist, or a void."""
    seq = random.randint(1, length + 1)
    inner = event(random.choice(kinds), players, random)
    return random.choice(
        (e.Retract(seq, "a slip"), e.Amend(seq, inner, "a slip"), e.Insert(seq, inner, "forgotten"), VOID)
    )  # type: ignore[arg-type]
