"""The command line: exit statuses, errors, and its output on terminals and for programs."""
# ruff: noqa: F811  the fixture is imported, and pytest passes it by name

import json
import os
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

from ledger import cli
from ledger.cli import EXIT_STATUSES, keeping_commands, terminal
from ledger.record import clock
from test_cli import BROKEN, CLEAN, run  # noqa: F401  a fixture
from viewer import commands
from warm_commands import CLIENT, start

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


def test_the_ledger_may_be_named_before_or_after_a_command(run, tmp_path: Path) -> None:
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
        (("audit", CLEAN, "-o", "r.txt"), "should end in .ndjson"),
        (("audit", CLEAN, "-o", "r.ndjson", "--markdown"), "leave out --markdown"),
        (("simulate", "zigzag", "-o", "r.txt"), "should end in .ndjson"),
    ],
)
def test_contradictions_are_refused(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert reason in run(*arguments, code=2).output
    assert not list(tmp_path.iterdir())


def test_an_option_has_one_meaning_in_all_commands() -> None:
    kinds: dict[str, set[object]] = {}

    def gather(command: click.Command) -> None:
        context = click.Context(command)
        for name in command.list_commands(context) if isinstance(command, click.Group) else ():
            gather(command.get_command(context, name) or command)
        for option in command.params:
            if isinstance(option, click.Option):
                kinds.setdefault(option.opts[-1], set()).add(not option.is_flag and option.make_metavar(context))

    gather(cli.cli)
    del kinds["--undo"]  # a game has one void at a time, but there may be many renamings, and so they have numbers
    del kinds["--only"]  # of a link, no other is left; of an import, no other game is read
    assert len(kinds) > 60
    assert {name: kind for name, kind in kinds.items() if len(kind) > 1} == {}


def test_the_end_of_a_files_name_decides_its_format(run, tmp_path: Path) -> None:
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


def test_errors_name_the_file_that_was_asked_for(run, tmp_path: Path) -> None:
    run("new", "build-up", "Ana", "Ben")
    for command in (("export", "-o"), ("backup",), ("audit", "-o"), ("simulate", "zigzag", "-o")):
        output = run(*command, str(tmp_path / "none" / "x.ndjson"), code=3).output
        assert f"{tmp_path / 'none' / 'x.ndjson'}: there is no folder {tmp_path / 'none'}" in output


def test_a_ledger_is_not_copied_onto_itself(run, tmp_path: Path) -> None:
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


def test_all_mistakes_of_a_sheet_are_listed_with_their_places(run, tmp_path: Path) -> None:
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
    run, tmp_path: Path, heading: str, place: str, reason: str
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
def test_a_narrow_terminal_keeps_ids_whole_and_wraps_the_rest(run, tmp_path: Path) -> None:
    ledger = str(tmp_path / "a.sqlite")
    name = json.loads(run("import", CLEAN, "--json").output)["record"]
    for columns in (40, 80):
        assert name in on_a_terminal("--ledger", ledger, "list", columns=columns, NO_COLOR="1")
    broken = ("audit", BROKEN), ("show", BROKEN), ("show", PILES), ("history", CORRECTED)
    for command in (("games", "zigzag"), ("clauses", "zigzag"), *broken):
        lines = on_a_terminal(*command, columns=40, NO_COLOR="1").splitlines()
        assert max(map(len, lines)) <= 40, max(lines, key=len)


def test_a_replay_goes_on_until_q_or_the_end_of_what_is_typed(run, monkeypatch: pytest.MonkeyPatch) -> None:
    places: list[int] = []
    monkeypatch.setattr("ledger.cli.list_commands._is_terminal", lambda: True)
    monkeypatch.setattr("ledger.cli.list_commands.frame", lambda _review, place: places.append(place) or ["a table"])
    assert "There is no move 999" in run("replay", CLEAN, stdin="\n\nb\n17\n999\nq\n\n").output
    assert places == [0, 1, 2, 1, 17, 17]
    assert "Cancelled" not in run("replay", CLEAN, stdin="\n").output
    assert places[6:] == [0, 1]


def test_a_progress_bar_appears_after_a_moment_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_windows_needs_no_open_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_serve_opens_a_browser_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_file_that_lies_there_is_not_called_missing(run, tmp_path: Path) -> None:
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
def test_a_command_imports_only_what_it_needs(
    arguments: list[str], unused: tuple[str, ...], run, tmp_path: Path
) -> None:
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


def test_a_list_knows_yesterday(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 21, 12, tzinfo=UTC))
    for day in ("2026-11-19", "2026-11-20", "2026-11-21"):
        run("new", "zigzag", "Ana", "Ben", "Cy", "--played", day)
    lines = run("list", "--since", "yesterday", "--json").output.splitlines()
    assert [json.loads(line)["played"] for line in lines] == ["2026-11-21", "2026-11-20"]
    assert len(run("list", "--until", "today", "--json").output.splitlines()) == 3
