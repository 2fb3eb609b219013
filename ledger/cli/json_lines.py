"""The lines that commands print with `--json`, where no other type has that shape already.

`ledger.cli.json_shapes` says which command prints which; `docs/json.md` is made from both.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from ledger.record.events import AnyEvent
from ledger.record.scene import Scene
from ledger.rules.game import Finding

State = Literal["intact", "corrupt"]


class Begun(Struct, frozen=True):
    """The record of a new game, or of one that is known by its scores alone: its id, and its game."""

    record: str
    game: str


class ImportedLine(Struct, frozen=True):
    """What happened to one record: its id here ("" if it was refused), and how it came in."""

    record: str
    outcome: str


class SetAside(Struct, frozen=True):
    """A record that was set aside (`voided`), or brought back."""

    record: str
    voided: bool


class Step(Struct, frozen=True):
    """The table after a move: the event and its words, what is wrong with it, the scores and the names by player."""

    record: str
    game: str
    move: int
    event: AnyEvent
    words: str
    findings: tuple[Finding, ...]
    scores: dict[str, int]
    names: dict[str, str]
    scene: Scene


class CorrectionLine(Struct, frozen=True):
    """A correction: the event that corrects, the event that it is about before and after, and what no longer fits.

    An owner's `void` is among them.  `was` is null for an insertion, `now` for a deletion.  `corrects_nothing` is the
    reason if it had no effect; then the other fields are null or empty.
    """

    seq: int
    correction: AnyEvent | None = None
    was: AnyEvent | None = None
    now: AnyEvent | None = None
    no_longer_fit: tuple[int, ...] = ()
    corrects_nothing: str | None = None


class CorruptionLine(Struct, frozen=True):
    """Something corrupt: the record ("" for the whole ledger), the event or null, and the reason."""

    record: str
    event: int | None
    reason: str


class CheckedRecord(Struct, frozen=True):
    """A record of the ledger or of a file that was checked; `confirmed_by` are the names of the players."""

    record: str
    state: State
    events: int
    fingerprint: str
    confirmed_by: tuple[str, ...]
    corruptions: tuple[CorruptionLine, ...]


class CheckedLedger(Struct, frozen=True):
    """A ledger that was checked as a whole; `of_others` are tables in its database that are not its own."""

    ledger: str
    state: State
    events: int
    records: int
    tree_head: str
    corruptions: tuple[CorruptionLine, ...]
    of_others: tuple[str, ...]


class OptionLine(Struct, frozen=True):
    """An option of a game: its values, the default first, and in words what else it accepts."""

    name: str
    kind: str
    values: tuple[Any, ...]
    accepts: str
    meaning: str


class GameLine(Struct, frozen=True):
    """A game that this program knows; `seats` says for how many players it is."""

    game: str
    title: str
    author: str
    editions: tuple[str, ...]
    seats: str
    revisions: tuple[str, ...]
    options: tuple[OptionLine, ...]


class ClauseLine(Struct, frozen=True):
    """A rule of a game in one revision of the rules: its id, what it says, and the types of events that it judges."""

    game: str
    rules: str
    clause: str
    meaning: str
    events: tuple[str, ...]


class PlayedOften(Struct, frozen=True):
    """How often a game was played, and how many of these games are finished."""

    game: str
    games: int
    finished: int


class MeanCheats(Struct, frozen=True):
    """Somebody's cheats on average, over a number of games."""

    name: str
    mean: float
    games: int


class CheatsLine(Struct, frozen=True):
    """A game in which all play together: the players by their cheats on average, the fewest first."""

    game: str
    cheats: tuple[MeanCheats, ...]


class RoundLine(Struct, frozen=True):
    """A round: the names at each table, and who sits out."""

    round: int
    tables: tuple[tuple[str, ...], ...]
    out: tuple[str, ...]
