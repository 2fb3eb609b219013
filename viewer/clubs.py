"""Many clubs: each ledger of a folder is at `/NAME/`, opened when somebody asks for it, with all that is its own."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from ledger.keep.club_folder import file_of, is_aside, is_club
from ledger.record.errors import LedgerError
from ledger.stores.store import SqliteStore
from viewer import background
from viewer.app import REFUSAL
from viewer.server.context import SERVED, Ledgers, Served
from viewer.server.hosts import Hosts
from viewer.server.kept import Kept
from viewer.server.listen import CONNECTIONS, FILES, most_files
from viewer.server.logs import CLUB, logger

LEDGERS, KEPT = 2, 3 << 20
"""The ledgers of a club that stay open for the next requests, and the bytes of what it keeps."""
MOST, EACH = 300, 4 * LEDGERS
"""The clubs that stay open, where the process may have so many files open, and the files of each."""
REST = 40
"""How many times as long as it worked for a club the work in the background rests: moves come first."""
IDLE = 600.0
"""Seconds after which a club is closed that nobody asks for."""


class Club(Served):
    """A club that is open: which file that is, and when somebody last asked for it."""

    def __init__(self, path: Path) -> None:
        """Opens it.  Raises LedgerError."""
        with SqliteStore(path) as store:
            first = store.reopen()
        super().__init__(Ledgers(first.reopen, first, most=LEDGERS), Kept(KEPT))
        self.identity, self.read_only = first.connection.identity, first.connection.read_only
        self.used = time.monotonic()


class Refused(Exception):
    """Why a club does not answer: a status, a title, and a detail."""


class Clubs:
    """The clubs of a folder, as a WSGI application.

    `make` is the application of all clubs, or of those that are `read_only`, `host` that of the addresses that are no
    club's.  With `hosts` that know where the names of clubs end, a club is at the root of a name of its own, too.
    """

    def __init__(
        self, folder: Path, make: Callable[[bool], Flask], host: Flask, hosts: Hosts, proxies: int = 0
    ) -> None:
        self.path, self._app, self._host, self._hosts = folder, cache(make), host, hosts
        others = CONNECTIONS + FILES
        self._most = max(1, min(MOST, (most_files(others + MOST * EACH) - others) // EACH))
        self.phones = ""
        """The address of the host for phones on its network; "" if they have none."""
        self._opening = defaultdict[str, threading.Lock](threading.Lock)
        self._open: dict[str, Club] = {}
        self._answer: WSGIApplication = ProxyFix(self._dispatch, x_for=proxies, x_proto=proxies, x_host=proxies)

    def __len__(self) -> int:
        """The number of open clubs."""
        return len(self._open)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answers as the club does that the address names, or as the host."""
        return self._answer(environ, start_response)

    def _dispatch(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        name, root, rest = self.split(environ.get("HTTP_HOST", ""), path)
        CLUB.set(name)
        try:
            if name:
                club = self.club(name, rest)
                environ |= {"SCRIPT_NAME": root, "PATH_INFO": rest, SERVED: club}
                return self._app(club.read_only)(environ, start_response)
        except Refused as refusal:
            environ[REFUSAL] = refusal.args
        return self._host(environ, start_response)

    def split(self, host: str, path: str) -> tuple[str, str, str]:
        """The club of an address, "" for the host itself; what its addresses begin with, and the rest of this one."""
        name = self._hosts.club(host)
        if name:
            return (name if is_club(name) else ""), "", path
        first, slash, rest = path.removeprefix("/").partition("/")
        return (first, f"/{first}", slash + rest) if is_club(first) else ("", "", path)

    def club(self, name: str, rest: str = "/") -> Club:
        """An open club, opened if it is not, for this address below its own.  Raises Refused."""
        if not rest:
            raise Refused(308, f"/{name}/", "")
        path = file_of(self.path, name)
        try:
            status = path.stat()
        except OSError:
            self._close(name)
            raise Refused(404, "There is no such club", f"this server has no club called {name}") from None
        if is_aside(self.path, name):
            self._close(name)
            raise Refused(503, "This club is set aside", "its host works on it; what a phone keeps is sent later")
        identity = status.st_dev, status.st_ino
        with self._opening[name]:  # only names of files: there are not more locks than clubs
            club = self._open.get(name)
            if club and club.identity != identity:
                self._close(name)
            elif club:
                club.used = time.monotonic()
                return club
            try:
                self._open[name] = club = Club(path)
            except (LedgerError, OSError):
                logger.exception("the club cannot be opened")
                detail = "its ledger cannot be opened: tell its host. Nothing is lost that a phone keeps"
                raise Refused(503, "This club is not to be had now", detail) from None
        club.phones = self.phones and f"{self.phones}{name}/"
        if len(self._open) > self._most:
            self._close(min(list(self._open.items()), key=lambda named: named[1].used)[0])
        return club

    def _close(self, name: str) -> None:
        club = self._open.pop(name, None)
        if club:
            club.close()

    def at_work(self, stop: threading.Event) -> AbstractContextManager[None]:
        """Audits and explains what is new in the open clubs meanwhile, and closes those that nobody asks for."""
        return background.at_work(self._open, stop, REST, self._close_unused)

    def _close_unused(self, name: str, club: Club) -> None:
        if is_aside(self.path, name) or club.used < time.monotonic() - IDLE:
            self._close(name)
