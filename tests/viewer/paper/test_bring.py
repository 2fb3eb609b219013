"""Sheets on paper: pasted and chosen ones are read, marked, mended and kept; blank ones are laid out."""

import io
import re

import pytest
from flask.testing import FlaskClient

from ledger import notation
from ledger.games import catalog
from ledger.games.catalog import player_counts
from ledger.play.simulate import simulate
from ledger.record.events import MOVES, Draw, Lift, Pass
from ledger.record.record import Record
from ledger.stores import questions
from ledger.stores.query import Query
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.paper.brought_sheets import split_sheets

GAME = simulate(catalog.find("ziggurat"), 2)
SHEET = notation.write(GAME)
OTHER = notation.write(simulate(catalog.find("zigzag"), 5, {"hands": 1}))


@pytest.fixture
def ledger() -> TemporaryStore:
    return TemporaryStore()


@pytest.fixture
def visitor(ledger: TemporaryStore) -> FlaskClient:
    return create_app(ledger.reopen).test_client()


def faults(page: str) -> dict[int, str]:
    """The marked lines of a page, with what is said about them."""
    marked = re.findall(r'<li value="(\d+)" class="bad">.*?</code>(.*?)</li>', page, re.DOTALL)
    return {int(line): re.sub(r"\s+", " ", re.sub("<[^>]*>", "", text)).strip() for line, text in marked}


def stored(ledger: TemporaryStore) -> list[Record]:
    return [ledger.read(row.id) for row in ledger.find(Query())]


def test_a_sheet_is_read_judged_and_kept(visitor: FlaskClient, ledger: TemporaryStore) -> None:
    assert "Bring a sheet" in visitor.get("/bring").text
    page = visitor.post("/bring", data={"text": SHEET}).text
    assert faults(page) == {}
    assert "Keep it" in page
    assert list(ledger.find(Query())) == []
    kept = visitor.post("/bring", data={"text": SHEET, "do": "keep"}).text
    (record,) = stored(ledger)
    assert notation.write(record) == SHEET
    match = re.search(r'href="/r/([0-9a-z]+)#([A-Za-z0-9_-]+)"', kept)
    assert match is not None
    again = visitor.post("/bring", data={"text": SHEET, "do": "keep"}).text
    assert "was here already" in again
    assert len(stored(ledger)) == 1
    assert questions.roles(ledger, match[1], b"") == frozenset()


@pytest.mark.parametrize(("played", "asked"), [("2062-11-28", True), ("2026-11-21", False)])
def test_a_day_to_come_is_asked_about_before_a_sheet_is_kept(visitor: FlaskClient, played: str, asked: bool) -> None:
    sheet = SHEET.replace("\n", f"\nPlayed: {played}\n", 1)
    page = visitor.post("/bring", data={"text": sheet}).text
    assert "Keep it" in page
    assert ("a day to come: is that right?" in page) is asked


def test_what_cannot_be_read_is_marked_in_its_line_and_mended_there(
    visitor: FlaskClient, ledger: TemporaryStore
) -> None:
    lines = SHEET.splitlines()
    wrong = next(n for n, line in enumerate(lines) if "-" in line and "Players" not in line and n > 6)
    lines[wrong] = "A ?-3 a1-b1"
    page = visitor.post("/bring", data={"text": "\n".join(lines), "do": "keep"}).text
    assert wrong + 1 in faults(page)
    assert "One line cannot be read" in page
    assert stored(ledger) == []
    assert "A ?-3 a1-b1" in page


def test_a_line_that_is_clear_is_read_as_it_is_meant_and_shown(visitor: FlaskClient, ledger: TemporaryStore) -> None:
    lines = SHEET.splitlines()
    other = next(n for n, line in enumerate(lines) if re.match(r"[AB] \d-\d [a-z]", line))
    meant = lines[other]
    lines[other] = meant.replace(" ", ", ", 1).replace("-", " - ", 1)
    page = visitor.post("/bring", data={"text": "\n".join(lines)}).text
    assert f"<code>{lines[other]}</code> as <code>{meant}</code>" in page
    visitor.post("/bring", data={"text": "\n".join(lines), "do": "keep"})
    assert [notation.write(record) for record in stored(ledger)] == [SHEET]


def test_a_forgotten_move_is_one_cause_at_its_line(visitor: FlaskClient) -> None:
    lines = SHEET.splitlines()
    places = [n for n, line in enumerate(lines) if re.match(r"[AB] \d-\d [a-z]", line)]
    forgotten = places[10]
    page = visitor.post("/bring", data={"text": "\n".join(lines[:forgotten] + lines[forgotten + 1 :])}).text
    (line, sentence), *_ = sorted(faults(page).items())
    assert abs(line - (forgotten + 1)) <= 1
    assert "missing" in sentence or "forgotten" in sentence or "before" in sentence


def test_several_sheets_come_at_once_and_the_bad_one_stays(visitor: FlaskClient, ledger: TemporaryStore) -> None:
    bad = SHEET.replace("Game: ziggurat", "Game: chess")
    data = {"text": f"{SHEET}\n{OTHER}", "do": "keep", "file": (io.BytesIO(bad.encode()), "third.sheet")}
    page = visitor.post("/bring", data=data).text
    assert len(stored(ledger)) == 2
    assert page.count("<textarea") == 1
    assert "chess" in page
    assert split_sheets(f"{SHEET}\n{OTHER}") == [SHEET.strip("\n"), OTHER.strip("\n")]


@pytest.mark.parametrize("game", catalog.built_in())
def test_a_blank_sheet_has_the_seats_the_columns_and_a_code(visitor: FlaskClient, game: str) -> None:
    page = visitor.get(f"/bring/blank/{game}?player=Ana&player=Bob", headers={"Host": "ledger.example:8000"}).text
    assert "<b>A</b> <bdi>Ana</bdi>" in page
    assert "<svg" in page.partition('<figure class="qr">')[2][:200]
    columns = re.findall(r"<th>([^<]*)</th>", page)
    assert {"Player", "Tile", "Remarks"} <= set(columns)
    assert ("On stack" in columns) == (game == "build-up")
    assert ("Laid out: " in page) == ("First draw: " in page) == (game == "build-up")
    assert ("Points of hand" in page) == (game in ("build-up", "zigzag"))


@pytest.mark.parametrize("game", catalog.names())
@pytest.mark.parametrize("players", [2, 5])
def test_a_blank_sheet_has_room_for_a_whole_game(visitor: FlaskClient, game: str, players: int) -> None:
    counts = player_counts(catalog.find(game))
    count = players if players in counts else counts[0]
    edition = "2" if game == "domino-ziggurat" and count > 1 else None
    options = {"hands": 1} if game == "zigzag" else {"set": 12} if game == "ziggurat" else {}
    record = simulate(catalog.find(game), 3, options, players=count, edition=edition)
    page = visitor.get(f"/bring/blank/{game}?players={count}&set={options.get('set', '')}").text
    written = [event for event in record.events if type(event) in MOVES | {Draw, Lift, Pass}]
    assert page.count("<tr><td>") >= len(written)


def test_a_blank_sheet_without_names_has_letters_in_order(visitor: FlaskClient) -> None:
    page = visitor.get("/bring/blank/zigzag").text.partition('class="moves"')[0]
    assert re.findall(r"<b>([^<]*)</b> <span", page) == ["A", "B", "C"]
