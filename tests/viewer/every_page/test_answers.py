"""What the server answers, word for word, over the season of the made-up club: the file `tests/printed/site.answers`.

It has each request after ``> ``, then the status and the headers that differ from those of the answer before.  Of a
page it has what a reader sees, hears or can press, without the lines of earlier pages, and a digest of all lines; of a
drawing and of a long answer a digest.
`pytest tests/viewer/every_page/test_answers.py --golden-update` writes what the server answers now: read the diff.
"""

import re
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger import __version__
from ledger.examples.season import cards, season
from ledger.keep.recorder import Recorder, key_digest
from ledger.keep.stored_audits import refresh
from ledger.stores.beside import Key
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.in_browser import runtime, runtime_routes
from viewer.in_browser.runtime import Runtime
from viewer.server.hosts import Hosts

KEPT = Path(__file__).parents[2] / "printed" / "site.answers"
OWNER = "the-key-of-the-owner-of-the-made-up-club--1"
KEYS = {"!": OWNER, "+": "abcdefgh" * 5 + "abc"}
"""The keys that a request may have, by a mark behind its method: the owner's, and that of games that begin here."""
SHOWN = {
    "href", "src", "action", "method", "name", "value", "type", "content", "alt", "title", "aria-label",
    "placeholder", "datetime", "role", "required", "min", "max", "maxlength", "checked", "selected",
    "disabled", "hidden", "lang", "for", "dir", "http-equiv", "rel", "download", "aria-current", "aria-live",
    "open", "rows", "pattern", "inputmode", "colspan",
}  # fmt: skip
"""The attributes of a page that a reader or a browser notices."""
LONG = 1500
"""Of a longer text its digest is shown, and how it begins."""
VERSIONS = re.compile(r"(?<=[/=\"'-])[0-9a-f]{12,64}(?=[/\"'; .]|$)")
"""Digests of scripts and style sheets, which change with each of them."""

VARIES = r"^(domino_\w+_(?:bucket|sum|bytes)(?:{.*})?) \S+"
"""What a server measures, which is never the same."""


def digest(text: str) -> str:
    """A text that is too long to be shown."""
    return sha256(text.encode()).hexdigest()[:12]


