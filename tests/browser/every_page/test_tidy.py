"""What an eye sees at once on the first pages: letters that are cut, things that touch, edges that do not meet."""

import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from at_table import open_recorder
from club import BARE, Club, link_to
from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[3]
NARROW, PHONE, TABLET, WIDE = (320, 568), (390, 844), (768, 1024), (1280, 900)
Open = Callable[[tuple[int, int], str], Page]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Open]:
    """Opens an address in a window of a size."""
    contexts = []

    def go(size: tuple[int, int], address: str) -> Page:
        width, height = size
        context = browser.new_context(viewport={"width": width, "height": height})
        context.add_init_script(BARE)
        contexts.append(context)
        page = context.new_page()
        page.goto(address)
        return page

    yield go
    for context in contexts:
        context.close()


def edges(page: Page, selector: str) -> list[tuple[float, float, float, float]]:
    """The left, top, right and bottom edges of what is seen of the elements."""
    boxes = [element.bounding_box() for element in page.locator(selector).locator("visible=true").all()]
    return [(b["x"], b["y"], b["x"] + b["width"], b["y"] + b["height"]) for b in boxes if b]


def test_no_letter_at_a_seat_is_cut(opened: Open, club: Club) -> None:
    page = opened(NARROW, link_to(club, "ziggurat", 12))
    open_recorder(page, page.url)
    for width, height in (NARROW, PHONE, WIDE):
        page.set_viewport_size({"width": width, "height": height})
        lines = page.locator("#seats small").evaluate_all(
            """lines => lines.map((line) => {
                const letters = document.createRange();
                letters.selectNodeContents(line);
                const [inner, outer] = [letters.getBoundingClientRect(), line.getBoundingClientRect()];
                return [line.textContent, outer.top - inner.top, inner.bottom - outer.bottom];
            })"""
        )
        assert len(lines) == 2
        assert [line for line in lines if max(line[1:]) > 1] == [], width


@pytest.mark.parametrize(("game", "count"), [("ziggurat", 12), ("build-up", 30), ("zigzag", 20)])
def test_on_the_narrowest_phone_the_header_and_the_buttons_are_a_line_each(
    opened: Open, club: Club, game: str, count: int
) -> None:
    page = opened(NARROW, link_to(club, game, count))
    open_recorder(page, page.url)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
    ((_left, _top, _right, bottom),) = edges(page, "header.top")
    assert bottom <= 56
    buttons = edges(page, ".acts .btn")
    assert len(buttons) >= 4
    assert len({top for _left, top, _right, _bottom in buttons}) == 1


def test_on_a_wide_screen_the_seats_stand_apart_and_every_table_is_as_high(opened: Open, club: Club) -> None:
    heights = []
    for game, count in (("zigzag", 20), ("ziggurat", 12), ("build-up", 30)):
        page = opened(WIDE, link_to(club, game, count))
        open_recorder(page, page.url)
        marks, scores = edges(page, "#seats .who"), edges(page, "#seats output")
        before = [edges(page, ".top .mark")[0], *scores[:-1]]
        assert len(marks) == len(before) == 2 + (game == "zigzag")
        assert min(mark[0] - last[2] for mark, last in zip(marks, before, strict=True)) >= 20, game
        ((_left, top, _right, bottom),) = edges(page, "#stage")
        heights.append(bottom - top)
        # The labels of stacks are clear of the edge.
        labels = edges(page, "#stage .under") if game == "build-up" else []
        assert all(bottom - end >= 8 for *_rest, end in labels)
        assert bool(labels) == (game == "build-up")
    assert heights[0] == heights[1]


def test_on_a_phone_a_score_stands_beside_its_name(opened: Open, club: Club) -> None:
    page = opened(PHONE, link_to(club, "ziggurat", 12, names=("Al", "Bo")))
    open_recorder(page, page.url)
    names, scores = edges(page, "#seats .nm"), edges(page, "#seats output")
    assert len(names) == len(scores) == 2
    assert all(score[0] - name[2] < 10 for name, score in zip(names, scores, strict=True))


@pytest.mark.parametrize("path", ["/", "/players", "/referee"])
def test_the_mark_stands_above_the_edge_of_the_page(opened: Open, address: str, path: str) -> None:
    page = opened(PHONE, address + path)
    for width, height in (PHONE, TABLET, WIDE):
        page.set_viewport_size({"width": width, "height": height})
        ((mark, *_),) = edges(page, ".top .logo")
        first = min(edges(page, "main :is(h1, h2, .find, .screen-of)"))
        if path != "/referee" and (width, height) == WIDE:
            assert mark < first[0], "a page is narrower than its header"
        else:
            assert abs(mark - first[0]) <= 1, width


@pytest.mark.parametrize("path", ["/new", "/rules"])
def test_a_game_s_sentence_is_no_smaller_than_who_made_it(opened: Open, address: str, path: str) -> None:
    page = opened(PHONE, address + path)
    sizes = page.evaluate(
        """() => [...document.querySelectorAll(".records.pictured li")].map((entry) =>
            ["small", "span"].map((part) => parseFloat(getComputedStyle(entry.querySelector(part)).fontSize)))"""
    )
    assert len(sizes) >= 4
    assert all(sentence > others for sentence, others in sizes)


def test_on_a_tablet_the_puzzle_is_on_one_screen(opened: Open, address: str) -> None:
    page = opened(TABLET, f"{address}/referee")
    ((_left, _top, right, _bottom),) = edges(page, "#screen")
    keys = edges(page, ".keys button")
    assert len(keys) == 5 + 2
    assert all(bottom <= TABLET[1] for _left, _top, _right, bottom in keys)
    words = page.locator("#screen .picture:not([hidden]) .t-name").evaluate_all(
        "names => names.map((name) => parseFloat(getComputedStyle(name).fontSize) * name.getScreenCTM().a)"
    )
    assert words
    assert min(words) >= 10
    assert max(end for _left, _top, end, _bottom in edges(page, "#screen .picture:not([hidden]) .t-name")) <= right


def test_the_scripts_that_take_pictures_use_the_browser_of_the_tests(
    browser_type_launch_args: dict[str, Any], monkeypatch
) -> None:
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.syspath_prepend(ROOT / "docs" / "make")
    find = runpy.run_path(str(ROOT / "docs" / "make" / "pictures.py"))["chromium"]
    assert find() == browser_type_launch_args["executable_path"]
