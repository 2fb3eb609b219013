"""What a server does while nobody waits: it audits new events, and explains what is wrong."""

import logging
import threading
import time
from collections.abc import Callable

from ledger.keep.stored_audits import explain_stored, refresh
from ledger.stores import questions
from ledger.stores.store import SqliteStore

PAUSE = 1.0
"""Seconds between two checks for records without an audit."""
EXPLAINED_AT_ONCE = 20
"""How many records are explained before the next check."""


def keep_auditing(open_store: Callable[[], SqliteStore], stop: threading.Event) -> None:
    """Audits new events in the background, so that no page has to write anything to show the results.

    Then it looks for the causes of mistakes, so that no page waits for them.
    """
    logger = logging.getLogger("domino-ledger")
    while not stop.is_set():
        try:
            with open_store() as store:
                while not stop.wait(PAUSE):
                    audit_waiting(store, stop)
                    explain_waiting(store, stop)
        except Exception:
            # A full disk today must not stop the audits of tomorrow.
            logger.exception("new events cannot be audited now")
            stop.wait(PAUSE)


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
