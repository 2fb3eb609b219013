"""Acts that a recorder may have forgotten, as corrections to try, and where each may have stood.

An act is missed by the first event that it makes wrong, and that event comes soon after it, as a rule.  But a domino
that was taken up and is nowhere was laid down as soon as it was taken, and a tile that is short was drawn when the hand
had room for it, however much later that shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, zip_longest
from operator import itemgetter
from random import Random
from typing import Any

from msgspec.structs import replace

from ledger.audit.slip.causes import OPPOSITE, Insertion, InsertionForm, Proposed, Unfilled, from_the_other_half, laid
from ledger.audit.slip.slip_case import AFTER, NEAR, PER_ACT, PER_FAR_ACT, Case, Family, Priced
from ledger.audit.slip.trials import Trials
from ledger.record.event_words import in_words
from ledger.record.events import ACTS, Aside, Correctable, Draw, Lift, Over, Place, actor, kind
from ledger.record.record import Entry
from ledger.record.squares import beside
from ledger.record.tiles import Tile
from ledger.record.words import listed, listed_or
from ledger.rules.game import Finding

_ACTS = frozenset(ACTS)
_DRAWN = (Draw, Over)

FORGOTTEN, SOONER = 1.0, 0.05
"""What a forgotten act costs, and how much less it costs where the tile itself shows the place."""
SAME_TILE = 6
"""How many other acts with the same tile are tried before those with other tiles."""
FARTHER = 2
"""How many acts away the same forgotten act is tried."""


def forgotten(case: Case) -> Iterator[Priced]:
    """Acts that may be missing, with their prices: the game's choices at a place, draws, and the end of a hand."""
    trials, findings, first, asked = case.trials, case.findings, case.first, case.tiles
    as_usual, latest = _usual_way(trials), _before_the_end_of_its_hand(trials, first)
    yield FORGOTTEN - SOONER, _laid_down_at_once(trials, findings, latest, as_usual)
    yield FORGOTTEN - SOONER, _drawn_when_due(trials, latest, asked)
    away = 0.0
    for place in range(latest, 0, -1):
        yield FORGOTTEN + away, _choices_at(trials, place, as_usual)
        yield FORGOTTEN + away, _drawn_at(trials, place, asked)
        if _acts(trials.entries[place - 1]):
            away += PER_ACT if away < NEAR * PER_ACT else PER_FAR_ACT
    yield FORGOTTEN + AFTER, _left_over(trials, findings, first)


def elsewhere(trials: Trials, correction: Proposed) -> Iterator[Insertion]:
    """The same forgotten act, where else it may have stood: the likeliest first."""
    if not isinstance(correction, Insertion):
        return
    place, entries = trials.place_of(correction), trials.entries
    acts = [other for other, entry in enumerate(entries) if _acts(entry)]
    sooner, later = [other for other in acts if other < place][::-1], [other for other in acts if other > place]
    if type(correction.event) is Lift:  # several are taken up in a row, and most often the first is missed
        sooner = sorted(sooner[:NEAR], key=lambda other: type(entries[other - 1].event) is Lift)
    for other in chain.from_iterable(zip_longest(sooner[:FARTHER], later[:FARTHER])):
        if other is not None:
            yield Insertion(entries[other].seq, correction.event)


# ── Where it stood ─────────────────────────────────────────────────────────────────────────────────────────


def _before_the_end_of_its_hand(trials: Trials, place: int) -> int:
    """The place, or the place of tiles set aside just before it: after them nothing is played in that hand."""
    while Aside in trials.game.closing and place > 1 and type(trials.entries[place - 1].event) is Aside:
        place -= 1
    return place


def _laid_down_at_once(
    trials: Trials, findings: Sequence[Finding], latest: int, as_usual: Callable[[Correctable], Correctable]
) -> Family:
    """Places for the domino of a finding, directly after the act before it that took this domino up."""
    entries, tried = trials.entries, set[int]()
    for finding in findings:
        found = trials.places.get(finding.seq, 0)
        tile = _tile(entries[found])
        named = (place for place in range(found - 1, 0, -1) if _tile(entries[place]) == tile)
        lifted = 0 if tile is None else next(named, 0)
        if 0 < lifted < latest - 1 and lifted not in tried and type(entries[lifted].event) is Lift:
            tried.add(lifted)
            yield from _choices_at(trials, lifted + 1, as_usual, tile)


def _acts(entry: Entry) -> bool:
    return type(entry.event) in _ACTS


def _tile(entry: Entry) -> int | None:
    """The index of the tile that an event names, if it names one."""
    tile: Tile | None = getattr(entry.event, "tile", None)
    return None if tile is None else tile.index


def _drawn_when_due(trials: Trials, latest: int, asked: Sequence[Tile]) -> Family:
    """Draws of these tiles at the first of the places up to here at which one was due all the time."""
    due, place = _due(trials, latest), latest
    while due and place > 1 and _due(trials, place - 1):
        place -= 1
    for event in _due(trials, place) if place < latest else ():
        for tile in asked:
            yield (Insertion(trials.entries[place].seq, replace(event, tile=tile)),)


