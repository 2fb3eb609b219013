"""The season of a made-up club: 36 games of all rule sets over seven evenings, and more to be played on.

Of the evening before, only the result is known: four score cards.

The games are simulated, and the names are invented; `docs/make/season.py` makes them.  Three games have a mistake, one
has a pass that stays unproven, one has a correction, and one was confirmed by its players.  The others are clean.
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from ledger.record.chain import fingerprint, record_digest
from ledger.record.codec import decode, open_bytes
from ledger.record.events import AnyEvent, Confirm, Open
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


def season_until(today: date) -> Iterator[Example]:
    """The cards and the games of the season, as if its last evening was one of the seven days up to `today`.

    Days and times move by whole weeks, and players confirm the game with its new day.
    """
    last = date.fromisoformat(season()[-1].record.opening.played or "")
    ahead = timedelta(weeks=(today - last).days // 7)
    for example in (*cards(), *season()):
        yield Example(example.id, Record(tuple(_moved(example.record.events, ahead))))


def _moved(events: Sequence[AnyEvent], ahead: timedelta) -> list[AnyEvent]:
    moved = list[AnyEvent]()
    for event in events:
        fields = {"when": _later(event.when, ahead)}
        if isinstance(event, Open):
            fields["played"] = _later(event.played, ahead)
        elif isinstance(event, Confirm):
            fields["head"] = record_digest(moved).hex()
        moved.append(replace(event, **fields))
    return moved


def _later(moment: str | None, ahead: timedelta) -> str | None:
    """A day or a time, so much later."""
    return moment and f"{date.fromisoformat(moment[:10]) + ahead}{moment[10:]}"


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
