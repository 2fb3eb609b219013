"""Writers take turns: first come, first served; the queue only orders them, and SQLite keeps them apart without it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ledger.record.errors import LedgerError, WrongVersion
from ledger.record.events import Note, Open, Player
from ledger.stores import writer_queue
from ledger.stores.sqlite import SqliteStore
from ledger.stores.writer_queue import Queue
from waiting import PATIENCE, wait_until

OPENING = Open("zigzag", players=tuple(Player(id=name) for name in "abc"))
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has locks of an open file")


def wait_for_queue(path: Path, writers: int) -> None:
    """Waits until this number of writers has drawn a number, because it was the turn of another."""
    wait_until(
        lambda: path.exists() and int.from_bytes(path.read_bytes()[:8], "big") >= writers, f"{writers} writers wait"
    )


@contextmanager
def turn(queue: Queue, patience: float) -> Iterator[float]:
    """The turn of a writer, with the seconds that are left to wait for the database."""
    remaining = queue.enter(patience)
    try:
        yield remaining
    finally:
        queue.leave()


@LINUX
def test_writers_take_turns_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    path, order = tmp_path / "queue", list[int]()

    def write(number: int) -> None:
        queue = Queue(path)
        with turn(queue, PATIENCE):
            order.append(number)
        queue.close()

    first = Queue(path)
    writers = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    with turn(first, PATIENCE):
        for number, writer in enumerate(writers):
            writer.start()
            wait_for_queue(path, number + 1)
        assert order == []
    for writer in writers:
        writer.join()
    assert order == list(range(6))


@LINUX
def test_a_program_that_dies_in_the_queue_holds_nobody_up(tmp_path: Path) -> None:
    path = tmp_path / "queue"
    code = (
        "import sys, time; from pathlib import Path; from ledger.stores.writer_queue import Queue\n"
        "queue = Queue(Path(sys.argv[1])); queue.enter(60); print('in', flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE) as dying:
        assert dying.stdout is not None
        assert dying.stdout.readline() == b"in\n"
        queue = Queue(path)
        with turn(queue, 0.01) as remaining:  # this one gives up first, and goes on without its turn
            assert remaining == writer_queue.LEAST
        dying.kill()
        dying.wait()
        with turn(queue, PATIENCE) as remaining:
            assert remaining > writer_queue.LEAST


@LINUX
def test_a_writer_who_lost_a_race_goes_next_if_it_tries_again_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_queue, "GRACE", PATIENCE)
    path, order = tmp_path / "queue", list[str]()
    losing, other = Queue(path), Queue(path)

    def lose() -> None:
        with turn(losing, PATIENCE):
            order.append("loses")
            losing.keep()

    def go_on() -> None:
        with turn(other, PATIENCE):
            order.append("other")

    first = Queue(path)
    with turn(first, PATIENCE):
        loser = threading.Thread(target=lose)
        loser.start()
        wait_for_queue(path, 1)
        follower = threading.Thread(target=go_on)
        follower.start()
        wait_for_queue(path, 2)
    loser.join()
    with turn(losing, PATIENCE):
        order.append("wins")
    follower.join()
    assert order == ["loses", "wins", "other"]


@LINUX
def test_a_turn_that_is_kept_ends_by_itself(tmp_path: Path) -> None:
    ended = threading.Event()
    past = writer_queue.KeptTurn(ended.set, 0.01)
    assert ended.wait(PATIENCE)
    assert not past.resume()
    kept = writer_queue.KeptTurn(ended.set, PATIENCE)
    assert kept.resume()
    losing, other = Queue(tmp_path / "queue"), Queue(tmp_path / "queue")
    with turn(losing, PATIENCE):
        losing.keep()  # it did not wait, so it lost no race
    with turn(other, PATIENCE) as remaining:
        assert remaining > PATIENCE / 2


@pytest.mark.parametrize("damage", ["no locks", "no file", "garbage", "a folder"])
def test_without_a_queue_everything_is_written_but_in_any_order(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue_file = tmp_path / "a.sqlite.queue"
    if damage == "no locks":
        monkeypatch.setattr(writer_queue, "LOCKS", False)
    elif damage == "garbage":
        queue_file.write_bytes(os.urandom(100))
    elif damage == "a folder":
        queue_file.mkdir()
    with SqliteStore(tmp_path / "a.sqlite") as store:
        store.append("r", 0, [OPENING])

    def write(name: str) -> None:
        with SqliteStore(tmp_path / "a.sqlite") as ledger:
            for n in range(10):
                while True:
                    try:
                        ledger.append("r", ledger.version("r"), [Note(f"{name}{n}")])
                    except WrongVersion:
                        continue
                    break
                if damage == "no file":
                    queue_file.unlink(missing_ok=True)

    writers = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    with SqliteStore(tmp_path / "a.sqlite") as store:
        assert store.version("r") == 41
    assert queue_file.is_dir() or not queue_file.exists(), "the last program takes it away"


def test_the_queue_and_the_database_share_one_patience(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.sqlite"
    with SqliteStore(path) as one, SqliteStore(path) as other:
        one.append("r", 0, [OPENING])
        monkeypatch.setattr(other, "_patience", 0.2)
        with one.writing(), pytest.raises(LedgerError, match="nothing was written: database is locked"):
            other.append("r", 1, [Note("x")])
        other.append("r", 1, [Note("x")])


def test_a_number_that_is_in_use_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, asked, taken = writer_queue._FIRST, list[tuple[int, bool]](), set[int]()

    def set_lock(_file: int, byte: int, *, locked: bool) -> bool:
        asked.append((byte, locked))
        assert len(asked) < 9
        return byte not in taken

    monkeypatch.setattr(writer_queue, "_set_lock", set_lock)
    path = tmp_path / "queue"
    path.write_bytes((4).to_bytes(8, "big"))
    taken |= {first + 4, first + 5}
    file, queue = os.open(path, os.O_RDWR), Queue(path)
    try:
        assert queue._draw(file) == first + 6
        assert path.read_bytes() == (7).to_bytes(8, "big")
        assert [byte for byte, locked in asked if not locked] == [writer_queue._DOOR] == [asked[-1][0]]
        asked.clear()
        path.write_bytes(b"\xff" * 8)  # damaged
        assert queue._draw(file) == (2**64 - 1) % writer_queue._MOST + first
        asked.clear()
        taken.add(writer_queue._DOOR)
        assert queue._draw(file) is None, "the time is over"
        assert asked == [(writer_queue._DOOR, True)]
    finally:
        os.close(file)
