"""Slips that touch several events: two things exchanged, the heading, an act that was moved or written twice."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations, pairwise, permutations
from typing import Any

from msgspec.structs import replace

from ledger.audit.report_in_a_sentence import mistake_at
from ledger.audit.slip.causes import Proposed, Retraction
from ledger.audit.slip.slip_case import NEAR, PLAYED, Case, Priced, like, tile_of
from ledger.audit.slip.trials import Trials
from ledger.record.errors import NotARecord
from ledger.record.events import Deal, Layout, actor
from ledger.record.words import format_value, listed
from ledger.rules.game import Option

HANDS, A_HAND, EXCHANGED, SEATS_OF_TWO, FAR = 0.7, 1.3, 1.0, 0.8, 0.02
HEADING, SEATS, RULING = 0.75, 0.85, 1.0
SWAPPED, MOVED, TWICE = 0.5, 1.2, 0.4
"""What kinds of slips cost; only their order matters."""
EXCHANGES = (
    (SEATS_OF_TWO, PLAYED, ("player",)),
    (HANDS, (Deal,), ("tiles",)),
    (HANDS, (Layout,), ("tiles",)),
    *((EXCHANGED, PLAYED, fields) for fields in (("tile",), ("bid",), ("stack",), ("at", "dir", "level"))),
)
"""What two events of these types may have of one another: the price, and the fields."""
ASKED, HANDS_APART, TWO = 3, 6, 2
"""How many events with findings may be one of two that are exchanged, and how far apart two hands may be, in hands."""
MOST_SEATS = 4
"""Players whose every order is tried; of more, only two exchange their seats."""
NUMBERS = (50, 75, 150, 200, 300, 500)
"""What people play to, besides an option's own values."""


# ── Two things exchanged ───────────────────────────────────────────────────────────────────────────────────


def exchanged(case: Case) -> Iterator[Priced]:
    """Two hands or layouts; or what two acts have of each other, if one of them is at a finding or just before it.

    Two acts that both name tiles of findings may stand as far apart as they like.
    """
    behind = bisect_right(case.acts, case.first)
    asked = {*case.places[:ASKED], *case.acts[max(0, behind - 2) : behind]}
    tiles = {tile.index for tile in case.tiles}
    doubted = {place for place in case.acts if tile_of(case.event(place)) in tiles}
    for price, types, fields in EXCHANGES:
        having = [n for n in case.acts if type(case.event(n)) in types and hasattr(case.event(n), fields[0])]
        for index, a in enumerate(having):
            for b in having[index + 1 :] if "tiles" not in fields else having[index + 1 : index + 1 + HANDS_APART]:
                one, other = case.event(a), case.event(b)
                both = a in doubted and b in doubted and "tile" in fields
                may = "tiles" in fields or a in asked or b in asked or both
                if a <= case.first and may and (type(one) is type(other) or "player" in fields):
                    exchange = {a: _with(one, other, fields), b: _with(other, one, fields)}
                    yield price + (0 if both else FAR * min(b - a, 3 * NEAR)), case.amends(exchange)


def _with(event: Any, other: Any, fields: Iterable[str]) -> Any:
    """The event with these fields of the other one."""
    return replace(event, **{name: getattr(other, name) for name in fields})


def exchange_in_words(trials: Trials, corrections: Sequence[Proposed]) -> str:
    """What was exchanged: ``the hands of Ana and Ben were exchanged``."""
    amended = trials.amended(corrections)
    was, now = amended[0]
    name = next(name for name in was.__struct_fields__ if getattr(was, name) != getattr(now, name))
    if name == "tiles":
        whose = listed(trials.review.names[event.player] for event, _now in amended)
        return f"the {'hands' if type(was) is Deal else 'layouts'} of {whose} were exchanged"
    moves = listed(str(trials.place_of(one)) for one in corrections)
    return f"the {'square' if name in ('at', 'dir', 'level') else name}s of moves {moves} were exchanged"


def hand_misread(case: Case) -> Iterator[Priced]:
    """A hand as its player played it: several of its tiles misread."""
    for n, place in enumerate(case.acts):
        event, hand = case.event(place), case.hand(place)
        if type(event) is Deal and not event.partial and place <= case.first:
            later = (case.event(other) for other in case.acts[n + 1 :] if case.hand(other) == hand)
            played = [one.tile for one in later if actor(one) == event.player and hasattr(one, "tile")]
            spare = {tile.index: tile for tile in event.tiles}
            missing = [tile for tile in played if spare.pop(tile.index, None) is None]
            if 1 < len(missing) <= len(spare):
                instead = dict(zip(spare.values(), missing, strict=False))
                really = replace(event, tiles=tuple(instead.get(tile, tile) for tile in event.tiles))
                yield A_HAND, case.amends({place: really})


