"""A hand that the table left too early is over, by however many tiles: it counts, and the game goes on to its winner.

Source: the rules' README, "One slip, one finding".
"""

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

import pytest

from ledger.audit.auditor import audit
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import Bid, Close, Deal, Event, Over, Pass, Play, Result, Score, Stack
from ledger.record.record import Record

GAMES = {
    "zigzag to a target": ("zigzag", {"target": 40}),
    "zigzag of a number of hands": ("zigzag", {"hands": 3, "set": 6}),
    "zigzag with a tile over": ("zigzag", {"target": 60, "set": 9}),
    "build-up": ("build-up", {}),
    "build-up of three hands": ("build-up", {"hands": (6, 6, 4), "hand_end": "all-pass"}),
}
PLAYED = (Play, Stack)
CLAIMED = {
    "every claim": ("hand", "game"), "no totals": ("hand",), "no points of hands": ("game",), "only the result": (),
}  # fmt: skip
"""What tables claim, with the scopes of their scores."""


def hands_of(events: Sequence[Event]) -> list[list[int]]:
    """The places of the plays of each hand."""
    hands: list[list[int]] = [[]]
    for place, event in enumerate(events):
        if type(event) in PLAYED:
            hands[-1].append(place)
        elif type(event) is Score and event.scope == "hand":
            hands.append([])
    return [hand for hand in hands if hand]


def kept(event: Event, claimed: str) -> bool:
    """Whether a table that claims so much would write down an event."""
    return type(event) is not Score or event.scope in CLAIMED[claimed]


def left_early(name: str, seed: int) -> Iterator[tuple[str, Record]]:
    """Games in which some plays of one hand were forgotten: the last ones, or any; and what it is, in words."""
    game, options = GAMES[name]
    events = simulate(catalog.find(game), seed, options).events
    random = Random(seed)
    hand = random.choice(hands_of(events))
    counts = {1, 2, 3, 4, random.randrange(1, len(hand)), len(hand) - 1}
    for count, claimed, hidden in product(sorted(counts & set(range(len(hand)))), CLAIMED, (False, True)):
        if game == "build-up" and hidden and claimed in ("only the result", "no points of hands"):
            continue  # nothing in such a record tells where a hand ended
        for which, gone in (("the last", hand[-count:]), ("any", random.sample(hand, count))):
            rest = [
                event
                for place, event in enumerate(events)
                if place not in gone and kept(event, claimed) and not (hidden and type(event) in (Deal, Over))
            ]
            yield f"{which} {count} forgotten, {claimed}, {hidden=}", Record(tuple(rest))


@pytest.mark.every(2)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(6))
def test_a_game_with_a_hand_left_early_has_its_winner(name: str, seed: int) -> None:
    for what, record in left_early(name, seed):
        report = audit(catalog.find(GAMES[name][0]), record)
        assert report.finished, what
        assert report.winners, what
        if name.startswith("zigzag"):
            assert [f.clause for f in report.findings].count("zigzag.hand.end") == 1, what


@pytest.mark.parametrize("name", ["build-up", "build-up of three hands"])
@pytest.mark.parametrize("claimed", ["every claim", "no totals"])
@pytest.mark.parametrize("number", [0, 1, -1], ids=["the first", "the second", "the last"])
def test_a_hand_that_was_dealt_and_scored_counts_without_a_tile(name: str, claimed: str, number: int) -> None:
    game, options = GAMES[name]
    for seed in range(4):
        events = [event for event in simulate(catalog.find(game), seed, options).events if kept(event, claimed)]
        begin = hands_of(events)[number][0]
        scored = next(place for place in range(begin, len(events)) if type(events[place]) is Score)
        report = audit(catalog.find(game), Record((*events[:begin], *events[scored:])))
        assert report.finished, seed
        assert report.winners, seed
        # The tiles that nobody recorded lie on no stack, so a later hand may seem to end too early, too.
        assert next(f.seq for f in report.findings if f.clause == "build-up.hand.end") <= begin + 1, seed


def test_a_score_that_is_called_late_or_too_early_is_no_hand() -> None:
    for seed in range(4):
        events = list(simulate(catalog.find("build-up"), seed).events)
        first = next(place for place, event in enumerate(events) if type(event) is Score)
        later = [place for place, event in enumerate(events) if type(event) is Deal and place > first]
        score = events[first]
        for place in (later[2], hands_of(events)[-1][0]):  # after the deals of a later hand
            moved = [*events[:first], *events[first + 1 : place], score, *events[place:]]
            reports = [audit(catalog.find("build-up"), Record(tuple(some))) for some in (events, moved)]
            assert reports[0].scores == reports[1].scores
            assert not any(finding.clause == "build-up.leftover" for finding in reports[1].findings)


# The last hand, too: what comes after it is past the end, unless it is a tile of that hand.
@pytest.mark.parametrize("options", [{"hands": 1}, {"target": 1}], ids=str)
def test_nothing_but_its_own_tiles_follows_a_last_hand_that_was_left_early(options: dict[str, int]) -> None:
    game = catalog.find("zigzag")
    events = [event for event in simulate(game, 4, options).events if type(event) not in (Close, Result)]
    *before, last_play = [place for place, event in enumerate(events) if type(event) is Play]
    early = [event for place, event in enumerate(events) if place != last_play]
    assert audit(game, Record(tuple(early))).finished
    bid = next(event for event in events if type(event) is Bid)
    ids = [player.id for player in events[0].players]
    for act in (bid, Pass(ids[0]), events[1], events[before[-1]]):
        report = audit(game, Record((*early, act)))
        assert [(f.seq, f.clause) for f in report.findings if f.verdict == "breach"][-1] == (len(early), "zigzag.end")
    resumed = audit(game, Record((*early, events[last_play])))
    assert "zigzag.end" not in {finding.clause for finding in resumed.findings}
