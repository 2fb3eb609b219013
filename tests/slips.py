"""Slips to put into records: mistakes of the players or the recorder, each in a finished game without any."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from ledger.audit.replay import advance, steps
from ledger.record.events import (
    CLAIMS,
    Aside,
    Cheats,
    Deal,
    Draw,
    Event,
    Layout,
    Lift,
    Pass,
    Place,
    Play,
    Result,
    Score,
    Stack,
    Take,
    actor,
)
from ledger.record.record import effective
from ledger.record.tiles import Tile, named
from ledger.rules.game import Game, Step

Events = list[Any]
PLAYS = (Place, Stack, Play)
ACTS = (*PLAYS, Lift)
FOREIGN = named("12-12")
"""A tile outside all sets used here."""


class Table(NamedTuple):
    """A game as it was played: its events, with a step for each."""

    game: Game[Any]
    events: Events
    random: Random

    @property
    def steps(self) -> Sequence[Step]:
        """A step for each event, at its own place."""
        opening = self.game.opening(self.events[0])
        return list(steps(self.game, opening, effective(self.events).entries))

    def choose(self, places: Sequence[int]) -> int | None:
        """One of these places, or None if there is none."""
        return self.random.choice(places) if places else None

    def amid(self, *kinds: type[Event]) -> list[int]:
        """The places of events of these types whose neighbours are of these types too."""
        run = [isinstance(event, kinds) for event in self.events]
        return [place for place in range(1, len(run) - 1) if all(run[place - 1 : place + 2])]


Plant = Callable[[Table], Events | None]
"""The events of a table with one slip in them; None if this game has no place for it."""


def put(events: Events, place: int, *new: Any, instead: int = 1) -> Events:
    """The events with `new` ones at this place, which replace `instead` of them."""
    return [*events[:place], *new, *events[place + instead :]]


def quiet(events: Events) -> Events:
    """The events without any claim."""
    acts = [event for event in events if not isinstance(event, CLAIMS)]
    return [replace(event, points=None) if isinstance(event, Place) else event for event in acts]


def hidden(events: Events) -> Events:
    """The events of a table that did not record the hands."""
    return [event for event in events if not isinstance(event, Deal)]


def hand_after(table: Table, place: int) -> Events:
    """The later events of the same hand of Build Up."""
    rest = table.events[place + 1 :]
    end = next((number for number, event in enumerate(rest) if isinstance(event, Score)), len(rest))
    return rest[:end]


def tops(table: Table, place: int) -> dict[int, Tile]:
    """The top tiles of the stacks of Build Up before an event, by the number of the stack."""
    lying: dict[int, Tile] = {}
    for event in table.events[:place]:
        if isinstance(event, Layout):
            lying |= {len(lying) + number: tile for number, tile in enumerate(event.tiles, 1)}
        elif isinstance(event, Stack):
            lying[event.stack] = event.tile
    return lying


def left_alone(table: Table, place: int, stacks: Sequence[int]) -> bool:
    """Whether the rest of the hand stays legal without a tile on these stacks: nobody passes, and a tile covers each.

    That tile is no double, and neither is the tile on top, which has no more pips.
    """
    rest, lying = hand_after(table, place), tops(table, place)
    if any(isinstance(event, Pass) for event in rest):
        return False
    for stack in stacks:
        cover = next((event.tile for event in rest if isinstance(event, Stack) and event.stack == stack), None)
        if cover is None or cover.double or lying[stack].double or lying[stack].pips > cover.pips:
            return False
    return True


# ── Claims ─────────────────────────────────────────────────────────────────────────────────────────────────


def wrong(claim: Any) -> Any:
    """A claim that is off by one, or that names no winner."""
    if isinstance(claim, Score):
        first = next(iter(claim.points))
        return replace(claim, points={**claim.points, first: claim.points[first] + 1})
    if isinstance(claim, Take):
        return replace(claim, tiles=(claim.tiles or 0) + 1)
    if isinstance(claim, Cheats):
        return replace(claim, count=claim.count + 1)
    if isinstance(claim, Place):
        return replace(claim, points=(claim.points or 0) + 1)
    return Result(())


def wrong_claim(table: Table) -> Events | None:
    """One number or name is wrong."""
    claims = [
        place
        for place, event in enumerate(table.events)
        if isinstance(event, CLAIMS) or (isinstance(event, Place) and event.points is not None)
    ]
    place = table.choose(claims)
    return None if place is None else put(table.events, place, wrong(table.events[place]))


def total_carried(table: Table) -> Events | None:
    """From one running total on, one player's totals are too high by the same number."""
    events: Events = []
    for step in table.steps:
        events.append(step.event)
        if isinstance(step.event, Place):
            scores = table.game.standing(step.after).scores
            events.append(Score("game", dict(zip(step.after.rules.players, scores, strict=True))))
    totals = [place for place, event in enumerate(events) if isinstance(event, Score) and event.scope == "game"]
    first, player = table.choose(totals[:-1]), table.random.choice(table.events[0].players).id
    if first is None:
        return None
    for place in totals[totals.index(first) :]:
        points = events[place].points
        events[place] = replace(events[place], points={**points, player: points[player] + 5})
    return events


# ── Turns ──────────────────────────────────────────────────────────────────────────────────────────────────


def act_twice(table: Table) -> Events | None:
    """The same act is recorded twice in a row."""
    place = table.choose([place for place, event in enumerate(table.events) if isinstance(event, ACTS)][:-1])
    return None if place is None else put(table.events, place, *[table.events[place]] * 2)


