"""Zigzag by hand: claims and calls at the table, and the findings about them."""

import sys
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from ledger.audit.auditor import Report, audit
from ledger.audit.review import Review
from ledger.audit.slip.causes import Amendment
from ledger.audit.slip.slip_search import causes
from ledger.games.zigzag import GAME
from ledger.games.zigzag.bidding import begins_next, contractor_acts, lowest_bid
from ledger.games.zigzag.state import UNKNOWN, Hand, of_this_hand
from ledger.play.simulate import open_event, simulate
from ledger.record import codec
from ledger.record.errors import NotARecord
from ledger.record.events import AnyEvent, Bid, Deal, Over, Pass, Play, Result, Score, Take
from ledger.record.tiles import TILES, Tile, full, mask, members, named
from sheets import grave, report, review

HEAD = "Game: zigzag\nPlayers: A Ana, B Ben, C Cy\nOptions: first_bidder = A"
BIDS = "\nA bids 12\nB passes\nC passes"
EXAMPLE = BIDS + "\nA 2-2\nB 2-5\nC 4-5\nA 4-7\nB 4-8\nC 6-8\nA 3-5\n"

WRONG = {
    "a bid no higher than the last": ("\nA bids 12\nB bids 12", [(2, "zigzag.bid.raise", "breach")]),
    "an order named without a ranking": ("\nA bids 12\nB passes\nC passes\nA ranks 6 regular",
                                         [(4, "zigzag.rank", "breach")]),
    "a result of a game that goes on": (EXAMPLE + "result: A", [(11, "zigzag.end", "breach")]),
}  # fmt: skip


def test_a_second_or_late_bid_leaves_the_contractor_and_the_bid_as_they_were() -> None:
    late = grave(HEAD + "\nA bids 10\nB bids 12\nC passes\nA bids 14\nB 8-8\nC 8-7")
    assert [finding for finding in late if finding[2] != "unproven"] == [(4, "zigzag.bid.order", "breach")]


def test_a_claim_that_is_wrong_in_two_fields_has_one_proposal() -> None:
    (cause,) = causes(review(HEAD + EXAMPLE + "C takes 6\nB 0-1\nB takes 2\nC 1-1"))
    (amendment,) = cause.repairs[0].corrections
    assert amendment == Amendment(13, Take("ana", 1))


@pytest.mark.parametrize("mistake", WRONG)
def test_a_breach_is_found_at_its_event_by_its_clause(mistake: str) -> None:
    lines, expected = WRONG[mistake]
    assert [finding for finding in grave(HEAD + lines) if finding[2] != "unproven"] == expected


def test_the_example_of_play() -> None:
    reviewed = review(HEAD + EXAMPLE + "C takes 6\nB 0-1\nA takes 1\nC 1-1\n")
    assert [f for f in reviewed.report.findings if f.verdict == "breach"] == []
    assert [(s.reason.player, s.seq) for s in reviewed.scored] == []
    assert reviewed.scene().status


def test_a_tile_that_was_dealt_to_two_and_played_by_both_is_there_once() -> None:
    hands = "\nA has 2-2 0-0 0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8 1-1 1-2 1-3 1-4 1-5"
    hands += "\nB has 2-2 1-6 1-7 1-8 2-3 2-4 2-5 2-6 2-7 2-8 3-3 3-4 3-5 3-6 3-7"
    assert grave(HEAD + hands + BIDS + "\nA 2-2\nB 2-2") == [
        (2, "tiles.once", "impossible"), (7, "tiles.once", "impossible"), (6, "tiles.held", "unproven"),
    ]  # fmt: skip


def test_a_bid_beyond_all_there_is_is_only_noted() -> None:
    result = report(HEAD + "\nA bids 46")
    assert (result.verdict, [f.verdict for f in result.findings]) == ("clean", ["note"])
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


