"""Acts that were misread, or written too often: one act, or each from a place on alike.

The price is low for a slip that is small in the hand or on the keys (a pip, a neighbouring seat or stack, an act
written twice) and that lies near the first finding, and high for one that needs a coincidence.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, product, zip_longest
from typing import Any

from msgspec.structs import replace

from ledger.audit.report_in_a_sentence import mistake_at, was_or_were
from ledger.audit.slip.causes import MOST, Proposed, Retraction, laid
from ledger.audit.slip.slip_case import NEAR, PER_ACT, PLAYED, Case, Family, Priced, like, tile_of
from ledger.audit.slip.trials import Trials
from ledger.record import event_words
from ledger.record.events import CLAIMS, Correctable, Event, Layout, Pass, Square, Take, actor
from ledger.record.squares import STEPS, Squares
from ledger.record.tiles import NAMED, Tile
from ledger.record.words import listed

DUPLICATE, NEVER = 0.2, 1.2
A_PASS, A_PIP, TURNED, NEXT_SEAT, SEAT, BESIDE, STACK = 0.4, 0.6, 0.9, 0.7, 0.9, 0.6, 1.3
NUMBER, ANOTHER_NUMBER, ANOTHER_TILE, DOUBTED_TILE, ASKED_TILE = 0.8, 1.6, 2.2, 1.3, 1.0
A_PIP_OF_A_HAND, ANOTHER_OF_A_HAND, NO_HAND = 1.6, 2.4, 3.0
TWO_OFF, EXCHANGED, ANOTHER_ACT = 0.9, 0.8, 0.9
FROM_HERE, STEPS_BACK = 0.75, 0.05
"""What kinds of slips cost; only their order matters."""
CLOSE = 3
"""Within so many acts of the first finding, an act may have been another legal one."""

# ── An act too many, or misread ────────────────────────────────────────────────────────────────────────────


def single_acts(case: Case) -> Iterator[Priced]:
    """An act that never happened, and one with something misread in it."""
    doubted, changes = {tile.index for tile in case.tiles}, defaultdict[float, list[tuple[str, Change]]](list)
    for price, field, change in _changes(case):
        changes[price].append((field, change))
    for index, place in enumerate(case.acts):
        seq, event, away = case.entries[place].seq, case.event(place), case.away[place]
        doubled = index > 0 and like(case.event(case.acts[index - 1]), event)
        again = index + 1 < len(case.acts) and like(case.event(case.acts[index + 1]), event)
        if not again:
            yield (DUPLICATE if doubled else _price_of_nothing(event)) + away, [(Retraction(seq),)]
        # Of two acts that name one tile, either may have named it wrongly: neither is nearer to the finding.
        near = min(away, PER_ACT) if tile_of(event) in doubted else away
        for price, some in changes.items():
            yield price + near, _amended(case, place, _changed(event, some))
        for price, events in _misread(case, place, event):
            yield price + near, _amended(case, place, events)


def _amended(case: Case, place: int, events: Iterable[Correctable]) -> Family:
    return (case.amend({place: event}) for event in events)


def _price_of_nothing(event: Event) -> float:
    """The price of deleting an act: a pass is easily written although nobody passed, a whole hand is not."""
    return NO_HAND if hasattr(event, "tiles") else NEVER if hasattr(event, "tile") else A_PASS


def from_here(case: Case) -> Iterator[Priced]:
    """Each act from a place on, to the end of its hand or of the game, misread in the same way."""
    by_field = defaultdict[str, list[Change]](list)
    for _price, field, change in _changes(case):
        by_field[field].append(change)
    for field, changes in by_field.items():
        # The takes may be misread in the same way, or right.
        for types in [(*PLAYED, Take), PLAYED] if field == "player" and Take in case.game.events else [PLAYED]:
            having = [place for place, entry in enumerate(case.entries) if type(entry.event) in types]
            places = [place for place in having if hasattr(case.event(place), field)]
            behind = bisect_right(places, case.first)
            for back, start in enumerate(reversed(range(max(0, behind - 2 * NEAR), behind))):
                to_the_end, hand = places[start:], case.hand(places[start])
                in_its_hand = [place for place in to_the_end if case.hand(place) == hand]
                for more, stretch in enumerate([to_the_end, in_its_hand][: 1 + (in_its_hand != to_the_end)]):
                    if len(stretch) > 1:
                        yield FROM_HERE + STEPS_BACK * (back + more), _all_changed(case, stretch, field, changes)


def _all_changed(case: Case, places: Sequence[int], field: str, changes: Iterable[Change]) -> Family:
    return (case.amend({n: _really(case.event(n), field, change) for n in places}) for change in changes)


# ── What may be misread in one act, or in each from a place on ─────────────────────────────────────────────

Change = Callable[[Any], Any]
"""What a field of an act was really, as a function of what was written."""


def _really(event: Any, field: str, change: Change) -> Any:
    """The act if something in this field was misread in this way."""
    return replace(event, **{field: change(getattr(event, field))})


def _changed(event: Any, changes: Iterable[tuple[str, Change]]) -> Iterator[Correctable]:
    """What an act may have been after one of these changes; each once."""
    seen = [event]
    for field, change in changes:
        if getattr(event, field, None) is not None and (other := _really(event, field, change)) not in seen:
            seen.append(other)
            yield other


def _changes(case: Case) -> Iterator[tuple[float, str, Change]]:
    """Seats further round the table or two exchanged, squares and levels that are off or exchanged, other stacks."""
    players, count, (left, bottom) = case.players, len(case.players), case.trials.review.squares
    orders = [(*players[step:], *players[:step]) for step in range(1, count)]
    orders += [(*players[:a], players[b], *players[a + 1 : b], players[a], *players[b + 1 :])
               for a, b in combinations(range(count), 2) if count > 2]  # fmt: skip
    for n, order in enumerate(orders):
        yield SEAT if 0 < n < count - 2 else NEXT_SEAT, "player", dict(zip(players, order, strict=True)).__getitem__
    for x, y in sorted(product(range(-2, 3), repeat=2), key=lambda off: abs(off[0]) + abs(off[1])):
        if 1 <= abs(x) + abs(y) <= 2:
            yield BESIDE if abs(x) + abs(y) == 1 else TWO_OFF, "at", partial(_moved, x, y)
    yield EXCHANGED, "at", lambda at: at[::-1]
    yield EXCHANGED, "at", lambda at: (left + bottom - at[1], bottom + left - at[0])  # the letter and the number
    for field, step in product(("level", "stack"), (-1, 1)):
        yield BESIDE, field, partial(_counted_on, step)
    stacks = _stacks(case)
    yield STACK, "stack", lambda stack: max(1, stacks + 1 - stack)


def _counted_on(step: int, number: int) -> int:
    return max(1, number + step)


def _moved(x: int, y: int, at: Square) -> Square:
    return at[0] + x, at[1] + y


def _stacks(case: Case) -> int:
    """How many stacks there are, as far as the record tells."""
    laid_out = sum(len(entry.event.tiles) for entry in case.entries if type(entry.event) is Layout)
    return max([laid_out, *(getattr(entry.event, "stack", 0) for entry in case.entries)])


# ── What else may be misread in one act ────────────────────────────────────────────────────────────────────


def _misread(case: Case, place: int, event: Any) -> Iterator[tuple[float, Iterable[Correctable]]]:
    """What an act may have been, if one thing in it was misread or mistyped; with prices."""
    fields = event.__struct_fields__
    if "tile" in fields:
        yield A_PIP, (replace(event, tile=tile) for tile in a_pip_away(event.tile))
        doubted = any(tile.index == event.tile.index for tile in case.tiles)
        yield DOUBTED_TILE if doubted else ANOTHER_TILE, _other_tiles(case, place, event)
    if "at" in fields:
        yield TURNED, [replace(event, dir=way) for way in STEPS if way != event.dir]
        yield TURNED, [replace(event, tile=event.tile.turned)] if not event.tile.double else []
    if "stack" in fields:
        stacks = range(1, _stacks(case) + 1)
        yield STACK, (replace(event, stack=stack) for stack in stacks if abs(stack - event.stack) > 1)
    for name in ("bid", "high"):
        if name in fields:
            yield from _other_numbers(case, place, event, name)
    for name, values in (("direction", ("regular", "reverse")), ("end", ("left", "right"))):
        if name in fields and getattr(event, name) is not None:
            yield TURNED, [replace(event, **{name: value}) for value in values if value != getattr(event, name)]
    if "tiles" in fields:
        yield from _other_hands(case, event)
    elif abs(case.acts.index(place) - bisect_left(case.acts, case.first)) <= CLOSE:
        yield ANOTHER_ACT, _other_acts(case, place, event)


def _other_acts(case: Case, place: int, event: Any) -> Iterator[Correctable]:
    """The same player's legal acts instead: a pass or for a pass, or with the same tile somewhere else.

    A pass stands for a tile that its player does not play later, if so few fit that each can be proposed.
    """
    tile, choices = getattr(event, "tile", None), [act for act in case.choices(place) if actor(act) == event.player]
    later = {
        tile_of(case.event(other)) for other in case.acts if other > place and actor(case.event(other)) == event.player
    }
    fitting = {tile_of(choice) for choice in choices} - later - {None}
    for choice in choices:
        if Pass in (type(choice), type(event)) and type(choice) is not type(event):
            fits = tile is not None or tile_of(choice) is None or (tile_of(choice) in fitting and len(fitting) <= MOST)
        else:
            same = tile is not None and type(choice) is type(event) and tile_of(choice) == tile.index
            fits = same and laid(choice) != laid(event)
        if fits:
            yield choice


def a_pip_away(tile: Tile) -> Iterator[Tile]:
    """The tiles that differ from this one by one pip in one half, written the same way round."""
    for first, second in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        name = f"{tile.first + first}-{tile.second + second}"
        if name in NAMED:
            yield NAMED[name]


def _other_tiles(case: Case, place: int, event: Any) -> Iterator[Correctable]:
    """The event with every other tile that its player may have had, turned both ways where it lies on a grid."""
    state, seat = case.trials.steps[place].before, case.players.index(event.player)
    tiles = case.game.tray(state, type(event), seat) if case.game.tray else case.set
    near = {tile.index for tile in a_pip_away(event.tile)} | {event.tile.index}
    for tile in tiles:
        if tile.index not in near:
            yield replace(event, tile=tile)
            if hasattr(event, "at") and not tile.double:
                yield replace(event, tile=tile.turned)


def _other_numbers(case: Case, place: int, event: Any, name: str) -> Iterator[tuple[float, Iterable[Correctable]]]:
    """The event with another number: one more or less, one wrong digit, then each that could legally be said."""
    number = getattr(event, name)
    yield NUMBER, [replace(event, **{name: number + step}) for step in (-1, 1) if number + step >= 0]
    numbers = dict.fromkeys(getattr(choice, name) for choice in case.choices_like(event, place))
    others = sorted(numbers, key=lambda other: (_digits_apart(number, other), abs(other - number)))
    yield ANOTHER_NUMBER, (replace(event, **{name: other}) for other in others if abs(other - number) > 1)


def _digits_apart(*numbers: int) -> int:
    """How many digits differ between two numbers."""
    return sum(one != other for one, other in zip_longest(*map(str, numbers)))


def _other_hands(case: Case, event: Any) -> Iterator[tuple[float, Iterable[Correctable]]]:
    """A deal, a layout or tiles set aside with one tile misread, left out or written too often."""
    tiles, held = event.tiles, {tile.index for tile in event.tiles}

    def misread(others: Callable[[Tile], Iterable[Tile]]) -> Iterator[Correctable]:
        for place, tile in enumerate(tiles):
            for other in others(tile):
                if other.index not in held:
                    yield replace(event, tiles=(*tiles[:place], other, *tiles[place + 1 :]))

    yield ASKED_TILE, misread(lambda _tile: case.tiles)
    yield ASKED_TILE, [replace(event, tiles=(*tiles, tile)) for tile in case.tiles if tile.index not in held]
    yield A_PIP_OF_A_HAND, misread(a_pip_away)
    yield A_PIP_OF_A_HAND, (replace(event, tiles=(*tiles[:n], *tiles[n + 1 :])) for n in range(len(tiles)))
    yield ANOTHER_OF_A_HAND, misread(lambda _tile: case.set)


# ── In words ───────────────────────────────────────────────────────────────────────────────────────────────


def acts_in_words(trials: Trials, corrections: Sequence[Proposed]) -> str:
    """What these corrections say happened: ``Ben's bid at move 113 was 60``."""
    review, places = trials.review, [trials.place_of(correction) for correction in corrections]
    act, amended = mistake_at(review, places[0]), trials.amended(corrections)
    if not amended:
        return f"{act} never happened"
    alike = f", and each one up to move {places[-1]} was wrong in the same way" if len(places) > 1 else ""
    return f"{act} {was_really(*amended[0], review.names, review.squares)}{alike}"


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
