"""The home page and the lists of games: search lines, cards, and page numbers."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.keep.stored_audits import list_entry, refresh
from ledger.play.simulate import simulate
from ledger.record import clock
from ledger.record.codec import check
from ledger.record.events import Open, Player
from ledger.stores.query import Query, Row, Summary
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.club.home import LATEST, MOST_IN_PLAY
from viewer.club.listed_game import card, in_play
from viewer.club.search import read_days, read_line, read_search

TODAY = date(2026, 11, 22)


@pytest.mark.parametrize(
    ("line", "filters", "words"),
    [
        ("", {}, ()),
        ("Ana", {"player": "ana"}, ("ana",)),
        ("build up", {"game": "build-up"}, ("Build Up",)),
        ("zig zag ana", {"game": "zigzag", "player": "ana"}, ("Zigzag", "ana")),
        ("buildup 29.12.2025", {"game": "build-up", "since": "2025-12-29", "until": "2025-12-29"},
         ("Build Up", "2025-12-29")),
        ("mistakes ben", {"verdict": "breach", "player": "ben"}, ("a rule was broken", "ben")),
        ("build-up ana", {"game": "build-up", "player": "ana"}, ("Build Up", "ana")),
        ("Domino Ziggurat", {"game": "domino-ziggurat"}, ("Domino Ziggurat",)),
        ("ziggurat ben 20 Nov", {"game": "ziggurat", "player": "ben", "since": "2026-11-20", "until": "2026-11-20"},
         ("Ziggurat", "2026-11-20", "ben")),
        ("zigzagging", {"player": "zigzagging"}, ("zigzagging",)),
        ("today", {"since": "2026-11-22", "until": "2026-11-22"}, ("2026-11-22",)),
        ("unfinished zigzag", {"game": "zigzag", "closed": False}, ("Zigzag", "not finished")),
        ("domino ana", {"player": "ana"}, ("all games", "ana")),
        ("mexican-train ana", {"game": "Mexican Train", "player": "ana"}, ("Mexican Train", "ana")),
        ("May", {"since": "2026-05-01", "until": "2026-05-31"}, ("2026-05-01 to 2026-05-31",)),
    ],
)  # fmt: skip
def test_a_search_line_is_a_game_a_day_and_players(
    line: str, filters: dict[str, object], words: tuple[str, ...]
) -> None:
    assert read_line(line, TODAY, ["Mexican Train", "?"]) == (filters, words)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("yesterday", ("2026-11-21", "2026-11-21")), ("2026-11-20", ("2026-11-20", "2026-11-20")),
        ("2026-02", ("2026-02-01", "2026-02-28")), ("2025", ("2025-01-01", "2025-12-31")),
        ("3 dec", ("2025-12-03", "2025-12-03")), ("3. december 2024", ("2024-12-03", "2024-12-03")),
        ("dec", ("2025-12-01", "2025-12-31")), ("nov", ("2026-11-01", "2026-11-30")),
        ("31 june", None), ("2026-13", None), ("2026-11-99", None), ("ana", None), ("12", None), ("0000", None),
    ],
)  # fmt: skip
def test_days_are_read_as_people_write_them(text: str, days: tuple[str, str] | None) -> None:
    assert read_days(text, TODAY) == (days and tuple(map(date.fromisoformat, days)))


def test_what_cannot_be_understood_is_ignored_and_the_page_says_so() -> None:
    search = read_search(
        {"since": "foo", "verdict": "odd", "game": "chess", "order": "up", "page": "x", "colour": "red"}, TODAY
    )
    assert search.ignored == (
        "Unknown parameter “colour”.",
        "“foo” is not a day: write it like 2026-11-20.",
        "There is no verdict “odd”.",
        "No game called “chess” is installed here.",
        "There is no order “up”.",
    )
    assert (search.query.since, search.query.verdict, search.number) == (None, None, 1)


def row(**fields: object) -> Row:
    """A row with two players."""
    players = (("a", "Ana"), ("b", "Ben"))
    defaults = {"id": "x", "game": "ziggurat", "edition": None, "played": "2026-11-20", "place": None,
                "players": players, "events": 9, "closed": False}  # fmt: skip
    return Row(**(defaults | fields))  # type: ignore[arg-type]


def test_a_card_says_who_won_and_what_went_wrong() -> None:
    audit = Summary("breach", True, ("a",), scores=(13, 6), mistakes=2, moves=28)
    game_card = card(row(audit=audit, closed=True), TODAY)
    assert [(seat.letter, seat.colour, seat.name, seat.score, seat.won) for seat in game_card.seats] == [
        ("A", 1, "Ana", 13, True), ("B", 2, "Ben", 6, False),
    ]  # fmt: skip
    assert (game_card.title, game_card.mistakes, game_card.length) == ("Ziggurat", 2, "28 moves")
    assert (game_card.state, game_card.next) == ("", "")
    assert game_card.when is not None
    assert game_card.when[1] == "20 Nov"


def test_a_card_of_a_game_that_is_not_over_names_who_is_to_play() -> None:
    audit = Summary("clean", False, turn=("b",), scores=(1, 2), moves=1, last="2026-11-22T03:44:00Z")
    game_card = card(row(audit=audit, played=None), TODAY)
    assert (game_card.next, game_card.state, game_card.length) == ("Ben to play", "unfinished", "1 move")
    assert game_card.when == ("2026-11-22T03:44:00Z", "today")


def test_cheats_that_count_for_everybody_stand_on_a_card_once() -> None:
    audit = Summary("clean", True, ("a", "b"), scores=(57, 57), moves=90)
    game_card = card(row(game="domino-ziggurat", edition="2", audit=audit, closed=True), TODAY)
    assert [seat.score for seat in game_card.seats] == [None, None]
    assert (game_card.cheats, game_card.detail) == (57, "edition 2")
    assert card(row(audit=audit), TODAY).cheats is None
    unchecked = card(row(game="domino-ziggurat", edition="2"), TODAY)
    assert unchecked.cheats is None


@pytest.mark.parametrize(
    ("game", "options", "size"),
    [
        ("ziggurat", {"set": 12}, "double 12"), ("ziggurat", {}, "double 6"), ("zigzag", {}, "double 8"),
        ("build-up", {}, ""),
    ],
)  # fmt: skip
def test_a_card_says_the_size_of_the_set_where_a_game_has_several(
    game: str, options: dict[str, int], size: str
) -> None:
    store = TemporaryStore()
    Recorder(store).import_record(simulate(catalog.find(game), 1, options), "a")
    list(refresh(store))
    rows = [row for row in store.find(Query()) if row.audit]
    assert [card(row, TODAY).detail for row in rows] == [size]
    page = create_app(store.reopen).test_client().get("/").text
    assert (f"<small>{size}</small>" in page) == bool(size)
    assert ("<small>double" in page) == bool(size)


def test_a_card_has_the_edition_before_the_set() -> None:
    audit = Summary("clean", True, ("a",), scores=(13, 6), set_size=6)
    assert card(row(edition="2", audit=audit), TODAY).detail == "edition 2 · double 6"


def test_a_card_says_what_is_not_known() -> None:
    assert card(row(), TODAY).state == "not checked yet"
    assert card(row(audit=Summary("unreadable", False)), TODAY).state == "can't be read here"
    damaged = replace(row(corrupt=True), players=())
    assert (card(damaged, TODAY).state, card(damaged, TODAY).seats) == ("damaged", [])
    assert card(row(game="bridge"), TODAY).title == "bridge"
    assert [seat.score for seat in card(row(), TODAY).seats] == [None, None]
    assert card(row(players=(("a", " "),)), TODAY).seats[0].letter == "?"


def test_a_game_is_in_play_while_its_last_move_is_fresh() -> None:
    now = datetime(2026, 11, 22, 12, tzinfo=UTC)

    def row_of(hours: float, **fields: object) -> Row:
        last = (now - timedelta(hours=hours)).isoformat()
        return row(audit=Summary("clean", bool(fields.pop("over", False)), last=last), **fields)

    assert in_play(row_of(1), now)
    assert not in_play(row_of(13), now)
    assert not in_play(row_of(1, over=True), now)
    assert not in_play(row_of(1, closed=True), now)
    assert not in_play(row(audit=Summary("clean", False)), now)
    assert not in_play(row(audit=Summary("clean", False, last="some day")), now)
    assert in_play(row(audit=Summary("clean", False, last="2026-11-22T11:00:00")), now)


@pytest.fixture
def club() -> TemporaryStore:
    """Sixty games, two of them in play."""
    store = TemporaryStore()
    recorder = Recorder(store)
    game = simulate(catalog.find("ziggurat"), 3)
    for n in range(60):
        recorder.import_record(game, f"game{n:06d}")
    just_now = clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    for n in range(2):
        events = (*game.events[:20], replace(game.events[20], when=just_now))
        recorder.import_record(check(events), f"live{n:06d}")
    list(refresh(store))
    return store


def test_the_home_page_has_the_games_in_play_first(club: TemporaryStore) -> None:
    page = create_app(club.reopen).test_client().get("/").text
    assert page.count('class="card live"') == 2
    assert page.index("In play") < page.index("live000000") < page.index("Latest") < page.rindex("game000059")
    assert page.count('class="card game"') == LATEST
    assert "All 62 games" in page
    assert "to play" in page


def test_a_club_has_its_last_evening_as_a_headline_and_a_stranger_the_pitch(club: TemporaryStore) -> None:
    app = create_app(club.reopen)
    page = app.test_client().get("/").text
    headline = re.search(r'<p class="headline"[^>]*>(.*?)</p>', page)
    assert headline
    assert list_entry(Review(simulate(catalog.find("ziggurat"), 3))).line in headline[1].replace("\u00a0", " ")
    assert "60 games · 2 people" in page
    assert "Record a game on your phone" not in page
    assert page.index('role="search"') < page.index("In play") < page.index("Last evening") < page.index("Latest")
    app.extensions["demo"] = True
    demo = app.test_client().get("/").text
    assert "Last evening" not in demo
    assert demo.index("Record a game on your phone") < demo.index("You are the referee") < demo.index('role="search"')


def test_a_place_from_right_to_left_moves_no_number_beside_it() -> None:
    store, game = TemporaryStore(), simulate(catalog.find("ziggurat"), 3)
    Recorder(store).import_record(check((replace(game.opening, place="תל אביב 9"), *game.events[1:])), "game")
    list(refresh(store))
    page = create_app(store.reopen).test_client().get("/").text
    assert '<span class="place">\u2068תל אביב 9\u2069</span></span></div></li>' in page


def test_a_game_just_begun_is_in_play_before_it_was_audited(club: TemporaryStore) -> None:
    just_now = clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    for n in range(MOST_IN_PLAY):
        players = (Player(id="a", name="Ana"), Player(id="b", name="Ben"))
        Recorder(club).open(Open("build-up", players=players, when=just_now), f"new{n}")
    page = create_app(club.reopen).test_client().get("/").text
    assert page.count('class="card live"') == MOST_IN_PLAY
    assert "/g/new3" in page.partition("Latest")[0]


def test_a_record_that_waits_for_its_audit_is_read_once_for_each_state(club: TemporaryStore, monkeypatch) -> None:
    game = simulate(catalog.find("ziggurat"), 3)
    just_now = clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    recorder, events = Recorder(club), [replace(event, when=just_now) for event in game.events[:21]]
    recorder.import_record(check(events[:20]), "waiting")
    client, reads = create_app(club.reopen).test_client(), []
    read = TemporaryStore.read
    monkeypatch.setattr(TemporaryStore, "read", lambda store, name: reads.append(name) or read(store, name))
    first = client.get("/").text.partition("Latest")[0]
    assert "/g/waiting?" not in first
    assert "/g/waiting" in first
    assert client.get("/").text.partition("Latest")[0] == first
    assert [name for name in reads if name == "waiting"] == ["waiting"]
    assert len(reads) == len(set(reads))
    club.append("waiting", 20, events[20:])
    assert client.get("/").text.partition("Latest")[0] != first
    assert reads.count("waiting") == 2


def test_a_search_finds_and_says_how_it_was_understood(club: TemporaryStore) -> None:
    client = create_app(club.reopen).test_client()
    Recorder(club).import_record(
        check((Open("zigzag", players=tuple(Player(id=i, name=i.title()) for i in ("zoe", "yan", "xi"))),)), "alone"
    )
    assert "1 game matches: Zigzag · zoe" in client.get("/?q=zoe+zigzag").text
    assert "No games match" in client.get("/?q=nobody").text
    assert "Unknown parameter “foo”" in client.get("/?foo=1").text
    # The search line is kept, and shown as text.
    assert "<script>" not in client.get("/?q=<script>").text.partition("<main>")[2]


def test_the_rule_that_was_chosen_stays_chosen(club: TemporaryStore) -> None:
    client = create_app(club.reopen).test_client()
    option = '<option value="zigzag.take" selected>'
    assert option in client.get("/?clause=zigzag.take").text
    assert " selected>" not in client.get("/").text.partition("Rule broken")[2].partition("</select>")[0]
    assert 'value="zigzag.tak" selected' not in client.get("/?clause=zigzag.tak").text
    assert "<b>" not in client.get('/?clause="><b>').text.partition('role="search"')[2].partition("</form>")[0]


def test_names_are_offered_while_you_type(club: TemporaryStore) -> None:
    players = create_app(club.reopen).test_client().get("/api/v1/players").json
    names = dict.fromkeys(name for row in club.find(Query(limit=1)) for _id, name in row.players)
    assert {player["name"]: player["games"] for player in players["players"]} == dict.fromkeys(names, 62)


def test_a_thumbnail_is_kept_until_the_record_grows(club: TemporaryStore) -> None:
    client = create_app(club.reopen).test_client()
    version = club.version("live000000")
    answer = client.get(f"/g/live000000/thumbnail.svg?v={version}&size=large")
    assert (answer.mimetype, answer.status_code) == ("image/svg+xml", 200)
    assert 'width="220"' in answer.text
    assert "max-age" in answer.headers["Cache-Control"]
    small = client.get(f"/g/live000000/thumbnail.svg?v={version}", headers={"If-None-Match": answer.headers["ETag"]})
    assert small.status_code == 200  # the small one is another picture
    stale = client.get("/g/live000000/thumbnail.svg?v=1")
    assert "no-cache" in stale.headers["Cache-Control"]
    assert stale.data == small.data
    assert 'width="112"' in stale.text
    assert (
        client.get("/g/live000000/thumbnail.svg?v=1", headers={"If-None-Match": stale.headers["ETag"]}).status_code
        == 304
    )
    assert client.get("/g/nothing/thumbnail.svg?v=1").status_code == 404


# ---- The search line finds what people type: names without their accents, places, events, ids; and it suggests.


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    store = TemporaryStore()
    for record_id, game, place, event, names, played in (
        ("sq3pfirst1", "ziggurat", "the kitchen table", "Friday Night League", ("José", "Müller"), "2026-11-02"),
        ("w8kksecond", "build-up", "Café Ö", None, ("Łukasz", "Søren"), "2026-10-01"),
        ("t4mmthird1", "build-up", None, "Cup of the North", ("Ana", "Ben"), "2026-11-20"),
    ):
        record = simulate(catalog.find(game), 3, players=2)
        opening = record.opening
        assert isinstance(opening, Open)
        players = tuple(replace(player, name=name) for player, name in zip(opening.players, names, strict=True))
        opened = replace(opening, players=players, place=place, event=event, played=played)
        Recorder(store).import_record(replace(record, events=(opened, *record.events[1:])), record_id)
    return create_app(store.reopen).test_client()


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("jose", "sq3pfirst1"), ("muller", "sq3pfirst1"), ("lukasz", "w8kksecond"), ("soren", "w8kksecond"),
        ("JOSÉ", "sq3pfirst1"), ("friday", "sq3pfirst1"), ("kitchen", "sq3pfirst1"), ("cafe", "w8kksecond"),
        ("cup", "t4mmthird1"), ("buildup ana", "t4mmthird1"), ("night league", "sq3pfirst1"),
    ],
)  # fmt: skip
def test_a_line_finds_what_is_meant(client: FlaskClient, line: str, found: str) -> None:
    page = client.get("/", query_string={"q": line}).text
    assert f"/g/{found}" in page
    assert "1 game matches" in page


def test_the_beginning_of_an_id_leads_to_its_game(client: FlaskClient) -> None:
    answer = client.get("/?q=sq3p")
    assert (answer.status_code, answer.location) == (302, "/g/sq3pfirst1")


def test_a_mistyped_name_gets_a_suggestion(client: FlaskClient) -> None:
    page = client.get("/?q=lukaz").text
    assert "Did you mean" in page
    assert "Łukasz" in page
    assert "Clear the filters" not in page
    assert "Did you mean" not in client.get("/?q=qqqqqqqq").text


def test_the_latest_games_are_those_that_were_played_last(client: FlaskClient) -> None:
    page = client.get("/").text
    places = [page.index(f"/g/{record}") for record in ("t4mmthird1", "sq3pfirst1", "w8kksecond")]
    assert places == sorted(places)
