"""What a bulk audit asks of Dask and of PyArrow, which the core's tests do not need: stand-ins answer here."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import ledger.bulk
from command_output import results_of
from golden import CASES
from ledger import __version__
from ledger.bulk import parquet
from ledger.bulk.chunks import LedgerChunk, Plan, Position, Task
from ledger.bulk.crew import alone
from ledger.bulk.work import Format
from ledger.games import catalog
from ledger.record import codec
from ledger.record.errors import LedgerError, NotForNow


class Future:
    """A result that is there when it is asked for; `made` counts those that nobody has asked for yet."""

    waiting = 0
    most = 0

    def __init__(self, make: Callable[[], Any]) -> None:
        Future.waiting += 1
        Future.most = max(Future.most, Future.waiting)
        self._make = make

    def result(self) -> Any:
        Future.waiting -= 1
        return self._make()


class Client:
    """A cluster of two threads, in this process."""

    programs: dict[str, str] | None = None
    failure: type[Exception] | None = None
    asked: list[dict[str, object]]
    closed = 0

    def __init__(self, address: str, **settings: object) -> None:
        if address.endswith(":9"):
            raise OSError("refused")
        Client.asked = [{"address": address, **settings}]

    def nthreads(self) -> dict[str, int]:
        return {"one": 1, "two": 1}

    def run(self, ask: Callable[[], str]) -> dict[str, str]:
        return {"one": ask(), "two": ask()} if self.programs is None else self.programs

    def submit(self, work: Callable[..., Any], *arguments: object, **settings: object) -> Future:
        Client.asked.append({"work": work.__name__, **settings})

        def make() -> Any:
            if self.failure:
                raise self.failure("worker 3 died")
            return work(*arguments)

        return Future(make)

    def close(self) -> None:
        Client.closed += 1


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module of clusters, with a stand-in for Dask."""
    dask = ModuleType("distributed")
    failures = {name: type(name, (Exception,), {}) for name in ("KilledWorker", "CancelledError")}
    vars(dask).update(Client=Client, **failures)
    monkeypatch.setattr(Client, "programs", None)
    monkeypatch.setattr(Client, "failure", None)
    monkeypatch.setattr(Client, "closed", 0)
    monkeypatch.setattr(Future, "waiting", 0)
    monkeypatch.setattr(Future, "most", 0)

    def parts(address: str) -> tuple[str, str]:
        scheme, found, place = address.partition("://")
        if not found:
            raise ValueError(f"no scheme in {address}")
        return scheme, place

    addressing = SimpleNamespace(parse_address=parts, parse_host_port=lambda place: place.split(":"))
    modules = {
        "distributed": dask,
        "distributed.comm": ModuleType("distributed.comm"),
        "distributed.comm.addressing": addressing,
        "distributed.comm.registry": SimpleNamespace(get_backend=str),
    }
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "ledger.bulk.cluster", raising=False)
    monkeypatch.delattr(ledger.bulk, "cluster", raising=False)
    yield import_module("ledger.bulk.cluster")
    del sys.modules["ledger.bulk.cluster"], ledger.bulk.cluster  # others get the one with Dask


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """An archive in ranges of a few records, and a record in a file of its own."""
    monkeypatch.setattr("ledger.bulk.chunks.MOST", 7000)
    monkeypatch.setattr("ledger.bulk.chunks.APART", 10_000)
    lines = [codec.encode(codec.decode(path.read_bytes())) + b"\n" for path in CASES[::12]]
    (tmp_path / "a.ndjson").write_bytes(b"\n" + b"".join([*lines, b"nonsense\n \n", *lines]))
    (tmp_path / "one.json").write_bytes(CASES[0].read_bytes())
    return Plan("", [str(tmp_path)], apart=True)


def test_a_cluster_audits_in_the_order_of_the_input_a_few_chunks_at_a_time(
    cluster: Any, plan: Plan, tmp_path: Path
) -> None:
    with cluster.Cluster("tcp://10.0.0.1:8786") as dask:
        assert Client.asked == [{"address": "tcp://10.0.0.1:8786", "timeout": 20, "set_as_default": False}]
        done = list(dask.run(plan.tasks(Position()), Format))
    assert Client.closed == 1
    assert results_of(iter(done)) == results_of(alone(Plan("", [str(tmp_path)]).tasks(Position()), Format))
    assert [task.after for task, _results in done] == sorted(
        (task.after for task, _results in done), key=lambda after: (after.source, after.at)
    )
    assert len(done) > 8
    # Three chunks for each of the two threads are audited, and the next six counted when the first of them is done.
    assert Future.most == 11
    assert {"work": "_lines", "pure": False, "priority": 10} in Client.asked
    assert {"work": "_work", "pure": False} in Client.asked
    # From any place, with the lines counted from there.
    with cluster.Cluster("tcp://10.0.0.1:8786") as dask:
        assert list(dask.run(plan.tasks(done[3][0].after), Format)) == done[4:]


@pytest.mark.parametrize(
    ("failure", "reason"),
    [("KilledWorker", "the cluster gave up: worker 3 died"), ("CancelledError", "the cluster is gone")],
)
def test_a_cluster_that_gives_up_is_an_error_in_words(cluster: Any, plan: Plan, failure: str, reason: str) -> None:
    with cluster.Cluster("tcp://10.0.0.1:8786") as dask:
        dask._client.failure = getattr(cluster.distributed, failure)
        with pytest.raises(LedgerError) as raised:
            list(dask.run(plan.tasks(Position()), Format))
    assert str(raised.value) == reason


