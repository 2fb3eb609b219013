"""`compare` gives the figures that a small script makes from the lines of the archives, without any of our code.

The script takes the scores and the winners that the archives claim, not those that the rules find.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from pathlib import Path
from statistics import NormalDist, mean, stdev
from typing import Any

import pytest
from click.testing import CliRunner

from ledger.cli import cli

SIDES = {
    "zigzag": ("zigzag", "target=40", "target=60", 16),
    "build-up": ("build-up", "hands=6/6/4", "", 6),
    "ziggurat": ("ziggurat", "", "", 16),
    "domino-ziggurat-1.1": ("domino-ziggurat", "adjacency=top", "adjacency=top", 3),
    "domino-ziggurat-2": ("domino-ziggurat", "", "", 4),
}
"""The game, the options of both sides, and how many games each has; the second side has other seeds."""
Z = NormalDist().inv_cdf(0.975)
LAID, IN_HANDS = ("place", "play", "stack"), ("zigzag", "build-up")


def simulated(file: Path, game: str, options: str, games: int, seed: int, edition: str) -> None:
    more = ["-p", options] if options else []
    more += ["--edition", edition] if edition else []
    arguments = ["simulate", game, "--seed", str(seed), "--count", str(games), "-o", str(file), *more]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output


def games_of(file: Path) -> list[dict[str, Any]]:
    """What each line of an archive says: tiles laid, hands, scores by seat, seats of the winners, whether it ended."""
    games = []
    for line in file.read_text("utf-8").splitlines():
        events = json.loads(line)["events"]
        seats = [player["id"] for player in events[0]["players"]]
        finals = [e["points"] for e in events if e["type"] == "score" and e["scope"] == "game"]
        results = [e["winners"] for e in events if e["type"] == "result"]
        deals = [e["type"] == "deal" for e in events]
        games.append({
            "moves": sum(e["type"] in LAID for e in events),
            "hands": events[0]["game"] in IN_HANDS and sum(deal and not before for before, deal in pairwise(deals)),
            "scores": [finals[-1][seat] for seat in seats] if finals else [],
            "winners": [seats.index(winner) for winner in results[-1]] if results else [],
            "finished": events[-1]["why"] == "finished",
            "together": events[0]["game"] == "domino-ziggurat",
        })  # fmt: skip
    return games


def figures(games: Sequence[dict[str, Any]]) -> dict[str, list[float]]:
    """The values of each figure; shares are of zeros and ones."""
    over = [game for game in games if game["finished"]]
    values: dict[str, list[float]] = {
        "moves": [game["moves"] for game in over],
        "hands": [game["hands"] for game in over if game["hands"]],
        "score": [mean(game["scores"]) for game in over],
        "finished": [game["finished"] for game in games],
    }
    contests = [game for game in over if len(game["scores"]) > 1 and not game["together"]]
    values["winner's score"] = [game["scores"][seat] for game in contests for seat in game["winners"]]
    values["won by one player"] = [len(game["winners"]) == 1 for game in contests]
    alone = [game for game in contests if len(game["winners"]) == 1]
    values["margin"] = [
        min(abs(game["scores"][game["winners"][0]] - other) for seat, other in enumerate(game["scores"])
            if seat != game["winners"][0])
        for game in alone
    ]  # fmt: skip
    for seat in range(max((len(game["scores"]) for game in contests), default=0)):
        values[f"won by seat {seat + 1}"] = [game["winners"][0] == seat for game in alone]
    return {name: [float(value) for value in of] for name, of in values.items() if of}


def interval(values: Sequence[float], *, share: bool) -> tuple[float, float, float]:
    """A value with its interval of 95 %: of a mean by the normal distribution, of a share by Wilson."""
    n, p = len(values), mean(values)
    if not share:
        half = Z * stdev(values) / sqrt(n)
        return p, p - half, p + half
    middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return p, max(0.0, middle - half), min(1.0, middle + half)


def difference(a: tuple[float, float, float], b: tuple[float, float, float]) -> tuple[float, float, float]:
    """The second less the first, with the interval that Newcombe's method 10 makes of those of both."""
    value = b[0] - a[0]
    low = value - sqrt((b[0] - b[1]) ** 2 + (a[2] - a[0]) ** 2)
    return value, low, value + sqrt((b[2] - b[0]) ** 2 + (a[0] - a[1]) ** 2)


@pytest.mark.parametrize("name", SIDES)
def test_a_script_makes_the_same_figures_from_the_archives(name: str, tmp_path: Path) -> None:
    game, a, b, number = SIDES[name]
    files = [tmp_path / "a.ndjson", tmp_path / "b.ndjson"]
    for file, options, seed in zip(files, (a, b), (1, 100), strict=True):
        simulated(file, game, options, number, seed, name.removeprefix(f"{game}-") if name != game else "")
    answer = CliRunner().invoke(cli, ["compare", *map(str, files), "--json"])
    assert answer.exit_code == 0, answer.output
    compared = {figure["name"]: figure for figure in json.loads(answer.output)["figures"]}
    ours = [figures(games_of(file)) for file in files]
    assert compared.keys() >= ours[0].keys() | ours[1].keys()
    for figure in compared.values():
        sides = []
        for side, values in zip("ab", ours, strict=True):
            mine = values.get(figure["name"], [])
            assert (figure[side] is None) == (not mine), (figure, side)
            if mine:
                made = interval(mine, share=figure["share"])
                theirs = [figure[side][part] for part in ("value", "low", "high")]
                assert theirs == pytest.approx(made, abs=1e-5), (figure["name"], side)
                assert figure[side]["count"] == len(mine)
                sides.append(made)
        if len(sides) == 2:
            theirs = [figure["difference"][part] for part in ("value", "low", "high")]
            assert theirs == pytest.approx(difference(*sides), abs=1e-5), figure["name"]
