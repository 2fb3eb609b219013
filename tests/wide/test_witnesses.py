"""Phones as witnesses, whole: the pages' own modules on simulated phones, and a real ledger that loses its disk."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.games import catalog
from ledger.play.simulate import simulate
from node import NODE, needs_node
from taps_table import astray, played, steps_of, touches

ROOT = Path(__file__).parents[2]
INSIDE = ROOT / "tests" / "inside"
FIRST, RUNS = "2004", int(os.environ.get("DOMINO_CHAOS", "2"))
"""The seed of the first run decides all of it, and the next one has the next seed; `make torture` makes 300."""

pytestmark = needs_node


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a ledger whose disk can be lost."""
    command = [sys.executable, str(ROOT / "tests" / "shaky_ledger.py")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        process.terminate()


def run(script: str, *arguments: str) -> str:
    process = subprocess.run(
        [str(NODE), str(INSIDE / script), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=600 + 60 * RUNS,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def test_whatever_happens_what_was_saved_is_there_once_and_no_screen_lied(server: str) -> None:
    print(run("chaos.mjs", server, FIRST, str(RUNS)))  # noqa: T201  the numbers of the trial


def test_an_evening_comes_back_from_the_phones_and_a_quiet_contact_is_small(server: str) -> None:
    print(run("evening.mjs", server))  # noqa: T201  the numbers of the trial


def test_in_logs_at_random_nothing_is_lost_or_doubled_and_no_word_is_untrue() -> None:
    print(run("notebook_trial.mjs", FIRST, str(50 * RUNS)))  # noqa: T201  the numbers of the trial


# ---- How many taps a move takes on a phone, by the page's own logic, over games from seeds: `taps.mjs`.


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


LAST = {"ziggurat": [1], "ziggurat, double 12": [3], "build-up": [6, 6, 6, 1], "zigzag": [1, 1, 1]}
"""How many taps each hand of the player takes who is dealt to last: what is left, without those that are over."""


@pytest.mark.parametrize("name", GAMES)
def test_a_move_takes_few_taps_and_no_tile_is_turned_afterwards(name: str) -> None:
    game, options, edition, seeds, hands, most = GAMES[name]
    records = [simulate(catalog.find(game), seed, options, edition=edition) for seed in seeds]
    games = [steps_of(record, hands=hands) for record in records]
    assert touches(games, hands=hands, slides=False) <= most[0]
    assert touches(games, hands=hands, slides=True) <= most[1]
    if name in LAST:
        (taps,) = played(games[:1], hands=True, slides=False)
        deals = [(step["act"], n) for step, n in zip(games[0], taps, strict=True) if step["act"]["type"] == "deal"]
        last = deals[-1][0]["player"]
        assert [count for act, count in deals if act["player"] == last] == LAST[name]
        assert sum(taps) <= 295


@pytest.mark.parametrize("name", ["ziggurat", "ziggurat, double 12", "gale 1.1", "gale 2"])
def test_fewer_than_one_tile_in_200_lands_elsewhere_than_meant(name: str) -> None:
    game, options, edition, seeds = {**GAMES, "gale 2": ("domino-ziggurat", {}, "2", (7, 8))}[name][:4]
    games = [
        steps_of(simulate(catalog.find(game), seed, options, edition=edition), hands=False) for seed in list(seeds)[:6]
    ]
    for scatter in (4, 6, 8):
        (wrong, tried), (before, _) = (astray(games, scatter, quick=quick) for quick in (False, True))
        sys.stdout.write(f"{name}, {scatter} px: {wrong} of {tried} elsewhere, by quick taps {before}\n")
        assert wrong < tried / 200 or scatter > 6
        assert before > 3 * wrong  # the trial sees the fault


# ---- The pages' modules without a page, with node's test runner: `tests/viewer`.


def test_the_modules_of_the_pages_pass_their_tests() -> None:
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests/viewer").rglob("*.test.js"))
    assert len(files) > 4
    # Several at once: they wait for clocks more than they compute.
    command = [str(NODE), "--test", "--test-concurrency=3", "--test-reporter=tap", *files]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert process.returncode == 0, process.stdout + process.stderr
