"""The command, as people type it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from golden import CASES, FIXTURES
from ledger import codec
from ledger.cli import COMMANDS, EXIT_STATUSES, cli, keep, plugins, terminal
from ledger.schema import schema
from ledger.sources import items
from viewer import commands

ZIGZAG = FIXTURES / "zigzag"
BROKEN = str(ZIGZAG / "take-broken.json")
CLEAN = str(ZIGZAG / "option-set-6.json")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """Runs the command on a ledger of its own."""
    monkeypatch.delenv("DOMINO_LEDGER", raising=False)

    def run_(*arguments: str, stdin: str | bytes | None = None, code: int | None = 0) -> Result:
        found = CliRunner().invoke(cli, ["--ledger", str(tmp_path / "a.sqlite"), *arguments], input=stdin)
        if found.exception and not isinstance(found.exception, SystemExit):
            raise found.exception
        assert code is None or found.exit_code == code, found.output
        return found

    return run_


@pytest.mark.parametrize("command", [*COMMANDS, *plugins()])
def test_every_help_teaches_by_an_example(command: str, run) -> None:
    said = run(command, "--help").output
    assert "Example:" in said
    assert f"domino-ledger {command}" in said


def test_the_help_lists_every_command_in_the_order_of_a_games_life(run) -> None:
    said = run("--help").output
    places = [said.index(f"\n  {command} ") for command in (*COMMANDS, *plugins())]
    assert places == sorted(places)


def test_a_slip_in_a_commands_name_is_guessed(run) -> None:
    assert "Did you mean audit?" in run("audt", code=2).output


def test_a_game_is_opened_recorded_shown_and_corrected(run) -> None:
    name = run("new", "build-up", "Ana", "Ben", "--place", "the kitchen").output.strip()
    said = run(
        "record", name, "--by", "dee",
        stdin="A lays 0-3 1-3 2-2 3-3 5-6 1-6\nB lays 0-1 1-4 0-0 5-5 4-6 2-5\nA 6-6 on 10\nB 2-4 on 4\n"
        "amend 4 B 3-4 on 4 because I misread it\nB 0-6 on 1\nundo\nshow\nnonsense\nhelp\nquit\nA 1-1 on 1\n",
        code=2,
    ).output  # fmt: skip
    assert "breach at move 4: Ben's 2-4 has 6 pips, but on" in said
    assert "build-up.cover.tile-on-double: " in said
    assert "Move 4 changed: Ben plays 3-4 on stack 4 (I misread it)" in said
    assert "move 6 deleted" in said
    assert "'nonsense' is not understood here" in said
    assert "delete the last move" in said
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


def test_two_of_one_name_sit_at_one_table(run) -> None:
    sheet = "Game: zigzag\nPlayers: A Ana (p1), B ana (p2), C Ana (p3)\n"
    name = run("import", "-", stdin=sheet).output.rpartition(" ")[2].strip()
    assert "Players: A Ana (p1), B ana (p2), C Ana (p3)" in run("export", "--sheet", name).output


def test_the_beginning_of_an_id_is_enough_and_an_unknown_one_is_said(run) -> None:
    name = run("new", "zigzag", "Ana", "Ben", "Cy").output.strip()
    assert "Ana" in run("show", name[:6]).output
    assert "no record zzzz" in run("show", "zzzz", code=3).output


def test_without_a_ledger_the_way_to_one_is_shown(run) -> None:
    assert "domino-ledger new" in run("list", code=3).output
    assert "there is no ledger" in run("show", "zzzz", code=3).output


def test_an_option_that_the_game_does_not_know_is_refused_with_those_it_knows(run) -> None:
    assert "it has set, scoring" in run("new", "zigzag", "Ana", "Ben", "Cy", "-p", "sett=6", code=2).output
    assert "three players, not 2" in run("new", "zigzag", "Ana", "Ben", code=2).output
    assert "no game is called 'bridge'" in run("new", "bridge", "Ana", "Ben", code=2).output


def test_records_are_imported_listed_and_filtered(run) -> None:
    run("import", str(ZIGZAG), str(FIXTURES / "build-up"))
    rows = [json.loads(line) for line in run("list", "--json").output.splitlines()]
    assert len(rows) == sum(path.parent.name in ("zigzag", "build-up") for path in CASES)
    only = [
        json.loads(line)
        for line in run("list", "--json", "--game", "zigzag", "--verdict", "breach").output.splitlines()
    ]
    assert {row["game"] for row in only} == {"zigzag"}
    assert {row["audit"]["verdict"] for row in only} == {"breach"}
    assert len(run("list", "--limit", "3").output.splitlines()) == 4
    assert run("list", "--player", "nobody-like-that").output == "No matching records.\n"
    cited = run("list", "--json", "--clause", "zigzag.take").output.splitlines()
    assert all("zigzag.take" in line for line in cited)
    assert cited
    dated = run("list", "--json", "--from", "2026-11-20", "--to", "2026-11-20").output.splitlines()
    assert dated
    assert all('"played":"2026-11-20"' in line for line in dated)


def test_what_is_no_record_is_said_with_its_line_and_the_rest_goes_on(run, tmp_path: Path) -> None:
    archive = tmp_path / "some.ndjson"
    good = codec.encode(codec.decode(Path(CLEAN).read_bytes()))
    wrong = codec.encode_lines(codec.decode(good)).replace(b"\n", b"").replace(b'"tile":"', b'"tile":"9', 1)
    archive.write_bytes(good + b"\n" + wrong + b"\n" + good + b"\n")
    found = run("import", str(archive), code=2)
    assert "2 records imported" in found.output
    assert f"{archive}:2" in found.output
    assert "$.tile" in found.output
    audited = run("audit", str(archive), code=2)
    assert "$.tile" in audited.output
    assert "3 records: 2 clean, 1 no record" in audited.output


@pytest.mark.parametrize("form", ["--sheet", "--json", "--ndjson"])
def test_what_is_exported_is_imported_again(run, form: str) -> None:
    run("import", CLEAN)
    name = json.loads(run("list", "--json").output)["id"]
    exported = run("export", name, form).stdout_bytes
    again = run("import", "-", stdin=exported)
    assert "1 record imported" in again.output
    assert run("export", name, "--ndjson").stdout_bytes.splitlines()[0] in run("export").stdout_bytes.splitlines()


def test_a_whole_ledger_goes_into_a_compressed_archive_and_back(run, tmp_path: Path) -> None:
    run("import", str(ZIGZAG))
    archive = tmp_path / "all.ndjson.zst"
    run("export", "-o", str(archive))
    kept = [item.result for item in items(str(archive))]
    assert sorted(map(codec.encode, kept)) == sorted(
        codec.encode(codec.decode(path.read_bytes())) for path in CASES if path.parent == ZIGZAG
    )


@pytest.mark.parametrize(
    ("name", "code"),
    [("option-set-6", 0), ("bid-raise-noted", 0), ("take-broken", 1), ("record-correction-broken", 1)],
)
def test_the_exit_status_says_the_verdict(run, name: str, code: int) -> None:
    run("audit", str(ZIGZAG / f"{name}.json"), code=code)


def test_an_audit_for_people_has_the_rule_under_each_finding(run) -> None:
    said = run("audit", BROKEN, code=1).output
    assert "breach" in said
    assert "zigzag.take: " in said
    assert "tiles = " in said
    assert "called scores check out" in said


def test_an_audit_for_programs_is_the_golden_report(run) -> None:
    for path in CASES[::30]:
        report = json.loads(run("audit", "--json", str(path), code=None).output)
        golden = json.loads(path.with_suffix(".report.json").read_text("utf-8"))
        assert {**report, "record": ""} == {**golden, "record": ""}


def test_an_audit_goes_into_markdown_and_html(run, tmp_path: Path) -> None:
    said = run("audit", "--markdown", BROKEN, code=1).output
    assert said.startswith("# Zigzag: ")
    assert "## Where the points come from" in said
    page = tmp_path / "a.html"
    run("audit", "--html", str(page), BROKEN, code=1)
    text = page.read_text("utf-8")
    assert "<!doctype html>" in text.lower()
    assert "zigzag.take" in text
    assert "http" not in text.replace("http-equiv", "")


def test_every_reading_of_the_rulings_is_shown(run) -> None:
    sheet = (
        "Game: build-up\nPlayers: A Ana, B Ben\n\nA lays 0-3 1-3 2-2 3-3 5-6 1-6\n"
        "B lays 0-1 1-4 0-0 5-5 4-6 2-5\nA 6-6 on 10\nB 2-4 on 4\n"
    )
    assert "tile_on_double" in run("audit", "--rulings", "all", "-", stdin=sheet, code=1).output
    lines = run("audit", "--rulings", "all", "--json", "-", stdin=sheet, code=1).output.splitlines()
    assert json.loads(lines[1])["depends"]["verdict"] == ["tile_on_double"]


def test_a_replay_is_a_line_a_step_where_nobody_can_press_a_key(run) -> None:
    for path in CASES[::30]:
        assert run("replay", str(path)).output == path.with_suffix(".replay.txt").read_text("utf-8")


def test_a_record_of_an_archive_is_named_by_its_line(run, tmp_path: Path) -> None:
    archive = tmp_path / "two.ndjson"
    archive.write_bytes(
        b"".join(codec.encode(codec.decode(Path(name).read_bytes())) + b"\n" for name in (CLEAN, BROKEN))
    )
    run("show", f"{archive}:2")
    assert "there is no record on line 3" in run("show", f"{archive}:3", code=2).output
    assert "name one as FILE:LINE" in run("show", str(archive), code=2).output


def test_games_clauses_and_the_schema_are_printed_for_people_and_programs(run) -> None:
    assert "zigzag: Zigzag (" in run("games").output
    assert len(run("games", "--json").output.splitlines()) >= 4
    assert "zigzag.take" in run("clauses", "zigzag").output
    assert json.loads(run("clauses", "zigzag", "--json").output.splitlines()[0])["game"] == "zigzag"
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
def test_completion_is_printed_for_each_shell(run, shell: str) -> None:
    assert "_DOMINO_LEDGER_COMPLETE" in run("completion", shell).output


def test_it_starts_without_what_is_heavy() -> None:
    """The libraries that draw, parse and store are imported by the commands that need them."""
    told = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "ledger.cli", "--help"], capture_output=True, text=True, check=True
    ).stderr
    imported = {line.rpartition("|")[2].strip() for line in told.splitlines()}
    assert not imported & {
        "rich",
        "lark",
        "sqlite_utils",
        "prompt_toolkit",
        "ledger.games.zigzag",
        "ledger.stores.sqlite",
    }


def test_output_that_nobody_reads_to_the_end_is_no_error() -> None:
    command = f"{sys.executable} -m ledger.cli replay {ZIGZAG / 'ending-target.json'} | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True, env={**os.environ})
    assert done.stderr == ""


def test_keys_that_are_pressed_quickly_are_each_a_step(run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The arrow keys of a terminal, one by one and in one piece."""
    pressed = iter(["\x1b[C", "\x1b[C\x1bOC", "jk", "\x1b[4~", "\x1b[D", "n", "x", "\x1b[H", "]q"])
    seen: list[str] = []
    monkeypatch.setattr("click.getchar", lambda: next(pressed))
    monkeypatch.setattr("click.clear", lambda: None)
    monkeypatch.setattr("ledger.cli.replay._is_terminal", lambda: True)
    monkeypatch.setattr("ledger.cli.replay.frame", lambda _review, place: seen.append(str(place)) or ["a table"])
    run("replay", str(ZIGZAG / "ending-target.json"))
    last = int(seen[4])
    assert [int(place) for place in seen] == [0, 1, 3, 3, last, last - 1, last - 1, last - 1, 0]
    assert last > 50


