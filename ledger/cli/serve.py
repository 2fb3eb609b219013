"""`serve`: the viewer on a ledger."""

from __future__ import annotations

import click

from ledger.cli.common import ledger_at, progress


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets the phones at the table in.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one.")
@click.option("--threads", default=8, show_default=True, type=click.IntRange(1, 512), help="How many answer at once.")
@click.pass_obj
def serve_(path: str, host: str, port: int, threads: int) -> None:
    """Show the ledger in a browser: the list, every replay, the rules; with a JSON API.

    \b
    Example:
      domino-ledger serve
      domino-ledger --ledger club.sqlite serve --host 0.0.0.0 --port 8080
    """
    # The viewer stands above the ledger and is only asked for here, by its name, so that nothing below imports it.
    from importlib import import_module  # noqa: PLC0415

    from waitress import create_server  # noqa: PLC0415  only for serving

    from ledger.archive import refresh  # noqa: PLC0415  it brings the audit along

    with ledger_at(path) as store:
        for _ in progress(refresh(store), "auditing what is new", len(store.unaudited())):
            pass
    app = import_module("viewer.app").create_app(lambda: ledger_at(path))
    try:
        server = create_server(
            app, host=host, port=port, threads=threads, asyncore_use_poll=True, ident="domino-ledger"
        )
    except OSError as error:
        raise click.ClickException(
            f"port {port} cannot be taken ({error.strerror}): name another with --port"
        ) from None
    where = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104  said, not bound
    click.echo(f"The ledger {path} is at http://{where}:{server.effective_port}/ (Ctrl+C ends it)")
    try:
        server.run()
    except KeyboardInterrupt:
        click.echo("")
    finally:
        server.close()
