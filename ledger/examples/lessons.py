"""How to play each rule set, in five steps: each a step of a record, with one sentence and what to point at.

The records are those of `fixtures/` that the file names.  Source: the documents that each game names.
"""

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Raw, Struct

from ledger.record.codec import decode
from ledger.record.record import Record


class LessonStep(Struct, frozen=True):
    """A step: the record after `seq`, a part of its drawing to point `at`, and what a player should know there."""

    seq: int
    at: str
    title: str
    says: str


class Lesson(Struct, frozen=True):
    """How to play a rule set: a game, in an `edition` or ""; the name of its record in `fixtures/`, and its steps."""

    game: str
    edition: str
    fixture: str
    steps: tuple[LessonStep, ...]
    record: Raw

    def read(self) -> Record:
        """The record that the steps show."""
        return decode(bytes(self.record))


@cache
def lessons() -> tuple[Lesson, ...]:
    """How to play, one rule set after another."""
    return msgspec.json.decode(Path(__file__).with_name("lessons.json").read_bytes(), type=tuple[Lesson, ...])


def lessons_of(game: str) -> list[Lesson]:
    """How to play a game, in each of its editions; empty for a game that nobody wrote that for."""
    return [lesson for lesson in lessons() if lesson.game == game]
