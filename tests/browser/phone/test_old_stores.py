"""A page of the notebook, on a phone where a page of an earlier program left entries that no ledger has."""

from typing import Any

import msgspec
import pytest
from alone import ZIGZAG, ZIGZAG_ACTS
from at_table import acts_of, plain
from club import Club
from playwright.sync_api import BrowserContext, expect

from ledger.keep.recorder import Recorder, new_id, new_key
from ledger.stores.store import SqliteStore

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
    for one, count in ((record_id, 4), (other_id, 2)):
        page.goto(f"{club.address}/r/{one}")
        expect(page.locator("#sync")).to_have_attribute("data-total", str(1 + count))
        expect(page.locator("#sync")).to_have_text("Saved")
        assert acts_of(club.read(one)) == [plain(act) for act in ZIGZAG_ACTS[:count]]
