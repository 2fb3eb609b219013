"""Names in doubt: if a record names one tile twice, one of the two names is wrong, and nobody knows which.

A table sees the tile that is named first, and an unknown one where it is named again.  But the audit knows the whole
record, so it need not believe the first name.  It replays the record with an unknown tile in the place of a name in
doubt, and judges the acts by that.  The states of the record itself stay as they are.

The rest of the record may settle which name is right: if no act is a breach when one of them is believed, and some act
is one when the other is.

Source: the rules' README, "Two equal names: both are doubtful".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from msgspec.structs import replace

from ledger.audit.judge import Judgement, judge, judge_record
from ledger.audit.replay import steps, steps_to_judge
from ledger.record.events import Aside, Correctable, Deal, Draw, Layout, Place
from ledger.record.record import Effective, Entry
from ledger.record.tiles import NAMED, Tile, in_doubt
from ledger.rules.game import GRAVE, Fault, Finding, Game, Opening, Step
from ledger.rules.shared_clauses import touches

ONCE = "tiles.once"
"""The clause that finds a tile that is named twice."""
MOST_DOUBLES = 40
"""Tiles named twice, up to which a record is read again without them: each costs a replay for each earlier name."""
MOST = 8
"""How many acts that name a tile a second time are looked into."""
MOST_TILES = 400
"""At least as many as the tiles of two of them."""
_LISTS = (Aside, Deal, Layout)
"""The acts that name several tiles."""


class Name(NamedTuple):
    """One of the tiles that an event names: the event's place among the entries, and the number of the tile in it."""

    place: int
    number: int


class Reading(NamedTuple):
    """What the clauses say of a record if some names are not believed, and its last state then."""

    judgement: Judgement
    end: Any

    def wrong(self, doubtful: Collection[int]) -> int:
        """How many findings say that something is wrong, but for those about these events."""
        return sum(finding.verdict in GRAVE and finding.seq not in doubtful for finding in self.judgement.findings)


def reread(game: Game[Any], opening: Opening, played: Effective, plain: Reading) -> Reading:
    """The reading of a record that may name tiles twice; `plain` is the one that believes each first name."""
    if not plain.judgement.findings:
        return plain
    doubles = sum(finding.clause == ONCE for finding in plain.judgement.findings)
    drawn = Deal not in game.events and Draw in played.kinds
    # A record that names tiles twice again and again is confused throughout: no reading would settle it.
    if not (doubles or drawn) or doubles > MOST_DOUBLES or not plain.wrong(()):
        return plain
    reading, doubtful = plain, set[int]()
    for _ in range(MOST):
        before = _Before(game, opening, played)
        pairs = _next_pairs(before, reading.judgement, doubtful)
        if not pairs:
            break
        doubtful |= {played.seqs[name.place] for pair in pairs for name in pair}
        reading, entries = _settled(before, reading, pairs, doubtful)
        played = _effective(entries)
    return reading


class _Before:
    """The states before events of a record, without those between; each is worked out once."""

    def __init__(self, game: Game[Any], opening: Opening, played: Effective) -> None:
        self.game, self.opening, self.played = game, opening, played
        self._known: dict[int, Any] = {0: None}

    def __call__(self, place: int) -> Any:
        """The state before the event at this place; None for the first."""
        if place not in self._known:
            nearest = max(known for known in self._known if known < place)
            until = _effective(self.played.entries[:place])
            _steps, state = steps_to_judge(self.game, self.opening, until, set(), nearest, self._known[nearest])
            self._known[place] = state
        return self._known[place]


