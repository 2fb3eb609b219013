"""The end of a game whose tiles were all taken or put away: who has won, and how the totals came about."""

from collections.abc import Sequence

from ledger.record.visible import isolated
from viewer.pictures.camera import Box
from viewer.pictures.flat_tiles import chip, measure, shorten, sign
from viewer.pictures.look import Piece, Table, path, text

BIG, LINE, COLUMN, MOST = 24, 19, 48, 420
"""The size of the winner's name, the height of a line, the width of a player's points, and the greatest width."""
WORDS, LEAST, CLEAR = 58, 60, 8
"""The height of the name and the margin, the least height with room for them, and the distance from the piles."""


def ending(table: Table, box: Box) -> list[Piece]:
    """The winner and the margin, and below them the points of each hand, as many as there is room for."""
    outcome, room = table.outcome, box.bottom - box.top - CLEAR
    if outcome is None or room < LEAST:
        return []
    lines = int((room - WORDS) / LINE)
    rows = _fitting(outcome.hands, lines - 3)
    high = WORDS + (len(rows) + 2) * LINE if rows else WORDS
    middle, y = (box.left + box.right) / 2, box.top + (room - high) / 2 + BIG
    words = shorten(outcome.words, (box.right - box.left) * 13 / BIG)
    margin = text(outcome.margin, middle, y + 22, "t-title", "middle") if outcome.margin else ""
    won = ("outcome", f"<g>{text(words, middle, y, 't-won', 'middle')}{margin}</g>")
    return [won, ("totals", _totals(table, rows, box, y + WORDS - BIG + LINE))] if rows else [won]


Hands = tuple[tuple[str, tuple[int, ...]], ...]


def _fitting(hands: Hands, lines: int) -> Hands:
    """The hands in at most so many lines; the first ones in one line together if there are more."""
    if len(hands) <= lines or lines < 2:
        return hands if len(hands) <= lines else ()
    first, rest = hands[: len(hands) - lines + 1], hands[len(hands) - lines + 1 :]
    together = tuple(map(sum, zip(*(points for _words, points in first), strict=True)))
    return ((f"Hands 1 to {len(first)}", together), *rest)


def _totals(table: Table, rows: Hands, box: Box, y: float) -> str:
    """The points of each hand and their sum, a column for each player."""
    names = table.names
    wide = min(box.right - box.left, MOST)
    left, right = (box.left + box.right - wide) / 2, (box.left + box.right + wide) / 2
    column = min(COLUMN, (wide - 60) / len(names))
    ends = [right - (len(names) - 1 - seat) * column for seat in range(len(names))]
    parts = [chip(seat, names, end - 10, y - 4) for seat, end in enumerate(ends)]
    total = tuple(map(sum, zip(*(points for _words, points in rows), strict=True)))
    room = ends[0] - left - 34
    if any(measure(words, 12) > room for words, _points in rows):
        rows = tuple((_signed(words, names), points) for words, points in rows)
    for n, (words, points) in enumerate([*rows, ("Total", total)], 1):
        kind, line = "t-title" if n > len(rows) else "t-name", y + n * LINE + (3 if n > len(rows) else 0)
        parts.append(text(shorten(words, room, 12), left, line, kind))
        parts += [
            text(f"{value:+}" if kind == "t-name" and value else str(value), end, line, kind, "end")
            for end, value in zip(ends, points, strict=True)
        ]
    rule = y + len(rows) * LINE + 6
    return f'<g><path class="t-tick" d="{path([(left, rule), (right, rule)], end="")}"/>{"".join(parts)}</g>'


def _signed(words: str, names: Sequence[str]) -> str:
    """The words with a player's sign in place of the name, so that there is room for the contract."""
    for seat, name in enumerate(names):
        words = words.replace(f" {isolated(name)} ", f" {isolated(sign(seat, names))} ")
    return words
