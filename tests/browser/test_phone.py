"""A phone at the table: whole games by taps alone, and nothing that was entered is ever lost or doubled."""

from __future__ import annotations

import os
import re
import signal
import statistics
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from socket import gethostname
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from club import PHONE, Club
from msgspec.structs import replace
from playwright.sync_api import Browser, BrowserContext, BrowserType, Error, Page, Route, expect
from thumb import Thumb, low_first

from ledger import catalog, codec
from ledger.audit import audit
from ledger.events import ACTS, Amend, Close, Correctable, Insert, Open, Place, Play, Result, Retract, Stack
from ledger.record import Record, effective
from ledger.recorder import Recorder
from ledger.replay import advance
from ledger.simulate import simulate
from ledger.stores.sqlite import SqliteStore


def acts_of(record: Record) -> list[Correctable]:
    """What was done in a game, by the corrections too, without when it was recorded and what was said of it."""
    entries = effective(record.events).entries
    return [plain(entry.event) for entry in entries if isinstance(entry.event, ACTS)]


def plain(event: Any) -> Any:
    """An act as it is compared: a domino that lies written from its lower half, a double from its left or upper."""
    event = replace(event, when=None, by=None)
    if not isinstance(event, Place):
        return event
    ends = low_first(event)
    return event.player, event.tile.index, ends if not event.tile.double else tuple(sorted(ends)), event.level


def opened(page: Page, link: str) -> Thumb:
    """The recorder on a phone."""
    page.goto(link)
    page.wait_for_selector("html[data-ready]")
    return Thumb(page)


GAMES = {
    "ziggurat": ("ziggurat", 2, {}, None),
    "domino-ziggurat-1.1": ("domino-ziggurat", 10, {}, "1.1"),
    "domino-ziggurat-2": ("domino-ziggurat", 7, {}, "2"),
    "build-up": ("build-up", 3, {}, None),
    "zigzag": ("zigzag", 5, {"hands": 3}, None),
}


def wrong_for(record: Record, acts: list[Correctable], at: int) -> Correctable | None:
    """Another legal act than the one at that place, that does not stand in the way of the next ten."""
    game = catalog.find(record.opening.game)
    state = game.start(game.opening(record.opening))
    for act in acts[:at]:
        state = advance(game, state, act)
    right = acts[at]
    later = {getattr(act, "tile", None) for act in acts[at : at + 12]}
    for act in game.choices(state):
        if type(act) is type(right) and plain(act) != plain(right) and _harmless(act, right, later):
            return act
    return None


def _harmless(act: Correctable, right: Correctable, later: set[Any]) -> bool:
    if isinstance(act, Place) and isinstance(right, Place):
        return act.tile.index == right.tile.index and set(low_first(act)) == set(low_first(right))
    if isinstance(act, Stack) and isinstance(right, Stack):
        return act.tile == right.tile
    return isinstance(act, Play) and act.tile not in later


