"""The pages of players, statistics and events, and the API behind them."""

import csv
import io
import re
from urllib.parse import urljoin, urlsplit

import msgspec
import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from ledger.games import catalog
from ledger.keep.imports import keep
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.keep.score_cards import ScoreCard, compare
from ledger.keep.stored_audits import audit_anew, refresh
from ledger.play.simulate import simulate
from ledger.record.events import AnyEvent, Close, Open, Player, Score
from ledger.rules.game import Standing
from ledger.stores.beside import Alias, Key
from ledger.stores.query import Query
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.club.club_addresses import event_url, player_url
from viewer.club.statistics_page import bar_chart
from viewer.replay.link_preview import picture
from viewer.replay.replay_view import ReplayView

TRIOS = (("Ana", "Ben", "Cy"), ("Cy", "Ana", "Ben"), ("Annie", "Ben", "</b>Zoë & co"), ("Ben", "Cy", "a/b"))
ODD = ("..", "a//b", "/a", "a\\b", "a/", "a/../b")


@pytest.fixture(scope="module")
def store() -> TemporaryStore:
    """Four games of Zigzag of one event, one of them with a breach, and a cooperative game."""
    store = TemporaryStore()
    for number, names in enumerate(TRIOS):
        record = simulate(catalog.find("zigzag"), number + 1, fault="zigzag.take" if number == 3 else None)
        players = tuple(Player(id=f"p{n}", name=name) for n, name in enumerate(names))
        store.append_records([(f"zigzag{number}", played_by(record.events, players, number))])
    alone = simulate(catalog.find("domino-ziggurat"), 2)
    store.append_records([("gale", played_by(alone.events, (Player(id="solo", name="Ana"),), 8))])
    store.append_records([("nobody", (Open("zigzag", players=tuple(Player(id=f"p{n}") for n in range(3))),))])
    for _ in refresh(store):
        pass
    store.put([Alias("Annie", "Ana")])
    return store


def played_by(events: tuple[AnyEvent, ...], players: tuple[Player, ...], day: int) -> tuple[AnyEvent, ...]:
    """The events of a game, played by others on a day of an event."""
    opening = events[0]
    assert isinstance(opening, Open)
    ids = {before.id: after.id for before, after in zip(opening.players, players, strict=True)}
    text = msgspec.json.encode(events[1:])
    for old, new in ids.items():
        text = text.replace(f'"{old}"'.encode(), f'"{new}"'.encode())
    rest = msgspec.json.decode(text, type=tuple[AnyEvent, ...])
    changed = msgspec.structs.replace(opening, players=players, played=f"2026-03-0{day + 1}", event="Spring  Cup/2026")
    return (changed, *rest)


def text_of(page: str) -> str:
    """The visible text of a page."""
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def test_players_are_listed_once_under_the_name_that_the_owner_chose(client: FlaskClient) -> None:
    page = client.get("/players")
    assert page.status_code == 200
    words = text_of(page.text)
    assert "Ben 4" in words
    assert "Ana 4" in words
    assert "Annie 1" not in words
    assert "p0" not in words
    assert "&lt;/b&gt;Zoë &amp; co" in page.text
    assert client.get("/players?name=annie").location == "/players/Ana"
    assert client.get("/players/ANA").location == "/players/Ana"


def test_an_unknown_player_is_not_found_and_others_are_offered(client: FlaskClient) -> None:
    search = client.get("/players?name=Bem")
    assert search.status_code == 404
    assert "did you mean Ben?" in search.text
    direct = client.get("/players/Bem")
    assert direct.status_code == 404
    assert "did you mean Ben?" in direct.text
    assert client.get("/players/p1").status_code == 404


def test_the_page_of_a_player_links_their_games_and_opponents(client: FlaskClient) -> None:
    page = client.get("/players/Ana").text
    assert "Also known as Annie" in page
    assert [record for record in ("zigzag0", "zigzag1", "zigzag2", "gale") if f'href="/g/{record}"' not in page] == []
    assert 'href="/players/Ben"' in page
    assert 'href="/statistics/zigzag?players=' in page
    assert "played alone" in page
    profile = client.get("/api/v1/players/annie").json
    assert (profile["name"], profile["games"], profile["contests"]) == ("Ana", 4, 3)
    contests = {row["name"]: row["before"] + row["level"] + row["behind"] for row in profile["opponents"]}
    assert contests == {"Ben": 3, "Cy": 2, "</b>Zoë & co": 1}
    assert client.get("/api/v1/players/Bem").status_code == 404


