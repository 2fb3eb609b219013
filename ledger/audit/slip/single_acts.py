"""One act that was misread, written too often, or exchanged with the next, as corrections to try.

The price is low for a slip that is small in the hand or on the keys (a pip, a neighbouring seat or stack, an act
written twice) and that lies near the first finding, and high for one that needs a coincidence.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ledger.audit.report_in_a_sentence import mistake_at, was_or_were
from ledger.audit.slip.causes import Amendment, Proposed, Retraction, laid, on_table
from ledger.audit.slip.slip_case import PER_ACT, Case, Family, Priced, in_place_of, like
from ledger.audit.slip.trials import Trials
from ledger.record import event_words
from ledger.record.events import CLAIMS, Correctable, Event, Pass, actor
from ledger.record.squares import Squares
from ledger.record.tiles import LARGEST, NAMED, TILES, Tile, size
from ledger.record.words import listed

_WAYS = ("e", "s", "w", "n")

DUPLICATE, NEVER, SWAPPED = 0.2, 1.2, 0.5
A_PASS, A_PIP, TURNED, NEXT_SEAT, SEAT, BESIDE, STACK = 0.4, 0.6, 0.9, 0.7, 0.9, 0.6, 1.3
NUMBER, ANOTHER_NUMBER, ANOTHER_TILE, ASKED_TILE = 0.8, 1.6, 2.2, 1.0
A_PIP_OF_A_HAND, ANOTHER_OF_A_HAND, NO_HAND = 1.6, 2.4, 3.0
TWO_OFF, EXCHANGED, ANOTHER_ACT = 0.9, 0.8, 0.9
"""What kinds of slips cost; only their order matters."""
CLOSE = 3
"""Within so many acts of the first finding, an act may have been another legal one."""
MOST_FITTING = 12
"""From more tiles than these, nobody can tell which one a pass was written for."""


# ── An act too many, in the wrong order, or misread ────────────────────────────────────────────────────────


def single_acts(case: Case) -> Iterator[Priced]:
    """An act that never happened, one that changes places with the next, and one with something misread in it."""
    doubted = {name for tile in case.tiles for name in (tile, tile.turned)}
    for index, place in enumerate(case.acts):
        seq, event, away = case.entries[place].seq, case.event(place), case.away[place]
        doubled = index > 0 and like(case.event(case.acts[index - 1]), event)
        later = case.acts[index + 1] if index + 1 < len(case.acts) else None
        if later is None or not like(case.event(later), event):
            price = DUPLICATE if doubled else _price_of_nothing(event)
            yield price + away, iter([(Retraction(seq),)])
        if later is not None and case.event(later) != event:
            swapped = (in_place_of(case, place, later), in_place_of(case, later, place))
            yield SWAPPED + min(away, case.away[later]), iter([swapped])
        # Of two acts that name one tile, either may have named it wrongly: neither is nearer to the finding.
        near = min(away, PER_ACT) if getattr(event, "tile", None) in doubted else away
        for price, events in _misread(case, place, event):
            yield price + near, _amended(seq, events)


def _price_of_nothing(event: Event) -> float:
    """The price of deleting an act: a pass is easily written although nobody passed, a whole hand is not."""
    return NO_HAND if hasattr(event, "tiles") else NEVER if hasattr(event, "tile") else A_PASS


def _amended(seq: int, events: Iterable[Correctable]) -> Family:
    return ((Amendment(seq, event),) for event in events)


# ── An act misread ─────────────────────────────────────────────────────────────────────────────────────────


def _misread(case: Case, place: int, event: Any) -> Iterator[tuple[float, Iterable[Correctable]]]:
    """What an act may have been, if one thing in it was misread or mistyped; with prices."""
    fields, trials = event.__struct_fields__, case.trials
    if "player" in fields and event.player is not None:
        players = case.players
        seat = players.index(event.player)
        beside = {players[seat - 1], players[(seat + 1) % len(players)]} - {event.player}
        yield NEXT_SEAT, [replace(event, player=player) for player in players if player in beside]
        others = [player for player in players if player != event.player and player not in beside]
        yield SEAT, [replace(event, player=player) for player in others]
    if "tile" in fields:
        yield A_PIP, (replace(event, tile=tile) for tile in a_pip_away(event.tile))
        yield ANOTHER_TILE, _other_tiles(trials, place, event)
    if "at" in fields:
        yield from _elsewhere(event, trials.review.squares)
    if "stack" in fields:
        yield BESIDE, [replace(event, stack=stack) for stack in (event.stack - 1, event.stack + 1) if stack > 0]
        count = max(getattr(entry.event, "stack", 0) for entry in trials.entries)
        yield STACK, (replace(event, stack=stack) for stack in range(1, count + 1) if abs(stack - event.stack) > 1)
    for name in ("bid", "high"):
        if name in fields:
            yield from _other_numbers(case, place, event, name)
    for name, values in (("direction", ("regular", "reverse")), ("end", ("left", "right"))):
        if name in fields and getattr(event, name) is not None:
            yield TURNED, [replace(event, **{name: value}) for value in values if value != getattr(event, name)]
    if "tiles" in fields:
        yield from _other_hands(trials, event, case.tiles)
    elif abs(case.acts.index(place) - bisect_left(case.acts, case.first)) <= CLOSE:
        yield ANOTHER_ACT, _other_acts(case, place, event)


def _other_acts(case: Case, place: int, event: Any) -> Iterator[Correctable]:
    """The same player's legal acts instead: a pass or for a pass, or with the same tile somewhere else.

    A pass stands for no play if the hand may have held many tiles that fit: each would explain as much.
    """
    tile = getattr(event, "tile", None)
    choices = [choice for choice in case.choices(place) if actor(choice) == event.player]
    fitting = {other.index for choice in choices if (other := getattr(choice, "tile", None)) is not None}
    for choice in choices:
        other = getattr(choice, "tile", None)
        same = tile is not None and other is not None and tile.index == other.index
        turn = Pass in (type(choice), type(event)) and type(choice) is not type(event)
        if (turn and (tile or len(fitting) <= MOST_FITTING)) or (same and laid(choice) != laid(event)):
            yield choice


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


def _elsewhere(event: Any, squares: Squares) -> Iterator[tuple[float, Iterable[Correctable]]]:
    """A placement on a square or level nearby, in another direction, or with its letter and number exchanged."""
    x, y = event.at
    near, far = [(-1, 0), (1, 0), (0, -1), (0, 1)], [(-2, 0), (2, 0), (0, -2), (0, 2)]
    corners = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    named = squares.left + squares.bottom - y, squares.bottom - x + squares.left
    for price, there in (
        (BESIDE, [(x + right, y + down) for right, down in near]),
        (EXCHANGED, [(y, x), named]),
        (TWO_OFF, [(x + right, y + down) for right, down in (*far, *corners)]),
    ):
        yield price, [replace(event, at=at) for at in dict.fromkeys(there) if on_table(at) and at != event.at]
    yield BESIDE, [replace(event, level=level) for level in (event.level - 1, event.level + 1) if level > 0]
    yield TURNED, [replace(event, dir=way) for way in _WAYS if way != event.dir]
    yield TURNED, [replace(event, tile=event.tile.turned)] if not event.tile.double else []


def _other_numbers(case: Case, place: int, event: Any, name: str) -> Iterator[tuple[float, Iterable[Correctable]]]:
    """The event with another number: one more or less, one wrong digit, then each that could legally be said."""
    number = getattr(event, name)
    yield NUMBER, [replace(event, **{name: number + step}) for step in (-1, 1) if number + step >= 0]
    numbers = list(dict.fromkeys(getattr(choice, name) for choice in case.choices_like(event, place)))
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


# ── In words ───────────────────────────────────────────────────────────────────────────────────────────────


def single_act_in_words(trials: Trials, corrections: Sequence[Proposed]) -> str:
    """What these corrections say happened: ``Ben's bid at move 113 was 60``."""
    review, (first, *others) = trials.review, corrections
    if others:
        seqs = [trials.entries[trials.place_of(correction)].seq for correction in corrections]
        return f"moves {' and '.join(map(str, seqs))} were the other way round"
    place = trials.place_of(first)
    called = mistake_at(review, place)
    if not isinstance(first, Amendment):
        return f"{called} never happened"
    return f"{called} {was_really(trials.entries[place].event, first.event, review.names, review.squares)}"


