"""The recorder's page as people see it: nothing cut off, nothing jumping, and every state says what to do next."""

import re
from itertools import product
from typing import Any

import pytest
from at_table import Table, acts_of, assert_recorded, lose_request, open_recorder, plain
from axe_playwright_python.sync_playwright import Axe
from club import BARE, PHONE, RULES_ALONE, Club, at_width, box_of, entered, link_to, phone_with, wait_for_frames
from msgspec.structs import replace
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from thumb import SECOND_TAP, Thumb

from ledger.games import catalog
from ledger.keep.recorder import Recorder, end_link, new_link
from ledger.play.simulate import simulate
from ledger.record import events as e
from ledger.record.events import Amend, Bid, Close, Correctable, Deal, Draw, Insert, Open, Pass, Place, Retract, Stack
from ledger.record.tiles import TILES
from ledger.stores.beside import Key
from ledger.stores.query import Query
from ledger.stores.store import SqliteStore
from planted_slips import plant
from waiting import wait_until

LONG = ("Maximiliane von und zu Hohenstein-Wittelsbach", "محمد بن عبد الله الطويل")


def in_one_line(element: Locator) -> bool:
    """Whether the text of an element is on one line, and inside the element."""
    return bool(
        element.evaluate(
            """(element) => {
                const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
                const box = element.getBoundingClientRect();
                while (walker.nextNode()) {
                    const range = document.createRange();
                    range.selectNodeContents(walker.currentNode);
                    const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
                    const out = ({ left, right }) => left < box.left - 1 || right > box.right + 1;
                    if (rects.length > 1 || rects.some(out)) return false;
                }
                return true;
            }"""
        )
    )


# ── The table ──────────────────────────────────────────────────────────────────────────────────────────────