def test_the_page_of_a_player_shows_only_the_rules_that_they_broke(client: FlaskClient, store: TemporaryStore) -> None:
    ((culprit,),) = store.rows("SELECT player FROM cause WHERE clause = 'zigzag.take'")
    names = dict(zip(("p0", "p1", "p2"), TRIOS[3], strict=True))
    for player, name in names.items():
        page = client.get("/players", query_string={"name": name}, follow_redirects=True).text
        assert ('<code class="soft">zigzag.take</code>' in page) is (player == culprit), name


@pytest.mark.parametrize("name", [*ODD, "a/b", "Zoë & co", "100 %", "#1", "?", "Ana"])
def test_every_name_and_event_has_an_address_that_leads_to_it(name: str) -> None:
    store = TemporaryStore()
    players = tuple(Player(id=f"p{n}", name=person) for n, person in enumerate((name, "Ben", "Cy")))
    store.append("r", 0, [Open("zigzag", players=players, event=name)])
    app = create_app(store.reopen)
    with app.test_request_context():
        addresses = player_url(name), event_url(name)
    for address in addresses:
        answer = app.test_client().get(address)
        assert answer.status_code == 200, address
        assert text_of(answer.text)


def test_the_statistics_of_a_game_count_miscounts_apart_from_broken_rules(client: FlaskClient) -> None:
    assert "miscounted" not in client.get("/statistics/domino-ziggurat").text
    record, store = simulate(catalog.find("zigzag"), 3), TemporaryStore()
    store.append(
        "r", 0, [replace(e, points=dict.fromkeys(e.points, 1)) if isinstance(e, Score) else e for e in record.events]
    )
    for _ in refresh(store):
        pass
    page = text_of(create_app(store.reopen).test_client().get("/statistics/zigzag").text)
    assert "In 1 game a score or another claim was miscounted." in page
    assert "Rules broken" not in page


def test_names_on_cards_and_on_the_replay_lead_to_their_players(client: FlaskClient) -> None:
    for page in ("/", "/?page=1", "/g/zigzag3"):
        html = client.get(page).text
        assert 'href="/players/Ben"' in html, page
        assert 'href="/players/a/b"' in html or 'href="/players/a%2Fb"' in html, page
        assert "/players/p0" not in html
    assert "/players/" not in client.get("/embed/zigzag3").text
    assert "/players/" not in client.get("/g/zigzag3/replay.html").text
    assert "/players/" not in client.get("/g/nobody").text


def test_a_private_ledger_shows_strangers_no_player_and_links_none() -> None:
    store, owner, watcher = TemporaryStore(), new_key(), new_key()
    store.append("r", 0, [Open("zigzag", players=tuple(Player(id=n, name=f"Zoë{n}") for n in "abc"), event="Cup")])
    store.put([Key("", key_digest(owner), "owner")])
    store.put([Key("r", key_digest(watcher), "watch")])
    client = create_app(store.reopen, private=True).test_client()
    for path in ("/players", "/players/Zoëa", "/statistics", "/statistics/zigzag", "/statistics/zigzag.csv", "/events",
                 "/events/Cup", "/api/v1/players", "/api/v1/players/Zoëa", "/api/v1/events/Cup"):  # fmt: skip
        for key in ("", watcher):
            answer = client.get(path, headers={"Authorization": f"Bearer {key}"})
            assert answer.status_code == 401, path
            assert "Zoëb" not in answer.text
        assert client.get(path, headers={"Authorization": f"Bearer {owner}"}).status_code == 200, path
    replay = client.get("/g/r", headers={"Authorization": f"Bearer {watcher}"}).text
    assert "Zoëa" in replay
    assert "/players/" not in replay


