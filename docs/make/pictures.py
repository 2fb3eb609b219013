"""Takes the pictures of README and docs from a running server, so that they never show an old screen: `make pictures`.

The games are simulated, the same on every machine.  Each picture is a real page in a real browser.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from ledger.audit.review import Review
from ledger.games.catalog import find
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.keep.stored_audits import refresh
from ledger.play.simulate import simulate
from ledger.record.events import Close
from ledger.record.record import Record
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
WIDE, PHONE = (1280, 900), (390, 844)
LARGEST = 1_500_000
"""Bytes of a picture at the most."""


class Wanted(NamedTuple):
    """A game for the pictures: how it is simulated, its day and place, and how many events to leave out at its end."""

    game: str
    seed: int
    day: str
    place: str
    names: tuple[str, ...]
    options: dict[str, object] = {}
    edition: str | None = None
    fault: str | None = None
    cut: int = 0


GAMES = {
    "old": Wanted("build-up", 3, "2026-10-30", "the club house", ("Fay", "Gil")),
    "puzzle": Wanted("domino-ziggurat", 7, "2026-11-06", "at home", ("Dee",), edition="1.1"),
    "points": Wanted("zigzag", 4, "2026-11-06", "the club house", ("Cy", "Dee", "Fay")),
    "mistake": Wanted("ziggurat", 11, "2026-11-13", "the club house", ("Ben", "Cy"), fault="ziggurat.build.score"),
    "tower": Wanted("ziggurat", 9, "2026-11-13", "the club house", ("Ana", "Ben"), {"set": 9}),
    "stacks": Wanted("build-up", 8, "2026-11-20", "the club house", ("Ana", "Dee"), cut=25),
    "now": Wanted("ziggurat", 12, "2026-11-20", "the club house", ("Gil", "Fay"), cut=12),
}
"""The games of the ledger in the pictures, by their names in this file, the first opened first."""


def record_of(wanted: Wanted) -> Record:
    """The simulated game, with its day, place and people."""
    record = simulate(find(wanted.game), wanted.seed, wanted.options, edition=wanted.edition, fault=wanted.fault)
    players = tuple(
        replace(player, name=name) for player, name in zip(record.opening.players, wanted.names, strict=True)
    )
    opening = replace(record.opening, players=players, played=wanted.day, place=wanted.place)
    events = (opening, *record.events[1 : len(record.events) - wanted.cut])
    if wanted.cut:
        events = tuple(event for event in events if not isinstance(event, Close))
    return Record(events)


def keep(path: Path) -> tuple[dict[str, str], str]:
    """A ledger with the games: their ids by name, and the key of a recorder's link to the game "now"."""
    ids, secret = {}, new_key()
    with SqliteStore(path) as store:
        recorder = Recorder(store)
        for name, wanted in GAMES.items():
            record = record_of(wanted)
            ids[name] = recorder.open(record.opening)
            for event in record.events[1:]:
                recorder.append(ids[name], event)
        store.put([Key(ids["now"], key_digest(secret), "record")])
    return ids, secret


@contextmanager
def served(path: Path) -> Iterator[str]:
    """The address of a server of that ledger, which stops when the context ends."""
    command = [sys.executable, "-m", "ledger", "--ledger", str(path), "serve", "--port", "0", "--log", "none"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment)
    try:
        if server.stdout is None:
            raise RuntimeError("the server says nothing")
        line = next(line for line in server.stdout if "http://" in line)
        yield next(word for word in line.split() if word.startswith("http://")).rstrip("/")
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)


def still_context(
    browser: Browser, size: tuple[int, int], *, phone: bool, dark: bool = False, scale: int = 1
) -> BrowserContext:
    """Tabs of a screen or a phone of that size, without motion, in one language and time zone."""
    width, height = size
    return browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        has_touch=phone,
        is_mobile=phone,
        locale="en-GB",
        timezone_id="Europe/London",
    )


