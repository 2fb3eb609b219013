"""`audit`: records held against the rules."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from ledger import reports
from ledger.archive import audit_all
from ledger.bulk.work import Form
from ledger.cli.bulk import Bulk
from ledger.cli.common import failed, find_record, ledger_at
from ledger.cli.into import spare, whole
from ledger.review import Review
from ledger.sources import Item, items

NONE = ("no record", "harmed")
"""What stands for a verdict where there is none."""


@click.command("audit")
@click.argument("records", nargs=-1)
@click.option("--json", "form", flag_value="json", help="One report a line, for programs.")
@click.option("--markdown", "form", flag_value="markdown", help="Reports in Markdown, to hand over.")
@click.option("--html", "page", type=click.Path(dir_okay=False), help="One record's report as an HTML file.")
@click.option("--rulings", type=click.Choice(["own", "all"]), default="own", help="all: under every reading as well.")
@click.option("--jobs", type=click.IntRange(0, 1024), default=1, help="So many processes; 0: one for each core.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="NDJSON (.zst) or .parquet.")
@click.option("--resume", is_flag=True, help="With -o: go on with an audit that was interrupted.")
@click.option("--cluster", metavar="ADDRESS", help="Let a Dask cluster do it, such as tcp://10.0.0.5:8786.")
@click.pass_context
def audit_(
    ctx: click.Context,
    records: tuple[str, ...],
    form: str | None,
    page: str | None,
    rulings: str,
    jobs: int,
    output: Path | None,
    resume: bool,
    cluster: str | None,
) -> None:
    """Hold RECORDS against the rules: files, folders, -, ids in the ledger; the whole ledger if none is named.

    Every finding cites its clause.  The exit status is 0 if all are clean or unproven, 1 if one has a breach or worse,
    2 if some input is no record, or not as it was written (the rest is audited all the same).

    \b
    Example:
      domino-ledger audit league.ndjson.zst
      domino-ledger audit 7k3m --rulings all
      domino-ledger audit --json games.ndjson > reports.ndjson
      domino-ledger audit --jobs 0 -o reports.parquet league.ndjson.zst
    """
    if resume and not output:
        raise click.UsageError("--resume goes on with a file: name it with -o")
    if output and (form not in (None, "json") or page):
        raise click.UsageError("-o writes reports as JSON or Parquet; --markdown and --html go without it")
    if output and output.suffix == ".parquet" and rulings == "all":
        raise click.UsageError("Parquet has one row for each record: --rulings all goes into .ndjson")
    for target in (output, page):
        if target is not None:
            spare(Path(target), records)
    if page:
        verdicts = _pages(ctx.obj, records, page)
    else:
        said = Form("json" if output else form or "text", rulings == "all")  # type: ignore[arg-type]  # one of these
        brief = said.kind == "text" and (len(records) != 1 or not is_single(records[0]))
        bulk = Bulk(ctx.obj, records, said, brief=brief, jobs=jobs or os.cpu_count() or 1, cluster=cluster)
        verdicts = bulk.into(output, resume=resume) if output else bulk.told()
        if output or not form:
            _total(verdicts)
    if any(verdicts[each] for each in NONE):
        ctx.exit(2)
    ctx.exit(1 if verdicts["breach"] or verdicts["impossible"] else 0)


def is_single(name: str) -> bool:
    """Whether a name on the command line stands for one record."""
    return not Path(name).exists() or Path(name).suffix in (".json", ".sheet", ".txt")


def inputs(path: str, names: tuple[str, ...]) -> Iterator[Item]:
    """The records that are named, one at a time; those of the ledger at `path` where none is."""
    for name in names:
        if name == "-" or Path(name).exists():
            yield from items(name)
        else:
            yield Item(*find_record(path, name))
    if not names:
        with ledger_at(path) as store:
            for record_id, record in store.records():
                yield Item(record_id, record)


def _pages(path: str, names: tuple[str, ...], page: str) -> Counter[str]:
    verdicts: Counter[str] = Counter()
    for audited in audit_all(inputs(path, names)):
        if isinstance(audited.found, Review):
            with whole(Path(page)) as out:
                out.write(reports.page(audited.found).encode())
            click.echo(f"{reports.headline(audited.found)}\n  written to {page}")
            verdicts[audited.found.report.verdict] += 1
        else:
            failed(audited.found)
            verdicts["no record"] += 1
    return verdicts


def _total(verdicts: Counter[str]) -> None:
    count = sum(verdicts.values())
    order = ("clean", "unproven", "breach", "impossible", *NONE)
    parts = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in order if verdicts[verdict])
    click.echo(f"{count} record{'' if count == 1 else 's'}" + (f": {parts}" if parts else ""))
