"""`audit`: checks records against the rules."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click

from ledger.audit.auditor import SCORES_ONLY
from ledger.bulk.auditing import Format, Input, Result, audit_chunk
from ledger.bulk.executors import cluster as cluster_at
from ledger.bulk.executors import fitting_jobs, processes
from ledger.cli import ledger_access as access
from ledger.cli.exits import FINDING, MISSING, REFUSED
from ledger.cli.output_files import atomic_write, refuse_overwrite, require_folder
from ledger.cli.shared_options import RECORDS, form_of, only_one, output
from ledger.cli.terminal import echo, progress, wrapped
from ledger.record.errors import UnknownRecord
from ledger.record.words import plural

NONE = ("no record", "corrupt")
"""The results of inputs that have no verdict."""
READ = 20
"""Up to this many records that you name one by one are explained unasked, because a person reads their reports."""
FORMS: dict[str, tuple[str, ...]] = {"json": (".ndjson", ".jsonl", ".ndjson.zst", ".jsonl.zst")}
"""The ends of the names of files that `-o` writes."""
FEW = 12
"""Up to this many records, clean ones get a line too."""
COLOURS = {"breach": "red", "impossible": "magenta", "unproven": "yellow"}


@click.command("audit")
@RECORDS
@click.option("--json", "as_json", is_flag=True, help="JSON, one report per line.")
@click.option("--markdown", is_flag=True, help="Markdown.")
@click.option(
    "--rulings",
    type=click.Choice(["own", "all"]),
    default="own",
    show_default=True,
    help="all: try every other reading of the rules too.",
)
@click.option(
    "--explain/--no-explain",
    default=None,
    help="Say which slip explains the findings, or only list them.  "
    f"By default it explains up to {READ} records that you name one by one, if a person reads the report.",
)
@click.option("--times", type=click.FloatRange(min=0, min_open=True), help="Explain, and search so many times as long.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    help="Worker processes.  By default one per core for a large input, and none but this for a small one.",
)
@output("The file to write the reports to, .ndjson or .ndjson.zst.")
@click.option("--cluster", metavar="ADDRESS", help="Run on a Dask cluster, such as tcp://10.0.0.5:8786.")
@click.pass_context
def audit_(
    ctx: click.Context,
    records: tuple[str, ...],
    rulings: str,
    jobs: int | None,
    output: Path | None,
    cluster: str | None,
    times: float | None,
    *,
    explain: bool | None,
    as_json: bool,
    markdown: bool,
) -> None:
    """Check RECORDS against the rules: files, folders, - or ids.  Without RECORDS, check the whole ledger,
    but not what its owner set aside; if that is a folder of clubs, check each, and print a line for it.

    Every finding cites its clause.  The exit status is 0 if all are clean or unproven, 1 if one has a breach or worse,
    2 if some input is not a record or is corrupt, 3 if some input is not there (the rest is audited anyway).

    \b
    Examples:
      domino-ledger audit league.ndjson.zst
      domino-ledger audit 7k3m --rulings all
      domino-ledger audit --times 5 7k3m
      domino-ledger audit --json games.ndjson > reports.ndjson
      domino-ledger audit -o reports.ndjson.zst league.ndjson.zst
    """
    form = only_one({"json": as_json, "markdown": markdown})
    if output and markdown:
        raise click.UsageError("-o writes JSON: leave out --markdown")
    if output:
        form_of(output, FORMS)
    if not records and not output and Path(ctx.obj).is_dir():
        _audit_clubs(ctx.obj, cluster, jobs)
        return
    if cluster and not all(map(access.is_file, records or ("",))):
        raise click.UsageError("a cluster cannot read the ledger: `export` it to an archive, and audit that")
    if times and explain is False:
        raise click.UsageError("--times and --no-explain contradict each other: choose one")
    if output:
        refuse_overwrite(output, records)
        require_folder(output)
    present = tuple(_present(ctx.obj, records))
    if records and not present:
        ctx.exit(MISSING)
    kind = "json" if output else form or "text"
    if explain is None:
        explain = bool(times) or (kind != "json" and 0 < len(present) <= READ and all(map(is_single, present)))
    format_ = Format(kind, rulings == "all", explain=(times or 1) if explain else 0)  # type: ignore[arg-type]  # one of these
    brief = format_.kind == "text" and (len(present) != 1 or not is_single(present[0]))
    verdicts = _audit(Input(ctx.obj, present), format_, brief, jobs, cluster, output)
    if output or not form:
        _total(verdicts)
    if any(verdicts[name] for name in NONE):
        ctx.exit(REFUSED)
    ctx.exit(FINDING if verdicts["breach"] or verdicts["impossible"] else 0)


def _audit_clubs(path: str, cluster: str | None, jobs: int | None) -> None:
    from ledger.cli.each_club import audit_club, each_club

    each_club(path, audit_club, cluster, jobs)


def _present(path: str, names: tuple[str, ...]) -> Iterator[str]:
    """The names, with the full ids of records in the ledger.  One that is missing is reported, and left out.

    Without names, it reports which records of the ledger are not audited.
    """
    if not names:
        with access.ledger_at(path) as store:
            access.say_unlisted(store)
            access.say_set_aside(store, "left out; name one to audit it")
    for name in names:
        if access.is_file(name):
            yield name
            continue
        try:
            with access.ledger_for(path, name) as store:
                yield access.resolve(store, name)
        except UnknownRecord as error:
            access.failed(error)


def _audit(
    records: Input, format_: Format, brief: bool, jobs: int | None, cluster: str | None, output: Path | None
) -> Counter[str]:
    """Returns the number of each verdict.  With `brief`, only the first few clean records get a line."""
    verdicts = Counter[str]()
    with ExitStack() as stack:
        crew = cluster_at(cluster) if cluster else processes(jobs or fitting_jobs(records.size))
        run = stack.enter_context(crew)
        write = stack.enter_context(atomic_write(output)).write if output else access.echo_bytes
        audited = run(partial(audit_chunk, format_), records.chunks())
        for _part, results in progress(audited, "auditing", records.size or None, lambda pair: pair[0][1]):
            for result in results:
                verdicts[result.verdict] += 1
                if result.error:
                    echo("\n".join(f"Error: {line}" for line in result.error.split("\n")), err=True)
                elif format_.kind == "json":
                    write(result.text)
                elif format_.rulings or not (result.clean and brief and verdicts.total() > FEW):
                    _print_report(result, format_)
    return verdicts


def _print_report(result: Result, format_: Format) -> None:
    text = result.text.decode()
    if format_.kind == "markdown":
        echo(text, nl=False)
        return
    first, *rest = text.removesuffix("\n").split("\n")
    echo("\n".join(wrapped([first])), colour=COLOURS.get(result.verdict, "green"))
    if rest:
        echo("\n".join(wrapped(rest)))


def is_single(name: str) -> bool:
    """Whether a name on the command line names one record."""
    return not Path(name).exists() or Path(name).suffix in (".json", ".sheet", ".txt")


def _total(verdicts: Counter[str]) -> None:
    count = sum(verdicts.values())
    order = ("clean", "unproven", "breach", "impossible", SCORES_ONLY, *NONE)
    parts = ", ".join(f"{verdicts[verdict]:,} {verdict}" for verdict in order if verdicts[verdict])
    echo(plural(count, "record") + (f": {parts}" if parts else ""))
