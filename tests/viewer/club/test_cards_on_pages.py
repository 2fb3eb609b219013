"""Score cards on pages and in the API: they say that only the result is known, and show nothing that nobody knows."""

import re
from urllib.parse import urljoin, urlsplit

import pytest
from flask.testing import FlaskClient

from ledger.games import catalog
from ledger.keep.imports import keep
from ledger.keep.recorder import Recorder
from ledger.keep.score_cards import CardFile, ScoreCard
from ledger.keep.stored_audits import audit_anew
from ledger.play.simulate import simulate
from ledger.record.events import Close
from ledger.rules.game import Standing
from ledger.stores.query import Query
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.replay.link_preview import picture
from viewer.replay.replay_view import ReplayView

TRAIN = ScoreCard("Mexican Train", {"Ana": 12, "Ben": 40, "Cy": 20}, ["Ana"], "2026-10-01", "Tuesday", "The Anchor")
"""A game without rules in which the fewest points win."""


def shown(card: ScoreCard) -> tuple[TemporaryStore, FlaskClient, str]:
    """A ledger with this card only, its pages, and the id of the record."""
    store = TemporaryStore()
    (filed,) = keep(store, CardFile(store).compare([card]), "a.csv")
    return store, create_app(store.reopen).test_client(), filed.record


@pytest.mark.parametrize("game", ["zigzag", "Mexican Train"])
def test_every_page_says_that_only_the_scores_are_known(game: str) -> None:
    _store, client, record = shown(ScoreCard(game, {"Ana": 9, "Ben": 7, "Cy": 8}, None, "2026-11-20", "Tuesday"))
    for address in (
        "/",
        "/?verdict=scores-only",
        f"/g/{record}",
        "/events/Tuesday",
        f"/statistics/{game}",
        "/players/Ana",
    ):
        text = client.get(address).get_data(as_text=True)
        assert "result only" in text or "Only the result is known" in text, address
    for part in ("card.png", "print", "thumbnail.svg", "parts?ply=1"):
        assert client.get(f"/g/{record}/{part}").status_code == 200
    report = client.get(f"/api/v1/records/{record}/report").get_json()
    assert (report["verdict"], report["scores"]) == ("scores-only", {"p1": 9, "p2": 7, "p3": 8})


@pytest.mark.parametrize("page", ["g/{}", "embed/{}", "g/{}/print"])
def test_the_page_of_a_card_has_places_and_no_table(page: str) -> None:
    _store, client, record = shown(TRAIN)
    text = client.get(f"/{page.format(record)}").text
    rows = re.findall(r'class="place">(\d)</b>.*?class="name">(.*?)</span>.*?class="n">(\d+)<', text)
    places = [(place, re.sub("<.*?>|[\u2068\u2069]", "", name), points) for place, name, points in rows]
    assert places == [("1", "Ana", "12"), ("2", "Cy", "20"), ("3", "Ben", "40")]
    for words in ("Mexican Train", "1 Oct 2026", "Tuesday", "The Anchor", "result only"):
        assert words in text
    for absent in ('id="stage"', 'id="time"', 'id="play"', 'class="chart"', 'id="moments"', "lead", "move", "mistake"):
        assert absent not in text.lower().partition("<body")[2], absent


@pytest.mark.parametrize(
    ("card", "ending", "places"),
    [
        (TRAIN, "Ana wins", ["1", "2", "3"]),
        (ScoreCard("zigzag", {"Ana": 9, "Ben": 9, "Cy": 3}), "Ana and Ben win", ["1", "1", "3"]),
        (ScoreCard("zigzag", {"Ana": 9, "Ben": 12, "Cy": 30}, ["Ben"]), "Ben wins", ["1", "2", "3"]),
        (ScoreCard("domino-ziggurat", {"Ana": 7, "Ben": 7}), "7", []),
        (ScoreCard("Block", {"Ana": 7}), "7", ["1"]),
    ],
    ids=["fewest", "tie", "named", "together", "alone"],
)
def test_a_card_says_how_it_ended(card: ScoreCard, ending: str, places: list[str]) -> None:
    store, client, record = shown(card._replace(played="2026-10-01"))
    text = client.get(f"/g/{record}").text
    assert re.findall(r'class="place">(\d)</b>', text) == places
    assert ending in re.sub("<.*?>", "", text.partition('places"')[2])
    assert ("highestWins%22%3Afalse" in text) == (card.game in ("Mexican Train", "domino-ziggurat"))
    svg = client.get(f"/g/{record}/thumbnail.svg").text
    assert {str(score) for score in card.scores.values()} <= set(re.findall(r">(\d+)</text>", svg))
    view = ReplayView(record, store.read(record))
    link = picture(view, view.place(None))
    assert "Result only" in link
    assert not re.search("0 moves|lead", link)
    assert 'class="t-floor' not in link


