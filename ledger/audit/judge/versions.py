"""Versions of a record: the same events, with unknown tiles in the place of some names.

A version is replayed only as far as somebody asks.  It shares the steps before its first unknown name with the version
that it was made from.

Source: the rules' README, "Two equal names: both are doubtful".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from ledger.audit.replay import steps
from ledger.record.events import Aside, Correctable, Deal, Layout
from ledger.record.lazy import lazy
from ledger.record.record import Entry
from ledger.record.tiles import Tile, in_doubt
from ledger.rules.game import Game, Opening, Step
from ledger.rules.shared_clauses import touches

LISTS = (Aside, Deal, Layout)
"""The acts that name several tiles."""


class Name(NamedTuple):
    """One of the tiles that an event names: the event's place among the entries, and the number of the tile in it."""

    place: int
    number: int


class Version:
    """A version of a record: its `entries`, and the steps to which they lead.  `unknown` counts the unknown names."""

    def __init__(self, game: Game[Any], opening: Opening, entries: Sequence[Entry], unknown: int = 0) -> None:
        self.game, self.opening, self.entries, self.unknown = game, opening, entries, unknown

    @lazy
    def steps(self) -> tuple[Step, ...]:
        """Its steps, worked out when they are first needed."""
        return tuple(steps(self.game, self.opening, self.entries))

    def before(self, place: int) -> Any:
        """The state before the event at this place."""
        return self.steps[place].before

    def without(self, names: Collection[Name]) -> Version:
        """The version in which these names are unknown, too."""
        entries = list(self.entries)
        for number, name in enumerate(sorted(names), self.unknown):
            seq, event = entries[name.place]
            entries[name.place] = Entry(seq, _with_unknown(event, name.number, number))
        return Version(self.game, self.opening, entries, self.unknown + len(names))


def _with_unknown(event: Any, place: int, number: int) -> Correctable:
    """The event with the unknown tile of that number in the place of one of its tiles."""
    tiles: list[Tile] = list(touches(event))
    tiles[place] = in_doubt(tiles[place], number)
    if type(event) in LISTS:
        return replace(event, tiles=tuple(tiles))  # type: ignore[no-any-return]  # an event like it
    return replace(event, tile=tiles[place])  # type: ignore[no-any-return]
