"""A ledger that has lost events: every command and page reports it, and none starts a new one in its place."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from click.testing import Result
from flask.testing import FlaskClient

from command_output import run_on
from ledger.keep.stored_audits import refresh
from ledger.proof.log_head import check
from ledger.record.errors import Corrupt
from ledger.record.events import Note, Open, Player
from ledger.stores import open_ledger
from ledger.stores.end_mark import NOTHING, EndMark
from ledger.stores.query import Query
from ledger.stores.store import SqliteStore
from test_log_head import head_of
from test_store import opening
from viewer.app import create_app

OPENING = Open("zigzag", players=tuple(Player(id=name, name=name.upper()) for name in "abc"))


def client_of(store: SqliteStore) -> FlaskClient:
    return create_app(lambda: store).test_client()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An older copy of a ledger with the high-water mark of the newer one."""
    path = tmp_path / "a.sqlite"
    with SqliteStore(path) as store:
        store.append("kept", 0, [OPENING, Note("one")])
        list(refresh(store))
    shutil.copy(path, tmp_path / "older")
    with SqliteStore(path) as store:
        store.append("late", 0, [OPENING, Note("two")])
    shutil.copy(tmp_path / "older", path)
    return path


@pytest.mark.parametrize(
    "words",
    [("list",), ("show", "kept"), ("export",), ("audit",), ("history", "kept"), ("replay", "kept", "--steps"),
     ("backup", "b.sqlite")],
)  # fmt: skip
def test_every_command_says_that_events_are_gone(path: Path, words: tuple[str, ...], monkeypatch) -> None:
    monkeypatch.chdir(path.parent)
    result = run_on(path, *words)
    assert "2 events are gone: it had 4 and has 2; `domino-ledger verify` shows more" in result.stderr
    assert result.exit_code == 2
    assert result.stdout, "what is left is shown"


def test_verify_finds_the_loss_and_new_events_are_refused(path: Path) -> None:
    verified = run_on(path, "verify")
    assert (verified.exit_code, verified.stderr.count("2 events are gone")) == (1, 1)
    assert "`domino-ledger verify`" not in verified.stderr
    refused = run_on(path, "new", "zigzag", "Ana", "Ben", "Cy")
    assert refused.exit_code == 2
    assert "Nothing was written" in refused.stderr


def test_every_page_says_that_events_are_gone(path: Path) -> None:
    with SqliteStore(path) as store:
        client = client_of(store)
        for page in ("/", "/g/kept", "/embed/kept", "/g/kept/print", "/rules", "/r/kept", "/new", "/g/late"):
            assert "2 events are gone: it had 4 and has 2" in client.get(page).text, page
        assert "2 events are gone" in client.get("/api/v1/records").json["loss"]  # type: ignore[index]
        health = client.get("/healthz")
        assert (health.status_code, "2 events are gone" in health.text) == (503, True)
        store.connection.mark.close()
        store.connection.mark.path.unlink()
        assert "events are gone" not in client.get("/g/kept").text, "no page is cached with it"


@pytest.mark.parametrize("remains", ["nothing", "an empty file", "the first page"])
def test_no_new_ledger_takes_the_place_of_a_lost_one(path: Path, remains: str) -> None:
    path.unlink()
    if remains != "nothing":
        path.touch()
    if remains == "the first page":
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA journal_mode = WAL")
    before = path.read_bytes() if path.exists() else None
    for words in (("list",), ("verify",), ("new", "zigzag", "Ana", "Ben", "Cy"), ("serve",)):
        result = run_on(path, *words)
        assert result.exit_code == 2, words
        assert "the ledger is gone or empty, and it had 4 events. Nothing was made in its place" in result.stderr
    assert (path.read_bytes() if path.exists() else None) == before
    Path(f"{path}.head").unlink()  # the decision to begin a new one
    if remains == "the first page":  # it may as well be a copy without its journal
        assert "put a.sqlite-wal and a.sqlite.head" in run_on(path, "new", "zigzag", "Ana", "Ben", "Cy").stderr.lower()
        path.unlink()
    assert run_on(path, "new", "zigzag", "Ana", "Ben", "Cy").exit_code == 0


