"""The picture of a link: its words stay inside it and apart from each other, whatever people are called."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image, ImageChops

from ledger import catalog
from ledger.review import Review
from ledger.simulate import simulate
from viewer.pictures.card import LEFT, RIGHT, WIDTH, Line, card
from viewer.pictures.frames import Film, film
from viewer.pictures.raster import raster

LETTERS = "WMmw@a漢"


@pytest.fixture(scope="module")
def game() -> Film:
    return film(Review(simulate(catalog.find("ziggurat"), 1)))


def extent(first: str, second: str) -> tuple[int, int]:
    """The first and the last column of pixels in which two pictures differ."""
    pictures = [Image.open(io.BytesIO(raster(svg, WIDTH))).convert("RGB") for svg in (first, second)]
    box = ImageChops.difference(*pictures).getbbox()
    assert box is not None
    return box[0], box[2]


@pytest.mark.every(5)
@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("players", [2, 4, 5])
def test_a_long_name_ends_before_its_score(game: Film, letter: str, players: int) -> None:
    def picture(name: str, score: str) -> str:
        others = [Line("Ben", "118", first=False)] * (players - 1)
        return card(game, 3, "Ziggurat", [Line(name, score, first=True), *others], "Move 3")

    name = letter * 40
    name_end = extent(picture(name, "1137"), picture(letter, "1137"))[1]
    score_begin = extent(picture(letter, "1137"), picture(letter, ""))[0]
    assert name_end < score_begin
    cut = re.search(f"{letter}{letter}+…", picture(name, "1137"))
    assert cut, "it is cut, and says so"


@pytest.mark.every(5)
@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("part", ["about", "news", "note", "other"])
def test_a_long_line_ends_inside_the_picture(game: Film, letter: str, part: str) -> None:
    def picture(words: str) -> str:
        parts = {"about": "Ziggurat", "news": "Ana wins", "note": "1 mistake", "other": "Ben"} | {part: words}
        players = [Line("Ana", "137", first=True), Line(parts["other"], "", first=False)]
        return card(game, 3, parts["about"], players, parts["news"], parts["note"])

    start, end = extent(picture(f"{letter * 40} wins in 90 moves"), picture("."))
    assert start >= LEFT
    assert end <= RIGHT
