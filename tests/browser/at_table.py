"""Games at a table with a phone: what the tests of the recorder share."""

from contextlib import suppress
from typing import Any

from club import Club
from msgspec.structs import replace
from playwright.sync_api import Error, Page, Response, Route, expect
from thumb import Thumb, low_first

from ledger.record import codec
from ledger.record.events import ACTS, Correctable, Open, Place
from ledger.record.record import Record, effective

GAMES = {
    "ziggurat": ("ziggurat", 2, {}, None),
    "domino-ziggurat-1.1": ("domino-ziggurat", 10, {}, "1.1"),
    "domino-ziggurat-2": ("domino-ziggurat", 7, {}, "2"),
    "build-up": ("build-up", 3, {}, None),
    "zigzag": ("zigzag", 5, {"hands": 3}, None),
}


def acts_of(record: Record) -> list[Correctable]:
    """The acts of a game, corrections applied, without their times and comments."""
    entries = effective(record.events).entries
    return [plain(entry.event) for entry in entries if isinstance(entry.event, ACTS)]


def plain(event: Any) -> Any:
    """An act for comparison: a placed domino written from its lower half, a double from its left or upper one."""
    event = replace(event, when=None, by=None)
    if not isinstance(event, Place):
        return event
    halves = low_first(event)
    return event.player, event.tile.index, halves if not event.tile.double else tuple(sorted(halves)), event.level


def open_recorder(page: Page, link: str) -> Thumb:
    """The recorder on a phone."""
    page.goto(link)
    page.wait_for_selector("html[data-ready]")
    return Thumb(page)


def by_seats(record: Record) -> Record:
    """The same game with the player ids that a phone assigns."""
    text = codec.encode(record)
    for seat, player in enumerate(record.opening.players, 1):
        text = text.replace(f'"{player.id}"'.encode(), f'"p{seat}"'.encode())
    return codec.decode(text)


def fill_in(page: Page, opening: Open) -> None:
    """Types the players and the options of a game into the form."""
    if opening.edition:
        page.get_by_label("Edition").select_option(opening.edition)
    for seat, player in enumerate(opening.players, 1):
        if not page.get_by_label(f"Player {seat}").is_visible():
            page.get_by_role("button", name="Add player").tap()
        page.get_by_label(f"Player {seat}").fill(player.name)
    for option, value in opening.options.items():
        field = page.locator(f"[name='option.{option}']")
        page.locator("details", has=field).locator("summary").tap()
        field.fill(str(value))


def begin(page: Page, club: Club, opening: Open) -> None:
    """Chooses a game, its players and its options, and goes to the table."""
    page.goto(club.address)
    page.get_by_role("link", name="New game").tap()
    page.locator(f".records a[href$='game={opening.game}']").tap()
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    fill_in(page, opening)
    page.get_by_role("button", name="Begin").tap()
    expect(page.locator("html[data-ready]")).to_be_attached()
    expect(page.locator("dialog[open]")).to_have_count(0)  # the table first
    assert "#" not in page.url


def assert_recorded(club: Club, record_id: str, acts: list[Correctable]) -> None:
    """Asserts that exactly these acts follow the opening and the two hands."""
    assert [plain(event) for event in club.read(record_id).events[3:]] == [plain(act) for act in acts]


Table = tuple[Page, Thumb, str, list[Correctable]]


def has_news(answer: Response) -> bool:
    """Whether a page hears by this answer how the ledger stands to its game: from then on it notices every change."""
    return answer.ok and ("/news?" in answer.url or answer.url.endswith("/exchange"))


def lose_request(route: Route) -> None:
    route.abort()


def lose_answer(route: Route) -> None:
    with suppress(Error):  # the page may have closed by then
        route.fetch()
        route.abort()


def play_astray(thumb: Thumb, act: Place) -> Place:
    """Lays the tile of a placement eight squares too far to the right, where it touches nothing; returns that act."""
    stray = replace(act, at=(act.at[0] + 8, act.at[1]))
    thumb.choose(stray)
    thumb.hold(stray.tile)
    for _ in range(9):
        thumb.page.locator("#elsewhere").tap()
    thumb.act(stray)
    return stray
