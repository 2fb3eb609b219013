"""A walk through WebKit and Firefox, which many phones run: home, replay, a whole game, no network, handing in."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from club import Club
from msgspec.structs import replace
from other_browsers import Browser, Refused

from golden import CASES, name_of
from ledger.audit.auditor import audit
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.events import Close, Place
from ledger.record.record import Record
from ledger.record.tiles import TILES
from ledger.stores.store import SqliteStore

PATIENCE = 120.0
GAME = simulate(catalog.find("ziggurat"), 3)
PLACES = [event for event in GAME.events if isinstance(event, Place)]
STEP = {"e": (1, 0), "w": (-1, 0), "s": (0, 1), "n": (0, -1)}
BACK = {"e": "w", "w": "e", "s": "n", "n": "s"}
SPOT = """(selector, across) => {
  const all = [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length);
  if (!all.length) return null;
  all[0].scrollIntoView({ block: "nearest" });
  const { left, top, width, height } = all[0].getBoundingClientRect();
  const [x, y] = [left + width * across, top + height / 2];
  const hit = document.elementFromPoint(x, y);
  return hit && (all[0].contains(hit) || hit.closest("#squares")) ? [x, y] : null;
}"""
SHOWS = r"""() => {
  const shown = [...document.querySelectorAll("[id], [data-tile], [data-number], [data-at], dialog[open]")]
    .filter((one) => one.getClientRects().length && one.matches("#ask, #hint, #held, #sync, #status, #begin h1, "
      + ".banner, #last, dialog[open], #seats [aria-pressed=true], #pad [aria-pressed=true], .ghost, #tray [data-tile]"
    ))
    .map((one) => `${one.id || one.className.baseVal || one.className}:`
      + (one.dataset.at ?? one.dataset.number ?? one.dataset.tile ?? one.textContent.trim().slice(0, 90)));
  const { dataset, className } = document.documentElement;
  const { total = "" } = document.getElementById("sync")?.dataset ?? {};
  return [location.pathname, className, JSON.stringify({ ...dataset, total }), ...shown].join("\n  ");
}"""
"""What a person sees who waits: where the page is, what it asks, what is in hand, what can be tapped."""
TOTAL = "() => Number(document.getElementById('sync')?.dataset.total || 0)"
KEPT = """(record) => new Promise((done, fail) => {
  const open = indexedDB.open("domino-notebook");
  open.onerror = () => fail(open.error);
  open.onsuccess = () => {
    const entries = open.result.transaction("entries").objectStore("entries");
    const ask = entries.count(IDBKeyRange.bound([record], [record, []]));
    ask.onsuccess = () => {
      open.result.close();
      done(ask.result);
    };
  };
})"""
"""How many events of a record the phone keeps, for its rules."""


class Walk:
    """A person who looks for things on a page and taps them."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser

    def until(self, condition: Callable[[], Any], what: str) -> Any:
        """Waits until something is so, and returns it; a page that is just being left has no answer."""
        end = time.monotonic() + PATIENCE
        while True:
            with suppress(Refused):
                if value := condition():
                    return value
            assert time.monotonic() < end, f"after {PATIENCE:.0f} s never: {what}.  The page:\n{self.page_now()}"
            time.sleep(0.05)

    def page_now(self) -> str:
        """What the page shows, or why it cannot tell."""
        try:
            return str(self.browser.call(SHOWS))
        except (Refused, OSError) as error:
            return f"no answer: {error}"

    def tap(self, selector: str, across: float = 0.5) -> None:
        spot = self.until(lambda: self.browser.call(SPOT, selector, across), f"{selector} to tap")
        self.browser.press(*spot)

    def shows(self, selector: str) -> bool:
        found = "(selector) => [...document.querySelectorAll(selector)].some((one) => one.getClientRects().length)"
        return bool(self.browser.call(found, selector))

    def wait(self, selector: str) -> None:
        self.until(lambda: self.browser.call("(selector) => !!document.querySelector(selector)", selector), selector)

    def text(self, selector: str) -> str:
        return str(self.browser.call("(selector) => document.querySelector(selector)?.innerText ?? ''", selector))

    def reads(self, selector: str, words: str) -> None:
        """Waits until an element has these words in it."""
        self.until(lambda: words in self.text(selector), f"“{words}” in {selector}")

    def fill(self, selector: str, words: str) -> None:
        typed = """(selector, words) => {
          const field = document.querySelector(selector);
          field.value = words;
          field.dispatchEvent(new Event("input", { bubbles: true }));
        }"""
        self.browser.call(typed, selector, words)

    def begin(self) -> str:
        """Begins a game on the page for that; returns its id."""
        self.tap("#begin .records a[href$='game=ziggurat'], .records a[href$='game=ziggurat']")
        self.wait("#player1")
        for seat, player in enumerate(GAME.opening.players, 1):
            self.fill(f"#player{seat}", player.name)
        self.tap("form.opening .begins button")
        self.wait("html[data-ready] #pad, html[data-ready] #tray")
        self.until(lambda: self.browser.call("() => location.pathname.startsWith('/r/')"), "the table")
        return str(self.browser.call("() => location.pathname.split('/').pop()"))

    def place(self, act: Place) -> None:
        """Names a tile, and taps its ghost unless it fits in one place only."""
        self.wait("#status[data-sure=true]")
        before = self.browser.call(TOTAL)
        tile = TILES[act.tile.index]
        held = f"#held[data-tile='{tile}']:not([hidden])"
        if self.shows(held):
            time.sleep(0.6)  # it was taken without a tap: one at once counts as the second of the last move's
        elif self.shows("#pad"):
            self.tap(f"#pad [data-number='{tile.first}']")
            if not self.shows(held) and self.browser.call(TOTAL) == before:
                self.tap(f"#pad [data-number='{tile.second}']")
        else:  # where one place is left, keys show how the tile will lie
            keys = f"#tray [data-tile='{tile}']"
            as_it_lies = ", ".join(f"{keys}[data-at='{at}']" for at in ghosts(act))
            self.tap(as_it_lies if self.shows("#tray .ways") else keys, 0.25)
        self.until(lambda: self.shows(held) or self.browser.call(TOTAL) > before, f"the {tile} in hand")
        if self.browser.call(TOTAL) == before:
            self.tap(", ".join(f"#squares [data-at='{at}']" for at in ghosts(act)))
        self.until(lambda: self.browser.call(TOTAL) > before, f"{act}")


