"""No output contains a password: addresses of databases are shown without theirs."""

from __future__ import annotations

import io
import logging
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from golden import FIXTURES
from ledger.cli import COMMANDS, cli
from ledger.stores import without_password
from postgres import Server
from viewer.server.logs import configure
from waiting import PATIENCE

SECRET = "s3cr3tpw"  # noqa: S105  the test looks for it
CASE = str(FIXTURES / "zigzag" / "take-broken.json")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (f"postgresql://club:{SECRET}@db.example/club", "postgresql://club@db.example/club"),
        (f"postgres://club:{SECRET}@db.example:5432/club?x=1", "postgres://club@db.example:5432/club?x=1"),
        (f"postgresql://club:a@{SECRET}@h/c: intact", "postgresql://club@h/c: intact"),
        (f"postgresql://club:{SECRET}/{SECRET}@h/c", "postgresql://club@h/c"),
        (f"postgresql:///club?user=u&password={SECRET}&x=1", "postgresql:///club?user=u&password=…&x=1"),
        (f"host=h password='{SECRET} {SECRET}' user=u", "host=h password=… user=u"),
        (f"postgresql:///c?sslpassword={SECRET}", "postgresql:///c?sslpassword=…"),
        ("postgresql:///club", "postgresql:///club"),
        ("club.sqlite: intact, 5 events", "club.sqlite: intact, 5 events"),
        ("ana@example.org says http://x/y@z", "ana@example.org says http://x/y@z"),
    ],
)
def test_an_address_is_shown_without_its_password(address: str, shown: str) -> None:
    assert without_password(address) == shown


def commands(target: str, folder: Path) -> list[list[str]]:
    """Each command that opens a ledger."""
    return [
        ["import", CASE], ["new", "zigzag", "A", "B", "C"], ["list"], ["list", "--json"], ["show", "zz"],
        ["replay", "zz"], ["card", "zigzag", "A=1", "B=2"], ["void", "zz"],
        ["history", "zz"], ["story", "zz"], ["audit"], ["audit", "zz"], ["audit", "--jobs", "2"],
        ["audit", "-o", str(folder / "a.ndjson")],
        ["verify"], ["verify", "zz"], ["confirm", "zz", "A"], ["export"], ["export", "zz"],
        ["record", "zz"], ["prove", "zz", "--key", CASE], ["checkpoint", "--key", CASE],
        ["backup", str(folder / "b.sqlite")], ["restore", str(folder / "b.sqlite")],
        ["copy", str(folder / "c.sqlite")], ["copy", target], ["recover"],
        ["repair", "--backup", str(folder / "r.sqlite")],
        ["migrate", "--backup", str(folder / "m.sqlite")],
        ["forget", "Nobody", "--yes"], ["link"], ["link", "zz"],
        ["players"], ["player", "Nobody"], ["statistics"], ["standings", "League"],
    ]  # fmt: skip


@pytest.mark.wide  # only the driver knows what is wrong with an address
@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://club:{SECRET}@127.0.0.1:1/club",
        f"postgresql://club:{SECRET}@127.0.0.1:{SECRET}/club",
        f"postgresql://club:12#{SECRET}@127.0.0.1:1/club",
        f"postgresql://club:1/{SECRET}@127.0.0.1:1/club",
        f"postgresql://club:{SECRET}/1@127.0.0.1:1/club",
        f"postgresql:///club?host=/nowhere&password={SECRET}",
        f"postgresql:///club?password={SECRET}&nonsense=1",
    ],
)
def test_no_error_shows_a_password(address: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["--ledger", str(tmp_path / "a.sqlite"), "import", CASE])
    assert result.exit_code == 0
    (tmp_path / "b.sqlite").write_bytes((tmp_path / "a.sqlite").read_bytes())
    calls = [*commands(address, tmp_path)[:3], ["verify"], ["restore", str(tmp_path / "b.sqlite")], ["serve"]]
    for arguments in calls:
        result = CliRunner().invoke(cli, arguments, env={"DOMINO_LEDGER": address})
        assert result.exception is None or isinstance(result.exception, SystemExit), arguments
        assert result.exit_code == 3 or arguments[0] == "restore"
        assert SECRET not in result.output + result.stderr, arguments
    result = CliRunner().invoke(cli, ["--ledger", str(tmp_path / "a.sqlite"), "copy", address])
    assert SECRET not in result.output + result.stderr


def test_no_command_shows_a_password(postgres: Server, tmp_path: Path) -> None:
    first, second = (_with_password(postgres.made(name)) for name in ("secret_one", "secret_two"))
    for arguments in commands(second, tmp_path):
        result = CliRunner().invoke(cli, arguments, env={"DOMINO_LEDGER": first}, input="y\n")
        assert result.exception is None or isinstance(result.exception, SystemExit), arguments
        assert SECRET not in result.output + result.stderr, arguments
    for file in tmp_path.iterdir():
        assert SECRET.encode() not in file.read_bytes(), file
    covered = {arguments[0] for arguments in commands("", tmp_path)}
    assert covered >= set(COMMANDS) - {
        "key", "games", "clauses", "schema", "simulate", "completion", "schedule",
    }  # fmt: skip


def test_a_server_and_its_log_show_no_password(postgres: Server) -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "ledger.cli", "serve", "--port", "0", "--log", "json"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "DOMINO_LEDGER": _with_password(postgres.made("secret_three"))},
    )  # fmt: skip
    assert process.stdout is not None
    first = process.stdout.readline()
    assert "Serving postgresql://" in first
    process.send_signal(signal.SIGTERM)
    rest, _ = process.communicate(timeout=PATIENCE)
    assert SECRET not in first + rest


def test_a_log_hides_what_another_library_says() -> None:
    for form in ("text", "json"):
        out = io.StringIO()
        handler = configure(form, out)  # type: ignore[arg-type]  # one of the two
        try:
            address = f"postgresql://u:{SECRET}@h/c"
            logging.getLogger("psycopg.pool").error("cannot reach %s", address, exc_info=OSError(address))
        finally:
            logging.getLogger().removeHandler(handler)
        assert "postgresql://u@h/c" in out.getvalue()
        assert SECRET not in out.getvalue()


def _with_password(address: str) -> str:
    """The same address with a password, which the server of the tests ignores."""
    user = re.sub(r"^postgresql://([^/@?]*)@", rf"postgresql://\1:{SECRET}@", address)
    return user if SECRET in user else f"{address}{'&' if '?' in address else '?'}password={SECRET}"


def test_without_the_driver_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.startswith("ledger.stores.postgres")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    result = CliRunner().invoke(cli, ["--ledger", f"postgresql://club:{SECRET}@127.0.0.1:1/club", "list"])
    assert isinstance(result.exception, SystemExit)
    assert result.stderr == "Error: PostgreSQL needs an extra: pip install 'domino-ledger[postgres]'\n"
