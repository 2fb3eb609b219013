"""Output in any encoding: no command fails because of a character, and nothing is lost."""

import io
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from golden import FIXTURES
from ledger.cli import COMMANDS, cli, plugins
from viewer import commands

ENCODINGS = ("latin-1", "cp1252", "cp437", "utf-8")
EVERYWHERE = "0.0.0.0"  # noqa: S104  as a club serves its phones
NAMES = ("Añá", "Βίκυ", "王 – “Cy”")
"""Letters and marks that no encoding but UTF-8 has all of."""
BROKEN = str(FIXTURES / "zigzag" / "bid-raise-broken.json")
UNPROVEN = str(FIXTURES / "build-up" / "pass-unproven.json")
PLACED = str(FIXTURES / "ziggurat" / "base-no-gaps-broken.json")
TYPED = "A bids 12\nB bids 12\nC passes\nnote: naïve – ½ … 中\nshow\nundo\nnonsense ⚑\n"

EVERY = (
    ("new", "zigzag", *NAMES, "--place", "Café – 中"),
    ("record",),
    ("import", BROKEN, UNPROVEN, PLACED),
    ("export", "{first}", "--sheet"),
    ("export", "--html", "{tmp}/é.html", "{first}"),
    ("list",),
    ("list", "--player", "Βίκυ"),
    ("show", "{first}"),
    ("show", PLACED),
    ("replay", BROKEN),
    ("replay", "{first}"),
    ("history", "{first}"),
    ("players",),
    ("player", "Βίκυ"),
    ("statistics",),
    ("story", "{first}"),
    ("card", "zigzag", "Ana=5", "Ben=3", "Cy=1"),
    ("players", "rename", "Βίκυ", "Ζωή ★"),
    ("players", "renamed"),
    ("void", "{first}", "--why", "Café – 中"),
    ("void", "{first}", "--undo"),
    ("standings", "Café"),
    ("card", "zigzag", "Ζωή ★=5", "Ben=3", "Cy=1", "--event", "Café"),
    ("standings", "Café", "-o", "{tmp}/saison–é.html"),
    ("schedule", *NAMES),
    ("audit", BROKEN, UNPROVEN, "{tmp}/中.json"),
    ("audit", "--markdown", "{first}"),
    ("games",),
    ("games", "ziggurat"),
    ("clauses",),
    ("simulate", "zigzag", "--seed", "1"),
    ("verify",),
    ("verify", "{first}"),
    ("confirm", "{first}", "Βίκυ"),
    ("backup", "{tmp}/b–é.sqlite"),
    ("restore", "{tmp}/b–é.sqlite", "--ledger", "{tmp}/r–é.sqlite"),
    ("copy", "{tmp}/c–é.sqlite"),
    ("recover", BROKEN),
    ("repair",),
    ("migrate",),
    ("forget", "Βίκυ"),
    ("schema",),
    ("link", "{first}"),
    ("new-club", "nö–中"),
    ("site", "{tmp}/site–é"),
    ("serve", "--host", "nowhere–中"),
    ("demo", "--host", "nowhere–中"),
    ("nö–中",),
)
"""The commands, in an order in which each has something to print, with characters that few encodings have."""
FOR_PROGRAMS = ("export", "simulate", "schema")
"""Commands that print UTF-8 in any case, because programs read it."""


def test_every_command_is_tried() -> None:
    assert {arguments[0] for arguments in EVERY} >= {*COMMANDS, *plugins()}


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_no_command_fails_because_of_a_character(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "中.json").write_text("{}")
    names = {"tmp": str(tmp_path), "first": ""}
    for arguments in EVERY:
        if arguments[0] == "site" and encoding != "latin-1":
            continue  # it prints one sentence, and works longest
        line = [part.format_map(names) for part in arguments]
        typed = TYPED.encode(encoding, "replace") if arguments[0] == "record" else b"y\n" * 5
        result = CliRunner(charset=encoding).invoke(cli, ["--ledger", str(tmp_path / "a.sqlite"), *line], input=typed)
        assert result.exception is None or isinstance(result.exception, SystemExit), (line, result.exception)
        assert "Traceback" not in result.output
        if arguments[0] not in FOR_PROGRAMS:
            result.stdout_bytes.decode(encoding)
        if arguments[0] == "new":
            names["first"] = result.stdout.strip()


def test_a_name_is_written_with_escapes_for_what_the_encoding_lacks(tmp_path: Path) -> None:
    sheet = tmp_path / "a.sheet"
    sheet.write_text(f'Game: zigzag\nPlayers: A {NAMES[0]}, B {NAMES[1]}, C "{NAMES[2]}"\n\nA bids 12\n', "utf-8")
    shown = CliRunner(charset="latin-1").invoke(cli, ["show", str(sheet)]).stdout_bytes.decode("latin-1")
    assert r"\u0392\u03af\u03ba\u03c5" in shown
    assert "Añá" in shown
    assert r"\u738b \u2013 \u201cCy\u201d" in shown


@pytest.mark.parametrize(("encoding", "has_code"), [("utf-8", True), ("cp437", True), ("cp1252", False)])
def test_a_code_that_no_phone_could_read_is_left_out(
    encoding: str, has_code: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(log, encoding=encoding, write_through=True))
    store, server = SimpleNamespace(path="a.sqlite"), SimpleNamespace(effective_port=1)
    commands._announce(store, EVERYWHERE, server, in_browser=False)
    lines = log.getvalue().decode(encoding).splitlines()
    assert lines[1].startswith("For phones on this network: http://")
    assert (len(lines) > 2) == has_code


def test_a_server_writes_its_log_in_the_encoding_of_windows(tmp_path: Path) -> None:
    """A real process, as `domino-ledger serve … > log` runs."""
    command = [sys.executable, "-m", "ledger", "--ledger", f"{tmp_path}/é–中.sqlite"]
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUNBUFFERED": "1"}
    server = subprocess.Popen(
        [*command, "serve", "--host", EVERYWHERE, "--port", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
    )  # fmt: skip
    assert server.stdout is not None
    lines = [server.stdout.readline().decode("cp1252") for _ in range(2)]
    server.send_signal(signal.SIGTERM)
    _out, err = server.communicate()
    assert re.search(r"Serving .*\\u4e2d.sqlite at http", lines[0]), (lines, err)
    assert lines[1].startswith("For phones on this network: http://")
    assert (server.returncode, err) == (0, b"")
