"""The rules on a recorder's phone say which slip explains the game's mistakes, and one tap corrects it."""

from at_table import open_recorder
from club import RULES_ALONE, Club, phone_with
from msgspec.structs import replace
from playwright.sync_api import BrowserContext, expect

from ledger.record.events import Amend, Close, Insert, Open, Retract
from ledger.stores.store import SqliteStore
from planted_slips import plant

BOOT = 120_000
"""Milliseconds for Python to start on a busy machine."""


@phone_with(RULES_ALONE)
def test_the_phone_explains_and_one_tap_corrects_without_a_network(phone: BrowserContext, club: Club) -> None:
    slip = plant("ziggurat", "wrong-place", 1)
    assert slip
    opening, *events = slip.record.events
    assert isinstance(opening, Open)
    link, record_id = club.open(replace(opening, when=None))
    with SqliteStore(club.path) as store:
        store.append(record_id, 1, [event for event in events if not isinstance(event, Close)])
        version = store.version(record_id)
    page = phone.new_page()
    open_recorder(page, link)
    slips = page.locator("#misfits .slip")
    expect(slips).to_have_count(1, timeout=BOOT)
    expect(slips).to_contain_text("One mistake. If ")
    expect(slips).to_contain_text("nothing else would be wrong")
    expect(slips.get_by_text("follow from it")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # Below the keys nobody would look for it: a flag stands on "Moves", and the list begins with the mistake.
    expect(page.locator("#show-moves .flag")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Moves with mistakes").tap()
    listed = page.locator("#moves .slip")
    expect(listed).to_be_in_viewport(ratio=1)
    listed.get_by_text("follow from it").tap()
    phone.set_offline(True)
    listed.get_by_role("button", name="Correct it").first.tap()
    expect(listed).to_have_count(0, timeout=BOOT)
    page.locator("#moves").get_by_role("button", name="Close").tap()
    expect(page.locator("#show-moves .flag")).to_be_hidden()
    expect(page.locator("#misfits .bad-news")).to_have_count(0, timeout=BOOT)
    phone.set_offline(False)
    expect(page.locator("#sync")).to_have_text("Saved", timeout=BOOT)
    correction = club.read(record_id).events[version]
    assert isinstance(correction, Amend | Insert | Retract)
    assert correction.why == "this explains the findings"
    assert correction.when
    page.get_by_role("button", name="Undo").tap()
    expect(slips).to_have_count(1, timeout=BOOT)
