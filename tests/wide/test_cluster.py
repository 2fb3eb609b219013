"""An audit by a Dask cluster (processes on this machine) gives the same result as one process."""

from __future__ import annotations

import gc
import logging
import os
import signal
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from command_output import outcome_of
from golden import CASES
from ledger.bulk import executors
from ledger.bulk.auditing import Format, Input, audit_chunk
from ledger.bulk.executors import cluster, here
from ledger.keep.club_folder import new_club
from ledger.record import codec
from ledger.stores.store import SqliteStore

if TYPE_CHECKING:  # every process of a run collects this file, one needs Dask
    from distributed import LocalCluster

RECORDS = [codec.decode(path.read_bytes()) for path in CASES[::6]]
LINES = [codec.encode(record) + b"\n" for record in RECORDS]


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch) -> None:
    """Divides few records into many chunks."""
    monkeypatch.setattr("ledger.bulk.auditing.MOST", 7000)


@pytest.fixture(scope="module")
def workers() -> Iterator[LocalCluster]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",  # any free port: several of these run at once
        silence_logs=logging.CRITICAL,
    ) as local_cluster:
        yield local_cluster


@pytest.fixture
def folder(tmp_path) -> Path:
    """Archives: one plain, one compressed, one empty; and single records."""
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


def test_all_clubs_of_a_folder_are_audited_checked_and_copied_by_a_cluster(tmp_path, workers: LocalCluster) -> None:
    """Each line is that of one process, also of a club that is damaged; and each copy is that club."""
    clubs = tmp_path / "clubs"
    clubs.mkdir()
    for number, path in enumerate(CASES[:6]):
        new_club(clubs, f"club-{number}")
        assert outcome_of("--ledger", str(clubs / f"club-{number}.sqlite"), "import", str(path))[0] == 0
    (clubs / "torn.sqlite").write_bytes(b"no ledger" * 100)
    cluster_of = ("--cluster", workers.scheduler_address)
    for command in ("audit", "verify"):
        expected = outcome_of("--ledger", str(clubs), command)
        assert len(expected[1].splitlines()) == 7
        assert outcome_of("--ledger", str(clubs), command, *cluster_of) == expected
    code, said, _err = outcome_of("--ledger", str(clubs), "backup", *cluster_of, str(tmp_path / "copies"))
    assert (code, said.count("intact, ")) == (3, 6)
    for copy in (tmp_path / "copies").iterdir():
        with SqliteStore(copy) as store, SqliteStore(clubs / copy.name) as club:
            assert list(store.log()) == list(club.log())


def test_a_worker_that_is_killed_loses_no_record(folder: Path, workers: LocalCluster) -> None:
    parts, audit = list(Input("", [str(folder)]).chunks()), partial(audit_chunk, Format())
    victims, kills, batches = cycle(range(2)), 0, []
    with cluster(workers.scheduler_address) as run:
        for count, batch in enumerate(run(audit, parts)):
            batches.append(batch)
            if count in {3, 30}:
                os.kill(list(workers.workers.values())[next(victims)].pid, signal.SIGKILL)
                kills += 1
    assert kills == 2
    assert batches == list(here(audit, parts))


def test_a_cluster_cannot_audit_a_ledger(tmp_path, workers: LocalCluster) -> None:
    path = tmp_path / "a.sqlite"
    assert outcome_of("--ledger", str(path), "import", str(CASES[0]))[0] == 0
    code, _out, err = outcome_of("--ledger", str(path), "audit", "--cluster", workers.scheduler_address)
    assert (code, "a cluster cannot read the ledger" in err) == (2, True)


def test_a_worker_of_another_version_is_refused(folder: Path, workers: LocalCluster, monkeypatch) -> None:
    monkeypatch.setattr(executors, "program", lambda: "0.0.9 with zigzag 1")
    code, out, err = outcome_of("audit", "--json", "--cluster", workers.scheduler_address, str(folder))
    assert (code, out) == (2, "")
    assert "the worker's Domino Ledger is 0.1.0" in err
    assert err.endswith("here it is 0.0.9 with zigzag 1\n")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "foo", "tcp://", "http://127.0.0.1:9", "127.0.0.1:x"])
@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_missing_cluster_is_reported_in_a_sentence(folder: Path, monkeypatch, address: str) -> None:
    monkeypatch.setattr(executors, "PATIENCE", 1)
    code, _out, err = outcome_of("audit", "--cluster", address, str(folder))
    gc.collect()  # a client that was made in part complains when it goes
    assert code == 2
    assert f"{address}: no cluster answers" in err
    assert "Traceback" not in err
