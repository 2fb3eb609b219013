"""What a terminal can show: its width, whether it takes colours, tables, and progress bars."""

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, TypeVar

import click

from ledger.record.visible import cells, padded, visible, visible_lines

if TYPE_CHECKING:
    from rich.console import Console


NARROW = 64
"""Below this many columns a table is shown as blocks, one for each row."""
WIDEST = 100
"""The greatest width of a paragraph, in columns."""
WORD = 16
"""The longest word, in columns of the terminal, that a table never breaks."""
PATIENCE = 1.0
"""Seconds of work before a progress bar appears."""

Thing = TypeVar("Thing")


def takes_styles() -> bool:
    """Whether output may have colours and bold letters: not with NO_COLOR, and not on a dumb terminal."""
    return not os.environ.get("NO_COLOR") and not is_dumb()


def is_dumb() -> bool:
    """Whether the terminal cannot move its cursor."""
    return os.environ.get("TERM") == "dumb"


def shows_bars() -> bool:
    """Whether work that takes long shows a progress bar, which is drawn with control codes."""
    return sys.stderr.isatty() and takes_styles()


def width() -> int:
    """The columns of the terminal."""
    return shutil.get_terminal_size().columns


def echo(text: str = "", *, err: bool = False, nl: bool = True, colour: str | None = None, bold: bool = False) -> None:
    """Prints a text, safe for a terminal.  Commands use it because `click.echo` prints control characters unchanged."""
    safe = visible_lines(text)
    styled = (colour or bold) and takes_styles()
    click.echo(click.style(safe, fg=colour, bold=bold or None) if styled else safe, err=err, nl=nl)  # noqa: TID251  the one place that prints


def paragraph(text: str, indent: str = "") -> None:
    """Prints a text, wrapped and indented on a terminal, and on one line elsewhere."""
    if not sys.stdout.isatty():
        echo(f"{indent}{text}")
        return
    hanging = indent or "  "
    echo(click.wrap_text(visible(text), min(width(), WIDEST), indent, hanging))


def wrapped(lines: Iterable[str]) -> Iterator[str]:
    """The lines; on a terminal, those that are too long for it are wrapped, each with its own indent and two spaces."""
    wide = width() if sys.stdout.isatty() else 0
    for line in lines:
        words = line.lstrip(" ")
        if wide and len(line) > wide:
            indent = " " * (len(line) - len(words))
            yield from click.wrap_text(words, wide, indent, f"{indent}  ").split("\n")
        else:
            yield line


def console(*, err: bool = False) -> "Console":
    """Rich's console, without colours and bold letters if they are not wanted."""
    from rich.console import Console

    return Console(stderr=err, highlight=False, color_system="auto" if takes_styles() else None)


def first_name(name: str) -> str:
    """The first word of a name for a narrow table, cut where it would break a column."""
    from rich.text import Text

    text = Text((name.split() or [name])[0])
    text.truncate(WORD, overflow="ellipsis")
    return text.plain


def table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Prints a table: plain columns if the output is not a terminal, and blocks of lines on a narrow one.

    The first column is never cut or broken: people type its values next.
    """
    shown = [[visible(str(cell)) for cell in row] for row in rows]
    titles = list(columns)
    if not sys.stdout.isatty():
        wide = [max(map(cells, column)) for column in zip(titles, *shown, strict=True)]
        for row in [titles, *shown]:
            echo("  ".join(padded(cell, wide[n]) for n, cell in enumerate(row)).rstrip())
    elif width() < NARROW:
        for row in shown:
            _block(titles, row)
    else:
        _grid(titles, shown)


def _block(titles: Sequence[str], row: Sequence[str]) -> None:
    echo(row[0], bold=True)
    for title, cell in zip(titles[1:], row[1:], strict=True):
        if cell:
            paragraph(f"{title}: {cell}", "    ")


def _grid(titles: Sequence[str], shown: Iterable[Sequence[str]]) -> None:
    from rich import box
    from rich.table import Table

    grid = Table(box=box.SIMPLE if takes_styles() else box.ASCII2, pad_edge=False, show_edge=False)
    rows = [list(row) for row in shown]
    for number, title in enumerate(titles):
        longest = max((cells(word) for row in rows for word in row[number].split()), default=0)
        grid.add_column(title, no_wrap=not number, overflow="fold", min_width=min(WORD, longest))
    for row in rows:
        grid.add_row(*(cell.replace("[", r"\[") for cell in row))
    console().print(grid)


def progress(
    things: Iterable[Thing], work: str, total: int | None = None, done: Callable[[Thing], int] | None = None
) -> Iterator[Thing]:
    """The same things; a terminal shows a progress bar if the work takes longer than a moment.

    `done` says how much of `total` is done after a thing; without it, things are counted.
    """
    if not shows_bars():
        yield from things
        return
    from rich import progress as rich

    count = rich.TaskProgressColumn() if done else rich.MofNCompleteColumn()
    columns = rich.TextColumn("{task.description}"), rich.BarColumn(), count, rich.TimeRemainingColumn(compact=True)
    bar = rich.Progress(*columns, console=console(err=True), transient=True)
    line, begun = bar.add_task(work, total=total), time.monotonic()
    is_shown = False
    with ExitStack() as stack:
        for number, thing in enumerate(things, 1):
            yield thing
            bar.update(line, completed=done(thing) if done else number)
            if not is_shown and time.monotonic() - begun >= PATIENCE:
                stack.enter_context(bar)
                is_shown = True
