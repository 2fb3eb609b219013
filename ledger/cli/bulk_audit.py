"""The bulk audit behind `audit`: in several processes or on a cluster, to the terminal or into a resumable file."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from ledger.bulk.chunks import Plan, Position, require_repeatable
from ledger.bulk.crew import Crew, Done, alone, fitting_jobs
from ledger.bulk.output import Output
from ledger.bulk.work import Format, Result, audit_chunk_to_send
from ledger.cli.ledger_access import echo_bytes, is_file, ledger_at, ledger_for, resolve, say_set_aside, say_unlisted
from ledger.cli.terminal import Bar, echo, is_dumb, wrapped
from ledger.record.later import later
from ledger.record.words import plural

with later():
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from ledger.bulk.cluster import Cluster

FEW = 12
"""Up to this many records, clean ones get a line too."""
COLOURS = {"breach": "red", "impossible": "magenta", "unproven": "yellow"}


class Bulk:
    """An audit of the inputs on the command line, in `jobs` processes or on a cluster.

    With `jobs` None, a large input gets a process per core.  With `brief`, only the first few clean records get a line.
    """

    def __init__(
        self,
        ledger: str,
        names: tuple[str, ...],
        format_: Format,
        *,
        brief: bool,
        jobs: int | None,
        cluster: str | None,
    ) -> None:
        self._ledger, self._names, self._format, self._brief = ledger, with_full_ids(ledger, names), format_, brief
        self._jobs, self._cluster = jobs, cluster
        self._verdicts: Counter[str] = Counter()

    def to_terminal(self) -> Counter[str]:
        """Prints each result in order; returns the number of each verdict."""
        plan = Plan(self._ledger, self._names, apart=self._cluster is not None)
        try:
            with self._run(plan, Position()) as batches:
                for _task, results in with_progress(batches, plan):
                    self._print(results)
        finally:
            plan.close()
        return self._verdicts

    def to_file(self, path: Path, *, resume: bool) -> Counter[str]:
        """Writes the reports to a file; returns the number of each verdict.

        Raises NotForNow for an interrupted audit that you do not resume, or that cannot be resumed.
        """
        with Output(path) as out:
            state = out.interrupted() if resume else None
            apart, upto = self._cluster is not None, state.upto if state else None
            plan = Plan(self._ledger, self._names, upto=upto, apart=apart)
            try:
                if resume:
                    require_repeatable(plan)
                start = out.begin(plan.digest, plan.upto, resume=resume)
                self._verdicts.update(out.state.verdicts)
                with self._run(plan, start) as batches:
                    for _task, results in with_progress(out.write(batches), plan):
                        self._print(result._replace(text=b"", clean=True) for result in results)
            except KeyboardInterrupt:
                advice = "continue with --resume" if plan.repeatable else f"delete {path}.part to start over"
                echo(f"{path} is not complete yet: {advice}", err=True)
                raise
            finally:
                plan.close()
            out.finish()
        return self._verdicts

    @contextmanager
    def _run(self, plan: Plan, start: Position) -> Iterator[Iterator[Done]]:
        if self._cluster is not None:
            with Cluster(self._cluster) as cluster:
                yield cluster.run(plan.tasks(start), self._current_format)
        elif (jobs := self._jobs or fitting_jobs(plan.weight, forks=plan.without_ledger)) > 1:
            with Crew(jobs, audit_chunk_to_send, forks=plan.without_ledger) as crew:
                batches = crew.run(plan.tasks(start), self._current_format)
                yield ((task, [Result(*sent) for sent in results]) for task, results in batches)
        else:
            yield alone(plan.tasks(start), self._current_format)

    def _current_format(self) -> Format:
        # After the first few, clean records need no text.
        return replace(self._format, brief=self._enough())

    def _enough(self) -> bool:
        return self._brief and sum(self._verdicts.values()) > FEW

    def _print(self, results: Iterable[Result]) -> None:
        waiting = list[bytes]()  # lines of JSON are written together: a call of the system for each takes longer
        for result in results:
            self._verdicts[result.verdict] += 1
            if result.error:
                if waiting:
                    echo_bytes(b"".join(waiting))
                    waiting.clear()
                echo("\n".join(f"Error: {line}" for line in result.error.split("\n")), err=True)
            elif self._format.kind == "json":
                waiting.append(result.text)
            elif not (result.clean and not self._format.rulings and self._enough()):
                self._print_report(result)
        if waiting:
            echo_bytes(b"".join(waiting))

    def _print_report(self, result: Result) -> None:
        """Prints a report.  As text, its first line has the colour of the verdict, and long lines are wrapped."""
        text = result.text.decode()
        if self._format.kind == "markdown":
            echo(text, nl=False)
            return
        first, *rest = text.removesuffix("\n").split("\n")
        echo("\n".join(wrapped([first])), colour=COLOURS.get(result.verdict, "green"))
        if rest:
            echo("\n".join(wrapped(rest)))


def with_full_ids(ledger: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The same names, with the full ids of records in the ledger.

    Raises UnknownRecord, or click.ClickException if a ledger is needed and there is none.
    """
    ids = [name for name in names if not is_file(name)]
    if names and not ids:
        return names
    with ledger_for(ledger, ids[0]) if ids else ledger_at(ledger) as store:
        if not names:
            say_unlisted(store)
            say_set_aside(store, "left out; name one to audit it")
        return tuple(resolve(store, name) if name in ids else name for name in names)


def with_progress(batches: Iterable[Done], plan: Plan) -> Iterator[Done]:
    """The same batches, with a progress bar on a terminal: how far, how fast, how much longer."""
    if not sys.stderr.isatty() or is_dumb():
        yield from batches
        return
    columns = (
        TextColumn("auditing"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[records]}, {task.fields[rate]:,.0f}/s"),
        TimeRemainingColumn(compact=True),
    )
    with Bar(columns, "", plan.size or None, records="", rate=0) as bar:
        records = 0
        for task, results in batches:
            yield task, results
            records += len(results)
            count = plural(records, "record")
            bar.update(task.done, records=count, rate=records / (bar.elapsed or 1))
