"""An event: its standings and games on a page, in a file, and for a spreadsheet."""

import re
from fractions import Fraction

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
from viewer.club import event_pages

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


@pytest.mark.parametrize("address", ["/events", "/event.html"])
def test_an_event_has_each_evening_with_its_games(client: FlaskClient, store: TemporaryStore, address: str) -> None:
    answer = client.get(address, query_string={"name": EVENT})
    page, base = answer.text, "" if address == "/events" else "http://localhost"
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
    shown = "<bdi>{}</bdi>" if base else ' dir="auto">{}</a>'
    assert shown.format("Ana&lt;/b&gt;") in page
    assert shown.format("לוי") in page
    assert "\u202e" not in page
    if base:
        assert answer.headers["Content-Disposition"] == 'attachment; filename="cup-b-amp-co-2026.html"'
        assert re.search("<script|<link|<img", page) is None


def test_an_event_without_a_finished_game_says_so(client: FlaskClient) -> None:
    page = client.get("/events/empty").text
    assert "No game of this event that counts is finished yet. 1 unfinished: not counted." in page
    assert "<table" not in page
    assert client.get("/events/nothing").status_code == 404
    assert client.get("/event.html?name=nothing").status_code == 404
    assert client.get("/event.csv").status_code == 404


def test_a_long_event_shows_its_latest_games(client: FlaskClient, monkeypatch) -> None:
    monkeypatch.setattr(event_pages, "MOST_GAMES", 2)
    page = client.get("/events", query_string={"name": EVENT}).text
    assert re.findall(r'<article.*?<a href="([^"]+)">', page) == ["/g/game1", "/g/card"]
    assert "The latest 2 games are here." in page
    assert "4 games" in page


def test_the_table_of_an_event_has_a_line_for_each_player_and_game(client: FlaskClient) -> None:
    table = client.get("/event.csv", query_string={"name": EVENT.upper()})
    assert table.data.startswith(b"\xef\xbb\xbf")
    assert [line.partition(",")[0] for line in table.text.splitlines()[1::3]] == ["inplay", "game0", "game1", "card"]


def test_what_two_people_did_against_each_other_leads_to_their_games(client: FlaskClient) -> None:
    page = client.get("/events", query_string={"name": EVENT}).text
    links = re.findall(r'<td class="c"><a href="([^"]*)#games">([^<]*)</a>', page)
    # Two games count, and a score card in which all three are level.
    met = [[Fraction(words.replace("½", ".5")) for words in score.split("-")] for _link, score in links]
    assert [sum(one) for one in met] == [3] * 6
    assert all([*reversed(one)] in met for one in met)
    pair = client.get(links[0][0].replace("&amp;", "&")).text
    assert re.findall(r'<article.*?<a href="([^"]+)">Zigzag', pair)
    assert "All games of the event" in pair
