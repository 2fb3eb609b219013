"""A private ledger in a real browser: links that open it, links that do not, and what the players agree to."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from club import BARE, PHONE, Club
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

from conftest import CHROMIUM, QUIET
from ledger.cli import cli
from ledger.keep.recorder import new_id, new_key
from ledger.record import chain
from ledger.record.events import Close, Confirm, Note, Open, Player
from ledger.stores.store import SqliteStore
from viewer.commands import own_address

OPENING = Open(
    "zigzag",
    played="2026-11-20",
    players=tuple(Player(id=f"p{n}", name=name) for n, name in enumerate(("Ana", "Ben", "Cy"), 1)),
)


@pytest.fixture
def club(tmp_path) -> Iterator[Club]:
    club = Club(tmp_path)
    club.kill()
    club.start("--private")
    yield club
    club.kill()


def new_phone(browser: Browser) -> Page:
    """A phone that has never been here."""
    context = browser.new_context(**PHONE)  # type: ignore[arg-type]  # the fields of a phone
    context.add_init_script(BARE)
    return context.new_page()


def links_of(club: Club, *arguments: str) -> list[str]:
    """The links that `domino-ledger link` prints."""
    output = CliRunner().invoke(cli, ["--ledger", str(club.path), "link", *arguments, "--address", club.address]).output
    return re.findall(r"http\S+", output)


def test_a_private_ledger_opens_by_its_links_and_by_nothing_else(browser: Browser, club: Club) -> None:
    page = new_phone(browser)
    page.goto(club.address)
    expect(page.get_by_role("heading", name="A link is needed here")).to_be_visible()
    page.get_by_label("The link").fill("not a link")
    page.get_by_role("button", name="Enter").tap()
    expect(page.locator("#why")).to_contain_text("opens nothing here")
    (owner_link,) = links_of(club)
    page.goto(owner_link)
    expect(page.get_by_role("link", name="New game")).to_be_visible()
    assert owner_link.partition("#")[2] not in page.url
    # The administrator begins a game, and passes its links on.
    page.get_by_role("link", name="New game").tap()
    page.locator(".records a[href$='game=zigzag']").tap()
    for seat, player in enumerate(OPENING.players, 1):
        page.get_by_label(f"Player {seat}").fill(player.name)
    page.get_by_role("button", name="Begin").tap()
    page.locator("#show-more").tap()
    page.get_by_role("button", name="Let others watch").tap()
    expect(page.locator("#links .qr svg")).to_have_count(2)
    watch, record = (page.get_by_label(f"Link to {what}").input_value() for what in ("watch", "record"))
    assert "#" in watch
    assert "#" in record
    # A watcher sees this game live, and nothing else.
    watcher = new_phone(browser)
    watcher.goto(watch.partition("#")[0])
    expect(watcher.get_by_role("heading", name="A link is needed here")).to_be_visible()
    watcher.goto(watch)
    expect(watcher.locator("main")).to_contain_text("A new game of Zigzag: Ana, Ben and Cy")
    assert watch.partition("#")[2] not in watcher.url  # the number of a move may stand there, a secret never
    watcher.reload()
    expect(watcher.locator("main")).to_contain_text("A new game of Zigzag: Ana, Ben and Cy")
    watcher.goto(club.address)
    expect(watcher.get_by_role("heading", name="A link is needed here")).to_be_visible()
    # A recorder on a new phone records, and the watcher sees it.
    recorder = new_phone(browser)
    recorder.goto(record)
    expect(recorder.locator("html[data-ready=yes]")).to_be_attached()
    watcher.goto(watch)
    recorder.locator("#pass-bid").tap()
    expect(recorder.locator("#sync")).to_have_text("Saved")
    expect(watcher.locator("main")).to_contain_text("passes")
    # A link that was replaced no longer opens anything.
    record_id = record.rpartition("/")[2].partition("#")[0]
    (newer,) = links_of(club, record_id, "--watch", "--only")
    late = new_phone(browser)
    late.goto(watch)
    expect(late.locator("#why")).to_contain_text("opens nothing here")
    late.goto(newer)
    expect(late.locator("main")).to_contain_text("A new game of Zigzag: Ana, Ben and Cy")


def test_the_players_agree_to_a_closed_record(phone: BrowserContext, club: Club) -> None:
    link, record_id = club.open(OPENING, [Close("abandoned")])
    page = phone.new_page()
    page.goto(link)
    fingerprint = page.locator(".fingerprint").inner_text()
    assert chain.matches(fingerprint, chain.record_digest(club.read(record_id).events))
    for name in ("Ana", "Ben"):
        page.get_by_role("button", name=f"{name} agrees").tap()
        expect(page.get_by_role("button", name=f"{name} agrees")).to_have_count(0)
    expect(page.get_by_role("main")).to_contain_text("Agreed: Ana, Ben")
    expect(page.locator("#sync")).to_have_text("Saved")
    events = club.read(record_id).events
    assert [event.player for event in events if isinstance(event, Confirm)] == ["p1", "p2"]
    assert all(confirmation.true and confirmation.last for confirmation in chain.confirmations(club.read(record_id)))
    page.goto(f"{club.address}/g/{record_id}?fingerprint={fingerprint}")
    expect(page.locator(".compared")).to_contain_text("This is the record with that fingerprint")
    expect(page.locator("main")).to_contain_text("Ana agrees")
    page.goto(f"{club.address}/g/{record_id}?fingerprint=0000-0000-0000-0000-0000")
    expect(page.locator(".compared")).to_contain_text("This is not the record")


def test_a_phone_sees_that_the_ledger_was_changed_behind_its_back(phone: BrowserContext, club: Club) -> None:
    link, record_id = club.open(OPENING)
    with SqliteStore(club.path) as store:
        store.append(record_id, 1, [Note("one"), Note("two")])
    page = phone.new_page()
    page.goto(link)
    expect(page.locator("html[data-ready=yes]")).to_be_attached()
    page.reload()
    expect(page.locator("html[data-ready=yes]")).to_be_attached()
    expect(page.get_by_role("alert")).to_have_count(0)
    club.kill()
    club.path.unlink()
    for end in ("-wal", "-shm", ".head"):
        Path(f"{club.path}{end}").unlink(missing_ok=True)
    with SqliteStore(club.path) as store:  # somebody makes another history, and another one is as long
        store.append(record_id, 0, [OPENING, Note("one"), Note("2")])
    club.start()
    page.reload()
    expect(page.locator("#sync")).to_have_text("Two games")
    expect(page.get_by_role("alert")).to_contain_text("The ledger has another game of this id. Both are kept")


# ---- A page of another site, in a real browser on the club's network: it can neither begin a game nor read anything.


FIELDS = {"game": "zigzag", "player1": "A", "player2": "B", "player3": "C"}


@pytest.fixture
def attacked(tmp_path) -> Iterator[Club]:
    attacked = Club(tmp_path)
    attacked.kill()
    attacked.start("--host", "0.0.0.0")  # noqa: S104  as a club does
    yield attacked
    attacked.kill()


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


def count_games(attacked: Club) -> int:
    """The number of games in the ledger."""
    with SqliteStore(attacked.path) as store:
        return len(store.ids())


@pytest.mark.parametrize("framed", [True, False])
def test_a_page_of_another_site_begins_no_game(page: Page, attacked: Club, *, framed: bool) -> None:
    markup = form(f"http://{own_address()}:{attacked.port}")
    if framed:
        markup = f"<iframe sandbox='allow-forms allow-scripts' srcdoc=\"{markup}\"></iframe>"
    page.route("http://evil.example/", lambda route: route.fulfill(body=markup, content_type="text/html"))
    page.goto("http://evil.example/")
    page.wait_for_timeout(2000)  # the browser tells nothing about a form that a sandboxed frame sends
    assert count_games(attacked) == 0


def test_another_host_name_for_the_server_reads_and_begins_nothing(page: Page, attacked: Club) -> None:
    answer = page.goto(f"http://rebind.example:{attacked.port}/api/v1/records")
    assert answer is not None
    assert answer.status == 421
    script = "async fields => (await fetch('/new', {method: 'POST', body: new URLSearchParams(fields)})).status"
    status = page.evaluate(script, {**FIELDS, "id": new_id(), "key": new_key()})
    assert status == 421
    assert count_games(attacked) == 0


def test_a_phone_of_the_club_begins_one(page: Page, attacked: Club) -> None:
    page.goto(f"http://{own_address()}:{attacked.port}/new?game=zigzag")
    for number, name in enumerate("ABC", 1):
        page.fill(f"[name=player{number}]", name)
    with page.expect_response(lambda answer: answer.url.endswith("/new")) as response:
        page.get_by_role("button", name="Begin").click()
    assert response.value.status == 303
    assert count_games(attacked) == 1