def test_at_the_keyboard_breaches_are_told_at_once_and_what_nobody_can_know_at_the_end(run) -> None:
    name = run("new", "ziggurat", "Ana", "Ben").output.strip()
    told = run("record", name, stdin="A 1-2 a6-b6\nB 2-5 c6-c5\ntotal: B 2\nend abandoned\n").output
    played, _, ended = told.partition("abandoned")
    assert "Ana plays 1-2 on level 1, a6-b6\n" in played
    assert "Ben plays 2-5 on level 1, c6-c5\n" in played
    assert "unproven" not in played
    assert "breach at move 3" in played
    assert "One mistake: the totals at move 3." in ended
    assert ended.count("unproven at move ") == 2


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("ziggurat", "Ana", "Ben", "Cy"), "Error: Ziggurat is for two or four players, not 3\n"),
        (("zigzag", "Ana", "Ben", "Cy", "--played", "2026-13-01"), "Error: there is no day '2026-13-01': write it as"),
        (("zigzag", "Ana", "Ben", "Cy", "--played", "yesterday"), "Error: there is no day 'yesterday': write it as"),
    ],
)
def test_a_game_that_cannot_begin_is_refused_in_plain_words(run, arguments: tuple[str, ...], reason: str) -> None:
    said = run("new", *arguments, code=2).output
    assert reason in said
    assert "$." not in said


