"""What can be recorded next, as data for any game: the form that a page fills in.

A form is made from what the game offers: its legal acts, what the shuffle gives now, and the tiles that an act could
name.  A way is one kind of act by one player.  It says where the act is legal, but any act can be recorded: a record
has what the table did.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from ledger.audit.review import Review
from ledger.record.codec import check
from ledger.record.events import ACTS, AnyEvent, Aside, Correctable, Deal, Event, Layout, Lift, Place, Rank, actor, kind
from ledger.record.record import Record
from ledger.record.scene import Grid
from ledger.record.tiles import TILES, Tile, full, mask, members
from ledger.rules.game import Finding, Game, Judged, Opening


class Legal(Struct, frozen=True):
    """Tiles and where each of them may go: every `at` has the remaining fields of an act, in their order.

    For a placement that is (x, y, direction, level) of the half with fewer pips, and the other half lies in that
    direction.  For a play on a line it is the end, or nothing if the play needs none.  `tiles` is empty for an act that
    names no tile.
    """

    tiles: tuple[str, ...]
    at: tuple[tuple[int | str, ...], ...]


class Way(Struct, frozen=True, omit_defaults=True):
    """One kind of act by one player (None: by nobody).

    `tiles` are those that it could name, as far as the record knows; `count` is how many it names, if several.
    `due`: by the rules it comes next, or may.  `open` lists what a ranking could say if the game does not say what is
    legal.
    """

    kind: str
    player: str | None = None
    tiles: tuple[str, ...] = ()
    legal: tuple[Legal, ...] = ()
    count: int | None = None
    due: bool = False
    open: tuple[tuple[int | str, ...], ...] = ()


class Form(Struct, frozen=True):
    """Everything that can be recorded next; `names` says which pieces `at` has, by kind of act."""

    ways: tuple[Way, ...]
    names: dict[str, tuple[str, ...]]


_NOT_PIECES = frozenset(("type", "when", "by", "player", "tile", "tiles", "points", "partial"))


def pieces(event_type: type[Event]) -> tuple[str, ...]:
    """The fields of an act besides who did it and with which tile."""
    return tuple(name for name in event_type.__struct_fields__ if name not in _NOT_PIECES)


class _Key(NamedTuple):
    type: type[Event]
    player: str | None


def form(game: Game[Any], opening: Opening, state: Any) -> Form:
    """What can be recorded in this state."""
    legal: dict[_Key, dict[str, list[tuple[int | str, ...]]]] = {}
    for act in game.choices(state) if game.choices else ():
        by_tile = legal.setdefault(_Key(type(act), actor(act)), {})
        tile, at = where(act)
        by_tile.setdefault(tile, []).append(at)
    # The form says who is dealt or draws how many tiles, not which ones.
    chance_acts = game.chance(state, Random(0))  # noqa: S311
    counts = {
        _Key(type(act), actor(act)): len(act.tiles) if isinstance(act, Deal | Aside | Layout) else None
        for act in chance_acts
    }
    acts = [event_type for event_type in game.events if event_type in ACTS]
    keys = dict.fromkeys((*counts, *legal))
    keys.update(dict.fromkeys(_Key(event_type, player) for event_type in acts for player in opening.players))
    ways = tuple(_way(game, opening, state, key, legal.get(key), counts) for key in keys)
    # Only a line game needs the end at which a tile is played.
    left_out = () if game.line_ends else ("end",)
    names = {kind(type_): tuple(piece for piece in pieces(type_) if piece not in left_out) for type_ in acts}
    return Form(ways, names)


def _way(
    game: Game[Any],
    opening: Opening,
    state: Any,
    key: _Key,
    legal: dict[str, list[tuple[int | str, ...]]] | None,
    counts: dict[_Key, int | None],
) -> Way:
    tiles: Iterable[Tile] = ()
    if "tile" in key.type.__struct_fields__ or "tiles" in key.type.__struct_fields__:
        seat = 0 if key.player is None else opening.seat(key.player)
        tiles = game.tray(state, key.type, seat) if game.tray else default_tray(game, state, key.type)
    is_open = key.type is Rank and game.choices is None
    return Way(
        kind(key.type),
        key.player,
        tuple(map(str, tiles)),
        _grouped(legal or {}),
        counts.get(key) or (0 if "tiles" in key.type.__struct_fields__ else None),
        due=legal is not None or key in counts,
        open=tuple(product(range(game.largest + 1), ("regular", "reverse"))) if is_open else (),
    )


def default_tray(game: Game[Any], state: Any, event_type: type[Event]) -> Sequence[Tile]:
    """Every tile of the game's set that is not on the table, as its scene shows it.

    A lift can name only tiles that are.  An act that names several tiles can name any, because a hand may be written
    down while the tiles of the last hand are still on the table.
    """
    if "tiles" in event_type.__struct_fields__:
        return members(full(game.largest))
    on_table = 0
    for area in game.scene(state).areas:
        piles = ((laid.tile for laid in area.laid),) if isinstance(area, Grid) else (pile.tiles for pile in area.piles)
        for tiles in piles:
            on_table |= mask(tiles)
    return members(full(game.largest) & (on_table if event_type is Lift else ~on_table))


_BACK = {"e": (1, 0, "w"), "w": (-1, 0, "e"), "s": (0, 1, "n"), "n": (0, -1, "s")}


def where(act: Correctable) -> tuple[str, tuple[int | str, ...]]:
    """The tile of an act, low half first, and the act's other fields."""
    tile: Tile | None = getattr(act, "tile", None)
    name = "" if tile is None else str(TILES[tile.index])
    if not isinstance(act, Place):
        values = (getattr(act, piece) for piece in pieces(type(act)))
        return name, tuple(value for value in values if value is not None)
    (x, y), direction = act.at, act.dir
    if act.tile.first > act.tile.second:
        right, down, back = _BACK[direction]
        x, y, direction = x + right, y + down, back  # type: ignore[assignment]  # the four letters again
    return name, (x, y, direction, act.level)


def _grouped(legal: dict[str, list[tuple[int | str, ...]]]) -> tuple[Legal, ...]:
    """Groups tiles that may go to the same places, so that hundreds of acts become a few lines."""
    groups: dict[tuple[tuple[int | str, ...], ...], list[str]] = {}
    for tile, places in legal.items():
        groups.setdefault(tuple(dict.fromkeys(places)), []).append(tile)
    return tuple(Legal(tuple(tile for tile in tiles if tile), at) for at, tiles in groups.items())


def news(
    record: Record, more: Sequence[AnyEvent], name: str = "", last: int = 1
) -> tuple[Review, Review, list[Judged]]:
    """The reviews before and after the `last` of more events, and the findings that are there only because of these.

    Raises NotARecord if the record is not valid with them.
    """
    extended = check((*record.events, *more))
    before, after = Review(Record(extended.events[:-last]), name), Review(extended, name)
    earlier = {_key_of(finding) for finding in before.report.findings}
    return before, after, [finding for finding in after.judged if _key_of(finding) not in earlier]


def _key_of(finding: Finding) -> tuple[Any, ...]:
    return finding.seq, finding.clause, finding.verdict, finding.message, msgspec.json.encode(finding.claimed)
