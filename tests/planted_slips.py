"""Simulated games with one slip of the recorder each, for tests of what explains it.

A slip of several events is one of the kinds that the search lists, or another.
"""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from ledger.audit.slip.misread_acts import a_pip_away
from ledger.games.catalog import find
from ledger.play.simulate import simulate
from ledger.record.events import (
    ACTS,
    CLAIMS,
    Bid,
    Close,
    Correctable,
    Deal,
    Draw,
    Layout,
    Pass,
    Place,
    Play,
    Score,
    Stack,
    Take,
)
from ledger.record.record import Record
from ledger.record.squares import beside
from ledger.record.tiles import TILES, size

KINDS = (
    "act-twice", "act-forgotten", "acts-swapped", "one-pip", "another-tile", "wrong-seat", "wrong-place",
    "extra-pass", "wrong-bid", "hand-misread",
)  # fmt: skip
LIKELY = frozenset(KINDS[:8]) - {"another-tile"}
_ACTS, _CLAIMS = frozenset(ACTS), frozenset(CLAIMS)
_MOVES = (Place, Stack, Play)


class Planted(NamedTuple):
    """A record with a slip, the events as they really were, and the slip's place; 0 if it touches several."""

    record: Record
    truth: tuple[Correctable, ...]
    seq: int


def plant(name: str, kind: str, seed: int) -> Planted | None:
    """A game with a slip of this kind; None if that game has no place for it.  Every other game hides its hands."""
    if kind in OF_SEVERAL:
        return _plant_several(name, kind, seed)
    random = Random(f"{name}/{kind}/{seed}")
    game = find(name)
    seats = 2 if name in ("ziggurat", "build-up") and seed % 3 else None
    truth: list[Any] = list(simulate(game, 40_000 + seed, players=seats).events)
    if seed % 2 and name != "domino-ziggurat":
        truth = [event for event in truth if type(event) is not Deal]
    if seed % 3 == 0:
        truth = [replace(e, points=None) if type(e) is Place else e for e in truth if type(e) not in _CLAIMS]
    truth = [_turned(event) if type(event) is Place and random.random() < 0.5 else event for event in truth]
    places = [place for place, event in enumerate(truth) if _fits(kind, event) and type(truth[place + 1]) is not Close]
    random.shuffle(places)
    largest = max(event.tile.high for event in truth if type(event) in _MOVES)
    for place in places[:20]:
        events = _slip(kind, truth, place, random, largest)
        if events is not None and events != truth:
            return Planted(Record(tuple(events)), tuple(truth), place)
    return None


def _turned(place: Place) -> Place:
    way: Any = {"e": "w", "w": "e", "n": "s", "s": "n"}[place.dir]
    return replace(place, tile=place.tile.turned, at=beside(place.at, place.dir), dir=way)


def _fits(kind: str, event: Any) -> bool:
    if kind == "hand-misread":
        return type(event) in (Deal, Layout)
    if kind == "wrong-bid":
        return type(event) is Bid
    if kind == "wrong-place":
        return type(event) in (Place, Stack)
    if kind in ("one-pip", "another-tile"):
        return type(event) in _MOVES
    return type(event) in _ACTS and type(event) not in (Deal, Layout)


def _slip(kind: str, truth: list[Any], place: int, random: Random, largest: int) -> list[Any] | None:
    event, before, after = truth[place], truth[:place], truth[place + 1 :]
    players = [player.id for player in truth[0].players]
    if kind == "act-twice":
        return [*before, event, event, *after]
    if kind == "act-forgotten":
        return [*before, *after]
    if kind == "acts-swapped":
        later = next((n for n in range(place + 1, len(truth)) if type(truth[n]) in _ACTS), None)
        if later is None or type(truth[later]) is Deal:
            return None
        events = list(truth)
        events[place], events[later] = events[later], events[place]
        return events
    if kind == "extra-pass":
        if Pass not in find(truth[0].game).events:
            return None
        return [*before, Pass(random.choice(players)), *truth[place:]]
    changed = _changed(kind, event, players, random, largest)
    return None if changed is None else [*before, changed, *after]


