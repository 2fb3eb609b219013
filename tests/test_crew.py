"""A crew whose processes are threads of this one: some are killed before they answer."""

from __future__ import annotations

import gc
import signal
import sys
from multiprocessing import Pipe
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from command_output import results_of
from golden import CASES
from ledger.bulk import crew
from ledger.bulk.chunks import Plan, Position
from ledger.bulk.crew import LARGE, LARGE_FOR_COPIES, Crew, alone, fitting_jobs
from ledger.bulk.work import Format, audit_chunk
from ledger.record import codec
from ledger.record.errors import LedgerError


class Worker:
    """Stands for a process.  The first `killed` of them are killed before they answer."""

    killed = made = 0

    def __init__(self, work: Any, _others: object) -> None:
        self.pipe, other = Pipe()
        Worker.made += 1
        if Worker.made <= Worker.killed:
            other.close()
        else:
            Thread(target=self._serve, args=(other, work), daemon=True).start()

    @staticmethod
    def _serve(pipe: Any, work: Any) -> None:
        with pipe:
            try:
                while True:
                    pipe.send(crew._result(work, *pipe.recv()))
            except (EOFError, OSError):
                return

    def end(self, *, at_once: bool) -> None:  # noqa: ARG002  it has no process to end
        self.pipe.close()


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Some records in chunks of a few, for threads to audit."""
    monkeypatch.setattr("ledger.bulk.chunks.MOST", 5000)
    monkeypatch.setattr(crew, "_Worker", Worker)
    monkeypatch.setattr(Worker, "made", 0)
    monkeypatch.setattr(Worker, "killed", 0)
    path = tmp_path / "a.ndjson"
    path.write_bytes(b"".join(codec.encode(codec.decode(case.read_bytes())) + b"\n" for case in CASES[::12]))
    return path


def tasks_of(archive: Path) -> Any:
    return Plan("", [str(archive)]).tasks(Position())


@pytest.mark.parametrize("killed", [0, 1, 2, 4])
def test_a_killed_process_loses_no_record_and_doubles_none(
    archive: Path, killed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Worker, "killed", killed)
    expected = results_of(alone(tasks_of(archive), lambda: Format("json")))
    with Crew(2, audit_chunk) as two:
        assert results_of(two.run(tasks_of(archive), lambda: Format("json"))) == expected
    assert Worker.made == 2 + killed


def test_a_chunk_whose_process_is_always_killed_is_given_up_with_a_sentence(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Worker, "killed", 99)
    words = rf"^{archive}, before \d+: the process was killed 3 times; out of memory\?$"
    with Crew(1, audit_chunk) as one, pytest.raises(LedgerError, match=words):
        list(one.run(tasks_of(archive), lambda: Format("json")))
    assert Worker.made == 3


def test_what_a_process_raises_is_raised_here_and_a_bug_with_its_traceback(archive: Path) -> None:
    def missing(_chunk: object, _format: object) -> list[Any]:
        raise FileNotFoundError(2, "No such file", "b.ndjson")

    def wrong(_chunk: object, _format: object) -> list[Any]:
        return [1 // 0]

    with Crew(1, missing) as one, pytest.raises(FileNotFoundError, match=r"b\.ndjson"):
        list(one.run(tasks_of(archive), lambda: Format("json")))
    with Crew(1, wrong) as one, pytest.raises(RuntimeError) as bug:
        list(one.run(tasks_of(archive), lambda: Format("json")))
    assert str(bug.value).startswith("in a process of this command:\nTraceback")
    assert "ZeroDivisionError" in str(bug.value)


def test_a_crew_reads_only_a_few_chunks_ahead(archive: Path) -> None:
    read = []

    def tasks() -> Any:
        for task in tasks_of(archive):
            read.append(task)
            yield task

    with Crew(2, audit_chunk, ahead=2) as two:
        running = two.run(tasks(), lambda: Format("json"))
        next(running)
        assert len(read) <= 1 + 2 * 2
        assert len(list(running)) + 1 == len(read) > 5


def test_a_process_for_each_core_where_the_input_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "cores", lambda: 6)
    assert (fitting_jobs(LARGE - 1), fitting_jobs(LARGE)) == (1, 6)
    for copies in (True, False):
        monkeypatch.setattr(crew, "_has_one_thread", lambda copies=copies: copies)
        assert fitting_jobs(LARGE_FOR_COPIES, forks=True) == (6 if copies else 1)
        assert fitting_jobs(LARGE_FOR_COPIES - 1, forks=True) == 1
    assert crew.LARGE_FOR_COPIES < LARGE


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_a_process_with_a_second_thread_is_not_copied() -> None:
    ran = []
    other = Thread(target=lambda: ran.append(crew._has_one_thread()))
    other.start()
    other.join()
    assert ran == [False]


def test_a_process_ignores_ctrl_c_ends_by_sigterm_and_closes_what_was_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    handled, collected, closed = dict[int, object](), list[tuple[int, ...]](), list[bool]()
    monkeypatch.setattr(signal, "signal", lambda number, handler: handled.update({number: handler}))
    monkeypatch.setattr(crew, "close_all", lambda: closed.append(True))
    mine, its_own = Pipe()
    others = Pipe()
    before = gc.get_threshold()

    def work(chunk: Any, _format: Format) -> list[Any]:
        collected.append(gc.get_threshold())
        return [chunk * 2]

    mine.send((21, Format()))
    mine.send((4, Format()))
    serving = Thread(target=crew._serve, args=(its_own, work, others))
    serving.start()
    assert [mine.recv(), mine.recv()] == [([42], None), ([8], None)]
    mine.close()
    serving.join(20)
    its_own.close()
    assert not serving.is_alive()
    assert handled == {signal.SIGINT: signal.SIG_IGN, signal.SIGTERM: signal.SIG_DFL}
    assert all(end.closed for end in others)
    assert closed == [True], "its ledgers are closed"
    assert set(collected) == {(50_000, 20, 20)}
    assert gc.get_threshold() == before


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such masks")
def test_a_process_ends_with_its_parent_and_is_a_copy_only_if_the_others_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = list[Any]()

    class Process(SimpleNamespace):
        def start(self) -> None:
            asked.append(signal.pthread_sigmask(signal.SIG_BLOCK, ()))

        def is_alive(self) -> bool:
            return True

        def join(self, seconds: float | None = None) -> None:
            asked.append(seconds)

        def kill(self) -> None:
            asked.append("killed")

    def context(kind: str) -> Any:
        asked.append(kind)
        return SimpleNamespace(Pipe=Pipe, Process=Process)

    monkeypatch.setattr(crew, "get_context", context)
    alone = crew._Worker(audit_chunk, None)
    copy = crew._Worker(audit_chunk, [alone.pipe])
    kinds, masks = asked[::2], asked[1::2]
    assert kinds == ["spawn", "fork"]
    assert all(signal.SIGINT in mask for mask in masks), "Ctrl+C waits until it is ignored there"
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    for worker, copied in ((alone, ()), (copy, (alone.pipe, copy.pipe))):
        assert worker._process.daemon
        assert worker._process.args[1:] == (audit_chunk, copied)
        asked.clear()
        worker.end(at_once=worker is copy)
        assert asked == ([] if worker is copy else [2]) + ["killed", None]
        assert worker.pipe.closed
