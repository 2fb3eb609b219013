"""A line game on a phone: the guide's Block, installed as a plug-in, recorded by taps from the first tile on."""

import os
import re
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from at_table import begin, by_seats
from axe_playwright_python.sync_playwright import Axe
from club import Club
from msgspec.structs import replace
from playwright.sync_api import BrowserContext, Page, expect
from thumb import Thumb

from ledger.audit.auditor import audit
from ledger.play.simulate import simulate
from ledger.record.events import ACTS, Close, Deal, Open, Pass, Play, Player, Result
from ledger.record.record import Record
from ledger.record.tiles import named
from ledger.rules.game import Game
from plugin_home import ROOT, install_block, installed

TWO = Open("block", players=(Player(id="p1", name="Ana"), Player(id="p2", name="Ben")))


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """A folder in which Block is installed."""
    return install_block(tmp_path_factory)


@pytest.fixture
def block(home: Path) -> Iterator[Game[Any]]:
    """The game itself, for the duration of a test."""
    with installed(home, "block") as game:
        yield game


@pytest.fixture
def club(tmp_path, home: Path, monkeypatch) -> Iterator[Club]:
    """A server that has Block beside its own games."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (home, ROOT))))
    club = Club(tmp_path)
    yield club
    club.kill()


@pytest.fixture
def table(phone: BrowserContext, club: Club) -> tuple[Page, Thumb]:
    """A game of Block that was begun from the start page."""
    page = phone.new_page()
    begin(page, club, TWO)
    return page, Thumb(page)


def tiles(page: Page) -> list[str]:
    """The line as the page shows it, each tile as it lies."""
    pictures = page.locator("#middle .piles .pile svg").all()
    return ["-".join(re.findall(r'href="#h(\d+)"', picture.inner_html())) for picture in pictures]


def test_a_whole_game_by_taps_from_the_start_page(phone: BrowserContext, club: Club, block: Game[Any]) -> None:
    record = by_seats(simulate(block, 4))
    acts = [event for event in record.events if isinstance(event, ACTS) and not isinstance(event, Deal)]
    assert any(isinstance(act, Pass) for act in acts)
    page = phone.new_page()
    begin(page, club, record.opening)
    thumb, record_id = Thumb(page), page.url.rpartition("/")[2]
    middle = len(acts) // 3
    for at, act in enumerate(acts):
        if at == middle:
            thumb.all_recorded()
            phone.set_offline(True)
            thumb.cut_off = True
        if at == middle + 4:
            expect(page.locator("#sync")).to_have_text("4 wait here")
            waiting = page.locator("#beside .waiting li")
            expect(waiting).to_have_count(4)
            words = " ".join(waiting.all_inner_texts()).replace("\u2011", "-")
            laid = re.findall(r"plays (\d+-\d+)", words)
            line = tiles(page)
            phone.set_offline(False)
            thumb.cut_off = False
            thumb.all_recorded()
            expect(page.locator("#status[data-sure=true]")).to_be_visible()
            grown = tiles(page)
            assert len(grown) == len(line) + len(laid)
            for tile in laid:
                assert tile in grown or "-".join(reversed(tile.split("-"))) in grown
        thumb.enter(act)
    thumb.all_recorded()
    recorded_acts = [replace(event, when=None) for event in club.read(record_id).events if isinstance(event, ACTS)]
    assert recorded_acts == acts
    page.get_by_role("button", name="Confirm result").tap()
    expect(page.locator("[data-end=closed] h2")).to_contain_text("Game over.")
    thumb.all_recorded()
    closed_record = club.read(record_id)
    assert isinstance(closed_record.events[-1], Close)
    assert [e.winners for e in closed_record.events if isinstance(e, Result)] == [
        e.winners for e in record.events if isinstance(e, Result)
    ]
    report = audit(block, closed_record)
    assert report.finished
    assert {finding.verdict for finding in report.findings} <= {"unproven"}
    assert statistics.median(count for _what, count in thumb.taps) <= 2
    assert max(count for _what, count in thumb.taps) <= 4


def test_a_tile_that_fits_both_ends_asks_for_one_and_that_is_put_right(
    table: tuple[Page, Thumb], club: Club, block: Game[Any]
) -> None:
    page, thumb = table
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    record_id = page.url.rpartition("/")[2]
    expect(page.locator("#ends button")).to_have_text(["← Left end", "Right end →"])
    for act in (Play("p1", named("1-5")), Play("p2", named("3-5"), "right")):
        thumb.enter(act)
    assert [count for _what, count in thumb.taps] == [1, 1]  # the tiles are keys
    expect(page.locator("#status")).to_have_attribute("data-sure", "true")
    before = thumb.total()
    thumb.tile(named("1-3"))
    expect(page.locator("#ask")).to_have_text("Which end does the 1\u20113 go to?")
    expect(page.locator("#ends .lit")).to_have_count(2)
    result = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa"]})
    assert result.violations_count == 0, result.generate_report()
    page.locator("#held").click()  # put back
    expect(page.locator("#ends .lit")).to_have_count(0)
    assert thumb.total() == before
    thumb.enter(Play("p1", named("1-3"), "left"))
    thumb.all_recorded()
    assert thumb.taps[-1] == ("play", 2)
    assert tiles(page) == ["3-1", "1-5", "5-3"]
    assert [event.end for event in club.read(record_id).events if isinstance(event, Play)] == [None, "right", "left"]
    # An end is put right.
    page.locator("#show-moves").tap()
    page.locator("#moves ol [data-seq='3']").tap()
    page.get_by_role("button", name="Another place").tap()
    expect(page.locator(".banner", has_text="Where did it lie?")).to_be_visible()
    with thumb.more():
        page.locator("#ends [data-end=right]").tap()
    assert tiles(page) == ["1-5", "5-3", "3-1"]
    assert audit(block, Record(club.read(record_id).events)).verdict == "clean"
    assert errors == []


def test_an_end_that_is_tapped_first_gets_the_tile_legal_or_not(table: tuple[Page, Thumb], club: Club) -> None:
    page, thumb = table
    record_id = page.url.rpartition("/")[2]
    thumb.enter(Play("p1", named("1-5")))
    expect(page.locator("#status")).to_have_attribute("data-sure", "true")
    page.locator("#ends [data-end=left]").tap()
    expect(page.locator("#ends [data-end=left]")).to_have_attribute("aria-pressed", "true")
    thumb.tile(named("2-5"))
    expect(page.locator("#doubt")).to_contain_text("The 2-5 does not fit on the left.")
    with thumb.more():
        page.get_by_role("button", name="Yes, record it").tap()
    expect(page.locator("#ends [aria-pressed=true]")).to_have_count(0)
    last = club.read(record_id).events[-1]
    assert isinstance(last, Play)
    assert (last.tile, last.end) == (named("2-5"), "left")
    expect(page.locator("#last")).to_contain_text("left end")
