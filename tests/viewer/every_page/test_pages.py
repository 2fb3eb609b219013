"""The pages, by their addresses."""

import gzip
import io
import re
import tomllib
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace
from PIL import Image

from golden import FIXTURES
from ledger import notation
from ledger.audit.review import Review
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.events import Open, Player
from ledger.record.record import Record
from planted_slips import plant
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.pictures.colours import tokens
from viewer.pictures.film import film
from viewer.pictures.look import Look
from viewer.pictures.png_and_gif import animation
from viewer.pictures.table_svg import position
from viewer.replay import one_file


def test_every_record_has_a_page_that_steps_without_a_script(client: FlaskClient, names: list[str]) -> None:
    for name in names[::4]:
        page = client.get(f"/g/{name}").text
        assert "<h1>" in page
        steps = re.findall(r'<li id="p(\d+)" class="[^"]*">', page)
        assert steps
        assert f'href="?ply={steps[-1]}' in page
        middle = steps[len(steps) // 2]
        stepped = client.get(f"/g/{name}?ply={middle}").text
        assert f'id="now" aria-hidden="true"><span class="no">{middle}</span>' in stepped
        assert re.search(rf'<li id="p{middle}" class="now', stepped)
        assert stepped.partition('id="rows"')[2].count('aria-current="step"') == 1


def test_the_step_of_a_link_that_is_gone_is_the_one_before_it(client: FlaskClient, names: list[str]) -> None:
    name = next(name for name in names if name.startswith("zigzag.ending"))
    for ply in ("99999", "x", "-1", ""):
        assert client.get(f"/g/{name}?ply={ply}").status_code == 200


def test_what_was_recorded_stands_beside_what_was_corrected(client: FlaskClient, store: TemporaryStore) -> None:
    recorder = Recorder(store)
    name = recorder.open(Open("zigzag", players=(Player(id="ana"), Player(id="ben"), Player(id="cy"))), "corrected-one")
    opening = store.read(name).opening
    recorder.append(name, notation.read_line("A bids 12", opening), by="dee")
    recorder.append(name, notation.read_line("amend 1: A bids 13 because of a misheard word", opening), by="dee")
    page = client.get(f"/g/{name}").text
    assert "ana bids 13" in page
    assert "of a misheard word" in page
    assert "dee" in page
    assert "?view=recorded" in page
    recorded = client.get(f"/g/{name}?view=recorded").text
    assert "ana bids 12" in recorded
    assert "ana bids 13" not in recorded


def test_a_finding_stands_under_its_move_with_clause_and_meaning(client: FlaskClient, names: list[str]) -> None:
    name = next(name for name in names if name.endswith("-broken"))
    page = client.get(f"/g/{name}").text
    assert re.search(r'<p class="why (breach|impossible)"><span>[^<]+\.</span> <a class="rule" href="/rules/', page)


@pytest.mark.parametrize("game", catalog.built_in())
def test_a_games_page_has_every_clause_and_ruling(client: FlaskClient, game: str) -> None:
    page = client.get(f"/rules/{game}").text
    rules = catalog.find(game)
    assert all(f'id="{clause.id}"' in page for clause in rules.clauses)
    assert all(f"<code>{option.name}</code>" in page for option in rules.options)
    assert f"/?game={game}&amp;clause=" in page


def test_the_home_page_finds_by_what_was_broken(client: FlaskClient) -> None:
    results = client.get("/?game=zigzag&verdict=breach").text.partition('class="games"')[2]
    assert "Zigzag" in results
    assert "Build Up" not in results
    assert "No games match" in client.get("/?player=nobody-like-that").text
    assert client.get("/?page=999999999&order=x&verdict=y").status_code == 200


def test_a_record_that_cannot_be_read_says_why() -> None:
    store = TemporaryStore()
    name = Recorder(store).import_record(codec.check([Open("bridge", players=(Player(id="a"),))]))
    wrong = Recorder(store).import_record(codec.check([Open("zigzag", players=(Player(id="a"),))]))
    client = create_app(store.reopen).test_client()
    assert client.get(f"/g/{name}").status_code == 422
    assert "No game is called &#39;bridge&#39;" in client.get(f"/g/{name}").text
    assert "three players, not 1" in client.get(f"/g/{wrong}").text
    assert client.get("/").status_code == 200


# ── Downloads ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def name(names: list[str]) -> str:
    """A whole game."""
    return next(name for name in names if name.startswith("zigzag.ending"))


def test_the_record_and_its_sheet_come_back_as_they_are(client: FlaskClient, name: str, store: TemporaryStore) -> None:
    assert codec.decode(client.get(f"/g/{name}/record.json").data) == store.read(name)
    assert notation.read(client.get(f"/g/{name}/sheet.txt").data).opening == store.read(name).opening


def test_a_position_is_a_picture_in_each_form(client: FlaskClient, name: str) -> None:
    light = client.get(f"/g/{name}/position.svg?ply=9")
    dark = client.get(f"/g/{name}/position.svg?ply=9&theme=dark&numerals=1&view=plan")
    assert light.mimetype == "image/svg+xml"
    assert light.text != dark.text
    assert client.get(f"/g/{name}/position.svg?ply=9&numerals=1").text != light.text
    assert "default-src 'none'" in light.headers["Content-Security-Policy"]
    assert client.get(f"/g/{name}/position.png?ply=9").data.startswith(b"\x89PNG")


def test_pictures_come_with_the_program() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))["project"]
    assert {re.split("[^a-z-]", line)[0] for line in project["dependencies"]} >= {"pillow", "resvg-py"}


