"""The score sheet: records as people write them by hand at the table.

    Game: zigzag
    Players: A Ana, B Ben, C Cy

    A bids 12
    B passes
    C passes
    A 2-2

`read` and `write` are for whole sheets, `read_line` and `write_event` for one event, as somebody types it while a
game goes on.  A sheet holds all that a record holds, except when each event was recorded.

Source: the score sheet (docs/score-sheet.md), whose grammar is `sheet.lark`.
"""

# The parser is loaded when something is read, so that a program that only imports this starts at once.
# ruff: noqa: PLC0415

from __future__ import annotations

from ledger.events import AnyEvent, Open
from ledger.record import Record

__all__ = ["letters", "read", "read_line", "write", "write_event"]


def read(text: str | bytes, source: str | None = None) -> Record:
    """The record that this sheet holds.  `source` is the name of its file, for a refusal.

    Raises NotARecord for any text that is no sheet: with `line`, with `field` (``column 7``) and with a `reason` that
    says what was expected there and, where it can be guessed, what was meant.
    """
    from ledger.notation import reader

    return reader.read(text, source)


def read_line(line: str, of: Record | Open, seq: int | None = None) -> AnyEvent:
    """The event that one line says, in the record `of` or after the opening `of`.

    Players go by the letters that `letters(of)` gives them.  If the line is numbered, its number must be `seq`, unless
    that is left out.  Raises NotARecord with `field` (``column 7``) and a `reason`, as `read` does.  What depends on
    the rest of a record (a quoted id of nobody here, a second opening) is left to `codec.admit`.
    """
    from ledger.notation import reader

    return reader.read_line(line, of, seq)


def write(record: Record, *, numbered: bool = False) -> str:
    """The sheet of a record, its lines `numbered` by their seqs for reading aloud.

    ``read(write(record))`` is the record without its recording times, for every record that `codec.check` passes.
    """
    from ledger.notation import writer

    return writer.write(record, numbered=numbered)


def write_event(event: AnyEvent, of: Record | Open) -> str:
    """One event as a line, without its end, in the record `of` or after the opening `of`."""
    from ledger.notation import writer

    return writer.write_event(event, of)


def letters(of: Record | Open) -> dict[str, str]:
    """By letter, the id of each player of a record or an opening, in the order of their seats."""
    from ledger.notation.seats import letters_of

    return {letter: player.id for letter, player in letters_of(of).players.items()}
