"""Sheets on paper: pasted and chosen ones are read, marked, mended and kept; blank ones are laid out."""

import base64
import html
import io
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient

from ledger import notation
from ledger.cli import cli
from ledger.games import catalog
from ledger.games.catalog import player_counts
from ledger.keep.imports import keep
from ledger.keep.recorder import Recorder, key_digest, new_key, new_link
from ledger.keep.score_cards import ScoreCard, compare
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.events import MOVES, Bid, Close, Draw, Lift, Open, Pass, Player
from ledger.record.record import Record
from ledger.stores import questions
from ledger.stores.beside import Key
from ledger.stores.query import Query
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.paper.brought_sheets import split_sheets
from viewer.server.phones_of_links import MOST, PHONES, Hands, kind
from viewer.server.qr_codes import qr_code

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


# ---- A club's past on the page: a try that shows everything, answers, keeping, and taking back.


KNOWN = ScoreCard("Block", {"Jörg Müller": 3, "Tom": 5}, None, "2026-01-01", "Cup")
TABLE = """day,game,player,score,runde
2026-03-01,Block,Jorg Muller,121,1
2026-03-01,Block,Ida,98,1
2026-03-02,Block,Tom,1.5,1
2026-03-02,Block,Ida,3,1
2026-01-01,Block,Jörg Müller,3,1
2026-01-01,Block,Tom,5,1
"""


@pytest.fixture
def past() -> TemporaryStore:
    store = TemporaryStore()
    keep(store, compare(store, [KNOWN]), "before.csv")
    return store


@pytest.fixture
def keeper(past: TemporaryStore) -> FlaskClient:
    return create_app(past.reopen).test_client()


def fields(page: str) -> dict[str, str]:
    """The form's fields, as a browser would send them."""
    return {
        html.unescape(name): html.unescape(value)
        for name, value in re.findall(r'<input (?:type="hidden" )?name="([^"]*)" value="([^"]*)"', page)
    }


def plain(page: str) -> str:
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", page)).split())


def bring(keeper: FlaskClient, text: str, name: str = "a.csv") -> str:
    return keeper.post("/bring", data={"file": (io.BytesIO(text.encode()), name), "do": "read"}).text


def games(past: TemporaryStore) -> int:
    return past.count_records(Query())


def test_a_table_is_tried_answered_kept_and_taken_back(keeper: FlaskClient, past: TemporaryStore) -> None:
    page = bring(keeper, TABLE)
    assert "E: what is runde ?" in plain(page), plain(page)
    assert "It holds 1." in plain(page)
    assert "A try: nothing is kept yet" in plain(page)
    assert 'value="keep"' not in page
    page = keeper.post("/bring/table", data=fields(page) | {"column-4": "skip"}).text
    said = plain(page)
    assert "Jorg Muller : the same as Jörg Müller , 1 game?" in said
    assert "Jörg Müller won Block, 121 : 98, against Ida." in said
    assert "D4 “1.5” is not a whole number of points" in said
    assert "1 game will be kept, 1 has a fault, 1 is here already." in said
    assert games(past) == 1
    kept = keeper.post("/bring/table", data=fields(page) | {"do": "keep"}).text
    assert "1 game kept" in plain(kept)
    assert (games(past), past.find(Query())[0].players[0][1]) == (2, "Jörg Müller")
    action, key = re.search(r'action="([^"]*)"><input type="hidden" name="key" value="([^"]*)"', kept).groups()  # type: ignore[union-attr]
    assert keeper.post(action).status_code == 401
    assert "1 game taken back" in plain(keeper.post(action, data={"key": key}).text)
    assert games(past) == 1
    assert "1 game brought back" in plain(keeper.post(action.replace("undo", "redo"), data={"key": key}).text)
    assert games(past) == 2
    assert "not known" not in plain(bring(keeper, TABLE))  # the answer is remembered


