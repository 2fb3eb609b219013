"""Texts that strangers may type into a shared ledger: escape sequences, marks of direction, HTML, Markdown."""

import re

from ledger.keep.recorder import Recorder
from ledger.record.events import AnyEvent, Bid, Note, Open, Pass, Player, Retract
from ledger.record.record import Record
from ledger.stores.store import SqliteStore

TEXTS = (
    "\x1b]52;c;ZXZpbA==\x07",
    "\x1b[2J\x1b]0;title\x07",
    "\u202egnp.exe\u2066x",
    "one\r\nError: two\x9b2J\x85\u2028three",
    "<img src=x onerror=alert(1)>",
    '"></iframe><script>window.__xss = 1</script>',
    "[x](javascript:alert(1)) `code` | cell <javascript:alert(2)>",
)
"""Each is used as the name of a player, as a place, and as the text of a note."""
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Characters that no output may contain: control characters except tab and line feed, and marks of direction."""


def record(text: str) -> Record:
    """A record with this text in every free field."""
    players = (Player(id="ana", name=f"A{text}"), Player(id="ben", name=text), Player(id="cy\x1b\nx", name=""))
    options = {"first_bidder": "cy\x1b\nx"}
    events: tuple[AnyEvent, ...] = (
        Open("zigzag", None, options, players, "2026-11-20", f"# {text}", f"- {text}", text[:200], by=text[:200]),
        Bid(player="ben", bid=12),
        Pass(player="ana", by=text[:200]),
        Note(text=text),
        Retract(seq=1, why=text),
        Pass(player="cy\x1b\nx"),
    )
    return Record(events)


def fill(store: SqliteStore) -> list[str]:
    """Puts a record for each text into a ledger; returns their ids."""
    return [Recorder(store).import_record(record(text)) for text in TEXTS]
