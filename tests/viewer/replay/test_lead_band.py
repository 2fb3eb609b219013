"""The chart of two players is a band of who leads; that of many has the names of the best."""

import re

from viewer.replay.chart import Chart
from viewer.replay.lead_band import Band


def test_the_band_of_two_players_shows_who_leads_and_by_how_much() -> None:
    svg = Band([(0, 0), (4, 0), (4, 9), (6, 9)], ["Ana", "Ben"], flags=[2]).svg(3)
    first, second = re.findall(r'class="area p\d" d="([^"]*)"', svg)[:2]
    tops = [float(y) for y in re.findall(r"V([\d.]+)", first)]
    middle, bottoms = tops[-1], [float(y) for y in re.findall(r"V([\d.]+)", second)]
    assert min(tops) < middle == max(tops)  # Ana is ahead above the middle line, Ben below it
    assert max(bottoms) > middle == min(bottoms)
    assert "Ana ahead" in svg
    assert "Ben ahead" in svg
    assert ">+3</text>" in svg
    level = Band([(0, 0), (2, 2)], ["Ana", "Ben"]).svg(1)
    assert ">level</text>" in level


def test_of_many_names_the_chart_has_the_best_and_never_cuts_the_leaders() -> None:
    names = [f"Player {n}" for n in range(10)] + ["Maximiliana-Theodora"]
    svg = Chart([[0] * 11, list(range(11))], names).svg(1)
    assert len(re.findall(r'class="en ', svg)) == 7
    assert "and 4 more" in svg
    assert ">Maximiliana-Theodora 10</text>" in svg.replace("\N{NON-BREAKING HYPHEN}", "-")
