"""Zigzag: one slip of a player or of the recorder is one finding; and conclusions from hidden hands."""

import sys
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from test_zigzag import BIDS, HEAD, accused

from ledger.audit.auditor import Report, audit
from ledger.games.zigzag import GAME
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.events import AnyEvent, Bid, Deal, Over, Pass, Play, Result, Score, Take
from ledger.record.tiles import TILES, Tile, full, members, named


def places(events: Sequence[AnyEvent], *kinds: type) -> list[int]:
    """The places of the events of these types."""
    return [place for place, event in enumerate(events) if type(event) in kinds]


def last_play(events: Sequence[AnyEvent]) -> int:
    """The place of the last tile of the first hand that is scored."""
    score = next(place for place, event in enumerate(events) if type(event) is Score and event.scope == "hand")
    return max(place for place in places(events, Play) if place < score)


def found_in(events: Sequence[AnyEvent]) -> list[str]:
    """The clauses of the graver findings."""
    findings = audit(GAME, codec.check(events)).findings
    return [finding.clause for finding in findings if finding.verdict in ("breach", "impossible")]


def swap(events: Sequence[AnyEvent], place: int, *others: AnyEvent) -> list[AnyEvent]:
    """The events with one of them swapped for others."""
    return [*events[:place], *others, *events[place + 1 :]]


def other_players(events: Sequence[AnyEvent], player: str) -> list[str]:
    """The ids of the other players."""
    return [opponent.id for opponent in events[0].players if opponent.id != player]  # type: ignore[union-attr]


def slips(events: list[AnyEvent], random: Random, largest: int) -> Iterator[tuple[str, list[AnyEvent], list[set[str]]]]:
    """Slips of a recorder: a description, the record, and for each expected finding the clauses that it may cite."""
    plays, calls, deals = places(events, Play), places(events, Bid, Pass), places(events, Deal)
    at = random.choice(plays)
    event = events[at]
    yield "a tile written twice", swap(events, at, event, event), [{"tiles.once"}]
    yield "a pass before a play", swap(events, at, Pass(event.player), event), [{"zigzag.turn", "zigzag.next-hand"}]  # type: ignore[union-attr]
    outside = TILES[random.randrange(len(members(full(largest))), len(TILES))]
    yield "a tile of another set", swap(events, at, replace(event, tile=outside)), [{"tiles.in-set"}]
    before = random.choice(plays[3:])
    named_ = events[plays[plays.index(before) - 2]]
    if type(named_) is Play and before - plays[plays.index(before) - 2] < 6:
        repeated = swap(events, before, replace(events[before], tile=named_.tile))
        yield "a tile that lies there", repeated, [{"tiles.once"}]
    turn, not_held = {"zigzag.turn", "zigzag.contract"}, {"tiles.held"}
    somebody = random.choice(other_players(events, event.player))  # type: ignore[union-attr]
    yield (
        "a tile written for another",
        swap(events, at, replace(event, player=somebody)),
        [turn, not_held] if deals else [turn],
    )
    call = random.choice(calls)
    yield "a call written twice", swap(events, call, events[call], events[call]), [{"zigzag.bid.order"}]
    if deals:
        deal = random.choice(deals)
        tiles = events[deal].tiles  # type: ignore[union-attr]
        part = replace(events[deal], tiles=tiles[:3], partial=True)
        yield "a deal written twice", swap(events, deal, events[deal], events[deal]), []
        yield "a part and then the whole", swap(events, deal, part, events[deal]), []
        yield (
            "a deal written again in the play",
            swap(events, at, [e for e in events[:at] if type(e) is Deal][-1], event),
            [],
        )
        yield "a deal one tile short", swap(events, deal, replace(events[deal], tiles=tiles[1:])), [{"zigzag.deal"}]
    over = places(events, Over)
    if over:
        event = events[random.choice(over)]
        over_at = events.index(event)
        yield "the tile over twice", swap(events, over_at, event, event), [{"tiles.once"}]
        yield "a tile over of another set", swap(events, over_at, replace(event, tile=outside)), [{"tiles.in-set"}]
        yield (
            "the tile over for another",
            swap(
                events,
                over_at,
                replace(event, player=other_players(events, event.player)[0]),  # type: ignore[union-attr]
            ),
            [{"zigzag.deal"}],
        )


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("largest", [6, 7, 8, 9])
def test_one_slip_is_one_finding(largest: int, hidden: bool) -> None:
    for seed in range(5):
        random = Random(seed)
        claims = seed % 2
        options = {"set": largest, "hands": 3, "ranking": seed == 4, "scoring": random.choice(("tiles", "points"))}
        events = [
            event
            for event in simulate(GAME, seed, options).events
            if not (hidden and type(event) is Deal) and (claims or type(event) not in (Take, Score, Result))
        ]
        for slip, slipped, clauses in slips(events, random, largest):
            findings = found_in(slipped)
            assert len(findings) == len(clauses), (slip, seed, findings)
            fits = (clause in allowed for clause, allowed in zip(findings, clauses, strict=True))
            assert all(fits), (slip, seed, findings)


