"""`serve` and `demo` in this process: a server that is asked to stop before it begins, and what it is made with."""

import re
import socket
from datetime import UTC, date, datetime, time
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any, Self

import pytest
from click.testing import CliRunner, Result
from flask import Flask
from msgspec.structs import replace

from ledger.cli import cli
from ledger.examples.season import tonight
from ledger.keep.recorder import Recorder
from ledger.play.puzzles import moves
from ledger.record import clock
from ledger.record.errors import NotForNow
from ledger.record.record import Record
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore
from viewer import commands, demo
from viewer.app import create_app
from viewer.commands import EVERYWHERE
from viewer.demo import summary

LOCAL = {"Host": "localhost"}


class Served:
    """Runs a command that serves a ledger, and keeps its application and how it was made."""

    def __init__(self, patch: pytest.MonkeyPatch, path: Path) -> None:
        self.path, self.made, self.logs, self.launched = path, dict[str, Any](), list[str](), list[str]()
        self.app: Flask | None = None
        patch.setattr("viewer.app.create_app", self._create)
        patch.setattr("viewer.server.logs.configure", self.logs.append)
        patch.setattr("viewer.server.clean_stop.stop_on_signal", Event.set)
        patch.setattr("click.launch", self.launched.append)

    def _create(self, open_store: Any, **options: Any) -> Flask:
        self.made, self.app = options, create_app(open_store, **options)
        return self.app

    def __call__(self, *arguments: str, status: int = 0) -> Result:
        result = CliRunner().invoke(cli, ["--ledger", str(self.path), *arguments])
        assert result.exit_code == status, result.output
        return result

    def status(self, path: str, **headers: str) -> int:
        """The status of a page for a client on this machine."""
        assert self.app is not None
        return self.app.test_client().get(path, headers=LOCAL | headers).status_code


@pytest.fixture
def served(monkeypatch, tmp_path) -> Served:
    monkeypatch.setattr(commands, "_say_without_rules", lambda: None)
    return Served(monkeypatch, tmp_path / "club.sqlite")


def test_serve_makes_a_ledger_and_shows_it_to_this_machine(served: Served) -> None:
    result = served("serve", "--port", "0")
    assert result.output.startswith(f"Serving {served.path} at http://127.0.0.1:")
    assert result.output.endswith("/ (press Ctrl+C to stop)\n")
    assert (served.logs, served.launched) == (["text"], [])
    hosts = served.made.pop("hosts")
    assert served.made == {
        "recording": True, "private": False, "by_link": False, "limits": True, "proxies": 0, "readers": (),
    }  # fmt: skip
    assert hosts.has("127.0.0.1")
    assert not hosts.has("club.example")
    assert served.app is not None
    assert "phones" not in served.app.extensions
    assert (served.status("/"), served.status("/new")) == (200, 200)
    assert not Path(f"{served.path}.serving").exists()


def test_serve_does_what_its_options_say(served: Served) -> None:
    with SqliteStore(served.path):
        pass
    result = served(
        "serve", "--port", "0", "--read-only", "--private", "--begin-by-link", "--log", "json", "--behind-proxy", "2",
        "--host-name", "club.example", "--cors", "https://a.example", "--open",
    )  # fmt: skip
    assert served.logs == ["json"]
    assert served.launched == [result.output.split(" at ")[1].split()[0]]
    hosts = served.made.pop("hosts")
    assert served.made == {
        "recording": False, "private": True, "by_link": True, "limits": True, "proxies": 2,
        "readers": ("https://a.example",),
    }  # fmt: skip
    assert hosts.has("club.example")
    assert served.app is not None
    assert served.app.extensions["cors"] == {"https://a.example"}
    assert served.status("/api/v1/records") == 401


def test_serve_on_a_network_says_so_and_its_home_page_knows_the_address(served: Served, monkeypatch) -> None:
    monkeypatch.setattr("viewer.commands.own_address", lambda: "192.168.7.7")
    result = served("serve", "--port", "0", "--host", EVERYWHERE[0])
    first, second, *_ = result.output.splitlines()
    port = first.split("http://127.0.0.1:")[1].split("/")[0]
    assert second == f"For phones on this network: http://192.168.7.7:{port}/"
    assert served.app is not None
    assert served.app.extensions["served"].phones == f"http://192.168.7.7:{port}/"


def test_serve_refuses_a_port_in_use_and_an_address_of_another_machine(served: Served, monkeypatch) -> None:
    def busy(*_of: object, **_more: object) -> None:
        raise OSError(98, "Address already in use")

    with monkeypatch.context() as patch:
        patch.setattr("viewer.server.listen.listen", busy)
        refusal = served("serve", "--port", "8080", status=2).output
    assert "cannot use port 8080 (Address already in use): choose another with --port" in refusal
    hint = "use 127.0.0.1 for this machine alone, 0.0.0.0 for its network"
    assert (
        f"192.0.2.1 is not an address of this machine: {hint}"
        in served("serve", "--host", "192.0.2.1", status=2).output
    )

    def unknown(*_of: object, **_more: object) -> None:
        raise OSError

    monkeypatch.setattr("viewer.commands.socket.getaddrinfo", unknown)
    assert f"no machine is called 'nowhere': {hint}" in served("serve", "--host", "nowhere", status=2).output