def _due(trials: Trials, place: int) -> list[Any]:
    """The draws that the shuffle would give at a place."""
    simulation, state = trials.game.simulation, trials.steps[place].before
    if simulation is None or state.ended or not any(kind in trials.game.events for kind in _DRAWN):
        return []
    return [event for event in simulation.chance(state, Random(0)) if type(event) in _DRAWN]  # noqa: S311  no secret


# ── What it was ────────────────────────────────────────────────────────────────────────────────────────────


def _usual_way(trials: Trials) -> Callable[[Correctable], Correctable]:
    """A function that writes a domino from the half from which this record writes most that lie like it."""
    ways = Counter(entry.event.dir for entry in trials.entries if type(entry.event) is Place)

    def as_usual(event: Correctable) -> Correctable:
        rare = type(event) is Place and ways[event.dir] < ways[OPPOSITE[event.dir]]
        return from_the_other_half(event) if rare else event  # type: ignore[arg-type]  # then it is a place

    return as_usual


def _choices_at(
    trials: Trials, place: int, as_usual: Callable[[Correctable], Correctable], tile: int | None = None
) -> Family:
    """The legal acts at a place, or those with one tile; each once, however it may be written."""
    game, seq, seen = trials.game, trials.entries[place].seq, set[object]()
    if game.choices is None:
        return
    for choice in game.choices(trials.steps[place].before):
        act = laid(choice)
        if act not in seen and (tile is None or _tile(Entry(seq, choice)) == tile):
            seen.add(act)
            yield (Insertion(seq, as_usual(choice)),)


def _drawn_at(trials: Trials, place: int, asked: Sequence[Tile]) -> Family:
    """Draws of the tiles that the findings are about, before a place."""
    seq, players = trials.entries[place].seq, trials.review.opening.players
    for drawn in _DRAWN:
        if drawn in trials.game.events:
            for tile in asked:
                for player in players:
                    yield (Insertion(seq, drawn(player, tile)),)


def _left_over(trials: Trials, findings: Sequence[Finding], first: int) -> Family:
    """Tiles set aside soon after the first finding: they say that a hand is over, if hands are hidden."""
    if Aside not in trials.game.closing:
        return
    seq = trials.entries[first].seq
    players = dict.fromkeys(finding.player for finding in findings if finding.seq == seq)
    for place in range(first + 1, min(first + 1 + NEAR, len(trials.entries))):
        for player in players:
            yield (Insertion(trials.entries[place].seq, Aside((), player=player)),)


def equals(case: Case, insertion: Insertion) -> Iterator[Correctable]:
    """The acts of the same type and player that could stand in its place: those most like it first."""
    event, tile = insertion.event, unknown_of(insertion.event)
    counted, ranked = Counter({tile: -SAME_TILE}), list[tuple[int, Correctable]]()
    for choice in case.choices_like(event, case.trials.place_of(insertion)):
        unknown = unknown_of(choice)
        counted[unknown] += 1
        in_its_place = -SAME_TILE if unknown == tile else 0
        ranked.append((in_its_place if _there(choice) == _there(event) else counted[unknown], choice))
    yield from (choice for _rank, choice in sorted(ranked, key=itemgetter(0)))


def _there(event: Any) -> object:
    """Where an act puts its tile: two squares, or a stack."""
    if type(event) is Place:
        return frozenset((event.at, beside(event.at, event.dir)))
    return getattr(event, "stack", None)


def forgotten_form(corrections: Sequence[Proposed]) -> InsertionForm | None:
    """One forgotten act, and nothing else: where it stood, its type and its player."""
    (first, *others) = corrections
    if others or not isinstance(first, Insertion):
        return None
    return InsertionForm(first.before, Unfilled(kind(first.event), actor(first.event)))


def unknown_of(event: Correctable) -> object:
    """What nobody knows of a forgotten act, if it is open: its tile, or its number."""
    tile: Tile | None = getattr(event, "tile", None)
    return tile.index if tile is not None else getattr(event, "bid", None)


def forgotten_in_words(trials: Trials, corrections: Sequence[Proposed]) -> str:
    """What was forgotten, and where."""
    insertions = [one for one in corrections if isinstance(one, Insertion)]
    events = [f"“{in_words(one.event, trials.review.names, trials.review.squares)}”" for one in insertions]
    return f"{listed(events)} {'were' if len(events) > 1 else 'was'} forgotten before move {insertions[0].before}"


def choices_in_words(trials: Trials, form: InsertionForm, choices: Sequence[Correctable], would_be: str) -> str:
    """What was forgotten, if it is open: ``A tile of Ben's was forgotten before move 4: which one?``, and what fits."""
    names = trials.review.names
    whose = f" of {names[form.event.player]}'s" if form.event.player else ""
    tiles = dict.fromkeys(str(tile) for choice in choices if (tile := getattr(choice, "tile", None)))
    what = ("tile" if tiles else form.event.type) + whose
    fit = listed_or(tiles or dict.fromkeys(str(getattr(choice, "bid", choice)) for choice in choices))
    question = f"{'A' if what[0] not in 'aeiou' else 'An'} {what} was forgotten before move {form.before}: which one?"
    return f"{question} With {fit}, {would_be}."
