"""`audit`: checking records against the rules."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from ledger import reports
from ledger.archive import audit_all
from ledger.bulk.work import Format
from ledger.cli.bulk import Bulk
from ledger.cli.common import echo, failed, find_record, ledger_at
from ledger.cli.into import atomic_write, refuse_overwrite
from ledger.review import Review
from ledger.sources import Item, items

NONE = ("no record", "corrupt")
"""Results of inputs without a verdict."""


@click.command("audit")
@click.argument("records", nargs=-1)
@click.option("--json", "form", flag_value="json", help="JSON, one report per line.")
@click.option("--markdown", "form", flag_value="markdown", help="Markdown.")
@click.option("--html", "page", type=click.Path(dir_okay=False), help="Write one record's report to an HTML file.")
@click.option(
    "--rulings",
    type=click.Choice(["own", "all"]),
    default="own",
    help="all: try every other reading too.",
)
@click.option("--jobs", type=click.IntRange(0, 1024), default=1, help="Worker processes (0 = one per core).")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="An .ndjson, .ndjson.zst or .parquet file.",
)
@click.option("--resume", is_flag=True, help="Continue an interrupted audit into -o.")
@click.option("--cluster", metavar="ADDRESS", help="Run on a Dask cluster, such as tcp://10.0.0.5:8786.")
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
    """Check RECORDS against the rules: files, folders, - or ids.  Without RECORDS, check the whole ledger.

    Every finding cites its clause.  The exit status is 0 if all are clean or unproven, 1 if one has a breach or worse,
    2 if some input is not a record or is corrupt (the rest is audited anyway).

    \b
    Example:
      domino-ledger audit league.ndjson.zst
      domino-ledger audit 7k3m --rulings all
      domino-ledger audit --json games.ndjson > reports.ndjson
      domino-ledger audit --jobs 0 -o reports.parquet league.ndjson.zst
    """
    if resume and not output:
        raise click.UsageError("--resume needs the file to continue: name it with -o")
    if output and (form not in (None, "json") or page):
        raise click.UsageError("-o writes JSON or Parquet: leave out --markdown and --html")
    if output and output.suffix == ".parquet" and rulings == "all":
        raise click.UsageError("Parquet has one row per record: use .ndjson for --rulings all")
    for target in (output, page):
        if target is not None:
            refuse_overwrite(Path(target), records)
    if page:
        verdicts = _pages(ctx.obj, records, page)
    else:
        format_ = Format("json" if output else form or "text", rulings == "all")  # type: ignore[arg-type]  # one of these
        brief = format_.kind == "text" and (len(records) != 1 or not is_single(records[0]))
        bulk = Bulk(ctx.obj, records, format_, brief=brief, jobs=jobs or os.cpu_count() or 1, cluster=cluster)
        verdicts = bulk.to_file(output, resume=resume) if output else bulk.to_terminal()
        if output or not form:
            _total(verdicts)
    if any(verdicts[name] for name in NONE):
        ctx.exit(2)
    ctx.exit(1 if verdicts["breach"] or verdicts["impossible"] else 0)


def is_single(name: str) -> bool:
    """Whether a name on the command line stands for one record."""
    return not Path(name).exists() or Path(name).suffix in (".json", ".sheet", ".txt")


def inputs(path: str, names: tuple[str, ...]) -> Iterator[Item]:
    """The named records, one at a time; all records of the ledger at `path` if none is named."""
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
        if isinstance(audited.result, Review):
            with atomic_write(Path(page)) as out:
                out.write(reports.page(audited.result).encode())
            echo(f"{reports.headline(audited.result)}\n  written to {page}")
            verdicts[audited.result.report.verdict] += 1
        else:
            failed(audited.result)
            verdicts["no record"] += 1
    return verdicts


def _total(verdicts: Counter[str]) -> None:
    count = sum(verdicts.values())
    order = ("clean", "unproven", "breach", "impossible", *NONE)
    parts = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in order if verdicts[verdict])
    echo(f"{count} record{'' if count == 1 else 's'}" + (f": {parts}" if parts else ""))
