"""Health: whether the ledger can be read and written, for monitoring."""

import shutil
from pathlib import Path
from typing import Any

import msgspec
from flask import Blueprint, Response, current_app

from ledger import __version__
from ledger.record.errors import Displaced, LedgerError
from ledger.stores.store import SqliteStore
from viewer.server.context import store
from viewer.server.logs import logger

health = Blueprint("health", __name__)

LEAST = 4_000_000
"""With fewer free bytes the disk counts as full: they are enough for a few games and for SQLite's journal."""


@health.get("/healthz")
def healthz() -> Response:
    """Whether the ledger can be read, and written unless it is read-only; if not, why."""
    recording = current_app.extensions["recording"]
    reason = _reason(recording=recording)
    body: dict[str, Any] = {"status": "ok", "version": __version__, "recording": recording and not reason}
    if reason:
        body |= {"status": "failed", "reason": reason}
    answer = Response(msgspec.json.encode(body), 503 if reason else 200, content_type="application/json")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _reason(*, recording: bool) -> str:
    """What is wrong with the ledger, in a sentence that does not reveal its path; empty if it is fine."""
    try:
        ledger = store()
        if displaced := ledger.connection.displaced():
            return f"nothing is written any more: {displaced}"
        if loss := ledger.loss():
            return f"the ledger has lost events: {loss}; `domino-ledger verify` shows more"
    except Displaced as error:
        return error.reason
    except Exception:  # noqa: BLE001  any error means trouble, and the log says why
        logger.exception("the ledger cannot be read")
        return "the ledger cannot be read"
    if recording:
        if (free_bytes := free(ledger)) is not None and free_bytes < LEAST:
            return f"the disk of the ledger is full: {free_bytes // 1000} kB are left"
        try:
            ledger.note_audits(())  # a transaction that writes nothing, but is refused if nothing can be written
        except LedgerError:
            logger.exception("the ledger cannot be written")
            return "the ledger cannot be written"
    return ""


def free(ledger: SqliteStore) -> int | None:
    """The free bytes on the disk of a ledger; None if it is not a file."""
    path = getattr(ledger, "path", None)
    try:
        return shutil.disk_usage(path.parent).free if isinstance(path, Path) else None
    except OSError:
        return None
