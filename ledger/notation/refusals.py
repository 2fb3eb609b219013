"""The error for a line that cannot be read, and how it words a part of the line and a suggestion."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ledger.record.errors import NotARecord
from ledger.record.tiles import NAMED
from ledger.record.words import listed_or

if TYPE_CHECKING:
    from ledger.notation.pieces import Line

Spot = tuple[int | None, int]
"""A line, and a column in it."""
DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
"""A hyphen, and what phones and word processors make of it."""
_PHRASES = {
    "LETTER": "a player's letter",
    "TILE": "a tile such as 5-1",
    "SQUARES": "two squares such as b2-c2",
    "POINT": "a column and a row of the record such as 0,5",
    "LEVEL": "a level such as L2",
    "NTH": "the number of an event",
    "NUMBER": "a number",
    "RANKING": "regular or reverse",
    "SIDE": "left or right",
    "ENDING": "finished or abandoned",
    "KEY": "a heading such as Game:",
    "TEXT": "a text",
    "WORD": "a word",
    "QUOTED": "a text in quotes",
    "MORE": "...",
}
"""Names for what is not a word or a mark of the notation, in the order of listing."""


def refusal(reason: str, column: int, line: int | None) -> NotARecord:
    """The error for the text in this column, counted from 1."""
    return NotARecord(reason, line=line, field=f"column {column}")


def listed(expected: Iterable[str]) -> str:
    """What is allowed in a place: ``a number, a tile such as 5-1 or nothing``."""
    kinds = set(expected)
    phrases = [phrase for kind, phrase in _PHRASES.items() if kind in kinds]
    words = kinds - _PHRASES.keys() - {"END"}
    phrases += sorted(words, key=lambda word: (word[0] == '"', word))
    phrases += ["the end of the line"] if "END" in kinds else []
    return listed_or(phrases) if phrases else ""


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The most similar of these words; None if none is similar."""
    from difflib import get_close_matches

    close = get_close_matches(word.lower()[:40], words, n=1, cutoff=0.5)
    return close[0] if close else None


def guess(suggestion: str | None) -> str:
    """The end of an error message: a suggestion."""
    return f"; did you mean {suggestion}?" if suggestion else ""


