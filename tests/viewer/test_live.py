"""Streams: they send news at once, resume after a break, are limited in number, and do not block other requests."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.request import Request, urlopen
from zlib import crc32

import pytest

from ledger import notation
from ledger.keep.recorder import Recorder
from ledger.keep.transfer import forget, known_as
from ledger.record.events import Close, Open, Player
from ledger.stores import questions
from ledger.stores.sqlite import SqliteStore
from serving import serving
from viewer.app import create_app
from viewer.pages.live import LATER, SOON
from waiting import PATIENCE

SHEET = [
    "A lays 0-3 1-3 2-2 3-3 5-6 1-6",
    "B lays 0-1 1-4 0-0 5-5 4-6 2-5",
    "A draws 6-6",
    "B draws 0-2",
    "A 6-6 on 10",
]


class Table:
    """A game in a ledger, recorded line by line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with SqliteStore(path) as store:
            self.id = Recorder(store).open(
                Open("build-up", players=(Player(id="ana", name="Ana"), Player(id="ben", name="Ben")))
            )
        self.lines = iter(SHEET)

    def play(self) -> int:
        """Records the next line; returns the version after it."""
        with SqliteStore(self.path) as store:
            return Recorder(store).append(self.id, notation.read_line(next(self.lines), store.read(self.id)))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "a.sqlite")


@pytest.fixture
def address(table: Table) -> Iterator[str]:
    """A server that allows two watchers."""
    with serving(create_app(lambda: SqliteStore(table.path), watchers=2), threads=5) as site:
        yield f"{site}/g/{table.id}"


def renamings(address: str) -> Iterator[int]:
    """The number of replaced names, from a stream."""
    with urlopen(f"{address}/live", timeout=PATIENCE) as answer:  # noqa: S310  our own
        for line in answer:
            if line == b"event: names\n":
                yield int(next(answer).removeprefix(b"data: "))


def links(address: str, version: int) -> tuple[int, str]:
    """The version and the link with which a stream begins for a client that has seen a version."""
    with urlopen(f"{address}/live?from={version}", timeout=PATIENCE) as answer:  # noqa: S310  our own
        while answer.readline() != b"event: link\n":
            pass
        number, link = answer.readline().removeprefix(b"data: ").split()
        return int(number), link.decode()


def listen(address: str, last: int | None = None, **headers: str) -> Iterator[int]:
    """The versions that a stream sends, until it ends."""
    last_seen = {"Last-Event-ID": str(last)} if last is not None else {}
    with urlopen(Request(f"{address}/live", headers={**last_seen, **headers}), timeout=PATIENCE) as answer:  # noqa: S310  our own
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        assert answer.headers["Cache-Control"] == "no-store"
        yield 0
        for line in answer:
            if line == b"event: version\n":
                yield int(next(answer).removeprefix(b"data: "))


def test_a_move_arrives(table: Table, address: str) -> None:
    versions = listen(address)
    next(versions)
    for _ in range(3):
        version = table.play()
        assert next(versions) == version
    versions.close()


def test_a_page_that_is_open_hears_that_a_name_was_erased(table: Table, address: str) -> None:
    counts = renamings(address)
    first = next(counts)
    table.play()
    with SqliteStore(table.path) as store:  # another process does it
        forget(store, "Ana", known_as(store, "Ana"))
    assert next(counts) == first + 1, "moves are no renamings"
    counts.close()
    with urlopen(address, timeout=PATIENCE) as page:  # noqa: S310  our own
        assert b"Ana" not in page.read()
    later_counts = renamings(address)
    assert next(later_counts) == first + 1, "a page that was asleep hears it too"
    later_counts.close()


def test_moves_that_a_listener_missed_arrive_at_once(table: Table, address: str) -> None:
    table.play()
    table.play()
    versions = listen(address, last=1)
    assert [next(versions), next(versions)] == [0, 3]
    versions.close()


def test_a_stream_begins_with_the_link_at_what_was_seen_or_at_the_last_event(table: Table, address: str) -> None:
    table.play()
    table.play()
    with SqliteStore(table.path) as store:
        expected = {version: (questions.link(store, table.id, version) or b"").hex() for version in (1, 2, 3)}
    assert [links(address, version) for version in (1, 2, 3)] == [(n, expected[n]) for n in (1, 2, 3)]
    assert links(address, 9) == (3, expected[3]), "the ledger has less than this client saw"


