"""Reads one line: what happened, what was said about it, and corrections.  The tables at the end have the words of all.

The result is plain data in the shape of the record format's JSON; the line keeps the place of each field.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from ledger.notation import event_fields as fields
from ledger.notation import loose
from ledger.notation.event_fields import foreign
from ledger.notation.heading import one_line
from ledger.notation.loose import player, somebody
from ledger.notation.pieces import Line, Pieces
from ledger.notation.refusals import listed
from ledger.record import events as e
from ledger.record.events import Event

Data = dict[str, Any]
Read = Callable[[Line, Data], None]
"""Reads the fields of an event behind its word."""


class Form(Struct, frozen=True):
    """How an event is written: the `word` that it is listed with, its type, what reads the rest, and the type's tag."""

    word: str
    event: type[Event]
    read: Read
    kind: str


def read_event(line: Line) -> Data:
    """Reads the event of a line, to its end.  Raises NotARecord."""
    data = _with_by(line, _LINES)
    if not line.ends():
        raise line.unexpected()
    return data


def _with_by(line: Line, table: dict[str, Form]) -> Data:
    """An event, perhaps with who recorded it before it."""
    if not line.keyword("by"):
        return _told(line, table)
    line.field("by")
    by = somebody(line)
    line.require(":")
    return {**_told(line, table), "by": by}


def _told(line: Line, table: dict[str, Form]) -> Data:
    """An event that begins with a word of this table, or with a player."""
    line.meant = line.piece[:1] == "!"
    if line.meant:
        line.go(line.begin + 1)
    column, word = line.column, line.one_of(table)
    if word is not None:
        return _read(line, table, word, {}, column)
    line.expect(lambda: _words(line, table), *(["KEY"] if line.setting.in_heading and line.seq is None else []))
    line.field("player")
    turn = line.setting.turn
    data: Data = {"player": turn if turn and _is_act(line) else player(line)}
    column, word = line.column, line.one_of(_VERBS)
    if word is not None:
        return _read(line, _VERBS, word, data, column)
    before = line.column
    bare = not line.keyword("plays", "play")
    if bare:
        line.expect(lambda: _words(line, _VERBS))
    who = line.setting.letters.letter(data["player"]) or line.line[:before].split()[-1]
    kind = fields.played(line, data, who, bare=bare)
    return {"type": e.kind(kind), **data}


def _is_act(line: Line) -> bool:
    """Whether an act stands here, without the player before it: a tile, or a verb."""
    verb = line.piece.lower().rstrip("0123456789")
    return loose.begins_tile(line) or verb in _VERBS or verb in ("plays", "play")


def _words(line: Line, table: dict[str, Form]) -> set[str]:
    """The words of this table that the game has."""
    return {form.word for form in table.values() if line.setting.has(form.event)}


def _read(line: Line, table: dict[str, Form], word: str, data: Data, column: int) -> Data:
    """The rest of an event behind its word.  Raises NotARecord if the game has no such event, unless it is meant."""
    form = table[word]
    form.read(line, data)
    if not line.meant and not line.setting.has(form.event, data.get("scope")):
        expected = _words(line, table) | ({"TILE", "plays"} if table is _VERBS else {"LETTER"})
        raise line.refuse(foreign(line.setting, form.event, listed(expected)), column)
    return {"type": form.kind, **data}


# ---- Corrections


def _retracted(line: Line, data: Data) -> None:
    line.field("seq")
    data["seq"] = line.nth()
    _why(line, data)


def _inserted(line: Line, data: Data) -> None:
    line.keyword("before")
    _corrected(line, data, "before")


def _amended(line: Line, data: Data) -> None:
    _corrected(line, data, "seq")


def _corrected(line: Line, data: Data, field: str) -> None:
    """The number of the event that a correction is about, the right event, and why."""
    line.field(field)
    data[field] = line.nth()
    line.mark(":")
    line.field("event")
    line.path = "event."
    data["event"] = _with_by(line, _EVENTS)
    line.path = ""
    _why(line, data)


def _why(line: Line, data: Data) -> None:
    """The reason for a correction, if there is one."""
    data["why"] = ""
    if line.is_because():
        line.step()
        line.field("why")
        data["why"] = line.text()
    else:
        line.expect("because")


def _restored(line: Line, data: Data) -> None:
    data["undo"] = True
    _why(line, data)


def _opened(line: Line, data: Data) -> None:
    opening = one_line(line)
    data |= opening.data()
    line.spots |= {line.path + field: spot for field, spot in opening.spots.items()}
    line.setting.letters, line.setting.game = opening.letters, opening.game


# ---- The words of all events


def _by_word(*rows: tuple[str, type[Event], Read]) -> dict[str, Form]:
    """The forms by each of their words; the first of these is listed."""
    return {
        word: Form(words.split()[0], event, read, e.kind(event))
        for words, event, read in rows
        for word in words.split()
    }


_VERBS = _by_word(
    ("has have", e.Deal, fields.held),
    ("aside", e.Aside, fields.aside),
    ("lays lay", e.Layout, fields.tiles),
    ("draws draw", e.Draw, fields.draw),
    ("bids bid", e.Bid, fields.bid),
    ("passes pass", e.Pass, fields.nothing),
    ("ranks rank", e.Rank, fields.ranked),
    ("over", e.Over, fields.draw),
    ("lifts lift", e.Lift, fields.draw),
    ("takes take", e.Take, fields.taken),
    ("agrees agree", e.Confirm, fields.agreed),
)
"""By the word behind a player."""
_EVENTS = _by_word(
    ("aside", e.Aside, fields.aside),
    ("hand", e.Score, lambda line, data: fields.scores(line, data, "hand")),
    ("total totals", e.Score, lambda line, data: fields.scores(line, data, "game")),
    ("cheats cheat", e.Cheats, fields.counted),
    ("end", e.Close, fields.closed),
    ("open", e.Open, _opened),
    # The line goes on behind these, so a text is in quotes.
    ("note", e.Note, lambda line, data: fields.note(line, data, Pieces.quoted)),
    ("result", e.Result, lambda line, data: fields.result(line, data, Pieces.quoted)),
)
"""By the word that begins an event inside a correction."""
_LINES = _EVENTS | _by_word(
    ("note", e.Note, fields.note),
    ("result", e.Result, fields.result),
    ("retract", e.Retract, _retracted),
    ("amend", e.Amend, _amended),
    ("insert", e.Insert, _inserted),
    ("void", e.Void, _why),
    ("restore", e.Void, _restored),
)
"""By the word that begins a line."""
