"""Rows of piles: stacks as towers, the pile in the centre, taken tiles, lines of play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from ledger.record.visible import isolated
from viewer.pictures.flat import MOST, below, face, letter, lift, measure, shorten, symbol
from viewer.pictures.look import Look, Piece, Row, Table, badges, flag, rim_of, safe, text, two
from viewer.pictures.space import Box
from viewer.pictures.things import Heap

WIDEST, NARROWEST, TINY = 190, 14, 8
LABELLED = 26
"""Narrower piles have no labels."""
FEW, LOW, ALONE = 12, 3, 0.64
"""The stacks of a small picture, their tiles that are drawn, and how much of its width a single tile takes."""
TOGETHER = 4
"""Up to this many piles with a title stay side by side."""
SMALLER, LEAST, APART, BESIDE = 0.5, 32, 22, 16
"""Piles of the players: the size beside the others, the least width, the least gap, the gap after their title."""
NARROW = 600
"""In a narrower box, piles are closer together."""
TITLE, LABEL, CLEAR = 30, 14, 14
"""The height of a row's title, how far a label is below a small pile, and what stays clear below it."""


class Block(NamedTuple):
    """Piles that are drawn in one flow: a line of play, or stacks that are numbered on from row to row.

    `small`: each pile belongs to a player and is out of play; the title stands beside them.  A block without heaps
    keeps the room of those to come.
    """

    title: str
    heaps: list[Heap]
    places: int
    labels: bool
    highest: int
    small: bool = False


def blocks(table: Table, look: Look) -> list[Block]:
    """The flows of a table."""
    flows: list[Block] = []
    for row in table.rows.values():
        numbered = all(heap.label.isdecimal() for heap in row.heaps)
        labels = not look.quiet and any(heap.label for heap in row.heaps)
        highest = max(heap.count for heap in row.heaps)
        title = "" if numbered else row.line.title
        small = not look.quiet and is_small(row, table)
        count = places(row, look)
        if small or (labels and count == 1):
            highest = MOST + 1
        block = Block(title, list(row.heaps), count, labels, highest, small)
        if flows and numbered and not flows[-1].title:
            last = flows.pop()
            block = Block("", last.heaps + block.heaps, last.places + block.places, labels, max(last.highest, highest))
        flows.append(block)
    if not look.quiet:
        return flows
    # A small picture has no room for leftovers beside numbered stacks, or for tiles that lie face down.
    stacks = [block for block in flows if not block.title]
    return [_tallest(stacks)] if stacks else [block for block in flows if _open(block)] or flows


def is_small(row: Row, table: Table) -> bool:
    """Whether each pile of a row belongs to a player, and something else is or will be on the table."""
    busy = table.goal is not None or len(table.rows) > 1
    return busy and all(heap.label in table.names for heap in row.heaps)


def with_room(flows: list[Block], table: Table) -> list[Block]:
    """The flows with room for the pile of a contract and for what is taken, so that none of them moves the other."""
    if table.goal is None or any(flow.places > 1 and not flow.small for flow in flows):
        return flows
    pile = [flow for flow in flows if not flow.small] or [Block("", [], 1, labels=True, highest=MOST + 1)]
    none_taken = Block("", [], len(table.names), labels=True, highest=MOST + 1, small=True)
    return [*pile, *([flow for flow in flows if flow.small] or [none_taken])]


def _open(flow: Block) -> bool:
    return any(heap.tiles for heap in flow.heaps)


def _tallest(stacks: list[Block]) -> Block:
    """The tallest stacks, as many as can be read in a small picture, in their order."""
    heaps = [heap for block in stacks for heap in block.heaps]
    tallest = set(sorted(range(len(heaps)), key=lambda n: (-heaps[n].count, n))[:FEW])
    heaps = [replace(heap, count=min(heap.count, LOW)) for n, heap in enumerate(heaps) if n in tallest]
    return Block("", heaps, len(heaps), labels=False, highest=max(heap.count for heap in heaps))


