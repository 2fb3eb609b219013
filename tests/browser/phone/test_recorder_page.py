"""The recorder's page as people see it: nothing cut off, nothing jumping, and every state says what to do next."""

import re
from itertools import product

from at_table import open_recorder
from club import Club, box_of, entered, link_to, wait_for_frames
from playwright.sync_api import BrowserContext, Locator, expect
from thumb import SECOND_TAP

from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import Bid, Deal, Open, Place, Player, Stack

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
        Open("zigzag", players=tuple(Player(id=i, name=i.title()) for i in ("ana", "ben", "cy")))
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
    page.get_by_label("Player 1").focus()
    expect(page.locator("#player2-wrong")).to_contain_text("There are two players called ana")
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
    # The next game begins with the same people.
    page.goto(f"{club.address}/new?game=zigzag")
    chips = page.locator("#people button")
    expect(chips).to_have_text(["Ana", "Ben"])
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
