"""A repair as a sentence: ``If Ben's bid at move 113 was 60, nothing else would be wrong.``"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ledger.audit.repairs import Amendment, Insertion, Proposed
from ledger.audit.summary import mistake_at
from ledger.audit.trials import Trials
from ledger.record import event_words
from ledger.record.events import CLAIMS
from ledger.record.squares import Squares
from ledger.record.tiles import Tile


def in_words(trials: Trials, corrections: Sequence[Proposed], cleared: int, *, everything: bool) -> str:
    """What these corrections say, and what they would clear."""
    return f"If {condition(trials, corrections)}, {_effect(cleared, everything=everything)}."


def _effect(cleared: int, *, everything: bool) -> str:
    if everything:
        return "nothing else would be wrong"
    return "this mistake would be gone" if cleared == 1 else f"these {cleared} findings would be gone"


def condition(trials: Trials, corrections: Sequence[Proposed]) -> str:
    """What these corrections say happened: ``Ben's bid at move 113 was 60``."""
    review, (first, *others) = trials.review, corrections
    place = trials.place_of(first)
    if others:
        seqs = [trials.entries[trials.place_of(correction)].seq for correction in corrections]
        return f"moves {' and '.join(map(str, seqs))} were the other way round"
    if isinstance(first, Insertion):
        event = event_words.in_words(first.event, review.names, review.squares)
        return f"“{event}” was forgotten before move {first.before}"
    called = mistake_at(review, place)
    if not isinstance(first, Amendment):
        return f"{called} never happened"
    was, now = trials.entries[place].event, first.event
    return f"{called} {_was(was, now, review.names, review.squares)}"


def _was(was: Any, now: Any, names: Mapping[str, str], squares: Squares) -> str:
    """What an event was really: the one thing in it that differs, or the whole event."""
    differing = [name for name in was.__struct_fields__ if getattr(was, name) != getattr(now, name)]
    name = differing[0] if len(differing) == 1 and not isinstance(now, CLAIMS) else ""
    if name == "player":
        return f"was {names[now.player]}'s"
    if name == "tiles":
        return _held(was.tiles, now.tiles)
    if name in ("at", "dir"):
        return f"was on {squares.of_place(now)}"
    if name in ("level", "stack"):
        return f"was on {name} {getattr(now, name)}"
    if name in ("tile", "bid", "high", "direction"):
        return f"was {'the ' if name == 'tile' else ''}{getattr(now, name)}"
    return f"was “{event_words.in_words(now, names, squares)}”"


def _held(was: Sequence[Tile], now: Sequence[Tile]) -> str:
    """What a hand really held, where it differs from what was written."""
    gone, new = ([str(tile) for tile in some if tile not in others] for some, others in ((was, now), (now, was)))
    if not new:
        return "had one tile fewer" if not gone else f"did not hold the {gone[0]}"
    return f"held the {new[0]}" + (f", not the {gone[0]}" if gone else " too")
