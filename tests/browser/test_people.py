"""The pages of players, statistics and events in a browser: by day and night, without JavaScript, by keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

SIZES = {"phone": {"width": 390, "height": 844}, "wide": {"width": 1280, "height": 900}}


def test_the_club_works_without_javascript(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=SIZES["phone"])  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{address}/players")
    page.get_by_label("Name").fill("ana")
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(f"{address}/players/Ana")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Statistics").click()
    page.get_by_role("link", name="Zigzag").click()
    table = page.get_by_text("As a table").first
    table.click()
    expect(page.get_by_role("columnheader", name="Scores")).to_be_visible()
    context.close()


def test_a_card_opens_its_game_and_a_name_on_it_its_player(page: Page, address: str, quiet: list[str]) -> None:
    page.goto(f"{address}/?page=1")
    card = page.locator(".card.game").first
    name = card.locator("a.name").first
    words = name.inner_text()
    card.click(position={"x": 20, "y": 20})
    expect(page).to_have_url(re.compile("/g/"))
    page.go_back()
    card.locator("a.title").focus()
    page.keyboard.press("Tab")
    expect(name).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(words)
    assert quiet == []
