"""Reads score sheets: a top of `Key: value` lines, an empty line, then one event a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import msgspec

from ledger.codec import check
from ledger.errors import NotARecord
from ledger.events import AnyEvent, Open
from ledger.notation.top import free, header, unquoted
from ledger.notation.writer import learn, letter
from ledger.record import Record
from ledger.tiles import LARGEST

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

# What a terminal of the grammar is called by people.
_CALLED = {
    "HANDLE": "a player's letter",
    "TILE": "a tile such as 5-1",
    "SPOT": "a square and a direction such as 2,-3e",
    "POINTS": "points such as =4",
    "INT": "a number",
    "NUMBER": "a line's number such as 12.",
    "TEXT": "a colon and the text",
    "STRING": 'a text in "quotes"',
    "WORD": "a name",
    "MORE": "...",
    "WAY": "regular or reverse",
    "WHY": "finished or abandoned",
    "SCOPE": "hand or game",
    "LBRACE": "{",
    "RBRACE": "}",
    "COMMA": "a comma",
    "$END": "the end of the line",
    "POINTWORD": "points",
}
_KEYWORDS = (
    "has", "aside", "lays", "draws", "bid", "pass", "ranks", "over", "lifts", "takes", "on", "hand", "game", "cheats",
    "result", "close", "finished", "abandoned", "confirms", "note", "retract", "amend", "insert", "by", "nobody",
    "regular", "reverse", "points", "opening",
)  # fmt: skip


def read(text: str, source: str | None = None) -> Record:
    """The record that a sheet holds.  Raises NotARecord with `source`, line, column and what was expected."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    try:
        opening, usual, at = header(lines)
        ids = [player.id for player in opening.players]
        events: list[AnyEvent] = [opening]
        for number, line in enumerate(lines[at:], at + 1):
            if line.strip() and not line.lstrip().startswith("#"):
                try:
                    event = read_line(line, ids, usual, seq=len(events))
                except NotARecord as error:
                    raise error.at(source or "", number) from None
                events.append(event)
                learn(event, ids)
        return check(events)
    except NotARecord as error:
        raise (error.at(source) if source and not error.source else error) from None


def read_line(line: str, ids: Sequence[str], usual: str | None = None, seq: int | None = None) -> AnyEvent:
    """One event, as a line of a sheet or as it is typed.

    `ids` are the players by seat, A the first; `usual` is who recorded where the line does not say; a number at its
    front must be `seq`, if that is given.  Raises NotARecord with the column in `field`.
    """
    from lark.exceptions import UnexpectedInput  # noqa: PLC0415  heavy; only who reads a sheet needs it

    try:
        tree: Any = _parser().parse(line)
    except UnexpectedInput as error:
        raise _unexpected(error, line) from None
    except RecursionError:
        raise NotARecord("nested deeper than any line", field="column 1") from None
    number = tree.children[0]
    if number is not None and seq is not None and int(number[:-1]) != seq:
        raise NotARecord(f"this line is numbered {number[:-1]}, but it is event {seq}", field="column 1")
    try:
        plain = _event(tree.children[1], ids, usual)
        return msgspec.convert(plain, AnyEvent)  # type: ignore[no-any-return]  # it gives one of a union
    except msgspec.ValidationError as error:
        raise NotARecord(str(error), field="column 1") from None


@cache
def _parser() -> Lark:
    from lark import Lark  # noqa: PLC0415  as above

    grammar = resources.files(__package__).joinpath("sheet.lark").read_text("utf-8")
    return Lark(
        grammar, start="line", parser="lalr", lexer="contextual", propagate_positions=True, maybe_placeholders=True
    )


