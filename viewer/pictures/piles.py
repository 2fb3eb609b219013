"""Rows of piles: stacks as towers, the pile in the centre, taken tiles, lines of play."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from ledger.record.visible import isolated
from ledger.record.words import first_names
from viewer.pictures.camera import Box
from viewer.pictures.flat_tiles import MOST, below, face, lift, measure, shorten, sign, symbol
from viewer.pictures.look import Look, Piece, Table, badges, flag, px, rim_of, safe, text, two
from viewer.pictures.things import Heap

WIDEST, NARROWEST, TINY = 190, 14, 8
LABELLED = 26
"""Narrower piles have no labels."""
FEW, LOW, ALONE = 12, 3, 0.64
"""The stacks of a small picture, their tiles that are drawn, and how much of its width a single tile takes."""
FAN = (16, -14)
"""By how many degrees the tiles below the top of a pile are turned in a small picture, the upper one first."""
TOGETHER = 4
"""Up to this many piles with a title stay side by side."""
SMALLER, LEAST, CLOSE, BESIDE, SIGNED = 0.5, 30, 5.0, 12, 44
"""Piles of the players: the size beside the others, the least width, the least gap, that beside a title or a label, and
the room for a letter and a number."""
HEADED = 300
"""The room for a heading with a note."""
TIGHT, LOOSE = 0.13, 0.34
"""The least and the greatest gap between piles with labels, in widths of a tile."""
TITLE, LABEL, CLEAR = 30, 14, 5
"""The height of a row's title, how far a label is below a small pile, and what stays clear below it."""


class Block(NamedTuple):
    """Piles that are drawn in one flow: a line of play, or stacks that are numbered on from row to row.

    Each heap has its slot among the `places`.  `small`: each pile belongs to a player and is out of play; the title
    stands beside them, and the longest name below them needs `name` pixels.  A block without heaps keeps the room of
    those to come.
    """

    title: str
    heaps: Sequence[tuple[int, Heap]]
    places: int
    labels: bool
    highest: int
    small: bool = False
    name: float = 0


def blocks(table: Table, look: Look) -> list[Block]:
    """The flows of a table, the same at every step of a game."""
    if look.quiet:
        return _quiet_blocks(table)
    flows: list[Block] = []
    for line in table.room.lines or [row.line for row in table.rows.values()]:
        heaps = table.rows[line.row].heaps if line.row in table.rows else []
        labels = line.labelled or any(heap.label for heap in heaps)
        high = line.numbered or line.owned or (labels and line.places == 1)
        last = flows.pop() if line.numbered and flows and not flows[-1].title else Block("", [], 0, labels, 0)
        begin = last.places
        slots = [*last.heaps, *((begin + heap.place, heap) for heap in heaps)]
        highest = max(last.highest, MOST + 1 if high else line.high)
        title = "" if line.numbered else line.title
        name = max(map(measure, first_names(table.names))) + measure(" 000") if line.owned else 0
        flows.append(Block(title, slots, begin + line.places, labels, highest, line.owned, name))
    return flows


def _quiet_blocks(table: Table) -> list[Block]:
    """The flows of a small picture: no leftovers beside numbered stacks, no tiles that lie face down."""
    flows: list[Block] = []
    for row in table.rows.values():
        numbered = all(heap.label.isdecimal() for heap in row.heaps)
        last = flows.pop() if numbered and flows and not flows[-1].title else Block("", [], 0, labels=False, highest=0)
        heaps = [*last.heaps, *enumerate(row.heaps, last.places)]
        highest = max(last.highest, *(heap.count for heap in row.heaps))
        flows.append(Block("" if numbered else row.line.title, heaps, len(heaps), labels=False, highest=highest))
    stacks = [block for block in flows if not block.title]
    return [_tallest(stacks)] if stacks else [block for block in flows if _open(block)] or flows


def _open(flow: Block) -> bool:
    return any(heap.tiles for _slot, heap in flow.heaps)


def _tallest(stacks: list[Block]) -> Block:
    """The tallest stacks, as many as can be read in a small picture, in their order."""
    heaps = [heap for block in stacks for _slot, heap in block.heaps]
    tallest = set(sorted(range(len(heaps)), key=lambda n: (-heaps[n].count, n))[:FEW])
    heaps = [replace(heap, count=min(heap.count, LOW)) for n, heap in enumerate(heaps) if n in tallest]
    highest = max(heap.count for heap in heaps)
    return Block("", list(enumerate(heaps)), len(heaps), labels=False, highest=highest)


class Grid(NamedTuple):
    """How wide a tile is, how many fit side by side, the gaps, and whether labels stand beside the piles."""

    wide: int
    across: int
    gap: float
    beside: bool = False


def rows(table: Table, box: Box, look: Look) -> Iterator[Piece]:
    """The pieces of all rows, as large as the box allows."""
    for flow, size, part in _arranged(table, box, look):
        if flow.heaps:
            yield from _flow(table, flow, size, part, look)