@pytest.mark.parametrize(("largest", "share", "over"), [(6, 9, 1), (7, 12, 0), (8, 15, 0), (9, 18, 1)])
def test_the_set_is_dealt_out_whole(largest: int, share: int, over: int) -> None:
    tiles = [str(tile) for tile in members(full(largest))]
    hands = [" ".join(tiles[n * share : (n + 1) * share]) for n in range(3)]
    head = HEAD.replace("= A", f"= A, set = {largest}")
    dealt = "".join(f"\n{player} has {hand}" for player, hand in zip("ABC", hands, strict=True))
    assert grave(head + dealt) == []
    assert len(tiles) == 3 * share + over
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
    """Seq and clause of each breach and each impossible event."""
    return [(seq, clause) for seq, clause, verdict in grave(sheet) if verdict in ("breach", "impossible")]


def test_a_bid_of_nothing_is_a_bid_unless_the_lowest_is_1() -> None:
    result = report(HEAD + "\nA bids 0\nB passes")
    assert (result.verdict, result.rulings) == ("clean", {"min_bid": 0})
    assert accused(HEAD.replace("= A", "= A, min_bid = 1") + "\nA bids 0") == [(1, "zigzag.bid.raise")]
    # The ruling also decides which bid is called the lowest.
    assert report(HEAD + "\nA bids -3").rulings == {"min_bid": 0}
    assert report(HEAD + "\nA bids 2\nB bids 2").rulings == {}


def test_a_bid_of_nothing_cannot_fail() -> None:
    events = list(simulate(GAME, 1, {"set": 6, "hands": 3}).events)
    first = next(event for event in events if type(event) is Bid)
    bare = [event for event in events if type(event) not in (Bid, Pass, Take, Score, Result)]
    place = next(n for n, event in enumerate(bare) if type(event) in (Over, Play))
    players = [player.id for player in bare[0].players]  # type: ignore[union-attr]
    at = players.index(first.player)
    passes = [Pass(players[(at + n) % 3]) for n in (1, 2)]
    options = {**bare[0].options, "first_bidder": first.player}  # type: ignore[union-attr]
    opening = replace(bare[0], options=options)
    result = audit(
        GAME, codec.check([opening, *bare[1:place], Bid(first.player, 0), *passes, *bare[place : place + 40]])
    )
    assert set(result.scores.values()) == {0}


def test_an_illegal_rank_changes_nothing() -> None:
    ranked = HEAD.replace("= A", "= A, ranking = yes") + BIDS
    for wrong in ("B ranks 0", "A ranks 9"):
        # In the regular order a 3-2 does not cover a 3-1's 1; with 0 on top it would.
        state = review(ranked + f"\n{wrong}\nA 2-2").steps[-1].after
        assert state.hand.rank is None
    assert accused(ranked + "\nA ranks 6\nA ranks 6\nA 2-2") == [(5, "zigzag.rank")]
    assert accused(ranked + "\nA 2-2\nA ranks 6") == [(5, "zigzag.rank")]
    assert review(ranked + "\nA ranks 6\nA ranks 3").steps[-1].after.hand.rank == (6, False)


@pytest.mark.parametrize(("hands", "noted"), [(1, True), (3, False), (4, True), (9, False)])
def test_a_number_of_hands_that_is_not_a_multiple_of_3_is_noted(hands: int, noted: bool) -> None:
    result = audit(GAME, simulate(GAME, 1, {"set": 6, "hands": hands}))
    assert (result.verdict, result.finished) == ("clean", True)
    assert [(f.seq, f.verdict) for f in result.findings if f.clause == "zigzag.hands"] == [(0, "note")] * noted


LATE = EXAMPLE + "B 0-1\nC 1-1\n"


def test_a_take_speaks_of_the_last_pile_of_its_player() -> None:
    assert accused(HEAD + LATE + "C takes 6") == []
    assert accused(HEAD + LATE + "C takes 5") == [(13, "zigzag.take")]
    assert accused(HEAD + LATE + "B takes 6") == [(13, "zigzag.take")]
    assert accused(HEAD + LATE + "A takes 1\nC takes 6") == []
    # A pile is taken once: a take that was called before the last tile cannot be called again.
    assert accused(HEAD + EXAMPLE + "C takes 6\nB 0-1\nC takes 6") == [(13, "zigzag.take")]
    assert accused(HEAD + EXAMPLE + "C takes 6\nC takes 6") == []


