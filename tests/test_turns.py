"""Writers take turns: a frozen one is passed, and one that lost a race goes next."""

import subprocess
import sys
from pathlib import Path

import pytest

from ledger.keep.recorder import Recorder
from ledger.record.errors import WrongVersion
from ledger.record.events import Note, Open, Player
from ledger.stores import end_mark
from ledger.stores.end_mark import EndMark
from ledger.stores.store import SqliteStore
from waiting import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks")
HOLDER = """
import sys
from pathlib import Path
from ledger.stores.end_mark import EndMark
mark = EndMark(Path(sys.argv[1]))
mark.take_turn(1)
print("has it", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "a.sqlite.head"


def has_turn(mark: EndMark) -> bool:
    """Whether a writer gets its turn at once; then it has it."""
    mark.take_turn(0)
    return mark._has_turn


def test_one_writer_at_a_time_has_its_turn(path: Path) -> None:
    first, second = EndMark(path), EndMark(path)
    assert has_turn(first)
    assert not has_turn(second)
    first.end_turn()
    assert has_turn(second)
    second.close()
    assert has_turn(first)
    first.close()


def test_a_frozen_writer_is_passed_and_one_that_was_killed_is_gone(path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"has it\n"
        with SqliteStore(path.with_suffix("")) as store:
            store.connection._patience = 0.05
            store.append("r", 0, [Open("zigzag", players=tuple(Player(id=name) for name in "abc"))])
            assert store.append("r", 1, [Note("it went on without its turn")]) == 2
            assert store.loss() == ""
        other.kill()
        other.communicate(timeout=PATIENCE)
    mark = EndMark(path)
    assert has_turn(mark)
    mark.close()


def test_a_writer_that_lost_a_race_keeps_its_turn_for_a_moment(path: Path, monkeypatch) -> None:
    monkeypatch.setattr(end_mark, "GRACE", PATIENCE)
    first, second = EndMark(path), EndMark(path)
    first.take_turn(0)
    assert not has_turn(second)
    first.end_turn()
    assert has_turn(second)
    second._waited = True  # as if that had been one call
    second.end_turn(lost=True)
    assert not has_turn(first), "it is kept for who had to wait"
    assert has_turn(second)
    second._give_up()
    assert has_turn(second), "a timer that comes too late ends no turn"
    second.end_turn(lost=True)
    second._give_up()
    assert has_turn(first)
    first.close()
    second.close()


def test_a_race_that_was_lost_is_said_to_the_turn(path: Path, monkeypatch) -> None:
    told = list[bool]()
    with SqliteStore(path.with_suffix("")) as store:
        store.append("r", 0, [Open("zigzag", players=tuple(Player(id=name) for name in "abc"))])
        monkeypatch.setattr(store.connection.mark, "end_turn", lambda *, lost: told.append(lost))
        with pytest.raises(WrongVersion):
            store.append("r", 0, [Open("zigzag", players=tuple(Player(id=name) for name in "abc"))])
        store.append("r", 1, [Note("one")])
    assert told == [True, False]


def test_a_writer_that_has_seen_no_version_comes_after_all_that_were_faster(path: Path) -> None:
    """The version is read in its own turn, so that it loses no race."""
    with SqliteStore(path.with_suffix("")) as store, store.reopen() as other:
        recorder = Recorder(store)
        recorder.open(Open("zigzag", players=tuple(Player(id=name) for name in "abc")), "r")
        take_turn = store.connection.mark.take_turn

        def be_late(patience: float) -> None:
            store.connection.mark.take_turn = take_turn  # type: ignore[method-assign]
            other.append("r", 1, [Note("first")])
            take_turn(patience)

        store.connection.mark.take_turn = be_late  # type: ignore[method-assign]
        assert recorder.append("r", Note("second"), event_id="entry-000002") == 3
        assert recorder.append("r", Note("second"), event_id="entry-000002") == 3, "a retry is recognised"
        assert [getattr(event, "text", "") for event in store.read("r").events] == ["", "first", "second"]