def quote(text: str) -> str:
    """A part of a line in quotes, shortened if it is long."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


# ---- What fits nowhere: what was expected, and what was probably meant

HIGHEST = 12
"""The most pips of a half."""
_ALMOST = rf"\(?([0-9OolI]{{1,2}})\s*[{DASHES}:.,/|\s]\s*([0-9OolI]{{1,2}})\b"
"""A tile with another character between its halves, with blanks, or with a letter for a digit."""
_ALIKE = str.maketrans("OolI", "0011")
HEADINGS = (
    "game", "edition", "players", "options", "played", "place", "event", "recorder", "rules", "squares", "by",
    "opened by",
)  # fmt: skip
"""The words before the colons in a heading that are suggested."""
_CHOICES = {
    "RANKING": ("regular", "reverse"),
    "SIDE": ("left", "right"),
    "ENDING": ("finished", "abandoned"),
    "TILE": tuple(NAMED),
}
"""What can stand in such a place, to suggest after a typo."""
_HIDDEN = {"QUOTED": {"LETTER", "TEXT", "WORD"}}
"""What is not listed if one of these is expected too."""
_IN_PARENTHESES = r"\(\s*([0-9]+)\s*\)"
_INSTEAD = {
    "KEY": {
        **dict.fromkeys(("date", "day"), "Played:"),
        **dict.fromkeys(("location", "venue", "where"), "Place:"),
        **dict.fromkeys(("tournament", "occasion"), "Event:"),
        "scorer": "Recorder:", "names": "Players:",
    },
    "passes": {
        **dict.fromkeys(("knocks", "knock", "raps", "skips", "says-pass"), "passes"),
        **dict.fromkeys(("wins", "won"), "result:"),
    },
    "bids": dict.fromkeys(("says", "calls", "bid:"), "bids"),
    "draws": dict.fromkeys(("picks", "buys"), "draws"),
    "plays": dict.fromkeys(("puts", "lays", "places"), "plays"),
    "result": dict.fromkeys(("winner", "winners", "wins", "won"), "result:"),
    "retract": dict.fromkeys(("undo", "delete", "remove", "cancel"), "retract"),
    "amend": dict.fromkeys(("amends", "change", "correct", "replace"), "amend"),
    "note": dict.fromkeys(("comment", "remark", "--", "*"), "note:"),
    "total": dict.fromkeys(("score", "scores", "points"), "total:"),
    "end": {
        **dict.fromkeys(("finish", "finished"), "end finished"),
        **dict.fromkeys(("stop", "abandoned"), "end abandoned"),
    },
    "on": dict.fromkeys(("to", "onto", "upon", "->", "→", "at", "stack"), "on"),
    "NUMBER": {
        word: str(number)
        for number, word in enumerate(
            ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
             "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty")
        )
    },
}  # fmt: skip
"""By what is expected, other words that people write, and the words to write instead."""


def unexpected(line: Line) -> tuple[str, int]:
    """Why a piece is refused that is none of what was expected, and in which column of its line."""
    expected, column = {kind for kind in line.expected if isinstance(kind, str)}, line.begin + 1
    expected.update(*(kinds() for kinds in line.expected if callable(kinds)))
    # Some readings go without saying.
    expected = {kind for kind in expected if not _HIDDEN.get(kind, set()) & expected}
    if line.piece in ("", "#"):
        text = line.line[: line.begin].rstrip()
        problem = "the line ends too early" if text else "nothing is written here"
        return f"{problem}: expected {listed(expected)}", len(text) + 1
    word = line.piece
    if word == '"':
        return "this quotation mark opens a text that is never closed", column
    hint = guess(_suggestion(line, expected))
    if expected == {"END"}:
        hint = _after_the_end(line) or hint
    return f"{quote(word)} is not understood here: expected {listed(expected)}{hint}", column


def _after_the_end(line: Line) -> str:
    """What to do with text behind a whole line."""
    before = line.line[: line.begin].rstrip()
    if before.endswith('"'):
        return ", since the text in quotes ends before it"
    if line.piece in (",", ";", "and", "&", "+"):
        return "; each event has a line of its own"
    if line.piece == "(":
        return "; did you mean it as a remark? One that could be read as more begins with #"
    return ""


def _suggestion(line: Line, expected: set[str]) -> str | None:
    """What was probably meant, among all that is expected here."""
    word, rest = line.piece.lower(), line.rest()
    if "QUOTED" in expected and expected <= {"QUOTED", "NTH", '":"'} and word not in ('"', ":"):
        return f'"{rest.strip()}"'
    if expected == {"NTH", '":"'}:  # after `note`: the text, without its colon
        return f"note: {rest[:37]}"
    tile = _almost_a_tile(rest) if "TILE" in expected else None
    if tile:
        return tile
    if "on" in expected and word.isdecimal():
        return f"on {word}"
    points = re.match(_IN_PARENTHESES, rest)
    if points and '"="' in expected:
        return f"={points[1]}"
    for kind in expected:
        if word in _INSTEAD.get(kind, ()):
            return _INSTEAD[kind][word]
    return _nearest(line, expected)


def _nearest(line: Line, expected: set[str]) -> str | None:
    """The most similar of the words, tiles and players that are expected."""
    word, following = line.piece.lower(), line.line[line.begin + len(line.piece) :].lstrip()
    suggestions: dict[str, str] = {}
    for kind in expected:
        if kind.islower() and kind[0] != '"':
            suggestions |= {kind.removesuffix(end): kind for end in ("es", "s", "")}
        elif kind != "TILE" or any(map(str.isdigit, word)):
            suggestions |= {choice: choice for choice in _CHOICES.get(kind, ())}
    if "KEY" in expected and (following.startswith((":", "=")) or word in HEADINGS):
        suggestions |= {key: f"{key.capitalize()}:" for key in HEADINGS}
    if "LETTER" in expected:
        for letter, player in line.setting.letters.players.items():
            name = player.name or player.id
            suggestions |= dict.fromkeys((name.lower(), player.id.lower()), f"{letter} for {name}")
    close = suggestions.get(nearest(word, suggestions) or "")
    above = "KEY" in expected and not line.setting.letters.players
    if close is None and above and word.isalpha() and ":" not in line.line:
        return f"# {line.rest()[:60]}"  # a title above the heading
    return close


def _almost_a_tile(text: str) -> str | None:
    """The tile that was probably meant where a text begins."""
    match = re.match(_ALMOST, text)
    if match is None:
        digits = re.match(r"\[?([0-9]{2,4})\b", text)
        if digits is None:
            return None
        names = {f"{int(digits[1][:n])}-{int(digits[1][n:])}" for n in range(1, len(digits[1]))} & NAMED.keys()
        return " or ".join(sorted(names)) or None
    first, second = (int(half.translate(_ALIKE)) for half in match.groups())
    meant = any(map(str.isdigit, match[0])) and max(first, second) <= HIGHEST
    return f"{first}-{second}" if meant else None


# ── The text of a file that somebody brings ────────────────────────────────────────────────────────────


_SPREADSHEETS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How the files of spreadsheet programs begin."""


def text_of(data: bytes) -> str:
    """The text: in UTF-8, or in UTF-16 if it begins with its mark.  Marks are no part of it.

    Raises NotARecord for another encoding and for a spreadsheet, with the place and what to do.
    """
    if data.startswith(_SPREADSHEETS):
        raise refusal("this is a spreadsheet in its program's own format: save it as CSV, and import that", 1, 1)
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        letter = data[error.start : error.start + 1].decode("cp1252", "replace")
        reason = f"this is not UTF-8 text: if it is meant as {letter!r}, save the file as UTF-8"
        raise refusal(reason, column, before.count(b"\n") + 1) from None
