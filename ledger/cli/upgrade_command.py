"""`upgrade`: audits records under a newer revision of the rules, and compares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import click

from ledger.audit.reports import finding_lines
from ledger.audit.review import Review
from ledger.audit.upgrade import Upgrade, upgrade
from ledger.cli.audit_command import inputs, is_single
from ledger.cli.exits import FINDING, REFUSED
from ledger.cli.json_lines import UpgradedLine
from ledger.cli.ledger_access import echo_json, failed
from ledger.cli.shared_options import RECORDS
from ledger.cli.terminal import echo, progress
from ledger.keep.stored_audits import audit_all
from ledger.record.errors import UnknownGame
from ledger.record.visible import visible
from ledger.record.words import format_value, plural


@click.command("upgrade")
@RECORDS
@click.option("--to", "rules", metavar="REVISION", help="The revision to compare with (default: the newest).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per record.")
@click.pass_context
def upgrade_(ctx: click.Context, records: tuple[str, ...], rules: str | None, *, as_json: bool) -> None:
    """Audit RECORDS (or the whole ledger) under a newer revision of the rules too, and show the differences.

    It changes nothing: each record keeps its own revision and its audit.  The exit status is 0 if nothing differs, 1 if
    something does, 2 if some input is not a record or has no such revision.

    \b
    Examples:
      domino-ledger upgrade
      domino-ledger upgrade league.ndjson.zst --to 2 --json > differences.ndjson
    """
    count: Counter[str] = Counter()
    several = len(records) != 1 or not is_single(records[0])
    for audited in audit_all(progress(inputs(ctx.obj, records), "auditing twice")):
        result = audited.result if isinstance(audited.result, Exception) else _upgrade(audited.result, rules)
        if isinstance(result, Exception):
            failed(result)
            count["no such revision" if isinstance(result, UnknownGame) else "no record"] += 1
            continue
        count["the same" if result.same_rules or not result.differs else "differing"] += 1
        count["there"] += result.same_rules
        if as_json:
            echo_json(line_of(result))
        elif result.differs or not several:
            echo("\n".join([*_lines(result), ""]))
    if not as_json:
        echo(_total(count, rules))
    if count["no record"] or count["no such revision"]:
        ctx.exit(REFUSED)
    ctx.exit(FINDING if count["differing"] else 0)


def _upgrade(review: Review, rules: str | None) -> Upgrade | UnknownGame:
    try:
        return upgrade(review, rules)
    except UnknownGame as error:
        return UnknownGame(f"{review.name}: {error}")


def line_of(upgraded: Upgrade) -> UpgradedLine:
    """The difference between the two audits, for programs."""
    own = upgraded.own
    return UpgradedLine(
        own.name,
        own.game.name,
        own.game.revision,
        upgraded.rules,
        upgraded.differs,
        upgraded.changed,
        tuple(upgraded.gone),
        tuple(upgraded.come),
        upgraded.why or None,
    )


def _lines(upgraded: Upgrade) -> Iterator[str]:
    """The comparison of one record, line by line."""
    review, game = upgraded.own, upgraded.own.game
    title = f"{visible(review.name)}  {game.title}, revision {game.revision} of the rules"
    if upgraded.same_rules:
        newest = "; there is no newer one" if review.newest is game else ""
        yield f"{title}: it is judged by that one already{newest}"
        return
    yield f"{title}, beside revision {upgraded.rules}: " + (
        "it would differ" if upgraded.differs else "nothing would differ"
    )
    if upgraded.new is None:
        yield f"  it could not be read: {upgraded.why}"
        return
    for field, (before, after) in upgraded.changed.items():
        yield f"  {field}: {_value(review, before)} → {_value(review, after)}"
    for word, judge, findings in (("no longer", review, upgraded.gone), ("now", upgraded.new, upgraded.come)):
        for finding in findings:
            yield f"  {word}:"
            yield from (f"  {line}" for line in finding_lines(judge, finding))


def _value(review: Review, value: Any) -> str:
    """A value of a report, with names for ids."""
    if isinstance(value, dict):
        value = [f"{name} {format_value(of)}" for name, of in value.items()]
    return review.named(format_value(value)) or "nobody"


def _total(count: Counter[str], rules: str | None) -> str:
    records = count["differing"] + count["the same"] + count["no such revision"]
    total = plural(records, "record")
    if records and count["there"] == records:
        return f"{total}: judged by revision {rules} as it is" if rules else f"{total}: no newer revision of the rules"
    outcomes = ("differing", "the same", "no such revision", "no record")
    parts = [f"{count[outcome]} {outcome}" for outcome in outcomes if count[outcome]]
    return f"{total}: {', '.join(parts)}" if parts else total
