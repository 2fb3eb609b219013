"""Many clubs on one server: nothing is shared between them, and none is held up by another that is away or damaged."""

import io
import json
import re
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from test_roles import ROUTES, send
from werkzeug.test import Client, TestResponse

from ledger import __version__
from ledger.keep import club_folder as folders
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.record.errors import NotForNow
from ledger.record.events import Open, Player
from ledger.stores.beside import Comment, Key
from ledger.stores.query import Query
from ledger.stores.store import SqliteStore
from viewer import background, clubs
from viewer.app import create_app, create_host
from viewer.clubs import Club, Clubs
from viewer.replay.decided_apart import Apart
from viewer.server.hosts import Hosts
from viewer.server.kept import Kept
from viewer.server.limits import Windows
from viewer.server.logs import CLUB
from viewer.server.phones_of_links import Hands
from waiting import wait_until

SECRETS = {"north": "Nora", "south": "Sven"}
"""For each club, a name that only its records have."""
KEYS = {(club, role): new_key() for club in SECRETS for role in ("record", "watch", "owner")}


@pytest.fixture
def folder(tmp_path) -> Iterator[Path]:
    """Two clubs with a record of one id, keys of each role, and a comment."""
    for club, name in SECRETS.items():
        with SqliteStore(tmp_path / f"{club}.sqlite") as store:
            players = (Player(id="ana", name=name), Player(id="ben", name="Ben"), Player(id="cy", name="Cy"))
            Recorder(store).open(Open("zigzag", players=players, event="Cup", played="2026-03-01"), "mine")
            store.put([Comment("mine", 0, 0, f"{name} writes", name, "2026-03-01T10:00:00Z")])
            for role in ("record", "watch"):
                store.put([Key("mine", key_digest(KEYS[club, role]), role)])  # type: ignore[arg-type]
            store.put([Key("", key_digest(KEYS[club, "owner"]), "owner")])
    yield tmp_path
    CLUB.set("")  # the requests of a test are answered in its own thread, which goes on


def server(folder: Path, *, private: bool = False, club_host: str = "", recording: bool = True) -> Clubs:
    """A server of a folder of clubs."""
    hosts = Hosts(("play.example",), club_host)

    def make(read_only: bool) -> Flask:
        return create_app(recording=not read_only, private=private, limits=True, hosts=hosts)

    return Clubs(folder, make, create_host(folder, hosts, recording=recording), hosts)


@pytest.fixture
def served(folder: Path) -> Iterator[Clubs]:
    """A server of the two clubs.  At the end it closes them all."""
    clubs_served, stop = server(folder), threading.Event()
    with clubs_served.at_work(stop):
        yield clubs_served
        stop.set()


def all_of(folder: Path, club: str) -> str:
    """All that the ledger of a club has, except what a server notes of its audits."""
    with SqliteStore(folder / f"{club}.sqlite") as store:
        return "\n".join(
            line for line in store.connection.db.iterdump() if not re.search("audit|cause", line, re.IGNORECASE)
        )


def asked(running: Clubs, route: str, key: str, *, cookie: bool = False) -> tuple[int, bytes]:
    """The status and the body of what the north answers to this key."""
    with send(Client(running), route, key, prefix="/north", cookie=cookie) as answer:
        return answer.status_code, answer.data


@pytest.mark.parametrize("private", [False, True])
def test_no_key_of_a_club_opens_or_changes_anything_of_another(folder: Path, *, private: bool) -> None:
    """Every route, with every key of the south, asked of the north: as without a key, and nothing of the south."""
    running = server(folder, private=private)
    south = all_of(folder, "south")
    for route in ROUTES:
        plain, _ = asked(running, route, "")
        for role in ("record", "watch", "owner"):
            for cookie in (False, True):
                status, data = asked(running, route, KEYS["south", role], cookie=cookie)
                assert b"Sven" not in data, (route, role)
                assert status in (plain, 429), (route, role)
    assert all_of(folder, "south") == south
    assert "Sven" not in all_of(folder, "north")
    for name in list(SECRETS):
        running._close(name)


def test_what_the_owner_of_a_club_writes_is_in_that_club_alone(folder: Path) -> None:
    running, south = server(folder), all_of(folder, "south")
    before = all_of(folder, "north")
    for route in (route for route in ROUTES if route.startswith("POST")):
        assert b"Sven" not in asked(running, route, KEYS["north", "owner"])[1], route
    assert all_of(folder, "north") != before
    assert all_of(folder, "south") == south


def test_the_cookie_of_a_club_is_sent_to_no_other(served: Clubs) -> None:
    browser = Client(served)
    form = {"key": KEYS["north", "owner"]}
    assert browser.post("/north/door", data=form).status_code == 204
    assert browser.get("/north/owner").status_code == 200
    assert browser.get("/south/owner").status_code == 401
    for other in ("/south/", "/"):
        assert browser.get_cookie("domino-north", path=other) is None


