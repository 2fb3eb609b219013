"""A person at the table who errs: taps what the page shows, often the wrong thing, and loses the network."""

import re
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Any

from club import Club
from playwright.sync_api import BrowserContext, Page
from playwright.sync_api import TimeoutError as NotInTime
from relay import Relay

from ledger.audit.review import Review
from viewer.phone.recorder_view import recorder_view

SEES = """() => {
  const found = [];
  const groups = {
    yes: "#doubt[open] [data-yes]", back: "#doubt[open] [data-close]", ghost: "#squares .ghost", near: "#near.waits",
    stack: "#rows .lit[data-stack]", end: "#ends .lit", key: "#pad .key:not(.dim)", dim: "#pad .dim, #tray .dim",
    tile: "#tray .tile:not(.dim):not([aria-pressed=true])", rank: "#tray .number", seat: "#seats button",
    kind: "#kinds button", bid: "#enter-bid", quick: "#quick button", pass: "#pass.go, #pass-bid",
    idle: "#pass:not(.go), #other-kinds", done: "#done", rest: "#rest", skip: "#skip", elsewhere: "#elsewhere",
    undo: "#undo:enabled", redo: "#redo:enabled, #redo-now", called: "#called [data-called=same]", held: "#held",
    floor: "#squares .floor", resume: "[data-panel=resume], [data-panel=on]",
  };
  for (const [group, selector] of Object.entries(groups))
    for (const element of document.querySelectorAll(selector)) {
      const { left, top, width, height } = element.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const hit = document.elementFromPoint(x, y);
      if (hit && (element === hit || element.contains(hit) || (group === "ghost" || group === "floor")
          && hit.closest("#squares"))) found.push({ group, x, y, width, height });
    }
  return found;
}"""

SHOWS = """() => {
  const tray = document.getElementById("tray");
  const pressed = document.querySelector("#seats [aria-pressed=true]");
  const keys = document.getElementById("pad").hidden && tray.checkVisibility() && pressed;
  return {
    sync: document.getElementById("sync").textContent, total: document.getElementById("sync").dataset.total,
    sure: document.getElementById("status").dataset.sure, kind: document.getElementById("ask").dataset.kind,
    player: pressed?.dataset.player ?? "", alerts: document.querySelectorAll("#panels [role=alert]").length,
    seats: [...document.querySelectorAll("#seats button")].map((one) =>
      [one.querySelector("output").textContent, one.classList.contains("turn")]),
    tiles: keys && !tray.querySelector(".number")
      ? [...tray.querySelectorAll(".tile")].map(({ dataset }) => dataset.tile) : null,
  };
}"""
LOSSES = ("offline", "slow", "hangs", "sick", "refuses")
"""How a network can be lost: the phone has none, or one that is as `Relay` says."""
PATIENCE = 60.0
"""Seconds until the page and the ledger must agree."""

PLAYS = ("near", "ghost", "stack", "end", "quick", "bid", "rank", "rest", "tile", "key", "pass", "done")
SLIPS = ("dim", "seat", "kind", "idle", "tile", "key", "held")


