"""`list`, `show`, `replay` and `history`: looking at records."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import click

from ledger.cli.common import echo, echo_json, fault, ledger_at, progress, review_of, table
from ledger.errors import LedgerError
from ledger.events import AnyEvent, Insert
from ledger.stores.contract import Query, Row
from ledger.visible import visible

if TYPE_CHECKING:
    from ledger.game import Finding
    from ledger.review import Review
    from ledger.stores.sql import SqlStore


@click.command("list")
@click.option("--game", help="Only this game, such as zigzag.")
@click.option("--player", help="Only games with a player of this name, or part of it.")
@click.option("--from", "since", metavar="DAY", help="Played on or after this day (YYYY-MM-DD).")
@click.option("--to", "until", metavar="DAY", help="Played on or before this day.")
@click.option("--place", help="Only games at this place, or part of its name.")
@click.option("--verdict", type=click.Choice(["clean", "unproven", "breach", "impossible", "unreadable"]))
@click.option("--clause", help="Only games that break this clause, such as zigzag.take.")
@click.option("--limit", type=click.IntRange(1, 1_000_000_000), help="Show only the newest N.", metavar="N")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
@click.pass_obj
def list_(path: str, /, *, as_json: bool, **query: str | int | None) -> None:
    """List the records of the ledger, newest first.

    \b
    Example:
      domino-ledger list --game zigzag --player ana --from 2026-01-01 --verdict breach
    """
    with ledger_at(path) as store:
        _audit_new(store)
        rows = store.find(Query(**query))  # type: ignore[arg-type]  # the options above are its fields
        loss = store.loss()
    for row in rows:
        if row.corrupt:
            message = "its row in the list is damaged; `domino-ledger repair` restores it"
            fault(f"record {row.id}: {message}")
    if as_json:
        import msgspec  # noqa: PLC0415  only for programs

        for row in rows:
            echo_json(msgspec.json.encode(row))
    elif not rows:
        filtered = any(value is not None for value in query.values())
        empty = "No records are left." if loss else "The ledger is empty: begin a game with `domino-ledger new`."
        echo("No matching records." if filtered else empty)
    else:
        table(("record", "game", "played", "players", "events", "verdict", "won"), map(_cells, rows))


def _audit_new(store: SqlStore) -> None:
    """Audits new records and stores the results; if nothing can be written, it says how many records are without."""
    from ledger.archive import refresh  # noqa: PLC0415  it brings the audit along

    waiting, reason = store.unaudited(), "the ledger cannot be written"
    store.hurry()
    try:
        if not store.read_only:
            for _ in progress(refresh(store, unreadable=True), "auditing new records", len(waiting)):
                pass
            return
    except LedgerError as error:
        waiting, reason = store.unaudited(), str(error)
    if waiting:
        records, them = ("1 record", "it") if len(waiting) == 1 else (f"{len(waiting)} records", "them")
        echo(f"{records} not audited, so --verdict and --clause do not find {them}: {reason}", err=True)


def _cells(row: Row) -> tuple[str, ...]:
    from ledger.words import day, listed  # noqa: PLC0415  only for people

    names = dict(row.players)
    audit = row.audit
    won = listed(names.get(winner, winner) for winner in audit.winners) if audit and audit.winners else ""
    game = f"{row.game} {row.edition}" if row.edition else row.game
    players = ", ".join(names.values())
    verdict = "corrupt" if row.corrupt else audit.verdict if audit else ""
    return row.id, game, day(row.played) if row.played else "", players, str(row.events), verdict, won


@click.command("show")
@click.argument("record")
@click.option("--at", type=click.IntRange(0), help="Show the table after this move.", metavar="MOVE")
@click.pass_obj
def show_(path: str, record: str, at: int | None) -> None:
    """Draw the table of RECORD, at the end or after a move.

    \b
    Example:
      domino-ledger show 7k3m --at 17
      domino-ledger show games.ndjson:3
    """
    review = review_of(path, record)
    place = len(review.steps) - 1 if at is None else review.place(at)
    if place is None:
        raise click.ClickException(
            f"{review.name} has no move {at}, or it was deleted; its last move is {review.steps[-1].seq}"
        )
    for line in frame(review, place):
        echo(line)


def frame(review: Review, place: int) -> list[str]:
    """One step as lines: the event in words, its findings, the table."""
    from ledger.draw import draw  # noqa: PLC0415  only for pictures
    from ledger.reports import MARKS, by_rules  # noqa: PLC0415

    step = review.steps[place]
    title = f"{review.game.title} · move {step.seq} ({place + 1} of {len(review.steps)})"
    lines = [" · ".join(part for part in (title, by_rules(review)) if part), "", review.words(place)]
    for finding in review.findings.get(step.seq, ()):
        lines.append(f"  {MARKS[finding.verdict]} {finding.verdict}: {review.named(finding.message)}.")
        lines.append(f"    {finding.clause}: {review.meaning(finding.clause)}")
    for reason in review.game.points(step.before, step.event, step.after) if step.after is not step.before else ():
        if reason.points:
            who = review.opening.names[reason.player]
            lines.append(f"  + {reason.points} for {who}: {review.named(reason.because)}")
    return [*lines, "", *draw(review.scene(place), review.named, review.squares).split("\n")]


KEYS = "← → step   [ ] ten   Home End   n p findings   q quit"
_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|.", re.DOTALL)
_FORWARD = ("\x1b[C", "\x1bOC", "j", " ", "l")
_BACK = ("\x1b[D", "\x1bOD", "k", "h")
_FIRST = ("\x1b[H", "\x1bOH", "\x1b[1~", "0")
_LAST = ("\x1b[F", "\x1bOF", "\x1b[4~", "$")


@click.command("replay")
@click.argument("record")
@click.option("--steps", is_flag=True, help="Print every step with its state digest instead.")
@click.pass_obj
def replay_(path: str, record: str, *, steps: bool) -> None:
    """Step through RECORD with ← and → (or k and j), Home, End, n and p (next, previous finding), q (quit).

    In a pipe, or with --steps, it prints one line per step: number, state digest, move, scores.

    \b
    Example:
      domino-ledger replay 7k3m
      domino-ledger replay games.ndjson:3 --steps | head
    """
    review = review_of(path, record)
    if steps or not _is_terminal():
        for line in step_lines(review):
            echo(line)
        return
    place = 0
    marked = [n for n, step in enumerate(review.steps) if step.seq in review.findings]
    while True:
        click.clear()
        echo("\n".join([*frame(review, place), "", KEYS]))
        # Quick key presses arrive together.
        for key in _KEY.findall(click.getchar()):
            if key in ("q", "\x03", "\x04", "\x1b"):
                return
            place = max(0, min(len(review.steps) - 1, _next_place(key, place, len(review.steps), marked)))


def _is_terminal() -> bool:
    """Whether input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _next_place(key: str, place: int, count: int, marked: list[int]) -> int:
    """The step to show after a key press."""
    if key in _FORWARD:
        return place + 1
    if key in _BACK:
        return place - 1
    if key == "n":
        return next((mark for mark in marked if mark > place), place)
    if key == "p":
        return next((mark for mark in reversed(marked) if mark < place), place)
    return {"[": place - 10, "]": place + 10}.get(key, 0 if key in _FIRST else count - 1 if key in _LAST else place)


