"""Every page there is, on a phone by day and on a screen by night: axe finds nothing, and nothing overflows."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from club import at_width, visit, wait_for_frames
from flask import Flask
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from golden import ROOT
from ledger.examples.season import season
from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.keep.stored_audits import explain_stored, refresh
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.events import Amend, Note, Open, Pass, Place, Player, Result, Retract
from ledger.record.tiles import named
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore
from viewer.app import create_app

CASES = ("ziggurat/build-score-broken", "build-up/pass-unproven", "zigzag/ending-target", "ziggurat/tiles-once-broken")
SIZES: dict[Literal["light", "dark"], tuple[int, int]] = {"light": (390, 844), "dark": (1280, 900)}
VALUES = {"record_id": "league", "game": "zigzag", "day": "2026-11-20", "number": "0", "event": "League"}
"""What stands in the addresses of pages; `name` differs."""
NAMED = {"club.player": "Ana", "events.one": "League"}
VIOLATIONS = "axe.run({ resultTypes: ['violations'], selectors: false }).then(({ violations }) => violations)"
BESIDE = ("/?page=1", "/?q=nobody", "/players?name=nobody", "/nothing", "/g/league?view=plan&ply=20",
          "/new?game=zigzag", "/events/League?by=points", "/bring/blank/domino-ziggurat?players=1")  # fmt: skip
"""Pages that are no address of their own."""


@pytest.fixture(scope="module")
def viewer() -> Flask:
    """A viewer of games of every kind, with an event, a mistake and its cause, an open question."""
    store = TemporaryStore()
    recorder = Recorder(store)
    for case in CASES:
        record = codec.decode((ROOT / "fixtures" / f"{case}.json").read_bytes())
        recorder.import_record(record, case.partition("/")[2])
    # A game of 91 tiles takes axe thrice as long; that it overflows nowhere, test_first_screen.py shows.
    record = simulate(catalog.find("ziggurat"), 3)
    opening = replace(record.opening, event="League", played="2026-11-20")
    recorder.import_record(replace(record, events=(opening, *record.events[1:])), "league")
    recorder.import_record(simulate(catalog.find("build-up"), 4, players=9), "nine")
    list(refresh(store))
    list(explain_stored(store, 60))
    return create_app(store.reopen)


@pytest.fixture(scope="module")
def site(viewer: Flask) -> Iterator[str]:
    """Its address."""
    from serving import serving

    with serving(viewer, threads=8) as address:
        yield address


def pages(viewer: Flask) -> list[str]:
    """The address of every page: what a reader gets as HTML, and of what is refused one address for each reason."""
    client, found, refused = viewer.test_client(), [], set[str]()
    with viewer.test_request_context():
        for rule in viewer.url_map.iter_rules():
            if "GET" not in (rule.methods or ()) or "digest" in rule.arguments:
                continue
            values = {
                **VALUES,
                "name": NAMED.get(rule.endpoint, "zigzag"),
                "example_id": season()[0].id,
                "filename": "x",
                "page": "x",
            }
            found.append(viewer.url_for(rule.endpoint, **{name: values[name] for name in rule.arguments}))
    games = [f"/g/{case.partition('/')[2]}" for case in CASES]
    addresses = dict.fromkeys([*found, *games, "/g/nine", *BESIDE])
    kept = []
    for path in addresses:
        # To make an animation takes longer than to make all pages.
        if path.endswith((".gif", ".png")):
            continue
        answer = client.get(path)
        if "text/html" not in answer.content_type or "Content-Disposition" in answer.headers:
            continue
        if answer.text and "<html" not in answer.text:  # a part that a script puts into the page of its game
            continue
        if answer.status_code >= 400:
            heading = re.sub(r"<[^>]*>|\s+", " ", answer.text.partition("<main")[2])
            if heading in refused:
                continue
            refused.add(heading)
        kept.append(path)
    return kept


def test_axe_finds_nothing_and_nothing_overflows(browser: Browser, viewer: Flask, site: str) -> None:
    # A busy server is slow, and a worker shows the phone's page until its own comes, in the middle of a check.
    context = browser.new_context(reduced_motion="reduce", service_workers="block")
    page, faults = context.new_page(), {}
    addresses = pages(viewer)
    assert {"/", "/g/league", "/embed/league", "/g/league/print", "/players/Ana", "/events/League"} <= set(addresses)
    for path, scheme in product(addresses, SIZES):
        width, height = SIZES[scheme]
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": height})
        if scheme == "light":  # at night it is the same page, on another screen
            page.goto(site + path)
            page.evaluate(AXE_SCRIPT)
        wait_for_frames(page)
        for violation in page.evaluate(VIOLATIONS):
            nodes = [node["html"][:160] for node in violation["nodes"]]
            faults[f"{path}, {scheme}: {violation['id']}"] = nodes[:2]
        across = page.evaluate("document.documentElement.scrollWidth")
        if across > width:
            faults[f"{path}, {scheme}: width"] = [str(across)]
    assert faults == {}
    context.close()


# ---- Names and texts of any kind are shown as text on every page, and never run.


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
def test_a_name_is_a_text_on_every_page(page: Page, address: str, ledger: Path, evil: str, tmp_path) -> None:
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
    visit(page, f"{address}/r/{record_id}")
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
