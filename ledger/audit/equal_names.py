"""Names in doubt: if a record names one tile twice, one of the two names is wrong, and nobody knows which.

A table sees the tile that is named first, and an unknown one where it is named again.  But the audit knows the whole
record, so it need not believe the first name.  It replays the record with an unknown tile in the place of a name in
doubt, and judges the acts by that.  The states of the record itself stay as they are.

The rest of the record may settle which name is right: if no act is a breach when one of them is believed, and some act
is one when the other is.

Source: the rules' README, "Two equal names: both are doubtful".
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from ledger.audit.judge import Judgement, judge
from ledger.audit.replay import steps
from ledger.record.events import Aside, Correctable, Deal, Draw, Event, Layout, Lift, Place
from ledger.record.record import Effective, Entry
from ledger.record.tiles import NAMED, Tile, in_doubt
from ledger.rules.game import GRAVE, Fault, Finding, Game, Judged, Opening, Step
from ledger.rules.shared_clauses import touches

ONCE = "tiles.once"
"""The clause that finds a tile that is named twice."""
LISTS = (Aside, Deal, Layout)
"""The acts that name several tiles."""
MOST_DOUBLES = 40
"""Tiles named twice, up to which a record is read again without them: each costs a replay for each earlier name."""
MOST = 8
"""How many acts that name a tile a second time are looked into."""


class Name(NamedTuple):
    """One of the tiles that an event names: the event's place among the entries, and the number of the tile in it."""

    place: int
    number: int


class Pair(NamedTuple):
    """The two names of a tile."""

    first: Name
    second: Name


class Version(NamedTuple):
    """A version of a record: its `entries`, in which so many names are `unknown`."""

    game: Game[Any]
    opening: Opening
    entries: Sequence[Entry]
    unknown: int = 0

    def without(self, names: Collection[Name]) -> "Version":
        """The version in which these names are unknown, too."""
        entries = list(self.entries)
        for number, name in enumerate(sorted(names), self.unknown):
            entry = entries[name.place]
            entries[name.place] = Entry(entry.seq, _with_unknown(entry.event, name.number, number))
        return self._replace(entries=entries, unknown=self.unknown + len(names))


def _with_unknown(event: Any, place: int, number: int) -> Correctable:
    """The event with the unknown tile of that number in the place of one of its tiles."""
    tiles: list[Tile] = list(touches(event))
    tiles[place] = in_doubt(tiles[place], number)
    if type(event) in LISTS:
        return replace(event, tiles=tuple(tiles))  # type: ignore[no-any-return]  # an event like it
    return replace(event, tile=tiles[place])  # type: ignore[no-any-return]


def reread(game: Game[Any], opening: Opening, played: Effective, plain: Judgement) -> Judgement:
    """The judgement of a record that may name tiles twice; `plain` is the one that believes each first name."""
    if not plain.findings:
        return plain
    doubles = sum(finding.clause == ONCE for finding in plain.findings)
    drawn = Deal not in game.events and Draw in played.by_type and _drawn_again(played.events)
    # A record that names tiles twice again and again is confused throughout: no reading would settle it.
    if not (doubles or drawn) or doubles > MOST_DOUBLES or not _wrong(plain, ()):
        return plain
    judgement, doubtful = plain, set[int]()
    version = Version(game, opening, played.entries)
    for _ in range(MOST):
        pairs = _next_pairs(version, judgement, doubtful)
        if not pairs:
            break
        doubtful |= {seq for pair in pairs for seq in _about(version, pair)}
        judgement, version = _settled(version, judgement, pairs, doubtful)
    return judgement


def _about(version: Version, pair: Pair) -> Iterator[int]:
    """The seqs of the two acts that name a tile, and of those that lift it in between."""
    tile = touches(version.entries[pair.second.place].event)[pair.second.number]
    yield from (version.entries[name.place].seq for name in pair)
    for entry in version.entries[pair.first.place : pair.second.place]:
        if isinstance(entry.event, Lift) and entry.event.tile.index == tile.index:
            yield entry.seq


