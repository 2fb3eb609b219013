"""Programs that are killed while they write: acknowledged events are complete and in their places.

`DOMINO_KILLS` is the number of kills; `make torture` uses 500.
"""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from ledger.record.events import Note, Open, Player
from ledger.stores.store import SqliteStore

KILLS = int(os.environ.get("DOMINO_KILLS", "12"))
SEED = 11
WRITER = """
import sys
from ledger.record.errors import WrongVersion
from ledger.record.events import Note
from ledger.stores.store import SqliteStore
path, name = sys.argv[1:]
with SqliteStore(path) as store:
    print("ready", flush=True)
    number = 0
    while True:
        number += 1
        events = [Note(f"{name}-{number}-{part}") for part in range(1 + number % 3)]
        while True:
            try:
                version = store.append("r", store.version("r"), events, [f"{name}-{number}-{part:04}" for part in range(len(events))])
                break
            except WrongVersion:
                continue
        print(version, *(event.text for event in events), flush=True)
"""  # noqa: E501  a program of its own


def acknowledged_before_kill(path: Path, seconds: float, names: list[str]) -> list[str]:
    """The lines in which writers reported stored events, the first writer one at least, before all were killed."""
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True) for name in names]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    assert writers[0].stdout is not None
    first = writers[0].stdout.readline()
    time.sleep(seconds)
    for writer in writers:
        writer.send_signal(signal.SIGKILL)
    outputs = [first, *(writer.communicate()[0] for writer in writers)]
    # A line that the kill cut off acknowledged nothing.
    return [line for text in outputs for line in text.splitlines(keepends=True) if line.endswith("\n")]


def count_stored(store: SqliteStore, acknowledged: list[str]) -> int:
    """The number of acknowledged events in the store; each must have the place that was reported."""
    events = store.read("r").events
    count = 0
    for line in acknowledged:
        version, *texts = line.split()
        place = int(version) - len(texts)
        for at, text in enumerate(texts, place):
            event = events[at]
            assert isinstance(event, Note)
            assert event.text == text
            count += 1
    return count


def test_acknowledged_events_survive_a_kill(tmp_path: Path) -> None:
    random = Random(SEED)
    path = tmp_path / "a.sqlite"
    with SqliteStore(path) as store:
        store.append("r", 0, [Open("zigzag", players=tuple(Player(id=name) for name in "abc"))])
    acknowledged: list[str] = []
    for run in range(KILLS):
        acknowledged += acknowledged_before_kill(path, random.uniform(0.01, 0.15), [f"w{run}", f"v{run}"])
        with SqliteStore(path) as store:
            events = store.read("r").events
            count_stored(store, acknowledged[-50:])
            assert store.version("r") == len(events)
        if run % 10 == 0 or run == KILLS - 1:
            db = sqlite3.connect(path)
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            db.close()
    with SqliteStore(path) as store:
        count = count_stored(store, acknowledged)
        events = store.read("r").events
    texts = [event.text for event in events if isinstance(event, Note)]
    assert len(texts) == len(set(texts)) == len(events) - 1  # nothing twice
    # At most the current batch of each killed writer was stored without an acknowledgement.
    assert count <= len(texts) <= count + 2 * 3 * KILLS
    assert count > KILLS
