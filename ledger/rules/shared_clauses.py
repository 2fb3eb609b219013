"""What games share: clauses, rulings, claims compared, winners, hands, the deal, and how to replace a seat's value.

Each game calls these functions to build its own tuple of clauses, so its file shows every clause that judges it.

Source: the rules' README, "Common to all games".
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from ledger.record.events import ACTS, GREATEST, Close, Deal, Event, Result, Score
from ledger.record.sentences import CLAIMED, EXPECTED, PLAYER
from ledger.record.tiles import Tile, mask, size
from ledger.record.words import plural
from ledger.rules.evidence import Evidence
from ledger.rules.game import Clause, Fault, Option, Standing, State, Touched, When

V = TypeVar("V")
Faults = Iterable[Fault]
NOTHING: tuple[Fault, ...] = ()
"""The faults of an event that keeps the clause: none."""
Elsewhere = tuple[int, str]
"""Tiles as bits, and the words for where they are."""
_WITH_TILE = frozenset(event for event in ACTS if "tile" in event.__struct_fields__)


def put(values: tuple[V, ...], place: int, value: V) -> tuple[V, ...]:
    """The same values with another one at this place, such as a seat's."""
    changed = list(values)
    changed[place] = value
    return tuple(changed)


def touches(event: Event) -> tuple[Tile, ...]:
    """The tiles that an event names."""
    if type(event) in _WITH_TILE:
        return (event.tile,)  # type: ignore[attr-defined]  # it has one
    tiles: tuple[Tile, ...] = getattr(event, "tiles", ())
    return tiles


def in_set(on: Sequence[type[Event]], largest: Callable[[Any], int], when: When[Any] | None = None) -> Clause[Any]:
    """The clause `tiles.in-set` for these events; `largest(state)` is the largest half of the set."""

    def check(before: Any, event: Any, _after: Any, _evidence: Any) -> Faults:
        top = largest(before)
        if type(event) in _WITH_TILE and event.tile.high <= top:
            return NOTHING
        tiles = touches(event)
        if not mask(tiles) >> size(top):
            return NOTHING
        return [
            Fault(f"The double-{top} set has no {tile}", f"a tile up to {top}-{top}", str(tile))
            for tile in tiles
            if tile.high > top
        ]

    return Clause("tiles.in-set", "A tile belongs to the set in use.", tuple(on), check, "impossible", when=when)


def once(
    on: Sequence[type[Event]], elsewhere: Callable[[Any, Any], Iterable[Elsewhere]], when: When[Any] | None = None
) -> Clause[Any]:
    """The clause `tiles.once` for these events.

    `elsewhere(state, event)` yields the tiles that the record already has in another place, as bits, with the words for
    that place.  If a tile is in two of them, the message names the last.
    """

    def check(before: Any, event: Any, _after: Any, _evidence: Any) -> Faults:
        tiles_elsewhere = 0
        for bits, _place in elsewhere(before, event):
            tiles_elsewhere |= bits
        if type(event) in _WITH_TILE and not event.tile.bit & tiles_elsewhere:
            return NOTHING
        tiles = touches(event)
        event_tiles = mask(tiles)
        if not event_tiles & tiles_elsewhere and event_tiles.bit_count() == len(tiles):
            return NOTHING
        places = list(elsewhere(before, event))
        faults, seen = [], 0
        for tile in tiles:
            where = [place for bits, place in places if tile.bit & bits]
            if where:
                faults.append(Fault(f"The {tile} {where[-1]}", claimed=str(tile)))
            elif tile.bit & seen:
                faults.append(Fault(f"The {tile} is listed twice", claimed=str(tile)))
            seen |= tile.bit
        return faults

    return Clause("tiles.once", "No tile is in two places.", tuple(on), check, "impossible", when=when)


def held(on: Sequence[type[Event]], unless: Callable[[Any, Any], object] | None = None) -> Clause[Any]:
    """The clause `tiles.held` for these acts, from the evidence of the game's `holdings`.

    Acts that nothing proves are reported once for each player, at the first of them, with their number.  The clause
    says nothing where `unless(state, event)` holds: another clause explains better what is wrong there.
    """

    def check(before: Any, event: Any, _after: Any, evidence: Evidence | None) -> Faults:
        if evidence is None or evidence.held or (unless is not None and unless(before, event)):
            return NOTHING
        if evidence.held is False:
            return [Fault(f"{PLAYER} does not hold the {event.tile}", claimed=str(event.tile))]
        if not evidence.unproved:
            return NOTHING
        tiles = "one" if evidence.unproved == 1 else evidence.unproved
        message = f"The record does not show whether {PLAYER} held {tiles} of the tiles played"
        return [Fault(message, verdict="unproven")]

    meaning = "A player plays only a tile that they hold."
    return Clause("tiles.held", meaning, tuple(on), check, proved=True, needs_evidence=True)


def is_past_end(before: State, _event: object, after: State) -> bool:
    """Whether an event comes after the end of the game.  Before the end, the audit asks no clause with this `when`."""
    return before.ended or after.past