def test_somebody_else_stays_somebody_else(keeper: FlaskClient, past: TemporaryStore) -> None:
    table = TABLE.replace(",runde", "").replace(",1\n", "\n")
    page = bring(keeper, table)
    page = keeper.post("/bring/table", data=fields(page) | {"same-Jorg Muller": "no"}).text
    assert "Jorg Muller won Block" in plain(page)
    keeper.post("/bring/table", data=fields(page) | {"do": "keep"})
    assert past.find(Query())[0].players[0][1] == "Jorg Muller"


def test_the_cells_with_a_fault_are_answered_one_by_one(keeper: FlaskClient) -> None:
    table = "day,game,player,score,won\n3/4/2026,Block,Ana,1.204,oui\n3/4/2026,Block,Ben,1.100,no\n2026-04-05,Block,"
    page = bring(keeper, f"{table}Ana,7,yes\n2026-04-05,Block,Ben,1.5,no\n")
    assert "A2, A3 “3/4/2026” could be 2026-04-03 or 2026-03-04 3 Apr 2026 4 Mar 2026" in plain(page)
    page = keeper.post("/bring/table", data=fields(page) | {"cell-3/4/2026": "2026-03-04"}).text
    assert "D2 “1.204”: is it 1204? 1204" in plain(page)
    for text, meaning in (("1.204", "1204"), ("1.100", "1100"), ("oui", "yes")):
        page = keeper.post("/bring/table", data=fields(page) | {f"cell-{text}": meaning}).text
    assert "Ana won Block, 1204 : 1100, against Ben. 4 Mar 2026" in plain(page)
    assert "“1.100” is 1100 No, leave it out" in plain(page)
    assert "D3 “1.100”: is it" in plain(keeper.post("/bring/table", data=fields(page) | {"cell-1.100": ""}).text)
    kept = keeper.post("/bring/table", data=fields(page) | {"do": "keep"}).text
    assert "1 game kept 2 people, 1 evening, 4 Mar 2026 . 1 game with a fault was left out." in plain(kept)
    name, data = re.search(r'download="([^"]*)" href="data:text/csv;base64,([^"]*)"', kept).groups()  # type: ignore[union-attr]
    mended = base64.b64decode(data).decode("utf-8-sig")
    assert (name, mended.splitlines()) == (
        "a-faults.csv",
        ["day,game,player,score,won", "2026-04-05,Block,Ana,7,yes", "2026-04-05,Block,Ben,1.5,no"],
    )
    assert "1 game will be kept." in plain(bring(keeper, mended.replace("1.5", "5")))
    assert (
        "with a fault, as a file"
        not in keeper.post("/bring/table", data=fields(bring(keeper, mended.replace("1.5", "5"))) | {"do": "keep"}).text
    )


def test_an_answer_on_a_column_can_be_changed_and_what_contradicts_it_is_said(keeper: FlaskClient) -> None:
    page = bring(keeper, "day,game,player,score,punkte\n2026-03-01,Block,Ana,1,7\n2026-03-01,Block,Ben,2,3\n")
    page = keeper.post("/bring/table", data=fields(page) | {"column-4": "score"}).text
    assert "two columns, or more, have score; leave one out" in plain(page)
    assert 'value="keep"' not in page
    page = keeper.post("/bring/table", data=fields(page) | {"column-4": "skip"}).text
    assert re.search(r'value="skip" aria-pressed="true"', page)
    assert "Ben won Block, 2 : 1, against Ana." in plain(page)


def test_two_sides_are_offered_and_remembered(keeper: FlaskClient, past: TemporaryStore) -> None:
    table = "day,game,Home,Away,Home Score,Away Score\n2026-03-01,Block,Ana,Ben,1,2\n"
    page = bring(keeper, table)
    assert "Is each row a game between two sides?" in plain(page)
    page = keeper.post("/bring/table", data=fields(page) | {"sides": "1"}).text
    assert "Ben won Block, 2 : 1, against Ana." in plain(page)
    keeper.post("/bring/table", data=fields(page) | {"do": "keep"})
    assert games(past) == 2
    assert "Eva won Block, 9 : 1, against Ben." in plain(bring(keeper, table.replace("Ana,Ben,1,2", "Ben,Eva,1,9")))


