"""Domino Ziggurat by hand: where a domino may lie, and what a lift costs."""

import pytest
from msgspec.structs import replace

from golden import CASES, review_of
from ledger.audit.auditor import audit
from ledger.audit.reports import outcome
from ledger.audit.review import Review
from ledger.games.domino_ziggurat import GAME
from ledger.games.domino_ziggurat.choices import designs
from ledger.games.domino_ziggurat.clauses import TITLES, after_end, cheats, points, title_of
from ledger.games.domino_ziggurat.tiers import TIERS
from ledger.play.simulate import simulate
from ledger.record.events import Cheats, Correctable, Draw, Lift, Place
from ledger.record.grid import level_of
from ledger.record.scene import Grid
from ledger.record.tiles import named
from ledger.rules.game import Points
from sheets import grave, of, report, review

HEAD = "Game: domino-ziggurat\nEdition: 1.1\nPlayers: A Ana\n"
DRAWN = "\nA draws 1-5\nA draws 1-4\nA draws 3-4"
BUILT = DRAWN + "\nA 1-5 c5-c6\nA draws 3-2\nA 4-1 a5-b5\nA draws 0-0\nA 4-3 a4-b4\nA draws 5-5"

SLIPS = {
    "what does not lie there is lifted": (DRAWN + "\nA lifts 1-5", [(4, "domino-ziggurat.lift", "impossible")]),
    "a domino under a name of no set, others above and beside it": (
        DRAWN + "\nA 1-5 c5-c6\nA draws 3-2\nA 4-9 a5-b5\nA draws 0-0\nA 4-3 a4-b4\nA 3-2 b5-c5 L2\nA 0-0 a6-b6",
        [(6, "tiles.in-set", "impossible")],
    ),
    "a domino under the name of another, lifted under its own": (
        DRAWN + "\nA 1-5 c5-c6\nA draws 3-2\nA 5-1 a5-b5\nA draws 0-0\nA lifts 4-1\nA 4-1 a5-b5\nA 4-3 a4-b4",
        [(6, "tiles.once", "impossible")],
    ),
    "a draw written twice in a row": (
        DRAWN + "\nA draws 3-4\nA 1-5 c5-c6\nA draws 0-0", [(4, "tiles.once", "impossible")],
    ),
    "a place written twice, a claim between": (
        DRAWN + "\nA 1-5 c5-c6\ncheats 0\nA 1-5 c5-c6\nA draws 0-0", [(6, "tiles.once", "impossible")],
    ),
    "the same domino named the other way round": (
        DRAWN + "\nA 1-5 c5-c6\nA 5-1 c6-c5\nA draws 0-0", [(5, "tiles.once", "impossible")],
    ),
    "a lift written twice": (
        DRAWN + "\nA 1-5 c5-c6\nA lifts 1-5\nA lifts 1-5\nA 1-5 c5-c6", [(6, "tiles.once", "impossible")],
    ),
    "a tile that is drawn again later, for another": (
        "\nA draws 1-5\nA draws 1-6\nA draws 3-4\nA 1-5 c5-c6\nA draws 1-6\nA 4-1 a5-b5\nA draws 0-0",
        [(5, "tiles.once", "impossible")],
    ),
    "a tile of no set is drawn, and played as what it is": (
        "\nA draws 1-5\nA draws 1-9\nA draws 3-4\nA 1-5 c5-c6\nA draws 1-6\nA 4-1 a5-b5\nA draws 0-0",
        [(2, "tiles.in-set", "impossible")],
    ),
    "a wrong name, which is drawn later": (
        DRAWN + "\nA 1-5 c5-c6\nA draws 3-2\nA 2-1 a5-b5\nA draws 2-1\nA 4-3 a4-b4\nA draws 0-0\nA 1-2 d5-e5",
        [(6, "domino-ziggurat.hand", "breach")],
    ),
    "a draw under a wrong name, which is drawn later": (
        "\nA draws 1-5\nA draws 1-6\nA draws 3-4\nA 1-5 c5-c6\nA draws 3-2\nA 4-1 a5-b5\nA draws 1-6\nA 1-6 d5-d4",
        [(7, "tiles.once", "impossible")],
    ),
    "a domino that nobody wrote down: the hand stays too large": (
        BUILT + "\nA draws 6-6\nA 5-5 d6-d5\nA draws 1-1\nA 1-1 c4-c3\nA draws 2-2",
        [(10, "domino-ziggurat.hand", "breach")],
    ),
    "a domino that nobody wrote down is lifted": (
        BUILT + "\nA draws 6-6\nA lifts 5-5\ncheats 1\nA 5-5 d6-d5\nA draws 1-1",
        [(10, "domino-ziggurat.hand", "breach"), (14, "domino-ziggurat.hand", "breach")],
    ),
    "a hand that grows once more": (
        BUILT + "\nA draws 6-6\nA draws 1-1",
        [(10, "domino-ziggurat.hand", "breach"), (11, "domino-ziggurat.hand", "breach")],
    ),
    "two tiles drawn before the first domino": (
        "\nA draws 1-5\nA draws 1-4\nA 1-5 c5-c6\nA draws 3-4\nA draws 3-2\nA 4-1 a5-b5",
        [(3, "domino-ziggurat.hand.first", "breach")],
    ),
    "a draw forgotten before the first domino": (
        "\nA draws 1-5\nA draws 3-4\nA 1-5 c5-c6\nA draws 3-2\nA 4-1 a5-b5",
        [(3, "domino-ziggurat.hand.first", "breach")],
    ),
    "a draw forgotten later": (
        DRAWN + "\nA 1-5 c5-c6\nA 4-1 a5-b5\nA draws 0-0\nA 1-2 d5-e5", [(7, "domino-ziggurat.hand", "breach")],
    ),
    "nothing drawn before the first domino": (
        "\nA 1-5 c5-c6\nA draws 1-4\nA draws 3-4\nA draws 0-0\nA 4-1 a5-b5",
        [(1, "domino-ziggurat.hand.first", "breach")],
    ),
    "no draw at all": ("\nA 1-5 c5-c6\nA 4-1 a5-b5\nA 4-3 a4-b4", [(1, "domino-ziggurat.hand", "unproven")]),
    "a result too early, with the title for it": (
        BUILT + "\nresult: A as Legendary Architect of the Divine", [(10, "domino-ziggurat.finish", "breach")],
    ),
    "a lift forgotten: its place is free all the same": (
        DRAWN + "\nA 1-5 c5-c6\nA draws 1-1\nA 4-1 a5-b5\nA draws 0-0\nA 1-4 d5-e5\nA 1-1 b5-b6\ncheats 1",
        [(8, "tiles.once", "impossible")],
    ),
    "a lift forgotten: what it lay on is lifted": (
        BUILT + "\nA 3-2 b5-c5 L2\nA 2-3 b3-b2\nA lifts 4-1\nA 4-1 a5-b5\ncheats 2", [(11, "tiles.once", "impossible")],
    ),
    "cheats miscounted, and carried on": (
        BUILT + "\nA lifts 4-3\ncheats 0\nA 4-3 a4-b4\ncheats 0\ntotal: A 0\ncheats 1\ncheats 2",
        [(11, "domino-ziggurat.cheats", "breach"), (16, "domino-ziggurat.cheats", "breach")],
    ),
    "a lifted domino counts before it is put back": (BUILT + "\nA lifts 4-3\ncheats 1\nA 4-3 a4-b4\ncheats 1", []),
}  # fmt: skip
"""One slip of a recorder or a player, and all findings of the audit."""


