"""A claim that was miscounted, with the claims that carry its difference: one slip, and no act was wrong.

Source: the rules' README, "One cause, explained".
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

from msgspec.structs import replace

from ledger.audit.report_in_a_sentence import mistake_at, was_or_were
from ledger.audit.slip.causes import Amendment, Proposed
from ledger.audit.slip.slip_case import Case, Family, Priced
from ledger.audit.slip.trials import Trials
from ledger.record import event_words
from ledger.record.events import CLAIMS, Cheats, Place, Result, Score, Take
from ledger.record.words import listed
from ledger.rules.game import Finding

MISCOUNTED, CARRIED, LINES = 0.0, 0.01, 0.1
"""What a wrong claim costs: less than any act, for no act is blamed if claims alone explain as much."""
MOST_COLUMNS = 4
"""Players whose columns of scores are tried in every order."""
MOST_FIELDS = 3
"""How many things may be wrong in one claim, if each shows only when the one before is right."""

_CLAIMS = frozenset(CLAIMS)
_LATER = {Result: "the result", Take: "the piles"}
"""What is changed to match a claim, unless it is totals."""


def claims(case: Case) -> Iterator[Priced]:
    """The first claim as it should have been: alone, with the later ones less its difference, and with what follows."""
    corrected = _righted(case, case.first)
    if corrected is None:
        return
    only, carried = {case.first: corrected}, _carried(case, case.first, corrected)
    scores = [
        n for n, entry in enumerate(case.entries) if getattr(entry.event, "scope", "") == "hand" and n > case.first
    ]
    in_its_hand = {place: event for place, event in carried.items() if not scores or place <= scores[0]}
    tried = list[dict[int, Any]]()
    for events in (only, only | carried, only | in_its_hand):
        tried += [more for more in (events, events | _followed(case, events)) if more not in tried]
    for number, events in enumerate(tried):
        yield MISCOUNTED + CARRIED * number, case.amends(events)


def score_lines(case: Case) -> Iterator[Priced]:
    """All scores from the first wrong one on with columns of players exchanged, or each written a line too late."""
    lines = {n: entry.event for n, entry in enumerate(case.entries) if n >= case.first and type(entry.event) is Score}
    if case.first in lines and len(case.players) <= MOST_COLUMNS:
        for order in permutations(case.players):
            column = dict(zip(case.players, order, strict=True))
            columns = {n: {column[who]: had for who, had in event.points.items()} for n, event in lines.items()}
            yield LINES, _lines_as(case, columns)
        later = [(n, m) for n in lines for m in lines if n < m and lines[n].scope == lines[m].scope]
        yield LINES, _lines_as(case, {n: lines[m].points for n, m in reversed(later)})


def _lines_as(case: Case, points: Mapping[int, Mapping[str, int]]) -> Family:
    """The correction that puts these points into these scores, and what follows from them as it should be."""
    events = {n: replace(case.event(n), points=had) for n, had in points.items()}
    for _ in range(MOST_FIELDS if case.amend(events) else 0):
        before = dict(events)
        for key, finding in (case.trials.found(case.amend(events)) or {}).items():
            place = case.trials.places.get(key[0], 0)
            if type(case.event(place)) in (Score, Result) and place > max(points):
                events[place] = _claimed(events.get(place, case.event(place)), finding)
        if events == before:
            break
    yield case.amend(events)


def _righted(case: Case, place: int) -> Any:
    """The claim at a place as its findings expect it; None if they expect nothing else."""
    seq, event = case.entries[place].seq, case.event(place)
    corrected, findings = event, [*case.findings]
    for _ in range(MOST_FIELDS):
        before = corrected
        for finding in findings:
            corrected = _claimed(corrected, finding) if finding.seq == seq else corrected
        if corrected == before:
            break
        after = case.trials.found([Amendment(seq, corrected)]) or {}
        findings = [finding for key, finding in after.items() if key not in case.trials.wrong]
    return None if corrected == event else corrected


def _carried(case: Case, place: int, corrected: Any) -> dict[int, Any]:
    """The later totals, less the difference that they carry on."""
    was, less = case.event(place), dict[int, Any]()
    if isinstance(was, Score):
        off = {player: points - corrected.points[player] for player, points in was.points.items()}
    elif isinstance(was, Cheats):
        off = dict.fromkeys(case.players, was.count - corrected.count)
    else:
        off = {was.player: (was.points or 0) - (corrected.points or 0)} if isinstance(was, Place) else {}
    for later in range(place + 1, len(case.entries)) if any(off.values()) else ():
        event = case.event(later)
        if isinstance(event, Score) and event.scope == "game":
            less[later] = replace(event, points={who: points - off.get(who, 0) for who, points in event.points.items()})
        elif isinstance(event, Cheats):
            less[later] = replace(event, count=event.count - max(off.values()))
    return {later: event for later, event in less.items() if event != case.event(later)}


def _followed(case: Case, corrected: Mapping[int, Any]) -> dict[int, Any]:
    """What was called because of these claims: who won, and after a pile that was miscounted the score of its hand."""
    followed, of_a_pile = dict[int, Any](), type(case.event(case.first)) is Take
    for place in case.places:
        event = case.event(place)
        of_its_hand = of_a_pile and type(event) in _CLAIMS and case.hand(place) == case.hand(case.first)
        if place > case.first and place not in corrected and (type(event) is Result or of_its_hand):
            righted = _righted(case, place)
            if righted is not None:
                followed |= {place: righted, **_carried(case, place, righted)}
    return followed


def _claimed(event: Any, finding: Finding) -> Any:
    """A claim with the value that a finding expects."""
    if finding.expected is None or finding.claimed is None:
        return event
    if type(event) is Score and finding.player in event.points:
        return replace(event, points={**event.points, finding.player: finding.expected})
    claimed, expected = (tuple(one) if isinstance(one, list) else one for one in (finding.claimed, finding.expected))
    names = event.__struct_fields__ if type(event) in _CLAIMS else ("points",) if type(event) is Place else ()
    wrong = [name for name in names if getattr(event, name) == claimed and type(getattr(event, name)) is type(claimed)]
    return replace(event, **dict.fromkeys(wrong[:1], expected))


# ── In words ───────────────────────────────────────────────────────────────────────────────────────────────


def lines_in_words(trials: Trials, corrections: Sequence[Proposed]) -> str:
    """What was wrong with all scores: ``the scores from move 31 on stood in the wrong columns``."""
    (was, now), *_others = trials.amended(corrections)
    moved = "in the wrong columns" if sorted(was.points.values()) == sorted(now.points.values()) else "a line too low"
    return f"the scores from move {trials.begin(corrections)} on stood {moved}"


def claims_in_words(trials: Trials, corrections: Sequence[Proposed]) -> str:
    """What these corrections say was called: ``the score of hand 1 was 12 for Ana, not 13``."""
    (place, now), *others = ((trials.place_of(one), one.event) for one in corrections if isinstance(one, Amendment))
    review, was = trials.review, trials.entries[place].event
    called, verb = mistake_at(review, place), was_or_were(was)
    later = dict.fromkeys(_LATER.get(type(event), "the totals") for _place, event in others)
    matching = f", and {listed(later)} after it were changed to match" if later else ""
    if isinstance(was, Score) and isinstance(now, Score):
        wrong = [player for player in was.points if was.points[player] != now.points[player]]
        numbers = [f"{now.points[player]} for {review.names[player]}, not {was.points[player]}" for player in wrong]
        return f"{called} {verb} {listed(numbers)}{matching}"
    if isinstance(was, Place) and isinstance(now, Place):
        return f"{called} scored {now.points}, not {was.points}{matching}"
    return f"{called} {verb} “{event_words.in_words(now, review.names)}”{matching}"