def on_a_terminal(*arguments: str, columns: int = 80, **env: str) -> str:
    """What the command prints on a terminal of that width."""
    import pty  # noqa: PLC0415  only where there are terminals

    main, side = pty.openpty()
    here = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    env = {**here, "TERM": "xterm-256color", "COLUMNS": str(columns), **env}
    command = [sys.executable, "-m", "ledger.cli", *arguments]
    with subprocess.Popen(command, stdin=side, stdout=side, stderr=side, env=env) as process:
        os.close(side)
        printed = b""
        while True:
            try:
                part = os.read(main, 65536)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            printed += part
        process.wait()
    os.close(main)
    return printed.decode()


# ---- How a command ends


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
        (("nonsense",), 2),
        (("new", "zigzag", "Ana"), 2),
    ],
)
def test_a_breach_a_bad_input_and_a_missing_file_end_differently(run, arguments: tuple[str, ...], code: int) -> None:
    run(*arguments, code=code)


def test_the_help_and_the_page_tell_the_exit_statuses(run) -> None:
    said = run("--help").output
    page = (Path(__file__).parents[1] / "docs" / "command-line.md").read_text("utf-8")
    for status, meaning in EXIT_STATUSES:
        assert f"  {status}" in said
        assert f"| {status} | {meaning} |" in page
    assert "not there" in said


