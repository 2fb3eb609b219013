"""Events in words: one sentence each, for every face that shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ledger import events as e
from ledger.events import AnyEvent, Event
from ledger.visible import visible

Names = Mapping[str, str]
"""By player id, what people read."""

_DIRECTIONS = {"e": "east", "s": "south", "w": "west", "n": "north"}


def in_words(event: AnyEvent, names: Names | None = None) -> str:
    """What an event says, as a sentence without its full stop, safe to show: ``Ana plays 5-1``."""
    return visible(_SENTENCES[type(event)](event, names or {}))


def _who(player: str, names: Names) -> str:
    return names.get(player, player)


def _tiles(tiles: Iterable[object]) -> str:
    return ", ".join(map(str, tiles)) or "no tile"


def _points(points: Mapping[str, int], names: Names) -> str:
    return ", ".join(f"{_who(player, names)} {n}" for player, n in points.items()) or "nobody anything"


def _plural(count: int, one: str, many: str | None = None) -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def _open(event: e.Open, _names: Names) -> str:
    players = ", ".join(player.name or player.id for player in event.players)
    edition = f" {event.edition}" if event.edition else ""
    return f"a game of {event.game}{edition} is opened for {players}"


def _deal(event: e.Deal, names: Names) -> str:
    among = " among others" if event.partial else ""
    return f"{_who(event.player, names)} holds {_tiles(event.tiles)}{among}"


def _aside(event: e.Aside, names: Names) -> str:
    whose = f" by {_who(event.player, names)}" if event.player else ""
    return f"{_tiles(event.tiles)} set aside{whose}"


def _place(event: e.Place, names: Names) -> str:
    x, y = event.at
    said = f"{_who(event.player, names)} plays {event.tile} on level {event.level}, at ({x}, {y}) going "
    said += _DIRECTIONS[event.dir]
    return said if event.points is None else f"{said}: {_plural(event.points, 'point')} said"


def _play(event: e.Play, names: Names) -> str:
    where = f" on the {event.end}" if event.end else ""
    return f"{_who(event.player, names)} plays {event.tile}{where}"


def _take(event: e.Take, names: Names) -> str:
    parts = []
    if event.tiles is not None:
        parts.append(_plural(event.tiles, "tile"))
    if event.points is not None:
        parts.append(f"worth {_plural(event.points, 'point')}" if parts else _plural(event.points, "point"))
    return f"{_who(event.player, names)} is said to take {' '.join(parts) or 'the pile'}"


def _score(event: e.Score, names: Names) -> str:
    what = "the hand's points" if event.scope == "hand" else "the totals"
    return f"{what} are said: {_points(event.points, names)}"


def _result(event: e.Result, names: Names) -> str:
    winners = " and ".join(_who(winner, names) for winner in event.winners) or "nobody"
    title = f", with the title {event.title}" if event.title else ""
    return f"{winners} is said to have won{title}"


def _note(event: e.Note, _names: Names) -> str:
    about = f" about event {event.about}" if event.about is not None else ""
    return f"a note{about}: {event.text}"


def _retract(event: e.Retract, _names: Names) -> str:
    return f"event {event.seq} is taken back ({event.why})"


def _amend(event: e.Amend, names: Names) -> str:
    return f"event {event.seq} really was: {in_words(event.event, names)} ({event.why})"


def _insert(event: e.Insert, names: Names) -> str:
    return f"before event {event.before} there was: {in_words(event.event, names)} ({event.why})"


def _confirm(event: e.Confirm, names: Names) -> str:
    return f"{_who(event.player, names)} agrees to the record"


_SENTENCES: dict[type[Event], Callable[..., str]] = {
    e.Open: _open,
    e.Deal: _deal,
    e.Aside: _aside,
    e.Layout: lambda event, names: f"{_who(event.player, names)} lays out {_tiles(event.tiles)}",
    e.Draw: lambda event, names: f"{_who(event.player, names)} draws {event.tile}",
    e.Bid: lambda event, names: f"{_who(event.player, names)} bids {event.bid}",
    e.Pass: lambda event, names: f"{_who(event.player, names)} passes",
    e.Rank: lambda event, names: f"{_who(event.player, names)} names {event.high} {event.direction or 'highest'}",
    e.Over: lambda event, names: f"{_who(event.player, names)} takes the {event.tile}, the tile over",
    e.Place: _place,
    e.Lift: lambda event, names: f"{_who(event.player, names)} lifts {event.tile}",
    e.Stack: lambda event, names: f"{_who(event.player, names)} plays {event.tile} on stack {event.stack}",
    e.Play: _play,
    e.Take: _take,
    e.Score: _score,
    e.Cheats: lambda event, _names: f"{_plural(event.count, 'cheat')} counted",
    e.Result: _result,
    e.Note: _note,
    e.Retract: _retract,
    e.Amend: _amend,
    e.Insert: _insert,
    e.Close: lambda event, _names: f"the record is closed: {event.why}",
    e.Confirm: _confirm,
}
