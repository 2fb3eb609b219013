"""What the recorder's page and the server tell apart alike: the names of the players of a new game."""

import json
import subprocess
from pathlib import Path

from ledger.keep.recorder import folded
from node import NODE, needs_node

ROOT = Path(__file__).parents[2]
NAMES = ("Ana", "ana", "Zoe\u0308", "ZOË", "", "\u200b", "A  B", "a b", " Cy ")
SCRIPT = """
globalThis.navigator ??= {}; // node has it from version 21 on
globalThis.document = { querySelectorAll: () => [] };
const { folded } = await import("./viewer/phone/static/new_game/new_game_form.js");
let text = "";
for await (const part of process.stdin) text += part;
console.log(JSON.stringify(JSON.parse(text).map(folded)));
"""


@needs_node
def test_the_page_knows_a_name_again_as_the_server_does() -> None:
    command = [str(NODE), "--input-type=module", "-e", SCRIPT]
    asked = json.dumps(NAMES)
    process = subprocess.run(command, cwd=ROOT, input=asked, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    assert json.loads(process.stdout) == list(map(folded, NAMES))
