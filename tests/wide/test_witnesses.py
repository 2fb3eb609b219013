"""Phones as witnesses, whole: the pages' own modules on simulated phones, and a real ledger that loses its disk."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from node import NODE, needs_node

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
