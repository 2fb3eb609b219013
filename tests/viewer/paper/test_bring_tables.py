"""A club's past on the page: a try that shows everything, answers, keeping, and taking back."""

import base64
import html
import io
import re

import pytest
from flask.testing import FlaskClient

from ledger.keep.imports import keep
from ledger.keep.score_cards import CardFile, ScoreCard
from ledger.stores.query import Query
from temporary import TemporaryStore
from viewer.app import create_app

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
def ledger() -> TemporaryStore:
    store = TemporaryStore()
    keep(store, CardFile(store).compare([KNOWN]), "before.csv")
    return store


@pytest.fixture
def visitor(ledger: TemporaryStore) -> FlaskClient:
    return create_app(ledger.reopen).test_client()


def fields(page: str) -> dict[str, str]:
    """The form's fields, as a browser would send them."""
    return {
        html.unescape(name): html.unescape(value)
        for name, value in re.findall(r'<input (?:type="hidden" )?name="([^"]*)" value="([^"]*)"', page)
    }


def plain(page: str) -> str:
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", page)).split())


def bring(visitor: FlaskClient, text: str, name: str = "a.csv") -> str:
    return visitor.post("/bring", data={"file": (io.BytesIO(text.encode()), name), "do": "read"}).text


def games(ledger: TemporaryStore) -> int:
    return ledger.count_records(Query())


def test_a_table_is_tried_answered_kept_and_taken_back(visitor: FlaskClient, ledger: TemporaryStore) -> None:
    page = bring(visitor, TABLE)
    assert "E: what is runde ?" in plain(page), plain(page)
    assert "It holds 1." in plain(page)
    assert "A try: nothing is kept yet" in plain(page)
    assert 'value="keep"' not in page
    page = visitor.post("/bring/table", data=fields(page) | {"column-4": "skip"}).text
    said = plain(page)
    assert "Jorg Muller : the same as Jörg Müller , 1 game?" in said
    assert "Jörg Müller won Block, 121 : 98, against Ida." in said
    assert "D4 “1.5” is not a whole number of points" in said
    assert "1 game will be kept, 1 has a fault, 1 is here already." in said
    assert games(ledger) == 1
    kept = visitor.post("/bring/table", data=fields(page) | {"do": "keep"}).text
    assert "1 game kept" in plain(kept)
    assert (games(ledger), ledger.find(Query())[0].players[0][1]) == (2, "Jörg Müller")
    action, key = re.search(r'action="([^"]*)"><input type="hidden" name="key" value="([^"]*)"', kept).groups()  # type: ignore[union-attr]
    assert visitor.post(action).status_code == 401
    assert "1 game taken back" in plain(visitor.post(action, data={"key": key}).text)
    assert games(ledger) == 1
    assert "1 game brought back" in plain(visitor.post(action.replace("undo", "redo"), data={"key": key}).text)
    assert games(ledger) == 2
    assert "not known" not in plain(bring(visitor, TABLE))  # the answer is remembered


def test_somebody_else_stays_somebody_else(visitor: FlaskClient, ledger: TemporaryStore) -> None:
    table = TABLE.replace(",runde", "").replace(",1\n", "\n")
    page = bring(visitor, table)
    page = visitor.post("/bring/table", data=fields(page) | {"same-Jorg Muller": "no"}).text
    assert "Jorg Muller won Block" in plain(page)
    visitor.post("/bring/table", data=fields(page) | {"do": "keep"})
    assert ledger.find(Query())[0].players[0][1] == "Jorg Muller"


def test_the_cells_with_a_fault_are_answered_one_by_one(visitor: FlaskClient) -> None:
    table = "day,game,player,score,won\n3/4/2026,Block,Ana,1.204,oui\n3/4/2026,Block,Ben,1.100,no\n2026-04-05,Block,"
    page = bring(visitor, f"{table}Ana,7,yes\n2026-04-05,Block,Ben,1.5,no\n")
    assert "A2, A3 “3/4/2026” could be 2026-04-03 or 2026-03-04 3 Apr 2026 4 Mar 2026" in plain(page)
    page = visitor.post("/bring/table", data=fields(page) | {"cell-3/4/2026": "2026-03-04"}).text
    assert "D2 “1.204”: is it 1204? 1204" in plain(page)
    for text, meaning in (("1.204", "1204"), ("1.100", "1100"), ("oui", "yes")):
        page = visitor.post("/bring/table", data=fields(page) | {f"cell-{text}": meaning}).text
    assert "Ana won Block, 1204 : 1100, against Ben. 4 Mar 2026" in plain(page)
    assert "“1.100” is 1100 No, leave it out" in plain(page)
    assert "D3 “1.100”: is it" in plain(visitor.post("/bring/table", data=fields(page) | {"cell-1.100": ""}).text)
    kept = visitor.post("/bring/table", data=fields(page) | {"do": "keep"}).text
    assert "1 game kept 2 people, 1 evening, 4 Mar 2026 . 1 game with a fault was left out." in plain(kept)
    name, data = re.search(r'download="([^"]*)" href="data:text/csv;base64,([^"]*)"', kept).groups()  # type: ignore[union-attr]
    mended = base64.b64decode(data).decode("utf-8-sig")
    assert (name, mended.splitlines()) == (
        "a-faults.csv",
        ["day,game,player,score,won", "2026-04-05,Block,Ana,7,yes", "2026-04-05,Block,Ben,1.5,no"],
    )
    assert "1 game will be kept." in plain(bring(visitor, mended.replace("1.5", "5")))
    assert (
        "with a fault, as a file"
        not in visitor.post(
            "/bring/table", data=fields(bring(visitor, mended.replace("1.5", "5"))) | {"do": "keep"}
        ).text
    )


