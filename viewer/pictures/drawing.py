"""The drawing of a table at one step: its parts, the room for each, and the words for people who listen."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from ledger.record.visible import isolated
from ledger.record.words import first_names, plural
from viewer.pictures.building import building
from viewer.pictures.camera import Box, Space
from viewer.pictures.end_of_game import ending
from viewer.pictures.flat_tiles import BOLD, chip, measure, shorten
from viewer.pictures.hands import around, band, band_of_lines, by_line, corners, foot_height, foot_line, racks
from viewer.pictures.hands import lines as hand_lines
from viewer.pictures.look import SHORT, SMALL, Look, Piece, Table, px, text, two
from viewer.pictures.piles import LABELLED, middle, rows, stacks_wide, words
from viewer.pictures.plan import plan
from viewer.pictures.things import reached

SIDE, FOOT, QUIET = 14, 14, 4
"""The margins at the sides and below, and of a small picture."""
GAINED = 1.2
"""How much larger stacks become, at the least, if hands give way to them; or else large enough for pips."""
ROOM = 0.06
"""The part of the width of a small picture that stays free at each side of rows."""
STRIP, BELOW, HEAD, GOAL, HEADING = 24, 20, 6, 48, 24
"""Heights: of a line of hands below a plan and below a building, of the room above a plan, of a contract, a heading."""
NOTED = 300
"""A table of this width has room for a note beside the heading."""
BAR = 24, 120
"""How long the bar of a contract is: at least, and where there is room."""
BROAD = 800
"""A table of this width has the heading beside the contract, a narrower one above it."""


def drawing(table: Table, look: Look, stage: "Stage | None" = None) -> list[Piece]:
    """The pieces of a drawing, the farthest first; squares have the room of a `stage`, or as much as they need."""
    if table.floor is not None:
        return _squares(table, look, stage or stage_of(table, look=look))
    if look.quiet:
        side = look.width * ROOM
        return list(rows(table, Box(side, QUIET, look.width - side, look.height - QUIET), look))
    height, header = _header(table, look)
    look = replace(look, top=look.top + height)
    box, hands = around(table, look) or _below(table, look)
    if table.outcome:
        hands = ending(table, _clear(table, box, look)) if look.height >= SHORT else []
    pieces = [*rows(table, box, look), *hands] or [
        ("empty", text("No tiles on the table yet", look.width / 2, look.height / 2, "t-title", "middle"))
    ]
    return [*header, *pieces]


def _clear(table: Table, box: Box, look: Look) -> Box:
    """The room for the end of a game: above the piles of the players, or where the hands were, whichever is higher."""
    above, below = middle(table, box, look), Box(SIDE, box.bottom + SIDE, look.width - SIDE, look.height)
    return max(above, below, key=lambda part: part.bottom - part.top)


def _header(table: Table, look: Look) -> tuple[float, list[Piece]]:
    """Which hand it is, and the contract, at the upper edge: their height, and the pieces."""
    bids, headed = table.room.bids or table.goal is not None, table.room.headed or bool(table.heading)
    if not headed or look.height < SHORT:
        return GOAL if bids else 0, contract(table, look)
    beside = bids and look.width >= BROAD
    x, y = SIDE + 2, look.top + (21 if beside else 13)
    with_note = table.note and look.width >= NOTED
    svg = two(table.heading, table.note, x, y) if with_note else text(table.heading, x, y, "t-title")
    heading = [("heading", svg)] if table.heading else []
    below = 0 if beside else HEADING
    return below + (GOAL if bids else 0), [*heading, *contract(table, replace(look, top=look.top + below))]


def _below(table: Table, look: Look) -> tuple[Box, list[Piece]]:
    """The room above the hands below rows, and the hands: as tiles, as lines if stacks are too small, or not at all."""
    high, hands = band(table, look)
    wide = stacks_wide(table, _above(high, look), look) if high else 0
    if 0 < wide < 2 * SMALL:
        low, lines = (foot_height(table, look), foot_line(table, look)) if look.both else band_of_lines(table, look)
        wide_above = stacks_wide(table, _above(low, look), look)
        if wide_above >= min(wide * GAINED, 2 * SMALL):
            high, hands, wide = low, lines, wide_above
        if wide < LABELLED:
            return _above(0, look), []
    return _above(high, look), hands


def _above(high: float, look: Look) -> Box:
    """The room for rows above a band of that height."""
    return Box(SIDE, look.top, look.width - SIDE, look.height - high - 6)


Camera = tuple[float, float, float]
"""How much closer the camera is than for the whole building, and how far the picture moves to the right and down."""
CLOSER = 1.15
"""The camera moves where a building is at least so much larger."""


class Stage(NamedTuple):
    """Where squares are drawn: the space of the building, the room for a plan, the most levels, and the camera.

    `cameras` has the zoom and the shift for each number of levels, `low` the space of the lowest building, in which
    hands have the least room.
    """

    space: Space
    room: Box
    high: int
    cameras: dict[int, Camera]
    low: Space


def stage_of(*tables: Table, look: Look) -> Stage:
    """The stage on which each of the tables has room, so that none moves what stands on another."""
    floor = next(table.floor for table in tables if table.floor)
    heights: dict[tuple[int, int], int] = {}
    for table in tables:
        for x, y, level in table.sky:
            heights[x, y] = max(heights.get((x, y), 0), min(level, look.level or level))
    lines = 0 if look.quiet or look.height < SHORT else max(-(-_beside(table) // 2) for table in tables)
    margin, top = (QUIET, QUIET) if look.quiet else (SIDE, look.top)
    # More than one line of hands in a corner needs room below the building.
    foot: float = QUIET if look.quiet else FOOT + max(0, lines - 1) * BELOW
    strip: float = lines * STRIP + (8 if lines else 0)
    if by_line(look):
        strip = max(foot_height(table, look) for table in tables)
        foot = FOOT + strip
    box = Box(margin, top, look.width - margin, look.height - foot)
    space = Space(floor, [(*square, level) for square, level in heights.items()], look.turn, box, names=not look.quiet)
    room = Box(box.left, box.top + HEAD, box.right, look.height - FOOT - strip)
    skies = {table.high: table.sky for table in tables}
    low = Space(floor, skies[min(skies)], look.turn, box, names=not look.quiet)
    return Stage(space, room, max(skies), dict(_cameras(space, skies)), low)


def _cameras(space: Space, skies: Mapping[int, Sequence[tuple[int, int, int]]]) -> Iterator[tuple[int, Camera]]:
    """The camera for each number of levels, from the highest building down: it moves only where that is worth it."""
    camera: Camera = 1, 0, 0
    for high in sorted(skies, reverse=True):
        closer = space.closer(skies[high])
        camera = closer if closer[0] >= CLOSER * camera[0] else camera
        yield high, camera


def _beside(table: Table) -> int:
    """How many hands and rows of tiles there are beside the squares."""
    return len(table.names) + max(len(table.rows), len(table.room.lines)) if table.room.tiles else len(table.rows)


def _squares(table: Table, look: Look, stage: Stage) -> list[Piece]:
    space, room, high, *_ = stage
    if look.view == "plan" and not look.quiet:
        beside = [] if look.height < SHORT or by_line(look) else racks(table, rows=True)
        lines = [piece for side in (0, 1) for piece in hand_lines(beside[side::2], look, side)]
        lines += foot_line(table, look) if by_line(look) else []
        return [*plan(table, space, room, look, high), *lines]
    hands = [] if look.quiet else list(corners(table, stage.low, look))
    # The ruler is as high as the highest building under this camera.
    camera = stage.cameras.get(table.high)
    seen = max((level for level, other in stage.cameras.items() if other == camera), default=high)
    return [*building(table, space, look, seen), *hands]


def description(table: Table) -> str:
    """What is on the table, in words for people who listen."""
    parts = [f"{table.outcome.words} {table.outcome.margin}".strip()] if table.outcome else []
    if table.heading:
        parts.insert(0, table.heading)
    if table.tiles:
        parts.append(f"{plural(len(table.tiles), 'tile')} on {plural(table.high, 'level')}")
    for row in table.rows.values():
        count = sum(heap.count for heap in row.heaps)
        parts.append(f"{row.line.title}: {plural(count, 'tile')}")
    holds = ((isolated(table.names[hand.owner]), len(hand.tiles) + (hand.unknown or 0)) for hand in table.hands)
    parts.extend(f"{name} holds {plural(count, 'tile')}" for name, count in holds)
    return ". ".join(parts) or "No tiles on the table yet"


def position(table: Table) -> list[str]:
    """Every tile that lies on the table, in words for people who listen; the topmost first."""
    return [*map(table.spot, reversed(table.tiles)), *words(table)]


def contract(table: Table, look: Look) -> list[Piece]:
    """The contract, at the upper edge: who bid how much, and how much of it is reached."""
    goal = table.goal
    if goal is None:
        return []
    progress, ending = reached(goal.done, goal.bid, goal.unit), f" bid {goal.bid}"
    beside = 38 + measure(progress, BOLD) + 46
    room = look.width - 16 - beside
    broad = min(look.width / 4, room - measure(ending, BOLD) - BAR[0])
    bid_words = f"{isolated(shorten(first_names(table.names)[goal.seat], broad, BOLD))}{ending}"
    bar = max(BAR[0], min(BAR[1], room - measure(bid_words, BOLD)))
    wide = beside + bar + measure(bid_words, BOLD)
    x, y = (look.width - wide) / 2, look.top + 16
    part = min(1.0, goal.done / max(1, goal.bid))
    track = f'x="{px(x + 46 + measure(bid_words, BOLD))}" y="{px(y - 4)}"'
    svg = (
        f'<g><rect class="t-band" x="{px(x)}" y="{px(y - 16)}" width="{px(wide)}" height="32" rx="16"/>'
        f"{chip(goal.seat, table.names, x + 17, y)}{text(bid_words, x + 34, y + 5, 't-title')}"
        f'<rect class="t-track" {track} width="{px(bar)}" height="8" rx="4"/>'
        f'<rect class="t-tile" {track} width="{px(bar * part)}" height="8" rx="{px(min(4, bar * part / 2))}"/>'
        f"{text(progress, x + wide - 16, y + 5, 't-title', 'end')}</g>"
    )
    return [("goal", svg)]
