"""The runtime: Python for browsers with our own modules in it, as `make runtime` builds it into `in_browser/built`.

A checkout works without it; then the pages that would use it say how to get it.  The build uses this module's list of
files, so the module needs nothing but the standard library.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

PACKAGES = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "built"
WORKER, PYTHON, PACK, NOTICE = "rules_worker.js", "python.js", "rules.pack", "NOTICE.txt"
"""Our worker, the JavaScript of Python, all the rest as one compressed file, and the licences of what is in them."""
IN_CHECKOUT = "run `make runtime`; it needs npm and a network"
INSTALLED = (
    "the program was installed without them, because npm or the network was missing; all else works. Where both are "
    "there, install it again: `pip install --force-reinstall --no-deps` and the same source (`-v` shows what failed)"
)
"""How to get the runtime."""
_FIRST, _LATER = "viewer.browser_app", ("ledger/games/**/*.py", "ledger/notation/*.py")
"""The module that a browser asks, and the rooms that are loaded by their names, when a game or a sheet needs them."""
_BESIDE = (
    "ledger/stores/schema.sql", "viewer/pictures/static/colours.css", "viewer/pictures/static/drawing.css",
    "viewer/*/templates/*.html",
)  # fmt: skip
"""What the modules read: the names of columns, and what the pages and the pictures are made of."""
_IMPORT = re.compile(r"^(?:from|import) ((?:ledger|viewer)[\w.]*)(?: import (\([^)]*\)|.*))?$", re.MULTILINE)
"""An import at the top of a file.  What a function imports, a browser does not need."""


class Runtime(NamedTuple):
    """A runtime that was built from these sources: its digest, and the folder of its files."""

    digest: str
    folder: Path


def sources(root: Path = PACKAGES) -> dict[str, Path]:
    """The files of the runtime, by their path: the modules that `viewer.browser_app` imports, and what these import."""
    paths = {path for part in _BESIDE for path in root.glob(part)}
    waiting = [_module(root, _FIRST), *(path for part in _LATER for path in root.glob(part))]
    while waiting:
        if (path := waiting.pop()) and path not in paths:
            paths.add(path)
            waiting += _imported(root, path)
    return {path.relative_to(root).as_posix(): path for path in sorted(paths)}


def _imported(root: Path, path: Path) -> Iterator[Path | None]:
    """The files of the modules that a file imports, and of the packages around them."""
    for module, names in _IMPORT.findall(path.read_text("utf-8")):
        parts = module.split(".")
        yield from (_module(root, ".".join(parts[: end + 1])) for end in range(len(parts)))
        yield from (_module(root, f"{module}.{name}") for name in re.findall(r"\w+", names))


def _module(root: Path, name: str) -> Path | None:
    """The file of a module or of a package; None if there is none, as for a name in a module."""
    path = root.joinpath(*name.split("."))
    return next((file for file in (path / "__init__.py", path.with_suffix(".py")) if file.is_file()), None)


def digest_of(files: dict[str, Path]) -> str:
    """One digest for the names and the bytes of files."""
    digest = sha256()
    for name, path in files.items():
        digest.update(f"{name} {sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def digest_here() -> str:
    """The digest of the runtime for browsers; "" if there is none."""
    runtime = find_runtime()
    return runtime.digest if isinstance(runtime, Runtime) else ""


@cache
def own_digest() -> str:
    """The digest of the sources as they were when this process began."""
    return digest_of(sources())


def how() -> str:
    """How to get the runtime: in a checkout, or where the program was installed."""
    return IN_CHECKOUT if (PACKAGES / "pyproject.toml").exists() else INSTALLED


def find_runtime(folder: Path = FOLDER) -> Runtime | str:
    """The runtime, or a sentence that says why there is none.  It may be built while a server runs."""
    try:
        built_from = json.loads((folder / "runtime.json").read_bytes())
    except FileNotFoundError:
        return f"The rules for browsers are not built here: {how()}."
    if built_from["sources"] != own_digest():
        return f"The rules for browsers were built from other sources than these: {how()}."
    return Runtime(built_from["digest"], folder / built_from["digest"])
