"""The files of the recorder's page, which a phone stores to open it without a network."""

from __future__ import annotations

import re
from pathlib import Path

from flask import current_app, url_for

LINK = re.compile(r'(?:href|src)="(/[^"#]+\.(?:css|js|webmanifest|svg))"')
KINDS = (".js", ".css", ".svg", ".webmanifest")
IMPORTED = re.compile(r'^(?:import|export) (?:[^"]* from )?"(\.{1,2}/[^"]+)";', re.MULTILINE)


def page_parts(page: str) -> list[str]:
    """The addresses of all files that a recorder's page needs: its links, the recorder's modules and their imports."""
    static = Path(current_app.static_folder or "").resolve()
    own = (path for path in sorted((static / "record").iterdir()) if path.suffix in KINDS)
    found = dict.fromkeys(path for path in own if path.name != "worker.js")
    waiting = list(found)
    while waiting:
        path = waiting.pop()
        imported = IMPORTED.findall(path.read_text("utf-8")) if path.suffix == ".js" else ()
        new = [other for name in imported if (other := (path.parent / name).resolve()) not in found]
        found |= dict.fromkeys(new)
        waiting += new
    modules = (url_for("static", filename=path.relative_to(static).as_posix()) for path in found)
    return list(dict.fromkeys((*LINK.findall(page), *modules)))
