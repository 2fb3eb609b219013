"""The slips that a recorder is likely to make, as corrections to try: the likeliest first.

Each has a price.  It is low for a slip that is small in the hand or on the keys (a pip, a neighbouring seat or stack,
an act written twice) and that lies near the first finding, and high for one that needs a coincidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from msgspec.structs import replace

from ledger.audit.slip.causes import Amendment, Proposed, Retraction, on_table
from ledger.audit.slip.forgotten_acts import AFTER, NEAR, PER_ACT, PER_FAR_ACT, Family, forgotten
from ledger.audit.slip.trials import Trials
from ledger.record.events import ACTS, CLAIMS, Correctable, Event, Score, actor
from ledger.record.tiles import LARGEST, NAMED, TILES, Tile, size
from ledger.rules.game import Finding

_ACTS, _CLAIMS = frozenset(ACTS), frozenset(CLAIMS)
_WAYS = ("e", "s", "w", "n")

DUPLICATE, NEVER, SWAPPED = 0.2, 1.2, 0.5
A_PASS, A_PIP, TURNED, NEXT_SEAT, SEAT, BESIDE, STACK = 0.4, 0.6, 0.9, 0.7, 0.9, 0.6, 1.3
NUMBER, ANOTHER_NUMBER, ANOTHER_TILE, ASKED_TILE, A_CLAIM = 0.8, 1.6, 2.2, 1.0, 0.7
A_PIP_OF_A_HAND, ANOTHER_OF_A_HAND, NO_HAND = 1.6, 2.4, 3.0
"""What kinds of slips cost; only their order matters."""


class Slip(NamedTuple):
    """The corrections that undo one slip, and the price of it."""

    price: float
    corrections: tuple[Proposed, ...]


def slips(trials: Trials, findings: Sequence[Finding], first: int) -> Iterator[Slip]:
    """Every slip that is worth a try, by its price.

    `findings` are those to explain, and `first` is the place of the first of them.
    """
    for price, family in sorted(_families(trials, findings, first), key=itemgetter(0)):
        for corrections in family:
            yield Slip(price, corrections)


def _families(trials: Trials, findings: Sequence[Finding], first: int) -> Iterator[tuple[float, Family]]:
    """Kinds of slips at each place, with their prices."""
    entries = trials.entries
    acts = [place for place, entry in enumerate(entries) if type(entry.event) in _ACTS]
    distances = _distances(acts, first)
    tiles = tuple(dict.fromkeys(filter(None, (_tile_at(trials, finding) for finding in findings))))
    doubted = {name for tile in tiles for name in (tile, tile.turned)}
    yield from _claims(trials, findings)
    for index, place in enumerate(acts):
        distance = distances[index]
        seq, event = entries[place].seq, entries[place].event
        doubled = index > 0 and _like(entries[acts[index - 1]].event, event)
        price = DUPLICATE if doubled else _price_of_nothing(event)
        if index + 1 == len(acts) or not _like(entries[acts[index + 1]].event, event):
            yield price + distance, iter([(Retraction(seq),)])
        if index + 1 < len(acts):
            later = entries[acts[index + 1]]
            if later.event != event:
                swapped = (Amendment(seq, _at(later.event, event)), Amendment(later.seq, _at(event, later.event)))
                yield SWAPPED + min(distance, distances[index + 1]), iter([swapped])
        # Of two acts that name one tile, either may have named it wrongly: neither is nearer to the finding.
        near = min(distance, PER_ACT) if getattr(event, "tile", None) in doubted else distance
        for price, events in _misread(trials, place, event, tiles):
            yield price + near, _amended(seq, events)
    yield from forgotten(trials, findings, first, tiles)


def _price_of_nothing(event: Event) -> float:
    """The price of deleting an act: a pass is easily written although nobody passed, a whole hand is not."""
    return NO_HAND if hasattr(event, "tiles") else NEVER if hasattr(event, "tile") else A_PASS


def _amended(seq: int, events: Iterable[Correctable]) -> Family:
    return ((Amendment(seq, event),) for event in events)


def _distances(acts: Sequence[int], first: int) -> list[float]:
    """By the index of an act, the price of its distance from the first finding."""
    nearest = sum(place < first for place in acts)
    prices = []
    for index in range(len(acts)):
        away = nearest - index
        prices.append(min(away, NEAR) * PER_ACT + max(0, away - NEAR) * PER_FAR_ACT if away >= 0 else -away * AFTER)
    return prices


def _tile_at(trials: Trials, finding: Finding) -> Tile | None:
    """The tile of the event of a finding."""
    place = trials.places.get(finding.seq)
    return None if place is None else getattr(trials.entries[place].event, "tile", None)


def _like(one: Event, other: Event) -> bool:
    """Whether two events are the same act, no matter when they were recorded."""
    return replace(one, when=None, by=None) == replace(other, when=None, by=None)


def _at(event: Any, other: Event) -> Correctable:
    """An event with the time and recorder of another one."""
    moved: Correctable = replace(event, when=other.when, by=other.by)
    return moved


# ── An act misread ─────────────────────────────────────────────────────────────────────────────────────────


def _misread(
    trials: Trials, place: int, event: Any, asked: Sequence[Tile]
) -> Iterator[tuple[float, Iterable[Correctable]]]:
    """What an act may have been, if one thing in it was misread or mistyped; with prices."""
    fields = event.__struct_fields__
    if "player" in fields and event.player is not None:
        players = trials.review.opening.players
        seat = players.index(event.player)
        beside = {players[seat - 1], players[(seat + 1) % len(players)]} - {event.player}
        yield NEXT_SEAT, [replace(event, player=player) for player in players if player in beside]
        others = [player for player in players if player != event.player and player not in beside]
        yield SEAT, [replace(event, player=player) for player in others]
    if "tile" in fields:
        yield A_PIP, (replace(event, tile=tile) for tile in a_pip_away(event.tile))
        yield ANOTHER_TILE, _other_tiles(trials, place, event)
    if "at" in fields:
        yield from _elsewhere(event)
    if "stack" in fields:
        yield BESIDE, [replace(event, stack=stack) for stack in (event.stack - 1, event.stack + 1) if stack > 0]
        count = max(getattr(entry.event, "stack", 0) for entry in trials.entries)
        yield STACK, (replace(event, stack=stack) for stack in range(1, count + 1) if abs(stack - event.stack) > 1)
    for name in ("bid", "high"):
        if name in fields:
            yield from _other_numbers(trials, place, event, name)
    for name, values in (("direction", ("regular", "reverse")), ("end", ("left", "right"))):
        if name in fields and getattr(event, name) is not None:
            yield TURNED, [replace(event, **{name: value}) for value in values if value != getattr(event, name)]
    if "tiles" in fields:
        yield from _other_hands(trials, event, asked)


def a_pip_away(tile: Tile) -> Iterator[Tile]:
    """The tiles that differ from this one by one pip in one half, written the same way round."""
    for first, second in (
        (tile.first - 1, tile.second),
        (tile.first + 1, tile.second),
        (tile.first, tile.second - 1),
        (tile.first, tile.second + 1),
    ):
        if 0 <= first <= LARGEST and 0 <= second <= LARGEST:
            yield NAMED[f"{first}-{second}"]


def _other_tiles(trials: Trials, place: int, event: Any) -> Iterator[Correctable]:
    """The event with every other tile that its player may have had, turned both ways where it lies on a grid."""
    game, state = trials.game, trials.steps[place].before
    seat = trials.review.opening.seat(event.player)
    tiles = game.tray(state, type(event), seat) if game.tray else TILES[: size(largest(trials))]
    near = {tile.index for tile in a_pip_away(event.tile)} | {event.tile.index}
    for tile in tiles:
        if tile.index not in near:
            yield replace(event, tile=tile)
            if hasattr(event, "at") and not tile.double:
                yield replace(event, tile=tile.turned)


def largest(trials: Trials) -> int:
    """The largest half of the set in use."""
    written = trials.review.opening.options.get("set")
    return int(written) if type(written) is int else trials.game.largest


def _elsewhere(event: Any) -> Iterator[tuple[float, Iterable[Correctable]]]:
    """A placement on a neighbouring square or level, or in another direction."""
    x, y = event.at
    squares = (x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)
    yield BESIDE, [replace(event, at=at) for at in squares if on_table(at)]
    yield BESIDE, [replace(event, level=level) for level in (event.level - 1, event.level + 1) if level > 0]
    yield TURNED, [replace(event, dir=way) for way in _WAYS if way != event.dir]
    yield TURNED, [replace(event, tile=event.tile.turned)] if not event.tile.double else []


def _other_numbers(trials: Trials, place: int, event: Any, name: str) -> Iterator[tuple[float, Iterable[Correctable]]]:
    """The event with another number: one more or less, one wrong digit, then each that could legally be said."""
    number = getattr(event, name)
    yield NUMBER, [replace(event, **{name: number + step}) for step in (-1, 1) if number + step >= 0]
    choices = trials.game.choices
    if choices is not None:
        legal = (
            choice
            for choice in choices(trials.steps[place].before)
            if type(choice) is type(event) and actor(choice) == actor(event)
        )
        numbers = list(dict.fromkeys(getattr(choice, name) for choice in legal))
        numbers.sort(key=lambda other: (_digits_apart(number, other), abs(other - number)))
        others = [other for other in numbers if abs(other - number) > 1]
        yield ANOTHER_NUMBER, (replace(event, **{name: other}) for other in others)


def _digits_apart(one: int, other: int) -> int:
    """How many digits differ between two numbers of the same length; two more if the lengths differ."""
    here, there = str(one), str(other)
    differing = sum(a != b for a, b in zip(here, there, strict=False))
    return differing + 2 * abs(len(here) - len(there))


def _other_hands(trials: Trials, event: Any, asked: Sequence[Tile]) -> Iterator[tuple[float, Iterable[Correctable]]]:
    """A deal, a layout or tiles set aside with one tile misread, left out or written too often."""
    tiles = event.tiles
    indices = {tile.index for tile in tiles}

    def instead(place: int, *other: Tile) -> Correctable:
        changed: Correctable = replace(event, tiles=(*tiles[:place], *other, *tiles[place + 1 :]))
        return changed

    wanted = [tile for tile in asked if tile.index not in indices]
    yield ASKED_TILE, (instead(place, tile) for tile in wanted for place in range(len(tiles)))
    yield ASKED_TILE, [replace(event, tiles=(*tiles, tile)) for tile in wanted]
    yield (
        A_PIP_OF_A_HAND,
        (
            instead(place, other)
            for place, tile in enumerate(tiles)
            for other in a_pip_away(tile)
            if other.index not in indices
        ),
    )
    yield A_PIP_OF_A_HAND, (instead(place) for place in range(len(tiles)))
    free = [tile for tile in TILES[: size(largest(trials))] if tile.index not in indices]
    yield ANOTHER_OF_A_HAND, (instead(place, tile) for place in range(len(tiles)) for tile in free)


# ── Claims ─────────────────────────────────────────────────────────────────────────────────────────────────


def _claims(trials: Trials, findings: Sequence[Finding]) -> Iterator[tuple[float, Family]]:
    """Claims as they should have been, by the findings about them."""
    by_seq: dict[int, list[Finding]] = {}
    for finding in findings:
        if finding.expected is not None and finding.claimed is not None and finding.seq in trials.places:
            by_seq.setdefault(finding.seq, []).append(finding)
    for seq, of_event in by_seq.items():
        event: Any = trials.entries[trials.places[seq]].event
        corrected = event
        for finding in of_event:
            corrected = _claimed(corrected, finding)
        if corrected != event:
            yield A_CLAIM, iter([(Amendment(seq, corrected),)])


def _claimed(event: Any, finding: Finding) -> Any:
    """A claim with the value that a finding expects."""
    if type(event) is Score and finding.player in event.points:
        return replace(event, points={**event.points, finding.player: finding.expected})
    for name in event.__struct_fields__:
        value = getattr(event, name)
        plain = list(value) if type(value) is tuple else value
        wanted = list(finding.claimed) if type(finding.claimed) is tuple else finding.claimed
        if type(event) not in _CLAIMS and name != "points":
            continue
        if plain == wanted and type(plain) is type(wanted):
            return replace(event, **{name: tuple(finding.expected) if type(value) is tuple else finding.expected})
    return event
