"""Every refusal has its status, its title and a sentence, on pages for people and in the API for programs."""

from html import unescape

import pytest
from flask import Flask, abort

from ledger.record.errors import IdReused, LedgerError, NotARecord, NotForNow, UnknownGame, UnknownRecord, WrongVersion
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.server.policy import policy

ERRORS = (
    (UnknownRecord("no record x"), 404, "There is no such record", "no record x"),
    (UnknownGame("no game x"), 422, "This game is not installed here", "no game x"),
    (NotARecord("not JSON"), 422, "This record cannot be read", "not JSON"),
    (IdReused("the id is taken"), 422, "That cannot be done", "the id is taken"),
    (NotForNow("the game is over"), 409, "That cannot be done now", "the game is over"),
    (
        WrongVersion("x", 2, 3), 409, "Another recorder was faster",
        "record x has 3 events, not 2: nothing was written",
    ),
    (
        LedgerError("/home/ana/club.sqlite is locked"), 503, "The ledger cannot do that now",
        "it cannot be read or written at the moment; send it again later, and it is recorded once",
    ),
)  # fmt: skip
"""Each error of the ledger, with the status, the title and the words of its answer."""
PAGES = {
    400: ("This request cannot be read", "Go back and try again."),
    403: ("That is not allowed here", "Use this site's own page."),
    404: ("There is no such page", "Check the address, or look for the game in the list."),
    405: ("That cannot be done here", "This address is only for reading, or only for sending."),
    413: ("That is too much at once", "Send less, in several parts."),
    429: ("Too many requests", "Wait a moment, then try again."),
}


@pytest.fixture(scope="module")
def refusing() -> Flask:
    """A viewer with pages that fail as their address says."""
    app = create_app(TemporaryStore().reopen)

    def fail(number: int) -> None:
        raise ERRORS[number][0]

    for prefix in ("", "/api"):
        app.add_url_rule(f"{prefix}/fail/<int:number>", f"fail{prefix}", fail)
        app.add_url_rule(f"{prefix}/refuse/<int:code>", f"refuse{prefix}", abort)
    return app


@pytest.mark.parametrize("number", range(len(ERRORS)), ids=lambda number: type(ERRORS[number][0]).__name__)
def test_an_error_of_the_ledger_has_its_status_and_its_words(refusing: Flask, number: int) -> None:
    _, status, title, words = ERRORS[number]
    answer = refusing.test_client().get(f"/api/fail/{number}")
    assert answer.status_code == status
    assert answer.json is not None
    assert (answer.json["title"], answer.json["detail"]) == (title, words)
    assert answer.headers.get("Retry-After") == ("5" if status == 503 else None)
    page = refusing.test_client().get(f"/fail/{number}")
    assert page.status_code == status
    assert title in page.text
    assert f"{words[0].upper()}{words[1:]}." in page.text


@pytest.mark.parametrize("status", PAGES)
def test_a_page_that_cannot_be_shown_says_so_in_plain_words(refusing: Flask, status: int) -> None:
    page = refusing.test_client().get(f"/refuse/{status}")
    assert page.status_code == status
    assert all(words in unescape(page.text) for words in PAGES[status])
    answer = refusing.test_client().get(f"/api/refuse/{status}")
    assert answer.json is not None
    assert (answer.json["title"], answer.json["detail"]) == PAGES[status]


def test_a_request_that_is_not_for_this_server_or_compressed_is_refused(refusing: Flask) -> None:
    client = refusing.test_client()
    answer = client.post("/api/v1/records", data=b"x", headers={"Content-Encoding": " GZIP"})
    assert answer.json is not None
    assert (answer.status_code, answer.json["title"], answer.json["detail"]) == (
        415, "Compressed bodies are not accepted", "send the body without a Content-Encoding",
    )  # fmt: skip
    assert answer.headers["Accept-Encoding"] == "identity"
    for encoding in ("identity", "", " Identity "):
        answer = client.post("/api/v1/records", json={}, headers={"Content-Encoding": encoding})
        assert answer.status_code == 400
    answer = client.get("/", headers={"Host": "a..b"})
    assert (answer.status_code, answer.text, answer.mimetype) == (
        400,
        "This request has no valid host.\n",
        "text/plain",
    )


def test_an_answer_has_the_headers_that_keep_other_sites_out(refusing: Flask) -> None:
    client = refusing.test_client()
    headers = client.get("/").headers
    assert {name: headers.get(name) for name in (
        "Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Permissions-Policy",
        "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Strict-Transport-Security",
    )} == {
        "Content-Security-Policy": policy(),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Strict-Transport-Security": None,
    }  # fmt: skip
    secure = client.get("/", base_url="https://localhost").headers
    assert secure["Strict-Transport-Security"] == "max-age=31536000"
    embedded = client.get("/embed/g/nothing").headers
    assert embedded["Content-Security-Policy"] == policy("*") != policy()
    assert embedded["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert client.get("/new").headers["Cache-Control"] == "no-store"
    assert client.get("/r/nothing").headers["Cache-Control"] == "no-store"
