"""Serves the runtime for browsers: it never changes under its digest, so a browser may cache it."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request, send_file

from viewer.runtime import PACK, PYTHON, WORKER, find

rules = Blueprint("rules", __name__)

FOR_EVER = "public, max-age=31536000, immutable"
KINDS = {WORKER: "text/javascript", PYTHON: "text/javascript", PACK: "application/octet-stream"}
POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
"""The policy of the worker's script.  A worker has its own, so the page that starts it needs no wider one."""


@rules.get("/runtime/<digest>/<name>")
def part(digest: str, name: str) -> Response:
    """A file of the runtime.  Replays on other sites may fetch it, too: it has nothing of this ledger."""
    runtime = find()
    if isinstance(runtime, str):
        abort(404, runtime)
    if digest != runtime.digest or name not in KINDS:
        abort(404, "this server has other rules for browsers: load the page again")
    path = runtime.folder / name
    packed = name != PACK and "gzip" in request.headers.get("Accept-Encoding", "")
    answer = send_file(path.with_name(f"{name}.gz") if packed else path, mimetype=KINDS[name])
    if packed:
        answer.headers["Content-Encoding"] = "gzip"
    if name != PACK:
        answer.vary.add("Accept-Encoding")
        answer.headers["Content-Security-Policy"] = POLICY
    answer.headers["Cache-Control"] = FOR_EVER
    answer.headers["Access-Control-Allow-Origin"] = "*"
    answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return answer
