"""Health: whether the ledger answers, and can be written; for whoever watches over the server."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
from flask import Blueprint, Response, current_app

from ledger import __version__
from ledger.errors import LedgerError
from ledger.stores.contract import Store
from viewer.logs import logger
from viewer.pages import store

health = Blueprint("health", __name__)

LEAST = 4_000_000
"""Bytes on the disk of the ledger below which it counts as full: a few more games, and the file that waits beside."""


@health.get("/healthz")
def healthz() -> Response:
    """Whether the ledger answers, and can be written unless it is only shown; if not, why."""
    recording = current_app.extensions["recording"]
    reason = _reason(recording=recording)
    said: dict[str, Any] = {"status": "ok", "version": __version__, "recording": recording}
    if reason:
        said |= {"status": "failed", "reason": reason}
    answer = Response(msgspec.json.encode(said), 503 if reason else 200, content_type="application/json")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _reason(*, recording: bool) -> str:
    """Why the ledger is not well, in one sentence that tells no stranger where it stands; nothing if it is."""
    try:
        found = store()
        known = found.high_water_mark()
        if known is not None and known[0] > found.size():
            return "the ledger has lost events: `domino-ledger verify` looks closer"
    except Exception:  # noqa: BLE001  whatever it is, it is not well, and the log says why
        logger.exception("the ledger cannot be read")
        return "the ledger cannot be read"
    path = getattr(found, "path", None)
    if isinstance(path, Path):
        if not path.exists():
            return "the file of the ledger is gone"
        if recording and (left := free(found)) is not None and left < LEAST:
            return f"the disk of the ledger is full: {left // 1000} kB are left"
    if recording:
        try:
            found.note_audits(())  # a transaction that writes nothing, and is refused where nothing can be written
        except LedgerError:
            logger.exception("the ledger cannot be written")
            return "the ledger cannot be written"
    return ""


def free(found: Store) -> int | None:
    """The bytes that are left on the disk of a ledger; None for one that is no file."""
    path = getattr(found, "path", None)
    try:
        return shutil.disk_usage(path.parent).free if isinstance(path, Path) else None
    except OSError:
        return None