def test_people_who_met_are_two_people(keeper: FlaskClient) -> None:
    page = bring(keeper, "day,game,player,score\n2026-03-01,Block,Anna M,1\n2026-03-01,Block,Anna N,2\n")
    assert "the same as" not in plain(page)
    assert "Anna N won Block, 2 : 1, against Anna M." in plain(page)


def test_other_scores_are_a_question(keeper: FlaskClient, past: TemporaryStore) -> None:
    table = "day,game,player,score\n2026-01-01,Block,Jörg Müller,9\n2026-01-01,Block,Tom,5\n"
    page = bring(keeper, table)
    assert "1 of these games is here with other scores" in plain(page)
    assert 'value="keep"' not in page
    page = keeper.post("/bring/table", data=fields(page) | {"differs": "amend"}).text
    kept = keeper.post("/bring/table", data=fields(page) | {"do": "keep"}).text
    assert "0 games kept, 1 corrected" in plain(kept)
    assert (games(past), past.find(Query())[0].audit.winners) == (1, ("p1",))  # type: ignore[union-attr]


def test_a_wide_table_pasted_and_an_export_of_bg_stats_are_tried_too(keeper: FlaskClient) -> None:
    page = keeper.post("/bring", data={"text": "day,|,Ana,Ben\n2026-03-01,,1,2\n"}).text
    assert "the game is missing" in plain(page)
    page = keeper.post("/bring/table", data=fields(page) | {"game": "Block"}).text
    assert "Ben won Block, 2 : 1, against Ana." in plain(page)
    play = (
        '{"plays":[{"gameRefId":1,"playDate":"2026-03-01","playerScores":[{"playerRefId":1,"winner":true},'
        '{"playerRefId":2,"winner":false}]}],"games":[{"id":1,"name":"Catan"}],'
        '"players":[{"id":1,"name":"Ana"},{"id":2,"name":"Ben"}]}'
    )
    assert "Ana won Catan against Ben; points not said." in plain(bring(keeper, play, "BGStatsExport.json"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [("day,Ana\n", "no rows below the titles"), ("day,day\n1,2\n", "two columns are called")],
)
def test_what_is_no_table_is_refused(keeper: FlaskClient, text: str, reason: str) -> None:
    assert reason in plain(bring(keeper, text))


def test_a_day_to_come_is_asked_about_and_a_broken_form_is_refused(keeper: FlaskClient, past: TemporaryStore) -> None:
    page = bring(keeper, "day,game,|,Ana,Ben\n2062-03-01,Block,,1,2\n")
    page = keeper.post("/bring/table", data=fields(page) | {"do": "keep"}).text
    assert "1 Mar 2062 has not come yet" in plain(page)
    assert games(past) == 1
    keeper.post("/bring/table", data=fields(page) | {"do": "keep"})
    assert games(past) == 2
    assert keeper.post("/bring/table", data={"data": "?"}).status_code == 400


def test_the_template_can_be_taken(keeper: FlaskClient) -> None:
    assert "2 games" in plain(bring(keeper, keeper.get("/bring/template.csv").data.decode("utf-8-sig")))


# ---- Several hands: a sheet of links for the tables of an evening, who records with which link, and links that end.


OWNER, SECRET = new_key(), new_key()
DAY = "2026-11-20"
PLAYERS = tuple(Player(id=name.lower(), name=name) for name in ("Ana", "Ben</b>", "לי"))
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/129.0 Mobile Safari/537.36"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15"
BID = json.loads(codec.encode_event(Bid("ana", 3)))


def opened(event: str, day: str = DAY) -> Open:
    return Open("zigzag", players=PLAYERS, event=event, played=day)


@pytest.fixture
def tabled() -> TemporaryStore:
    """Two tables of one day in two events, and what needs no link: a card, a closed game, a game of another day."""
    store = TemporaryStore()
    store.put([Key("", key_digest(OWNER), "owner"), Key("first00000", key_digest(SECRET))])
    recorder = Recorder(store)
    recorder.open(opened("Spring Cup"), "first00000")
    recorder.open(opened("League"), "second0000")
    recorder.open(opened("League", "2026-11-19"), "earlier000")
    recorder.open(opened("League"), "over000000")
    recorder.append("over000000", Close("abandoned"))
    recorder.import_record(ScoreCard("zigzag", {"Ana": 5, "Ben": 3}, None, DAY, None, None).record())
    return store


@pytest.fixture
def app(tabled: TemporaryStore) -> Flask:
    return create_app(tabled.reopen)


def client_of(app: Flask, key: str = OWNER) -> FlaskClient:
    client = app.test_client()
    client.set_cookie("domino", key)
    return client


def record(app: Flask, key: str = SECRET, *, number: int = 1, browser: str = ANDROID) -> int:
    """The status of the answer to an entry that a phone sends."""
    headers = {"Authorization": f"Bearer {key}", "User-Agent": browser}
    body = {"expected": number, "entries": [{"id": f"entry-{number:04}", "event": BID}]}
    return app.test_client().post("/api/v1/records/first00000/events", json=body, headers=headers).status_code


def test_the_sheet_has_a_code_for_each_table_that_records_there(
    app: Flask, tabled: TemporaryStore, monkeypatch
) -> None:
    key = new_key()
    monkeypatch.setattr("ledger.keep.recorder.new_key", lambda: key)
    assert "Phones cannot reach this address" in client_of(app).post("/owner/tables", data={"played": DAY}).text
    app.extensions["served"].phones = "http://club.example/"  # as a server notes it that listens everywhere
    page = client_of(app).post("/owner/tables", data={"played": DAY})
    assert page.status_code == 200
    assert page.headers["Cache-Control"] == "no-store"
    assert page.text.count("<figure") == 2
    for record_id in ("first00000", "second0000"):
        assert qr_code(f"http://club.example/r/{record_id}#{key}") in page.text
        assert f"<code>http://club.example/g/{record_id}</code>" in page.text
    assert key not in page.text  # a code only: what is read aloud or copied must not record
    assert "<bdi>Ben&lt;/b&gt;</bdi>" in page.text
    assert record(app, key) == 200
    assert record(app, SECRET, number=2) == 200
    only_one = client_of(app).post("/owner/tables", data={"played": DAY, "event": "spring", "only": "1"})
    assert only_one.text.count("<figure") == 1
    assert record(app, SECRET, number=3) == 401
    assert record(app, key, number=3) == 200
    assert len(list(tabled.kept(Key, "second0000"))) == 1  # both sheets have the same


@pytest.mark.parametrize("form", [{"played": "2026-11-21"}, {"played": DAY, "event": "Winter"}, {"played": "friday"}])
def test_a_day_without_a_game_in_play_has_no_sheet(app: Flask, form: dict[str, str]) -> None:
    assert client_of(app).post("/owner/tables", data=form).status_code == 409


def test_a_private_sheet_says_nowhere_where_people_watch(tabled: TemporaryStore) -> None:
    page = client_of(create_app(tabled.reopen, private=True)).post("/owner/tables", data={"played": DAY})
    assert (page.status_code, page.text.count("<figure"), "/g/first00000" in page.text) == (200, 2, False)


def test_the_owner_sees_who_records_and_ends_a_link(app: Flask, tabled: TemporaryStore) -> None:
    assert "Not used yet." in client_of(app).get("/owner").text
    assert [record(app), record(app, number=2), record(app, number=3, browser=IPHONE)] == [200] * 3
    page = client_of(app).get("/owner").text
    assert page.index("An iPhone: 1 entry, last heard") < page.index("An Android phone: 2 entries, last heard")
    link = key_digest(SECRET).hex()
    assert f'value="{link}"' in page
    question = {"id": "first00000", "key": SECRET}
    log = app.test_client().post("/api/v1/exchange", json=question).json
    assert log is not None
    assert log["seal"]
    assert client_of(app).post("/owner/end", data={"record": "first00000", "link": link}).status_code == 303
    headers = {"Authorization": f"Bearer {SECRET}"}
    body = {"expected": 4, "entries": [{"id": "entry-0004", "event": BID}]}
    refusal = app.test_client().post("/api/v1/records/first00000/events", json=body, headers=headers)
    assert refusal.status_code == 401
    assert "Ask the owner of the ledger for a new recorder's link" in refusal.json["detail"]  # type: ignore[index]
    # The phone hands in the keys with its seal; the ended link does not come back with them.
    returned = {**question, "add": log["events"], "seal": log["seal"]}
    answer = app.test_client().post("/api/v1/exchange", json=returned)
    assert (answer.status_code, answer.json["opens"]) == (200, False)  # type: ignore[index]
    assert record(app, number=4) == 401
    assert link not in client_of(app).get("/owner").text
    assert client_of(app).post("/owner/end", data={"record": "first00000", "link": link}).status_code == 409
    # A new link goes on where the other ended.
    assert record(app, new_link(tabled, "first00000", "record"), number=4) == 200


@pytest.mark.parametrize("key", ["", SECRET, new_key()], ids=["nobody", "recorder", "stranger"])
def test_nobody_but_the_owner_sees_or_ends_links(app: Flask, tabled: TemporaryStore, key: str) -> None:
    client = client_of(app, key)
    link = key_digest(SECRET).hex()
    assert link not in client.get("/owner").text
    assert client.post("/owner/end", data={"record": "first00000", "link": link}).status_code == 401
    assert client.post("/owner/tables", data={"played": DAY}).status_code == 401
    elsewhere = {"Origin": "https://elsewhere.example"}
    assert client_of(app).post("/owner/tables", data={"played": DAY}, headers=elsewhere).status_code == 403
    assert [kept.digest for kept in tabled.kept(Key, "first00000")] == [key_digest(SECRET)]


def test_only_so_many_phones_are_remembered() -> None:
    hands = Hands()
    for number in range(PHONES + 2):
        hands.note("a", b"key", (str(number), ANDROID), number)
    assert [phone.entries for phone in hands.of("a", b"key")] == [9, 8, 7, 6, 5, 4, 3, 2]
    for number in range(MOST):
        hands.note("b", b"%d" % number, ("", ""))
    assert hands.of("a", b"key") == []
    assert [kind(name) for name in (IPHONE, "Mozilla/5.0 (Windows NT 10.0)", "curl/8")] == [
        "an iPhone", "a computer", "a program",
    ]  # fmt: skip


def test_the_command_writes_the_sheet(tabled: TemporaryStore, tmp_path) -> None:
    page, path = tmp_path / "tables.html", str(tabled.path)

    def run(*arguments: str, status: int = 0) -> str:
        result = CliRunner().invoke(cli, ["--ledger", path, "link", *arguments])
        assert result.exit_code == status, result.output
        return result.output

    where = ("-o", str(page), "--address", "https://club.example", "--played", DAY)
    assert f"Wrote 2 links to {page}." in run(*where)
    assert page.read_text("utf-8").count("<figure") == 2
    with SqliteStore(Path(path)) as store:
        assert len(list(store.kept(Key, "second0000"))) == 1
    assert "no game of 2026-11-20 is in play" in run(*where[:4], "--played", "2026-11-20", "--event", "x", status=2)
    assert "for a sheet" in run("--event", "Cup", status=2)
    assert "leave the record" in run("first00000", *where, status=2)
    assert "should end in .html" in run("-o", str(tmp_path / "a.pdf"), "--played", DAY, status=2)