def test_an_animation_has_a_picture_for_each_step(client: FlaskClient, name: str) -> None:
    answer = client.get(f"/g/{name}/animation.gif?from=3&to=8")
    with Image.open(io.BytesIO(answer.data)) as image:
        assert image.format == "GIF"
        assert 2 <= getattr(image, "n_frames", 1) <= 6
    backwards = client.get(f"/g/{name}/animation.gif?from=8&to=3")
    assert backwards.status_code == 409
    assert "to a later one" in backwards.text


def test_an_animation_keeps_the_colours_of_table_tiles_and_players() -> None:
    review = Review(simulate(catalog.find("zigzag"), 4))
    colours = tokens("light")
    moving = film(review)
    last = len(moving.frames) - 1
    pictures = [position(moving, place, Look(width=720, height=620), theme="light", title="") for place in (0, 9, last)]
    with Image.open(io.BytesIO(animation(pictures, colours, [False] * len(pictures)))) as frames:
        assert getattr(frames, "n_frames", 1) == 3
        for number, names in enumerate([("table",), ("table", "tile", "p1", "p2", "p3"), ("table",)]):
            frames.seek(number)
            frame = frames.convert("RGB")
            frame_colours = {colour for _count, colour in frame.getcolors(frame.width * frame.height) or ()}
            for name in names:
                token = bytes.fromhex(colours[name].removeprefix("#"))
                distances = (max(abs(a - b) for a, b in zip(pixel, token, strict=True)) for pixel in frame_colours)
                assert min(distances) <= 6, (number, name)


def test_one_file_has_everything_in_it(client: FlaskClient, name: str, store: TemporaryStore) -> None:
    page = client.get(f"/g/{name}/replay.html").text
    assert "<style>" in page
    assert "ArrowLeft" in page
    assert "src=" not in page
    assert not re.search(r"<link|@import (?!\{)|url\((?!#)", page)
    assert record_in(page) == store.read(name)


def test_marks_of_direction_in_a_name_are_escapes_in_a_file() -> None:
    record = codec.decode((FIXTURES / "ziggurat" / "ending-single-place.json").read_bytes())
    ana, *others = record.opening.players
    named = Record((replace(record.opening, players=(replace(ana, name="A\u202ena"), *others)), *record.events[1:]))
    page = one_file.html("one", named).decode()
    assert "\u202e" not in page
    assert record_in(page) == named


def test_a_file_says_which_slip_explains_its_findings() -> None:
    slip = plant("build-up", "act-forgotten", 1)
    assert slip
    assert "One mistake. If “" in one_file.html("one", slip.record).decode()


def record_in(page: str) -> Record:
    """The record in a saved page."""
    match = re.search(r'<script type="application/json" id="record">(.*?)</script>', page, re.DOTALL)
    assert match
    return codec.decode(match[1])


@pytest.mark.parametrize(
    ("game", "options", "players", "seed"),
    [
        ("ziggurat", {"set": 12}, 2, 0), ("zigzag", {"set": 9, "hands": 9}, 3, 0), ("build-up", {}, 8, 3),
        ("domino-ziggurat", {}, 4, 3),
    ],
)  # fmt: skip
def test_a_page_of_a_large_game_is_small(game: str, options: dict[str, int], players: int, seed: int) -> None:
    store = TemporaryStore()
    edition = "2" if game == "domino-ziggurat" else None
    record = simulate(catalog.find(game), seed, options, players=players, edition=edition)
    names = ("Ana María de la Cruz", "Bartholomew", "Łucja Nowak")
    people = tuple(replace(player, name=name) for player, name in zip(record.opening.players, cycle(names)))
    named = Record((replace(record.opening, players=people), *record.events[1:]))
    name = Recorder(store).import_record(named)
    answer = create_app(store.reopen).test_client().get(f"/g/{name}", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert len(answer.data) <= 45_000
    assert b"data-ply" in gzip.decompress(answer.data)


def test_only_an_embed_may_stand_in_a_frame(client: FlaskClient, name: str) -> None:
    def policy(path: str) -> str:
        return client.get(path).headers["Content-Security-Policy"]

    assert "frame-ancestors 'none'" in policy(f"/g/{name}")
    assert "frame-ancestors *" in policy(f"/embed/{name}")
    assert "default-src 'self'" in policy("/")
    page: Callable[[str], str] = lambda path: client.get(path).text  # noqa: E731
    assert "<script>" not in page(f"/g/{name}")
    assert "style=" not in page(f"/g/{name}")
