"""The day of a game is the day of the person who begins it, wherever the server stands."""

from club import BARE, Club
from playwright.sync_api import Browser, expect

from ledger.stores.query import Query
from ledger.stores.store import SqliteStore


def test_a_game_and_a_card_have_the_day_of_the_phone(browser: Browser, club: Club) -> None:
    # Friday evening in Los Angeles; the server's day is another one, whatever it is.
    context = browser.new_context(timezone_id="America/Los_Angeles", locale="en-US", service_workers="block")
    context.add_init_script(BARE)
    page = context.new_page()
    page.clock.set_fixed_time("2024-03-02T04:30:00Z")
    page.goto(f"{club.address}/new?game=zigzag")
    for seat, name in enumerate(("Ana", "Ben", "Cy"), 1):
        page.get_by_label(f"Player {seat}").fill(name)
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#ask")).to_be_visible()
    page.goto(f"{club.address}/card")
    expect(page.get_by_label("Day")).to_have_value("2024-03-01")
    page.get_by_label("Game").fill("Mexican Train")
    page.get_by_label("Names, and scores").fill("Ana 12\nBen 40")
    page.get_by_role("button", name="Keep these scores").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Mexican Train")
    page.goto(club.address)
    expect(page.locator(".card.game time")).to_have_text("today")
    page.clock.set_fixed_time("2024-02-28T20:00:00Z")
    page.reload()
    expect(page.locator(".card.game time")).to_have_text("Mar 1")
    with SqliteStore(club.path) as store:
        assert {row.played for row in store.find(Query())} == {"2024-03-01"}
    context.close()
