"""Sheets that are chosen or dropped on the page: the server reads them, in whatever encoding they are."""

from club import at_width
from playwright.sync_api import Page, expect

TABLE = "day,game,player,score,runde\n2026-03-01,Block,Ana,121,1\n2026-03-01,Block,Ida,98,1\n"
SHEET = "Game: zigzag\nPlayers: A Zoë, B Jörg, C Łucja\n\nA bids 3\n"


@at_width("phone")
def test_a_chosen_file_is_read_by_the_server(page: Page, address: str, tmp_path) -> None:
    good, bad = tmp_path / "good.sheet", tmp_path / "bad.sheet"
    good.write_text(SHEET, "utf-16")
    bad.write_text(SHEET, "cp1250", errors="replace")
    page.goto(f"{address}/bring")
    page.locator("input[type=file]").set_input_files(bad)
    expect(page.get_by_role("alert")).to_contain_text("save the file as UTF-8")
    page.goto(f"{address}/bring")
    page.locator("input[type=file]").set_input_files(good)
    expect(page.get_by_label("The sheet")).to_have_value(SHEET.strip())
    expect(page.get_by_role("button", name="Keep it")).to_be_visible()


@at_width("phone")
def test_the_try_of_a_table_fits_a_phone(page: Page, address: str, tmp_path) -> None:
    table = tmp_path / "season.csv"
    table.write_text(TABLE, "utf-8")
    page.goto(f"{address}/bring")
    page.locator("input[type=file]").set_input_files(table)
    asked = page.get_by_role("group", name="what is runde?")
    expect(asked).to_be_visible()
    expect(page.get_by_text("First say what this column means.")).to_be_visible()
    width = page.evaluate("innerWidth")
    for box in (page.locator(".cols > section").first.bounding_box(), asked.bounding_box()):
        assert box is not None
        assert box["width"] > 0.8 * width
        assert box["x"] + box["width"] <= width
    asked.get_by_role("button", name="Leave it out").click()
    expect(page.get_by_role("button", name="Keep 1 game")).to_be_visible()
