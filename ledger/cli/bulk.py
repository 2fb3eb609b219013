"""How `audit` does its work: by several processes or a cluster, to the terminal or into a file that can be resumed."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from ledger.bulk.crew import Crew, Done, alone
from ledger.bulk.output import Output
from ledger.bulk.plan import Place, Plan, repeatable
from ledger.bulk.work import Form, Told
from ledger.cli.common import is_file, ledger_at, looked_up, resolve

FEW = 12
"""Up to so many records each clean one has a line of its own."""
COLOURS = {"breach": "red", "impossible": "magenta", "unproven": "yellow"}


class Bulk:
    """An audit of what is named on the command line, by so many processes here, or by a cluster.

    `brief` tells that what is clean is not told of each record, once there are some.
    """

    def __init__(
        self, ledger: str, names: tuple[str, ...], form: Form, *, brief: bool, jobs: int, cluster: str | None
    ) -> None:
        self._ledger, self._names, self._form, self._brief = ledger, known(ledger, names), form, brief
        self._jobs, self._cluster = jobs, cluster
        self._verdicts: Counter[str] = Counter()

    def told(self) -> Counter[str]:
        """Tells each result in its turn; returns how many there are of each verdict."""
        plan = Plan(self._ledger, self._names, apart=self._cluster is not None)
        try:
            with self._found(plan, Place()) as found:
                for _task, all_told in watched(found, plan):
                    self._tell(all_told)
        finally:
            plan.close()
        return self._verdicts

    def into(self, path: Path, *, resume: bool) -> Counter[str]:
        """Writes the reports to a file; returns how many there are of each verdict.

        Raises NotForNow for an audit that was interrupted and is not to be resumed, or cannot be.
        """
        with Output(path) as out:
            state = out.interrupted() if resume else None
            apart, upto = self._cluster is not None, state.upto if state else None
            plan = Plan(self._ledger, self._names, upto=upto, apart=apart)
            try:
                if resume:
                    repeatable(plan)
                begin = out.begin(plan.digest, plan.upto, resume=resume)
                self._verdicts.update(out.state.verdicts)
                with self._found(plan, begin) as found:
                    for _task, all_told in watched(out.write(found), plan):
                        self._tell(told._replace(text=b"", clean=True) for told in all_told)
            except KeyboardInterrupt:
                on = "go on with --resume" if plan.again else f"remove {path}.part to begin again"
                click.echo(f"{path} is not whole yet: {on}", err=True)
                raise
            finally:
                plan.close()
            out.finish()
        return self._verdicts

    @contextmanager
    def _found(self, plan: Plan, begin: Place) -> Iterator[Iterator[Done]]:
        if self._cluster is not None:
            from ledger.bulk.cluster import Cluster  # noqa: PLC0415  an extra

            with Cluster(self._cluster) as cluster:
                yield cluster.run(plan.tasks(begin), self._now)
        elif self._jobs > 1:
            with Crew(self._jobs) as crew:
                yield crew.run(plan.tasks(begin), self._now)
        else:
            yield alone(plan.tasks(begin), self._now)

    def _now(self) -> Form:
        # What is clean need not be told any more, once so many were.
        return Form(self._form.kind, self._form.rulings, self._enough())

    def _enough(self) -> bool:
        return self._brief and sum(self._verdicts.values()) > FEW

    def _tell(self, all_told: Iterable[Told]) -> None:
        for told in all_told:
            self._verdicts[told.verdict] += 1
            if told.error:
                click.echo(f"Error: {told.error}", err=True)
            elif self._form.kind == "json":
                sys.stdout.buffer.write(told.text)
            elif not (told.clean and not self._form.rulings and self._enough()):
                first, _, rest = told.text.decode().partition("\n")
                colour = COLOURS.get(told.verdict, "green") if self._form.kind == "text" else None
                click.echo(f"{click.style(first, fg=colour) if colour else first}\n{rest}", nl=False)


def known(ledger: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The same names, with the whole ids of records in the ledger.

    Raises UnknownRecord, or click.ClickException where a ledger is asked for and there is none.
    """
    ids = [name for name in names if not is_file(name)]
    if names and not ids:
        return names
    with looked_up(ledger, ids[0]) if ids else ledger_at(ledger) as store:
        return tuple(resolve(store, name) if name in ids else name for name in names)


def watched(found: Iterable[Done], plan: Plan) -> Iterator[Done]:
    """The same results, with a bar on the terminal where somebody watches: how far, how fast, how much longer."""
    if not sys.stderr.isatty():
        yield from found
        return
    from rich.console import Console  # noqa: PLC0415  heavy; only for people
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (
        TextColumn("auditing"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[records]:,} records, {task.fields[rate]:,.0f}/s"),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=plan.size or None, records=0, rate=0)
        records = 0
        for done in found:
            yield done
            records += len(done[1])
            elapsed = bar.tasks[0].elapsed or 1
            bar.update(task, completed=done[0].behind, records=records, rate=records / elapsed)
