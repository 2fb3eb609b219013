"""The search of the home page: one line for a player, a game or a day, and the filters behind a button.

What cannot be understood is ignored, and the page says so.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from msgspec.structs import replace

from ledger.games import catalog
from ledger.record.words import is_day
from ledger.stores.query import FILTERS, Query, searchable

PAGE = 24
"""How many records a page of results has."""
LONGEST = 200
"""How many letters of a field are read."""
VERDICTS = {
    "clean": "No mistakes",
    "breach": "A rule was broken",
    "impossible": "An impossible move",
    "unproven": "Something can't be proved",
    "scores-only": "Result only, not audited",
    "unreadable": "Can't be read here",
}
"""The verdicts to choose from, in words."""
ASKED: Sequence[tuple[Collection[str], dict[str, Any], str]] = (
    (("mistake", "mistakes"), {"verdict": "breach"}, VERDICTS["breach"].lower()),
    (("unfinished",), {"closed": False}, "not finished"),
    (("domino", "dominoes", "dominos"), {}, "all games"),
)
"""Words that ask for something, the filters, and how they were understood."""
ORDERS = {
    "played": "Last played first",
    "played-up": "First played first",
    "opened": "Last recorded first",
    "opened-up": "First recorded first",
}
FIELDS = ("q", *FILTERS)
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
           "december")  # fmt: skip
_ISO = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_SPOKEN = re.compile(r"(?:(\d{1,2})\.?\s+)?([a-z]{3,9})\.?(?:\s+(\d{4}))?")


class Search(NamedTuple):
    """What a visitor looks for.

    `typed` are the fields as typed, `query` is the query to the ledger, `meant` the search line as it was understood,
    `number` the page from 1, and `ignored` has a sentence for each thing that was not understood.  `elsewhere` asks for
    the words of the line in places and events, if they are no player's.
    """

    typed: dict[str, str]
    query: Query
    meant: tuple[str, ...]
    number: int
    ignored: tuple[str, ...]
    elsewhere: Query | None


def read_search(arguments: Mapping[str, str], today: date, others: Iterable[str] = ()) -> Search:
    """The search in a request's parameters; `others` are the games of the ledger's score cards."""
    typed = {name: text for name in FIELDS if (text := arguments.get(name, "").strip()[:LONGEST])}
    ignored = [f"Unknown parameter “{name[:LONGEST]}”." for name in arguments if name not in (*FIELDS, "order", "page")]
    filters: dict[str, Any] = {name: text for name, text in typed.items() if name != "q"}
    wrong = [name for name in ("since", "until") if name in filters and not is_day(filters[name])]
    ignored += [f"“{filters.pop(name)}” is not a day: write it like 2026-11-20." for name in wrong]
    typed = {name: text for name, text in typed.items() if name not in wrong}
    if filters.get("verdict") not in (None, *VERDICTS):
        ignored.append(f"There is no verdict “{filters.pop('verdict')}”.")
    if filters.get("game") not in (None, *catalog.names()):
        ignored.append(f"No game called “{filters['game']}” is installed here.")
    order = arguments.get("order", "played")
    if order not in ORDERS:
        ignored.append(f"There is no order “{order[:LONGEST]}”.")
        order = "played"
    if order != "played":
        typed["order"] = order
    line, meant = read_line(typed.get("q", ""), today, others)
    # The filters decide; the line adds to them.
    words = line.pop("player", None)
    player = " ".join(filter(None, (filters.get("player"), words)))
    page = arguments.get("page", "1")
    number = max(1, int(page)) if page.isdecimal() and len(page) < 7 else 1
    query = Query(
        **{**line, **filters, "player": player or None},
        order="played" if order.startswith("played") else "opened",
        reverse=order.endswith("-up"),
        limit=PAGE,
        offset=(number - 1) * PAGE,
    )
    elsewhere = None
    if words and "place" not in filters:
        elsewhere = replace(query, player=filters.get("player"), place=words)
    return Search(typed, query, meant, number, tuple(ignored), elsewhere)


def read_line(line: str, today: date, others: Iterable[str] = ()) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What a search line asks for (game, since, until, verdict, closed, player), and each part as it was understood."""
    rest, filters, meant = " ".join(searchable(line).split()), dict[str, Any](), list[str]()
    titles = {name: name for name in others if name not in catalog.names()}
    titles |= {game.title: game.name for game in catalog.games()}
    for title in sorted(titles, key=lambda title: -len(title)):
        # People write build up, build-up, buildup and zig zag.
        letters = re.sub(r"\W", "", searchable(title))
        pattern = rf"(?<!\w){'[ -]?'.join(letters)}(?!\w)"
        if letters and "game" not in filters and re.search(pattern, rest):
            filters["game"] = titles[title]
            meant.append(title)
            rest = " ".join(re.sub(pattern, " ", rest, count=1).split())
    words = rest.split()
    for begin, end in [(n, n + size) for size in (3, 2, 1) for n in range(len(words) - size + 1)]:
        days = read_days(" ".join(words[begin:end]), today)
        if days:
            since, until = (day.isoformat() for day in days)
            filters |= {"since": since, "until": until}
            meant.append(since if since == until else f"{since} to {until}")
            del words[begin:end]
            break
    for asked, filter_, what in ASKED:
        if any(word in asked for word in words):
            filters |= filter_
            meant.append(what)
            words = [word for word in words if word not in asked]
    if words:
        filters["player"] = " ".join(words)
        meant += words
    return filters, tuple(meant)


def read_days(text: str, today: date) -> tuple[date, date] | None:
    """The first and the last day of ``today``, ``2026-11``, ``20 Nov``, ``November 2025`` and similar dates, or None.

    A day or a month without a year is the latest one that is not in the future.
    """
    if text in ("today", "yesterday"):
        day = today - timedelta(days=text == "yesterday")
        return day, day
    try:
        if match := _ISO.fullmatch(text):
            year, month, day_number = (int(part) if part else None for part in match.groups())
            return _span(year or 0, month, day_number)
        if match := _DOTTED.fullmatch(text):
            return _span(int(match[3]), int(match[2]), int(match[1]))
        match = _SPOKEN.fullmatch(text)
        month = next((n for n, name in enumerate(_MONTHS, 1) if match and name.startswith(match[2])), None)
        if match is None or month is None:
            return None
        day_number = int(match[1]) if match[1] else None
        if match[3]:
            return _span(int(match[3]), month, day_number)
        first, last = _span(today.year, month, day_number)
        return (first, last) if first <= today else _span(today.year - 1, month, day_number)
    except ValueError:  # 31 June
        return None


def _span(year: int, month: int | None, day: int | None) -> tuple[date, date]:
    """The first and the last day of a year, a month or a day.  Raises ValueError if there is no such day."""
    if day is not None:
        only = date(year, month or 1, day)
        return only, only
    if month is None:
        return date(year, 1, 1), date(year, 12, 31)
    after = date(year + month // 12, month % 12 + 1, 1)
    return date(year, month, 1), after - timedelta(days=1)
