"""A bulk audit by a Dask cluster (processes on this machine) gives the same result as one process."""

from __future__ import annotations

import gc
import logging
import os
import signal
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from command_output import outcome_of, results_of
from golden import CASES
from ledger.bulk import cluster
from ledger.bulk.chunks import Plan, Position
from ledger.bulk.cluster import Cluster
from ledger.bulk.crew import alone
from ledger.bulk.work import Format, Result
from ledger.record import codec

if TYPE_CHECKING:  # every process of a run collects this file, one needs Dask
    from distributed import LocalCluster

RECORDS = [codec.decode(path.read_bytes()) for path in CASES[::6]]
LINES = [codec.encode(record) + b"\n" for record in RECORDS]


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divides few records into many chunks."""
    monkeypatch.setattr("ledger.bulk.chunks.MOST", 7000)
    monkeypatch.setattr("ledger.bulk.chunks.APART", 10_000)
    monkeypatch.setattr("ledger.bulk.chunks.MANY", 5)


@pytest.fixture(scope="module")
def workers() -> Iterator[LocalCluster]:
    from distributed import LocalCluster  # noqa: PLC0415  only here

    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",  # any free port: several of these run at once
        silence_logs=logging.CRITICAL,
    ) as local_cluster:
        yield local_cluster


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Archives: one divided into ranges, one compressed, one empty; and single records."""
    games = tmp_path / "games"
    games.mkdir()
    (games / "a.ndjson").write_bytes(b"\n" + b"".join([*LINES, b"nonsense\n \n", *LINES])[:-1])
    with codec.open_bytes(games / "b.ndjson.zst", "wb") as out:
        out.writelines(LINES)
    (games / "c.ndjson").touch()
    for path in CASES[:3]:
        (games / path.name).write_bytes(path.read_bytes())
    return games


def test_a_cluster_gives_the_same_result_as_one_process(folder: Path, workers: LocalCluster) -> None:
    expected = outcome_of("audit", "--json", str(folder))
    assert len(expected[1].splitlines()) == 3 * len(LINES) + 3
    assert expected[2].count("Error: ") == 2
    assert outcome_of("audit", "--json", "--cluster", workers.scheduler_address, str(folder)) == expected


def test_a_large_compressed_file_is_sent_to_the_workers(
    folder: Path, workers: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = outcome_of("audit", "--json", str(folder))
    monkeypatch.setattr("ledger.bulk.chunks.SENT", 1000)
    assert outcome_of("audit", "--json", "--cluster", workers.scheduler_address, str(folder)) == expected


def test_an_audit_by_a_cluster_goes_on_from_any_place(folder: Path, workers: LocalCluster) -> None:
    plan = Plan("", [str(folder)], apart=True)
    with Cluster(workers.scheduler_address) as dask:
        whole = list(dask.run(plan.tasks(Position()), Format))
        assert len(whole) > 50
        for count in (1, 20, len(whole) - 4):
            assert list(dask.run(plan.tasks(whole[count - 1][0].after), Format)) == whole[count:]
    assert results_of(iter(whole)) == results_of(alone(Plan("", [str(folder)]).tasks(Position()), Format))


def test_a_worker_that_is_killed_loses_no_record(folder: Path, workers: LocalCluster) -> None:
    expected, results = results_of(alone(Plan("", [str(folder)]).tasks(Position()), Format)), list[Result]()
    plan, kills = Plan("", [str(folder)], apart=True), 0
    with Cluster(workers.scheduler_address) as dask:
        victims = cycle(range(2))
        for count, (_task, batch) in enumerate(dask.run(plan.tasks(Position()), Format)):
            results += batch
            if count in {3, 30}:
                os.kill(list(workers.workers.values())[next(victims)].pid, signal.SIGKILL)
                kills += 1
        dask._client.wait_for_workers(2)
    assert kills == 2
    assert results == expected


def test_a_cluster_cannot_audit_a_ledger_in_a_file(tmp_path: Path, workers: LocalCluster) -> None:
    path = tmp_path / "a.sqlite"
    assert outcome_of("--ledger", str(path), "import", str(CASES[0]))[0] == 0
    code, _out, err = outcome_of("--ledger", str(path), "audit", "--cluster", workers.scheduler_address)
    assert (code, "cannot read a ledger" in err) == (2, True)


def test_a_worker_of_another_version_is_refused(
    folder: Path, workers: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "program", lambda: "0.0.9 (0123) with zigzag 1")
    code, out, err = outcome_of("audit", "--json", "--cluster", workers.scheduler_address, str(folder))
    assert (code, out) == (2, "")
    assert "the worker's Domino Ledger is 0.1.0" in err
    assert err.endswith("here it is 0.0.9 (0123) with zigzag 1\n")


def test_a_worker_that_comes_later_with_another_version_is_refused(folder: Path, workers: LocalCluster) -> None:
    plan = Plan("", [str(folder)], apart=True)
    with Cluster(workers.scheduler_address) as dask, pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster, "program", lambda: "0.0.9")
        with pytest.raises(cluster.LedgerError, match="a worker that joined later has Domino Ledger 0"):
            list(dask.run(plan.tasks(Position()), Format))


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "foo", "tcp://", "http://127.0.0.1:9", "127.0.0.1:x"])
@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_missing_cluster_is_reported_in_a_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    code, _out, err = outcome_of("audit", "--cluster", address, str(folder))
    gc.collect()  # a client that was made in part complains when it goes
    assert code == 2
    assert f"{address}: no cluster answers" in err
    assert "Traceback" not in err
