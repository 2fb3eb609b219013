"""What the recorder's page and the server check alike: the names of the players of a new game."""

import json
import subprocess
from pathlib import Path

import pytest

from ledger.games.catalog import MOST_SEATS
from ledger.keep.recorder import folded
from node import NODE, needs_node
from viewer.phone.new_game import wrong_counts, wrong_names

ROOT = Path(__file__).parents[2]
NAMES = (
    ["Ana", "Ben"], ["Ana", "ana"], ["Zoe\u0308", "ZOË"], ["Ana", "", "Cy"], ["\u200b", "Ben"], [], ["Ana"],
    ["A  B", "a b"], ["A", "B", "C"], list("ABCDEFGH"),
)  # fmt: skip
SCRIPT = """
globalThis.navigator ??= {}; // node has it from version 21 on
globalThis.document = { querySelectorAll: () => [] };
const { wrongNames, folded } = await import("./viewer/phone/static/new_game/new_game_form.js");
let text = "";
for await (const part of process.stdin) text += part;
const { forms, counts } = JSON.parse(text);
const byField = (wrong) => Object.fromEntries([...wrong].map(([n, words]) => [`player${n}`, words]));
console.log(JSON.stringify([forms.map((names) => byField(wrongNames(names, counts))), forms.flat().map(folded)]));
"""


@needs_node
@pytest.mark.parametrize("counts", [[2, 4], [3], [2, 3, 4, 5, 6, 7, 8], [1]])
def test_names_are_checked_on_the_page_as_on_the_server(counts: list[int]) -> None:
    forms = [[*names, *[""] * (MOST_SEATS - len(names))] for names in NAMES]
    asked = json.dumps({"forms": forms, "counts": json.loads(wrong_counts("Game", counts))})
    command = [str(NODE), "--input-type=module", "-e", SCRIPT]
    process = subprocess.run(command, cwd=ROOT, input=asked, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    wrong, folds = json.loads(process.stdout)
    assert wrong == [wrong_names(names, "Game", counts) for names in forms]
    assert folds == [folded(name) for names in forms for name in names]