def test_restore_brings_back_a_ledger_that_is_gone(path: Path) -> None:
    path.unlink()
    assert run_on(path, "restore", str(path.with_name("older"))).exit_code == 0
    assert run_on(path, "list").exit_code == 0


def test_nothing_is_appended_to_another_ledger_in_the_same_place(path: Path, tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "other.sqlite") as other_ledger:
        other_ledger.append("other", 0, [OPENING, *(Note(f"note {number}") for number in range(20))])
    shutil.copy(tmp_path / "other.sqlite", path)
    with SqliteStore(path) as store:
        with pytest.raises(Corrupt, match="event 4 is not the one that was there: it was changed, or this is another"):
            store.append("other", 21, [Note("x")])
        assert store.version("other") == 21
    assert "this is another ledger" in run_on(path, "list").stderr
    Path(f"{path}.head").unlink()
    with SqliteStore(path) as store:
        assert store.append("other", 21, [Note("x")]) == 22


def test_an_unreadable_high_water_mark_says_what_to_do(path: Path) -> None:
    mark = Path(f"{path}.head")
    mark.write_bytes(bytes(8192))
    with SqliteStore(path) as store, pytest.raises(Corrupt) as caught:
        store.append("new", 0, [OPENING])
    reason = str(caught.value)
    assert "Run `domino-ledger verify --against` a head of the log that you kept; if the ledger is intact" in reason
    assert "`domino-ledger repair --accept-loss` makes a new mark" in reason
    listing = run_on(path, "list")
    assert "kept" in listing.stdout
    assert "the high-water mark cannot be read, so it is unknown whether events are missing" in listing.stderr
    assert run_on(path, "repair", "--accept-loss", "--yes").exit_code == 0
    with SqliteStore(path) as store:
        store.append("new", 0, [OPENING])
        assert store.loss() == ""
        assert head_of(store) == check(store).log_head


@pytest.fixture
def ledger(path: Path) -> str:
    """A ledger that has lost its newest event, which is in no backup."""
    return str(path)


def test_a_loss_can_be_accepted_on_purpose(ledger: str, tmp_path: Path) -> None:
    def repair(*words: str) -> Result:
        return run_on(ledger, "repair", "--backup", str(tmp_path / f"{uuid4().hex}"), *words)

    refused = repair()
    assert refused.exit_code == 1
    assert "if no backup has them, `repair --accept-loss` goes on without them" in refused.stderr
    unanswered = run_on(ledger, "repair", "--accept-loss", "--backup", str(tmp_path / "no"))
    assert unanswered.exit_code == 130, "nobody said yes"
    with open_ledger(ledger) as store:
        assert "gone: it had" in store.loss()
    accepted = repair("--accept-loss", "--yes")
    assert (accepted.exit_code, "accepted: " in accepted.stderr) == (0, True), accepted.stderr
    with open_ledger(ledger) as store:
        assert store.loss() == ""
        assert store.append("kept", 2, [Note("three")]) == 3
    check = run_on(ledger, "verify")
    assert (check.exit_code, "intact, 3 events" in check.stderr) == (0, True), check.stderr
    assert "there is no loss to accept" in repair("--accept-loss").stderr


def test_a_server_that_runs_goes_on_after_a_loss_was_accepted(path: Path) -> None:
    with SqliteStore(path) as running:
        assert running.loss()
        assert run_on(path, "repair", "--accept-loss", "--yes").exit_code == 0
        assert running.loss() == ""
        running.append("kept", 2, [Note("two")])
        assert head_of(running) == check(running).log_head