@pytest.mark.parametrize("slip", SLIPS)
def test_one_slip_is_one_finding(slip: str) -> None:
    lines, expected = SLIPS[slip]
    assert grave(HEAD + lines) == expected


LIFTED = BUILT + "\nA lifts 4-3"
REFILLED_LATE = LIFTED + "\nA 4-3 a4-b4\nA 3-2 b5-c5 L2\nA lifts 3-2\nA draws 6-6\nA 3-2 b5-c5 L2"


def test_the_hand_is_filled_up_at_once_by_a_ruling() -> None:
    assert grave(HEAD + REFILLED_LATE) == []
    assert report(HEAD + REFILLED_LATE).rulings["refill"] == "any-time"
    assert grave(HEAD + "Options: refill = at-once\n" + REFILLED_LATE) == [(14, "domino-ziggurat.hand", "breach")]
    # Notes and claims in between make no difference; a missing draw may follow the next domino.
    in_time = DRAWN + "\nA 1-5 c5-c6\ncheats 0\nA draws 3-2\nA 4-1 a5-b5\nA 4-3 a4-b4\nA draws 0-0\nA draws 5-5"
    assert grave(HEAD + "Options: refill = at-once\n" + in_time) == []
    assert "refill" not in report(HEAD + in_time).rulings


