"""What every part of the viewer needs from the application: the ledger of this thread."""

from __future__ import annotations

import threading
from collections.abc import Callable

from flask import current_app

from ledger.record.errors import LedgerError
from ledger.stores.contract import Store

PATIENCE = 2.0
"""How many seconds in all `LedgerPerThread.close` waits for threads that are ending."""


class LedgerPerThread:
    """Opens the ledger once in each thread that asks for it."""

    def __init__(self, open_store: Callable[[], Store]) -> None:
        self._open, self._local, self._lock = open_store, threading.local(), threading.Lock()
        self._ledgers: list[tuple[threading.Thread, Store]] = []

    def __call__(self) -> Store:
        """The ledger of this thread."""
        store: Store | None = getattr(self._local, "store", None)
        if store is None:
            store = self._local.store = self._open()
            with self._lock:
                self._ledgers.append((threading.current_thread(), store))
        return store

    def close(self) -> None:
        """Closes the ledgers of all threads that have ended, and waits a moment for those that are about to end.

        A thread that still works keeps its ledger, which closes with the process.
        """
        wait = PATIENCE
        with self._lock:
            ledgers, self._ledgers = self._ledgers, []
        for thread, store in ledgers:
            if thread.is_alive():
                thread.join(wait)
                wait = 0 if thread.is_alive() else wait
            if not thread.is_alive():
                store.close()


def store() -> Store:
    """The ledger of this application, for this thread."""
    ledger: LedgerPerThread = current_app.extensions["ledger"]
    return ledger()


def loss() -> str:
    """What the ledger of this request has lost; empty if nothing, or if it cannot be read at all."""
    try:
        return store().loss()
    except LedgerError:
        return ""
