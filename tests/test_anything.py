"""Any input to a command: the answer is a sentence, never a traceback."""

import os
import shutil
from collections.abc import Iterator
from random import Random

import click
import pytest
from click.testing import CliRunner

from ledger.cli import cli

SEED = 2026
ROUNDS = int(os.environ.get("DOMINO_MUTATIONS", "100"))
ANEW = 50
"""After this many commands the next ones get a fresh folder, because what was imported would slow them down."""
WAITING = {"serve", "demo", "record"}
"""Commands that run until they are interrupted."""

NAMES = (
    "", ".", "-", "z.ndjson", "z.ndjson:1", "z.ndjson:99", "z.ndjson:x", "g.ndjson.zst", "g.ndjson.zst:1", "one.sheet",
    "one.json", "bytes", "folder", "empty", "x.zst", "bare.json", "club.sqlite", "copy.sqlite", "no/where", "%", "[",
)  # fmt: skip
WORDS = (
    "0", "-1", "1", "5", "9" * 21, "1e9", "é", "\udcff", "a=b", "zigzag", "build-up", "any", "Ana", "Ben", "x" * 300,
    "2026-02-31", "2020-01-01", "clean", "breach", "zigzag.turn", "fish", "\n",
)  # fmt: skip


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command that ends by itself."""
    with click.Context(cli, **cli.context_settings) as context:
        for name in cli.list_commands(context):
            command = cli.get_command(context, name)
            assert command is not None
            if name not in WAITING:
                yield name, command


def random_arguments(command: click.Command, words: tuple[str, ...], random: Random) -> Iterator[str]:
    """Arguments and options as typed by somebody who knows only their names."""
    for parameter in command.params:
        if not isinstance(parameter, click.Option):
            yield from random.choices(words, k=1 if parameter.nargs == 1 else random.randrange(4))
        elif not {"--cluster", "--count"} & {*parameter.opts} and random.random() < 0.25:
            yield random.choice(parameter.opts)
            if not parameter.is_flag and parameter.flag_value is None:
                from_choices = isinstance(parameter.type, click.Choice) and random.random() < 0.8
                yield random.choice(tuple(map(str, parameter.type.choices)) if from_choices else words)  # type: ignore[attr-defined]


@pytest.fixture
def ids(tmp_path, monkeypatch) -> tuple[str, ...]:
    """A folder with a file of each kind, and the ids in its ledger."""
    monkeypatch.chdir(tmp_path)
    for line in (
        "simulate zigzag --count 3 -p hands=1 -o z.ndjson",
        "simulate ziggurat --count 2 --faults any -o g.ndjson.zst",
        "--ledger club.sqlite import z.ndjson g.ndjson.zst",
        "export z.ndjson:1 --sheet -o one.sheet",
        "export z.ndjson:1 --json -o one.json",
        "--ledger club.sqlite backup copy.sqlite",
    ):
        assert CliRunner().invoke(cli, line.split()).exit_code == 0
    (tmp_path / "folder").mkdir()
    for name, text in (
        ("bytes", Random(SEED).randbytes(300)),
        ("empty", b""),
        ("x.zst", b"nonsense"),
        ("bare.json", b"{}"),
    ):
        (tmp_path / name).write_bytes(text)
    listing = CliRunner().invoke(cli, ["--ledger", "club.sqlite", "list"]).output
    return tuple(line.split()[0] for line in listing.splitlines()[1:] if line)


def test_any_input_is_answered_with_a_sentence(ids: tuple[str, ...], tmp_path, tmp_path_factory, monkeypatch) -> None:
    random, all_commands = Random(SEED), list(commands())
    for number in range(ROUNDS):
        if number % ANEW == 0:
            monkeypatch.chdir(shutil.copytree(tmp_path, tmp_path_factory.mktemp("anew") / "folder"))
        name, command = random.choice(all_commands)
        ledger = random.choice(
            ["club.sqlite"] * 6 + ["copy.sqlite", "none.sqlite", "z.ndjson", "folder", "empty", "bytes", ""]
        )
        line = ["--ledger", ledger, name, *random_arguments(command, (*NAMES, *WORDS, *ids * 3), random)]
        result = CliRunner().invoke(cli, line, input=random.choice([None, "", '{"a"', "nonsense\n"]))
        assert result.exception is None or isinstance(result.exception, SystemExit), (SEED, line)
