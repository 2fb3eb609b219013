"""Slips that touch several events: two things exchanged, the heading, everything from a place on, an act moved."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any, NamedTuple

from msgspec.structs import replace

from ledger.audit.report_in_a_sentence import mistake_at
from ledger.audit.slip.causes import Amendment, Proposed, Retraction, on_table
from ledger.audit.slip.slip_case import NEAR, Case, Family, Priced, in_place_of, like
from ledger.audit.slip.trials import Trials
from ledger.record.errors import NotARecord
from ledger.record.events import ACTS, Aside, Deal, Event, Layout, Open, Place, Stack, Take
from ledger.record.words import format_value, listed
from ledger.rules.game import Option

HANDS, A_HAND, EXCHANGED, SEATS_OF_TWO, FAR = 0.7, 1.3, 1.0, 0.8, 0.02
HEADING, SEATS, RULING = 0.75, 0.85, 1.0
FROM_HERE, STEPS_BACK = 0.75, 0.05
MOVED, TWICE = 1.2, 0.4
"""What kinds of slips cost; only their order matters."""
EXCHANGES: tuple[tuple[str, ...], ...] = (("player",), ("tile",), ("bid",), ("stack",), ("at", "dir", "level"))
"""The fields that may be exchanged between two acts."""
ASKED, HANDS_APART = 3, 6
"""How many events with findings may be one of two that are exchanged, and how far apart two hands may be, in hands."""
_PLAYED: tuple[type[Event], ...] = tuple(kind for kind in ACTS if kind not in (Deal, Layout, Aside))
_MIRRORED = {"e": "s", "s": "e", "w": "n", "n": "w"}
MOST_SEATS = 4
"""Players whose every order is tried; of more, only those with two seats exchanged, and the reverse."""
NUMBERS = (50, 75, 150, 200, 300, 500)
"""What people play to, besides an option's own values."""


# ── Two things exchanged ───────────────────────────────────────────────────────────────────────────────────


def hands_exchanged(case: Case) -> Iterator[Priced]:
    """Two hands, or two layouts, of one another."""
    hands = [place for place in case.acts if type(case.event(place)) in (Deal, Layout)]
    by_type = {kind: [place for place in hands if type(case.event(place)) is kind] for kind in (Deal, Layout)}
    for some in by_type.values():
        pairs = [(a, b) for n, a in enumerate(some) for b in some[n + 1 : n + 1 + HANDS_APART] if a <= case.first]
        yield HANDS, (_exchanged(case, a, b, ("tiles",)) for a, b in reversed(pairs) if not case.alike(a, b, "tiles"))


def hand_misread(case: Case) -> Iterator[Priced]:
    """A hand as its player played it: several of its tiles misread."""
    for place in case.acts:
        event = case.event(place)
        if type(event) is Deal and not event.partial and place <= case.first:
            played, spare = _played(case, place), {tile.index: tile for tile in event.tiles}
            missing = [tile for tile in played if spare.pop(tile.index, None) is None]
            if len(missing) > 1 and len(missing) <= len(spare):
                instead = dict(zip(spare.values(), missing, strict=False))
                tiles = tuple(instead.get(tile, tile) for tile in event.tiles)
                yield A_HAND, iter([(case.amended(place, tiles=tiles),)])


def _played(case: Case, place: int) -> list[Any]:
    """The tiles that the player of a hand plays from it."""
    player, hand, tiles = case.event(place).player, case.hand(place), []
    for other in case.acts[bisect_right(case.acts, place) :]:
        event = case.event(other)
        if getattr(event, "player", None) == player and getattr(event, "tile", None) and case.hand(other) == hand:
            tiles.append(event.tile)
    return tiles


def parts_exchanged(case: Case) -> Iterator[Priced]:
    """The players, tiles, bids, stacks or squares of two acts.  One of the two is at a finding or just before it."""
    behind = case.acts[: bisect_right(case.acts, case.first)][-2:]
    asked = list(dict.fromkeys((*case.places[:ASKED], *behind)))
    for fields in EXCHANGES:
        played = [place for place in case.acts if type(case.event(place)) in _PLAYED]
        having = [place for place in played if all(hasattr(case.event(place), name) for name in fields)]
        for a in [place for place in asked if place in having]:
            for b in having:
                alike = type(case.event(a)) is type(case.event(b)) or fields == ("player",)
                if a != b and min(a, b) <= case.first and alike and not case.alike(a, b, *fields):
                    price = SEATS_OF_TWO if fields == ("player",) else EXCHANGED
                    yield price + FAR * min(abs(a - b), 3 * NEAR), iter([_exchanged(case, a, b, fields)])


def _exchanged(case: Case, a: int, b: int, fields: Sequence[str]) -> tuple[Proposed, ...]:
    return tuple(
        case.amended(place, **{name: getattr(case.event(other), name) for name in fields})
        for place, other in ((min(a, b), max(a, b)), (max(a, b), min(a, b)))
    )


