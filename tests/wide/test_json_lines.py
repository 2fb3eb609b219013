"""What each command prints with `--json` is what its type and its schema say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
import pytest
from jsonschema import Draft202012Validator

from command_output import output_of, run_in
from ledger.cli import cli
from ledger.cli.json_shapes import commands, schema_of, shapes_of
from ledger.examples.season import season
from ledger.keep.recorder import Recorder
from ledger.keep.stored_audits import refresh
from ledger.record import codec
from ledger.stores.sqlite import SqliteStore

ROOT = Path(__file__).parents[2]
CORRECTED = next(example.id for example in season() if any(type(e).__name__ == "Amend" for e in example.record.events))
EVENT = next(example.record.opening.event for example in season() if example.record.opening.event)
RUNS: dict[str, list[tuple[str, ...]]] = {
    "new": [("zigzag", "Ana", "Ben", "Cy")],
    "card": [("zigzag", "Ana=101", "Ben=71", "Cy=88"), ("Mexican Train", "Ana=12", "Ben=40", "--winner", "Ana")],
    "import": [("scores.csv",), ("more.ndjson",), ("games.ndjson", "bad.json")],
    "list": [(), ("--game", "zigzag")],
    "show": [(CORRECTED,), (CORRECTED, "--at", "5"), ("games.ndjson:2",)],
    "story": [(CORRECTED,)],
    "history": [(CORRECTED,)],
    "void": [(CORRECTED, "--why", "a test"), (CORRECTED, "--undo")],
    "audit": [(), ("more.ndjson",), ("--explain", "faulty.ndjson"), ("--rulings", "all", "more.ndjson")],
    "verify": [(), (CORRECTED,), ("games.ndjson",), ("faulty.ndjson", "--fingerprint", "0000-0000-0000-0000-0000")],
    "games": [(), ("zigzag",)],
    "clauses": [(), ("zigzag",)],
    "players": [(), ("--rating",), ("renamed",)],
    "player": [(season()[0].record.opening.players[0].name or "",)],
    "statistics": [(), ("zigzag",), ("domino-ziggurat",), ("ziggurat", "games.ndjson")],
    "standings": [(), (EVENT or "",)],
    "schedule": [("Ana", "Ben", "Cy"), ("--game", "zigzag", "A", "B", "C", "D", "E", "F")],
}
"""Every command with `--json`, with what is typed before that."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with the season of the made-up club, and some files."""
    folder = tmp_path_factory.mktemp("club")
    lines = [codec.encode(example.record) + b"\n" for example in season()]
    (folder / "games.ndjson").write_bytes(b"".join(lines))
    (folder / "scores.csv").write_text("day,game,player,score\n2026-11-20,zigzag,Ana,101\n2026-11-20,zigzag,Ben,71\n")
    (folder / "bad.json").write_text("{}")
    run_in(folder, "simulate", "zigzag", "--seed", "3", "--count", "2", "-o", "more.ndjson")
    run_in(folder, "simulate", "build-up", "--seed", "3", "--faults", "build-up.score", "-o", "faulty.ndjson")
    with SqliteStore(folder / "domino-ledger.sqlite") as store:
        for example in season():
            Recorder(store).import_record(example.record, example.id)
        for _ in refresh(store):
            pass
    run_in(folder, "players", "rename", season()[0].record.opening.players[1].name, "Somebody Else")
    return folder


def with_json() -> Iterator[str]:
    """The commands that have the option, by what click knows."""
    context = click.Context(cli, **cli.context_settings)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        if any("--json" in option.opts for option in command.params) and name != "export":
            yield name


def test_every_command_with_json_has_a_shape_and_is_run_here() -> None:
    assert sorted(with_json()) == sorted(commands()) == sorted(RUNS)


@pytest.mark.parametrize("command", RUNS)
def test_each_line_is_what_its_type_and_its_schema_say(
    folder: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.club.ratings.LEAST", 1)  # a season has too few games for ratings
    types, validator = shapes_of(command), Draft202012Validator(schema_of(command))
    Draft202012Validator.check_schema(schema_of(command))
    matched = set[str]()
    for arguments in RUNS[command]:
        result = run_in(folder, command, *arguments, "--json")
        lines = result.stdout.splitlines()
        assert lines, result.stderr
        for line in lines:
            validator.validate(json.loads(line))
            matched |= {shape for shape, type_ in types.items() if is_line_of(line, type_)}
            assert matched, line
    assert matched == set(types)


def is_line_of(line: str, type_: type[msgspec.Struct]) -> bool:
    """Whether the line has exactly the fields of this type: what it does not know would be lost."""
    try:
        value = msgspec.json.decode(line, type=type_)
    except msgspec.ValidationError:
        return False
    return bool(json.loads(msgspec.json.encode(value)) == json.loads(line))


def test_the_schema_of_a_command_is_printed_and_of_others_refused() -> None:
    assert json.loads(output_of("schema", "list")) == schema_of("list")
    assert "serve prints no JSON; these do: new, card" in output_of("schema", "serve", code=2)
