"""The files of the recorder's pages, which a phone stores to open them without a network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from flask import current_app, url_for

LINK = re.compile(r'(?:href|src)="(/[^"#]+\.(?:css|js|webmanifest|svg))"')
IMPORTED = re.compile(r'^(?:import|export) (?:[^"]* from )?"(\.{1,2}/[^"]+)";', re.MULTILINE)
KINDS = (".css", ".svg", ".webmanifest")


def page_parts(*pages: str) -> list[str]:
    """The addresses of all files that these pages need: what they link, what that imports, and the recorder's."""
    static = Path(current_app.static_folder or "").resolve()
    recorder_files = (path for path in sorted((static / "record").iterdir()) if path.suffix in KINDS)
    linked = list(dict.fromkeys(address for page in pages for address in LINK.findall(page)))
    prefix = url_for("static", filename="")
    modules = [static / address.removeprefix(prefix) for address in linked if address.startswith(prefix)]
    files = (path.relative_to(static).as_posix() for path in _with_imports([*recorder_files, *modules]))
    return list(dict.fromkeys((*linked, *(prefix + name for name in files))))


def _with_imports(paths: list[Path]) -> Iterator[Path]:
    """These files, and the modules that they import, each once."""
    seen = set[Path]()
    while paths:
        path = paths.pop()
        if path in seen:
            continue
        seen.add(path)
        yield path
        if path.suffix == ".js":
            paths += [(path.parent / name).resolve() for name in IMPORTED.findall(path.read_text("utf-8"))]
