"""Events in words: a sentence for each, and its parts for screens with columns."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import Struct

from ledger.record import events as e
from ledger.record.events import AnyEvent, Event, actor
from ledger.record.record import Change
from ledger.record.squares import Squares
from ledger.record.tiles import Tile
from ledger.record.visible import isolated, visible, visible_name
from ledger.record.words import day, format_value, listed, plural, title_of

Names = Mapping[str, str]
"""The names that people read, by player id."""


class Phrase(Struct, frozen=True, gc=False):
    """A step in words, in parts.

    `seat` is the player's (None: no player's), `tile` is the tile if there is one.  A play has a `place` where the tile
    was laid (``level 15, b3-b2``, ``on stack 3``, ``left end``; empty in a game with one pile).  Any other event has an
    `act`, without the player (``bids 12``, ``passes``, ``takes 3 tiles``, ``draws``).  `sentence` is the whole:
    ``Ana plays 9-1 on level 15, b3-b2 · 4 points``.
    """

    seq: int
    seat: int | None
    tile: Tile | None
    place: str
    act: str
    sentence: str


def in_words(event: AnyEvent, names: Names | None = None, squares: Squares | None = None) -> str:
    """An event as a sentence without its full stop, safe to show: ``Ana plays 5-1``.

    Without `squares`, a placement says only its level.
    """
    names = names or {}
    if isinstance(event, e.ABOUT_RECORDS):
        return visible(_corrected(event, names, squares))
    player, tile = actor(event), getattr(event, "tile", None)
    parts = [_who(player, names)] if player else []
    if type(event) in e.MOVES:
        parts += [f"plays {tile}", _at_place(event, squares)]
    elif type(event) in (e.Draw, e.Lift):
        parts.append(f"{_said(_WORDS[type(event)].act, event, names)} {tile}")
    else:
        parts.append(_said(_WORDS[type(event)].act, event, names))
    points = f" · {_points_called(event.points)}" if isinstance(event, e.Place) and event.points is not None else ""
    return visible(" ".join(filter(None, parts)) + points)


def change_in_words(change: Change, names: Names, squares: Squares | None, place: int | None = None) -> str:
    """A correction as a sentence without its full stop: what an event was, what it is now, and all that differs.

    ``Ana's 5-3 on level 3, a1-b1: no points → 3 points``.  `place` is the number of the move now, if it stands.
    """
    before, after = (event and _called_in_middle(event, names, squares) for event in (change.was, change.now))
    if change.now is None:
        return f"{before} was taken out"
    if change.was is None:
        return f"{after} was put in" + ("" if place is None else f" as move {place}")
    details = visible(", ".join(_differences(change.was, change.now, names)))
    if before == after:
        return f"{before}: {details}" if details else f"{before} was recorded again, unchanged"
    return f"{before} was changed to {after}" + (f"; {details}" if details else "")


def _called_in_middle(event: AnyEvent, names: Names, squares: Squares | None) -> str:
    """What an event is called in the middle of a sentence: ``Ana's 5-3 on level 3``."""
    if isinstance(event, e.Place | e.Stack | e.Play):
        place = place_in_words(event, squares)
        place = f" on {place}" if place.startswith("level") else f" {place}" if place else ""
        return f"{_who(event.player, names)}'s {event.tile}{place}"
    return f"“{in_words(event, names, squares)}”"


def _differences(was: AnyEvent, now: AnyEvent, names: Names) -> Iterator[str]:
    """What differs between two events and is not in their names: points of a placement, how a game was opened."""
    if isinstance(was, e.Place) and isinstance(now, e.Place) and was.points != now.points:
        yield f"{_points_called(was.points)} → {_points_called(now.points)}"
    if isinstance(was, e.Open) and isinstance(now, e.Open):
        for option in dict.fromkeys((*was.options, *now.options)):
            old, new = (event.options.get(option, "usual") for event in (was, now))
            if old != new:
                yield f"{option} {_set_to(old, names)} → {_set_to(new, names)}"
        for field in ("played", "place", "event", "recorder", "rules"):
            old, new = (getattr(event, field) for event in (was, now))
            if old != new:
                yield f"{field} {_set_to(old and day(old), {})} → {_set_to(new and day(new), {})}"


