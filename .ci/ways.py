"""Installs the program in one of the ways of docs/install.md, by the lines that stand there.

`python .ci/ways.py WAY FOLDER` works in a copy of the source in FOLDER.  A demo runs until it says how to stop it, and
is stopped like that.  At the end stands the Python of the installation: its bin folder has the command.  What each line
cost goes to stderr.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "install.md"
TOOLS = {
    "make": ("make", ".venv/bin/pip"),
    "uv": ("uv", "uvx"),
    "pipx": ("pipx",),
    "python": ("python3", ".venv/bin/python", ".venv/bin/domino-ledger"),
}
"""The first words of the lines that belong to each way."""
PLACES = {
    "make": "source/.venv", "python": "source/.venv", "uv": "tools/domino-ledger", "pipx": "pipx/venvs/domino-ledger",
}  # fmt: skip
"""Where each way puts the program."""
MOST_LINES = 25


def lines_of(page: str, way: str) -> list[str]:
    """The lines that a reader types for that way, in the order of the page."""
    blocks = re.findall(r"^```sh\n(.*?)^```|^ {4}(\S[^\n]*)", page, re.DOTALL | re.MULTILINE)
    typed = [line for block in blocks for line in "".join(block).splitlines()]
    return [line for line in typed if line.split()[0] in TOOLS[way]]


def copy_source(to: Path) -> None:
    """Copies the files of the repository, as a clone has them."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S607
    for name in filter(None, listing.stdout.split("\0")):
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, to / name)


def run_demo(line: str, source: Path, environment: Mapping[str, str]) -> None:
    """Runs a line that shows the demo, and stops it by Ctrl+C.  Exits if it prints too much.

    Of what `make` prints each line counts, the warnings of pip too; uv and pipx say on stderr what they do.
    """
    process = subprocess.Popen(  # noqa: S603
        ["bash", "-c", line],  # noqa: S607  a line of the page, as it is typed
        cwd=source, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True,
        stderr=subprocess.STDOUT if line.startswith("make") else None,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )  # fmt: skip
    printed = []
    for text in process.stdout or ():
        printed.append(text)
        if "Ctrl+C" in text:
            break
    os.killpg(process.pid, signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    sys.stderr.write("".join(printed))
    left = list((source.parent / "temporary").glob("domino-ledger-demo-*"))
    if not printed or "Ctrl+C" not in printed[-1] or len(printed) > MOST_LINES or "Traceback" in rest or left:
        sys.exit(f"{line}: {len(printed)} lines, left {left}\n{rest}")


def typed(line: str, source: Path, environment: Mapping[str, str]) -> None:
    """Runs a line as it is typed.  Exits with a message if it fails."""
    command = ["bash", "-c", line]
    if subprocess.run(command, cwd=source, env=environment, stdout=sys.stderr, check=False).returncode:  # noqa: S603
        sys.exit(f"it failed: {line}")


def main(way: str, folder: Path) -> None:
    """Runs the lines of one way.  Exits with a message if one of them fails."""
    source, temporary = folder / "source", folder / "temporary"
    copy_source(source)
    temporary.mkdir(exist_ok=True)
    environment = {
        **os.environ, "TMPDIR": str(temporary), "PYTHONUNBUFFERED": "1",
        "UV_TOOL_DIR": f"{folder}/tools", "UV_TOOL_BIN_DIR": f"{folder}/bin", "UV_CACHE_DIR": f"{folder}/uv",
        "UV_PYTHON": sys.executable, "UV_PYTHON_DOWNLOADS": "never",
        "PIPX_HOME": f"{folder}/pipx", "PIPX_BIN_DIR": f"{folder}/bin", "PIPX_DEFAULT_PYTHON": sys.executable,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }  # fmt: skip
    for name in ("VIRTUAL_ENV", "DISPLAY", "WAYLAND_DISPLAY", "PYTHONDONTWRITEBYTECODE"):
        environment.pop(name, None)
    for line in lines_of(PAGE.read_text("utf-8"), way):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        if line.split("#")[0].rstrip().endswith(" demo"):
            run_demo(line, source, environment)
        else:
            typed(line, source, environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        sys.stderr.write(f"{line}: {used:.1f} s of CPU\n")
    print(folder / PLACES[way] / "bin" / "python")  # noqa: T201  what it is for


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]).absolute())
