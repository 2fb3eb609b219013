"""Who may pass in Build Up: only a player who cannot play, or anybody, as the ruling `passing` says."""

import os
from typing import Any

import pytest
from msgspec.structs import replace

from ledger.audit.auditor import Report, audit
from ledger.audit.replay import steps
from ledger.games.build_up import GAME
from ledger.games.build_up.state import BuildUp, holds, in_hand
from ledger.games.build_up.table import contradicts
from ledger.play.simulate import simulate
from ledger.record.events import CLAIMS, Aside, Deal, Draw, Layout, Open, Pass, Stack
from ledger.record.record import Record, effective
from ledger.record.tiles import TILES
from ledger.rules.game import GRAVE

Events = list[Any]
ACTS = (Layout, Draw, Deal, Stack, Pass)
PASSING = "build-up.pass"
SLIPS = int(os.environ.get("DOMINO_SLIPS", "1"))


def free_game(seed: int, options: dict[str, Any] | None = None, *, hidden: bool = False) -> Events:
    """A game of players who pass as they like, with or without its hands."""
    record = simulate(GAME, seed, {"passing": "free", **(options or {})}, players=2 + seed % 2)
    return [event for event in record.events if not (hidden and type(event) in (Deal, Aside))]


def report(events: Events, **options: Any) -> Report:
    """The audit of these events under other options."""
    opening = replace(events[0], options={**events[0].options, **options})
    return audit(GAME, Record((opening, *events[1:])))


@pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])
def test_anybody_passes_where_the_ruling_says_so(hidden: bool) -> None:
    breaches = 0
    for seed in range(12):
        events = free_game(seed, hidden=hidden)
        free, stuck = report(events), report(events, passing="stuck")
        assert free.finished
        assert free.verdict in ("clean", "unproven") if hidden else free.verdict == "clean"
        assert not [finding for finding in free.findings if finding.clause == "build-up.pass"]
        accused = [finding for finding in stuck.findings if finding.clause == "build-up.pass"]
        breaches += len(accused)
        for one in (free, stuck) if accused else ():
            assert "passing" in one.rulings
        assert "hand_end" not in free.rulings
    assert breaches > 3


def test_how_a_hand_ends_says_nothing_where_anybody_may_pass() -> None:
    for seed in range(6):
        events = free_game(seed)
        assert report(events, hand_end="all-pass") == report(events, hand_end="blocked")


def test_only_passes_of_all_who_hold_tiles_end_a_hand() -> None:
    games = [[event for event in free_game(seed) if type(event) in (Open, *ACTS)] for seed in range(8)]
    by_passes = [events for events in games if type(events[-1]) is Pass]
    assert by_passes
    for events in by_passes:
        assert report(events).finished
        assert not report(events[:-1]).finished


@pytest.mark.parametrize("late", [False, True], ids=["forgotten", "late"])
def test_a_play_proves_nothing_about_a_pass_if_the_hand_may_have_ended_between_them(late: bool) -> None:
    shown = 0
    for seed in range(6 * SLIPS):
        events = simulate(GAME, 70_000 + seed, players=2 + (seed % 4 == 0)).events
        truth = [event for event in events if type(event) is not Deal and (seed % 2 or type(event) not in CLAIMS)]
        for place in (place for place, event in enumerate(truth) if type(event) is Aside):
            following = next((at for at in range(place, len(truth)) if type(truth[at]) is Stack), None)
            slip = list(truth)
            if late and following:
                slip[place], slip[following] = slip[following], slip[place]
            else:
                del slip[place]
            findings = report(slip).findings
            assert all(finding.seq >= place for finding in findings if finding.verdict in GRAVE)
            shown += any(finding.clause == PASSING and finding.verdict == "unproven" for finding in findings)
    assert shown


def test_a_play_rules_out_a_way_in_which_its_player_had_no_tile() -> None:
    record, seen = simulate(GAME, 1, players=3), 0
    for step in steps(GAME, GAME.opening(record.opening), effective(record.events).entries):
        if type(state := step.after) is not BuildUp or state.phase != "play":
            continue
        for seat, player in enumerate(state.rules.players):
            out = not holds(state, seat)
            elsewhere = next(tile for tile in TILES if not tile.bit & in_hand(state, seat))
            assert contradicts(state, Stack(player=player, tile=elsewhere, stack=1)) is out
            seen += out
    assert seen > 1


def test_how_a_hand_ends_matters_as_soon_as_nobody_can_play() -> None:
    stuck = 0
    for seed in range(8):
        record = simulate(GAME, seed, {"hand_end": "all-pass"}, players=2)
        events: Events = [event for event in record.events if type(event) not in CLAIMS]
        first = next(at for at, event in enumerate(events) if type(event) is Stack)
        second = next(at for at, event in enumerate(events) if type(event) is Deal and at > first)
        last = max(at for at, event in enumerate(events[:second]) if type(event) is Stack)
        if any(type(event) is Pass for event in events[last:second]):
            stuck += 1
            assert "hand_end" not in report(events[:last]).rulings
            assert "hand_end" in report(events[: last + 1]).rulings
    assert stuck > 1
