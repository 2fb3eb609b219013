"""How many taps a move takes on a phone, by the page's own logic, over games from seeds: `tests/js/taps.mjs`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.codec import check
from ledger.record.events import ACTS, Aside, Deal, Layout
from ledger.record.record import Record
from node import NODE, needs_node
from viewer.recorder.view import Basis, basis_of, recorder_view

ROOT = Path(__file__).parents[2]
WRITTEN = (Aside, Deal, Layout)
"""What is written down before the play, where anybody wants to."""
GAMES = {
    "ziggurat": ("ziggurat", {}, None, range(16), True, (1.85, 1.85)),
    "ziggurat, no hands": ("ziggurat", {}, None, range(16), False, (1.9, 1.9)),
    "ziggurat, double 12": ("ziggurat", {"set": 12}, None, (0,), True, (2.2, 1.95)),
    "ziggurat, double 12, no hands": ("ziggurat", {"set": 12}, None, (0,), False, (2.6, 2.05)),
    "gale 1.1": ("domino-ziggurat", {}, "1.1", (3, 13), True, (1.45, 1.45)),
    "build-up": ("build-up", {}, None, (0, 1), True, (1.75, 1.75)),
    "build-up, no hands": ("build-up", {}, None, (0, 1), False, (1.8, 1.8)),
    "zigzag": ("zigzag", {"hands": 3}, None, (0,), True, (1.1, 1.1)),
    "zigzag, no hands": ("zigzag", {"hands": 3}, None, (0,), False, (1.45, 1.2)),
}
"""Rule set, options, edition, the seeds, whether hands are written down, and the most taps for an act on average:
without and with slides, which name a tile in one touch.

They are for a screen of 360 x 640, where nothing is scrolled.
"""


def steps_of(record: Record, *, hands: bool) -> list[dict[str, Any]]:
    """The acts of a record, each with what the page sees before it."""
    steps, basis = list[dict[str, Any]](), None
    events: list[Any] = [record.opening]
    for event in record.events:
        if not isinstance(event, ACTS) or (isinstance(event, Deal) and not hands):
            continue
        basis = basis_of("a", check(events), basis)
        act = msgspec.structs.replace(event, when=None, by=None)
        steps.append({"view": seen(basis), "act": msgspec.to_builtins(act)})
        events.append(act)
    return steps


def seen(basis: Basis) -> dict[str, Any]:
    """What the page's logic reads of a view."""
    view = recorder_view(basis)
    moves = [{"seq": move.seq, "event": move.event} for move in view.moves[-9:]]
    parts = {"largest": view.parts.largest, "least": view.parts.least}
    names = ("version", "players", "form", "prompts", "scene")
    return dict(msgspec.to_builtins({**{name: getattr(view, name) for name in names}, "moves": moves, "parts": parts}))


@needs_node
@pytest.mark.parametrize("name", GAMES)
def test_a_move_takes_few_taps_and_no_tile_is_turned_afterwards(name: str) -> None:
    game, options, edition, seeds, hands, most = GAMES[name]
    records = [simulate(catalog.find(game), seed, options, edition=edition) for seed in seeds]
    games = [steps_of(record, hands=hands) for record in records]
    assert touches(games, hands=hands, slides=False) <= most[0]
    assert touches(games, hands=hands, slides=True) <= most[1]


def touches(games: list[list[dict[str, Any]]], *, hands: bool, slides: bool) -> float:
    """How often a finger comes down for an act, on average; a hand or a layout is not counted."""
    question = json.dumps([{"hands": hands, "slides": slides, "steps": steps} for steps in games])
    process = subprocess.run(
        [str(NODE), str(ROOT / "tests" / "js" / "taps.mjs")],
        input=question, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    dealt = {cls.__struct_config__.tag for cls in WRITTEN}
    counted = [
        count
        for steps, counts in zip(games, json.loads(process.stdout), strict=True)
        for step, count in zip(steps, counts, strict=True)
        if step["act"]["type"] not in dealt
    ]
    return sum(counted) / len(counted)
