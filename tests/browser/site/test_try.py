"""The static site in a browser, from a plain file server: a game is typed, replayed, checked, shared and edited."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from at_table import by_seats
from axe_playwright_python.sync_playwright import Axe
from club import at_width
from msgspec.structs import replace
from playwright.sync_api import Page, expect
from thumb import Thumb

from ledger.examples.season import season
from ledger.games import catalog
from ledger.play.puzzles import puzzle
from ledger.play.simulate import simulate
from ledger.record import chain, codec
from ledger.record.events import ACTS
from planted_slips import plant
from runtime_home import runtime
from viewer.site import static_site

PATIENCE = 90_000
SHEET = "Game: zigzag\nPlayers: A Ana, B Ben, C Cy\n\nA bids 12\nB passes\nC passes\nA 2-2\n"


@pytest.fixture
def bare() -> bool:
    """The site has the rules."""
    return False


class Strict(SimpleHTTPRequestHandler):
    """Python's own file server, with a policy that allows no other origin."""

    def end_headers(self) -> None:
        policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:"
        self.send_header("Content-Security-Policy", policy)
        super().end_headers()

    def log_message(self, *_words: object) -> None:
        pass


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """The address of a folder while a file server hands it out."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Strict, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The site."""
    runtime()
    folder = tmp_path_factory.mktemp("public")
    static_site.write_site(folder)
    return folder


@pytest.fixture(scope="module")
def strict(folder: Path) -> Iterator[str]:
    """Its address on a file server that allows no other origin."""
    with serve(folder) as address:
        yield address


@at_width("phone")
@pytest.mark.usefixtures("quiet")
def test_a_sheet_is_mended_replayed_shared_and_edited(page: Page, strict: str) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(f"{strict}/check.html")
    page.get_by_label("Score sheet or record").fill(SHEET.replace("B passes", "B pases"))
    show = page.get_by_role("button", name="Replay and check")
    expect(show).to_be_enabled(timeout=PATIENCE)
    show.click()
    expect(page.locator("#problems")).to_contain_text("Line 5, column 3", timeout=PATIENCE)
    page.get_by_label("Score sheet or record").fill(SHEET)
    show.click()
    page.wait_for_selector("html[data-ready]", timeout=PATIENCE)
    expect(page.locator("#title")).to_contain_text("Zigzag: Ana, Ben and Cy")
    expect(page).to_have_title("Zigzag: Ana, Ben and Cy · Domino Ledger")
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile(r"#0\."))
    link = page.url
    assert page.evaluate("document.documentElement.scrollWidth") <= (page.viewport_size or {})["width"]

    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector("html[data-ready]", timeout=PATIENCE)
    expect(page.locator("#now .no")).to_have_text("0")
    page.get_by_role("link", name="Edit").click()
    expect(page.get_by_label("Score sheet or record")).to_have_value(SHEET, timeout=PATIENCE)
    # The rules are fetched once: what is loaded again comes from the browser's own cache.
    assert [url for url in requests if not url.startswith((strict, "data:", "about:", "blob:"))] == []


@at_width("wide")
@pytest.mark.usefixtures("quiet")
def test_under_a_strict_policy_the_mistake_of_an_example_leads_to_its_rule(page: Page, strict: str) -> None:
    page.goto(f"{strict}/game.html#=build-up/cover-tile-broken")
    page.wait_for_selector("html[data-ready]", timeout=PATIENCE)
    page.keyboard.press("Home")
    page.keyboard.press("n")
    page.locator("#finding").click()
    page.get_by_role("link", name="All rules").click()
    expect(page).to_have_url(f"{strict}/rules/build-up.html#build-up.cover.tile")
    expect(page.get_by_role("heading", name="Build Up")).to_be_visible()


@at_width("wide")
@pytest.mark.usefixtures("quiet")
def test_after_the_film_of_an_example_come_the_next_film_a_puzzle_and_a_game_of_ones_own(
    page: Page, strict: str
) -> None:
    films = [f"season/{example.id}" for example in season() if not example.record.opening.card]
    page.goto(f"{strict}/game.html#={films[0]}")
    page.wait_for_selector("html[data-ready]", timeout=PATIENCE)
    name = season()[0].record.opening.game
    doors = [link.get_attribute("href") for link in page.locator("#after a").all()]
    assert doors == [f"game.html?play#0={films[1]}", f"referee.html#{name}-1", "record.html"]


@at_width("phone")
@pytest.mark.usefixtures("quiet")
def test_the_slip_that_explains_a_game_is_said_first(page: Page, strict: str) -> None:
    slip, width = plant("build-up", "act-forgotten", 1), (page.viewport_size or {"width": 0})["width"]
    assert slip
    page.goto(f"{strict}/check.html")
    page.get_by_label("Score sheet or record").fill(codec.encode(slip.record).decode())
    show = page.get_by_role("button", name="Replay and check")
    expect(show).to_be_enabled(timeout=PATIENCE)
    show.click()
    page.wait_for_selector("html[data-ready]", timeout=PATIENCE)
    expect(page.locator("#causes")).to_contain_text("nothing else would be wrong", timeout=PATIENCE)
    expect(page.locator("#causes summary").first).to_contain_text("findings follow from it")
    expect(page.locator("#rows .slip")).to_have_count(1)
    assert page.locator("#causes [data-fix]:visible").count() == 0, "there is no ledger to correct it in"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("#causes a[data-seq]").first.click()
    expect(page).to_have_url(re.compile(rf"#{slip.seq}\."))