def test_after_the_bidding_the_contractor_leads() -> None:
    bids = "\nA bids 12\nB bids 13\nC passes"
    scenes = review(HEAD + bids + "\nB 2-2")
    statuses = [scenes.named(scenes.scene(place).status) for place in range(2, 5)]
    assert statuses == ["Hand 1, bidding · Cy to bid", "Hand 1 · Ben leads", "Hand 1, play · Cy to play"]
    ranked = review(f"{HEAD}, ranking = yes{bids}\nB ranks 6 reverse")
    assert ranked.named(ranked.scene().status) == "Hand 1, 6 highest in reverse · Ben leads"
    # A call that was written for the wrong player is a call all the same.
    astray = review(HEAD + "\nA bids 12\nB passes\nB bids 13")
    assert astray.named(astray.scene().status) == "Hand 1 · Ben leads"


def test_the_contractor_leads_in_every_hand() -> None:
    reviewed = Review(simulate(GAME, 4, {"hands": 6}))
    calls = [place for place, step in enumerate(reviewed.steps) if type(step.event) in (Bid, Pass)]
    words = [reviewed.scene(place).status.split()[-1] for place in calls]
    assert {tuple(words[n : n + 3]) for n in range(0, len(words), 3)} == {
        ("bid", "bid", "leads"),
        ("bid", "bid", "first"),  # all passed: the next hand
    }


@pytest.mark.parametrize(
    ("options", "target", "hands"),
    [({}, 100, None), ({"hands": 6}, None, 6), ({"hands": 6, "scoring": "points"}, None, 6),
     ({"target": None}, None, None), ({"hands": 6, "target": None}, None, 6),
     ({"hands": None, "target": 60}, 60, None), ({"hands": None}, 100, None)],
)  # fmt: skip
def test_a_game_has_a_target_or_a_number_of_hands(
    options: dict[str, object], target: int | None, hands: int | None
) -> None:
    opening = GAME.opening(open_event(GAME, options))
    assert (opening.options["target"], opening.options["hands"]) == (target, hands)


@pytest.mark.parametrize("scoring", ["tiles", "points"])
def test_an_opening_with_a_target_and_a_number_of_hands_is_refused(scoring: str) -> None:
    with pytest.raises(NotARecord, match="a target or a fixed number of hands, not both") as refused:
        GAME.opening(open_event(GAME, {"hands": 3, "target": 100, "scoring": scoring}))
    assert (refused.value.event, refused.value.field) == (0, "$.options.hands")


def in_bidding(**more: object) -> Hand:
    """A hand in which A bid 12, C was due instead, and B passed."""
    hand = GAME.start(GAME.opening(review(HEAD + BIDS).record.opening)).hand
    seats = {"phase": "bidding", "calls": 2, "spoke": 0b011, "skipped": 0, "contractor": 0, "rival": 2, "highest": 12}
    return replace(hand, **(seats | more))


def test_who_acts_as_the_contractor_made_the_highest_bid() -> None:
    hand = in_bidding()
    forgotten = contractor_acts(hand, 2)
    assert forgotten == replace(hand, contractor=2, rival=None, highest=UNKNOWN, skipped=0b100)
    assert contractor_acts(hand, 0) == replace(hand, rival=None, skipped=0b100)
    assert contractor_acts(hand, 1) is hand
    assert contractor_acts(in_bidding(phase="play"), 0) == in_bidding(phase="play")
    spoken = in_bidding(calls=3, spoke=0b111)
    assert contractor_acts(spoken, 2) == replace(spoken, contractor=2, rival=None)
    done = in_bidding(calls=3, spoke=0b111, rival=None)
    assert contractor_acts(done, 0) is done


def test_only_one_who_neither_spoke_nor_was_skipped_can_have_made_the_forgotten_bid() -> None:
    assert [contractor_acts(in_bidding(), seat).highest == UNKNOWN for seat in range(3)] == [False, False, True]
    for more in ({"phase": "play"}, {"calls": 1}, {"calls": 3}, {"skipped": 0b100}, {"spoke": 0b111}):
        assert contractor_acts(in_bidding(**more), 2).highest != UNKNOWN, more


