"""The rules on a phone: they judge while no network is there, and the ledger judges for itself."""

import json

from at_table import acts_of, has_news, open_recorder, plain, play_astray
from club import RULES_ALONE, Club, entered, phone_with
from playwright.sync_api import BrowserContext, Page, expect
from thumb import Thumb

from ledger.games import catalog
from ledger.keep.transfer import forget, known_as
from ledger.play.simulate import simulate
from ledger.record.events import Place
from ledger.stores.store import SqliteStore

READY = "html[data-rules=ready]"
BOOT = 120_000
"""Milliseconds for Python to start on a busy machine."""


def with_rules(page: Page, link: str) -> Thumb:
    """The recorder on a phone, with the rules and the record beside them."""
    thumb = open_recorder(page, link)
    page.wait_for_selector(READY, timeout=BOOT)
    wait_until_stored(page)
    return thumb


def wait_until_stored(page: Page, condition: str = "records.some(({ entry }) => entry)") -> None:
    """Waits until the records on the disk of the phone are so; by default, until it has one."""
    page.wait_for_function(
        """async () => {
          const open = indexedDB.open("domino-notebook");
          const db = await new Promise((resolve) => (open.onsuccess = () => resolve(open.result)));
          const names = ["logs", "entries", "screens"];
          const stores = names.map((name) => db.transaction(names).objectStore(name).getAll());
          const rows = stores.map((all) => new Promise((resolve) => (all.onsuccess = () => resolve(all.result))));
          const records = (await Promise.all(rows)).flat();
          db.close();
          return CONDITION;
        }""".replace("CONDITION", condition),
        timeout=BOOT,
    )


@phone_with(RULES_ALONE)
def test_without_a_network_a_move_is_judged_scored_and_handed_in(phone: BrowserContext, club: Club) -> None:
    record = simulate(catalog.find("ziggurat"), 2)
    acts = entered(record)[2:]
    link, record_id = club.open(record.opening, entered(record)[:2])
    page = phone.new_page()
    thumb = with_rules(page, link)
    phone.set_offline(True)
    thumb.cut_off = True
    thumb.enter(acts[0])
    assert isinstance(acts[1], Place)
    stray = play_astray(thumb, acts[1])
    doubt = page.locator("#doubt")
    expect(doubt).to_contain_text("That breaks a rule. Did it happen anyway?")
    expect(doubt).to_contain_text("ziggurat.base")
    doubt.get_by_role("button", name="Back").tap()
    expect(page.locator("#sync")).to_have_text("1 waits here")
    thumb.lay(stray)  # the tile is still in hand
    doubt.get_by_role("button", name="Yes, record it").tap()
    expect(page.locator("#misfits")).to_contain_text("breaks a rule")
    page.locator("#misfits summary").tap()
    page.get_by_role("button", name="Correct").first.tap()
    page.get_by_role("button", name="Delete").tap()
    doubt.get_by_role("button", name="Delete").tap()
    expect(page.locator("#sync")).to_have_text("3 wait here")
    expect(page.locator("#misfits")).not_to_contain_text("a rule")
    for count, act in enumerate(acts[1:9], 4):
        thumb.enter(act)
        expect(page.locator("#status")).to_have_attribute("data-sure", "true")
        expect(page.locator("#sync")).to_have_text(f"{count} wait here")
        # The next player is known: no tap on a seat was needed.
        assert thumb.taps[-1] in (("place", 1), ("place", 2))
    page.locator("#show-moves").tap()
    expect(page.locator("#moves .row [title='Waiting to be saved']")).to_have_count(9)
    page.locator("#moves [data-close]").first.tap()
    scores = page.locator("#seats output").all_inner_texts()
    phone.set_offline(False)
    thumb.all_recorded()
    assert page.locator("#seats output").all_inner_texts() == scores
    expect(page.locator("#panels [role=alert]")).to_have_count(0)
    assert acts_of(club.read(record_id))[2:] == [plain(act) for act in acts[:9]]


@phone_with(RULES_ALONE)
def test_a_name_that_is_forgotten_leaves_the_record_on_the_phone(phone: BrowserContext, club: Club) -> None:
    record = simulate(catalog.find("ziggurat"), 2)
    link, _record_id = club.open(record.opening)
    page, name = phone.new_page(), record.opening.players[0].name
    with page.expect_response(has_news):
        with_rules(page, link)
    with SqliteStore(club.path) as store:
        forget(store, name, known_as(store, name))
    expect(page.locator("#seats")).not_to_contain_text(name)
    wait_until_stored(page, f"!JSON.stringify(records).includes({json.dumps(name)})")
    expect(page.locator("#panels [role=alert]")).to_have_count(0)
