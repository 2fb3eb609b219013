"""A network that hangs, a proxy whose server is down, a first visit before a table without a network."""

import re
from typing import Any

import msgspec
import pytest
from alone import PATIENCE, ZIGZAG, ZIGZAG_ACTS, begin_here, id_of, wait_until_kept
from at_table import acts_of, open_recorder, plain
from club import RULES, WORKER, Club, link_to, phone_with
from playwright.sync_api import BrowserContext, expect
from relay import relay

from ledger.games import catalog
from ledger.keep.recorder import Recorder, new_id, new_key
from ledger.play.simulate import simulate
from ledger.record.events import Bid
from ledger.stores.store import SqliteStore


@phone_with(WORKER)
def test_the_pages_open_from_the_store_when_the_network_hangs_or_the_server_is_sick(
    phone: BrowserContext, club: Club
) -> None:
    link, record_id = club.open(simulate(catalog.find("ziggurat"), 2).opening)
    with relay(club.port) as network:
        page = phone.new_page()
        open_recorder(page, link.replace(club.address, network.address))
        page.wait_for_selector("html[data-offline=ready]")
        # The page that is open keeps the worker's trust in the network as it is: each mode is a visit of its own.
        for mode in ("hangs", "sick", "holds"):
            network.turn(mode)
            page.goto(f"{network.address}/r/{record_id}")
            page.wait_for_selector("html[data-known]")
            expect(page.locator("#ask")).to_be_visible()
            page.goto(f"{network.address}/new")
            expect(page.locator("#begin h1")).to_have_text("New game")
            expect(page.locator("#not-yet")).to_be_hidden()
            page.goto(network.address)
            expect(page.locator("#begin h1")).to_have_text("New game")
            expect(page.locator("#not-yet")).to_contain_text("The ledger does not answer" if mode == "sick"
                                                             else "The ledger has not answered yet")  # fmt: skip
        page.evaluate("globalThis.standsIn = true")
        network.release()
        expect(page.locator("#not-yet")).to_have_count(0)  # the ledger's page took its place
        expect(page.get_by_role("link", name="New game").first).to_be_visible()
        assert not page.evaluate("globalThis.standsIn")
        page.goto(f"{network.address}/r/{record_id}")
        expect(page.locator("#sync")).to_have_text("Saved", timeout=PATIENCE)


def test_pages_go_on_by_themselves_after_a_server_that_was_sick(phone: BrowserContext, club: Club) -> None:
    record = simulate(catalog.find("ziggurat"), 2)
    link, record_id = club.open(record.opening)
    with relay(club.port) as network:
        pages = [phone.new_page(), phone.new_page()]
        watcher, recorder = pages
        watcher.goto(f"{network.address}/g/{record_id}")
        open_recorder(recorder, link.replace(club.address, network.address))
        expect(watcher.locator("#on-air")).to_be_visible()
        expect(recorder.locator("#sync")).to_have_text("Saved")
        network.turn("sick")
        with SqliteStore(club.path) as store:
            Recorder(store).append(record_id, record.events[1])
        # Nobody says of an old table that it is the one of now.
        expect(watcher.locator("#on-air")).to_be_hidden(timeout=PATIENCE)
        expect(recorder.locator("#sync")).to_have_text(re.compile("^Saved until "), timeout=PATIENCE)
        network.turn("ok")
        expect(watcher.locator("#rows > li[id]")).to_have_count(2, timeout=PATIENCE)
        expect(recorder.locator("#sync")).to_have_attribute("data-total", "2", timeout=PATIENCE)
        expect(watcher.locator("#on-air")).to_be_visible()
        expect(recorder.locator("#sync")).to_have_text("Saved")


@phone_with(RULES)
@pytest.mark.parametrize("path", ["/", "/new", "/g/shown", "/players"])
def test_a_first_visit_is_enough_for_a_whole_game_without_a_network(
    phone: BrowserContext, club: Club, path: str
) -> None:
    with SqliteStore(club.path) as store:
        Recorder(store).import_record(simulate(catalog.find("ziggurat"), 2), "shown")
    page = phone.new_page()
    page.goto(club.address + path)
    page.wait_for_selector("html[data-offline=ready][data-rules=kept]", state="attached", timeout=PATIENCE)
    phone.set_offline(True)
    # A page that only the ledger has cannot open: there is what can be done on this phone.
    page.goto(f"{club.address}/g/another")
    expect(page.locator("#instead")).to_be_visible()
    page.locator("#instead").get_by_role("link", name="begin a new game").tap()
    thumb = begin_here(page, ZIGZAG.opening)
    thumb.choose_kind("bid")
    bids = [act for act in ZIGZAG_ACTS if isinstance(act, Bid)][:2]
    for act in bids:
        thumb.enter(act)
    wait_until_kept(thumb)
    record_id = id_of(page)
    page.goto(f"{club.address}/on-this-phone")
    expect(page.locator(f"[data-game='{record_id}']")).to_be_visible()
    expect(page.locator("#instead")).to_be_hidden()
    page.goto(f"{club.address}/r/{record_id}")
    page.wait_for_selector("html[data-view=record][data-ready]", timeout=PATIENCE)
    phone.set_offline(False)
    expect(page.locator("#sync")).to_have_text("Saved", timeout=PATIENCE)
    assert acts_of(club.read(record_id)) == [plain(act) for act in bids]