def test_a_question_answered_with_no_is_no_breach(run) -> None:
    run("new", "build-up", "Ana", "Ben")
    assert "Cancelled: nothing was changed." in run("forget", "Ana", stdin="n\n", code=130).output


def test_the_ledger_may_be_named_before_or_after_a_command(run, tmp_path: Path) -> None:
    other = str(tmp_path / "b.sqlite")
    name = run("new", "build-up", "Ana", "Ben", "--ledger", other).output.strip()
    assert name in run("list", "--ledger", other).output
    run("list", code=3)
    assert "--ledger" in run("list", "--help").output
    assert "--ledger" not in run("games", "--help").output
    run("games", "--ledger", other)


# ---- What is written where


def test_one_page_for_several_records_is_refused_before_anything_is_written(run, tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text("kept")
    assert "the report of one record" in run("audit", "--html", str(page), CLEAN, BROKEN, code=2).output
    assert page.read_text() == "kept"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("export", CLEAN, "--sheet", "-o", "a.ndjson.zst"), "--sheet contradicts the name a.ndjson.zst"),
        (("export", CLEAN, "--ndjson", "-o", "a.sheet"), "--ndjson contradicts the name a.sheet"),
        (("export", CLEAN, "-o", "a.doc"), "does not tell its form: it should end in .sheet"),
        (("export", CLEAN, BROKEN, "-o", "a.sheet"), "can hold one record"),
        (("export", CLEAN, "--sheet", "--json"), "--sheet and --json contradict each other"),
        (("audit", CLEAN, "--json", "--markdown"), "--json and --markdown contradict each other"),
        (("audit", CLEAN, "-o", "r.txt"), "should end in .ndjson"),
        (("simulate", "zigzag", "-o", "r.txt"), "should end in .ndjson"),
    ],
)
def test_what_contradicts_itself_is_refused(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert reason in run(*arguments, code=2).output
    assert not list(tmp_path.iterdir())


def test_the_end_of_a_name_decides_the_form(run, tmp_path: Path) -> None:
    for name, begin in (("a.sheet", b"Game: zigzag\n"), ("a.json", b'{"format"'), ("a.ndjson", b'{"format"')):
        run("export", CLEAN, "-o", str(tmp_path / name))
        assert (tmp_path / name).read_bytes().startswith(begin)
    assert (tmp_path / "a.ndjson").read_bytes().count(b"\n") == 1


def test_errors_name_the_file_that_was_asked_for(run, tmp_path: Path) -> None:
    run("new", "build-up", "Ana", "Ben")
    for command in (("export", "-o"), ("backup",)):
        said = run(*command, str(tmp_path / "none" / "x.ndjson"), code=3).output
        assert f"{tmp_path / 'none' / 'x.ndjson'}: there is no folder {tmp_path / 'none'}" in said


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
        (("list", "--from", "yesterday"), "there is no day 'yesterday'"),
        (("new", "build-upp", "Ana", "Ben"), "did you mean build-up?"),
        (("new", "zigzag", "Ana", "ana ", "Cy"), "there are two players called ana"),
        (("new", "zigzag", "", "Ben", "Cy"), "player 1 has no name"),
        (("show", "games.ndjson:3"), "there is no file games.ndjson"),
        (("link", "--address", "ftp://x"), "--address is like http://192.168.1.5:8000"),
        (("link", "--address", "example.org"), "--address is like"),
        (("serve", "--host", "300.1.1.1"), "no machine is called '300.1.1.1'"),
    ],
)
def test_a_slip_is_answered_with_what_was_meant(run, arguments: tuple[str, ...], reason: str) -> None:
    run("import", CLEAN)
    assert reason in run(*arguments, code=None).output
    assert run(*arguments, code=None).exit_code in (2, 3)