def places(row: Row, look: Look) -> int:
    """The places that a row is drawn with: as many as it needs at the end, but at most half of them empty."""
    return len(row.heaps) if look.quiet else min(row.line.places, max(6, 2 * len(row.heaps)))


class Grid(NamedTuple):
    """How wide a tile is, how many fit side by side, and the gaps."""

    wide: int
    across: int
    gap: float


def rows(table: Table, box: Box, look: Look) -> Iterator[Piece]:
    """The pieces of all rows, as large as the box allows."""
    flows = with_room(blocks(table, look), table) if not look.quiet else blocks(table, look)
    if not any(flow.heaps for flow in flows):
        return
    wide = scale(flows, box, look)
    whole = sum(high(flow, grid(flow, wide, box), look) for flow in flows)
    spare = (box.bottom - box.top - whole) / (len(flows) + 1)
    y = box.top + max(0, spare)
    for flow in flows:
        size = grid(flow, wide, box)
        if flow.heaps:
            yield from _flow(table, flow, size, Box(box.left, y, box.right, y + high(flow, size, look)), look)
        y += high(flow, size, look) + max(0, spare)


def scale(flows: list[Block], box: Box, look: Look) -> int:
    """How wide a tile is, so that all flows fit."""
    widest = min(WIDEST, int((box.right - box.left) * ALONE)) if look.quiet else WIDEST
    for wide in range(widest, TINY if look.quiet else NARROWEST, -2):
        sizes = [(flow, grid(flow, wide, box)) for flow in flows]
        together = all(size.across >= flow.places for flow, size in sizes if flow.title and flow.places <= TOGETHER)
        if together and sum(high(flow, size, look) for flow, size in sizes) <= box.bottom - box.top:
            break
    return wide


def stacks_wide(table: Table, box: Box, look: Look) -> int:
    """How wide the tiles of numbered stacks are in that box when they have grown high; 0 without stacks."""
    flows = blocks(table, look)
    if all(flow.title for flow in flows):
        return 0
    return scale([flow if flow.title else flow._replace(highest=MOST + 1) for flow in flows], box, look)


