"""The end of a game whose tiles are all taken: who has won, and how the totals came about, on every screen."""

import re

import pytest
from msgspec.structs import replace

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import Score
from viewer.pictures.drawing import drawing
from viewer.pictures.film import Film, film
from viewer.pictures.look import Look, Table

LOOKS = {"phone": Look(width=374, height=440), "screen": Look(width=856, height=430)}
NAMES = ("علي الفيتوري", "Maximiliana-Theodora von Hohenstein", "陳大文")
Y = re.compile(r' y="(-?[\d.]+)"')


@pytest.fixture(scope="module")
def reel() -> Film:
    """Nine hands with a large set, so that each has many tiles."""
    record = simulate(catalog.find("zigzag"), 3, {"set": 9, "target": None, "hands": 9}, players=3)
    players = tuple(replace(player, name=name) for player, name in zip(record.opening.players, NAMES, strict=True))
    return film(Review(replace(record, events=(replace(record.opening, players=players), *record.events[1:]))))


def at_the_end(reel: Film, look: Look) -> dict[str, str]:
    return dict(drawing(Table(reel.at(len(reel.frames) - 1), reel.names), look))


@pytest.mark.parametrize("size", LOOKS)
def test_the_points_of_each_hand_stand_on_the_table(reel: Film, size: str) -> None:
    look = LOOKS[size]
    pieces = at_the_end(reel, look)
    assert "Total" in pieces["totals"], "a screen has as much to tell as a phone"
    texts = [float(y) for y in Y.findall(pieces["totals"])]
    assert max(texts) <= look.height
    piles = [svg for key, svg in pieces.items() if key.startswith("pile ")]
    assert piles
    tops = [float(y) for svg in piles for y in re.findall(r"translate\(-?[\d.]+ (-?[\d.]+)\)", svg)]
    clear = min(tops) - max(texts) if max(texts) < max(tops) else min(texts) - max(tops)
    assert clear >= 10, "the totals keep a distance from the piles"


@pytest.mark.parametrize("size", LOOKS)
def test_a_hand_ends_with_its_contract_and_no_empty_table(reel: Film, size: str) -> None:
    told = []
    for place, step in enumerate(reel.review.steps[:-1]):
        standing = reel.review.standing(place)
        if isinstance(step.event, Score) and any(reel.review.scene(place).taken) and not standing.winners:
            pieces = dict(drawing(Table(reel.at(place), reel.names), LOOKS[size]))
            told.append(re.findall(">([^<]+)<", pieces["outcome"]))
            assert pieces["heading"]
            assert re.findall(">([^<]+)<", pieces["totals"])[-3:] == list(map(str, standing.scores))
    assert len(told) >= 7
    for words, whose in told:
        taken = re.fullmatch(r"(\d+)(?: of (\d+))? taken", words)
        bid = re.search(r" bid (\d+)$", whose)
        assert taken
        assert bid
        assert taken[2] == (bid[1] if int(taken[1]) <= int(bid[1]) else None)


@pytest.mark.parametrize("size", LOOKS)
def test_a_long_name_does_not_hide_how_a_contract_ended(reel: Film, size: str) -> None:
    totals = at_the_end(reel, LOOKS[size])["totals"]
    hands = re.findall(r">(Hand \d+ · [^<]*)<", totals)
    assert hands
    for words in hands:
        assert re.search(r"bid \d+, took \d+$", words), words