# ── The heading ────────────────────────────────────────────────────────────────────────────────────────────


def heading(case: Case) -> Iterator[Priced]:
    """Another option, edition or order of the seats in the heading."""
    opening, read = case.event(0), case.trials.review.opening
    headings = [(HEADING, replace(opening, edition=other)) for other in case.game.editions if other != read.edition]
    for option in case.game.options:
        price = RULING if option.kind == "ruling" else HEADING
        values = [value for value in _values(case, option) if repr(value) != repr(read.options[option.name])]
        headings += [(price, replace(opening, options={**opening.options, option.name: value})) for value in values]
    headings += [(SEATS, replace(opening, players=players)) for players in _orders(opening.players)]
    for price, other in headings:
        with suppress(NotARecord):
            case.game.opening(other)
            yield price, case.amends({0: other})


def _values(case: Case, option: Option) -> Iterable[Any]:
    """The values that an option may have had: those of a list, a player, or a number that people use."""
    end = case.trials.steps[-1].after
    hands = [case.game.hand_number(end)] if case.game.hand_number else []
    values = (*option.values, *((*case.players, *NUMBERS, *hands) if option.valid else ()))
    return (value for value in values if value is not None or option.kind != "fact")


def _orders(players: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """The other orders round the table, those with two seats exchanged first."""
    for a, b in combinations(range(len(players)), 2):
        yield (*players[:a], players[b], *players[a + 1 : b], players[a], *players[b + 1 :])
    first, *others = players
    yield from ((first, *order) for order in permutations(others) if len(players) <= MOST_SEATS)


def heading_in_words(trials: Trials, corrections: Sequence[Proposed]) -> str:
    """What the heading should have said: ``the set was the double-8``."""
    ((was, now),) = trials.amended(corrections)
    names, read = trials.review.names, trials.review.opening.options
    if now.players != was.players:
        return f"the order of the seats was {', '.join(names[player.id] for player in now.players)}"
    if now.edition != was.edition:
        return f"the edition was {now.edition}"
    name, value = next((name, value) for name, value in now.options.items() if repr(read[name]) != repr(value))
    option = next(option for option in trials.game.options if option.name == name)
    if name == "set":
        return f"the set was the double-{value}"
    for known, sentence in zip(option.values, option.sentences, strict=False):
        if repr(known) == repr(value):
            return f"the rule was “{sentence.rstrip('.')}”"
    return f"the heading said “{option.meaning}: {names.get(str(value), format_value(value))}”"


# ── Acts in another place, or written twice ────────────────────────────────────────────────────────────────


def moved(case: Case) -> Iterator[Priced]:
    """Two acts in the wrong order, one written some acts too late or too early, and several in a row written twice."""
    # Between the last act of a hand and the first one of the next stand the deals.
    played = [place for place in case.acts if type(case.event(place)) in PLAYED]
    for a, b in dict.fromkeys([*pairwise(case.acts), *pairwise(played)]):
        yield SWAPPED + min(case.away[a], case.away[b]), case.amends({a: case.event(b), b: case.event(a)})
    first = bisect_right(case.acts, case.first)
    for n in range(len(case.acts)):
        for length in range(2, NEAR + 1 if first - NEAR <= n < first + 2 else 3):
            places, again = case.acts[n : n + length], case.acts[n + length : n + 2 * length]
            events, repeated = [[case.event(place) for place in some] for some in (places, again)]
            if len(again) == length and all(map(like, events, repeated)):
                yield TWICE, [tuple(Retraction(case.entries[place].seq) for place in again)]
            for order in [events[1:] + events[:1], events[-1:] + events[:-1]] if length > TWO else []:
                yield MOVED + FAR * length, case.amends(dict(zip(places, order, strict=True)))


def moved_in_words(trials: Trials, corrections: Sequence[Proposed]) -> str:
    """Where an act stood really, or which acts never happened."""
    places, amended = [trials.place_of(correction) for correction in corrections], trials.amended(corrections)
    first, last = places[0], places[-1]
    if not amended:
        return f"moves {first} to {last}, which are written twice, happened once"
    if len(places) == TWO:
        return f"moves {first} and {last} were the other way round"
    if like(amended[0][1], trials.entries[last].event):
        return f"{mistake_at(trials.review, last)} came before move {first}"
    return f"{mistake_at(trials.review, first)} came after move {last}"