def ghosts(act: Place) -> list[str]:
    """Where a tile is lit that is to lie so: the place of its half with fewer pips, and the way to the other."""
    (x, y), (right, down) = act.at, STEP[act.dir]
    here = f"{x},{y},{act.dir},{act.level}"
    there = f"{x + right},{y + down},{BACK[act.dir]},{act.level}"
    return [here, there] if act.tile.double else [here] if act.tile.first < act.tile.second else [there]


def lies(events: Any) -> list[Any]:
    """The placements of a record, each by its tile, its squares and its level."""
    return [
        (event.tile.index, ghosts(event)[0] if not event.tile.double else sorted(ghosts(event)), event.player)
        for event in events
        if isinstance(event, Place)
    ]


def by_seats(record: Record) -> list[Any]:
    ids = {player.id: f"p{seat}" for seat, player in enumerate(record.opening.players, 1)}
    return [replace(event, player=ids[event.player]) for event in PLACES]


def test_an_evening_from_the_home_page_to_the_result(other: Browser, club: Club) -> None:
    with SqliteStore(club.path) as store:
        case = next(case for case in CASES if name_of(case) == "ziggurat/ending-single-place")
        Recorder(store).import_record(codec.decode(case.read_bytes()), "shown")
    walk = Walk(other)
    # Home, and a replay.
    other.go(club.address)
    walk.tap("a[href*='/g/shown']")
    walk.wait("html[data-ready] #now")
    walk.tap("[data-go='1']")
    walk.reads("#now .no", "1")
    # A game, with a server at first.
    other.go(f"{club.address}/new")
    record_id = walk.begin()
    walk.wait("html[data-rules=ready][data-offline=ready]")
    for act in PLACES[:4]:
        walk.place(act)
    walk.reads("#sync", "Saved")
    # Another phone records the middle of the game, and this one hears of it.
    with SqliteStore(club.path) as store:
        for act in by_seats(GAME)[4:-9]:
            Recorder(store).append(record_id, replace(act, points=None))
    walk.until(lambda: other.call(TOTAL) == 1 + len(PLACES[:-9]), "what another phone recorded")
    # It shows them before it keeps them: a network that goes in between leaves the rules without them.
    walk.until(lambda: other.call(KEPT, record_id) == 1 + len(PLACES[:-9]), "their events on this phone")
    # The network is gone, and the page is opened again.
    club.kill()
    for act in PLACES[-9:-7]:
        walk.place(act)
    walk.reads("#sync", "2 wait here")
    other.go(f"{club.address}/r/{record_id}")
    walk.wait("html[data-ready][data-rules=ready]")
    for act in PLACES[-7:-4]:
        walk.place(act)
    club.start()
    walk.reads("#sync", "Saved")
    for act in PLACES[-4:]:
        walk.place(act)
    walk.reads("#sync", "Saved")
    assert lies(club.read(record_id).events) == lies(by_seats(GAME))
    walk.tap("[data-panel=confirm]")
    walk.reads("[data-end=closed] h2", "Game over")
    walk.reads("#sync", "Saved")
    record = club.read(record_id)
    assert isinstance(record.events[-1], Close)
    assert audit(catalog.find("ziggurat"), record).verdict in ("clean", "unproven")


def test_a_game_is_begun_without_a_network_and_handed_in(other: Browser, club: Club) -> None:
    walk = Walk(other)
    other.go(club.address)
    walk.wait("html[data-offline=ready][data-rules=kept]")
    club.kill()
    other.go(f"{club.address}/new")
    record_id = walk.begin()
    for act in PLACES[:2]:
        walk.place(act)
    walk.reads("#sync", "2 wait here")
    club.start()
    walk.reads("#sync", "Saved")
    assert lies(club.read(record_id).events) == lies(by_seats(GAME))[:2]
