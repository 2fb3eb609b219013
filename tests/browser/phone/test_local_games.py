"""A whole evening without a server: games are begun, recorded and judged on the phone alone, and handed in later."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from socket import gethostname
from typing import Any

import pytest
from alone import (
    PATIENCE,
    ZIGZAG,
    ZIGZAG_ACTS,
    Table,
    assert_in_ledger,
    back_online,
    begin_here,
    choose,
    fill_in_here,
    game_on_phone,
    id_of,
    is_in_ledger,
    open_with_rules,
    press_begin,
    record_on_phone,
    wait_until_handed_in,
    wait_until_kept,
)
from at_table import GAMES, acts_of, by_seats, plain
from club import PHONE, RULES, Club, entered, phone_with
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect
from thumb import Thumb
from whole_game import TAPPED

from ledger.audit.auditor import audit
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record import chain, codec
from ledger.record.chain import fingerprint, record_digest
from ledger.record.events import ACTS, Close, Confirm
from ledger.record.record import Record
from ledger.stores.store import SqliteStore

pytestmark = phone_with(RULES)


# The thumb enters Domino Ziggurat, the longest, in test_whole_games.py; at night one edition here, too.
BY_DAY = ["ziggurat", "build-up", "zigzag"]
# Build Up has four hands; the later hands of Zigzag are played in test_whole_games.py, with the rules on the phone.
SHORT = {"zigzag": {"hands": 1}}
# By day the page of one game is opened again in the middle; that of Zigzag is in test_hand_in.py.
OPENED_AGAIN = {"ziggurat"} if TAPPED < 100 else set(GAMES)


@pytest.mark.parametrize("name", BY_DAY if TAPPED < 100 else [*BY_DAY, "domino-ziggurat-2"])
def test_a_game_is_begun_recorded_and_confirmed_offline_and_handed_in_later(
    phone: BrowserContext, club: Club, name: str
) -> None:
    game, seed, options, edition = GAMES[name]
    options = options if TAPPED >= 100 else SHORT.get(name, options)
    record = by_seats(simulate(catalog.find(game), seed, options, edition=edition))
    acts = entered(record)
    page, requests = phone.new_page(), list[str]()
    phone.on("request", lambda request: requests.append(request.url))
    open_with_rules(page, f"{club.address}/r/")
    phone.set_offline(True)
    page.goto(f"{club.address}/new")
    thumb = begin_here(page, record.opening)
    record_id = id_of(page)
    for at, act in enumerate(acts):
        if at == len(acts) // 2 and name in OPENED_AGAIN:
            wait_until_kept(thumb)
            page.reload()
            page.wait_for_selector("html[data-rules=ready]", timeout=PATIENCE)
        thumb.enter(act)
    wait_until_kept(thumb)
    page.get_by_role("button", name="Confirm result").tap()
    expect(page.locator("[data-end=closed] h2")).to_contain_text("Game over.")
    wait_until_kept(thumb)
    digits = page.locator(".fingerprint").inner_text()
    for player in record.opening.players:
        total = thumb.total()
        page.locator(f"[data-panel=agree][data-id={player.id}]").tap()
        expect(page.locator("#sync")).to_have_attribute("data-total", str(total + 1))
        wait_until_kept(thumb)
    record_here = record_on_phone(page, record_id)
    assert acts_of(record_here) == [plain(act) for act in acts]
    assert audit(catalog.find(game), record_here).verdict == "clean"
    assert digits == fingerprint(record_digest(record_here.events))
    assert sum(isinstance(event, Confirm) for event in record_here.events) == len(record.opening.players)
    assert any(isinstance(event, Close) for event in record_here.events)
    assert not is_in_ledger(club, record_id)

    back_online(page)
    wait_until_handed_in(thumb)
    assert codec.encode(club.read(record_id)) == codec.encode(record_here)
    expect(page.locator(".fingerprint")).to_have_text(digits)
    assert game_on_phone(page, record_id) is None
    assert requests
    assert [url for url in requests if not url.startswith((club.address, "data:", "blob:"))] == []


# ── Over plain http, and what a phone may not do ───────────────────────────────────────────────────────────


@contextmanager
def home_network(browser_type: BrowserType, launch: dict[str, Any]) -> Iterator[tuple[BrowserContext, str]]:
    """A phone on a home network, where this machine has a name and no certificate."""
    name = f"{gethostname().split('.')[0].lower()}.lan"
    arguments = [*launch["args"], f"--host-resolver-rules=MAP {name} 127.0.0.1"]
    browser = browser_type.launch(**{**launch, "args": arguments})
    context = browser.new_context(**PHONE)  # type: ignore[arg-type]
    yield context, name
    browser.close()


def test_over_plain_http_the_open_page_begins_game_after_game(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any], club: Club, phone: Any
) -> None:
    assert phone
    with home_network(browser_type, browser_type_launch_args) as (context, name):
        page = context.new_page()
        open_with_rules(page, club.address.replace("127.0.0.1", name) + "/r/")
        assert not page.evaluate("isSecureContext")
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.reload()
        page.wait_for_selector("html[data-rules=ready]", timeout=PATIENCE)
        assert requests
        assert not [url for url in requests if "/runtime/" in url], "they are fetched once"
        club.kill()
        thumb = begin_here(page, ZIGZAG.opening)
        first = id_of(page)
        for act in ZIGZAG_ACTS[:3]:
            thumb.enter(act)
        wait_until_kept(thumb)
        # There is no lock for the screen here: a silent video keeps it on, and the page says what is missing.
        expect(page.locator("html")).to_have_attribute("data-awake", "video")
        page.wait_for_function("document.querySelector('video.awake').currentTime > 0")
        expect(page.locator("#plain")).to_contain_text("does not open again without a network")
        look_back(page)
        # The next one begins from the menu, in the same page.
        page.locator("#show-more").tap()
        page.locator("#more-new").tap()
        expect(page.locator("video.awake")).to_have_count(0)
        build_up = by_seats(simulate(catalog.find("build-up"), 3))
        thumb = begin_here(page, build_up.opening)
        second = id_of(page)
        entry = next(event for event in build_up.events if isinstance(event, ACTS))
        thumb.enter(entry)
        wait_until_kept(thumb)
        page.go_back()
        page.go_back()
        page.go_back()
        expect(page.locator("#sync")).to_have_attribute("data-total", "4", timeout=PATIENCE)
        assert id_of(page) == first != second
        # Without a connection nothing leads away from the page: it would not open again.
        page.get_by_role("button", name="Menu").tap()
        page.get_by_role("link", name="All games").tap()
        expect(page.locator("#doubt")).to_contain_text("There is no connection")
        page.locator("#doubt [data-close]").first.tap()
        club.start()
        wait_until_handed_in(thumb)
        assert_in_ledger(club, first, 3)
        page.locator("#show-more").tap()
        page.locator("#more-new").tap()
        expect(page.locator("#mine li:not(.local)")).to_have_count(2, timeout=PATIENCE)
        assert acts_of(club.read(second)) == [plain(entry)]


def look_back(page: Page) -> None:
    """Looks back at three hands that were dealt."""
    page.locator("#show-more").tap()
    page.locator("#more-look").tap()
    bar = page.locator(".lookback")
    expect(bar.locator(".lastm")).to_contain_text("3")
    bar.get_by_role("button", name="One back").tap()
    expect(bar.locator(".lastm")).to_contain_text("Ben")
    bar.get_by_role("slider").fill("0")
    expect(bar).to_contain_text("Before the first move")
    expect(page.locator(".entry")).to_be_hidden()
    bar.get_by_role("button", name="Done").tap()
    expect(bar).to_have_count(0)
    expect(page.locator(".entry")).to_be_visible()


def test_a_phone_that_may_keep_nothing_says_so_and_what_was_typed_stays(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    page.add_init_script(
        "const open = indexedDB.open.bind(indexedDB);"
        "indexedDB.open = (name, version) => { if (name.endsWith('notebook')) throw new DOMException('no room');"
        " return open(name, version); };"
    )
    open_with_rules(page, f"{club.address}/r/")
    choose(page, ZIGZAG.opening)
    fill_in_here(page, ZIGZAG.opening)
    page.get_by_role("button", name="Begin").tap()
    expect(page.locator("#begin [role=alert]:visible")).to_contain_text("This phone cannot keep the game")
    assert page.get_by_label("Player 1").input_value() == "Ana"


# ── What a game on the phone is good for ───────────────────────────────────────────────────────────────────


def test_a_game_is_replayed_saved_and_deleted_without_a_network(
    lone_table: Table, phone: BrowserContext, tmp_path
) -> None:
    page, _thumb, record_id = lone_table
    record = record_on_phone(page, record_id)
    page.locator("#show-more").tap()
    page.locator("#more-links").tap()
    expect(page.locator("#links input")).to_have_value(re.compile(r"/kept#\."))
    page.locator("#links [data-close]").tap()
    page.locator("#show-more").tap()
    page.locator("#more-replay-here").tap()
    page.wait_for_selector("html[data-ready] #now", timeout=PATIENCE)
    expect(page.locator("#title")).to_contain_text("Zigzag: Ana, Ben and Cy")
    expect(page).to_have_title(re.compile("^Zigzag: Ana, Ben and Cy · .+ · Domino Ledger$"))
    expect(page.locator("#now .no")).to_have_text("6")
    page.go_back()
    page.wait_for_selector("html[data-view=record][data-ready]", timeout=PATIENCE)
    page.locator("#show-more").tap()
    page.locator("#more-new").tap()
    mine = page.locator("#mine")
    expect(mine).to_contain_text("The game waits on this phone.")
    with page.expect_download() as download:
        mine.get_by_role("button", name="Save").tap()
    download.value.save_as(tmp_path / "game.ndjson")
    assert codec.decode((tmp_path / "game.ndjson").read_bytes()) == record
    mine.get_by_role("button", name="Delete").tap()
    page.get_by_role("button", name="Back").tap()
    assert game_on_phone(page, record_id)
    mine.get_by_role("button", name="Delete").tap()
    page.get_by_role("button", name="Yes, delete it").tap()
    expect(mine).to_be_hidden()
    assert game_on_phone(page, record_id) is None
    phone.set_offline(False)


def test_a_connection_that_breaks_over_the_form_loses_nothing_that_was_typed(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    open_with_rules(page, f"{club.address}/r/")
    page.goto(f"{club.address}/new?game=zigzag")
    fill_in_here(page, ZIGZAG.opening)
    phone.set_offline(True)
    page.get_by_role("button", name="Begin").tap()
    expect(page.locator("#begin").get_by_label("Player 2")).to_have_value("Ben", timeout=PATIENCE)
    thumb = press_begin(page)
    thumb.enter(ZIGZAG_ACTS[0])
    wait_until_kept(thumb)
    page.goto(f"{club.address}/")
    expect(page.locator("#mine .local")).to_have_count(1, timeout=PATIENCE)


def test_a_rematch_begins_without_a_network(lone_table: Table) -> None:
    page, thumb, _record_id = lone_table
    page.locator("#show-more").tap()
    page.locator("#more-abandon").tap()
    page.get_by_role("button", name="Yes, close it").tap()
    page.get_by_role("link", name="Rematch").tap()
    expect(page.get_by_label("Player 1")).to_have_value("Ben", timeout=PATIENCE)
    rematch = press_begin(page)
    expect(page.locator("#seats")).to_contain_text("Ben")
    rematch.enter(ZIGZAG_ACTS[0])
    wait_until_kept(thumb)


# ---- What might have been: from a move of any game, without a network, and shared with a second phone.


MOVE = 17
SET_SLIDER = "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input', { bubbles: true })); }"


def link_at(record: Record, seq: int) -> str:
    return chain.links(map(chain.chained_bytes, record.events))[seq].hex()


def what_if_from(page: Page, seq: int) -> None:
    """Looks back to a move of the game on the recorder's page, and goes on from there."""
    page.locator("#show-more").tap()
    page.locator("#more-look").tap()
    page.locator("#look-at").evaluate(SET_SLIDER, seq)
    expect(page.locator(".lookback .no")).to_have_text(str(seq))
    page.get_by_role("link", name="What if?").tap()
    page.wait_for_selector("html[data-known=what-if]", timeout=PATIENCE)