def test_a_forgotten_play_breaks_the_turn_and_leaves_the_hand_too_short() -> None:
    for seed in range(6):
        events = [
            event
            for event in simulate(GAME, seed, {"set": 7, "hands": 3}).events
            if type(event) not in (Take, Score, Result, *((Deal,) if seed % 2 else ()))
        ]
        plays = places(events, Play)
        at = plays[10]
        report_ = audit(GAME, codec.check(swap(events, at)))
        breaches = [f.clause for f in report_.findings if f.verdict == "breach"]
        assert breaches == ["zigzag.turn", "zigzag.hand.end"], seed
        # A hand that the table left too early still counts as over.
        assert report_.finished


def test_a_hand_that_was_left_counts_and_scores_what_was_claimed() -> None:
    events = [event for event in simulate(GAME, 3, {"set": 6, "hands": 3}).events if type(event) is not Take]
    left_early = swap(events, last_play(events))
    assert found_in(left_early) == ["zigzag.hand.end"]
    assert audit(GAME, codec.check(left_early)).scores == audit(GAME, codec.check(events)).scores
    totals = [event for event in left_early if not (type(event) is Score and event.scope == "hand")]
    assert found_in([event for event in totals if type(event) is not Result])[1:] == []


def test_a_score_that_is_called_too_early_does_not_end_the_hand() -> None:
    events = list(simulate(GAME, 3, {"set": 6, "hands": 3}).events)
    score = next(place for place, event in enumerate(events) if type(event) is Score and event.scope == "hand")
    early = score - 9
    moved = [*events[:early], events[score], *events[early:score], *events[score + 1 :]]
    assert found_in(moved) == ["zigzag.hand.end"]


def test_playing_on_is_reported_once() -> None:
    events = list(simulate(GAME, 1, {"set": 6, "hands": 3}).events)[:-1]
    next_game = list(simulate(GAME, 2, {"set": 6, "hands": 3}).events)[1:]
    assert found_in([*events, *next_game]) == ["zigzag.end"]


# ── Unknown tiles ──────────────────────────────────────────────────────────────────────────────────────────

UNKNOWN = BIDS + "\nA 2-2\nB 2-5\nC 9-9\n"


def test_what_depends_on_an_unknown_tile_is_not_judged() -> None:
    impossible = (6, "tiles.in-set")
    # It is unknown whether the unknown tile covers the 2-5, and whether the 2-7 covers it.
    for lines in ("", "B takes 2\n", "B takes 2\nA 2-7\nC takes 1", "A 2-7\nC takes 3", "A 2-7\nB 0-0\nA takes 4"):
        assert accused(HEAD + UNKNOWN + lines) == [impossible], lines
    assert accused(HEAD + UNKNOWN + "B takes 3")[1:] == [(7, "zigzag.take")]
    assert accused(HEAD + UNKNOWN + "B takes 2\nA 2-7\nC takes 3")[1:] == [(9, "zigzag.take")]
    # Once the pile is taken it is judged as always.
    later = "A 2-7\nB 0-0\nC 1-1\n"
    assert accused(HEAD + UNKNOWN + later + "B takes 1") == [impossible]
    assert accused(HEAD + UNKNOWN + later + "B takes 2") == [impossible, (10, "zigzag.take")]


def test_the_points_of_an_unknown_tile_count_as_claimed() -> None:
    head = HEAD.replace("= A", "= A, scoring = points")
    lines = UNKNOWN + "A 0-0\n"
    # A 2-5 and a tile with up to 8 on its lower end, taken by the player of the unknown tile.
    for points in (4, 12):
        assert accused(head + lines + f"C takes 3, {points} points") == [(6, "tiles.in-set")], points
    for points in (3, 13):
        assert (8, "zigzag.take") in accused(head + lines + f"C takes 3, {points} points"), points


