"""How well causes explain finished games with one slip each: every kind, every rule set, open and hidden hands.

``python tests/slip_trials.py`` prints the tables for 1,600 games; ``--help`` lists what else it can do.
"""

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ledger.audit.review import Review
from ledger.audit.slip.causes import Cause, Proposed, Repair
from ledger.audit.slip.slip_search import corrected, explain
from ledger.audit.slip.trials import Key, key_of
from ledger.games import catalog
from ledger.keep.stored_audits import audit_in
from ledger.record.events import actor
from ledger.record.record import Record, effective
from ledger.rules.game import GRAVE
from planted_slips import KINDS, LIKELY, Planted, acts, plant


class Trial(NamedTuple):
    """What was found in one record: `true` is the place of the true correction among the proposals, from 1; 0 if none.

    `before` counts the findings before the slip, `innocent` the players counted as authors who had no part in it.
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
    """Whether these corrections make the acts what they really were."""
    return acts(effective(corrected(slip.record, corrections).events).events) == acts(slip.truth)


def trials(games: Sequence[str], kinds: Sequence[str], seeds: Sequence[int]) -> Iterator[Trial]:
    """Explains a game for each of these, if the slip can be seen in it."""
    for kind in kinds:
        for game in games:
            for seed in seeds:
                slip = plant(game, kind, seed)
                trial = slip and _explained(game, kind, seed, slip)
                if trial:
                    yield trial


def _explained(game: str, kind: str, seed: int, slip: Planted) -> Trial | None:
    review = Review(slip.record)
    findings = [finding for finding in review.report.findings if finding.verdict in GRAVE]
    if not findings:
        return None
    begin = time.process_time()
    explain(review)
    seconds = time.process_time() - begin
    first, causes = _most(review), review.report.causes or ()
    places = [
        place
        for place, repair in enumerate(first.repairs, 1)
        if any(is_true(slip, repair.made(n)) for n in range(len(repair.choices) or 1))
    ]
    clears = bool(first.repairs) and not wrong_after(slip.record, first.repairs[0].made())
    before = sum(finding.seq < slip.seq for finding in findings)
    return Trial(game, kind, seed, len(causes), (*places, 0)[0], clears, before, len(_innocent(review, slip)), seconds)


def _choices(repair: Repair) -> range:
    return range(len(repair.choices) or 1)


def _most(review: Review) -> Cause:
    return (review.report.causes or (Cause((), ()),))[0]


def _innocent(review: Review, slip: Planted) -> set[str | None]:
    """The players who are counted as authors of explained mistakes without having a part in the slip."""
    causes, rows = review.report.causes or (), audit_in(review).causes or ()
    authors = {row.player for row, cause in zip(rows, causes, strict=True) if cause.repairs}
    seen = {actor(event) for event in slip.record.events[slip.seq : slip.seq + 2]}
    return authors - seen - {actor(event) for event in slip.truth[slip.seq : slip.seq + 2]} - {None}


def tables(found: Sequence[Trial]) -> str:
    """The tables, in Markdown."""
    by_kind: dict[str, list[Trial]] = defaultdict(list)
    for trial in found:
        by_kind[trial.kind].append(trial)
    lines = [
        "| kind | shown | true among three | first | clears | one mistake |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    lines += [_row(kind, by_kind[kind]) for kind in KINDS if kind in by_kind]
    likely = [trial for trial in found if trial.kind in LIKELY]
    for name, some in (
        ("likely kinds", likely),
        ("others", [t for t in found if t.kind not in LIKELY]),
        ("all", found),
    ):
        lines += [_row(name, some)] if some else []
    causes, seconds = sorted(trial.causes for trial in found), sorted(trial.seconds for trial in found)
    lines += [
        "",
        f"causes a record: median {_at(causes, 0.5)}, 95 % {_at(causes, 0.95)}, most {causes[-1]}",
        f"seconds of CPU: median {_at(seconds, 0.5):.3f}, 95 % {_at(seconds, 0.95):.3f}, most {seconds[-1]:.2f}",
        f"findings before the slip: {sum(trial.before for trial in found)}",
        f"authors who had no part in it: {sum(trial.innocent for trial in found)}",
        "",
        "| game | " + " | ".join(kind for kind in KINDS if kind in by_kind) + " |",
        "| --- |" + " --- |" * len(by_kind),
    ]
    for game in dict.fromkeys(trial.game for trial in found):
        counts = Counter((t.kind, bool(t.true)) for t in found if t.game == game)
        cells = (f"{counts[k, True]} of {counts[k, True] + counts[k, False]}" for k in KINDS if k in by_kind)
        lines.append(f"| {game} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _row(name: str, some: Sequence[Trial]) -> str:
    def share(count: int) -> str:
        return f"{count} ({100 * count / len(some):.1f} %)"

    true, first = sum(bool(trial.true) for trial in some), sum(trial.true == 1 for trial in some)
    clears, one = sum(trial.clears for trial in some), sum(trial.causes == 1 for trial in some)
    return f"| {name} | {len(some)} | {share(true)} | {share(first)} | {share(clears)} | {share(one)} |"


def _at(values: Sequence[float], share: float) -> float:
    return values[min(len(values) - 1, int(share * len(values)))]


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40, help="games of each rule set with a slip of each kind")
    parser.add_argument("--first", type=int, default=0, help="the first of their seeds")
    parser.add_argument("--game", choices=catalog.built_in(), action="append", help="only this rule set")
    parser.add_argument("--kind", choices=KINDS, action="append", help="only this kind of slip")
    parser.add_argument("--missed", action="store_true", help="list the games whose slip was not found")
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + asked.games)
    found = list(trials(asked.game or catalog.built_in(), asked.kind or KINDS, seeds))
    print(tables(found))  # noqa: T201  it is what this command is for
    for trial in found if asked.missed else ():
        if not trial.true or trial.before or trial.innocent or trial.causes > 1:
            print(*trial)  # noqa: T201


if __name__ == "__main__":
    main()
