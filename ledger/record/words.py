"""Events in words: a sentence for each, and its parts for screens with columns."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from ledger.record import events as e
from ledger.record.events import AnyEvent, Event, actor
from ledger.record.squares import Squares
from ledger.record.tiles import Tile
from ledger.record.visible import isolated, visible, visible_name

Names = Mapping[str, str]
"""The names that people read, by player id."""

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
"""English names of months, whatever the machine's language is."""

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
           "december")  # fmt: skip
_WEEKDAY = r"(?i)(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+"
_DAYS = (
    (r"(\d{1,2})(?:st|nd|rd|th)?\.?\s*(?:of\s+)?([A-Za-z]{3,9})\.?,?\s*(\d{4})", ("dmy",)),
    (r"([A-Za-z]{3,9})\.?\s*(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})", ("mdy",)),
    (r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})", ("ymd",)),
    (r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})", ("dmy",)),
    (r"(\d{1,2})[-/](\d{1,2})[-/](\d{4})", ("dmy", "mdy")),
)  # fmt: skip
"""How people write a day, and in which order: day, month, year."""


class Phrase(Struct, frozen=True, gc=False):
    """A step in words, in parts.

    `seat` is the player's (None: no player's), `tile` is the tile if there is one.  A play has a `place` where the tile
    was laid (``level 15, b3-b2``, ``on stack 3``, ``left end``; empty in a game with one pile).  Any other event has an
    `act`, without the player (``bids 12``, ``passes``, ``takes 3 tiles``, ``draws``).  `sentence` is the whole:
    ``Ana plays 9-1 on level 15, b3-b2 · 4 points``.
    """

    seq: int
    seat: int | None
    tile: Tile | None
    place: str
    act: str
    sentence: str


def in_words(event: AnyEvent, names: Names | None = None, squares: Squares | None = None) -> str:
    """An event as a sentence without its full stop, safe to show: ``Ana plays 5-1``.

    Without `squares`, a placement says only its level.
    """
    names = names or {}
    if type(event) in _CORRECTIONS:
        return visible(_CORRECTIONS[type(event)](event, names, squares))
    player, tile = actor(event), getattr(event, "tile", None)
    parts = [_who(player, names)] if player else []
    if type(event) in e.MOVES:
        parts += [f"plays {tile}", _at_place(event, squares)]
    elif type(event) in (e.Draw, e.Lift):
        parts.append(f"{_ACTS[type(event)](event, names)} {tile}")
    else:
        parts.append(_ACTS[type(event)](event, names))
    return visible(" ".join(filter(None, parts)) + _called(event))


def change_in_words(
    was: AnyEvent | None,
    now: AnyEvent | None,
    names: Names | None = None,
    squares: Squares | None = None,
    target: int = 0,
) -> str:
    """A correction as a sentence without its full stop: what an event was, what it is now, and all that differs.

    ``Ana's 5-3 on level 3, a1-b1: no points → 3 points``.  `target` is the seq before which an event was inserted.
    """
    if now is None or was is None:
        if was is not None:
            return f"{_called_in_middle(was, names, squares)} was taken out"
        return (
            "Nothing changed"
            if now is None
            else (f"{_called_in_middle(now, names, squares)} was put in before move {target}")
        )
    before, after = (_called_in_middle(event, names, squares) for event in (was, now))
    details = visible(", ".join(_differences(was, now, names or {})))
    if before == after:
        return f"{before}: {details}" if details else f"{before} was recorded again, unchanged"
    return f"{before} was changed to {after}" + (f"; {details}" if details else "")


def _called_in_middle(event: AnyEvent, names: Names | None, squares: Squares | None) -> str:
    """What an event is called in the middle of a sentence: ``Ana's 5-3 on level 3``."""
    if isinstance(event, e.Place | e.Stack | e.Play):
        place = place_in_words(event, squares)
        place = f" on {place}" if place.startswith("level") else f" {place}" if place else ""
        return f"{_who(event.player, names or {})}'s {event.tile}{place}"
    return f"“{in_words(event, names, squares)}”"


