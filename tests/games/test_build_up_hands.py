"""Build Up: the audit's conclusions about hidden hands, compared with every hand that the player may have had."""

from itertools import combinations
from math import comb
from random import Random

import pytest
from msgspec.structs import replace

from ledger.audit.auditor import audit
from ledger.audit.replay import steps
from ledger.games.build_up import hands
from ledger.games.build_up.numbers import covers
from ledger.games.build_up.state import BuildUp
from ledger.games.catalog import find
from ledger.play.simulate import simulate
from ledger.record.events import AnyEvent, Aside, Deal, Draw, Layout, Pass, Score, Stack
from ledger.record.record import effective
from ledger.record.tiles import TILES, Tile
from ledger.rules.evidence import Evidence, Shared
from ledger.rules.game import GRAVE
from sheets import of

GAME = find("build-up")
SET = set(TILES[:28])
FEW = 3000
"""The most hands that are checked one by one; more are counted."""


def hidden(seed: int) -> tuple[list[AnyEvent], Random]:
    """A game, cut off at a random place, with some hands recorded, some in part and some not at all."""
    random = Random(seed)
    share = random.choice((0, 0.4, 0.8))
    events: list[AnyEvent] = []
    for event in simulate(GAME, seed % 40, players=random.choice((2, 2, 3))).events:
        if type(event) is not Deal or random.random() < share:
            part = type(event) is Deal and random.random() < 0.3
            events.append(replace(event, tiles=event.tiles[:3], partial=True) if part else event)  # type: ignore[union-attr]
    acts = [place for place, event in enumerate(events) if type(event) is Stack]
    return events[: random.choice(acts)], random


def last(events: list[AnyEvent]) -> BuildUp:
    """The state after these events."""
    record = of(*events)
    return [step.after for step in steps(GAME, GAME.opening(record.opening), effective(record.events).entries)][-1]


def may_hold(events: list[AnyEvent], state: BuildUp, seat: int) -> tuple[set[Tile], set[Tile], int]:
    """The tiles that a player certainly has now, those possible in the rest of the hand, and the size of that rest."""
    player = state.rules.players[seat]
    elsewhere: set[Tile] = set()
    by_hand: dict[int, set[Tile]] = {}
    drawn = set[Tile]()
    before = [*steps(GAME, GAME.opening(of(*events).opening), effective(tuple(events)).entries)]
    for step in before:
        event, number = step.event, max(0, step.after.hand.number)
        if getattr(event, "player", None) != player:
            continue
        if type(event) is Layout:
            elsewhere |= as_in_the_set(event.tiles)
        elif type(event) is Draw:
            drawn = as_in_the_set((event.tile,))  # the tiles of a tied draw are returned
        elif type(event) in (Deal, Aside):
            by_hand.setdefault(number, set()).update(as_in_the_set(event.tiles))  # type: ignore[union-attr]
        elif type(event) is Stack:
            by_hand.setdefault(number, set()).update(as_in_the_set((event.tile,)))
    by_hand.setdefault(0, set()).update(drawn)
    in_this_hand = by_hand.get(state.hand.number, set())
    in_other_hands = set().union(*[tiles for number, tiles in by_hand.items() if number != state.hand.number])
    laid = {step.event.tile for step in before if type(step.event) is Stack and step.event.player == player}
    slots = state.rules.hands[state.hand.number] - len(in_this_hand)
    return in_this_hand - as_in_the_set(laid), SET - elsewhere - in_other_hands - in_this_hand, slots


def as_in_the_set(tiles: object) -> set[Tile]:
    """Tiles as in the set, whichever half is written first."""
    return {TILES[tile.index] for tile in tiles}  # type: ignore[attr-defined]


