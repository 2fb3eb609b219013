"""`serve`: the viewer on a ledger."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from ledger.cli.common import ledger_at, progress, resolve

if TYPE_CHECKING:
    from ledger.stores.contract import Role, Store

PAUSE = 5.0
"""Seconds between two looks for records that are not audited yet."""
CONNECTIONS = 1000
"""Connections that may be open besides those for live streams."""
ANSWERING = 16
"""Threads that answer whatever is asked, besides those for live streams."""
LARGEST, LARGEST_HEAD = 2_000_000, 32_768
"""Bytes of a body, and of the lines before it, from which on nothing more is read."""
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  compared with, not bound


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets the phones at the table in.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one.")
@click.option(
    "--watchers", default=100, show_default=True, type=click.IntRange(1, 1000), help="How many may watch live at once."
)
@click.option("--read-only", is_flag=True, help="Nothing can be recorded through it.")
@click.option("--private", is_flag=True, help="Each game is shown only to who has a link to it.")
@click.option(
    "--log",
    "form",
    default="text",
    show_default=True,
    type=click.Choice(("json", "text", "none")),
    help="What is told on the error output: a JSON object for each answer, a line for each failure, or nothing.",
)
@click.option(
    "--metrics",
    is_flag=True,
    help="Figures for Prometheus at /metrics: not for strangers, who would learn from them how much is going on.",
)
@click.option(
    "--behind-proxy",
    "proxies",
    default=0,
    show_default=True,
    type=click.IntRange(0, 10),
    help="How many proxies of yours stand before it: only their word tells who asks. 0 where there is none, "
    "or anybody could claim to be anybody.",
)
@click.pass_obj
def serve_(
    path: str,
    host: str,
    port: int,
    watchers: int,
    *,
    read_only: bool,
    private: bool,
    form: str,
    metrics: bool,
    proxies: int,
) -> None:
    """Show the ledger in a browser, and record games on phones: the list, every replay, the rules; with a JSON API.

    With --host 0.0.0.0 phones on the same network come in, by the address or its QR code; whoever does can begin a
    game, and record it by its link.  With --private a game is seen only by its links, and who has the ledger's own
    link (`domino-ledger link`) sees the list and begins games.  It ends by Ctrl+C or SIGTERM, when what was asked is
    answered.

    \b
    Example:
      domino-ledger serve
      domino-ledger serve --host 0.0.0.0
      domino-ledger --ledger club.sqlite serve --host 0.0.0.0 --port 8080
      domino-ledger serve --log json --metrics --behind-proxy 1
    """
    from ledger.cli.drain import listen_for_the_end, run  # noqa: PLC0415  only for serving

    # The viewer stands above the ledger: it is asked for by its name, so that nothing below imports it.
    import_module("viewer.logs").speak(form)
    with ledger_at(path, make=not read_only) as store:
        for _ in progress(_refreshed(store, unreadable=True), "auditing what is new", len(store.unaudited())):
            pass
        app = import_module("viewer.app").create_app(
            store.reopen,
            watchers=watchers,
            recording=not read_only,
            private=private,
            limits=True,
            metrics=metrics,
            proxies=proxies,
        )
        channels: dict[int, Any] = {}
        server = _server(app, channels, host, port, watchers, proxied=proxies > 0)
        ended = threading.Event()
        listen_for_the_end(ended)  # before anybody knows that it runs, and may want it to end
        _announce(store, host, server)
        auditor = threading.Thread(target=_audit_what_comes, args=(store.reopen, ended, app.extensions), daemon=True)
        auditor.start()
        run(server, channels, ended, app.extensions["bell"].end)
        auditor.join(PAUSE)


def _server(app: Any, channels: dict[int, Any], host: str, port: int, watchers: int, *, proxied: bool) -> Any:
    """The server at its port.  Raises click.ClickException where that cannot be taken."""
    from waitress import create_server  # noqa: PLC0415  only for serving

    try:
        return create_server(
            app,
            map=channels,
            host=host,
            port=port,
            # Each who watches takes a thread that sleeps; the others answer.
            threads=watchers + ANSWERING,
            # Who sends slowly, or nothing at all, takes no thread, only a connection, and only for a while.
            connection_limit=2 * watchers + CONNECTIONS,
            channel_timeout=60,
            asyncore_use_poll=True,
            # What is larger is cut off while it comes; the application says of less that it is too large.
            max_request_body_size=LARGEST,
            max_request_header_size=LARGEST_HEAD,
            # The application knows how many proxies there are, and believes no others.
            clear_untrusted_proxy_headers=not proxied,
            ident="domino-ledger",
        )
    except OSError as error:
        raise click.ClickException(
            f"port {port} cannot be taken ({error.strerror}): name another with --port"
        ) from None


@click.command("link")
@click.argument("record", required=False)
@click.option("--watch", is_flag=True, help="Only a watcher's link, with a secret, for a ledger served --private.")
@click.option("--only", is_flag=True, help="Links that were made before for the same open nothing any more.")
@click.option(
    "--address", help="Where the ledger is served, such as http://192.168.1.5:8000; this machine, if left out."
)
@click.pass_obj
def link_(path: str, record: str | None, address: str | None, *, watch: bool, only: bool) -> None:
    """Make a recorder's link to RECORD, and tell the watcher's: each as text and as a QR code for a phone.

    Whoever has the recorder's link can write to that record.  Without a RECORD it is the link of who rules over the
    ledger: it opens all of a private one.  A link is told once: the ledger keeps only the digest of its secret.

    \b
    Example:
      domino-ledger link "$(domino-ledger new zigzag Ana Ben Cy)"
      domino-ledger link --only
    """
    base = (address or f"http://{_own_address()}:8000").rstrip("/")
    with ledger_at(path) as store:
        if record is None:
            _for_a_phone("The ledger", f"{base}/#{_secret(store, '', 'owner', only=only)}")
            return
        record_id = resolve(store, record)
        secret = f"#{_secret(store, record_id, 'watch', only=only)}" if watch else ""
        _for_a_phone("Watch", f"{base}/g/{record_id}{secret}")
        if not watch:
            _for_a_phone("Record", f"{base}/r/{record_id}#{_secret(store, record_id, 'record', only=only)}")


def _secret(store: Store, record_id: str, role: Role, *, only: bool) -> str:
    """A new secret of that role."""
    from ledger.recorder import key_digest, new_key  # noqa: PLC0415  only here
    from ledger.stores.contract import Key  # noqa: PLC0415

    key = new_key()
    if only:
        store.drop_keys(record_id, role)
    store.keep_key(Key(record_id, key_digest(key), role))
    return key


def _refreshed(store: Store, **how: Any) -> Any:
    from ledger.archive import refresh  # noqa: PLC0415  it brings the audit along

    return refresh(store, **how)


def _audit_what_comes(opened: Callable[[], Store], ended: threading.Event, told: dict[str, Any]) -> None:
    """Audits what is recorded meanwhile, so that the list shows it; a page that is only read writes nothing.

    How many audits wait is `told`.
    """
    logger = logging.getLogger("domino-ledger")
    while not ended.is_set():
        try:
            with opened() as store:
                while not ended.wait(PAUSE):
                    _audit(store, ended, told)
        except Exception:
            # A disk that is full today must not end the audits of tomorrow.
            logger.exception("what was recorded cannot be audited now")
            ended.wait(PAUSE)


def _audit(store: Store, ended: threading.Event, told: dict[str, Any]) -> None:
    waiting = store.unaudited()
    told["waiting"] = len(waiting)
    for _ in _refreshed(store, waiting=waiting):
        told["waiting"] -= 1
        if ended.is_set():
            return


def _announce(store: Any, host: str, server: Any) -> None:
    """Says where the ledger is to be seen; for phones also as a QR code."""
    # A name may stand for several addresses, and so for several doors.
    port = server.effective_listen[0][1] if hasattr(server, "effective_listen") else server.effective_port
    shown = host if host not in EVERYWHERE else "127.0.0.1"
    click.echo(f"The ledger {store.path} is at http://{shown}:{port}/ (Ctrl+C ends it)")
    if host in EVERYWHERE:
        _for_a_phone("For phones on this network", f"http://{_own_address()}:{port}/")


def _for_a_phone(what: str, address: str) -> None:
    """An address as text and as a QR code."""
    import segno  # noqa: PLC0415  only for phones

    click.echo(f"{what}: {address}")
    segno.make(address, micro=False).terminal(compact=True)


def _own_address() -> str:
    """The address of this machine on its network, as far as it can tell; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(asked.getsockname()[0])
