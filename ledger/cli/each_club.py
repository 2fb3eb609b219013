"""`audit`, `verify` and `backup` of a folder of clubs: all of them, on all cores or a cluster, a line for each."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from ledger.bulk.auditing import Format, Input, audit_chunk
from ledger.bulk.executors import cluster as cluster_at
from ledger.bulk.executors import cores, processes
from ledger.cli.exits import FAULT, FINDING, REFUSED, status_of
from ledger.cli.ledger_access import sentences
from ledger.cli.terminal import echo, progress
from ledger.keep.club_folder import clubs_in
from ledger.keep.stored_audits import compare_audits
from ledger.proof.log_head import CheckResult, add_differences, check
from ledger.record.errors import LedgerError
from ledger.record.words import plural
from ledger.stores.store import SqliteStore

CLUSTER = click.option("--cluster", metavar="ADDRESS", help="For a folder of clubs: run on a Dask cluster.")


class Summary(NamedTuple):
    """What became of a club: its line without its name, and the exit status."""

    line: str
    status: int


def each_club(path: str, work: Callable[[Path], Summary], cluster: str | None, jobs: int | None = None) -> None:
    """Does something with each club of a folder, and prints a line for each; the worst status ends the command."""
    files = clubs_in(Path(path).resolve())
    if not files:
        raise click.ClickException(f"there is no club in {path}: make one with `domino-ledger new-club`")
    crew = cluster_at(cluster) if cluster else processes(min(jobs or cores(), len(files)))
    worst = 0
    with crew as run:
        for file, summary in progress(run(partial(_tried, work), files), "clubs", len(files)):
            echo(f"{file.stem}: {summary.line}")
            worst = max(worst, summary.status)
    if worst:
        click.get_current_context().meta[FAULT] = worst


def _tried(work: Callable[[Path], Summary], file: Path) -> Summary:
    """One club: a damaged one stops no other."""
    try:
        return work(file)
    except (LedgerError, OSError, click.ClickException) as error:
        message = error.message if isinstance(error, click.ClickException) else sentences(error)
        return Summary(" ".join(message.split()), status_of(error))


def audit_club(file: Path) -> Summary:
    """Audits all records of a club."""
    verdicts = Counter[str]()
    for part in Input(str(file), ()).chunks():
        verdicts.update(result.verdict for result in audit_chunk(Format(), part))
    parts = "".join(f", {count:,} {verdict}" for verdict, count in sorted(verdicts.items()))
    broken = REFUSED * bool(verdicts["corrupt"] or verdicts["no record"])
    found = FINDING * bool(verdicts["breach"] or verdicts["impossible"])
    return Summary(plural(verdicts.total(), "record") + parts, broken or found)


def verify_club(file: Path, *, audits: bool) -> Summary:
    """Checks that nothing of a club was changed or lost; with `audits`, also what its audits say."""
    with SqliteStore(file) as store:
        result = check(store)
        if audits:
            result = add_differences(result, filter(None, compare_audits(store, store.ids())))
    return checked(result)


def checked(result: CheckResult) -> Summary:
    """What the check of a club found."""
    size = f"{plural(result.log_head.size, 'event')} in {plural(result.records, 'record')}"
    reasons = "".join(f"; {corruption.record} {corruption.reason}" for corruption in result.corruptions[:1])
    state = "corrupt" if result.corruptions else "intact"
    return Summary(f"{state}, {size}, {result.log_head}{reasons}", FINDING * bool(result.corruptions))
