"""A phone at the table: no entry is ever lost or doubled."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from at_table import Table, acts_of, assert_recorded, open_recorder, plain
from club import BARE, PHONE, WORKER, Club, phone_with
from playwright.sync_api import BrowserContext, BrowserType, expect

from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import ACTS


def test_a_server_that_is_killed_with_entries_on_their_way(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    thumb.enter(acts[0])
    club.kill()
    thumb.cut_off = True
    thumb.enter(acts[1])
    thumb.enter(acts[2])
    expect(page.locator("#sync")).to_contain_text("here")
    club.start()
    thumb.all_recorded()
    assert_recorded(club, record_id, acts[:3])


def test_a_tab_that_is_closed_before_it_was_sent(table: Table, club: Club, phone: BrowserContext) -> None:
    page, thumb, record_id, acts = table
    club.kill()
    thumb.cut_off = True
    thumb.enter(acts[0])
    thumb.enter(acts[1])
    page.close()
    assert_recorded(club, record_id, [])
    club.start()
    second_page = phone.new_page()
    thumb = open_recorder(second_page, f"{club.address}/r/{record_id}")
    thumb.all_recorded()
    assert_recorded(club, record_id, acts[:2])
    thumb.enter(acts[2])
    thumb.all_recorded()
    assert_recorded(club, record_id, acts[:3])


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="no way here to find the processes of a browser")
def test_a_browser_that_is_killed_at_the_table(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any], club: Club, tmp_path: Path
) -> None:
    record = simulate(catalog.find("zigzag"), 3, {"hands": 3})
    acts = [event for event in record.events if isinstance(event, ACTS)]
    link, record_id = club.open(record.opening)
    profile = tmp_path / "phone"
    arguments = {**browser_type_launch_args, **PHONE}
    context = browser_type.launch_persistent_context(profile, **arguments)
    context.add_init_script(BARE)
    page = context.new_page()
    thumb = open_recorder(page, link)
    club.kill()
    thumb.cut_off = True
    for act in acts[:4]:
        thumb.enter(act)
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if str(profile).encode() in (process / "cmdline").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)
        except OSError:
            continue
    with pytest.raises(Exception, match="closed"):
        page.wait_for_timeout(60_000)
    assert len(club.read(record_id).events) == 1
    club.start()
    restarted = browser_type.launch_persistent_context(profile, **arguments)
    restarted.add_init_script(BARE)
    thumb = open_recorder(restarted.new_page(), f"{club.address}/r/{record_id}")
    thumb.all_recorded()
    assert acts_of(club.read(record_id)) == [plain(act) for act in acts[:4]]
    restarted.close()


@phone_with(WORKER)
def test_the_first_visit_is_enough_to_open_it_without_a_network(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    page.wait_for_selector("html[data-offline=ready]")
    club.kill()
    page.reload()
    page.wait_for_selector("html[data-ready]")
    thumb.cut_off = True
    thumb.enter(acts[0])
    expect(page.locator("#sync")).to_have_text("1 waits here")
    assert page.locator("#whose button").first.bounding_box()
    assert page.evaluate("getComputedStyle(document.body).display") == "flex"  # the style is there, too
    club.start()
    thumb.all_recorded()
    assert_recorded(club, record_id, acts[:1])