def by_seats(record: Record) -> Record:
    """The same game with the ids that a phone gives to its players."""
    text = codec.encode(record)
    for seat, player in enumerate(record.opening.players, 1):
        text = text.replace(f'"{player.id}"'.encode(), f'"p{seat}"'.encode())
    return codec.decode(text)


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_by_taps_offline_in_the_middle_and_one_entry_put_right(
    phone: BrowserContext, club: Club, name: str
) -> None:
    game, seed, options, edition = GAMES[name]
    record = by_seats(simulate(catalog.find(game), seed, options, edition=edition))
    acts = [replace(e, points=None) if isinstance(e, Place) else e for e in record.events if isinstance(e, ACTS)]
    page = phone.new_page()
    begin(page, club, record.opening)
    thumb, record_id = Thumb(page), page.url.rpartition("/")[2]
    middle = len(acts) // 3
    slip = next(at for at in range(middle + 7, len(acts) - 11) if wrong_for(record, acts, at) is not None)
    for at, act in enumerate(acts):
        if at == middle:
            thumb.all_recorded()
            phone.set_offline(True)
            thumb.cut_off = True
        if at == middle + 6:
            expect(page.locator("#sync")).to_have_text("Offline · 6 waiting")
            phone.set_offline(False)
            thumb.cut_off = False
            thumb.all_recorded()
        thumb.enter(wrong_for(record, acts, slip) if at == slip else act)  # type: ignore[arg-type]
        if at == slip + 10:
            thumb.all_recorded()
            taps = list(thumb.taps)
            put_right(thumb, club.read(record_id), acts[slip])
            thumb.taps = taps
    thumb.all_recorded()
    assert acts_of(club.read(record_id)) == [plain(act) for act in acts]
    page.get_by_role("button", name="Confirm result").tap()
    expect(page.locator("[data-end=closed] h2")).to_contain_text("Game over.")
    thumb.all_recorded()
    ended = club.read(record_id)
    assert isinstance(ended.events[-1], Close)
    said = [plain(event) for event in ended.events if isinstance(event, Result)]
    assert said == [plain(event) for event in record.events if isinstance(event, Result)]
    assert audit(catalog.find(game), ended).verdict == "clean"
    taps = [count for what, count in thumb.taps if what not in ("layout", "deal", "aside")]
    assert statistics.median(taps) <= 2, f"{name}: {dict(sorted(thumb.moves().items()))}"


def begin(page: Page, club: Club, opening: Open) -> None:
    """Chooses a game, its players and its options, and goes to the table."""
    page.goto(club.address)
    page.get_by_role("link", name="New game").tap()
    page.locator(f".records a[href$='game={opening.game}']").tap()
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
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
    page.get_by_role("button", name="Begin").tap()
    expect(page.locator("html[data-ready]")).to_be_attached()
    expect(page.locator("dialog[open]")).to_have_count(0)  # the table first
    assert "#" not in page.url


def put_right(thumb: Thumb, record: Record, right: Correctable) -> None:
    """Finds the entry of eleven events ago in the list, and enters what really happened."""
    page = thumb.page
    entries = [entry for entry in effective(record.events).entries if isinstance(entry.event, ACTS)]
    page.locator("#show-moves").tap()
    page.locator(f"#moves [data-seq='{entries[-11].seq}']").tap()
    page.get_by_role("button", name="Change").tap()
    expect(page.locator(".banner")).to_contain_text("Enter what really happened")
    thumb.enter(right)
    thumb.all_recorded()


# ── Nothing is lost, nothing is doubled ────────────────────────────────────────────────────────────────────


@pytest.fixture
def table(phone: BrowserContext, club: Club) -> tuple[Page, Thumb, str, list[Correctable]]:
    """A game of Ziggurat in which the hands are written: the page, the thumb, the record, and what comes next."""
    record = simulate(catalog.find("ziggurat"), 2)
    acts = [replace(e, points=None) if isinstance(e, Place) else e for e in record.events if isinstance(e, ACTS)]
    link, record_id = club.open(record.opening)
    with SqliteStore(club.path) as store:
        for act in acts[:2]:
            Recorder(store).append(record_id, act)
    page = phone.new_page()
    return page, opened(page, link), record_id, acts[2:]


def stands(club: Club, record_id: str, acts: list[Correctable]) -> None:
    assert [plain(event) for event in club.read(record_id).events[3:]] == [plain(act) for act in acts]


Table = tuple[Page, Thumb, str, list[Correctable]]


def lose_request(route: Route) -> None:
    route.abort()


def lose_answer(route: Route) -> None:
    with suppress(Error):  # the page may be gone by then
        route.fetch()
        route.abort()


@pytest.mark.parametrize("cut", [lose_request, lose_answer])
def test_a_network_that_is_cut_before_or_after_the_ledger_has_it(
    table: Table, club: Club, cut: Callable[[Route], None]
) -> None:
    page, thumb, record_id, acts = table
    page.route("**/events", cut)
    for act in acts[:3]:
        thumb.enter(act)
    expect(page.locator("#sync")).to_contain_text("Offline")
    page.unroute("**/events")
    thumb.all_recorded()
    stands(club, record_id, acts[:3])


