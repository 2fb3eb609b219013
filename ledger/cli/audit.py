"""`audit`: records held against the rules."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from ledger import reports
from ledger.archive import Audited, audit_all
from ledger.cli.common import failed, find_record, ledger_at, progress
from ledger.readings import readings
from ledger.review import Review
from ledger.sources import Item, items

FEW = 12
"""Up to so many records each clean one has a line of its own."""


@click.command("audit")
@click.argument("records", nargs=-1)
@click.option("--json", "form", flag_value="json", help="One report a line, for programs.")
@click.option("--markdown", "form", flag_value="markdown", help="Reports in Markdown, to hand over.")
@click.option("--html", "page", type=click.Path(dir_okay=False), help="One record's report as an HTML file.")
@click.option("--rulings", type=click.Choice(["own", "all"]), default="own", help="all: under every reading as well.")
@click.pass_context
def audit_(ctx: click.Context, records: tuple[str, ...], form: str | None, page: str | None, rulings: str) -> None:
    """Hold RECORDS against the rules: files, folders, -, ids in the ledger; the whole ledger if none is named.

    Every finding cites its clause.  The exit status is 0 if all are clean or unproven, 1 if one has a breach or worse,
    2 if some input is no record (the rest is audited all the same).

    \b
    Example:
      domino-ledger audit league.ndjson.zst
      domino-ledger audit 7k3m --rulings all
      domino-ledger audit --json games.ndjson > reports.ndjson
    """
    verdicts: Counter[str] = Counter()
    several = len(records) != 1 or not is_single(records[0])
    for audited in audit_all(progress(inputs(ctx.obj, records), "auditing")):
        if not isinstance(audited.found, Review):
            failed(audited.found)
            verdicts["no record"] += 1
            continue
        verdicts[audited.found.report.verdict] += 1
        _tell(audited, form, page, rulings, brief=several and sum(verdicts.values()) > FEW)
    if not form and not page:
        _total(verdicts)
    if verdicts["no record"]:
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


def _tell(audited: Audited, form: str | None, page: str | None, rulings: str, *, brief: bool) -> None:
    review = audited.found
    assert isinstance(review, Review)  # noqa: S101  the caller has seen to the others
    report = review.report
    if page:
        Path(page).write_text(reports.page(review), encoding="utf-8")
        click.echo(f"{reports.headline(review)}\n  written to {page}")
    elif form == "json":
        sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    elif form == "markdown":
        click.echo(reports.markdown(review))
    elif report.findings or not brief:
        lines = list(reports.text(review))
        click.echo("\n".join([_styled(lines[0], report.verdict), *lines[1:], ""]))
    if rulings == "all" and form != "json" and not page:
        for line in reports.all_readings(readings(review.record, review.name, review.game)):
            click.echo(review.named(line))
        click.echo()
    elif rulings == "all":
        _readings_as_json(review)


def _readings_as_json(review: Review) -> None:
    found = readings(review.record, review.name, review.game)
    said = {"record": review.name, "depends": {w: getattr(found, w) for w in ("verdict", "scores", "winners")},
            "jointly": found.jointly, "readings": found.others, "complete": found.complete}  # fmt: skip
    sys.stdout.buffer.write(msgspec.json.encode(said) + b"\n")


def _styled(line: str, verdict: str) -> str:
    colour = {"breach": "red", "impossible": "magenta", "unproven": "yellow"}.get(verdict, "green")
    return click.style(line, fg=colour)


def _total(verdicts: Counter[str]) -> None:
    count = sum(verdicts.values())
    order = ("clean", "unproven", "breach", "impossible", "no record")
    parts = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in order if verdicts[verdict])
    click.echo(f"{count} record{'' if count == 1 else 's'}" + (f": {parts}" if parts else ""))
