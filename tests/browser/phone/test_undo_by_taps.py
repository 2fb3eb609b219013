"""Undo at the table: what was done last is taken back, and the page then asks for what the rules say."""

from __future__ import annotations

import pytest
from at_table import Table, acts_of, plain
from club import RULES_ALONE, Club, phone_with
from playwright.sync_api import BrowserContext, Page, expect
from test_rules_on_the_phone import game_on, with_rules
from thumb import Thumb

from ledger.record.events import Place, Retract, Stack


def asked(page: Page) -> tuple[str, list[str]]:
    """What a person sees when the rules have answered: the question, and who is marked as the one to act."""
    expect(page.locator("#status")).to_have_attribute("data-sure", "true")
    return page.locator("#ask").inner_text(), page.locator("#seats [aria-pressed=true] .nm").all_inner_texts()


def delete(page: Page, seq: int) -> str:
    """Deletes an entry in the list of moves; returns the question that is asked."""
    page.locator("#show-moves").tap()
    page.locator(f"#moves ol [data-seq='{seq}']").tap()
    page.locator("#moves").get_by_role("button", name="Delete").tap()
    doubt = page.locator("#doubt[open]")
    question = doubt.inner_text()
    doubt.get_by_role("button", name="Delete").tap()
    expect(doubt).to_have_count(0)
    return question


def test_a_game_that_is_left_can_be_resumed(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    thumb.enter(acts[0])
    thumb.all_recorded()
    page.locator("#show-more").tap()
    page.locator("#more-abandon").tap()
    with thumb.more():
        page.get_by_role("button", name="Yes, close it").tap()
    expect(page.locator("#panels")).to_contain_text("Game left unfinished")
    page.locator("#show-moves").tap()
    expect(page.locator("#moves li").last).to_contain_text("Game left unfinished")
    page.locator("#moves [data-close]").first.tap()
    with thumb.more():
        page.get_by_role("button", name="Resume the game").tap()
    assert isinstance(club.read(record_id).events[-1], Retract)
    expect(page.locator("#panels")).not_to_contain_text("unfinished")
    thumb.enter(acts[1])
    thumb.all_recorded()
    assert acts_of(club.read(record_id))[-2:] == [plain(act) for act in acts[:2]]


@pytest.mark.parametrize("game", ["ziggurat", "build-up"])
@phone_with(RULES_ALONE)
def test_after_undo_the_rules_say_who_acts(phone: BrowserContext, club: Club, game: str) -> None:
    link, record_id, acts = game_on(club, game, 14 if game == "build-up" else 3)
    page = phone.new_page()
    thumb = with_rules(page, link)
    last = len(club.read(record_id).events) - 1
    for cut_off in (False, True):
        phone.set_offline(cut_off)
        thumb.cut_off = cut_off
        before = asked(page)
        enter_as_asked(thumb, acts[0])
        expect(page.locator("#ask")).not_to_have_text(before[0])
        if cut_off and game == "build-up":  # a stack goes out at once, a tile on squares rests for a moment
            expect(page.locator("#sync")).to_have_text("1 waits here")
        page.locator("#undo").tap()
        expect(page.locator("#ask")).to_have_text(before[0])
        assert asked(page) == before
        if not cut_off:
            thumb.all_recorded()
    for act in acts[:2]:
        enter_as_asked(thumb, act)
    expect(page.locator("#sync")).to_have_text("2 wait here")
    expect(page.locator("#doubt")).to_be_hidden()
    delete(page, last)
    expect(page.locator("#sync")).to_have_text("3 wait here")
    page.locator("#undo").tap()
    expect(page.locator("#sync")).to_have_text("2 wait here")
    for waiting in ("Saved until", "2 wait here"):  # two that wait, and two that are saved
        page.locator("#undo").tap()
        page.locator("#undo").tap()
        expect(page.locator("#sync")).to_contain_text(waiting)
    phone.set_offline(False)
    thumb.all_recorded()
    count = len(acts_of(club.read(record_id)))
    assert count == (12 if game == "build-up" else 1)


def enter_as_asked(thumb: Thumb, act: Place | Stack | object) -> None:
    """Enters an act as the page asks for it, without a tap on a seat or on a kind of act."""
    total = thumb.total()
    thumb.wait_until_sure()
    thumb.act(act)  # type: ignore[arg-type]  # an act of a game
    thumb.other_than(total).first.wait_for(state="attached")