def _set_to(value: Any, names: Names) -> str:
    """A value of a heading: a player's name for an id, and a text from right to left kept apart."""
    return isolated(names.get(value, value)) if isinstance(value, str) else format_value(value)


def _points_called(points: int | None) -> str:
    if points is None:
        return "points not called"
    return plural(points, "point") if points else "no points"


def place_in_words(event: AnyEvent, squares: Squares | None = None) -> str:
    """Where an event lays a tile: ``level 15, b3-b2``, ``on stack 3``, ``left end``; empty if nowhere."""
    if isinstance(event, e.Place):
        return f"level {event.level}" + (f", {squares.of_place(event)}" if squares else "")
    if isinstance(event, e.Stack):
        return f"on stack {event.stack}"
    return f"{event.end} end" if isinstance(event, e.Play) and event.end else ""


def act_in_words(event: AnyEvent, names: Names | None = None) -> str:
    """What an event does, without its player and its tile, safe to show: ``bids 12``; empty for a play."""
    if type(event) in e.MOVES:
        return ""
    if isinstance(event, e.ABOUT_RECORDS):
        return in_words(event, names)
    words = _WORDS[type(event)]
    return visible(_said(words.short or words.act, event, names or {}))


def called_in_words(event: AnyEvent, names: Names) -> str:
    """What an event is called where something is wrong with it: ``Ana's pass``, ``the result``."""
    return _said(_WORDS[type(event)].called, event, names)


def lacked_in_words(kind: type[Event]) -> str:
    """What a game lacks that does not have this type of event: ``piles to take``; empty if every game has it."""
    return _WORDS[kind].lacked


def _at_place(event: AnyEvent, squares: Squares | None) -> str:
    place = place_in_words(event, squares)
    if not place or place.startswith("on "):
        return place
    return f"on the {place}" if isinstance(event, e.Play) else f"on {place}"


def _who(player: str, names: Names) -> str:
    return isolated(names.get(player, player))


def _tiles(tiles: Iterable[object]) -> str:
    return ", ".join(map(str, tiles)) or "no tiles"


def _points(points: Mapping[str, int], names: Names) -> str:
    return ", ".join(f"{_who(player, names)} {n}" for player, n in points.items()) or "none"


def _open(event: e.Open, _names: Names) -> str:
    players = listed(visible_name(player.name or player.id) for player in event.players)
    return f"A new game of {title_of(event.game, event.edition)}: {players}"


def _deal(event: e.Deal, _names: Names) -> str:
    if not event.partial:
        return f"holds {_tiles(event.tiles)}"
    return f"holds {_tiles(event.tiles)} and others" if event.tiles else "holds tiles that nobody wrote down"


def _aside(event: e.Aside, _names: Names) -> str:
    return f"sets aside {_tiles(event.tiles)}" if event.player else f"Out of the game: {_tiles(event.tiles)}"


def _rank(event: e.Rank, _names: Names) -> str:
    order = f", in {event.direction} order" if event.direction else ""
    return f"names {event.high} as the highest number{order}"


def _take(event: e.Take, names: Names) -> str:
    return f"{_taken(event, names)} (as called)"


def _taken(event: e.Take, _names: Names) -> str:
    parts = []
    if event.tiles is not None:
        parts.append(plural(event.tiles, "tile"))
    if event.points is not None:
        parts.append(f"worth {plural(event.points, 'point')}" if parts else plural(event.points, "point"))
    return f"takes {' '.join(parts) or 'the pile'}"


def _score(event: e.Score, names: Names) -> str:
    subject = "Points of the hand" if event.scope == "hand" else "Scores"
    return f"{subject} as called: {_points(event.points, names)}"


