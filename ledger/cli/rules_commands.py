"""`games`, `clauses` and `schema`."""

from typing import Any

import click
import msgspec

from ledger.audit.review import clauses
from ledger.audit.rule_book import clause_views, game_view
from ledger.cli.ledger_access import echo_json
from ledger.cli.shared_options import ANY_GAME
from ledger.cli.terminal import echo, paragraph, table
from ledger.games import catalog
from ledger.record.json_schema import schema
from ledger.record.words import format_value
from ledger.rules.game import Game, Option


@click.command("games")
@ANY_GAME
@click.option("--json", "as_json", is_flag=True, help="One JSON object per game.")
def games_(game: str | None, *, as_json: bool) -> None:
    """List the games, or show GAME: its editions and options; the default of each option comes first.

    \b
    Examples:
      domino-ledger games
      domino-ledger games zigzag
    """
    for game_ in [catalog.find(game)] if game else catalog.games():
        if as_json:
            echo_json(game_view(game_, game_))
        else:
            _show(game_)


def _show(game: Game[Any]) -> None:
    editions = f", editions {' and '.join(game.editions)}" if game.editions else ""
    rules = f"; rules {', '.join(g.revision for g in game.revisions)}" if game.earlier else ""
    paragraph(f"{game.name}: {game.title} ({game.author}{editions}), for {game.seats}{rules}")
    rows = [(f"  {option.name}", option.kind, _values(option), option.meaning) for option in game.options]
    table(("  option", "kind", "values", "meaning"), rows)
    echo()


def _values(option: Option) -> str:
    """The values of an option, its default first; or its default, and what else it accepts."""
    if option.accepts:
        return f"{format_value(option.values[0])}; {option.accepts}"
    return " | ".join(format_value(value) for value in option.values)


@click.command("clauses")
@ANY_GAME
@click.option("--rules", metavar="REVISION", help="The revision to show (default: the newest).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per clause.")
def clauses_(game: str | None, rules: str | None, *, as_json: bool) -> None:
    """Show the rules of GAME (by default all games), clause by clause.

    \b
    Examples:
      domino-ledger clauses zigzag
      domino-ledger clauses zigzag --rules 1
    """
    if rules and not game:
        raise click.UsageError("--rules needs a game, as in `clauses zigzag --rules 1`")
    named = [catalog.find(game)] if game else catalog.games()
    for game_ in [game_.under(rules) for game_ in named] if rules else named:
        if as_json:
            for view in clause_views(game_):
                echo_json(view)
            continue
        echo(game_.title + (f", revision {game_.revision} of the rules" if game_.earlier or rules else ""))
        for clause in clauses(game_):
            echo(f"  {clause.id}", bold=True)
            paragraph(clause.meaning, "    ")
        echo()


@click.command("schema")
def schema_() -> None:
    """Print the JSON Schema of a record, made from the types that read it.

    \b
    Example:
      domino-ledger schema > record.schema.json
    """
    echo(msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode())
