"""Serves the runtime for browsers, which never changes under its digest, and the pages that start it."""

from typing import Any

from flask import Blueprint, Response, abort, current_app, make_response, render_template, request, send_file

from viewer.in_browser.runtime import PACK, PYTHON, WORKER, digest_here, find_runtime
from viewer.server.policy import policy

in_browser = Blueprint("in_browser", __name__, static_folder="static", static_url_path="/in_browser/static")

FOR_EVER = "public, max-age=31536000, immutable"
KINDS = {WORKER: "text/javascript", PYTHON: "text/javascript", PACK: "application/octet-stream"}
POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
"""The policy of the worker's script.  A worker has its own, so the page that starts it needs no wider one."""


@in_browser.get("/runtime/<digest>/<name>")
def part(digest: str, name: str) -> Response:
    """A file of the runtime.  Replays on other sites may fetch it, too: it has nothing of this ledger."""
    runtime = find_runtime()
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


def rules_here() -> str:
    """The digest of the rules that a page of this ledger fetches for games without a network; "" for none."""
    return digest_here() if current_app.extensions["recording"] else ""


def with_rules(template: str, **values: Any) -> Response:
    """A page that starts the rules in a worker, if this server has them."""
    digest = digest_here()
    page = make_response(render_template(template, runtime=digest, **values))
    page.headers["Content-Security-Policy"] = policy(rules=bool(digest))
    return page
