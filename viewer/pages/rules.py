"""The runtime for browsers, handed out from this server: it never changes under its digest, so a browser keeps it."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request, send_file

from viewer.runtime import PACK, PYTHON, WORKER, find

rules = Blueprint("rules", __name__)

FOR_EVER = "public, max-age=31536000, immutable"
KINDS = {WORKER: "text/javascript", PYTHON: "text/javascript", PACK: "application/octet-stream"}
POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
"""A worker has the policy of its own script, so the page that starts it needs none that is wider."""


@rules.get("/runtime/<digest>/<name>")
def part(digest: str, name: str) -> Response:
    """A file of the runtime.  Replays that were sent elsewhere may fetch it, too: it holds nothing of this ledger."""
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