def test_the_lowest_bid_is_above_the_last_and_at_least_the_least() -> None:
    rules = GAME.start(GAME.opening(review(HEAD + BIDS).record.opening)).rules
    assert lowest_bid(rules, in_bidding()) == 13
    assert lowest_bid(rules, in_bidding(highest=-1)) == rules.least
    assert lowest_bid(rules, in_bidding(phase="over")) == rules.least


def test_a_call_begins_the_next_hand_if_the_last_is_over_or_nothing_else_explains_it() -> None:
    state = GAME.start(GAME.opening(review(HEAD + BIDS).record.opening))
    player = state.rules.players[1]

    def begins(event: Bid | None = None, **more: object) -> bool:
        return begins_next(replace(state, hand=in_bidding(**more)), event or Pass(player))

    assert not begins()
    assert begins(phase="over")
    assert begins(phase="over", last=1, said=3)
    assert not begins(phase="over", last=1, said=None)
    assert begins(phase="over", last=1, said=None, plays=(1, 0, 0))
    assert begins(phase="over", last=2, said=None)
    assert not begins(Bid(player, 3), phase="over", last=1, said=3)
    assert begins(Bid(player, 4), phase="over", last=1, said=3)
    assert begins(phase="play", stray=True)
    assert not begins(phase="play", stray=False, ahead=None)
    assert [begins(phase="play", stray=False, ahead=(seat, 0)) for seat in range(3)] == [True, False, False]


def test_a_deal_belongs_to_this_hand_unless_it_begins_the_next() -> None:
    state = GAME.start(GAME.opening(review(HEAD + BIDS).record.opening))
    deal = Deal(state.rules.players[0], members(full(2))[:4])
    alike, other = mask(deal.tiles[:3]), mask(deal.tiles[:2])

    def is_of_this(**more: object) -> bool:
        return of_this_hand(replace(state, hand=in_bidding(**more)), deal)

    assert not is_of_this(phase="over", dealt=(mask(deal.tiles), 0, 0))
    assert not is_of_this(phase="play", stray=True, dealt=(mask(deal.tiles), 0, 0))
    assert is_of_this(spoke=0, dealt=(other, 0, 0))
    assert is_of_this(dealt=(0, 0, 0))
    assert is_of_this(dealt=(alike, 0, 0))
    assert not is_of_this(dealt=(other, 0, 0))


# ---- Zigzag: one slip of a player or of the recorder is one finding; and conclusions from hidden hands.


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

NOT_TOLD = BIDS + "\nA 2-2\nB 2-5\nC 9-9\n"


def test_what_depends_on_an_unknown_tile_is_not_judged() -> None:
    impossible = (6, "tiles.in-set")
    # It is unknown whether the unknown tile covers the 2-5, and whether the 2-7 covers it.
    for lines in ("", "B takes 2\n", "B takes 2\nA 2-7\nC takes 1", "A 2-7\nC takes 3", "A 2-7\nB 0-0\nA takes 4"):
        assert accused(HEAD + NOT_TOLD + lines) == [impossible], lines
    assert accused(HEAD + NOT_TOLD + "B takes 3")[1:] == [(7, "zigzag.take")]
    assert accused(HEAD + NOT_TOLD + "B takes 2\nA 2-7\nC takes 3")[1:] == [(9, "zigzag.take")]
    # Once the pile is taken it is judged as always.
    later = "A 2-7\nB 0-0\nC 1-1\n"
    assert accused(HEAD + NOT_TOLD + later + "B takes 1") == [impossible]
    assert accused(HEAD + NOT_TOLD + later + "B takes 2") == [impossible, (10, "zigzag.take")]


def test_the_points_of_an_unknown_tile_count_as_claimed() -> None:
    head = HEAD.replace("= A", "= A, scoring = points")
    lines = NOT_TOLD + "A 0-0\n"
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
