"""The reducer is pure and total, and every state of a record is the same everywhere."""

import os
import subprocess
import sys
from random import Random

import pytest

from golden import CASES, name_of
from ledger.audit.auditor import audit
from ledger.audit.replay import advance, fingerprint
from ledger.audit.review import Review
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.events import Close, Confirm, Note
from ledger.record.record import Record
from ledger.rules.game import Game
from sheets import GAMES, a_open
from soup import correction, event

ALL = [catalog.find(name) for name in catalog.built_in()]


def soup(game: Game, seed: int) -> Record:
    """A record of random events, half of them after the beginning of a legal game, with random corrections."""
    random = Random(seed)
    events = list(simulate(game, seed % 8).events)[: random.randrange(1, 60)] if seed % 2 else [a_open(game)]
    players = [player.id for player in events[0].players]  # type: ignore[union-attr]
    kinds = (*game.events, Note, Close, Confirm) if seed % 3 == 0 else game.events
    events += [event(random.choice(kinds), players, random) for _ in range(random.randint(1, 40))]
    for _ in range(random.randint(0, 3)):
        events.append(correction(len(events), game.events, players, random))
    return codec.check(events)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_no_event_raises_and_every_audit_ends(game: Game) -> None:
    for seed in range(GAMES):
        review = Review(soup(game, seed))
        assert review.report.verdict in ("clean", "note", "unproven", "breach", "impossible")
        assert review.fingerprints()
        assert review.scored is not None
        for place in range(0, len(review.steps), 9):
            after = review.steps[place].after
            assert review.scene(place).status
            assert review.words(place)
            assert game.tally(after)
            game.choices(after)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_an_event_leaves_the_state_before_it_as_it_was(game: Game) -> None:
    random = Random(7)
    state = game.start(game.opening(a_open(game)))
    players = [player.id for player in a_open(game).players]
    for _ in range(200):
        before = fingerprint(state)
        event_ = event(random.choice(game.events), players, random)
        after = advance(game, state, event_)
        assert fingerprint(state) == before
        assert fingerprint(advance(game, state, event_)) == fingerprint(after)
        state = after


def test_bookkeeping_changes_nothing() -> None:
    for game in ALL:
        state = game.start(game.opening(a_open(game)))
        for event_ in (Note("tea"), Close("abandoned"), Confirm(a_open(game).players[0].id, "9f")):
            assert advance(game, state, event_) is state


CHILD = """
import sys
from pathlib import Path
from ledger.record import codec
from ledger.audit.review import Review
for name in sys.argv[1:]:
    review = Review(codec.decode(Path(name).read_bytes()))
    print(*review.fingerprints(), review.report)
"""


def test_states_and_reports_are_the_same_under_any_hash_seed() -> None:
    names = [str(path) for path in CASES[::25]]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", CHILD, *names],
            env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }  # fmt: skip
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == len(names)


def test_a_fingerprint_tells_states_apart() -> None:
    review = Review(codec.decode(next(p for p in CASES if name_of(p) == "zigzag/ending-target").read_bytes()))
    states = {}
    for step, print_ in zip(review.steps, review.fingerprints(), strict=True):
        assert states.setdefault(print_, step.after) == step.after
    assert len(states) > 20
    assert all(len(print_) == 16 for print_ in states)


def test_an_audit_never_depends_on_the_order_in_which_records_are_audited() -> None:
    records = [codec.decode(path.read_bytes()) for path in CASES[::15]]
    forwards = [audit(catalog.find(record.opening.game), record) for record in records]
    backwards = [audit(catalog.find(record.opening.game), record) for record in reversed(records)]
    assert forwards == backwards[::-1]
