"""Events in words: one sentence for each, with the players' names."""

from __future__ import annotations

import pytest

from ledger.events import Amend, AnyEvent, Play
from ledger.tiles import named
from ledger.words import in_words

NAMES = {"ana": "Ana"}


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Play("ana", named("5-1")), "Ana plays 5-1"),
        (Play("ana", named("5-1"), "left"), "Ana plays 5-1 on the left"),
        (Play("ana", named("5-1"), "right"), "Ana plays 5-1 on the right"),
        (
            Amend(2, Play("ana", named("5-1"), "left"), "a slip"),
            "event 2 really was: Ana plays 5-1 on the left (a slip)",
        ),
    ],
)
def test_a_sentence_says_where_a_tile_is_played(event: AnyEvent, sentence: str) -> None:
    assert in_words(event, NAMES) == sentence
