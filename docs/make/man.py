"""The manual page, domino-ledger.1, made from what `--help` says of each command.

`python docs/make/man.py` writes it; a test holds it against the commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from ledger import cli

PAGE = Path(__file__).parents[1] / "domino-ledger.1"
NOTHING = ("--help", "--ledger")
"""Options that every command has: the page lists them once, at the top."""


def manual() -> str:
    """The page, in roff for `man`."""
    group = click.Context(cli.cli, info_name="domino-ledger", **cli.cli.context_settings)
    return "\n".join([*_head(group), *_commands(group), *_foot()]) + "\n"


def _head(group: click.Context) -> Iterator[str]:
    yield '.TH DOMINO-LEDGER 1 "" "Domino Ledger" "Domino Ledger"'
    yield ".SH NAME"
    yield r"domino\-ledger \- record domino games, replay them and audit them"
    yield ".SH SYNOPSIS"
    yield r".B domino\-ledger"
    yield r"[\fIoptions\fR] \fIcommand\fR [\fIarguments\fR]"
    yield ".SH DESCRIPTION"
    yield from _text(group.command.help or "")
    yield ".SH OPTIONS"
    yield from _options(group, ("--help",))
    yield from (
        ".TP",
        f".B {_plain('-h, --help')}",
        _plain("Show the help, or after a command the help of that command, and exit."),
    )


def _commands(group: click.Context) -> Iterator[str]:
    yield ".SH COMMANDS"
    assert isinstance(group.command, click.Group)  # noqa: S101  it is ours
    for name in group.command.list_commands(group):
        command = group.command.get_command(group, name)
        assert command is not None  # noqa: S101  it was listed
        context = click.Context(command, info_name=name, parent=group)
        yield f".SS {_plain(f'domino-ledger {name}')}"
        yield f".B {_plain(name)}"
        yield _plain(" ".join(command.collect_usage_pieces(context)))
        yield ".PP"
        yield from _text(command.help or "")
        yield from _options(context, NOTHING)


def _foot() -> Iterator[str]:
    yield ".SH EXIT STATUS"
    for status, meaning in cli.EXIT_STATUSES:
        yield from (".TP", f".B {status}", _plain(meaning))
    yield ".SH ENVIRONMENT"
    yield from (".TP", ".B DOMINO_LEDGER", _plain("The ledger, where --ledger does not name one."))
    yield from (".TP", ".B NO_COLOR", _plain("No colours, whatever it is set to."))


def _options(context: click.Context, but: tuple[str, ...] = ()) -> Iterator[str]:
    for option in context.command.get_params(context):
        record = option.get_help_record(context) if isinstance(option, click.Option) else None
        if record and not any(name in option.opts for name in but):
            yield from (".TP", f".B {_plain(record[0])}", _plain(record[1]))


def _text(text: str) -> Iterator[str]:
    """Paragraphs; one that begins with click's mark keeps its lines, as an example does."""
    for number, paragraph in enumerate(re.split(r"\n\s*\n", cleandoc(text))):
        if number:
            yield ".PP"
        if paragraph.startswith("\b\n"):
            yield from (".nf", *map(_plain, paragraph.removeprefix("\b\n").splitlines()), ".fi")
        else:
            yield _plain(" ".join(paragraph.split()))


def _plain(text: str) -> str:
    """A text that roff prints as it is: no line of it is taken for a command."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.MULTILINE)


if __name__ == "__main__":
    PAGE.write_text(manual(), "utf-8")