def _changed(kind: str, event: Any, players: list[str], random: Random, largest: int) -> Any:
    if kind in ("one-pip", "another-tile"):
        tiles = a_pip_away(event.tile) if kind == "one-pip" else TILES[: size(largest)]
        return replace(event, tile=random.choice([tile for tile in tiles if tile.high <= largest]))
    if kind == "wrong-seat":
        others = [player for player in players if player != event.player]
        return replace(event, player=random.choice(others)) if others else None
    if kind == "wrong-place":
        return _misplaced(event, random)
    if kind == "wrong-bid":
        return replace(event, bid=random.choice((event.bid - 1, event.bid + 1, event.bid + 10, event.bid % 10)))
    place, tile = random.randrange(len(event.tiles)), random.choice(TILES[: size(largest)])
    return replace(event, tiles=(*event.tiles[:place], tile, *event.tiles[place + 1 :]))


def _misplaced(event: Any, random: Random) -> Any:
    if type(event) is Stack:
        return replace(event, stack=max(1, event.stack + random.choice((-1, 1))))
    if random.random() < 0.5:
        return replace(event, level=max(1, event.level + random.choice((-1, 1))))
    x, y = event.at
    return replace(event, at=random.choice(((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))))


def acts(events: tuple[Any, ...]) -> list[Any]:
    """What was done, so that the same acts are equal from whichever half a tile is written; without the claims."""
    done = []
    for event in events:
        if type(event) is Place:
            halves = zip((event.at, beside(event.at, event.dir)), (event.tile.first, event.tile.second), strict=True)
            done.append((event.player, event.level, frozenset(halves)))
        elif type(event) in _ACTS:
            sole, many = getattr(event, "tile", None), getattr(event, "tiles", None)
            tiles = () if not many or type(event) is Layout else tuple(sorted(tile.index for tile in many))
            done.append((type(event), getattr(event, "player", None), sole and sole.index, tiles, _rest(event)))
    return done


def _rest(event: Any) -> tuple[Any, ...]:
    named = {"player", "tile", "when", "by", *(() if type(event) is Layout else ("tiles",))}
    return tuple(getattr(event, name) for name in event.__struct_fields__ if name not in named)


# ---- Slips that touch several events

Events = list[Any]
Slip = Callable[[Events, Random], Events | None]


def _places(events: Events, *kinds: type) -> list[int]:
    return [place for place, event in enumerate(events) if type(event) in kinds]


def _exchange(
    events: Events, kinds: tuple[type, ...], names: tuple[str, ...], random: Random, most: int
) -> Events | None:
    places = _places(events, *kinds)
    random.shuffle(places)
    for a in places:
        for b in places:
            one, other = ([getattr(events[place], name) for name in names] for place in (a, b))
            if 0 < b - a <= most and type(events[a]) is type(events[b]) and one != other:
                changed = list(events)
                changed[a] = replace(events[a], **dict(zip(names, other, strict=True)))
                changed[b] = replace(events[b], **dict(zip(names, one, strict=True)))
                return changed
    return None


def exchanged(kinds: tuple[type, ...], *names: str, most: int = 999) -> Slip:
    """Two events of these types have each other's values."""
    return lambda events, random: _exchange(events, kinds, names, random, most)


def from_here(kinds: tuple[type, ...], change: Callable[[Any, Events], Any]) -> Slip:
    """Each event of these types is changed from somewhere on."""

    def slip(events: Events, random: Random) -> Events | None:
        places = _places(events, *kinds)
        if len(places) < 8:
            return None
        begin = random.choice(places[2:-4])
        return [
            change(event, events) if place >= begin and place in places else event for place, event in enumerate(events)
        ]

    return slip


def headed(change: Callable[[Any, Random], Any]) -> Slip:
    """The heading is another one."""
    return lambda events, random: (
        None if (top := change(events[0], random)) in (None, events[0]) else [top, *events[1:]]
    )


def _next_seat(event: Any, events: Events) -> Any:
    ids = [player.id for player in events[0].players]
    return replace(event, player=ids[(ids.index(event.player) + 1) % len(ids)])


def _first_two(event: Any, events: Events) -> Any:
    first, second = events[0].players[0].id, events[0].players[-1].id
    return replace(event, player={first: second, second: first}.get(event.player, event.player))


