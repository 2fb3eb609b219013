"""Takes every page at every size, by day and night, and lays the pictures on sheets beside drafts: `make looks`.

    python docs/make/contact_sheets.py FOLDER [--sizes 390x844,1280x900] [--themes light,dark] [--pages replay,home]
      [--drafts FOLDER]

The ledger has the season of `domino-ledger demo`, the largest games of each kind, names in other scripts, and records
with corrections and with each verdict.  Nothing of it goes into the repository: someone looks at the sheets.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace
from pictures import ROOT, chromium, served, still_context
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, sync_playwright

from ledger.audit.review import Review
from ledger.examples.season import cards, season
from ledger.games.catalog import find
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.keep.stored_audits import refresh
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.events import Amend, Close, Place
from ledger.record.record import Record
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore

SIZES = ("390x844", "768x1024", "844x390", "1280x900", "1920x1080")
THEMES = ("light", "dark")
TALLEST = 3
"""A picture of a whole page has at most so many screens."""
SCRIPTS = ("علي الفيتوري", "יוסף בן־דוד", "陳大文", "🦊 Fuchs 🎲", "Maximiliana-Theodora von Hohenstein", "Łukasz Żółć",
           "山田 花子", "محمد", "Seán O'Brien", "Ñandú")  # fmt: skip
PAGES = """
games games/ziggurat games/build-up games/zigzag games/domino-ziggurat players events events/Friday%20Night%20League
statistics statistics/ziggurat statistics/zigzag schedule new bring bring/blank/ziggurat on-this-phone kept card owner
referee api
"""
"""The pages beside games, home and recorder."""
LIVE = "livegame00"
"""The id of the game in play, as a recorder makes ids."""
SHEET = 1560
"""The width of a contact sheet, and its greatest height."""


class Shot(NamedTuple):
    """A picture: its page's address, and what to press before it is taken; `whole` goes beyond the first screen."""

    path: str
    press: tuple[str, ...] = ()
    whole: bool = False
    draft: str = ""


def renamed(record: Record, played: str = "2026-11-20") -> Record:
    """The record with names in other scripts, a long one among them."""
    players = tuple(replace(player, name=name) for player, name in zip(record.opening.players, SCRIPTS, strict=False))
    opening = replace(
        record.opening, players=players, played=played, place="le café de la gare", event="Friday Night League"
    )
    return Record((opening, *record.events[1:]))


def with_corrected_points(record: Record) -> Record:
    """The record with a correction that changes the points of one placement and nothing else."""
    seq, placed = next((n, e) for n, e in enumerate(record.events) if isinstance(e, Place) and e.points)
    events = [event for event in record.events if not isinstance(event, Close)]
    return Record((*events, Amend(seq, replace(placed, points=7), why="we counted it twice")))


def games() -> Iterator[tuple[str, Record]]:
    """The games beside the season, by the ids in the addresses below."""
    for name, game, seed, options, players in (
        ("zig12", "ziggurat", 3, {"set": 12}, 2),
        ("zig6x4", "ziggurat", 5, {}, 4),
        ("bu5", "build-up", 2, {}, 5),
        ("bu9", "build-up", 4, {}, 9),
        ("zz9", "zigzag", 3, {"set": 9, "target": None, "hands": 9}, 3),
        ("dz", "domino-ziggurat", 11, {}, 1),
    ):
        yield name, renamed(simulate(find(game), seed, options, players=players))
    yield "corrected", renamed(with_corrected_points(simulate(find("ziggurat"), 8)))
    yield "left", renamed(Record((*simulate(find("ziggurat"), 9).events[:14], Close("abandoned"))))
    yield "early", renamed(Record((*simulate(find("ziggurat"), 9).events[:14], Close("finished"))))
    for verdict, case in (
        ("breach", "ziggurat/build-score-broken"),
        ("impossible", "ziggurat/tiles-once-broken"),
        ("unproven", "build-up/pass-unproven"),
    ):
        path = ROOT / "fixtures" / f"{case}.json"
        yield verdict, renamed(codec.decode(path.read_bytes()))


def live() -> Record:
    """The beginning of a game that goes on while the pictures are taken."""
    record = renamed(simulate(find("build-up"), 6, players=3))
    return Record(record.events[:70])


