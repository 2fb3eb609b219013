"""A phone at the table: slips, corrections, and what the players called."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from at_table import Table, acts_of, assert_recorded, open_recorder, plain, play_astray
from axe_playwright_python.sync_playwright import Axe
from club import Club
from playwright.sync_api import BrowserContext, Page, expect
from thumb import low_first

from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from ledger.record.events import ACTS, Amend, Insert, Place, Retract, Stack
from ledger.stores.sqlite import SqliteStore


def test_an_illegal_move_is_shown_with_its_clause_before_it_is_kept(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    thumb.enter(acts[0])
    thumb.all_recorded()
    assert isinstance(acts[1], Place)
    assert isinstance(acts[2], Place)
    stray = play_astray(thumb, acts[1])
    doubt = page.locator("#doubt")
    expect(doubt).to_contain_text("ziggurat.base")
    doubt.get_by_role("button", name="Back").tap()
    assert_recorded(club, record_id, acts[:1])
    # The tile is still in hand.
    halves = low_first(stray)
    thumb.square(halves[0][0] * 0.7 + halves[1][0] * 0.3 + 0.5, halves[0][1] * 0.7 + halves[1][1] * 0.3 + 0.5)
    with thumb.more():
        doubt.get_by_role("button", name="Yes, record it").tap()
    assert_recorded(club, record_id, [acts[0], stray])
    expect(page.locator("#misfits")).to_contain_text("breaks a rule")
    page.locator("#misfits summary").tap()
    page.get_by_role("button", name="Correct").first.tap()
    with thumb.more():
        page.get_by_role("button", name="Delete").tap()
        doubt.get_by_role("button", name="Delete").tap()
    expect(page.locator("#misfits")).not_to_contain_text("a rule")


def test_undo_takes_back_and_a_missed_move_is_put_in_between(phone: BrowserContext, club: Club) -> None:
    record = simulate(catalog.find("build-up"), 3)
    all_acts = [event for event in record.events if isinstance(event, ACTS)]
    start = next(at for at, act in enumerate(all_acts) if isinstance(act, Stack))
    acts = all_acts[start:]
    link, record_id = club.open(record.opening)
    with SqliteStore(club.path) as store:
        for act in all_acts[:start]:
            Recorder(store).append(record_id, act)
    page = phone.new_page()
    thumb = open_recorder(page, link)
    thumb.enter(acts[0])
    thumb.enter(acts[1])
    with thumb.more():
        page.locator("#undo").tap()
    assert isinstance(club.read(record_id).events[-1], Retract)
    thumb.enter(acts[2])  # out of turn: the table says that it stood
    thumb.all_recorded()
    page.locator("#show-moves").tap()
    page.locator("#moves [data-seq]").last.tap()
    page.get_by_role("button", name="Insert before").tap()
    thumb.enter(acts[1])
    thumb.all_recorded()
    assert isinstance(club.read(record_id).events[-1], Insert)
    assert acts_of(club.read(record_id))[start:] == acts[:3]
    page.locator("#show-moves").tap()
    page.locator("#moves [data-seq]").last.tap()
    with thumb.more(2):
        page.get_by_role("button", name="Move up").tap()
    assert acts_of(club.read(record_id))[start:] == [acts[0], acts[2], acts[1]]


def test_points_and_totals_as_the_table_called_them(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    thumb.enter(acts[0])
    thumb.all_recorded()
    page.locator("#show-calls").tap()
    page.locator("[data-claim=points] input").fill("3")
    with thumb.more():
        page.locator("[data-claim=points] button").tap()
    last = club.read(record_id).events[-1]
    assert isinstance(last, Amend)
    assert isinstance(last.event, Place)
    assert last.event.points == 3
    expect(page.locator("#last .flag")).to_be_visible()
    page.locator("#show-calls").tap()
    page.locator("[data-claim=score] [name='points.ana']").fill("3")
    with thumb.more():
        page.locator("[data-claim=score] button").tap()
    page.locator("#show-calls").tap()
    page.locator("[data-claim=note] [name=text]").fill("<b>Tea</b>")
    with thumb.more():
        page.locator("[data-claim=note] button").tap()
    page.locator("#show-moves").tap()
    expect(page.locator("#moves")).to_contain_text("<b>Tea</b>")


@pytest.mark.parametrize("glass", [False, True], ids=["on-its-square", "on-the-same-spot-of-the-glass"])
def test_a_tile_is_turned_by_a_second_tap_and_leaves_no_trace(table: Table, club: Club, *, glass: bool) -> None:
    page, thumb, record_id, acts = table
    first = acts[0]
    assert isinstance(first, Place)
    page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))  # so that both taps come at once on any machine
    thumb.enter(first)
    if glass:
        thumb.again()
    else:
        # Until the answer arrives, the squares may move while the thumb looks for its own.
        expect(page.locator("#status[data-sure=true]")).to_be_visible()
        x, y = low_first(first)[0]
        thumb.square(x + 0.5, y + 0.5)
    expect(page.locator("#turn")).to_be_visible()
    page.clock.resume()
    thumb.all_recorded()
    events = club.read(record_id).events[3:]
    assert len(events) == 1
    assert plain(events[0]) != plain(first)
    assert events[0].tile.index == first.tile.index  # type: ignore[union-attr]


def test_a_rematch_has_the_same_people_each_a_seat_further(table: Table, club: Club) -> None:
    page, _thumb, record_id, _acts = table
    page.goto(f"{club.address}/new?from={record_id}")
    assert [page.get_by_label(f"Player {n}").input_value() for n in (1, 2)] == ["Ben", "Ana"]
    page.get_by_role("button", name="Begin").tap()
    expect(page.locator("html[data-ready]")).to_be_attached()
    page.goto(f"{club.address}/new")
    expect(page.locator("#mine a")).to_have_count(2)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_table_has_no_serious_accessibility_fault(table: Table, club: Club, scheme: Any) -> None:
    page, thumb, record_id, acts = table
    page.emulate_media(color_scheme=scheme)
    thumb.enter(acts[0])
    thumb.tile(acts[1].tile)  # type: ignore[union-attr]
    pages = {
        "the recorder": None,
        "moves": "#show-moves",
        "called": "#show-calls",
        "left": "#show-left",
        "more": "#show-more",
    }
    for where, press in pages.items():
        if press:
            page.locator(press).tap()
        _axe(page, where)
        if press:
            page.locator("dialog[open] [data-close]").first.tap()
    for path in ("/new", "/new?game=zigzag", "/new?game=domino-ziggurat"):
        page.goto(club.address + path)
        _axe(page, path)
    assert record_id


def _axe(page: Page, where: str) -> None:
    violations = Axe().run(page).response["violations"]
    serious = [
        (violation["id"], violation["nodes"][0]["html"][:160])
        for violation in violations
        if violation["impact"] in ("serious", "critical")
    ]
    assert serious == [], where
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, where


def test_what_is_pressed_at_the_table_fits_a_thumb(table: Table) -> None:
    page, _thumb, _record_id, acts = table
    assert acts
    for button in page.locator(
        "header a:visible, header button:visible, main button:visible, .acts button:visible"
    ).all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 48, button.inner_html()
