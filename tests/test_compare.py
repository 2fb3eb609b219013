"""`compare`: the figures are those that the archives give, and their intervals those of the papers."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from statistics import fmean

import pytest
from click.testing import CliRunner, Result
from ledger.club.comparison import Outcome, compare, lengths, mean, share

from ledger.audit.review import Review
from ledger.cli import cli
from ledger.games import catalog
from ledger.keep.sources import items
from ledger.play.simulate import CANDIDATES, POLICIES, by_trying, policy, simulate
from ledger.record.events import Bid, Place, Play, Stack


def run(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == code, result.output
    return result


def figures(*arguments: str) -> dict[str, dict[str, dict[str, float]]]:
    return {figure["name"]: figure for figure in json.loads(run("compare", *arguments, "--json").output)["figures"]}


def test_the_figures_are_those_of_the_archives(tmp_path: Path) -> None:
    names = [str(tmp_path / f"{target}.ndjson") for target in (40, 80)]
    for name, target in zip(names, (40, 80), strict=True):
        run("simulate", "zigzag", "--count", "12", "-p", f"target={target}", "-o", name)
    measured = figures(*names)
    for name, side in zip(names, "ab", strict=True):
        records = [item.result for item in items(name)]
        reports = [Review(record).report for record in records]
        laid = [sum(isinstance(event, Place | Play | Stack) for event in record.events) for record in records]
        winners = [report.scores[player] for report in reports for player in report.winners]
        assert measured["moves"][side]["value"] == pytest.approx(fmean(laid))
        assert measured["winner's score"][side]["value"] == pytest.approx(fmean(winners))
        alone = [report.winners[0] for report in reports if len(report.winners) == 1]
        assert measured["won by one player"][side]["value"] == len(alone) / 12
        assert measured["won by seat 1"][side]["value"] == alone.count("ana") / len(alone)
        margins = [
            min(abs(report.scores[report.winners[0]] - score) for player, score in report.scores.items()
                if player != report.winners[0])
            for report in reports if len(report.winners) == 1
        ]  # fmt: skip
        assert measured["margin"][side]["value"] == pytest.approx(fmean(margins))
    assert measured["moves"]["difference"]["low"] > 0
    assert figures("zigzag", "-p", "target=40", "-p", "target=80", "--games", "12") == measured


def test_one_set_of_options_is_compared_with_the_defaults() -> None:
    output = run("compare", "build-up", "-p", "hands=6/6/4", "--games", "4").output
    assert output.startswith("A: the defaults, 4 games\nB: hands=6/6/4, 4 games\n")
    assert "hands              4.0     3.0     -1.0 (-1.0 to -1.0) *" in output
    assert "They do not say how people would play" in output.replace("\n", " ")


def test_a_single_game_gives_a_difference_and_no_interval(tmp_path: Path) -> None:
    one, two = str(tmp_path / "one.ndjson"), str(tmp_path / "two.ndjson")
    run("simulate", "build-up", "-p", "hands=6/6/4", "-o", one)
    run("simulate", "build-up", "--count", "2", "-o", two)
    output = run("compare", one, two).output
    assert "hands              3.0     4.0     +1.0 (no interval from a single value)" in output
    assert "-inf" not in output


def test_where_all_build_together_nobody_beats_anybody() -> None:
    group = [Outcome(True, 28, 0, (cheats, cheats), (0, 1), together=True) for cheats in (3, 5)]
    assert {figure.name for figure in compare(group, group)} == {"moves", "score", "finished"}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("zigzag",), "name the options of one side or of both"),
        (("zigzag", "-p", "targt=60"), "no option 'targt'"),
        (("zigzag", "-p", "target=60", "-p", "target=60"), "both sides have the same options"),
        (("a", "b", "c"), "compare two archives, or one game"),
        (("zigzag", "-p", "a=1", "-p", "b=1", "-p", "c=1"), "name the options of one side or of both"),
    ],
)
def test_what_cannot_be_compared_is_refused_before_anything_is_played(arguments: tuple[str, ...], reason: str) -> None:
    assert reason in run("compare", *arguments, code=2).output


def test_intervals_are_those_of_the_papers() -> None:
    wilson = share(81, 263)
    assert wilson is not None
    assert (round(wilson.low, 4), round(wilson.high, 4)) == (0.2553, 0.3662)  # Newcombe 1998, table I
    a, b = (
        [Outcome(True, 1, 0, (1, 0), (0,) if number < won else (0, 1), together=False) for number in range(games)]
        for won, games in ((48, 80), (56, 70))
    )
    difference = next(figure.difference for figure in compare(a, b) if figure.name == "won by one player")
    assert difference is not None
    assert (round(difference.low, 4), round(difference.high, 4)) == (0.0524, 0.3339)  # the same, table II (a)
    middle = mean([4, 6, 8])
    assert middle is not None
    assert (middle.value, round(middle.high - middle.value, 3)) == (6, 2.263)


def test_every_finished_game_is_in_one_row_of_lengths() -> None:
    a = [Outcome(True, moves, 0, (1, 0), (0,), together=False) for moves in range(0, 90, 7)]
    rows = lengths(a, a[:3])
    assert (sum(row.a for row in rows), sum(row.b for row in rows)) == (len(a), 3)
    assert lengths([], []) == ()


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("game", ["ziggurat", "build-up"])
def test_whatever_the_players_choose_is_legal(name: str, game: str) -> None:
    game_ = catalog.find(game)
    report = Review(simulate(game_, 1, pick=policy(name, game_))).report
    assert (report.finished, report.findings) == (True, ())


def test_of_many_bids_those_tried_reach_from_the_lowest_to_the_highest(monkeypatch: pytest.MonkeyPatch) -> None:
    bids = [Bid("ana", number) for number in range(1, 101)]
    tried = list[int]()

    def played_on(_game: object, _state: object, act: Bid, _random: Random) -> float:
        tried.append(act.bid)
        return float(act.bid)

    monkeypatch.setattr("ledger.play.simulate._played_on", played_on)
    assert by_trying(catalog.find("zigzag"), None, bids, Random(1)) == Bid("ana", max(tried))
    once = sorted(set(tried))
    assert (once[0], len(once) <= CANDIDATES + 1, once[-1] > 90) == (1, True, True)
    assert once == list(range(1, 101, once[1] - 1))
