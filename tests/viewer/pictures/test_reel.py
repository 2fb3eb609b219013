"""Reels: every step has the pieces of its drawing, and a page that has the beginning gets only what is new."""

import gzip
import re
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from golden import CASES, name_of, review_of
from ledger.audit.review import Review
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from ledger.record.record import Record
from ledger.record.scene import Grid
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.pictures.drawing import drawing, stage_of
from viewer.pictures.film import Film, film
from viewer.pictures.hands import racks
from viewer.pictures.look import Look, Table
from viewer.pictures.reel import SHAPES, Known, Reel, look_of
from viewer.pictures.scene_to_things import DEEP

GAMES: dict[str, tuple[str, dict[str, Any], int, str | None]] = {
    "large": ("ziggurat", {"set": 12}, 2, None),
    "small": ("ziggurat", {}, 2, None),
    "stacks": ("build-up", {}, 8, None),
    "tricks": ("zigzag", {}, 3, None),
    "several": ("domino-ziggurat", {}, 4, "2"),
}
LOOKS = [look_of("wide"), look_of("phone", turn=1), look_of("phone", "plan", 3)]


def game(name: str) -> Record:
    rules, options, players, edition = GAMES[name]
    return simulate(catalog.find(rules), 3, options, players=players, edition=edition)


def pieces_of(made: Reel, numbers: tuple[int, ...]) -> list[tuple[str, str]]:
    return [made.pieces[number] for number in numbers]


def joined(pieces: list[tuple[str, str]]) -> dict[str, str]:
    """What a hand's pieces draw together: a reel has each tile for itself."""
    drawn: dict[str, str] = {}
    for key, svg in pieces:
        whose = " ".join(key.split()[-2:])
        drawn[whose] = drawn.get(whose, "") + re.sub("</?g>", "", svg)
    return drawn


def assert_whole(shown: Film, look: Look) -> None:
    """Every step of the reel has the pieces of its drawing, up to every level."""
    made = Reel(shown, look)
    tables = [Table(shown.at(place), shown.names) for place in range(len(shown.frames))]
    stage = stage_of(*tables, look=made.look) if made.squares else None
    for table, step in zip(tables, made.steps, strict=True):
        beside = [piece for piece in pieces_of(made, step.beside) if not piece[0].startswith("open ")]
        drawn = drawing(table, made.look, stage)
        on_table = pieces_of(made, made.lists[step.levels[-1]])
        assert on_table == drawn[: len(on_table)]
        assert joined(beside) == joined(drawn[len(on_table) :])
        assert len(step.levels) == max(1, table.high if made.squares else 1)
        for level, number in enumerate(step.levels[:-1], start=1):
            up_to = {"level": level} if look.view == "plan" else {"peel": level}
            drawn = drawing(table, replace(made.look, **up_to), stage)
            assert pieces_of(made, made.lists[number]) == [piece for piece in drawn if piece[0] not in dict(beside)]
        lines = {key for key, svg in beside if "data-open" in svg and key != "hand line"}
        if any("data-open" in svg for key, svg in beside if key == "hand line"):
            lines |= {rack.key for rack in racks(table, rows=True)}
        assert {key for key, _svg in pieces_of(made, step.beside)} == {key for key, _ in beside} | {
            f"open {key}" for key in lines
        }


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look.view}-{look.turn}")
@pytest.mark.parametrize("name", ["small", "tricks", "several"])
def test_every_step_has_the_pieces_of_its_drawing(name: str, look: Look) -> None:
    assert_whole(film(Review(game(name))), look)


@pytest.mark.parametrize("path", CASES[::40], ids=name_of)
def test_so_do_the_fixtures(path: Any) -> None:
    for look in LOOKS:
        assert_whole(film(review_of(path)), look)


@pytest.mark.every(5)  # each look and each game
@pytest.mark.parametrize(
    "look", [*map(look_of, SHAPES), look_of("wide", "plan")], ids=lambda look: f"{look.width}-{look.view}"
)
@pytest.mark.parametrize(
    ("name", "most"), [("large", 220), ("stacks", 220), ("small", 60), ("tricks", 60), ("several", 60)]
)
def test_a_reel_is_small(name: str, most: int, look: Look) -> None:
    sent = msgspec.json.encode(Reel(film(Review(game(name))), look).after(Known()))
    assert len(gzip.compress(sent, 6)) <= most * 1000


def test_a_page_that_has_the_beginning_gets_only_what_is_new() -> None:
    record = game("small")
    shorter = replace(record, events=record.events[:20])
    for look in LOOKS:
        before, after = (
            Reel(film(Review(part)), look) for part in (shorter, replace(record, events=record.events[:21]))
        )
        first = before.after(Known())
        more = after.after(first.known)
        assert more.after == first.known
        assert len(msgspec.json.encode(more.pieces)) < len(msgspec.json.encode(after.after(Known()).pieces)) / 5
        assert after.after(replace(first.known, sum=1)).after == Known()
        assert after.after(more.known).pieces == []


def test_the_server_sends_reels() -> None:
    store = TemporaryStore()
    Recorder(store).import_record(game("small"), "one")
    client = create_app(store.reopen).test_client()

    def ask(query: str) -> Any:
        return client.get(f"/g/one/reel?{query}")

    wide = ask("shape=wide").json
    assert (wide["width"], wide["squares"], wide["after"]) == (SHAPES["wide"][0], True, [0, 0, 0])
    assert len(wide["steps"]) == len(Review(game("small")).steps)
    assert ask("shape=wide&view=plan&turn=3").json["pieces"] != wide["pieces"]
    again = ask(f"shape=wide&known={','.join(map(str, wide['known']))}").json
    assert (again["pieces"], again["lists"], again["after"]) == ([], [], wide["known"])
    for odd in (
        "shape=wide&known=1,2",
        "shape=wide&known=a,b,c",
        "shape=wide&known=9999999999,9,9",
        "shape=wide&turn=x",
    ):
        assert ask(odd).json["pieces"] == wide["pieces"]
    assert ask("shape=round").status_code == 404
    assert client.get("/g/other/reel?shape=wide").status_code == 404


@pytest.mark.parametrize("name", ["small", "stacks", "tricks"])
def test_the_words_of_a_step_name_every_tile_on_the_table(name: str) -> None:
    review = Review(game(name))
    shown = film(review)
    made = Reel(shown, look_of("phone"))
    count = 0
    for place, step in enumerate(made.steps):
        words = [made.sentences[number] for number in step.tiles]
        for area in review.scene(place).areas:
            if isinstance(area, Grid):
                for laid in area.laid:
                    assert any(sentence.startswith(f"{laid.tile}, level {laid.level}, ") for sentence in words)
                    count += 1
            else:
                for pile in area.piles:
                    tiles = [str(tile) for tile in pile.tiles[-DEEP:]]
                    assert not tiles or any(all(tile in sentence for tile in tiles) for sentence in words)
                    count += bool(tiles)
    assert count > 20


@pytest.mark.parametrize("shape", SHAPES)
def test_the_numbers_of_the_ruler_do_not_lie_on_each_other(shape: str) -> None:
    for part in (14, 20, 27):
        record = simulate(catalog.find("ziggurat"), 3)
        made = Reel(film(Review(Record(record.events[:part]))), look_of(shape))
        for key, svg in made.pieces:
            heights = [float(y) for y in re.findall(r'<text class="t-name" x="[^"]*" y="([^"]*)"', svg)]
            assert key != "ruler" or all(lower - upper >= 11 for lower, upper in pairwise(heights))