def test_a_server_that_is_killed_with_entries_on_their_way(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    thumb.enter(acts[0])
    club.kill()
    thumb.cut_off = True
    thumb.enter(acts[1])
    thumb.enter(acts[2])
    expect(page.locator("#sync")).to_contain_text("Offline")
    club.start()
    thumb.all_recorded()
    stands(club, record_id, acts[:3])


def test_a_tab_that_is_closed_before_it_was_sent(table: Table, club: Club, phone: BrowserContext) -> None:
    page, thumb, record_id, acts = table
    page.route("**/events", lose_request)
    thumb.enter(acts[0])
    thumb.enter(acts[1])
    page.close()
    stands(club, record_id, [])
    again = phone.new_page()
    thumb = opened(again, f"{club.address}/r/{record_id}")
    thumb.all_recorded()
    stands(club, record_id, acts[:2])
    thumb.enter(acts[2])
    thumb.all_recorded()
    stands(club, record_id, acts[:3])


def test_a_tab_that_is_closed_while_the_answer_was_on_its_way(table: Table, club: Club, phone: BrowserContext) -> None:
    page, thumb, record_id, acts = table
    page.route("**/events", lose_answer)
    thumb.enter(acts[0])
    for _ in range(100):
        if club.read(record_id).events[3:]:
            break
        page.wait_for_timeout(50)
    page.close()
    thumb = opened(phone.new_page(), f"{club.address}/r/{record_id}")
    thumb.all_recorded()
    stands(club, record_id, acts[:1])


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
    page = context.new_page()
    thumb = opened(page, link)
    page.route("**/events", lose_request)
    for act in acts[:4]:
        thumb.enter(act)
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if str(profile).encode() in (process / "cmdline").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)
        except OSError:
            continue
    with pytest.raises(Exception, match="closed"):
        page.wait_for_timeout(5000)
    assert len(club.read(record_id).events) == 1
    again = browser_type.launch_persistent_context(profile, **arguments)
    thumb = opened(again.new_page(), f"{club.address}/r/{record_id}")
    thumb.all_recorded()
    assert acts_of(club.read(record_id)) == [plain(act) for act in acts[:4]]
    again.close()


def test_over_plain_http_on_a_home_network(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any], club: Club
) -> None:
    name = f"{gethostname().split('.')[0].lower()}.lan"  # as the phones of a home network know this machine
    arguments = [*browser_type_launch_args["args"], f"--host-resolver-rules=MAP {name} 127.0.0.1"]
    browser = browser_type.launch(**{**browser_type_launch_args, "args": arguments})
    page = browser.new_page(**PHONE)  # type: ignore[arg-type]
    record = simulate(catalog.find("build-up"), 3)
    acts = [event for event in record.events if isinstance(event, ACTS)]
    link, record_id = club.open(record.opening)
    thumb = opened(page, link.replace("127.0.0.1", name))
    assert not page.evaluate("isSecureContext")
    for act in acts[:5]:
        thumb.enter(act)
    thumb.all_recorded()
    assert acts_of(club.read(record_id)) == [plain(act) for act in acts[:5]]
    browser.close()


def test_on_a_safe_address_the_page_opens_without_a_server(table: Table, club: Club, phone: BrowserContext) -> None:
    page, thumb, record_id, acts = table
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # through the worker, which keeps what passes
    page.wait_for_selector("html[data-ready]")
    club.kill()
    thumb.cut_off = True
    page.reload()
    page.wait_for_selector("html[data-ready]")
    for act in acts[:3]:
        thumb.enter(act)
    expect(page.locator("#sync")).to_have_text("Offline · 3 waiting")
    club.start()
    thumb.all_recorded()
    stands(club, record_id, acts[:3])
    assert phone.pages


