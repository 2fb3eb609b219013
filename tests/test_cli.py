"""The command line as users type it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from golden import CASES, FIXTURES
from ledger.cli import COMMANDS, _short_help, cli, plugins
from ledger.cli.ledger_access import resolve
from ledger.cli.shared_options import typed_options
from ledger.games.catalog import find
from ledger.keep.sources import items
from ledger.record import codec
from ledger.record.errors import UnknownRecord
from ledger.record.events import Open, Player
from ledger.record.json_schema import schema
from temporary import TemporaryStore

ZIGZAG = FIXTURES / "zigzag"
BROKEN = str(ZIGZAG / "win-broken.json")
CLEAN = str(ZIGZAG / "option-set-6.json")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """Runs the command on a new ledger."""
    monkeypatch.delenv("DOMINO_LEDGER", raising=False)

    def run_(*arguments: str, stdin: str | bytes | None = None, code: int | None = 0) -> Result:
        result = CliRunner().invoke(cli, ["--ledger", str(tmp_path / "a.sqlite"), *arguments], input=stdin)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert code is None or result.exit_code == code, result.output
        return result

    return run_


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


def test_a_line_that_is_not_a_record_is_reported_and_the_rest_goes_on(run, tmp_path: Path) -> None:
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


def test_a_whole_ledger_goes_into_a_compressed_archive_and_back(run, tmp_path: Path) -> None:
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
def test_click_completes_in_each_shell(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
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