def test_a_domino_that_is_not_put_back_at_once_is_reported_once() -> None:
    lines = LIFTED + "\nA 5-5 d6-d5\nA draws 5-6\nA 5-6 d4-d3\nA 4-3 a4-b4"
    assert grave(HEAD + "Options: put_back = at-once\n" + lines) == [(11, "domino-ziggurat.lift", "breach")]
    # If it is lifted again, it must be put back again.
    lifted_again = lines + "\nA lifts 4-3\nA 0-0 e6-f6"
    findings = grave(HEAD + "Options: put_back = at-once\n" + lifted_again)
    assert [finding for finding in findings if finding[1] == "domino-ziggurat.lift"] == [
        (11, "domino-ziggurat.lift", "breach"), (16, "domino-ziggurat.lift", "breach"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["8-8", "1-1", "other"])
def test_a_finished_ziggurat_with_one_wrong_name_is_finished(name: str) -> None:
    """With any name, all dominoes are on the table by count."""
    record = simulate(GAME, 7)
    events = list(record.events)
    places = [seq for seq, event in enumerate(events) if isinstance(event, Place)]
    last = places[-1]
    tile = events[places[0]].tile if name == "other" else named(name)  # type: ignore[union-attr]
    events[last] = replace(events[last], tile=tile)  # type: ignore[type-var]
    result = audit(GAME, of(*events))
    assert result.finished
    assert [(finding.seq, finding.verdict) for finding in result.findings] == [(last, "impossible")]
    assert result.balance.startswith("28 tiles = 28 on the ziggurat ·")


def test_an_unknown_tile_is_shown_as_it_was_written() -> None:
    reviewed = review(HEAD + DRAWN + "\nA 1-5 c5-c6\nA draws 3-2\nA 4-9 a5-b5")
    grid = next(area for area in reviewed.scene().areas if isinstance(area, Grid))
    assert [str(laid.tile) for laid in grid.laid if "illegal" in laid.marks] == ["4-9"]


def test_the_worked_example_is_legal() -> None:
    assert grave(HEAD + BUILT + "\nA 3-2 b5-c5 L2") == []


def test_a_domino_lifted_twice_counts_by_a_ruling_once() -> None:
    twice = BUILT + "\nA 3-2 b5-c5 L2" + "\nA lifts 3-2\nA 3-2 b5-c5 L2" * 2
    assert report(HEAD + twice).scores == {"ana": 2}
    assert report(HEAD + "Options: cheat_count = each-domino\n" + twice).scores == {"ana": 1}


def test_a_lift_goes_back_at_once_by_a_ruling() -> None:
    lines = BUILT + "\nA lifts 4-3\nA 3-2 b5-c5 L2"
    assert (11, "domino-ziggurat.lift", "breach") in grave(HEAD + "Options: put_back = at-once\n" + lines)
    assert (11, "domino-ziggurat.lift", "breach") not in grave(HEAD + lines)


def test_edition_2_is_for_any_number_in_any_order() -> None:
    two = "Game: domino-ziggurat\nEdition: 2\nPlayers: A Ana, B Ben\n"
    assert grave(two + DRAWN + "\nB 1-5 c5-c6\nB 1-4 b5-a5") == []
    assert report(two + DRAWN).scores == {"ana": 0, "ben": 0}


def test_a_finished_ziggurat_has_18_8_and_2_dominoes_and_so_have_the_known_designs() -> None:
    all_designs = (*designs(top=True), *designs(top=False))
    for design in all_designs:
        tiers = [level_of(place.squares[0]) for place in design.places.values()]
        assert {tier: tiers.count(tier) for tier in TIERS} == TIERS
        for at, pips in design.halves.items():
            assert pips > design.halves.get(at - (1 << 24), -1)
    assert len({design.marks for design in all_designs}) == len(all_designs) == 16


def test_a_title_is_shown_beside_the_remaining_breaches() -> None:
    for path in CASES:
        if path.stem == "title-broken":
            reviewed = review_of(path)
            assert reviewed.report.title
            assert outcome(reviewed).endswith(f"{reviewed.report.title}, though there are mistakes")
            clean = Review(reviewed.record.__class__(reviewed.record.events[: reviewed.report.findings[0].seq]))
            assert outcome(clean).endswith(str(reviewed.report.title))


def test_lifted_tiles_are_shown() -> None:
    reviewed = review(HEAD + BUILT + "\nA lifts 4-3")
    assert any("lifted" in str(area) for area in reviewed.scene().areas)


def test_without_a_first_draw_the_hand_is_unknown() -> None:
    undrawn = "\nA 1-5 c5-c6\nA 1-4 b5-a5\nA lifts 1-4\nA 1-4 b5-a5"
    assert [finding.verdict for finding in report(HEAD + undrawn).findings] == ["unproven"]


def test_beside_an_unknown_tile_any_tile_may_match() -> None:
    reviewed = review(HEAD + DRAWN + "\nA 1-5 c5-c6\nA draws 3-2\nA 4-9 a5-b5")
    choices = [event for event in GAME.choices(reviewed.steps[-1].after) if isinstance(event, Place)]
    below = {str(event.tile) for event in choices if reviewed.squares.of_place(event) in ("a4-a3", "a3-a4")}
    assert below == {str(event.tile) for event in choices}
    assert len(below) > 1


@pytest.mark.parametrize(("event", "message", "verdict"), [
    (Draw("a", named("1-5")), "all 28 tiles on it, when the 1-5 was drawn", "impossible"),
    (Place("a", named("1-5"), (0, 0), "e", 1), "all 28 tiles on it, when the 1-5 was laid", "impossible"),
    (Lift("a", named("1-5")), "finished when the 1-5 was lifted", None),
], ids=["draw", "place", "lift"])  # fmt: skip
def test_an_act_after_the_last_tile_is_a_breach_once(event: Correctable, message: str, verdict: str | None) -> None:
    state = GAME.start(GAME.opening(simulate(GAME, 1).opening))
    (fault,) = after_end.check(state, event, state, None)
    assert (fault.message.endswith(message), fault.verdict) == (True, verdict)
    assert not after_end.check(replace(state, past=True), event, state, None)


def test_a_lifted_domino_is_a_cheat_of_every_player() -> None:
    two = GAME.start(GAME.opening(simulate(GAME, 1, players=2, edition="2").opening))
    one = GAME.start(GAME.opening(simulate(GAME, 1).opening))
    player, tile = two.rules.players[0], named("1-5")
    acts = (
        (Lift(player, tile), "the 1-5 was lifted"),
        (Place(player, tile, (0, 0), "e", 1), "a domino had been lifted"),
    )
    for event, because in acts:
        gained = points(replace(two, cheats=2), event, replace(two, cheats=3))
        assert gained == [Points(seat, 1, "domino-ziggurat.cheats", because) for seat in range(2)]
        assert not points(replace(two, cheats=2), event, replace(two, cheats=2))
    assert not points(two, Draw(player, tile), replace(two, cheats=1))
    for state, who in ((two, None), (one, one.rules.players[0])):
        for had, counted, message in (
            (2, 1, "Counted 1 cheat, but 2 dominoes were lifted"), (1, 2, "Counted 2 cheats, but 1 domino was lifted"),
        ):  # fmt: skip
            (fault,) = cheats.check(replace(state, cheats=had), Cheats(counted), state, None)
            assert (fault.message, fault.player, fault.running) == (message, who, "total")
        assert not cheats.check(replace(state, cheats=2), Cheats(2), state, None)


def test_fewer_cheats_earn_a_better_title_and_only_at_the_end() -> None:
    state = GAME.start(GAME.opening(simulate(GAME, 1).opening))
    ended = replace(state, ended=True)
    assert title_of(state) is None
    assert [title_of(replace(ended, cheats=count)) for count in range(len(TITLES) + 2)] == [*TITLES, *TITLES[-1:] * 2]


def test_a_domino_that_something_rests_on_lies_on_the_ziggurat_also_if_it_is_put_back() -> None:
    sheet = HEAD + DRAWN + "\nA 1-5 c5-c6\nA 4-1 a5-b5\nA 4-3 a4-b4\nA draws 3-2\nA 3-2 b5-c5 L2\nA lifts 4-1"
    for more in ("", "\nA 4-1 a5-b5", "\nA 4-1 a5-b5\nA 3-2 b5-c5 L2"):
        lift = next(f for f in report(sheet + more).findings if f.clause == "domino-ziggurat.lift")
        assert lift.message == "Something rests on the 4-1 and has to be lifted first"
