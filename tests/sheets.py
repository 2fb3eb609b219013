"""Short ways to write records in tests as score sheets, and to audit them."""

import os

from ledger import notation
from ledger.audit.auditor import Report, audit
from ledger.audit.review import Review
from ledger.games.catalog import find
from ledger.play.simulate import open_event
from ledger.record.codec import check
from ledger.record.events import AnyEvent, Open, Player
from ledger.record.record import Record
from ledger.rules.game import Game

GAMES = int(os.environ.get("DOMINO_GAMES", "12"))
"""How many games of each rule set are simulated; `make torture` plays 10,000."""
PLAYERS = tuple(Player(id=name.lower(), name=name) for name in ("Ana", "Ben", "Cy"))
OPENING = Open("zigzag", players=PLAYERS)
"""A game of theirs."""


def a_open(game: Game, options: dict[str, object] | None = None) -> Open:
    """An opening with the fewest players."""
    return open_event(game, options or {})


def report(sheet: str) -> Report:
    """The audit of a sheet."""
    record = notation.read(sheet)
    return audit(find(record.opening.game), record)


def review(sheet: str) -> Review:
    """The review of a sheet."""
    return Review(notation.read(sheet))


def grave(sheet: str) -> list[tuple[int, str, str]]:
    """Seq, clause and verdict of every finding that is more than a note."""
    return [(f.seq, f.clause, f.verdict) for f in report(sheet).findings if f.verdict != "note"]


def of(*events: AnyEvent) -> Record:
    """These events as a record."""
    return check(events)
