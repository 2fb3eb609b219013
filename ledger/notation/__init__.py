"""The score sheet: records as people write them by hand at the table, one notation for all five games.

`docs/score-sheet.md` is its specification.  A sheet holds everything that a record holds but the times of recording.
"""

from __future__ import annotations

from ledger.notation.reader import read, read_line
from ledger.notation.writer import write, write_event

__all__ = ["read", "read_line", "write", "write_event"]