def after_end(on: Sequence[type[Event]] = ACTS, id_: str = "record.after-end") -> Clause[Any]:
    """The clause for acts past the end; only the first of them is a finding."""

    def check(before: Any, _event: Any, _after: Any, _evidence: Any) -> Faults:
        return NOTHING if before.past else [Fault("The game was already over")]

    return Clause(id_, "Nothing is played after the game has ended.", tuple(on), check, when=is_past_end)


UNFINISHED: Clause[Any] = Clause("record.unfinished", "A record is closed with a result only when the game has ended.")

# Nothing but notes, corrections and confirmations follows a closed record.
AFTER_END: Clause[Any] = Clause(
    "record.after-end", "Nothing is played after the game has ended or the record was closed."
)

CORRECTION: Clause[Any] = Clause(
    "record.correction", "A correction names an earlier event that still counts; any other changes nothing.",
    verdict="impossible",
)  # fmt: skip

EVENT: Clause[Any] = Clause(
    "record.event", "A record holds only acts and claims that its game has; any other changes nothing.",
    verdict="impossible",
)  # fmt: skip

RECORD_CLAUSES: tuple[Clause[Any], ...] = (AFTER_END, UNFINISHED, CORRECTION, EVENT)


def unfinished(standing: Callable[[Any], Standing], missing: Callable[[Any], str]) -> Callable[..., Faults]:
    """A check for `Result`: it is called only when the game has ended.  `missing(state)` says what is still to come."""

    def check(before: Any, _event: Any, _after: Any, _evidence: Any) -> Faults:
        if standing(before).finished:
            return NOTHING
        return [Fault(f"A result was called, but {missing(before)}")]

    return check


def is_finished_close(event: Event) -> bool:
    """Whether an event closes its record as a finished game."""
    return type(event) is Close and event.why == "finished"


def compare_points(event: Score, computed: Mapping[str, int], noun: str) -> Faults:
    """A fault for each player whose called points differ from the computed ones.

    `noun` names the points: ``total``, ``points in this hand``.  Players whom the claim does not name are not compared.
    """
    if event.points == computed:
        return NOTHING
    return [
        Fault(f"Called {claimed} as {PLAYER}'s {noun}, but by the rules it is {computed.get(player)}",
              computed.get(player), claimed, player=player, running="part" if event.scope == "hand" else "total")
        for player, claimed in event.points.items()
        if computed.get(player) != claimed
    ]  # fmt: skip


def compare_winners(event: Result, winners: Iterable[str], why: str) -> Faults:
    """A fault if the called winners are not `winners`, in any order."""
    expected = sorted(winners)
    claimed = sorted(event.winners)
    if claimed == expected:
        return NOTHING
    called = f"{CLAIMED} {'were' if len(claimed) > 1 else 'was'}" if claimed else "Nobody was"
    return [Fault(f"{called} called the winner, but {EXPECTED} won: {why}", expected, claimed)]


def compare_deal(event: Deal, expected: int) -> Faults:
    """A fault if a whole hand does not have `expected` tiles, or part of a hand has more."""
    count = mask(event.tiles).bit_count()
    if count == expected or (event.partial and count < expected):
        return NOTHING
    return [Fault(f"{PLAYER}'s hand has {plural(count, 'tile')}, not {expected}", expected, count)]


def by_player(players: Sequence[str], values: Iterable[int]) -> dict[str, int]:
    """Values by seat, keyed by player id."""
    return dict(zip(players, values, strict=True))


def greatest(scores: Sequence[int]) -> tuple[int, ...]:
    """The seats with the greatest score: several if they share it."""
    most = max(scores)
    return tuple([seat for seat, score in enumerate(scores) if score == most])


def ruling(
    name: str, meaning: str, values: Mapping[Any, str], *on: type[Event], when: When[Any] | None = None
) -> Callable[[Touched[Any]], Option]:
    """Turns a condition into a ruling: ``@ruling("min_bid", "the lowest bid", {0: "A bid may be 0.", ...}, Bid)``.

    The condition says where another value could make a difference; each of the `values`, the default first, has what it
    means in a sentence.
    """

    def make(touched: Touched[Any]) -> Option:
        kept, sentences = tuple(values), tuple(values.values())
        return Option(name, "ruling", kept, meaning, on=on, touched=touched, when=when, sentences=sentences)

    return make


def a_player(value: Any, opening: Any) -> bool:
    """Whether an option's value names one of the players."""
    return value in opening.players


def a_count(value: Any, _opening: Any) -> bool:
    """Whether an option's value is a whole number from 1 to the greatest that a record can hold."""
    return type(value) is int and 1 <= value <= GREATEST


def deal_out(players: Sequence[str], tiles: Sequence[Tile], share: int, random: Random) -> Sequence[Deal]:
    """A hand of `share` of these tiles for each of these players; no hand at all if there are too few tiles."""
    if len(tiles) < share * len(players):
        return ()
    shuffled = list(tiles)
    random.shuffle(shuffled)
    hands = [shuffled[n * share : (n + 1) * share] for n in range(len(players))]
    return [
        Deal(player, tuple(sorted(hand, key=lambda tile: tile.index)))
        for player, hand in zip(players, hands, strict=True)
    ]
