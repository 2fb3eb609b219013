"""`demo`: the season of a made-up club in a ledger of its own, and a game that goes on while you watch."""

from __future__ import annotations

import socket
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle
from os import environ
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from ledger.cli.terminal import echo
from ledger.record import clock

if TYPE_CHECKING:
    from ledger.keep.recorder import Recorder
    from ledger.record.record import Record
    from ledger.stores.store import SqliteStore

PACE, BETWEEN = 4.0, 10.0
"""Seconds from one move of the game in play to the next, and from one game to the next."""
PORT = 8000
SHOWN = "ziggurat.build.score"
"""The mistake that is drawn and explained: its table fits a terminal."""


@click.command("demo", short_help="Show the season of a made-up club, with a game in play.")
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 admits phones on the same network.")
@click.option("--port", type=click.IntRange(0, 65535), help="The port.  [default: 8000, or a free one]")
def demo(host: str, port: int | None, *, no_open: bool) -> None:
    """Show the season of a made-up club, and a game that goes on while you watch.

    All games are simulated.  They are in a ledger of their own, in a temporary folder: yours is not touched.  Ctrl+C
    stops everything and deletes the folder.

    \b
    Examples:
      domino-ledger demo
      domino-ledger demo --no-open --port 9000
    """
    from ledger.examples.season import season_until
    from ledger.keep.recorder import Recorder
    from ledger.stores.store import SqliteStore
    from viewer.app import create_app
    from viewer.commands import address_of, answered_hosts, audit_first, serve_app
    from viewer.server.logs import configure

    configure("none")
    hosts = answered_hosts(host)
    with TemporaryDirectory(prefix="domino-ledger-demo-") as folder, SqliteStore(Path(folder) / "demo.sqlite") as store:
        recorder = Recorder(store)
        for example in season_until(clock.today()):
            recorder.import_record(example.record, example.id)
        audit_first(store)
        for line in summary():
            echo(line)
        app = create_app(store.reopen, limits=True, hosts=hosts)
        app.extensions["demo"] = True
        player = threading.Thread(target=play, args=(store.reopen, ended := threading.Event()), daemon=True)

        def begin(server: Any) -> None:
            """Says where the club is, and lets the game begin."""
            address = address_of(host, server)
            echo(f"A game is in play. Watch it grow at {address} (press Ctrl+C to stop everything)")
            player.start()
            if not no_open and has_browser():
                click.launch(address)

        try:
            serve_app(store, app, host, free_port(host) if port is None else port, begin)
        finally:
            ended.set()
            if player.ident:
                player.join()


def free_port(host: str) -> int:
    """The usual port if it is free, else 0 for any."""
    try:
        with socket.create_server((host, PORT), family=socket.AF_INET6 if ":" in host else socket.AF_INET):
            return PORT
    except OSError:
        return 0


def has_browser() -> bool:
    """Whether somebody looks at this machine: on Linux, there is a screen."""
    return not sys.platform.startswith("linux") or any(map(environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def summary() -> Iterator[str]:
    """What is in the season, one position of it, and the mistake there."""
    from ledger.audit import reports
    from ledger.audit.review import Review
    from ledger.audit.slip.slip_search import explain
    from ledger.cli import text_drawing
    from ledger.examples.season import season

    reviews = [Review(example.record) for example in season()]
    verdicts = Counter(review.report.verdict for review in reviews)
    people = {name for review in reviews for name in review.opening.names}
    evenings = {review.record.opening.played for review in reviews}
    yield (
        f"The season of a made-up club: {len(reviews)} simulated games of {len(people)} people on "
        f"{len(evenings)} evenings."
    )
    yield (
        f"{verdicts['clean']} are clean, {verdicts['breach']} have a mistake, and in {verdicts['unproven']} "
        "a pass stays unproven. Of the evening before, only the result is known. One of the mistakes:"
    )
    yield ""
    review = next(review for review in reviews if any(each.clause == SHOWN for each in review.report.findings))
    place = review.place(review.report.findings[0].seq) or 0
    scene = review.scene(place)
    drawing = replace(scene, areas=scene.areas[:1], hands=())
    *table, _status = filter(None, text_drawing.draw(drawing, review.names, review.squares).split("\n"))
    yield from table
    explain(review)
    yield from reports.explained_lines(review)
    yield ""


def play(open_store: Callable[[], SqliteStore], ended: threading.Event) -> None:
    """Plays one game after the other in a ledger, until `ended`."""
    from ledger.examples.season import tonight
    from ledger.keep.recorder import Recorder

    with open_store() as store:
        for example in cycle(tonight()):
            _play_game(Recorder(store), example.record, ended)
            if ended.wait(BETWEEN):
                return


def _play_game(recorder: Recorder, record: Record, ended: threading.Event) -> None:
    from ledger.play.puzzles import moves

    opening = replace(
        record.opening, played=clock.today().isoformat(), place="Harbour Street (simulated)", recorder="a simulation"
    )
    record_id = recorder.open(opening)
    for turn in moves(record.events):
        for place in turn:
            recorder.append(record_id, record.events[place])
        if ended.wait(PACE):
            return
