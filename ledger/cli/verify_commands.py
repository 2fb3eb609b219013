"""`verify` and `confirm`: show that nothing was changed."""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO

import click

from ledger.cli.each_club import CLUSTER, each_club, verify_club
from ledger.cli.exits import FINDING
from ledger.cli.ledger_access import confirm, echo_json, ledger_at, note_audit, resolve
from ledger.cli.shared_options import JSON
from ledger.cli.terminal import echo, progress
from ledger.games.catalog import find
from ledger.keep.recorder import Recorder
from ledger.keep.sources import pick
from ledger.proof import log_head
from ledger.proof.manifest import check_archive, manifest_path
from ledger.record import chain
from ledger.record.errors import LedgerError
from ledger.record.record import Record
from ledger.record.visible import visible
from ledger.record.words import plural
from ledger.stores.query import Corruption

TEXT = click.File("r", "utf-8", "replace")
"""Bytes that are not text are replaced, so that the parser refuses them with a sentence."""
FEW = 12
"""In a file with up to this many records, each one gets its own line."""


@click.command("verify")
@click.argument("things", nargs=-1, metavar="[RECORD|FILE]...", type=click.Path())
@click.option("--against", type=TEXT, help="A file with an earlier head of the log; - reads stdin.")
@click.option("--fingerprint", help="Check that one RECORD has this fingerprint.")
@click.option("--no-audits", is_flag=True, help="Do not audit the records again: takes a third less time.")
@CLUSTER
@JSON
@click.pass_obj
def verify_(
    path: str,
    things: tuple[str, ...],
    against: IO[str] | None,
    fingerprint: str | None,
    cluster: str | None,
    *,
    no_audits: bool,
    as_json: bool,
) -> None:
    """Check that no event was changed or lost: in the ledger, in RECORDS, or in FILES.

    For the whole ledger it prints the head of the log: the number of events, and a digest over all of them.  Keep it
    on another machine: --against compares the ledger with it and shows whether anything was changed or removed.
    It also audits every record again and compares the result with the stored one.  For a record it prints the
    fingerprint, which players can read to each other, and who confirmed it.  An exported file is compared with the
    manifest beside it.  If the ledger is a folder of clubs, it checks each, and prints a line for it, with its head of
    the log.  The exit status is 1 if anything is corrupt.

    \b
    Examples:
      domino-ledger verify > friday.head
      domino-ledger verify --against friday.head
      domino-ledger verify 7k3m --fingerprint 4c8e-x2q0-9m1t-7a3k-d0wz
      domino-ledger verify league.ndjson.zst
    """
    if fingerprint is not None and len(things) != 1:
        raise click.UsageError("--fingerprint needs exactly one RECORD")
    if things:
        corrupt = [_verify(path, thing, fingerprint, as_json=as_json) for thing in things]
        sys.exit(FINDING if any(corrupt) else 0)
    if Path(path).is_dir():
        if against:
            raise click.UsageError("--against is for one ledger: name a club's file with --ledger")
        each_club(path, partial(verify_club, audits=not no_audits), cluster)
        return
    earlier = log_head.parse_log_head(against.read()) if against else None
    with ledger_at(path, warn=False) as store:
        result = log_head.check(store, earlier)
        if not no_audits:
            found = progress(_differences(path), "auditing", result.records)
            result = log_head.add_differences(result, filter(None, found))
    report_check(result, path, as_json=as_json)
    if result.corruptions:
        sys.exit(FINDING)


def _differences(path: str) -> Iterator[Corruption | None]:
    """For each record of the ledger how its stored audit differs from a new one, or None."""
    from ledger.bulk.auditing import Input, LedgerChunk, compare_chunk
    from ledger.bulk.executors import fitting_jobs, processes

    records = Input(path, ())
    chunks = (chunk for chunk, _done in records.chunks() if isinstance(chunk, LedgerChunk))
    with processes(fitting_jobs(records.size)) as run:
        for _chunk, differences in run(compare_chunk, chunks):
            yield from differences


def _verify(path: str, thing: str, fingerprint: str | None, *, as_json: bool) -> bool:
    """Checks a record or a file and prints the result; returns whether it is corrupt."""
    if not Path(thing).exists():
        with ledger_at(path) as store:
            record_id = resolve(store, thing)
            corruptions = log_head.check_record(store, record_id)
            return _report(record_id, corruptions, store.read(record_id), fingerprint, as_json=as_json)
    if ".ndjson" not in Path(thing).suffixes:
        picked = pick(thing).result
        if isinstance(picked, LedgerError):
            raise picked
        return _report(thing, tuple(log_head.check_confirmations(thing, picked)), picked, fingerprint, as_json=as_json)
    count = corrupt = 0
    for line in progress(check_archive(Path(thing)), "verifying"):
        count += line.record is not None
        corrupt += bool(line.corruptions)
        if line.corruptions or count <= FEW or as_json:
            _report(line.name, line.corruptions, line.record, fingerprint, as_json=as_json)
    manifest = "compared with its manifest" if manifest_path(Path(thing)).exists() else "without a manifest"
    echo(f"{thing}: {'corrupt' if corrupt else 'intact'}, {plural(count, 'record')}, {manifest}", err=True)
    return bool(corrupt)


