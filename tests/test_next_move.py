"""The next move of a record: a writer need not read the record again if nobody else has written since its last move."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.keep.stored_audits import refresh
from ledger.record.errors import Corrupt, IdReused, LedgerError, NotARecord, WrongVersion
from ledger.record.events import Bid, Note, Open, Pass, Player
from ledger.stores import end_mark, questions
from ledger.stores.beside import Alias
from ledger.stores.end_mark import EndMark, Mark
from ledger.stores.store import SqliteStore

OPENING = Open("zigzag", players=tuple(Player(id=name) for name in ("ana", "ben", "cy")))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A ledger with a record, to which this object has added a move."""
    with SqliteStore(tmp_path / "l.sqlite") as store:
        store.append("r", 0, [OPENING])
        store.append("r", 1, [Bid("ana", 3)], ["1"])
        yield store


def intact(store: SqliteStore) -> bool:
    """Whether the list fits the events, and the high-water mark is the newest."""
    mark = store.connection.mark.read()
    return not list(store.differences()) and not store.loss() and mark is not None and mark.size == store.size()


def test_the_next_move_does_not_read_the_record(store: SqliteStore) -> None:
    read = list[str]()
    store.connection.db.set_trace_callback(read.append)
    store.append("r", 2, [Pass("ben")], ["2"])
    store.append("r", 3, [Note("no id")])
    store.connection.db.set_trace_callback(None)
    assert not [text for text in read if "body" in text and text.startswith("SELECT")]
    assert intact(store)


def test_what_another_has_written_is_read(store: SqliteStore) -> None:
    with SqliteStore(store.path) as other:
        other.append("r", 2, [Pass("ben")])
        with pytest.raises(WrongVersion):
            store.append("r", 2, [Pass("cy")])
        store.append("r", 3, [Pass("cy")])
        list(refresh(other))
        assert questions.unaudited(store) == ()
        store.append("r", 4, [Bid("ana", 4)])
        assert questions.unaudited(store) == ("r",)
    assert intact(store)


def test_what_this_object_has_written_besides_is_read(store: SqliteStore) -> None:
    list(refresh(store))
    store.append("r", 2, [Pass("ben")])
    assert questions.unaudited(store) == ("r",)
    store.put([Alias("Anna", "Ana")])
    store.append("r", 3, [Pass("cy")])
    store.append("s", 0, [OPENING])
    store.append("r", 4, [Bid("ana", 4)])
    assert intact(store)


def test_a_move_that_comes_again_is_not_added_twice(store: SqliteStore) -> None:
    assert store.append("r", 2, [Pass("ben")], ["2"]) == 3
    assert store.append("r", 2, [Pass("ben")], ["2"]) == 3
    assert store.append("r", 3, [Pass("ben")], ["2"]) == 3
    assert store.append("r", 3, [Bid("ana", 3)], ["1"]) == 2
    with pytest.raises(IdReused):
        store.append("r", 3, [Pass("cy")], ["2"])
    with pytest.raises(IdReused):
        store.append("r", 3, [Pass("cy")], ["3", "4"])
    assert store.append("r", 3, [Pass("cy")], ["3"]) == 4
    assert intact(store)


def test_a_move_of_nobody_is_refused(store: SqliteStore) -> None:
    with pytest.raises(NotARecord):
        store.append("r", 2, [Pass("dan")])
    store.append("r", 2, [Pass("ben")])
    assert intact(store)


def test_a_move_that_was_not_committed_is_not_remembered(store: SqliteStore) -> None:
    def refuse(action: int, word: str | None, *_: object) -> int:
        return sqlite3.SQLITE_DENY if (action, word) == (sqlite3.SQLITE_TRANSACTION, "COMMIT") else sqlite3.SQLITE_OK

    store.connection.db.set_authorizer(refuse)
    with pytest.raises(LedgerError, match="nothing was written"):
        store.append("r", 2, [Pass("ben")])
    store.connection.db.set_authorizer(None)
    assert store.append("r", 2, [Pass("cy")]) == 3
    assert intact(store)


def test_a_mark_that_was_read_damaged_is_not_written(store: SqliteStore) -> None:
    path = store.connection.mark.path
    contents = path.read_bytes()
    path.write_bytes(bytes(len(contents)))
    assert "cannot be read" in store.loss()
    with pytest.raises(Corrupt, match="the high-water mark cannot be read"):
        store.append("r", 2, [Pass("ben")])
    path.write_bytes(contents)
    store.append("r", 2, [Pass("ben")])
    assert intact(store)


def test_a_mark_that_could_not_be_written_catches_up(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(end_mark, "write_at", fail)
    store.append("r", 2, [Pass("ben")])
    monkeypatch.undo()
    assert not intact(store)
    store.append("r", 3, [Pass("cy")])
    assert intact(store)


def test_without_a_turn_the_mark_follows_too(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another writer may be frozen in its turn, and a third one may write meanwhile."""
    write = store.connection.mark.write

    def after_another(mark: Mark) -> None:
        with SqliteStore(store.path) as other:
            other.append("r", 3, [Pass("cy")])
        write(mark)

    monkeypatch.setattr(store.connection.mark, "write", after_another)
    monkeypatch.setattr(EndMark, "take_turn", lambda *_arguments: None)
    store.append("r", 2, [Pass("ben")])
    assert intact(store)
