"""Writes records as score sheets."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from ledger import events as e
from ledger.codec import encode_event
from ledger.events import AnyEvent, Event
from ledger.record import Record
from ledger.tiles import Tile

_WORD = re.compile(r"[^\s\"{}:,#=]+")
_RESERVED = {"-", "true", "false", "none"}
_NUMBER = re.compile(r"-?\d+")
_UNBROKEN = re.compile(r"[^\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
"""Text that no reader of lines would break in two."""


def write(record: Record, *, numbered: bool = False) -> str:
    """A record as a score sheet; with `numbered` each line begins with the seq of its event."""
    opening = record.events[0]
    assert isinstance(opening, e.Open)  # noqa: S101  the codec refuses any other record
    ids = [player.id for player in opening.players]
    usual = _usual(record.events)
    lines = [*_header(opening, usual), ""]
    for seq, event in enumerate(record.events[1:], 1):
        number = f"{seq}. " if numbered else ""
        lines.append(number + write_event(event, ids, usual))
        learn(event, ids)
    return "\n".join(lines) + "\n"


def write_event(event: AnyEvent, ids: Sequence[str], usual: str | None = None) -> str:
    """One event as a line.  `ids` are the players by seat; `usual` is who recorded where a line does not say."""
    found = type(event)
    who = _by(event.by, usual)
    if found in _SAID:
        return _SAID[found](event, ids, usual, who)
    return _PLAIN[found](event, ids) + who


def learn(event: AnyEvent, ids: list[str]) -> None:
    """Adds the players that an amended opening brings along: they get the next letters."""
    if isinstance(event, e.Amend) and isinstance(event.event, e.Open):
        ids += [player.id for player in event.event.players if player.id not in ids]


def _usual(events: Iterable[AnyEvent]) -> str | None:
    """Who recorded most of the events: said once, at the top."""
    count: dict[str | None, int] = {}
    for event in events:
        count[event.by] = count.get(event.by, 0) + 1
    return max(count, key=count.__getitem__)


def _by(by: str | None, usual: str | None) -> str:
    if by == usual:
        return ""
    return " by -" if by is None else f" by {_name(by)}"


# ── The top of a sheet ─────────────────────────────────────────────────────────────────────────────────────


def _header(opening: e.Open, usual: str | None) -> Iterable[str]:
    yield f"Game: {_text(opening.game)}"
    if opening.edition is not None:
        yield f"Edition: {_text(opening.edition)}"
    if opening.options:
        yield "Options: " + ", ".join(f"{_name(key)} = {_value(value)}" for key, value in opening.options.items())
    yield "Players: " + ", ".join(
        f"{letter(seat)} = {_name(player.id)}" + (f" {_string(player.name)}" if player.name else "")
        for seat, player in enumerate(opening.players)
    )
    for key in ("played", "place", "event", "recorder", "rules"):
        value = getattr(opening, key)
        if value is not None:
            yield f"{key.capitalize()}: {_text(value)}"
    if usual is not None:
        yield f"By: {_text(usual)}"
    if opening.by != usual:
        yield f"Opened by: {_text(opening.by or '-') if opening.by != '-' else _string('-')}"


def letter(seat: int) -> str:
    """The letter of a seat: A for the first."""
    return chr(ord("A") + seat)


def _value(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _string(value) if _NUMBER.fullmatch(value) or value.startswith("[") else _name(value)
    return "[" + " ".join(map(str, value)) + "]"


def _string(text: str) -> str:
    # Everything beyond ASCII that could end a line or hide is escaped; letters of any alphabet stay as they are.
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(c if c == " " or c.isprintable() else json.dumps(c)[1:-1] for c in quoted)


def _name(text: str) -> str:
    plain = _WORD.fullmatch(text) and text.lower() not in _RESERVED and text.isprintable()
    return text if plain else _string(text)


def _text(text: str) -> str:
    """Free text to the end of a line, quoted only where it would not come back otherwise."""
    bare = _UNBROKEN.fullmatch(text) and text == text.strip() and not text.startswith('"') and text.isprintable()
    return text if bare else _string(text)


# ── Its lines ──────────────────────────────────────────────────────────────────────────────────────────────


def _player(event: Any, ids: Sequence[str]) -> str:
    return letter(ids.index(event.player))


def _tiles(tiles: Iterable[Tile]) -> str:
    return "".join(f" {tile}" for tile in tiles)


def _place(event: e.Place, ids: Sequence[str]) -> str:
    x, y = event.at
    level = "" if event.level == 1 else f"/{event.level}"
    points = "" if event.points is None else f" ={event.points}"
    return f"{_player(event, ids)} {event.tile} {x},{y}{event.dir}{level}{points}"


def _deal(event: e.Deal, ids: Sequence[str]) -> str:
    return f"{_player(event, ids)} has{_tiles(event.tiles)}{' ...' if event.partial else ''}"


def _aside(event: e.Aside, ids: Sequence[str]) -> str:
    who = "" if event.player is None else _player(event, ids) + " "
    return f"{who}aside{_tiles(event.tiles)}"


def _take(event: e.Take, ids: Sequence[str]) -> str:
    parts = [] if event.tiles is None else [str(event.tiles)]
    parts += [] if event.points is None else [f"{event.points} points"]
    return f"{_player(event, ids)} takes {', '.join(parts)}".rstrip()


def _score(event: e.Score, ids: Sequence[str]) -> str:
    points = ", ".join(f"{letter(ids.index(player))} {n}" for player, n in event.points.items())
    return f"{event.scope} {points or 'nobody'}"


def _result(event: e.Result, ids: Sequence[str]) -> str:
    winners = ", ".join(letter(ids.index(player)) for player in event.winners)
    title = "" if event.title is None else f" {_string(event.title)}"
    return f"result {winners or 'nobody'}{title}"


def _opening(event: e.Open, _ids: Sequence[str]) -> str:
    return f"opening {_string(encode_event(replace(event, when=None, by=None)).decode())}"


_PLAIN: dict[type[Event], Callable[..., str]] = {
    e.Open: _opening,
    e.Deal: _deal,
    e.Aside: _aside,
    e.Layout: lambda event, ids: f"{_player(event, ids)} lays{_tiles(event.tiles)}",
    e.Draw: lambda event, ids: f"{_player(event, ids)} draws {event.tile}",
    e.Bid: lambda event, ids: f"{_player(event, ids)} bid {event.bid}",
    e.Pass: lambda event, ids: f"{_player(event, ids)} pass",
    e.Rank: lambda event, ids: f"{_player(event, ids)} ranks {event.high} {event.direction}",
    e.Over: lambda event, ids: f"{_player(event, ids)} over {event.tile}",
    e.Place: _place,
    e.Lift: lambda event, ids: f"{_player(event, ids)} lifts {event.tile}",
    e.Stack: lambda event, ids: f"{_player(event, ids)} {event.tile} on {event.stack}",
    e.Play: lambda event, ids: f"{_player(event, ids)} {event.tile}",
    e.Take: _take,
    e.Score: _score,
    e.Cheats: lambda event, _ids: f"cheats {event.count}",
    e.Result: _result,
    e.Close: lambda event, _ids: f"close {event.why}",
    e.Confirm: lambda event, ids: f"{_player(event, ids)} confirms {_name(event.head)}",
}


def _note(event: e.Note, _ids: Sequence[str], _usual: str | None, who: str) -> str:
    about = "" if event.about is None else f" {event.about}"
    return f"note{about}{who}: {_text(event.text)}"


def _retract(event: e.Retract, _ids: Sequence[str], _usual: str | None, who: str) -> str:
    return f"retract {event.seq}{who}: {_text(event.why)}"


def _correction(event: e.Amend | e.Insert, ids: Sequence[str], usual: str | None, who: str) -> str:
    word, seq = ("amend", event.seq) if isinstance(event, e.Amend) else ("insert", event.before)
    inner = event.event
    if isinstance(inner, e.Note):
        about = "" if inner.about is None else f" {inner.about}"
        written = f"note{about} {_string(inner.text)}{_by(inner.by, usual)}"
    else:
        written = write_event(inner, ids, usual)
    return f"{word} {seq} {{{written}}}{who}: {_text(event.why)}"


_SAID: dict[type[Event], Callable[..., str]] = {
    e.Note: _note,
    e.Retract: _retract,
    e.Amend: _correction,
    e.Insert: _correction,
}