def open_on_a_second_phone(browser: Browser, club: Club, shared: str, before: Record, real: str) -> None:
    """Opens a shared link without a network, goes on from its end, and goes back."""
    other = browser.new_context(**PHONE)  # type: ignore[arg-type]
    second = other.new_page()
    open_with_rules(second, f"{club.address}/r/")
    second.goto(f"{club.address}/g/{real}?ply={MOVE}")
    second.locator("html[data-ready] #what-if").tap()
    second.wait_for_selector("html[data-view=record][data-known=what-if]", timeout=PATIENCE)
    second.get_by_role("link", name="Back to the real game").tap()
    second.wait_for_url(f"**/g/{real}?ply={MOVE}*")
    other.set_offline(True)
    second.goto(shared)
    second.wait_for_selector("html[data-ready][data-known=what-if]", timeout=PATIENCE)
    expect(second.locator("#title")).to_contain_text(f"What if, after move {MOVE} of {real}")
    expect(second.get_by_role("link", name="Back to the real game")).to_have_attribute("href", f"/g/{real}?ply={MOVE}")
    second.locator("#what-if").tap()
    second.wait_for_selector("html[data-view=record][data-known=what-if]", timeout=PATIENCE)
    assert record_on_phone(second, id_of(second)).events[: MOVE + 1] == before.events[: MOVE + 1]
    second.get_by_role("link", name="Back to the real game").tap()
    second.wait_for_selector("html[data-ready][data-known=what-if] #what-if", timeout=PATIENCE)
    other.close()


