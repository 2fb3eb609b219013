"""*You are the referee* in a browser: a tap, the sentence, the rule, the replay; and without a network."""

import re
from datetime import date, datetime, time, timedelta
from time import sleep

import pytest
from axe_playwright_python.sync_playwright import Axe
from club import PHONE, at_width
from playwright.sync_api import Browser, Page, Route, expect

from ledger.play.puzzles import FIVE, Puzzle, puzzle
from ledger.record import clock
from ledger.rules.game import Finding
from runtime_home import runtime

PATIENCE = 120_000


NOON = datetime(2026, 11, 26, 12)  # noqa: DTZ001  where the test runs


@pytest.fixture(autouse=True)
def noon(browsers_clock: None, monkeypatch) -> None:  # noqa: ARG001  this clock comes after it
    """The server's clock; a page gets its own."""
    monkeypatch.setattr(clock, "now", NOON.astimezone)


def puzzle_on(page: Page) -> Puzzle:
    """The puzzle that a page has."""
    return puzzle(page.locator(".puzzle").get_attribute("data-name") or "")


def stop(page: Page, move: int) -> None:
    """Lets the moves play, goes to one of them, and says stop."""
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name=f"Move {move + 1}", exact=True).click(timeout=60_000)
    page.get_by_role("button", name="Stop!").click()


@pytest.mark.parametrize("size", [(360, 640), (1280, 800)], ids=["phone", "wide"])
@pytest.mark.parametrize("right", [True, False], ids=["right", "wrong"])
def test_the_reader_stops_the_wrong_move_and_has_two_tries(
    page: Page, address: str, right: bool, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(reduced_motion="reduce")  # what fades in has no contrast yet
    page.clock.set_fixed_time(NOON)
    page.goto(f"{address}/referee")
    made = puzzle_on(page)
    finding: Finding = made.finding
    answer = page.locator("#answer")
    expect(answer).to_be_hidden()
    expect(page.locator("#tries")).to_have_text("Two tries left")
    other = (made.answer + 1) % FIVE
    stop(page, other)
    expect(page.locator("#tries")).to_have_text(f"Move {other + 1} keeps the rules. One try left")
    expect(answer).to_be_hidden()
    if size[0] < 400:  # the table, the move and the keys are one screen
        assert page.locator("#stop").bounding_box()["y"] + 64 <= 640  # type: ignore[index]
        assert page.locator("#screen").bounding_box()["height"] >= 200  # type: ignore[index]
    last = made.answer if right else next(move for move in range(FIVE) if move not in (made.answer, other))
    page.get_by_role("button", name=f"Move {last + 1}", exact=True).click(timeout=60_000)
    page.get_by_role("button", name="Stop!").click()
    expect(answer).to_contain_text("Right!" if right else "Not that one.")
    expect(answer).to_contain_text(f"Move {made.answer + 1} breaks a rule.")
    expect(page.locator('[data-shown="judged"]')).to_be_visible()
    expect(page.locator("#week b")).to_have_text(f"{int(right)} of 1 found this week")
    assert not Axe().run(page).response["violations"]
    yesterday = f"{date.fromisoformat(made.name) - timedelta(1)}"
    expect(answer.get_by_role("link", name="Next")).to_have_attribute("href", f"/referee/{yesterday}")
    page.get_by_role("link", name="Replay at that move").click()
    page.wait_for_selector("html[data-ready]")
    expect(page).to_have_url(re.compile(f"ply={finding.seq}"))
    expect(page.locator(f"#p{finding.seq}.now.flagged")).to_be_attached()


def test_the_moves_play_by_themselves_and_a_tap_on_the_table_stops_them(page: Page, address: str) -> None:
    page.goto(f"{address}/referee/ziggurat-1")
    made = puzzle_on(page)
    page.get_by_role("button", name="Start").click()
    for number in range(1, made.answer + 2):
        expect(page.locator("#which")).to_have_text(f"Move {number} of {FIVE}")
    page.locator("#screen").click()
    expect(page.locator("#answer")).to_contain_text("Right!")
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".puzzle")).to_have_attribute("data-name", "ziggurat-2")


def test_without_a_network_the_phone_makes_the_puzzle_of_any_day_and_its_replay(browser: Browser, address: str) -> None:
    runtime()
    context = browser.new_context(**PHONE)  # type: ignore[arg-type]  # the fields of a phone
    page = context.new_page()
    page.clock.set_fixed_time(NOON)
    page.goto(f"{address}/referee")
    page.wait_for_selector("html[data-offline=ready][data-rules]", timeout=PATIENCE)
    context.set_offline(True)
    page.reload()
    made = puzzle_on(page)
    today = date.fromisoformat(made.name)
    stop(page, made.answer)
    expect(page.locator("#answer")).to_contain_text("Right!")
    # The next day, still without a network: the page is yesterday's, the puzzle is not.
    tomorrow = today + timedelta(1)
    page.clock.set_fixed_time(datetime.combine(tomorrow, time(12)))
    page.reload()
    made = puzzle(f"{tomorrow}")
    expect(page.locator(".puzzle")).to_have_attribute("data-day", f"{tomorrow}", timeout=PATIENCE)
    expect(page.locator("#of-day")).to_have_text(re.compile("Today.s puzzle"))
    stop(page, made.answer)
    expect(page.locator("#answer")).to_contain_text("Right!")
    page.get_by_role("link", name="Replay at that move").tap()
    page.wait_for_selector("html[data-ready] #now", timeout=PATIENCE)
    expect(page.locator(f"#p{made.finding.seq}.now.flagged")).to_be_attached()
    page.goto(f"{address}/referee/{today - timedelta(3)}")
    expect(page.locator(".puzzle")).to_have_attribute("data-day", f"{today - timedelta(3)}", timeout=PATIENCE)
    page.goto(f"{address}/rules/zigzag")
    expect(page.get_by_role("heading", name="Zigzag")).to_be_visible()
    assert page.evaluate("[...document.images].every((image) => image.naturalWidth)")
    context.close()


def test_a_phone_without_the_rules_says_of_which_day_its_puzzle_is(browser: Browser, address: str) -> None:
    context = browser.new_context(**PHONE)  # type: ignore[arg-type]  # the fields of a phone
    context.add_init_script("delete window.Worker")  # the rules are stored, and an old phone cannot start them
    page = context.new_page()
    page.clock.set_fixed_time(NOON)
    page.goto(f"{address}/referee")
    page.wait_for_selector("html[data-offline=ready]", timeout=PATIENCE)
    context.set_offline(True)
    page.clock.set_fixed_time(datetime.combine(date.fromisoformat(puzzle_on(page).name) + timedelta(1), time(12)))
    page.reload()
    expect(page.locator("#state")).to_contain_text("the last puzzle that it has")
    expect(page.locator("#of-day")).to_contain_text("The puzzle of")
    context.close()


@at_width("phone")
def test_watch_plays_a_game_by_itself_also_when_its_drawing_comes_late(page: Page, address: str) -> None:
    def late(route: Route) -> None:
        sleep(1)
        route.continue_()

    page.route("**/reel?*", late)
    page.goto(f"{address}/")
    page.get_by_role("link", name=re.compile("^Watch")).first.click()
    page.wait_for_selector("html.playing")
    place = page.locator("#slider").input_value()
    expect(page.locator("#slider")).not_to_have_value(place)
