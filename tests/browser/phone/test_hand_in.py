"""A game that a phone recorded alone is handed in: whatever fails meanwhile, no entry is lost and none is doubled."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from alone import (
    PATIENCE,
    ZIGZAG,
    ZIGZAG_ACTS,
    Table,
    another_table,
    assert_in_ledger,
    back_online,
    begin_here,
    id_of,
    open_with_rules,
    wait_until_handed_in,
    wait_until_kept,
)
from at_table import lose_answer, lose_request
from club import PHONE, RULES, RULES_ALONE, Club, phone_with
from playwright.sync_api import BrowserContext, BrowserType, Route, expect
from thumb import Thumb

WHERE = "**/api/v1/exchange"


@contextmanager
def at(where: str, cut: Callable[[Route], None]) -> Iterator[None]:
    """Notes on an error what was cut off."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"{cut.__name__} at {where}")
        raise


@phone_with(RULES_ALONE)
def test_a_page_that_is_closed_while_it_hands_in(lone_table: Table, phone: BrowserContext, club: Club) -> None:
    page, _thumb, record_id = lone_table
    for count, cut in enumerate((lose_request, lose_answer), 1):
        if count > 1:
            open_with_rules(page, f"{club.address}/r/", worker=False)
            page.wait_for_selector("html[data-ready]", timeout=PATIENCE)
            record_id = another_table(page)
        with at(WHERE, cut):
            page.route(WHERE, cut)
            with page.expect_request(lambda request: "/api/v1/exchange" in request.url):
                phone.set_offline(False)
            page.close()
            page = phone.new_page()
            # Any page of the recorder hands it in.
            page.goto(f"{club.address}/new")
            expect(page.locator("#mine li:not(.local)")).to_have_count(count, timeout=PATIENCE)
            assert_in_ledger(club, record_id)


@phone_with(RULES)
def test_a_page_that_is_closed_at_the_table_and_opened_again_without_a_network(
    lone_table: Table, phone: BrowserContext, club: Club
) -> None:
    page, _thumb, record_id = lone_table
    page.close()
    second_page = phone.new_page()
    second_page.goto(f"{club.address}/new")
    second_page.locator(f"#mine a[href$='{record_id}']").tap()
    second_page.wait_for_selector("html[data-view=record][data-ready]", timeout=PATIENCE)
    thumb = Thumb(second_page)
    thumb.cut_off = True
    thumb.enter(ZIGZAG_ACTS[6])
    wait_until_kept(thumb)
    back_online(second_page)
    wait_until_handed_in(thumb)
    assert_in_ledger(club, record_id, 7)


@phone_with(RULES)
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="no way here to find the processes of a browser")
def test_a_browser_that_is_killed_at_the_table(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any], club: Club, tmp_path: Path, phone: Any
) -> None:
    assert phone
    profile, arguments = tmp_path / "phone", {**browser_type_launch_args, **PHONE}
    context = browser_type.launch_persistent_context(profile, **arguments)
    page = context.new_page()
    open_with_rules(page, f"{club.address}/r/")
    club.kill()
    thumb = begin_here(page, ZIGZAG.opening)
    record_id = id_of(page)
    for act in ZIGZAG_ACTS[:4]:
        thumb.enter(act)
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if str(profile).encode() in (process / "cmdline").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)
    with pytest.raises(Exception, match="closed"):
        page.wait_for_timeout(60_000)
    restarted = browser_type.launch_persistent_context(profile, **arguments)
    page = restarted.new_page()
    page.goto(f"{club.address}/r/{record_id}")
    page.wait_for_selector("html[data-ready]", timeout=PATIENCE)
    expect(page.locator("#sync")).to_have_attribute("data-total", "5")
    thumb = Thumb(page)
    thumb.cut_off = True
    thumb.enter(ZIGZAG_ACTS[4])
    wait_until_kept(thumb)
    club.start()
    wait_until_handed_in(thumb)
    assert_in_ledger(club, record_id, 5)
    restarted.close()


@phone_with(RULES_ALONE)
def test_a_ledger_that_is_only_shown_takes_no_game_and_the_phone_keeps_it(
    lone_table: Table, phone: BrowserContext, club: Club
) -> None:
    page, thumb, record_id = lone_table
    club.kill()
    club.start("--read-only")
    phone.set_offline(False)
    expect(page.locator("#sync")).to_have_text("7 wait here", timeout=PATIENCE)
    expect(page.locator("#panels")).to_contain_text("This ledger is read-only")
    club.kill()
    club.start()
    page.reload()
    wait_until_handed_in(thumb)
    assert_in_ledger(club, record_id)