def _other_end(event: Any, events: Events) -> Any:
    last = sum(len(one.tiles) for one in events if type(one) is Layout)
    return replace(event, stack=last + 1 - event.stack)


def _carried(events: Events, random: Random) -> Events | None:
    scores = [place for place in _places(events, Score) if events[place].scope == "hand"]
    if not scores:
        return None
    begin, off = random.choice(scores), random.choice((-2, 1, 2, 5, 10))
    player = random.choice(sorted(events[begin].points))
    changed = list(events)
    for place in _places(events, Score):
        if place == begin or (place > begin and events[place].scope == "game"):
            points = events[place].points
            changed[place] = replace(events[place], points={**points, player: points.get(player, 0) + off})
    return changed


def _points_moved(events: Events, how: Callable[[list[Any], int], Any]) -> Events:
    """Each score as `how` makes it of all lines of its scope and the number of its own."""
    changed = list(events)
    for scope in ("hand", "game"):
        places = [place for place in _places(events, Score) if events[place].scope == scope]
        lines = [events[place].points for place in places]
        for number, place in enumerate(places):
            changed[place] = replace(events[place], points=how(lines, number))
    return changed


def _columns_exchanged(events: Events, random: Random) -> Events | None:
    """From some hand on two players' columns are exchanged."""
    hands = sum(event.scope == "hand" for event in events if type(event) is Score)
    if hands < 2:
        return None
    first, second = [player.id for player in events[0].players][:2]
    turned, begin = {first: second, second: first}, random.randrange(hands - 1)
    return _points_moved(
        events,
        lambda lines, n: {turned.get(who, who): had for who, had in lines[n].items()} if n >= begin else lines[n],
    )


def _columns_rotated(events: Events, _random: Random) -> Events | None:
    """All scores stand one column to the right."""
    ids = [player.id for player in events[0].players]
    right = dict(zip(ids, (*ids[1:], ids[0]), strict=True))
    return _points_moved(events, lambda lines, n: {right[who]: had for who, had in lines[n].items()})


def _lines_shifted(events: Events, _random: Random) -> Events | None:
    """Each hand has the score of the hand before."""
    return _points_moved(events, lambda lines, n: lines[max(0, n - 1)])


def _wrong_winner_carried(events: Events, random: Random) -> Events | None:
    """A hand's points stand under another player's name, and every later total carries that."""
    scores = [place for place in _places(events, Score) if events[place].scope == "hand"]
    if not scores:
        return None
    begin = random.choice(scores)
    points, changed = events[begin].points, list(events)
    best, other = max(points, key=points.__getitem__), min(points, key=points.__getitem__)
    off = {best: points[other] - points[best], other: points[best] - points[other]}
    for place in _places(events, Score):
        if place == begin or (place > begin and events[place].scope == "game"):
            had = events[place].points
            changed[place] = replace(events[place], points={who: n + off.get(who, 0) for who, n in had.items()})
    return changed


def _turn_twice(events: Events, random: Random) -> Events | None:
    """A whole turn is written twice: an act with the take or the draws that belong to it."""
    moves = [place for place in _places(events, *_MOVES) if type(events[place + 1]) in (Take, Draw)]
    if not moves:
        return None
    begin = random.choice(moves)
    end = next(n for n in range(begin + 1, len(events)) if type(events[n]) not in (Take, Draw))
    return [*events[:end], *events[begin:end], *events[end:]]


def _over_the_end(events: Events, random: Random) -> Events | None:
    """The last act of a hand and the first act of the next are the other way round."""
    scores = [place for place in _places(events, Score) if events[place].scope == "hand"][:-1]
    if not scores:
        return None
    end, played = random.choice(scores), _places(events, Bid, Pass, Stack, Play)
    last, first = max(place for place in played if place < end), min(place for place in played if place > end)
    changed = list(events)
    changed[last], changed[first] = events[first], events[last]
    return changed


def _twice(events: Events, random: Random) -> Events | None:
    places = [place for place in _places(events, *_MOVES) if place + 3 < len(events)]
    begin = random.choice(places)
    block = events[begin : begin + 3]
    fits = all(type(event) in _MOVES for event in block)
    return [*events[: begin + 3], *block, *events[begin + 3 :]] if fits else None