def test_an_answer_on_a_column_can_be_changed_and_what_contradicts_it_is_said(visitor: FlaskClient) -> None:
    page = bring(visitor, "day,game,player,score,punkte\n2026-03-01,Block,Ana,1,7\n2026-03-01,Block,Ben,2,3\n")
    page = visitor.post("/bring/table", data=fields(page) | {"column-4": "score"}).text
    assert "two columns, or more, have score; leave one out" in plain(page)
    assert 'value="keep"' not in page
    page = visitor.post("/bring/table", data=fields(page) | {"column-4": "skip"}).text
    assert re.search(r'value="skip" aria-pressed="true"', page)
    assert "Ben won Block, 2 : 1, against Ana." in plain(page)


def test_two_sides_are_offered_and_remembered(visitor: FlaskClient, ledger: TemporaryStore) -> None:
    table = "day,game,Home,Away,Home Score,Away Score\n2026-03-01,Block,Ana,Ben,1,2\n"
    page = bring(visitor, table)
    assert "Is each row a game between two sides?" in plain(page)
    page = visitor.post("/bring/table", data=fields(page) | {"sides": "1"}).text
    assert "Ben won Block, 2 : 1, against Ana." in plain(page)
    visitor.post("/bring/table", data=fields(page) | {"do": "keep"})
    assert games(ledger) == 2
    assert "Eva won Block, 9 : 1, against Ben." in plain(bring(visitor, table.replace("Ana,Ben,1,2", "Ben,Eva,1,9")))


def test_people_who_met_are_two_people(visitor: FlaskClient) -> None:
    page = bring(visitor, "day,game,player,score\n2026-03-01,Block,Anna M,1\n2026-03-01,Block,Anna N,2\n")
    assert "the same as" not in plain(page)
    assert "Anna N won Block, 2 : 1, against Anna M." in plain(page)


def test_other_scores_are_a_question(visitor: FlaskClient, ledger: TemporaryStore) -> None:
    table = "day,game,player,score\n2026-01-01,Block,Jörg Müller,9\n2026-01-01,Block,Tom,5\n"
    page = bring(visitor, table)
    assert "1 of these games is here with other scores" in plain(page)
    assert 'value="keep"' not in page
    page = visitor.post("/bring/table", data=fields(page) | {"differs": "amend"}).text
    kept = visitor.post("/bring/table", data=fields(page) | {"do": "keep"}).text
    assert "0 games kept, 1 corrected" in plain(kept)
    assert (games(ledger), ledger.find(Query())[0].audit.winners) == (1, ("p1",))  # type: ignore[union-attr]


def test_a_wide_table_pasted_and_an_export_of_bg_stats_are_tried_too(visitor: FlaskClient) -> None:
    page = visitor.post("/bring", data={"text": "day,|,Ana,Ben\n2026-03-01,,1,2\n"}).text
    assert "the game is missing" in plain(page)
    page = visitor.post("/bring/table", data=fields(page) | {"game": "Block"}).text
    assert "Ben won Block, 2 : 1, against Ana." in plain(page)
    play = (
        '{"plays":[{"gameRefId":1,"playDate":"2026-03-01","playerScores":[{"playerRefId":1,"winner":true},'
        '{"playerRefId":2,"winner":false}]}],"games":[{"id":1,"name":"Catan"}],'
        '"players":[{"id":1,"name":"Ana"},{"id":2,"name":"Ben"}]}'
    )
    assert "Ana won Catan against Ben; points not said." in plain(bring(visitor, play, "BGStatsExport.json"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [("day,Ana\n", "no rows below the titles"), ("day,day\n1,2\n", "two columns are called")],
)
def test_what_is_no_table_is_refused(visitor: FlaskClient, text: str, reason: str) -> None:
    assert reason in plain(bring(visitor, text))


def test_a_day_to_come_is_asked_about_and_a_broken_form_is_refused(
    visitor: FlaskClient, ledger: TemporaryStore
) -> None:
    page = bring(visitor, "day,game,|,Ana,Ben\n2062-03-01,Block,,1,2\n")
    page = visitor.post("/bring/table", data=fields(page) | {"do": "keep"}).text
    assert "1 Mar 2062 has not come yet" in plain(page)
    assert games(ledger) == 1
    visitor.post("/bring/table", data=fields(page) | {"do": "keep"})
    assert games(ledger) == 2
    assert visitor.post("/bring/table", data={"data": "?"}).status_code == 400


def test_the_template_can_be_taken(visitor: FlaskClient) -> None:
    assert "2 games" in plain(bring(visitor, visitor.get("/bring/template.csv").data.decode("utf-8-sig")))
