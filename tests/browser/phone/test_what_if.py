"""What might have been: from a move of any game, without a network, and shared with a second phone."""

import json

import pytest
from alone import PATIENCE, id_of, open_with_rules, record_on_phone
from at_table import GAMES, by_seats
from club import PHONE, RULES, Club, entered, phone_with
from playwright.sync_api import Browser, BrowserContext, Page, expect
from thumb import Thumb

from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record import chain, codec
from ledger.record.events import Close
from ledger.record.record import Record
from ledger.stores.store import SqliteStore

pytestmark = phone_with(RULES)

MOVE = 17
SET_SLIDER = "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input', { bubbles: true })); }"


def link_at(record: Record, seq: int) -> str:
    return chain.links(map(chain.chained_bytes, record.events))[seq].hex()


def what_if_from(page: Page, seq: int) -> None:
    """Looks back to a move of the game on the recorder's page, and goes on from there."""
    page.locator("#show-more").tap()
    page.locator("#more-look").tap()
    page.locator("#look-at").evaluate(SET_SLIDER, seq)
    expect(page.locator(".lookback .no")).to_have_text(str(seq))
    page.get_by_role("link", name="What if?").tap()
    page.wait_for_selector("html[data-known=what-if]", timeout=PATIENCE)


def open_on_a_second_phone(browser: Browser, club: Club, shared: str, before: Record, real: str) -> None:
    """Opens a shared link without a network, goes on from its end, and goes back."""
    other = browser.new_context(**PHONE)  # type: ignore[arg-type]
    second = other.new_page()
    open_with_rules(second, f"{club.address}/r/")
    second.goto(f"{club.address}/g/{real}?ply={MOVE}")
    second.locator("html[data-ready] #what-if").tap()
    second.wait_for_selector("html[data-view=record][data-known=what-if]", timeout=PATIENCE)
    second.get_by_role("link", name="Back to the real game").tap()
    second.wait_for_url(f"**/g/{real}?ply={MOVE}*")
    other.set_offline(True)
    second.goto(shared)
    second.wait_for_selector("html[data-ready][data-known=what-if]", timeout=PATIENCE)
    expect(second.locator("#title")).to_contain_text(f"What if, after move {MOVE} of {real}")
    expect(second.get_by_role("link", name="Back to the real game")).to_have_attribute("href", f"/g/{real}?ply={MOVE}")
    second.locator("#what-if").tap()
    second.wait_for_selector("html[data-view=record][data-known=what-if]", timeout=PATIENCE)
    assert record_on_phone(second, id_of(second)).events[: MOVE + 1] == before.events[: MOVE + 1]
    second.get_by_role("link", name="Back to the real game").tap()
    second.wait_for_selector("html[data-ready][data-known=what-if] #what-if", timeout=PATIENCE)
    other.close()


@pytest.mark.parametrize("name", ["ziggurat", "domino-ziggurat-2", "build-up", "zigzag"])
def test_from_move_17_offline_and_shared_with_a_second_phone(
    phone: BrowserContext, browser: Browser, club: Club, name: str
) -> None:
    game, seed, options, edition = GAMES[name]
    record = by_seats(simulate(catalog.find(game), seed, options, edition=edition))
    acts = entered(record)
    link, real = club.open(record.opening, [*acts, Close("finished")])
    page = phone.new_page()
    open_with_rules(page, link)
    expect(page.locator("#sync")).to_have_text("Saved", timeout=PATIENCE)
    before = club.read(real)

    phone.set_offline(True)
    what_if_from(page, MOVE)
    thumb = Thumb(page)
    thumb.cut_off = True
    expect(page.locator("#sync")).to_have_text("What if")
    for act in acts[MOVE : MOVE + 3]:
        thumb.enter(act)
    expect(page.locator("#last .waits")).to_have_count(0)
    page.locator("#undo").tap()
    expect(page.locator("#sync")).to_have_attribute("data-total", str(MOVE + 3))
    branch = id_of(page)
    assert record_on_phone(page, branch).events[: MOVE + 1] == before.events[: MOVE + 1]
    page.locator("#show-more").tap()
    page.locator("#more-links").tap()
    shared = page.locator("#links input").input_value()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Back to the real game").tap()
    expect(page.locator("[data-end=closed]")).to_be_visible()
    assert id_of(page) == real
    expect(page.get_by_text("Back to the real game")).to_have_count(0)

    open_on_a_second_phone(browser, club, shared, before, real)

    phone.set_offline(False)
    page.goto(f"{club.address}/on-this-phone")
    expect(page.locator(f"[data-game='{branch}'] .where")).to_have_text(
        "What if. This never happened. It stays on this phone."
    )
    with page.expect_download() as download:
        page.locator(f"[data-game='{branch}'] [data-do=save]").tap()
    text = download.value.path().read_bytes()
    assert json.loads(text)["from"] == {"record": real, "seq": MOVE, "link": link_at(before, MOVE)}
    assert codec.decode(text.strip()).events[: MOVE + 1] == before.events[: MOVE + 1]
    with SqliteStore(club.path) as store:
        assert (store.ids(), store.read(real)) == ((real,), before)
