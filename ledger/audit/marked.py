"""The sentences of an audit with each player's id between marks, so that no other word is taken for one.

A sentence has players by id, and an id may be any text: "On", "a", "12".  Where the rules write such words themselves,
the record is judged once more with marked ids.  Then the same sentences say which of their words are ids.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import msgspec

from ledger.record import codec
from ledger.record.errors import LedgerError
from ledger.record.record import Record
from ledger.rules.game import Clause, Game, Option

MARK = "\ue000"
"""A character for private use, which stands before and after an id."""
MARKED = f"{MARK}[^{MARK}]+{MARK}"
"""A pattern that matches a marked id."""
LARGE = 60
"""Larger containers are tables of numbers, tiles or squares."""
_WORD = re.compile(r"\w+")
_OF_PLAYERS = ("player", "id")
_SHARED = ("ledger.rules.", "ledger.record.record", "ledger.record.words", "ledger.audit.auditor", "ledger.audit.judge")


def mistakable(game: Game[Any], ids: Iterable[str]) -> bool:
    """Whether the rules may write a word, or a number, that is one of these ids."""
    own = _words(game)
    return any(all(word.isdigit() or word in own for word in _WORD.findall(player)) for player in ids)


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
def _words(game: Game[Any]) -> frozenset[str]:
    """Every word in the texts of the modules that a game's rules are made of."""
    rules = (
        game.start,
        game.evolve,
        game.standing,
        game.scene,
        game.points,
        *(clause.check for clause in game.clauses),
    )
    homes = {rule.__module__ for rule in rules if rule is not None}
    packages = (*_SHARED, *(f"{home.rpartition('.')[0]}." for home in homes if "." in home))
    found, seen = set[str](), set[int]()
    for name, module in list(sys.modules.items()):
        if name in homes or name.startswith(packages):
            # What Python itself keeps about a module is no part of what it writes.
            for written in [value for key, value in vars(module).items() if not key.startswith("__")]:
                for text in _texts(written, seen):
                    found.update(_WORD.findall(text))
    return frozenset(found | {f"{word}s" for word in found})


def _texts(value: Any, seen: set[int]) -> Iterator[str]:
    """Every text in a value: in containers, and in what functions write."""
    if isinstance(value, str):
        yield value
        return
    if id(value) in seen or isinstance(value, ModuleType):
        return
    seen.add(id(value))
    if isinstance(value, dict):
        parts: Collection[Any] = (*value.keys(), *value.values())
    elif isinstance(value, tuple | list | set | frozenset):
        parts = [part for part in value if not isinstance(part, int)]
    elif isinstance(value, CodeType):
        parts = value.co_consts
    elif isinstance(value, FunctionType):
        parts = [part for part in value.__code__.co_consts if part != value.__doc__]
    elif isinstance(value, Clause | Option):
        parts = tuple(getattr(value, name) for name in value.__struct_fields__)
    else:
        return
    if len(parts) <= LARGE or isinstance(value, CodeType | FunctionType):
        for part in parts:
            yield from _texts(part, seen)
