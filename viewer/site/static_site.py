"""The static site: the front door, the pages where anybody can try the program, the examples, and the runtime."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from ledger.audit.review import Review, clauses
from ledger.examples.lessons import lessons_of
from ledger.examples.season import season
from ledger.games import catalog
from ledger.record import codec
from ledger.record.errors import NotForNow
from ledger.record.record import Record
from ledger.record.visible import isolated
from ledger.record.words import format_value, listed
from viewer.club.example_pages import drawn_example
from viewer.club.welcome import SHOWN, examples_shown
from viewer.every_page.navigation import static
from viewer.every_page.one_script import one_script
from viewer.every_page.templates import VIEWER, filled, style
from viewer.in_browser.runtime import NOTICE, PACK, PYTHON, WORKER, Runtime, find_runtime, own_digest
from viewer.phone.new_game_offline import games_in_browsers
from viewer.referee.referee_routes import drawn_question
from viewer.rulebook.rulebook_routes import drawn_step, parts_of, pictured

FIXTURES = Path(__file__).parents[2] / "fixtures"
"""More examples, of a checkout."""
SEASON = "The season of a made-up club"
"""The group of examples that come with the program."""
DAY = date(2026, 2, 13)
"""The day whose puzzle stands for all in the picture of the front door."""
NOTE = ".domino-ledger-site"
"""The list of the files that were written: a folder without it is not overwritten."""


def write_site(folder: Path) -> int:
    """Writes the site into a folder, and returns the number of its files.

    Raises NotForNow without the runtime, and for a folder with other files.
    """
    runtime = find_runtime()
    if isinstance(runtime, str):
        raise NotForNow(f"{runtime} The site needs them.")
    note = folder / NOTE
    if folder.exists() and any(folder.iterdir()) and not note.exists():
        raise NotForNow(f"{folder} has other files in it: name a new or an empty folder")
    files = dict(_pages(runtime))
    for name in (WORKER, PYTHON, PACK, NOTICE):
        files[f"runtime/{runtime.digest}/{name}"] = (runtime.folder / name).read_bytes()
    # Files that somebody else put there, such as the host's own, stay.
    for name in note.read_text("utf-8").splitlines() if note.exists() else ():
        if name not in files:
            (folder / name).unlink(missing_ok=True)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    note.write_text("".join(f"{name}\n" for name in files), "utf-8")
    return len(files)


def _pages(runtime: Runtime) -> Iterator[tuple[str, bytes]]:
    """The name and the bytes of every file except the runtime."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for group, path, title, record in examples():
        yield f"examples/{path}.json", codec.encode_lines(record)
        groups.setdefault(group, []).append((path, title))
    games = catalog.games()
    yield "index.html", _page("index", **_front(), runtime=runtime)
    yield "check.html", _page("check", examples=groups.items(), runtime=runtime)
    films = [f"season/{example.id}" for example in season() if not example.record.opening.card]
    for name in ("game", "record", "referee"):
        yield f"{name}.html", _page(name, runtime=runtime, games=games_in_browsers(), films=films)
    yield "rules/index.html", _page("games", root="../", games=games)
    for game in games:
        page = _page(
            "rules",
            root="../",
            game=game,
            clauses=clauses(game),
            newest=None,
            format_value=format_value,
            puzzle="../referee.html#" + game.name + "-{n}",
        )
        yield f"rules/{game.name}.html", page
    yield from _pictures()
    yield "style.css", style("replay/static/replay.css", "site/static/site.css").encode()
    for name, more in (
        ("home", ("club/static/home.css",)),
        ("referee", ("referee/static/referee.css",)),
        ("record", RECORD),
    ):
        yield f"{name}.css", style(*more, "site/static/site.css").encode()
    for name, path in PLAIN.items():
        yield name, (VIEWER / path).read_bytes()
    for name, path in SCRIPTS.items():
        yield name, one_script(VIEWER, path).encode()


RECORD = ("phone/static/recorder.css", "phone/static/new_game.css", "phone/static/games_here.css")
"""The styles of the recorder."""
SCRIPTS = {
    "check.js": "site/static/check_page.js",
    "game.js": "phone/static/game_in_link_page.js",
    "puzzle.js": "referee/static/referee_page.js",
    "record.js": "phone/static/recorder_page.js",
    "replay.js": "replay/static/replay_page.js",
}
PLAIN = {"theme.js": "every_page/static/theme.js", "disk.js": "site/static/opened_from_disk.js"}
"""The scripts of the pages, by their names on the site: modules as one script each, and plain ones."""


def _page(name: str, *, root: str = "", runtime: Runtime | None = None, **values: Any) -> bytes:
    """A page of the site; with a `runtime`, its rules can start there."""
    values |= {"root": root, "nav": static(root), "pictured": pictured(), "lessons_of": lessons_of}
    values["picture_of"] = lambda name, at: f"{root}rules/{name}-{at}.svg"
    values["program"] = own_digest
    if runtime is not None:
        values["digest"] = runtime.digest
    return filled(f"site_{name}.html", **values).encode()


def _front() -> dict[str, Any]:
    return {
        "shows": examples_shown("game.html?play#0=season/{}".format, "growing-{}.svg".format, "still-{}.svg".format),
        "begin": static("").begin,
        "referee": "referee.html",
        "table": "referee.svg",
        "examples": "The games here are those of a made-up club, simulated ones.",
        "site": True,
    }


def _pictures() -> Iterator[tuple[str, bytes]]:
    for name in pictured():
        for part in range(1, parts_of(name) + 1):
            yield f"rules/{name}-{part}.svg", drawn_step(name, part).encode()
    for example_id in SHOWN:
        for name in ("growing", "still"):
            yield f"{name}-{example_id}.svg", drawn_example(example_id, still=name == "still").encode()
    yield "referee.svg", drawn_question(DAY.isoformat()).encode()


def examples() -> Iterator[tuple[str, str, str, Record]]:
    """The examples: each with its group, its path, its title and its record."""
    for example in season():
        review = Review(example.record)
        title = f"{review.game.title}: {listed(map(isolated, review.opening.names))}"
        yield SEASON, f"season/{example.id}", title, example.record
    for path in sorted(FIXTURES.glob("*/*.json")):
        if path.parent.name != "conformance" and not path.name.endswith(".report.json"):
            record = codec.decode(path.read_bytes())
            group = f"{catalog.find(record.opening.game).title}: cases of the tests"
            yield group, f"{path.parent.name}/{path.stem}", path.stem, record
