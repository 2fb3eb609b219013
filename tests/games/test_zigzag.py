"""Zigzag by hand: what people say at the table, and what the rules say to that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from time import process_time

import pytest
from msgspec.structs import replace

from ledger import codec
from ledger.audit import Report, audit
from ledger.events import AnyEvent, Bid, Deal, Over, Pass, Play, Result, Score, Take
from ledger.games.zigzag import GAME
from ledger.simulate import simulate
from ledger.tiles import TILES, Tile, full, members, named
from sheets import grave, report, review

HEAD = "Game: zigzag\nPlayers: A Ana, B Ben, C Cy\nOptions: first_bidder = A"
BIDS = "\nA bids 12\nB passes\nC passes"
EXAMPLE = BIDS + "\nA 2-2\nB 2-5\nC 4-5\nA 4-7\nB 4-8\nC 6-8\nA 3-5\n"

WRONG = {
    "a bid no higher than the last": ("\nA bids 12\nB bids 12", [(2, "zigzag.bid.raise", "breach")]),
    "a bid of less than nothing": ("\nA bids -1", [(1, "zigzag.bid.raise", "breach")]),
    "a bid out of turn": ("\nB bids 3", [(1, "zigzag.bid.order", "breach")]),
    "a bid twice": ("\nA bids 3\nB passes\nA bids 4", [(3, "zigzag.bid.order", "breach")]),
    "the wrong leader": (BIDS + "\nB 2-5", [(4, "zigzag.contract", "breach")]),
    "a lead with nobody's contract": ("\nA passes\nB passes\nC passes\nA 2-2", [(4, "zigzag.all-pass", "breach")]),
    "a turn taken by another": (BIDS + "\nA 2-2\nC 4-5", [(5, "zigzag.turn", "breach")]),
    "a pass where a tile is to be played": (BIDS + "\nA 2-2\nB passes", [(5, "zigzag.turn", "breach")]),
    "an order named without a ranking": ("\nA bids 12\nB passes\nC passes\nA ranks 6 regular",
                                         [(4, "zigzag.rank", "breach")]),
    "five said instead of six": (EXAMPLE + "C takes 5", [(11, "zigzag.take", "breach")]),
    "taken by who did not cover": (EXAMPLE + "B takes 6", [(11, "zigzag.take", "breach")]),
    "points of a hand that goes on": (EXAMPLE + "hand: A 12", [(11, "zigzag.hand.end", "breach")]),
    "a result of a game that goes on": (EXAMPLE + "result: A", [(11, "zigzag.end", "breach")]),
    "the same tile again": (EXAMPLE + "B 6-8", [(11, "tiles.once", "impossible")]),
    "a tile of another set": (EXAMPLE + "B 9-9", [(11, "tiles.in-set", "impossible")]),
    "a tile that is not in the hand": (
        "\nA has 2-2 0-0 0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8 1-1 1-2 1-3 1-4 1-5" + BIDS + "\nA 5-5",
        [(5, "tiles.held", "breach")],
    ),
    "a hand too small": ("\nA has 2-2 0-0", [(1, "zigzag.deal", "breach")]),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_a_breach_is_found_at_its_event_by_its_clause(what: str) -> None:
    played, found = WRONG[what]
    assert [finding for finding in grave(HEAD + played) if finding[2] != "unproven"] == found


def test_the_example_of_play() -> None:
    found = review(HEAD + EXAMPLE + "C takes 6\nB 0-1\nA takes 1\nC 1-1\n")
    assert [f for f in found.report.findings if f.verdict == "breach"] == []
    assert [(s.reason.player, s.seq) for s in found.scored] == []
    assert found.scene().status


def test_a_tile_that_was_dealt_to_two_and_played_by_both_is_there_once() -> None:
    hands = "\nA has 2-2 0-0 0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8 1-1 1-2 1-3 1-4 1-5"
    hands += "\nB has 2-2 1-6 1-7 1-8 2-3 2-4 2-5 2-6 2-7 2-8 3-3 3-4 3-5 3-6 3-7"
    assert grave(HEAD + hands + BIDS + "\nA 2-2\nB 2-2") == [
        (2, "tiles.once", "impossible"), (7, "tiles.once", "impossible"),
    ]  # fmt: skip


def test_a_bid_beyond_all_there_is_is_only_noted() -> None:
    found = report(HEAD + "\nA bids 46")
    assert (found.verdict, [f.verdict for f in found.findings]) == ("clean", ["note"])
    capped = report(HEAD.replace("= A", "= A, bid_cap = total") + "\nA bids 46")
    assert [f.clause for f in capped.findings if f.verdict == "breach"] == ["zigzag.bid.raise"]


def test_a_ranking_is_named_by_the_contractor_before_the_lead() -> None:
    ranked = HEAD.replace("= A", "= A, ranking = yes")
    assert accused(ranked + BIDS + "\nA ranks 6 reverse\nA 2-2") == []
    assert accused(ranked + BIDS + "\nA ranks 6\nA 2-2") == []
    assert accused(ranked + BIDS + "\nA 2-2") == []
    assert (4, "zigzag.rank", "breach") in grave(ranked + BIDS + "\nB ranks 6 reverse")
    assert (4, "zigzag.rank", "breach") in grave(ranked + BIDS + "\nA ranks 9 regular")


def test_the_double_eight_set_is_worth_120_points() -> None:
    assert sum(tile.low for tile in members(full(8))) == 120


@pytest.mark.parametrize(("largest", "each", "over"), [(6, 9, 1), (7, 12, 0), (8, 15, 0), (9, 18, 1)])
def test_the_set_is_dealt_out_whole(largest: int, each: int, over: int) -> None:
    tiles = [str(tile) for tile in members(full(largest))]
    hands = [" ".join(tiles[n * each : (n + 1) * each]) for n in range(3)]
    head = HEAD.replace("= A", f"= A, set = {largest}")
    dealt = "".join(f"\n{who} has {hand}" for who, hand in zip("ABC", hands, strict=True))
    assert grave(head + dealt) == []
    assert len(tiles) == 3 * each + over
    if over:
        assert grave(head + dealt + f"\nA bids 1\nB passes\nC passes\nA over {tiles[-1]}") == []
        assert grave(head + dealt + f"\nA bids 1\nB passes\nC passes\nB over {tiles[-1]}") == [
            (7, "zigzag.deal", "breach")
        ]


def test_the_target_is_250_where_points_are_played_for() -> None:
    opening = review(HEAD.replace("= A", "= A, scoring = points")).opening
    assert opening.options["target"] == 250
    assert review(HEAD).opening.options["target"] == 100


# ── Points of the rules ────────────────────────────────────────────────────────────────────────────────────


def accused(sheet: str) -> list[tuple[int, str]]:
    """Seq and clause of every breach, and of what is impossible."""
    return [(seq, clause) for seq, clause, verdict in grave(sheet) if verdict in ("breach", "impossible")]


def test_a_bid_of_nothing_is_a_bid_unless_the_lowest_is_1() -> None:
    found = report(HEAD + "\nA bids 0\nB passes")
    assert (found.verdict, found.rulings) == ("clean", {"min_bid": 0})
    assert accused(HEAD.replace("= A", "= A, min_bid = 1") + "\nA bids 0") == [(1, "zigzag.bid.raise")]
    # It lies on the ruling also what the lowest bid is called.
    assert report(HEAD + "\nA bids -3").rulings == {"min_bid": 0}
    assert report(HEAD + "\nA bids 2\nB bids 2").rulings == {}


def test_a_bid_of_nothing_cannot_fail() -> None:
    events = list(simulate(GAME, 1, {"set": 6, "hands": 3}).events)
    first = next(event for event in events if type(event) is Bid)
    bare = [event for event in events if type(event) not in (Bid, Pass, Take, Score, Result)]
    place = next(n for n, event in enumerate(bare) if type(event) in (Over, Play))
    players = [player.id for player in bare[0].players]  # type: ignore[union-attr]
    at = players.index(first.player)
    others = [Pass(players[(at + n) % 3]) for n in (1, 2)]
    options = {**bare[0].options, "first_bidder": first.player}  # type: ignore[union-attr]
    opening = replace(bare[0], options=options)
    found = audit(
        GAME, codec.check([opening, *bare[1:place], Bid(first.player, 0), *others, *bare[place : place + 40]])
    )
    assert set(found.scores.values()) == {0}


def test_what_is_ranked_in_breach_changes_nothing() -> None:
    ranked = HEAD.replace("= A", "= A, ranking = yes") + BIDS
    for wrong in ("B ranks 0", "A ranks 9"):
        # In the regular order a 3-2 does not cover a 3-1's 1; with 0 on top it would.
        state = review(ranked + f"\n{wrong}\nA 2-2").steps[-1].after
        assert state.hand.rank is None
    assert accused(ranked + "\nA ranks 6\nA ranks 6\nA 2-2") == [(5, "zigzag.rank")]
    assert accused(ranked + "\nA 2-2\nA ranks 6") == [(5, "zigzag.rank")]
    assert review(ranked + "\nA ranks 6\nA ranks 3").steps[-1].after.hand.rank == (6, False)


@pytest.mark.parametrize(("hands", "noted"), [(1, True), (3, False), (4, True), (9, False)])
def test_a_number_of_hands_that_is_no_multiple_of_3_is_noted(hands: int, noted: bool) -> None:
    found = audit(GAME, simulate(GAME, 1, {"set": 6, "hands": hands}))
    assert (found.verdict, found.finished) == ("clean", True)
    assert [(f.seq, f.verdict) for f in found.findings if f.clause == "zigzag.hands"] == [(0, "note")] * noted


LATE = EXAMPLE + "B 0-1\nC 1-1\n"


def test_a_take_speaks_of_the_last_pile_of_its_player() -> None:
    assert accused(HEAD + LATE + "C takes 6") == []
    assert accused(HEAD + LATE + "C takes 5") == [(13, "zigzag.take")]
    assert accused(HEAD + LATE + "B takes 6") == [(13, "zigzag.take")]
    assert accused(HEAD + LATE + "A takes 1\nC takes 6") == []
    # A pile is taken once: what was told before the last tile cannot be told again.
    assert accused(HEAD + EXAMPLE + "C takes 6\nB 0-1\nC takes 6") == [(13, "zigzag.take")]
    assert accused(HEAD + EXAMPLE + "C takes 6\nC takes 6") == []


# ── One slip, one finding ──────────────────────────────────────────────────────────────────────────────────


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


def put(events: Sequence[AnyEvent], place: int, *instead: AnyEvent) -> list[AnyEvent]:
    """The events with these in place of one."""
    return [*events[:place], *instead, *events[place + 1 :]]


def others(events: Sequence[AnyEvent], player: str) -> list[str]:
    """The other players."""
    return [other.id for other in events[0].players if other.id != player]  # type: ignore[union-attr]


def slips(events: list[AnyEvent], random: Random, largest: int) -> Iterator[tuple[str, list[AnyEvent], list[set[str]]]]:
    """Slips of a recorder: what happened, the record of it, and by its findings the clauses that may be cited."""
    plays, calls, deals = places(events, Play), places(events, Bid, Pass), places(events, Deal)
    at = random.choice(plays)
    event = events[at]
    yield "a tile written twice", put(events, at, event, event), [{"tiles.once"}]
    yield "a pass before a play", put(events, at, Pass(event.player), event), [{"zigzag.turn", "zigzag.next-hand"}]  # type: ignore[union-attr]
    outside = TILES[random.randrange(len(members(full(largest))), len(TILES))]
    yield "a tile of another set", put(events, at, replace(event, tile=outside)), [{"tiles.in-set"}]
    before = random.choice(plays[3:])
    named_ = events[plays[plays.index(before) - 2]]
    if type(named_) is Play and before - plays[plays.index(before) - 2] < 6:
        again = put(events, before, replace(events[before], tile=named_.tile))
        yield "a tile that lies there", again, [{"tiles.once"}]
    turn, held = {"zigzag.turn", "zigzag.contract"}, {"tiles.held"}
    who = random.choice(others(events, event.player))  # type: ignore[union-attr]
    yield "a tile written for another", put(events, at, replace(event, player=who)), [turn, held] if deals else [turn]
    call = random.choice(calls)
    yield "a call written twice", put(events, call, events[call], events[call]), [{"zigzag.bid.order"}]
    if deals:
        deal = random.choice(deals)
        tiles = events[deal].tiles  # type: ignore[union-attr]
        part = replace(events[deal], tiles=tiles[:3], partial=True)
        yield "a deal written twice", put(events, deal, events[deal], events[deal]), []
        yield "a part and then the whole", put(events, deal, part, events[deal]), []
        yield (
            "a deal written again in the play",
            put(events, at, [e for e in events[:at] if type(e) is Deal][-1], event),
            [],
        )
        yield "a deal one tile short", put(events, deal, replace(events[deal], tiles=tiles[1:])), [{"zigzag.deal"}]
    over = places(events, Over)
    if over:
        event = events[random.choice(over)]
        where = events.index(event)
        yield "the tile over twice", put(events, where, event, event), [{"tiles.once"}]
        yield "a tile over of another set", put(events, where, replace(event, tile=outside)), [{"tiles.in-set"}]
        yield (
            "the tile over for another",
            put(
                events,
                where,
                replace(event, player=others(events, event.player)[0]),  # type: ignore[union-attr]
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
        for what, slipped, clauses in slips(events, random, largest):
            found = found_in(slipped)
            fits = len(found) == len(clauses) and all(c in allowed for c, allowed in zip(found, clauses, strict=True))
            assert fits, (what, seed, found)


def test_a_play_that_was_forgotten_is_a_turn_and_a_hand_too_short() -> None:
    for seed in range(6):
        events = [
            event
            for event in simulate(GAME, seed, {"set": 7, "hands": 3}).events
            if type(event) not in (Take, Score, Result, *((Deal,) if seed % 2 else ()))
        ]
        plays = places(events, Play)
        at = plays[10]
        report_ = audit(GAME, codec.check(put(events, at)))
        found = [f.clause for f in report_.findings if f.verdict == "breach"]
        assert found == ["zigzag.turn", "zigzag.hand.end"], seed
        # A hand that the table left too early is over all the same.
        assert report_.finished


def test_a_hand_that_was_left_counts_and_scores_what_was_claimed() -> None:
    events = [event for event in simulate(GAME, 3, {"set": 6, "hands": 3}).events if type(event) is not Take]
    left = put(events, last_play(events))
    assert found_in(left) == ["zigzag.hand.end"]
    assert audit(GAME, codec.check(left)).scores == audit(GAME, codec.check(events)).scores
    totals = [event for event in left if not (type(event) is Score and event.scope == "hand")]
    assert found_in([event for event in totals if type(event) is not Result])[1:] == []


def test_a_score_that_is_said_too_early_does_not_end_a_hand_that_goes_on() -> None:
    events = list(simulate(GAME, 3, {"set": 6, "hands": 3}).events)
    score = next(place for place, event in enumerate(events) if type(event) is Score and event.scope == "hand")
    early = score - 9
    moved = [*events[:early], events[score], *events[early:score], *events[score + 1 :]]
    assert found_in(moved) == ["zigzag.hand.end"]


def test_a_table_that_plays_on_is_told_once() -> None:
    events = list(simulate(GAME, 1, {"set": 6, "hands": 3}).events)[:-1]
    more = list(simulate(GAME, 2, {"set": 6, "hands": 3}).events)[1:]
    assert found_in([*events, *more]) == ["zigzag.end"]


# ── Tiles that nobody knows ────────────────────────────────────────────────────────────────────────────────

UNKNOWN = BIDS + "\nA 2-2\nB 2-5\nC 9-9\n"


def test_what_depends_on_an_unknown_tile_is_not_judged() -> None:
    impossible = (6, "tiles.in-set")
    # Whether the unknown tile covers the 2-5, and whether it is covered by the 2-7, nobody knows.
    for told in ("", "B takes 2\n", "B takes 2\nA 2-7\nC takes 1", "A 2-7\nC takes 3", "A 2-7\nB 0-0\nA takes 4"):
        assert accused(HEAD + UNKNOWN + told) == [impossible], told
    assert accused(HEAD + UNKNOWN + "B takes 3")[1:] == [(7, "zigzag.take")]
    assert accused(HEAD + UNKNOWN + "B takes 2\nA 2-7\nC takes 3")[1:] == [(9, "zigzag.take")]
    # Once the pile is taken it is judged as always.
    later = "A 2-7\nB 0-0\nC 1-1\n"
    assert accused(HEAD + UNKNOWN + later + "B takes 1") == [impossible]
    assert accused(HEAD + UNKNOWN + later + "B takes 2") == [impossible, (10, "zigzag.take")]


def test_the_points_of_an_unknown_tile_count_as_claimed() -> None:
    head = HEAD.replace("= A", "= A, scoring = points")
    told = UNKNOWN + "A 0-0\n"
    # A 2-5 and a tile with up to 8 on its lower end, taken by the player of the unknown tile.
    for points in (4, 12):
        assert accused(head + told + f"C takes 3, {points} points") == [(6, "tiles.in-set")], points
    for points in (3, 13):
        assert (8, "zigzag.take") in accused(head + told + f"C takes 3, {points} points"), points


def test_a_hand_that_may_have_scored_this_or_that_scores_what_is_claimed() -> None:
    events = [event for event in simulate(GAME, 5, {"set": 6, "hands": 3}).events if type(event) is not Take]
    changed = 0
    for place in places(events, Play)[2::7]:
        slipped = put(events, place, replace(events[place], tile=named("8-8")))
        report_ = audit(GAME, codec.check(slipped))
        assert [f.clause for f in report_.findings if f.verdict != "unproven"] == ["tiles.in-set"], place
        assert report_.scores == audit(GAME, codec.check(events)).scores
        changed += 1
    assert changed > 5


# ── Hidden hands ───────────────────────────────────────────────────────────────────────────────────────────


def answers(shown: Sequence[int], player: int, tile: Tile, sizes: Sequence[int], every: int) -> set[bool]:
    """Whether the player holds the tile, in each way to deal what is not shown; all ways are tried."""
    rest = members(every & ~(shown[0] | shown[1] | shown[2]))
    room = [sizes[seat] - shown[seat].bit_count() for seat in range(3)]
    if tile.bit & shown[player]:
        return {True}
    if tile not in rest:
        return {False}
    found = set()
    for mine in combinations(rest, room[player]):
        found.add(tile in mine)
    return found


@pytest.mark.parametrize("seed", range(25))
def test_a_tile_is_held_just_where_every_deal_that_fits_says_so(seed: int) -> None:
    random = Random(seed)
    events = list(simulate(GAME, seed, {"set": 6, "hands": 3}).events)
    end = last_play(events)
    begun = [place for place in places(events, Deal) if place < end][-3]
    hand = [events[0], *(event for event in events[begun : end + 1] if type(event) not in (Over, Take))]
    contractor = next(event.player for event in hand if type(event) is Play)
    players = [player.id for player in hand[0].players]  # type: ignore[union-attr]
    shown, kept = [0, 0, 0], []
    for event in hand:
        if type(event) is not Deal:
            kept.append(event)
            continue
        # Most of each hand is known, so that all deals can be tried.
        known = [tile for tile in event.tiles if random.random() < 0.85]
        seat = players.index(event.player)
        shown[seat] = sum(tile.bit for tile in known)
        kept.append(Deal(event.player, tuple(known), partial=True))
    sizes = [9 + (player == contractor) for player in players]
    place = random.choice(places(kept, Play))
    wrong = replace(kept[place], tile=random.choice(members(full(6))))
    report_: Report = audit(GAME, codec.check([*kept[:place], wrong]))
    cited = {(f.seq, f.verdict) for f in report_.findings if f.clause == "tiles.held"}
    if any(f.clause == "tiles.once" for f in report_.findings):
        return
    fitting = answers(shown, players.index(wrong.player), wrong.tile, sizes, full(6))  # type: ignore[union-attr]
    assert ((place, "breach") in cited) == (fitting == {False})
    asked = {event.player: answers(shown, players.index(event.player), event.tile, sizes, full(6))
             for event in [*kept[:place], wrong] if type(event) is Play}  # fmt: skip
    if (place, "breach") not in cited and len(fitting) == 2:
        assert any(verdict == "unproven" for _seq, verdict in cited), asked


def test_an_audit_takes_as_long_as_the_record_is() -> None:
    def seconds(events: Sequence[AnyEvent]) -> float:
        record, best = codec.check(events), 9.0
        for _ in range(3):
            begun = process_time()
            audit(GAME, record)
            best = min(best, process_time() - begun)
        return best

    hand = [event for event in simulate(GAME, 1, {"set": 6, "hands": 3}).events[1:] if type(event) in (Play, Bid, Pass)]
    opening = simulate(GAME, 1, {"set": 6, "target": None}).events[0]
    wrong = [
        replace(event, tile=named("9-9")) if type(event) is Play and n % 5 == 0 else event
        for n, event in enumerate(hand)
    ]
    short, long = seconds([opening, *wrong * 4]), seconds([opening, *wrong * 32])
    assert long < 8 * 4 * short


def test_it_is_for_three() -> None:
    assert GAME.seats == "three players"
