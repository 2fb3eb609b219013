"""A replay in a single file checks itself in a browser, without a server, and names a changed byte."""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from golden import FIXTURES
from ledger.keep.recorder import Recorder
from ledger.proof.checkpoints import Signer, prove
from ledger.record import codec
from ledger.record.record import Record
from runtime_home import runtime
from temporary import TemporaryStore
from viewer import exports

RECORD = codec.decode((FIXTURES / "ziggurat" / "ending-single-place.json").read_bytes())
BEGINNING = codec.check(RECORD.events[:8])
"""What is drawn and compared in a quarter of the time."""
PATIENCE = 90_000
"""Milliseconds for the rules to start, enough for a busy machine too."""


def signed(record: Record) -> str:
    """A self-contained page with a signed checkpoint."""
    runtime()
    store = TemporaryStore()
    Recorder(store).import_record(record, "one")
    signer = Signer(Signer.new_key("club.example/ledger"))
    proof = msgspec.json.encode(prove(store, "one", signer)).decode()
    return exports.html("one", record, self_contained=True, proof=proof, key=str(signer.verifier)).decode()


@pytest.fixture(scope="module")
def html() -> str:
    """The page of a whole game."""
    return signed(RECORD)


@pytest.fixture(scope="module")
def short_html() -> str:
    """The page of a game that has begun."""
    return signed(BEGINNING)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A phone without a network."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, offline=True)
    yield context.new_page()
    context.close()


def result(page: Page, path: Path) -> str:
    """The text of a file after *Check this game*."""
    page.goto(path.as_uri())
    page.get_by_role("button", name="Check this game").click()
    page.locator("#checked.ok, #checked.altered").or_(page.get_by_text("cannot be checked here")).wait_for(
        timeout=PATIENCE
    )
    return page.locator("#checked").inner_text()


def test_a_file_checks_itself_without_any_server(page: Page, html: str, tmp_path: Path) -> None:
    (tmp_path / "game.html").write_text(html, "utf-8")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    words = result(page, tmp_path / "game.html")
    assert words.startswith("This file checks out")
    assert "Everything on this page is what the record says." in words
    assert "Signed by club.example/ledger" in words
    assert [url for url in requests if not url.startswith(("file:", "blob:", "data:"))] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(
    ("right", "wrong", "named"),
    [
        ('"player":"ana"', '"player":"ben"', "was changed: “Ben"),
        ('"fingerprint":"', '"fingerprint":"9', "The file notes the fingerprint 9"),
        ('id="rules">H4sI', 'id="rules">H4sJ', "The rules in this file were changed or cut off"),
        ('<a class="', '<a class="x', "was changed: its “class” is “x"),
    ],
    ids=["an event", "the fingerprint", "the rules", "an attribute"],
)
def test_a_changed_byte_is_named(
    page: Page, short_html: str, tmp_path: Path, right: str, wrong: str, named: str
) -> None:
    changed = short_html.replace(right, wrong, 1)
    assert changed != short_html
    (tmp_path / "game.html").write_text(changed, "utf-8")
    words = result(page, tmp_path / "game.html")
    assert named in words
    assert "<" not in words, "no markup, but words"
    expect(page.locator("#checked.ok")).to_have_count(0)


def test_each_changed_byte_is_named(page: Page, short_html: str, tmp_path: Path) -> None:
    html = short_html
    for right, wrong in (("<!doctype html>", "<!doctype htmm>"), ('<b class="n">', '<b class="n">1')):
        assert right in html
        html = html.replace(right, wrong, 1)
    (tmp_path / "game.html").write_text(html, "utf-8")
    words = result(page, tmp_path / "game.html")
    assert "the document type in its first line was changed" in words
    assert "In “Score”, this file says “1" in words
    assert "<" not in words, "no markup, but words"
    expect(page.locator("#checked.ok")).to_have_count(0)


def test_a_changed_drawing_is_named(page: Page, html: str, tmp_path: Path) -> None:
    encoded = re.findall(r'"phone plan 2":"([^"]+)"', html)[0]
    drawn = gzip.decompress(base64.b64decode(encoded)).replace(b"Level 2", b"Level 3", 1)
    changed = html.replace(encoded, base64.b64encode(gzip.compress(drawn)).decode())
    (tmp_path / "game.html").write_text(changed, "utf-8")
    assert "Of the drawings, these are not what the record says: phone plan 2." in result(page, tmp_path / "game.html")
    expect(page.locator("#checked.ok")).to_have_count(0)


def test_a_saved_page_turns_lifts_and_shows_the_plan_without_a_network(page: Page, html: str, tmp_path: Path) -> None:
    (tmp_path / "game.html").write_text(html, "utf-8")
    page.goto((tmp_path / "game.html").as_uri())
    page.locator("html[data-ready]").wait_for()
    drawing = page.locator(".stage .drawing")
    stacked = drawing.inner_html()
    page.get_by_label("Turn by a quarter").click()
    page.locator(".stage:not([aria-busy])").wait_for()
    turned = drawing.inner_html()
    page.get_by_label("One level down").click()
    lifted = drawing.inner_html()
    page.get_by_role("button", name="Plan", exact=True).click()
    page.locator(".t-sheet").first.wait_for()
    assert len({stacked, turned, lifted, drawing.inner_html()}) == 4


def test_a_light_file_fetches_the_rules_from_where_it_came(browser: Browser, address: str, tmp_path: Path) -> None:
    runtime()
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    answer = context.request.get(f"{address}/g/ziggurat.ending-single-place/replay.html")
    (tmp_path / "game.html").write_bytes(answer.body())
    assert len(answer.body()) < 1_000_000
    assert result(page, tmp_path / "game.html").startswith("This file checks out")
    context.close()


def test_without_the_rules_it_says_how_to_get_them(page: Page, tmp_path: Path) -> None:
    (tmp_path / "game.html").write_bytes(exports.html("one", RECORD))
    words = result(page, tmp_path / "game.html")
    assert words.startswith("This game cannot be checked here")
    assert "--self-contained" in words