def test_a_hand_with_several_possible_scores_has_the_one_that_is_claimed() -> None:
    events = [event for event in simulate(GAME, 5, {"set": 6, "hands": 3}).events if type(event) is not Take]
    changed = 0
    for place in places(events, Play)[2::7]:
        slipped = swap(events, place, replace(events[place], tile=named("8-8")))
        report_ = audit(GAME, codec.check(slipped))
        assert [f.clause for f in report_.findings if f.verdict != "unproven"] == ["tiles.in-set"], place
        assert report_.scores == audit(GAME, codec.check(events)).scores
        changed += 1
    assert changed > 5


# ── Hidden hands ───────────────────────────────────────────────────────────────────────────────────────────


def answers(known: Sequence[int], player: int, tile: Tile, sizes: Sequence[int], whole_set: int) -> set[bool]:
    """Whether the player has the tile, for every way to deal the unknown tiles."""
    rest = members(whole_set & ~(known[0] | known[1] | known[2]))
    room = [sizes[seat] - known[seat].bit_count() for seat in range(3)]
    if tile.bit & known[player]:
        return {True}
    if tile not in rest:
        return {False}
    possible = set()
    for hand in combinations(rest, room[player]):
        possible.add(tile in hand)
    return possible


@pytest.mark.parametrize("seed", range(25))
def test_a_tile_is_held_if_every_possible_deal_gives_it_to_the_player(seed: int) -> None:
    random = Random(seed)
    events = list(simulate(GAME, seed, {"set": 6, "hands": 3}).events)
    end = last_play(events)
    start = [place for place in places(events, Deal) if place < end][-3]
    hand = [events[0], *(event for event in events[start : end + 1] if type(event) not in (Over, Take))]
    contractor = next(event.player for event in hand if type(event) is Play)
    players = [player.id for player in hand[0].players]  # type: ignore[union-attr]
    shown_tiles, with_partial_deals = [0, 0, 0], []
    for event in hand:
        if type(event) is not Deal:
            with_partial_deals.append(event)
            continue
        # Most of each hand is known, so all deals can be tried.
        dealt = [tile for tile in event.tiles if random.random() < 0.85]
        seat = players.index(event.player)
        shown_tiles[seat] = sum(tile.bit for tile in dealt)
        with_partial_deals.append(Deal(event.player, tuple(dealt), partial=True))
    sizes = [9 + (player == contractor) for player in players]
    place = random.choice(places(with_partial_deals, Play))
    wrong = replace(with_partial_deals[place], tile=random.choice(members(full(6))))
    report_: Report = audit(GAME, codec.check([*with_partial_deals[:place], wrong]))
    cited = {(f.seq, f.verdict) for f in report_.findings if f.clause == "tiles.held"}
    if any(f.clause == "tiles.once" for f in report_.findings):
        return
    fitting = answers(shown_tiles, players.index(wrong.player), wrong.tile, sizes, full(6))  # type: ignore[union-attr]
    assert ((place, "breach") in cited) == (fitting == {False})
    by_player = {event.player: answers(shown_tiles, players.index(event.player), event.tile, sizes, full(6))
             for event in [*with_partial_deals[:place], wrong] if type(event) is Play}  # fmt: skip
    if (place, "breach") not in cited and len(fitting) == 2:
        assert any(verdict == "unproven" for _seq, verdict in cited), by_player


def test_an_audit_takes_as_long_as_the_record_is() -> None:
    def lines(events: Sequence[AnyEvent]) -> int:
        """The lines of Python that an audit runs."""
        record, count = codec.check(events), 0

        def trace(_frame: object, event: str, _argument: object) -> Any:
            nonlocal count
            count += event == "line"
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            audit(GAME, record)
        finally:
            sys.settrace(before)
        return count

    hand = [event for event in simulate(GAME, 1, {"set": 6, "hands": 3}).events[1:] if type(event) in (Play, Bid, Pass)]
    opening = simulate(GAME, 1, {"set": 6, "target": None}).events[0]
    wrong = [
        replace(event, tile=named("9-9")) if type(event) is Play and n % 5 == 0 else event
        for n, event in enumerate(hand)
    ]
    short, long = lines([opening, *wrong * 2]), lines([opening, *wrong * 16])
    assert long < 8 * 1.2 * short