def exchange_in_words(trials: Trials, corrections: Sequence[Proposed]) -> str:
    """What was exchanged: ``the hands of Ana and Ben at moves 1 and 2 were exchanged``."""
    places = [trials.place_of(correction) for correction in corrections]
    events: list[Any] = [trials.entries[place].event for place in places]
    moves = f"moves {listed(str(trials.entries[place].seq) for place in places)}"
    if type(events[0]) in (Deal, Layout):
        noun = "hands" if type(events[0]) is Deal else "layouts"
        return f"the {noun} of {listed(trials.review.names[event.player] for event in events)} were exchanged"
    (first, *_others) = corrections
    was, now = events[0], first.event if isinstance(first, Amendment) else events[0]
    named = [name for name in ("player", "tile", "bid", "stack") if hasattr(was, name)]
    name = next((name for name in named if getattr(was, name) != getattr(now, name)), "square")
    return f"the {name}s of {moves} were exchanged"


# ── The heading ────────────────────────────────────────────────────────────────────────────────────────────


def heading(case: Case) -> Iterator[Priced]:
    """Another option, edition or order of the seats in the heading."""
    opening, used = case.event(0), case.trials.review.opening.edition
    yield HEADING, (_opened(opening, edition=edition) for edition in case.game.editions if edition != used)
    for option in case.game.options:
        values = [value for value in _values(case, option) if not _same(value, case.options[option.name])]
        several = [_opened(opening, options={**opening.options, option.name: value}) for value in values]
        yield RULING if option.kind == "ruling" else HEADING, iter(several)
    yield SEATS, (_opened(opening, players=players) for players in _orders(opening.players))


def _opened(opening: Open, **fields: Any) -> tuple[Proposed, ...]:
    return (Amendment(0, replace(opening, **fields)),)


def _same(one: object, other: object) -> bool:
    return one == other and type(one) is type(other)


def _values(case: Case, option: Option) -> Iterator[Any]:
    """The values that an option may have had: those of a list, a player, or a number that people use."""
    end = case.trials.steps[-1].after
    hands = [case.game.hand_number(end)] if case.game.hand_number else []
    for value in (*option.values, *(case.players if option.valid else ()), *(NUMBERS if option.valid else ()), *hands):
        try:
            case.game.opening(replace(case.event(0), options={**case.event(0).options, option.name: value}))
        except NotARecord:
            continue
        if value is not None or option.kind != "fact":
            yield value


def _orders(players: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """The other orders round the table, those with two seats exchanged first."""
    first, *others = players
    several = set[tuple[Any, ...]]()
    for a, b in combinations(range(len(players)), 2):
        order = list(players)
        order[a], order[b] = order[b], order[a]
        yield tuple(order)
    if 2 < len(players) <= MOST_SEATS:
        several = {(first, *order) for order in permutations(others)}
    yield from sorted(several | {(first, *others[::-1])}, key=str)


def heading_in_words(trials: Trials, corrections: Sequence[Proposed]) -> str:
    """What the heading should have said: ``the set was the double-8``."""
    (first, *_others) = corrections
    was, now = trials.review.effective.opening, first.event if isinstance(first, Amendment) else None
    assert isinstance(now, Open)  # noqa: S101  the heading is amended by a heading
    names = trials.review.names
    if now.players != was.players:
        return f"the order of the seats was {', '.join(names[player.id] for player in now.players)}"
    if now.edition != was.edition:
        return f"the edition was {now.edition}"
    read = trials.review.opening.options
    name, value = next((name, value) for name, value in now.options.items() if not _same(read[name], value))
    option = next(option for option in trials.game.options if option.name == name)
    if name == "set":
        return f"the set was the double-{value}"
    for known, sentence in zip(option.values, option.sentences, strict=False):
        if _same(known, value):
            return f"the rule was “{sentence.rstrip('.')}”"
    return f"the heading said “{option.meaning}: {names.get(str(value), format_value(value))}”"


# ── Everything from a place on ─────────────────────────────────────────────────────────────────────────────


class Change(NamedTuple):
    """What may be wrong in every act from a place on: which acts have it, and what each of them was really."""

    has: Callable[[Any], bool]
    really: Callable[[Any], Any]


def _of(*types: type[Event]) -> Callable[[Any], bool]:
    return lambda event: type(event) in types


def from_here(case: Case) -> Iterator[Priced]:
    """Each act from a place on, to the end of its hand or of the game, wrong in the same way."""
    for change in _changes(case):
        places = [place for place in range(1, len(case.entries)) if change.has(case.event(place))]
        behind = bisect_right(places, case.first)
        for back, start in enumerate(reversed(range(max(0, behind - 2 * NEAR), behind))):
            to_the_end = places[start:]
            in_its_hand = [place for place in to_the_end if case.hand(place) == case.hand(to_the_end[0])]
            for more, stretch in enumerate([to_the_end, in_its_hand][: 1 + (in_its_hand != to_the_end)]):
                if len(stretch) > 1:
                    yield FROM_HERE + STEPS_BACK * (back + more), _all_changed(case, stretch, change)


def _all_changed(case: Case, places: Sequence[int], change: Change) -> Family:
    really = [change.really(case.event(place)) for place in places]
    if all(type(event) is not Place or on_table(event.at) for event in really):
        yield tuple(Amendment(case.entries[place].seq, event) for place, event in zip(places, really, strict=True))


def _changes(case: Case) -> Iterator[Change]:
    """Seats further round the table or two of them exchanged, with the takes and without; squares off; other stacks."""
    players, count = case.players, len(case.players)
    rounds = [dict(zip(players, (*players[step:], *players[:step]), strict=True)) for step in range(1, count)]
    pairs = [{a: b, b: a} for a, b in combinations(players, 2)] if count > 2 else []
    takes = any(type(entry.event) is Take for entry in case.entries)
    for seats in (*rounds, *pairs):
        if takes:
            yield Change(_of(*_PLAYED, Take), _seated(seats))
        yield Change(_of(*_PLAYED), _seated(seats))
    if Place in case.game.events:
        for right, down, up in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)):
            yield Change(_of(Place), _shifted(right, down, up))
        yield Change(_of(Place), lambda event: replace(event, at=event.at[::-1], dir=_MIRRORED[event.dir]))
    if Stack in case.game.events:
        last = max((getattr(entry.event, "stack", 0) for entry in case.entries), default=0)
        last = max(last, sum(len(entry.event.tiles) for entry in case.entries if type(entry.event) is Layout))
        yield Change(_of(Stack), lambda event: replace(event, stack=last + 1 - event.stack))
        yield Change(_of(Stack), lambda event: replace(event, stack=event.stack + 1))
        yield Change(_of(Stack), lambda event: replace(event, stack=event.stack - 1))


