"""A page of a newer program, without a network: what an older one stored of a game is drawn anew, or not used."""

from __future__ import annotations

from at_table import open_recorder
from club import RULES, WORKER, Club, phone_with
from msgspec.structs import replace
from playwright.sync_api import BrowserContext, Page, expect

from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import Place

STORES = """(work) => new Promise((resolve, reject) => {
  const opening = indexedDB.open("domino-notebook");
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const transaction = opening.result.transaction(["screens", "entries"], "readwrite");
    const [screens, entries] = [transaction.objectStore("screens"), transaction.objectStore("entries")];
    const id = location.pathname.split("/").pop();
    let result;
    WORK
    transaction.oncomplete = () => { opening.result.close(); resolve(result); };
  };
})"""
AGE = STORES.replace("WORK", """screens.get(id).onsuccess = ({ target: { result: stored } }) => {
      delete stored.view.parts.squares;
      screens.put({ ...stored, program: "earlier" });
    };""")  # fmt: skip
"""Makes what is stored of the game as an older program stored it, which had no tiles as pieces of the page."""
KEPT = STORES.replace(
    "WORK", "entries.count(IDBKeyRange.bound([id], [id, []])).onsuccess = ({ target }) => { result = target.result; };"
)
"""How many events of the game this phone keeps."""
RECORD = simulate(catalog.find("ziggurat"), 2)
PLACES = [replace(event, points=None) for event in RECORD.events if isinstance(event, Place)]


def begun(phone: BrowserContext, club: Club) -> Page:
    """A game with five tiles on a phone that has its pages."""
    link, _record_id = club.open(RECORD.opening, PLACES[:5])
    page = phone.new_page()
    open_recorder(page, link)
    page.wait_for_selector("html[data-offline=ready]")
    return page


@phone_with(RULES)
def test_the_rules_draw_a_game_that_an_older_program_stored(phone: BrowserContext, club: Club) -> None:
    page = begun(phone, club)
    page.wait_for_selector("html[data-rules=ready]")
    page.wait_for_function(f"async () => await ({KEPT})() === 6")
    page.evaluate(AGE)
    phone.set_offline(True)
    thumb = open_recorder(page, page.url)
    expect(page.locator("#laid [data-laid]")).to_have_count(5)
    thumb.cut_off = True
    thumb.enter(PLACES[5])
    expect(page.locator("#laid [data-laid]")).to_have_count(6)
    # What the rules drew is stored: the next page has it at once.
    page.reload()
    expect(page.locator("#laid [data-laid]")).to_have_count(6)


@phone_with(WORKER)
def test_without_rules_and_network_it_is_not_used(phone: BrowserContext, club: Club) -> None:
    page = begun(phone, club)
    page.evaluate(AGE)
    phone.set_offline(True)
    page.reload()
    status = page.locator("#status")
    expect(status).to_contain_text("this page is newer than what the phone has stored of the game")
    expect(page.locator("#squares")).to_be_hidden()
    phone.set_offline(False)
    expect(page.locator("#laid [data-laid]")).to_have_count(5)