def extra_pass(table: Table) -> Events | None:
    """The record has a pass by a player who in fact played."""
    place = table.choose(table.amid(*PLAYS))
    return None if place is None else put(table.events, place, Pass(table.events[place].player), instead=0)


def wrong_player(table: Table) -> Events | None:
    """An act is recorded for another player, who never lays that tile."""
    slips = []
    for place in table.amid(*PLAYS):
        act = table.events[place]
        for player in after(table, act.player):
            if not isinstance(act, Stack) or never_lays(table, place, player):
                slips.append((place, player))  # noqa: PERF401  the conditions would not be read in a comprehension
    if not slips:
        return None
    place, player = table.random.choice(slips)
    return put(table.events, place, replace(table.events[place], player=player))


def never_lays(table: Table, place: int, player: str) -> bool:
    """Whether a player of Build Up never laid this tile, does not have it, and keeps another tile of this hand."""
    act, gone = table.events[place], set[int]()
    for number, event in enumerate(table.events):
        if getattr(event, "player", None) == player and (number > place or isinstance(event, Stack | Layout)):
            tiles = event.tiles if isinstance(event, Layout | Deal | Aside) else [getattr(event, "tile", None)]
            gone |= {tile.index for tile in tiles if tile}
    keeps = any(isinstance(event, Aside) and event.player == player for event in hand_after(table, place))
    return keeps and act.tile.index not in gone and left_alone(table, place, [act.stack])


def independent(one: Any, other: Any) -> bool:
    """Whether neither act affects the other, in either order."""
    if isinstance(one, Place):
        return one.level == other.level > 1
    return not isinstance(one, Stack) or one.stack != other.stack


def acts_swapped(table: Table) -> Events | None:
    """Two acts are exchanged."""
    events, places = table.events, []
    for place in set(table.amid(*PLAYS)) & {place - 1 for place in table.amid(*PLAYS)}:
        around = events[place - 1 : place + 3]
        levels = {act.level for act in around if isinstance(act, Place)}
        if len(levels) < 2 and actor(around[1]) != actor(around[2]) and independent(*around[1:3]):
            places.append(place)
    swap = table.choose(sorted(places))
    return None if swap is None else put(events, swap, events[swap + 1], events[swap], instead=2)


def draws_swapped(table: Table) -> Events | None:
    """A draw and a domino from the hand are exchanged."""
    place = table.choose([
        place
        for place, event in enumerate(table.events[4:-1], 4)
        if isinstance(event, Draw)
        and isinstance(table.events[place + 1], Draw | Place)
        and table.events[place + 1].tile is not event.tile
    ])  # fmt: skip
    return None if place is None else put(table.events, place, *table.events[place + 1 : place - 1 : -1], instead=2)


# ── Hands, and the end ─────────────────────────────────────────────────────────────────────────────────────


def deal_twice(table: Table) -> Events | None:
    """A deal is recorded twice."""
    place = table.choose([place for place, event in enumerate(table.events) if isinstance(event, Deal)])
    return None if place is None else put(table.events, place, *[table.events[place]] * 2)


def part_then_whole(table: Table) -> Events | None:
    """First a part of a hand is recorded, then the whole."""
    place = table.choose([place for place, event in enumerate(table.events) if isinstance(event, Deal)])
    if place is None:
        return None
    deal = table.events[place]
    return put(table.events, place, replace(deal, tiles=deal.tiles[:2], partial=True), deal)


def layout_twice(table: Table) -> Events | None:
    """A layout names one of its tiles twice."""
    place = table.choose([place for place, event in enumerate(table.events) if isinstance(event, Layout)])
    if place is None:
        return None
    layout = table.events[place]
    first, *rest = layout.tiles
    return put(table.events, place, replace(layout, tiles=(first, *rest[:-1], first)))


def after_end(table: Table) -> Events | None:
    """The table plays on: its first hand again, with its claims, before the result."""
    first = next((place for place, event in enumerate(table.events) if isinstance(event, Score)), 12)
    hand = [event for event in table.events[1 : min(first, 40)] if not isinstance(event, Layout | Draw)]
    last = next(place for place, event in enumerate(table.events) if isinstance(event, Result))
    return put(table.events, last, *hand, instead=0)


def pass_in_a_row(table: Table) -> Events | None:
    """A player who could play passes, the others rightly pass, and play goes on."""
    slips = []
    for place, step in enumerate(table.steps):
        if isinstance(step.event, Stack) and isinstance(table.events[place - 1], Stack):
            passes = [Pass(player) for player in (step.event.player, *after(table, step.event.player))]
            state = advance(table.game, step.before, passes[0])
            for turn in passes[1:]:
                acts = [act for act in table.game.choices(state) if actor(act) == turn.player]  # type: ignore[misc]
                if acts != [turn]:
                    break
                state = advance(table.game, state, turn)
            else:
                slips.append((place, passes))
    if not slips:
        return None
    place, passes = table.random.choice(slips)
    return put(hidden(table.events), len(hidden(table.events[:place])), *passes, instead=0)


def after(table: Table, player: str) -> list[str]:
    """The ids of the other players, in turn after this one."""
    ids = [other.id for other in table.events[0].players]
    seat = ids.index(player)
    return [*ids[seat + 1 :], *ids[:seat]]


ZIGGURAT, GALE, BUILD_UP, ZIGZAG = "ziggurat", "domino-ziggurat", "build-up", "zigzag"
EVERY = (ZIGGURAT, GALE, BUILD_UP, ZIGZAG)
TURNS = (ZIGGURAT, BUILD_UP, ZIGZAG)
