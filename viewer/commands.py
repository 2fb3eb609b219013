"""`serve`, `link` and `site`: the commands that the viewer adds to `domino-ledger` (entry points in pyproject.toml)."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ledger.cli.ledger_access import ledger_at, resolve
from ledger.cli.output_files import atomic_write, refuse_overwrite
from ledger.cli.shared_options import DAY, form_of, output, server_address
from ledger.cli.terminal import echo, progress
from ledger.record import clock
from ledger.record.errors import LedgerError, NotForNow
from ledger.record.words import plural
from ledger.stores import questions

if TYPE_CHECKING:
    from ledger.stores.store import SqliteStore
    from viewer.server.hosts import Hosts
    from viewer.server.logs import LogFormat

PORT = 8000
"""The usual port."""
ALONE = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  compared with, not bound
ADDRESSES = "use 127.0.0.1 for this machine alone, 0.0.0.0 for its network"
LISTENS_WITHIN = 1.0
"""Seconds in which a server on this machine must take a connection."""


@click.command("serve", short_help="Show the ledger in a browser, and record on phones.")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 admits phones on the same network.")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535), help="0 picks a free one.")
@click.option("--read-only", is_flag=True, help="Only show the ledger: nobody can record.")
@click.option("--private", is_flag=True, help="Show each game only to people with its link.")
@click.option("--begin-by-link", "by_link", is_flag=True, help="Let only people with a link begin games.")
@click.option(
    "--log",
    "log_format",
    default="text",
    show_default=True,
    type=click.Choice(("json", "text", "none")),
    help="What to log on stderr: a JSON object per answer, a line per failure, or nothing.",
)
@click.option(
    "--behind-proxy",
    "proxies",
    default=0,
    show_default=True,
    type=click.IntRange(0, 10),
    help="Number of trusted reverse proxies in front of the server (0 = none).",
)
@click.option(
    "--host-name",
    "names",
    multiple=True,
    metavar="NAME",
    envvar="DOMINO_HOST_NAMES",
    show_envvar=True,
    help="A host name of the server, such as domino.example (repeatable).  Its own addresses and the name of this "
    "machine, also with .local, are known.",
)
@click.option(
    "--club-host",
    metavar="NAME",
    default="",
    help="With a folder of clubs and example.org, each is at NAME.example.org, too.",
)
@click.option("--open", "in_browser", is_flag=True, help="Open the ledger in your browser.")
@click.option(
    "--cors",
    "readers",
    multiple=True,
    metavar="ORIGIN",
    help="Let pages of this site, such as https://club.example, read the API; * for every site; may be repeated.",
)
@click.pass_obj
def serve(
    path: str,
    host: str,
    port: int,
    names: tuple[str, ...],
    readers: tuple[str, ...],
    club_host: str,
    *,
    read_only: bool,
    private: bool,
    by_link: bool,
    log_format: LogFormat,
    proxies: int,
    in_browser: bool,
) -> None:
    """Show the ledger in a browser, record games on phones, and serve a JSON API.

    With --host 0.0.0.0, phones on the same network can connect by the address or its QR code, begin a game, and record
    it with its link.  With --private, people see a game only with its link, and the owner's link (`domino-ledger link`)
    shows the list and begins games.  Ctrl+C, SIGTERM or SIGHUP stops the server cleanly.

    If the ledger is a FOLDER, each NAME.sqlite in it is a club of its own at /NAME/; `new-club` makes one.

    The server answers only to its own host names, so that no other site can pretend to be this one.  Any other name
    gets 421; add the names that people use with --host-name.

    \b
    Examples:
      domino-ledger serve --open
      domino-ledger serve --ledger club.sqlite --host 0.0.0.0 --port 8080
      domino-ledger serve --ledger clubs/ --club-host domino.example
      domino-ledger serve --log json --behind-proxy 1 --host-name domino.example
    """
    from viewer.app import create_app
    from viewer.server.logs import configure

    configure(log_format)
    hosts = answered_hosts(host, *names, *([club_host] if club_host else []), clubs=club_host)
    make = partial(create_app, private=private, by_link=by_link, limits=True, hosts=hosts, readers=readers)

    def announce(server: Any) -> None:
        _announce(path, host, server, in_browser=in_browser)
        _say_without_rules()

    if Path(path).is_dir():
        clubs = _clubs(Path(path), make, hosts, read_only=read_only, proxies=proxies)
        serve_app(clubs, clubs, host, port, announce, proxies=proxies)
        return
    if club_host:
        raise click.UsageError("--club-host is for a folder of clubs: name one with --ledger")
    with ledger_at(path, make=not read_only) as store:
        _require_writable(store, path, read_only=read_only)
        audit_first(store)
        app = make(store.reopen, recording=not (read_only or store.connection.read_only), proxies=proxies)
        serve_app(store, app, host, port, announce, proxies=proxies)
    _say_if_split(store)


def _clubs(folder: Path, make: Callable[..., Any], hosts: Hosts, *, read_only: bool, proxies: int) -> Any:
    """The application of all clubs of a folder.  It says which ledgers there are no clubs, because of their names."""
    from ledger.keep.club_folder import clubs_in
    from viewer.app import create_host
    from viewer.clubs import Clubs

    if others := sorted({path.name for path in folder.glob("*.sqlite")} - {path.name for path in clubs_in(folder)}):
        echo(f"Note: no club can have the name of {', '.join(others)}: small letters, digits and hyphens", err=True)
    host = create_host(folder, hosts, recording=not read_only)
    return Clubs(folder, lambda not_this: make(recording=not (read_only or not_this)), host, hosts, proxies)


def serve_app(store: Any, app: Any, host: str, port: int, announce: Callable[[Any], None], *, proxies: int = 0) -> None:
    """Serves an application until somebody stops it.  It calls `announce` with the server once that listens.

    Raises click.ClickException if the port cannot be used.
    """
    from viewer.background import at_work
    from viewer.server.clean_stop import run_until, stop_on_signal
    from viewer.server.listen import listen

    try:
        server, sockets = listen(app, host, port, proxies=proxies, split=getattr(app, "split", None))
    except OSError as error:
        raise click.ClickException(f"cannot use port {port} ({error.strerror}): choose another with --port") from None
    stop_on_signal(stop := threading.Event())  # before the address is printed
    if host in EVERYWHERE:  # the home page shows phones the way
        phones = f"http://{own_address()}:{port_of(server)}/"
        if hasattr(app, "phones"):
            app.phones = phones
        else:
            app.extensions["served"].phones = phones
    with noted(store.path, host, port_of(server)):
        announce(server)
        with app.at_work(stop) if hasattr(app, "at_work") else at_work({"": app.extensions["served"]}, stop):
            run_until(server, sockets, stop)


def answered_hosts(host: str, *names: str, clubs: str = "") -> Hosts:
    """The names of hosts that a server on this host answers to; `clubs` is where those of clubs end.

    Raises click.UsageError for a host that has no address, or none of this machine.
    """
    from viewer.server.hosts import Hosts, is_own_address

    try:
        places = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise click.UsageError(f"no machine is called {host!r}: {ADDRESSES}") from None
    addresses = {str(address[0]) for *_, address in places}
    if addresses.isdisjoint(EVERYWHERE) and not any(map(is_own_address, addresses)):
        raise click.UsageError(f"{host} is not an address of this machine: {ADDRESSES}")
    return Hosts((*names, host), clubs)


def _require_writable(store: SqliteStore, path: str, *, read_only: bool) -> None:
    if store.connection.read_only and not read_only:
        raise click.ClickException(f"the ledger {path} cannot be written: show it with --read-only")


def audit_first(store: SqliteStore) -> None:
    """Audits new events, if the ledger can be written; if not, people can still read it."""
    from ledger.keep.stored_audits import refresh

    if store.connection.read_only:
        return
    try:
        with store.reopen() as own:  # what it caches of the file goes with it
            for _ in progress(refresh(own, unreadable=True), "auditing new records", len(questions.unaudited(own))):
                pass
            own.note_audits(())  # from here on the ledger is in use, even if nobody records
    except LedgerError as error:
        echo(f"new records are not audited yet: {error}", err=True)


def _say_without_rules() -> None:
    """Says if phones cannot record without a network, because the program was installed without what they need."""
    from viewer.in_browser import runtime

    missing = runtime.find_runtime()
    if isinstance(missing, str) and runtime.how() != runtime.IN_CHECKOUT:
        echo(f"Note: phones can record only with a connection. {missing}", err=True)


def _say_if_split(store: Any) -> None:
    """Says, after a stop, if events are outside the ledger's file because another program uses it."""
    if store.connection.displaced():
        echo(f"{store.path} is not the file that was open: what was acknowledged is in {store.path}.rescued", err=True)
    elif not store.connection.read_only and store.connection.split:
        echo(
            f"another program has {store.path} open: until it ends, {store.path}-wal belongs to the ledger. "
            "Copy both, or use `domino-ledger backup`",
            err=True,
        )


