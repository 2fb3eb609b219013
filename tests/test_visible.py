"""Texts from strangers stay text: on a terminal, in an exported file, and in messages."""

import io
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from select import select
from types import SimpleNamespace

import msgspec
import pytest
from click.testing import CliRunner, Result
from markdown_it import MarkdownIt

from golden import FIXTURES
from ledger import notation
from ledger.audit.reports import markdown as report
from ledger.audit.review import Review
from ledger.cli import COMMANDS, cli, plugins
from ledger.record import codec
from ledger.record.visible import markdown, visible, visible_json, visible_lines
from ledger.stores import questions
from ledger.stores.store import SqliteStore
from strange import RAW, TEXTS, fill, record
from viewer import commands

ROOT = Path(__file__).parents[1]
RECORDS = range(len(TEXTS))


@pytest.fixture
def ledger(tmp_path) -> Path:
    path = tmp_path / "a.sqlite"
    with SqliteStore(path) as store:
        fill(store)
    return path


def run(ledger: Path, *arguments: str, stdin: str | None = None) -> Result:
    """Runs the command, and checks that each line of its output is safe for a terminal."""
    result = CliRunner().invoke(cli, ["--ledger", str(ledger), *arguments], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    for out in (result.stdout, result.stderr):
        assert not RAW.search(out), (arguments, out)
        assert not re.search("^Error: two", out, re.MULTILINE), (arguments, out)
    return result


@pytest.mark.parametrize("number", RECORDS)
def test_no_command_prints_terminal_control_codes(ledger: Path, number: int, tmp_path) -> None:
    with SqliteStore(ledger) as store:
        name = store.ids()[number]
    path = str(tmp_path / "a\x1b[2J\u202e.ndjson")
    Path(path).write_bytes(codec.encode(record(TEXTS[number])) + b'\n{"type": "\x1b"}\nx\n')
    commands = [
        ["list"], ["list", "--json"], ["show", name], ["show", name, "--at", "99"], ["replay", name],
        ["history", name], ["audit", name], ["audit"], ["audit", "--markdown", name], ["audit", "--json", name],
        ["audit", "--rulings", "all", name], ["audit", path], ["verify"],
        ["verify", name], ["verify", path], ["verify", name, "--fingerprint", "\x1b[2J"], ["export", name],
        ["export", name, "--sheet"], ["export", name, "--json"], ["import", path], ["show", path],
        ["show", f"{path}:1"],
        ["backup", str(tmp_path / "b\x1b[2J.sqlite")], ["copy", str(tmp_path / "c\x07.sqlite")],
        ["games"], ["games", "--json"], ["clauses", "zigzag"], ["schema"], ["simulate", "zigzag"],
        ["new", "zigzag\x1b[2J", "A"], ["new", "zigzag", "A\x1b[2J", "A\x1b[2J", "B"],
        ["show", "\x1b[2J"], ["forget", "nobody\x1b[2J"], ["\x1b[2J"], ["list", "--\x1b[2J"],
        ["--ledger", str(tmp_path / "none\x1b[2J"), "list"],
        ["link", name, "--address", "http://x\x1b[2J"],
        ["restore", str(tmp_path / "b\x1b[2J.sqlite")], ["repair", "--backup", str(tmp_path / "r\x1b[2J")],
        ["recover", path], ["migrate", "--backup", str(tmp_path / "m\x1b[2J")],
        ["players"], ["player", "A\x1b[2J"], ["player", TEXTS[number]], ["statistics"], ["statistics", "zigzag\x1b[2J"],
        ["story", name],
        ["card", "zig\x1b[2J", "A\x1b[2J=3"], ["void", name, "--undo"], ["players", "rename", "\x1b[2J", "b\x1b[2J"],
        ["standings", "\x1b[2J"], ["schedule", "A\x1b[2J", "B", TEXTS[number]],
    ]  # fmt: skip
    results = {tuple(arguments[:1]): run(ledger, *arguments) for arguments in reversed(commands)}
    succeeding = ("list", "show", "replay", "history", "export", "backup")
    assert all(results[command,].exit_code == 0 for command in succeeding)
    assert "␛" in results["show",].output + results["show",].stderr or "\x1b" not in TEXTS[number]
    run(ledger, "record", name, "--by", "\x1b[2J", stdin="show\nC\x1b 12\nnote: \x1b[2J\nundo\nhelp\nclose\n\x1b[2J\n")
    run(ledger, "confirm", name, "ana", stdin="y\n")
    run(ledger, "confirm", name, "\x1b[2J")
    run(ledger, "forget", TEXTS[number], stdin="y\n")
    assert {arguments[0] for arguments in commands} | {"record", "confirm", "replay"} >= set(COMMANDS)


@pytest.mark.skipif(sys.platform == "win32", reason="only Unix has pseudo-terminals")
@pytest.mark.parametrize("number", RECORDS)
def test_a_replay_on_a_terminal_obeys_no_name(ledger: Path, number: int) -> None:
    with SqliteStore(ledger) as store:
        name = store.ids()[number]
    main, side = os.openpty()
    command = [sys.executable, "-m", "ledger", "--ledger", str(ledger), "replay", name]
    env = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(command, stdin=side, stdout=side, stderr=side, env=env) as process:
        os.close(side)
        shown, keys = b"", list(b"lln$0]")
        with suppress(OSError):  # it ended
            while True:
                if select([main], [], [], 0.3)[0]:
                    shown += os.read(main, 65536)
                elif b"q quit" in shown:  # it waits; a key that came too early was dropped
                    os.write(main, bytes([keys.pop(0) if keys else ord("q")]))
        os.close(main)
    assert process.returncode == 0
    text = shown.decode().replace("\x1b[2J", "").replace("\x1b[1;1H", "").replace("\r\n", "\n")
    assert text.count("q quit") > 3
    assert not RAW.search(text), RAW.search(text)


@pytest.mark.parametrize("form", ["ndjson", "ndjson.zst"])
def test_a_file_of_reports_has_the_same_values_and_nothing_that_a_terminal_obeys(
    ledger: Path, tmp_path, form: str
) -> None:
    out = tmp_path / f"reports.{form}"
    assert run(ledger, "audit", "-o", str(out), "--rulings", "all").exit_code in (0, 1)
    with codec.open_bytes(out) as stream:
        lines = stream.read().decode().splitlines()
    assert not RAW.search("\n".join(lines))
    reports = [msgspec.json.decode(line) for line in lines]
    with SqliteStore(ledger) as store:
        expected = [Review(record, name).report for name, record in questions.records(store)]
    assert [line for line in reports if "findings" in line] == msgspec.json.decode(msgspec.json.encode(expected))


def test_each_invisible_character_has_a_visible_mark() -> None:
    assert visible("a\x1b[2J\x07\r\n\x7f\x9b\u202eb\u2028") == "a␛[2J␇␍␊␡⟨U+009B⟩⟨U+202E⟩b⟨U+2028⟩"
    assert visible_lines("a\n\tb\r\n") == "a\n\tb␍\n"
    assert visible_json('{"a":"\x9b\u202e"}') == '{"a":"\\u009b\\u202e"}'
    for name in ("Zoë Müller", "עדה", "نادية", "👩\u200d👧 और", "a\u200fb"):
        assert visible(name) == visible_lines(name) == visible_json(name) == name


@pytest.mark.parametrize("text", [*TEXTS, "1. list", "# heading", "- item", "    code", "a & b &lt; ~~x~~ ![i](x)"])
def test_markdown_shows_just_the_text(text: str) -> None:
    shown = MarkdownIt("commonmark").enable("table").render(markdown(text))
    plain = re.sub("<[^>]*>", "", shown)
    assert shown.startswith("<p>")
    assert shown.count("<") == 2
    entities = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&"}
    assert re.sub("|".join(entities), lambda match: entities[match[0]], plain).strip() == visible(text).strip()


@pytest.mark.parametrize("text", TEXTS)
def test_a_report_in_markdown_has_no_html_no_foreign_link_and_no_foreign_line(text: str) -> None:
    page = report(Review(record(text), f"a`{text}"))
    assert "<" not in page
    shown = MarkdownIt("commonmark").enable("table").render(page)
    assert set(re.findall(r"<(\w+)", shown)) <= {"h1", "h2", "p", "strong", "code", "ul", "li", "em", "br", "table",
                                                 "thead", "tbody", "tr", "th", "td"}  # fmt: skip
    assert shown.count("<h1>") == 1


@pytest.mark.parametrize("text", TEXTS)
def test_sheets_and_archives_keep_every_character(text: str) -> None:
    strange = record(text)
    sheet = notation.write(strange)
    assert not RAW.search(sheet)
    assert notation.read(sheet) == strange
    assert codec.decode(visible_json(codec.encode(strange).decode())) == strange


# ---- Output in any encoding: no command fails because of a character, and nothing is lost.


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
def test_no_command_fails_because_of_a_character(encoding: str, tmp_path) -> None:
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


def test_a_name_is_written_with_escapes_for_what_the_encoding_lacks(tmp_path) -> None:
    sheet = tmp_path / "a.sheet"
    sheet.write_text(f'Game: zigzag\nPlayers: A {NAMES[0]}, B {NAMES[1]}, C "{NAMES[2]}"\n\nA bids 12\n', "utf-8")
    shown = CliRunner(charset="latin-1").invoke(cli, ["show", str(sheet)]).stdout_bytes.decode("latin-1")
    assert r"\u0392\u03af\u03ba\u03c5" in shown
    assert "Añá" in shown
    assert r"\u738b \u2013 \u201cCy\u201d" in shown


@pytest.mark.parametrize(("encoding", "has_code"), [("utf-8", True), ("cp437", True), ("cp1252", False)])
def test_a_code_that_no_phone_could_read_is_left_out(encoding: str, has_code: bool, monkeypatch) -> None:
    log = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(log, encoding=encoding, write_through=True))
    store, server = SimpleNamespace(path="a.sqlite"), SimpleNamespace(effective_port=1)
    commands._announce(store, EVERYWHERE, server, in_browser=False)
    lines = log.getvalue().decode(encoding).splitlines()
    assert lines[1].startswith("For phones on this network: http://")
    assert (len(lines) > 2) == has_code


def test_a_server_writes_its_log_in_the_encoding_of_windows(tmp_path) -> None:
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
