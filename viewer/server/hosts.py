"""The host names that a server answers to.

Another site can give its own name the address of this machine (DNS rebinding).  A browser then treats the two as one
site, and the other site's page can read and record here.  But it cannot hide its name, which every request has as
`Host`.  So the server answers only to its own names.
"""

import socket
from collections.abc import Iterable
from ipaddress import ip_address

from flask import Request

PRIVATE = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""The endings that home networks add to the name of a machine.  Nobody can own such a name on the internet."""


class Hosts:
    """The names of this server: the `names` that its owner gave it, those of its machine, and its current addresses.

    With `clubs`, such as `example.org`, every name one level below is a club's.
    """

    def __init__(self, names: Iterable[str] = (), clubs: str = "") -> None:
        self.clubs = bare(clubs)
        machine = socket.gethostname().lower().removesuffix(".")
        machine_names = {machine, *(machine.partition(".")[0] + ending for ending in PRIVATE)} if machine else set()
        self._names = frozenset({"localhost", *machine_names, *(bare(name) for name in names)})

    def has(self, host: str) -> bool:
        """Whether a `Host`, with or without a port, is one of this server's."""
        name = bare(host)
        known = name in self._names or name.endswith(".localhost") or is_own_address(name)
        return known or bool(self.club(host))

    def club(self, host: str) -> str:
        """The name of the club whose own host this is; "" if it is no club's."""
        name, _, rest = bare(host).partition(".")
        return name if self.clubs and rest == self.clubs and bare(host) not in self._names else ""


def bare(host: str) -> str:
    """A host without its port and brackets, in lower case; empty for none."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    # An IPv6 address without brackets has several colons, and no port.
    return (host if host.count(":") > 1 else host.partition(":")[0]).removesuffix(".")


def is_own_address(name: str) -> bool:
    """Whether this machine has the address.  It is checked each time, because a network may assign new ones."""
    try:
        address = ip_address(name)
    except ValueError:
        return False
    if address.is_loopback:
        return True
    if address.is_unspecified or address.is_multicast:
        return False
    try:
        with socket.socket(socket.AF_INET6 if address.version == 6 else socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind((name, 0))  # possible only with an address of one's own; nothing is sent
    except OSError:
        return False
    return True


def is_foreign(request: Request) -> bool:
    """Whether a page of another site sent the request.  Other programs send no origin, and have no cookies to abuse.

    A browser says it itself if the connection is a safe one.  A page can hide its origin as `null`, in a sandboxed
    frame for example; our pages never do.
    """
    if site := request.headers.get("Sec-Fetch-Site"):
        return site not in ("same-origin", "none")
    origin = request.headers.get("Origin") or request.headers.get("Referer", "")
    return bool(origin) and not f"{origin}/".startswith(f"{request.scheme}://{request.host}/")
