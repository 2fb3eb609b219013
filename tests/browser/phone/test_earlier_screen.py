"""A page of a newer program, without a network: what an older one stored of a game is not used."""

from at_table import open_recorder
from club import WORKER, Club, link_to, phone_with
from playwright.sync_api import BrowserContext, expect

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
