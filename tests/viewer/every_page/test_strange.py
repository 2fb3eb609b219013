"""Texts from strangers stay text on every page, in every answer, picture and line of the log."""

import io
import logging
import re
from html import unescape
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.keep.recorder import new_id, new_key
from ledger.keep.stored_audits import refresh
from ledger.record.visible import visible
from strange import RAW, TEXTS, fill
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.server.logs import configure

LEDGER = TemporaryStore()
IDS = fill(LEDGER)
for _ in refresh(LEDGER):
    pass

PAGES = (
    "/", "/?place=three", "/?player=%1B", "/g/ID", "/g/ID?view=recorded", "/g/ID?ply=3", "/g/ID?fingerprint=x",
    "/embed/ID", "/g/ID/print", "/g/ID/replay.html", "/g/ID/sheet.txt", "/g/ID/record.json", "/g/ID/position.svg",
    "/new?from=ID", "/api/v1/records",
    "/api/v1/records/ID", "/api/v1/records/ID/steps", "/api/v1/records/ID/screen", "/api/v1/records/ID/audit",
    "/g/%1B[2J", "/%1B]52;", "/rules/%1B[2J", "/rules/zigzag?rules=%1B", "/api/v1/records/%1B", "/api/v1/games/%1B",
)  # fmt: skip


@pytest.fixture(scope="module")
def strange() -> Flask:
    return create_app(LEDGER.reopen)


@pytest.fixture
def client(strange: Flask) -> FlaskClient:
    return strange.test_client()


class Tags(HTMLParser):
    """The elements of a page and their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags = list[tuple[str, dict[str, str | None]]]()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("record_id", IDS, ids=map(str, range(len(IDS))))
def test_no_answer_holds_a_control_character_or_foreign_html(client: FlaskClient, record_id: str, page: str) -> None:
    answer = client.get(page.replace("ID", record_id))
    assert not RAW.search(answer.text), page
    assert not RAW.search("".join(f"{name}{value}" for name, value in answer.headers))
    if answer.mimetype == "text/html":
        assert "<script>window" not in answer.text, page
        for tag, attributes in Tags(answer.text).tags:
            assert tag != "iframe", page
            assert tag != "img" or (attributes.get("src") or "").startswith("/g/"), page  # our own small pictures
            assert "onerror" not in attributes, page
            assert not (attributes.get("href") or "").startswith("javascript"), page
    elif answer.mimetype == "image/svg+xml":
        ET.fromstring(answer.text)  # noqa: S314  our own


@pytest.mark.parametrize(("record_id", "text"), list(zip(IDS, TEXTS, strict=True)), ids=map(str, range(len(IDS))))
def test_the_code_to_embed_is_one_frame_wherever_it_is_pasted(client: FlaskClient, record_id: str, text: str) -> None:
    code = re.search('id="embed" value="([^"]*)"', client.get(f"/g/{record_id}").text)
    assert code
    pasted = unescape(code[1])
    ((tag, attributes),) = Tags(pasted).tags
    assert (tag, attributes["src"]) == ("iframe", f"http://localhost/embed/{record_id}")
    assert visible(text) in (attributes["title"] or "")
    assert pasted.endswith('"></iframe>')


@pytest.mark.parametrize("text", TEXTS)
def test_a_form_that_is_refused_shows_what_was_typed(client: FlaskClient, text: str) -> None:
    form = {"id": new_id(), "key": new_key(), "game": "zigzag", "player1": text, "place": text, "option.set": text}
    answer = client.post("/new", data=form)
    assert answer.status_code == 422
    assert not RAW.search(answer.text)
    assert unescape(answer.text).count(visible(text.strip())) or "\n" in text


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_log_holds_a_control_character(form: str) -> None:
    out = io.StringIO()
    handler = configure(form, out)  # type: ignore[arg-type]  # one of the two
    try:
        for text in TEXTS:
            logging.getLogger("waitress").error("Exception while serving %s", text)
            logging.getLogger("waitress").error("it failed", exc_info=OSError(text))
    finally:
        logging.getLogger().removeHandler(handler)
    assert not RAW.search(out.getvalue())
    assert len(out.getvalue().splitlines()) == 2 * len(TEXTS)
