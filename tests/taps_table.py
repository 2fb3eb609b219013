"""How many taps a game takes on a phone, by the page's own logic, over games from seeds: `tests/viewer/phone/taps.mjs`.

`python tests/taps_table.py` prints a table for each rule set.  Nothing is scrolled:
`tests/browser/phone/test_one_screen.py`.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.codec import check
from ledger.record.events import ACTS, Aside, Deal, Layout
from ledger.record.record import Record
from node import NODE
from viewer.phone.recorder_view import recorder_view

ROOT = Path(__file__).parents[1]
WRITTEN = (Aside, Deal, Layout)
"""What is written down before the play, where anybody wants to."""


class Kind(NamedTuple):
    """Games of a kind: a rule set, its options and players, and the seeds; and how one went before the pad."""

    game: str
    options: dict[str, Any]
    how: dict[str, Any]
    seeds: tuple[int, ...]
    before: str


KINDS = {
    "Ziggurat, 2": Kind("ziggurat", {}, {}, tuple(range(8)), "30 acts, 93, 30, 8; 3 / 3"),
    "Ziggurat, 4": Kind("ziggurat", {}, {"players": 4}, tuple(range(8)), "32, 95, 32, 7; 6 / 4"),
    "Ziggurat Cut-Up": Kind("ziggurat", {"cut_up": True}, {}, tuple(range(8)), "30, 91, 30, 5; 8 / 3"),
    "Ziggurat double-12": Kind("ziggurat", {"set": 12}, {}, (0, 1), "93, 295, 92, 19; 83 / 40"),
    "Gale 1.1": Kind("domino-ziggurat", {}, {"edition": "1.1"}, (3, 13), "100, 150, -, -; - / 11"),
    "Gale 2": Kind("domino-ziggurat", {}, {"edition": "2"}, (7, 8), "102, 155, -, -; 18 / 8"),
    "Build Up, 2": Kind("build-up", {}, {}, (0, 1, 3), "54, 164, 52, -; 11 / 4"),
    "Build Up, 5": Kind("build-up", {}, {"players": 5}, (0, 1), "143, 402, 131, -; 46 / 18"),
    "Zigzag, 3": Kind("zigzag", {"hands": 3}, {"players": 3}, (0, 5), "63, 205, 146, -; 18 / 6"),
}
"""The last is from one game of each kind, recorded before the pad: acts, taps, those for hands, tiles that had to be
turned; swipes at 360 x 640 / 390 x 844."""


def steps_of(record: Record, *, hands: bool) -> list[dict[str, Any]]:
    """The acts of a record, each with what the page sees before it."""
    steps = list[dict[str, Any]]()
    events: list[Any] = [record.opening]
    for event in record.events:
        if not isinstance(event, ACTS) or (isinstance(event, Deal) and not hands):
            continue
        act = msgspec.structs.replace(event, when=None, by=None)
        steps.append({"view": seen(Review(check(events), "a")), "act": msgspec.to_builtins(act)})
        events.append(act)
    return steps


def seen(review: Review) -> dict[str, Any]:
    """What the page's logic reads of a view."""
    view = recorder_view(review)
    moves = [{"seq": move.seq, "event": move.event} for move in view.moves[-9:]]
    parts = {"largest": view.parts.largest, "least": view.parts.least, "stacks": view.parts.stacks}
    names = ("version", "players", "form", "prompts", "scene")
    return dict(msgspec.to_builtins({**{name: getattr(view, name) for name in names}, "moves": moves, "parts": parts}))


def touches(games: list[list[dict[str, Any]]], *, hands: bool, slides: bool) -> float:
    """How often a finger comes down for an act, on average; a hand or a layout is not counted."""
    dealt = {cls.__struct_config__.tag for cls in WRITTEN}
    taps = [
        count
        for steps, counts in zip(games, played(games, hands=hands, slides=slides), strict=True)
        for step, count in zip(steps, counts, strict=True)
        if step["act"]["type"] not in dealt
    ]
    return sum(taps) / len(taps)


TRIALS = 20
"""How often a scattering finger tries each placement."""


def astray(games: list[list[dict[str, Any]]], scatter: float, *, quick: bool) -> tuple[int, int]:
    """How many tiles land elsewhere than meant by fingers that scatter so many CSS pixels, and of how many.

    With `quick` each finger only taps, which laid a tile at once before there was a window above the finger.
    """
    wrong = [n for game in played(games, hands=False, scatter=scatter, quick=quick) for n in game if n is not None]
    return sum(wrong), TRIALS * len(wrong)


def played(games: list[list[dict[str, Any]]], **how: Any) -> list[list[Any]]:
    """What the script counts for each act of each game: how often a finger comes down, or how many tiles go astray."""
    question = json.dumps([{**how, "steps": steps} for steps in games])
    process = subprocess.run(
        [str(NODE), str(ROOT / "tests/viewer/phone/taps.mjs")],
        input=question, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    answer: list[list[Any]] = json.loads(process.stdout)
    return answer


def row(kind: Kind) -> list[str]:
    """The averages of games of a kind: acts, taps, those for hands, taps for an act; then taps and taps for an act of
    the same games without their hands.
    """
    records = [simulate(catalog.find(kind.game), seed, kind.options, **kind.how) for seed in kind.seeds]
    cells: list[str] = []
    for hands in (True, False):
        games = [steps_of(record, hands=hands) for record in records]
        taps = played(games, hands=hands, slides=False)
        dealt = sum(
            count
            for steps, counts in zip(games, taps, strict=True)
            for step, count in zip(steps, counts, strict=True)
            if step["act"]["type"] in ("deal", "aside")
        )
        acts = sum(step["act"]["type"] not in ("deal", "aside") for steps in games for step in steps)
        whole, count = sum(map(sum, taps)), len(records)
        cells += [f"{sum(map(len, games)) / count:.0f}"] if hands else []
        cells += [f"{whole / count:.0f}", *([f"{dealt / count:.0f}"] if hands else []), f"{(whole - dealt) / acts:.2f}"]
    return cells


def main() -> None:
    """Prints the table."""
    head = "| game | acts | taps | of them for hands | an act | taps without hands | an act | before the pad |\n"
    sys.stdout.write(f"{head}| --- |{' ---: |' * 6} --- |\n")
    for name, kind in KINDS.items():
        sys.stdout.write(f"| {name} | {' | '.join(row(kind))} | {kind.before} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