def test_a_ledger_that_cannot_be_written_is_served_read_only_or_not_at_all(capsys) -> None:
    store: Any = SimpleNamespace(connection=SimpleNamespace(read_only=True))
    commands._require_writable(store, "club.sqlite", read_only=True)
    with pytest.raises(Exception, match=r"club\.sqlite cannot be written: show it with --read-only"):
        commands._require_writable(store, "club.sqlite", read_only=False)
    commands.audit_first(store)
    assert capsys.readouterr() == ("", "")


def test_records_that_cannot_be_audited_at_the_start_stop_no_server(capsys) -> None:
    def full() -> None:
        raise NotForNow("the disk is full")

    store: Any = SimpleNamespace(connection=SimpleNamespace(read_only=False), reopen=full)
    commands.audit_first(store)
    assert capsys.readouterr().err == "new records are not audited yet: the disk is full\n"


def stopped(*, read_only: bool = False, split: bool = False, displaced: str = "") -> Any:
    connection = SimpleNamespace(read_only=read_only, split=split, displaced=lambda: displaced)
    return SimpleNamespace(connection=connection, path="a.sqlite")


def test_a_ledger_whose_file_was_replaced_says_where_its_events_are(capsys) -> None:
    commands._say_if_split(stopped(split=True, displaced="its file was replaced"))
    assert capsys.readouterr().err == (
        "a.sqlite is not the file that was open: what was acknowledged is in a.sqlite.rescued\n"
    )


def test_a_ledger_that_another_program_keeps_open_is_in_two_files(capsys) -> None:
    for read_only, split in ((True, True), (False, False)):
        commands._say_if_split(stopped(read_only=read_only, split=split))
    assert capsys.readouterr().err == ""
    commands._say_if_split(stopped(split=True))
    assert capsys.readouterr().err == (
        "another program has a.sqlite open: until it ends, a.sqlite-wal belongs to the ledger. "
        "Copy both, or use `domino-ledger backup`\n"
    )


# ---- The demo


def test_the_demo_shows_its_season_and_says_where(served: Served, monkeypatch) -> None:
    played: list[bool] = []
    monkeypatch.setattr(demo, "play", lambda _open_store, ended: played.append(ended.wait()))
    *before, last = served("demo", "--port", "0", "--no-open").output.splitlines()
    assert before == [line.rstrip("\n") for line in summary()]
    told = r"A game is in play\. Watch it grow at (http://127\.0\.0\.1:\d+/) \(press Ctrl\+C to stop everything\)"
    assert re.fullmatch(told, last)
    assert (served.logs, served.launched, served.made["limits"]) == (["none"], [], True)
    assert not served.path.exists()
    monkeypatch.setattr(demo, "has_browser", lambda: True)
    again = re.fullmatch(told, served("demo", "--port", "0").output.splitlines()[-1])
    assert again
    assert served.launched == [again[1]]
    assert played == [True, True]


@pytest.mark.parametrize(
    ("today", "evening"),
    [(date(2026, 11, 19), "today"), (date(2027, 3, 3), "25 Feb"), (date(2031, 1, 1), "26 Dec 2030")],
    ids=str,
)
def test_the_season_of_the_demo_is_never_old(served: Served, monkeypatch, today: date, evening: str) -> None:
    monkeypatch.setattr(clock, "now", lambda: datetime.combine(today, time(20), UTC))
    pages: list[str] = []

    def look(store: SqliteStore, app: Flask, *_others: object) -> None:
        Recorder(store).open(replace(tonight()[0].record.opening, played=today.isoformat()))
        pages.append(app.test_client().get("/", headers=LOCAL).text)

    monkeypatch.setattr("viewer.commands.serve_app", look)
    served("demo", "--no-open")
    assert f'The best game of {evening}"' in pages[0]


def test_the_demo_draws_one_position_and_explains_the_mistake_there() -> None:
    lines = list(summary())
    assert len(lines) < 25
    assert lines[0] == "The season of a made-up club: 36 simulated games of 12 people on 7 evenings."
    assert lines[1] == (
        "32 are clean, 3 have a mistake, and in 1 a pass stays unproven. "
        "Of the evening before, only the result is known. One of the mistakes:"
    )
    assert lines[2] == lines[-1] == ""
    text = "\n".join(lines)
    assert "level 3" in text
    assert "level 4" not in text
    assert "Counted 4, but 5-9 scores 6" in text
    assert "nothing else would be wrong" in text


@pytest.mark.parametrize("record", [example.record for example in tonight()], ids=lambda record: record.opening.game)
def test_every_event_of_a_game_comes_once_and_each_turn_is_short(record: Record) -> None:
    turns = moves(record.events)
    assert [place for turn in turns for place in turn] == [*range(1, len(record.events))]
    assert all(turns)
    assert max(len(turn) for turn in turns[1:-1]) <= 12
    assert len(turns) > 20


