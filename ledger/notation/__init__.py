"""The score sheet: records as people write them by hand at the table.

    Game: zigzag
    Players: A Ana, B Ben, C Cy

    A bids 12
    B passes
    C passes
    A 2-2

`read` and `write` handle whole sheets; `read_line` and `write_event` handle single events, typed during a game.  A
sheet contains everything in a record except the recording times.

Source: the score sheet, docs/score-sheet.md, which also has the grammar.

Most programs read no sheet, so each function here imports what it needs.
"""

from __future__ import annotations

from ledger.record.errors import NotARecord
from ledger.record.events import AnyEvent, Open
from ledger.record.record import Record
from ledger.record.squares import Squares

__all__ = ["letters", "locate", "read", "read_line", "write", "write_event"]


def read(text: str | bytes, source: str | None = None) -> Record:
    """Reads a sheet.  `source` is the file name, for errors.

    Raises NotARecord for any other text, with `line`, `field` (``column 7``) and a `reason` that says what was expected
    and, if possible, suggests what was meant.  Its `others` are the mistakes on the lines below.
    """
    from ledger.notation import reader

    return reader.read(text, source)


def locate(text: str | bytes, error: NotARecord) -> NotARecord:
    """The error of a game about a field of an event in this sheet, with its line and column."""
    from ledger.notation import reader

    return reader.locate(text, error)


def read_line(
    line: str, of: Record | Open, seq: int | None = None, squares: Squares | None = None, turn: str | None = None
) -> AnyEvent:
    """The event in one line, in the record `of` or after the opening `of`.

    Players have the letters in `letters(of)`, squares the names in `squares`, or else those that the record alone
    gives.  If the line is numbered and `seq` is given, the number must be `seq`.  An act without a letter (``5-1 on
    4``) is that of the player with the id `turn`.  Raises NotARecord with `field` (``column 7``) and a `reason`, like
    `read`.  `codec.admit` checks the rest (an unknown quoted id, a second opening).
    """
    from ledger.notation import reader

    return reader.read_line(line, of, seq, squares, turn)


def write(record: Record, *, numbered: bool = False, squares: Squares | None = None) -> str:
    """The sheet of a record; with `numbered`, each line has its seq, for reading aloud.

    `squares` are the names of the squares (all pages use `Review.squares`); by default they are counted from the corner
    of all placements.

    ``read(write(record))`` is the record without its recording times, for every record that `codec.check` passes.
    """
    from ledger.notation import writer

    return writer.write(record, numbered=numbered, squares=squares)


def write_event(event: AnyEvent, of: Record | Open, squares: Squares | None = None) -> str:
    """One event as a line, without its end, in the record `of` or after the opening `of`."""
    from ledger.notation import writer

    return writer.write_event(event, of, squares)


def letters(of: Record | Open) -> dict[str, str]:
    """The id of each player of a record or an opening by letter, in the order of seats."""
    from ledger.notation.setting import letters_of

    return {letter: player.id for letter, player in letters_of(of).players.items()}
