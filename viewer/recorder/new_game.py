"""The form for a new game: a field for each option, and the opening made from it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from ledger.errors import NotARecord
from ledger.events import Open, Player
from ledger.game import Game, Opening, Option
from ledger.recorder import players_for
from ledger.reports import format_value

MOST = 8
"""Player fields on the page."""


class Field(NamedTuple):
    """An option on the form: its choices as (sent value, label), and the current choice.

    If `free` is set, the value may also be typed; `free` describes it.
    """

    name: str
    kind: str
    meaning: str
    choices: tuple[tuple[str, str], ...]
    chosen: str
    free: str = ""


class Fields(NamedTuple):
    """The form: the least and the most players, and the options."""

    least: int
    most: int
    options: tuple[Field, ...]


def _seats(game: Game[Any]) -> list[int]:
    """The numbers of players that some edition allows."""
    counts = range(1, MOST + 1)
    editions = game.editions or (None,)
    return [n for n in counts if any(game.seated(_bare(game, n, edition)) for edition in editions)]


def _bare(game: Game[Any], players: int, edition: str | None) -> Opening:
    ids = tuple(f"seat {n + 1}" for n in range(players))
    return Opening(game.name, edition, ids, ids, {})


def form_fields(game: Game[Any], typed: dict[str, str]) -> Fields:
    """The form of a game, filled with what the user typed."""
    seats = _seats(game)
    bare = _bare(game, seats[-1], None)
    return Fields(seats[0], seats[-1], tuple(_field(option, bare, typed) for option in game.options))


def _field(option: Option, bare: Opening, typed: dict[str, str]) -> Field:
    choices = [(_sent(value), format_value(value)) for value in option.values]
    free = ""
    if option.valid is not None and option.valid(bare.players[0], bare):
        # A player, named by seat until there is a name.
        choices += [(_sent(player), player) for player in bare.players]
    elif option.valid is not None:
        free = option.accepts
    # A typed field stays empty for the game's own default, which may depend on other options.
    chosen = typed.get(f"option.{option.name}") or ("" if free else _sent(option.values[0]))
    return Field(option.name, option.kind, option.meaning, tuple(choices), chosen, free)


def _sent(value: Any) -> str:
    return json.dumps(value)


def rematch(opening: Open) -> dict[str, str]:
    """The form for a rematch: the same people, each one seat further, and the same options."""
    players = [player.name or player.id for player in opening.players]
    typed = {f"player{n}": name for n, name in enumerate([*players[1:], *players[:1]], 1)}
    ids = {player.id for player in opening.players}
    for name, value in opening.options.items():
        # The first player of last time is not an option for this time.
        if value not in ids:
            typed[f"option.{name}"] = _sent(value)
    return {**typed, "edition": opening.edition or "", "place": opening.place or "", "event": opening.event or ""}


def read_form(game: Game[Any], typed: dict[str, str]) -> Open:
    """The opening that the user typed.  Raises NotARecord for an invalid value."""
    names = [name for n in range(1, MOST + 1) if (name := typed.get(f"player{n}", ""))]
    players = players_for(names)
    options = {}
    for option in game.options:
        sent = typed.get(f"option.{option.name}", "")
        value = _value(option, sent, players) if sent else option.values[0]
        free = option.valid is not None and sent and not sent.startswith('"')
        if free or value != option.values[0]:
            options[option.name] = value
    return Open(
        game.name,
        typed.get("edition") or None,
        options,
        players,
        played=typed.get("played") or datetime.now(UTC).astimezone().date().isoformat(),
        place=typed.get("place") or None,
        event=typed.get("event") or None,
        recorder=typed.get("recorder") or None,
    )


def _value(option: Option, sent: str, players: tuple[Player, ...]) -> Any:
    try:
        # Stricter than the standard library: no NaN, no lone surrogates, no endless nesting.
        value = None if sent.lower() == "none" else msgspec.json.decode(sent)
    except (ValueError, RecursionError):
        reason = f"{sent!r} is not one of: {option.accepts or 'the offered values'}"
        raise NotARecord(reason, event=0, field=f"$.options.{option.name}") from None
    if isinstance(value, str) and value.startswith("seat ") and value[5:].isdecimal() and len(value) < 9:
        seat = int(value[5:])
        return players[seat - 1].id if 0 < seat <= len(players) else value
    return tuple(value) if isinstance(value, list) else value
