"""The home page for who comes first, the examples of an empty ledger, and the daily puzzle."""

import re
from datetime import UTC, date, datetime, time, timedelta
from html import unescape

import msgspec
import pytest
from flask.testing import FlaskClient
from markupsafe import escape

from ledger.examples.season import season
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.keep.stored_audits import refresh
from ledger.play.puzzles import FIVE, puzzle
from ledger.record import clock, codec
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.browser_app import answer
from viewer.pictures.growing_picture import SECONDS
from viewer.referee.referee_routes import BACK
from viewer.rulebook.rulebook_routes import parts_of

DAYS = [date(2026, 11, 26) + timedelta(n) for n in range(4)]
"""Days whose puzzles are of the four games with one."""
ALIKE = [date(2026, 12, 15), date(2026, 12, 21), date(2026, 12, 31)]
"""Days with a moment after which the table is as it was: a lift, a claim."""
SENTENCE = "Record a game on your phone while you play it. Watch it again like a film. See which move broke which rule."
DOORS = ["Watch", "You are the referee", "Record on your phone"]


@pytest.fixture(params=DAYS, ids=str)
def day(request, monkeypatch) -> date:
    """The day on which the test runs."""
    noon = datetime.combine(request.param, time(12), UTC)
    monkeypatch.setattr(clock, "now", lambda: noon)
    return noon.date()


def test_the_games_take_turns() -> None:
    assert sorted(puzzle(f"{day}").record.opening.game for day in DAYS) == list(catalog.built_in())


@pytest.fixture
def empty() -> FlaskClient:
    return create_app(TemporaryStore().reopen).test_client()


@pytest.fixture(scope="module")
def club() -> FlaskClient:
    """A ledger with the season of the made-up club."""
    store = TemporaryStore()
    for example in season():
        Recorder(store).import_record(example.record, example.id)
    for _ in refresh(store):
        pass
    return create_app(store.reopen).test_client()


def doors(page: str) -> list[tuple[str, str]]:
    """The doors of a home page: their words and addresses."""
    found = re.findall(r'<li class="card door">.*?<h2><a href="([^"]*)">([^<]*)</a>', page, re.DOTALL)
    return [(words, address.replace("&amp;", "&")) for address, words in found]


@pytest.mark.usefixtures("day")
def test_an_empty_ledger_has_one_sentence_and_three_doors_that_open(empty: FlaskClient) -> None:
    page = empty.get("/").text
    assert SENTENCE in page
    assert [words for words, _address in doors(page)] == DOORS
    assert "they go when yours come" in page
    for _words, address in doors(page):
        assert empty.get(address).status_code == 200, address
    for picture in re.findall(r'<img src="([^"]+)"', page):
        drawn = empty.get(picture)
        assert drawn.status_code == 200
        assert drawn.text.count('href="#') > 2, "more than two tiles"


def test_an_example_says_that_it_is_one_and_goes_with_the_first_own_game() -> None:
    store = TemporaryStore()
    client = create_app(store.reopen).test_client()
    (_watch, address), *_others = doors(client.get("/").text)
    assert address.startswith("/examples/")
    assert "An example: a simulated game" in client.get(address).text
    Recorder(store).import_record(season()[0].record, "mine")
    assert client.get(address).status_code == 404
    assert "/examples/" not in client.get("/").text


