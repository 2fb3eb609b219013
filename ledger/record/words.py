"""Words that all texts share: numbers, lists, days, the title of a game."""

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from typing import Any

from ledger.record.visible import isolated, visible

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
           "december")  # fmt: skip
MONTHS = tuple(month[:3].title() for month in _MONTHS)
"""English names of months, whatever the machine's language is."""
_WEEKDAY = r"(?i)(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+"
_DAYS = (
    (r"(\d{1,2})(?:st|nd|rd|th)?\.?[\s-]*(?:of\s+)?([A-Za-z]{3,9})\.?,?[\s-]*(\d{4}|\d\d)", ("dmy",)),
    (r"([A-Za-z]{3,9})\.?\s*(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})", ("mdy",)),
    (r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})", ("ymd",)),
    (r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d\d)", ("dmy",)),
    (r"(\d{1,2})[-/](\d{1,2})[-/](\d{4})", ("dmy", "mdy")),
    (r"(\d{1,2})/(\d{1,2})/(\d\d)", ("dmy", "mdy")),
    (r"(\d{1,2})-(\d{1,2})-(\d\d)", ("dmy", "mdy", "ymd")),
)  # fmt: skip
"""How people write a day, and in which order: day, month, year."""
_TIME = r"(?i)(?:T|,?\s+)\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\s*(?:[ap]\.?m\.?)?(?:Z|[-+]\d\d:?\d\d)?"
"""A time behind a day."""
_SERIAL = r"[2-7]\d{4}(?:\.\d+)?"
"""A day as spreadsheets count them, from 1954 to 2119."""


def format_value(value: Any) -> str:
    """A value of a finding, an option or a ruling, for people."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    return visible(", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value))


def plural(count: int, one: str, many: str | None = None) -> str:
    """A number of things: ``1 tile``, ``3 tiles``, ``1,200 tiles``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def number(count: int) -> str:
    """A number in words, up to twelve."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def sentence(text: str) -> str:
    """A message as a sentence."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"


def double(size: int | None) -> str:
    """What people call a set: ``double 12``.  Empty without a size."""
    return "" if size is None else f"double {size}"


def listed(names: Iterable[str]) -> str:
    """Names as people list them: ``Ana, Ben and Cy``, each kept apart from the others."""
    *first, last = map(isolated, names)
    return f"{', '.join(first)} and {last}" if first else last


def first_names(names: Sequence[str]) -> list[str]:
    """What people call each other: the first word of a name, or all of it where that is an initial, or not unique."""
    firsts = [name.partition(" ")[0] for name in names]
    alone = [firsts.count(first) == 1 and not first.endswith(".") for first in firsts]
    return [first if unique else name for first, name, unique in zip(firsts, names, alone, strict=True)]


def a_number(count: int) -> str:
    """A number after its article: ``a 7``, ``an 8``, ``an 11``."""
    return f"{'an' if str(count).startswith('8') or count in (11, 18) else 'a'} {count}"


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """The end of an error message: the nearest known word, if one is near."""
    from difflib import get_close_matches

    spelled = {name.lower(): name for name in words}
    close = get_close_matches(word.lower(), spelled, n=1)
    return f"; did you mean {spelled[close[0]]}?" if close else ""


def listed_or(words: Iterable[str]) -> str:
    """``a, b or c``."""
    *before, last = words
    return f"{', '.join(before)} or {last}" if before else last


def is_day(text: str) -> bool:
    """Whether a text is a day as records write it: ``2026-11-20``."""
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def read_day(text: str) -> tuple[str, ...]:
    """The days that a person may have meant, as records write them: one for ``20 Nov 2026``, two for ``3/4/2026``.

    It is empty for other text.  A time behind the day does not matter.
    """
    text = re.sub(f"{_TIME}$", "", re.sub(_WEEKDAY, "", text.strip(), count=1))
    if re.fullmatch(_SERIAL, text):
        return ((dt.date(1899, 12, 30) + dt.timedelta(int(float(text)))).isoformat(),)
    days = []
    matches = ((re.fullmatch(form, text), orders) for form, orders in _DAYS)
    for groups, order in ((match.groups(), order) for match, orders in matches if match for order in orders):
        parts = dict(zip(order, groups, strict=True))
        month = parts["m"] if parts["m"].isdecimal() else _month(parts["m"])
        year = int(parts["y"])
        year += 0 if len(parts["y"]) == 4 else 2000 if year < 70 else 1900
        written = f"{year:04}-{int(month):02}-{int(parts['d']):02}"
        days += [written] if is_day(written) else []
    return tuple(dict.fromkeys(days))


def _month(name: str) -> int:
    """The number of a month; 0 for another word."""
    months = [n for n, month in enumerate(_MONTHS, 1) if month.startswith(name.lower())]
    return months[0] if len(months) == 1 else 0


def day(date: str) -> str:
    """The day of a date or a time as people write it: ``20 Nov 2026`` for ``2026-11-20``; other text as it is."""
    try:
        parsed = dt.datetime.fromisoformat(date)
    except ValueError:
        return date
    return f"{parsed.day} {MONTHS[parsed.month - 1]} {parsed.year}"


def moment(when: str) -> str:
    """A time of recording, in this machine's time zone: ``20 Nov 2026, 21:44``; other text as it is."""
    try:
        parsed = dt.datetime.fromisoformat(when).astimezone()
    except (ValueError, OverflowError):
        return when
    return f"{parsed.day} {MONTHS[parsed.month - 1]} {parsed:%Y, %H:%M}"


def title_of(game: str, edition: str | None = None) -> str:
    """A game's tag as a title: ``Domino Ziggurat, edition 2``."""
    return game.replace("-", " ").title() + (f", edition {edition}" if edition else "")
