"""*You are the referee*: each day has a puzzle with exactly one right answer, and it needs no hidden hand."""

import os
from datetime import date, timedelta

import pytest

from ledger.audit.auditor import audit
from ledger.audit.review import Review
from ledger.games import catalog
from ledger.play.puzzles import BEFORE, FIVE, Puzzle, lessons, puzzle
from ledger.record import codec
from ledger.record.events import ACTS, CLAIMS, Close, Deal, Draw, Lift
from ledger.record.record import Record
from ledger.rules.game import Game

FIRST = date(2026, 11, 25)
DAYS = [FIRST + timedelta(number) for number in range(int(os.environ.get("DOMINO_DAYS", "40")))]
"""The days whose puzzles are tried: ten of each rule set.  `make torture` tries 1,000."""
GAMES = [catalog.find(name) for name in catalog.built_in()]


@pytest.mark.every(5)
@pytest.mark.parametrize("day", DAYS, ids=str)
def test_a_day_has_one_right_answer_by_the_audit_and_needs_no_hidden_hand(day: date) -> None:
    made = puzzle(f"{day}")
    game = catalog.find(made.record.opening.game)
    (finding,) = audit(game, made.record).findings
    assert finding == made.finding
    assert finding.verdict in ("breach", "impossible")
    assert [number for number, move in enumerate(made.moves) if finding.seq in move] == [made.answer]
    assert finding.clause in {clause.id for clause in lessons(game)}

    # Without the deals the audit finds the same move: what is left open blames nobody.
    events = made.record.events
    bare = Record(tuple(event for event in events if not isinstance(event, Deal)))
    blamed = [found for found in audit(game, bare).findings if found.verdict in ("breach", "impossible")]
    assert [(found.clause, bare.events[found.seq]) for found in blamed] == [(finding.clause, events[finding.seq])]

    # Five moves, one after the other, at the end of a record that is not closed; one act each.
    assert len(made.moves) == FIVE
    assert [place for move in made.moves for place in move] == list(range(made.moves[0].start, len(events)))
    for move in made.moves:
        (_act,) = (events[seq] for seq in move if isinstance(events[seq], ACTS) and not isinstance(events[seq], Draw))
    assert not any(isinstance(event, Close | Deal) for event in events[made.moves[0].start :])
    assert sum(isinstance(event, ACTS) and not isinstance(event, Deal | Draw) for event in events) >= BEFORE + FIVE
    assert codec.decode(codec.encode(made.record)) == made.record
    only_one_act_is_irregular(made)


def only_one_act_is_irregular(made: Puzzle) -> None:
    """To a person too: without the wrong move, and with it, the others act as the table says, one after another."""
    review = Review(made.record)
    for number, move in enumerate(made.moves):
        for seq in move:
            event = made.record.events[seq]
            if number == made.answer or not isinstance(event, ACTS) or isinstance(event, Draw | Lift):
                continue
            seats = review.scene(seq - 1).seats
            due = [player for player, seat in zip(review.opening.players, seats, strict=False) if seat.turn]
            assert due in ([], [event.player]), f"move {number + 1}: {due} may act, and {event.player} does"
            assert seq not in review.findings
    assert list(review.findings) == [made.finding.seq]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_each_game_has_three_puzzles_of_its_own(game: Game) -> None:
    made = [puzzle(f"{game.name}-{number}") for number in (1, 2, 3)]
    assert {one.record.opening.game for one in made} == {game.name}
    assert len({codec.encode(one.record) for one in made}) == 3


def test_every_rule_set_takes_its_turn_and_a_puzzle_stays_the_same() -> None:
    week = [puzzle(f"{day}") for day in DAYS[: 2 * len(GAMES)]]
    played = [made.record.opening.game for made in week]
    assert sorted(played[: len(GAMES)]) == sorted(game.name for game in GAMES)
    assert played[: len(GAMES)] == played[len(GAMES) :]
    assert week[0] == puzzle(f"{DAYS[0]}")
    assert len({codec.encode(made.record) for made in week}) == len(week)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_lessons_of_a_game_are_clauses_that_judge_what_happens(game: Game) -> None:
    kinds = lessons(game)
    assert len(kinds) >= 4
    assert all(set(clause.on) & {*ACTS, *CLAIMS} and not clause.proved for clause in kinds)