class ErringThumb:
    """Plays a game at random from a seed; after each act, what the page shows must be what the ledger has."""

    def __init__(
        self, page: Page, phone: BrowserContext, club: Club, network: Relay, record_id: str, seed: int
    ) -> None:
        self.page, self.phone, self.club, self.network, self.record_id = page, phone, club, network, record_id
        self.random, self.cut_off, self.log = Random(seed), False, list[str]()
        self.last: dict[str, Any] | None = None

    def play(self, steps: int) -> None:
        """Does so many things, and checks after each of them."""
        for _ in range(steps):
            self.step()
            self.check()
        self.connect(on=True)
        self.check()

    def step(self) -> None:
        """One tap or slip."""
        seen = self.page.evaluate(SEES)
        groups = {target["group"] for target in seen}
        if "yes" in groups or "back" in groups:
            return self.tap_one(seen, ("yes",) if "yes" in groups and self.random.random() < 0.6 else ("back",))
        if "resume" in groups:
            return self.tap_one(seen, ("resume", "undo"))
        chance = self.random.random()
        if chance < 0.08:
            return self.tap_one(seen, ("undo",))
        if chance < 0.12:
            return self.tap_one(seen, ("redo",))
        if chance < 0.16:
            return self.delete()
        if chance < 0.20:
            return self.connect(on=self.cut_off)
        if chance < 0.24 and self.last:
            return self.tap(self.last)  # twice on the same spot
        if chance < 0.28 and "elsewhere" in groups:
            self.tap_one(seen, ("elsewhere",))
            floor = [target for target in self.page.evaluate(SEES) if target["group"] == "floor"]
            return self.tap_anywhere(floor[0]) if floor else None
        if chance < 0.36:
            return self.tap_one(seen, SLIPS)
        if chance < 0.40:
            return self.tap_one(seen, ("called",))
        return self.tap_one(seen, [next((group for group in PLAYS if group in groups), "skip")])

    def tap_one(self, seen: list[dict[str, Any]], groups: Any) -> None:
        """Taps something of these groups, if there is any."""
        targets = [target for target in seen if target["group"] in groups]
        if targets:
            self.last = self.random.choice(targets)
            self.tap(self.last)

    def tap(self, target: dict[str, Any]) -> None:
        self.log.append(f"{target['group']} {target['x']:.0f},{target['y']:.0f}")
        self.page.touchscreen.tap(target["x"], target["y"])

    def tap_anywhere(self, floor: dict[str, Any]) -> None:
        x = floor["x"] + floor["width"] * (self.random.random() - 0.5) * 0.9
        y = floor["y"] + floor["height"] * (self.random.random() - 0.5) * 0.9
        self.tap({"group": "anywhere", "x": x, "y": y})

    def delete(self) -> None:
        """Deletes some entry in the list of moves, or thinks better of it."""
        if not self.open_list():
            return
        rows = self.page.locator("#moves ol [data-seq]")
        if not rows.count():
            self.page.locator("#moves [data-close]").tap()
            return
        row = rows.nth(self.random.randrange(rows.count()))
        self.log.append(f"delete {row.get_attribute('data-seq')}")
        row.tap()
        self.page.locator("#moves [data-do=retract]").tap()
        with suppress(NotInTime):
            self.page.locator("#doubt[open] [data-yes]").tap(timeout=5000)

    def open_list(self) -> bool:
        """Opens the list of moves, unless a question about the tap before comes first."""
        try:
            self.page.locator("#show-moves").tap(timeout=5000)
        except NotInTime:
            if self.page.locator("#doubt[open]").count():
                return False
            raise
        return True

    def connect(self, *, on: bool) -> None:
        """Loses the network, or finds it again."""
        if on == self.cut_off:
            loss = "ok" if on else self.random.choice(LOSSES)
            self.log.append(f"network {loss}")
            self.phone.set_offline(loss == "offline")
            self.network.turn("ok" if loss == "offline" else loss)
            self.cut_off = not on

    def check(self) -> None:
        """What the page shows is what the ledger has, as soon as everything has arrived there."""
        if self.cut_off or self.page.locator("#doubt[open]").count():
            return
        self.page.wait_for_timeout(50)  # a tap takes a moment until it is on the page
        until = monotonic() + PATIENCE
        while difference := self.difference():
            assert monotonic() < until, f"{difference} after {'; '.join(self.log)}"
            self.page.wait_for_timeout(100)
        if self.random.random() < 0.2:
            self.check_list()

    def difference(self) -> str:
        """What the page shows and the ledger does not have; "" for nothing."""
        shown = self.page.evaluate(SHOWS)
        record = self.club.read(self.record_id)
        if (shown["sync"], shown["sure"]) != ("Saved", "true"):
            return f"the page says {shown['sync']}, sure: {shown['sure']}"
        if shown["total"] != str(len(record.events)):
            return f"{shown['total']} entries, not {len(record.events)}"
        view = recorder_view(Review(record, self.record_id))
        seats = re.findall(r'<button[^>]*class="(seat[^"]*)".*?<output>(.*?)</output>', view.parts.seats, re.DOTALL)
        expected = [[score, "turn" in kind] for kind, score in seats]
        if shown["seats"] != expected:
            return f"{shown['seats']} at the seats, not {expected}"
        if shown["alerts"]:
            return f"an alert: {shown['alerts']}"
        ways = [way for way in view.form.ways if way.kind == shown["kind"] and way.player in (None, shown["player"])]
        if shown["tiles"] is not None and ways and set(shown["tiles"]) != set(ways[0].tiles):
            return f"the tiles {shown['tiles']}, not {ways[0].tiles}"
        return ""

    def check_list(self) -> None:
        """The list of moves is that of the ledger, each entry once."""
        if not self.open_list():
            return
        rows, until = self.page.locator("#moves ol [data-seq]"), monotonic() + PATIENCE
        while True:  # the tap before may still be on its way
            listed = rows.evaluate_all("all => all.map(({ dataset }) => dataset.seq)")
            view = recorder_view(Review(self.club.read(self.record_id), self.record_id))
            moves = [str(move.seq) for move in view.moves]
            if listed == moves:
                break
            assert monotonic() < until, f"{listed} in the list, not {moves} after {'; '.join(self.log)}"
            self.page.wait_for_timeout(100)
        self.page.locator("#moves [data-close]").first.tap()
        self.page.wait_for_timeout(150)  # the history settles
