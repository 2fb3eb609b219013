"""The season of a made-up club: 36 games of all rule sets over seven evenings, and more to be played on.

Of the evening before, only the scores are known: four score cards.

The games are simulated, and the names are invented; `docs/make/season.py` makes them.  Three games have a mistake, one
has a pass that stays unproven, one has a correction, and one was confirmed by its players.  The others are clean.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from ledger.record.chain import fingerprint, record_digest
from ledger.record.codec import decode, open_bytes
from ledger.record.record import Record

FOLDER = Path(__file__).parent
SEASON, TONIGHT = FOLDER / "season.ndjson.zst", FOLDER / "tonight.ndjson.zst"
CARDS = FOLDER / "cards.ndjson.zst"
ID_LENGTH = 10


class Example(NamedTuple):
    """A game that comes with the program, and its id, which is the beginning of its fingerprint."""

    id: str
    record: Record


@cache
def season() -> tuple[Example, ...]:
    """The games of the season, the earliest first."""
    return _read(SEASON)


@cache
def cards() -> tuple[Example, ...]:
    """The score cards of the evening before the season."""
    return _read(CARDS)


@cache
def tonight() -> tuple[Example, ...]:
    """Games without a day, to be played move by move while somebody watches."""
    return _read(TONIGHT)


def _read(path: Path) -> tuple[Example, ...]:
    with open_bytes(path) as archive:
        records = [decode(line) for line in archive]
    return tuple(Example(_id(record), record) for record in records)


def _id(record: Record) -> str:
    return fingerprint(record_digest(record.events)).replace("-", "")[:ID_LENGTH]