def can_they(state: BuildUp, certain: set[Tile], possible: set[Tile], slots: int) -> bool | None:
    """Whether all of these hands can play (True), none (False), or some (None)."""
    tops = [TILES[stack[-1].index] for stack in state.stacks]
    fits = {tile for tile in SET if any(covers(tile, top, state.rules.equal_on_double) for top in tops)}
    if comb(len(possible), slots) <= FEW:
        answers = {bool((certain | set(rest)) & fits) for rest in combinations(sorted(possible, key=str), slots)}
    else:
        none = 0 if certain & fits else comb(len(possible - fits), slots)
        answers = ({False} if none else set()) | ({True} if none < comb(len(possible), slots) else set())
    return answers.pop() if len(answers) == 1 else None


VERDICT = {True: ["breach"], False: [], None: ["unproven"]}


@pytest.mark.parametrize("seed", range(0, 300, 50))
def test_a_pass_is_a_breach_just_where_every_hand_can_play(seed: int) -> None:
    answers: dict[bool | None, int] = {True: 0, False: 0, None: 0}
    for number in range(seed, seed + 50):
        events, _random = hidden(number)
        state = last(events)
        if state.phase != "play" or not state.hand.acted or state.others or state.hand.turn.seat is None:
            continue
        seat = state.hand.turn.seat
        player = state.rules.players[seat]
        answer = can_they(state, *may_hold(events, state, seat))
        findings = audit(GAME, of(*events, Pass(player=player))).findings
        passed = [f.verdict for f in findings if f.clause == "build-up.pass" and f.seq == len(events)]
        assert passed == VERDICT[answer], number
        answers[answer] += 1
    assert answers[True] > 10


@pytest.mark.parametrize("seed", range(0, 300, 50))
def test_a_hand_is_scored_too_early_just_where_somebody_can_play_whatever_they_hold(seed: int) -> None:
    answers: dict[bool | None, int] = {True: 0, False: 0, None: 0}
    for number in range(seed, seed + 50):
        events, _random = hidden(number)
        state = last(events)
        if state.phase != "play" or not state.hand.acted or state.others or state.hand.passed:
            continue
        holding = [seat for seat in range(len(state.totals)) if state.hand.plays[seat] < state.hand.sizes[seat]]
        can_play = [can_they(state, *may_hold(events, state, seat)) for seat in holding]
        answer = True if True in can_play else None if None in can_play else False
        findings = audit(GAME, of(*events, Score(scope="hand", points={}))).findings
        assert [f.verdict for f in findings if f.clause == "build-up.hand.end"] == VERDICT[answer], number
        answers[answer] += 1
    assert answers[True] > 10


# Whether the tiles were left over from the hand on the table or from the one before, nobody can say.
@pytest.mark.parametrize("plays", [1, 2, 3])
def test_an_aside_written_in_the_next_hand_accuses_nobody_of_anything_before_it(plays: int) -> None:
    count = 0
    for seed in range(40_011, 40_121, 6):
        events = [event for event in simulate(GAME, seed, players=2).events if type(event) is not Deal]
        for place, event in enumerate(events):
            later = [n for n, act in enumerate(events) if n > place and type(act) is Stack][:plays]
            if type(event) is not Aside or len(later) < plays:
                continue
            late = [*events[:place], *events[place + 1 : later[-1] + 1], event, *events[later[-1] + 1 :]]
            findings = audit(GAME, of(*late)).findings
            assert not [finding for finding in findings if finding.seq < place and finding.verdict in GRAVE], (
                seed,
                place,
            )
            count += 1
    assert count > 30


def test_an_audit_works_out_once_what_hidden_hands_prove(monkeypatch: pytest.MonkeyPatch) -> None:
    proofs, prove = list[object](), hands.prove

    def counted(groups: list[Shared]) -> dict[tuple[int, int], Evidence]:
        proofs.append(groups)
        return prove(groups)

    monkeypatch.setattr(hands, "prove", counted)
    audit(GAME, of(*[event for event in simulate(GAME, 5, players=2).events if type(event) is not Deal]))
    assert len(proofs) == 1