def test_a_revision_that_no_game_has_is_no_bad_record(run) -> None:
    said = run("upgrade", "--to", "9", CLEAN, BROKEN, code=2).output
    assert "no revision '9' of the rules of Zigzag is known" in said
    assert said.endswith("2 records: 2 no such revision\n")


def test_the_other_records_are_audited_when_one_is_missing(run) -> None:
    said = run("audit", CLEAN, "nofile", BROKEN, code=3).output
    assert "nofile is not a file" in said
    assert "2 records: 1 clean, 1 breach" in said


def test_all_mistakes_of_a_sheet_are_told_with_their_places(run, tmp_path: Path) -> None:
    sheet = tmp_path / "friday.sheet"
    sheet.write_text("Game: zigzag\nPlayers: A Ana, B Ben, C Cy\n\nA bids 12\nB pases\nC knocks\nA 2 - 2\nZ 2-5\n")
    for command in ("audit", "import", "show"):
        said = run(command, str(sheet), code=2).output
        assert [f"{sheet}:{line}: column" in said for line in (5, 6, 7, 8)] == [True] * 4
        assert said.count("did you mean passes?") == 2
        assert "did you mean 2-2?" in said


@pytest.mark.parametrize(
    ("heading", "place", "reason"),
    [
        ("Game: domino ziggurat\nPlayers: A Ana, B Ben\n", "1: column 1", "did you mean domino-ziggurat?"),
        ("Game: zigzag\nPlayers: A Ana, B Ben\n", "2: column 1", "Zigzag is for three players, not 2"),
        ("Game: zigzag\nPlayers: A, B, C\nOptions: sett = 6\n", "3: column 1", "Zigzag has no option 'sett'"),
    ],
)
def test_what_a_game_refuses_of_a_sheet_has_its_line(
    run, tmp_path: Path, heading: str, place: str, reason: str
) -> None:
    sheet = tmp_path / "a.sheet"
    sheet.write_text(heading + "\nA passes\n")
    for command in ("audit", "show"):
        said = run(command, str(sheet), code=2).output
        assert f"{sheet}:{place}: " in said
        assert reason in said
        assert "$." not in said


