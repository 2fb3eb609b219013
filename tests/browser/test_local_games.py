"""A whole evening without a server: games are begun, recorded and judged on the phone alone, and handed in later."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import gethostname
from typing import Any

import pytest
from club import PHONE, Club
from msgspec.structs import replace
from playwright.sync_api import BrowserContext, BrowserType, Error, Page, Route, expect
from test_phone import GAMES, acts_of, by_seats, plain
from thumb import Thumb

from ledger import catalog, codec
from ledger.audit import audit
from ledger.chain import fingerprint, record_digest
from ledger.codec import check
from ledger.errors import UnknownRecord
from ledger.events import ACTS, Close, Confirm, Correctable, Open, Place, kind
from ledger.forms import form, news
from ledger.record import Record
from ledger.replay import advance
from ledger.simulate import simulate
from ledger.tiles import TILES
from runtime_home import runtime

pytestmark = pytest.mark.parametrize("phone", ["rules"], indirect=True)
PATIENCE = 60_000

GAME_ON_PHONE = """(id) => new Promise((resolve, reject) => {
  const request = indexedDB.open("domino-ledger-games", 1);
  request.onerror = () => reject(request.error);
  request.onsuccess = () => {
    const games = request.result.transaction("games").objectStore("games").get(id);
    games.onsuccess = () => resolve(games.result || null);
  };
})"""
PUT_BACK = """(game) => new Promise((resolve, reject) => {
  const request = indexedDB.open("domino-ledger-games", 1);
  request.onerror = () => reject(request.error);
  request.onsuccess = () => {
    const all = request.result.transaction("games", "readwrite");
    all.objectStore("games").put(game);
    all.oncomplete = () => resolve(true);
  };
})"""


def ready(page: Page, address: str) -> None:
    """Opens a page of the recorder, with the rules in it; from then on it needs no network."""
    page.goto(address)
    page.wait_for_selector("html[data-rules=ready]", timeout=PATIENCE)
    if page.evaluate("isSecureContext"):
        page.wait_for_selector("html[data-offline=ready]", timeout=PATIENCE)


def begin_here(page: Page, opening: Open) -> Thumb:
    """Begins a game in the page that is open."""
    choose(page, opening)
    fill_in(page, opening)
    return begun(page)


def choose(page: Page, opening: Open) -> None:
    game = page.locator(f"#begin .records a[href$='game={opening.game}']")
    expect(game).to_be_visible(timeout=PATIENCE)
    game.tap()


def fill_in(page: Page, opening: Open) -> None:
    expect(page.get_by_role("button", name="Begin")).to_be_visible(timeout=PATIENCE)
    if opening.edition:
        page.get_by_label("Edition").select_option(opening.edition)
    for seat, player in enumerate(opening.players, 1):
        if not page.get_by_label(f"Player {seat}").is_visible():
            page.get_by_role("button", name="Add player").tap()
        page.get_by_label(f"Player {seat}").fill(player.name)
    for option, value in opening.options.items():
        field = page.locator(f"[name='option.{option}']")
        page.locator("details", has=field).locator("summary").tap()
        field.fill(str(value))


def begun(page: Page) -> Thumb:
    page.get_by_role("button", name="Begin").tap()
    page.wait_for_selector("html[data-view=record][data-ready]", timeout=PATIENCE)
    thumb = Thumb(page)
    thumb.cut_off = True
    return thumb


def id_of(page: Page) -> str:
    return page.url.rpartition("/")[2]


def kept(thumb: Thumb) -> None:
    """Waits until the phone has judged and kept everything."""
    expect(thumb.page.locator("#sync")).to_have_text("On this phone", timeout=PATIENCE)


def handed_in(thumb: Thumb) -> None:
    expect(thumb.page.locator("#sync")).to_have_text("Saved", timeout=PATIENCE)


def on_phone(page: Page, record_id: str) -> Any:
    """What only the phone has of a game."""
    return page.evaluate(GAME_ON_PHONE, record_id)


def record_on_phone(page: Page, record_id: str) -> Record:
    game = on_phone(page, record_id)
    return codec.decode(json.dumps({"format": "domino-ledger/1", "events": game["events"]}))


def in_ledger(club: Club, record_id: str) -> bool:
    try:
        return bool(club.read(record_id))
    except UnknownRecord:
        return False


def illegal_at(record: Record, acts: list[Correctable]) -> tuple[int, Correctable]:
    """An act that breaks a rule and that a thumb can enter, and before which of these acts."""
    game = catalog.game_of(record)
    for at in range(4, 30):
        whole = check((record.opening, *acts[:at]))
        state = game.start(game.opening(record.opening))
        for act in acts[:at]:
            state = advance(game, state, act)
        ways = {
            (way.kind, way.player): set(way.tiles or ()) for way in form(game, game.opening(record.opening), state).ways
        }
        for act in acts[at + 1 : at + 4]:
            tile = getattr(act, "tile", None)
            offered = tile is not None and str(TILES[tile.index]) in ways.get((kind(act), act.player), ())  # type: ignore[union-attr]
            if offered and any(finding.verdict == "breach" for finding in news(whole, [act])[1]):
                return at, act
    raise AssertionError("no act breaks a rule")


def agree(thumb: Thumb, player: str) -> None:
    """A player agrees to the record."""
    before = thumb.total()
    thumb.page.locator(f"[data-panel=agree][data-player={player}]").tap()
    expect(thumb.page.locator("#sync")).to_have_attribute("data-total", str(before + 1))
    kept(thumb)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_begun_recorded_and_confirmed_offline_and_handed_in_later(
    phone: BrowserContext, club: Club, name: str
) -> None:
    game, seed, options, edition = GAMES[name]
    record = by_seats(simulate(catalog.find(game), seed, options, edition=edition))
    acts = [replace(e, points=None) if isinstance(e, Place) else e for e in record.events if isinstance(e, ACTS)]
    page = phone.new_page()
    ready(page, f"{club.address}/r/")
    phone.set_offline(True)
    page.goto(f"{club.address}/new")
    thumb = begin_here(page, record.opening)
    record_id = id_of(page)
    slip, illegal = illegal_at(record, acts)
    for at, act in enumerate(acts):
        if at == slip:
            kept(thumb)
            thumb.choose(illegal)
            thumb.act(illegal)
            doubt = page.locator("#doubt")
            expect(doubt).to_contain_text("That breaks a rule")
            expect(doubt.locator("code")).to_contain_text(f"{game}.")
            doubt.get_by_role("button", name="Back").tap()
            assert len(on_phone(page, record_id)["events"]) == at + 1
            page.reload()
            page.wait_for_selector("html[data-rules=ready]", timeout=PATIENCE)
        thumb.enter(act)
    kept(thumb)
    page.get_by_role("button", name="Confirm result").tap()
    expect(page.locator("[data-end=closed] h2")).to_contain_text("Game over.")
    kept(thumb)
    shown = page.locator(".fingerprint").inner_text()
    for player in record.opening.players:
        agree(thumb, player.id)
    here = record_on_phone(page, record_id)
    assert acts_of(here) == [plain(act) for act in acts]
    assert audit(catalog.find(game), here).verdict == "clean"
    assert shown == fingerprint(record_digest(here.events))
    assert sum(isinstance(event, Confirm) for event in here.events) == len(record.opening.players)
    assert any(isinstance(event, Close) for event in here.events)
    assert not in_ledger(club, record_id)
    game_on_phone = on_phone(page, record_id)

    phone.set_offline(False)
    handed_in(thumb)
    assert codec.encode(club.read(record_id)) == codec.encode(here)
    expect(page.locator(".fingerprint")).to_have_text(shown)
    assert on_phone(page, record_id) is None

    # A phone that was killed before it forgot the game hands it in once more.
    page.evaluate(PUT_BACK, game_on_phone)
    page.reload()
    page.wait_for_selector("html[data-ready]", timeout=PATIENCE)
    handed_in(thumb)
    assert on_phone(page, record_id) is None
    assert codec.encode(club.read(record_id)) == codec.encode(here)


# ── Nothing is lost, nothing is doubled ────────────────────────────────────────────────────────────────────

ZIGZAG = by_seats(simulate(catalog.find("zigzag"), 5, {"hands": 3}))
ACTS_OF_IT = [event for event in ZIGZAG.events if isinstance(event, ACTS)]


@pytest.fixture
def table(phone: BrowserContext, club: Club) -> tuple[Page, Thumb, str]:
    """A game of Zigzag with six entries that only the phone has: the page, the thumb, the record."""
    page = phone.new_page()
    ready(page, f"{club.address}/r/")
    phone.set_offline(True)
    page.goto(f"{club.address}/new")
    thumb = begin_here(page, ZIGZAG.opening)
    for act in ACTS_OF_IT[:6]:
        thumb.enter(act)
    kept(thumb)
    return page, thumb, id_of(page)


Table = tuple[Page, Thumb, str]


def lose_request(route: Route) -> None:
    route.abort()


def lose_answer(route: Route) -> None:
    with suppress(Error):  # the page may be gone by then
        route.fetch()
        route.abort()


def break_down(route: Route) -> None:
    route.fulfill(status=500, body="<h1>Something broke</h1>", content_type="text/html")


def whole(club: Club, record_id: str, count: int = 6) -> None:
    """The ledger has the game with these many acts, each once."""
    assert acts_of(club.read(record_id)) == [plain(act) for act in ACTS_OF_IT[:count]]
    assert len(club.read(record_id).events) == count + 1


@pytest.mark.parametrize("cut", [lose_request, lose_answer, break_down])
@pytest.mark.parametrize("where", ["**/api/records", "**/api/records/*/events"])
def test_a_hand_in_that_is_cut_off(
    table: Table, phone: BrowserContext, club: Club, cut: Callable[[Route], None], where: str
) -> None:
    page, thumb, record_id = table
    page.route(where, cut)
    with page.expect_request(lambda request: request.method == "POST" and "/api/records" in request.url):
        phone.set_offline(False)
    thumb.enter(ACTS_OF_IT[6])
    kept(thumb)
    assert len(on_phone(page, record_id)["events"]) == 8
    page.unroute(where)
    handed_in(thumb)
    whole(club, record_id, 7)


@pytest.mark.parametrize("cut", [lose_request, lose_answer])
@pytest.mark.parametrize("where", ["**/api/records", "**/api/records/*/events"])
def test_a_page_that_is_closed_while_it_hands_in(
    table: Table, phone: BrowserContext, club: Club, cut: Callable[[Route], None], where: str
) -> None:
    page, _thumb, record_id = table
    page.route(where, cut)
    with page.expect_request(lambda request: request.method == "POST" and "/api/records" in request.url):
        phone.set_offline(False)
    page.close()
    again = phone.new_page()
    # Any page of the recorder hands it in.
    again.goto(f"{club.address}/new")
    expect(again.locator("#mine li:not(.local)")).to_have_count(1, timeout=PATIENCE)
    whole(club, record_id)


def test_a_page_that_is_closed_at_the_table_and_opened_again_without_a_network(
    table: Table, phone: BrowserContext, club: Club
) -> None:
    page, _thumb, record_id = table
    page.close()
    again = phone.new_page()
    again.goto(f"{club.address}/new")
    again.locator(f"#mine a[href$='{record_id}']").tap()
    again.wait_for_selector("html[data-view=record][data-ready]", timeout=PATIENCE)
    thumb = Thumb(again)
    thumb.cut_off = True
    thumb.enter(ACTS_OF_IT[6])
    kept(thumb)
    phone.set_offline(False)
    handed_in(thumb)
    whole(club, record_id, 7)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="no way here to find the processes of a browser")
def test_a_browser_that_is_killed_at_the_table(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any], club: Club, tmp_path: Path, phone: Any
) -> None:
    assert phone
    profile, arguments = tmp_path / "phone", {**browser_type_launch_args, **PHONE}
    context = browser_type.launch_persistent_context(profile, **arguments)
    page = context.new_page()
    ready(page, f"{club.address}/r/")
    club.kill()
    thumb = begin_here(page, ZIGZAG.opening)
    record_id = id_of(page)
    for act in ACTS_OF_IT[:4]:
        thumb.enter(act)
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if str(profile).encode() in (process / "cmdline").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)
    with pytest.raises(Exception, match="closed"):
        page.wait_for_timeout(5000)
    again = browser_type.launch_persistent_context(profile, **arguments)
    page = again.new_page()
    page.goto(f"{club.address}/r/{record_id}")
    page.wait_for_selector("html[data-ready]", timeout=PATIENCE)
    expect(page.locator("#sync")).to_have_attribute("data-total", "5")
    thumb = Thumb(page)
    thumb.cut_off = True
    thumb.enter(ACTS_OF_IT[4])
    kept(thumb)
    club.start()
    handed_in(thumb)
    whole(club, record_id, 5)
    again.close()


def test_an_entry_that_the_ledger_refuses_steps_aside_with_its_reason(
    table: Table, phone: BrowserContext, club: Club
) -> None:
    page, _thumb, record_id = table
    # As if this phone had other rules than the ledger: it kept a confirmation of another record.
    game = on_phone(page, record_id)
    game["events"].append({"type": "confirm", "player": "p1", "head": "0" * 64, "when": "2026-11-22T15:00:00.000Z"})
    game["ids"].append("0" * 32)
    page.evaluate(PUT_BACK, game)
    phone.set_offline(False)
    expect(page.locator("#panels")).to_contain_text("Not recorded:", timeout=PATIENCE)
    expect(page.locator("#panels")).to_contain_text("The record has changed since you compared it")
    whole(club, record_id)


def test_a_ledger_that_is_only_shown_takes_no_game_and_the_phone_keeps_it(
    table: Table, phone: BrowserContext, club: Club
) -> None:
    page, thumb, record_id = table
    club.kill()
    club.start("--read-only")
    phone.set_offline(False)
    expect(page.locator("#sync")).to_have_text("Not handed in", timeout=PATIENCE)
    expect(page.locator("#panels")).to_contain_text("This ledger is read-only")
    club.kill()
    club.start()
    page.reload()
    handed_in(thumb)
    whole(club, record_id)


# ── Over plain http, and what a phone may not do ───────────────────────────────────────────────────────────


@contextmanager
def home_network(browser_type: BrowserType, launch: dict[str, Any]) -> Iterator[tuple[BrowserContext, str]]:
    """A phone on a home network, where this machine has a name and no certificate."""
    name = f"{gethostname().split('.')[0].lower()}.lan"
    arguments = [*launch["args"], f"--host-resolver-rules=MAP {name} 127.0.0.1"]
    browser = browser_type.launch(**{**launch, "args": arguments})
    context = browser.new_context(**PHONE)  # type: ignore[arg-type]
    context.set_default_timeout(10000)
    yield context, name
    browser.close()


def test_over_plain_http_the_open_page_begins_game_after_game(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any], club: Club, phone: Any
) -> None:
    assert phone
    with home_network(browser_type, browser_type_launch_args) as (context, name):
        page = context.new_page()
        ready(page, club.address.replace("127.0.0.1", name) + "/r/")
        assert not page.evaluate("isSecureContext")
        club.kill()
        thumb = begin_here(page, ZIGZAG.opening)
        first = id_of(page)
        for act in ACTS_OF_IT[:3]:
            thumb.enter(act)
        kept(thumb)
        look_back(page)
        # The next one begins from the menu, in the same page.
        page.locator("#show-more").tap()
        page.locator("#more-new").tap()
        build_up = by_seats(simulate(catalog.find("build-up"), 3))
        thumb = begin_here(page, build_up.opening)
        second = id_of(page)
        entry = next(event for event in build_up.events if isinstance(event, ACTS))
        thumb.enter(entry)
        kept(thumb)
        page.go_back()
        page.go_back()
        page.go_back()
        expect(page.locator("#sync")).to_have_attribute("data-total", "4", timeout=PATIENCE)
        assert id_of(page) == first != second
        # Without a connection nothing leads away from the page: it would not open again.
        page.locator("header .mark").tap()
        expect(page.locator("#doubt")).to_contain_text("There is no connection")
        page.locator("#doubt [data-close]").first.tap()
        club.start()
        handed_in(thumb)
        whole(club, first, 3)
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
        "indexedDB.open = (name, version) => { if (name.endsWith('games')) throw new DOMException('no room');"
        " return open(name, version); };"
    )
    ready(page, f"{club.address}/r/")
    choose(page, ZIGZAG.opening)
    fill_in(page, ZIGZAG.opening)
    page.get_by_role("button", name="Begin").tap()
    expect(page.locator("#begin [role=alert]:visible")).to_contain_text("This phone cannot keep the game")
    assert page.get_by_label("Player 1").input_value() == "Ana"


def test_names_that_will_not_do_are_explained_without_a_server(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    ready(page, f"{club.address}/r/")
    phone.set_offline(True)
    choose(page, ZIGZAG.opening)
    page.get_by_label("Player 1").fill("Ana")
    page.get_by_label("Player 2").fill("ana")
    page.get_by_role("button", name="Begin").tap()
    expect(page.locator("#begin")).to_contain_text("There are two players called ana")
    for seat, player in enumerate(("Ana", "Ben", "Cy"), 1):
        page.get_by_label(f"Player {seat}").fill(player)
    page.locator("summary", has_text="Variants").tap()
    page.locator("[name='option.target']").fill("lots")
    page.get_by_role("button", name="Begin").tap()
    expect(page.locator("[id='option.target-wrong']")).to_contain_text("lots")
    assert page.get_by_label("Player 3").input_value() == "Cy"


# ── What a game on the phone is good for ───────────────────────────────────────────────────────────────────


def test_a_game_is_replayed_saved_and_deleted_without_a_network(
    table: Table, phone: BrowserContext, tmp_path: Path
) -> None:
    page, _thumb, record_id = table
    here = record_on_phone(page, record_id)
    page.locator("#show-more").tap()
    page.locator("#more-links").tap()
    expect(page.locator("#links input")).to_have_value(re.compile(r"/kept#\."))
    page.locator("#links [data-close]").tap()
    page.locator("#show-more").tap()
    page.locator("#more-replay-here").tap()
    page.wait_for_selector("html[data-ready] #now", timeout=PATIENCE)
    expect(page.locator("#title")).to_contain_text("Zigzag: Ana, Ben and Cy")
    assert page.locator("#now .no").inner_text() == "6"
    page.go_back()
    page.wait_for_selector("html[data-view=record][data-ready]", timeout=PATIENCE)
    page.locator("#show-more").tap()
    page.locator("#more-new").tap()
    mine = page.locator("#mine")
    expect(mine).to_contain_text("Kept on this phone · not handed in yet")
    with page.expect_download() as download:
        mine.get_by_role("button", name="Save").tap()
    download.value.save_as(tmp_path / "game.ndjson")
    assert codec.decode((tmp_path / "game.ndjson").read_bytes()) == here
    mine.get_by_role("button", name="Delete").tap()
    page.get_by_role("button", name="Back").tap()
    assert on_phone(page, record_id)
    mine.get_by_role("button", name="Delete").tap()
    page.get_by_role("button", name="Yes, delete it").tap()
    expect(mine).to_be_hidden()
    assert on_phone(page, record_id) is None
    phone.set_offline(False)


def test_what_one_tab_records_the_other_sees_and_neither_doubles_it(table: Table, phone: BrowserContext) -> None:
    page, thumb, record_id = table
    other = phone.new_page()
    other.goto(page.url)
    other.wait_for_selector("html[data-rules=ready]", timeout=PATIENCE)
    thumb.enter(ACTS_OF_IT[6])
    expect(other.locator("#sync")).to_have_attribute("data-total", "8", timeout=PATIENCE)
    second = Thumb(other)
    second.cut_off = True
    second.enter(ACTS_OF_IT[7])
    expect(page.locator("#sync")).to_have_attribute("data-total", "9", timeout=PATIENCE)
    assert acts_of(record_on_phone(page, record_id)) == [plain(act) for act in ACTS_OF_IT[:8]]


def test_a_connection_that_breaks_over_the_form_loses_nothing_that_was_typed(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    ready(page, f"{club.address}/r/")
    page.goto(f"{club.address}/new?game=zigzag")
    fill_in(page, ZIGZAG.opening)
    phone.set_offline(True)
    page.get_by_role("button", name="Begin").tap()
    expect(page.locator("#begin").get_by_label("Player 2")).to_have_value("Ben", timeout=PATIENCE)
    thumb = begun(page)
    thumb.enter(ACTS_OF_IT[0])
    kept(thumb)
    page.goto(f"{club.address}/")
    expect(page.locator("#mine .local")).to_have_count(1, timeout=PATIENCE)


def test_a_rematch_begins_without_a_network(table: Table) -> None:
    page, thumb, _record_id = table
    page.locator("#show-more").tap()
    page.locator("#more-abandon").tap()
    page.get_by_role("button", name="Yes, close it").tap()
    page.get_by_role("link", name="Rematch").tap()
    expect(page.get_by_label("Player 1")).to_have_value("Ben", timeout=PATIENCE)
    again = begun(page)
    expect(page.locator("#seats")).to_contain_text("Ben")
    again.enter(ACTS_OF_IT[0])
    kept(thumb)


def test_the_pages_of_the_phone_ask_only_its_own_server(table: Table, club: Club) -> None:
    page, thumb, _record_id = table
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    thumb.enter(ACTS_OF_IT[6])
    page.reload()
    page.wait_for_selector("html[data-rules=ready]", timeout=PATIENCE)
    assert runtime()
    assert [url for url in asked if not url.startswith((club.address, "data:", "blob:"))] == []