def test_a_worker_with_another_program_is_refused(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    here = cluster.program()
    assert cluster.program() == here
    games = ", ".join(f"{game.name} {game.revision}" for game in catalog.games())
    assert re.fullmatch(rf"{re.escape(__version__)} \([0-9a-f]{{12}}\) with {games}", here)
    monkeypatch.setattr(Client, "programs", {"two": "0.0.9", "one": here})
    with pytest.raises(LedgerError) as raised:
        cluster.Cluster("tcp://10.0.0.1:8786")
    assert str(raised.value) == f"two: the worker's Domino Ledger is 0.0.9; here it is {here}"
    monkeypatch.setattr(Client, "programs", {})
    with pytest.raises(LedgerError, match=r"^tcp://10.0.0.1:8786: the cluster has no workers$"):
        cluster.Cluster("tcp://10.0.0.1:8786")
    assert Client.closed == 2
    with pytest.raises(LedgerError) as raised:
        cluster._work(None, Format(), "0.0.9")
    assert str(raised.value) == f"a worker that joined later has Domino Ledger {here}; here it is 0.0.9"


@pytest.mark.parametrize(("address", "reason"), [("foo", "no scheme in foo"), ("tcp://127.0.0.1:9", "refused")])
def test_an_address_without_a_cluster_is_reported(cluster: Any, address: str, reason: str) -> None:
    with pytest.raises(LedgerError) as raised:
        cluster.Cluster(address)
    assert str(raised.value) == (f"{address}: no cluster answers: {reason}; an address is like tcp://127.0.0.1:8786")


def test_a_cluster_needs_a_database_that_its_workers_reach(cluster: Any) -> None:
    with cluster.Cluster("tcp://10.0.0.1:8786") as dask, pytest.raises(NotForNow) as refused:
        list(dask.run(iter([Task(LedgerChunk("a.sqlite", range(3)), Position(), 3)]), Format))
    assert str(refused.value) == (
        "a cluster cannot read a ledger: `export` its records to a file, or audit it here with --jobs"
    )


# ── Parquet ──────────────────────────────────────────────────────────────────────────────────────────────────


class Arrow:
    """What is written instead of Parquet: the schema, the settings, and a batch of rows for each table."""

    def __init__(self) -> None:
        self.written: list[Any] = []
        self.Table = SimpleNamespace(from_pylist=lambda rows, schema: [json.loads(json.dumps(rows)), schema])

    def __getattr__(self, name: str) -> Callable[..., object]:
        return lambda *arguments: [name.rstrip("_"), *arguments]

    def ParquetWriter(self, out: Any, schema: object, **settings: object) -> Any:  # noqa: N802  its name there
        out.write(b"PAR1")
        self.written.append((schema, settings))
        arrow = self

        class Writer:
            def __enter__(self) -> Any:
                return self

            def __exit__(self, *_exc: object) -> None:
                arrow.written.append("end")

            def write_table(self, table: list[Any]) -> None:
                assert table[1] is schema
                arrow.written.append(table[0])

        return Writer()


def test_parquet_has_a_row_for_each_report_with_typed_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arrow = Arrow()
    monkeypatch.setattr(parquet, "packages", lambda: (arrow, arrow))
    monkeypatch.setattr(parquet, "ROWS", 2)
    report = {
        "record": "a", "game": "zigzag", "finished": True, "verdict": "breach", "scores": {"ana": 3, "ben": 0},
        "winners": ["ana"], "rulings": {"min_bid": 0, "all_pass": "next"},
        "findings": [
            {"seq": 4, "clause": "zigzag.take", "verdict": "breach", "expected": [1, 2], "message": "m"},
            {"seq": 5, "clause": "zigzag.score", "verdict": "breach", "expected": None, "claimed": "x"},
        ],
    }  # fmt: skip
    lines = [json.dumps({**report, "record": name}).encode() + b"\n" for name in "abc"]
    (tmp_path / "reports").write_bytes(codec.zstd().compress(b"".join(lines)))
    target = tmp_path / "a.parquet"
    parquet.as_parquet(tmp_path / "reports", target)
    assert target.read_bytes() == b"PAR1"
    assert sys.platform == "win32" or target.stat().st_mode & 0o077 == 0
    (schema, settings), first, second, end = arrow.written
    assert settings == {"compression": "zstd"}
    assert [len(first), len(second), end] == [2, 1, "end"]
    assert [row["record"] for row in first + second] == ["a", "b", "c"]
    assert first[0] == {
        **report,
        "scores": [{"player": "ana", "points": 3}, {"player": "ben", "points": 0}],
        "rulings": [{"name": "min_bid", "value": "0"}, {"name": "all_pass", "value": '"next"'}],
        "findings": [
            {**report["findings"][0], "expected": "[1,2]", "claimed": None},  # type: ignore[index]
            {**report["findings"][1], "expected": None, "claimed": '"x"'},  # type: ignore[index]
        ],
    }
    text = ["string"]
    finding = [
        ("seq", ["int32"]), ("clause", text), ("verdict", text), ("player", text), ("expected", text),
        ("claimed", text), ("message", text),
    ]  # fmt: skip
    assert schema == ["schema", [
        ("record", text), ("game", text), ("finished", ["bool"]), ("verdict", text),
        ("scores", ["list", ["struct", [("player", text), ("points", ["int64"])]]]), ("winners", ["list", text]),
        ("findings", ["list", ["struct", finding]]),
        ("rulings", ["list", ["struct", [("name", text), ("value", text)]]]), ("title", text), ("balance", text),
    ]]  # fmt: skip


def test_without_the_package_parquet_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(NotForNow, match=r"^Parquet needs an extra: pip install 'domino-ledger\[parquet\]'$"):
        parquet.packages()
