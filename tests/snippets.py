"""The snippets in the documentation, and how they are run.

Each page has its own folder and one shell: its blocks run from top to bottom, so a file or a variable from one block is
there for the next, as for a reader who types along.

- ``sh``: run by the shell, which stops at the first command that fails.
- ``console``: each line after ``$ `` is run, and its output is compared with the lines below it.  A line ``...``
  matches any lines, ``…`` any text in a line.
- ``python``: run in the same folder.
- ``sheet``: read as a score sheet, and saved to the file named in a comment.

A comment directly above a block adds options: ``<!-- file: moves.txt -->`` (any language) saves it to that file,
``<!-- exits 1: why -->`` expects that exit status of its last command, ``<!-- not run: why -->`` leaves it out.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from warm import CLIENT, start

ROOT = Path(__file__).parents[1]
INSTALLED = os.environ.get("DOMINO_PYTHON", "")
"""The Python of an installed program, whose commands are run instead of those of this folder."""
PYTHON = INSTALLED or sys.executable
RUN = ("sh", "console", "python", "sheet")
"""The languages of snippets that are run or read."""

_BLOCK = re.compile(
    r"(?:^<!-- (?P<note>(?:not run|exits \d|file): [^\n]*?) -->\n)?"
    r"^(?P<fence>```)(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


class Snippet(NamedTuple):
    """A block of a page, with its number, its language, its text, and the comment above it."""

    number: int
    language: str
    text: str
    note: str

    @property
    def why_not(self) -> str:
        """The reason not to run it; empty if it is run."""
        return self.note.removeprefix("not run: ") if self.note.startswith("not run") else ""

    @property
    def file(self) -> str:
        """The file to save it to; empty if none."""
        return self.note.removeprefix("file: ") if self.note.startswith("file") else ""

    @property
    def status(self) -> int:
        """The expected exit status of its last command."""
        return int(self.note[6]) if self.note.startswith("exits") else 0

    @property
    def commands(self) -> list[tuple[str, str]]:
        """The commands of a ``console`` block, each with its output."""
        return _COMMAND.findall(self.text)


class Result(NamedTuple):
    """The exit status of a command or a block of commands, and its output (stdout and stderr together).

    `wanted` is the status that the page promises, `shown` the output that it shows; None if it promises nothing.
    """

    command: str
    wanted: int | None
    shown: str | None
    status: int
    printed: str

    @property
    def good(self) -> bool:
        """Whether the page is right."""
        return self.wanted in (None, self.status) and (self.shown is None or agrees(self.shown, self.printed))


def snippets(page: str) -> list[Snippet]:
    """Every block of a page, in order."""
    return [
        Snippet(number, match["language"], match["text"], match["note"] or "")
        for number, match in enumerate(_BLOCK.finditer(page))
    ]


COMMAND = """#!/bin/sh
case " $* " in
    *" --help "*) ;;
    *" serve "*) exec {python} {server} "$@" ;;
    *" forget "*) echo y | {program} "$@"; exit $? ;;
