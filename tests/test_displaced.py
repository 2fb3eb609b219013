"""A ledger whose file was replaced, moved or removed while it is open takes nothing more, and says so."""

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from command_output import run_on
from ledger.keep.recorder import key_digest
from ledger.record.errors import LedgerError, NotALedger
from ledger.record.events import Note, Open, Player
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from viewer.app import create_app

MOVE = {"expected": 1, "entries": [{"id": "move-0001", "event": {"type": "note", "text": "one"}}]}
OPENING = Open("zigzag", players=tuple(Player(id=name, name=name.upper()) for name in "abc"))


def replace(path: Path) -> None:
    shutil.copy(path, path.with_name("new"))
    path.with_name("new").replace(path)


def move_all(path: Path) -> None:
    for end in ("", "-wal", "-shm", ".head"):
        if (file := path.with_name(path.name + end)).exists():
            file.rename(path.with_name(f"away{end}"))


def move_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


def lead_elsewhere(path: Path) -> None:
    move_all(path)
    SqliteStore(path.with_name("other.sqlite")).close()
    path.symlink_to("other.sqlite")


WAYS: dict[str, tuple[Callable[[Path], object], str]] = {
    "replaced": (replace, "replaced by another"),
    "removed": (Path.unlink, "moved or removed"),
    "moved": (lambda path: path.rename(path.with_name("away")), "moved or removed"),
    "moved with all": (move_all, "moved or removed"),
    "its folder moved": (move_folder, "moved or removed"),
    "a link to another": (lead_elsewhere, "replaced by another"),
    "its log removed": (lambda path: path.with_name(f"{path.name}-wal").unlink(), r"its log \(-wal\) was moved"),
    "another name": (lambda path: path.with_name("b.sqlite").hardlink_to(path), r"another name \(a hard link\)"),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data" / "a.sqlite"


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_acknowledged_any_more(path: Path, way: str) -> None:
    displace, reason = WAYS[way]
    with SqliteStore(path) as store:
        store.put([])  # makes the log
        os.utime(path.parent, (0, 0))  # nothing has come or gone there for long
        store.append("r", 0, [OPENING], ["first-001"])
        assert store.connection.displaced() == ""
        displace(path)
        for ids in (None, ["second-01"]):
            with pytest.raises(LedgerError, match=f"nothing was written: .*{reason}"):
                store.append("r", 1, [Note("one")], ids)
        with pytest.raises(LedgerError, match="nothing was written"):
            store.append("r", 0, [OPENING], ["first-001"])
        assert store.version("r") == 1
        assert store.loss() == store.connection.displaced() != ""
    rescued = path.with_name("a.sqlite.rescued")
    assert rescued.exists() == (reason in ("replaced by another", "moved or removed") and way != "its folder moved")
    if rescued.exists():
        with SqliteStore(rescued) as store:
            assert (store.connection.doubt, store.version("r")) == ("", 1), "what was acknowledged"
    if way == "its log removed":
        with SqliteStore(path) as store:
            assert (store.loss(), store.append("r", 1, [Note("one")])) == ("", 2)
    log = path.with_name("a.sqlite-wal")
    assert not log.exists() or not log.stat().st_size, "no other file finds this log beside it"


@pytest.mark.parametrize("way", WAYS)
def test_a_server_says_so_and_takes_no_move(path: Path, way: str) -> None:
    with SqliteStore(path) as store:
        store.append("r", 0, [OPENING])
        store.put([Key("r", key_digest("key"))])
        client = create_app(store.reopen).test_client()
        assert client.get("/healthz").status_code == 200
        WAYS[way][0](path)
        health = client.get("/healthz")
        assert (health.status_code, "nothing is written any more: its" in health.text) == (503, True)
        assert health.json["recording"] is False
        page = client.get("/").text
        assert (page.count('role="alert"'), "Tell its owner" in page, "Stop the programs" in page) == (1, True, False)
        other = create_app(store.reopen).test_client()  # none of its threads opens what is there now
        assert "nothing was written: " in other.get("/healthz").json["reason"]
        assert "Tell its owner" in other.get("/").text
        for asked in (client, other):
            answer = asked.post("/api/v1/records/r/events", json=MOVE, headers={"Authorization": "Bearer key"})
            assert answer.status_code == 503, answer.text
            assert re.fullmatch(r"nothing was written: its [^.]*\. Tell its owner", answer.json["detail"])
    assert (
        not path.exists() or path.is_symlink() or way not in ("removed", "moved", "moved with all", "its folder moved")
    )


def test_a_file_that_is_put_back_is_written_again(path: Path) -> None:
    with SqliteStore(path) as store:
        store.append("r", 0, [OPENING])
        path.rename(path.with_name("away"))
        with pytest.raises(LedgerError):
            store.append("r", 1, [Note("one")])
        path.with_name("away").rename(path)
        assert store.append("r", 1, [Note("one")]) == 2


def test_a_ledger_has_one_mark_whatever_name_it_is_opened_by(path: Path) -> None:
    link, chain = path.parents[1] / "club.sqlite", path.parents[1] / "again.sqlite"
    link.symlink_to("data/a.sqlite")
    chain.symlink_to("club.sqlite")
    with SqliteStore(path) as store:
        store.append("r", 0, [OPENING])
    older = path.read_bytes()
    with SqliteStore(chain) as store:
        store.append("r", 1, [Note("one"), Note("two")])
    assert sorted(file.name for file in path.parent.iterdir()) == ["a.sqlite", "a.sqlite.head"]
    path.write_bytes(older)
    for name in (path, link, chain):
        result = run_on(name, "list")
        assert (result.exit_code, "2 events are gone: it had 3 and has 1" in result.stderr) == (2, True), name
        assert run_on(name, "verify").exit_code == 1
        assert run_on(name, "new", "zigzag", "A", "B", "C").exit_code == 2
    path.unlink()
    for name in (path, link, chain):
        assert "the ledger is gone or empty, and it had 3 events" in run_on(name, "list").stderr, name
    assert run_on(link, "restore", str(path.with_name("none"))).exit_code != 0
    path.with_name("older").write_bytes(older)
    assert run_on(link, "restore", str(path.with_name("older"))).exit_code == 0
    assert link.is_symlink()
    assert path.read_bytes()


def test_a_second_name_is_named_by_every_command(path: Path) -> None:
    with SqliteStore(path) as store:
        store.append("r", 0, [OPENING])
    second = path.with_name("b.sqlite")
    second.hardlink_to(path)
    for name in (path, second):
        assert "another name (a hard link)" in run_on(name, "new", "zigzag", "A", "B", "C").stderr
        assert "another name (a hard link)" in run_on(name, "verify").stdout + run_on(name, "verify").stderr
    second.unlink()
    assert run_on(path, "new", "zigzag", "A", "B", "C").exit_code == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files")
def test_what_is_no_file_is_no_ledger(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, reason in (
        (tmp_path / "pipe", "is not a file"),
        (Path(os.devnull), "is not a file"),
        (tmp_path, "folder"),
    ):
        with pytest.raises(NotALedger, match=reason):
            SqliteStore(name)
