"""A page of another site, in a real browser on the club's network: it can neither begin a game nor read anything."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from club import Club
from playwright.sync_api import Page, Playwright

from conftest import CHROMIUM, QUIET
from ledger.keep.recorder import new_id, new_key
from ledger.stores.store import SqliteStore
from viewer.commands import own_address

FIELDS = {"game": "zigzag", "player1": "A", "player2": "B", "player3": "C"}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(tmp_path)
    club.kill()
    club.start("--host", "0.0.0.0")  # noqa: S104  as a club does
    yield club
    club.kill()


@pytest.fixture
def page(playwright: Playwright) -> Iterator[Page]:
    """A browser to which rebind.example is a name of this machine."""
    rules = "--host-resolver-rules=MAP rebind.example 127.0.0.1"
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, rules])
    yield browser.new_page()
    browser.close()


def form(address: str) -> str:
    """A page that sends the form of a new game to that address at once."""
    fields = "".join(
        f"<input name='{name}' value='{value}'>" for name, value in {**FIELDS, "id": new_id(), "key": new_key()}.items()
    )
    return f"<form id=f method=post action={address}/new>{fields}</form><script>document.forms[0].submit()</script>"


def count_games(club: Club) -> int:
    """The number of games in the ledger."""
    with SqliteStore(club.path) as store:
        return len(store.ids())


@pytest.mark.parametrize("framed", [True, False])
def test_a_page_of_another_site_begins_no_game(page: Page, club: Club, *, framed: bool) -> None:
    markup = form(f"http://{own_address()}:{club.port}")
    if framed:
        markup = f"<iframe sandbox='allow-forms allow-scripts' srcdoc=\"{markup}\"></iframe>"
    page.route("http://evil.example/", lambda route: route.fulfill(body=markup, content_type="text/html"))
    page.goto("http://evil.example/")
    page.wait_for_timeout(2000)  # the browser tells nothing about a form that a sandboxed frame sends
    assert count_games(club) == 0


def test_another_host_name_for_the_server_reads_and_begins_nothing(page: Page, club: Club) -> None:
    answer = page.goto(f"http://rebind.example:{club.port}/api/v1/records")
    assert answer is not None
    assert answer.status == 421
    script = "async fields => (await fetch('/new', {method: 'POST', body: new URLSearchParams(fields)})).status"
    status = page.evaluate(script, {**FIELDS, "id": new_id(), "key": new_key()})
    assert status == 421
    assert count_games(club) == 0


def test_a_phone_of_the_club_begins_one(page: Page, club: Club) -> None:
    page.goto(f"http://{own_address()}:{club.port}/new?game=zigzag")
    for number, name in enumerate("ABC", 1):
        page.fill(f"[name=player{number}]", name)
    with page.expect_response(lambda answer: answer.url.endswith("/new")) as response:
        page.get_by_role("button", name="Begin").click()
    assert response.value.status == 303
    assert count_games(club) == 1
