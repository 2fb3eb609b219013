"""How well causes explain finished games with one slip each: every kind, every rule set, open and hidden hands.

``python tests/slip_trials.py`` prints the tables, also for slips that touch several events; ``--help`` lists what else
it can do.
"""

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ledger.audit.review import Review
from ledger.audit.slip.causes import Cause, Proposed
from ledger.audit.slip.slip_search import corrected, explain
from ledger.audit.slip.trials import Key, key_of
from ledger.games import catalog
from ledger.keep.stored_audits import audit_in
from ledger.record.events import ACTS, actor
from ledger.record.record import Record, effective
from ledger.rules.game import GRAVE
from planted_slips import KINDS, LIKELY, OF_SEVERAL, Planted, acts, plant

ALL = (*KINDS, *OF_SEVERAL)


class Trial(NamedTuple):
    """What was found in one record: `true` is the place of the true correction among the proposals, from 1; 0 if none.

    `clears` says whether the first proposal leaves nothing wrong.  `before` counts the findings before the slip,
    `innocent` the players who are accused and had no part in it.
    """

    game: str
    kind: str
    seed: int
    causes: int
    true: int
    clears: bool
    before: int
    innocent: int
    seconds: float


def wrong(record: Record) -> set[Key]:
    """The keys of a record's breaches and impossible findings."""
    return {key_of(finding) for finding in Review(record).report.findings if finding.verdict in GRAVE}


def wrong_after(record: Record, corrections: Iterable[Proposed]) -> set[Key]:
    """What is still wrong after these corrections."""
    return wrong(corrected(record, corrections))


def is_true(slip: Planted, corrections: Iterable[Proposed]) -> bool:
    """Whether these corrections make the acts and the heading what they really were."""
    events = effective(corrected(slip.record, corrections).events).events
    return (acts(events), _heading(events[0])) == (acts(slip.truth), _heading(slip.truth[0]))


def _heading(opening: Any) -> object:
    """The seats, and the options with their defaults: the first player is the first seat's."""
    read = catalog.find(opening.game).opening(opening)
    facts = {option.name for option in catalog.find(opening.game).options if option.kind == "fact"}
    options = {
        name: read.players[0] if value is None and name in facts else value for name, value in read.options.items()
    }
    return read.edition, read.players, options


def trials(games: Sequence[str], kinds: Sequence[str], seeds: Sequence[int]) -> Iterator[Trial]:
    """Explains a game for each of these, if the slip can be seen in it."""
    for kind in kinds:
        for game in games:
            for seed in seeds:
                slip = plant(game, kind, seed)
                trial = slip and explained(game, kind, seed, slip)
                if trial:
                    yield trial


def explained(game: str, kind: str, seed: int, slip: Planted) -> Trial | None:
    """What its causes say of a record; None if nothing is wrong in it."""
    review = Review(slip.record)
    findings = [finding for finding in review.report.findings if finding.verdict in GRAVE]
    if not findings:
        return None
    begin = time.process_time()
    explain(review)
    seconds = time.process_time() - begin
    causes = review.report.causes or ()
    first = (*causes, Cause((), ()))[0]
    places = [
        place
        for place, repair in enumerate(first.repairs, 1)
        if any(is_true(slip, repair.made(n)) for n in range(len(repair.choices) or 1))
    ]
    clears = bool(first.repairs) and not wrong_after(slip.record, first.repairs[0].made())
    before = sum(finding.seq < slip.seq for finding in findings)
    innocent = _accused(review, slip) - _guilty(slip)
    return Trial(game, kind, seed, len(causes), (*places, 0)[0], clears, before, len(innocent), seconds)


def _accused(review: Review, slip: Planted) -> set[str | None]:
    """The players who are counted as authors of mistakes; for a slip of one event, only of those that are explained."""
    causes, rows = review.report.causes or (), audit_in(review).causes or ()
    return {row.player for row, cause in zip(rows, causes, strict=True) if cause.repairs or not slip.seq} - {None}


def _guilty(slip: Planted) -> set[str | None]:
    """The players with an act that was written down wrongly."""
    if slip.seq:
        return {
            actor(event) for events in (slip.record.events, slip.truth) for event in events[slip.seq : slip.seq + 2]
        }
    here, there = ([event for event in events if type(event) in ACTS] for events in (slip.record.events, slip.truth))
    written, really = Counter(map(repr, here)), Counter(map(repr, there))
    return {actor(event) for event in (*here, *there) if written[repr(event)] != really[repr(event)]} | {
        actor(one) for one, other in zip(here, there, strict=False) if one != other
    }


def tables(found: Sequence[Trial]) -> str:
    """The tables, in Markdown."""
    by_kind: dict[str, list[Trial]] = defaultdict(list)
    for trial in found:
        by_kind[trial.kind].append(trial)
    lines = [
        "| kind | shown | true among three | first | clears | one mistake | accuses an innocent |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    lines += [_row(kind, by_kind[kind]) for kind in by_kind]
    for name, some in (
        ("likely kinds", [trial for trial in found if trial.kind in LIKELY]),
        ("others", [trial for trial in found if trial.kind not in LIKELY]),
        ("all", found),
    ):
        lines += [_row(name, some)] if some else []
    causes, seconds = sorted(trial.causes for trial in found), sorted(trial.seconds for trial in found)
    lines += [
        "",
        f"causes a record: median {_at(causes, 0.5)}, 95 % {_at(causes, 0.95)}, most {causes[-1]}",
        f"seconds of CPU: median {_at(seconds, 0.5):.3f}, 95 % {_at(seconds, 0.95):.3f}, most {seconds[-1]:.2f}",
        f"findings before the slip: {sum(trial.before for trial in found)}",
        "",
        "| game | " + " | ".join(by_kind) + " |",
        "| --- |" + " --- |" * len(by_kind),
    ]
    for game in dict.fromkeys(trial.game for trial in found):
        counts = Counter((trial.kind, bool(trial.true)) for trial in found if trial.game == game)
        cells = (f"{counts[kind, True]} of {counts[kind, True] + counts[kind, False]}" for kind in by_kind)
        lines.append(f"| {game} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _row(name: str, some: Sequence[Trial]) -> str:
    columns = (
        [bool(trial.true) for trial in some], [trial.true == 1 for trial in some], [trial.clears for trial in some],
        [trial.causes == 1 for trial in some], [bool(trial.innocent) for trial in some],
    )  # fmt: skip
    shares = (f"{sum(column)} ({100 * sum(column) / len(some):.1f} %)" for column in columns)
    return f"| {name} | {len(some)} | {' | '.join(shares)} |"


def _at(values: Sequence[float], share: float) -> float:
    return values[min(len(values) - 1, int(share * len(values)))]


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40, help="games of each rule set with a slip of each kind")
    parser.add_argument("--first", type=int, default=0, help="the first of their seeds")
    parser.add_argument("--game", choices=catalog.built_in(), action="append", help="only this rule set")
    parser.add_argument("--kind", choices=ALL, action="append", help="only this kind of slip")
    parser.add_argument("--missed", action="store_true", help="list the games whose slip was not found")
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + asked.games)
    found = list(trials(asked.game or catalog.built_in(), asked.kind or ALL, seeds))
    print(tables(found))  # noqa: T201  it is what this command is for
    for trial in found if asked.missed else ():
        if not trial.true or trial.before or trial.innocent or trial.causes > 1:
            print(*trial)  # noqa: T201


if __name__ == "__main__":
    main()