# ---- A page of the notebook, on a phone where a page of an earlier program left entries that no ledger has.


LEAVE = """({ games, entries, keys }) => {
  const stores = (name, make, rows) => new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => make(request.result);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const all = request.result.transaction(Object.keys(rows), "readwrite");
      for (const [store, list] of Object.entries(rows)) for (const row of list) all.objectStore(store).put(row);
      all.oncomplete = () => { request.result.close(); resolve(); };
    };
  });
  const makeLedgers = (db) => {
    db.createObjectStore("entries", { keyPath: "key", autoIncrement: true }).createIndex("record", "record");
    for (const name of ["screens", "keys"]) db.createObjectStore(name, { keyPath: "id" });
  };
  const makeGames = (db) => db.createObjectStore("games", { keyPath: "id" });
  return Promise.all([
    stores("domino-ledger", makeLedgers, { entries, keys, screens: [] }),
    stores("domino-ledger-games", makeGames, { games }),
  ]).then(() => true);
}"""
"""Makes the databases of the earlier program, with these rows."""
WORDS = """
globalThis.words = [];
addEventListener("DOMContentLoaded", () => {
  const sync = document.getElementById("sync");
  new MutationObserver(() => {
    const now = [sync.textContent, sync.dataset.total];
    if (`${words.at(-1)}` !== `${now}`) words.push(now);
  }).observe(sync, { attributes: true, characterData: true, childList: true, subtree: true });
});
"""
"""All that the header says, each word with the number of entries that is shown."""
EVENTS = [msgspec.to_builtins(event) for event in (ZIGZAG.opening, *ZIGZAG_ACTS[:4])]
WHEN = "2026-11-20T19:00:00Z"


def entry(record_id: str, base: int, event: Any, number: int) -> dict[str, Any]:
    shown = {"id": f"{number:032}", "record": record_id, "base": base, "state": "waiting"}
    return {**shown, "event": {**event, "when": WHEN}, "key": number}


@pytest.mark.parametrize("others", [0, 1], ids=["alone", "after another phone"])
def test_what_an_earlier_program_left_is_handed_in_once(phone: BrowserContext, club: Club, others: int) -> None:
    link, record_id = club.open(ZIGZAG.opening, ZIGZAG_ACTS[:2])
    if others:
        with SqliteStore(club.path) as store:
            Recorder(store).append(record_id, ZIGZAG_ACTS[2])  # what this phone has, too: it is recorded once
    other_id, key = new_id(), new_key()
    game = {"id": other_id, "key": key, "title": "Zigzag", "names": [], "touched": WHEN, "link": "", "refused": ""}
    waiting = [entry(record_id, 3 + n, EVENTS[3 + n], n + 1) for n in range(2)]
    page = phone.new_page()
    page.goto(f"{club.address}/rules")
    left = {
        "games": [{**game, "events": [EVENTS[0], *EVENTS[1:3]], "ids": [f"{n:032}" for n in (7, 8)]}],
        "entries": waiting,
        "keys": [{"id": record_id, "key": link.rpartition("#")[2]}],
    }
    page.evaluate(LEAVE, left)
    page.add_init_script(WORDS)
    for one, count in ((record_id, 4), (other_id, 2)):
        page.goto(f"{club.address}/r/{one}")
        expect(page.locator("#sync")).to_have_attribute("data-total", str(1 + count))
        expect(page.locator("#sync")).to_have_text("Saved")
        assert page.evaluate("words.filter(([word]) => word === 'Saved')") == [["Saved", str(1 + count)]]
        assert acts_of(club.read(one)) == [plain(act) for act in ZIGZAG_ACTS[:count]]


# ---- A page of a newer program, without a network: what an older one stored of a game is not used.


AGE = """() => new Promise((resolve, reject) => {
  const opening = indexedDB.open("domino-notebook");
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const transaction = opening.result.transaction("screens", "readwrite");
    const screens = transaction.objectStore("screens");
    screens.get(location.pathname.split("/").pop()).onsuccess = ({ target: { result: stored } }) => {
      delete stored.view.parts.squares;
      screens.put({ ...stored, program: "earlier" });
    };
    transaction.oncomplete = () => { opening.result.close(); resolve(true); };
  };
})"""
"""Makes what is stored of the game as an older program stored it, which had no tiles as pieces of the page."""


@phone_with(WORKER)
def test_without_rules_and_network_it_is_not_used(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    open_recorder(page, link_to(club, "ziggurat", 7))
    page.wait_for_selector("html[data-offline=ready]")
    page.evaluate(AGE)
    phone.set_offline(True)
    page.reload()
    status = page.locator("#status")
    expect(status).to_contain_text("this page is newer than what the phone has stored of the game")
    expect(page.locator("#squares")).to_be_hidden()
    phone.set_offline(False)
    expect(page.locator("#laid [data-laid]")).to_have_count(5)
