"""The runtime: Python for browsers with our own modules in it, as `make runtime` builds it into `static/runtime`.

A checkout works without it; then the pages that would use it say how to get it.  The build uses this module's list of
files, so the module needs nothing but the standard library.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

PACKAGES = Path(__file__).parents[1]
FOLDER = Path(__file__).parent / "static" / "runtime"
WORKER, PYTHON, PACK, NOTICE = "worker.js", "python.js", "rules.pack", "NOTICE.txt"
"""Our worker, the JavaScript of Python, all the rest as one compressed file, and the licences of what is in them."""
IN_CHECKOUT = "run `make runtime`; it needs npm and a network"
INSTALLED = (
    "the program was installed without them, because npm or the network was missing; all else works. Where both are "
    "there, install it again: `pip install --force-reinstall --no-deps` and the same source (`-v` shows what failed)"
)
"""How to get the runtime."""
_PACKED = (
    "ledger/**/*",
    "viewer/__init__.py",
    "viewer/portable.py",
    "viewer/pages/*.py",
    "viewer/pictures/*.py",
    "viewer/recorder/__init__.py",
    "viewer/recorder/beginning.py",
    "viewer/recorder/moves.py",
    "viewer/recorder/names.py",
    "viewer/recorder/new_game.py",
    "viewer/recorder/on_phone.py",
    "viewer/recorder/questions.py",
    "viewer/recorder/view.py",
    "viewer/server/__init__.py",
    "viewer/server/dates.py",
    "viewer/runtime.py",
    "viewer/static/*.css",
    "viewer/static/*.js",
    "viewer/static/rules/*.js",
    "viewer/static/table/*.js",
    "viewer/templates/*.html",
)
_LEFT_OUT = (
    "ledger/cli/",
    "ledger/bulk/",
    "ledger/stores/postgres",
    "ledger/stores/sql",
    *(
        f"viewer/pages/{name}.py"
        for name in (
            "share_card",
            "record_cards",
            "home",
            "live",
            "replay_cache",
            "page_routes",
            "rules",
            "search",
            "share",
        )
    ),
    "viewer/pages/thumbnails.py",
)
"""Modules that only a terminal or a server uses."""


class Runtime(NamedTuple):
    """A runtime that was built from these sources: its digest, and the folder of its files."""

    digest: str
    folder: Path


def sources(root: Path = PACKAGES) -> dict[str, Path]:
    """The files of the runtime, by their path in the package."""
    paths = {path.relative_to(root).as_posix(): path for part in _PACKED for path in root.glob(part) if path.is_file()}
    return {
        name: path
        for name, path in sorted(paths.items())
        if "__pycache__" not in path.parts and not name.startswith(_LEFT_OUT) and not name.endswith("py.typed")
    }


def digest_of(files: dict[str, Path]) -> str:
    """One digest for the names and the bytes of files."""
    digest = sha256()
    for name, path in files.items():
        digest.update(f"{name} {sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def digest_here() -> str:
    """The digest of the runtime for browsers; "" if there is none."""
    runtime = find()
    return runtime.digest if isinstance(runtime, Runtime) else ""


@cache
def own_digest() -> str:
    """The digest of the sources as they were when this process began."""
    return digest_of(sources())


def how() -> str:
    """How to get the runtime: in a checkout, or where the program was installed."""
    return IN_CHECKOUT if (PACKAGES / "pyproject.toml").exists() else INSTALLED


def find(folder: Path = FOLDER) -> Runtime | str:
    """The runtime, or a sentence that says why there is none.  It may be built while a server runs."""
    try:
        built_from = json.loads((folder / "runtime.json").read_bytes())
    except FileNotFoundError:
        return f"The rules for browsers are not built here: {how()}."
    if built_from["sources"] != own_digest():
        return f"The rules for browsers were built from other sources than these: {how()}."
    return Runtime(built_from["digest"], folder / built_from["digest"])