def _differences(was: AnyEvent, now: AnyEvent, names: Names) -> Iterator[str]:
    """What differs between two events and is not in their names: points of a placement, how a game was opened."""
    if isinstance(was, e.Place) and isinstance(now, e.Place) and was.points != now.points:
        yield f"{_points_called(was.points)} → {_points_called(now.points)}"
    if isinstance(was, e.Open) and isinstance(now, e.Open):
        for option in dict.fromkeys((*was.options, *now.options)):
            old, new = (event.options.get(option, "usual") for event in (was, now))
            if old != new:
                yield f"{option} {_set_to(old, names)} → {_set_to(new, names)}"
        for field in ("played", "place", "event", "recorder", "rules"):
            old, new = (getattr(event, field) for event in (was, now))
            if old != new:
                yield f"{field} {_set_to(old and day(old), {})} → {_set_to(new and day(new), {})}"


def _set_to(value: Any, names: Names) -> str:
    """A value of a heading: a player's name for an id, and a text from right to left kept apart."""
    return isolated(names.get(value, value)) if isinstance(value, str) else format_value(value)


def _points_called(points: int | None) -> str:
    if points is None:
        return "points not called"
    return plural(points, "point") if points else "no points"


def format_value(value: Any) -> str:
    """A value of a finding, an option or a ruling, for people."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    return visible(", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value))


def place_in_words(event: AnyEvent, squares: Squares | None = None) -> str:
    """Where an event lays a tile: ``level 15, b3-b2``, ``on stack 3``, ``left end``; empty if nowhere."""
    if isinstance(event, e.Place):
        return f"level {event.level}" + (f", {squares.of_place(event)}" if squares else "")
    if isinstance(event, e.Stack):
        return f"on stack {event.stack}"
    return f"{event.end} end" if isinstance(event, e.Play) and event.end else ""


def act_in_words(event: AnyEvent, names: Names | None = None) -> str:
    """What an event does, without its player and its tile, safe to show: ``bids 12``; empty for a play."""
    if type(event) in e.MOVES:
        return ""
    if type(event) in _CORRECTIONS:
        return in_words(event, names)
    short = _SHORT.get(type(event)) or _ACTS[type(event)]
    return visible(short(event, names or {}))


def _at_place(event: AnyEvent, squares: Squares | None) -> str:
    place = place_in_words(event, squares)
    if not place or place.startswith("on "):
        return place
    return f"on the {place}" if isinstance(event, e.Play) else f"on {place}"


def _called(event: AnyEvent) -> str:
    """The points that the table gave for a placement."""
    if not isinstance(event, e.Place) or event.points is None:
        return ""
    return f" · {_points_called(event.points)}"


def _who(player: str, names: Names) -> str:
    return isolated(names.get(player, player))


def _tiles(tiles: Iterable[object]) -> str:
    return ", ".join(map(str, tiles)) or "no tiles"


def _points(points: Mapping[str, int], names: Names) -> str:
    return ", ".join(f"{_who(player, names)} {n}" for player, n in points.items()) or "none"


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


def is_day(text: str) -> bool:
    """Whether a text is a day as records write it: ``2026-11-20``."""
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def read_day(text: str) -> tuple[str, ...]:
    """The days that a person may have meant, as records write them: one for ``20 Nov 2026``, two for ``3/4/2026``.

    It is empty for other text.
    """
    text = re.sub(_WEEKDAY, "", text.strip(), count=1)
    days = []
    matches = ((re.fullmatch(form, text), orders) for form, orders in _DAYS)
    for groups, order in ((match.groups(), order) for match, orders in matches if match for order in orders):
        parts = dict(zip(order, groups, strict=True))
        month = parts["m"] if parts["m"].isdecimal() else _month(parts["m"])
        written = f"{int(parts['y']):04}-{int(month):02}-{int(parts['d']):02}"
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


def _open(event: e.Open, _names: Names) -> str:
    players = listed(visible_name(player.name or player.id) for player in event.players)
    return f"A new game of {title_of(event.game, event.edition)}: {players}"


def _deal(event: e.Deal, _names: Names) -> str:
    if not event.partial:
        return f"holds {_tiles(event.tiles)}"
    return f"holds {_tiles(event.tiles)} and others" if event.tiles else "holds tiles that nobody wrote down"


def _aside(event: e.Aside, _names: Names) -> str:
    return f"sets aside {_tiles(event.tiles)}" if event.player else f"Out of the game: {_tiles(event.tiles)}"


def _rank(event: e.Rank, _names: Names) -> str:
    order = f", in {event.direction} order" if event.direction else ""
    return f"names {event.high} as the highest number{order}"


def _take(event: e.Take, names: Names) -> str:
    return f"{_taken(event, names)} (as called)"


def _taken(event: e.Take, _names: Names) -> str:
    parts = []
    if event.tiles is not None:
        parts.append(plural(event.tiles, "tile"))
    if event.points is not None:
        parts.append(f"worth {plural(event.points, 'point')}" if parts else plural(event.points, "point"))
    return f"takes {' '.join(parts) or 'the pile'}"


def _score(event: e.Score, names: Names) -> str:
    subject = "Points of the hand" if event.scope == "hand" else "Scores"
    return f"{subject} as called: {_points(event.points, names)}"


def _result(event: e.Result, names: Names) -> str:
    winners = listed(_who(winner, names) for winner in event.winners or ("nobody",))
    title = f" and earned the title {event.title}" if event.title else ""
    return f"Result as called: {winners} won{title}"


def _note(event: e.Note, _names: Names) -> str:
    about = f" on move {event.about}" if event.about is not None else ""
    return f"Note{about}: {event.text}"


def _because(why: str) -> str:
    return f" ({why})" if why else ""


_ACTS: dict[type[Event], Callable[..., str]] = {
    e.Open: _open,
    e.Deal: _deal,
    e.Aside: _aside,
    e.Layout: lambda event, _names: f"lays out {_tiles(event.tiles)}",
    e.Draw: lambda _event, _names: "draws",
    e.Bid: lambda event, _names: f"bids {event.bid}",
    e.Pass: lambda _event, _names: "passes",
    e.Rank: _rank,
    e.Over: lambda event, _names: f"takes the tile over, {event.tile}",
    e.Lift: lambda _event, _names: "lifts",
    e.Take: _take,
    e.Score: _score,
    e.Cheats: lambda event, _names: f"Cheats as called: {event.count}",
    e.Result: _result,
    e.Note: _note,
    e.Close: lambda event, _names: "Game over" if event.why == "finished" else "Game left unfinished",
    e.Confirm: lambda _event, _names: "agrees to the record",
}
"""The words for each event, after the name of its player if it has one."""
_SHORT: dict[type[Event], Callable[..., str]] = {
    e.Deal: lambda event, _names: f"holds {plural(len(event.tiles), 'tile')}{' or more' if event.partial else ''}",
    e.Aside: lambda event, _names: f"{plural(len(event.tiles), 'tile')} set aside",
    e.Layout: lambda event, _names: f"lays out {plural(len(event.tiles), 'tile')}",
    e.Over: lambda _event, _names: "takes the tile over",
    e.Take: _taken,
}
"""The same for a column beside the player and the tile, if that is shorter."""
_CORRECTIONS: dict[type[Event], Callable[..., str]] = {
    e.Retract: lambda event, _names, _squares: f"Move {event.seq} deleted{_because(event.why)}",
    e.Amend: lambda event, names, squares: (
        f"Move {event.seq} changed: {in_words(event.event, names, squares)}{_because(event.why)}"
    ),
    e.Void: lambda event, _names, _squares: (
        f"{'Brought back' if event.undo else 'Set aside by the owner of the ledger'}{_because(event.why)}"
    ),
    e.Insert: lambda event, names, squares: (
        f"Inserted before move {event.before}: {in_words(event.event, names, squares)}{_because(event.why)}"
    ),
}
