"""`recover`: gets a lost ledger back from the phones, and shows what came back and what is still missing."""

import re
from typing import IO

import click

from ledger.cli.exits import FINDING
from ledger.cli.ledger_access import agreed, fault, ledger_at, note_audit
from ledger.cli.terminal import echo
from ledger.cli.verify_commands import TEXT, report_check
from ledger.keep import recovering
from ledger.keep.copies import Kept, checked, is_sealed, owners, phone_copies, restore_copy
from ledger.keep.recorder import key_digest
from ledger.proof.log_head import LogHead, check, parse_log_head
from ledger.record.chain import fingerprint, record_digest
from ledger.record.errors import LedgerError
from ledger.record.visible import visible
from ledger.record.words import day, plural
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore

RECOVERING = (
    "Until {} a game that begins here gets an id that the ledger chooses: ids of records are public, and a game that "
    "somebody else begins with a lost id would keep the real one out."
)
KEY = re.compile(r"[A-Za-z0-9_-]{43,86}")


@click.command("recover")
@click.argument("copies", nargs=-1, type=click.Path(exists=True, dir_okay=False))
@click.option("--owner", type=TEXT, help="A file with the old owner's link, or its key; - reads stdin.")
@click.option("--against", type=TEXT, help="A file with the last head of the log that you kept.")
@click.option("--accept", is_flag=True, help="Take in copies without a seal, too, without asking.")
@click.pass_obj
def recover_(
    path: str, copies: tuple[str, ...], owner: IO[str] | None, against: IO[str] | None, *, accept: bool
) -> None:
    """Get a lost ledger back from the phones that kept its games.

    Begin with a new ledger, or restore the last backup.  Name the file with the old owner's link (--owner) and start
    the server: each phone that opens its page hands in what the ledger lacks, with its ids, links, keys and
    confirmations.  For 14 days nobody else can take the id of a lost game: a game that another ledger had comes in only
    if the old owner's seal proves it, and one that begins gets a new id.

    COPIES are files that phones saved (On this phone, Save a copy).  You are asked about each copy without the old
    owner's seal.

    It prints what is in the ledger, and what is missing of an earlier head of the log.  The exit status is 1 if
    something is missing.

    \b
    Examples:
      domino-ledger recover --owner owner.link
      domino-ledger recover --against friday.head
      domino-ledger recover ana.copies ben.copies
    """
    noted = None if against is None else parse_log_head(against.read())
    with ledger_at(path, make=True) as store:
        if owner is not None:
            _take_owner(store, owner.read())
        elif not owners(store):
            echo(
                "the ledger has no owner yet, so no copy can be proved: name the old owner's link with --owner",
                err=True,
            )
        # All are read before one is taken in: a broken file stops it here.
        files = [kept for file in copies for kept in phone_copies(file)]
        for kept in files:
            try:
                _take(store, kept, accept=accept)
            except LedgerError as error:
                fault(str(error))
        if not _count(store, path, noted):
            raise click.exceptions.Exit(FINDING)


def _take_owner(store: SqliteStore, text: str) -> None:
    """Gives the ledger the old owner's key.  Raises click.UsageError for a text without one."""
    keys = KEY.findall(text.rpartition("#")[2])
    if len(keys) != 1:
        raise click.UsageError("there is no owner's link in this file: one ends with # and a key")
    store.put([Key("", key_digest(keys[0]), "owner")])
    echo(RECOVERING.format(day(recovering.begin(store).date().isoformat())), err=True)


def _take(store: SqliteStore, kept: Kept, *, accept: bool) -> None:
    """Takes in a copy that its seal proves or that the owner wants."""
    copy, packed = kept.copy, checked(kept.copy)
    opening = packed.record.opening
    players = ", ".join(visible(player.name or player.id) for player in opening.players)
    question = (
        f"Nothing proves this copy. Take it in? {copy.record}: {visible(opening.game)}, {players}, "
        f"{plural(len(packed.links), 'event')}, fingerprint {fingerprint(record_digest(packed.record.events))}"
    )
    if not (accept or is_sealed(store, copy, packed, kept.seal) or agreed(question)):
        fault(f"{copy.record}: not taken in, because nothing proves it", FINDING)
        return
    stored = restore_copy(store, copy)
    if stored:
        note_audit(store, copy.record)
    echo(f"{copy.record}: {plural(stored, 'event')} came back" if stored else f"{copy.record}: known already")


def _count(store: SqliteStore, path: str, noted: LogHead | None) -> bool:
    """Says what is in the ledger, and how much is missing of a head of the log; returns whether nothing is."""
    result = check(store)
    size = result.log_head.size
    echo(f"{path}: {plural(result.records, 'record')}, {plural(size, 'event')}")
    if result.corruptions:
        report_check(result, path)
        return False
    if noted is None:
        return True
    if size < noted.size:
        echo(f"missing: {noted.size - size} of {plural(noted.size, 'event')} of the head of the log", err=True)
    elif not check(store, noted).corruptions:
        echo("the head of the log is the one that you kept: nothing was changed or lost")
    else:
        echo(
            "as many events as the head of the log had, or more; phones brought them in another order, which it "
            "cannot show"
        )
    return size >= noted.size
