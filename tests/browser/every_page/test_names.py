"""Names and texts of any kind are shown as text on every page, and never run."""

from pathlib import Path
from urllib.parse import quote

import pytest
from club import at_width
from playwright.sync_api import Page

from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.keep.stored_audits import refresh
from ledger.record.events import Amend, Note, Open, Pass, Place, Player, Result, Retract
from ledger.record.tiles import named
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore

CLOSING = (
    '"><script>window.__ran=1</script>'
    "'><img src=x onerror=window.__ran=1>"
    "</script><script>window.__ran=1</script>"
    "</textarea></title></style><svg onload=window.__ran=1>"
)
"""Ends whatever it may stand in, and runs then."""
BEGINNING = "javascript:window.__ran=1//{{7*7}}${window.__ran=1}&lt;b&gt;<b>bold</b>\u202e"
"""Runs as an address, or where templates are filled in."""
EVIL = (CLOSING, BEGINNING)


def evil_game(path: Path, evil: str) -> tuple[str, str]:
    """A game in which every text is `evil`: the record's id, and its key."""
    players = (Player(id=evil, name=evil), Player(id=f"{evil}2", name=evil))
    opening = Open(
        "ziggurat", players=players, played="2026-11-20", place=evil, event=evil, recorder=evil, options={"first": evil}
    )
    key = new_key()
    with SqliteStore(path) as store:
        recorder = Recorder(store, find_game=catalog.find)
        record_id = recorder.open(opening, by=evil)
        store.put([Key(record_id, key_digest(key))])
        tile = Place(evil, named("5-1"), (0, 0), "e", 1)
        for event in (tile, Pass(f"{evil}2"), Note(evil, 1), Result((evil,), evil)):
            recorder.append(record_id, event, by=evil)
        recorder.correct(record_id, Retract(2, evil), by=evil)
        recorder.correct(record_id, Amend(1, Place(evil, named("1-5"), (0, 0), "e", 1), evil), by=evil)
        for _ in refresh(store):
            pass
    return record_id, key


@at_width("phone")  # the pages are the same on a wider screen
@pytest.mark.parametrize("evil", EVIL, ids=range(len(EVIL)))
def test_a_name_is_a_text_on_every_page(page: Page, address: str, ledger: Path, evil: str, tmp_path: Path) -> None:
    record_id, key = evil_game(ledger, evil)
    warnings: list[str] = []
    page.on("dialog", lambda dialog: (warnings.append(dialog.message), dialog.dismiss()))
    page.on("console", lambda message: warnings.append(message.text) if "Content Security" in message.text else None)
    alone = tmp_path / "alone.html"
    alone.write_bytes(page.request.get(f"{address}/g/{record_id}/replay.html").body())
    typed = quote(evil, safe="")
    for path in (
        "/", f"/?player={typed}", f"/?place={typed}&since={typed}&clause={typed}&order={typed}", f"/g/{record_id}",
        f"/g/{record_id}?view=recorded", f"/embed/{record_id}", f"/g/{record_id}/print", f"/g/{typed}",
        f"/rules/{typed}", f"/new?from={record_id}", f"/new?game={typed}", f"/r/{record_id}#{key}", alone.as_uri(),
        f"/g/{record_id}/position.svg",
    ):  # fmt: skip
        page.goto(path if path.startswith("file:") else address + path)
        page.wait_for_timeout(50)
        assert page.evaluate("window.__ran") is None, path
        assert warnings == [], path
    page.goto(f"{address}/g/{record_id}")
    assert evil in page.locator("#score").inner_text() or "\u202e" in evil
    page.goto(f"{address}/r/{record_id}")
    page.wait_for_selector("html[data-ready]")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for press in ("#show-moves", "#show-calls", "#show-more"):
        page.locator(press).click()
        if press == "#show-moves":
            page.locator("#moves ol [data-seq]").first.click()
        page.locator("dialog[open] [data-close]").first.click()
    page.locator("#seats button").nth(1).click()
    page.locator("#tray [data-tile], #pad [data-number]").first.click()
    assert page.evaluate("window.__ran") is None
    assert warnings == []