def test_a_refused_line_of_a_pipe_is_an_error(run) -> None:
    name = run("new", "zigzag", "Ana", "Ben", "Cy").output.strip()
    told = run("record", name, stdin="Ana bids 12\nnonsense\nB passes\nhistory\naudit\n", code=2)
    assert "nonsense" in told.stderr
    assert "a command: undo, show, history, audit, help, quit" in told.stderr
    assert "nonsense" not in told.stdout
    assert run("export", name, "--sheet").output.endswith("A bids 12\nB passes\n")


def test_hidden_hands_are_no_news_at_the_keyboard(run) -> None:
    name = run("new", "zigzag", "Ana", "Ben", "Cy").output.strip()
    told = run("record", name, stdin="A bids 12\nB passes\nC passes\nA 2-2\nB 2-5\n").output
    assert "unproven" not in told
    assert "unproven" in run("record", name, stdin="audit\n").output


# ---- Terminals


@pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminals")
def test_colours_are_left_out_where_they_are_not_wanted() -> None:
    assert "\x1b[" in on_a_terminal("audit", BROKEN)
    for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b[" not in on_a_terminal("audit", BROKEN, **plain)
        assert "\x1b[" not in on_a_terminal("clauses", "zigzag", **plain)


@pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminals")
def test_a_narrow_terminal_keeps_ids_whole_and_wraps_the_rest(tmp_path: Path) -> None:
    ledger = str(tmp_path / "a.sqlite")
    subprocess.run([sys.executable, "-m", "ledger.cli", "--ledger", ledger, "import", CLEAN], check=True)
    plain = subprocess.run(
        [sys.executable, "-m", "ledger.cli", "--ledger", ledger, "list", "--json"], capture_output=True, check=True
    )
    name = json.loads(plain.stdout)["id"]
    for columns in (40, 80):
        assert name in on_a_terminal("--ledger", ledger, "list", columns=columns, NO_COLOR="1")
    for command in (("games", "zigzag"), ("clauses", "zigzag")):
        lines = on_a_terminal(*command, columns=40, NO_COLOR="1").splitlines()
        assert max(map(len, lines)) <= 40, max(lines, key=len)


def test_a_walk_goes_to_a_move_by_digits_and_says_where_nothing_is(run, monkeypatch: pytest.MonkeyPatch) -> None:
    pressed = iter(["\x1b[B", "\x1b[A", "1", "7", "\r", "999\r", "n", "q"])
    seen: list[tuple[int, str]] = []
    monkeypatch.setattr("click.getchar", lambda: next(pressed))
    monkeypatch.setattr("click.clear", lambda: None)
    monkeypatch.setattr("ledger.cli.replay._is_terminal", lambda: True)
    monkeypatch.setattr("ledger.cli.replay.frame", lambda _review, place: seen.append(place) or ["a table"])
    said = run("replay", CLEAN).output
    assert seen == [0, 1, 0, 0, 0, 17, 17, 17]
    assert "There is no move 999" in said
    assert "No later findings." in said
    assert "Go to move 17: press Enter" in said


def test_ctrl_c_ends_a_replay_quietly(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("click.getchar", interrupted)
    monkeypatch.setattr("click.clear", lambda: None)
    monkeypatch.setattr("ledger.cli.replay._is_terminal", lambda: True)
    assert "Abort" not in run("replay", CLEAN).output


def test_a_progress_bar_appears_after_a_moment_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([0.0, 0.3, 0.9, 1.2, 1.3, 1.4])
    monkeypatch.setattr("ledger.cli.terminal.time.monotonic", lambda: next(now))
    shown: list[int] = []
    monkeypatch.setattr("rich.progress.Progress.start", lambda _bar: shown.append(1))
    monkeypatch.setattr("rich.progress.Progress.stop", lambda _bar: None)
    monkeypatch.setattr("rich.progress.Progress.add_task", lambda *_task, **_fields: 0)
    monkeypatch.setattr("rich.progress.Progress.update", lambda *_task, **_fields: None)
    with terminal.Bar((), "auditing", 10) as bar:
        bar.update(1)
        bar.update(2)
        assert not shown
        for count in (3, 4, 5):
            bar.update(count)
    assert shown == [1]


def test_windows_needs_no_open_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.sqlite"
    file.write_bytes(b"x")
    opened: list[tuple[Path, int]] = []
    original = os.open
    monkeypatch.setattr("ledger.cli.keep.WINDOWS", True)
    monkeypatch.setattr(
        "ledger.cli.keep.os.open", lambda path, flags: opened.append((path, flags)) or original(path, flags)
    )
    keep._bring_to_disk(tmp_path)
    keep._bring_to_disk(file)
    assert opened == [(file, os.O_RDWR)]


def test_serve_opens_a_browser_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    launched: list[str] = []
    monkeypatch.setattr("click.launch", launched.append)
    server = SimpleNamespace(effective_port=8123)
    for host, wanted in (("127.0.0.1", False), ("127.0.0.1", True), ("::1", True)):
        commands._announce(SimpleNamespace(path="a.sqlite"), host, server, in_browser=wanted)
    assert launched == ["http://127.0.0.1:8123/", "http://[::1]:8123/"]


# ---- For shells and programs


def completed(words: list[str], ledger: Path | None = None) -> list[str]:
    """What bash is told when Tab is pressed after these words."""
    env = {**os.environ, "_DOMINO_LEDGER_COMPLETE": "bash_complete", "COMP_CWORD": str(len(words) - 1)}
    env |= {"COMP_WORDS": " ".join(words)} | ({"DOMINO_LEDGER": str(ledger)} if ledger else {})
    code = "from ledger.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_tab_completes_games_clauses_options_and_files() -> None:
    assert completed(["domino-ledger", "new", "zi"]) == ["plain,ziggurat", "plain,zigzag"]
    assert "plain,zigzag.take" in completed(["domino-ledger", "list", "--clause", "zigzag.t"])
    assert completed(["domino-ledger", "list", "--game", "bu"]) == ["plain,build-up"]
    assert completed(["domino-ledger", "import", "fri"]) == ["file,fri"]
    assert completed(["domino-ledger", "audit", "fri"]) == ["file,fri"]
    assert "plain,set=6" in completed(["domino-ledger", "simulate", "zigzag", "-p", "set="])


def test_tab_completes_records_and_players(run, tmp_path: Path) -> None:
    name = run("new", "zigzag", "Ana", "Ben", "Cy").output.strip()
    ledger = tmp_path / "a.sqlite"
    assert completed(["domino-ledger", "show", name[:3]], ledger) == [f"file,{name[:3]}", f"plain,{name}"]
    assert completed(["domino-ledger", "prove", name[:3]], ledger) == [f"plain,{name}"]
    assert completed(["domino-ledger", "confirm", name, "B"], ledger) == ["plain,Ben"]
    assert completed(["domino-ledger", "--ledger", str(ledger), "show", name[:3]])[1:] == [f"plain,{name}"]


def test_bash_completes_files_where_the_command_has_nothing(run) -> None:
    assert "complete -o default" in run("completion", "bash").output


def test_programs_get_json_wherever_something_is_told(run) -> None:
    name = json.loads(run("new", "zigzag", "Ana", "Ben", "Cy", "--json").output)["record"]
    run("record", name, stdin="A bids 12\nundo\n")
    shown = json.loads(run("show", name, "--json").output)
    assert (shown["record"], shown["game"], set(shown["scores"])) == (name, "zigzag", {"p1", "p2", "p3"})
    assert json.loads(run("history", name, "--json").output)["correction"]["type"] == "retract"
    assert json.loads(run("import", CLEAN, "--json").output)["record"]
    whole = json.loads(run("verify", "--json").stdout)
    assert (whole["state"], whole["records"], whole["corruptions"]) == ("intact", 2, [])
    single = json.loads(run("verify", name, "--json").stdout)
    assert (single["name"], single["state"], single["events"]) == (name, "intact", 3)