@click.command("link", short_help="Make a link for a phone that records a game.")
@click.argument("record", required=False)
@click.option("--watch", is_flag=True, help="Make a link for watching only (needed with --private).")
@click.option("--only", is_flag=True, help="Revoke earlier links of the same kind.")
@click.option("--address", help="Address of the server, such as http://192.168.1.5:8000 (default: this machine).")
@output("Write a page to print (.html) with a recorder's link for each game of a day that is in play.")
@click.option("--played", type=DAY, metavar="DAY", help="The day of the sheet, YYYY-MM-DD (default: today).")
@click.option("--event", help="Only the games of this event, for a sheet.")
@click.pass_obj
def link(
    path: str,
    record: str | None,
    address: str | None,
    output: Path | None,
    played: str | None,
    event: str | None,
    *,
    watch: bool,
    only: bool,
) -> None:
    """Make a recorder's link to RECORD; print it and the watcher's link as text and as QR codes for a phone.

    Anyone with the recorder's link can write to that record.  Without a RECORD it makes the owner's link, which signs
    in the owner.  A link is shown only once: the ledger stores only a digest of its secret.

    With -o tables.html it makes a recorder's link for each table of an evening, on one page with QR codes.

    \b
    Examples:
      domino-ledger link "$(domino-ledger new zigzag Ana Ben Cy)"
      domino-ledger link --only
      domino-ledger link -o tables.html --event "Spring Cup"
    """
    from ledger.keep.recorder import new_link

    if output is None and (played or event):
        raise click.UsageError("--played and --event are for a sheet: add -o tables.html")
    if output is not None and (record is not None or watch):
        raise click.UsageError("a sheet is for all games of a day: leave the record and --watch out")
    if Path(path).is_dir() and record is None and output is None:
        from ledger.keep.club_folder import new_host_link

        base = server_address(address) if address is not None else serving_base(Path(path))
        print_link("The host's owner", f"{base}/new-club#{new_host_link(Path(path), only=only)}")
        return
    with ledger_at(path) as store:
        base = server_address(address) if address is not None else serving_base(store.path)
        if output is not None:
            write_tables(store, output, base, played or clock.today().isoformat(), event or "", only=only)
            return
        if record is None:
            print_link("The owner", f"{base}/owner#{new_link(store, '', 'owner', only=only)}")
            return
        record_id = resolve(store, record)
        secret = f"#{new_link(store, record_id, 'watch', only=only)}" if watch else ""
        print_link("Watch", f"{base}/g/{record_id}{secret}")
        if not watch:
            print_link("Record", f"{base}/r/{record_id}#{new_link(store, record_id, 'record', only=only)}")


