"""What WebKit and Firefox do otherwise: they may drop a store, and over plain http they have no lock for the screen."""

from club import Club
from other_browsers import Browser
from test_other_browsers import GAME, PLACES, Walk, by_seats, lies

from viewer.commands import own_address

DROP = """async () => {
  const all = await indexedDB.databases();
  const dropped = (name) => new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve(name);
    request.onerror = () => reject(request.error);
  });
  return Promise.all(all.map(({ name }) => dropped(name)));
}"""


def test_a_store_that_the_browser_drops_loses_nothing_of_a_game(other: Browser, club: Club) -> None:
    walk = Walk(other)
    other.go(f"{club.address}/new")
    record_id = walk.begin()
    walk.wait("html[data-rules=ready]")
    for act in PLACES[:2]:
        walk.place(act)
    walk.reads("#sync", "Saved")
    assert {"domino-notebook", "domino-ledger-rules"} <= set(other.call(DROP))
    for act in PLACES[2:4]:
        walk.place(act)
    walk.reads("#sync", "Saved")
    other.go(f"{club.address}/r/{record_id}")
    walk.wait("html[data-ready][data-rules=ready]")
    for act in PLACES[4:6]:
        walk.place(act)
    walk.reads("#sync", "Saved")
    assert lies(club.read(record_id).events) == lies(by_seats(GAME))[:6]


def test_over_plain_http_the_page_says_truly_what_keeps_the_screen_on(other: Browser, club: Club) -> None:
    club.kill()
    club.start("--host", "0.0.0.0")  # noqa: S104  as a club does
    walk = Walk(other)
    other.go(f"http://{own_address()}:{club.port}/new")
    assert other.call("() => [isSecureContext, 'wakeLock' in navigator]") == [False, False]
    walk.begin()
    walk.place(PLACES[0])
    said = "() => document.getElementById('plain').textContent"
    plays = "() => [...document.querySelectorAll('video.awake')].some((one) => !one.paused && one.currentTime > 0)"
    if other.call("() => !!document.createElement('canvas').captureStream"):
        walk.wait("html[data-awake=video]")
        walk.until(lambda: other.call(plays), "a video that goes on")
        assert "A silent video in the corner of this page keeps the screen on" in other.call(said)
    else:
        assert "The screen may go dark" in other.call(said)
    assert "does not open again without a network" in other.call(said)
