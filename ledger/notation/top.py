"""The top of a score sheet: `Key: value` lines that hold the opening, and the texts in quotes that all lines share."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any

import msgspec

from ledger.errors import NotARecord
from ledger.events import Open
from ledger.notation.writer import letter

_KEYS = ("game", "edition", "options", "players", "played", "place", "event", "recorder", "rules", "by", "opened by")
_KEY = re.compile(r"\s*([A-Za-z]+(?: [A-Za-z]+)?)\s*:(.*)", re.DOTALL)
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_PLAYER = re.compile(
    rf'\s*(?P<letter>[A-Za-z])\s*=\s*(?P<id>{_QUOTED}|[^\s"{{}}:,#=]+)\s*(?P<name>{_QUOTED})?\s*(?:,|$)'
)
_OPTION = re.compile(
    rf'\s*(?P<key>{_QUOTED}|[^\s"{{}}:,#=]+)\s*=\s*(?P<value>{_QUOTED}|\[[-\d\s,]*\]|[^\s"{{}}:,#=]+)\s*(?:,|$)'
)


def unquoted(token: Any) -> str:
    """The text between quotes; escapes are those of JSON.  Raises NotARecord."""
    try:
        text: str = json.loads(str(token), strict=False)
    except ValueError as error:
        raise NotARecord(
            f"this text is not well quoted: {error}", field=f"column {getattr(token, 'column', 1)}"
        ) from None
    try:
        text.encode()
    except UnicodeEncodeError:
        raise NotARecord("half of a character is missing in this text", field="column 1") from None
    return text


def free(token: Any) -> str:
    """The text behind a colon: bare, or in quotes.  Raises NotARecord."""
    text = str(token)[1:].strip()
    return unquoted(text) if text.startswith('"') else text


def header(lines: Sequence[str]) -> tuple[Open, str | None, int]:
    """The opening, who usually recorded, and how many lines the top has.  Raises NotARecord."""
    fields: dict[str, Any] = {}
    at = 0
    for at, line in enumerate(lines):
        found = _KEY.fullmatch(line)
        key = " ".join(found[1].lower().split()) if found else ""
        if found is None or key not in _KEYS:
            if line.strip() and not line.lstrip().startswith("#"):
                _refuse(key, at + 1, fields)
                break
            continue
        if key in fields:
            raise NotARecord(f"{found[1]} is said twice", line=at + 1, field="column 1")
        try:
            fields[key] = _FIELDS.get(key, _free_text)(found[2])
        except NotARecord as error:
            raise NotARecord(error.reason, line=at + 1, field=error.field or f"column {found.start(2) + 1}") from None
    else:
        at = len(lines)
    for key in ("game", "players"):
        if key not in fields:
            raise NotARecord(f"a sheet says at its top {key.capitalize()}: ...", line=1, field="column 1")
    usual = fields.pop("by", None)
    by = fields.pop("opened by", usual)
    plain = {"type": "open", **fields, **({} if by in (None, "") else {"by": by})}
    try:
        return msgspec.convert(plain, Open), usual, at
    except msgspec.ValidationError as error:
        raise NotARecord(str(error), line=1, event=0) from None


def _refuse(key: str, number: int, fields: dict[str, Any]) -> None:
    """A line that is neither of the top nor an event's: said while the top still lacks something."""
    if key and key.split(maxsplit=1)[0] not in ("note", "retract") and not {"game", "players"} <= set(fields):
        close = get_close_matches(key, _KEYS, n=1, cutoff=0.5)
        meant = f"; did you mean {close[0].capitalize()}?" if close else ""
        able = ", ".join(key.capitalize() for key in _KEYS)
        raise NotARecord(f"a sheet has no {key!r} at its top, only {able}{meant}", line=number, field="column 1")


def _free_text(text: str) -> str:
    return free(":" + text)


def _players(text: str) -> list[dict[str, str]]:
    players: list[dict[str, str]] = []
    place = 0
    while place < len(text.rstrip()):
        found = _PLAYER.match(text, place)
        if not found:
            raise NotARecord('players are written A = id "Name", B = id "Name"')
        wanted = letter(len(players))
        if found["letter"].upper() != wanted:
            raise NotARecord(f"the letters go in the order of the seats: {wanted} comes here, not {found['letter']}")
        player = {"id": _bare(found["id"])}
        if found["name"]:
            player["name"] = unquoted(found["name"])
        players.append(player)
        place = found.end()
    return players


def _options(text: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    place = 0
    while place < len(text.rstrip()):
        found = _OPTION.match(text, place)
        if not found:
            raise NotARecord("options are written name = value, name = value")
        options[_bare(found["key"])] = _option(found["value"])
        place = found.end()
    return options


def _option(text: str) -> Any:
    if text.startswith("["):
        return [int(number[:12]) for number in re.findall(r"-?\d+", text)]
    if re.fullmatch(r"-?\d+", text):
        return int(text[:19])
    return {"true": True, "false": False, "none": None}.get(text.lower(), _bare(text))


def _bare(text: str) -> str:
    return unquoted(text) if text.startswith('"') else text


def _opened_by(text: str) -> str | None:
    return None if text.strip() == "-" else _free_text(text)


_FIELDS: dict[str, Callable[[str], Any]] = {"players": _players, "options": _options, "opened by": _opened_by}
