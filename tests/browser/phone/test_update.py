"""A new version of the program in a real browser: page, scripts and styles change together, or not at all.

Each version is a copy of the program with a mark in one page, one script and one style sheet; a server of the next
version takes the place of the one before, with the same ledger and at the same address.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from at_table import open_recorder, plain
from club import WORKER, Club, entered, phone_with
from playwright.sync_api import BrowserContext, Page, expect

from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.stores.store import SqliteStore
from waiting import wait_until

pytestmark = phone_with(WORKER)
ROOT = Path(__file__).parents[3]
RECORD = simulate(catalog.find("ziggurat"), 2)
ACTS_OF_GAME = entered(RECORD)
MARKS = (
    (
        "viewer/phone/templates/recorder_page.html",
        "{{ super() }}\n",
        '{{ super() }}<meta name="build" content="MARK">\n',
    ),
    ("viewer/phone/static/recorder_page.js", "", '\ndocument.documentElement.dataset.build = "MARK";\n'),
    ("viewer/phone/static/games_here.css", "", "\n:root { --build: MARK; }\n"),
)
WHOLE = """() => [document.querySelector("meta[name=build]")?.content, document.documentElement.dataset.build,
    getComputedStyle(document.documentElement).getPropertyValue("--build").trim()]"""


def version(folder: Path, mark: str) -> Path:
    """A copy of the program with this mark."""
    for part in ("ledger", "viewer"):
        shutil.copytree(ROOT / part, folder / mark / part)
    for name, before, after in MARKS:
        path = folder / mark / name
        text, marked = path.read_text("utf-8"), after.replace("MARK", mark)
        path.write_text(text.replace(before, marked, 1) if before else text + marked, "utf-8")
    return folder / mark


class Updated(Club):
    """A club whose server is another version of the program each time that it starts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None
        super().__init__(folder)

    def start(self, *more: str) -> None:
        self.serve("A", *more)

    def serve(self, mark: str, *more: str) -> None:
        """Starts a version; it is made if there is none."""
        home = self.folder / mark
        with SqliteStore(self.path):
            pass
        command = [sys.executable, "-m", "ledger", "--ledger", str(self.path), "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, *more],
            cwd=home if home.exists() else version(self.folder, mark),
            env={**os.environ, "PYTHONPATH": str(home)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(self.answers, f"version {mark} starts")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@pytest.fixture
def club(tmp_path) -> Iterator[Updated]:
    club = Updated(tmp_path)
    yield club
    club.kill()


def update(page: Page) -> bool:
    """Looks for a new version, as a browser does from time to time; whether one arrived whole."""
    return bool(
        page.evaluate(
            """async () => {
                const registration = await navigator.serviceWorker.ready;
                await registration.update().catch(() => undefined);
                const fresh = registration.installing || registration.waiting;
                if (!fresh) return false;
                while (!["activated", "redundant"].includes(fresh.state))
                    await new Promise((resolve) => fresh.addEventListener("statechange", resolve, { once: true }));
                return fresh.state === "activated";
            }"""
        )
    )


def wait_for_update(page: Page, before: list[str]) -> None:
    """Waits for a version beside these that are stored; the browser may have looked for it by itself."""
    wait_until(lambda: update(page) or stores(page) != before, "the new version arrives")


def stores(page: Page) -> list[str]:
    """The versions that the phone has stored, the oldest first."""
    names: list[str] = page.evaluate("caches.keys()")
    return [name for name in names if name.startswith("domino-ledger-recorder-")]


def test_an_open_game_goes_on_in_its_version_and_the_next_page_is_the_new_one_whole(
    phone: BrowserContext, club: Updated
) -> None:
    link, record_id = club.open(RECORD.opening, ACTS_OF_GAME[:2])
    page = phone.new_page()
    thumb = open_recorder(page, link)
    expect(page.locator("html[data-offline=ready]")).to_be_attached()
    thumb = open_recorder(page, f"{club.address}/r/{record_id}")  # from here on the page comes from the phone
    assert page.evaluate(WHOLE) == ["A", "A", "A"]
    acts = iter(ACTS_OF_GAME[2:])

    def record_one() -> None:
        thumb.enter(next(acts))
        expect(page.locator("#sync")).to_have_text("Saved")

    record_one()
    before = stores(page)
    club.kill()
    club.serve("B")
    record_one()
    assert page.evaluate(WHOLE) == ["A", "A", "A"], "the new server changes nothing in an open page"
    wait_for_update(page, before)
    assert len(stores(page)) == 2, "the version of the open page is kept"
    record_one()
    assert page.evaluate(WHOLE) == ["A", "A", "A"], "nor does its arrival"
    other = phone.new_page()
    other.goto(f"{club.address}/r/{record_id}")
    expect(other.locator("html[data-ready]")).to_be_attached()
    assert other.evaluate(WHOLE) == ["B", "B", "B"]
    other.close()
    thumb = open_recorder(page, f"{club.address}/r/{record_id}")
    assert page.evaluate(WHOLE) == ["B", "B", "B"]
    record_one()
    club.kill()
    thumb = open_recorder(page, f"{club.address}/r/{record_id}")
    assert page.evaluate(WHOLE) == ["B", "B", "B"], "without a server, too"
    recorded = [plain(event) for event in club.read(record_id).events[3:]]
    assert recorded == [plain(act) for act in ACTS_OF_GAME[2:6]], "each entry once, across all versions"
