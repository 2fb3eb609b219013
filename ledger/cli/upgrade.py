"""`upgrade`: records held against a newer revision of the rules, beside the one that they were made under."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import click
import msgspec

from ledger.archive import audit_all
from ledger.cli.audit import inputs, is_single
from ledger.cli.common import failed, progress
from ledger.errors import UnknownGame
from ledger.reports import shown, told
from ledger.review import Review
from ledger.upgrade import Upgrade, upgrade


@click.command("upgrade")
@click.argument("records", nargs=-1)
@click.option("--to", "rules", metavar="REVISION", help="This revision of the rules; the newest, if left out.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a record.")
@click.pass_context
def upgrade_(ctx: click.Context, records: tuple[str, ...], rules: str | None, *, as_json: bool) -> None:
    """Audit RECORDS (or the whole ledger) under a newer revision of the rules too, and show what would differ.

    Nothing is rewritten: each record stays under the revision that it was made under, and so does its audit.  The exit
    status is 0 if nothing differs, 1 if something does, 2 if some input is no record or has no such revision.

    \b
    Example:
      domino-ledger upgrade
      domino-ledger upgrade league.ndjson.zst --to 2 --json > differences.ndjson
    """
    count: Counter[str] = Counter()
    several = len(records) != 1 or not is_single(records[0])
    for audited in audit_all(progress(inputs(ctx.obj, records), "auditing twice")):
        found = audited.result if isinstance(audited.result, Exception) else _upgraded(audited.result, rules)
        if isinstance(found, Exception):
            failed(found)
            count["no record"] += 1
            continue
        count["the same" if found.there or not found.differs else "differing"] += 1
        count["there"] += found.there
        if as_json:
            sys.stdout.buffer.write(msgspec.json.encode(found.plain()) + b"\n")
        elif found.differs or not several:
            click.echo("\n".join([*_told(found), ""]))
    if not as_json:
        click.echo(_total(count, rules))
    if count["no record"]:
        ctx.exit(2)
    ctx.exit(1 if count["differing"] else 0)


def _upgraded(review: Review, rules: str | None) -> Upgrade | UnknownGame:
    try:
        return upgrade(review, rules)
    except UnknownGame as error:
        return UnknownGame(f"{review.name}: {error}")


def _told(found: Upgrade) -> Iterator[str]:
    """One record, line by line."""
    review, own = found.own, found.own.game
    head = f"{review.name}  {own.title}, revision {own.revision} of the rules"
    if found.there:
        newest = "; there is no newer one" if review.newest is own else ""
        yield f"{head}: it is judged by that one already{newest}"
        return
    yield f"{head}, beside revision {found.rules}: " + ("it would differ" if found.differs else "nothing would differ")
    if found.new is None:
        yield f"  it could not be read: {found.why}"
        return
    for field, (before, after) in found.changed.items():
        yield f"  {field}: {_said(review, before)} → {_said(review, after)}"
    for word, judge, findings in (("no longer", review, found.gone), ("now", found.new, found.come)):
        for finding in findings:
            yield f"  {word}:"
            yield from (f"  {line}" for line in told(judge, finding))


def _said(review: Review, value: Any) -> str:
    """A value of a report, with names for ids."""
    if isinstance(value, dict):
        value = [f"{name} {shown(of)}" for name, of in value.items()]
    return review.named(shown(value)) or "nobody"


def _total(count: Counter[str], rules: str | None) -> str:
    records = count["differing"] + count["the same"]
    said = f"{records} record{'' if records == 1 else 's'}"
    if records and count["there"] == records:
        return f"{said}: judged by revision {rules} as it is" if rules else f"{said}: no newer revision of the rules"
    parts = [f"{count[what]} {what}" for what in ("differing", "the same", "no record") if count[what]]
    return f"{said}: {', '.join(parts)}" if parts else said