# ── Two who record, and who only watches ───────────────────────────────────────────────────────────────────


def test_of_two_who_record_the_second_sees_the_first_and_chooses(
    table: Table, club: Club, phone: BrowserContext
) -> None:
    page, thumb, record_id, acts = table
    key = page.evaluate(f"localStorage.getItem('domino-ledger.key.{record_id}')")
    other = opened(phone.new_page(), f"{club.address}/r/{record_id}#{key}")
    page.route("**/events", lose_request)
    thumb.enter(acts[0])  # the same as the other records
    thumb.enter(acts[1])
    other.page.evaluate("indexedDB.deleteDatabase('nothing')")
    with SqliteStore(club.path) as store:  # the other phone, which has a disk of its own
        Recorder(store).append(record_id, acts[0])
    page.unroute("**/events")
    banner = page.locator(".banner[role=alert]")
    expect(banner).to_contain_text("Another phone has recorded something in the meantime", timeout=20000)
    boxes = banner.locator("[data-keep]")
    expect(boxes).to_have_count(2)
    assert not boxes.nth(0).is_checked()
    assert boxes.nth(1).is_checked()
    stands(club, record_id, acts[:1])
    banner.get_by_role("button", name="Continue").tap()
    thumb.all_recorded()
    stands(club, record_id, acts[:2])


