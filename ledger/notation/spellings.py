"""Spellings that people write on paper and that are clear, although the notation has others: each line as it is meant.

Only where a person looks at a sheet before it is kept: the page shows what was read as what.
"""

import re
from collections.abc import Iterator
from string import ascii_lowercase
from typing import NamedTuple

from ledger.games import catalog
from ledger.notation.heading import HEADINGS
from ledger.notation.reader import read
from ledger.notation.refusals import DASHES
from ledger.record.errors import LedgerError
from ledger.record.record import Record


class Spelling(NamedTuple):
    """A line of a sheet, from 1, as it was written and as it was read; line 0 was missing."""

    line: int
    written: str
    meant: str


_DASH = rf"[{DASHES}]"
_HEAD = re.compile(rf"\s*(?:{'|'.join(sorted(HEADINGS))})\s*[:=]|\s*note\b", re.IGNORECASE)
_SCORES = re.compile(r"(?i)\s*(?:hand|totals?|cheats?|result)\b")
_TILE = r"\d{1,2}-\d{1,2}"
_SQUARE = r"[A-Za-z]{1,2}\d{1,3}"
_ACT = rf"(?:\d+[.)]\s*)?[^\W\d]\w*:?\s+{_TILE}\b"
_NUMBER = r"\s*(?:\d+[.)]\s*)?"
_STEPS = {"down": (0, -1), "up": (0, 1), "left": (-1, 0), "right": (1, 0)}


def _beside(match: re.Match[str]) -> str:
    """`d4 down` as two squares: the rows of the table are counted from below, its columns from the left."""
    column, row, word = match[1], int(match[2]), match[3].lower()
    right, up = _STEPS[word]
    at = ascii_lowercase.find(column.lower()) + right
    fits = len(column) == 1 and 0 <= at < len(ascii_lowercase) and row + up > 0
    return f"{column}{row}-{ascii_lowercase[at]}{row + up}" if fits else match[0]


_SPELLINGS = (
    # `; a remark`
    (re.compile(r"(^|\s);"), r"\1#"),
    # `O-O`, `4-O`: the letter for the digit.
    (re.compile(rf"(?<![\w-])[Oo](\s*(?:{_DASH}|[/|:])\s*)(?=[Oo\d])"), r"0\1"),
    (re.compile(rf"(?<=\d)(\s*(?:{_DASH}|[/|:])\s*)[Oo](?!\w)"), r"\g<1>0"),
    # `4 - 2`, `4:2`
    (re.compile(rf"(?<![\w-])(\d{{1,2}})(?:\s+{_DASH}\s*|{_DASH}\s+|\s*:\s*)(\d{{1,2}})(?!\w)"), r"\1-\2"),
    # `A, 4-2, d4-d3`
    (re.compile(rf"^(\s*(?:\d+[.)]\s*)?[^\W\d]\w*),\s*(?={_TILE})"), r"\1 "),
    (re.compile(rf"^(\s*{_ACT}),\s*(?={_SQUARE}|on\b|left\b|right\b)"), r"\1 "),
    # `d4 down`
    (re.compile(r"\b([A-Za-z]{1,2})(\d{1,3})\s+(down|up|left|right)\b", re.IGNORECASE), _beside),
    # `A 4-2 d4-d3 1`: points behind the squares.
    (re.compile(rf"^(\s*{_ACT}\s+{_SQUARE}\s*{_DASH}\s*{_SQUARE}(?:\s+L\d+)?)\s+(\d+)\s*$"), r"\1 +\2"),
    # `Score: A 57, B 38`
    (re.compile(r"^(\s*)(?:scores?|points|final)\s*:", re.IGNORECASE), r"\1total:"),
)


def as_meant(text: str) -> tuple[str, tuple[Spelling, ...]]:
    """A sheet with each line as it is meant, and those lines that were written otherwise."""
    lines, spellings = list[str](), list[Spelling]()
    seats, last = _seats(text), -1
    for number, written in enumerate(text.split("\n"), 1):
        meant = _meant(written)
        # Two columns: what stands side by side was played one after the other.
        parts = re.split(rf"\s*\|\s*|\s{{2,}}|\t+(?={_ACT})", meant.strip())
        acts = parts if len(parts) > 1 and all(re.match(_ACT, part) for part in parts) else [meant]
        for n, act in enumerate(acts):
            last = _seat_of(act, seats, last)
            # `4-2 d4-d3`: by the turn it is the next player's.
            if last >= 0 and re.match(rf"{_NUMBER}{_TILE}\s+{_SQUARE}", act):
                last = (last + 1) % len(seats)
                acts[n] = re.sub(f"^{_NUMBER}", f"{seats[last][0]} ", act)
        lines += acts
        if acts != [written]:
            spellings.append(Spelling(number, written.strip(), " · ".join(acts).strip()))
    return _with_game(lines, spellings)


def _seats(text: str) -> list[list[str]]:
    """The letter and the names of each player, in their order."""
    line = re.search(r"(?im)^\s*players\s*[:=](.*)", text)
    return [words for part in line[1].split(",") if (words := part.split())] if line else []


def _seat_of(act: str, seats: list[list[str]], before: int) -> int:
    """The seat of the player who acts; that of the act before if the line says none."""
    word = re.match(rf"{_NUMBER}([^\W\d]\w*)", act)
    said = word[1].casefold() if word else ""
    return next((n for n, words in enumerate(seats) if said in map(str.casefold, words)), before)


def _meant(line: str) -> str:
    if _HEAD.match(line) or _SCORES.match(line):
        return line
    for form, meant in _SPELLINGS:
        line = form.sub(meant, line)
    return line


def _with_game(lines: list[str], spellings: list[Spelling]) -> tuple[str, tuple[Spelling, ...]]:
    """The sheet with the line that names its game: its title may stand alone, or only one game can be meant."""
    text = "\n".join(lines)
    if re.search(r"(?im)^\s*game\s*[:=]", text):
        return text, tuple(spellings)
    first = next((n for n, line in enumerate(lines) if line.strip()), 0)
    title = lines[first].strip().strip("#*= ") if lines else ""
    if name := catalog.titled(title):
        lines[first] = f"Game: {name}"
        return "\n".join(lines), (Spelling(first + 1, title, lines[first]), *spellings)
    possible = list(_possible(text))
    if len(possible) != 1:
        return text, tuple(spellings)
    line = f"Game: {possible[0]}"
    return f"{line}\n{text}", (Spelling(0, "", line), *spellings)


def _possible(text: str) -> Iterator[str]:
    """The games as which a sheet without the name of one can be read."""
    for name in catalog.names():
        try:
            found: Record = read(f"Game: {name}\n{text}")
        except LedgerError:
            continue
        if len(found.events) > 1:
            yield name
