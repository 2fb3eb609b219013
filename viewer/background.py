"""What a server does while nobody waits: it audits new events, and explains what is wrong."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from ledger.keep.stored_audits import explain_stored, refresh
from ledger.stores import questions
from ledger.stores.store import SqliteStore
from viewer.server.context import Served
from viewer.server.logs import CLUB, logger

PAUSE = 1.0
"""Seconds between two checks for records without an audit."""
EXPLAINED_AT_ONCE = 20
"""How many records are explained before the next check."""

Step = Callable[[str, Any], None]
"""What is done for a ledger: it gets the name of its club, "" where a server has one ledger, and what is served."""


@contextmanager
def at_work(served: Mapping[str, Served], stop: threading.Event, rest: float = 0, *more: Step) -> Iterator[None]:
    """Audits and explains what is new in the open ledgers, and does `more`, until the end, which closes them.

    They are by the names of their clubs.  After each ledger it rests `rest` times as long as it has worked.
    """
    steps = partial(_write, audit_waiting), partial(_write, explain_waiting), *more
    threads = [threading.Thread(target=_go_round, args=(step, served, stop, rest), daemon=True) for step in steps]
    for thread in threads:
        thread.start()
    yield
    for one in list(served.values()):
        one.close()
    for thread in threads:
        thread.join(PAUSE)


def _go_round(step: Step, served: Mapping[str, Served], stop: threading.Event, rest: float) -> None:
    while not stop.wait(PAUSE):
        for name, one in list(served.items()):
            if stop.is_set():
                return
            CLUB.set(name)
            begin = time.monotonic()
            try:
                step(name, one)
            except Exception:  # noqa: BLE001  a full disk today must not stop the audits of tomorrow, nor of other clubs
                logger.exception("new events cannot be audited now")
            stop.wait(rest * (time.monotonic() - begin))


def _write(work: Callable[[SqliteStore, threading.Event], None], _name: str, served: Served) -> None:
    with served.ledgers.one() as store:
        if not store.connection.read_only:
            work(store, served.over)


def audit_waiting(store: SqliteStore, stop: threading.Event) -> None:
    """Audits the records that wait for it."""
    for _ in refresh(store):
        if stop.is_set():
            break


def explain_waiting(store: SqliteStore, stop: threading.Event) -> None:
    """Looks for the causes of what the audits found, one record after the other, until a record waits for its audit.

    It rests after each record as long as it has worked, because it shares the processor with the answers.
    """
    begin = time.monotonic()
    for _record in explain_stored(store, EXPLAINED_AT_ONCE, stop.is_set):
        if questions.unaudited(store) or stop.wait(time.monotonic() - begin):
            break
        begin = time.monotonic()
