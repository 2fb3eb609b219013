"""What a recorder's page gets stays as it is: `tests/printed/screens.digests`, by game and part of the answer.

`pytest tests/viewer/phone/test_screens_kept.py --golden-update` writes them anew.  A line that changes names the part
to look at.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

import msgspec
import pytest

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.play.simulate import any_options, open_event, play, slips, states_of
from ledger.record.events import Amend, AnyEvent, Correctable, Retract
from ledger.record.record import Record
from viewer.phone.recorder_answers import Asked, question_about
from viewer.phone.recorder_view import ViewQuery, recorder_view

KEPT = Path(__file__).parents[2] / "printed" / "screens.digests"
GAMES = [(game.name, number) for game in catalog.games() for number in range(3)]
STEPS = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89)


def parts(answer: object) -> Iterator[tuple[str, object]]:
    """The fields of an answer."""
    yield from msgspec.to_builtins(answer).items()


def answers(name: str, number: int) -> Iterator[tuple[str, str, object]]:
    """The screen after some steps, and before an event; and what is said of a slip as it is entered."""
    game, random = catalog.find(name), Random(f"screen {name} {number}")
    options, players, edition = any_options(game, random)
    events: list[Correctable] = list(play(game, open_event(game, options, players, edition), random))
    states = states_of(game, events)
    for step in [step for step in STEPS if step < len(events)] + [len(events)]:
        record = Record(tuple[AnyEvent, ...](events[:step]))
        review = Review(record, "a")
        for part, value in parts(recorder_view(review, ViewQuery(seen=step // 2))):
            yield "screen", part, value
        for slip in random.sample(list(slips(game, events, step, states[step - 1], random)), 3):
            for part, value in parts(Asked(question_about("a", record, (slip,)))):
                yield "slip", part, value
        if step in (8, 34):
            for part, value in parts(recorder_view(review, ViewQuery(before=step // 2))):
                yield "before", part, value
            changes: tuple[AnyEvent, ...] = (Retract(step - 1, "no"), Amend(step - 2, events[step - 3], "so", by="Ana"))
            for part, value in parts(recorder_view(Review(Record((*record.events, *changes)), "a"))):
                yield "corrected", part, value


@pytest.mark.parametrize(("name", "number"), GAMES, ids=str)
def test_a_recorder_gets_the_same_as_before(name: str, number: int, golden_update: bool) -> None:
    digests: dict[str, str] = {}
    for place, part, value in answers(name, number):
        key = f"{name} {number} {place}: {part}"
        digests[key] = sha256(f"{digests.get(key)}{msgspec.json.encode(value).decode()}".encode()).hexdigest()[:8]
    lines = KEPT.read_text("utf-8").splitlines()
    if golden_update:
        lines = [line for line in lines if not line.startswith(f"{name} {number} ")]
        lines += [f"{key} {digest}" for key, digest in digests.items()]
        KEPT.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    kept = dict(line.rsplit(" ", 1) for line in lines if line.startswith(f"{name} {number} "))
    assert kept == digests