def test_a_ledger_that_lost_its_records_shows_no_examples() -> None:
    store = TemporaryStore()
    client = create_app(store.reopen).test_client()
    with client.application.app_context(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("viewer.club.home.loss", lambda: "records are missing")
        assert not doors(client.get("/").text)


def test_games_that_nobody_can_watch_yet_open_no_door() -> None:
    store = TemporaryStore()
    Recorder(store).open(season()[0].record.opening, "begun")
    page = create_app(store.reopen).test_client().get("/").text
    assert not doors(page)
    assert "All games" in page


def test_a_picture_grows_once_for_less_than_five_seconds_and_stands_where_less_motion_is_asked_for(
    club: FlaskClient,
) -> None:
    picture = club.get(f"/g/{season()[-1].id}/growing.svg")
    assert picture.content_type.startswith("image/svg+xml")
    text = picture.text
    assert SECONDS < 5
    assert "infinite" not in text
    delays = [float(seconds) for seconds in re.findall(r"on 1ms ([\d.]+)s", text)]
    assert len(set(delays)) > 10
    assert max(delays) < SECONDS
    style = text[text.index("prefers-reduced-motion") :]
    assert ".stays{visibility:visible}" in style
    assert "animation:none" in style
    # A browser need not tell a picture that less motion is asked for: the page offers one that never moved.
    stills = re.findall(r'reduced-motion: reduce\)" srcset="([^"]*)"', club.get("/").text)
    assert stills
    for address in stills:
        still = club.get(address.replace("&amp;", "&")).text
        assert 'class="step' not in still
        assert len(set(re.findall(r"<g [^>]*>|<use [^>]*>", still))) > 10


def test_the_page_of_a_day_asks_and_its_answer_is_that_of_the_audit(empty: FlaskClient, day: date) -> None:
    made = puzzle(f"{day}")
    page = empty.get(f"/referee/{day}").text
    assert f'data-answer="{made.answer}"' in page
    assert page.count("data-move=") == FIVE
    assert made.finding.clause in page
    # Nothing in the pictures before and after the five moves, nor in their sentences, gives the answer away.
    pictures = page[page.index('data-shown="0"') : page.index('data-shown="judged"')]
    assert pictures.count("<svg") == FIVE + 1
    asked = pictures + page[page.index('<ol class="choices"') : page.index("</ol>")]
    assert not re.search(r"flag-|t-red|t-hatch|wrong|<s>", asked)
    replay = empty.get(f"/referee/{day}/replay?ply={made.finding.seq}")
    assert replay.status_code == 200
    assert f'id="p{made.finding.seq}" class="now flagged' in replay.text
    assert empty.get("/referee").text == page


@pytest.mark.parametrize("move", range(FIVE))
def test_without_a_script_a_tap_is_a_link_to_the_answer(empty: FlaskClient, day: date, move: int) -> None:
    page = empty.get(f"/referee?move={move}").text
    words = "Right!" if move == puzzle(f"{day}").answer else "Not that one."
    assert words in page
    assert '<section class="card pad" id="answer" tabindex="-1" aria-live="polite">' in page


def test_only_days_that_have_come_have_a_puzzle(empty: FlaskClient) -> None:
    today = clock.today()
    for day in (
        today + timedelta(2),
        today - timedelta(BACK + 1),
        "2026-13-01",
        "20261125",
        "today",
        "zigzag-0",
        "zigzag-4",
        "chess-1",
    ):
        assert empty.get(f"/referee/{day}").status_code == 404
        assert empty.get(f"/referee/{day}/replay").status_code == 404


def test_the_rules_on_a_phone_make_the_same_puzzle(empty: FlaskClient, day: date) -> None:
    text = f'{{"name":"{day}","today":"{day}"}}'
    page = msgspec.json.decode(answer("referee", text))
    assert page["html"] in empty.get("/referee").text
    assert codec.decode(page["record"]) == puzzle(f"{day}").record


def test_an_embed_leads_home_out_of_its_frame(club: FlaskClient) -> None:
    page = club.get(f"/embed/{season()[0].id}").text
    (mark,) = re.findall(r'<a class="mark"[^>]*>', page[: page.index("</header>")])
    assert 'href="/"' in mark
    assert 'target="_top"' in mark


@pytest.mark.parametrize("name", catalog.built_in())
def test_a_game_is_told_in_one_sentence_and_in_pictures(club: FlaskClient, name: str) -> None:
    page = club.get(f"/rules/{name}").text
    about = catalog.find(name).about
    assert about.count(".") == 1
    assert f'<p class="about-game">{escape(about)}</p>' in page
    addresses = re.findall(r'<li><img src="([^"]*)"', page)
    pictures = [club.get(address).text for address in addresses]
    assert len(set(pictures)) == len(pictures) == parts_of(name)
    assert min(picture.count("<use") for picture in pictures) > 2, "more than one tile"
    for path in ("/new", "/statistics", "/rules"):
        assert f"/rules/{name}/picture.svg" in club.get(path).text
    assert club.get("/rules/chess/picture.svg").status_code == 404


@pytest.mark.parametrize("day", [*DAYS, *ALIKE], ids=str, indirect=True)
def test_every_picture_of_a_game_that_no_ledger_has_is_there(empty: FlaskClient, day: date) -> None:
    for path in (f"/referee/{day}/replay", f"/examples/{season()[0].id}"):
        page = empty.get(path)
        assert page.status_code == 200
        assert "data-moment" in page.text
        pictures = [unescape(picture) for picture in re.findall(r'<img[^>]* src="([^"]+)"', page.text)]
        assert [picture for picture in pictures if "moment.svg?ply=" in picture]
        answers = [empty.get(picture) for picture in pictures]
        assert {answer.status_code for answer in answers} == {200}, path
        assert len({answer.data for answer in answers}) == len(answers)


def test_no_heading_lies_below_the_number_of_the_move_on_a_puzzles_table(client: FlaskClient) -> None:
    for name in ("zigzag-1", "build-up-1"):
        page = client.get(f"/referee/{name}").text
        assert page.count('class="picture"') == 7
        assert not re.search(">Hand [0-9]", page)
