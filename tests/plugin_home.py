"""Games installed as plug-ins, as docs/add-a-game.md describes: for tests that use them from outside."""

import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from ledger.games import catalog
from ledger.keep.recorder import new_id, new_key
from ledger.record import codec
from ledger.record.events import AnyEvent
from ledger.rules.game import Game
from temporary import TemporaryStore
from viewer.app import create_app

ROOT = Path(__file__).parents[1]


def blocks(language: str) -> str:
    """The only block of docs/add-a-game.md in that language: `python`, `toml`, or `py` for the second revision."""
    page = (ROOT / "docs" / "add-a-game.md").read_text("utf-8")
    (block,) = re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    return str(block)


def install(source: Path, home: Path) -> None:
    """Builds the package in `source` and installs it into the folder `home`, without a network."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
           "--no-build-isolation", "--no-index", "--target", str(home), str(source)]  # fmt: skip
    subprocess.run(pip, check=True)


def install_block(folders: pytest.TempPathFactory) -> Path:
    """A folder in which docs/add-a-game.md's sixth game, Block, is installed like any package."""
    source, target = folders.mktemp("block"), folders.mktemp("home")
    (source / "block.py").write_text(blocks("python"), "utf-8")
    (source / "pyproject.toml").write_text(blocks("toml"), "utf-8")
    install(source, target)
    return target


def run(home: Path, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Runs the command with the packages installed in `home`."""
    path = os.pathsep.join(map(str, (home, ROOT)))
    environment = {**os.environ, "PYTHONPATH": path, "DOMINO_LEDGER": str(home / "ledger.sqlite")}
    return subprocess.run(
        [sys.executable, "-m", "ledger", *arguments], env=environment, input=stdin, capture_output=True, check=False
    )


def type_check(*files: Path) -> str:
    """The output of a strict mypy about these files: empty if they are right."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--config-file=", *map(str, files)]
    environment = {**os.environ, "MYPYPATH": str(ROOT)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False).stdout


@contextmanager
def installed(home: Path, name: str) -> Iterator[Game[Any]]:
    """The game of that name from `home`, which the catalog of this process knows for the duration of the block."""

    def forget() -> None:
        importlib.invalidate_caches()
        catalog._loaders.cache_clear()
        catalog.find.cache_clear()
        for module in [module for module in sys.modules if module.partition(".")[0] == name]:
            del sys.modules[module]

    sys.path.insert(0, str(home))
    forget()
    try:
        yield catalog.find(name)
    finally:
        sys.path.remove(str(home))
        forget()


class Phone:
    """A phone that begins a game of two on the start page and records it through the HTTP API."""

    def __init__(self, game: str, **typed: str) -> None:
        self.ledger = TemporaryStore()
        self.client: FlaskClient = create_app(self.ledger.reopen).test_client()
        self.id, self.key = new_id(), new_key()
        form = {"id": self.id, "key": self.key, "game": game, "player1": "Ana", "player2": "Ben", **typed}
        assert self.client.post("/new", data=form).status_code == 303
        self.sent = 0

    def screen(self) -> dict[str, Any]:
        """The current screen of the phone."""
        answer = self.client.get(f"/api/v1/records/{self.id}/screen")
        assert answer.status_code == 200, answer.text
        return dict(answer.json)

    def enter(self, *events: AnyEvent) -> dict[str, Any]:
        """Sends these events, and returns the screen in the answer."""
        self.sent += len(events)
        rows = [{"id": new_id(), "event": msgspec.json.decode(codec.encode_event(event))} for event in events]
        answer = self.client.post(
            f"/api/v1/records/{self.id}/events",
            data=msgspec.json.encode({"expected": self.ledger.version(self.id), "entries": rows}),
            headers={"Authorization": f"Bearer {self.key}"},
            content_type="application/json",
        )
        assert answer.status_code == 200, answer.text
        return self.screen()

    def pages(self) -> dict[str, int]:
        """The HTTP status of every page and picture of the record."""
        paths = ("/g/{}", "/embed/{}", "/g/{}/position.svg", "/g/{}/print", "/r/{}", "/api/v1/records/{}/steps",
                 "/api/v1/records/{}/screen")  # fmt: skip
        return {path: self.client.get(path.format(self.id)).status_code for path in paths}
