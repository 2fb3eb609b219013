"""`completion`, and what Tab offers: files, games, options of games, clauses, records and players."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem, get_completion_class

from ledger.cli.terminal import echo
from ledger.games import catalog
from ledger.record.errors import LedgerError
from ledger.record.words import format_value
from ledger.stores import open_ledger, there_is
from ledger.stores.query import Query, Row

BASH = (
    # If the command offers nothing, bash completes files.
    ("complete -o nosort", "complete -o default -o nosort"),
    # What it offers may have spaces, or letters that mean something to bash, unless the person began with a quote.
    ("read type value", "read -r type value"),
    (
        "COMPREPLY+=($value)",
        """[[ $2 == [\\"\\']* ]] || printf -v value %q "$value"
            COMPREPLY+=("$value")""",
    ),
)
"""What click's script for bash lacks."""
MOST = 200
"""Tab offers the ids and players of this many records, the newest."""


def games(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The games that begin with the typed text."""
    return _beginning(incomplete, catalog.names())


def clauses(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The clauses that begin with the typed text: those of the game typed before, or of all games."""
    typed = _game(ctx)
    games_ = [catalog.find(typed)] if typed in catalog.names() else catalog.games()
    return _beginning(incomplete, sorted({clause.id for game in games_ for clause in game.clauses}))


def options(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """``NAME=VALUE`` for the options of the game typed before that begin with the typed text."""
    typed = _game(ctx)
    if typed not in catalog.names():
        return []
    game_options = catalog.find(typed).options
    texts = (f"{option.name}={format_value(value)}" for option in game_options for value in option.values)
    return _beginning(incomplete, (text for text in texts if " " not in text))


def _game(ctx: click.Context) -> str:
    """The game that was typed.  While an option still needs its value, click has not sorted the arguments."""
    return str(ctx.params.get("game") or next(iter(ctx.args), ""))


def records(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The ids that begin with the typed text; otherwise the shell completes files."""
    # The shells' scripts start over when they read about a file, so it comes first.
    ids = _beginning(incomplete.lower(), (row.id for row in _rows(ctx)), [_described(row) for row in _rows(ctx)])
    return [CompletionItem(incomplete, type="file"), *ids]


def files(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Lets the shell complete files."""
    return [CompletionItem(incomplete, type="file")]


def game_or_files(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The games that begin with the typed text; otherwise the shell completes files."""
    return [*files(ctx, parameter, incomplete), *games(ctx, parameter, incomplete)]


def ids(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The ids of the ledger's records that begin with the typed text."""
    return records(ctx, _parameter, incomplete)[1:]


def players(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The players of the record typed before, or of the newest records."""
    typed = ctx.params.get("record")
    rows = [row for row in _rows(ctx) if not isinstance(typed, str) or row.id.startswith(typed.lower())]
    return _beginning(incomplete, dict.fromkeys(name for row in rows for _id, name in row.players if name))


def events(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The events of the newest records."""
    return _beginning(incomplete, dict.fromkeys(row.event for row in _rows(ctx) if row.event))


def _beginning(incomplete: str, words: Iterable[str], helps: Iterable[str | None] = ()) -> list[CompletionItem]:
    described = list(helps)
    return [
        CompletionItem(word, help=described[place] if described else None)
        for place, word in enumerate(words)
        if word.casefold().startswith(incomplete.casefold())
    ]


def _described(row: Row) -> str:
    return ", ".join([row.game, *(name for _id, name in row.players)])


def _rows(ctx: click.Context) -> list[Row]:
    """The newest records of the ledger.  Tab hides errors: the command itself will show them."""
    path = ctx.obj or ctx.find_root().params.get("path") or ""
    try:
        if not there_is(path):
            return []
        with open_ledger(path) as store:
            return list(store.find(Query(limit=MOST)))
    except (LedgerError, OSError):
        return []


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL.  Tab then completes commands, files, games, rules, records and players.

    \b
    Examples:
      eval "$(domino-ledger completion bash)"
      domino-ledger completion fish > ~/.config/fish/completions/domino-ledger.fish
    """
    completer = get_completion_class(shell)
    assert completer is not None  # noqa: S101  click knows all three
    script = completer(ctx.find_root().command, {}, "domino-ledger", "_DOMINO_LEDGER_COMPLETE").source()
    for old, new in BASH if shell == "bash" else ():
        script = script.replace(old, new)
    echo(script)
