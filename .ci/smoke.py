"""Asks the installed viewer for the pages, styles and scripts of a ledger, and fails if one of them is not there."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from ledger.stores.store import SqliteStore
from viewer.app import create_app

ledger = Path(sys.argv[1])
with SqliteStore(ledger) as store:
    (record_id,) = store.ids()
    client = create_app(lambda: store).test_client()
    pages = [
        "/",
        f"/g/{record_id}",
        f"/g/{record_id}/print",
        "/rules",
        "/rules/zigzag",
        "/api",
        "/new",
        "/api/openapi.json",
        *(f"/g/{record_id}/{picture}" for picture in ("position.png", "card.png", "animation.gif?from=0&to=3")),
    ]
    parts = set()
    for page in pages:
        answer = client.get(page)
        if answer.status_code != 200:
            sys.exit(f"{page}: {answer.status}")
        if answer.mimetype == "text/html":
            parts |= set(re.findall(r'(?:href|src)="(/[a-z_]+/static/[^"#]+)"', answer.text))
    wrong = [part for part in parts if client.get(part).status_code != 200]
    if wrong or len(parts) < 5:
        sys.exit(f"missing: {wrong}" if wrong else "the pages name hardly any parts")
print(f"{len(pages)} pages and {len(parts)} of their parts are there")  # noqa: T201  what it is for
