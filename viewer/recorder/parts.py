"""What the recorder's page is made of: the files that a phone stores to open it without a network."""

from __future__ import annotations

import re
from pathlib import Path

from flask import current_app, url_for

LINK = re.compile(r'(?:href|src)="(/[^"#]+\.(?:css|js|webmanifest|svg))"')
KINDS = (".js", ".css", ".svg", ".webmanifest")


def page_parts(page: str) -> list[str]:
    """The addresses of all files that a recorder's page needs: those it links to, and every module of the recorder."""
    folder = Path(current_app.static_folder or "") / "record"
    names = (path.name for path in sorted(folder.iterdir()) if path.suffix in KINDS and path.name != "worker.js")
    modules = (url_for("static", filename=f"record/{name}") for name in names)
    return list(dict.fromkeys((*LINK.findall(page), *modules)))
