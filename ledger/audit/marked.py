"""The sentences of an audit with each player's id between marks, so that no other word is taken for one.

A sentence has players by id, and an id may be any text: "On", "a", "12".  Where the rules write such words themselves,
the record is judged once more with marked ids.  Then the same sentences say which of their words are ids.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from types import CodeType
from typing import Any

import msgspec

from ledger.record import codec
from ledger.record.errors import LedgerError
from ledger.record.record import Record
from ledger.rules.game import Game

MARK = "\ue000"
"""A character for private use, which stands before and after an id."""
MARKED = f"{MARK}[^{MARK}]+{MARK}"
"""A pattern that matches a marked id."""
_WORD = re.compile(r"\w+")
_OF_PLAYERS = ("player", "id")
_SHARED = ("ledger.rules.", "ledger.record.record", "ledger.record.words", "ledger.audit.auditor", "ledger.audit.judge")


def mistakable(game: Game[Any], ids: Iterable[str]) -> bool:
    """Whether the rules may write a word, or a number, that is one of these ids."""
    own = _words(game)
    return own is None or any(all(word.isdigit() or word in own for word in _WORD.findall(player)) for player in ids)


def marked_record(record: Record) -> Record | None:
    """The record with marks around the ids of its players; None if it cannot have them."""
    if MARK in (text := codec.encode(record).decode()):
        return None
    plain = msgspec.json.decode(text)
    ids = {player["id"] for event in plain["events"] for player in _players(event)}
    try:
        return codec.decode(msgspec.json.encode(_with_marks(plain, ids)))
    except LedgerError:
        return None


def _players(event: Any) -> Iterable[Any]:
    return event.get("players") or event.get("event", {}).get("players") or ()


def _with_marks(value: Any, ids: set[str], field: str = "") -> Any:
    """A record's JSON with marks around every id in it, also where an option names a player."""
    if isinstance(value, dict):
        return {
            _mark(key) if field == "points" and key in ids else key: _with_marks(
                part, ids, field if field == "options" else key
            )
            for key, part in value.items()
        }
    if isinstance(value, list):
        return [_with_marks(part, ids, field) for part in value]
    names_player = field in (*_OF_PLAYERS, "winners", "options") and isinstance(value, str) and value in ids
    return _mark(value) if names_player else value


def _mark(player: str) -> str:
    return f"{MARK}{player}{MARK}"


def plain(text: str) -> str:
    """The text without marks."""
    return text.replace(MARK, "")


def paired(sentences: Iterable[str], marked: Iterable[str]) -> Mapping[str, str]:
    """By sentence, the same one with marks."""
    return {sentence: other for sentence, other in zip(sentences, marked, strict=False) if plain(other) == sentence}


# ── The words of a game ────────────────────────────────────────────────────────────────────────────────────


@cache
def _words(game: Game[Any]) -> frozenset[str] | None:
    """Every word that is written in the modules of a game's rules, and of what these share; None if no file has one."""
    rules = (game.start, game.evolve, game.standing, game.scene, game.points, *(one.check for one in game.clauses))
    homes = {rule.__module__ for rule in rules if rule is not None}
    packages = (*_SHARED, *(f"{home.rpartition('.')[0]}." for home in homes if "." in home))
    words = set[str]()
    for name, module in list(sys.modules.items()):
        if name in homes or name.startswith(packages):
            try:
                code = vars(module)["__loader__"].get_code(name)
            except (KeyError, AttributeError, ImportError):  # a program made this module, or somebody types it
                return None
            words.update(chain.from_iterable(map(_WORD.findall, _texts(code))))
    return frozenset(words | {f"{word}s" for word in words})


def _texts(constant: object) -> Iterator[str]:
    """Every text in code: in its constants, and in the code of its functions and classes."""
    if isinstance(constant, str):
        yield constant
    elif isinstance(constant, CodeType | tuple | frozenset):
        for part in constant.co_consts if isinstance(constant, CodeType) else constant:
            yield from _texts(part)
