"""`demo` as a process: a season, a game that goes on, and nothing left when it ends."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from ledger.examples.season import cards, season
from ledger.stores.store import SqliteStore
from waiting import PATIENCE, wait_until

SHIPPED = {example.id for example in (*cards(), *season())}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str, Path]]:
    """The demo as it runs: its process, the address that it prints, and its folder for temporary files."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    (tmp_path / "mine.sqlite").write_bytes(b"mine")
    environment = {
        **os.environ, "PYTHONIOENCODING": "utf-8",
        "TMPDIR": str(temporary), "DOMINO_LEDGER": str(tmp_path / "mine.sqlite"),
    }  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "ledger", "demo", "--no-open", "--port", "0"],
        stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=environment,
    )  # fmt: skip
    assert process.stdout is not None
    lines = []
    while not (lines and "Ctrl+C" in lines[-1]):
        lines.append(process.stdout.readline())
        assert lines[-1], "it ended early"
    assert len(lines) <= 25
    match = re.search(r"http://\S+", lines[-1])
    assert match
    yield process, match[0], temporary
    process.kill()
    process.wait()
    process.stdout.close()


def answer(address: str) -> Any:
    """What the API answers."""
    with urlopen(address, timeout=PATIENCE) as reply:  # noqa: S310  our own
        return json.load(reply)


def test_a_watcher_sees_a_game_grow_and_ctrl_c_leaves_nothing(
    club: tuple[subprocess.Popen[str], str, Path], tmp_path: Path
) -> None:
    process, address, temporary = club
    (file,) = temporary.glob("*/demo.sqlite")
    with SqliteStore(file) as store:
        wait_until(lambda: len(set(store.ids()) - SHIPPED) == 1, "a game is in play")
        (playing,) = set(store.ids()) - SHIPPED
        begun = store.version(playing)
        wait_until(lambda: store.version(playing) > begun, "an act came")
    first = answer(f"{address}api/v1/records?limit=1")["records"][0]
    assert (first["id"], first["place"], first["closed"]) == (playing, "Harbour Street (simulated)", False)
    assert list(temporary.iterdir())
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 0
    assert not list(temporary.iterdir())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.sqlite", "temporary"]
    assert (tmp_path / "mine.sqlite").read_bytes() == b"mine"
