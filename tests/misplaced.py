"""Slips to put into records: acts that were forgotten, or recorded with another place or tile."""

from __future__ import annotations

from msgspec.structs import replace

from ledger.record.events import (
    Bid,
    Event,
    Lift,
    Place,
    Stack,
)
from ledger.record.tiles import Tile
from slips import FOREIGN, PLAYS, Events, Table, left_alone, put, tops


def bearing_nothing(table: Table) -> list[int]:
    """The places of dominoes that no later act covers or needs."""
    if table.game.name == "ziggurat":
        top = max(event.level for event in table.events if isinstance(event, Place))
        return [place for place, event in enumerate(table.events) if isinstance(event, Place) and event.level == top]
    return [
        place
        for place, step in enumerate(table.steps)
        if isinstance(step.event, Place)
        and not step.event.tile.bit & step.before.lifted
        and not any(_needs(later, step.event) for later in table.events[place + 1 :])
    ]


def _needs(later: Event, act: Place) -> bool:
    """Whether a later act of Domino Ziggurat moves a domino, covers it, or may match it."""
    if isinstance(later, Lift):
        return later.tile.index == act.tile.index
    if not isinstance(later, Place):
        return False
    equal = {later.tile.first, later.tile.second} & {act.tile.first, act.tile.second}
    return bool(_columns(later, 0) & _columns(act, 1 if equal else 0))


def _columns(act: Place, around: int) -> set[tuple[int, int]]:
    """The squares of the foundation below a domino, and those up to `around` away from them."""
    (x, y), (dx, dy) = act.at, {"e": (1, 0), "s": (0, 1), "w": (-1, 0), "n": (0, -1)}[act.dir]
    reach = range(-around, around + 1)
    return {(x + across + i * dx, y + down + i * dy) for i in (0, 1) for across in reach for down in reach
            if abs(across) + abs(down) <= around}  # fmt: skip


def act_forgotten(table: Table) -> Events | None:
    """An act is not recorded."""
    if table.game.name in ("ziggurat", "domino-ziggurat"):
        places = bearing_nothing(table)[:-1]
    else:
        places = [
            place
            for place in table.amid(*PLAYS)
            if not isinstance(table.events[place], Stack) or left_alone(table, place, [table.events[place].stack])
        ]
    place = table.choose(places)
    return None if place is None else put(table.events, place)


def tile_twice(table: Table) -> Events | None:
    """An act names a tile that is already on the table."""
    places: dict[int, Tile] = {}
    lying: dict[tuple[str, int], Tile] = {}
    for place, event in enumerate(table.events):
        owner = event.player if isinstance(event, Stack) else ""
        if isinstance(event, Bid):
            lying = {}
        elif isinstance(event, Lift):
            lying.pop(("", event.tile.index), None)
        elif isinstance(event, PLAYS):
            own_tiles = [tile for (whose, _index), tile in lying.items() if whose == owner]
            if own_tiles:
                places[place] = table.random.choice(own_tiles)
            lying[owner, event.tile.index] = event.tile
    target = table.choose(sorted(places))
    return None if target is None else put(table.events, target, replace(table.events[target], tile=places[target]))


def not_in_set(table: Table) -> Events | None:
    """An act names a tile that the set does not have."""
    place = table.choose([place for place, event in enumerate(table.events) if isinstance(event, PLAYS)])
    return None if place is None else put(table.events, place, replace(table.events[place], tile=FOREIGN))


def tiles_exchanged(table: Table) -> Events | None:
    """The tiles of two players' acts are exchanged."""
    place = table.choose(table.amid(*PLAYS)[:-1])
    if place is None:
        return None
    one, other = table.events[place], table.events[place + 1]
    return put(table.events, place, replace(one, tile=other.tile), replace(other, tile=one.tile), instead=2)


def wrong_place(table: Table) -> Events | None:
    """A domino is recorded outside the foundation."""
    place = table.choose(bearing_nothing(table)[:-1])
    return None if place is None else put(table.events, place, replace(table.events[place], at=(7, 7)))


def wrong_level(table: Table) -> Events | None:
    """A domino is recorded one level too high."""
    place = table.choose(bearing_nothing(table)[1:-1])
    if place is None:
        return None
    return put(table.events, place, replace(table.events[place], level=table.events[place].level + 1))


def wrong_stack(table: Table) -> Events | None:
    """A tile is recorded on a stack where it does not fit; both stacks are covered again."""
    slips = [
        (place, stack)
        for place, event in enumerate(table.events)
        if isinstance(event, Stack) and not event.tile.double
        for stack, top in tops(table, place).items()
        if top.pips > event.tile.pips and stack != event.stack and left_alone(table, place, [stack, event.stack])
    ]
    if not slips:
        return None
    place, stack = table.random.choice(slips)
    return put(table.events, place, replace(table.events[place], stack=stack))