def _seated(seats: Mapping[str, str]) -> Callable[[Any], Any]:
    return lambda event: replace(event, player=seats.get(event.player, event.player))


def _shifted(right: int, down: int, up: int) -> Callable[[Any], Any]:
    def really(event: Any) -> Any:
        return replace(event, at=(event.at[0] + right, event.at[1] + down), level=max(1, event.level + up))

    return really


def from_here_in_words(trials: Trials, corrections: Sequence[Proposed]) -> str:
    """What was wrong from a place on: ``each act from move 31 to move 58 was the next player's``."""
    amendments = [correction for correction in corrections if isinstance(correction, Amendment)]
    (was, now) = trials.entries[trials.place_of(amendments[0])].event, amendments[0].event
    events: list[Any] = [trials.entries[trials.place_of(one)].event for one in amendments]
    pairs: list[tuple[Any, Any]] = list(zip(events, (one.event for one in amendments), strict=True))
    acts = f"from move {amendments[0].seq} to move {amendments[-1].seq}"
    if isinstance(was, Place) and isinstance(now, Place) and was.player == now.player:
        squares = trials.review.squares
        if was.level != now.level:
            return f"all levels {acts} were {'one more' if now.level > was.level else 'one less'}"
        if was.dir != now.dir:
            return f"columns and rows {acts} were exchanged"
        return f"all squares {acts} were one off, so {squares.of_place(was)} was {squares.of_place(now)}"
    if isinstance(was, Stack) and isinstance(now, Stack) and was.stack != now.stack:
        counted = all(old.stack + new.stack == was.stack + now.stack for old, new in pairs)
        how = "counted from the other end" if counted else "one more" if now.stack > was.stack else "one less"
        return f"the stacks {acts} were {how}"
    names = trials.review.names
    changed = {old.player: new.player for old, new in pairs if old.player != new.player}
    whose = listed(f"{names[new]}'s instead of {names[old]}'s" for old, new in sorted(changed.items()))
    return f"the acts {acts} were {whose}"


# ── Acts in another place, or written twice ────────────────────────────────────────────────────────────────


def moved(case: Case) -> Iterator[Priced]:
    """Acts that are written some acts too late or too early, and several in a row that are written twice."""
    index = bisect_right(case.acts, case.first)
    near = range(max(0, index - NEAR), min(len(case.acts), index + 2))
    for n in near:
        for length in range(2, NEAR):
            again = case.acts[n + length : n + 2 * length]
            pairs = list(zip(case.acts[n : n + length], again, strict=False))
            if len(again) == length and all(like(case.event(a), case.event(b)) for a, b in pairs):
                yield TWICE, iter([tuple(Retraction(case.entries[place].seq) for place in again)])
        for length in range(3, NEAR + 1):
            places = case.acts[n : n + length]
            for order in (places[1:] + places[:1], places[-1:] + places[:-1]) if len(places) == length else ():
                moves = zip(places, order, strict=True)
                yield MOVED + FAR * length, iter([tuple(in_place_of(case, place, other) for place, other in moves)])


def moved_in_words(trials: Trials, corrections: Sequence[Proposed]) -> str:
    """Where an act stood really, or which acts never happened."""
    places = [trials.place_of(correction) for correction in corrections]
    first, last = trials.entries[places[0]], trials.entries[places[-1]]
    if not isinstance(corrections[0], Amendment):
        return f"moves {first.seq} to {last.seq}, which are written twice, happened once"
    if like(corrections[0].event, last.event):
        return f"{mistake_at(trials.review, places[-1])} came before move {first.seq}"
    return f"{mistake_at(trials.review, places[0])} came after move {last.seq}"
