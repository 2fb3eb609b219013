"""`list`, `show`, `replay`, `story` and `history`: show records."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import click

from ledger.cli.ledger_access import answer_to, echo_json, echo_rows, fault, ledger_at, review_of, say_unlisted
from ledger.cli.shared_options import JSON, RECORD, Count, filters
from ledger.cli.terminal import echo, first_name, is_dumb, progress, table, width, wrapped
from ledger.record.errors import LedgerError
from ledger.record.events import AnyEvent, Insert, Void
from ledger.record.record import effective
from ledger.record.scene import fill_scene
from ledger.record.sentences import filled
from ledger.record.visible import isolated, visible
from ledger.record.words import day, listed, moment, plural
from ledger.rules.game import Judged
from ledger.stores import questions
from ledger.stores.query import Query, Row
from ledger.stores.store import SqliteStore

if TYPE_CHECKING:
    from ledger.audit.review import Review
    from ledger.keep.imports import Import


@click.command("list")
@filters
@click.option("--void", "voided", is_flag=True, help="Show only what the owner set aside (`void`).")
@click.option("--import", "imported", is_flag=True, help="List the imports instead: `import --undo` takes one back.")
@click.option("--limit", type=Count(), help="Show only the newest N.", metavar="N")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
@click.pass_obj
def list_(path: str, /, *, as_json: bool, voided: bool, imported: bool, **wanted: str | int | None) -> None:
    """List the records of the ledger, newest first.

    \b
    Example:
      domino-ledger list --game zigzag --player ana --since 2026-01-01 --verdict breach
    """
    from ledger.keep.stored_audits import unknown_filter

    if imported:
        _list_imports(path, as_json=as_json)
        return
    with ledger_at(path) as store:
        audit_new(store)
        query = Query(voided=voided, **wanted)  # type: ignore[arg-type]  # the options above are its fields
        rows, loss = store.find(query), store.loss()
        say_unlisted(store)
        unknown = "" if rows else unknown_filter(query, store)
    if unknown:
        raise click.UsageError(unknown)
    for row in rows:
        if row.corrupt:
            message = "its row in the list is damaged; `domino-ledger repair` restores it"
            fault(f"record {row.id}: {message}")
    if as_json:
        for row in rows:
            echo_json(row)
    elif not rows:
        filtered = voided or any(value is not None for value in wanted.values())
        empty = "No records are left." if loss else "The ledger is empty: begin a game with `domino-ledger new`."
        echo("No matching records." if filtered else empty)
    else:
        # A program gets whole names; on a terminal a row has to fit its width.
        short = sys.stdout.isatty() and width() < ROOMY
        titles = ("record", "game", "played", "players", "events", "verdict", "won")
        columns: list[tuple[str, ...]] = [titles, *(_cells(row, short=short) for row in rows)]
        heads, *cells = ((*row[:4], *row[5:]) for row in columns) if short else columns
        table(heads, cells)


def _list_imports(path: str, *, as_json: bool) -> None:
    from ledger.keep.imports import imports

    def cells(one: Import) -> tuple[object, ...]:
        return one.number, day(one.when[:10]), one.file, one.added, one.changed, "taken back" if one.undone else ""

    with ledger_at(path) as store:
        columns = ("import", "day", "file", "new games", "changed", "")
        echo_rows(imports(store), columns, cells, "No imports.", as_json=as_json)


def audit_new(store: SqliteStore) -> None:
    """Audits new records and stores the results.  If it cannot write, it says how many records have no audit."""
    from ledger.keep.stored_audits import refresh

    waiting, reason = questions.unaudited(store), "the ledger cannot be written"
    store.connection.hurry()
    try:
        if not store.connection.read_only:
            for _ in progress(refresh(store, unreadable=True), "auditing new records", len(waiting)):
                pass
            return
    except LedgerError as error:
        waiting, reason = questions.unaudited(store), str(error)
    if waiting:
        records, them = plural(len(waiting), "record"), "it" if len(waiting) == 1 else "them"
        echo(f"{records} not audited, so --verdict and --clause do not find {them}: {reason}", err=True)


ROOMY = 120
"""In fewer columns, a list has first names, and no number of events."""
FEW = 3
"""The most names that are listed when there are more."""


def _cells(row: Row, *, short: bool = False) -> tuple[str, ...]:
    """The cells of a record; `short` has the first names of the first players, and how many more there are."""
    names = {player: isolated(first_name(name) if short else name) for player, name in row.players}
    audit = row.audit
    won = listed(names.get(winner, winner) for winner in audit.winners) if audit and audit.winners else ""
    if audit and audit.finished and not won:
        won = "not said" if audit.winners is None else "nobody"
    game = f"{row.game} {row.edition}" if row.edition else row.game
    few = list(names.values())[: FEW if short and len(names) > FEW + 1 else None]
    players = ", ".join(few) + (f" +{len(names) - len(few)}" if len(few) < len(names) else "")
    verdict = "corrupt" if row.corrupt else audit.verdict if audit else ""
    return row.id, game, day(row.played) if row.played else "", players, str(row.events), verdict, won


@click.command("show")
@RECORD
@click.option("--at", type=Count(0), help="Show the table after this move.", metavar="MOVE")
@JSON
@click.pass_obj
def show_(path: str, record: str, at: int | None, *, as_json: bool) -> None:
    """Draw the table of RECORD, at the end or after a move.

    \b
    Examples:
      domino-ledger show 7k3m --at 17
      domino-ledger show games.ndjson:3
    """
    review = review_of(path, record)
    last = len(review.steps) - 1
    place = last if at is None else at
    if place > last:
        raise click.ClickException(f"{review.name} has no move {at}; its last move is {last}")
    if as_json:
        echo_json(_plain_step(review, place))
        return
    echo("\n".join(frame(review, place)))


def _plain_step(review: Review, place: int) -> dict[str, Any]:
    step, opening = review.steps[place], review.opening
    ids = {player: player for player in opening.players}
    return {
        "record": review.name,
        "game": review.game.name,
        "move": place,
        "event": step.event,
        "words": review.words(place),
        "findings": [finding for finding in review.report.findings if finding.seq == step.seq],
        "scores": dict(zip(opening.players, review.standing(place).points, strict=True)),
        "names": dict(zip(opening.players, opening.names, strict=True)),
        "scene": fill_scene(review.scene(place), lambda text: filled(text, ids)),
    }


def frame(review: Review, place: int) -> list[str]:
    """One step as lines that fit the terminal: the event in words, its findings, the table."""
    from ledger.audit import reports
    from ledger.cli import text_drawing

    step = review.steps[place]
    title = f"{review.title} · move {place} of {len(review.steps) - 1}"
    lines = [" · ".join(part for part in (title, reports.by_rules(review)) if part), "", review.words(place)]
    for finding in review.findings.get(step.seq, ()):
        lines.append(f"  {reports.MARKS[finding.verdict]} {finding.verdict}: {review.message(finding)}.")
        lines.append(f"    {finding.clause}: {review.meaning(finding.clause)}")
    for reason in review.game.points(step.before, step.event, step.after) if step.after is not step.before else ():
        if reason.points:
            player = review.opening.names[reason.player]
            lines.append(f"  + {reason.points} for {player}: {review.named(reason.because)}")
    wide = min(width(), text_drawing.WIDTH) if sys.stdout.isatty() else text_drawing.WIDTH
    drawing = text_drawing.draw(review.scene(place), review.names, review.squares, wide)
    return [*wrapped(lines), "", *drawing.split("\n")]


@click.command("history")
@RECORD
@JSON
@click.pass_obj
def history_(path: str, record: str, *, as_json: bool) -> None:
    """Show who corrected what in RECORD, when and why, and which later moves no longer fit.

    \b
    Example:
      domino-ledger history 7k3m
    """
    review = review_of(path, record)
    if as_json:
        for line in _plain_history(review):
            echo_json(line)
        return
    echo("\n".join(wrapped(correction_lines(review))))


def correction_lines(review: Review) -> list[str]:
    """The corrections of a record as lines."""
    from ledger.record.event_words import change_in_words, in_words

    changes, slips = review.effective.changes, review.effective.slips
    aside = [
        f"{seq}  {in_words(event)}" + (f" ({visible(event.by)})" if event.by else "")
        for seq, event in enumerate(review.record.events)
        if isinstance(event, Void)
    ]
    if not changes and not slips:
        return aside or ["No corrections."]

    def phrase(event: AnyEvent | None) -> str:
        return in_words(event, review.names, review.squares) if event is not None else "nothing"

    lines = []
    for change in changes:
        event = change.event
        by_and_when = ", ".join(visible(part) for part in (event.by, event.when and moment(event.when)) if part)
        place, move = review.place(change.target), review.called(change.target)
        change_words = f"{move} {'deleted' if change.now is None else 'changed'}"
        if isinstance(event, Insert):
            change_words = f"inserted as {move}"
        lines += [f"{change.seq}  {change_words}" + (f" ({by_and_when})" if by_and_when else "")]
        lines += [f"  {change_in_words(change, review.names, review.squares, place)}"]
        lines += [f"  was: {phrase(change.was)}", f"  now: {phrase(change.now)}"]
        lines += [f"  why: {visible(event.why)}"] if event.why else []
        for finding in _unsettled(review, change.seq):
            lines.append(f"  {review.called(finding.seq)} no longer fits: {review.message(finding)} ({finding.clause})")
    return lines + aside + [f"{slip.seq}  corrects nothing: {visible(slip.reason)}" for slip in slips]


def _plain_history(review: Review) -> list[dict[str, Any]]:
    """A line for each correction, with what no longer fits after it; also for those that correct nothing."""
    empty = {"correction": None, "was": None, "now": None, "no_longer_fit": (), "corrects_nothing": None}
    rows: list[dict[str, Any]] = []
    for change in review.effective.changes:
        unsettled = [finding.seq for finding in _unsettled(review, change.seq)]
        changed = {"correction": change.event, "was": change.was, "now": change.now, "no_longer_fit": unsettled}
        rows.append({"seq": change.seq, **empty, **changed})
    for seq, event in enumerate(review.record.events):
        if isinstance(event, Void):
            rows.append({"seq": seq, **empty, "correction": event})
    rows += [{"seq": slip.seq, **empty, "corrects_nothing": slip.reason} for slip in review.effective.slips]
    return sorted(rows, key=itemgetter("seq"))


def _unsettled(review: Review, seq: int) -> list[Judged]:
    """The findings that a correction caused for other, earlier events."""
    from ledger.audit.auditor import outcome

    def findings(count: int) -> Sequence[Judged]:
        played = effective(review.record.events[:count])
        return outcome(review.game, review.game.opening(played.opening), played).findings

    before, after = findings(seq), findings(seq + 1)
    keys_before = {(finding.seq, finding.clause) for finding in before}
    return [f for f in after if (f.seq, f.clause) not in keys_before and f.verdict in ("impossible", "breach")]


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
    from ledger.audit.moments import for_programs, moments
    from ledger.audit.slip.slip_search import explain

    review = review_of(path, record)
    explain(review)
    echo_json(for_programs(review.name, moments(review))) if as_json else echo("\n".join(wrapped(_story(review))))


def _story(review: Review) -> Iterator[str]:
    from ledger.audit.moments import moments

    played = day(review.effective.opening.played or "")
    yield " · ".join(part for part in (review.title, listed(review.opening.names), played) if part)
    told = moments(review)
    if not told:
        yield "Nothing has happened yet."
    for one in told:
        yield from ("", f"{one.place:>4}  {one.words}", f"      {one.headline} {one.why}".rstrip())


# ── Stepping through a record at the keyboard ──────────────────────────────────────────────────────────


KEYS = "→ on   ← back   f next finding   g go to a move   q quit"
_KEY = re.compile(r"\x1b\[.|.", re.DOTALL)
_STEPS = {"\x1b[C": 1, "\x1b[B": 1, " ": 1, "\r": 1, "\x1b[D": -1, "\x1b[A": -1}
"""How many steps a key goes on: the arrows as terminals send them, space and Enter."""


@click.command("replay")
@RECORD
@click.option("--steps", is_flag=True, help="Print every step with its state digest instead.")
@click.pass_obj
def replay_(path: str, record: str, *, steps: bool) -> None:
    """Step through RECORD at the keyboard.

    The arrow keys step on and back, f goes to the next finding, g to a move by its number, and q quits.  In a pipe, or
    with --steps, it prints one line per step: number, state digest, move, scores.

    \b
    Examples:
      domino-ledger replay 7k3m
      domino-ledger replay games.ndjson:3 --steps | head
    """
    from ledger.audit.reports import step_lines

    review = review_of(path, record)
    if steps or not _is_terminal():
        for line in step_lines(review):
            echo(line)
        return
    place: int | None = 0
    while place is not None:
        if not is_dumb():
            click.clear()
        echo("\n".join([*frame(review, place), "", KEYS]))
        try:
            # Keys that are pressed quickly arrive together.
            for key in _KEY.findall(click.getchar()):
                if place is not None:
                    place = _place_after(review, place, key)
        except (KeyboardInterrupt, EOFError, click.Abort):
            return


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _place_after(review: Review, place: int, key: str) -> int | None:
    """The step to show after a key; None to quit."""
    last = len(review.steps) - 1
    if key == "q":
        return None
    if key == "f":
        later = (n for n, step in enumerate(review.steps) if n > place and step.seq in review.findings)
        return next(later, place)
    if key == "g":
        typed = answer_to(f"Go to move (0 to {last}): ").strip()
        return min(last, int(typed)) if typed.isdecimal() else place
    return max(0, min(last, place + _STEPS.get(key, 0)))
