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
from typing import Any, NamedTuple

from msgspec.structs import replace

from ledger.audit.judge import Judgement, judge
from ledger.audit.judge.versions import LISTS, Name, Version
from ledger.audit.replay import advance
from ledger.record.events import Deal, Draw, Event, Place
from ledger.record.record import Effective
from ledger.record.tiles import NAMED, Tile
from ledger.rules.game import GRAVE, Fault, Finding, Game, Judged, Opening, Step
from ledger.rules.shared_clauses import touches

ONCE = "tiles.once"
"""The clause that finds a tile that is named twice."""
MOST_DOUBLES = 40
"""Tiles named twice, up to which a record is read again without them: each costs a replay for each earlier name."""
MOST = 8
"""How many acts that name a tile a second time are looked into."""


class Reading(NamedTuple):
    """What the clauses say of a record if some names are not believed, and its last state then."""

    judgement: Judgement
    end: Any

    def wrong(self, doubtful: Collection[int]) -> int:
        """How many findings say that something is wrong, but for those about these events."""
        return wrong(self.judgement.findings, doubtful)


class Pair(NamedTuple):
    """The two names of a tile, and the record without the first, as far as it was replayed to find that."""

    first: Name
    second: Name
    without_first: Version | None


def wrong(findings: Iterable[Finding], doubtful: Collection[int]) -> int:
    """How many of these findings say that something is wrong, but for those about these events."""
    return sum([finding.verdict in GRAVE and finding.seq not in doubtful for finding in findings])


def reread(game: Game[Any], opening: Opening, played: Effective, plain: Reading) -> Reading:
    """The reading of a record that may name tiles twice; `plain` is the one that believes each first name."""
    if not plain.judgement.findings:
        return plain
    doubles = sum(finding.clause == ONCE for finding in plain.judgement.findings)
    drawn = Deal not in game.events and Draw in played.by_type and _drawn_again(played.events)
    # A record that names tiles twice again and again is confused throughout: no reading would settle it.
    if not (doubles or drawn) or doubles > MOST_DOUBLES or not plain.wrong(()):
        return plain
    reading, doubtful = plain, set[int]()
    version = Version(game, opening, played.entries)
    for _ in range(MOST):
        pairs = _next_pairs(version, reading.judgement, doubtful)
        if not pairs:
            break
        doubtful |= {version.entries[name.place].seq for pair in pairs for name in (pair.first, pair.second)}
        reading, version = _settled(version, reading, pairs, doubtful)
    return reading


def _settled(
    version: Version, plain: Reading, pairs: Sequence[Pair], doubtful: Collection[int]
) -> tuple[Reading, Version]:
    """The reading without the names of these pairs that the rest of the record does not settle, and its version."""
    plain.judgement.findings += _drawn_twice(version, pairs, plain.judgement.findings)
    without_first = pairs[0].without_first if len(pairs) == 1 else None
    without_first = without_first or version.without({pair.first for pair in pairs})
    second_right = _reading(without_first, plain.judgement, doubtful)
    wrong_as_written, wrong_without_first = plain.wrong(doubtful), second_right.wrong(doubtful)
    if bool(wrong_as_written) != bool(wrong_without_first):
        return (second_right, without_first) if wrong_as_written else (plain, version)
    fewest = min(wrong_as_written, wrong_without_first)
    without_both = without_first.without({pair.second for pair in pairs})
    neither = _reading(without_both, plain.judgement, doubtful)
    if neither.wrong(doubtful) <= fewest:
        return neither, without_both
    return (second_right, without_first) if wrong_without_first == fewest else (plain, version)


def _drawn_twice(version: Version, pairs: Iterable[Pair], findings: Iterable[Finding]) -> Iterator[Judged]:
    """The findings about tiles that are named twice, where the clauses find nothing at either name."""
    found = {finding.seq for finding in findings if finding.verdict in GRAVE}
    for first, second, _version in pairs:
        (first_seq, _event), (seq, event) = version.entries[first.place], version.entries[second.place]
        if type(event) is Draw and not found & {first_seq, seq}:
            sentence = f"The {event.tile} was drawn already"
            yield Judged(seq, ONCE, "impossible", event.player, claimed=str(event.tile), sentence=sentence)