def keep(path: Path) -> dict[str, Shot]:
    """A ledger of all games, and the pictures to take of it, by name."""
    key = new_key()
    steps: dict[str, list[int]] = {}
    with SqliteStore(path) as store:
        recorder = Recorder(store)
        for example in (*cards(), *season()):
            recorder.import_record(example.record, example.id)
        beginning = live()
        recorder.open(beginning.opening, LIVE)
        for event in beginning.events[1:]:
            recorder.append(LIVE, event)
        for name, record in [*games(), (LIVE, beginning)]:
            if name != LIVE:
                recorder.import_record(record, name)
            review = Review(record)
            finding = next(iter(review.report.findings), None)
            seqs = [step.seq for step in review.steps]
            steps[name] = [
                seqs[0],
                seqs[len(seqs) // 2],
                finding.seq if finding else seqs[len(seqs) * 9 // 10],
                seqs[-1],
            ]
        store.put([Key(LIVE, key_digest(key), "record")])
        for _ in refresh(store):
            pass
    return dict(shots(steps, key))


def shots(steps: dict[str, list[int]], key: str) -> Iterator[tuple[str, Shot]]:
    """Every page, by a name that says what it shows."""
    drafts = {
        "zig12": "replay-ziggurat12",
        "bu5": "replay-buildup",
        "zz9": "replay-zigzag",
        "zig6x4": "replay-ziggurat6",
    }
    for game, (first, middle, late, last) in steps.items():
        yield f"replay-{game}-middle", Shot(f"/g/{game}#{middle}", draft=drafts.get(game, ""))
        if game in {"unproven", "impossible", "breach", "zz9", "zig12", "bu5"}:
            yield f"replay-{game}-late", Shot(f"/g/{game}#{late}")
        yield f"replay-{game}-end", Shot(f"/g/{game}#{last}", draft="replay-end" if game == "zig6x4" else "")
        if game in {"zz9", "bu9"}:
            yield f"replay-{game}-begin", Shot(f"/g/{game}#{first}")
    for game in ("zig12", "zz9", "corrected", "unproven", "dz"):
        yield f"replay-{game}-below", Shot(f"/g/{game}", whole=True)
    yield "replay-plan", Shot(f"/g/zig12?view=plan#{steps['zig12'][1]}")
    yield "replay-levels", Shot(f"/g/zig12?level=8#{steps['zig12'][3]}", draft="replay-levels")
    yield "replay-share", Shot("/g/zig12", ("[popovertarget=share]",))
    yield "replay-settings", Shot("/g/zig12", ("[popovertarget=settings]",))
    yield "replay-notation", Shot(f"/g/breach#{steps['breach'][2]}", ("#codes",))
    yield "embed", Shot(f"/embed/zig6x4#{steps['zig6x4'][1]}")
    yield "print", Shot("/g/bu5/print", whole=True)
    yield "home", Shot("/", whole=True, draft="home")
    yield "home-page2", Shot("/?page=2")
    yield "home-filters", Shot("/?player=Ana")
    yield "home-nothing", Shot("/?q=nobody")
    for name in PAGES.split():
        yield name.replace("/", "-"), Shot(f"/{name}", whole=True)
    yield "players-of-another-script", Shot(f"/players/{SCRIPTS[0]}", whole=True)
    yield "new-zigzag", Shot("/new?game=zigzag", whole=True)
    yield "recorder", Shot(f"/r/{LIVE}#{key}")
    yield "recorder-moves", Shot(f"/r/{LIVE}#{key}", ("#show-moves",), draft="recorder-moves")
    yield "not-found", Shot("/nothing")
    yield "no-player", Shot("/players/Nobody")


def take(browser: Browser, address: str, size: str, theme: str, wanted: dict[str, Shot], folder: Path) -> list[Path]:
    """The pictures of one size and theme."""
    width, height = map(int, size.split("x"))
    phone = min(width, height) < 500
    context = still_context(browser, (width, height), phone=phone, dark=theme == "dark")
    page = context.new_page()
    paths = []
    for name, shot in wanted.items():
        paths.append(folder / f"{size}-{theme}" / f"{name}.png")
        paths[-1].parent.mkdir(parents=True, exist_ok=True)
        page.goto("about:blank")
        page.goto(address + shot.path)
        settle(page, shot)
        tall = min(page.evaluate("document.documentElement.scrollHeight"), TALLEST * height) if shot.whole else height
        clip = {"x": 0, "y": 0, "width": width, "height": max(tall, height)}
        page.screenshot(path=paths[-1], full_page=shot.whole, clip=clip if shot.whole else None)  # type: ignore[arg-type]
        across = page.evaluate("document.documentElement.scrollWidth")
        if across > width:
            print(f"{size} {theme} {name}: {across} pixels wide")  # noqa: T201  progress for people
    context.close()
    return paths


def settle(page: Page, shot: Shot) -> None:
    """Waits until the page shows what it has, and presses what the picture wants pressed."""
    if shot.path.startswith(("/g/", "/embed/", "/r/")) and not shot.path.endswith("/print"):
        page.wait_for_selector("html[data-ready]")
    for button in shot.press:
        page.locator(button).locator("visible=true").first.click(timeout=5000)
    # A long list draws only what is on the screen, and a picture of a whole page has more.
    page.evaluate("document.querySelectorAll('.moves li').forEach((row) => (row.style.contentVisibility = 'visible'))")
    page.evaluate("document.querySelectorAll('img[loading=lazy]').forEach((image) => (image.loading = 'eager'))")
    page.wait_for_function("() => [...document.images].every((image) => image.complete)")
    page.wait_for_timeout(200)


def lay_out(pictures: list[Path], shot_of: dict[str, Shot], drafts: Path | None, folder: Path) -> None:
    """Contact sheets of one size and theme; a page that has a draft lies beside it."""
    size, theme = pictures[0].parent.name.split("-")
    width = int(size.partition("x")[0])
    columns = max(2, SHEET // width)
    cell = SHEET // columns
    beside = [part for path in pictures for part in (path, *draft_of(shot_of[path.stem].draft, width, theme, drafts))]
    rows = [[scaled(path, cell - 8) for path in beside[n : n + columns]] for n in range(0, len(beside), columns)]
    sheets: list[list[list[Image.Image]]] = [[]]
    for row in rows:
        if sheets[-1] and sum(map(highest, sheets[-1])) + highest(row) > SHEET:
            sheets.append([])
        sheets[-1].append(row)
    for number, sheet in enumerate(sheets, 1):
        whole = Image.new("RGB", (SHEET, sum(map(highest, sheet))), "#888")
        y = 0
        for row in sheet:
            for column, picture in enumerate(row):
                whole.paste(picture, (column * cell, y))
            y += highest(row)
        whole.save(folder / f"sheet-{size}-{theme}-{number:02}.png")


def draft_of(name: str, width: int, theme: str, drafts: Path | None) -> list[Path]:
    """The draft of a page, at night the one for the night if there is one."""
    kind = "phone" if width < 600 else "wide"
    wanted = [f"{name}-{kind}{suffix}.png" for suffix in (["-dark", ""] if theme == "dark" else [""])]
    return [drafts / file for file in wanted if name and (drafts / file).exists()][:1] if drafts else []


def scaled(path: Path, width: int) -> Image.Image:
    """A picture at that width under its name; a sheet is as high as it is wide, so the rest of a long page is cut."""
    picture = Image.open(path).convert("RGB")
    picture = picture.resize((width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS)
    titled = Image.new("RGB", (width, min(picture.height, SHEET) + 24), "#888")
    titled.paste(picture, (0, 20))
    ImageDraw.Draw(titled).text((4, 4), path.stem, fill="#fff")
    return titled


def highest(row: list[Image.Image]) -> int:
    """The height of a row."""
    return max(picture.height for picture in row)


def main() -> None:
    """Takes the pictures and lays them on sheets in the folder that the command line names."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--sizes", default=",".join(SIZES))
    options.add_argument("--themes", default=",".join(THEMES))
    options.add_argument("--pages", default="", help="only pages whose names begin with one of these")
    options.add_argument("--drafts", type=Path, help="a folder of drafts: NAME-wide.png, NAME-phone-dark.png, …")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        every = keep(Path(folder) / "club.sqlite")
        wanted = {name: shot for name, shot in every.items() if name.startswith(tuple(chosen.pages.split(",")))}
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        with served(Path(folder) / "club.sqlite") as address:
            for size in chosen.sizes.split(","):
                for theme in chosen.themes.split(","):
                    pictures = take(browser, address, size, theme, wanted, chosen.folder)
                    for old in chosen.folder.glob(f"sheet-{size}-{theme}-*.png"):
                        old.unlink()
                    lay_out(pictures, every, chosen.drafts, chosen.folder)
        browser.close()


if __name__ == "__main__":
    main()
