"""The score sheet: records as people write them by hand at the table.

    Game: zigzag
    Players: A Ana, B Ben, C Cy

    A bids 12
    B passes
    C passes
    A 2-2

`read` and `write` handle whole sheets; `read_line` and `write_event` handle single events, typed during a game.  A
sheet contains everything in a record except the recording times.

Most programs read no sheet: where one may, the function that does imports this package.

Source: the score sheet, docs/score-sheet.md, which also has the grammar.
"""

from ledger.notation.reader import locate, read, read_line
from ledger.notation.setting import letters
from ledger.notation.writer import write, write_event

__all__ = ["letters", "locate", "read", "read_line", "write", "write_event"]