class Studio:
    """A browser in front of the served ledger."""

    def __init__(self, browser: Browser, address: str, ids: dict[str, str], secret: str) -> None:
        self.browser, self.address, self.ids, self.secret = browser, address, ids, secret

    @contextmanager
    def page(self, size: tuple[int, int], path: str, *, phone: bool = False) -> Iterator[Page]:
        """A page of the site, by day, without motion."""
        context = still_context(self.browser, size, phone=phone, scale=2 if phone else 1)
        page = context.new_page()
        page.goto(self.address + path, wait_until="networkidle")
        page.wait_for_timeout(300)
        yield page
        context.close()

    def replay(self, name: str, place: float) -> str:
        """The address of a game at its event nearest to that part (0 to 1) of its length."""
        seqs = [step.seq for step in Review(record_of(GAMES[name])).steps]
        return f"/g/{self.ids[name]}#{seqs[round(place * (len(seqs) - 1))]}"

    def mistake(self) -> str:
        """The address of the first mistake of the game that has one."""
        findings = Review(record_of(GAMES["mistake"])).report.findings
        return f"/g/{self.ids['mistake']}#{findings[0].seq}"


def home(studio: Studio) -> bytes:
    """The home page: the games in play, and the best game of the last evening."""
    with studio.page(WIDE, "/") as page:
        page.wait_for_function("() => [...document.images].every((image) => image.complete && image.naturalWidth)")
        return page.screenshot()


def replay(studio: Studio) -> bytes:
    """A replay on a wide screen."""
    with studio.page(WIDE, studio.replay("tower", 0.8)) as page:
        return page.screenshot()


def replay_phone(studio: Studio) -> bytes:
    """The same replay on a phone."""
    with studio.page(PHONE, studio.replay("tower", 0.8), phone=True) as page:
        return page.screenshot()


def finding(studio: Studio) -> bytes:
    """A mistake, with the sentence of the referee."""
    with studio.page(WIDE, studio.mistake()) as page:
        return page.screenshot()


CUP = (
    ("Ana", "Ben"), ("Cy", "Dee"), ("Fay", "Gil"), ("Ben", "Cy"), ("Dee", "Fay"), ("Gil", "Ana"),
    ("Ana", "Cy"), ("Ben", "Fay"), ("Dee", "Gil"), ("Fay", "Ana"), ("Gil", "Cy"), ("Dee", "Ben"),
)  # fmt: skip
"""Who plays whom in the event of the picture, three games an evening."""


@contextmanager
def page_of(studio: Studio, games: int, path: str) -> Iterator[Page]:
    """A page of another ledger, with so many games of the event."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = Path(folder) / "cup.sqlite"
        with SqliteStore(ledger) as store:
            for number, names in enumerate(CUP[:games]):
                record = record_of(Wanted("ziggurat", number, f"2026-10-{2 + number // 3 * 7:02}", "at home", names))
                opening = replace(record.opening, event="Spring Cup")
                Recorder(store).import_record(Record((opening, *record.events[1:])))
            for _ in refresh(store):
                pass
        with served(ledger) as address, Studio(studio.browser, address, {}, "").page(WIDE, path) as page:
            yield page


def standings(studio: Studio) -> bytes:
    """The standings of an event, and its games."""
    with page_of(studio, len(CUP), "/events/Spring%20Cup") as page:
        return page.screenshot()


def statistics(studio: Studio) -> bytes:
    """The statistics of one kind of games."""
    with page_of(studio, len(CUP), "/statistics/ziggurat") as page:
        return page.screenshot()


def first(studio: Studio) -> bytes:
    """The first page of an empty ledger."""
    with page_of(studio, 0, "/") as page:
        page.wait_for_function("() => [...document.images].every((image) => image.complete && image.naturalWidth)")
        return page.screenshot()


def sheet(studio: Studio) -> bytes:
    """A score sheet that was pasted, with a line that cannot be read, and the reason below it."""
    with studio.page(WIDE, "/bring") as page:
        page.get_by_label("The sheet, or several").fill(SHEET)
        page.get_by_role("button", name="Read").click()
        page.locator(".faults .bad").wait_for()
        return page.screenshot()


SHEET = """\
Game: build-up
Players: A Ana, B Ben