def _settled(
    version: Version, plain: Judgement, pairs: Sequence[Pair], doubtful: Collection[int]
) -> tuple[Judgement, Version]:
    """The judgement without the names of these pairs that the rest of the record does not settle, and its version."""
    plain.findings += _drawn_twice(version, pairs, plain.findings)
    without_first = version.without({pair.first for pair in pairs})
    second_right = _judged(without_first, plain, doubtful)
    wrong_as_written, wrong_without_first = _wrong(plain, doubtful), _wrong(second_right, doubtful)
    if bool(wrong_as_written) != bool(wrong_without_first):
        return (second_right, without_first) if wrong_as_written else (plain, version)
    fewest = min(wrong_as_written, wrong_without_first)
    without_both = without_first.without({pair.second for pair in pairs})
    neither = _judged(without_both, plain, doubtful)
    if _wrong(neither, doubtful) <= fewest:
        return neither, without_both
    return (second_right, without_first) if wrong_without_first == fewest else (plain, version)


def _wrong(judgement: Judgement, doubtful: Collection[int]) -> int:
    """How many findings say that something is wrong, but for those about these events."""
    return sum(finding.verdict in GRAVE and finding.seq not in doubtful for finding in judgement.findings)


def _drawn_twice(version: Version, pairs: Iterable[Pair], findings: Iterable[Finding]) -> Iterator[Judged]:
    """The findings about tiles that are named twice, where the clauses find nothing at either name."""
    found = {finding.seq for finding in findings if finding.verdict in GRAVE}
    for first, second in pairs:
        seq, event = version.entries[second.place].seq, version.entries[second.place].event
        if type(event) is Draw and not found & {version.entries[first.place].seq, seq}:
            sentence = f"The {event.tile} was drawn already"
            yield Judged(seq, ONCE, "impossible", event.player, claimed=str(event.tile), sentence=sentence)


def _judged(version: Version, plain: Judgement, doubtful: Collection[int]) -> Judgement:
    """The judgement of this version.  What was found at the `doubtful` events stays as `plain` has it."""
    game, all_steps = version.game, list(steps(version.game, version.opening, version.entries))
    judgement = judge(game, all_steps, game.holdings(all_steps) if game.holdings else {}, plain.touched)
    judgement.findings = [
        *[finding for finding in plain.findings if finding.seq in doubtful],
        *[finding for finding in judgement.findings if finding.seq not in doubtful],
    ]
    return judgement


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
    out_of_the_pile: dict[int, int] = {}
    for place, step in enumerate(judgement.steps):
        event, first = step.event, place
        if drawn_for_good and isinstance(event, Place | Draw):
            first = out_of_the_pile.setdefault(event.tile.index, place)
        if step.seq in seqs:
            pairs = list(_pairs(version, place, step))
            if pairs:
                return pairs
        elif first < place and type(event) is Draw and step.seq not in doubtful:
            return [Pair(Name(first, 0), Name(place, 0))]
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
            yield Pair(here[0], Name(place, number))
        elif tile.index in claimed and not (vague and _has_no_part(version.game, step, number, faults)):
            first = _first_name(version, place, faults, tile)
            if first is not None:
                yield Pair(first, Name(place, number))


def _first_name(version: Version, last: int, faults: Sequence[Fault], tile: Tile) -> Name | None:
    """The earlier name that gives the act at the place `last` these faults about this tile; None if there is none."""
    for place in range(last - 1, 0, -1):
        event: Any = version.entries[place].event
        if "tile" not in event.__struct_fields__ and type(event) not in LISTS:
            continue
        for number, other in enumerate(touches(event)):
            if other.index == tile.index:
                name = Name(place, number)
                without = version.without([name]).entries[: last + 1]
                *_, step = steps(version.game, version.opening, without)
                if _once(version.game, step) != faults:
                    return name
    return None


def _has_no_part(game: Game[Any], step: Step, number: int, faults: Sequence[Fault]) -> bool:
    """Whether an act that names several tiles would give the same faults, in the same words, without one of them."""
    event: Any = step.event
    fewer = replace(step, event=replace(event, tiles=(*event.tiles[:number], *event.tiles[number + 1 :])))
    return [fault.message for fault in _once(game, fewer)] == [fault.message for fault in faults]


def _once(game: Game[Any], step: Step) -> list[Fault]:
    """What an act names twice; nothing if it changes nothing, so that it is the act before."""
    if step.after is step.before:
        return []
    clauses = [clause for clause in game.clauses if clause.id == ONCE and type(step.event) in clause.on]
    return [fault for clause in clauses for fault in clause.faults(step.before, step.event, step.after)]