class Words(HTMLParser):
    """What a page says and offers: a line for each tag with attributes that are noticed, and for each text."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.inside: list[str] = []
        self.skipped = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.inside or tag in ("svg", "script", "style"):
            self.inside += [tag] if tag in ("svg", "script", "style") else []
            self.skipped += self.get_starttag_text() or ""
            return
        noticed = [name if value is None else f"{name}={_short(value)}" for name, value in attrs if name in SHOWN]
        if noticed:
            self.lines.append(f"<{' '.join((tag, *noticed))}>")

    def handle_endtag(self, tag: str) -> None:
        if self.inside and tag == self.inside[-1]:
            self.inside.pop()
            if not self.inside and tag == "svg":
                self.lines.append(f"[drawing {digest(VERSIONS.sub('…', self.skipped))}]")
            self.skipped = "" if not self.inside else self.skipped

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.skipped += data
        elif words := " ".join(data.split()):
            self.lines.append(words)


def _short(value: str) -> str:
    value = VERSIONS.sub("…", value)
    return value if len(value) < 160 else f"{value[:60]}… {digest(value)}"


def words_of(answer: TestResponse, seen: set[str]) -> str:
    """The body of an answer as its readers get it; `seen` has the lines of the pages before."""
    kind = answer.mimetype or ""
    if kind == "text/html":
        page = Words()
        page.feed(answer.text)
        news = [line for line in dict.fromkeys(page.lines) if line not in seen]
        seen.update(news)
        return "\n".join((*news, f"= {len(page.lines)} lines, {digest('/'.join(page.lines))}"))
    if kind.startswith("image/") and "svg" not in kind:
        return ""  # drawn by a library, whose versions differ by some points
    text = VERSIONS.sub("…", answer.text).replace(__version__, "…")
    if text.startswith("# HELP"):
        lines = [line for line in text.splitlines() if "domino_" in line and "_created" not in line]
        lines = [line for line in lines if "_bucket" not in line or 'rule="/"' in line]
        return "\n".join(sorted(re.sub(VARIES, r"\1 …", line) for line in lines))  # the reasons are a set
    return text if len(text) < LONG else f"{text[:300]}… {len(text)} characters, {digest(text)}"


def answered(clients: dict[str, FlaskClient], request: str, before: dict[str, str], seen: set[str]) -> str:
    """The part of the file with this request, as it is answered now; `before` has the headers of the last answer."""
    method, address, body = (*request.split(" ", 2), "")[:3]
    method, _, server = method.partition("@")
    key = KEYS.get(method[-1])
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    kind = "application/json" if body[:1] in "{[" else "application/x-www-form-urlencoded"
    answer = clients[server].open(
        address, method=method.rstrip("!+"), data=body or None, headers=headers, content_type=kind
    )
    now = {name: VERSIONS.sub("…", value) for name, value in answer.headers.items() if name not in ("Date", "ETag")}
    now |= {"ETag": "there"} if "ETag" in answer.headers else {}
    now |= {"Allow": ", ".join(sorted(answer.allow))} if "Allow" in now else {}
    now |= {"Set-Cookie": re.sub("Expires=[^;]*", "Expires=…", now["Set-Cookie"])} if "Set-Cookie" in now else {}
    if str(answer.mimetype).startswith(("text/html", "image/")):
        now.pop("Content-Length", None)
    changed = [f"{name}: {value}\n" for name, value in now.items() if before.get(name) != value]
    gone = [f"{name}: -\n" for name in before if name not in now]
    before.clear()
    before.update(now)
    return f"> {request}\n{answer.status_code}\n{''.join(changed + gone)}{words_of(answer, seen)}\n\n"


@pytest.fixture
def clients(tmp_path, monkeypatch) -> Iterator[dict[str, FlaskClient]]:
    """Clients of the club's servers, on one evening at one place; what they make up is the same each time.

    One is for everybody; one is private; one only reads, behind a proxy, and counts what it answers; one has no game.
    """
    if sys.platform == "win32":
        pytest.skip("a process cannot choose its time zone here")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    random = Random(7)
    monkeypatch.setattr("secrets.choice", random.choice)
    monkeypatch.setattr("secrets.token_urlsafe", lambda size: "".join(random.choices("abcdefgh", k=size + 11)))
    monkeypatch.setattr("secrets.token_hex", lambda size: "0" * size * 2)
    for part in (runtime, runtime_routes):
        monkeypatch.setattr(part, "find_runtime", lambda: Runtime("0123456789abcdef", tmp_path))
    with TemporaryStore() as store, TemporaryStore() as empty:
        for example in (*cards(), *season()):
            Recorder(store).import_record(example.record, example.id)
        for _ in refresh(store):
            pass
        store.put([Key("", key_digest(OWNER), "owner")])
        private = create_app(store.reopen, private=True, hosts=Hosts({"localhost"}))
        reading = create_app(store.reopen, recording=False, proxies=1)
        yield {
            "": create_app(store.reopen).test_client(),
            "private": private.test_client(),
            "reading": reading.test_client(),
            "empty": create_app(empty.reopen).test_client(),
        }
    monkeypatch.undo()
    time.tzset()


def test_the_server_answers_as_before(clients: dict[str, FlaskClient], golden_update: bool) -> None:
    requests = re.findall(r"^> (.*)$", KEPT.read_text("utf-8"), re.MULTILINE)
    before, seen = dict[str, str](), set[str]()
    now = "".join(answered(clients, request, before, seen) for request in requests)
    if golden_update:
        KEPT.write_text(now, "utf-8")
    assert KEPT.read_text("utf-8") == now
