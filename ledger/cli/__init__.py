"""The command `domino-ledger`.  Each command is imported only when it runs.

Other packages, such as the viewer, add commands with entry points in the group `domino_ledger.commands`.
"""

import os
import signal
import sys
from copy import copy
from functools import cache
from importlib import import_module
from io import TextIOWrapper
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


import click

from ledger import __version__
from ledger.cli.exits import FAULT, FINDING, MISSING, REFUSED, STOPPED, Refused, refusal, status_of
from ledger.record.errors import LedgerError
from ledger.record.visible import visible_lines

SECTIONS = {
    "Record a game": {
        "new": ("ledger.cli.import_commands", "Begin a game: open a record and print its id."),
        "record": ("ledger.cli.record_command", "Record a game at the keyboard, one line per move."),
        "card": ("ledger.cli.card_commands", "Enter a game known only by its scores."),
        "import": ("ledger.cli.import_commands", "Import records from files."),
        "export": ("ledger.cli.import_commands", "Export records as score sheets or JSON."),
    },
    "Look at games": {
        "list": ("ledger.cli.list_commands", "List and search records."),
        "show": ("ledger.cli.list_commands", "Draw the table, at the end or at any move."),
        "replay": ("ledger.cli.list_commands", "Step through a game with the arrow keys."),
        "story": ("ledger.cli.list_commands", "Tell a game in the moments that mattered."),
        "history": ("ledger.cli.list_commands", "Show who corrected what, when and why."),
    },
    "Ask about the club": {
        "players": ("ledger.cli.club_commands", "List the players; merge names."),
        "player": ("ledger.cli.club_commands", "Show a player's results."),
        "statistics": ("ledger.cli.club_commands", "Show statistics of the games."),
        "standings": ("ledger.cli.club_commands", "Show who is ahead in an event."),
        "schedule": ("ledger.cli.club_commands", "Plan who plays whom."),
    },
    "Check them against the rules": {
        "audit": ("ledger.cli.audit_command", "Check records against the rules."),
        "games": ("ledger.cli.rules_commands", "List the games and their options."),
        "clauses": ("ledger.cli.rules_commands", "Show the rules, clause by clause."),
        "simulate": ("ledger.cli.simulate_commands", "Simulate whole games from a seed."),
    },
    "Show that nothing was altered": {
        "verify": ("ledger.cli.verify_commands", "Check that nothing was altered or lost."),
        "confirm": ("ledger.cli.verify_commands", "Record that a player agrees."),
    },
    "Look after the ledger": {
        "backup": ("ledger.cli.keeping_commands", "Back up the ledger, even while it is in use."),
        "restore": ("ledger.cli.keeping_commands", "Restore the ledger from a backup."),
        "recover": ("ledger.cli.recover_command", "Get a lost ledger back from the phones."),
        "copy": ("ledger.cli.keeping_commands", "Copy the ledger to another file."),
        "repair": ("ledger.cli.keeping_commands", "Rebuild the list and the audits."),
        "migrate": ("ledger.cli.keeping_commands", "Upgrade a ledger that an older version made."),
        "void": ("ledger.cli.club_commands", "Set a game aside, or bring it back."),
        "forget": ("ledger.cli.keeping_commands", "Erase a player's name."),
    },
    "For programs": {
        "schema": ("ledger.cli.rules_commands", "Print the JSON Schema of a record."),
    },
}
"""The commands of the ledger itself, by section of the help: module and short help.  The help imports none of them."""
COMMANDS = {name: entry for section in SECTIONS.values() for name, entry in section.items()}
"""The same, by name."""
WITHOUT_LEDGER = ("schedule", "games", "clauses", "simulate", "schema", "demo")
"""Commands that never open the ledger.  They accept --ledger too, but their help does not show it."""
ELSEWHERE = {
    "rename": "players rename",
    "merge": "players merge",
    "split": "players split",
    "undo": "void --undo",
    "delete": "void",
    "remove": "void",
    "csv": "export --csv",
    "search": "list",
}
"""Where people find what they look for under another name."""
GROUP = "domino_ledger.commands"
"""The group of entry points for further commands."""
EXIT_STATUSES = (
    ("0", "All is well."),
    (str(FINDING), "The answer is no: a breach of the rules, corruption, a difference."),
    (str(REFUSED), "Something typed, or some input, cannot be used."),
    (str(MISSING), "A ledger, a record or a file is not there, or cannot be opened."),
    (str(STOPPED), "You stopped it."),
)
LEDGER = click.Path()
"""Shells complete it as a file."""


@cache
def plugins() -> "dict[str, EntryPoint]":
    """The commands of other packages, by name, not loaded yet."""
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in COMMANDS}


