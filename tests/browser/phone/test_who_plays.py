"""Without rules and without an answer nobody knows whose turn it is: the page asks."""

import re

import pytest
from at_table import acts_of, open_recorder, plain
from club import Club, entered
from msgspec.structs import replace
from playwright.sync_api import BrowserContext, expect

from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import Bid, Correctable, Deal, Draw, Place, Play, Stack


@pytest.mark.parametrize(
    ("name", "players", "edition"),
    [("ziggurat", 2, None), ("zigzag", 3, None), ("domino-ziggurat", 3, "2"), ("build-up", 2, None)],
)
def test_without_rules_and_network_no_seat_is_marked(
    phone: BrowserContext, club: Club, name: str, players: int, edition: str | None
) -> None:
    record = simulate(catalog.find(name), 3, players=players, edition=edition)
    acts = entered(record)
    plays = [isinstance(act, Place | Play | Stack | Bid) for act in acts]
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
