"""The Content-Security-Policy of the pages: nothing from elsewhere, and no script inside a page."""

from __future__ import annotations

OWN = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'"
RULES = "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:"
"""What a page with the rules in a worker needs besides: WebAssembly, and a script from the browser's own database."""


def policy(framed_by: str = "'none'", *, rules: bool = False) -> str:
    """The policy of a page that these sites may frame."""
    return "; ".join((OWN, *((RULES,) if rules else ()), f"frame-ancestors {framed_by}"))