def test_limits_and_caches_and_phones_are_each_clubs_own(served: Clubs) -> None:
    browser = Client(served)
    for _ in range(31):
        browser.post("/north/door", data={"key": "x"})
    assert browser.post("/north/door", data={"key": "x"}).status_code == 429
    assert browser.post("/south/door", data={"key": "x"}).status_code == 401
    north, south = map(served.club, SECRETS)
    assert north.ledgers is not south.ledgers
    for kind in (Kept, Hands, Windows, Apart):
        assert north.own(kind) is north.own(kind) is not south.own(kind)


@pytest.mark.parametrize("path", ["/g/mine", "/", "/g/mine/record.json", "/players"])
def test_the_same_address_shows_each_club_its_own(served: Clubs, path: str) -> None:
    browser = Client(served)
    for _ in range(2):  # the second time from what is kept
        for club, name in SECRETS.items():
            text = browser.get(f"/{club}{path}").text
            assert name in text
            assert not any(other in text for other in SECRETS.values() if other != name)


def test_a_club_host_is_a_club_alone(folder: Path) -> None:
    browser = Client(server(folder, club_host="clubs.example"))

    def ask(host: str, path: str = "/") -> TestResponse:
        return browser.get(path, base_url=f"http://{host}")

    assert "Nora" in ask("north.clubs.example", "/g/mine").text
    assert "data-root" not in ask("north.clubs.example").text
    assert ask("north.clubs.example", "/south/g/mine").status_code == 404
    assert ask("none.clubs.example").status_code == 404
    assert ask("north.elsewhere.example").status_code == 421
    assert ask("play.example", "/north/g/mine").status_code == 200


def test_a_damaged_club_says_so_and_stops_nobody_else(folder: Path, logged: io.StringIO) -> None:
    (folder / "broken.sqlite").write_bytes(b"no ledger" * 100)
    running = server(folder)
    browser = Client(running)
    answer = browser.get("/broken/")
    assert (answer.status_code, "cannot be opened" in answer.text) == (503, True)
    assert browser.get("/broken/api/v1/records").json["status"] == 503  # type: ignore[index]
    assert browser.get("/north/g/mine").status_code == 200
    lines = [json.loads(line) for line in logged.getvalue().splitlines()]
    assert {line.get("club") for line in lines if line["level"] == "error"} == {"broken"}
    assert lines[-1]["club"] == "north"


def test_a_club_that_is_set_aside_is_one_whole_file_and_comes_back(folder: Path, served: Clubs) -> None:
    browser = Client(served)
    assert browser.get("/north/").status_code == 200
    assert (folder / "north.sqlite-wal").exists()
    (folder / "north.aside").touch()
    wait_until(lambda: not (folder / "north.sqlite-wal").exists(), "the club is closed")
    answer = browser.get("/north/")
    assert (answer.status_code, "set aside" in answer.text) == (503, True)
    assert browser.get("/south/").status_code == 200
    (folder / "north.sqlite").rename(folder / "moved.sqlite")
    (folder / "north.sqlite.head").rename(folder / "moved.sqlite.head")
    (folder / "north.aside").unlink()
    assert browser.get("/north/").status_code == 404
    assert "Nora" in browser.get("/moved/g/mine").text


def test_a_club_that_is_worked_on_is_whole_soon_after_it_is_set_aside(folder: Path, monkeypatch) -> None:
    """What is done for a club in the background, however long it takes, ends with the club."""
    begun = threading.Event()

    def work_long(_store: SqliteStore, stop: threading.Event) -> None:
        begun.set()
        stop.wait(600)

    monkeypatch.setattr(background, "explain_waiting", work_long)
    running, stop = server(folder), threading.Event()
    with running.at_work(stop):
        assert Client(running).get("/north/").status_code == 200
        assert begun.wait(60)
        (folder / "north.aside").touch()
        wait_until(lambda: not (folder / "north.sqlite-wal").exists(), "the club is closed")
        stop.set()


def test_another_file_under_the_name_of_a_club_is_served_next(folder: Path, served: Clubs) -> None:
    browser = Client(served)
    assert "Nora" in browser.get("/north/g/mine").text
    served._close("north")
    assert "Nora" in browser.get("/north/g/mine").text
    (folder / "south.sqlite").rename(folder / "kept.sqlite")
    assert browser.get("/south/").status_code == 404


def test_only_the_last_used_stay_open(folder: Path, monkeypatch) -> None:
    monkeypatch.setattr(clubs, "MOST", 2)
    running, browser = server(folder), None
    folders.new_club(folder, "third")
    for name in ("north", "south", "north", "third"):
        browser = Client(running)
        assert browser.get(f"/{name}/").status_code == 200
    assert len(running) == 2
    assert not (folder / "south.sqlite-wal").exists()
    assert (folder / "north.sqlite-wal").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
