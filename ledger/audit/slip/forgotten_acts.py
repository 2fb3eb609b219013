"""Acts that a recorder may have forgotten, as corrections to try, and where each may have stood.

An act is missed by the first event that it makes wrong, and that event comes soon after it, as a rule.  But a domino
that was taken up and is nowhere was laid down as soon as it was taken, however much later that shows.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from msgspec.structs import replace

from ledger.audit.replay import advance
from ledger.audit.slip.causes import Insertion, InsertionForm, Proposed, Unfilled, laid
from ledger.audit.slip.slip_case import Case, Family, Priced, price_of_distance, tile_of
from ledger.audit.slip.trials import Trials
from ledger.record.event_words import in_words
from ledger.record.events import Aside, Correctable, Draw, Lift, Over, Place, actor, kind
from ledger.record.squares import beside
from ledger.record.words import listed, listed_or

_DRAWN = (Draw, Over)

FORGOTTEN, SOONER, A_ROUND = 1.0, 0.05, 1.2
"""What a forgotten act costs, and how much less it costs where the tile itself shows the place."""
SAME_TILE = 6
"""How many other acts with the same tile are tried before those with other tiles."""
MOST_ROUNDS = 60
"""How many rounds are tried at one place."""


def forgotten(case: Case) -> Iterator[Priced]:
    """Acts that may be missing, with their prices: the game's choices at a place, and draws."""
    latest = _before_the_end_of_its_hand(case)
    yield FORGOTTEN - SOONER, _laid_down_at_once(case, latest)
    acts = [place for place in case.acts if place < latest]
    for place in range(latest, 0, -1):
        away = price_of_distance(len(acts) - bisect_left(acts, place))
        yield FORGOTTEN + away, _missing_at(case, place)


def round_forgotten(case: Case) -> Iterator[Priced]:
    """An act of each player, one after the other: a round in which nothing was written down."""
    for place in range(case.first, 0, -1) if case.game.choices and len(case.players) > 1 else ():
        away = price_of_distance(bisect_left(case.acts, case.first) - bisect_left(case.acts, place))
        yield A_ROUND + away, _rounds_at(case, place)


def _rounds_at(case: Case, place: int) -> Family:
    """Rounds with tiles that the record names nowhere else in that hand; none if too many would fit."""
    hand, rounds = case.hand(place - 1), [(list[Correctable](), case.trials.steps[place].before)]
    choices, named = case.game.choices, {tile_of(case.event(n)) for n in case.acts if case.hand(n) == hand} - {None}
    assert choices  # noqa: S101  the game says what is legal
    for _player in case.players:
        longer = []
        for acts, state in rounds:
            gone = named | {tile_of(act) for act in acts}
            fresh = [one for one in choices(state) if tile_of(one) not in gone and actor(one) not in map(actor, acts)]
            new = {laid(one): one for one in fresh}
            case.trials.budget.spend(len(new))
            longer += [([*acts, one], advance(case.game, state, one)) for one in new.values()]
        if len(longer) > MOST_ROUNDS:
            return
        rounds = longer
    for acts, _state in rounds:
        yield tuple(Insertion(case.entries[place].seq, act) for act in acts)


# ── Where it stood, and what it was ────────────────────────────────────────────────────────────────────────


def _before_the_end_of_its_hand(case: Case) -> int:
    """The place of the first finding, or that of tiles set aside just before it: after them nothing is played."""
    place = case.first
    while Aside in case.game.closing and place > 1 and type(case.event(place - 1)) is Aside:
        place -= 1
    return place


def _inserted(case: Case, place: int, events: Iterable[Correctable]) -> Family:
    """Each of these acts before a place, once, however it may be written."""
    seen = set[object]()
    for event in events:
        if laid(event) not in seen:
            seen.add(laid(event))
            yield (Insertion(case.entries[place].seq, _as_it_lies(case, event)),)


def _missing_at(case: Case, place: int) -> Family:
    """The legal acts at a place, and draws of the tiles that the findings are about."""
    yield from _inserted(case, place, case.choices(place))
    kinds = [drawn for drawn in _DRAWN if drawn in case.game.events]
    draws = (drawn(who, tile) for drawn in kinds for tile in case.tiles for who in case.players)
    yield from _inserted(case, place, draws)


def _as_it_lies(case: Case, event: Any) -> Correctable:
    """The act; one that takes up a tile names it as it was laid down, whichever half comes first."""
    if type(event) is not Lift:
        return event  # type: ignore[no-any-return]  # an act
    laid_down = (case.event(place) for place in case.acts if type(case.event(place)) is Place)
    return next((replace(event, tile=one.tile) for one in laid_down if one.tile.index == event.tile.index), event)


def _laid_down_at_once(case: Case, latest: int) -> Family:
    """A domino of a finding, laid directly after the act that took it up, if no act names it after that."""
    for tile in case.tiles:
        named = [place for place in case.acts if place < latest - 1 and tile_of(case.event(place)) == tile.index]
        if named and type(case.event(named[-1])) is Lift:
            choices = (choice for choice in case.choices(named[-1] + 1) if tile_of(choice) == tile.index)
            yield from _inserted(case, named[-1] + 1, choices)


# ── Others in its place ────────────────────────────────────────────────────────


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
    return getattr(event, "bid", None) if tile_of(event) is None else tile_of(event)


# ── In words ───────────────────────────────────────────────────────────────────────────────────────────────


def forgotten_in_words(trials: Trials, corrections: Sequence[Proposed]) -> str:
    """What was forgotten, and where."""
    insertions = [one for one in corrections if isinstance(one, Insertion)]
    words = [f"“{in_words(one.event, trials.review.names, trials.review.squares)}”" for one in insertions]
    before = trials.review.called(insertions[0].before)
    if len(words) == 1:
        return f"{words[0]} was forgotten before {before}"
    return f"a round was forgotten before {before} (which one? {listed(words)} would fit)"


def choices_in_words(trials: Trials, form: InsertionForm, choices: Sequence[Correctable], would_be: str) -> str:
    """What was forgotten, if it is open: ``A tile of Ben's was forgotten before move 4: which one?``, and what fits."""
    names = trials.review.names
    whose = f" of {names[form.event.player]}'s" if form.event.player else ""
    tiles = dict.fromkeys(str(tile) for choice in choices if (tile := getattr(choice, "tile", None)))
    what = ("tile" if tiles else form.event.type) + whose
    fit = listed_or(tiles or dict.fromkeys(str(getattr(choice, "bid", choice)) for choice in choices))
    before = trials.review.called(form.before)
    question = f"{'A' if what[0] not in 'aeiou' else 'An'} {what} was forgotten before {before}: which one?"
    return f"{question} With {fit}, {would_be}."
