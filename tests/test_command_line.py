"""The command line: exit statuses, errors, and its output on terminals and for programs."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from command_output import outcome_of, output_of, run_in
from golden import CASES, FIXTURES
from ledger.audit.review import sheet
from ledger.cli import (
    COMMANDS,
    EXIT_STATUSES,
    _short_help,
    audit_command,
    cli,
    keeping_commands,
    ledger_access,
    output_files,
    plugins,
    terminal,
)
from ledger.cli.each_club import audit_club
from ledger.cli.keeping_commands import copy_name
from ledger.cli.ledger_access import resolve
from ledger.cli.list_commands import audit_new
from ledger.cli.output_files import atomic_write, page_writer
from ledger.cli.shared_options import typed_options
from ledger.examples.season import season
from ledger.games.catalog import find
from ledger.keep import sources, stored_audits
from ledger.keep.club_folder import new_club
from ledger.keep.recorder import Recorder
from ledger.keep.sources import Item, items
from ledger.record import clock, codec
from ledger.record.codec import open_bytes
from ledger.record.errors import NotARecord, NotForNow, UnknownRecord
from ledger.record.events import Open, Player
from ledger.record.json_schema import schema
from ledger.stores import questions
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore
from test_log_head import force
from viewer import commands
from warm import CLIENT, start

BROKEN = str(FIXTURES / "zigzag/win-broken.json")
CLEAN = str(FIXTURES / "zigzag/option-set-6.json")


@pytest.fixture
def run(tmp_path, monkeypatch) -> object:
    """Runs the command on a new ledger."""
    monkeypatch.delenv("DOMINO_LEDGER", raising=False)

    def run_(*arguments: str, stdin: str | bytes | None = None, code: int | None = 0) -> Result:
        result = CliRunner().invoke(cli, ["--ledger", str(tmp_path / "a.sqlite"), *arguments], input=stdin)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert code is None or result.exit_code == code, result.output
        return result

    return run_


ZIGZAG = Path(CLEAN).parent
CORRECTED = str(ZIGZAG / "corrections-amended.json")
PILES = str(ZIGZAG.parent / "build-up" / "win-broken.json")


def on_a_terminal(*arguments: str, columns: int = 80, **env: str) -> str:
    """The output of the command on a terminal of that width."""
    import pty

    main, side = pty.openpty()
    inherited = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    env = {**inherited, "TERM": "xterm-256color", "COLUMNS": str(columns), **env}
    command = [sys.executable, "-ISc", CLIENT, str(start()), *arguments]
    with subprocess.Popen(command, stdin=side, stdout=side, stderr=side, env=env) as process:
        os.close(side)
        printed = b""
        with suppress(OSError):  # the other side is closed
            while chunk := os.read(main, 65536):
                printed += chunk
        process.wait()
    os.close(main)
    return printed.decode()


# ---- The end of a command


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("audit", BROKEN), 1),
        (("audit", "nofile.sheet"), 3),
        (("audit",), 3),
        (("show", BROKEN, "--at", "999"), 2),
        (("show", "nofile.json"), 3),
        (("show", ""), 3),
        (("export", CLEAN, "-o", "/nowhere/there/x.ndjson"), 3),
        (("restore", "nofile.sqlite"), 3),
        (("new", "build-up", "Ana", "Ben", "--ledger", "/nowhere/there/x.sqlite"), 3),
        (("list", "--ledger", CLEAN), 3),
        (("nonsense",), 2),
        (("new", "zigzag", "Ana"), 2),
    ],
)
def test_a_breach_a_bad_input_and_a_missing_file_have_their_own_exit_statuses(
    run, arguments: tuple[str, ...], code: int
) -> None:
    run(*arguments, code=code)


def test_the_help_and_the_page_tell_the_exit_statuses(run) -> None:
    output = run("--help").output
    page = (Path(__file__).parents[1] / "docs" / "command-line.md").read_text("utf-8")
    for status, meaning in EXIT_STATUSES:
        assert f"  {status}" in output
        assert f"| {status} | {meaning} |" in page
    assert "not there" in output


def test_answering_no_cancels_a_command_with_a_status_of_its_own(run) -> None:
    run("new", "build-up", "Ana", "Ben")
    assert "Cancelled: nothing was changed." in run("forget", "Ana", stdin="n\n", code=130).output


def test_the_ledger_may_be_named_before_or_after_a_command(run, tmp_path) -> None:
    other_ledger = str(tmp_path / "b.sqlite")
    name = run("new", "build-up", "Ana", "Ben", "--ledger", other_ledger).output.strip()
    assert name in run("list", "--ledger", other_ledger).output
    run("list", code=3)
    assert "--ledger" in run("list", "--help").output
    assert "--ledger" not in run("games", "--help").output
    run("games", "--ledger", other_ledger)


# ---- Output and errors


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("export", CLEAN, "--sheet", "-o", "a.ndjson.zst"), "--sheet contradicts the name a.ndjson.zst"),
        (("export", CLEAN, "--ndjson", "-o", "a.sheet"), "--ndjson contradicts the name a.sheet"),
        (("export", CLEAN, "-o", "a.doc"), "does not show its format: it should end in .sheet"),
        (("export", CLEAN, BROKEN, "-o", "a.sheet"), "can hold one record"),
        (("export", CLEAN, "--sheet", "--json"), "--sheet and --json contradict each other"),
        (("audit", CLEAN, "--json", "--markdown"), "--json and --markdown contradict each other"),
        (("audit", CLEAN, "--times", "5", "--no-explain"), "--times and --no-explain contradict each other"),
        (("audit", CLEAN, "-o", "r.txt"), "should end in .ndjson"),
        (("audit", CLEAN, "-o", "r.ndjson", "--markdown"), "leave out --markdown"),
        (("simulate", "zigzag", "-o", "r.txt"), "should end in .ndjson"),
    ],
)
def test_contradictions_are_refused(run, tmp_path, monkeypatch, arguments: tuple[str, ...], reason: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert reason in run(*arguments, code=2).output
    assert not list(tmp_path.iterdir())


def test_a_clock_that_python_cannot_count_gets_a_sentence(run, monkeypatch) -> None:
    def too_late() -> float:
        raise OverflowError("timestamp too large to convert to C _PyTime_t")

    monkeypatch.setattr("ledger.stores.end_mark.time", SimpleNamespace(monotonic=too_late))
    refused = run("new", "build-up", "Ana", "Ben", code=2)
    assert "the clock of this machine is past the year 2262: set it" in refused.stderr


def test_an_option_has_one_meaning_in_all_commands() -> None:
    kinds: dict[str, set[object]] = {}

    def gather(command: click.Command) -> None:
        context = click.Context(command)
        for name in command.list_commands(context) if isinstance(command, click.Group) else ():
            gather(command.get_command(context, name) or command)
        for option in command.params:
            if isinstance(option, click.Option):
                kinds.setdefault(option.opts[-1], set()).add(not option.is_flag and option.make_metavar(context))

    gather(cli)
    del kinds["--undo"]  # a game has one void at a time, but there may be many renamings, and so they have numbers
    del kinds["--only"]  # of a link, no other is left; of an import, no other game is read
    assert len(kinds) > 60
    assert {name: kind for name, kind in kinds.items() if len(kind) > 1} == {}


def test_the_end_of_a_files_name_decides_its_format(run, tmp_path) -> None:
    begins = {
        "a.sheet": b"Game: zigzag\n",
        "a.json": b'{"format"',
        "a.ndjson": b'{"format"',
        "a.csv": b"\xef\xbb\xbfrecord,day",
    }
    for name, begin in begins.items():
        run("export", CLEAN, "-o", str(tmp_path / name))
        assert (tmp_path / name).read_bytes().startswith(begin)
    assert (tmp_path / "a.ndjson").read_bytes().count(b"\n") == 1


def test_errors_name_the_file_that_was_asked_for(run, tmp_path) -> None:
    run("new", "build-up", "Ana", "Ben")
    for command in (("export", "-o"), ("backup",), ("audit", "-o"), ("simulate", "zigzag", "-o")):
        output = run(*command, str(tmp_path / "none" / "x.ndjson"), code=3).output
        assert f"{tmp_path / 'none' / 'x.ndjson'}: there is no folder {tmp_path / 'none'}" in output


def test_a_ledger_is_not_copied_onto_itself(run, tmp_path) -> None:
    run("new", "build-up", "Ana", "Ben")
    (tmp_path / "link").symlink_to(tmp_path / "a.sqlite")
    for name in ("a.sqlite", "link"):
        assert "is the ledger itself" in run("copy", str(tmp_path / name), code=2).output


# ---- Slips


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("list", "--game", "zigzg"), "did you mean zigzag?"),
        (("list", "--clause", "zigzag.tke"), "did you mean zigzag.take?"),
        (("list", "--clause", "record.correctoin"), "did you mean record.correction?"),
        (("list", "--since", "last week"), "there is no day 'last week'"),
        (("new", "build-upp", "Ana", "Ben"), "did you mean build-up?"),
        (("new", "zigzag", "Ana", "ana ", "Cy"), "there are two players called ana"),
        (("new", "zigzag", "", "Ben", "Cy"), "player 1 has no name"),
        (("show", "games.ndjson:3"), "there is no file games.ndjson"),
        (("link", "--address", "ftp://x"), "--address is like http://192.168.1.5:8000"),
        (("link", "--address", "example.org"), "--address is like"),
        (("serve", "--host", "300.1.1.1"), "no machine is called '300.1.1.1'"),
        (("serve", "--host", "203.0.113.7"), "203.0.113.7 is not an address of this machine"),
    ],
)
def test_a_slip_is_answered_with_what_was_meant(run, arguments: tuple[str, ...], reason: str) -> None:
    run("import", CLEAN)
    assert reason in run(*arguments, code=None).output
    assert run(*arguments, code=None).exit_code in (2, 3)


def test_the_other_records_are_audited_when_one_is_missing(run) -> None:
    output = run("audit", CLEAN, "nofile", BROKEN, code=3).output
    assert "nofile is not a file" in output
    assert "2 records: 1 clean, 1 breach" in output


def test_all_mistakes_of_a_sheet_are_listed_with_their_places(run, tmp_path) -> None:
    sheet = tmp_path / "friday.sheet"
    sheet.write_text("Game: zigzag\nPlayers: A Ana, B Ben, C Cy\n\nA bids 12\nB pases\nC knocks\nA 2 - 2\nZ 2-5\n")
    for command in ("audit", "import", "show"):
        output = run(command, str(sheet), code=2).output
        assert [f"{sheet}:{line}: column" in output for line in (5, 6, 7, 8)] == [True] * 4
        assert output.count("did you mean passes?") == 2
        assert "did you mean 2-2?" in output


@pytest.mark.parametrize(
    ("heading", "place", "reason"),
    [
        ("Game: domino zigurat\nPlayers: A Ana, B Ben\n", "1: column 7", "did you mean domino-ziggurat?"),
        ("Game: zigzag\nPlayers: A Ana, B Ben\n", "2: column 1", "Zigzag is for three players, not 2"),
        ("Game: zigzag\nPlayers: A, B, C\nOptions: sett = 6\n", "3: column 1", "Zigzag has no option 'sett'"),
    ],
)
def test_an_error_from_the_game_names_its_line_in_the_sheet(
    run, tmp_path, heading: str, place: str, reason: str
) -> None:
    sheet = tmp_path / "a.sheet"
    sheet.write_text(heading + "\nA passes\n")
    for command in ("audit", "show"):
        output = run(command, str(sheet), code=2).output
        assert f"{sheet}:{place}: " in output
        assert reason in output
        assert "$." not in output


def test_a_refused_line_of_a_pipe_is_an_error(run) -> None:
    name = run("new", "zigzag", "Ana", "Ben", "Cy").output.strip()
    result = run("record", name, stdin="Ana bids 12\nnonsense\nB passes\nhistory\naudit\n", code=2)
    assert "nonsense" in result.stderr
    assert "a command: undo, redo, show, history, audit, fix, help, quit" in result.stderr
    assert "nonsense" not in result.stdout
    assert run("export", name, "--sheet").output.endswith("A bids 12\nB passes\n")


def test_an_undone_move_is_recorded_again_until_another_one_follows(run) -> None:
    name = run("new", "zigzag", "Ana", "Ben", "Cy").output.strip()
    lines = "A bids 12\nB bids 13\nundo\nundo\nredo\nredo\nundo\nB passes\n"
    assert "Ben bids 13" in run("record", name, stdin=lines).output
    sheet = run("export", name, "--sheet").output
    assert sheet.endswith("A bids 12\nB bids 13\nretract 6 because taken back at once\nB passes\n")
    assert "there is nothing to redo" in run("record", name, stdin="undo\nC passes\nredo\n", code=2).stderr


def test_undo_and_redo_go_back_and_forth_through_corrections(run) -> None:
    name = run("new", "zigzag", "Ana", "Ben", "Cy").output.strip()
    lines = "A bids 12\nB bids 13\nretract 1 because nobody said it\namend 1 B bids 15 because I misheard\n"
    output = run("record", name, stdin=lines + "undo\nundo\nundo\nundo\nredo\nredo\nredo\nredo\n").output
    assert "Move 1 changed: Ben bids 13 (taken back at once)" in output
    assert "Inserted before move 1: Ana bids 12 (taken back at once)" in output
    assert output.count("Move 1 deleted (nobody said it)") == 2
    assert output.count("Move 1 changed: Ben bids 15 (I misheard)") == 2
    assert run("export", name, "--sheet").output.endswith(
        "A bids 12\nB bids 13\nretract 9 because nobody said it\namend 10: B bids 15 because I misheard\n"
    )


def test_hidden_hands_are_not_reported_at_the_keyboard(run) -> None:
    name = run("new", "zigzag", "Ana", "Ben", "Cy").output.strip()
    output = run("record", name, stdin="A bids 12\nB passes\nC passes\nA 2-2\nB 2-5\n").output
    assert "unproven" not in output
    assert "unproven" in run("record", name, stdin="audit\n").output


# ---- Terminals


@pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminals")
def test_colours_are_left_out_where_they_are_not_wanted() -> None:
    assert "\x1b[" in on_a_terminal("audit", "--no-explain", BROKEN)
    for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b[" not in on_a_terminal("audit", "--no-explain", BROKEN, **plain)
        assert "\x1b[" not in on_a_terminal("clauses", "zigzag", **plain)


@pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminals")
def test_a_narrow_terminal_keeps_ids_whole_and_wraps_the_rest(run, tmp_path) -> None:
    ledger = str(tmp_path / "a.sqlite")
    name = json.loads(run("import", CLEAN, "--json").output)["record"]
    for columns in (40, 80):
        assert name in on_a_terminal("--ledger", ledger, "list", columns=columns, NO_COLOR="1")
    broken = ("audit", BROKEN), ("show", BROKEN), ("show", PILES), ("history", CORRECTED)
    for command in (("games", "zigzag"), ("clauses", "zigzag"), *broken):
        lines = on_a_terminal(*command, columns=40, NO_COLOR="1").splitlines()
        assert max(map(len, lines)) <= 40, max(lines, key=len)


def test_a_replay_steps_by_keys_and_quick_ones_arrive_together(run, monkeypatch) -> None:
    def pressed() -> Iterator[str]:
        yield from ("\x1b[C", "\x1b[C\x1b[C", "\x1b[Dx", "g", "q")
        raise KeyboardInterrupt

    keys = pressed()
    places: list[int] = []
    monkeypatch.setattr("click.getchar", lambda: next(keys))
    monkeypatch.setattr("click.clear", lambda: None)
    monkeypatch.setattr("ledger.cli.list_commands._is_terminal", lambda: True)
    monkeypatch.setattr("ledger.cli.list_commands.frame", lambda _review, place: places.append(place) or ["a table"])
    run("replay", CLEAN, stdin="17\n")
    assert places == [0, 1, 3, 2, 17]
    assert "Cancelled" not in run("replay", CLEAN).output


def test_a_terminal_is_cleared_for_each_step_unless_it_is_dumb(run, monkeypatch) -> None:
    cleared: list[int] = []
    monkeypatch.setattr("click.getchar", lambda: "q")
    monkeypatch.setattr("click.clear", lambda: cleared.append(1))
    monkeypatch.setattr("ledger.cli.list_commands._is_terminal", lambda: True)
    for kind, times in (("dumb", 0), ("xterm", 1)):
        monkeypatch.setenv("TERM", kind)
        run("replay", CLEAN)
        assert len(cleared) == times


def test_a_progress_bar_appears_after_a_moment_and_once(monkeypatch) -> None:
    times = iter([0.0, 0.3, 0.9, 1.2, 1.3, 1.4])
    monkeypatch.setattr(terminal, "time", SimpleNamespace(monotonic=lambda: next(times)))
    monkeypatch.setattr(terminal, "shows_bars", lambda: True)
    starts: list[int] = []
    monkeypatch.setattr("rich.progress.Progress.start", lambda _bar: starts.append(1))
    monkeypatch.setattr("rich.progress.Progress.stop", lambda _bar: None)
    shown = terminal.progress(range(5), "auditing", 5)
    assert [next(shown) for _ in range(3)] == [0, 1, 2]
    assert not starts
    assert list(shown) == [3, 4]
    assert starts == [1]


def test_windows_needs_no_open_folder(tmp_path, monkeypatch) -> None:
    file = tmp_path / "a.sqlite"
    file.write_bytes(b"x")
    calls: list[tuple[Path, int]] = []
    original = os.open
    monkeypatch.setattr("ledger.cli.keeping_commands.WINDOWS", True)
    monkeypatch.setattr(
        "ledger.cli.keeping_commands.os.open", lambda path, flags: calls.append((path, flags)) or original(path, flags)
    )
    keeping_commands._bring_to_disk(tmp_path)
    keeping_commands._bring_to_disk(file)
    assert calls == [(file, os.O_RDWR)]


def test_serve_opens_a_browser_where_it_is_wanted(monkeypatch) -> None:
    addresses: list[str] = []
    monkeypatch.setattr("click.launch", addresses.append)
    server = SimpleNamespace(effective_port=8123)
    for host, wanted in (("127.0.0.1", False), ("127.0.0.1", True), ("::1", True)):
        commands._announce("a.sqlite", host, server, in_browser=wanted)
    assert addresses == ["http://127.0.0.1:8123/", "http://[::1]:8123/"]


# ---- For programs


def test_every_command_with_a_report_can_print_json(run) -> None:
    name = json.loads(run("new", "zigzag", "Ana", "Ben", "Cy", "--json").output)["record"]
    run("record", name, stdin="A bids 12\nundo\n")
    story = json.loads(run("story", name, "--json").output)
    assert story == {"record": name, "moments": []}
    told = json.loads(run("story", BROKEN, "--json").output)["moments"]
    assert all({"seq", "kind", "words", "headline", "why"} == set(moment) for moment in told)
    assert "cause" in [moment["kind"] for moment in told]
    shown = json.loads(run("show", name, "--json").output)
    assert (shown["record"], shown["game"], set(shown["scores"])) == (name, "zigzag", {"p1", "p2", "p3"})
    assert json.loads(run("history", name, "--json").output)["correction"]["type"] == "retract"
    assert json.loads(run("import", CLEAN, "--json").output)["record"]
    whole = json.loads(run("verify", "--json").stdout)
    assert (whole["state"], whole["records"], whole["corruptions"]) == ("intact", 2, [])
    single = json.loads(run("verify", name, "--json").stdout)
    assert (single["record"], single["state"], single["events"]) == (name, "intact", 3)


# ---- As people say it


def test_games_and_days_are_named_as_the_program_names_them(run) -> None:
    name = run("new", "Build Up", "Ana", "Ben", "--played", "20 Nov 2026").output.strip()
    row = json.loads(run("list", "--json").output)
    assert (row["id"], row["game"], row["played"]) == (name, "build-up", "2026-11-20")
    assert "build-up: Build Up" in run("games", "BUILD UP").output
    assert "2026-03-04 or 2026-04-03" in run("new", "zigzag", "A", "B", "C", "--played", "4/3/2026", code=2).output
    assert "no game is called 'Biuld Up'" in run("new", "Biuld Up", "Ana", "Ben", code=2).output


def test_at_the_keyboard_a_forgotten_place_is_asked_for(run) -> None:
    name = run("new", "build-up", "Ana", "Ben").output.strip()
    refused = run("record", name, stdin="A lays 0-3 1-3 2-2 3-3 5-6 1-6\nA 6-6\nA bids 12\nquit\n", code=2).stderr
    assert "column 6: on which stack? write `A 6-6 on 10`" in refused
    assert "column 3: Build Up has no bids: expected a tile such as 5-1, agrees, aside, " in refused
    assert json.loads(run("verify", name, "--json").stdout)["events"] == 2


def test_a_file_that_lies_there_is_not_called_missing(run, tmp_path) -> None:
    (tmp_path / "friday.sheet").write_text("Game: zigzag\n")
    run("import", CLEAN)
    assert "friday.sheet is a file: import it" in run("confirm", str(tmp_path / "friday.sheet"), "Ana", code=3).stderr
    assert "there is no file" in run("confirm", str(tmp_path / "monday.sheet"), "Ana", code=3).stderr


@pytest.mark.parametrize(
    ("arguments", "unused"),
    [
        (["--version"], ("flask", "rich", "sqlite3")),
        (["--help"], ("rich", "sqlite_utils", "prompt_toolkit", "ledger.games.zigzag", "ledger.stores.store")),
        (["list"], ("flask", "sqlite_utils", "jinja2")),
        (
            ["audit", "--no-explain", CLEAN],
            ("flask", "sqlite3", "jinja2", "ledger.play", "ledger.audit.slip.slip_search"),
        ),
    ],
    ids=lambda value: value[0],
)
def test_a_command_imports_only_what_it_needs(arguments: list[str], unused: tuple[str, ...], run, tmp_path) -> None:
    ledger = str(tmp_path / "a.sqlite")
    run("--ledger", ledger, "import", CLEAN)
    code = (
        "import sys; from ledger.cli import cli; cli(sys.argv[1:], standalone_mode=False); "
        f"sys.exit(str([name for name in sys.modules if name.startswith({unused})] or ''))"
    )
    command = [sys.executable, "-c", code, "--ledger", ledger, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout
    assert done.stderr.strip() == ""


def test_help_and_version_are_commands_too(run) -> None:
    assert run("help").output == run("--help").output
    assert run("help", "list").output == run("list", "--help").output
    assert run("version").output == run("--version").output


@pytest.mark.parametrize(
    ("word", "meant"),
    [("rename", "players rename"), ("undo", "void --undo"), ("delete", "void"), ("csv", "export --csv")],
)
def test_a_word_for_another_command_points_there(run, word: str, meant: str) -> None:
    assert f"There is no command '{word}'. Did you mean {meant}?" in run(word, code=2).output


def test_a_list_knows_yesterday(run, monkeypatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 21, 12, tzinfo=UTC))
    for day in ("2026-11-19", "2026-11-20", "2026-11-21"):
        run("new", "zigzag", "Ana", "Ben", "Cy", "--played", day)
    lines = run("list", "--since", "yesterday", "--json").output.splitlines()
    assert [json.loads(line)["played"] for line in lines] == ["2026-11-21", "2026-11-20"]
    assert len(run("list", "--until", "today", "--json").output.splitlines()) == 3


# ---- The command line as users type it.


@pytest.mark.parametrize("command", [*COMMANDS, *plugins()])
def test_every_help_teaches_by_an_example(command: str, run) -> None:
    output = run(command, "--help").output
    title, lines = re.search(r"  (Examples?):\n((?:    .*\n)+)", output).groups()
    assert title == ("Examples" if lines.count("\n") > 1 else "Example")
    assert f"domino-ledger {command}" in lines


def test_the_help_lists_every_command_in_the_order_of_a_games_life(run) -> None:
    output = run("--help").output
    places = [output.index(f"\n  {command} ") for command in (*COMMANDS, *plugins())]
    assert places == sorted(places)


def test_a_slip_in_a_commands_name_is_guessed(run) -> None:
    assert "Did you mean audit?" in run("audt", code=2).output


def test_a_game_is_opened_recorded_shown_and_corrected(run) -> None:
    name = run("new", "build-up", "Ana", "Ben", "--place", "the kitchen").output.strip()
    output = run(
        "record", name, "--by", "dee",
        stdin="A lays 0-3 1-3 2-2 3-3 5-6 1-6\nB lays 0-1 1-4 0-0 5-5 4-6 2-5\nA 6-6 on 10\nB 2-4 on 4\n"
        "amend 4 B 3-4 on 4 because I misread it\nB 0-6 on 1\nundo\nshow\nnonsense\nhelp\nquit\nA 1-1 on 1\n",
        code=2,
    ).output  # fmt: skip
    assert "breach at move 4: Ben's 2-4 has 6 pips, but on" in output
    assert "build-up.cover.tile-on-double: " in output
    assert "Move 4 changed: Ben plays 3-4 on stack 4 (I misread it)" in output
    assert "move 5 deleted" in output
    assert "'nonsense' is not understood here" in output
    assert "take back what was done last" in output
    assert "1-1" not in run("export", name, "--sheet").output
    history = run("history", name).output
    assert "5  move 4 changed (dee, " in history
    assert "dee" in history
    assert "was: Ben plays 2-4 on stack 4\n  now: Ben plays 3-4 on stack 4\n  why: I misread it" in history
    assert "stacks 1 to 6" in run("show", name, "--at", "2").output


def test_a_correction_says_which_later_events_no_longer_fit(run) -> None:
    name = run("new", "build-up", "Ana", "Ben").output.strip()
    lines = "A lays 0-3 1-3 2-2 3-3 5-6 1-6\nB lays 0-1 1-4 0-0 5-5 4-6 2-5\nA 4-4 on 7\nB 1-2 on 1\n"
    run("record", name, stdin=lines + "amend 3 A 4-4 on 1 because of a misread number\n")
    assert "move 4 no longer fits" in run("history", name).output


def test_two_players_with_one_name_sit_at_one_table(run) -> None:
    sheet = "Game: zigzag\nPlayers: A Ana (p1), B ana (p2), C Ana (p3)\n"
    name = run("import", "-", stdin=sheet).output.rpartition(" ")[2].strip()
    assert "Players: A Ana (p1), B ana (p2), C Ana (p3)" in run("export", "--sheet", name).output


def test_the_beginning_of_an_id_is_enough_and_an_unknown_one_is_reported(run) -> None:
    name = run("new", "zigzag", "Ana", "Ben", "Cy").output.strip()
    assert "Ana" in run("show", name[:6]).output
    assert "no record zzzz" in run("show", "zzzz", code=3).output


def test_without_a_ledger_the_command_that_makes_one_is_shown(run) -> None:
    assert "domino-ledger new" in run("list", code=3).output
    assert "there is no ledger" in run("show", "zzzz", code=3).output


def test_an_unknown_option_is_refused_with_a_list_of_the_known_ones(run) -> None:
    assert "it has set, scoring" in run("new", "zigzag", "Ana", "Ben", "Cy", "-p", "lid=6", code=2).output
    assert "three players, not 2" in run("new", "zigzag", "Ana", "Ben", code=2).output
    assert "no game is called 'bridge'" in run("new", "bridge", "Ana", "Ben", code=2).output


def longest(*folders: str) -> list[bytes]:
    """The fixtures of these games as an import stores them: each once, and none that another one continues."""
    records = [codec.decode(path.read_bytes()) for path in CASES if path.parent.name in folders]
    return sorted(
        {
            codec.encode(record)
            for record in records
            if not any(
                len(other.events) > len(record.events) and other.events[: len(record.events)] == record.events
                for other in records
            )
        }
    )


def test_records_are_imported_listed_and_filtered(run) -> None:
    run("import", str(ZIGZAG), str(FIXTURES / "build-up"))
    rows = [json.loads(line) for line in run("list", "--json").output.splitlines()]
    assert len(rows) == len(longest("zigzag", "build-up"))
    breaches = [
        json.loads(line)
        for line in run("list", "--json", "--game", "zigzag", "--verdict", "breach").output.splitlines()
    ]
    assert {row["game"] for row in breaches} == {"zigzag"}
    assert {row["audit"]["verdict"] for row in breaches} == {"breach"}
    assert len(run("list", "--limit", "3").output.splitlines()) == 4
    assert run("list", "--player", "nobody-like-that").output == "No matching records.\n"
    rows_by_clause = run("list", "--json", "--clause", "zigzag.take").output.splitlines()
    assert all("zigzag.take" in line for line in rows_by_clause)
    assert rows_by_clause
    rows_by_day = run("list", "--json", "--since", "2026-11-20", "--until", "2026-11-20").output.splitlines()
    assert rows_by_day
    assert all('"played":"2026-11-20"' in line for line in rows_by_day)


def test_a_line_that_is_not_a_record_is_reported_and_the_rest_goes_on(run, tmp_path) -> None:
    archive = tmp_path / "some.ndjson"
    good = codec.encode(codec.decode(Path(CLEAN).read_bytes()))
    wrong = codec.encode_lines(codec.decode(good)).replace(b"\n", b"").replace(b'"tile":"', b'"tile":"9', 1)
    archive.write_bytes(good + b"\n" + wrong + b"\n" + good + b"\n")
    result = run("import", str(archive), code=2)
    assert "1 imported, 1 known already" in result.output
    assert f"{archive}:2" in result.output
    assert "$.tile" in result.output
    audit = run("audit", str(archive), code=2)
    assert "$.tile" in audit.output
    assert "3 records: 2 clean, 1 no record" in audit.output


@pytest.mark.parametrize("form", ["--sheet", "--json", "--ndjson"])
def test_an_export_can_be_imported_again(run, form: str) -> None:
    run("import", CLEAN)
    name = json.loads(run("list", "--json").output)["id"]
    exported = run("export", name, form).stdout_bytes
    result = run("import", "-", stdin=exported)
    assert result.output == f"1 record known already as {name}\n"
    assert run("export", name, "--ndjson").stdout_bytes.splitlines()[0] in run("export").stdout_bytes.splitlines()


def test_a_whole_ledger_goes_into_a_compressed_archive_and_back(run, tmp_path) -> None:
    run("import", str(ZIGZAG))
    archive = tmp_path / "all.ndjson.zst"
    run("export", "-o", str(archive))
    records = [item.result for item in items(str(archive))]
    assert sorted(map(codec.encode, records)) == longest("zigzag")


@pytest.mark.parametrize(
    ("name", "code"),
    [("option-set-6", 0), ("bid-raise-noted", 0), ("take-broken", 1), ("record-correction-broken", 1)],
)
def test_the_exit_status_says_the_verdict(run, name: str, code: int) -> None:
    run("audit", str(ZIGZAG / f"{name}.json"), code=code)


def test_an_audit_for_people_has_the_rule_under_each_finding(run) -> None:
    output = run("audit", BROKEN, code=1).output
    assert "breach" in output
    assert "zigzag.win: " in output
    assert "tiles = " in output
    assert "called scores check out" in output


def test_an_audit_for_programs_is_the_golden_report(run) -> None:
    for path in CASES[::30]:
        report = json.loads(run("audit", "--json", str(path), code=None).output)
        golden = json.loads(path.with_suffix(".report.json").read_text("utf-8"))
        assert {**report, "record": ""} == {**golden, "record": ""}


def test_an_audit_is_written_as_markdown(run) -> None:
    output = run("audit", "--markdown", BROKEN, code=1).output
    assert output.startswith("# Zigzag: ")
    assert "## Where the points come from" in output


def test_every_reading_of_the_rulings_is_shown(run) -> None:
    sheet = (
        "Game: build-up\nPlayers: A Ana, B Ben\n\nA lays 0-3 1-3 2-2 3-3 5-6 1-6\n"
        "B lays 0-1 1-4 0-0 5-5 4-6 2-5\nA 6-6 on 10\nB 2-4 on 4\n"
    )
    assert "tile_on_double" in run("audit", "--rulings", "all", "-", stdin=sheet, code=1).output
    lines = run("audit", "--rulings", "all", "--json", "-", stdin=sheet, code=1).output.splitlines()
    assert json.loads(lines[1])["depends"]["verdict"] == ["tile_on_double"]


def test_without_a_keyboard_a_replay_prints_one_line_per_step(run) -> None:
    for path in CASES[::30]:
        assert run("replay", str(path)).output == path.with_suffix(".replay.txt").read_text("utf-8")


def test_a_record_of_an_archive_is_named_by_its_line(run, tmp_path) -> None:
    archive = tmp_path / "two.ndjson"
    archive.write_bytes(
        b"".join(codec.encode(codec.decode(Path(name).read_bytes())) + b"\n" for name in (CLEAN, BROKEN))
    )
    run("show", f"{archive}:2")
    assert "there is no record on line 3" in run("show", f"{archive}:3", code=2).output
    assert "name one as FILE:LINE" in run("show", str(archive), code=2).output


def test_games_clauses_and_the_schema_are_printed_for_people_and_programs(run) -> None:
    assert "zigzag: Zigzag (" in run("games").output
    assert "100; a whole number from 1, or none" in run("games", "zigzag").output
    assert len(run("games", "--json").output.splitlines()) >= 4
    assert "zigzag.take" in run("clauses", "zigzag").output
    assert json.loads(run("clauses", "zigzag", "--json").output.splitlines()[0])["id"] == "tiles.once"
    assert json.loads(run("schema").output) == json.loads(json.dumps(schema()))


def test_simulated_games_are_the_same_for_the_same_seed(run) -> None:
    arguments = ("simulate", "build-up", "--seed", "7", "--count", "3")
    first = run(*arguments).stdout_bytes
    assert first == run(*arguments).stdout_bytes
    assert len(first.splitlines()) == 3
    assert "has no clause 'x.y'" in run("simulate", "build-up", "--faults", "x.y", code=2).output
    run("audit", "-", stdin=run("simulate", "build-up", "--faults", "build-up.stack").stdout_bytes, code=1)


def test_any_breach_is_planted_in_turn(run) -> None:
    games = run("simulate", "zigzag", "--count", "6", "--faults", "any", "-p", "set=6", "-p", "hands=3").stdout_bytes
    reports = [json.loads(line) for line in run("audit", "--json", "-", stdin=games, code=1).output.splitlines()]
    assert len({report["findings"][0]["clause"] for report in reports}) == 6


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_click_completes_in_each_shell(shell: str, monkeypatch) -> None:
    monkeypatch.setenv("_DOMINO_LEDGER_COMPLETE", f"{shell}_source")
    script = CliRunner().invoke(cli, prog_name="domino-ledger").output
    assert f"_DOMINO_LEDGER_COMPLETE={shell}_complete" in script


def test_output_that_nobody_reads_to_the_end_is_no_error() -> None:
    command = f"{sys.executable} -m ledger replay {ZIGZAG / 'ending-target.json'} | head -n 1"
    process = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True, env={**os.environ})
    assert process.stderr == ""


def test_at_the_keyboard_breaches_appear_at_once_and_doubts_at_the_end(run) -> None:
    name = run("new", "ziggurat", "Ana", "Ben").output.strip()
    output = run("record", name, stdin="A 1-2 a6-b6\nB 2-5 c6-c5\ntotal: B 2\nend abandoned\n").output
    at_once, _, at_the_end = output.partition("left unfinished")
    assert "Ana plays 1-2 on level 1, a6-b6\n" in at_once
    assert "Ben plays 2-5 on level 1, c6-c5\n" in at_once
    assert "unproven" not in at_once
    assert "breach at move 3" in at_once
    assert "One mistake: the totals at move 3." in at_the_end
    assert at_the_end.count("unproven at move ") == 2


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("ziggurat", "Ana", "Ben", "Cy"), "Error: Ziggurat is for two or four players, not 3\n"),
        (("zigzag", "Ana", "Ben", "Cy", "--played", "2026-13-01"), "Error: there is no day '2026-13-01': write it as"),
        (("zigzag", "Ana", "Ben", "Cy", "--played", "last week"), "Error: there is no day 'last week': write it as"),
    ],
)
def test_a_game_that_cannot_begin_is_refused_in_plain_words(run, arguments: tuple[str, ...], reason: str) -> None:
    output = run("new", *arguments, code=2).output
    assert reason in output
    assert "$." not in output


def test_a_record_is_named_by_the_beginning_of_one_id() -> None:
    store = TemporaryStore()
    for record_id in ("aaaaaaaaa1", "aaaaaaaab1", "bbbbbbbbb1"):
        store.append(record_id, 0, [Open("zigzag", players=(Player(id="a"), Player(id="b"), Player(id="c")))])
    assert [resolve(store, name) for name in ("bbbbbbbbb1", "b", "AAAAAAAAB")] == ["bbbbbbbbb1"] * 2 + ["aaaaaaaab1"]
    for name, words in (
        ("", "name a record: an id, the beginning of one, or a file"),
        ("aa", "several records begin with aa: aaaaaaaaa1, aaaaaaaab1"),
        ("no.ndjson", "there is no file no.ndjson"),
        ("c", "the ledger has no record c; `domino-ledger list` shows what it has"),
    ):
        with pytest.raises(UnknownRecord) as refused:
            resolve(store, name)
        assert str(refused.value) == words


def test_an_option_of_a_game_is_typed_as_a_value() -> None:
    texts = ("hands=12,first_bidder=Null", "target=none")
    assert typed_options(texts, find("zigzag")) == {"hands": 12, "first_bidder": None, "target": None}
    assert typed_options(("cut_up=TRUE",), find("ziggurat")) == {"cut_up": True}
    assert typed_options(("cut_up=false", "cut_up=true"), find("ziggurat")) == {"cut_up": True}


def test_a_command_of_another_package_has_its_help_or_says_why_it_cannot_be_loaded() -> None:
    def broken() -> None:
        raise ImportError("no module named x")

    assert _short_help(SimpleNamespace(load=broken)) == "cannot be loaded: no module named x"
    assert _short_help(SimpleNamespace(load=lambda: cli.get_command(None, "void"))).startswith("Set")


@pytest.mark.parametrize(("arguments", "allowed"), [
    (("simulate", "zigzag", "--players", "0"), "1<=x<=26"), (("simulate", "zigzag", "--players", "27"), "1<=x<=26"),
    (("simulate", "zigzag", "--count", "0"), "x>=1"),
    (("audit", CLEAN, "--jobs", "0"), "1<=x<=1024"), (("audit", CLEAN, "--jobs", "1025"), "1<=x<=1024"),
    (("list", "--limit", "0"), "x>=1"), (("list", "--limit", "1000000001"), "x>=1"),
])  # fmt: skip
def test_a_number_that_makes_no_sense_is_refused(arguments: tuple[str, ...], allowed: str, run) -> None:
    *_words, option, value = arguments
    output = run(*arguments, code=2).output
    assert f"Invalid value for '{option}': {value} is not in the range {allowed}." in output


# ---- Files that commands write: never over an input or a ledger, and either complete or not at all.


RECORDS = [codec.decode(path.read_bytes()) for path in CASES[:2]]


@pytest.fixture
def archive(tmp_path) -> Path:
    """Two records."""
    path = tmp_path / "a.ndjson"
    path.write_bytes(b"".join(codec.encode(record) + b"\n" for record in RECORDS))
    return path


@pytest.mark.parametrize(
    "command",
    [
        ["audit", "-o", "{a}", "{a}"],
        ["audit", "-o", "{a}", "{a}:2"],
        ["audit", "-o", "{a}", "{folder}"],
        ["export", "-o", "{a}", "{a}:1"],
        ["export", "-o", "{a}", "{folder}/b.ndjson:1", "{a}:2"],
    ],
    ids=" ".join,
)
def test_no_command_writes_over_what_it_reads(archive: Path, command: list[str]) -> None:
    before = archive.read_bytes()
    (archive.parent / "b.ndjson").write_bytes(before)
    message = output_of(*(part.format(a=archive, folder=archive.parent) for part in command), code=2)
    assert "a.ndjson is also an input: write to another file" in message
    assert archive.read_bytes() == before
    assert sorted(path.name for path in archive.parent.iterdir()) == ["a.ndjson", "b.ndjson"]


def test_a_link_to_an_input_counts_as_the_input(archive: Path) -> None:
    link = archive.with_name("link.ndjson")
    link.symlink_to(archive)
    assert "is also an input" in output_of("export", "-o", str(link), f"{archive}:1", code=2)
    assert archive.read_bytes().count(b"\n") == 2


@pytest.mark.parametrize(
    "command",
    [["audit", "-o"], ["export", "-o"], ["export", "--json", "-o"], ["simulate", "zigzag", "-o"]],
    ids=" ".join,
)
def test_no_command_writes_over_a_ledger(archive: Path, command: list[str]) -> None:
    ledger = archive.with_name("club.sqlite")
    output_of("--ledger", str(ledger), "import", str(archive))
    assert "club.sqlite is a ledger" in output_of("--ledger", str(ledger), *command, str(ledger), code=2)
    assert "2 records" in output_of("--ledger", str(ledger), "verify")


def test_the_old_file_stays_until_the_new_one_is_complete(archive: Path) -> None:
    target = archive.with_name("games.ndjson.zst")
    output_of("export", "-o", str(target), f"{archive}:1")
    before = target.read_bytes()
    output_of("export", "-o", str(target), f"{archive}:1", f"{archive}:3", code=2)
    assert target.read_bytes() == before
    assert "intact, 1 record," in output_of("verify", str(target))
    output_of("export", "-o", str(target), f"{archive}:1", f"{archive}:2")
    assert "intact, 2 records" in output_of("verify", str(target))
    files = sorted(path.name for path in archive.parent.glob("games*"))
    assert files == ["games.ndjson.zst", "games.ndjson.zst.manifest"]


def test_a_file_that_is_not_an_archive_keeps_no_old_manifest(archive: Path) -> None:
    target = archive.with_name("games.json")
    output_of("export", "-o", str(target), f"{archive}:1")
    output_of("export", "--json", "-o", str(target), f"{archive}:1")
    assert [path.name for path in archive.parent.glob("games*")] == ["games.json"]


def test_a_link_stays_and_the_file_behind_it_is_written(archive: Path) -> None:
    target, link = archive.with_name("there.ndjson"), archive.with_name("link.ndjson")
    target.write_bytes(b"")
    link.symlink_to(target)
    output_of("simulate", "ziggurat", "-o", str(link))
    assert link.is_symlink()
    assert codec.decode(target.read_bytes()).opening.game == "ziggurat"


def test_a_backup_replaces_an_earlier_one_and_nothing_else(archive: Path) -> None:
    ledger, copy, other_ledger = (archive.with_name(f"{name}.sqlite") for name in ("club", "copy", "other"))
    output_of("--ledger", str(ledger), "import", str(archive))
    output_of("--ledger", str(ledger), "backup", str(copy))
    output_of("--ledger", str(ledger), "new", "zigzag", "Ana", "Ben", "Cy")
    output_of("--ledger", str(ledger), "backup", str(copy))
    output_of("--ledger", str(other_ledger), "import", str(archive))
    for target in (other_ledger, archive):
        before = target.read_bytes()
        message = output_of("--ledger", str(ledger), "backup", str(target), code=2)
        assert "is not an earlier backup" in message
        assert target.read_bytes() == before
    # An older state of the ledger does not replace a newer one either.
    older = archive.with_name("older.sqlite")
    output_of("--ledger", str(older), "restore", str(copy))
    output_of("--ledger", str(ledger), "new", "zigzag", "Ana", "Ben", "Cy")
    output_of("--ledger", str(ledger), "backup", str(copy))
    assert "is not an earlier backup" in output_of("--ledger", str(older), "backup", str(copy), code=2)
    assert "4 records" in output_of("--ledger", str(copy), "verify")


@pytest.mark.parametrize("name", [".", "", "a folder"])
def test_a_folder_is_no_ledger(tmp_path, monkeypatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a folder").mkdir()
    for command in (["list"], ["new", "zigzag", "Ana", "Ben", "Cy"]):
        assert "is a folder, not a ledger" in output_of("--ledger", name, *command, code=3)
    for every_club in (["backup", "copy"], ["verify"], ["audit"]):
        assert "there is no club in" in output_of("--ledger", name, *every_club, code=2)
    assert not (tmp_path / "copy").exists()


def test_a_folder_is_no_file_and_no_record(archive: Path, monkeypatch) -> None:
    monkeypatch.chdir(archive.parent)
    (archive.parent / "a folder").mkdir()
    output_of("--ledger", "club.sqlite", "import", str(archive))
    for command in (["audit", "-o"], ["audit", "a.ndjson:1", "-o"], ["export", "-o"]):
        assert "is a folder: name" in output_of("--ledger", "club.sqlite", *command, "", code=2)
        assert "is a directory" in output_of("--ledger", "club.sqlite", *command, "a folder", code=2)
    for folder in ("", "a folder"):
        assert "is a folder: name" in output_of("--ledger", "club.sqlite", "backup", folder, code=2)
    for command in (["show"], ["replay"], ["export"], ["history"]):
        assert "there is no record in it" in output_of(*command, "a folder", code=2)


# ---- Files that commands write: whole or not at all, never over an input or a ledger; and what a list says unaudited.


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_has_its_name_only_when_it_is_whole(tmp_path) -> None:
    path = tmp_path / "games.ndjson"
    with atomic_write(path) as out:
        out.write(b"first")
        assert names(tmp_path) == [f".games.{os.getpid()}.ndjson"]
    assert (path.read_bytes(), names(tmp_path)) == (b"first", ["games.ndjson"])
    path.chmod(0o640)

    def write_half() -> None:
        with atomic_write(path) as out:
            out.write(b"half")
            raise KeyError

    with pytest.raises(KeyError):
        write_half()
    assert (path.read_bytes(), names(tmp_path)) == (b"first", ["games.ndjson"])
    with atomic_write(path) as out:
        out.write(b"second")
    assert path.read_bytes() == b"second"
    if sys.platform != "win32":
        assert path.stat().st_mode & 0o777 == 0o640
        with atomic_write(tmp_path / "new.ndjson.zst") as out:
            out.write(b"packed")
        assert (tmp_path / "new.ndjson.zst").stat().st_mode & 0o777 == 0o600
        with open_bytes(tmp_path / "new.ndjson.zst") as packed:
            assert packed.read() == b"packed"


@pytest.mark.parametrize("names_of", [lambda part: [str(part)], lambda _part: []])  # to open it, or to write to it
def test_a_file_that_cannot_be_written_is_named_as_the_user_named_it(
    tmp_path, monkeypatch, names_of: Callable[[Path], list[str]]
) -> None:
    def full(part: Path, *_options: object) -> None:
        raise OSError(28, "No space left on device", *names_of(part))

    monkeypatch.setattr(output_files, "open_bytes", full)
    with pytest.raises(OSError, match="No space left") as error, atomic_write(tmp_path / "games.ndjson"):
        pass
    assert (error.value.filename, error.value.filename2) == (str((tmp_path / "games.ndjson").resolve()), None)
    assert names(tmp_path) == []


def test_pages_are_written_by_an_installed_package_or_refused(monkeypatch) -> None:
    assert callable(page_writer("html"))
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_group: [SimpleNamespace(name="event")])
    with pytest.raises(click.ClickException, match="no installed package writes pages: install Domino Ledger again"):
        page_writer("html")


@pytest.mark.parametrize("games", [1, 2])
def test_a_list_says_how_many_records_could_not_be_audited(games: int, monkeypatch, capsys) -> None:
    store = TemporaryStore()
    for example in season()[:games]:
        Recorder(store).import_record(example.record, example.id)
    which = (
        "1 record not audited, so --verdict and --clause do not find it: "
        if games == 1
        else ("2 records not audited, so --verdict and --clause do not find them: ")
    )

    def busy(*_of: object, **_more: object) -> Any:
        raise NotForNow("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("ledger.keep.stored_audits.refresh", busy)
        audit_new(store)
    assert capsys.readouterr().err == f"{which}the disk is full\n"
    with monkeypatch.context() as patch:
        patch.setattr(store.connection, "read_only", True)
        audit_new(store)
    assert capsys.readouterr().err == f"{which}the ledger cannot be written\n"
    audit_new(store)
    assert (capsys.readouterr().err, questions.unaudited(store)) == ("", ())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have no names here")
def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with atomic_write(pipe) as out:
            out.write(b"game")
        assert (os.read(reader, 9), pipe.is_fifo(), names(tmp_path)) == (b"game", True, ["pipe"])
    finally:
        os.close(reader)


def test_a_copy_of_a_ledger_gets_a_free_name_or_one_that_is_named(tmp_path) -> None:
    ledger = tmp_path / "club.sqlite"
    assert copy_name(str(ledger), None, "old") == tmp_path / "club.sqlite.old"
    (tmp_path / "club.sqlite.old").touch()
    (tmp_path / "club.sqlite.old-2").touch()
    assert copy_name(str(ledger), None, "old") == tmp_path / "club.sqlite.old-3"
    assert copy_name(str(ledger), ledger, "old") == ledger
    with pytest.raises(click.ClickException, match=r"club\.sqlite\.old exists: name a new file for the copy$"):
        copy_name(str(ledger), tmp_path / "club.sqlite.old", "old")


# ---- What can be tried of Windows without one: paths with drive letters and backslashes, and lines that end in \r\n.


WITH_BREACH = FIXTURES / "zigzag" / "take-broken.json"
ARCHIVE, SHEET = r"C:\Domino games\league.ndjson", r"D:friday.sheet"


class WindowsPath(PureWindowsPath):
    """A path on a machine with Windows, which has these two files and no others."""

    def is_file(self) -> bool:
        """Whether it is one of the files."""
        return str(self) in (ARCHIVE, SHEET)

    def exists(self) -> bool:
        """Whether it is there."""
        return self.is_file()


@pytest.fixture
def on_windows(monkeypatch) -> None:
    """Lets the modules that read names of files see those of Windows."""
    for module in (ledger_access, sources, audit_command):
        monkeypatch.setattr(module, "Path", WindowsPath)


@pytest.mark.usefixtures("on_windows")
@pytest.mark.parametrize("name", [ARCHIVE, f"{ARCHIVE}:3", SHEET, "-"])
def test_a_file_on_a_drive_is_a_file(name: str) -> None:
    assert ledger_access.is_file(name)


@pytest.mark.usefixtures("on_windows")
@pytest.mark.parametrize("name", [r"C:\none.sheet", r"none\7k3m", "E:none.ndjson:3", "none.json"])
def test_a_file_that_is_not_there_is_not_looked_up_as_an_id(name: str) -> None:
    assert not ledger_access.is_file(name)
    assert ledger_access.is_path(name)


@pytest.mark.usefixtures("on_windows")
def test_the_colon_of_a_drive_is_not_that_of_a_line(monkeypatch) -> None:
    records = {name: codec.decode(WITH_BREACH.read_bytes()) for name in (f"{ARCHIVE}:1", f"{ARCHIVE}:2", SHEET)}
    monkeypatch.setattr(
        sources, "items", lambda path: (Item(*one) for one in records.items() if one[0].startswith(path))
    )
    assert sources.pick(f"{ARCHIVE}:2").name == f"{ARCHIVE}:2"
    assert sources.pick(SHEET).name == SHEET
    with pytest.raises(NotARecord, match="no record on line 3"):
        sources.pick(f"{ARCHIVE}:3")
    assert audit_command.is_single(SHEET)
    assert not audit_command.is_single(ARCHIVE)


@pytest.mark.parametrize("name", [ARCHIVE, f"{ARCHIVE}:7", SHEET])
def test_a_fault_in_a_file_on_a_drive_names_the_whole_path(name: str) -> None:
    record = codec.decode(WITH_BREACH.read_bytes().replace(b'"zigzag"', b'"zigzag","edition":"9"', 1))
    error = stored_audits.review(name, record)
    assert isinstance(error, NotARecord)
    assert str(error).startswith(f"{name}: event 0: $.edition: ")


def test_files_with_windows_line_ends_are_read_and_judged_as_others(tmp_path) -> None:
    record = codec.decode(WITH_BREACH.read_bytes())
    texts = {"a.sheet": sheet(record).encode(), "a.json": codec.encode_lines(record)}
    texts["a.ndjson"] = codec.encode(record) + b"\n"
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text)
        expected = run_in(tmp_path, "audit", name)
        (tmp_path / name).write_bytes(text.replace(b"\n", b"\r\n"))
        assert b"\r\n" in (tmp_path / name).read_bytes()
        done = run_in(tmp_path, "audit", name)
        assert (done.returncode, done.stdout, done.stderr) == (1, expected.stdout, "")


def test_lines_that_are_typed_or_piped_on_windows_are_recorded(tmp_path) -> None:
    home = ("--ledger", "club.sqlite")
    run_in(tmp_path, *home, "new", "zigzag", "Ana", "Ben", "Cy")
    typed = "A bids 12\r\nB passes\r\nC passes\r\nnote: Tea.\r\nquit\r\n"
    done = run_in(tmp_path, *home, "record", stdin=typed)
    assert "?" not in done.stderr
    exported = run_in(tmp_path, *home, "export", "--sheet").stdout
    assert "\r" not in exported
    assert [line for line in exported.splitlines() if "A" in line and "bids" in line]
    assert "Tea." in exported


def test_a_log_head_that_went_through_an_editor_of_windows_is_read(tmp_path) -> None:
    home = ("--ledger", str(tmp_path / "club.sqlite"))
    outcome_of(*home, "new", "zigzag", "Ana", "Ben", "Cy")
    head = tmp_path / "friday.head"
    head.write_bytes(outcome_of(*home, "verify")[1].encode().replace(b"\n", b"\r\n"))
    assert outcome_of(*home, "verify", "--against", str(head))[0] == 0


# ---- A folder of clubs on the command line: all of them, a line for each, and a damaged one stops no other.


@pytest.fixture
def folder(run, tmp_path) -> Path:
    """Three clubs: a clean one, one with a breach, and a file that is no ledger; and a file that is no club."""
    path = tmp_path / "clubs"
    path.mkdir()
    for name, record in (("north", CLEAN), ("south", BROKEN)):
        new_club(path, name)
        run("--ledger", str(path / f"{name}.sqlite"), "import", record)
    for name in ("torn", "My Club"):
        (path / f"{name}.sqlite").write_bytes(b"no ledger" * 100)
    return path


def lines(text: str) -> dict[str, str]:
    """What is said of each club."""
    return dict(line.split(": ", 1) for line in text.splitlines())


def test_audit_says_a_line_for_each_club_and_ends_with_the_worst(run, folder: Path) -> None:
    said = lines(run("--ledger", str(folder), "audit", "--jobs", "1", code=3).stdout)
    assert said["north"] == "1 record, 1 clean"
    assert said["south"] == "1 record, 1 breach"
    assert "file is not a database" in said["torn"]
    assert list(said) == ["north", "south", "torn"]


def test_verify_prints_the_head_of_each_and_finds_what_is_changed(run, folder: Path) -> None:
    (folder / "torn.sqlite").unlink()
    said = lines(run("--ledger", str(folder), "verify").stdout)
    with SqliteStore(folder / "north.sqlite") as store:
        assert said["north"].startswith(f"intact, {store.size()} events in 1 record, {store.size()} ")
    force(folder / "north.sqlite", "UPDATE event SET link = zeroblob(32) WHERE position = 3")
    said = lines(run("--ledger", str(folder), "verify", "--no-audits", code=1).stdout)
    assert said["north"].startswith("corrupt, ")
    assert said["south"].startswith("intact, ")


def test_backup_copies_each_and_a_copy_is_that_club(run, folder: Path, tmp_path) -> None:
    for _ in range(2):  # the second time it replaces its own earlier copies
        said = lines(run("--ledger", str(folder), "backup", str(tmp_path / "copies"), code=3).stdout)
        assert (said["north"][:6], said["south"][:6]) == ("intact", "intact")
    assert sorted(path.name for path in (tmp_path / "copies").iterdir()) == ["north.sqlite", "south.sqlite"]
    restored = tmp_path / "again" / "north.sqlite"
    restored.parent.mkdir()
    run("--ledger", str(restored), "restore", str(tmp_path / "copies" / "north.sqlite"))
    assert audit_club(restored) == audit_club(folder / "north.sqlite")


def test_a_folder_of_records_is_audited_as_one(run, folder: Path, tmp_path) -> None:
    (tmp_path / "sheets").mkdir()
    (tmp_path / "sheets" / "a.json").write_bytes(Path(CLEAN).read_bytes())
    assert "1 record: 1 clean" in run("--ledger", str(folder), "audit", str(tmp_path / "sheets")).stdout


def test_where_there_is_no_club_it_says_how_to_make_one(run, tmp_path) -> None:
    assert "new-club" in run("--ledger", str(tmp_path), "verify", code=2).stderr


def test_new_club_prints_the_owners_link_once(run, tmp_path) -> None:
    said = run("--ledger", str(tmp_path / "new"), "new-club", "north", "--address", "https://domino.example").stdout
    assert "https://domino.example/north/owner#" in said
    assert "already" in run("--ledger", str(tmp_path / "new"), "new-club", "north", code=2).stderr
    said = run("--ledger", str(tmp_path / "new"), "link", "--address", "https://domino.example").stdout
    assert "https://domino.example/new-club#" in said