def grid(flow: Block, wide: int, box: Box) -> Grid:
    """How a flow is divided into lines, as even as possible."""
    broad = box.right - box.left
    gap = max(8.0, wide * (0.28 if broad > NARROW else 0.15)) if flow.labels and wide >= LABELLED else 3.0
    if flow.small:
        wide = max(int(wide * SMALLER), min(wide, LEAST))
        gap, broad = max(float(APART), wide * 0.28), broad - aside(flow)
    most = max(1, int((broad + gap) // (wide + gap)))
    lines = -(-flow.places // most)
    return Grid(wide, -(-flow.places // lines), gap)


def line_height(flow: Block, size: Grid) -> float:
    """The height of one line of a flow."""
    return size.wide / 2 + lift(flow.highest, size.wide) + foot(flow, size.wide)


def foot(flow: Block, wide: float) -> float:
    """The room below a line of piles, for a label that is clear of the ring of the last act."""
    if flow.labels and wide >= LABELLED:
        return LABEL + wide * 0.09 + min(CLEAR, wide * 0.12)
    return min(7.0, 2 + wide * 0.2)


def aside(flow: Block) -> float:
    """The room for a title beside small piles."""
    return measure(flow.title, 12) + BESIDE if flow.small else 0


def heading(flow: Block, look: Look) -> str:
    """The title above a flow; a single pile with a name needs none."""
    named = flow.labels and flow.places == 1
    return "" if look.quiet or flow.small or named else flow.title


def high(flow: Block, size: Grid, look: Look) -> float:
    """The height of a flow."""
    title = TITLE if heading(flow, look) else 0
    return title + -(-flow.places // size.across) * line_height(flow, size)


def _flow(table: Table, flow: Block, size: Grid, box: Box, look: Look) -> Iterator[Piece]:
    broad = size.across * (size.wide + size.gap) - size.gap
    left, top = (box.left + box.right - broad + aside(flow)) / 2, box.top
    if flow.small:
        middle = top + line_height(flow, size) - foot(flow, size.wide) - size.wide / 4
        yield f"title {flow.heaps[0].row}", text(flow.title, left - BESIDE, middle + 4, "t-name", "end")
    elif heading(flow, look):
        yield (
            f"title {flow.heaps[0].row}",
            text(shorten(flow.title, box.right - box.left), (box.left + box.right) / 2, top + 13, "t-name", "middle"),
        )
        top += TITLE
    for n, heap in enumerate(flow.heaps):
        x = left + n % size.across * (size.wide + size.gap)
        base = top + (n // size.across + 1) * line_height(flow, size) - foot(flow, size.wide)
        room = size.wide + size.gap - 16 if flow.small else size.wide
        yield f"pile {heap.row} {heap.place}", _heap(heap, x, base, size.wide, room, table, look)
    if not look.quiet:
        for n, heap in enumerate(flow.heaps):
            if table.last == (heap.row, heap.place) and table.gains:
                x = left + n % size.across * (size.wide + size.gap) + size.wide
                base = top + (n // size.across + 1) * line_height(flow, size) - foot(flow, size.wide)
                y = base - size.wide / 2 - lift(heap.count, size.wide)
                yield "gain", f"<g>{''.join(badges(table.gains, x, y, (6, look.width - 6)))}</g>"


def _heap(heap: Heap, x: float, base: float, wide: float, room: float, table: Table, look: Look) -> str:
    """A pile that stands on a line, with its label, at most `room` wide, below it."""
    y = base - wide / 2 - lift(heap.count, wide)
    owner = heap.owners[-1] if heap.owners else None
    if heap.tiles:
        top = face(heap.tiles[-1], x, y, wide, look)
        rim = "" if owner is None else symbol(f"rim{owner % 8 + 1}", x, y, wide, 0, f' class="t-o{owner % 8 + 1}"')
    else:
        top, rim = symbol("back", x, y, wide) if heap.count else "", ""
    wrong = symbol(rim_of(heap.mark), x, y, wide) if heap.mark and not look.quiet else ""
    ring = symbol("ring", x, y, wide) if table.last == (heap.row, heap.place) and not look.quiet else ""
    pole = flag(heap.mark, x + wide / 2, y + 4, max(0.7, wide / 120)) if wrong else ""
    label = "" if look.quiet else _label(heap, x, base + LABEL + wide * 0.09, wide, room, owner, table)
    title = "" if look.quiet else f"<title>{safe(_title(heap, owner, table))}</title>"
    return f"<g>{title}{below(heap.count, x, y, wide)}{top}{rim}{wrong}{ring}{pole}{label}</g>"


def _label(heap: Heap, x: float, y: float, wide: float, room: float, owner: int | None, table: Table) -> str:
    """Below a stack its number, the owner's letter and the height; below other piles the name and the count."""
    if not heap.label or wide < LABELLED:
        return ""
    if heap.label.isdecimal():
        sign = "" if owner is None else letter(table.names[owner])
        whose = text(sign, x + 4 + measure(heap.label, 12) + 4, y, f"t-owner t-l{(owner or 0) % 8 + 1}")
        more = f"×{heap.count}" if heap.count > 1 else ""
        # Narrow tiles have no room for both, and whose stack it is matters more.
        spare = wide - 20 - measure(heap.label + sign, 12)
        count = text(more, x + wide - 2, y, "t-name", "end") if more and measure(more, 12) <= spare else ""
        return f"{text(heap.label, x + 2, y, 't-name')}{whose if sign else ''}{count}"
    name = shorten(heap.label, max(34, room - measure(str(heap.count)) - 2))
    return two(name, str(heap.count), x + wide / 2, y, "middle")


def _title(heap: Heap, owner: int | None, table: Table) -> str:
    whose = "" if owner is None else f", {isolated(table.names[owner])}"
    if not heap.tiles:
        return f"{heap.label}: {heap.count}"
    tower = f" on {' on '.join(reversed(heap.tiles[:-1]))}" if len(heap.tiles) > 1 else ""
    return f"{heap.label + ': ' if heap.label else ''}{heap.tiles[-1]}{whose}{tower}"
