"""The questions that a page asks the rules, from JSON to JSON, on the server and in a reader's own browser.

`answer` is the only interface.  It needs no web server and no ledger: a question contains its record.  A recorder
brings only what its record has more than when it asked before.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from ledger.record.errors import LedgerError, NotARecord
from viewer.phone.new_game_offline import BeginQuestion, FormQuestion, begin, form
from viewer.phone.records_on_phone import PhoneQuestion, PhoneRecords
from viewer.phone.what_if import BranchQuestion, what_if
from viewer.referee.puzzle_page import PuzzleQuestion, referee_page
from viewer.replay.reels_for_pages import ReelQuestion, drawn_reel
from viewer.site.typed_game import Typed, TypedRecord, decided, explain, replay_page, sheet_of


class Problem(Struct, frozen=True):
    """Why there is no answer, in a sentence; `others` are further mistakes of the same text."""

    problem: str
    others: tuple[str, ...] = ()


_records = PhoneRecords()
_ANSWERS: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "replay": (Typed, replay_page),
    "reel": (ReelQuestion, drawn_reel),
    "sheet": (Typed, sheet_of),
    "causes": (TypedRecord, explain),
    "decided": (TypedRecord, decided),
    "referee": (PuzzleQuestion, referee_page),
    # For a recorder.
    "screen": (PhoneQuestion, _records.screen),
    "check": (PhoneQuestion, _records.check),
    "explain": (PhoneQuestion, _records.explain),
    # Only for a game that is in no ledger yet.
    "form": (FormQuestion, form),
    "begin": (BeginQuestion, begin),
    "branch": (BranchQuestion, what_if),
}
"""The type of the argument and the function for each question, by its name."""


def answer(name: str, text: str) -> str:
    """The answer to a question, as JSON.  A refusal is a `Problem`."""
    kind, function = _ANSWERS[name]
    try:
        result = function(msgspec.json.decode(text, type=kind))
    except NotARecord as error:
        result = Problem(_sentence(error), tuple(map(_sentence, error.others)))
    except LedgerError as error:
        result = Problem(str(error))
    return msgspec.json.encode(result).decode()


def _sentence(error: NotARecord) -> str:
    """A refusal in a sentence: its place in the text, then the reason."""
    if error.line is None:
        return str(error)
    place = ", ".join([f"Line {error.line}", *([error.field] if error.field else [])])
    return f"{place}: {error.reason}"
