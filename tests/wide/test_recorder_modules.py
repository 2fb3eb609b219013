"""The recorder's modules that need no page, run by node: names, bids, places."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ledger.games.catalog import MOST_SEATS
from ledger.keep.recorder import folded
from viewer.recorder.new_game import wrong_counts, wrong_names
from waiting import PATIENCE

SOURCE = Path(__file__).parents[2] / "viewer" / "static" / "record"
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="no node: the browser's tests run these modules, too")


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy that any version of node reads as modules."""
    folder = tmp_path_factory.mktemp("record")
    for module in SOURCE.glob("*.js"):
        shutil.copy(module, folder)
    (folder / "package.json").write_text('{"type": "module"}', "utf-8")
    return folder


def run(modules: Path, script: str, value: Any = None) -> Any:
    """The result of a script that gets `value` and may import the modules."""
    body = f"const value = {json.dumps(value)};\n{script.replace('import(', 'await import(')}"
    wrapped = f"const answer = await (async () => {{ {body} }})();\nconsole.log(JSON.stringify(answer));"
    (modules / "script.js").write_text(wrapped, "utf-8")
    assert NODE is not None
    command = [NODE, "script.js"]
    process = subprocess.run(command, cwd=modules, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


NAMES = (
    ["Ana", "Ben"], ["Ana", "ana"], ["Zoe\u0308", "ZOË"], ["Ana", "", "Cy"], ["\u200b", "Ben"], [], ["Ana"],
    ["A  B", "a b"], ["A", "B", "C"], list("ABCDEFGH"),
)  # fmt: skip


@pytest.mark.parametrize("counts", [[2, 4], [3], [2, 3, 4, 5, 6, 7, 8], [1]])
def test_names_are_checked_on_the_page_as_on_the_server(modules: Path, counts: list[int]) -> None:
    forms = [[*names, *[""] * (MOST_SEATS - len(names))] for names in NAMES]
    script = """
        const { wrongNames, folded } = import("./names.js");
        const byField = (wrong) => Object.fromEntries([...wrong].map(([n, text]) => [`player${n}`, text]));
        const wrong = value.forms.map((names) => byField(wrongNames(names, value.counts)));
        return [wrong, value.forms.flat().map(folded)];
    """
    wrong, folds = run(modules, script, {"forms": forms, "counts": json.loads(wrong_counts("Game", counts))})
    assert wrong == [wrong_names(names, "Game", counts) for names in forms]
    assert folds == [folded(name) for names in forms for name in names]


def _grid(*tiles: tuple[int, int, int], bounds: tuple[int, int, int, int] = (0, 0, 3, 3)) -> dict[str, Any]:
    laid = [{"tile": "1-2", "at": [x, y], "to": [x + 1, y], "level": level} for x, y, level in tiles]
    return {"laid": laid, "bounds": bounds}


def test_the_squares_that_are_shown_only_grow_while_a_level_is_built(modules: Path) -> None:
    script = """
        const { fitWindow } = import("./geometry.js");
        const [first, second, later, above] = value;
        const a = fitWindow(first, [[-1, 0, "e", 1], [3, 3, "e", 1]], null, true);
        const b = fitWindow(second, [], a, true);
        const offline = fitWindow(second, [], a, false);
        const c = fitWindow(above, [], b, true);
        return [a, b, offline, c].map(({ left, top, right, bottom }) => [left, top, right, bottom]);
    """
    bounds = (0, 0, 1, 0)
    grids = [
        _grid((0, 0, 1), bounds=bounds),
        _grid((0, 0, 1), (2, 0, 1)),
        _grid(),
        _grid((0, 0, 1), (2, 0, 1), (1, 0, 2)),
    ]
    assert run(modules, script, grids) == [[-1, 0, 4, 3], [-1, 0, 4, 3], [-1, -1, 4, 4], [0, 0, 3, 3]]


def test_offline_nothing_moves_in_a_window_that_is_full(modules: Path) -> None:
    script = """
        const { fitWindow } = import("./geometry.js");
        const before = fitWindow(value[0], [[0, 0, "e", 2]], null, true);
        const { left, top, right, bottom } = fitWindow(value[1], [], before, false);
        return [left, top, right, bottom];
    """
    assert run(modules, script, [_grid((0, 0, 1), (2, 0, 1)), _grid((0, 0, 1), (2, 0, 1), (0, 0, 2))]) == [0, 0, 3, 3]


def test_bids_begin_with_the_lowest_legal_one(modules: Path) -> None:
    script = 'const { quickBids } = import("./geometry.js"); return value.map(quickBids);'
    assert run(modules, script, [[], [9], list(range(9, 46)), list(range(1, 20))]) == [
        [], [9], [9, 10, 20, 30, 40], [1, 5, 10, 15],
    ]  # fmt: skip


def test_a_place_that_covers_two_squares_is_one_button(modules: Path) -> None:
    script = """
        const { footprints } = import("./geometry.js");
        return footprints(value).map(({ centre, places }) => [centre, places.length]);
    """
    assert run(modules, script, [[0, 0, "e", 1], [1, 0, "w", 1], [0, 0, "s", 1]]) == [[[1, 0.5], 2], [[0.5, 1], 1]]


def test_tiles_that_fit_the_same_places_are_listed_together(modules: Path) -> None:
    script = """
        const { remaining, alike } = import("./left.js");
        const way = (player, due) => ({ kind: "place", player, due, tiles: ["1-2", "3-4", "5-6"],
          legal: due ? [{ tiles: ["1-2", "3-4"], at: [[0, 0, "e", 2]] }] : [] });
        const ways = [way("ben", false), way("ana", true), { kind: "pass", player: "ana" }];
        const groups = remaining({ form: { ways } });
        return groups.map(({ players, tiles, fits }) => [players, tiles, alike(fits).map(([some]) => some)]);
    """
    tiles = ["1-2", "3-4", "5-6"]
    assert run(modules, script) == [[["ana"], tiles, [["1-2", "3-4"]]], [["ben"], tiles, []]]


def test_a_tile_keeps_its_place_in_the_tray_until_most_are_gone(modules: Path) -> None:
    script = """
        const { slots } = import("./geometry.js");
        const first = slots(["a", "b", "c", "d", "e"], []);
        const second = slots(["a", "c", "e"], first);
        const third = slots(["a", "c", "e", "f"], second);
        return [first, second, third, slots(["e", "f"], third)];
    """
    assert run(modules, script) == [
        ["a", "b", "c", "d", "e"], ["a", "", "c", "", "e"], ["a", "f", "c", "", "e"], ["e", "f"],
    ]  # fmt: skip