def write_tables(store: SqliteStore, sheet: Path, base: str, day: str, event: str, *, only: bool) -> None:
    """Writes the sheet of an evening's tables.  Raises NotForNow if no game of that day is in play."""
    from ledger.keep.recorder import tables
    from ledger.keep.stored_audits import audit_anew
    from viewer.paper.evening_tables import sheet as tables_sheet
    from viewer.paper.evening_tables import sheet_file

    form_of(sheet, {"html": (".html", ".htm")})
    refuse_overwrite(sheet)
    audit_anew(store)
    rows = tables(store, day, event)
    if not rows:
        raise NotForNow(f"no game of {day} is in play: begin the games first, or name another day with --played")
    with atomic_write(sheet) as out:
        out.write(sheet_file(tables_sheet(store, rows, base, only=only), day))
    echo(f"Wrote {plural(len(rows), 'link')} to {sheet}. Everybody who has a code can record in its game.")


def note_of(ledger: str | Path) -> Path:
    """The file beside a ledger that says where its server listens, while it runs."""
    return Path(ledger) / ".serving" if Path(ledger).is_dir() else Path(f"{ledger}.serving")


@contextmanager
def noted(ledger: str | Path, host: str, port: int) -> Iterator[None]:
    """Notes the address while the server runs.  A ledger that is no file, or in a read-only folder, gets no note."""
    file, text = note_of(ledger), f"{host} {port}\n"
    if not Path(ledger).exists():
        yield
        return
    with suppress(OSError):
        file.write_text(text, "utf-8")
    try:
        yield
    finally:
        with suppress(OSError):
            if file.read_text("utf-8") == text:  # else another server of this ledger has begun since
                file.unlink()


