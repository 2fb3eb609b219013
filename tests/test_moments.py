"""The moments of a game: what is asked in them only, and that all of them come up.

A clause that names a moment which no event ever comes in would be silent for ever; here such a name is found.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from ledger import catalog
from ledger.events import Correctable, Place
from ledger.game import Clause, Game
from ledger.replay import advance
from ledger.review import Review
from ledger.simulate import any_options, simulate

ALL = [game for game in map(catalog.find, catalog.built_in()) if game.moments]
RECORDS = {"domino-ziggurat": 3}
"""How many games are played, if not 12: of a puzzle with so many places fewer."""


def tried(game: Game) -> Iterator[tuple[Any, Correctable]]:
    """States out of simulated games, each with an event that was played, or could wrongly be played, there."""
    for seed in range(RECORDS.get(game.name, 12)):
        random = Random(seed)
        options, players, edition = any_options(game, random)
        record = simulate(game, seed, options, players=players, edition=edition)
        for step in islice(Review(record).steps, 200):
            yield step.before, step.event
            if isinstance(step.event, Place) and step.event.level > 2:
                # Beside the building and a level too low: a slip that the game itself does not think of.
                yield step.before, replace(step.event, at=(step.event.at[0] + 9, 0), level=step.event.level - 1)
            if random.random() < 0.25:
                yield from ((step.before, slip) for slip in game.simulation.slips(step.before, random))


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_every_moment_that_a_clause_or_ruling_names_comes_up(game: Game) -> None:
    named = {(event, moment) for part in (*game.clauses, *game.rulings) for event in part.on for moment in part.at}
    named = {(event, moment) for event, moment in named if event in game.moments}
    found = {
        (type(event), game.moments[type(event)](before, event, advance(game, before, event)))
        for before, event in tried(game)
        if type(event) in game.moments
    }
    # What all events share is named for each of them: a moment is misspelt if it comes up for none.
    assert {moment for _event, moment in named} <= {moment for _event, moment in found}


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_what_leaves_the_table_as_it_was_is_always_said_to_be_impossible(game: Game) -> None:
    stuck = 0
    for before, event in tried(game):
        if type(event) not in game.moments or before.ended:
            continue
        after = advance(game, before, event)
        if game.moments[type(event)](before, event, after) != "stuck":
            continue
        stuck += 1
        assert any(_speaks(game, clause, before, event, after) for clause in game.clauses), event
    assert stuck > 20


def _speaks(game: Game, clause: Clause, before: Any, event: Correctable, after: Any) -> bool:
    if clause.verdict != "impossible" or type(event) not in clause.on or clause.check is None:
        return False
    return game.speaks(clause, before, event, after) and bool(list(clause.check(before, event, after, None)))
