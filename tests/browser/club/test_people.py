"""The pages of players, statistics and events in a browser: by day and night, without JavaScript, by keyboard."""

import re

from click.testing import CliRunner
from club import Club
from playwright.sync_api import Browser, Page, expect

from ledger.cli import cli
from sheets import OPENING

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
    expect(page.get_by_role("columnheader", name="Seat")).to_be_visible()
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


def test_the_owners_link_signs_in_and_leaves_no_key_in_the_address(browser: Browser, club: Club) -> None:
    """On a ledger that everybody sees; `domino-ledger link` prints the address."""
    record = club.open(OPENING)[1]
    output = CliRunner().invoke(cli, ["--ledger", str(club.path), "link", "--address", club.address]).output
    (link,) = re.findall(r"http\S+", output)
    context = browser.new_context(viewport=SIZES["phone"])  # type: ignore[arg-type]
    page = context.new_page()
    for _ in range(2):  # somebody who is signed in may open it again
        page.goto(link)
        expect(page.get_by_role("heading", name="For the owner")).to_be_visible()
        expect(page.locator("#why")).to_contain_text("signed in")
        expect(page).to_have_url(f"{club.address}/owner")
    page.goto(f"{club.address}/g/{record}")
    page.wait_for_selector("html[data-ready]")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Set aside").fill("begun by mistake")
    page.get_by_role("button", name="Set aside").click()
    expect(page.locator("#about")).to_contain_text("begun by mistake")
    page.wait_for_selector("html[data-ready]")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Bring it back").click()
    expect(page.locator("#about")).not_to_contain_text("begun by mistake")
    page.goto(f"{club.address}/players/Ana")
    page.locator("summary", has_text="Rename").click()
    page.get_by_label("New name").fill("Anna")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Anna")
    page.locator("summary", has_text="The same person as").click()
    page.get_by_label("The name to keep").fill("Ben")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_role("heading", name="One person?")).to_be_visible()
    page.get_by_role("link", name="No, two people").click()
    page.get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ana")
    context.close()
