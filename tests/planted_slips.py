"""Simulated games with one slip of the recorder each, for tests of what explains it."""

from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from ledger.audit.slip.misread_acts import a_pip_away
from ledger.games.catalog import find
from ledger.play.simulate import simulate
from ledger.record.events import ACTS, CLAIMS, Bid, Close, Correctable, Deal, Layout, Pass, Place, Play, Stack
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
