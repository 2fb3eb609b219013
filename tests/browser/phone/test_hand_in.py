"""A game that a phone recorded alone is handed in: whatever fails meanwhile, no entry is lost and none is doubled."""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from alone import (
    PATIENCE,
    ZIGZAG,
    ZIGZAG_ACTS,
    Table,
    assert_in_ledger,
    begin_here,
    id_of,
    open_with_rules,
    recording,
    wait_until_handed_in,
    wait_until_kept,
)
from at_table import lose_answer, lose_request
from club import PHONE, RULES, RULES_ALONE, Club, phone_with
from playwright.sync_api import BrowserContext, BrowserType, Route, expect


@phone_with(RULES_ALONE)
@pytest.mark.parametrize("cut", [lose_request, lose_answer])
def test_a_page_that_is_closed_while_it_hands_in(
    lone_table: Table, phone: BrowserContext, club: Club, cut: Callable[[Route], None]
) -> None:
    page, _thumb, record_id = lone_table
    page.route("**/api/v1/exchange", cut)
    with page.expect_request(lambda request: "/api/v1/exchange" in request.url):
        phone.set_offline(False)
    page.close()
    page = phone.new_page()
    # Any page of the recorder hands it in.
    page.goto(f"{club.address}/new")
    expect(page.locator("#mine li:not(.local)")).to_have_count(1, timeout=PATIENCE)
    assert_in_ledger(club, record_id)


@phone_with(RULES)
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="no way here to find the processes of a browser")
def test_a_browser_that_is_killed_at_the_table(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any], club: Club, tmp_path, phone: Any
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
    page.goto(f"{club.address}/new")
    page.locator(f"#mine a[href$='{record_id}']").tap()
    thumb = recording(page)
    expect(page.locator("#sync")).to_have_attribute("data-total", "5")
    thumb.enter(ZIGZAG_ACTS[4])
    wait_until_kept(thumb)
    club.start()
    wait_until_handed_in(thumb)
    assert_in_ledger(club, record_id, 5)
    restarted.close()