def _reading(version: Version, plain: Judgement, doubtful: Collection[int]) -> Reading:
    """The reading of this version.  What was found at the `doubtful` events stays as `plain` has it."""
    game, all_steps = version.game, version.steps
    evidence = game.holdings(all_steps) if game.holdings else {}
    judgement = judge(game, all_steps, evidence, plain.touched)
    judgement.findings = [
        *[finding for finding in plain.findings if finding.seq in doubtful],
        *[finding for finding in judgement.findings if finding.seq not in doubtful],
    ]
    return Reading(judgement, all_steps[-1].after)


def _drawn_again(events: Iterable[Event]) -> bool:
    """Whether a tile is drawn that was drawn or laid before."""
    seen = set[int]()
    for event in events:
        if isinstance(event, Place | Draw):
            if event.tile.index in seen and type(event) is Draw:
                return True
            seen.add(event.tile.index)
    return False


# ── Which names are the two ────────────────────────────────────────────────────────────────────────────────


def _next_pairs(version: Version, judgement: Judgement, doubtful: Collection[int]) -> list[Pair]:
    """The two names of the tile, or tiles, that the next act names a second time; none if no more act does."""
    seqs = {finding.seq for finding in judgement.findings if finding.clause == ONCE and finding.seq not in doubtful}
    # Where no hands are dealt, tiles are drawn for good: one that is drawn was neither drawn nor laid before.
    drawn_for_good = Deal not in version.game.events
    judged = {
        step.seq: step
        for step in judgement.steps
        if step.seq in seqs or (drawn_for_good and type(step.event) is Draw and step.seq not in doubtful)
    }
    out_of_the_pile: dict[int, int] = {}
    for place, (seq, event) in enumerate(version.entries if judged else ()):
        first = place
        if drawn_for_good and isinstance(event, Place | Draw):
            first = out_of_the_pile.setdefault(event.tile.index, place)
        if seq not in judged:
            continue
        if seq in seqs:
            pairs = list(_pairs(version, place, judged[seq]))
            if pairs:
                return pairs
        elif first < place:
            return [Pair(Name(first, 0), Name(place, 0), None)]
        del judged[seq]
        if not judged:
            break
    return []


def _pairs(version: Version, place: int, step: Step) -> Iterator[Pair]:
    """The two names of each tile that this act names a second time, as the clauses say.  `step` is that of the act.

    An act that is written twice is one act, with one name.
    """
    event: Any = step.event
    if type(event) in LISTS and any(entry.event == event for entry in version.entries[:place]):
        return
    tiles, faults = touches(event), _once(version.game, step)
    claimed = {NAMED[text].index for fault in faults for text in str(fault.claimed).split(", ") if text in NAMED}
    vague = len(claimed) > len(faults)
    for number, tile in enumerate(tiles):
        here = [Name(place, other) for other, same in enumerate(tiles[:number]) if same.index == tile.index]
        if here:
            yield Pair(here[0], Name(place, number), None)
        elif tile.index in claimed and not (vague and _has_no_part(version.game, step, number, faults)):
            first = _first_name(version, place, faults, tile)
            if first is not None:
                yield Pair(first[0], Name(place, number), first[1])


def _first_name(version: Version, last: int, faults: Sequence[Fault], tile: Tile) -> tuple[Name, Version] | None:
    """The earlier name that gives the act at the place `last` these faults about this tile, and the record without it.

    None if there is none.
    """
    game, entries = version.game, version.entries
    for place in range(last - 1, 0, -1):
        event: Any = entries[place].event
        if "tile" not in event.__struct_fields__ and type(event) not in LISTS:
            continue
        for number, other in enumerate(touches(event)):
            if other.index == tile.index:
                name = Name(place, number)
                without = version.without([name])
                seq, act = entries[last]
                before = without.before(last)
                if _once(game, Step(seq, act, before, advance(game, before, act))) != faults:
                    return name, without
    return None


def _has_no_part(game: Game[Any], step: Step, number: int, faults: Sequence[Fault]) -> bool:
    """Whether an act that names several tiles would give the same faults, in the same words, without one of them."""
    event: Any = step.event
    fewer = step._replace(event=replace(event, tiles=(*event.tiles[:number], *event.tiles[number + 1 :])))
    return [fault.message for fault in _once(game, fewer)] == [fault.message for fault in faults]


def _once(game: Game[Any], step: Step) -> list[Fault]:
    """What an act names twice; nothing if it changes nothing, so that it is the act before."""
    _seq, event, before, after = step
    if after is before:
        return []
    clauses = [clause for clause in game.clauses if clause.id == ONCE and type(event) in clause.on]
    return [fault for clause in clauses for fault in clause.faults(before, event, after)]