class Lazy(click.Group):
    """A group that imports a command when it runs, and turns the project's errors into one line."""

    def main(self, *args: Any, **options: Any) -> Any:
        """Runs the command line.  Nothing that is printed or typed can fail because of its characters."""
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="surrogateescape")  # what it cannot decode is refused with its place
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        return super().main(*args, **options)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        """The commands in the order of the help's sections, then those of other packages."""
        return [*COMMANDS, *plugins()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of that name, imported; it accepts --ledger as the group does."""
        if cmd_name in COMMANDS:
            command: click.Command = getattr(import_module(COMMANDS[cmd_name][0]), f"{cmd_name}_")
        elif cmd_name in plugins():
            command = plugins()[cmd_name].load()
        else:
            return None
        return _with_ledger(command, hidden=cmd_name in WITHOUT_LEDGER)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Refuses an unknown command, and suggests another; `help` and `version` mean the options of those names."""
        from difflib import get_close_matches

        if args in (["help"], ["version"]):
            from ledger.cli.terminal import echo

            echo(ctx.get_help() if args == ["help"] else f"domino-ledger, version {__version__}")
            ctx.exit()
        if args[0] == "help":
            args = [args[1], "--help"]
        if args and not args[0].startswith("-") and args[0] not in COMMANDS and args[0] not in plugins():
            close = [ELSEWHERE.get(args[0]), *get_close_matches(args[0], self.list_commands(ctx), n=1)]
            meant = next(filter(None, close), None)
            advice = f" Did you mean {meant}?" if meant else " See domino-ledger --help."
            raise click.UsageError(f"There is no command {args[0]!r}.{advice}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The commands by section, then the exit statuses.  It imports none of the ledger's own."""
        sections = {title: [(name, short) for name, (_, short) in rows.items()] for title, rows in SECTIONS.items()}
        if plugins():
            sections["Serve it to others"] = [(name, _short_help(entry)) for name, entry in plugins().items()]
        wide = max(len(name) for rows in sections.values() for name, _short in rows)
        for title, rows in sections.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(wide), short) for name, short in rows])
        with formatter.section("Exit status"):
            formatter.write_dl(EXIT_STATUSES)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command; an error meant for people becomes one line and the exit status for it.

        A fault that the command reported before it went on also counts for the status (see `ledger.cli.exits`).
        """
        try:
            result = super().invoke(ctx)
        except click.exceptions.Exit as ended:
            fault = ctx.meta.get(FAULT, 0)
            ctx.exit(fault if fault == MISSING or not ended.exit_code else ended.exit_code)
        except (KeyboardInterrupt, click.Abort) as error:
            click.echo("" if isinstance(error, KeyboardInterrupt) else "Cancelled: nothing was changed.", err=True)  # noqa: TID251  a constant
            ctx.exit(STOPPED)
        except BrokenPipeError:
            # The reader of the output is gone, and Python must not complain when it flushes.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except (LedgerError, OSError) as error:
            from ledger.cli.ledger_access import sentences

            raise refusal(error, sentences(error)) from None
        except OverflowError as error:
            if "timestamp" not in str(error):
                raise
            raise Refused("the clock of this machine is past the year 2262: set it") from error
        except click.ClickException as error:
            vars(error)["message"] = visible_lines(error.message)
            vars(error)["exit_code"] = status_of(error)
            raise
        if ctx.meta.get(FAULT):
            ctx.exit(ctx.meta[FAULT])
        return result


def _with_ledger(command: click.Command, *, hidden: bool) -> click.Command:
    """The command, and those within it, with `--ledger`, which overrides one before the command."""

    def take(ctx: click.Context, _option: click.Parameter, value: str | None) -> None:
        if value is not None:
            ctx.obj = value

    text = "The file with the ledger."
    option = click.Option(
        ["--ledger"], type=LEDGER, callback=take, expose_value=False, help=text, hidden=hidden, metavar="LEDGER"
    )
    command = copy(command)
    command.params = [*command.params, option]
    if isinstance(command, click.Group):
        command.commands = {name: _with_ledger(part, hidden=hidden) for name, part in command.commands.items()}
    return command


def _short_help(entry: "EntryPoint") -> str:
    try:
        command: click.Command = entry.load()
    except Exception as error:  # noqa: BLE001  a broken package must not break the help
        return f"cannot be loaded: {error}"
    return command.get_short_help_str(60)


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="domino-ledger")
@click.option(
    "--ledger",
    "path",
    type=LEDGER,
    metavar="LEDGER",
    envvar="DOMINO_LEDGER",
    show_envvar=True,
    default="domino-ledger.sqlite",
    show_default=True,
    help="The file with the ledger.",
)
@click.pass_context
def cli(ctx: click.Context, path: str) -> None:
    """Records domino games, replays them move by move, and audits them.

    A RECORD is an id in the ledger (or the beginning of one), or a file: FILE, or FILE:LINE in an archive.  You can
    put --ledger before or after a command.

    \b
    Examples:
      domino-ledger simulate zigzag --seed 7 -o game.ndjson
      domino-ledger audit game.ndjson
      domino-ledger import game.ndjson && domino-ledger list
    """
    ctx.obj = path


def main() -> None:
    """The console script.  SIGTERM ends it like any error, so that it leaves no half-written file."""
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    columns = get_terminal_size().columns
    # Click itself wraps no help to fewer than 50 columns.
    cli(prog_name="domino-ledger", terminal_width=columns - 2 if columns < 52 else None)
