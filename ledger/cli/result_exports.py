"""Results for other programs: `export --csv` and `export --bgstats`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from ledger.cli.ledger_access import audited, echo_bytes
from ledger.cli.output_files import atomic_write, refuse_overwrite
from ledger.cli.terminal import echo, progress
from ledger.club.bg_stats_export import bg_stats
from ledger.club.load import club_of_reviews
from ledger.club.results_table import csv_bytes
from ledger.record.record import Record


def export_results(records: Iterable[tuple[str, Record]], output: Path | None, *, form: str) -> None:
    """Writes the results of records as CSV, or prints a link to each finished game for BG Stats.

    Of several games, those that are not finished are left out; raises NotForNow for a single one.
    """
    if output is not None and form == "bgstats":
        raise click.UsageError("--bgstats prints links: leave -o out")
    if output is not None:
        refuse_overwrite(output)
    reviews = [audited(*record) for record in progress(records, "reading")]
    if form == "bgstats":
        for review in reviews:
            if review.report.finished or len(reviews) == 1:
                echo(bg_stats(review))
            else:
                echo(f"{review.name}: left out, because only a finished game goes to BG Stats", err=True)
        return
    text = csv_bytes(club_of_reviews(reviews).games())
    if output is None:
        echo_bytes(text)
        return
    with atomic_write(output) as out:
        out.write(text)
