"""A finger that slides over the pad, on a real touch screen: one touch names a tile."""

from at_table import open_recorder
from club import RULES_ALONE, Club, phone_with
from playwright.sync_api import BrowserContext, expect

from ledger.games import catalog
from ledger.play.simulate import simulate


@phone_with(RULES_ALONE)
def test_a_slide_from_one_number_to_another_names_a_tile_and_scrolls_nothing(phone: BrowserContext, club: Club) -> None:
    link, _id = club.open(simulate(catalog.find("ziggurat"), 2, {"set": 12}).opening)
    page = phone.new_page()
    open_recorder(page, link)
    expect(page.locator("#ask")).to_have_attribute("data-kind", "place")
    touch = phone.new_cdp_session(page)

    def put(kind: str, *point: float) -> None:
        points = [{"x": point[0], "y": point[1]}] if point else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    (x, y), (u, v) = (
        (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for number in (5, 11)
        if (box := page.locator(f"#pad [data-number='{number}']").bounding_box())
    )
    put("touchStart", x, y)
    for part in range(1, 9):
        put("touchMove", x + (u - x) * part / 8, y + (v - y) * part / 8)
    expect(page.locator("#pad [data-number='5']")).to_have_attribute("aria-pressed", "true")
    put("touchEnd")
    expect(page.locator("#held")).to_have_attribute("data-tile", "5-11")
    assert page.evaluate("scrollY") == 0