def test_the_game_in_play_is_recorded_move_by_move_until_the_demo_ends(monkeypatch) -> None:
    record, store = tonight()[0].record, TemporaryStore()
    monkeypatch.setattr(demo, "PACE", 0)
    recorder = Recorder(store)
    demo._play_game(recorder, record, Event())
    (record_id,) = store.ids()
    played = store.read(record_id)
    assert played.opening.place == "Harbour Street (simulated)"
    assert len(played.events) == len(record.events)
    (ended := Event()).set()
    demo._play_game(recorder, record, ended)
    (second,) = set(store.ids()) - {record_id}
    assert store.version(second) == 1 + len(moves(record.events)[0])


def test_one_game_follows_the_other_until_the_demo_ends(monkeypatch) -> None:
    games: list[Record] = []
    waits = iter([False, False, True])
    ended: Any = SimpleNamespace(wait=lambda seconds: next(waits) if seconds == demo.BETWEEN else None)

    def play_game(_recorder: Recorder, record: Record, _ended: Event) -> None:
        games.append(record)

    monkeypatch.setattr(demo, "_play_game", play_game)
    demo.play(TemporaryStore, ended)
    assert games == [example.record for example in (*tonight(), *tonight())][:3]


def test_the_demo_takes_the_usual_port_or_any(monkeypatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        monkeypatch.setattr(demo, "PORT", port := other.getsockname()[1])
        assert demo.free_port("127.0.0.1") == 0
    assert demo.free_port("127.0.0.1") == port


@pytest.mark.parametrize(
    ("platform", "variables", "opens"),
    [
        ("linux", {}, False), ("linux", {"DISPLAY": ":0"}, True), ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("darwin", {}, True), ("win32", {}, True),
    ],
)  # fmt: skip
def test_the_demo_opens_a_browser_only_where_somebody_looks(
    monkeypatch, platform: str, variables: dict[str, str], opens: bool
) -> None:
    monkeypatch.setattr(demo, "environ", variables)
    monkeypatch.setattr("viewer.demo.sys.platform", platform)
    assert demo.has_browser() is opens


@pytest.mark.parametrize(("option", "value", "allowed"), [
    ("--port", "-1", "0<=x<=65535"), ("--port", "65536", "0<=x<=65535"),
])  # fmt: skip
def test_a_number_that_a_server_cannot_have_is_refused(option: str, value: str, allowed: str) -> None:
    # The second option is wrong as well, so that no server begins if the first is taken.
    outcome = CliRunner().invoke(cli, ["serve", option, value, "--log", "nowhere"])
    assert outcome.exit_code == 2
    assert f"Invalid value for '{option}': {value} is not in the range {allowed}." in outcome.stderr


# ---- The address that `link` prints: where phones find the ledger's server.


@pytest.mark.parametrize(
    ("host", "found", "said"),
    [
        ("127.0.0.1", "http://127.0.0.1", "phones cannot reach the server"),
        ("localhost", "http://localhost", "phones cannot reach the server"),
        ("0.0.0.0", "http://192.168.7.7", ""),  # noqa: S104  written down, not bound
        ("", "http://192.168.7.7", "no server of this ledger is running"),
    ],
)
def test_where_phones_find_the_server(
    tmp_path,
    monkeypatch,
    capsys,
    host: str,
    found: str,
    said: str,
) -> None:
    monkeypatch.setattr(commands, "own_address", lambda: "192.168.7.7")
    with socket.create_server(("127.0.0.1", 0)) as server, SqliteStore(tmp_path / "a.sqlite") as store:
        port = server.getsockname()[1]
        if host:
            commands.note_of(store.path).write_text(f"{host} {port}")
        assert commands.serving_base(store.path) == f"{found}:{port if host else commands.PORT}"
    printed = capsys.readouterr()
    assert (printed.out, said in printed.err, bool(printed.err)) == ("", True, bool(said))


@pytest.mark.parametrize("host", ["::1", "localhost", "192.168.7.7"])
def test_an_address_of_the_new_network_stands_in_brackets(tmp_path, monkeypatch, host: str) -> None:
    monkeypatch.setattr("viewer.commands.listens_at", lambda _path: (host, 8123))
    with SqliteStore(tmp_path / "a.sqlite") as store:
        name = "[::1]" if host == "::1" else host
        assert commands.serving_base(store.path) == f"http://{name}:8123"


@pytest.mark.parametrize("network", [True, False])
def test_a_machine_without_a_network_has_the_address_that_only_it_reaches(monkeypatch, network: bool) -> None:
    class Probe:
        def __init__(self, *kind: object) -> None:
            assert kind == (socket.AF_INET, socket.SOCK_DGRAM)

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_error: object) -> None: ...

        def connect(self, _address: object) -> None:
            if not network:
                raise OSError

        def getsockname(self) -> tuple[str, int]:
            return "192.168.7.7", 1

    with monkeypatch.context() as patch:
        patch.setattr("viewer.commands.socket.socket", Probe)
        assert commands.own_address() == ("192.168.7.7" if network else "127.0.0.1")
