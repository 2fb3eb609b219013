"""A phone of 390 by 844 at 200 % has 195 by 422 pixels of CSS: nothing scrolls sideways, no button is hidden."""

import pytest
from at_table import open_recorder
from club import Club, at_width, box_of, link_to
from playwright.sync_api import BrowserContext, Locator, Page
from test_recorder_page import LONG

WIDTH, HEIGHT = 195, 422
REPLAYS = ("ziggurat.ending-single-place", "large", "build-up.cover-tile-broken", "zigzag.all-pass-kept")
PAGES = ("/", "/?page=1", "/players", *(f"/g/{name}" for name in REPLAYS))


def fits(page: Page, buttons: Locator) -> None:
    """Asserts that the page does not scroll sideways and that no box hides one of the buttons."""
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH, page.url
    for button in buttons.all():
        place = box_of(button)
        assert place["x"] >= 0, (button, page.url)
        assert place["x"] + place["width"] <= WIDTH, (button, page.url)


@at_width("phone")
@pytest.mark.usefixtures("quiet")
def test_a_page_needs_no_sideways_scrolling(page: Page, address: str) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    for path in PAGES:
        page.goto(f"{address}{path}")
        if path.startswith("/g/"):
            page.wait_for_selector("html[data-ready]")
        fits(page, page.locator(":is(header,main) :is(.btn,.chip,.seg button):visible"))


def test_the_recorder_needs_no_sideways_scrolling(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    for game, count in (("ziggurat", 8), ("zigzag", 20), ("build-up", 9), ("domino-ziggurat", 9)):
        open_recorder(page, link_to(club, game, count, names=LONG if game == "ziggurat" else ()))
        fits(page, page.locator("button:visible"))
        question, keys = page.locator(".question"), page.locator("#tray:visible, #pad:visible, #bids:visible").last
        page.evaluate("document.documentElement.scrollTo(0, 0)")
        stage = box_of(page.locator("#stage"))
        assert stage["height"] >= HEIGHT / 4, game
        page.locator(".entry").evaluate("(entry) => entry.scrollIntoView({ block: 'start' })")
        bar, first, last = box_of(page.locator(".acts")), box_of(question), box_of(keys)
        assert first["y"] >= -1, game
        assert last["y"] + last["height"] <= bar["y"] + 1, game