def test_level_chips_stand_on_top_tiles_only_and_cover_no_pip(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    open_recorder(page, link_to(club, "ziggurat", 24))
    assert page.locator("#squares .level").count() >= 4
    distances = page.evaluate(
        """() => [...document.querySelectorAll("#squares .level")].flatMap((chip) => {
            const box = chip.getBoundingClientRect();
            const tile = document.querySelector(`#squares [data-laid="${chip.dataset.of}"]`);
            return [...tile.querySelectorAll("use[href^='#h']")].flatMap((use) => {
                const matrix = use.getScreenCTM();
                const pips = document.querySelector(use.getAttribute("href")).getAttribute("d");
                // A half is one path; each pip in it begins at its left edge.
                return [...pips.matchAll(/M([-.\\d]+) ([-.\\d]+)a([.\\d]+)/g)].map((pip) => {
                    const [left, y, radius] = pip.slice(1).map(Number);
                    const x = left + radius + Number(use.getAttribute("x") || 0);
                    const at = new DOMPoint(x, y).matrixTransform(matrix);
                    const right = at.x - Math.max(box.left, Math.min(at.x, box.right));
                    const down = at.y - Math.max(box.top, Math.min(at.y, box.bottom));
                    return [chip.dataset.of, Math.hypot(right, down) / (radius * Math.hypot(matrix.a, matrix.b))];
                });
            });
        })"""
    )
    assert len(distances) >= 8
    # In radii of a pip: nearer than one, the chip covers a part of it.
    assert [(tile, distance) for tile, distance in distances if distance < 1] == []


def test_the_squares_stay_where_they_are_online_and_offline(phone: BrowserContext, club: Club) -> None:
    record = simulate(catalog.find("ziggurat"), 2)
    page = phone.new_page()
    thumb = open_recorder(page, link_to(club, "ziggurat", 16))
    floor = page.locator("#squares .floor")
    before = floor.bounding_box()
    thumb.enter(entered(record)[16])
    thumb.all_recorded()
    assert floor.bounding_box() == before
    # A place has the names that stand on the rim.
    expect(page.locator("#last .does")).to_contain_text(", ")
    where = page.locator("#last .does").inner_text().partition(", ")[2].replace("\u2011", "-")
    rim = {*page.locator("#squares .rim text").all_text_contents()}
    assert all({square[0], square[1:]} <= rim for square in where.split("-"))
    phone.set_offline(True)
    thumb.cut_off = True
    thumb.enter(entered(record)[17])
    expect(page.locator("#sync")).to_have_text("1 waits here")
    expect(page.locator("#whose button")).to_have_count(2)
    assert floor.bounding_box() == before
    # Entries that nobody has judged are a plain list, and the last one is reported with a mark.
    act = entered(record)[17]
    assert isinstance(act, Place)
    expect(page.locator("#last .waits")).to_be_visible()
    tile = str(act.tile).replace("-", "\u2011")
    assert thumb.lies(act.tile, act.at)
    expect(page.locator("#last")).to_contain_text(f"plays {tile}")
    expect(page.locator("#beside .waiting li")).to_contain_text([f"plays {tile}"])
    expect(page.locator("#hint")).to_contain_text("No connection")
    phone.set_offline(False)
    thumb.all_recorded()
    expect(page.locator("#last .waits")).to_have_count(0)
    assert floor.bounding_box() == before


def test_a_quick_tap_on_a_small_place_waits_for_one_in_its_window_and_a_key_lays_it_at_once(
    phone: BrowserContext, club: Club
) -> None:
    page = phone.new_page()
    thumb = open_recorder(page, link_to(club, "ziggurat", 12))
    page.locator("#tray .tile:not(.dim)").first.tap()
    ghost = page.locator("#squares .ghost")
    expect(page.locator("#hint")).to_have_text(re.compile(r"^fits \d+.places?$"))
    box = box_of(ghost.first)
    spot = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.touchscreen.tap(*spot)
    window, total = page.locator("#near.waits"), thumb.total()
    expect(window).to_contain_text("Tap here to lay it")
    page.touchscreen.tap(*spot)  # again nothing is laid
    wait_for_frames(page)
    assert thumb.total() == total
    with thumb.more():
        window.tap()
    expect(window).to_be_hidden()
    page.locator("#tray .tile:not(.dim)").first.tap()
    name = ghost.first.get_attribute("aria-label") or ""
    with thumb.more():
        ghost.first.focus()
        page.keyboard.press("Enter")
    where = name.partition(" on ")[2].partition(",")[0]
    first, _, other = where.partition("\u2011")
    where = re.compile(f"{first}[-\u2011]{other}|{other}[-\u2011]{first}")
    expect(page.locator("#last")).to_contain_text(where)


def test_the_contract_is_shown_in_full(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    open_recorder(page, link_to(club, "zigzag", 12, seed=3, names=("Ana", LONG[0], "Cy"), hands=3))
    contract = page.locator(".contract")
    expect(contract).to_contain_text("taken")
    for part in (contract.locator("b span"), contract.locator("> span")):
        assert in_one_line(part)
        box = box_of(part)
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 390


def test_a_bid_begins_with_the_lowest_legal_one_and_any_other_may_be_recorded(
    phone: BrowserContext, club: Club
) -> None:
    link, record_id = club.open(
        Open("zigzag", players=tuple(e.Player(id=i, name=i.title()) for i in ("ana", "ben", "cy")))
    )
    page = phone.new_page()
    thumb = open_recorder(page, link)
    expect(page.locator("#ask")).to_have_text("What does Ana bid?")
    expect(page).to_have_title("Zigzag · Ana – Ben – Cy · Domino Ledger")
    with thumb.more():
        thumb.enter(Bid("ana", 8))
    expect(page.locator(".bid")).to_contain_text("8")
    expect(page.locator("#number")).to_have_value("9")
    page.locator("#more-bid").tap()
    expect(page.locator("#enter-bid")).to_have_text("Ben bids 10")
    page.locator("#number").fill("5")
    page.wait_for_timeout(SECOND_TAP)
    page.locator("#enter-bid").tap()
    expect(page.locator("#doubt h2")).to_have_text("That breaks a rule. Did it happen anyway?")
    with thumb.more():
        page.locator("#doubt [data-yes]").tap()
    page.wait_for_timeout(SECOND_TAP)
    with thumb.more():
        page.locator("#pass-bid").tap()
    kinds = [type(event).__name__ for event in club.read(record_id).events]
    assert kinds == ["Open", "Bid", "Bid", "Pass"]
    expect(page.locator("#seats li").nth(2)).to_contain_text("passed")


def test_hands_may_be_skipped(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    thumb = open_recorder(page, link_to(club, "build-up", 4, seed=3))
    expect(page.locator("#kinds")).to_contain_text("optional")
    page.locator("#kinds [data-kind=deal]").tap()
    expect(page.locator("#ask")).to_have_text("Tap the 6 tiles in Ana\u2019s hand")
    expect(page.locator("#hint")).to_have_text("Hands may be skipped")
    page.get_by_role("button", name="Skip hands").tap()
    expect(page.locator("#ask")).to_have_attribute("data-kind", "stack")
    act = next(act for act in entered(simulate(catalog.find("build-up"), 3)) if isinstance(act, Stack))
    assert not isinstance(act, Deal)
    thumb.enter(act)
    thumb.all_recorded()


def test_a_game_that_is_over_looks_like_it(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    thumb = open_recorder(page, link_to(club, "ziggurat", None))
    end = page.locator("#panels h2")
    expect(end).to_contain_text("Game over.")
    expect(page.locator(".entry")).to_be_hidden()
    expect(page.locator("#seats [aria-pressed=true]")).to_have_count(0)
    page.get_by_role("button", name="Not over yet").tap()
    expect(page.locator(".entry")).to_be_visible()
    page.reload()
    expect(page.locator(".entry")).to_be_hidden()
    page.get_by_role("button", name="Confirm result").tap()
    expect(page.get_by_role("link", name="Rematch")).to_be_visible()
    thumb.all_recorded()
    expect(page.get_by_role("link", name="Replay and share")).to_be_visible()
    expect(page.locator("#squares")).to_be_visible()
    expect(page.locator(".entry")).to_be_hidden()
    expect(page.locator("#undo")).to_be_hidden()


# ── Dialogs ────────────────────────────────────────────────────────────────────────────────────────────────


def test_dialogs_close_by_escape_beside_them_and_by_the_back_button(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    open_recorder(page, link_to(club, "ziggurat", 6))
    address = page.url
    for leave in (
        lambda: page.keyboard.press("Escape"),
        lambda: page.touchscreen.tap(195, 20),
        page.go_back,
        lambda: page.locator("#more [data-close]").tap(),
    ):
        page.locator("#show-more").tap()
        expect(page.locator("#more[open]")).to_be_visible()
        leave()
        expect(page.locator("dialog[open]")).to_have_count(0)
        assert page.url == address
        page.wait_for_function("() => !history.state?.box")  # the history has settled


def test_a_tap_vibrates_unless_that_is_switched_off(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    page.add_init_script("window.buzzed = 0; navigator.vibrate = () => { window.buzzed += 1; return true; };")
    open_recorder(page, link_to(club, "ziggurat", 12))
    page.locator("#tray .tile").first.tap()
    page.wait_for_function("() => window.buzzed === 1")
    page.locator("#show-more").tap()
    page.get_by_label("Vibrate on a tap").uncheck()
    page.locator("#more [data-close]").tap()
    page.locator("#tray .tile").nth(1).tap()
    expect(page.locator("#held")).to_be_visible()
    assert page.evaluate("window.buzzed") == 1


# ── A new game ─────────────────────────────────────────────────────────────────────────────────────────────


def test_equal_names_and_a_wrong_number_of_players_are_reported_at_the_field(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    page.goto(f"{club.address}/new?game=ziggurat")
    page.get_by_label("Player 1").fill("Ana")
    page.get_by_label("Player 2").fill(" ana ")
    page.get_by_role("button", name="Begin").tap()
    expect(page.locator("#player2-wrong")).to_contain_text("There are two players called ana")
    expect(page.get_by_label("Player 2")).to_be_focused()
    page.get_by_label("Player 2").fill("Ben")
    page.get_by_role("button", name="Add player").tap()
    page.get_by_label("Player 3").fill("Cy")
    page.get_by_role("button", name="Begin").tap()
    expect(page.locator("#player4-wrong")).to_have_text(
        "Ziggurat is for two or four players. Name one more or take one out."
    )
    page.get_by_label("Player 3").fill("")
    page.get_by_role("button", name="Begin").tap()
    expect(page.locator("html[data-ready]")).to_be_attached()
    # The next game begins with the same people, and those who were named before.
    page.goto(f"{club.address}/new?game=zigzag")
    chips = page.locator("#people button")
    expect(chips).to_have_text(["Ana", "Ben", "Cy"])
    chips.nth(1).tap()
    chips.nth(0).tap()
    expect(page.get_by_label("Player 1")).to_have_value("Ben")
    expect(page.get_by_label("Player 2")).to_have_value("Ana")
    chips.nth(1).tap()
    expect(page.get_by_label("Player 1")).to_have_value("")


# ── Every phone ────────────────────────────────────────────────────────────────────────────────────────────


def test_long_names_and_large_text_fit_any_screen(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    links = link_to(club, "ziggurat", 20, names=LONG), link_to(club, "build-up", 10, seed=3, names=LONG)
    for (width, height), link in product([(320, 640), (390, 844), (640, 450), (1280, 900)], links):
        page.set_viewport_size({"width": width, "height": height})
        open_recorder(page, link)
        page.locator("#tray .tile").first.tap()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, link
        for name in page.locator("#seats .nm").all():
            assert name.evaluate("(name) => getComputedStyle(name).textOverflow") == "ellipsis", width
        for button in page.locator(".acts .btn:visible, .question .btn:visible:not(#elsewhere)").all():
            assert in_one_line(button), (width, button)
        page.locator("#show-moves").tap()
        page.locator("#moves .row[data-seq='9']").tap()
        verbs = page.locator("#moves .verbs .btn:not([data-player])")
        expect(verbs).to_have_text([re.compile("^Another ")] * 2 + ["Move up", "Insert before", "Delete"])
        for verb in verbs.all():
            assert in_one_line(verb), width
            box = box_of(verb)
            assert box["height"] >= 48
            assert box["x"] + box["width"] <= width
        expect(page.locator("#moves")).to_contain_text("Later moves stay. Whatever no longer fits is flagged.")
        assert page.locator("#moves").evaluate("(box) => box.scrollWidth <= box.clientWidth"), width
        page.goto("about:blank")  # else the next link is that of the open page


# ---- A phone at the table: slips, corrections, and what the players called.


def test_undo_takes_back_and_a_missed_move_is_put_in_between(phone: BrowserContext, club: Club) -> None:
    record = simulate(catalog.find("build-up"), 3)
    all_acts = entered(record)
    start = next(at for at, act in enumerate(all_acts) if isinstance(act, Stack))
    acts = all_acts[start:]
    link, record_id = club.open(record.opening, all_acts[:start])
    page = phone.new_page()
    thumb = open_recorder(page, link)
    thumb.enter(acts[0])
    thumb.enter(acts[1])
    with thumb.more():
        page.locator("#undo").tap()
    assert isinstance(club.read(record_id).events[-1], Retract)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    for button in ("#redo", "#undo"):  # what was taken back is known to the page that opens anew
        with thumb.more():
            page.locator(button).tap()
    thumb.enter(acts[2])  # out of turn: the table says that it stood
    thumb.all_recorded()
    page.locator("#show-moves").tap()
    page.locator("#moves ol [data-seq]").last.tap()
    page.get_by_role("button", name="Insert before").tap()
    thumb.enter(acts[1])
    thumb.all_recorded()
    assert isinstance(club.read(record_id).events[-1], Insert)
    assert acts_of(club.read(record_id))[start:] == acts[:3]
    page.locator("#show-moves").tap()
    page.locator("#moves ol [data-seq]").last.tap()
    with thumb.more(2):
        page.get_by_role("button", name="Move up").tap()
        expect(page.locator("#doubt h2")).to_have_text(re.compile("^Move .* before .*\\?$"))
        page.locator("#doubt [data-yes]").tap()
    assert acts_of(club.read(record_id))[start:] == [acts[0], acts[2], acts[1]]


def test_where_one_place_is_left_a_tap_lays_a_tile_as_its_key_shows_it(phone: BrowserContext, club: Club) -> None:
    record = simulate(catalog.find("ziggurat"), 3)
    acts = [act for act in entered(record) if isinstance(act, Place)]
    link, record_id = club.open(record.opening, acts[:15])  # the next one has one place, and two ways round
    page = phone.new_page()
    page.set_viewport_size({"width": 360, "height": 640})
    thumb = open_recorder(page, link)
    expect(page.locator("#squares .both .whole")).to_be_visible()
    assert page.locator("#squares .ghost").count() == 0
    name = TILES[acts[15].tile.index]
    keys = page.locator(f"#tray .ways [data-tile='{name}']")
    expect(keys).to_have_count(2)
    labels = [str(key.get_attribute("aria-label")) for key in keys.all()]
    assert [label.split()[0] for label in labels] == [str(name), f"{name.second}-{name.first}"]
    thumb.enter(acts[15])
    assert thumb.taps[-1] == ("place", 1)
    thumb.all_recorded()
    assert plain(club.read(record_id).events[-1]) == plain(acts[15])


def test_a_tile_is_dragged_to_where_it_breaks_a_rule(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    thumb.enter(acts[0])
    thumb.take(acts[1].tile)  # type: ignore[union-attr]
    start, floor = box_of(page.locator("#held")), box_of(page.locator("#squares .floor"))
    page.mouse.move(start["x"] + 20, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(floor["x"] + 8, floor["y"] + 8, steps=4)
    expect(page.locator(".dragged")).to_be_visible()
    page.mouse.up()
    expect(page.locator(".dragged")).to_have_count(0)
    with thumb.more():
        page.locator("#doubt [data-yes]").tap()
    last = club.read(record_id).events[-1]
    assert isinstance(last, Place)
    assert last.tile.index == acts[1].tile.index  # type: ignore[union-attr]


def test_a_game_that_is_left_can_be_resumed(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    thumb.enter(acts[0])
    thumb.all_recorded()
    page.locator("#show-more").tap()
    page.locator("#more-abandon").tap()
    with thumb.more():
        page.get_by_role("button", name="Yes, close it").tap()
    expect(page.locator("#panels")).to_contain_text("Game left unfinished")
    page.locator("#show-moves").tap()
    expect(page.locator("#moves li").last).to_contain_text("Game left unfinished")
    page.locator("#moves [data-close]").first.tap()
    with thumb.more():
        page.get_by_role("button", name="Resume the game").tap()
    assert isinstance(club.read(record_id).events[-1], Retract)
    expect(page.locator("#panels")).not_to_contain_text("unfinished")
    thumb.enter(acts[1])
    thumb.all_recorded()
    assert acts_of(club.read(record_id))[-2:] == [plain(act) for act in acts[:2]]


def test_what_the_table_called_is_recorded_beside_what_counts(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    same, hint = page.locator("#called [data-called=same]"), page.locator("#hint")
    for act in acts:
        thumb.enter(act)
        thumb.all_recorded()
        thumb.wait_until_sure()
        if same.count():
            break
        assert page.locator("#last .pts").count() == 0
    counted = int(page.locator("#last .pts").inner_text())
    assert same.inner_text().split() == ["=", str(counted)]
    expect(hint).to_contain_text("called it as counted")
    with thumb.more():
        same.tap()
    last = club.read(record_id).events[-1]
    assert isinstance(last, Amend)
    assert isinstance(last.event, Place)
    assert last.event.points == counted
    expect(page.locator("#called")).to_be_hidden()
    with thumb.more():
        page.locator("#undo").tap()
    expect(same).to_be_visible()
    expect(hint).not_to_contain_text("called it as counted")  # it is explained once
    page.locator("#called [data-called=other]").tap()
    expect(page.locator("[data-claim=points] input")).to_be_focused()
    page.keyboard.type(str(counted + 1))
    with thumb.more():
        page.keyboard.press("Enter")
    expect(page.locator("#last .flag")).to_be_visible()
    for claim, field, words in (("score", "points.ana", "3"), ("note", "text", "<b>Tea</b>")):
        page.locator("#show-calls").tap()
        page.locator(f"[data-claim={claim}] [name='{field}']").fill(words)
        with thumb.more():
            page.locator(f"[data-claim={claim}] button").tap()
    page.locator("#show-moves").tap()
    expect(page.locator("#moves")).to_contain_text("<b>Tea</b>")


def test_the_table_and_its_dialogs_have_no_serious_accessibility_fault(table: Table) -> None:
    page, thumb, _record_id, acts = table
    thumb.enter(acts[0])
    thumb.tile(acts[1].tile)  # type: ignore[union-attr]
    for press in ("", "#show-moves", "#show-calls", "#show-more"):
        if press:
            page.locator(press).tap()
            expect(page.locator("dialog[open]")).to_be_visible()
        _axe(page, press)
        if press:
            page.locator("dialog[open] [data-close]").first.tap()


def _axe(page: Page, where: str) -> None:
    """Asserts that axe finds nothing by day, and by night no colour that is hard to see: nothing else differs."""
    by_scheme: dict[Any, dict[str, Any]] = {"dark": {"runOnly": ["color-contrast"]}, "light": {}}
    for scheme, only in by_scheme.items():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # a box that fades in has no contrast yet
        response = Axe().run(page, options={"resultTypes": ["violations"], **only}).response
        assert response["passes"], (where, scheme)
        grave = [one["id"] for one in response["violations"] if one["impact"] in ("serious", "critical")]
        assert grave == [], (where, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, where


def test_what_is_pressed_at_the_table_fits_a_thumb(table: Table) -> None:
    page, _thumb, _record_id, acts = table
    assert acts
    for button in page.locator(
        "header a:visible, header button:visible, main button:visible, .acts button:visible"
    ).all():
        box = box_of(button)
        assert min(box["width"], box["height"]) >= 48, button.inner_html()


def test_what_a_reader_opened_stays_open_while_it_is_the_same(table: Table) -> None:
    page, *_ = table
    kept = page.evaluate(
        """async () => {
            const { fill } = await import("/phone/static/pieces/markup.js");
            const box = document.body.appendChild(document.createElement("div"));
            const list = (text) => `<details><summary>More</summary><p>${text}</p></details>`;
            fill(box, list("one"));
            box.firstChild.open = true;
            fill(box, list("one"));
            const { open } = box.firstChild;
            fill(box, list("two"));
            return [open, box.querySelector("p").textContent];
        }"""
    )
    assert kept == [True, "two"]


LATE = """() => {
  const back = history.back.bind(history);
  history.back = () => setTimeout(back, 600);
  addEventListener("popstate", () => { document.documentElement.dataset.went = "back"; });
}"""
"""A browser that is busy goes back later than it was asked to."""


def test_the_next_game_stays_open_when_the_menu_leaves_the_history_late(table: Table, phone: BrowserContext) -> None:
    page, thumb, _record_id, acts = table
    phone.set_offline(True)
    thumb.cut_off = True
    thumb.enter(acts[0])
    expect(page.locator("#sync")).to_have_text("1 waits here")
    page.evaluate(LATE)
    page.locator("#show-more").tap()
    page.locator("#more-new").tap()
    page.wait_for_selector("html[data-went=back]")
    expect(page).to_have_url(re.compile("/new$"))
    expect(page.locator("html")).to_have_attribute("data-view", "begin")


# ---- Two phones that record the same game, and phones that only watch.


def test_what_both_have_recorded_is_recorded_once_and_nobody_is_asked(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    page.route("**/exchange", lose_request)
    thumb.enter(acts[0])  # the other phone records the same
    thumb.enter(acts[1])
    with SqliteStore(club.path) as store:
        Recorder(store).append(record_id, acts[0])
    page.unroute("**/exchange")
    expect(page.locator("#last")).to_contain_text("On both phones, recorded once")
    thumb.all_recorded()
    expect(page.locator(".banner[role=alert]")).to_have_count(0)
    assert_recorded(club, record_id, acts[:2])


@pytest.mark.parametrize("choice", ["theirs", "mine"])
def test_two_acts_for_one_turn_are_drawn_and_one_tap_decides(table: Table, club: Club, choice: str) -> None:
    page, thumb, record_id, acts = table
    theirs = replace(acts[0], tile=acts[2].tile)  # type: ignore[call-arg, union-attr]  # another tile of Ana's
    page.route("**/exchange", lose_request)
    thumb.enter(acts[0])
    thumb.enter(acts[1])
    with SqliteStore(club.path) as store:
        Recorder(store).append(record_id, theirs)
    page.unroute("**/exchange")
    banner = page.locator(".versions")
    expect(page.locator("#sync")).to_have_text("Two versions")
    expect(banner.locator("h2")).to_have_text(re.compile("^Ana\u2019s move: .* or .*\\?$"))
    expect(banner).to_contain_text("Both cannot be.")
    for what in ("theirs", "mine"):
        expect(banner.locator(f"[data-id={what}] svg .ring-ink")).to_have_count(1)
    assert_recorded(club, record_id, [theirs])
    address = page.url
    page.goto(f"{club.address}/on-this-phone")
    expect(page.locator("#held .where")).to_have_text("Two versions: open it, and choose what happened.")
    page.goto(address)
    banner.locator(f"[data-id={choice}]").tap()
    thumb.all_recorded()
    expect(banner).to_have_count(0)
    first = theirs if choice == "theirs" else acts[0]
    assert acts_of(club.read(record_id))[2:] == [plain(first), plain(acts[1])]


def test_two_tabs_of_one_phone_share_what_waits_and_never_fork(table: Table, club: Club, phone: BrowserContext) -> None:
    page, thumb, record_id, acts = table
    other = open_recorder(phone.new_page(), f"{club.address}/r/{record_id}")
    phone.set_offline(True)
    thumb.cut_off = other.cut_off = True
    for count, (tab, act) in enumerate(zip((thumb, other, thumb, other), acts, strict=False), 1):
        for one in (page, other.page):
            expect(one.locator("#sync")).to_have_attribute("data-total", str(count + 2))
        tab.page.bring_to_front()
        tab.enter(act)
    for one in (page, other.page):
        expect(one.locator("#sync")).to_have_text("4 wait here")
    phone.set_offline(False)
    thumb.all_recorded()
    other.all_recorded()
    assert_recorded(club, record_id, acts[:4])


def test_a_watcher_cannot_write(phone: BrowserContext, table: Table, club: Club, browser: Browser) -> None:
    _page, _thumb, record_id, acts = table
    stranger = browser.new_context(**PHONE)  # type: ignore[arg-type]
    stranger.add_init_script(BARE)
    page = stranger.new_page()
    thumb = open_recorder(page, f"{club.address}/r/{record_id}")
    expect(page.locator("#sync")).to_contain_text("Live")
    thumb.choose(acts[0])
    thumb.act(acts[0])
    expect(page.locator("#hint")).to_contain_text("This phone only watches")
    expect(page.locator("#sync")).to_contain_text("Live")
    assert_recorded(club, record_id, [])
    stranger.close()
    assert phone.pages


def test_a_phone_whose_link_was_ended_says_so_and_goes_on_with_a_new_one(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    with SqliteStore(club.path) as store:
        (link,) = store.kept(Key, record_id)
        end_link(store, record_id, link.digest)
    thumb.enter(acts[0])
    expect(page.locator("#sync")).to_have_text("1 waits here")
    expect(page.locator("#panels")).to_contain_text(
        "1 entry waits on this phone. This link does not record: the owner has ended it, or it is for watching only. "
        "Ask the owner of the ledger for a new recorder\u2019s link."
    )
    assert_recorded(club, record_id, [])
    with SqliteStore(club.path) as store:
        key = new_link(store, record_id, "record")
    page.goto(f"{club.address}/r/{record_id}#{key}")
    page.reload()  # only the fragment changed
    thumb.all_recorded()
    assert_recorded(club, record_id, acts[:1])


def test_where_a_ledger_is_only_shown_an_entry_stays_on_the_phone(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    club.kill()
    club.start("--read-only")
    thumb.enter(acts[0])
    expect(page.locator("#sync")).to_have_text("1 waits here")
    expect(page.locator("#panels")).to_contain_text("This ledger is read-only")
    assert_recorded(club, record_id, [])
    club.kill()
    club.start()
    page.reload()
    thumb.all_recorded()
    assert_recorded(club, record_id, acts[:1])


def test_a_ledger_that_was_set_back_gets_the_rest_back(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    copy = club.path.with_name("copy.sqlite")
    with SqliteStore(club.path) as store:
        store.connection.copy_to(copy)
    thumb.enter(acts[0])
    thumb.all_recorded()
    before = links(club, record_id)
    club.kill()
    for part in club.path.parent.glob("club.sqlite*"):
        part.unlink()
    copy.rename(club.path)
    club.start()
    # The stream tells the page that the ledger has less, and the page hands in the rest: without a tap.
    wait_until(lambda: links(club, record_id) == before, "the entry is there again")
    expect(page.locator("#sync")).to_have_text("Saved")
    expect(page.locator(".banner[role=alert]")).to_have_count(0)
    thumb.enter(acts[1])
    thumb.all_recorded()
    assert_recorded(club, record_id, acts[:2])


def links(club: Club, record_id: str) -> list[bytes]:
    """The chain of a record."""
    with SqliteStore(club.path) as store:
        return [entry.link for entry in store.log(of=record_id)]


def test_an_unknown_game_is_reported(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    answer = page.goto(f"{club.address}/r/zzzzzzzzzz")
    assert answer is not None
    assert answer.status == 404
    expect(page.locator("#status")).to_contain_text("There is no game “zzzzzzzzzz” in this ledger")
    expect(page.locator("#undo")).to_be_hidden()


# ---- Without rules and without an answer nobody knows whose turn it is: the page asks.


@pytest.mark.parametrize(
    ("name", "players", "edition"),
    [("ziggurat", 2, None), ("zigzag", 3, None), ("domino-ziggurat", 3, "2"), ("build-up", 2, None)],
)
def test_without_rules_and_network_no_seat_is_marked(
    phone: BrowserContext, club: Club, name: str, players: int, edition: str | None
) -> None:
    record = simulate(catalog.find(name), 3, players=players, edition=edition)
    acts = entered(record)
    plays = [isinstance(act, Place | e.Play | Stack | Bid) for act in acts]
    first = next(n for n in range(6, len(acts)) if all(plays[n : n + 5]))
    link, record_id = club.open(record.opening, acts[:first])
    page = phone.new_page()
    thumb = open_recorder(page, link)
    phone.set_offline(True)
    thumb.cut_off = True
    thumb.enter(acts[first])  # by the ledger's last answer, which knew whose turn it was
    for act in acts[first + 1 : first + 5]:
        expect(page.locator("#ask")).to_have_text("Who plays?")
        expect(page.locator("#seats [aria-pressed=true]")).to_have_count(0)
        expect(page.locator("#whose button")).to_have_count(len(record.opening.players))
        for keys in ("#tray", "#pad", "#bids", "#pass"):
            expect(page.locator(keys)).to_be_hidden()
        expect(page.locator("#status")).to_have_text(f"The ledger\u2019s last table: move {first}")
        thumb.enter(act)
    phone.set_offline(False)
    thumb.all_recorded()
    expect(page.locator("#whose button")).to_have_count(0)
    assert acts_of(club.read(record_id))[first:] == [plain(act) for act in acts[first : first + 5]]


def _player(act: Correctable) -> str:
    assert isinstance(act, Place | Draw)
    return act.player


@pytest.mark.parametrize(
    ("name", "players", "edition"), [("ziggurat", 2, None), ("domino-ziggurat", 3, "2")], ids=["ziggurat", "gale"]
)
@pytest.mark.parametrize("answer", ["by-turn", "as-entered"])
def test_what_was_entered_for_the_wrong_seat_is_asked_about_when_the_ledger_is_back(
    phone: BrowserContext, club: Club, name: str, players: int, edition: str | None, answer: str
) -> None:
    record = simulate(catalog.find(name), 3, players=players, edition=edition)
    acts = [act for act in entered(record) if not isinstance(act, Deal)]  # whose hand is written has no other tiles
    runs = {n: acts[n : n + 4] for n in range(6, len(acts) - 4)}
    first, run = next(
        (n, run)
        for n, run in runs.items()
        if all(isinstance(act, Place | Draw) for act in run) and len({_player(act) for act in run}) > 1
    )
    same = [replace(act, player=_player(run[0])) for act in run]  # type: ignore[call-arg]  # both kinds have one
    link, record_id = club.open(record.opening, acts[:first])
    page = phone.new_page()
    thumb = open_recorder(page, link)
    phone.set_offline(True)
    thumb.cut_off = True
    for act in same:
        thumb.enter(act)
    phone.set_offline(False)
    thumb.cut_off = False
    thumb.all_recorded()
    question = page.locator(".blind")
    expect(question.locator("h2")).to_have_text(re.compile(r" three times running: .*\?$"))
    expect(question.locator("li")).to_have_count(3)
    page.locator(f"[data-panel={answer}]").tap()
    expect(question).to_have_count(0)
    thumb.all_recorded()
    wanted = run if answer == "by-turn" else same
    assert acts_of(club.read(record_id))[first:] == [plain(act) for act in wanted]


# ---- An entry of long ago was wrong in one thing: only that is entered again.


SIZE = {"width": 360, "height": 640}


def opened(
    phone: BrowserContext, club: Club, acts: list[Correctable], opening: object, at: int
) -> tuple[Page, Thumb, str]:
    """The recorder of a game with its list of moves, in which the entry of an act is open after one tap."""
    link, record_id = club.open(opening, acts)  # type: ignore[arg-type]
    page = phone.new_page()
    page.set_viewport_size(SIZE)
    thumb = open_recorder(page, link)
    page.locator("#show-moves").tap()
    page.locator(f"#moves ol [data-seq='{at + 1}']").tap()
    return page, thumb, record_id


@pytest.mark.parametrize("name", ["ziggurat", "build-up", "zigzag", "domino-ziggurat"])
def test_it_was_ben_is_two_taps(phone: BrowserContext, club: Club, name: str) -> None:
    edition = "2" if name == "domino-ziggurat" else None
    record = simulate(catalog.find(name), 3, players=2 + (name == "zigzag"), edition=edition)
    acts = entered(record)[:24]
    at = next(n for n, act in enumerate(acts) if n > 5 and not isinstance(act, Pass) and hasattr(act, "tile"))
    ids = [player.id for player in record.opening.players]
    names = [player.name for player in record.opening.players]
    right = acts[at].player  # type: ignore[union-attr]
    wrong = next(one for one in ids if one != right)
    acts[at] = replace(acts[at], player=wrong)  # type: ignore[call-arg]
    page, thumb, record_id = opened(phone, club, acts, record.opening, at)
    key = page.locator(f"#moves [data-do=seat][data-player='{right}']")
    expect(key).to_have_text(f"{names[ids.index(right)][0]}{names[ids.index(right)]}, not {names[ids.index(wrong)]}")
    with thumb.more():
        key.tap()
    after = club.read(record_id).events[-1]
    assert isinstance(after, Amend)
    assert after.event == replace(acts[at], player=right)  # type: ignore[call-arg]


# ---- A finger that slides over the pad, on a real touch screen: one touch names a tile.


@phone_with(RULES_ALONE)
def test_a_slide_from_one_number_to_another_names_a_tile_and_scrolls_nothing(phone: BrowserContext, club: Club) -> None:
    link, _id = club.open(simulate(catalog.find("ziggurat"), 2, {"set": 12}).opening)
    page = phone.new_page()
    open_recorder(page, link)
    expect(page.locator("#ask")).to_have_attribute("data-kind", "place")
    touch = phone.new_cdp_session(page)

    def put(kind: str, *point: float) -> None:
        points = [{"x": point[0], "y": point[1]}] if point else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    (x, y), (u, v) = (
        (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for number in (5, 11)
        if (box := page.locator(f"#pad [data-number='{number}']").bounding_box())
    )
    put("touchStart", x, y)
    for part in range(1, 9):
        put("touchMove", x + (u - x) * part / 8, y + (v - y) * part / 8)
    expect(page.locator("#pad [data-number='5']")).to_have_attribute("aria-pressed", "true")
    put("touchEnd")
    expect(page.locator("#held")).to_have_attribute("data-tile", "5-11")
    assert page.evaluate("scrollY") == 0


# ---- The day of a game is the day of the person who begins it, wherever the server stands.


def test_a_game_and_a_card_have_the_day_of_the_phone(browser: Browser, club: Club) -> None:
    # Friday evening in Los Angeles; the server's day is another one, whatever it is.
    context = browser.new_context(timezone_id="America/Los_Angeles", locale="en-US", service_workers="block")
    context.add_init_script(BARE)
    page = context.new_page()
    page.clock.set_fixed_time("2024-03-02T04:30:00Z")
    page.goto(f"{club.address}/new?game=zigzag")
    for seat, name in enumerate(("Ana", "Ben", "Cy"), 1):
        page.get_by_label(f"Player {seat}").fill(name)
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#ask")).to_be_visible()
    page.goto(f"{club.address}/card")
    expect(page.get_by_label("Day")).to_have_value("2024-03-01")
    page.get_by_label("Game").fill("Mexican Train")
    page.get_by_label("Names, and scores").fill("Ana 12\nBen 40")
    page.get_by_role("button", name="Keep these scores").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Mexican Train")
    page.goto(club.address)
    expect(page.locator(".card.game time")).to_have_text("today")
    page.clock.set_fixed_time("2024-02-28T20:00:00Z")
    page.reload()
    expect(page.locator(".card.game time")).to_have_text("Mar 1")
    with SqliteStore(club.path) as store:
        assert {row.played for row in store.find(Query())} == {"2024-03-01"}
    context.close()


# ---- A phone of 390 by 844 at 200 % has 195 by 422 pixels of CSS: nothing scrolls sideways, no button is hidden.


WIDTH, HEIGHT = 195, 422
REPLAYS = ("ziggurat.ending-single-place", "large", "build-up.cover-tile-broken", "zigzag.all-pass-kept")
PAGES = ("/", "/?page=1", "/players", *(f"/g/{name}" for name in REPLAYS))


def fits(page: Page, buttons: Locator) -> None:
    """Asserts that the page does not scroll sideways and that no box hides one of the buttons."""
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH, page.url
    for button in buttons.all():
        place = box_of(button)
        assert place["x"] >= 0, (button, page.url)
        assert place["x"] + place["width"] <= WIDTH, (button, page.url)


@at_width("phone")
@pytest.mark.usefixtures("quiet")
def test_a_page_needs_no_sideways_scrolling(page: Page, address: str) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    for path in PAGES:
        page.goto(f"{address}{path}")
        if path.startswith("/g/"):
            page.wait_for_selector("html[data-ready]")
        fits(page, page.locator(":is(header,main) :is(.btn,.chip,.seg button):visible"))


def test_the_recorder_needs_no_sideways_scrolling(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    for game, count in (("ziggurat", 8), ("zigzag", 20), ("build-up", 9), ("domino-ziggurat", 9)):
        open_recorder(page, link_to(club, game, count, names=LONG if game == "ziggurat" else ()))
        fits(page, page.locator("button:visible"))
        question, keys = page.locator(".question"), page.locator("#tray:visible, #pad:visible, #bids:visible").last
        page.evaluate("document.documentElement.scrollTo(0, 0)")
        stage = box_of(page.locator("#stage"))
        assert stage["height"] >= HEIGHT / 4, game
        page.locator(".entry").evaluate("(entry) => entry.scrollIntoView({ block: 'start' })")
        bar, first, last = box_of(page.locator(".acts")), box_of(question), box_of(keys)
        assert first["y"] >= -1, game
        assert last["y"] + last["height"] <= bar["y"] + 1, game


# ---- The rules on a recorder's phone say which slip explains the game's mistakes, and one tap corrects it.


BOOT = 120_000
"""Milliseconds for Python to start on a busy machine."""


@phone_with(RULES_ALONE)
def test_the_phone_explains_and_one_tap_corrects_without_a_network(phone: BrowserContext, club: Club) -> None:
    slip = plant("ziggurat", "wrong-place", 1)
    assert slip
    opening, *events = slip.record.events
    assert isinstance(opening, Open)
    link, record_id = club.open(replace(opening, when=None))
    with SqliteStore(club.path) as store:
        store.append(record_id, 1, [event for event in events if not isinstance(event, Close)])
        version = store.version(record_id)
    page = phone.new_page()
    open_recorder(page, link)
    slips = page.locator("#misfits .slip")
    expect(slips).to_have_count(1, timeout=BOOT)
    expect(slips).to_contain_text("One mistake. If ")
    expect(slips).to_contain_text("nothing else would be wrong")
    expect(slips.get_by_text("follow from it")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # Below the keys nobody would look for it: a flag stands on "Moves", and the list begins with the mistake.
    expect(page.locator("#show-moves .flag")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Moves with mistakes").tap()
    listed = page.locator("#moves .slip")
    expect(listed).to_be_in_viewport(ratio=1)
    listed.get_by_text("follow from it").tap()
    phone.set_offline(True)
    listed.get_by_role("button", name="Correct it").first.tap()
    expect(listed).to_have_count(0, timeout=BOOT)
    page.locator("#moves").get_by_role("button", name="Close").tap()
    expect(page.locator("#show-moves .flag")).to_be_hidden()
    expect(page.locator("#misfits .bad-news")).to_have_count(0, timeout=BOOT)
    phone.set_offline(False)
    expect(page.locator("#sync")).to_have_text("Saved", timeout=BOOT)
    correction = club.read(record_id).events[version]
    assert isinstance(correction, Amend | Insert | Retract)
    assert correction.why == "this explains the findings"
    assert correction.when
    page.get_by_role("button", name="Undo").tap()
    expect(slips).to_have_count(1, timeout=BOOT)
