"""Score sheets that somebody brings, and records in JSON: each is read and judged line by line."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ledger import notation
from ledger.audit.report_in_a_sentence import summary
from ledger.audit.review import Review
from ledger.audit.slip.slip_search import explain
from ledger.keep.sources import brought
from ledger.notation.spellings import Spelling, as_meant
from ledger.record import clock
from ledger.record.branches import happened
from ledger.record.errors import LedgerError, NotARecord
from ledger.record.record import Record
from ledger.rules.game import GRAVE
from viewer.replay.mistakes_explained import explained

MOST = 20
"""The most sheets that are read at once."""
_GAME = re.compile(r"(?im)^[ \t]*game[ \t]*:")


class Sheet(NamedTuple):
    """A sheet as it was read: the record, or None; its `title`, and what the rules say about it in a sentence.

    `lines` are those with a fault and one before and after each: number, text, and what is wrong in sentences.
    `unreadable` says how many lines could not be read; `spelled` are those written otherwise than `text` has them.
    """

    text: str
    record: Record | None
    title: str
    summary: str
    lines: list[tuple[int, str, list[str]]]
    unreadable: int
    spelled: tuple[Spelling, ...] = ()


def split_sheets(text: str) -> list[str]:
    """The sheets in a text, in which each begins with its ``Game:`` line; other text before the first belongs to it."""
    begins = [match.start() for match in _GAME.finditer(text)]
    cuts = [0, *begins[1:], len(text)]
    sheets = (text[begin:end].strip("\r\n") for begin, end in pairwise(cuts))
    return [sheet for sheet in sheets if sheet.strip()]


def read_sheet(text: str) -> Sheet:
    """A sheet with the faults in its lines: what cannot be read, or else the causes of what breaks a rule.

    Lines that are clear although the notation writes them otherwise are read as they are meant.
    """
    sheet = _as_written(text)
    if sheet.record is None:
        meant, spelled = as_meant(text)
        if spelled and (again := _as_written(meant)).unreadable < sheet.unreadable:
            return again._replace(spelled=spelled)
    return sheet


def _as_written(text: str) -> Sheet:
    try:
        record = happened(brought(text.encode())) if _is_json(text) else notation.read(text)
        review = Review(record)
    except NotARecord as error:
        return _unreadable(text, error)
    except LedgerError as error:
        return Sheet(text, None, "", "", _around(text, {1: [str(error)]}), 1)
    explain(review)
    faults: dict[int, list[str]] = {}
    for seq, sentence in _causes(review):
        faults.setdefault(_line_of(text, seq), []).append(sentence)
    names, day = ", ".join(review.opening.names), record.opening.played
    doubt = f" It says {day}, a day to come: is that right?" if clock.is_ahead(day) else ""
    return Sheet(text, record, f"{review.game.title}: {names}", summary(review) + doubt, _around(text, faults), 0)


def _is_json(text: str) -> bool:
    return text.lstrip().startswith("{")


def _unreadable(text: str, error: NotARecord) -> Sheet:
    if error.line is None and error.event is not None and not _is_json(text):
        error = notation.locate(text, error)
    faults: dict[int, list[str]] = {}
    for one in (error, *error.others):
        column = f" ({one.field})" if one.field and one.field.startswith("column") else ""
        faults.setdefault(one.line or 1, []).append(f"{one.reason}{column}")
    return Sheet(text, None, "", "", _around(text, faults), len(faults))


def _causes(review: Review) -> Iterator[tuple[int, str]]:
    """The seq of each cause, with what would clear it, or else with its first finding."""
    for mistake in explained(review):
        grave = [finding for finding in mistake.findings if finding.verdict in GRAVE]
        sentence = mistake.proposals[0].message if mistake.proposals else review.message(grave[0])
        more = len(grave) - 1
        follows = f" {more} more {'fault follows' if more == 1 else 'faults follow'} from it." if more else ""
        ended = sentence if sentence.endswith((".", "?", "!")) else f"{sentence}."
        yield review.steps[mistake.place].seq, f"{ended}{follows}"


def _line_of(text: str, seq: int) -> int:
    return 1 if _is_json(text) else notation.locate(text, NotARecord("", event=seq, field="$")).line or 1


def _around(text: str, faults: dict[int, list[str]]) -> list[tuple[int, str, list[str]]]:
    lines = text.splitlines() or [""]
    near = {number for fault in faults for number in (fault - 1, fault, fault + 1) if 1 <= number <= len(lines)}
    return [(number, lines[number - 1], faults.get(number, [])) for number in sorted(near)]
