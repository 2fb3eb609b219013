"""Who asks: the keys in a request, from its header or from the cookie of a browser, and what they allow."""

import re

from flask import current_app, g, request

from ledger.keep.recorder import key_digest
from ledger.stores import questions
from ledger.stores.beside import Role
from viewer.server.context import store

KEY = re.compile(r"[A-Za-z0-9_-]{43,86}")
MOST = 20
"""The most links that a browser stores."""


def cookie() -> str:
    """The name of the cookie: over https, a name that no other site on the same domain can set.

    A club that has only a part of the server's addresses has a cookie of its own; `__Host-` is for all of a host.
    """
    name = f"domino{request.script_root.replace('/', '-')}"
    return f"{'__Secure' if request.script_root else '__Host'}-{name}" if request.is_secure else name


def bearer() -> bytes:
    """The digest of the key in this request, or of an empty key if there is none."""
    if "bearer" not in g:
        scheme, _, key = request.headers.get("Authorization", "").partition(" ")
        g.bearer = key_digest(key if scheme.lower() == "bearer" else "")
    digest: bytes = g.bearer
    return digest


def holds_key(record_id: str) -> bool:
    """Whether this request has the key of this record; asks the ledger only once."""
    answers: dict[str, bool] = g.setdefault("holds_key", {})
    if record_id not in answers:
        answers[record_id] = "record" in questions.roles(store(), record_id, bearer())
    return answers[record_id]


def roles(record_id: str) -> frozenset[Role]:
    """What the keys in this request allow with a record, or, for an empty id, with the whole ledger."""
    allowed: frozenset[Role] = frozenset()
    for digest in _digests():
        allowed |= questions.roles(store(), record_id, digest) if record_id else frozenset()
        allowed |= questions.roles(store(), "", digest)
    return allowed


def may_begin() -> bool:
    """Whether this request may begin a game: any may, unless the ledger asks for a recorder's or the owner's link."""
    return not current_app.extensions["by_link"] or any(questions.may_write(store(), digest) for digest in _digests())


def _digests() -> tuple[bytes, ...]:
    return bearer(), *map(key_digest, cookie_keys())


def cookie_keys() -> list[str]:
    """The keys in the cookie of this request."""
    return [key for key in request.cookies.get(cookie(), "").split(".") if KEY.fullmatch(key)][:MOST]


def is_owner() -> bool:
    """Whether the owner asks from a browser: pages show them what only they can do."""
    return bool(cookie_keys()) and "owner" in roles("")
