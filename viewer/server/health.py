"""Health: whether the ledger can be read and written, for monitoring."""

import shutil
from pathlib import Path
from typing import Any

import msgspec
from flask import Blueprint, Response, current_app

from ledger import __version__
from ledger.record.errors import Displaced, LedgerError
from viewer.server.context import store
from viewer.server.logs import logger

health = Blueprint("health", __name__)

LEAST = 4_000_000
"""With fewer free bytes the disk counts as full: they are enough for a few games and for SQLite's journal."""


@health.get("/healthz")
def healthz() -> Response:
    """Whether the ledger can be read, and written unless it is read-only; if not, why."""
    return health_answer(_reason(recording=current_app.extensions["recording"]))


def health_answer(reason: str) -> Response:
    """The answer of a server that is well, or that is not, for a reason."""
    recording = current_app.extensions["recording"] and not reason
    body: dict[str, Any] = {"status": "ok", "version": __version__, "recording": recording}
    if reason:
        body |= {"status": "failed", "reason": reason}
    answer = Response(msgspec.json.encode(body), 503 if reason else 200, content_type="application/json")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def full_disk(folder: Path) -> str:
    """That the disk of a folder is full, in a sentence; empty if it has room."""
    free = shutil.disk_usage(folder).free
    return f"the disk is full: {free // 1000} kB are left" if free < LEAST else ""


def _reason(*, recording: bool) -> str:
    """What is wrong with the ledger, in a sentence that does not reveal its path; empty if it is fine."""
    try:
        ledger = store()
        if displaced := ledger.connection.displaced():
            return f"nothing is written any more: {displaced}"
        if loss := ledger.loss():
            return f"the ledger has lost events: {loss}; `domino-ledger verify` shows more"
        if recording and (full := full_disk(ledger.path.parent)):
            return full
    except Displaced as error:
        return error.reason
    except Exception:  # noqa: BLE001  any error means trouble, and the log says why
        logger.exception("the ledger cannot be read")
        return "the ledger cannot be read"
    if recording:
        try:
            ledger.note_audits(())  # a transaction that writes nothing, but is refused if nothing can be written
        except LedgerError:
            logger.exception("the ledger cannot be written")
            return "the ledger cannot be written"
    return ""