@pytest.mark.parametrize("name", ["ziggurat", "domino-ziggurat-2", "build-up", "zigzag"])
def test_from_move_17_offline_and_shared_with_a_second_phone(
    phone: BrowserContext, browser: Browser, club: Club, name: str
) -> None:
    game, seed, options, edition = GAMES[name]
    record = by_seats(simulate(catalog.find(game), seed, options, edition=edition))
    acts = entered(record)
    link, real = club.open(record.opening, [*acts, Close("finished")])
    page = phone.new_page()
    open_with_rules(page, link)
    expect(page.locator("#sync")).to_have_text("Saved", timeout=PATIENCE)
    before = club.read(real)

    phone.set_offline(True)
    what_if_from(page, MOVE)
    thumb = Thumb(page)
    thumb.cut_off = True
    expect(page.locator("#sync")).to_have_text("What if")
    for act in acts[MOVE : MOVE + 3]:
        thumb.enter(act)
    expect(page.locator("#last .waits")).to_have_count(0)
    page.locator("#undo").tap()
    expect(page.locator("#sync")).to_have_attribute("data-total", str(MOVE + 3))
    branch = id_of(page)
    assert record_on_phone(page, branch).events[: MOVE + 1] == before.events[: MOVE + 1]
    page.locator("#show-more").tap()
    page.locator("#more-links").tap()
    shared = page.locator("#links input").input_value()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Back to the real game").tap()
    expect(page.locator("[data-end=closed]")).to_be_visible()
    assert id_of(page) == real
    expect(page.get_by_text("Back to the real game")).to_have_count(0)

    open_on_a_second_phone(browser, club, shared, before, real)

    phone.set_offline(False)
    page.goto(f"{club.address}/on-this-phone")
    expect(page.locator(f"[data-game='{branch}'] .where")).to_have_text(
        "What if. This never happened. It stays on this phone."
    )
    with page.expect_download() as download:
        page.locator(f"[data-game='{branch}'] [data-do=save]").tap()
    text = download.value.path().read_bytes()
    assert json.loads(text)["from"] == {"record": real, "seq": MOVE, "link": link_at(before, MOVE)}
    assert codec.decode(text.strip()).events[: MOVE + 1] == before.events[: MOVE + 1]
    page.locator(f"[data-game='{branch}'] [data-do=delete]").tap()
    expect(page.locator("#doubt")).to_contain_text("Once deleted, it cannot be brought back.")
    page.locator("#doubt [data-close].btn:not(.bare)").tap()
    expect(page.locator(f"[data-game='{branch}']")).to_be_visible()
    page.locator(f"[data-game='{branch}'] [data-do=delete]").tap()
    page.get_by_role("button", name="Yes, delete it").tap()
    expect(page.locator(f"[data-game='{branch}']")).to_have_count(0)
    expect(page.locator(f"[data-game='{real}'] [data-do=delete]")).to_have_count(0)
    with SqliteStore(club.path) as store:
        assert (store.ids(), store.read(real)) == ((real,), before)
