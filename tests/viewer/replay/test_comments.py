"""Readers' comments: stored beside the record, shown on the page, folded away, erased."""

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from ledger.cli import cli
from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.keep.transfer import forget_comments, transfer
from ledger.play.simulate import simulate
from ledger.stores.beside import MOST_COMMENTS, Comment, Key
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore
from viewer.app import create_app

KEY = new_key()


@pytest.fixture
def store() -> TemporaryStore:
    """A ledger with one game."""
    store = TemporaryStore()
    Recorder(store).import_record(simulate(catalog.find("ziggurat"), 3), "game")
    store.put([Key("game", key_digest(KEY))])
    return store


def say(client: FlaskClient, text: str = "Well played", **fields: str) -> int:
    """Sends a comment; returns the status of the answer."""
    return client.post("/g/game/comments", data={"seq": "5", "text": text, **fields}).status_code


def test_a_comment_stands_on_the_page_and_not_in_the_record(client: FlaskClient, store: TemporaryStore) -> None:
    before = store.read("game")
    page_before = client.get("/g/game").text
    answer = client.post("/g/game/comments", data={"seq": "5", "text": "  Why\nnot <b>b2</b>? ", "author": " Zoë "})
    assert (answer.status_code, answer.location) == (303, "/g/game#5")
    page = client.get("/g/game").text
    assert "Why not &lt;b&gt;b2&lt;/b&gt;?" in page
    assert "Zoë" in page
    assert 'data-about="5"' in page
    assert 'data-about="5"' not in page_before
    assert store.read("game") == before
    assert "Zoë" not in client.get("/embed/game").text


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": ""},
        {"text": " \n "},
        {"text": "x" * 501},
        {"author": "x" * 61},
        {"seq": "999"},
        {"seq": "-1"},
        {"seq": ""},
    ],
)
def test_an_invalid_comment_is_refused_in_words(
    client: FlaskClient, store: TemporaryStore, wrong: dict[str, str]
) -> None:
    answer = client.post("/g/game/comments", data={"seq": "5", "text": "Hm", **wrong})
    assert answer.status_code == 400
    assert "no such move" in answer.text or "A comment has" in answer.text
    assert not list(store.kept(Comment))


def test_a_page_elsewhere_cannot_comment(client: FlaskClient, store: TemporaryStore) -> None:
    form = {"seq": "5", "text": "Spam"}
    for headers in ({"Origin": "https://elsewhere.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        assert client.post("/g/game/comments", data=form, headers=headers).status_code == 403
    assert (
        create_app(store.reopen, recording=False).test_client().post("/g/game/comments", data=form).status_code == 409
    )
    assert "commenting" not in create_app(store.reopen, recording=False).test_client().get("/g/game").text
    assert not list(store.kept(Comment))


def test_the_recorder_folds_a_comment_away_and_shows_it_again(client: FlaskClient, store: TemporaryStore) -> None:
    say(client)
    address, bearer = "/g/game/comments/1/fold", {"Authorization": f"Bearer {KEY}"}
    assert client.post(address).status_code == 401
    assert client.post(address, headers={"Authorization": f"Bearer {new_key()}"}).status_code == 401
    assert client.post(address, headers=bearer).status_code == 204
    assert [comment.folded for comment in store.kept(Comment, "game")] == [True]
    assert "Folded away by the recorder" in client.get("/g/game").text
    assert client.post(address, data={"folded": "0"}, headers=bearer).status_code == 204
    assert "Folded away" not in client.get("/g/game").text
    assert client.post("/g/game/comments/2/fold", headers=bearer).status_code == 404


def test_a_game_has_a_limit_on_comments(client: FlaskClient, store: TemporaryStore) -> None:
    store.put(Comment("game", n, 5, "x") for n in range(1, MOST_COMMENTS + 1))
    assert say(client) == 409


def test_a_comment_that_was_changed_is_found_and_goes(tmp_path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as store:
        Recorder(store).import_record(simulate(catalog.find("ziggurat"), 3), "game")
        for text in ("One", "Two", "Three"):
            store.put([Comment("game", 0, 5, text)])
        assert list(store.differences()) == []
        with store.connection.writing():
            store.connection.many("UPDATE comment SET text = 'Foul!' WHERE number = ?", [(1,)])
            store.connection.many("DELETE FROM comment WHERE number = ?", [(2,)])
        assert [difference.reason for difference in store.differences()] == [
            "comment 1 was changed; `domino-ledger repair` deletes it",
            "the table comment has 2 rows, and should have 3",
        ]
        assert [difference.reason for difference in store.rebuild()] == ["comment 1 was changed and is deleted"]
        assert [comment.text for comment in store.kept(Comment)] == ["Three"]
        assert list(store.differences()) == []


def test_comments_are_copied_and_forgotten(tmp_path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as file:
        Recorder(file).import_record(simulate(catalog.find("ziggurat"), 3), "game")
        file.put([Comment("game", 0, 5, "I saw it", "Zoë")])
        file.put([Comment("game", 0, 5, "zoë was right, not Zoëlle")])
        file.put([Comment("game", 0, 6, "Nice")])
        with SqliteStore(tmp_path / "b.sqlite") as copy:
            list(transfer(file, copy))
            assert list(copy.kept(Comment)) == list(file.kept(Comment))
            assert forget_comments(file, "Zoe\N{COMBINING DIAERESIS}") == (1, 1)
            assert [comment.text for comment in file.kept(Comment)] == ["… was right, not Zoëlle", "Nice"]
            list(transfer(file, copy))
            assert list(copy.kept(Comment)) == list(file.kept(Comment))


def test_a_person_who_only_commented_is_forgotten_too(tmp_path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as store:
        Recorder(store).import_record(simulate(catalog.find("ziggurat"), 3), "game")
        store.put([Comment("game", 0, 5, "I saw it", "Zoë")])
    result = CliRunner().invoke(cli, ["--ledger", str(tmp_path / "a.sqlite"), "forget", "Zoë", "--yes"])
    assert "comments: 1 by this person deleted" in result.output
    with SqliteStore(tmp_path / "a.sqlite") as store:
        assert not list(store.kept(Comment))
    assert "Zoë".encode() not in (tmp_path / "a.sqlite").read_bytes()
