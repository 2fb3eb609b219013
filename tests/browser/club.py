"""A club for the tests: a real server with its own ledger, and the phones of its members."""

import socket
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.play.simulate import simulate
from ledger.record.events import ACTS, AnyEvent, Correctable, Open, Place
from ledger.record.record import Record
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from waiting import wait_until
from warm import Process

RULES = "rules"
"""The parameter of the fixture `phone` for one that has the rules, and the service worker."""
WORKER = "worker"
"""The parameter of the fixture `phone` for one that has the service worker, but no rules."""
RULES_ALONE = "rules alone"
"""The parameter of the fixture `phone` for one that has the rules, but no service worker.

Where a page has a worker, Playwright may miss a request that a test wants to change.
"""
BARE = "document.addEventListener('readystatechange', () => { delete document.body.dataset.runtime; });"
"""Makes every page one of a server that has no rules for browsers, so that Python need not start in it."""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def phone_with(parts: str) -> pytest.MarkDecorator:
    """Gives a test, or all tests of a module, a `phone` with these parts."""
    return pytest.mark.parametrize("phone", [parts], indirect=True)


def at_width(name: str) -> pytest.MarkDecorator:
    """Gives a test a `page` of one width, "phone" or "wide", where it would show the same at the other."""
    return pytest.mark.parametrize("browser_context_args", [name], indirect=True)


def visit(page: Any, address: str, shows: str = "html[data-ready]") -> None:
    """Opens an address, and waits until its page shows that."""
    page.goto(address)
    page.wait_for_selector(shows)


def wait_for_frames(page: Any) -> None:
    """Waits until the page is laid out and drawn as it is now: by then it has heard of a new size."""
    page.evaluate("async () => { for (let n = 0; n < 2; n += 1) await new Promise(requestAnimationFrame); }")


def box_of(element: Any) -> dict[str, float]:
    """The position and size of an element that is shown."""
    box = element.bounding_box()
    assert box is not None, element
    return dict(box)


def entered(record: Record) -> list[Correctable]:
    """The acts of a game as a phone enters them: no points are called."""
    return [replace(e, points=None) if isinstance(e, Place) else e for e in record.events if isinstance(e, ACTS)]


class Club:
    """A real server with its own ledger, which can be killed and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "club.sqlite"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self, *more: str) -> None:
        with SqliteStore(self.path):
            pass
        self.server = Process("--ledger", str(self.path), "serve", "--port", str(self.port), *more)
        wait_until(self.answers, "the server starts")

    def answers(self) -> bool:
        """Whether somebody listens at its address."""
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        self.server.kill()

    def read(self, record_id: str) -> Record:
        with SqliteStore(self.path) as store:
            return store.read(record_id)

    def open(self, opening: Open, acts: Iterable[AnyEvent] = ()) -> tuple[str, str]:
        """Begins a game with these events; returns the recorder's link and the record's id."""
        key = new_key()
        with SqliteStore(self.path) as store:
            record_id = Recorder(store, find_game=catalog.find).open(opening)
            store.put([Key(record_id, key_digest(key))])
            for act in acts:
                Recorder(store).append(record_id, act)
        return f"{self.address}/r/{record_id}#{key}", record_id


def link_to(
    club: Club, name: str, count: int | None, seed: int = 2, names: tuple[str, ...] = (), **options: Any
) -> str:
    """The recorder's link to a game with `count` recorded acts."""
    record = simulate(catalog.find(name), seed, options)
    players = record.opening.players
    seats = zip(players, names or (player.name for player in players), strict=True)
    opening = replace(record.opening, players=tuple(replace(player, name=name) for player, name in seats))
    return club.open(opening, entered(record)[:count])[0]