esac
exec {program} "$@"
"""
"""`domino-ledger` as a reader of the pages calls it, who answers yes to every question."""
SERVER = '''"""A server that is asked once and stopped."""
import signal, subprocess, sys, urllib.request
command = [sys.executable, "-m", "ledger", *sys.argv[1:]]
server = subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True)
for line in server.stdout:
    print(line, end="")
    if "http://" in line:
        address = next(word for word in line.split() if word.startswith("http://"))
        urllib.request.urlopen(address + "healthz", timeout=120).read()
        server.send_signal(signal.SIGINT)
        break
print(server.stdout.read(), end="")
sys.exit(server.wait(120))
'''


def run(
    page: str,
    folder: Path,
    names: Mapping[str, str] = MappingProxyType({}),
    before: str = "",
    *,
    warm: bool = False,
) -> list[Result]:
    """Runs the snippets of a page in a folder, one after the other, in one shell.

    `names` maps the placeholders of the page to their values here.  `before` runs first: it makes what the reader
    already has.  With `warm`, commands of this repository are forked from a process that has imported them.
    """
    tools, work = folder / "tools", folder / "page"
    tools.mkdir()
    work.mkdir()
    _make_tools(tools, warm=warm and not INSTALLED and hasattr(os, "fork"))
    for name, meaning in names.items():
        page = page.replace(name, meaning)
    lines: list[str] = []
    questions: list[tuple[str, int | None, str | None, str]] = []

    def ask(text: str, wanted: int | None, shown: str | None = None) -> None:
        name = f"{len(questions)}"
        lines.append(_sourced(tools, name, text, stop=wanted == 0))
        questions.append((text, wanted, shown, name))

    ask(before, 0)
    for snippet in snippets(page):
        if snippet.why_not:
            continue
        if snippet.file:
            (tools / f"{snippet.number}.file").write_text(snippet.text, "utf-8")
            lines.append(f'cp "{tools}/{snippet.number}.file" "{snippet.file}"')
        elif snippet.language == "console":
            for command, shown in snippet.commands:
                ask(command, None, shown)
        elif snippet.language == "python":
            (tools / f"{snippet.number}.py").write_text(snippet.text, "utf-8")
            ask(f'python "{tools}/{snippet.number}.py"', 0)
        elif snippet.language == "sh":
            ask(snippet.text, snippet.status)
    script = tools / "page.sh"
    script.write_text("\n".join(lines) + "\n", "utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "DOMINO_LEDGER"} | {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": "" if INSTALLED else str(ROOT),
        "COLUMNS": "120",
        "NO_COLOR": "1",
    }
    subprocess.run(["bash", str(script)], cwd=work, env=environment, stdin=subprocess.DEVNULL, timeout=300, check=False)
    return [Result(*question, *_outcome(tools / name)) for *question, name in questions]


def _make_tools(tools: Path, *, warm: bool) -> None:
    """Puts the commands of the pages into a folder for PATH: those of this repository, with this Python."""
    server, python = tools / "server.py", shlex.quote(PYTHON)
    program = shlex.quote(str(Path(INSTALLED).with_name("domino-ledger"))) if INSTALLED else f"{python} -m ledger"
    if warm:
        client = tools / "client.py"
        client.write_text(CLIENT, "utf-8")
        program = shlex.join([PYTHON, "-IS", str(client), str(start())])
    server.write_text(SERVER, "utf-8")
    for name, text in (
        ("domino-ledger", COMMAND.format(python=python, program=program, server=shlex.quote(str(server)))),
        ("python", f'#!/bin/sh\nexec {python} "$@"\n'),
        ("sqlite-utils", f'#!/bin/sh\nexec {python} -m sqlite_utils "$@"\n'),
    ):
        tool = tools / name
        tool.write_text(text, "utf-8")
        tool.chmod(0o755)


def _outcome(place: Path) -> tuple[int, str]:
    """The exit status and the output of a command; -1 if the shell did not reach it."""
    status, printed = place.with_suffix(".status"), place.with_suffix(".out")
    if not status.exists():
        return -1, "never run"
    return int(status.read_text("utf-8")), printed.read_text("utf-8")


def _sourced(tools: Path, name: str, text: str, *, stop: bool) -> str:
    """Shell lines that run a text in the same shell, and keep its output and its exit status.

    With `stop`, the first command that fails ends the shell, and a trap keeps its exit status.
    """
    (tools / f"{name}.sh").write_text(text + "\n", "utf-8")
    place = f"{tools}/{name}"
    return (
        f"trap 'echo $? > \"{place}.status\"' EXIT; set {'-e' if stop else '+e'}\n"
        f'. "{place}.sh" > "{place}.out" 2>&1\n'
        f'echo $? > "{place}.status"; set +e; trap - EXIT'
    )


_VARIES = (
    (re.compile(r"\b(?=\d*[a-z])[0-9a-hjkmnp-tv-z]{10}\b"), "<id>"),
    (re.compile(r"\d\d? [A-Z][a-z]{2} 20\d\d, \d\d:\d\d"), "<time>"),
    (re.compile(r"(today|yesterday), \d\d:\d\d"), "<time>"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "<digest>"),
)
"""Patterns of texts that differ in every run: ids of records, times, digests."""


def settled(text: str) -> str:
    """A text without trailing blanks, and with every text that differs in each run replaced by its name."""
    for pattern, name in _VARIES:
        text = pattern.sub(name, text)
    return re.sub(r"[ ]+$", "", text, flags=re.MULTILINE)


def agrees(shown: str, printed: str) -> bool:
    """Whether a command printed what the page shows; ``...`` alone on a line is any lines, ``…`` any text of a line."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else ".*?".join(map(re.escape, line.split("…"))) + r"\n"
        for line in settled(shown).splitlines()
    )
    return re.fullmatch(pattern, settled(printed)) is not None
