"""A phone alone at the table: games that begin and are recorded without a server."""

import json
from typing import Any

from at_table import acts_of, by_seats, fill_in, plain
from club import Club
from playwright.sync_api import BrowserContext, Page, expect
from thumb import Thumb

from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.errors import UnknownRecord
from ledger.record.events import ACTS, Open
from ledger.record.record import Record

PATIENCE = 120_000

GAME_ON_PHONE = """(id) => new Promise((resolve, reject) => {
  const request = indexedDB.open("domino-notebook");
  request.onerror = () => reject(request.error);
  request.onsuccess = () => {
    const stores = request.result.transaction(["logs", "entries"]);
    const row = stores.objectStore("logs").get(id);
    const rows = stores.objectStore("entries").getAll(IDBKeyRange.bound([id], [id, []]));
    rows.onsuccess = () => resolve(row.result && !row.result.acked ? { row: row.result, rows: rows.result } : null);
  };
})"""
ZIGZAG = by_seats(simulate(catalog.find("zigzag"), 5, {"hands": 3}))
ZIGZAG_ACTS = [event for event in ZIGZAG.events if isinstance(event, ACTS)]


def open_with_rules(page: Page, address: str, *, worker: bool = True) -> None:
    """Opens a page of the recorder, with the rules in it; from then on it needs no network.

    With a service worker it even opens again without a network.
    """
    page.goto(address)
    page.wait_for_selector("html[data-rules=ready]", timeout=PATIENCE)
    if worker and page.evaluate("isSecureContext"):
        page.wait_for_selector("html[data-offline=ready]", timeout=PATIENCE)


def begin_here(page: Page, opening: Open) -> Thumb:
    """Begins a game in the page that is open."""
    choose(page, opening)
    fill_in_here(page, opening)
    return press_begin(page)


def choose(page: Page, opening: Open) -> None:
    game = page.locator(f"#begin .records a[href$='game={opening.game}']")
    expect(game).to_be_visible(timeout=PATIENCE)
    game.tap()


def fill_in_here(page: Page, opening: Open) -> None:
    """Waits for the form that the rules on the phone make, and fills it in."""
    expect(page.get_by_role("button", name="Begin")).to_be_visible(timeout=PATIENCE)
    fill_in(page, opening)


def press_begin(page: Page) -> Thumb:
    """Begins the game of the form, and waits for its table."""
    page.get_by_role("button", name="Begin").tap()
    return recording(page)


def recording(page: Page) -> Thumb:
    """Waits for the table of a game that only the phone has."""
    page.wait_for_selector("html[data-view=record][data-ready]", timeout=PATIENCE)
    thumb = Thumb(page)
    thumb.cut_off = True
    return thumb


def back_online(page: Page) -> None:
    """Gives the phone its network back, and tells the page, which browsers do and an emulation forgets.

    Only a page that was opened without a network needs it.
    """
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")


def id_of(page: Page) -> str:
    return page.url.rpartition("/")[2]


def wait_until_kept(thumb: Thumb) -> None:
    """Waits until the phone has judged and kept everything."""
    expect(thumb.page.locator("#sync")).to_contain_text("here", timeout=PATIENCE)


def wait_until_handed_in(thumb: Thumb) -> None:
    """Waits until the ledger has everything."""
    expect(thumb.page.locator("#sync")).to_have_text("Saved", timeout=PATIENCE)


def game_on_phone(page: Page, record_id: str) -> Any:
    """What only the phone has of a game."""
    return page.evaluate(GAME_ON_PHONE, record_id)


def record_on_phone(page: Page, record_id: str) -> Record:
    events = [row["entry"]["event"] for row in game_on_phone(page, record_id)["rows"]]
    return codec.decode(json.dumps({"format": "domino-ledger/1", "events": events}))


def is_in_ledger(club: Club, record_id: str) -> bool:
    """Whether the ledger has the game."""
    try:
        return bool(club.read(record_id))
    except UnknownRecord:
        return False


Table = tuple[Page, Thumb, str]
"""A game that only the phone has: the page, the thumb, the id of the record."""


def sit_down(phone: BrowserContext, club: Club, *, worker: bool) -> Table:
    """A game of Zigzag with six entries that only the phone has."""
    page = phone.new_page()
    open_with_rules(page, f"{club.address}/r/", worker=worker)
    page.wait_for_selector("html[data-ready]", timeout=PATIENCE)
    phone.set_offline(True)
    thumb = begin_here(page, ZIGZAG.opening)
    for act in ZIGZAG_ACTS[:6]:
        thumb.enter(act)
    wait_until_kept(thumb)
    return page, thumb, id_of(page)


def assert_in_ledger(club: Club, record_id: str, count: int = 6) -> None:
    """Asserts that the ledger has the game with this many acts, each once."""
    assert acts_of(club.read(record_id)) == [plain(act) for act in ZIGZAG_ACTS[:count]]
    assert len(club.read(record_id).events) == count + 1