def was_really(was: Any, now: Any, names: Mapping[str, str], squares: Squares) -> str:
    """What an event was really: the one thing in it that differs, or the whole event."""
    changed = [name for name in was.__struct_fields__ if getattr(was, name, None) != getattr(now, name, None)]
    name = changed[0] if len(changed) == 1 and type(was) is type(now) and not isinstance(now, CLAIMS) else ""
    verb = was_or_were(was)
    if name == "player":
        return f"{verb} {names[now.player]}'s"
    if name == "tiles":
        return _held(was.tiles, now.tiles)
    if name in ("at", "dir"):
        return f"{verb} on {squares.of_place(now)}"
    if name in ("level", "stack"):
        return f"{verb} on {name} {getattr(now, name)}"
    if name in ("tile", "bid", "high", "direction"):
        return f"{verb} {'the ' if name == 'tile' else ''}{getattr(now, name)}"
    return f"{verb} “{event_words.in_words(now, names, squares)}”"


def _held(was: Sequence[Tile], now: Sequence[Tile]) -> str:
    """What a hand really held, where it differs from what was written."""
    gone, new = ([str(tile) for tile in some if tile not in others] for some, others in ((was, now), (now, was)))
    if not new:
        return "had one tile fewer" if not gone else f"did not hold the {listed(gone)}"
    return f"held the {listed(new)}" + (f", not the {listed(gone)}" if gone else " too")
