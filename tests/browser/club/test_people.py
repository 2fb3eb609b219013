"""The pages of players, statistics and events in a browser: by day and night, without JavaScript, by keyboard."""

import re
from pathlib import Path

import pytest
from at_table import has_news
from click.testing import CliRunner
from club import Club, visit
from playwright.sync_api import Browser, Page, expect

from ledger.cli import cli
from ledger.examples.season import season
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.keep.renaming import rename
from ledger.keep.stored_audits import refresh
from ledger.play.puzzles import puzzle
from ledger.record.events import Bid, Close, Open, Player
from ledger.stores.store import SqliteStore
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
    visit(page, f"{club.address}/g/{record}")
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


# ---- Pages that are open while the owner sets a game aside or renames a person.


@pytest.mark.parametrize("closed", [False, True], ids=["in play", "closed"])
def test_an_open_page_hears_of_it(page: Page, address: str, ledger: Path, closed: bool) -> None:
    name = f"Anna{(page.viewport_size or {'width': 0})['width']}{closed}"
    players = tuple(Player(id=f"p{n}", name=seat) for n, seat in enumerate((name, "Ben", "Cy"), 1))
    with SqliteStore(ledger) as store:
        recorder = Recorder(store, find_game=catalog.find)
        record_id = recorder.open(Open("zigzag", players=players))
        recorder.append(record_id, Bid("p1", 12))
        if closed:
            recorder.append(record_id, Close("abandoned"))
    with page.expect_response(has_news):
        page.goto(f"{address}/g/{record_id}")
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#rows")).to_contain_text(name)
    # On a phone and on a screen, the page says whether the game goes on.
    expect(page.locator("#on-air")).to_be_visible(visible=not closed)
    with SqliteStore(ledger) as store:
        Recorder(store).void(record_id, "begun by mistake")
    expect(page.locator("#about")).to_contain_text("begun by mistake")
    with SqliteStore(ledger) as store:
        rename(store, name, f"{name}-Lena")
    expect(page.locator("#rows")).to_contain_text(f"{name}-Lena")
    expect(page.locator("#score")).to_contain_text(f"{name}-Lena")
    expect(page).to_have_title(re.compile(f"{name}-Lena"))


# ---- Two homes: a club sees its latest games on the first screen, a stranger the pitch, the film and the doors.


TOP = "(name) => document.querySelector(name).getBoundingClientRect().top"
BOTTOM = "(name) => document.querySelector(name).getBoundingClientRect().bottom"


def test_the_latest_games_of_a_club_begin_above_400_pixels(page: Page, club: Club) -> None:
    with SqliteStore(club.path) as store:
        for example in season():
            Recorder(store).import_record(example.record, example.id)
        list(refresh(store))
    size = page.viewport_size or {"width": 0}
    page.goto(f"{club.address}/")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert page.locator(".evening .headline").is_visible()
    if size["width"] == 1280:
        assert page.evaluate(TOP, "h2:has(+ .games)") < 400
    page.set_viewport_size({"width": 360, "height": 640})
    for path in ("/", "/players"):
        page.goto(f"{club.address}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.evaluate(BOTTOM, ".top .btn.site") <= 56


def test_a_stranger_sees_pitch_film_and_doors_on_the_first_screen(page: Page, club: Club) -> None:
    size = page.viewport_size or {"width": 0, "height": 0}
    if size["width"] < 1280:
        pytest.skip("a phone scrolls")
    page.goto(f"{club.address}/")
    assert page.evaluate(BOTTOM, ".doors") <= size["height"]


# ---- A stranger's first two minutes: a game watched, a breach caught, and how one of the games is played.
# The page's clock is the test's: what is counted is the time that the page takes, and that of a reader of four words a
# second.


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
    page.wait_for_selector("#lead")
    # A puzzle that is the same on every day.
    page.goto(f"{club.address}/referee/zigzag-1")
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