def middle(table: Table, box: Box, look: Look) -> Box:
    """The room above the piles of the players, or all of it."""
    tops = [part.top for flow, _size, part in _arranged(table, box, look) if flow.small]
    return box._replace(bottom=tops[0]) if tops else box


def _arranged(table: Table, box: Box, look: Look) -> Iterator[tuple[Block, Grid, Box]]:
    """The flows, each with its size and its part of the box."""
    flows = blocks(table, look)
    heading = _beside_heading(flows, box, look)
    yield from heading
    flows = [flow for flow in flows if not (heading and flow.small)]
    if not flows:
        return
    wide = scale(flows, box, look)
    sizes = [grid(flow, wide, box) for flow in flows]
    heights = [high(flow, size, look) for flow, size in zip(flows, sizes, strict=True)]
    lines = [-(-flow.places // size.across) for flow, size in zip(flows, sizes, strict=True)]
    spare = max(0, (box.bottom - box.top - sum(heights)) / sum(lines))
    y = box.top
    for flow, size, tall, count in zip(flows, sizes, heights, lines, strict=True):
        yield flow, size, Box(box.left, y, box.right, y + tall + spare * count)
        y += tall + spare * count


def _beside_heading(flows: Sequence[Block], box: Box, look: Look) -> list[tuple[Block, Grid, Box]]:
    """The piles of the players that find room beside the heading above stacks."""
    part = Box(box.left + HEADED, look.top - TITLE, box.right, look.top)
    found = []
    for flow in flows:
        room = (part.right - part.left - aside(flow)) / flow.places - LEAST
        if flow.small and room >= SIGNED and any(not other.title for other in flows):
            brief = flow._replace(name=min(flow.name, room - 2 * BESIDE))
            found.append((brief, grid(brief, LEAST, part), part))
    return found


def scale(flows: list[Block], box: Box, look: Look) -> int:
    """How wide a tile is, so that all flows fit, whatever lies in them: at most steps of a game the same."""
    return _fitting(tuple(flow._replace(heaps=()) for flow in flows), box, look)


@lru_cache(maxsize=64)
def _fitting(flows: Sequence[Block], box: Box, look: Look) -> int:
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
    heading = _beside_heading(flows, box, look)
    return scale([flow for flow in flows if not (heading and flow.small)], box, look)


def grid(flow: Block, wide: int, box: Box) -> Grid:
    """How a flow is divided into lines, as even as possible."""
    broad = box.right - box.left
    if flow.small:
        wide = max(int(wide * SMALLER), min(wide, LEAST))
        broad -= aside(flow)
        free = broad / flow.places - wide
        if free >= flow.name + 2 * BESIDE:
            return Grid(wide, flow.places, flow.name + 2 * BESIDE, beside=True)
        gap = max(CLOSE, min(flow.name + BESIDE - wide, free))
    else:
        gap = max(5.0, wide * TIGHT) if flow.labels and wide >= LABELLED else 3.0
    most = max(1, int((broad + gap) // (wide + gap)))
    across = -(-flow.places // -(-flow.places // most))
    return Grid(wide, across, max(gap, min(wide * LOOSE, broad / across - wide)) if flow.labels else gap)


def line_height(flow: Block, size: Grid) -> float:
    """The height of one line of a flow."""
    return size.wide / 2 + lift(flow.highest, size.wide) + foot(flow, size)


def foot(flow: Block, size: Grid) -> float:
    """The room below a line of piles, for a label that is clear of the ring of the last act."""
    if flow.labels and size.wide >= LABELLED and not size.beside:
        return LABEL + size.wide * 0.09 + CLEAR
    return min(7.0, 2 + size.wide * 0.2)


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
    broad = size.across * (size.wide + size.gap) - (0 if size.beside else size.gap)
    left, top = (box.left + box.right - broad + aside(flow)) / 2, box.top
    row = flow.heaps[0][1].row
    above = (line_height(flow, size) / 2 - foot(flow, size)) - size.wide / 4
    if flow.small:
        yield f"title {row}", text(flow.title, left - BESIDE, (top + box.bottom) / 2 + above + 4, "t-name", "end")
    elif heading(flow, look):
        yield (
            f"title {row}",
            text(shorten(flow.title, box.right - box.left), (box.left + box.right) / 2, top + 13, "t-name", "middle"),
        )
        top += TITLE
    gain = None
    high = (box.bottom - top) / -(-flow.places // size.across)
    for n, heap in flow.heaps:
        x = left + n % size.across * (size.wide + size.gap)
        base = top + (n // size.across + 0.5) * high + above + size.wide / 4
        yield f"pile {heap.row} {heap.place}", _heap(heap, x, base, size, table, look)
        if table.last == (heap.row, heap.place) and table.gains and not look.quiet:
            gain = x + size.wide, base - size.wide / 2 - lift(heap.count, size.wide)
    if gain:
        yield "gain", f"<g>{''.join(badges(table.gains, *gain, (6, look.width - 6)))}</g>"


def _heap(heap: Heap, x: float, base: float, size: Grid, table: Table, look: Look) -> str:
    """A pile that stands on a line, with its label."""
    wide = size.wide
    y = base - wide / 2 - lift(heap.count, wide)
    owner = _owner(heap)
    if heap.tiles:
        top = face(heap.tiles[-1], x, y, wide, look)
        rim = "" if owner is None else symbol(f"rim{owner % 8 + 1}", x, y, wide, 0, f' class="t-o{owner % 8 + 1}"')
    else:
        top, rim = symbol("back", x, y, wide) if heap.count else "", ""
    wrong = symbol(rim_of(heap.mark), x, y, wide) if heap.mark and not look.quiet else ""
    ring = symbol("ring", x, y, wide) if table.last == (heap.row, heap.place) and not look.quiet else ""
    pole = flag(heap.mark, x + wide / 2, y + 4, max(0.7, wide / 120)) if wrong else ""
    label = "" if look.quiet else _label(heap, x, base, size, owner, table)
    title = "" if look.quiet else f"<title>{safe(_title(heap, owner, table))}</title>"
    under = _fan(heap, x, y, wide, look) if look.quiet and not heap.label.isdecimal() else ""
    return f"<g>{title}{under}{below(heap.count, x, y, wide)}{top}{rim}{wrong}{ring}{pole}{label}</g>"


def _fan(heap: Heap, x: float, y: float, wide: float, look: Look) -> str:
    """The tiles below the top of a pile that is no stack, each turned a little, so that one sees that it is a pile."""
    shown = list(zip(heap.tiles[-2::-1], FAN, strict=False))
    centre = f"{px(x + wide / 2)} {px(y + wide / 4)}"
    return "".join(
        f'<g transform="rotate({turn} {centre})">{below(2, x, y, wide)}{face(tile, x, y, wide, look)}</g>'
        for tile, turn in reversed(shown)
    )


def _label(heap: Heap, x: float, base: float, size: Grid, owner: int | None, table: Table) -> str:
    """Below a stack its number, the owner's letter and the height; at other piles the name and the count."""
    wide, y = size.wide, base + LABEL + size.wide * 0.09
    if not heap.label or wide < LABELLED:
        return ""
    if heap.label.isdecimal():
        whose_sign = "" if owner is None else sign(owner, table.names)
        # Narrow tiles have no room for both, and moves are told by the number.
        if measure(heap.label + whose_sign, 12) + 6 > wide:
            whose_sign = ""
        kinds = "t-name", f"t-owner t-l{(owner or 0) % 8 + 1}"
        label = (
            two(heap.label, whose_sign, x + 2, y, kinds=kinds) if whose_sign else text(heap.label, x + 2, y, "t-name")
        )
        # Narrow tiles have no room for both, and whose stack it is matters more.
        spare = wide - 20 - measure(heap.label + whose_sign, 12)
        heights = (f"{heap.count} high", f"×{heap.count}") if heap.count > 1 else ()
        more = next((words for words in heights if measure(words, 12) <= spare), "")
        return f"{label}{text(more, x + wide - 2, y, 't-name', 'end') if more else ''}"
    room = (size.gap - BESIDE if size.beside else wide + size.gap - 16) - measure(str(heap.count)) - 8
    seat = heap.place % len(table.names)
    if heap.label == isolated(table.names[seat]):
        first = isolated(first_names(table.names)[seat])
        # A letter says more than half a name.
        name = first if measure(first) <= room else sign(seat, table.names)
    else:
        name = shorten(heap.label, max(34, room))
    if size.beside:
        return two(name, str(heap.count), x + wide + 6, base - wide / 4 + 4)
    return two(name, str(heap.count), x + wide / 2, y, "middle")


def _title(heap: Heap, owner: int | None, table: Table) -> str:
    """A pile in words: ``Stack 1: 4-6, Ben, on 2-2 on 1-3``; as many of its tiles as the drawing knows."""
    label = f"Stack {heap.label}" if heap.label.isdecimal() else heap.label
    if not heap.tiles:
        return f"{label}: {heap.count} face down"
    whose = "" if owner is None else f", {isolated(table.names[owner])}"
    tower = f" on {' on '.join(reversed(heap.tiles[:-1]))}" if len(heap.tiles) > 1 else ""
    high = f", {heap.count} high" if heap.count > 1 else ""
    return f"{label + ': ' if label else ''}{heap.tiles[-1]}{whose}{high}{',' if tower else ''}{tower}"


def words(table: Table) -> list[str]:
    """Every pile that has tiles, in words for people who listen."""
    heaps = [(row, heap) for row in table.rows.values() for heap in row.heaps if heap.count]
    shown = [(row, heap) for row, heap in heaps if heap.label or heap.tiles]
    unseen = Counter[str]()
    for row, heap in heaps:
        unseen[row.line.title] += 0 if heap.label or heap.tiles else heap.count
    return [
        *(f"{'' if heap.label else row.line.title + ': '}{_title(heap, _owner(heap), table)}" for row, heap in shown),
        *(f"{title}: {count} face down" for title, count in unseen.items() if count),
    ]


def _owner(heap: Heap) -> int | None:
    return heap.owners[-1] if heap.owners else None