def test_what_one_records_the_other_sees_without_asking(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    with SqliteStore(club.path) as store:
        Recorder(store).append(record_id, acts[0])
    expect(page.locator("#sync")).to_have_attribute("data-total", "4")
    thumb.enter(acts[1])
    thumb.all_recorded()
    stands(club, record_id, acts[:2])


def test_a_watcher_cannot_write(phone: BrowserContext, table: Table, club: Club, browser: Browser) -> None:
    _page, _thumb, record_id, acts = table
    stranger = browser.new_context(**PHONE)  # type: ignore[arg-type]
    page = stranger.new_page()
    thumb = opened(page, f"{club.address}/r/{record_id}")
    expect(page.locator("#sync")).to_contain_text("Watching only")
    thumb.enter(acts[0])
    expect(page.locator("#sync")).to_contain_text("Watching only")
    page.wait_for_timeout(500)
    stands(club, record_id, [])
    stranger.close()
    assert phone.pages


def test_where_a_ledger_is_only_shown_an_entry_stays_on_the_phone(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    club.kill()
    club.start("--read-only")
    thumb.enter(acts[0])
    expect(page.locator("#sync")).to_have_text("Not saved · 1 kept", timeout=20000)
    expect(page.locator("#panels")).to_contain_text("This ledger is read-only")
    stands(club, record_id, [])
    club.kill()
    club.start()
    page.reload()
    thumb.all_recorded()
    stands(club, record_id, acts[:1])


def test_a_ledger_that_was_set_back_is_noticed(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    copy = club.path.with_name("copy.sqlite")
    with SqliteStore(club.path) as store:
        store.copy_to(copy)
    thumb.enter(acts[0])
    thumb.all_recorded()
    club.kill()
    for part in club.path.parent.glob("club.sqlite*"):
        part.unlink()
    copy.rename(club.path)
    club.start()
    thumb.enter(acts[1])
    banner = page.locator(".banner[role=alert]")
    expect(banner).to_contain_text("less of this game than this phone has seen", timeout=20000)
    banner.get_by_role("button", name="Continue").tap()
    thumb.all_recorded()
    stands(club, record_id, acts[1:2])


def test_a_game_that_the_ledger_lost_stays_on_the_phone_until_it_is_back(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    club.kill()
    kept = [part.rename(part.with_name(f"kept{part.name}")) for part in club.path.parent.glob("club.sqlite*")]
    club.start()
    thumb.enter(acts[0])
    sync, banner = page.locator("#sync"), page.locator(".banner[role=alert]")
    expect(sync).to_have_text("Not in the ledger · 1 kept", timeout=20000)
    expect(banner).to_contain_text("The ledger has lost this game")
    expect(banner).to_contain_text(re.compile("1.entry is safe on this phone"))
    thumb.enter(acts[1])
    page.reload()
    expect(sync).to_have_text("Not in the ledger · 2 kept", timeout=20000)
    club.kill()
    for part in club.path.parent.glob("club.sqlite*"):
        part.unlink()
    for part in kept:
        part.rename(part.with_name(part.name.removeprefix("kept")))
    club.start()
    thumb.all_recorded()
    expect(banner).to_have_count(0)
    stands(club, record_id, acts[:2])


def test_an_unknown_game_is_reported(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    answer = page.goto(f"{club.address}/r/zzzzzzzzzz")
    assert answer is not None
    assert answer.status == 404
    expect(page.locator("#status")).to_contain_text("There is no game “zzzzzzzzzz” in this ledger")
    expect(page.locator("#undo")).to_be_hidden()


# ── Slips, and what the table did ──────────────────────────────────────────────────────────────────────────


def test_an_illegal_move_is_shown_with_its_clause_before_it_is_kept(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    thumb.enter(acts[0])
    thumb.all_recorded()
    assert isinstance(acts[2], Place)
    stray = replace(acts[1], at=(acts[1].at[0] + 8, acts[1].at[1]))  # type: ignore[call-arg,attr-defined]
    for _ in range(9):
        page.locator("#wider").tap()
    thumb.choose(stray)
    thumb.act(stray)
    doubt = page.locator("#doubt")
    expect(doubt).to_contain_text("ziggurat.base")
    doubt.get_by_role("button", name="Back").tap()
    stands(club, record_id, acts[:1])
    # The tile is still in hand.
    right = low_first(stray)
    thumb.square(right[0][0] * 0.7 + right[1][0] * 0.3 + 0.5, right[0][1] * 0.7 + right[1][1] * 0.3 + 0.5)
    with thumb.more():
        doubt.get_by_role("button", name="Yes, record it").tap()
    stands(club, record_id, [acts[0], stray])
    expect(page.locator("#misfits")).to_contain_text("breaks a rule")
    page.locator("#misfits summary").tap()
    page.get_by_role("button", name="Correct").first.tap()
    with thumb.more():
        page.get_by_role("button", name="Delete").tap()
    expect(page.locator("#misfits")).not_to_contain_text("a rule")


def test_undo_takes_back_and_a_missed_move_is_put_in_between(phone: BrowserContext, club: Club) -> None:
    record = simulate(catalog.find("build-up"), 3)
    every = [event for event in record.events if isinstance(event, ACTS)]
    start = next(at for at, act in enumerate(every) if isinstance(act, Stack))
    acts = every[start:]
    link, record_id = club.open(record.opening)
    with SqliteStore(club.path) as store:
        for act in every[:start]:
            Recorder(store).append(record_id, act)
    page = phone.new_page()
    thumb = opened(page, link)
    thumb.enter(acts[0])
    thumb.enter(acts[1])
    with thumb.more():
        page.locator("#undo").tap()
    assert isinstance(club.read(record_id).events[-1], Retract)
    thumb.enter(acts[2])  # out of turn: the table says that it stood
    thumb.all_recorded()
    page.locator("#show-moves").tap()
    page.locator("#moves [data-seq]").last.tap()
    page.get_by_role("button", name="Insert before").tap()
    thumb.enter(acts[1])
    thumb.all_recorded()
    assert isinstance(club.read(record_id).events[-1], Insert)
    assert acts_of(club.read(record_id))[start:] == acts[:3]
    page.locator("#show-moves").tap()
    page.locator("#moves [data-seq]").last.tap()
    with thumb.more(2):
        page.get_by_role("button", name="Move up").tap()
    assert acts_of(club.read(record_id))[start:] == [acts[0], acts[2], acts[1]]


def test_points_and_totals_as_the_table_called_them(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    thumb.enter(acts[0])
    thumb.all_recorded()
    page.locator("#show-calls").tap()
    page.locator("[data-claim=points] input").fill("3")
    with thumb.more():
        page.locator("[data-claim=points] button").tap()
    last = club.read(record_id).events[-1]
    assert isinstance(last, Amend)
    assert isinstance(last.event, Place)
    assert last.event.points == 3
    expect(page.locator("#last .flag")).to_be_visible()
    page.locator("#show-calls").tap()
    page.locator("[data-claim=score] [name='points.ana']").fill("3")
    with thumb.more():
        page.locator("[data-claim=score] button").tap()
    page.locator("#show-calls").tap()
    page.locator("[data-claim=note] [name=text]").fill("<b>Tea</b>")
    with thumb.more():
        page.locator("[data-claim=note] button").tap()
    page.locator("#show-moves").tap()
    expect(page.locator("#moves")).to_contain_text("<b>Tea</b>")


@pytest.mark.parametrize("glass", [False, True], ids=["on-its-square", "on-the-same-spot-of-the-glass"])
def test_a_tile_is_turned_by_a_second_tap_and_leaves_no_trace(table: Table, club: Club, *, glass: bool) -> None:
    page, thumb, record_id, acts = table
    first = acts[0]
    assert isinstance(first, Place)
    page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))  # so that both taps come at once on any machine
    thumb.enter(first)
    if glass:
        thumb.again()
    else:
        # Until the answer is there the squares may move while the thumb looks for its own.
        expect(page.locator("#status[data-sure=true]")).to_be_visible()
        x, y = low_first(first)[0]
        thumb.square(x + 0.5, y + 0.5)
    expect(page.locator("#turn")).to_be_visible()
    page.clock.resume()
    thumb.all_recorded()
    placed = club.read(record_id).events[3:]
    assert len(placed) == 1
    assert plain(placed[0]) != plain(first)
    assert placed[0].tile.index == first.tile.index  # type: ignore[union-attr]


def test_a_rematch_has_the_same_people_each_a_seat_further(table: Table, club: Club) -> None:
    page, _thumb, record_id, _acts = table
    page.goto(f"{club.address}/new?from={record_id}")
    assert [page.get_by_label(f"Player {n}").input_value() for n in (1, 2)] == ["Ben", "Ana"]
    page.get_by_role("button", name="Begin").tap()
    expect(page.locator("html[data-ready]")).to_be_attached()
    page.goto(f"{club.address}/new")
    expect(page.locator("#mine a")).to_have_count(2)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_stands_in_anybodys_way_at_the_table(table: Table, club: Club, scheme: Any) -> None:
    page, thumb, record_id, acts = table
    page.emulate_media(color_scheme=scheme)
    thumb.enter(acts[0])
    thumb.tile(acts[1].tile)  # type: ignore[union-attr]
    pages = {
        "the recorder": None,
        "moves": "#show-moves",
        "called": "#show-calls",
        "left": "#show-left",
        "more": "#show-more",
    }
    for where, press in pages.items():
        if press:
            page.locator(press).tap()
        _axe(page, where)
        if press:
            page.locator("dialog[open] [data-close]").first.tap()
    for path in ("/new", "/new?game=zigzag", "/new?game=domino-ziggurat"):
        page.goto(club.address + path)
        _axe(page, path)
    assert record_id


def _axe(page: Page, where: str) -> None:
    found = Axe().run(page).response["violations"]
    serious = [(one["id"], one["nodes"][0]["html"][:160]) for one in found if one["impact"] in ("serious", "critical")]
    assert serious == [], where
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, where


def test_what_is_pressed_at_the_table_fits_a_thumb(table: Table) -> None:
    page, _thumb, _record_id, acts = table
    assert acts
    for button in page.locator(
        "header a:visible, header button:visible, main button:visible, .acts button:visible"
    ).all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 48, button.inner_html()
