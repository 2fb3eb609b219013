"""The ledgers of a server: one for each request at the same time, kept open for the next ones."""

import threading
from pathlib import Path

import pytest
from flask import Flask

from ledger.keep.recorder import Recorder
from ledger.record.errors import LedgerError
from ledger.record.events import Open, Player
from ledger.stores.store import SqliteStore
from viewer.app import create_app
from viewer.server import context
from viewer.server.context import KEPT, Ledgers, store

GAME = Open("zigzag", players=(Player(id="ana", name="Ana"), Player(id="ben", name="Ben"), Player(id="cleo")))


class Opened(list[SqliteStore]):
    """Opens a ledger, and keeps what was opened."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path, self.closed = path, 0

    def __call__(self) -> SqliteStore:
        opened = self

        class Counted(SqliteStore):
            def close(self) -> None:
                opened.closed += 1
                super().close()

        self.append(Counted(self.path))
        return self[-1]


@pytest.fixture
def opened(tmp_path) -> Opened:
    with SqliteStore(tmp_path / "a.sqlite") as ledger:
        for _ in range(3):
            Recorder(ledger).open(GAME)
    return Opened(tmp_path / "a.sqlite")


@pytest.fixture
def app(opened: Opened) -> Flask:
    return create_app(opened)


def test_requests_one_after_another_share_a_ledger_also_in_other_threads(app: Flask, opened: Opened) -> None:
    addresses = ["/", "/api/v1/records", "/g/none", "/players", "/healthz"]
    statuses = [app.test_client().get(address).status_code for address in addresses]
    for address in addresses:
        thread = threading.Thread(
            target=lambda address=address: statuses.append(app.test_client().get(address).status_code)
        )
        thread.start()
        thread.join()
    assert statuses == [200, 200, 404, 200, 200] * 2
    assert (len(opened), opened.closed) == (1, 0)


def test_requests_at_the_same_time_have_a_ledger_each(app: Flask, opened: Opened) -> None:
    together, stores = threading.Barrier(4), []

    @app.get("/mine")
    def mine() -> str:
        assert store() is store()
        stores.append(store())
        together.wait(10)
        return ""

    for _ in range(2):
        threads = [threading.Thread(target=app.test_client().get, args=("/mine",)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert set(stores[:4]) == set(stores[4:]) == set(opened)
    assert len(opened) == 4


def test_a_request_that_fails_gives_its_ledger_back(app: Flask, opened: Opened) -> None:
    @app.get("/fails")
    def fails() -> str:
        store()
        raise ZeroDivisionError

    assert [app.test_client().get("/fails").status_code for _ in range(3)] == [500] * 3
    assert len(opened) == 1


def test_an_archive_that_is_sent_after_its_request_has_a_ledger_of_its_own(app: Flask, opened: Opened) -> None:
    with app.test_request_context("/api/v1/records.ndjson"):
        answer = app.dispatch_request()  # without what reads the whole answer
    with app.app_context():
        lines = iter(answer.response)
        first = next(lines)
        ledger = store()
        assert set(opened) > {ledger}
        assert len([first, *lines]) == 3
    assert set(opened) == {app.extensions["served"].ledgers.borrow() for _ in range(2)}, "both were given back"


def test_only_some_stay_open_for_the_next_requests(opened: Opened) -> None:
    ledgers = Ledgers(opened)
    taken = [ledgers.borrow() for _ in range(KEPT + 4)]
    for one in taken:
        ledgers.give_back(one)
    assert (len(opened), opened.closed) == (KEPT + 4, 4)
    ledgers.close()
    assert opened.closed == len(opened)


def test_what_is_given_back_after_the_end_is_closed(opened: Opened, monkeypatch) -> None:
    monkeypatch.setattr(context, "PATIENCE", 0)
    ledgers = Ledgers(opened)
    free, late = ledgers.borrow(), ledgers.borrow()
    ledgers.give_back(free)
    ledgers.close()
    assert opened.closed == 1
    late.ids()
    ledgers.give_back(late)
    assert opened.closed == 2


def test_the_end_waits_for_the_requests(opened: Opened) -> None:
    ledgers, begun = Ledgers(opened), threading.Event()

    def request() -> None:
        with ledgers.one():
            begun.set()
            while not ledgers._closed:
                pass

    thread = threading.Thread(target=request)
    thread.start()
    begun.wait()
    ledgers.close()
    assert opened.closed == 1
    thread.join()


def test_a_ledger_that_cannot_be_opened_is_tried_again() -> None:
    def fail() -> SqliteStore:
        raise LedgerError("busy")

    ledgers = Ledgers(fail)
    for _ in range(2):
        with pytest.raises(LedgerError, match="busy"):
            ledgers.borrow()
    assert not ledgers._taken, "`close` waits for nobody"