def test_a_full_house_tells_and_ends_and_the_site_answers(table: Table, address: str) -> None:
    listeners = [listen(address), listen(address)]
    for versions in listeners:
        next(versions)
    table.play()
    assert list(listen(address, last=1)) == [0, 2]
    assert list(listen(address, last=2)) == [0]
    with urlopen(address, timeout=PATIENCE) as page:  # noqa: S310  our own
        assert b"Ana" in page.read()
    for versions in listeners:
        assert next(versions) == 2
        versions.close()


def test_one_address_does_not_take_every_seat(table: Table) -> None:
    client = create_app(lambda: SqliteStore(table.path), watchers=40, proxies=1).test_client()
    path = f"/g/{table.id}/live"
    with ExitStack() as streams:
        for address, seats in (("192.0.2.1", 10), ("2001:db8::1", 10), ("2001:db8::2", 0), ("192.0.2.2", 10)):
            for number in range(12):
                stream = client.get(path, headers={"X-Forwarded-For": address})
                streams.enter_context(stream)
                wait = SOON if number < seats else LATER
                assert f"retry: {wait}".encode() in next(iter(stream.response)), (address, number)
    with client.get(path, headers={"X-Forwarded-For": "192.0.2.1"}) as stream:
        assert f"retry: {SOON}".encode() in next(iter(stream.response)), "a seat that is left is free"


def test_a_record_that_is_not_there_has_no_stream(table: Table) -> None:
    client = create_app(lambda: SqliteStore(table.path)).test_client()
    assert client.get("/g/nothing/live").status_code == 404


def test_a_request_for_the_headers_takes_no_seat(table: Table) -> None:
    client = create_app(lambda: SqliteStore(table.path), watchers=1).test_client()
    for _ in range(3):
        assert client.head(f"/g/{table.id}/live").status_code == 200
    with client.get(f"/g/{table.id}/live?from=0") as stream:
        assert f"retry: {SOON}".encode() in next(stream.response)
    with client.get(f"/g/{table.id}/live") as stream:
        assert stream.status_code == 200  # nobody read a word of it
    with client.get(f"/g/{table.id}/live") as stream:
        assert f"retry: {SOON}".encode() in next(stream.response)


def test_a_ledger_that_cannot_be_read_for_a_while_is_followed_again(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("viewer.pages.live.LATER", 10)
    fails = [OSError("gone"), OSError("gone")]

    def open_store() -> SqliteStore:
        if fails and threading.current_thread().name == "notifier":
            raise fails.pop()
        return SqliteStore(table.path)

    client = create_app(open_store).test_client()
    with client.get(f"/g/{table.id}/live") as stream:
        next(stream.response)
        version = table.play()
        message = next(part for part in stream.response if b"event: version" in part)
        assert f"data: {version}\n".encode() in message
    assert not fails
    errors = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert errors == ["the notifier cannot read the ledger, and tries again"] * 2


def test_a_page_that_follows_a_game_gets_what_a_move_changes(table: Table) -> None:
    client = create_app(lambda: SqliteStore(table.path)).test_client()
    table.play()
    page = client.get(f"/g/{table.id}").text
    assert f'data-parts="/g/{table.id}/parts"' in page
    before = client.get(f"/g/{table.id}/parts").json
    assert before["data"]["rows"] == [crc32(row.encode()) for row in before["rows"]]
    version = table.play()
    parts = client.get(f"/g/{table.id}/parts").json
    assert parts["data"]["version"] == version
    # The page knows all rows but the new one by their checksums.
    assert parts["data"]["rows"][:-1] == before["data"]["rows"]
    page = client.get(f"/g/{table.id}").text
    for row in parts["rows"][:-1]:
        assert row in page
    for part in ("track", "charts", "about"):
        assert f'id="{part}"' in parts[part].partition(">")[0]
        assert parts[part].strip() in page
    assert client.get("/g/nothing/parts").status_code == 404


def test_the_parts_of_a_page_forget_a_name_with_the_ledger(table: Table) -> None:
    client = create_app(lambda: SqliteStore(table.path)).test_client()
    assert "Ana" in client.get(f"/g/{table.id}/parts").text
    with SqliteStore(table.path) as store:
        forget(store, "Ana", known_as(store, "Ana"))
    assert "Ana" not in client.get(f"/g/{table.id}/parts").text


def test_a_closed_game_is_not_followed(table: Table) -> None:
    client = create_app(lambda: SqliteStore(table.path)).test_client()
    with SqliteStore(table.path) as store:
        Recorder(store).append(table.id, Close("abandoned"))
    data = client.get(f"/g/{table.id}/parts").json["data"]
    assert (data["version"], data["rows"]) == (None, [])