def _report(
    name: str,
    corruptions: tuple[Corruption, ...],
    record: Record | None,
    fingerprint: str | None,
    *,
    as_json: bool = False,
) -> bool:
    """Prints one line for a record, and one for each corruption; returns whether there is any."""
    for corruption in corruptions:
        place = name if corruption.event is None else f"{name}: event {corruption.event}"
        echo(f"{place}: {corruption.reason}", err=True)
    if record is None:
        return True
    digest = chain.record_digest(record.events)
    names = {player.id: visible(player.name or player.id) for player in record.opening.players}
    confirmed_by = [
        names[confirmation.player] + ("" if confirmation.last else " (before it was corrected)")
        for confirmation in chain.confirmations(record)
        if confirmation.true
    ]
    state = "corrupt" if corruptions else "intact"
    if as_json:
        echo_json({
            "record": name,
            "state": state,
            "events": len(record.events),
            "fingerprint": chain.fingerprint(digest),
            "confirmed_by": confirmed_by,
            "corruptions": corruptions,
        })  # fmt: skip
    else:
        echo(
            f"{name}: {state}, {plural(len(record.events), 'event')}, fingerprint {chain.fingerprint(digest)}"
            + (f", confirmed by {', '.join(confirmed_by)}" if confirmed_by else "")
        )
    if fingerprint is not None and not chain.matches(fingerprint, digest):
        echo(f"{name}: its fingerprint is not {fingerprint}, so this is another record or it was changed", err=True)
        return True
    return bool(corruptions)


def report_check(result: log_head.CheckResult, path: str, *, as_json: bool = False) -> None:
    """Prints the result of checking a whole ledger."""
    if as_json:
        echo_json({
            "ledger": path,
            "state": "corrupt" if result.corruptions else "intact",
            "events": result.log_head.size,
            "records": result.records,
            "log_head": str(result.log_head),
            "corruptions": result.corruptions,
        })  # fmt: skip
        return
    for corruption in result.corruptions:
        place = f"record {corruption.record}" if corruption.record else ""
        if corruption.event is not None:
            place = f"{place}, event {corruption.event}" if place else f"after {plural(corruption.event, 'event')}"
        echo(": ".join(part for part in (path, place, corruption.reason) if part), err=True)
    state = "corrupt" if result.corruptions else "intact"
    echo(f"{path}: {state}, {plural(result.log_head.size, 'event')} in {plural(result.records, 'record')}", err=True)
    echo(str(result.log_head))


@click.command("confirm")
@click.argument("record")
@click.argument("player")
@click.option("--fingerprint", help="The fingerprint the player has seen; the record must have it.")
@click.pass_obj
def confirm_(path: str, record: str, player: str, fingerprint: str | None) -> None:
    """Record that PLAYER (a name or an id) agrees to RECORD as it stands.

    Without --fingerprint it shows the fingerprint and asks.

    \b
    Example:
      domino-ledger confirm 7k3m Ana
    """
    with ledger_at(path) as store:
        record_id = resolve(store, record)
        stored_record = store.read(record_id)
        matching = [seat for seat in stored_record.opening.players if player in (seat.id, seat.name)]
        if len(matching) != 1:
            names = [visible(seat.name or seat.id) for seat in stored_record.opening.players]
            raise click.ClickException(f"{record_id} has no player called {player}; it has {', '.join(names)}")
        digest = chain.record_digest(stored_record.events)
        if fingerprint is None:
            events = plural(len(stored_record.events), "event")
            echo(f"{record_id} has {events} and the fingerprint {chain.fingerprint(digest)}")
            confirm(f"Does {visible(matching[0].name or matching[0].id)} agree to it?")
        elif not chain.matches(fingerprint, digest):
            raise click.ClickException(f"the record has another fingerprint: {chain.fingerprint(digest)}")
        Recorder(store, find_game=find).confirm(record_id, matching[0].id, digest.hex())
        note_audit(store, record_id)
    echo(f"{visible(matching[0].name or matching[0].id)} has confirmed {record_id}: {chain.fingerprint(digest)}")
