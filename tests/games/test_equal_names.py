"""Two equal names: one of them is wrong, nobody knows which, and no act is accused because of either.

Source: the rules' README, "Two equal names: both are doubtful".
"""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from ledger.audit.auditor import audit
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import Deal, Draw, Layout, Over, Place, Play, Score, Stack
from ledger.record.record import Record
from ledger.record.tiles import Tile, named
from ledger.rules.shared_clauses import touches
from sheets import a_open

GAMES = {
    "ziggurat": {}, "domino-ziggurat": {}, "build-up": {}, "zigzag": {"set": 6, "hands": 2},
}  # fmt: skip
ACTS = (Place, Stack, Play)
LISTS = (Deal, Layout)
Events = list[Any]
Name = tuple[int, int]
"""The place of an event, and which of its tiles."""


def names(events: Events, kinds: tuple[type, ...]) -> list[Name]:
    """Every name of a tile in events of these types."""
    return [
        (place, n) for place, event in enumerate(events) if type(event) in kinds for n in range(len(touches(event)))
    ]


def tile_at(events: Events, name: Name) -> Any:
    """The tile with that name."""
    return touches(events[name[0]])[name[1]]


def renamed(events: Events, name: Name, tile: Any) -> Events:
    """The events with another tile in that place."""
    place, number = name
    event = events[place]
    if type(event) in LISTS:
        tiles = list(event.tiles)
        tiles[number] = tile
        return [*events[:place], replace(event, tiles=tuple(tiles)), *events[place + 1 :]]
    return [*events[:place], replace(event, tile=tile), *events[place + 1 :]]


def hand_at(events: Events, place: int) -> int:
    """The number of the hand in which an event is."""
    return sum(type(event) is Score and event.scope == "hand" for event in events[:place])


def same_set(events: Events, one: Name, other: Name) -> bool:
    """Whether the two tiles are of one set: in Build Up of one colour, in Zigzag of one hand."""
    game = events[0].game
    if game == "build-up":
        return bool(events[one[0]].player == events[other[0]].player)
    return game != "zigzag" or hand_at(events, one[0]) == hand_at(events, other[0])


@cache
def played(game: str, seed: int) -> Record:
    return simulate(catalog.find(game), seed, GAMES[game])


def named_twice(game: str, random: Random, kinds: tuple[type, ...], seed: int) -> Iterator[tuple[int, Record]]:
    """Games in which one tile was named as another: the place of the wrong name, and the record."""
    whole = list(played(game, seed).events)
    hidden = [event for event in whole if type(event) not in (Deal, Over)]
    for events in (whole, hidden):
        among = [(name, tile_at(events, name).index) for name in names(events, kinds)]
        pairs = [(a, b) for a, one in among for b, other in among if a < b and one != other and same_set(events, a, b)]
        for earlier, later in random.sample(pairs, min(2, len(pairs))):
            for wrong, right in ((earlier, later), (later, earlier)):
                yield wrong[0], Record(tuple(renamed(events, wrong, tile_at(events, right))))


KINDS = {"acts": ACTS, "lists": LISTS, "both": (*ACTS, *LISTS), "draws": (*ACTS, Draw)}


@pytest.mark.parametrize(
    ("game", "kinds"),
    [(game, kinds) for game in GAMES for name, kinds in KINDS.items() if name != "draws" or game == "domino-ziggurat"],
)
def test_no_act_is_accused_because_of_a_name_in_doubt(game: str, kinds: tuple[type, ...]) -> None:
    random = Random(7)
    for seed in range(4):
        for place, record in named_twice(game, random, kinds, seed):
            report = audit(catalog.find(game), record)
            assert kinds is not ACTS or report.verdict in ("impossible", "breach"), (seed, place)
            accused = [f for f in report.findings if f.verdict == "breach" and f.seq != place]
            assert not accused, (seed, place, accused)


def test_a_tile_of_another_colour_is_no_second_name() -> None:
    opening = a_open(catalog.find("build-up"))
    ana, ben = (player.id for player in opening.players)

    def tiles(text: str) -> tuple[Tile, ...]:
        return tuple(map(named, text.split()))

    def stacks(*acts: tuple[str, str, int]) -> Events:
        return [Stack(player, named(tile), stack) for player, tile, stack in acts]

    events = [
        opening,
        Layout(ana, tiles("1-4 6-6 5-6 3-6 0-1 0-5")),
        Layout(ben, tiles("4-6 1-3 4-4 5-5 5-6 1-5")),
        *stacks((ben, "0-0", 7), (ana, "4-4", 4), (ben, "1-6", 6), (ana, "0-0", 1), (ben, "0-4", 8), (ana, "2-2", 6)),
        *stacks((ben, "3-3", 5), (ana, "2-3", 1), (ben, "0-5", 8), (ana, "2-5", 1), (ben, "2-3", 6)),
        # Without its second entry, written twice, the first hand would end differently.
        *stacks((ana, "3-5", 1), (ana, "3-5", 1)),
        Score("hand", {ana: 39, ben: 51}),
        *stacks((ben, "2-5", 5)),
        Deal(ben, tiles("0-1 1-2 0-3 1-4 2-4 2-6")),
        *stacks((ana, "2-4", 7)),
        Score("hand", {ana: 40, ben: 70}),
        Deal(ana, tiles("1-1 4-5 5-5 1-6")),
        Deal(ben, tiles("2-5 3-5 0-6 3-6")),
        *stacks((ben, "2-5", 5)),
    ]
    report = audit(catalog.find("build-up"), Record(tuple(events)))
    twice = [finding.seq for finding in report.findings if finding.clause == "tiles.once"]
    assert len(events) - 2 in twice, "the 2-5 of the deal was played before"
    assert len(events) - 1 not in twice, "the play of the tile that was dealt is right"
