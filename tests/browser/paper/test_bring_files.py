"""Sheets that are chosen or dropped on the page: the server reads them, in whatever encoding they are."""

from __future__ import annotations

from pathlib import Path

from club import at_width
from playwright.sync_api import Page, expect

SHEET = "Game: zigzag\nPlayers: A Zoë, B Jörg, C Łucja\n\nA bids 3\n"


@at_width("phone")
def test_a_chosen_file_is_read_by_the_server(page: Page, address: str, tmp_path: Path) -> None:
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
