"""The strip of moments on the page of a game: its pictures, its words, the reason on the table."""

import io
import re
from html import unescape

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace
from PIL import Image

from ledger.audit.moments import moments
from ledger.audit.review import Review
from ledger.games.catalog import find
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from ledger.record.record import Record
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.replay.link_preview import picture
from viewer.replay.replay_view import ReplayView


@pytest.fixture(scope="module")
def ledger() -> TemporaryStore:
    """A ledger of its own."""
    return TemporaryStore()


@pytest.fixture(scope="module")
def game(ledger: TemporaryStore) -> str:
    """The id of a simulated game in it."""
    return Recorder(ledger).import_record(simulate(find("ziggurat"), 1))


@pytest.fixture
def client(ledger: TemporaryStore) -> FlaskClient:
    """A viewer of it."""
    return create_app(lambda: ledger).test_client()


def test_the_strip_has_a_picture_and_the_words_of_each_moment(
    client: FlaskClient, ledger: TemporaryStore, game: str
) -> None:
    page = unescape(client.get(f"/g/{game}").text).replace("\u00a0", " ")
    texts = {re.sub("<[^>]*>", "", words) for words in re.findall("<span>(<b>.*?)</span></a>", page)}
    found = moments(Review(ledger.read(game)))
    assert page.count("data-moment ") == len(found)
    for moment in found:
        assert f"{moment.seq} {moment.words}" in texts
        assert f'title="{moment.headline}"' in page
        picture = client.get(f"/g/{game}/moment.svg?ply={moment.seq}&v={len(ledger.read(game).events)}")
        assert picture.mimetype == "image/svg+xml"
        assert "<image" not in picture.text
        assert "max-age=" in picture.headers["Cache-Control"]


def test_a_long_name_is_cut_before_what_happened() -> None:
    record = simulate(find("zigzag"), 3, players=3)
    names = ("Maximiliana-Theodora", "علي الفيتوري", "Cy")
    players = tuple(replace(player, name=name) for player, name in zip(record.opening.players, names, strict=True))
    view = ReplayView("one", Record((replace(record.opening, players=players), *record.events[1:])))
    parted = [view.words_of(moment) for moment in view.moments]
    assert {who for who, _what in parted} >= {"Maximiliana-Theodora", "علي"}
    for who, what in parted:
        assert not who or what[0] == "+" or what[0].islower(), what


def test_the_reason_stands_on_the_table_at_a_moment_and_only_there(
    client: FlaskClient, ledger: TemporaryStore, game: str
) -> None:
    for moment in moments(Review(ledger.read(game)))[:2]:
        page = unescape(client.get(f"/g/{game}?ply={moment.seq}").text)
        words = f"<b>{moment.headline}</b> {moment.why}"
        assert f'id="caption" aria-hidden="true"><span>{words}</span></p>' in re.sub("[\u00a0]", " ", page).replace(
            "\u2011", "-"
        )
    assert 'id="caption" aria-hidden="true" hidden>' in client.get(f"/g/{game}?ply=9").text


def test_a_page_that_follows_a_game_gets_its_moments(client: FlaskClient, game: str) -> None:
    strip = client.get(f"/g/{game}/parts").json["story"]
    assert strip.startswith("{#") is False
    assert "moment.svg?ply=29" in unescape(strip)


def test_a_file_has_the_strip_without_pictures(client: FlaskClient, game: str) -> None:
    page = client.get(f"/g/{game}/replay.html").text
    assert "data-moment " in page
    assert "moment.svg" not in page


def test_gif_and_card_tell_the_moments() -> None:
    record = simulate(find("ziggurat"), 3)
    view = ReplayView("one", record)
    store = TemporaryStore()
    Recorder(store).import_record(record, "one")
    client = create_app(store.reopen).test_client()
    whole = client.get("/g/one/animation.gif?every=100").data
    with Image.open(io.BytesIO(whole)) as gif:
        places = sorted({0, len(view.strips) - 1, *(moment.place for moment in view.moments)})
        assert gif.n_frames == len(places)
        seconds = {moment.place: moment.seconds for moment in view.moments}
        for number, place in enumerate(places[:-1]):
            gif.seek(number)
            assert gif.info["duration"] == pytest.approx(1000 * seconds.get(place, 0.7), abs=10)
    for moment in view.moments:
        drawing = client.get(f"/g/one/position.svg?ply={moment.seq}").text
        assert f'class="t-headline" x="16" y="686">{moment.headline}</text>' in drawing
    moment = next(moment for moment in view.moments if not view.story.lines[moment.place].findings)
    with client.application.test_request_context():
        card = picture(view, moment.place)
    assert moment.headline.split()[0] in card
    assert "flag-breach" not in card.partition("</defs>")[2]
