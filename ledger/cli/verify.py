"""`verify` and `confirm`: is all as it was written, and do the players agree to it?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from ledger.cli.common import ledger_at, progress, resolve
from ledger.errors import LedgerError

if TYPE_CHECKING:
    from ledger.heads import Checked, Harm, Head
    from ledger.record import Record

TEXT = click.File("r", "utf-8", "replace")
"""What is no text is no head and no key either, and the reader says so."""
FEW = 12
"""Up to so many records of a file each has a line of its own, whole or not."""


@click.command("verify")
@click.argument("things", nargs=-1, metavar="[RECORD|FILE]...")
@click.option("--against", type=TEXT, help="A head or a checkpoint from earlier, in a file; - reads it.")
@click.option("--fingerprint", help="What somebody read aloud: the one record that is named must have it.")
@click.option("--proof", type=click.File("rb"), help="A proof of a record, checked without the ledger; - reads it.")
@click.option("--public", type=TEXT, help="The public key of a checkpoint or a proof, in a file.")
@click.pass_obj
def verify_(
    path: str,
    things: tuple[str, ...],
    against: IO[str] | None,
    fingerprint: str | None,
    proof: IO[bytes] | None,
    public: IO[str] | None,
) -> None:
    """Is every event as it was written, and is all there that was there?  Of the ledger, of RECORDS in it, or of FILES.

    Of the whole ledger it prints the head: the number of events, and a digest over all of them.  Keep a head outside
    this machine: held against it, the ledger shows whether anything of what was there then was changed or taken away.
    Of a record it prints the fingerprint, which the players can read to each other, and who confirmed it.  A file that
    was exported is held against the seal beside it.  The exit status is 1 if anything is harmed.

    \b
    Example:
      domino-ledger verify > friday.head
      domino-ledger verify --against friday.head
      domino-ledger verify 7k3m --fingerprint 4c8e-x2q0-9m1t-7a3k-d0wz
      domino-ledger verify league.ndjson.zst
      domino-ledger verify --proof final.proof --public club.public
    """
    if proof is not None:
        _proved(proof.read(), public)
        return
    if fingerprint is not None and len(things) != 1:
        raise click.UsageError("a fingerprint is of one record: name it")
    if things:
        harmed = [_verified(path, thing, fingerprint) for thing in things]
        sys.exit(1 if any(harmed) else 0)
    from ledger.heads import check  # noqa: PLC0415  only here

    then = _noted(against.read(), public) if against else None
    with ledger_at(path) as store:
        found = check(store, then)
    tell(found, path)
    if found.harms:
        sys.exit(1)


def _verified(path: str, thing: str, fingerprint: str | None) -> bool:
    """Says of a record or a file whether it is whole; returns whether it is harmed."""
    if not Path(thing).exists():
        from ledger.heads import check_record  # noqa: PLC0415  only here

        with ledger_at(path) as store:
            record_id = resolve(store, thing)
            return _say(record_id, check_record(store, record_id), store.read(record_id), fingerprint)
    if ".ndjson" not in Path(thing).suffixes:
        from ledger.heads import misconfirmed  # noqa: PLC0415  as above
        from ledger.sources import pick  # noqa: PLC0415

        found = pick(thing).found
        if isinstance(found, LedgerError):
            raise found
        return _say(thing, tuple(misconfirmed(thing, found)), found, fingerprint)
    from ledger.seals import beside, check_archive  # noqa: PLC0415  only here

    count = harmed = 0
    for each in progress(check_archive(Path(thing)), "verifying"):
        count += each.record is not None
        harmed += bool(each.harms)
        if each.harms or count <= FEW:
            _say(each.name, each.harms, each.record, fingerprint)
    sealed = "held against its seal" if beside(Path(thing)).exists() else "without a seal"
    click.echo(f"{thing}: {'harmed' if harmed else 'whole'}, {count} records, {sealed}", err=True)
    return bool(harmed)


def _say(name: str, harms: tuple[Harm, ...], record: Record | None, fingerprint: str | None) -> bool:
    """One line on a record, and one for each harm; returns whether there is any."""
    from ledger import chain  # noqa: PLC0415  only here

    for harm in harms:
        click.echo(f"{name}: event {harm.seq}: {harm.reason}", err=True)
    if record is None:
        return True
    own = chain.fingerprint(record.events)
    names = {player.id: player.name or player.id for player in record.opening.players}
    said = [
        names[each.player] + ("" if each.last else " (before it was corrected)")
        for each in chain.confirmations(record)
        if each.true
    ]
    state = "harmed" if harms else "whole"
    click.echo(
        f"{name}: {state}, {len(record.events)} events, fingerprint {chain.aloud(own)}"
        + (f", confirmed by {', '.join(said)}" if said else "")
    )
    if fingerprint is not None and not chain.is_of(fingerprint, own):
        click.echo(f"{name}: its fingerprint is not {fingerprint}: this is another record, or it was changed", err=True)
        return True
    return bool(harms)


def _noted(text: str, public: IO[str] | None) -> Head:
    """The head that was noted, plain or signed."""
    from ledger.heads import read_head  # noqa: PLC0415  only here

    if "\u2014 " not in text:
        return read_head(text)
    if public is None:
        raise click.UsageError("this head is signed: say by --public whose signature it should bear")
    from ledger.checkpoints import Verifier, opened  # noqa: PLC0415  only here

    return opened(text, Verifier(public.read()))


def _proved(text: bytes, public: IO[str] | None) -> None:
    """Says what a proof shows."""
    from ledger import chain  # noqa: PLC0415  only here
    from ledger.checkpoints import Verifier, proved, read_proof  # noqa: PLC0415

    if public is None:
        raise click.UsageError("a proof is checked with a public key: name its file by --public")
    verifier, proof = Verifier(public.read()), read_proof(text)
    try:
        record, head = proved(proof, verifier)
    except LedgerError as error:
        click.echo(f"not proved: {error}", err=True)
        sys.exit(1)
    players = ", ".join(player.id for player in record.opening.players)
    click.echo(
        f"proved: record {proof.record} ({record.opening.game}, {players}), {len(record.events)} events, "
        f"fingerprint {chain.aloud(chain.fingerprint(record.events))}, "
        f"stood like this in the ledger {verifier.name} when it had {head.size} events"
    )


def tell(found: Checked, path: str) -> None:
    """Says what a check of a whole ledger found."""
    for harm in found.harms:
        where = f"record {harm.record}, event {harm.seq}" if harm.record else f"after {harm.seq} events"
        click.echo(f"{path}: {where}: {harm.reason}", err=True)
    state = "harmed" if found.harms else "whole"
    click.echo(f"{path}: {state}, {found.head.size} events in {found.records} records", err=True)
    click.echo(str(found.head))


@click.command("confirm")
@click.argument("record")
@click.argument("player")
@click.option("--fingerprint", help="What the player compared: nothing is recorded if the record has another.")
@click.pass_obj
def confirm_(path: str, record: str, player: str, fingerprint: str | None) -> None:
    """Record that PLAYER (a name or an id) agrees to RECORD as it stands.

    Without --fingerprint it shows the fingerprint and asks.

    \b
    Example:
      domino-ledger confirm 7k3m Ana
    """
    from ledger import chain  # noqa: PLC0415  only here
    from ledger.catalog import find  # noqa: PLC0415
    from ledger.recorder import Recorder  # noqa: PLC0415

    with ledger_at(path) as store:
        record_id = resolve(store, record)
        found = store.read(record_id)
        who = [each for each in found.opening.players if player in (each.id, each.name)]
        if len(who) != 1:
            raise click.ClickException(f"no one player of {record_id} is called {player}")
        own = chain.fingerprint(found.events)
        if fingerprint is None:
            click.echo(f"{record_id} has {len(found.events)} events and the fingerprint {chain.aloud(own)}")
            click.confirm(f"Does {who[0].name or who[0].id} agree to it?", abort=True)
        elif not chain.is_of(fingerprint, own):
            raise click.ClickException(f"the record has another fingerprint: {chain.aloud(own)}")
        Recorder(store, find_game=find).confirm(record_id, who[0].id, own.hex())
    click.echo(f"{who[0].name or who[0].id} has confirmed {record_id}: {chain.aloud(own)}")