def listens_at(ledger: str | Path) -> tuple[str, int] | None:
    """The host and the port of the ledger's server; None if no server is known, or it does not answer any more."""
    try:
        host, port = note_of(ledger).read_text("utf-8").split()
        name = dict(zip(EVERYWHERE, ("127.0.0.1", "::1"), strict=True)).get(host, host)
        socket.create_connection((name, int(port)), LISTENS_WITHIN).close()
    except (OSError, ValueError):
        return None
    return host, int(port)


def serving_base(ledger: Path) -> str:
    """The address at which phones find the server of a ledger, or of a club; stderr says if they can't."""
    place, club = listens_at(ledger), ""
    if not place and (place := listens_at(Path(ledger).parent)):
        club = f"/{Path(ledger).stem}"
    host, port = place or ("", PORT)
    if host in (*EVERYWHERE, ""):
        base = f"http://{own_address()}:{port}"
    else:
        base = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    if not host:
        echo(f"Note: no server of this ledger is running. The link is for one at {base}.", err=True)
    elif host in ALONE:
        echo("Note: phones cannot reach the server. Start it with --host 0.0.0.0, and make the link again.", err=True)
    return base + club


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


@click.command("site", short_help="Write a static web site where anybody can try the program.")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def site(folder: Path) -> None:
    """Write a static web site into FOLDER: paste or drop a game, and see it replayed and checked in the browser.

    Any web server can serve it without settings.  It contains the rules, the examples and Python for browsers, and
    loads nothing from elsewhere.  Files of an earlier site in FOLDER are replaced; others stay.

    \b
    Examples:
      domino-ledger site public
      python -m http.server --directory public
    """
    from viewer.site.static_site import write_site

    written = plural(write_site(folder), "file")
    echo(f"Wrote {written} to {folder}. To try the site: python -m http.server --directory {folder}")


@click.command("new-club", short_help="Make a club in a folder of clubs.")
@click.argument("name")
@click.option("--address", help="Address of the server, such as https://domino.example (default: this machine).")
@click.pass_obj
def new_club(path: str, name: str, address: str | None) -> None:
    """Make the club NAME in the folder of clubs, and print its owner's link.

    The folder is made if it is not there.  `domino-ledger link --ledger FOLDER` makes the link of the host's owner, who
    can make clubs on a page of the server, too.

    \b
    Example:
      domino-ledger new-club --ledger clubs/ north-end
    """
    from ledger.keep import club_folder

    if Path(path).is_file():
        raise click.UsageError(f"{path} is one ledger: name a folder for clubs with --ledger")
    Path(path).mkdir(mode=0o700, exist_ok=True)
    secret = club_folder.new_club(Path(path), name)
    base = server_address(address) if address is not None else serving_base(Path(path))
    print_link(f"The owner of {name}", f"{base}/{name}/owner#{secret}")


def _announce(path: str, host: str, server: Any, *, in_browser: bool) -> None:
    """Prints the address of the ledger, for phones also as a QR code; opens it `in_browser`."""
    address = address_of(host, server)
    echo(f"Serving {path} at {address} (press Ctrl+C to stop)")
    if host in EVERYWHERE:
        print_link("For phones on this network", f"http://{own_address()}:{port_of(server)}/")
    if in_browser:
        click.launch(address)


def port_of(server: Any) -> int:
    """The port at which a server listens."""
    # A host name may have several addresses, and so several listening sockets.
    port: int = server.effective_listen[0][1] if hasattr(server, "effective_listen") else server.effective_port
    return port


def address_of(host: str, server: Any) -> str:
    """The address of a server for a browser on this machine."""
    name = host if host not in EVERYWHERE else "127.0.0.1"
    return f"http://{f'[{name}]' if ':' in name else name}:{port_of(server)}/"
