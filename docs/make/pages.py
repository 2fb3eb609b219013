"""Pages of the docs site that are made from the code, so that they always say what the program does."""

from __future__ import annotations

import base64
import os
import re
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ledger.audit.review import clauses
from ledger.examples.lessons import lessons_of
from ledger.games import catalog
from ledger.record.events import kind
from ledger.record.words import format_value
from ledger.rules.game import Clause, Game, Option
from ledger.rules.shared_clauses import RECORD_CLAUSES
from viewer.rulebook.rulebook_routes import drawn_step, parts_of

ROOT = Path(__file__).parents[2]
TOKENS = ROOT / "viewer" / "pictures" / "static" / "colours.css"

ELSEWHERE = {path.name.lower(): path for path in sorted(ROOT.glob("*.md")) if path.name != "README.md"} | {
    "fixtures.md": ROOT / "fixtures" / "README.md",
    "conformance.md": ROOT / "fixtures" / "conformance" / "README.md",
}
"""By its name on the site, a page that lives elsewhere in the repository."""

KINDS = {
    "variant": ("Variants", "Variants that the rules offer. The table agrees on them before it begins."),
    "ruling": (
        "Rulings",
        (
            "The rules leave these questions open, or answer them in two ways. The first value is the default. A "
            "report names each ruling that it depends on, and `domino-ledger audit --rulings all` checks a game under "
            "every reading."
        ),
    ),
    "fact": ("Facts of the table", "What was on the table or who began: it cannot be worked out from the moves."),
}
"""By the kind of an option, the heading of its table and the sentence below it."""

_LINK = re.compile(r"\]\(([^)\s]+)\)")


def all_games() -> str:
    """The table of the games, each with a link to its page."""
    rows = ["| game | `Game:` | by | players | sets |", "| --- | --- | --- | --- | --- |"]
    for name in sorted(catalog.built_in()):
        game = catalog.find(name)
        rows.append(f"| [{game.title}]({name}.md) | `{name}` | {game.author} | {game.seats} | {sets(game)} |")
    return "\n".join(rows) + "\n"


def illustrations(name: str) -> dict[str, str]:
    """By their names on the site, the pictures of *How to play* a game."""
    return {f"{name}-{part}.svg": drawn_step(name, part) for part in range(1, parts_of(name) + 1)}


def illustrated(markdown: str, name: str) -> str:
    """The page of a game with *How to play* below the first paragraph."""
    title, intro, rest = markdown.split("\n\n", 2)
    files, shown = iter(illustrations(name)), ""
    for lesson in lessons_of(name):
        shown += f"## How to play{f', edition {lesson.edition}' if lesson.edition else ''}\n\n"
        for number, step in enumerate(lesson.steps, 1):
            shown += f"![The table]({next(files)}){{ .step }}\n\n**{number}. {step.title}.** {step.says}\n\n"
    return f"{title}\n\n{intro}\n\n{shown}{rest}"


def sets(game: Game[Any]) -> str:
    """The sets of dominoes that a game is played with, in words."""
    sizes = next((option.values for option in game.options if option.name == "set"), (game.largest,))
    *others, last = map(str, sorted(sizes))
    return f"double {', '.join(others)} or {last}" if others else f"double {last}"


def rules(name: str) -> str:
    """The part of a game's page that is made from the code: its source, its options by kind, and its clauses."""
    game = catalog.find(name)
    source = f"<{game.document}>" if "://" in game.document else game.document
    parts = [f"## The rules\n\nBy {game.author}: {source}. For {game.seats}; {sets(game)}."]
    if game.editions:
        parts.append(f"Editions: {', '.join(f'`{edition}`' for edition in game.editions)}. The first is the default.")
    for option_kind, (heading, sentence) in KINDS.items():
        options = [option for option in game.options if option.kind == option_kind]
        if options:
            parts.append(f"## {heading}\n\n{sentence}\n\n{option_table(options)}")
    parts.append(f"## Clauses\n\n{CLAUSES}\n\n{clause_table(game)}")
    return "\n\n".join(parts) + "\n"


CLAUSES = (
    "Each finding cites one of these by its id. A *breach* broke the rules. Something *impossible* happens at no "
    "table, so the record is wrong. *Unproven* means that the record leaves it open. Clauses that begin with `tiles.` "
    "or `record.` hold for every game."
)


