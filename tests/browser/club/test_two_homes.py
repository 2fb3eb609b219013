"""Two homes: a club sees its latest games on the first screen, a stranger the pitch, the film and the doors."""

import pytest
from club import Club
from playwright.sync_api import Page

from ledger.examples.season import season
from ledger.keep.recorder import Recorder
from ledger.keep.stored_audits import refresh
from ledger.stores.store import SqliteStore

TOP = "(name) => document.querySelector(name).getBoundingClientRect().top"
BOTTOM = "(name) => document.querySelector(name).getBoundingClientRect().bottom"


def test_the_latest_games_of_a_club_begin_above_400_pixels(page: Page, club: Club) -> None:
    with SqliteStore(club.path) as store:
        for example in season():
            Recorder(store).import_record(example.record, example.id)
        list(refresh(store))
    size = page.viewport_size or {"width": 0}
    page.goto(f"{club.address}/")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert page.locator(".evening .headline").is_visible()
    if size["width"] == 1280:
        assert page.evaluate(TOP, "h2:has(+ .games)") < 400
    page.set_viewport_size({"width": 360, "height": 640})
    for path in ("/", "/players"):
        page.goto(f"{club.address}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.evaluate(BOTTOM, ".top .btn.site") <= 56


def test_a_stranger_sees_pitch_film_and_doors_on_the_first_screen(page: Page, club: Club) -> None:
    size = page.viewport_size or {"width": 0, "height": 0}
    if size["width"] < 1280:
        pytest.skip("a phone scrolls")
    page.goto(f"{club.address}/")
    assert page.evaluate(BOTTOM, ".doors") <= size["height"]
