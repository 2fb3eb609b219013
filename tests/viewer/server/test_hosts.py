"""A page of another site can neither read nor record here, whatever its host name."""

import re
import socket

import pytest

from ledger.keep.recorder import new_id, new_key
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.commands import own_address
from viewer.server.hosts import Hosts

MACHINE = socket.gethostname().partition(".")[0]


class Club:
    """A server with a host name, and its ledger."""

    def __init__(self, **limits: int) -> None:
        self.ledger = TemporaryStore()
        hosts = Hosts(["Domino.Example", "10.1.2.3"])
        self.client = create_app(self.ledger.reopen, hosts=hosts, **limits).test_client()

    def begin(self, **headers: str) -> int:
        form = {"id": new_id(), "key": new_key(), "game": "zigzag", "player1": "A", "player2": "B", "player3": "C"}
        sent_headers = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post("/new", data=form, headers=sent_headers).status_code


@pytest.mark.parametrize(
    "host",
    [
        "localhost", "localhost:8000", "127.0.0.1:8000", "127.0.0.2", "[::1]:8000", "club.localhost:8000", MACHINE,
        f"{MACHINE}.local", f"{MACHINE}.local.:8000", f"{MACHINE.upper()}.LOCAL:8000", f"{MACHINE}.lan",
        f"{own_address()}:8000",
        "domino.example", "DOMINO.example.:443", "10.1.2.3:8000",
    ],
)  # fmt: skip
def test_it_answers_under_its_own_names(host: str) -> None:
    club = Club()
    assert club.client.get("/", headers={"Host": host}).status_code == 200
    assert club.begin(Host=host, Origin=f"http://{host}") == 303
    assert len(club.ledger.ids()) == 1


@pytest.mark.parametrize(
    "host",
    [
        "rebind.example", "rebind.example:8215", "x.domino.example", "domino.example.evil.example", "0.0.0.0",  # noqa: S104
        "203.0.113.7", "[2001:db8::1]:8000", "localhost.evil.example", f"{MACHINE}.evil.example", "2130706433", "127.1",
    ],
)  # fmt: skip
def test_another_host_name_gets_421_and_advice(host: str) -> None:
    club = Club()
    for page in ("/", "/api/v1/records", "/new", "/server/static/link_needed.js", "/nothing", "/r/0123456789"):
        answer = club.client.get(page, headers={"Host": host})
        assert answer.status_code == 421
        assert "--host-name" in answer.text
    assert club.begin(Host=host, Origin=f"http://{host}") == 421
    assert club.ledger.ids() == ()
    assert club.client.get("/healthz", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "null"}, {"Origin": "http://evil.example"}, {"Referer": "http://evil.example/x"},
        {"Origin": "null", "Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"},
        {"Origin": "http://localhost", "Sec_Fetch_Site": "cross-site"},
        {"Origin": "null", "Referer": "http://localhost/"}, {"Origin": "http://localhost:81"},
        {"Origin": "https://localhost"}, {"Referer": "https://localhost/"}, {"Origin": "http://localhost.evil.example"},
        {"Origin": "http://["}, {"Origin": "//"}, {"Origin": "http://localhost@evil.example"}, {"Origin": "localhost"},
        {"Origin": "http://localhost:99999999"}, {"Origin": "file://localhost"},
    ],
)  # fmt: skip
def test_a_page_of_another_site_begins_no_game(headers: dict[str, str]) -> None:
    club = Club()
    assert club.begin(**headers) == 403
    assert club.ledger.ids() == ()


def test_behind_a_proxy_the_name_that_it_was_asked_under_counts() -> None:
    club = Club(proxies=1)
    forwarded = {"Host": "127.0.0.1:8000", "X_Forwarded_Host": "domino.example", "X_Forwarded_Proto": "https"}
    assert club.begin(**forwarded, Origin="https://domino.example") == 303
    assert club.begin(**forwarded, Origin="https://evil.example") == 403
    assert club.begin(**forwarded, Origin="http://domino.example") == 403
    assert club.begin(Host="127.0.0.1:8000", X_Forwarded_Host="evil.example", Origin="https://evil.example") == 421
    assert club.begin(Host="127.0.0.1:8000", X_Forwarded_Host="evil.example, domino.example") == 303


def test_without_a_proxy_nobody_forwards_a_name() -> None:
    club = Club()
    assert club.begin(Host="evil.example", X_Forwarded_Host="domino.example") == 421
    assert club.begin(X_Forwarded_Host="evil.example") == 303


def test_the_refusal_shows_an_odd_name_as_text() -> None:
    answer = Club().client.get("/", environ_overrides={"HTTP_HOST": "evil.example"})
    assert re.search(r"start it with `domino-ledger serve --host-name evil\.example`", answer.text)
