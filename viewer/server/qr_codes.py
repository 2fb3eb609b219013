"""Where phones reach this server, as an address and as a QR code."""

from urllib.parse import urlsplit

import segno
from flask import current_app, request, url_for
from markupsafe import Markup

from viewer.server.context import served


def phone_link() -> str:
    """The address at which a phone begins a game here; empty if phones cannot reach this server."""
    base = phone_base() if current_app.extensions["recording"] else ""
    return base and base + url_for("phone.start")


def phone_base() -> str:
    """The address of this server for phones, without a slash at its end; empty if they cannot reach it."""
    host = urlsplit(request.host_url).hostname or ""
    here = host == "localhost" or host.endswith(".localhost") or host in ("127.0.0.1", "::1")
    base = served().phones if here else request.host_url
    return str(base).rstrip("/")


def qr_code(link: str) -> Markup:
    """A link as a QR code; nothing for no link."""
    code = segno.make(link, micro=False).svg_inline(light="#fff", omitsize=True) if link else ""
    return Markup(code)  # noqa: S704  squares
