"""The pieces of the recorder's page, as HTML: seats, the table beside its squares, claims, moves, questions.

The templates are in `recorder_drawn_by_rules.html`.  A phone draws the same pieces with the rules that run on it; its
own script only puts them into the page, and marks what is picked.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any, NamedTuple

from markupsafe import Markup
from msgspec import Struct

from ledger.audit.review import Review
from ledger.play.forms import Form, default_tray
from ledger.record.events import Bid, Cheats, Close, Place
from ledger.record.scene import Grid, Laid, Row, Scene
from ledger.record.words import plural, sentence
from viewer.every_page.templates import environment
from viewer.phone.act_prompts import calls
from viewer.phone.recorded_moves import RecordedEvent
from viewer.pictures.flat_tiles import sign

CROWD = 3
"""With this many players or more, a seat has no room to say which phase of the game it is."""
Players = Sequence[tuple[str, str]]


class Placed(Struct, frozen=True):
    """A placement that was recorded last: its seq, the points that were counted, and those that were called, if any."""

    seq: int
    counted: int
    called: int | None


class PageParts(Struct, frozen=True):
    """The pieces that change with the table.

    `table` says what the largest piece shows: the tiles on `squares`, the `stacks`, the `middle`, or nothing.
    `beside` are tiles that lie elsewhere.  `phase` is what comes after the words for a player's turn, if there is room.
    `claims` are the forms for what the table calls, `placed` is the
    placement whose points it may call, `least` is the lowest bid that outdoes the others, `largest` the largest number
    on a tile.
    """

    seats: str
    phase: str
    table: str
    squares: str
    stacks: str
    middle: str
    beside: str
    claims: str
    placed: Placed | None
    least: int
    largest: int


def shared_points(review: Review) -> bool:
    """Whether the points are cheats, which count for the whole table together."""
    return Cheats in review.game.events


def page_parts(
    review: Review, place: int, scene: Scene, form: Form, moves: Sequence[RecordedEvent], claims: tuple[str, ...]
) -> PageParts:
    """The pieces for the table as it stands after the first `place` steps; `scene` and `form` are of that moment."""
    steps = review.steps[:place]
    players = tuple(zip(review.opening.players, review.opening.names, strict=True))
    over = bool(steps[-1].after.ended) or any(type(step.event) is Close for step in steps)
    first, dot, _ = scene.status.partition(" · ")
    phase = first.lower() if dot and len(players) < CROWD else ""
    heard = calls(steps)
    bids = [call for call in heard if isinstance(call, Bid)]
    highest = max(bids, key=lambda bid: bid.bid, default=None)
    said = {call.player: f"bid {call.bid}" if isinstance(call, Bid) else "passed" for call in heard}
    grid = next((area for area in scene.areas if isinstance(area, Grid)), None)
    rows = [area for area in scene.areas if isinstance(area, Row)]
    stacks = [row for row in rows if any(pile.label.isdecimal() for pile in row.piles)] if "stack" in form.names else []
    has_tiles = any(pile.tiles or (len(row.piles) == 1 and pile.hidden) for row in rows for pile in row.piles)
    alone = not grid and "stack" not in form.names and (has_tiles or not over)
    line = rows[0] if rows and alone else None
    heap = line.piles[0] if line and len(line.piles) == 1 and line.piles[0].label == "pile" else None
    due = frozenset(tile for way in form.ways if way.due for tile in way.tiles)
    bidding = "bid" in form.names and any(way.kind == "bid" and way.due for way in form.ways)
    notes = [
        _note(scene, n, seat.word or said.get(player), phase, over)
        for n, ((player, _), seat) in enumerate(zip(players, scene.seats, strict=True))
    ]
    beside = [row for row in rows if row not in stacks and row is not line and _is_beside(row, due)]
    return PageParts(
        seats=html("seats", scene.seats, notes, players, shared_points(review), over),
        phase=phase,
        table="grid" if grid else "stacks" if stacks else "middle" if alone else "empty",
        squares=_squares(grid) if grid else "",
        stacks=html("stacks", stacks, players) if stacks else "",
        middle=html("middle", scene.goal, bidding, highest, heap, line, players) if alone else "",
        beside=html("rows", beside, players),
        claims=html("claims", claims, players),
        placed=_placed(moves),
        least=highest.bid + 1 if highest else 0,
        largest=_largest(review),
    )


def html(macro: str, *values: Any) -> str:
    """A piece of the recorder's page, drawn by a macro of the templates."""
    return str(_macros()[macro](*values)).strip()