def test_one_damaged_row_hides_no_other(path: Path) -> None:
    Path(f"{path}.head").unlink()
    with SqliteStore(path) as store:
        store.append("bad", 0, [OPENING])
        store.append("third", 0, [OPENING])
        with store.connection.writing():
            store.connection.many("UPDATE record SET players = '[[' WHERE id = 'bad'", [()])
        client = client_of(store)
        rows = {row.id: row for row in store.find(Query())}
        assert [rows[id_].corrupt for id_ in ("kept", "bad", "third")] == [False, True, False]
        for page in ("/", "/?player=A", "/?game=zigzag", "/api/v1/records"):
            answer = client.get(page)
            assert answer.status_code == 200, page
            assert "kept" in answer.text
        assert "damaged" in client.get("/").text
        assert [row["id"] for row in client.get("/api/v1/records").json["records"] if row["corrupt"]] == ["bad"]  # type: ignore[index]
        assert client.get("/g/bad").status_code == 200
    listing = run_on(path, "list")
    assert listing.exit_code == 2
    assert "record bad: its row in the list is damaged; `domino-ledger repair` restores it" in listing.stderr
    assert "third" in listing.stdout


def test_bytes_that_are_not_text_hide_no_other_row(path: Path) -> None:
    Path(f"{path}.head").unlink()
    with SqliteStore(path) as store:
        store.append("bad", 0, [OPENING])
        for statement in (
            "UPDATE record SET players = CAST(x'5b5bff' AS TEXT) WHERE id = 'bad'",
            "UPDATE record SET game = CAST(x'5b5bff' AS TEXT) WHERE id = 'bad'",
            "UPDATE record SET place = CAST(x'5b5bff' AS TEXT) WHERE id = 'bad'",
        ):
            with store.connection.writing():
                store.connection.many(statement, [()])
            assert {"kept", "bad"} <= {row.id for row in store.find(Query())}
            assert client_of(store).get("/").status_code == 200
        store.rebuild()
        assert not [row for row in store.find(Query()) if row.corrupt]


def test_a_mark_follows_the_events_of_all_writers(tmp_path: Path) -> None:
    log = [("r", bytes([number]) * 32) for number in range(6)]
    mine, other = (EndMark(tmp_path / "a.head") for _ in range(2))
    for event, mark in zip(log, (mine, mine, other, mine, other, other), strict=True):
        mark.write((mark.read() or NOTHING).grown([event]))
    whole = NOTHING.grown(log)
    assert (whole.size, whole.link) == (6, log[-1][1])
    for n in range(6):
        assert NOTHING.grown(log[:n]).grown(log[n:]) == whole
        assert NOTHING.grown([*log[:n], ("s", log[n][1]), *log[n + 1 :]]).digest != whole.digest
    for mark in (mine, other):
        assert mark.read() == whole
        mark.close()


def test_a_mark_whose_newer_slot_was_cut_off_is_the_one_before(tmp_path: Path) -> None:
    log = [("r", bytes([number]) * 32) for number in range(3)]
    mark = EndMark(tmp_path / "a.head")
    for event in log:
        mark.write((mark.read() or NOTHING).grown([event]))
    contents = (tmp_path / "a.head").read_bytes()
    for at, size in ((0, 2), (4096, 3)):
        (tmp_path / "a.head").write_bytes(contents[:at] + bytes(40) + contents[at + 40 :])
        assert mark.read() == NOTHING.grown(log[:size])
    mark.close()


def test_a_file_that_was_copied_without_its_log_is_doubted(tmp_path: Path) -> None:
    path, left = tmp_path / "a.sqlite", tmp_path / "left.sqlite"
    with SqliteStore(path) as store:
        store.append("r", 0, [opening()])
    with SqliteStore(path) as store:
        store.append("r", 1, [Note("in the log")])
        shutil.copy(path, left)
        head = (tmp_path / "a.sqlite.head").read_bytes()
    with SqliteStore(path) as store:
        assert (store.connection.doubt, store.connection.read_only) == ("", False)
    with SqliteStore(left) as copy:
        assert copy.connection.read_only
        assert copy.connection.doubt == (
            f"{left} was in use when it was copied, and left.sqlite-wal is missing: its newest events may be lost. "
            "Put left.sqlite-wal and left.sqlite.head from the original beside it. If they are gone, "
            "`domino-ledger --ledger left.sqlite copy NEW.sqlite` makes a ledger of what is left"
        )
    (tmp_path / "left.sqlite.head").write_bytes(head)
    with SqliteStore(left) as copy:
        assert copy.connection.doubt == ""
