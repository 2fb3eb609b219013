"""Which phones record with which link, for the owner to see."""

import re
from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from flask import request

from ledger.keep.recorder import now
from viewer.server.context import own
from viewer.server.limits import address

MOST = 2000
"""The most links whose phones are remembered."""
PHONES = 8
"""The most phones of one link that are remembered."""
LONGEST = 300
"""The most letters of a browser's name."""


class Phone(NamedTuple):
    """A phone that uses a link: what it is, when it was last heard, and how many entries came from it."""

    kind: str
    when: str
    entries: int


class Hands:
    """Which phones use which link, since the server started.  Nothing of it is stored."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._links = OrderedDict[tuple[str, bytes], OrderedDict[tuple[str, str], tuple[str, int]]]()
        """For each link its phones, the latest last: when each was last heard, and how many entries came from it."""

    def note(self, record_id: str, digest: bytes, client: tuple[str, str], entries: int = 0) -> None:
        """Notes that a client, named by its address and its browser, used the link with this digest."""
        with self._lock:
            phones = self._links.pop((record_id, digest), OrderedDict[tuple[str, str], tuple[str, int]]())
            _when, earlier = phones.pop(client, ("", 0))
            phones[client] = now(), earlier + entries
            self._links[record_id, digest] = phones
            if len(phones) > PHONES:
                phones.popitem(last=False)
            if len(self._links) > MOST:
                self._links.popitem(last=False)

    def of(self, record_id: str, digest: bytes) -> list[Phone]:
        """The phones that use a link, the latest first."""
        with self._lock:
            phones = list(self._links.get((record_id, digest), {}).items())
        return [Phone(kind(browser), *heard) for (_address, browser), heard in reversed(phones)]


def kind(browser: str) -> str:
    """What a client is, by the name of its browser (User-Agent), as far as that tells."""
    for words, pattern in KINDS:
        if re.search(pattern, browser):
            return words
    return "a program"


KINDS = (
    ("an iPhone", "iPhone"),
    ("an iPad", "iPad"),
    ("an Android phone", "Android.*Mobile"),
    ("an Android tablet", "Android"),
    ("a computer", "Windows|Macintosh|X11|CrOS|Linux"),
)


def note_phone(record_id: str, digest: bytes, entries: int = 0) -> None:
    """Notes for the owner that the phone of this request uses the link with this digest."""
    own(Hands).note(record_id, digest, (address(), request.headers.get("User-Agent", "")[:LONGEST]), entries)
