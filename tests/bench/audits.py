"""Audits of each rule set, compared with the least that they could cost and with python-chess.

Half of the records have hidden hands, as people record them; in the others every hand lies open, as a program plays.
"""

from pathlib import Path

import msgspec

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.record import codec
from ledger.record.events import Deal
from ledger.record.record import Record
from ledger.stores.questions import read_checked
from ledger.stores.store import SqliteStore
from tests.bench import made, peers
from tests.bench.measure import Case, Ratio, by_turns, head, row

GOALS = {
    "zigzag, hidden hands": "≥ 2.1", "build-up, hidden hands": "≥ 1.1", "ziggurat, hidden hands": "≥ 1.6",
    "zigzag, open hands": "≥ 2.5", "domino-ziggurat": "≥ 2.9", "build-up, open hands": "≥ 1.9",
    "ziggurat, open hands": "≥ 1.7",
}  # fmt: skip
"""Decoding and audit beside python-chess, which reads a game and checks its moves."""


def main(folder: Path, events: int, rounds: int) -> None:
    """Prints the table."""
    found: dict[str, list[Record]] = {}
    for name in catalog.built_in():
        games = made.quiet(made.games(name, events))
        if Deal in catalog.find(name).events:
            found |= {f"{name}, hidden hands": made.hidden(games), f"{name}, open hands": games}
        else:
            found[name] = games
    cases = [case for name, records in found.items() for case in _cases(name, records, folder)]
    figures = by_turns([*cases, *peers.chess_cases()], rounds)
    head("Audit", "moves/s of CPU")
    for name in found:
        row(figures, Ratio(f"{name}: audit", f"{name}: decode"))
        row(figures, Ratio(f"{name}: audit", peers.READ_GAME, GOALS[name]))
        row(figures, Ratio(f"{name}: audit of a ledger with its chain", f"{name}: audit"))


def _cases(name: str, records: list[Record], folder: Path) -> list[Case]:
    ledger, lines = made.ledger(records, folder / f"{name}.sqlite"), [codec.encode(record) for record in records]
    count = made.moves(records)

    def decode() -> None:
        for line in lines:
            codec.decode(line)

    def audit() -> None:
        for line in lines:
            msgspec.json.encode(Review(codec.decode(line)).report)

    def audit_with_chain() -> None:
        with SqliteStore(ledger) as store:
            for record_id, record in read_checked(store, store.ids()):
                assert isinstance(record, Record)
                msgspec.json.encode(Review(record, record_id).report)

    return [
        Case(f"{name}: decode", count, decode),
        Case(f"{name}: audit", count, audit),
        Case(f"{name}: audit of a ledger with its chain", count, audit_with_chain),
    ]