@at_width("phone")
@pytest.mark.usefixtures("quiet")
def test_a_game_is_recorded_on_the_site_shared_and_kept(page: Page, strict: str, tmp_path) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    record = by_seats(simulate(catalog.find("build-up"), 3))
    acts = [event for event in record.events if isinstance(event, ACTS)]
    page.goto(f"{strict}/index.html")
    page.get_by_role("link", name="Record a game").tap()
    game = page.locator(".records a[href$='game=build-up']")
    expect(game).to_be_visible(timeout=PATIENCE)
    game.tap()
    for seat, player in enumerate(record.opening.players, 1):
        page.get_by_label(f"Player {seat}").fill(player.name)
    rights = "[...document.querySelectorAll('main.begin *')].map((part) => part.getBoundingClientRect().right)"
    assert max(page.evaluate(rights)) <= page.evaluate("innerWidth")
    page.get_by_role("button", name="Begin").tap()
    page.wait_for_selector("html[data-view=record][data-ready]", timeout=PATIENCE)
    thumb = Thumb(page)
    thumb.cut_off = True
    for act in acts:
        thumb.enter(act)
    page.get_by_role("button", name="Confirm result").tap()
    expect(page.locator("[data-end=closed] h2")).to_contain_text("Game over.", timeout=PATIENCE)
    expect(page.locator("#sync")).to_have_text("In this browser", timeout=PATIENCE)
    fingerprint = page.locator(".fingerprint").inner_text()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save").tap()
    download.value.save_as(tmp_path / "game.ndjson")
    file_record = codec.decode((tmp_path / "game.ndjson").read_bytes())
    assert [replace(e, when=None) for e in file_record.events if isinstance(e, ACTS)] == acts
    assert chain.fingerprint(chain.record_digest(file_record.events)) == fingerprint
    page.get_by_role("button", name="Share").tap()
    link = page.locator("#links input").input_value()
    page.locator("#links [data-close]").first.tap()

    # The game is still there when the page opens again; and the link has all of it.
    page.reload()
    expect(page.locator(".fingerprint")).to_have_text(fingerprint, timeout=PATIENCE)
    page.goto(f"{strict}/record.html")
    expect(page.locator("#mine")).to_contain_text("Kept in this browser", timeout=PATIENCE)
    expect(page.locator("#mine")).to_contain_text("Game over.")
    page.goto(link)
    page.wait_for_selector("html[data-ready] #now", timeout=PATIENCE)
    expect(page.locator("#title")).to_contain_text("Build Up: Ana and Ben")

    # What might have been is kept beside it.
    page.locator("#what-if").tap()
    expect(page.locator("html[data-known=what-if] #sync")).to_have_text("What if", timeout=PATIENCE)
    page.get_by_role("link", name="Back to the real game").tap()
    expect(page.locator("#title")).to_contain_text("Build Up: Ana and Ben", timeout=PATIENCE)
    page.goto(f"{strict}/record.html")
    expect(page.locator("#mine")).to_contain_text("This never happened.", timeout=PATIENCE)
    assert [url for url in requests if not url.startswith((strict, "data:", "blob:"))] == []


@at_width("phone")
@pytest.mark.usefixtures("quiet")
def test_the_referee_has_the_puzzle_of_the_day_its_replay_and_those_of_other_days(page: Page, strict: str) -> None:
    today = date(2026, 11, 26)
    page.clock.set_fixed_time(datetime.combine(today, time(12)))
    made = puzzle(f"{today}")
    page.goto(f"{strict}/index.html")
    page.get_by_role("link", name="You are the referee").tap()
    page.get_by_role("button", name="Start").tap(timeout=PATIENCE)
    page.get_by_role("button", name=f"Move {made.answer + 1}", exact=True).tap(timeout=PATIENCE)
    page.get_by_role("button", name="Stop!").tap()
    expect(page.locator("#answer")).to_contain_text("Right!")
    expect(page.locator("#of-day")).to_have_text(re.compile("Today.s puzzle"))
    assert not Axe().run(page).response["violations"]
    yesterday = today - timedelta(1)
    page.locator(f'[data-of="{yesterday}"]').tap()
    expect(page.locator(".puzzle")).to_have_attribute("data-day", f"{yesterday}", timeout=PATIENCE)
    expect(page.locator("#of-day")).to_contain_text("The puzzle of")
    for number in (1, 2):  # one of them is wrong, or both tries are used
        if page.locator("#answer").is_hidden():
            page.get_by_role("button", name="Start" if number == 1 else "Again").tap(timeout=PATIENCE)
            page.get_by_role("button", name=f"Move {number}", exact=True).tap(timeout=PATIENCE)
            page.get_by_role("button", name="Stop!").tap()
    page.get_by_role("link", name="Replay at that move").tap()
    page.wait_for_selector("html[data-ready] #now", timeout=PATIENCE)
    expect(page.locator(f"#p{puzzle(f'{yesterday}').finding.seq}.now.flagged")).to_be_attached()


@at_width("wide")
def test_a_link_that_was_cut_off_says_so(page: Page, strict: str) -> None:
    page.goto(f"{strict}/game.html#3.rVfb")
    expect(page.locator("#state")).to_contain_text("This link holds no game")


@at_width("wide")
def test_a_file_is_dropped_or_opened(page: Page, strict: str, tmp_path) -> None:
    (tmp_path / "friday.sheet").write_text(SHEET)
    page.goto(f"{strict}/check.html")
    page.locator("#file").set_input_files(tmp_path / "friday.sheet")
    expect(page.get_by_label("Score sheet or record")).to_have_value(SHEET)
