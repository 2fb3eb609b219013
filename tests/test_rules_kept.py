"""The rules stay as they are: `tests/printed/rules.digests` has what they say of games under drawn options.

Each line has a digest of one answer of a rule set over all steps of some games: what may be played, what a shuffle and
a table may do, how the table looks and stands, how a sheet and a replay read, and the report of the audit, also of
games full of slips and of games without their hands.  `pytest tests/test_rules_kept.py --golden-update` writes them
anew.  A look, the order of choices and what a shuffle gives may change; a report of a shipped rule set may not.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from ledger import notation
from ledger.audit.reports import step_lines
from ledger.audit.review import Review
from ledger.games import catalog
from ledger.play.simulate import any_options, open_event, play, slips, states_of
from ledger.record.events import Correctable, Deal, Draw, Event
from ledger.record.record import Record
from ledger.record.scene import fill_scene
from ledger.record.sentences import filled
from ledger.rules.game import Game

KEPT = Path(__file__).parent / "printed" / "rules.digests"
GAMES = [(game.name, number) for game in catalog.games() for number in range(7)]
LONGEST = 150
"""How many events of a game are looked at."""


def erring(game: Game[Any], clean: list[Correctable], random: Random) -> list[Correctable]:
    """The same game with some acts and claims that a table could get wrong, each right after it could be."""
    events = list[Correctable]()
    for place, (event, state) in enumerate(zip(clean, states_of(game, clean), strict=True), 1):
        events.append(event)
        if random.random() < 0.15:
            events.append(random.choice(list(slips(game, clean, place, state, random))))
    return events


def answers(game: Game[Any], states: list[Any], random: Random) -> Iterator[tuple[str, object]]:
    """What the rules answer in each state, by question."""
    assert game.choices is not None
    assert game.tray is not None
    for number, state in enumerate(states):
        ids = {player: player for player in state.rules.players}
        yield "scene", fill_scene(game.scene(state), partial(filled, names=ids))
        yield "standing", game.standing(state)
        yield "tally", game.tally(state)
        yield "hand", game.hand_number and game.hand_number(state)
        yield "hands", game.hands_planned and game.hands_planned(state)
        if number % 4 == 0:
            yield "choices", list(game.choices(state))
            yield "chance", list(game.chance(state, random))
            for kind in game.events:
                yield "tray", [list(game.tray(state, kind, seat)) for seat in range(len(state.rules.players))]


def readings(record: Record) -> Iterator[tuple[str, object]]:
    """How a record reads: its report, its replay and its sheets."""
    review = Review(record)
    yield "report", review.report
    yield "replay", step_lines(review)
    yield "points", [list(review.gains.items()), [review.phrase(place) for place in range(len(review.steps))]]
    yield "sheet", notation.write(record)
    yield "numbered sheet", notation.write(record, numbered=True, squares=review.squares)


def digests(name: str, number: int) -> dict[str, str]:
    """The digest of each answer for one game under drawn options."""
    game, random = catalog.find(name), Random(f"{name}/{number}")
    options, players, edition = any_options(game, random)
    opening = open_event(game, options, players, edition)
    clean: list[Correctable] = list(islice(play(game, opening, random), LONGEST))
    wrong = erring(game, clean, random)
    bare = [event for event in wrong if not isinstance(event, Deal | Draw)]
    parts = defaultdict[str, Any](sha256)
    for about, events in (("", clean), ("erring ", wrong), ("bare ", bare)):
        for question, answer in readings(Record(tuple[Event, ...](events))):
            parts[about + question].update(msgspec.json.encode(answer, order="sorted"))
    for question, answer in answers(game, states_of(game, wrong), random):
        parts[question].update(msgspec.json.encode(answer, order="sorted"))
    return {question: part.hexdigest()[:12] for question, part in parts.items()}


@pytest.mark.parametrize(("name", "number"), GAMES, ids=str)
def test_a_rule_set_says_the_same_as_before(name: str, number: int, golden_update: bool) -> None:
    now = {f"{name} {number} {question}": digest for question, digest in digests(name, number).items()}
    kept = {line.rpartition(" ")[0]: line.rpartition(" ")[2] for line in KEPT.read_text("utf-8").splitlines()}
    if golden_update:
        kept = {what: digest for what, digest in kept.items() if not what.startswith(f"{name} {number} ")} | now
        KEPT.write_text("".join(f"{what} {digest}\n" for what, digest in kept.items()), "utf-8")
    assert {what: digest for what, digest in kept.items() if what.startswith(f"{name} {number} ")} == now
