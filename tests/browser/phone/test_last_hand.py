"""The last hand that is written down on a phone: what is left of the tiles, in one tap, and taken back like others."""

from __future__ import annotations

import pytest
from at_table import open_recorder
from club import BARE, Club
from playwright.sync_api import Browser, Page, expect

from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import Deal
from ledger.record.record import effective
from ledger.record.tiles import full, members

LOW = {"viewport": {"width": 360, "height": 560}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def low_phone(browser: Browser) -> Page:
    context = browser.new_context(**LOW)  # type: ignore[arg-type]
    context.add_init_script(BARE)
    return context.new_page()


@pytest.mark.parametrize(("name", "largest"), [("ziggurat", 6), ("ziggurat", 12), ("zigzag", 8), ("zigzag", 6)])
def test_the_last_hand_is_what_is_left(low_phone: Page, club: Club, name: str, largest: int) -> None:
    page = low_phone
    record = simulate(catalog.find(name), 4, {} if (name, largest) == ("zigzag", 8) else {"set": largest})
    *first, last = [event for event in record.events if isinstance(event, Deal)][: len(record.opening.players)]
    link, record_id = club.open(record.opening, first[:-1])
    thumb = open_recorder(page, link)
    rest = page.locator("#rest")
    with thumb.more():
        thumb.choose(first[-1])
        expect(page.locator("#rest")).to_be_hidden()
        thumb.act(first[-1])
    names = {player.id: player.name for player in record.opening.players}
    expect(page.locator("#ask")).to_have_text(f"Tap the {len(last.tiles)} tiles in {names[last.player]}\u2019s hand")
    dealt = {tile for deal in (*first, last) for tile in deal.tiles}
    over = {str(tile) for tile in members(full(largest)) if tile not in dealt}
    expect(rest).to_have_text("All but 1" if over else "The rest")
    for button in page.locator(".entry button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 360
        assert min(box["width"], box["height"]) >= 48
    with thumb.more():
        rest.tap()
        for tile in over:
            expect(page.locator("#hint")).to_have_text("1 too many: tap what is not in the hand")
            number = page.locator(f"#pad [data-number='{tile.partition('-')[0]}']:visible")
            if number.count():
                number.tap()
            page.locator(f"#tray [data-tile='{tile}']").tap()
    assert effective(club.read(record_id).events).entries[-1].event.tiles == last.tiles
    expect(page.locator("#ask")).not_to_have_attribute("data-kind", "deal")
    with thumb.more():
        page.locator("#undo").tap()
    expect(rest).to_be_visible()
    assert [type(entry.event) for entry in effective(club.read(record_id).events).entries].count(Deal) == len(first)
