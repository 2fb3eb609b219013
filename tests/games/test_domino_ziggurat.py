"""Domino Ziggurat by hand: where a domino may lie, and what a lift costs."""

from __future__ import annotations

import pytest

from golden import CASES, review_of
from ledger.events import kind
from ledger.games.domino_ziggurat import GAME
from ledger.games.domino_ziggurat.designs import designs
from ledger.games.domino_ziggurat.tiers import TIERS
from ledger.grid import level_of
from ledger.record import effective
from ledger.replay import steps_to_judge
from ledger.reports import outcome
from ledger.review import Review
from sheets import grave, report, review

HEAD = "Game: domino-ziggurat\nEdition: 1.1\nPlayers: A Ana\n"
DRAWN = "\nA draws 1-5\nA draws 1-4\nA draws 3-4"
BUILT = DRAWN + "\nA 1-5 2,1n\nA draws 3-2\nA 4-1 0,1e\nA draws 0-0\nA 4-3 0,2e\nA draws 5-5"

WRONG = {
    "a fourth tile": (DRAWN + "\nA draws 0-0", [(4, "domino-ziggurat.hand", "breach")]),
    "a tile that is not in the hand": (DRAWN + "\nA 6-6 0,0e", [(4, "domino-ziggurat.hand", "breach")]),
    "outside the foundation": (DRAWN + "\nA 1-5 5,0e", [(4, "domino-ziggurat.foundation", "breach")]),
    "outside its tier": (
        BUILT + "\nA 5-5 0,1e L2", [(10, "domino-ziggurat.tier", "breach"), (10, "domino-ziggurat.match", "breach")],
    ),
    "on nothing": (
        BUILT + "\nA 5-5 3,3e L2",
        [(10, "domino-ziggurat.support", "breach"), (10, "domino-ziggurat.match", "breach")],
    ),
    "no greater than what is below": (
        BUILT + "\nA 0-0 1,1e L2", [(10, "domino-ziggurat.greater", "breach"), (10, "domino-ziggurat.match", "breach")],
    ),
    "beside nothing equal": (DRAWN + "\nA 1-5 2,1n\nA 3-4 3,0e", [(5, "domino-ziggurat.match", "breach")]),
    "where another lies": (DRAWN + "\nA 1-5 2,1n\nA 1-4 2,0e", [(5, "domino-ziggurat.occupied", "impossible")]),
    "lifting what is not there": (DRAWN + "\nA lifts 1-5", [(4, "domino-ziggurat.lift", "impossible")]),
    "lifting what something rests on": (
        BUILT + "\nA 3-2 1,1e L2\nA lifts 4-1", [(11, "domino-ziggurat.lift", "impossible")],
    ),
    "a cheat not counted": (BUILT + "\nA lifts 4-3\ncheats 0", [(11, "domino-ziggurat.cheats", "breach")]),
    "a title for a ruin": (
        BUILT + "\nresult: A as Master Architect",
        [(10, "domino-ziggurat.finish", "breach")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_a_breach_is_found_at_its_event_by_its_clause(what: str) -> None:
    played, found = WRONG[what]
    assert sorted(finding for finding in grave(HEAD + played) if finding[2] != "unproven") == sorted(found)


def test_the_worked_example_is_legal() -> None:
    assert grave(HEAD + BUILT + "\nA 3-2 1,1e L2") == []


def test_a_domino_lifted_twice_counts_by_a_ruling_once() -> None:
    twice = BUILT + "\nA 3-2 1,1e L2" + "\nA lifts 3-2\nA 3-2 1,1e L2" * 2
    assert report(HEAD + twice).scores == {"ana": 2}
    assert report(HEAD + "Options: cheat_count = each-domino\n" + twice).scores == {"ana": 1}


def test_a_lift_goes_back_at_once_by_a_ruling() -> None:
    late = BUILT + "\nA lifts 4-3\nA 3-2 1,1e L2"
    assert (11, "domino-ziggurat.lift", "breach") in grave(HEAD + "Options: put_back = at-once\n" + late)
    assert (11, "domino-ziggurat.lift", "breach") not in grave(HEAD + late)


def test_edition_2_is_for_any_number_in_any_order() -> None:
    two = "Game: domino-ziggurat\nEdition: 2\nPlayers: A Ana, B Ben\n"
    assert grave(two + DRAWN + "\nB 1-5 2,1n\nB 1-4 1,1w") == []
    assert report(two + DRAWN).scores == {"ana": 0, "ben": 0}


def test_a_finished_ziggurat_has_18_8_and_2_dominoes_and_so_have_the_known_designs() -> None:
    known = (*designs(top=True), *designs(top=False))
    for design in known:
        tiers = [level_of(place.squares[0]) for place in design.places.values()]
        assert {tier: tiers.count(tier) for tier in TIERS} == TIERS
        for at, pips in design.halves.items():
            assert pips > design.halves.get(at - (1 << 24), -1)
    assert len({design.marks for design in known}) == len(known) == 16


def test_a_title_stands_beside_the_breaches_that_remain() -> None:
    for path in CASES:
        if path.stem == "title-broken":
            found = review_of(path)
            assert found.report.title
            assert outcome(found).endswith(f"{found.report.title}, though breaches remain")
            clean = Review(found.record.__class__(found.record.events[: found.report.findings[0].seq]))
            assert outcome(clean).endswith(str(found.report.title))


def test_what_is_lifted_is_shown() -> None:
    found = review(HEAD + BUILT + "\nA lifts 4-3")
    assert any("lifted" in str(area) for area in found.scene().areas)


def sparse(sheet: str) -> tuple[list[str], set[str]]:
    """What an audit takes in single steps after the opening, and the rulings that it heard of from strides."""
    found, touched = review(sheet), set[str]()
    some, _last = steps_to_judge(GAME, GAME.opening(found.record.opening), effective(found.record.events), touched)
    return [kind(step.event) for step in some[1:]], touched


def test_a_stride_says_which_rulings_what_it_passes_over_rests_on() -> None:
    assert sparse(HEAD + BUILT) == (["draw"], set())
    again = BUILT + "\nA 3-2 1,1e L2\nA lifts 4-3\nA 4-3 0,2e\nA lifts 4-3\nA 5-5 3,0e"
    assert sparse(HEAD + again) == (["draw"], {"adjacency", "cheat_count", "put_back"})
    alone = DRAWN + "\nA 1-5 2,1n\nA lifts 1-5\nA 1-5 2,1n"
    assert sparse(HEAD + alone) == (["draw"], {"put_back_match"})
    assert report(HEAD + alone).rulings == {"put_back_match": True}


def test_a_stride_leaves_the_first_draw_since_without_any_the_hand_is_not_known() -> None:
    undrawn = "\nA 1-5 2,1n\nA 1-4 1,1w\nA lifts 1-4\nA 1-4 1,1w"
    steps, _touched = sparse(HEAD + undrawn)
    assert steps == ["place", "place"]
    assert [finding.verdict for finding in report(HEAD + undrawn).findings] == ["unproven"]