def _settled(
    before: _Before, plain: Reading, pairs: Sequence[tuple[Name, Name]], doubtful: Collection[int]
) -> tuple[Reading, Sequence[Entry]]:
    """The reading without the names of these pairs that the rest of the record does not settle, and its entries."""
    entries, findings = before.played.entries, plain.judgement.findings
    findings += _drawn_twice(entries, pairs, findings)
    firsts = {first for first, _second in pairs}
    without_firsts = _masked(entries, firsts, len(doubtful))
    second_right = _without(before, without_firsts, min(firsts).place, plain.judgement, doubtful)
    accuses = plain.wrong(doubtful), second_right.wrong(doubtful)
    if 0 in accuses and any(accuses):
        return (second_right, without_firsts) if accuses[0] else (plain, entries)
    without_both = _masked(entries, {name for pair in pairs for name in pair}, len(doubtful))
    neither = _without(before, without_both, min(firsts).place, plain.judgement, doubtful)
    readings = (neither, without_both), (second_right, without_firsts), (plain, entries)
    return min(readings, key=lambda reading: reading[0].wrong(doubtful))


def _drawn_twice(
    entries: Sequence[Entry], pairs: Iterable[tuple[Name, Name]], findings: Iterable[Finding]
) -> Iterator[Finding]:
    """The findings about tiles that are named twice, where the clauses find nothing at either name."""
    found = {finding.seq for finding in findings if finding.verdict in GRAVE}
    for first, second in pairs:
        (first_seq, _event), (seq, event) = entries[first.place], entries[second.place]
        if type(event) is Draw and not found & {first_seq, seq}:
            message = f"The {event.tile} was drawn already"
            yield Finding(seq, ONCE, "impossible", event.player, claimed=str(event.tile), message=message)


def _without(
    before: _Before, masked: Sequence[Entry], first: int, plain: Judgement, doubtful: Collection[int]
) -> Reading:
    """The reading of these entries; they are masked from the place `first` on.

    What was found at the doubtful events stays as it was.
    """
    if len(plain.steps) == len(masked):
        judgement, end = _every_step(before, masked, first, plain)
    else:
        judgement, end = _with_stride(before, masked, first, plain)
    judgement.findings = [
        *[finding for finding in plain.findings if finding.seq in doubtful],
        *[finding for finding in judgement.findings if finding.seq not in doubtful],
    ]
    return Reading(judgement, end)


def _with_stride(before: _Before, masked: Sequence[Entry], first: int, plain: Judgement) -> tuple[Judgement, Any]:
    """The judgement of these entries, and the last state; up to the first that was masked the steps are the same."""
    game, opening, played = before.game, before.opening, _effective(masked)
    changed = {entry.seq for entry in masked[first:]}
    to_judge, end = steps_to_judge(game, opening, played, plain.touched, first, before(first))
    to_judge = [*takewhile(lambda step: step.seq not in changed, plain.steps), *to_judge]
    if game.holdings is not None and game.holdings(to_judge):
        return judge_record(game, opening, played, plain.touched)
    return judge(game, to_judge, {}, plain.touched, Judgement(game, to_judge, plain.touched, played)), end


def _every_step(before: _Before, masked: Sequence[Entry], first: int, plain: Judgement) -> tuple[Judgement, Any]:
    """The same if every event was judged.

    The steps up to the first that was masked need no judging if nothing was found there and hands prove the same.
    """
    game, same = before.game, plain.steps[:first]
    all_steps = [*same, *steps(game, before.opening, masked[first:], plain.steps[first].before)]
    evidence = dict(game.holdings(all_steps)) if game.holdings else {}
    judgement = Judgement(game, all_steps, plain.touched)
    faulted = {finding.seq for finding in plain.findings}
    if any(step.seq in faulted or evidence.get(step.seq) != plain.evidence.get(step.seq) for step in same):
        first = 0
    return judge(game, all_steps[first:], evidence, plain.touched, judgement), all_steps[-1].after


def _effective(entries: Iterable[Entry]) -> Effective:
    """These entries as what a record says happened."""
    seqs, events = zip(*entries, strict=True)
    return Effective(events, seqs, frozenset(map(type, events)))


def _masked(entries: Sequence[Entry], names: Collection[Name], least: int) -> list[Entry]:
    """The entries with an unknown tile in the place of each of these names, with numbers from `least`."""
    masked = list(entries)
    for number, name in enumerate(sorted(names), least * MOST_TILES):
        seq, event = masked[name.place]
        masked[name.place] = Entry(seq, _with_tile(event, name.number, number))
    return masked


