"""A thumb that records a game on a phone, by taps alone, and counts them."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random

from msgspec.structs import replace
from playwright.sync_api import CDPSession, Locator, Page, expect
from playwright.sync_api import TimeoutError as NotInTime

from ledger.record import events as e
from ledger.record.events import Aside, Bid, Correctable, Deal, Draw, Layout, Lift, Over, Pass, Place, Play, kind
from ledger.record.tiles import TILES, Tile

LIES = """async ([x, y, name]) => {
  for (let n = 0; n < 2; n += 1) await new Promise((drawn) => requestAnimationFrame(drawn));
  const picture = document.getElementById("squares");
  const middle = new DOMPoint(x + 0.5, y + 0.5).matrixTransform(picture.getScreenCTM());
  return [...picture.querySelectorAll("[data-laid]")].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < middle.x && middle.x < right && top < middle.y && middle.y < bottom;
  }).at(-1)?.dataset.laid === name;
}"""
SEVERAL = ("layout", "deal", "aside")
"""The kinds of acts that name several tiles: on the pad, a number shows the tiles that have it."""
SECOND_TAP = 300
"""Milliseconds in which a tap on a button without a tile would be the second of a double tap."""
STEP = {"e": (1, 0), "w": (-1, 0), "s": (0, 1), "n": (0, -1)}


def low_first(act: Place) -> tuple[tuple[int, int], tuple[int, int]]:
    """The square of the half with fewer pips, and the other's."""
    right, down = STEP[act.dir]
    first, second = act.at, (act.at[0] + right, act.at[1] + down)
    return (first, second) if act.tile.first <= act.tile.second else (second, first)


def shown_at(act: Place) -> str:
    """What the key has that shows a tile as it will lie, where only one place is left; a double lies one way there."""
    (x, y), (u, v) = low_first(act)
    way = next(name for name, step in STEP.items() if step == (u - x, v - y))
    return "" if act.tile.double else f"[data-at^='{x},{y},{way},']"


