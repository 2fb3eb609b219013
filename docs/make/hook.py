"""MkDocs calls these while it builds the site: they add pages and styles that are made from the code.

`mkdocs.yml` names this file.  The work is done in `pages.py` and `drawing.py`, which know nothing of MkDocs.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

import drawing  # noqa: E402  found beside this file
import pages  # noqa: E402

from ledger.games import catalog  # noqa: E402
from viewer.in_browser.runtime import Runtime, find_runtime  # noqa: E402
from viewer.site.static_site import write_site  # noqa: E402

ROOT = HERE.parents[1]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that live elsewhere in the repository, and the colours of the program's own pages."""
    for name, path in pages.ELSEWHERE.items():
        files.append(File.generated(config, name, content=pages.moved(path, name)))
    files.append(File.generated(config, "style/tokens.css", content=pages.colours()))
    for game in catalog.built_in():
        for name, picture in pages.illustrations(game).items():
            files.append(File.generated(config, f"games/{name}", content=picture))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """The page with what the code says about games and the architecture, and with links that leave docs/ corrected."""
    del config, files
    name = page.file.src_uri
    if name == "games/index.md":
        markdown += "\n" + pages.all_games()
    elif name.startswith("games/"):
        game = name.removeprefix("games/").removesuffix(".md")
        markdown = pages.illustrated(markdown, game) + "\n" + pages.rules(game)
    elif name == "architecture.md":
        markdown = markdown.replace(drawing.PLACE, drawing.svg())
    if isinstance(find_runtime(), Runtime):
        markdown = pages.runnable(markdown, name)
    return markdown if name in pages.ELSEWHERE else pages.relinked(markdown, ROOT / "docs" / name, name)


def on_post_build(config: MkDocsConfig) -> None:
    """Puts the static site beside the pages, so that their sheets can be run.  Without the runtime it does nothing."""
    there = find_runtime()
    if isinstance(there, str):
        logging.getLogger("mkdocs.plugins").info("The sheets on the pages cannot be run. %s", there)
    else:
        write_site(Path(config.site_dir) / pages.TRY)