def _result(event: e.Result, names: Names) -> str:
    winners = listed(_who(winner, names) for winner in event.winners or ("nobody",))
    title = f" and earned the title {event.title}" if event.title else ""
    ranks = f"; places: {_points(event.ranks, names)}" if event.ranks else ""
    return f"Result as called: {winners} won{title}{ranks}"


def _note(event: e.Note, _names: Names) -> str:
    about = f" on move {event.about}" if event.about is not None else ""
    return f"Note{about}: {event.text}"


def _corrected(event: Any, names: Names, squares: Squares | None) -> str:
    match event:
        case e.Retract():
            words = f"Move {event.seq} deleted"
        case e.Amend():
            words = f"Move {event.seq} changed: {in_words(event.event, names, squares)}"
        case e.Insert():
            words = f"Inserted before move {event.before}: {in_words(event.event, names, squares)}"
        case e.Void():
            words = "Brought back" if event.undo else "Set aside by the owner of the ledger"
    return f"{words} ({event.why})" if event.why else words


Words = str | Callable[..., str]
"""Words with places for the event, its player and its tiles, or a function of the event and the names."""


def _said(words: Words, event: AnyEvent, names: Names) -> str:
    if not isinstance(words, str):
        return words(event, names)
    tiles = event.tiles if isinstance(event, e.Deal | e.Aside | e.Layout) else ()
    player, count = names.get(actor(event) or ""), plural(len(tiles), "tile")
    return words.format(event=event, player=player, tiles=_tiles(tiles), count=count)


class _Words(NamedTuple):
    """The words for a type of event.

    `called` is what it is called where something is wrong with it (``Ana's pass``).  `act` comes after the name of its
    player if it has one, and `short` is the same for a column beside the player and the tile, if that is shorter;
    neither is asked of a move.  `lacked` is what a game lacks that does not have it.
    """

    called: Words
    act: Words = ""
    short: Words | None = None
    lacked: str = ""


_WORDS: dict[type[Event], _Words] = {
    e.Open: _Words("the opening", _open),
    e.Deal: _Words(
        "{player}'s hand",
        _deal,
        lambda event, _names: f"holds {plural(len(event.tiles), 'tile')}{' or more' if event.partial else ''}",
        "hands that are dealt",
    ),
    e.Aside: _Words("the tiles set aside", _aside, "{count} set aside", "tiles set aside"),
    e.Layout: _Words("{player}'s layout", "lays out {tiles}", "lays out {count}", "layout of tiles"),
    e.Draw: _Words("{player}'s draw", "draws", lacked="draws"),
    e.Bid: _Words("{player}'s bid of {event.bid}", "bids {event.bid}", lacked="bids"),
    e.Pass: _Words("{player}'s pass", "passes", lacked="passes"),
    e.Rank: _Words("{player}'s ranking", _rank, lacked="order of the numbers to name"),
    e.Over: _Words("{player}'s tile over", "takes the tile over, {event.tile}", "takes the tile over", "tile over"),
    e.Place: _Words("{player}'s {event.tile}", lacked="squares"),
    e.Lift: _Words("{player}'s lift of the {event.tile}", "lifts", lacked="lifts"),
    e.Stack: _Words("{player}'s {event.tile}", lacked="stacks"),
    e.Play: _Words("{player}'s {event.tile}", lacked="tiles without a place"),
    e.Take: _Words("{player}'s take", _take, _taken, "piles to take"),
    e.Score: _Words(
        lambda event, _names: "the score" if event.scope == "hand" else "the totals", _score, lacked="points of a hand"
    ),
    e.Cheats: _Words("the count of cheats", "Cheats as called: {event.count}", lacked="cheats to count"),
    e.Result: _Words("the result", _result, lacked="winners"),
    e.Note: _Words("the note", _note),
    e.Close: _Words(
        "the close", lambda event, _names: "Game over" if event.why == "finished" else "Game left unfinished"
    ),
    e.Confirm: _Words("the confirmation", "agrees to the record"),
}