def _note(scene: Scene, seat: int, word: str | None, phase: str, over: bool) -> str:
    """The small text at a seat: whose turn it is, the word of the game, the call, or how many tiles are in the hand."""
    if over:
        return word or ""
    if scene.seats[seat].turn:
        return " · ".join(filter(None, ("to play", phase)))
    hand = next((hand for hand in scene.hands if hand.owner == seat and hand.unknown is not None), None)
    count = len(hand.tiles) + (hand.unknown or 0) if hand else 0
    return word or (f"{count} in hand" if count else "")


def _largest(review: Review) -> int:
    """The largest number on a tile of this game's set."""
    state = review.steps[0].after
    for event_type in review.game.events:
        if "tile" in event_type.__struct_fields__ or "tiles" in event_type.__struct_fields__:
            tray = review.game.tray
            tiles = tray(state, event_type, 0) if tray else default_tray(review.game, state, event_type)
            if tiles:
                return max(tile.second for tile in tiles)
    return review.game.largest


def _placed(moves: Sequence[RecordedEvent]) -> Placed | None:
    if not moves or not isinstance(event := moves[-1].event, Place):
        return None
    phrase = moves[-1].phrase
    return Placed(phrase.seq, dict(moves[-1].gained).get(phrase.seat or 0, 0), event.points)


def _is_beside(row: Row, due: frozenset[str]) -> bool:
    """Whether tiles lie beside the table that are not in the tray as well."""
    tiles = list(chain.from_iterable(pile.tiles for pile in row.piles))
    single = all(len(pile.tiles) == 1 for pile in row.piles)
    return bool(tiles) and not (single and all(str(tile) in due for tile in tiles))


def _count(number: int, one: str, many: str | None = None) -> str:
    """``1 tile`` and ``2 tiles``, which do not break after the number."""
    return plural(number, one, many).replace(" ", "\u00a0", 1)


def _squares(grid: Grid) -> str:
    """The tiles on the squares, then the ring of the last one and the levels, which no tile may cover."""
    tiles = tuple(laid_tiles(grid))
    rings = (_drawn("ring", tile) for tile in tiles if tile.last)
    levels = (_drawn("level", tile) for tile in tiles if tile.level)
    return "".join((*(_drawn("laid_tile", tile) for tile in tiles), *rings, *levels))


@lru_cache(maxsize=512)
def _drawn(name: str, *values: Any) -> Markup:
    """A tile or a pile; most of them stay as they are from one tap to the next."""
    return Markup(html(name, *values))  # noqa: S704  our own template


def _sign(seat: int, players: Players) -> str:
    return sign(seat, [name for _id, name in players])


@cache
def _macros() -> dict[str, Any]:
    more = {"sign": _sign, "count": _count, "sentence": sentence, "drawn": _drawn}
    # A module of its own: the template's shared one lacks these if another template imported it first.
    return dict(vars(environment().get_template("recorder_drawn_by_rules.html").make_module(more)))


SEEN = 2
"""How many tiles of a square are drawn, from the top: the second is seen in the gaps beside the first."""
SHADE, STEPS = 0.2, 5
"""How much darker than the highest a face is at most, and over how many levels at least that is spread."""
_TURNS = {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}


class LaidTile(NamedTuple):
    """A tile: its halves, its name, its first square, how far it is turned about that, and how dark a veil it has.

    `level` is written on a tile that nothing covers, above the first level; else it is 0.  `last`: it was laid last.
    """

    first: int
    second: int
    name: str
    x: int
    y: int
    turn: int
    veil: float
    level: int
    last: bool


def laid_tiles(grid: Grid) -> Iterator[LaidTile]:
    """The tiles that can be seen, from the lowest to the highest."""
    by_square: dict[tuple[int, int], list[Laid]] = {}
    for laid in (tiles := sorted(grid.laid, key=lambda laid: laid.level)):
        for square in (laid.at, laid.to):
            by_square.setdefault(square, []).append(laid)
    seen = {laid for piled in by_square.values() for laid in piled[-SEEN:]}
    tops = [piled[-1] for piled in by_square.values()]
    levels = [laid.level for laid in tops]
    darkest = max(STEPS, max(levels, default=0) - min(levels, default=0))
    for laid in tiles:
        if laid not in seen:
            continue
        (x, y), tile = laid.at, laid.tile
        bare = by_square[laid.at][-1] is laid is by_square[laid.to][-1]
        yield LaidTile(
            tile.first,
            tile.second,
            f"{tile.low}-{tile.high}",
            x,
            y,
            _TURNS[laid.to[0] - x, laid.to[1] - y],
            round(SHADE * max(0, max(levels) - laid.level) / darkest, 3),
            laid.level if bare and laid.level > 1 else 0,
            "last" in laid.marks,
        )