class Thumb:
    """The taps on a recorder's page; `taps` has the number for every act, with its kind."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0
        self.taps: list[tuple[str, int]] = []
        self.placed: Tile | None = None
        self.before = 0  # the number of events before the act that is entered now
        self.cut_off = False  # True while nothing can answer, so there is no answer to wait for
        self.screen: CDPSession | None = None  # what fingers touch
        self.random: Random | None = None  # if there is one, fingers come down beside what they mean

    def tap(self, button: Locator, **options: object) -> None:
        button.tap(**options)  # type: ignore[arg-type]  # what a tap takes
        self.count += 1

    def total(self) -> int:
        """The number of events, including those that wait."""
        return int(self.page.locator("#sync").get_attribute("data-total") or 0)

    def enter(self, act: Correctable, more: int = 1) -> None:
        """Enters one act, and waits until it is kept."""
        self.before, self.count = self.total(), 0
        self.choose(act)
        self.act(act)
        doubt = self.page.locator("#doubt[open] [data-yes]")
        while (total := self.total()) < self.before + more:
            try:
                self.other_than(total).or_(doubt).first.wait_for(state="attached")
            except NotInTime as error:
                raise AssertionError(f"{act} was not kept: {self.page.locator('#doubt').inner_text()}") from error
            if doubt.count():
                self.tap(doubt)
        self.taps.append((kind(act), self.count))

    def other_than(self, total: int) -> Locator:
        """Found as soon as the page has another number of events."""
        return self.page.locator(f"#sync[data-total]:not([data-total='{total}'])")

    def choose(self, act: Correctable) -> None:
        """Chooses the player and the kind of act if the page expects others, after waiting for the page's answer."""
        self.wait_until_sure()
        if self.page.locator("html.over").count():  # a wrong entry ended the game too early
            self.tap(self.page.locator("[data-panel=on]"))
        player = getattr(act, "player", None)
        if player is not None:
            self.choose_seat(player)
        if not isinstance(act, Pass | Lift):
            self.choose_kind(kind(act))

    def choose_seat(self, player: str) -> None:
        """Taps on a player's seat where the page asks who plays, or expects somebody else.

        A seat that the page marks without having asked the rules is trusted: a false one makes a false record.
        """
        asked = self.page.locator(f"#whose [data-player='{player}']")
        if asked.count():
            self.tap(asked)
        elif self.page.locator("#seats [aria-pressed=true]").count() and self.page.locator("html.unsure").count():
            return
        elif (seat := self.page.locator(f"#seats [data-player='{player}']")).get_attribute("aria-pressed") != "true":
            self.tap(seat)

    def choose_kind(self, name: str) -> None:
        """Taps on a kind of act unless the page asks for it; an answer may change the page under the thumb."""
        ask, tab = self.page.locator("#ask"), self.page.locator(f"#kinds [data-kind={name}]")
        for _ in range(30):
            if ask.get_attribute("data-kind") == name:
                return
            with suppress(NotInTime):
                if not tab.count():
                    self.tap(self.page.locator("#other-kinds"), timeout=2000)
                self.tap(tab, timeout=2000)
                return
        raise AssertionError(f"the page does not offer to {name}")

    def wait_until_sure(self) -> None:
        """Waits until the page knows whose turn it is, or half a second where neither ledger nor rules answer."""
        sure, sync = self.page.locator("#status[data-sure=true]"), self.page.locator("#sync")
        rules = self.page.locator("html[data-rules=ready]")
        for _ in range(120):  # a busy machine may need long
            with suppress(NotInTime):
                sure.wait_for(state="attached", timeout=500)
                return
            if rules.count():
                continue
            if self.cut_off or sync.get_attribute("class") not in ("saved", "waiting"):
                return

    def bid(self, number: int) -> None:
        """Types a bid if the stepper shows another one."""
        field = self.page.locator("#number")
        if field.input_value() != str(number):
            self.tap(field)
            field.fill(str(number))
        self.tap(self.page.locator("#enter-bid"))

    def act(self, act: Correctable) -> None:  # noqa: C901, PLR0912  one case for each kind of act
        match act:
            case Layout() | Deal() | Aside():
                rest = self.page.locator("#rest:visible", has_text="The rest")
                if rest.count():
                    self.tap(rest)  # which is gone as soon as the page has entered them
                else:
                    for tile in act.tiles:
                        self.tile(tile)
                done_button = self.page.locator("#done:visible")
                self.answer(self.before, done_button)
                if done_button.count():
                    self.tap(done_button)
            case Play(end="left" | "right"):
                self.on_line(act)
            case Draw() | Play() | Over():
                self.tile(act.tile)
            case Place():
                low, other = low_first(act)
                self.placed = act.tile
                if self.take(act.tile, shown_at(act)):
                    if self.lies(act.tile, low) and self.lies(act.tile, other):
                        return
                    self.take_back(act.tile)
                self.anywhere(act)
                self.lay(act)
            case Lift():
                self.top()
                if act.tile == self.placed:
                    self.page.wait_for_timeout(600)  # at once, a tap on it is the second of a double tap
                tile_on_table = self.page.locator(f"#squares [data-laid='{TILES[act.tile.index]}']").last
                box = tile_on_table.bounding_box()
                assert box is not None
                self.page.touchscreen.tap(box["x"] + box["width"] / 3, box["y"] + box["height"] / 3)
                self.count += 1
            case e.Stack():
                stack = self.page.locator(f"#rows [data-stack='{act.stack}']")
                if self.take(act.tile):
                    self.wait_until_sure()  # until then no stack is known to have it
                    if str(TILES[act.tile.index]) in (stack.get_attribute("aria-label") or ""):
                        return
                    self.take_back(act.tile)
                self.tap(stack)
            case Bid():
                self.page.wait_for_timeout(SECOND_TAP)
                self.bid(act.bid)
            case e.Rank():
                self.page.wait_for_timeout(SECOND_TAP)
                self.tap(self.page.locator(f"#tray [data-bare][data-at='{act.high},{act.direction}']"))
            case Pass():
                self.page.wait_for_timeout(SECOND_TAP)
                self.passes()
            case _:
                raise AssertionError(act)

    def passes(self) -> None:
        """Passes; where the rules do not allow it, that is behind another button."""
        button = self.page.locator("#pass:visible, #pass-bid:visible")
        if not button.count():
            self.tap(self.page.locator("#other-kinds"))
        self.tap(button)

    def tile(self, tile: Tile, shown: str = "") -> None:
        """Names a tile by its half with fewer pips first: by itself if the tiles are the keys, or by its numbers.

        Of two keys that show it as it may lie, it taps the one that is `shown`.
        """
        name, before = TILES[tile.index], self.total()
        keys = self.page.locator(f"#tray [data-tile='{name}']")
        as_it_lies = self.page.locator(f"#tray .ways [data-tile='{name}']{shown}")
        if not self.page.locator("#pad").is_visible():
            self.tap((as_it_lies if as_it_lies.count() else keys).first, position={"x": 12, "y": 20})
            return
        first = self.page.locator(f"#pad [data-number='{name.first}']")
        if self.page.locator("#ask").get_attribute("data-kind") in SEVERAL:
            if first.get_attribute("aria-pressed") != "true":
                self.tap(first)
            self.tap(keys)
            return
        self.tap(first)
        # If no other tile has that number, it is meant.
        first_pressed = self.page.locator(f"#pad [data-number='{name.first}'][aria-pressed=true]")
        self.answer(before, first_pressed)
        if as_it_lies.count():
            self.tap(as_it_lies.first)
        elif first_pressed.count() and not self.held(tile).count():
            self.tap(self.page.locator(f"#pad [data-number='{name.second}']"))

    def answer(self, before: int, button: Locator) -> None:
        """Waits for what follows a tap: another number of events, a question, or this button or tile."""
        self.other_than(before).or_(self.page.locator("#doubt[open]")).or_(button).first.wait_for(state="attached")

    def held(self, tile: Tile) -> Locator:
        """The tile in hand, if it is this one."""
        return self.page.locator(f"#held[data-tile='{TILES[tile.index]}']")

    def anywhere(self, act: Place) -> None:
        """Asks for all squares if the tile is not lit where it is to lie."""
        ghosts = [value.split(",") for value in self.ghosts()]
        cells = {low_first(replace(act, at=(int(x), int(y)), dir=way, tile=TILES[act.tile.index]))  # type: ignore[arg-type]
                 for x, y, way, _level in ghosts}  # fmt: skip
        low, other = low_first(act)
        if not self.page.locator("#squares [data-laid]").count():
            return  # on an empty floor one place is lit, and a finger shows the others
        if ghosts and (low, other) not in cells and not (act.tile.double and (other, low) in cells):
            self.tap(self.page.locator("#elsewhere"))

    def ghosts(self) -> list[str]:
        """Where the tile in hand is lit: the place of its half with fewer pips, and the direction of the other."""
        return self.page.locator("#squares [data-at]").evaluate_all("ghosts => ghosts.map(({ dataset }) => dataset.at)")

    def on_line(self, act: Play) -> None:
        """Plays a tile to a line: the tile alone, and the end if the page asks for it."""
        before = self.total()
        self.tile(act.tile)
        picked = self.held(act.tile)
        self.answer(before, picked)
        if self.total() == before and picked.count():
            self.tap(self.page.locator(f"#ends [data-end={act.end}]"))

    def take(self, tile: Tile, shown: str = "") -> bool:
        """Takes a tile, and returns whether it lies already, because it fits in one place only.

        A busy machine may lose a tap; then the thumb taps again.
        """
        picked, before = self.held(tile), self.total()
        if picked.count():  # the last one of a hand is taken already; a tap at once counts as the last move's second
            self.page.wait_for_timeout(500)
        for _ in range(3):
            if not picked.count():
                self.tile(tile, shown)
            with suppress(NotInTime):
                self.other_than(before).or_(picked).first.wait_for(state="attached", timeout=10_000)
                return self.total() != before
        raise AssertionError(f"{tile} was not taken")

    def hold(self, tile: Tile) -> None:
        """Takes a tile that is to be laid somewhere else than where alone it fits."""
        if self.take(tile):
            self.take_back(tile)

    def take_back(self, tile: Tile) -> None:
        """Takes back the tile that was laid at once, and takes it in hand."""
        after = self.total()
        self.tap(self.page.locator("#undo"))
        self.other_than(after).wait_for(state="attached")
        self.wait_until_sure()
        self.before = self.total()
        assert not self.take(tile)

    def lies(self, tile: Tile, square: tuple[int, int]) -> bool:
        """Whether a tile lies on a square, as the picture shows it at rest: its size follows the keys."""
        self.wait_until_sure()
        return bool(self.page.evaluate(LIES, [*square, str(TILES[tile.index])]))

    def lay(self, act: Place) -> None:
        """Lays the tile in hand: a quick tap on a place that is as large as a thumb; else the finger comes down, slides
        until the place that it means shows, and lifts.
        """
        low, other = low_first(act)
        self.top()
        self.count += 1
        large = self.page.locator("#squares .ghost:not(.small)")
        for ghost in large.all():
            if self.means(ghost.get_attribute("data-at"), low, other):
                box = ghost.bounding_box()
                assert box is not None
                middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
                return self.page.touchscreen.tap(*self.beside(middle, 6))
        end = self.on_screen(*(low[n] + 0.5 + (other[n] - low[n]) * 0.3 for n in (0, 1)))
        start = self.beside(end, 6) if self.random else (end[0], end[1] + 14)
        self.touch("touchStart", *start)
        self.page.wait_for_timeout(300 if self.random else 0)  # less would be a quick tap
        at, near = start, self.page.locator("#near")
        for step in range(1, 9):
            if self.means(near.get_attribute("data-at"), low, other) and (self.random or step == 8):
                break
            at = (start[0] + (end[0] - start[0]) * step / 8, start[1] + (end[1] - start[1]) * step / 8)
            self.touch("touchMove", *at)
        assert self.means(near.get_attribute("data-at"), low, other), f"{act} does not show"
        self.touch("touchMove", *self.beside(at, 2))
        return self.touch("touchEnd")

    def means(self, shown: str | None, low: tuple[int, int], other: tuple[int, int]) -> bool:
        """Whether this place is shown for these squares; a double lies there either way."""
        if not shown:
            return False
        x, y, way, _level = shown.split(",")
        cells = ((int(x), int(y)), (int(x) + STEP[way][0], int(y) + STEP[way][1]))
        return cells == (low, other) or (self.placed is not None and self.placed.double and cells == (other, low))

    def beside(self, point: tuple[float, float], scatter: float) -> tuple[float, float]:
        """A point beside this one: fingers scatter by so many CSS pixels."""
        if not self.random:
            return point
        return (point[0] + self.random.gauss(0, scatter), point[1] + self.random.gauss(0, scatter))

    def touch(self, what: str, *point: float) -> None:
        """A finger comes down, moves or lifts."""
        self.screen = self.screen or self.page.context.new_cdp_session(self.page)
        points = [{"x": point[0], "y": point[1]}] if point else []
        self.screen.send("Input.dispatchTouchEvent", {"type": what, "touchPoints": points})

    def on_screen(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the squares is on the screen."""
        squares = self.page.locator("#squares")
        point = squares.evaluate(
            "(picture, [x, y]) => { const at = new DOMPoint(x, y).matrixTransform(picture.getScreenCTM());"
            " return [at.x, at.y]; }",
            [x, y],
        )
        return (point[0], point[1])

    def top(self) -> None:
        """Scrolls to the table."""
        self.page.evaluate("document.querySelector('main').scrollTo(0, 0)")

    def moves(self) -> Counter[int]:
        """The number of moves for each number of taps, without the layout and the deals."""
        return Counter(taps for act_kind, taps in self.taps if act_kind not in ("layout", "deal", "aside"))

    @contextmanager
    def more(self, events: int = 1) -> Iterator[None]:
        """Waits until this many events were added inside the block, and all are recorded."""
        before = self.total()
        yield
        expect(self.page.locator("#sync")).to_have_attribute("data-total", str(before + events))
        self.all_recorded()

    def all_recorded(self) -> None:
        """Waits until nothing is left on the phone."""
        expect(self.page.locator("#sync")).to_have_text(re.compile("^Saved$"))
        self.wait_until_sure()  # without rules on the phone the ledger's table follows
