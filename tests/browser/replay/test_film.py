"""The film of a game in a browser: captions that one can read, nothing of what is to come, and then the next thing."""

import pytest
from club import at_width, visit
from playwright.sync_api import Page, expect

GAME = "ziggurat.option-set-6"
"""A game with a few moments."""
HIDDEN = "#rows > .now ~ li, .story .ahead > a, .chart .pale, .chart .ends, .chart .dot"
"""What a film hides."""


def watch(page: Page, address: str) -> None:
    """Opens the film and goes to its first caption."""
    visit(page, f"{address}/g/{GAME}?play=1", "html.film.playing")
    expect(page.locator("#caption")).to_be_visible()


@pytest.mark.parametrize("width", ["phone", "wide"])
def test_a_caption_is_read_and_nothing_tells_what_is_to_come(page: Page, address: str, width: str) -> None:
    if width == "phone":
        page.set_viewport_size({"width": 390, "height": 844})
    watch(page, address)
    caption = page.locator("#caption")
    assert float(caption.evaluate("element => parseFloat(getComputedStyle(element).fontSize)")) >= 16
    assert caption.evaluate("element => element.scrollHeight <= element.clientHeight")
    assert caption.locator("b").inner_text().endswith(".")
    for element in page.locator(HIDDEN).all():
        expect(element).not_to_be_visible()
    # A tap on the table goes on, and does nothing else there.
    before = page.locator("#slider").input_value()
    page.locator("#stage").click(position={"x": 150, "y": 200})
    expect(page.locator("#slider")).not_to_have_value(before)
    assert page.evaluate("document.documentElement.className").count("playing")
    page.get_by_role("button", name="Show all").click()
    expect(page.locator("#rows > .now ~ li").first).to_be_visible()


@at_width("wide")
def test_after_the_film_come_the_next_things(page: Page, address: str) -> None:
    watch(page, address)
    after = page.locator("#after")
    for _ in range(200):
        if after.is_visible():
            break
        page.locator("#stage").click(position={"x": 150, "y": 200})
    expect(after).to_contain_text("Game over.")
    expect(after.get_by_role("link", name="You are the referee here")).to_have_attribute("href", "/referee/ziggurat-1")
    expect(after.get_by_role("link", name="Record one like it")).to_have_attribute("href", f"/new?again={GAME}")
    expect(page.locator("html.film")).to_have_count(0)
    page.get_by_role("link", name="Step back").click()
    expect(after).to_be_hidden()
    page.get_by_role("link", name="Last step").click()
    visit(page, f"{address}/g/{GAME}/next", "html.film")
    assert f"/g/{GAME}?" not in page.url
