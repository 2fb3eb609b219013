"""`story`: tells a game in its moments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ledger.cli.ledger_access import echo_json, review_of
from ledger.cli.shared_options import JSON, RECORD
from ledger.cli.terminal import echo, wrapped
from ledger.record.later import later

with later():
    from ledger.audit.causes import explain
    from ledger.audit.moments import for_programs, moments
    from ledger.record.words import day, listed

if TYPE_CHECKING:
    from ledger.audit.review import Review


@click.command("story")
@RECORD
@JSON
@click.pass_obj
def story_(path: str, record: str, *, as_json: bool) -> None:
    """Tell the game of RECORD in a few moments: what mattered, and why.

    \b
    Examples:
      domino-ledger story 7k3m
      domino-ledger story games.ndjson:3 --json
    """
    review = review_of(path, record)
    explain(review)
    echo_json(for_programs(review.name, moments(review))) if as_json else echo("\n".join(wrapped(_lines(review))))


def _lines(review: Review) -> Iterator[str]:
    """Who played, then each moment after the number of its move, with its reason below."""
    played = day(review.effective.opening.played or "")
    yield " · ".join(part for part in (review.game.title, listed(review.opening.names), played) if part)
    told = moments(review)
    if not told:
        yield "Nothing has happened yet."
    for moment in told:
        yield from ("", f"{moment.seq:>4}  {moment.words}", f"      {moment.why}")