def _moved(events: Events, random: Random) -> Events | None:
    places = _places(events, *_MOVES)
    at = random.randrange(len(places) - 5)
    changed = list(events)
    event = changed.pop(places[at])
    changed.insert(places[at + random.randrange(3, 5)], event)
    return changed


def _two_of_a_hand(events: Events, random: Random) -> Events | None:
    deals = [place for place in _places(events, Deal) if len(events[place].tiles) > 3]
    if len(deals) < 2:
        return None
    place, other = random.sample(deals, 2)
    tiles, instead = events[place].tiles, events[other].tiles
    changed = list(events)
    changed[place] = replace(events[place], tiles=(*instead[:2], *tiles[2:]))
    return changed


def _pass_for_move(events: Events, random: Random) -> Events | None:
    places = _places(events, Stack) or _places(events, Bid)
    place = random.choice(places) if places else 0
    return [*events[:place], Pass(events[place].player), *events[place + 1 :]] if place else None


def _option(name: str) -> Slip:
    def change(opening: Any, random: Random) -> Any:
        option = next((one for one in find(opening.game).options if one.name == name), None)
        if option is None:
            return None
        values = [value for value in option.values if value is not None] or [player.id for player in opening.players]
        return replace(opening, options={**opening.options, name: random.choice(values)})

    return headed(change)


def _seats(opening: Any, _random: Random) -> Any:
    first, *others = opening.players
    return replace(opening, players=(first, *others[::-1])) if len(others) > 1 else None


def _several(events: Events, random: Random, *slips: Slip) -> Events | None:
    changed: Events | None = events
    for slip in slips:
        changed = None if changed is None else slip(changed, random)
    return changed


LISTED: dict[str, Slip] = {
    "hands-exchanged": exchanged((Deal, Layout), "tiles", most=4),
    "players-of-two-bids": exchanged((Bid,), "player", most=4),
    "tiles-far-apart": exchanged(_MOVES, "tile"),
    "set": _option("set"),
    "first": _option("first"),
    "first-bidder": _option("first_bidder"),
    "seats-reversed": headed(_seats),
    "next-seat": from_here((Place, Stack, Play, Pass, Bid), _next_seat),
    "square-off": from_here((Place,), lambda event, _events: replace(event, at=(event.at[0] + 1, event.at[1]))),
    "stacks-from-the-other-end": from_here((Stack,), _other_end),
    "score-carried": _carried,
    "pass-for-move": _pass_for_move,
    "columns-exchanged": _columns_exchanged,
    "columns-rotated": _columns_rotated,
    "score-lines-shifted": _lines_shifted,
    "over-the-end-of-a-hand": _over_the_end,
}
OTHERS: dict[str, Slip] = {
    "two-seats-exchanged-from-here": from_here((Place, Stack, Play, Pass, Bid), _first_two),
    "levels-one-more-from-here": from_here((Place,), lambda event, _events: replace(event, level=event.level + 1)),
    "stacks-one-more-from-here": from_here((Stack,), lambda event, _events: replace(event, stack=event.stack + 1)),
    "bids-exchanged": exchanged((Bid,), "bid", most=4),
    "squares-exchanged": exchanged((Place,), "at", "dir"),
    "takers-exchanged": exchanged((Take,), "player", "tiles", most=9),
    "three-acts-twice": _twice,
    "act-moved": _moved,
    "two-tiles-of-a-hand": _two_of_a_hand,
    "wrong-winner-carried": _wrong_winner_carried,
    "turn-twice": _turn_twice,
}
OF_SEVERAL = LISTED | OTHERS


def _plant_several(name: str, kind: str, seed: int) -> Planted | None:
    """A game with a slip that touches several events; None if it has no place for one."""
    random = Random(f"{name}/{kind}/{seed}")
    seats = 2 if seed % 2 and name in ("ziggurat", "build-up") else None
    truth: Events = list(simulate(find(name), 70_000 + seed, players=seats).events)
    if seed % 3 == 0 and kind not in ("hands-exchanged", "two-tiles-of-a-hand"):
        truth = [event for event in truth if type(event) is not Deal]
    events = OF_SEVERAL[kind](truth, random)
    return None if events is None or events == truth else Planted(Record(tuple(events)), tuple(truth), 0)