@pytest.mark.parametrize(("allowed", "most", "raised"), [(1500, 50, 1500), (1000, 1, 1000), (-1, 300, 3500)])
def test_no_more_clubs_stay_open_than_the_process_may_have_files(
    folder: Path, monkeypatch, allowed: int, most: int, raised: int
) -> None:
    limits = [1000, allowed]
    monkeypatch.setattr("resource.getrlimit", lambda _what: tuple(limits))
    monkeypatch.setattr("resource.setrlimit", lambda _what, new: limits.__setitem__(slice(2), new))
    assert (server(folder)._most, limits[0]) == (most, raised)


def test_who_is_not_asked_for_is_closed(folder: Path, served: Clubs) -> None:
    assert Client(served).get("/north/").status_code == 200
    served.club("north").used = time.monotonic() - clubs.IDLE - 1
    wait_until(lambda: not (folder / "north.sqlite-wal").exists(), "the club is closed")
    assert not len(served)


def test_new_moves_are_audited_in_each_club(folder: Path, served: Clubs) -> None:
    for club in SECRETS:
        Client(served).get(f"/{club}/")

    def audited(club: str) -> bool:
        with SqliteStore(folder / f"{club}.sqlite") as store:
            return all(row.audit for row in store.find(Query()))

    wait_until(lambda: all(map(audited, SECRETS)), "both are audited")


def test_many_ask_for_a_cold_club_at_once_and_it_is_opened_once(folder: Path, monkeypatch) -> None:
    running = server(folder)
    opened = list[Path]()

    def counted(path: Path) -> Club:
        opened.append(path)
        return Club(path)

    monkeypatch.setattr(clubs, "Club", counted)
    threads = [threading.Thread(target=Client(running).get, args=("/north/",)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 1


# ── The host ─────────────────────────────────────────────────────────────────────────────────────────────


def test_the_hosts_owner_makes_a_club_and_owns_none(folder: Path, served: Clubs) -> None:
    key = folders.new_host_link(folder)
    browser = Client(served)
    answer = browser.post("/new-club", data={"name": "West", "key": f"http://localhost/new-club#{key}"})
    assert answer.status_code == 201
    link = answer.text.partition('class="link">')[2].partition("<")[0]
    address, _, secret = link.partition("#")
    assert address == "http://localhost/west/owner"
    assert browser.post("/west/door", data={"key": secret}).status_code == 204
    for club in ("north", "west"):
        assert browser.post(f"/{club}/door", data={"key": key}).status_code == 401
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.parametrize("role", ["owner", "record"])
def test_the_owner_of_a_club_makes_none(folder: Path, served: Clubs, role: str) -> None:
    folders.new_host_link(folder)
    answer = Client(served).post("/new-club", data={"name": "west", "key": KEYS["north", role]})
    assert answer.status_code == 401
    assert not (folder / "west.sqlite").exists()


def test_a_key_that_is_guessed_is_limited(folder: Path, served: Clubs) -> None:
    browser = Client(served)
    answers = [browser.post("/new-club", data={"name": "west", "key": "x"}).status_code for _ in range(31)]
    assert answers == [401] * 30 + [429]
    assert folder.exists()


@pytest.mark.parametrize("name", ["north", "www", "new-club", "healthz", "North End", "../x", "-x", "", "a" * 64])
def test_a_name_that_no_club_can_have_is_refused(folder: Path, served: Clubs, name: str) -> None:
    before = sorted(path.name for path in folder.iterdir())
    with pytest.raises(NotForNow):
        folders.new_club(folder, name)
    key = folders.new_host_link(folder)
    assert Client(served).post("/new-club", data={"name": name, "key": key}).status_code == 409
    assert sorted(path.name for path in folder.iterdir() if path.name != "host.keys") == before


def test_no_name_of_a_club_can_be_an_address_of_the_host(folder: Path) -> None:
    host = create_host(folder, Hosts(), recording=True)
    segments = {rule.rule.split("/")[1] for rule in host.url_map.iter_rules()}
    assert not any(map(folders.is_club, segments))


def test_the_host_says_whether_it_is_well_and_lists_no_club(
    folder: Path, served: Clubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Client(served)
    assert browser.get("/healthz").json == {"status": "ok", "version": __version__, "recording": True}
    with monkeypatch.context() as patched:
        patched.setattr(shutil, "disk_usage", lambda _path: shutil._ntuple_diskusage(1, 1, 12_000))  # type: ignore[attr-defined]
        answer = browser.get("/healthz")
        assert (answer.status_code, answer.json["reason"]) == (503, "the disk is full: 12 kB are left")  # type: ignore[index]
    assert "north" not in browser.get("/").text
    assert browser.get("/none/").status_code == 404
    assert browser.get("/north?x=1").headers["Location"] == "/north/"
    assert folder.exists()


def test_a_read_only_host_makes_no_club(folder: Path) -> None:
    key = folders.new_host_link(folder)
    browser = Client(server(folder, recording=False))
    assert browser.post("/new-club", data={"name": "west", "key": key}).status_code == 409
