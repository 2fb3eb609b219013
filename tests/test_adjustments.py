"""Points that the owner adds to a player in an event: listed, counted, taken back, and erased with the name."""

import json
from pathlib import Path

import pytest

from command_output import outcome_of

ADD = ("standings", "cup", "--adjust")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str, status: int = 0) -> str:
        code, stdout, stderr = outcome_of("--ledger", "l.sqlite", *arguments)
        assert code == status, stderr
        return stdout + stderr

    command("card", "Block", "Ana=7", "Ben=5", "--event", "Cup", "--played", "2026-01-01")
    command("card", "Block", "Cy=7", "Ben=5", "--event", "Other", "--played", "2026-01-01")
    return command


def points(run) -> dict[str, tuple[int, int, int]]:
    places = map(json.loads, run("standings", "Cup", "--json").splitlines())
    return {place["name"]: (place["rank"], place["games"], place["points"]) for place in places}


def test_an_adjustment_counts_in_its_event_is_listed_and_can_be_withdrawn(run) -> None:
    before = run("standings", "Cup")
    said = run(*ADD, "ana=-3", "--why", "came late")
    assert "adjustment 1: Ana -3, came late (20 Nov 2026)" in said
    assert points(run) == {"Ana": (1, 1, 4), "Ben": (2, 1, 5)}
    assert "Ben     1" in run("standings", "Cup", "--rank", "points")
    run(*ADD, "Cy=100", "--why", "a walk-over")
    assert points(run)["Cy"] == (2, 0, 100)
    assert "adjustment" not in run("standings", "Other")
    assert "adjustment 2: Cy +100" in run("standings", "Cup", "--withdraw", "1")
    run("standings", "Cup", "--withdraw", "2")
    assert run("standings", "Cup") == before
    assert "there is no adjustment 2" in run("standings", "Cup", "--withdraw", "2", status=2)


def test_an_adjustment_follows_its_person(run) -> None:
    run(*ADD, "Ana=1", "--why", "a bye")
    run("players", "rename", "Ana", "Anna")
    assert points(run)["Anna"] == (1, 1, 8)
    run("players", "merge", "Anna", "Cy")
    assert points(run)["Cy"] == (1, 1, 8)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("standings", "cup", "--adjust", "Dot=1", "--why", "x"), "nobody called 'Dot' has played here"),
        (("standings", "nothing", "--adjust", "Ana=1", "--why", "x"), "no game names an event 'nothing'"),
        (("standings", "cup", "--adjust", "Ana=1"), "say how many points, and why"),
        (("standings", "cup", "--adjust", "Ana=0", "--why", "x"), "say how many points, and why"),
        (("standings", "cup", "--adjust", "Ana", "--why", "x"), "write --adjust NAME=POINTS"),
        (("standings", "--adjust", "Ana=1", "--why", "x"), "name the event"),
    ],
)
def test_what_cannot_be_added_is_refused(run, arguments: tuple[str, ...], reason: str) -> None:
    assert reason in run(*arguments, status=2)


def test_adjustments_are_copied_and_erased_with_the_name(run) -> None:
    run(*ADD, "Ana=1", "--why", "a bye")
    run(*ADD, "Ben=1", "--why", "Ana was late")
    run("copy", "copy.sqlite")
    code, copied, _ = outcome_of("--ledger", "copy.sqlite", "standings", "cup")
    assert (code, copied) == (0, run("standings", "cup"))
    assert "adjustments: 2 deleted" in run("forget", "Ana", "--yes")
    assert "adjustment" not in run("standings", "cup")
    run("verify")
