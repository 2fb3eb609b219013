"""Where games were decided: the search equals brute force, and what it says of a whole game holds."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from ledger.audit.review import Review
from ledger.examples.season import season
from ledger.games import catalog
from ledger.play.exact_ends import MOST_POSITIONS, Search, decided, is_known
from ledger.play.simulate import simulate
from ledger.record.events import MOVES, Deal, Over, actor
from ledger.record.record import Record
from ledger.rules.game import Game
from sheets import review

SEARCHED = {"zigzag": (7, {}, 250), "build-up": (4, {}, 150), "ziggurat": (3, {}, 100)}
"""By game, how many tiles before the end brute force still manages, options, and how many positions are compared."""


FEW = 20_000
"""Positions that are enough for a few moves."""


def positions(game: Game[Any], plays: int, options: dict[str, Any], seed: int) -> Iterator[Any]:
    """Positions near the ends of hands of simulated games, each with all tiles open."""
    random = Random(f"ends/{seed}")
    while True:
        steps = Review(simulate(game, random.randrange(10**6), options)).steps
        opened = [step.before for step in steps if type(step.event) in MOVES and game.ending.is_open(step.before)]
        for place, state in enumerate(opened):
            later = opened[place + 1 :]
            left = sum(
                1 for other in later if not game.hand_number or game.hand_number(other) == game.hand_number(state)
            )
            if left < plays:
                yield state


def by_force(game: Game[Any], state: Any, seat: int) -> int:
    """What a seat can be sure of, by trying everything."""
    choices = game.choices(state) if game.ending.is_open(state) else ()
    if not choices:
        return game.ending.worth(state, seat)
    pick = max if state.rules.seat[actor(choices[0])] == seat else min
    return pick(by_force(game, game.evolve(state, choice), seat) for choice in choices)


@pytest.mark.parametrize("name", SEARCHED)
def test_the_search_equals_brute_force(name: str) -> None:
    plays, options, count = SEARCHED[name]
    game, random = catalog.find(name), Random(name)
    for state in islice(positions(game, plays, options, 45), count):
        seat = random.randrange(len(state.rules.players))
        assert Search(game, seat).worth(state, random.randrange(-9, 9)) == by_force(game, state, seat)


def of(name: str, number: int = 0) -> Review:
    """A game of the season."""
    return [Review(example.record) for example in season() if example.record.opening.game == name][number]


def test_a_hand_of_zigzag_was_decided_by_a_tile_and_four_others_would_have_kept_it_open() -> None:
    third, second, first = decided((game := of("zigzag")).game, game.steps)
    assert (first.number, first.seat, first.goal, first.plays, first.seq) == (1, 1, 16, 18, 55)
    assert [str(act.tile) for act in first.better] == ["3-4", "0-7", "3-7", "3-8"]
    assert first.line[3:6] == (18, 18, 18)
    assert first.line[first.seqs.index(55)] == 15
    assert (third.seq, second.seq) == (None, None)


def test_the_line_ends_where_the_hand_ended_and_only_a_mistake_of_the_player_who_acts_changes_it() -> None:
    for name in ("zigzag", "build-up", "ziggurat"):
        game = of(name)
        for hand in decided(game.game, game.steps, FEW):
            for seq, before, after in zip(hand.seqs, hand.line, hand.line[1:], strict=False):
                player = game.opening.seat(actor(game.steps[game.place(seq)].event))
                assert before >= after if player == hand.seat else before <= after


def hidden(record: Record) -> Record:
    """The record as people write it, without a word about hands."""
    return Record(tuple(event for event in record.events if not isinstance(event, Deal | Over)))


def test_hands_that_nobody_wrote_down_are_known_by_what_was_played() -> None:
    open_, closed = of("zigzag"), Review(hidden(of("zigzag").record))
    told = [
        [replace(hand, seqs=(), seq=None) for hand in decided(game.game, game.steps, FEW)] for game in (open_, closed)
    ]
    assert told[0] == told[1]
    assert is_known(closed.game, closed.steps)


def test_nothing_is_said_where_a_tile_is_unknown_a_rule_was_broken_or_the_game_has_no_search() -> None:
    unknown = review("Game: build-up\nPlayers: A Ana, B Ben\n")
    gale = Review(simulate(catalog.find("domino-ziggurat"), 1))
    for game in (unknown, gale):
        assert not decided(game.game, game.steps)
        assert not is_known(game.game, game.steps)
    game = of("zigzag")
    turns = [step for step in game.steps if type(step.event) in MOVES and game.game.hand_number(step.after) == 3]
    late, last = turns[-3].event, turns[-1].event
    swap = {id(late): replace(late, tile=last.tile), id(last): replace(last, tile=late.tile)}
    broken = Review(Record(tuple(swap.get(id(event), event) for event in game.record.events)))
    assert [hand.number for hand in decided(broken.game, broken.steps, FEW)] == [2, 1]


def test_positions_are_counted_and_without_any_left_less_is_said() -> None:
    game = of("build-up")
    assert not decided(game.game, game.steps, 3)
    assert MOST_POSITIONS == 1_000_000
