"""Nothing on a page misleads: names from right to left, corrections, open questions, readings of the rules."""

import re
from html import unescape

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from golden import ROOT
from ledger.audit.review import Review
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.keep.stored_audits import explain_stored, refresh
from ledger.record import codec
from ledger.record.record import Record
from temporary import TemporaryStore
from viewer.every_page.templates import plain
from viewer.pictures.film import film
from viewer.pictures.flat_tiles import sign
from viewer.pictures.hands import opened
from viewer.pictures.look import Look, Table

NAMES = ("علي الفيتوري", "יוסף בן־דוד", "陳大文", "محمد")
MIXED = (
    "ziggurat/build-score-broken", "ziggurat/tiles-once-broken", "zigzag/corrections-amended-to-a-breach",
    "build-up/pass-unproven", "zigzag/ending-target",
)  # fmt: skip


def case(name: str) -> Record:
    """A fixture whose players have names from right to left."""
    record = codec.decode((ROOT / "fixtures" / f"{name}.json").read_bytes())
    players = (replace(player, name=name) for player, name in zip(record.opening.players, NAMES, strict=False))
    return replace(record, events=(replace(record.opening, players=tuple(players)), *record.events[1:]))


@pytest.fixture(scope="module")
def store() -> TemporaryStore:
    """A ledger of these games, with the causes of their findings."""
    store = TemporaryStore()
    for name in MIXED:
        Recorder(store).import_record(case(name), name.partition("/")[2])
    list(refresh(store))
    list(explain_stored(store, 60))
    return store


@pytest.mark.parametrize("name", MIXED)
def test_a_mark_of_direction_is_whole_or_not_there(client: FlaskClient, name: str) -> None:
    record_id = name.partition("/")[2]
    for path in (f"/g/{record_id}", f"/g/{record_id}?view=recorded", f"/g/{record_id}/print", f"/embed/{record_id}"):
        page = unescape(client.get(path).text)
        assert "U+206" not in page, path
        # Each name that is kept apart is closed in the same text.
        texts = re.findall(r">([^<]*)<", page) + re.findall(r'"([^"]*)"', page)
        assert [text for text in texts if text.count("\u2068") != text.count("\u2069")] == []


def test_a_mark_has_the_shape_of_its_verdict_wherever_it_stands(client: FlaskClient) -> None:
    for record_id, verdict, mark in (
        ("build-score-broken", "breach", "flag"),
        ("tiles-once-broken", "impossible", "struck-flag"),
        ("pass-unproven", "unproven", "open-flag"),
    ):
        page = client.get(f"/g/{record_id}").text
        check = re.search(r'<section class="card pad check.*?</h2>', page, re.DOTALL)
        assert check
        assert f'href="#ic-{mark}"' in check[0]
        assert ('class="flag unproven"' in check[0]) == (verdict == "unproven")
        causes = re.search(r'<div id="causes".*?</div>', page, re.DOTALL)
        assert causes
        assert set(re.findall(r'href="#ic-([a-z-]+)"', causes[0])) == ({mark} if verdict != "unproven" else set())


def test_readings_of_the_rules_are_sentences(client: FlaskClient) -> None:
    page = client.get("/g/pass-unproven").text
    box = re.search(r"<h2>Rulings</h2>.*?</section>", page, re.DOTALL)
    assert box
    assert "Only a player who cannot play may pass." in box[0]
    assert "The points of all hands decide the game." in box[0]
    assert "<code" not in box[0]
    rules = client.get("/rules/build-up").text
    for game in catalog.games():
        for option in game.rulings:
            assert len(option.sentences) == len(option.values), option.name
            assert all(re.fullmatch(r"[A-Z].*[a-z0-9]\.", sentence) for sentence in option.sentences)
    assert "<dt><code>free</code></dt><dd>Anybody may pass.</dd>" in rules


def test_rules_lead_only_to_mistakes_that_there_are(client: FlaskClient) -> None:
    page = client.get("/rules/ziggurat").text
    found = set(re.findall(r"/\?game=ziggurat&amp;clause=([a-z.-]+)", page))
    assert {"ziggurat.build.score", "tiles.once"} <= found
    assert "ziggurat.turn" not in found


def test_a_score_does_not_break_and_a_contract_is_a_figure(client: FlaskClient) -> None:
    assert plain("the 4 × 4 window") == "the 4\u00a0×\u00a04 window"
    assert plain("Game over. Ana wins 198 : 142") == "Game over. Ana wins 198\u00a0:\u00a0142"
    page = client.get("/g/ending-target").text
    figures = re.findall(
        r'data-kind="([a-z]+)".*?<i aria-hidden="true">(\d+ ?[✓✗]?)</i><span><b>\d+</b> (.*?)</span>', page
    )
    contracts = [(figure, words) for _kind, figure, words in figures if figure[-1] in "✓✗"]
    assert contracts
    for figure, words in contracts:
        number, mark = figure.split()
        assert f"{'makes' if mark == '✓' else 'misses'} {number}" in words


def test_on_paper_the_points_of_a_player_at_a_move_are_one_line(client: FlaskClient) -> None:
    page = client.get("/g/pass-unproven/print").text
    rows = re.findall(r'<tr><td>(\d+)</td><td dir="auto">(.*?)</td><td class="n">(\d+)</td><td>(.*?)</td></tr>', page)
    assert len({row[:2] for row in rows}) == len(rows)
    for _seq, _who, points, why in rows:
        parts = [int(part) for part in re.findall(r"(?:^|; )(\d+): ", why)]
        assert sum(parts) == int(points) or not parts


def test_a_number_beside_a_name_from_right_to_left_stays_where_it_is() -> None:
    review = Review(case("ziggurat/build-score-broken"))
    table = Table(film(review).at(1), review.opening.names)
    heading = re.search("<h2>(.*?)</h2>", opened(table, Look(width=600, height=580), "hand 0"))
    assert heading
    assert heading[1].startswith(f"\u2068{NAMES[0]}\u2069: ")
    assert sign(0, ["علي"] * 9) == "\u2068ع\u20691"
