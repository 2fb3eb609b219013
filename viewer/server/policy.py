"""The Content-Security-Policy of pages and pictures: nothing from elsewhere, and no script inside a page."""

from flask import Response

PICTURE = "default-src 'none'; style-src 'unsafe-inline'"
"""The policy of a picture: it fetches nothing, and runs nothing."""
OWN = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'"
RULES = "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:"
"""What a page with the rules in a worker needs besides: WebAssembly, and a script from the browser's own database."""


def policy(framed_by: str = "'none'", *, rules: bool = False) -> str:
    """The policy of a page that these sites may frame."""
    return "; ".join((OWN, *((RULES,) if rules else ()), f"frame-ancestors {framed_by}"))


def svg_answer(picture: str) -> Response:
    """The answer with a picture that everybody may see, kept for an hour."""
    answer = Response(picture, content_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})
    answer.headers["Content-Security-Policy"] = PICTURE
    return answer
