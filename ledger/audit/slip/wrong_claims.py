"""A claim that was miscounted, with the claims that carry its difference: one slip, and no act was wrong.

Source: the rules' README, "One cause, explained".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ledger.audit.report_in_a_sentence import mistake_at, was_or_were
from ledger.audit.slip.causes import Amendment, Proposed
from ledger.audit.slip.slip_case import Case, Priced
from ledger.audit.slip.trials import Trials
from ledger.record import event_words
from ledger.record.events import CLAIMS, Cheats, Place, Result, Score, Take
from ledger.record.words import listed
from ledger.rules.game import Finding

MISCOUNTED, CARRIED = 0.0, 0.01
"""What a wrong claim costs: less than any act, for no act is blamed if claims alone explain as much."""
MOST_FIELDS = 3
"""How many things may be wrong in one claim, if each shows only when the one before is right."""

_CLAIMS = frozenset(CLAIMS)


def claims(case: Case) -> Iterator[Priced]:
    """The first claim as it should have been: alone, with the later ones less its difference, and with what follows."""
    corrected = _righted(case, case.first)
    if corrected is None:
        return
    only = {case.first: corrected}
    carried = {**only, **_carried(case, case.first, corrected)}
    in_its_hand = {place: event for place, event in carried.items() if place <= _next_score(case, case.first)}
    tried = list[dict[int, Any]]()
    for events in (only, carried, in_its_hand):
        for more in (events, {**events, **_followed(case, case.first, events)}):
            if more not in tried:
                tried.append(more)
    for number, events in enumerate(tried):
        corrections = tuple(Amendment(case.entries[place].seq, events[place]) for place in sorted(events))
        yield MISCOUNTED + CARRIED * number, iter([corrections])


def _next_score(case: Case, place: int) -> int:
    """The place of the next score of a hand."""
    scores = (n for n in range(place + 1, len(case.entries)) if getattr(case.event(n), "scope", "") == "hand")
    return next(scores, len(case.entries))


def _righted(case: Case, place: int) -> Any:
    """The claim at a place as its findings expect it; None if they expect nothing else."""
    seq, event = case.entries[place].seq, case.event(place)
    corrected, findings = event, [finding for finding in case.findings if finding.seq == seq]
    for _ in range(MOST_FIELDS):
        before = corrected
        for finding in findings:
            corrected = _claimed(corrected, finding)
        if corrected == before:
            break
        added = case.trials.added([Amendment(seq, corrected)])
        findings = [finding for finding in added if finding.seq == seq]
    return None if corrected == event else corrected


def _carried(case: Case, place: int, corrected: Any) -> dict[int, Any]:
    """The later totals, less the difference that they carry on."""
    was, later = case.event(place), range(place + 1, len(case.entries))
    if isinstance(was, Score):
        off = {player: points - corrected.points[player] for player, points in was.points.items()}
    elif isinstance(was, Place):
        off = {was.player: (was.points or 0) - (corrected.points or 0)}
    elif isinstance(was, Cheats):
        off = dict.fromkeys(case.players, was.count - corrected.count)
    else:
        return {}
    totals = {other: case.event(other) for other in later}
    less: dict[int, Any] = {
        other: replace(event, points={player: points - off.get(player, 0) for player, points in event.points.items()})
        for other, event in totals.items()
        if type(event) is Score and event.scope == "game"
    }
    if Cheats in case.game.events and (shared := set(off.values())):
        cheats = {other: event for other, event in totals.items() if type(event) is Cheats}
        less |= {other: replace(event, count=event.count - max(shared)) for other, event in cheats.items()}
    return {other: event for other, event in less.items() if event != totals[other]}


def _followed(case: Case, place: int, carried: Mapping[int, Any]) -> dict[int, Any]:
    """What was called because of these claims: who won, and after a pile that was miscounted the score of its hand."""
    followed = dict[int, Any]()
    for other in case.places:
        event = case.event(other)
        of_its_hand = type(case.event(place)) is Take and case.hand(other) == case.hand(place)
        if other > place and other not in carried and type(event) in _CLAIMS:
            righted = _righted(case, other) if type(event) is Result or of_its_hand else None
            if righted is not None:
                followed |= {other: righted, **_carried(case, other, righted)}
    return followed


def _claimed(event: Any, finding: Finding) -> Any:
    """A claim with the value that a finding expects."""
    if finding.expected is None or finding.claimed is None:
        return event
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


# ── In words ───────────────────────────────────────────────────────────────────────────────────────────────


def claims_in_words(trials: Trials, corrections: Sequence[Proposed]) -> str:
    """What these corrections say was called: ``the score of hand 1 was 12 for Ana, not 13``."""
    (place, now), *others = ((trials.place_of(one), one.event) for one in corrections if isinstance(one, Amendment))
    review, was = trials.review, trials.entries[place].event
    called, verb = mistake_at(review, place), was_or_were(was)
    later = dict.fromkeys("the result" if type(event) is Result else "the totals" for _place, event in others)
    matching = f", and {listed(later)} after it were changed to match" if later else ""
    if isinstance(was, Score) and isinstance(now, Score):
        wrong = [player for player in was.points if was.points[player] != now.points[player]]
        numbers = [f"{now.points[player]} for {review.names[player]}, not {was.points[player]}" for player in wrong]
        return f"{called} {verb} {listed(numbers)}{matching}"
    if isinstance(was, Place) and isinstance(now, Place):
        return f"{called} scored {now.points}, not {was.points}{matching}"
    return f"{called} {verb} “{event_words.in_words(now, review.names)}”{matching}"