A lays 0-3 1-3 2-2 3-3 5-6 1-6
B lays 0-1 1-4 0-0 5-5 4-6 2-5
A 6-6 on 10
B 3-5 over 11
A 4-4 on 3
"""
"""A sheet with a slip of the pencil."""


def blank_sheet(studio: Studio) -> bytes:
    """A sheet to print."""
    with studio.page(WIDE, "/bring/blank/zigzag?players=3") as page:
        return page.screenshot()


FEW = 5
"""The most places of a tile in a picture of the recorder."""


def recording_phone(studio: Studio) -> bytes:
    """A phone that records: a tile is picked up, and the places where it fits are lit: a few, so that one sees each."""
    with studio.page(PHONE, f"/r/{studio.ids['now']}#{studio.secret}", phone=True) as page:
        keys = page.locator("#tray .tile:not(.dim)")
        keys.first.wait_for()
        for key in keys.all():
            key.click()
            page.wait_for_timeout(500)
            if page.locator(".ghost").count() <= FEW:
                break
        return page.screenshot()


STEPS = 24
"""Pictures of the animation, besides the last one, which stays longer."""


def replay_gif(studio: Studio) -> bytes:
    """A whole game, step by step, as an animation.  It begins when there is something to see."""
    review = Review(record_of(GAMES["tower"]))
    places = sorted({round(n * (len(review.steps) - 1) / STEPS) for n in range(2, STEPS + 1)})
    frames = []
    with studio.page((1100, 760), studio.replay("tower", 0)) as page:
        for place in places:
            page.evaluate("seq => { location.hash = seq }", str(review.steps[place].seq))
            page.wait_for_timeout(250)
            frames.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
    return animation(frames)


def animation(frames: list[Image.Image], width: int = 880) -> bytes:
    """A GIF of these frames with one palette; the last frame stays for three seconds."""
    height = round(width * frames[0].height / frames[0].width)
    small = [frame.resize((width, height), Image.Resampling.LANCZOS) for frame in frames]
    palette = Image.new("P", (1, 1))
    common = small[len(small) // 2].quantize(120, Image.Quantize.MEDIANCUT).getpalette() or []
    palette.putpalette(common[: 3 * 120] + player_colours())
    plain = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in small]
    out = io.BytesIO()
    times = [450] * (len(plain) - 1) + [3000]
    plain[0].save(out, "GIF", save_all=True, append_images=plain[1:], duration=times, loop=0, optimize=True)
    return out.getvalue()


def player_colours() -> list[int]:
    """Each player's colour as red, green and blue: its areas are too small for the palette to include it."""
    tokens = (ROOT / "viewer" / "pictures" / "static" / "colours.css").read_text("utf-8")
    colours = dict(re.findall(r"--(p[1-8]):#([0-9A-Fa-f]{6})", tokens))
    return [part for colour in colours.values() for part in bytes.fromhex(colour)]


def small_png(data: bytes) -> bytes:
    """The same picture with 256 colours at the most: a third of the bytes."""
    out = io.BytesIO()
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    picture.quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


PICTURES: dict[str, Callable[[Studio], bytes]] = {
    "home.png": home,
    "replay.png": replay,
    "replay-phone.png": replay_phone,
    "recording-phone.png": recording_phone,
    "finding.png": finding,
    "standings.png": standings,
    "statistics.png": statistics,
    "first.png": first,
    "sheet.png": sheet,
    "blank-sheet.png": blank_sheet,
    "replay.gif": replay_gif,
}
"""By file name, what takes the picture.  A test compares these names with those in README and docs."""


def chromium() -> str | None:
    """The path of this machine's browser; None for the one that playwright brought."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def main() -> None:
    """Takes every picture, or those named on the command line."""
    wanted = sys.argv[1:] or list(PICTURES)
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "club.sqlite"
        ids, secret = keep(path)
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        with served(path) as address:
            studio = Studio(browser, address, ids, secret)
            for name in wanted:
                data = PICTURES[name](studio)
                data = small_png(data) if name.endswith(".png") else data
                if len(data) > LARGEST:
                    raise SystemExit(f"{name} has {len(data)} bytes, more than {LARGEST}")
                (FOLDER / name).write_bytes(data)
                print(f"{name}: {len(data) // 1000} kB")  # noqa: T201  progress for people
        browser.close()


if __name__ == "__main__":
    main()