def _unexpected(error: Any, line: str) -> NotARecord:
    """What lark found, in words: the column, what was expected, the nearest thing that was meant."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedEOF  # noqa: PLC0415  as above

    wanted = error.allowed if isinstance(error, UnexpectedCharacters) else error.expected
    ended = isinstance(error, UnexpectedEOF) or getattr(getattr(error, "token", None), "type", "") == "$END"
    column = len(line.rstrip()) + 1 if ended else error.column
    found = re.match(r"\S+", line[column - 1 :]) if not ended else None
    terms = sorted(set(wanted or ()) - {"COMMENT"})
    words = [_CALLED.get(term, term.lower()) for term in terms if not term.startswith("__IGNORE")]
    expected = ", ".join(dict.fromkeys(words)) or "nothing more"
    what = f"{found[0]!r} is not understood here" if found else "the line ends too early"
    if found and found[0].startswith('"'):
        what = "this text has no closing quote"
    meant = _meant(found[0], terms) if found else ""
    return NotARecord(f"{what}; expected {expected}{meant}", field=f"column {column}")


def _meant(found: str, terms: Sequence[str]) -> str:
    able = [word for word in _KEYWORDS if _could_be(word, terms)]
    close = get_close_matches(found.lower().strip(",:"), able, n=1, cutoff=0.5)
    return f"; did you mean {close[0]}?" if close else ""


def _could_be(word: str, terms: Sequence[str]) -> bool:
    return any(
        re.fullmatch(terminal.pattern.to_regexp(), word) for terminal in _parser().terminals if terminal.name in terms
    )


# ── From a tree to an event ────────────────────────────────────────────────────────────────────────────────


def _event(tree: Tree[Token], ids: Sequence[str], usual: str | None) -> dict[str, Any]:
    body = tree.children[0]
    by = tree.children[1] if len(tree.children) > 1 else None
    name = str(body.data)  # type: ignore[union-attr]
    if name in ("note", "retract", "amend", "insert"):
        return _SAID[name](list(body.children), ids, usual)  # type: ignore[union-attr]
    plain = _PLAIN[name](_Line(list(body.children), ids))  # type: ignore[union-attr]
    return _stamped(plain, by, usual)


def _stamped(plain: dict[str, Any], by: Any, usual: str | None) -> dict[str, Any]:
    name = usual if by is None else _named(by.children[1])
    return plain if name is None else {**plain, "by": name}


def _named(tree: Any) -> str | None:
    token = tree.children[0]
    if token.type == "STRING":
        return unquoted(token)
    return None if token == "-" else str(token)  # noqa: S105  a terminal of the grammar, not a word of entry


def _int(token: Any) -> int:
    if len(token) > 12:
        raise NotARecord(f"{token} is no number of any table", field=f"column {token.column}")
    return int(token)


class _Line:
    """The parts of a line, taken one after the other."""

    def __init__(self, parts: list[Any], ids: Sequence[str]) -> None:
        self.parts, self.ids = parts, ids

    def take(self, *kinds: str) -> Any:
        """The first part that is a token of one of these kinds, or None; it is taken out."""
        for place, part in enumerate(self.parts):
            if part is not None and getattr(part, "type", None) in kinds:
                return self.parts.pop(place)
        return None

    def subtree(self) -> Any:
        """The part that is a tree of its own."""
        return next(part for part in self.parts if hasattr(part, "children"))

    def player(self, token: Any = None) -> str:
        """The player of a letter."""
        token = token or self.take("HANDLE")
        seat = ord(token.upper()) - ord("A")
        if seat >= len(self.ids):
            able = ", ".join(f"{letter(n)} ({name})" for n, name in enumerate(self.ids))
            raise NotARecord(f"nobody is {token}; the players are {able}", field=f"column {token.column}")
        return self.ids[seat]

    def tile(self, token: Any = None) -> str:
        """A tile, if it can exist."""
        token = token or self.take("TILE")
        halves = token.split("-")
        if any(len(half) > 2 or int(half) > LARGEST for half in halves):
            raise NotARecord(f"there is no tile {token}: halves go from 0 to {LARGEST}", field=f"column {token.column}")
        return "-".join(str(int(half)) for half in halves)

    def tiles(self) -> list[str]:
        """A list of tiles."""
        return [self.tile(token) for token in self.subtree().children]

    def number(self) -> int:
        """A whole number."""
        return _int(self.take("INT"))


def _place(line: _Line) -> dict[str, Any]:
    spot = re.match(r"(-?\d+)\s*,\s*(-?\d+)\s*([a-zA-Z])(?:\s*/\s*(\d+))?", line.take("SPOT"))
    assert spot is not None  # noqa: S101  the lexer let it through
    points = line.take("POINTS")
    plain: dict[str, Any] = {"type": "place", "player": line.player(), "tile": line.tile()}
    plain |= {"at": [int(spot[1][:12]), int(spot[2][:12])], "dir": spot[3].lower(), "level": int((spot[4] or "1")[:12])}
    return plain if points is None else {**plain, "points": int(points[1:].strip()[:12])}


def _of_player(type_: str, **parts: Callable[[_Line], Any]) -> Callable[[_Line], dict[str, Any]]:
    """An event of a player and the parts that follow, in their order."""

    def made(line: _Line) -> dict[str, Any]:
        return {"type": type_, "player": line.player(), **{name: part(line) for name, part in parts.items()}}

    return made


def _take(line: _Line) -> dict[str, Any]:
    plain: dict[str, Any] = {"type": "take", "player": line.player()}
    tokens = [part for part in line.parts if getattr(part, "type", None) in ("INT", "POINTWORD")]
    for place, token in enumerate(tokens):
        if token.type == "INT":
            worth = place + 1 < len(tokens) and tokens[place + 1].type == "POINTWORD"
            key = "points" if worth else "tiles"
            if key in plain:
                raise NotARecord(f"{key} are said twice", field=f"column {token.column}")
            plain[key] = _int(token)
    return plain


def _score(line: _Line) -> dict[str, Any]:
    scope = line.take("SCOPE")
    said: dict[str, int] = {}
    tokens = [token for token in line.subtree().children if token.type != "NOBODY"]
    for player, points in zip(tokens[::2], tokens[1::2], strict=True):
        name = line.player(player)
        if name in said:
            raise NotARecord(f"{player} is named twice", field=f"column {player.column}")
        said[name] = _int(points)
    return {"type": "score", "scope": scope.lower(), "points": said}


def _result(line: _Line) -> dict[str, Any]:
    winners = [line.player(token) for token in line.subtree().children if token.type == "HANDLE"]
    title = line.take("STRING")
    plain: dict[str, Any] = {"type": "result", "winners": winners}
    return plain if title is None else {**plain, "title": unquoted(title)}


def _opening(line: _Line) -> dict[str, Any]:
    text = unquoted(line.take("STRING"))
    try:
        return {**msgspec.to_builtins(msgspec.json.decode(text, type=Open)), "type": "open"}
    except (msgspec.DecodeError, RecursionError) as error:
        raise NotARecord(f"the opening is none: {error}", field="column 1") from None


def _note(line: _Line) -> dict[str, Any]:
    about, text = line.take("INT"), line.take("STRING", "TEXT")
    said = unquoted(text) if text.type == "STRING" else free(text)
    plain: dict[str, Any] = {"type": "note", "text": said}
    return plain if about is None else {**plain, "about": _int(about)}


_PLAIN: dict[str, Callable[[_Line], dict[str, Any]]] = {
    "place": _place,
    "stack": _of_player("stack", tile=_Line.tile, stack=_Line.number),
    "play": _of_player("play", tile=_Line.tile),
    "deal": _of_player("deal", tiles=_Line.tiles, partial=lambda line: line.take("MORE") is not None),
    "aside": _of_player("aside", tiles=_Line.tiles),
    "aside_nobody": lambda line: {"type": "aside", "tiles": line.tiles()},
    "layout": _of_player("layout", tiles=_Line.tiles),
    "draw": _of_player("draw", tile=_Line.tile),
    "bid": _of_player("bid", bid=_Line.number),
    "pass_": _of_player("pass"),
    "rank": _of_player("rank", high=_Line.number, direction=lambda line: line.take("WAY").lower()),
    "over": _of_player("over", tile=_Line.tile),
    "lift": _of_player("lift", tile=_Line.tile),
    "take": _take,
    "score": _score,
    "cheats": lambda line: {"type": "cheats", "count": line.number()},
    "result": _result,
    "close": lambda line: {"type": "close", "why": line.take("WHY").lower()},
    "confirm": _of_player("confirm", head=lambda line: _named(line.subtree()) or "-"),
    "opening": _opening,
    "note_quoted": _note,
}


def _said_note(parts: list[Any], ids: Sequence[str], usual: str | None) -> dict[str, Any]:
    return _stamped(_note(_Line(parts, ids)), _who(parts), usual)


def _said_retract(parts: list[Any], ids: Sequence[str], usual: str | None) -> dict[str, Any]:
    line = _Line(parts, ids)
    return _stamped({"type": "retract", "seq": line.number(), "why": free(line.take("TEXT"))}, _who(parts), usual)


def _correction(type_: str, seq: str) -> Callable[[list[Any], Sequence[str], str | None], dict[str, Any]]:
    def made(parts: list[Any], ids: Sequence[str], usual: str | None) -> dict[str, Any]:
        line = _Line(parts, ids)
        inner = next(part for part in parts if getattr(part, "data", None) == "event")
        plain = {"type": type_, seq: line.number(), "event": _event(inner, ids, usual), "why": free(line.take("TEXT"))}
        return _stamped(plain, _who(parts), usual)

    return made


def _who(parts: list[Any]) -> Any:
    return next((part for part in parts if getattr(part, "data", None) == "by"), None)


_SAID = {
    "note": _said_note,
    "retract": _said_retract,
    "amend": _correction("amend", "seq"),
    "insert": _correction("insert", "before"),
}
