"""`void`: sets a game aside that should not count, and brings it back."""

from __future__ import annotations

import click

from ledger.cli.ledger_access import echo_json, ledger_for, note_audit, resolve
from ledger.cli.shared_options import JSON
from ledger.cli.terminal import echo
from ledger.keep.recorder import Recorder


@click.command("void")
@click.argument("record")
@click.option("--why", default="", help="The reason, which people with the game's link see.")
@click.option("--undo", is_flag=True, help="Bring the game back.")
@click.option("--by", help="Your name.")
@JSON
@click.pass_obj
def void_(path: str, record: str, why: str, by: str | None, *, undo: bool, as_json: bool) -> None:
    """Set a game aside, such as one begun by mistake: no list, count, standings or statistics have it any more.

    Nothing is deleted: people with its link still see it, with the reason.  --undo brings it back.  Its fingerprint
    stays the same.  `list --void` shows what was set aside.

    \b
    Examples:
      domino-ledger void 7k3m --why "begun by mistake"
      domino-ledger void 7k3m --undo
    """
    with ledger_for(path, record) as store:
        record_id = resolve(store, record)
        Recorder(store).void(record_id, why, undo=undo, by=by)
        note_audit(store, record_id)
    if as_json:
        echo_json({"record": record_id, "voided": not undo})
    else:
        echo(f"record {record_id} is {'back' if undo else 'set aside'}")
