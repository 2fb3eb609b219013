"""A stranger's first two minutes: a game watched, a breach caught, and how one of the games is played.

The page's clock is the test's: what is counted is the time that the page takes, and that of a reader of four words a
second.
"""

import re

from club import Club
from playwright.sync_api import Page, expect

from ledger.play.puzzles import puzzle

STEP = 250
"""Milliseconds between two looks at the page."""
WORDS = 4
"""What people read in a second."""


class Stranger:
    """Who reads what the page shows, and waits while it plays; `seconds` have gone by."""

    def __init__(self, page: Page) -> None:
        self.page, self.seconds = page, 0.0

    def reads(self, what: str) -> str:
        """The words of what they read."""
        words = " ".join(self.page.locator(what).all_inner_texts())
        self.seconds += len(words.split()) / WORDS
        return words

    def waits(self, until: str) -> None:
        """Waits for a state of the page, a JavaScript expression."""
        while not self.page.evaluate(until):
            self.page.clock.run_for(STEP)
            self.seconds += STEP / 1000
            assert self.seconds < 120, until


def test_a_stranger_has_watched_a_game_caught_a_breach_and_can_say_how_one_is_played(page: Page, club: Club) -> None:
    page.clock.install()
    page.goto(f"{club.address}/")
    stranger = Stranger(page)
    assert "Watch it again like a film" in stranger.reads(".pitch")
    page.get_by_role("link", name="Watch this one").click()
    page.wait_for_selector("html.playing")
    stranger.waits("!document.documentElement.classList.contains('playing')")
    expect(page.locator("#now")).to_contain_text("Game over")
    page.goto(f"{club.address}/")
    page.get_by_role("link", name="You are the referee").click()
    stranger.reads("#lead")
    made = puzzle(page.locator(".puzzle").get_attribute("data-name") or "")
    page.get_by_role("button", name="Start").click()
    stranger.waits(f"document.getElementById('which').textContent.startsWith('Move {made.answer + 1} of')")
    page.get_by_role("button", name="Stop!").click()
    assert "Right!" in stranger.reads("#answer")
    page.get_by_role("link", name="See the rule").click()
    lesson = stranger.reads(".how li")
    assert page.locator(".how li").count() == 5
    assert re.search(r"\bpoints?\b|\bscores?\b|\bcheats\b", lesson)
    assert stranger.seconds <= 120
