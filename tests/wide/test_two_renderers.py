"""The server and the browser draw the same pictures: piece by piece, and every number up to rounding."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import msgspec
from msgspec import to_builtins

import viewer
from golden import CASES, name_of, review_of
from ledger.audit.review import Review
from ledger.games import catalog
from ledger.play.simulate import simulate
from node import NODE, needs_node
from viewer.pictures.drawing import description, drawing
from viewer.pictures.frames import Film, film
from viewer.pictures.look import Look, Table
from viewer.pictures.shapes import GAP, ROUND

STATIC = Path(viewer.__file__).parent / "static" / "table"
NUMBER = re.compile(r"-?\d*\.?\d+(?:e-?\d+)?")
LOOKS = [
    Look(width=856, height=620, top=60),
    Look(width=374, height=570, top=60, turn=1, coloured=True),
    Look(width=700, height=300, top=60, turn=2, level=2, numerals=True, eyes=0),
    Look(width=856, height=620, top=60, view="plan", turn=3, eyes=-2),
    Look(width=374, height=570, top=60, view="plan", level=1),
    Look(width=306, height=170, top=16),
    Look(width=112, height=96, quiet=True),
]


def films() -> dict[str, Film]:
    """Some fixtures, and games of the largest sets and the most players."""
    by_name = {name_of(path): film(review_of(path)) for path in CASES[::9]}
    for name, options, players in (
        ("ziggurat", {"set": 12}, 2),
        ("ziggurat", {}, 4),
        ("build-up", {}, 8),
        ("zigzag", {}, 3),
        ("domino-ziggurat", {}, 4),
    ):
        edition = "2" if name == "domino-ziggurat" else None
        record = simulate(catalog.find(name), 3, options, players=players, edition=edition)
        by_name[f"{name} {options} {players}"] = film(Review(record))
    return by_name


@needs_node
def test_server_and_browser_draw_the_same_pieces() -> None:
    drawings, ours, names = [], [], []
    for name, reel in films().items():
        places = sorted({len(reel.frames) * part // 4 for part in range(4)} | {len(reel.frames) - 1})
        for place in places:
            for number, look in enumerate(LOOKS):
                table = Table(reel.at(place), reel.names)
                own = {**to_builtins(look), "round": ROUND, "gap": GAP}
                drawings.append({"things": reel.at(place), "names": reel.names, "look": own})
                ours.append({"pieces": drawing(table, look), "description": description(table)})
                names.append(f"{name}, step {place}, look {number}")
    theirs = browser(drawings)
    assert len(theirs) == len(ours) > 200
    for name, our, their in zip(names, ours, theirs, strict=True):
        assert our["description"] == their["description"], name
        assert [key for key, _svg in our["pieces"]] == [key for key, _svg in their["pieces"]], name
        for (key, our_svg), (_key, their_svg) in zip(our["pieces"], their["pieces"], strict=True):
            assert same(our_svg, their_svg), f"{name}: {key}\n{our_svg}\n{their_svg}"


def browser(drawings: list[Any]) -> list[Any]:
    """The drawings by the browser's modules in node."""
    command = [str(NODE), str(Path(__file__).parent / "drawn.mjs"), str(STATIC)]
    process = subprocess.run(command, input=msgspec.json.encode(drawings), capture_output=True, check=True)
    return list(json.loads(process.stdout))


def same(ours: str, theirs: str) -> bool:
    """Whether two drawings are the same except for the last digits of numbers."""
    if NUMBER.sub("#", ours) != NUMBER.sub("#", theirs):
        return False
    pairs = zip(NUMBER.findall(ours), NUMBER.findall(theirs), strict=True)
    return all(abs(float(a) - float(b)) < 0.11 for a, b in pairs)
