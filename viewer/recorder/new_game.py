"""The form for a new game: the players, a field for each option, and the opening made from it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from ledger.errors import NotARecord
from ledger.events import Open, Player
from ledger.game import Game, Opening, Option
from ledger.recorder import folded, players_for
from ledger.reports import format_value
from ledger.stores.query import Row
from viewer.recorder.names import MOST, bare_opening, player_counts, seats_sentence

CHIPS = 12
"""The most names that the form offers."""
GROUPS = (("fact", "At this table"), ("variant", "Variants"), ("ruling", "House rules"))
"""The kinds of options, in the order of the form, with their headings."""


class Field(NamedTuple):
    """An option on the form: its choices as (sent value, label), and the current choice.

    If `free` is set, the value may also be typed; `free` describes it.
    """

    name: str
    meaning: str
    choices: tuple[tuple[str, str], ...]
    chosen: str
    free: str = ""

    @property
    def usual(self) -> str:
        """The label of the default."""
        return self.choices[0][1]

    @property
    def changed(self) -> bool:
        """Whether the current choice is not the default."""
        return self.chosen not in ("", self.choices[0][0])


class Group(NamedTuple):
    """Options of one kind, folded away on the form under a heading."""

    title: str
    fields: tuple[Field, ...]

    @property
    def changed(self) -> bool:
        """Whether a choice in it is not the default."""
        return any(field.changed for field in self.fields)


class Fields(NamedTuple):
    """The form: the allowed numbers of players (of any edition, and by edition), and the options."""

    counts: tuple[int, ...]
    by_edition: dict[str, list[int]]
    sentence: str
    groups: tuple[Group, ...]

    @property
    def least(self) -> int:
        """The smallest number of players."""
        return self.counts[0]

    @property
    def most(self) -> int:
        """The largest number of players that the page offers."""
        return self.counts[-1]


def form_fields(game: Game[Any], typed: dict[str, str]) -> Fields:
    """The form of a game, filled with what the user typed."""
    counts = player_counts(game, None)
    bare = bare_opening(game, counts[-1], None)
    groups = []
    for kind, title in GROUPS:
        options = [option for option in game.options if option.kind == kind]
        if options:
            groups.append(Group(title, tuple(_field(option, bare, typed) for option in options)))
    by_edition = {edition: player_counts(game, edition) for edition in game.editions}
    return Fields(tuple(counts), by_edition, seats_sentence(game.title, counts), tuple(groups))


def _field(option: Option, bare: Opening, typed: dict[str, str]) -> Field:
    choices = [(_sent(value), _label(value)) for value in option.values]
    free = ""
    if option.valid is not None and option.valid(bare.players[0], bare):
        # A player is named by seat until there is a name.
        choices = [(sent, "player 1" if sent == "null" else label) for sent, label in choices]
        choices += [(_sent(player), f"player {place}") for place, player in enumerate(bare.players, 1)]
    elif option.valid is not None:
        free = option.accepts
    # A typed field stays empty for the game's own default, which may depend on other options.
    chosen = typed.get(f"option.{option.name}") or ("" if free else _sent(option.values[0]))
    return Field(option.name, option.meaning, tuple(choices), chosen, free)


def _label(value: Any) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else format_value(value)


def _sent(value: Any) -> str:
    return json.dumps(value)


def latest_players(rows: Sequence[Row]) -> list[str]:
    """The names of the people who played most recently, each once, the newest record first."""
    names: dict[str, str] = {}
    for row in rows:
        for player, name in row.players:
            names.setdefault(folded(name or player), name or player)
    return list(names.values())[:CHIPS]


def rematch(opening: Open) -> dict[str, str]:
    """The form for a rematch: the same people, each one seat further, and the same options."""
    players = [player.name or player.id for player in opening.players]
    typed = {f"player{n}": name for n, name in enumerate([*players[1:], *players[:1]], 1)}
    ids = {player.id for player in opening.players}
    for name, value in opening.options.items():
        # The first player of the last game need not be the first in this one.
        if value not in ids:
            typed[f"option.{name}"] = _sent(value)
    return {**typed, "edition": opening.edition or "", "place": opening.place or "", "event": opening.event or ""}


def typed_names(typed: dict[str, str]) -> list[str]:
    """The texts in the name fields of the form, in order."""
    return [typed.get(f"player{n}", "") for n in range(1, MOST + 1)]


def read_form(game: Game[Any], typed: dict[str, str]) -> Open:
    """The opening that the user typed.  Raises NotARecord for an invalid value."""
    players = players_for([name for name in typed_names(typed) if name])
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


def wrong_field(error: NotARecord) -> tuple[str, str]:
    """The field of the form that an error is about ("" if none is), and a sentence for it."""
    path = (error.field or "").removeprefix("$.")
    field = f"option.{path[8:]}" if path.startswith("options.") else "player1" if path.startswith("players") else path
    return field, f"{error.reason[:1].upper()}{error.reason[1:]}."


def _value(option: Option, sent: str, players: tuple[Player, ...]) -> Any:
    try:
        # Stricter than the standard library: no NaN, no lone surrogates, no endless nesting.
        value = None if sent.lower() == "none" else msgspec.json.decode(sent)
    except (ValueError, RecursionError):
        reason = f"“{sent}” is not one of: {option.accepts or 'the offered values'}"
        raise NotARecord(reason, event=0, field=f"$.options.{option.name}") from None
    if isinstance(value, str) and value.startswith("seat ") and value[5:].isdecimal() and len(value) < 9:
        seat = int(value[5:])
        return players[seat - 1].id if 0 < seat <= len(players) else value
    return tuple(value) if isinstance(value, list) else value