def test_a_card_that_was_left_unfinished_has_no_places() -> None:
    record = TRAIN.record()
    store = TemporaryStore()
    Recorder(store).import_record(type(record)((*record.events[:2], Close("abandoned"))), "left")
    text = create_app(store.reopen).test_client().get("/g/left").text
    assert "Left unfinished" in text
    assert 'class="place"' not in text
    assert 'class="won"' not in text


@pytest.mark.parametrize(
    ("scores", "winners", "places"),
    [
        ((12, 40, 20), (0,), (1, 3, 2)),
        ((12, 40, 20), (1,), (3, 1, 2)),
        ((5, 5, 5), (0, 1, 2), (1, 1, 1)),
        ((3, 9, 3), (0, 2), (1, 3, 1)),
        ((9, 3, 3), (0,), (1, 2, 2)),
        ((4, 9, 7), (2,), (3, 2, 1)),
        ((4, 9), (), (2, 1)),
    ],
)
def test_the_others_are_ranked_in_the_direction_of_the_winner(
    scores: tuple[int, ...], winners: tuple[int, ...], places: tuple[int, ...]
) -> None:
    assert Standing(finished=True, scores=scores, winners=winners).places == places


def test_no_page_offers_a_film_of_a_card() -> None:
    store, client, _record = shown(TRAIN)
    assert "growing.svg" not in client.get("/").text
    Recorder(store).import_record(simulate(catalog.find("zigzag"), 4), "film")
    audit_anew(store)
    text = client.get("/").text
    assert "/g/film/growing.svg" in text
    assert text.count("growing.svg") == text.count("/g/film/growing.svg")


def test_no_link_leads_nowhere() -> None:
    store, client, _record = shown(TRAIN)
    keep(
        store,
        CardFile(store).compare([ScoreCard("zigzag", {"Ana": 9, "Ben": 7, "Cy": 8}, None, "2026-11-20", "Tuesday")]),
        "a.csv",
    )
    Recorder(store).import_record(simulate(catalog.find("build-up"), 4), "film")
    audit_anew(store)
    waiting, seen = [("/", "")], {"/"}
    while waiting:
        address, page = waiting.pop()
        with client.get(address, follow_redirects=True) as answer:
            assert answer.status_code in (200, 202, 401), (address, page)
            text = answer.text if answer.mimetype == "text/html" else ""
        for link in re.findall(r'(?:href|src)="([^"#]+)', text):
            target = urljoin(address, link.replace("&amp;", "&"))
            # One step, one day and one search stand for all.
            kind = re.sub(r"\?.*|\d{4}-\d\d-\d\d", "", target)
            if urlsplit(target).scheme or kind in seen:
                continue
            seen.add(kind)
            waiting.append((target, address))
    assert len(seen) > 60
    assert store.find(Query(game="Mexican Train"))


def test_an_event_lists_every_game_and_says_how_many_do_not_say_who_won() -> None:
    cards = [
        ScoreCard("Block", {"Ana": None, "Ben": None}, ["Ben"], f"2026-03-0{day}", "Cup") if day == 1
        else ScoreCard("Block", {"Ana": 5, "Ben": None}, None, f"2026-03-0{day}", "Cup")
        for day in (1, 2, 3)
    ]  # fmt: skip
    store = TemporaryStore()
    keep(store, CardFile(store).compare(cards), "a.csv")
    client = create_app(store.reopen).test_client()
    event = re.sub("<.*?>", "", client.get("/events/Cup").text)
    assert "2 games do not say who won: not counted." in event
    assert "3 games" in event
    assert re.search(r"Ben\s+✓ won", event)
    assert "2 games do not say who won: not counted." in re.sub("<.*?>", "", client.get("/event.html?name=Cup").text)
