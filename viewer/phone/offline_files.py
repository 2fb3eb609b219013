"""The files of the recorder's pages, which a phone stores to open them without a network."""

import json
import re
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from flask import render_template, request

from viewer.every_page.templates import VIEWER
from viewer.in_browser.runtime import PACK, PYTHON, WORKER, digest_here, digest_of
from viewer.phone.new_game_offline import games_in_browsers
from viewer.rulebook.rulebook_routes import rules_pages
from viewer.server.context import loss
from viewer.server.kept import kept

STORED_PAGES = ("recorder_page.html", "game_in_link.html", "on_this_phone.html", "referee_page.html")
"""The pages that a phone stores."""
LINK = re.compile(r'(?:href|src)="(/[^"#]+\.(?:css|js|webmanifest|svg))"')
KINDS = (".css", ".svg", ".webmanifest")
OF_PAGES = {".css", ".js", ".svg", ".webmanifest"}
"""The files whose bytes tell versions of the pages apart."""


def page_parts(*pages: str) -> list[str]:
    """The addresses of all files that these pages need: what they link, and the recorder's own."""
    own = (path for path in sorted((VIEWER / "phone/static").iterdir()) if path.suffix in KINDS)
    linked = dict.fromkeys(address for page in pages for address in LINK.findall(page))
    files = (f"{request.script_root}/{path.relative_to(VIEWER).as_posix()}" for path in own)
    return list(dict.fromkeys((*linked, *files)))


def runtime_parts() -> list[str]:
    """The addresses of the files of the rules; none if this server has none."""
    digest = digest_here()
    return [f"{request.script_root}/runtime/{digest}/{name}" for name in (PYTHON, WORKER, PACK)] if digest else []


def worker_script() -> str:
    """The service worker, with the list of all files of the pages and of the rules, and a digest of them.

    It is made again only when something that is in it may have changed.
    """
    paths = sorted(path for path in VIEWER.glob("*/static/**/*") if path.suffix in OF_PAGES)
    newest = max(path.stat().st_mtime_ns for path in paths)
    key = "worker", request.script_root, loss(), digest_here(), tuple(paths), newest
    return kept().get_or_make(key, lambda: _worker_script(paths), len)


def _worker_script(paths: Iterable[Path]) -> str:
    runtime, files = digest_here(), digest_of({path.relative_to(VIEWER).as_posix(): path for path in paths})
    pages = [render_template(name, runtime=runtime, games=games_in_browsers()) for name in STORED_PAGES]
    parts = ", ".join(map(json.dumps, (*page_parts(*pages), *rules_pages(), *runtime_parts())))
    version = sha256("\n".join((*pages, files, runtime)).encode()).hexdigest()[:16]
    script = (VIEWER / "phone/static/service_worker.js").read_text("utf-8")
    return script.replace("/* PARTS */", parts).replace("/* VERSION */", version)