def _with_tile(event: Any, place: int, number: int) -> Correctable:
    """The event with the unknown tile of that number in the place of one of its tiles."""
    tiles: list[Tile] = list(touches(event))
    tiles[place] = in_doubt(tiles[place], number)
    if type(event) in _LISTS:
        return replace(event, tiles=tuple(tiles))  # type: ignore[no-any-return]  # an event like it
    return replace(event, tile=tiles[place])  # type: ignore[no-any-return]


# ── Which names are the two ────────────────────────────────────────────────────────────────────────────────


def _next_pairs(before: _Before, judgement: Judgement, doubtful: Collection[int]) -> list[tuple[Name, Name]]:
    """The two names of the tile, or tiles, that the next act names a second time; none if no more act does."""
    seqs = {finding.seq for finding in judgement.findings if finding.clause == ONCE and finding.seq not in doubtful}
    # Where no hands are dealt, tiles are drawn for good: one that is drawn was neither drawn nor laid before.
    drawn_for_good = Deal not in before.game.events
    # No stride consumes the draw of such a tile.
    judged = {
        step.seq: step
        for step in judgement.steps
        if step.seq in seqs or (drawn_for_good and type(step.event) is Draw and step.seq not in doubtful)
    }
    out_of_the_pile: dict[int, int] = {}
    played = before.played
    for place, (seq, event) in enumerate(zip(played.seqs, played.events, strict=True) if judged else ()):
        first = place
        if drawn_for_good and isinstance(event, Place | Draw):
            first = out_of_the_pile.setdefault(event.tile.index, place)
        if seq not in judged:
            continue
        if seq in seqs:
            pairs = list(_pairs(before, place, judged[seq]))
            if pairs:
                return pairs
        elif first < place:
            return [(Name(first, 0), Name(place, 0))]
        del judged[seq]
        if not judged:
            break
    return []


def _pairs(before: _Before, place: int, step: Step) -> Iterator[tuple[Name, Name]]:
    """The two names of each tile that this act names a second time, as the clauses say.  `step` is that of the act.

    An act that is written twice is one act, with one name.
    """
    event: Any = step.event
    if type(event) in _LISTS and any(entry.event == event for entry in before.played.entries[:place]):
        return
    tiles, faults = touches(event), _once(before.game, step)
    claimed = {NAMED[text].index for fault in faults for text in str(fault.claimed).split(", ") if text in NAMED}
    for number, tile in enumerate(tiles):
        here = [Name(place, other) for other, same in enumerate(tiles[:number]) if same.index == tile.index]
        if here:
            yield here[0], Name(place, number)
        elif tile.index in claimed:
            first = _first_name(before, place, faults, tile)
            if first is not None:
                yield first, Name(place, number)


def _first_name(before: _Before, last: int, faults: Sequence[Fault], tile: Tile) -> Name | None:
    """The earlier name that gives the act at the place `last` these faults about this tile; None if there is none."""
    entries = before.played.entries
    for place in range(last - 1, 0, -1):
        event: Any = entries[place].event
        if "tile" not in event.__struct_fields__ and type(event) not in _LISTS:
            continue
        for number, other in enumerate(touches(event)):
            if other.index == tile.index:
                name = Name(place, number)
                masked = _effective(_masked(entries[: last + 1], [name], MOST))
                judged, _state = steps_to_judge(before.game, before.opening, masked, set(), place, before(place))
                # No clause finds fault with an act that a stride consumes.
                again = _once(before.game, judged[-1]) if judged[-1].seq == entries[last].seq else []
                if again != faults:
                    return name
    return None


def _once(game: Game[Any], step: Step) -> list[Fault]:
    """What an act names twice; nothing if it changes nothing, so that it is the act before."""
    _seq, event, before, after = step
    if after is before:
        return []
    clauses = [clause for clause in game.clauses if clause.id == ONCE and type(event) in clause.on]
    return [fault for clause in clauses for fault in clause.faults(before, event, after)]
