"""The page with a plan: its rounds, links to games that were played, and links that begin the others."""

import re
from html import unescape
from urllib.parse import quote_plus

import msgspec
import pytest
from flask.testing import FlaskClient

from ledger.club.load import club_of
from ledger.club.schedule import games_at, plan
from ledger.club.standings import games_of
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.keep.stored_audits import refresh
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.errors import UnknownGame
from ledger.stores.beside import Alias
from temporary import TemporaryStore
from viewer.app import create_app

SIX = ("Ana", "Ben", "Cy", "Dot", "Eva", "Finn")


def add_game(
    store: TemporaryStore, record_id: str, game: str, *names: str, event: str = "Spring Cup", whole: bool = True
) -> None:
    """Stores a simulated game of these people, or its beginning."""
    record = simulate(catalog.find(game), 1, players=len(names))
    seats = zip(record.opening.players, names, strict=True)
    players = tuple(msgspec.structs.replace(player, name=name) for player, name in seats)
    opening = msgspec.structs.replace(record.opening, players=players, event=event)
    changed = codec.check([opening, *record.events[1 : None if whole else 3]])
    Recorder(store).import_record(changed, record_id)


@pytest.fixture
def store() -> TemporaryStore:
    store = TemporaryStore()
    add_game(store, "played", "ziggurat", "Finn", "Annie", event=" spring  CUP")
    add_game(store, "begun", "build-up", "Cy", "Dot", whole=False)
    add_game(store, "elsewhere", "ziggurat", "Eva", "Ben", event="Autumn Cup")
    add_game(store, "three", "zigzag", "Cy", "Ana", "Ben")
    list(refresh(store))
    store.put([Alias("Annie", "Ana")])
    return store


def tables(page: str) -> list[tuple[str, list[str]]]:
    """The tables of a plan: who sits there, and where its links beside the names lead."""
    rows = []
    for item in re.findall(r'<li><span class="table">(.*?)</li>', page, re.DOTALL):
        names, _, links = item.partition("</span>\n")
        addresses = [unescape(address) for address in re.findall('href="([^"]+)"', links)]
        rows.append((unescape(re.sub(r"<[^>]+>", "", names)), addresses))
    return rows


def test_a_plan_has_every_table_of_every_round(client: FlaskClient) -> None:
    page = client.get(f"/schedule?names={quote_plus(chr(10).join(SIX))}").text
    rounds = plan(SIX)
    assert page.count("<h2>Round ") == len(rounds) == 5
    seated = [" – ".join(people) for round_ in rounds for people in round_.tables]
    assert [names for names, _links in tables(page)] == seated
    assert "sits out" not in page
    odd = client.get("/schedule?names=Ana,%20Ben%0D%0A%0D%0A%20Cy").text
    assert (odd.count("<h2>Round "), odd.count("sits out")) == (3, 3)
    three = client.get(f"/schedule?game=zigzag&names={quote_plus(','.join(SIX))}").text
    assert len(tables(three)) == 10


def test_a_table_leads_to_its_game_once_it_is_played(client: FlaskClient) -> None:
    page = client.get(f"/schedule?event=Spring+Cup&names={quote_plus(','.join(SIX))}").text
    by_people = {frozenset(names.split(" – ")): links for names, links in tables(page)}
    assert by_people[frozenset({"Ana", "Finn"})] == ["/g/played"]
    assert by_people[frozenset({"Cy", "Dot"})] == ["/g/begun"]
    assert "1 of 15 games played" in page
    assert "Build Up, being played" in page
    assert all(links[0].startswith("/new?player=") for people, links in by_people.items() if "Ben" in people)
    of_another_game = client.get(f"/schedule?event=Spring+Cup&game=build-up&names={quote_plus(','.join(SIX))}").text
    assert "0 of 15 games played" in of_another_game
    three = client.get(f"/schedule?event=Spring+Cup&game=zigzag&names={quote_plus(','.join(SIX))}").text
    (links,) = (links for names, links in tables(three) if set(names.split(" – ")) == {"Ana", "Ben", "Cy"})
    assert links == ["/g/three"]


def test_a_table_begins_its_game(client: FlaskClient) -> None:
    page = client.get("/schedule?event=Cup&game=ziggurat&names=Ana,%22Zo%C3%AB%22").text
    ((_names, (address,)),) = tables(page)
    form = client.get(address).text
    values = dict(re.findall(r'name="(player\d|event)" value="([^"]*)"', form))
    assert (unescape(values["player1"]), unescape(values["player2"]), values["event"]) == ("Ana", '"Zoë"', "Cup")
    # Without a game it is chosen first; the people come along.
    ((_names, (address,)),) = tables(client.get("/schedule?names=Ana,Ben").text)
    link = re.search(r'href="(/new\?game=ziggurat[^"]*)"', client.get(address).text)
    assert link
    assert 'name="player2" value="Ben"' in client.get(unescape(link[1])).text
    read_only = create_app(TemporaryStore, recording=False).test_client()
    assert tables(read_only.get("/schedule?names=Ana,Ben").text) == [("Ana – Ben", [])]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("names=Ana", "A round robin is for 2 to 16 people, not 1."),
        ("names=Ana,ANA", "is there twice"),
        ("names=Ana,Ben&game=zigzag", "Tables of three are for 6, 9, 12 or 15 people, not 2."),
        ("names=Ana,Ben&game=chess", "chess"),
        (f"names={','.join(str(n) for n in range(17))}", "not 17"),
    ],
)
def test_a_plan_that_cannot_be_made_says_why(client: FlaskClient, query: str, words: str) -> None:
    answer = client.get(f"/schedule?{query}")
    assert answer.status_code == 400
    assert words in unescape(answer.text)
    assert "Round 1" not in answer.text


def test_an_event_leads_to_its_plan_with_its_people(client: FlaskClient) -> None:
    address = re.search(r'href="(/schedule\?event=[^"]*)"', client.get("/events/Spring%20Cup").text)
    assert address
    page = client.get(address[1]).text
    assert re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)[1].split("\n") == [
        "Finn",
        "Ana",
        "Cy",
        "Dot",
        "Ben",
    ]  # type: ignore[index]
    assert re.search(r'href="/events/spring(%20|\+)CUP">Standings and games', page, re.IGNORECASE)
    assert "/schedule" in client.get("/events").text


def test_names_are_text(client: FlaskClient) -> None:
    page = client.get("/schedule?event=%3Cb%3E&names=%3Cscript%3E,%3C/textarea%3E%3Cb%3E").text
    assert "<script>" not in page
    assert "</textarea><b>" not in page


def test_a_plan_is_for_the_game(store: TemporaryStore) -> None:
    with pytest.raises(UnknownGame):
        plan(SIX, "chess")
    club = club_of(store)
    games = games_of(club, "SPRING CUP")
    assert [played.record for played in games_at(club, ("Ana", "Finn"), games)] == ["played"]
    assert games_of(club, "") == games_at(club, ("Ana", "Finn", "Ben"), games) == []
