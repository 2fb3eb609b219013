"""A season on one page, on a server and as a file."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from markupsafe import escape
from test_club_pages import played_by, text_of

from ledger.audit.moments import summary_line
from ledger.audit.review import Review
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.keep.score_cards import ScoreCard
from ledger.keep.stored_audits import refresh
from ledger.play.simulate import simulate
from ledger.record.events import Open, Player
from temporary import TemporaryStore
from viewer.club import season_page

EVENT = "Cup <b>&amp; co/2026"
NAMES = ("Ana</b>", "לוי", "Cy\u202e")


@pytest.fixture(scope="module")
def store() -> TemporaryStore:
    """An evening with two games and a score card, another with a game that is set aside, one in play, without a day."""
    store = TemporaryStore()
    players = tuple(Player(id=f"p{n}", name=name) for n, name in enumerate(NAMES))
    for number in range(3):
        played = played_by(simulate(catalog.find("zigzag"), number + 1).events, players, number // 2)
        store.append(f"game{number}", 0, [Open(**{**opening_of(played[0]), "event": EVENT}), *played[1:]])
    recorder = Recorder(store)
    recorder.void("game2", "a test")
    recorder.import_record(
        ScoreCard("zigzag", dict.fromkeys(NAMES, 5), None, "2026-03-01", EVENT, None).record(), "card"
    )
    recorder.open(Open("zigzag", players=players, event=EVENT), "inplay")
    recorder.open(Open("zigzag", players=players, event="Empty", played="2026-03-01"), "another")
    for _ in refresh(store):
        pass
    return store


def opening_of(opening: object) -> dict[str, object]:
    return {name: getattr(opening, name) for name in Open.__struct_fields__}


@pytest.mark.parametrize("address", ["/season", "/season.html"])
def test_a_season_has_each_evening_with_its_games(client: FlaskClient, store: TemporaryStore, address: str) -> None:
    answer = client.get(address, query_string={"event": EVENT})
    page, base = answer.text, "" if address == "/season" else "http://localhost"
    assert f'<h1 dir="auto">{EVENT.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")}</h1>' in page
    words = text_of(re.sub("<style>.*?</style>", "", page, flags=re.DOTALL))
    assert "4 games · 3 people · 1 Mar 2026" in words
    assert "1 of the games is a score card: counted, not audited. 1 unfinished: not counted." in words
    games = re.findall(r'<article.*?<a href="([^"]+)">Zigzag', page)
    assert games == [f"{base}/g/{record}" for record in ("game0", "game1", "card", "inplay")]
    articles = re.findall("<article.*?</article>", page, flags=re.DOTALL)
    assert ["result only, not audited" in article for article in articles] == [False, False, True, False]
    assert ["unfinished, not counted" in article for article in articles] == [False, False, False, True]
    line = summary_line(Review(store.read("game0")))
    assert f"<p>{escape(line)}</p>" in page.replace("\u00a0", " ").replace("\u2011", "-")
    # Names are escaped, isolated, and hide nothing.
    assert "Ana</b>" not in page
    assert "<bdi>Ana&lt;/b&gt;</bdi>" in page
    assert "<bdi>לוי</bdi>" in page
    assert "\u202e" not in page
    if base:
        assert answer.headers["Content-Disposition"] == 'attachment; filename="cup-b-amp-co-2026.html"'
        assert re.search("<script|<link|<img", page) is None


def test_a_season_without_a_finished_game_says_so(client: FlaskClient) -> None:
    page = client.get("/season?event=empty").text
    assert "No game of this event is finished yet." in page
    assert "<table" not in page
    assert client.get("/season?event=nothing").status_code == 404
    assert client.get("/season.csv?event=nothing").status_code == 404
    assert client.get("/season").location == "/events"


def test_a_long_season_shows_its_latest_games(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(season_page, "MOST_GAMES", 2)
    page = client.get("/season", query_string={"event": EVENT}).text
    assert re.findall(r'<article.*?<a href="([^"]+)">', page) == ["/g/card", "/g/inplay"]
    assert "The latest 2 games are here." in page
    assert "4 games" in page


def test_the_table_of_a_season_has_a_line_for_each_player_and_game(client: FlaskClient) -> None:
    table = client.get("/season.csv", query_string={"event": EVENT.upper()})
    assert table.data.startswith(b"\xef\xbb\xbf")
    assert [line.partition(",")[0] for line in table.text.splitlines()[1::3]] == ["game0", "game1", "card", "inplay"]


def test_the_page_of_an_event_leads_to_its_season(client: FlaskClient) -> None:
    link = re.search(r'href="(/season[^"]*)"', client.get("/events", query_string={"name": EVENT}).text)
    assert link is not None
    assert client.get(link[1].replace("&amp;", "&")).status_code == 200