def step_lines(review: Review) -> list[str]:
    """Every step as a line, and its findings below it."""
    lines = []
    for place, (step, digest) in enumerate(zip(review.steps, review.fingerprints(), strict=True)):
        standing = review.standing(place)
        scores = ", ".join(f"{n} {s}" for n, s in zip(review.opening.names, standing.scores, strict=True))
        lines.append(f"{step.seq:>4}  {digest}  {review.words(place)}  | {scores}")
        lines += [
            f"      {finding.verdict}: {review.named(finding.message)} ({finding.clause})"
            for finding in review.findings.get(step.seq, ())
        ]
    return lines


@click.command("history")
@click.argument("record")
@click.pass_obj
def history_(path: str, record: str) -> None:
    """Show who corrected what in RECORD, when and why, and which later moves no longer fit.

    \b
    Example:
      domino-ledger history 7k3m
    """
    review = review_of(path, record)
    changes, slips = review.effective.changes, review.effective.slips
    if not changes and not slips:
        echo("No corrections.")
        return
    from ledger.words import in_words, moment  # noqa: PLC0415  only for people

    for change in changes:
        event = change.event
        who = ", ".join(visible(part) for part in (event.by, event.when and moment(event.when)) if part)
        if isinstance(event, Insert):
            did = f"inserted before move {event.before}"
        else:
            did = f"move {change.target} {'deleted' if change.now is None else 'changed'}"
        echo(f"{change.seq}  {did}" + (f" ({who})" if who else ""))

        def phrase(one: AnyEvent | None) -> str:
            return in_words(one, review.names, review.squares) if one is not None else "nothing"

        echo(
            f"  was: {phrase(change.was)}\n  now: {phrase(change.now)}"
            + (f"\n  why: {visible(event.why)}" if event.why else "")
        )
        for finding in _unsettled(review, change.seq):
            echo(f"  move {finding.seq} no longer fits: {review.named(finding.message)} ({finding.clause})")
    for slip in slips:
        echo(f"{slip.seq}  corrects nothing: {visible(slip.reason)}")


def _unsettled(review: Review, seq: int) -> list[Finding]:
    """The findings that a correction caused for other, earlier events."""
    from ledger.audit import audit  # noqa: PLC0415  two audits more, only here
    from ledger.record import Record  # noqa: PLC0415

    events = review.record.events
    before = audit(review.game, Record(events[:seq])).findings
    after = audit(review.game, Record(events[: seq + 1])).findings
    known = {(finding.seq, finding.clause) for finding in before}
    return [f for f in after if (f.seq, f.clause) not in known and f.verdict in ("impossible", "breach")]
