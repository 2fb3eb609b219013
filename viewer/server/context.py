"""What every part of the viewer needs from the application: the ledger of this thread."""

from __future__ import annotations

from collections.abc import Callable

from flask import current_app

from ledger.errors import LedgerError
from ledger.stores.contract import Store


def store() -> Store:
    """The ledger of this application, for this thread."""
    open_: Callable[[], Store] = current_app.extensions["ledger"]
    return open_()


def loss() -> str:
    """What the ledger of this request had and has no more; empty if nothing, or if it cannot be read at all."""
    try:
        return store().loss()
    except LedgerError:
        return ""
