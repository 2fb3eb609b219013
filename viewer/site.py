"""The static site: the pages where anybody can try the program, the rules, the examples, and the runtime."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ledger.audit.review import clauses
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.errors import NotForNow
from ledger.record.record import Record
from ledger.record.words import format_value
from viewer.pages.bundle import one_script
from viewer.pages.templates import STATIC, environment, style
from viewer.runtime import NOTICE, PACK, PYTHON, WORKER, Runtime, find

FIXTURES = Path(__file__).parents[1] / "fixtures"
"""The examples of a checkout; an installed package simulates some."""
SIMULATED = 3
"""How many examples of each game are simulated if there are no fixtures."""
NOTE = ".domino-ledger-site"
"""The list of the files that were written: a folder without it is not overwritten."""


def write(folder: Path) -> int:
    """Writes the site into a folder, and returns the number of its files.

    Raises NotForNow without the runtime, and for a folder with other files.
    """
    runtime = find()
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
    records = list(examples())
    groups: dict[str, list[tuple[str, str]]] = {}
    for path, record in records:
        yield f"examples/{path}.json", codec.encode_lines(record)
        groups.setdefault(catalog.find(record.opening.game).title, []).append((path, path.partition("/")[2]))
    templates, games = environment(), catalog.games()
    index = templates.get_template("site_index.html")
    yield (
        "index.html",
        index.render(root="", digest=runtime.digest, games=games, examples=sorted(groups.items())).encode(),
    )
    yield "game.html", templates.get_template("site_game.html").render(root="", digest=runtime.digest).encode()
    yield "record.html", templates.get_template("site_record.html").render(root="", digest=runtime.digest).encode()
    rules = templates.get_template("site_rules.html")
    for game in games:
        page = rules.render(root="../", game=game, clauses=clauses(game), format_value=format_value)
        yield f"rules/{game.name}.html", page.encode()
    yield "style.css", style("replay", "site/site").encode()
    yield "record.css", style("record/record", "record/opening", "record/games", "site/site").encode()
    for name in ("theme.js", "site/disk.js"):
        yield Path(name).name, (STATIC / name).read_bytes()
    for folder, name in (("site", "index.js"), ("site", "game.js"), ("record", "record.js"), ("", "replay.js")):
        yield name, one_script(STATIC / folder, name).encode()


def examples() -> Iterator[tuple[str, Record]]:
    """The examples: every fixture of a checkout, or simulated games."""
    for path in sorted(FIXTURES.glob("*/*.json")):
        if path.parent.name != "conformance" and not path.name.endswith(".report.json"):
            yield f"{path.parent.name}/{path.stem}", codec.decode(path.read_bytes())
    if FIXTURES.exists():
        return
    for game in catalog.games():
        for seed in range(SIMULATED):
            yield f"{game.name}/simulated-{seed}", simulate(game, seed)