def test_csv_has_a_line_for_each_player_and_no_formula(client: FlaskClient) -> None:
    answer = client.get("/statistics/zigzag.csv")
    assert answer.mimetype == "text/csv"
    rows = list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"))))
    assert len(rows) == 15
    ana = next(row for row in rows if row["record"] == "zigzag2" and row["seat"] == "1")
    assert (ana["player"], ana["day"], ana["finished"]) == ("Ana", "2026-03-03", "yes")
    store = TemporaryStore()
    names = ("=1+1", "+Ben", "@Cy")
    store.append("r", 0, [Open("zigzag", players=tuple(Player(id=f"p{n}", name=name) for n, name in enumerate(names)))])
    for path in ("/statistics/zigzag.csv", "/g/r/result.csv"):
        rows = list(
            csv.DictReader(io.StringIO(create_app(store.reopen).test_client().get(path).data.decode("utf-8-sig")))
        )
        assert [row["player"] for row in rows] == ["'=1+1", "'+Ben", "'@Cy"]


def test_standings_link_every_game_that_counts(client: FlaskClient) -> None:
    assert 'href="/events/Spring%20Cup/2026"' in client.get("/events").text
    page = client.get("/events/spring cup/2026").text
    words = text_of(page)
    assert "Standings" in words
    assert "1 in which nobody plays against another: not counted." in words
    for record in ("zigzag0", "zigzag1", "zigzag2", "zigzag3"):
        assert f'href="/g/{record}"' in page, record
    pair = client.get("/events/Spring%20Cup/2026?of=Annie&and=Cy&by=points").text
    assert "Ana and Cy" in text_of(pair)
    assert pair.count("<article") == 2
    assert client.get("/events/Winter").status_code == 404
    assert client.get("/api/v1/events/Winter").status_code == 404
    assert [event["name"] for event in client.get("/api/v1/events").json] == ["Spring Cup/2026"]


def test_a_page_shows_what_was_recorded_and_merged_since() -> None:
    store = TemporaryStore()
    client = create_app(store.reopen).test_client()
    assert "Ana" not in client.get("/players").text
    store.append("r", 0, [Open("zigzag", players=tuple(Player(id=n.lower(), name=n) for n in ("Ana", "Ben", "Cy")))])
    assert "Ana" in client.get("/players").text
    store.put([Alias("Ana", "Anastasia")])
    assert "Anastasia" in client.get("/players").text
    store.put(())
    assert client.get("/players/ana").location == "/players/Anastasia"


def test_a_plot_says_every_value_and_escapes_its_labels() -> None:
    svg = bar_chart(["<a>", "b"], [3, 0.5], "What & why", ("<x>", "y"), [1, 1])
    assert "&lt;a&gt;: 3" in svg
    assert "b: 0.5" in svg
    assert 'aria-label="What &amp; why"' in svg
    assert "&lt;x&gt;" in svg
    assert svg.count('class="fair"') == 2
    assert bar_chart(["x"], [0], "Nothing", ("x", "y")).count("<rect") == 0


# ---- Score cards on pages and in the API: they say that only the result is known, and show nothing that nobody knows.


TRAIN = ScoreCard("Mexican Train", {"Ana": 12, "Ben": 40, "Cy": 20}, ["Ana"], "2026-10-01", "Tuesday", "The Anchor")
"""A game without rules in which the fewest points win."""


def shown(card: ScoreCard) -> tuple[TemporaryStore, FlaskClient, str]:
    """A ledger with this card only, its pages, and the id of the record."""
    store = TemporaryStore()
    (filed,) = keep(store, compare(store, [card]), "a.csv")
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
        compare(store, [ScoreCard("zigzag", {"Ana": 9, "Ben": 7, "Cy": 8}, None, "2026-11-20", "Tuesday")]),
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
        # A script fills the addresses of templates in.
        there = re.sub(r"<template.*?</template>", "", text, flags=re.DOTALL)
        for link in re.findall(r'(?:href|src)="([^"#]+)', there):
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
    keep(store, compare(store, cards), "a.csv")
    client = create_app(store.reopen).test_client()
    event = re.sub("<.*?>", "", client.get("/events/Cup").text)
    assert "2 games do not say who won: not counted." in event
    assert "3 games" in event
    assert re.search(r"Ben\s+✓ won", event)
    assert "2 games do not say who won: not counted." in re.sub("<.*?>", "", client.get("/event.html?name=Cup").text)
