"""The sheets of a plan: each with its heading inside the box, the large one with room for names, none over another."""

from itertools import combinations

import pytest

from viewer.pictures.camera import Box
from viewer.pictures.plan import HEAD, MOST, RIM, Sheet, sheets

BOXES = {"tall": Box(10, 20, 370, 700), "wide": Box(0, 0, 1200, 500), "square": Box(-50, -50, 550, 540)}
SIZES = [(6, 8), (12, 5)]


def taken(sheet: Sheet, size: tuple[int, int], *, large: bool) -> tuple[float, float, float, float]:
    """What a sheet takes: its squares, its heading above them, and the names of the squares around the large one."""
    wide, deep = size
    rim = RIM if large else 0
    right, bottom = sheet.x + sheet.side * wide, sheet.y + sheet.side * deep
    return sheet.x - rim, sheet.y - HEAD, right, bottom + rim


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("high", range(1, 8))
@pytest.mark.parametrize("box", BOXES)
def test_sheets_lie_inside_the_box_and_apart(box: str, high: int, size: tuple[int, int]) -> None:
    room = BOXES[box]
    for chosen in range(1, high + 1):
        laid = sheets(high, chosen, size, room)
        assert laid[0].level == chosen
        assert len(laid) == min(high, MOST + 1)
        parts = [taken(sheet, size, large=sheet is laid[0]) for sheet in laid]
        for left, top, right, bottom in parts:
            assert room.left - 0.01 <= left < right <= room.right + 0.01
            assert room.top - 0.01 <= top < bottom <= room.bottom + 0.01
        for (left, top, right, bottom), (a, b, c, d) in combinations(parts, 2):
            assert right <= a + 0.01 or c <= left + 0.01 or bottom <= b + 0.01 or d <= top + 0.01


@pytest.mark.parametrize("box", BOXES)
def test_room_is_kept_for_the_levels_to_come(box: str) -> None:
    room = BOXES[box]
    (first,) = sheets(1, 1, (6, 8), room, 3)
    assert first.side == sheets(3, 1, (6, 8), room)[0].side
