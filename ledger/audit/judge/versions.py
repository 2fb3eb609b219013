"""Versions of a record: the same events, with unknown tiles in the place of some names.

A version is replayed only as far as somebody asks.  It shares the steps before its first unknown name with the version
that it was made from.

Source: the rules' README, "Two equal names: both are doubtful".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from ledger.audit.replay import steps, steps_to_judge
from ledger.record.events import Aside, Correctable, Deal, Layout
from ledger.record.record import Effective, Entry, by_type
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
    """A version of a record: its `entries`, and its `steps` before the event at `place`.

    These are the steps that a stride does not consume, and `touched` are the rulings that it depends on.  If hands are
    in doubt, `every` step is needed.  `unknown` counts the names that are unknown.
    """

    def __init__(self, game: Game[Any], opening: Opening, entries: Sequence[Entry]) -> None:
        self.game, self.opening, self.entries = game, opening, entries
        self.every, self.unknown = False, 0
        self.steps, self.place, self.touched = list[Step](), 0, set[str]()
        self._states: dict[int, Any] = {0: None}
        self._origin: tuple[Version, int] | None = None

    @classmethod
    def as_judged(
        cls, game: Game[Any], opening: Opening, played: Effective, judged: Sequence[Step], end: Any
    ) -> Version:
        """A record as it was judged: by these steps, up to the state at its end."""
        entries, count = played.entries, len(played.events)
        version = cls(game, opening, entries)
        version.steps, version.place, version.every = list(judged), count, len(judged) == count
        if not version.every:
            before = {step.seq: step.before for step in judged}
            version._states |= {place: before[seq] for place, (seq, _event) in enumerate(entries) if seq in before}
        version._states[count] = end
        return version

    def before(self, place: int) -> Any:
        """The state before the event at this place, or after the last event; each is worked out once."""
        if place > self.place:
            more, state = self._ahead(self.place, place, self.touched)
            if state is None:
                self.need_every_step()
                return self.before(place)
            self._states[place] = state
            self.steps += more
            self.place = place
        elif place not in self._states:
            if self.every:
                return self.steps[place].before
            if self._origin is not None and place < self._origin[1]:
                return self._origin[0].before(place)
            nearest = max(known for known in self._states if known < place)
            _steps, self._states[place] = self._ahead(nearest, place, set())
        return self._states[place]

    def _ahead(self, begin: int, end: int, touched: set[str]) -> tuple[list[Step], Any]:
        """The steps from one place to another, and the state there; None if some hand turns out to be in doubt."""
        state = self._states[begin]
        if self.every:
            more = list(steps(self.game, self.opening, self.entries[begin:end], state))
            return more, more[-1].after
        played = effective(self.entries[:end])
        in_doubt = self._in_doubt if begin == self.place else None
        return steps_to_judge(self.game, self.opening, played, touched, begin, state, in_doubt)

    def _in_doubt(self, more: Sequence[Step] = ()) -> bool:
        """Whether hands are in doubt, as far as these steps show it."""
        return self.game.holdings is not None and bool(self.game.holdings([*self.steps, *more]))

    def whole(self) -> Any:
        """The state after the last event; from then on the version has all steps that are needed to judge it."""
        end = self.before(len(self.entries))
        if not self.every and self._in_doubt():
            self.need_every_step()
            end = self.before(len(self.entries))
        return end

    def need_every_step(self) -> None:
        """Begins again, without a stride."""
        self.every, self.steps, self.place, self._states = True, [], 0, {0: None}
        if self._origin is not None:
            origin, first = self._origin
            if not origin.every:
                origin.need_every_step()
            self._begin(origin, first)

    def _begin(self, origin: Version, first: int) -> None:
        """Goes on from the first event that is not the same in another version."""
        self.place, self._states = first, {first: origin.before(first)}
        if self.every:
            self.steps = origin.steps[:first]
        else:
            seqs = {entry.seq for entry in self.entries[:first]}
            self.steps = [step for step in origin.steps if step.seq in seqs]

    def without(self, names: Collection[Name]) -> Version:
        """The version in which these names are unknown, too; its steps lead up to the first of them."""
        entries, first = list(self.entries), min(names).place
        for number, name in enumerate(sorted(names), self.unknown):
            seq, event = entries[name.place]
            entries[name.place] = Entry(seq, _with_unknown(event, name.number, number))
        version = Version(self.game, self.opening, entries)
        version.every, version.unknown, version._origin = self.every, self.unknown + len(names), (self, first)
        version._begin(self, first)
        return version


def effective(entries: Iterable[Entry]) -> Effective:
    """These entries as what a record says happened."""
    seqs, events = zip(*entries, strict=True)
    return Effective(events, seqs, by_type(events))


def _with_unknown(event: Any, place: int, number: int) -> Correctable:
    """The event with the unknown tile of that number in the place of one of its tiles."""
    tiles: list[Tile] = list(touches(event))
    tiles[place] = in_doubt(tiles[place], number)
    if type(event) in LISTS:
        return replace(event, tiles=tuple(tiles))  # type: ignore[no-any-return]  # an event like it
    return replace(event, tile=tiles[place])  # type: ignore[no-any-return]
