"""Arguments and options of several commands, and their checks."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import NoneType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

import click

from ledger.cli.output_files import refuse_overwrite
from ledger.games.catalog import titled
from ledger.record import clock
from ledger.record.words import did_you_mean, is_day, listed_or, read_day
from ledger.rules.game import Game
from ledger.stores.query import FILTERS, Query

F = TypeVar("F", bound=Callable[..., Any])


class _Game(click.ParamType):  # type: ignore[type-arg]  # as below
    name = "game"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002
        """The tag of a game that is named by its tag or its title; other text as it is."""
        return titled(value) or value


GAME = click.argument("game", type=_Game())
ANY_GAME = click.argument("game", type=_Game(), required=False)
GAME_AND_FILES = click.argument("things", nargs=-1, type=_Game(), metavar="[GAME] [FILE]...")
RECORD = click.argument("record", type=click.Path())
RECORDS = click.argument("records", nargs=-1, type=click.Path())
JSON = click.option("--json", "as_json", is_flag=True, help="JSON, for programs.")
OPTIONS = click.option(
    "-p",
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game (repeatable); `domino-ledger games GAME` lists them.",
)
PLAYERS = click.option(
    "--players", type=click.IntRange(1, 26), help="The number of players (default: the fewest possible)."
)
FILE = click.Path(dir_okay=False, path_type=Path)


def output(what: str) -> Callable[[F], F]:
    """The option `-o`, the file to write; `what` says in the help what that is."""
    return click.option("-o", "--output", type=FILE, help=what)


class _Day(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.3 on
    name = "day"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002
        """The same day, if it exists; also ``today`` and ``yesterday``.  Raises click.UsageError."""
        if value in ("today", "yesterday"):
            return (clock.today() - timedelta(days=value == "yesterday")).isoformat()
        days = (value,) if is_day(value) else read_day(value)
        if len(days) > 1:
            raise click.UsageError(f"{value!r} could be {' or '.join(days)}: write it like that", ctx)
        if not days:
            raise click.UsageError(f"there is no day {value!r}: write it as in 2026-11-20", ctx)
        return days[0]


DAY = _Day()
YES = click.option("--yes", is_flag=True, help="Keep a day that has not come yet, without a question.")


def filters(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command an option for each filter of the list: its values and its meaning are those in `Query`."""
    hints = get_type_hints(Query, include_extras=True)
    for name in reversed(FILTERS):
        optional, meta = get_args(hints[name])
        (kind,) = (kind for kind in get_args(optional) if kind is not NoneType)
        words: dict[str, Any] = {"help": meta.description}
        if get_origin(kind) is Literal:
            words["type"] = click.Choice(get_args(kind))
        elif "date" in str(get_args(kind)):
            words |= {"type": DAY, "metavar": "DAY"}
        command = click.option(f"--{name}", **words)(command)
    return command


class Count(click.IntRange):
    """A number that a ledger can count to.  The help does not show the limit."""

    def __init__(self, least: int = 1) -> None:
        super().__init__(least, 1_000_000_000)

    def _describe_range(self) -> str:
        return f"x>={self.min}"


def only_one(flags: dict[str, bool]) -> str | None:
    """The flag that is set, without its dashes.  Raises click.UsageError for two that contradict each other."""
    set_flags = [name for name, is_set in flags.items() if is_set]
    if len(set_flags) > 1:
        raise click.UsageError(f"--{set_flags[0]} and --{set_flags[1]} contradict each other: choose one")
    return set_flags[0] if set_flags else None


def form_of(target: Path, forms: dict[str, tuple[str, ...]], flag: str | None = None) -> str | None:
    """The format of a file, by the end of its name; a pipe can have any.

    `forms` has the ends of each format.  Raises click.UsageError for another end, or one that contradicts `flag`.
    """
    if target.exists() and not target.is_file():
        return flag
    name = target.name.lower()
    form = next((form for form, ends in forms.items() if name.endswith(ends)), None)
    if form is None:
        refuse_overwrite(target)  # if it is a ledger, say that rather than complain about its name
        ends = listed_or([end for form, ends in forms.items() if flag in (None, form) for end in ends])
        raise click.UsageError(f"the name of {target} does not show its format: it should end in {ends}")
    if flag is not None and form != flag:
        raise click.UsageError(f"--{flag} contradicts the name {target}: end it in {listed_or(forms[flag])}")
    return form


def typed_options(texts: tuple[str, ...], game: Game[Any]) -> dict[str, Any]:
    """Parses typed options of a game: ``set=6``, ``cut_up=true``, ``target=none``, ``hands=6/6/4``.

    Raises click.UsageError for one that the game does not have.
    """
    values, names = {}, [option.name for option in game.options]
    for part in (option for text in texts for option in text.split(",")):
        name, equals, value = part.partition("=")
        if not equals:
            raise click.UsageError(f"write an option as name=value, not {part!r}")
        if name.strip() not in names:
            advice = did_you_mean(name.strip(), names) or f"; it has {', '.join(names)}"
            raise click.UsageError(f"{game.title} has no option {name.strip()!r}{advice}")
        values[name.strip()] = _value(value.strip())
    return values


def _value(text: str) -> Any:
    if text.lower() in ("true", "false", "none", "null"):
        return {"true": True, "false": False}.get(text.lower())
    if text.lstrip("-").isdigit():
        return int(text)
    if "/" in text and all(part.isdigit() for part in text.split("/")):
        return tuple(int(part) for part in text.split("/"))
    return text


def server_address(address: str) -> str:
    """The address that links begin with.  Raises click.UsageError for one that browsers cannot open."""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        usable = usable and not (parts.query or parts.fragment or any(map(str.isspace, address)))
    except ValueError:
        usable = False
    if not usable:
        raise click.UsageError(f"--address is like http://192.168.1.5:8000 or https://domino.example, not {address!r}")
    return address.rstrip("/")
