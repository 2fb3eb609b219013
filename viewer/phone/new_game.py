"""The form for a new game: the players, a field for each option, and the opening made from it."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from ledger.games import catalog
from ledger.games.catalog import MOST_SEATS, bare_opening, player_counts
from ledger.keep.recorder import folded, is_blank, new_id, new_key, players_for
from ledger.record import clock
from ledger.record.errors import LedgerError, NotARecord
from ledger.record.events import Open, Player
from ledger.record.words import day, format_value, is_day, listed_or, number
from ledger.rules.game import Game, Opening, Option
from ledger.stores.query import Row

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
    def changed(self) -> bool:
        """Whether the current choice is not the default."""
        return self.chosen not in ("", self.choices[0][0])


def form_fields(game: Game[Any], typed: dict[str, str]) -> dict[str, Any]:
    """How many players a form allows, of any edition and by edition, and its options by heading, as typed."""
    counts = player_counts(game)
    bare = bare_opening(game, counts[-1], None)
    groups = {
        title: [_field(option, bare, typed) for option in game.options if option.kind == kind] for kind, title in GROUPS
    }
    return {
        "counts": counts,
        "by_edition": {edition: player_counts(game, edition) for edition in game.editions},
        "sentence": seats_sentence(game.title, counts),
        "groups": {title: fields for title, fields in groups.items() if fields},
    }


def form_parts(
    name: str, typed: dict[str, str], errors: dict[str, str] | None = None, people: Sequence[str] = ()
) -> dict[str, Any]:
    """What the template of the form needs, except its links.

    `people` are names to choose from; `errors` says what is wrong, by field ("": no field's).
    """
    game = catalog.find(name)
    return {
        "game": game,
        "fields": form_fields(game, typed),
        "typed": typed,
        "wrong": errors or {},
        "people": people,
        "id": typed.get("id") or new_id(),
        "key": typed.get("key") or new_key(),
    }


def _field(option: Option, bare: Opening, typed: dict[str, str]) -> Field:
    choices = [(json.dumps(value), _label(value)) for value in option.values]
    free = ""
    if option.valid is not None and option.valid(bare.players[0], bare):
        # A player is named by seat until there is a name.
        values = ["null", *map(json.dumps, bare.players[1:])]  # the first of them is the usual one
        choices = [(value, f"player {place}") for place, value in enumerate(values, 1)]
    elif option.valid is not None:
        free = option.accepts
    # A typed field stays empty for the game's own default, which may depend on other options.
    chosen = typed.get(f"option.{option.name}") or ("" if free else json.dumps(option.values[0]))
    return Field(option.name, option.meaning, tuple(choices), chosen, free)


def _label(value: Any) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else format_value(value)


def latest_players(rows: Sequence[Row]) -> list[str]:
    """The names of the people who played most recently, each once, the newest record first."""
    names: dict[str, str] = {}
    for row in rows:
        for player, name in row.players:
            names.setdefault(folded(name or player), name or player)
    return list(names.values())[:CHIPS]


def rematch(opening: Open, further: int = 1) -> dict[str, str]:
    """The form for a rematch: the same people, each so many seats further, and the same options."""
    players = [player.name or player.id for player in opening.players]
    typed = {f"player{n}": name for n, name in enumerate([*players[further:], *players[:further]], 1)}
    ids = {player.id for player in opening.players}
    for name, value in opening.options.items():
        # The first player of the last game need not be the first in this one.
        if value not in ids:
            typed[f"option.{name}"] = json.dumps(value)
    return {**typed, "edition": opening.edition or "", "place": opening.place or "", "event": opening.event or ""}


def planned(players: Sequence[str], event: str) -> dict[str, str]:
    """The form for a game that was planned: its people in their order, and the event."""
    names = {f"player{n}": name[:200] for n, name in enumerate(players[:MOST_SEATS], 1)}
    return {**names, "event": event[:200]} if event else names


def typed_names(typed: dict[str, str]) -> list[str]:
    """The texts in the name fields of the form, in order."""
    return [typed.get(f"player{n}", "") for n in range(1, MOST_SEATS + 1)]


def opening_of(game: Game[Any], typed: dict[str, str]) -> Open | dict[str, str]:
    """The opening that the user typed, or what is wrong with it, by field ("": no field's)."""
    edition = typed.get("edition") if typed.get("edition") in game.editions else None
    errors = wrong_names(typed_names(typed), game.title, player_counts(game, edition))
    if errors:
        return errors
    try:
        opening = read_form(game, typed)
        game.opening(opening)
    except NotARecord as error:
        return dict([wrong_field(error)])
    except LedgerError as error:
        return {"": str(error)}
    return opening


def read_form(game: Game[Any], typed: dict[str, str]) -> Open:
    """The opening that the user typed.  Raises NotARecord for an invalid value."""
    players = players_for([name for name in typed_names(typed) if name])
    played = typed.get("played") or clock.today().isoformat()
    if not is_day(played):
        raise NotARecord(f"“{played}” is not a day: write it like 2026-11-22", event=0, field="$.played")
    if clock.is_ahead(played) and typed.get("sure") != played:
        raise NotARecord(f"{day(played)} has not come yet: if it is the day, begin again", event=0, field="$.played")
    options = {}
    for option in game.options:
        text = typed.get(f"option.{option.name}", "")
        value = _value(option, text, players) if text else option.values[0]
        is_typed = option.valid is not None and text and not text.startswith('"')
        if is_typed or value != option.values[0]:
            options[option.name] = value
    return Open(
        game.name,
        typed.get("edition") or None,
        options,
        players,
        played=played,
        place=typed.get("place") or None,
        event=typed.get("event") or None,
        recorder=typed.get("recorder") or None,
    )


def wrong_field(error: NotARecord) -> tuple[str, str]:
    """The field of the form that an error is about ("" if none is), and a sentence for it."""
    path = (error.field or "").removeprefix("$.")
    field = f"option.{path[8:]}" if path.startswith("options.") else "player1" if path.startswith("players") else path
    return field, f"{error.reason[:1].upper()}{error.reason[1:]}."


def _value(option: Option, text: str, players: tuple[Player, ...]) -> Any:
    try:
        # Stricter than the standard library: no NaN, no lone surrogates, no endless nesting.
        value = None if text.lower() == "none" else msgspec.json.decode(text)
    except (ValueError, RecursionError):
        reason = f"“{text}” is not one of: {option.accepts or 'the offered values'}"
        raise NotARecord(reason, event=0, field=f"$.options.{option.name}") from None
    if isinstance(value, str) and value.startswith("seat ") and value[5:].isdecimal() and len(value) < 9:
        seat = int(value[5:])
        return players[seat - 1].id if 0 < seat <= len(players) else value
    return tuple(value) if isinstance(value, list) else value


def seats_sentence(title: str, counts: Sequence[int]) -> str:
    """How many players a game is for: ``Ziggurat is for two or four players.``"""
    numbers = [number(n) for n in counts]
    if len(counts) > 2 and list(counts) == list(range(counts[0], MOST_SEATS + 1)):
        phrase = f"{numbers[0]} or more players"
    elif len(counts) == 1:
        phrase = f"{numbers[0]} player{'s' if counts[0] != 1 else ''}"
    else:
        phrase = f"{listed_or(numbers)} players"
    return f"{title} is for {phrase}."


def wrong_names(names: Sequence[str], title: str, counts: Sequence[int]) -> dict[str, str]:
    """What is wrong with the typed names, by field (``player1``); empty if nothing is.

    `names` holds every field of the form in order, `counts` the allowed numbers of players.  Blank fields after the
    last name are not used.
    """
    used = max((place for place, name in enumerate(names, 1) if not is_blank(name)), default=0)
    errors: dict[str, str] = {}
    names_by_key: dict[str, str] = {}
    for place, name in enumerate(names[:used], 1):
        if is_blank(name):
            errors[f"player{place}"] = f"Player {place} has no name."
        elif folded(name) in names_by_key:
            errors[f"player{place}"] = f"There are two players called {name}. Add a letter to one: “{name} L.”?"
        names_by_key.setdefault(folded(name), name)
    if counts and used not in counts:
        place, sentence = wrong_count(used, title, counts)
        errors.setdefault(f"player{place}", sentence)
    return errors


def wrong_count(used: int, title: str, counts: Sequence[int]) -> tuple[int, str]:
    """The place at which a number of names is wrong that the game does not take, and what to do about it."""
    more = min((n for n in counts if n > used), default=None)
    fewer = max((n for n in counts if n < used), default=None)
    advice = [f"name {number(more - used)} more"] if more is not None else []
    advice += [f"take {number(used - fewer)} out"] if fewer is not None else []
    place = min(used, counts[-1]) if more is None else used + 1
    return place, f"{seats_sentence(title, counts)} {' or '.join(advice).capitalize()}."
