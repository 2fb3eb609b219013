"""How a table of Ziggurat looks: the levels of the building, and the hands."""

from collections.abc import Iterator, Sequence

from ledger.games.ziggurat.state import Ziggurat, holding, lying, squares_on
from ledger.record.grid import LEVEL, SIDES, START, WINDOW, column, laid, level_of, row, spot
from ledger.record.scene import Grid, Hand, Laid, Pile, Row, Scene, Seat, Spot
from ledger.record.sentences import who
from ledger.record.tiles import Tile, members, named, size
from ledger.rules.game import Tally


def tally(state: Ziggurat) -> Sequence[Tally]:
    """Where the tiles of the set are."""
    lying, held = len(state.lies) + len(state.misnamed), max(0, sum(state.sizes) - sum(state.placed))
    over = max(0, size(state.rules.largest) - lying - held)
    return (Tally("on the table", lying), Tally("in hands", held), Tally("out of the game", over))


def scene(state: Ziggurat) -> Scene:
    """The table as data."""
    rules = state.rules
    seats = tuple(
        Seat(player, state.scores[seat], state.turn.seat == seat and not state.ended)
        for seat, player in enumerate(rules.players)
    )
    hands = tuple(_hand(state, seat) for seat in range(len(rules.players)))
    areas: tuple[Grid | Row, ...] = (
        Grid("the ziggurat", tuple(_laid(state)), _bounds(state), tuple(_ties(state)), _reach(state)),
    )
    if state.aside:
        areas = (*areas, Row("out of the game", tuple(Pile(str(tile), (tile,)) for tile in members(state.aside))))
    return Scene(seats, areas, hands, _status(state))


def _laid(state: Ziggurat) -> Iterator[Laid]:
    """The dominoes on the table; the unknown ones as they were written."""
    for index, (one, other) in state.lies.items():
        tile = named(f"{_pips(state, one)}-{_pips(state, other)}")
        yield laid(tile, one, other, "last") if index == state.last else laid(tile, one, other)
    for one, other, first, second in state.misnamed:
        yield laid(named(f"{first}-{second}"), one, other, "illegal")


def _pips(state: Ziggurat, at: int) -> int | None:
    return squares_on(state.levels, level_of(at)).get(at)


def _ties(state: Ziggurat) -> Iterator[tuple[Spot, Spot]]:
    """The pairs that scored: on the base, equal halves side by side; above it, a half and the equal one it covers."""
    if state.last is None:
        return
    both = state.lies[state.last]
    for at in both:
        near = [at - LEVEL] if level_of(at) > 1 else [at + step for step in SIDES]
        for other in near:
            if other not in both and _pips(state, other) == _pips(state, at):
                yield spot(at), spot(other)
                break


def _bounds(state: Ziggurat) -> tuple[int, int, int, int]:
    squares = [at for level in state.levels.values() for at in level]
    if state.rules.drawn:
        return 0, 0, WINDOW - 1, WINDOW - 1
    if not squares:
        x, y = column(START) - 1, row(START) - 1
        return x, y, x + WINDOW - 1, y + WINDOW - 1
    columns, rows = [column(at) for at in squares], [row(at) for at in squares]
    return min(columns), min(rows), max(columns), max(rows)


def _reach(state: Ziggurat) -> tuple[int, int, int, int] | None:
    """The squares of all windows in which the base may still lie; before its first half, all round where that goes."""
    if state.rules.drawn:
        return None
    last = WINDOW - 1
    if not state.windows:
        x, y = column(START), row(START)
        return _bounds(state) if state.levels else (x - last, y - last, x + last, y + last)
    columns, rows = [column(corner) for corner in state.windows], [row(corner) for corner in state.windows]
    return min(columns), min(rows), max(columns) + last, max(rows) + last


def _hand(state: Ziggurat, seat: int) -> Hand:
    known: tuple[Tile, ...] = members(state.dealt[seat] & ~lying(state))
    return Hand(seat, known, max(0, holding(state)[seat] - len(known)))


def _status(state: Ziggurat) -> str:
    if state.ended:
        return "Game over"
    turn = f" · {who(state.turn.seat)} to play" if state.turn.seat is not None else ""
    level = state.level + 1 if state.finished else max(1, state.level)
    return f"{'Base' if level == 1 else f'Level {level}'}{turn}"