def option_table(options: list[Option]) -> str:
    """A row for each option: its name, its values (the default first, in bold), its meaning."""
    rows = ["| option | values | meaning |", "| --- | --- | --- |"]
    for option in options:
        first, *others = [f"`{format_value(value)}`" for value in option.values] or [""]
        listed = ", ".join([f"**{first}**" if first else "", *others]).strip(", ")
        values = " · ".join(part for part in (listed, option.accepts) if part)
        rows.append(f"| `{option.name}` | {values} | {sentence_case(option.meaning)} |")
    return "\n".join(rows)


def clause_table(game: Game[Any]) -> str:
    """A row for each clause that can be cited against a record of a game."""
    rows = ["| clause | meaning | judges | verdict |", "| --- | --- | --- | --- |"]
    shown: dict[str, list[Clause[Any]]] = {}
    for known in clauses(game):
        shown.setdefault(known.id, []).append(known)
    for id_, same in sorted(shown.items(), key=lambda item: (item[0].startswith(("tiles.", "record.")), item[0])):
        meaning = " ".join(dict.fromkeys(known.meaning for known in same))
        judged = ", ".join(f"`{kind(event)}`" for event in dict.fromkeys(event for known in same for event in known.on))
        rows.append(f"| `{id_}` {{ #{id_} }} | {meaning} | {judged} | {verdict(same)} |")
    return "\n".join(rows)


def verdict(same: Iterable[Clause[Any]]) -> str:
    """The verdicts of clauses with one id; a clause that nothing can break only explains."""
    verdicts = dict.fromkeys(known.verdict for known in same if known.on or known in RECORD_CLAUSES)
    return " or ".join(verdicts) or "explains only"


def sentence_case(text: str) -> str:
    """A meaning as a sentence: a capital at the start, a full stop at the end."""
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def moved(path: Path, name: str) -> str:
    """A page of the repository, with its links turned to where the pages are on the site."""
    return relinked(path.read_text("utf-8"), path, name)


def relinked(text: str, path: Path, name: str) -> str:
    """A page's text in which each link to another page points to where that page is on the site.

    `path` is where the text is in the repository, `name` its name on the site.  A link to a file that the site does not
    have becomes plain text with the file's name.
    """
    places = {target: moved_name for moved_name, target in ELSEWHERE.items()}

    def link(match: re.Match[str]) -> str:
        target, _, anchor = match[1].partition("#")
        if not target or "://" in target or target.startswith("mailto:"):
            return match[0]
        file = (path.parent / target).resolve()
        if file == ROOT / "README.md":
            site = "index.md"
        elif file in places:
            site = places[file]
        elif file.is_relative_to(ROOT / "docs"):
            site = file.relative_to(ROOT / "docs").as_posix()
        else:
            return match[0]
        way = os.path.relpath(site, Path(name).parent)
        return f"]({way}{'#' + anchor if anchor else ''})"

    return _LINK.sub(link, text)


TRY = "try"
"""The folder of the docs site with the static site, in which sheets run."""
_SHEET = re.compile(r"^```sheet\n(.*?)^```\n", re.DOTALL | re.MULTILINE)


def runnable(markdown: str, name: str) -> str:
    """A page with a frame after each score sheet, in which the reader can run and edit it."""
    way = os.path.relpath(f"{TRY}/check.html", Path(name).parent)

    def framed(match: re.Match[str]) -> str:
        return (
            f'{match[0]}\n<details class="run"><summary>Run and edit this sheet</summary>'
            f'<iframe src="{way}#.{packed(match[1])}" loading="lazy" title="The sheet above"></iframe></details>\n'
        )

    return _SHEET.sub(framed, markdown)


def packed(text: str) -> str:
    """A text as the static site reads it from the fragment of its address."""
    press = zlib.compressobj(9, wbits=-15)
    return base64.urlsafe_b64encode(press.compress(text.encode()) + press.flush()).decode().rstrip("=")


def colours() -> str:
    """The program's own colours for the site: by day, and by night for readers who chose dark."""
    text = TOKENS.read_text("utf-8")
    day = re.search(r"^:root\{(.*?)^\}", text, re.DOTALL | re.MULTILINE)
    night = re.search(r"^:root\[data-theme=dark\]\{(.*?)^\}", text, re.DOTALL | re.MULTILINE)
    if day is None or night is None:
        raise ValueError(f"{TOKENS.name} has no block for the day, or none for the night")
    return f"[data-md-color-scheme]{{{day[1]}}}\n[data-md-color-scheme=slate]{{{night[1]}}}\n"
