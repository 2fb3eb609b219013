"""Links for phones: the address at which they find the server, as text and as QR codes, one by one or on a sheet."""

from __future__ import annotations

import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ledger.cli.output_files import atomic_write, refuse_overwrite
from ledger.cli.shared_options import form_of
from ledger.cli.terminal import echo
from ledger.record.errors import NotForNow
from ledger.record.words import plural

if TYPE_CHECKING:
    from ledger.stores.sqlite import SqliteStore

PORT = 8000
"""The usual port."""
ALONE = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  compared with, not bound


def write_tables(store: SqliteStore, sheet: Path, base: str, day: str, event: str, *, only: bool) -> None:
    """Writes the sheet of an evening's tables.  Raises NotForNow if no game of that day is in play."""
    from ledger.keep.key_links import tables
    from ledger.keep.stored_audits import audit_anew
    from viewer.recorder.table_sheet import sheet as tables_sheet
    from viewer.recorder.table_sheet import sheet_file

    form_of(sheet, {"html": (".html", ".htm")})
    refuse_overwrite(sheet)
    audit_anew(store)
    rows = tables(store, day, event)
    if not rows:
        raise NotForNow(f"no game of {day} is in play: begin the games first, or name another day with --played")
    with atomic_write(sheet) as out:
        out.write(sheet_file(tables_sheet(store, rows, base, only=only), day))
    echo(f"Wrote {plural(len(rows), 'link')} to {sheet}. Everybody who has a code can record in its game.")


def serving_base(store: Any) -> str:
    """The address at which phones find the ledger's server; stderr says if they can't."""
    from viewer.server.whereabouts import listens_at

    host, port = listens_at(store.path) or ("", PORT)
    if host in (*EVERYWHERE, ""):
        base = f"http://{own_address()}:{port}"
    else:
        base = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    if not host:
        echo(f"Note: no server of this ledger is running. The link is for one at {base}.", err=True)
    elif host in ALONE:
        echo("Note: phones cannot reach the server. Start it with --host 0.0.0.0, and make the link again.", err=True)
    return base


def print_link(label: str, address: str) -> None:
    """An address as text, and as a QR code if the output has the characters that draw one."""
    import segno

    echo(f"{label}: {address}")
    with suppress(UnicodeEncodeError):
        "▀▄█".encode(sys.stdout.encoding or "ascii")
        segno.make(address, micro=False).terminal(compact=True)


def own_address() -> str:
    """The address of this machine on its network, as far as it can tell.  It sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])
