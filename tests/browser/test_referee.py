"""*You are the referee* in a browser: a tap, the sentence, the rule, the replay; and without a network."""

from __future__ import annotations

import re
from datetime import date

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from ledger.play.puzzles import FIVE, puzzle
from ledger.rules.game import Finding

MADE = puzzle(date.today())  # noqa: DTZ011  the day of this place


@pytest.mark.parametrize("move", range(FIVE))
def test_a_tap_shows_the_answer_and_the_way_to_the_replay(page: Page, address: str, move: int) -> None:
    finding: Finding = MADE.finding
    page.goto(f"{address}/referee")
    expect(page.locator("#answer")).to_be_hidden()
    page.locator(f'[data-move="{move}"]').click()
    expect(page.locator("#answer")).to_contain_text("Right." if move == MADE.answer else "Not that one.")
    expect(page.locator("#answer")).to_contain_text(f"Move {MADE.answer + 1} breaks a rule.")
    expect(page.locator(f'[data-move="{MADE.answer}"]')).to_contain_text("Breaks a rule")
    assert not Axe().run(page).response["violations"]
    page.get_by_role("link", name="Replay at that move").click()
    page.wait_for_selector("html[data-ready]")
    expect(page).to_have_url(re.compile(f"ply={finding.seq}"))
    expect(page.locator(f"#p{finding.seq}.now.flagged")).to_be_attached()


def test_the_puzzle_is_there_without_a_network(browser: Browser, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/referee")
    page.wait_for_selector("html[data-offline=ready]")
    context.set_offline(True)
    page.reload()
    page.locator(f'[data-move="{MADE.answer}"]').click()
    expect(page.locator("#answer")).to_contain_text("Right.")
    context.close()


def test_watch_plays_a_game_by_itself(page: Page, address: str) -> None:
    page.goto(f"{address}/")
    page.get_by_role("link", name="Watch", exact=True).click()
    page.wait_for_selector("html.playing")
    place = page.locator("#slider").input_value()
    expect(page.locator("#slider")).not_to_have_value(place)
