"""Slips that every game judges alike: two equal names, and a hand that was left too early.

Two equal names: one of them is wrong, nobody knows which, and no act is accused because of either.
Source: the rules' README, "Two equal names: both are doubtful" and "One slip, one finding".
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from ledger.audit.auditor import audit
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import Bid, Close, Deal, Draw, Event, Layout, Over, Pass, Place, Play, Result, Score, Stack
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


# ---- A hand that the table left too early is over, by however many tiles: it counts, and the game goes on to its
# winner.


LEFT_EARLY = {
    "zigzag to a target": ("zigzag", {"target": 40}),
    "zigzag of a number of hands": ("zigzag", {"hands": 3, "set": 6}),
    "zigzag with a tile over": ("zigzag", {"target": 60, "set": 9}),
    "build-up": ("build-up", {}),
    "build-up of three hands": ("build-up", {"hands": (6, 6, 4), "hand_end": "all-pass"}),
}
PLAYED = (Play, Stack)
CLAIMED = {
    "every claim": ("hand", "game"), "no totals": ("hand",), "no points of hands": ("game",), "only the result": (),
}  # fmt: skip
"""What tables claim, with the scopes of their scores."""


def hands_of(events: Sequence[Event]) -> list[list[int]]:
    """The places of the plays of each hand."""
    hands: list[list[int]] = [[]]
    for place, event in enumerate(events):
        if type(event) in PLAYED:
            hands[-1].append(place)
        elif type(event) is Score and event.scope == "hand":
            hands.append([])
    return [hand for hand in hands if hand]


def kept(event: Event, claimed: str) -> bool:
    """Whether a table that claims so much would write down an event."""
    return type(event) is not Score or event.scope in CLAIMED[claimed]


def left_early(name: str, seed: int) -> Iterator[tuple[str, Record]]:
    """Games in which some plays of one hand were forgotten: the last ones, or any; and what it is, in words."""
    game, options = LEFT_EARLY[name]
    events = simulate(catalog.find(game), seed, options).events
    random = Random(seed)
    hand = random.choice(hands_of(events))
    counts = {1, 2, 3, 4, random.randrange(1, len(hand)), len(hand) - 1}
    for count, claimed, hidden in product(sorted(counts & set(range(len(hand)))), CLAIMED, (False, True)):
        if game == "build-up" and hidden and claimed in ("only the result", "no points of hands"):
            continue  # nothing in such a record tells where a hand ended
        for which, gone in (("the last", hand[-count:]), ("any", random.sample(hand, count))):
            rest = [
                event
                for place, event in enumerate(events)
                if place not in gone and kept(event, claimed) and not (hidden and type(event) in (Deal, Over))
            ]
            yield f"{which} {count} forgotten, {claimed}, {hidden=}", Record(tuple(rest))


@pytest.mark.every(2)
@pytest.mark.parametrize("name", LEFT_EARLY)
@pytest.mark.parametrize("seed", range(6))
def test_a_game_with_a_hand_left_early_has_its_winner(name: str, seed: int) -> None:
    for what, record in left_early(name, seed):
        report = audit(catalog.find(LEFT_EARLY[name][0]), record)
        assert report.finished, what
        assert report.winners, what
        if name.startswith("zigzag"):
            assert [f.clause for f in report.findings].count("zigzag.hand.end") == 1, what


@pytest.mark.parametrize("name", ["build-up", "build-up of three hands"])
@pytest.mark.parametrize("claimed", ["every claim", "no totals"])
@pytest.mark.parametrize("number", [0, 1, -1], ids=["the first", "the second", "the last"])
def test_a_hand_that_was_dealt_and_scored_counts_without_a_tile(name: str, claimed: str, number: int) -> None:
    game, options = LEFT_EARLY[name]
    for seed in range(4):
        events = [event for event in simulate(catalog.find(game), seed, options).events if kept(event, claimed)]
        begin = hands_of(events)[number][0]
        scored = next(place for place in range(begin, len(events)) if type(events[place]) is Score)
        report = audit(catalog.find(game), Record((*events[:begin], *events[scored:])))
        assert report.finished, seed
        assert report.winners, seed
        # The tiles that nobody recorded lie on no stack, so a later hand may seem to end too early, too.
        assert next(f.seq for f in report.findings if f.clause == "build-up.hand.end") <= begin + 1, seed


def test_a_score_that_is_called_late_or_too_early_is_no_hand() -> None:
    for seed in range(4):
        events = list(simulate(catalog.find("build-up"), seed).events)
        first = next(place for place, event in enumerate(events) if type(event) is Score)
        later = [place for place, event in enumerate(events) if type(event) is Deal and place > first]
        score = events[first]
        for place in (later[2], hands_of(events)[-1][0]):  # after the deals of a later hand
            moved = [*events[:first], *events[first + 1 : place], score, *events[place:]]
            reports = [audit(catalog.find("build-up"), Record(tuple(some))) for some in (events, moved)]
            assert reports[0].scores == reports[1].scores
            assert not any(finding.clause == "build-up.leftover" for finding in reports[1].findings)


# The last hand, too: what comes after it is past the end, unless it is a tile of that hand.
@pytest.mark.parametrize("options", [{"hands": 1}, {"target": 1}], ids=str)
def test_nothing_but_its_own_tiles_follows_a_last_hand_that_was_left_early(options: dict[str, int]) -> None:
    game = catalog.find("zigzag")
    events = [event for event in simulate(game, 4, options).events if type(event) not in (Close, Result)]
    *before, last_play = [place for place, event in enumerate(events) if type(event) is Play]
    early = [event for place, event in enumerate(events) if place != last_play]
    assert audit(game, Record(tuple(early))).finished
    bid = next(event for event in events if type(event) is Bid)
    ids = [player.id for player in events[0].players]
    for act in (bid, Pass(ids[0]), events[1], events[before[-1]]):
        report = audit(game, Record((*early, act)))
        assert [(f.seq, f.clause) for f in report.findings if f.verdict == "breach"][-1] == (len(early), "zigzag.end")
    resumed = audit(game, Record((*early, events[last_play])))
    assert "zigzag.end" not in {finding.clause for finding in resumed.findings}
