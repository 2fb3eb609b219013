"""How long the players thought about their moves, where times were recorded."""

from datetime import datetime
from typing import NamedTuple

from ledger.audit.review import Review
from ledger.record import events as e

LONGEST_THOUGHT = 3600
"""A pause of more seconds is a break, not thinking time."""


class Thought(NamedTuple):
    """How long a player thought: over how many moves, the seconds in all, the longest time and its seq."""

    name: str
    moves: int
    seconds: float
    longest: float
    seq: int


def thoughts(review: Review) -> list[Thought]:
    """How long each player thought, by seat; empty unless times were recorded."""
    acts = frozenset(e.ACTS)
    seats: dict[str, list[tuple[float, int]]] = {player: [] for player in review.opening.players}
    before: datetime | None = None
    for step in review.steps:
        now = _time(step.event.when)
        player = e.actor(step.event)
        if now and before and player in seats and type(step.event) in acts and not isinstance(step.event, e.Deal):
            seconds = (now - before).total_seconds()
            if 0 <= seconds <= LONGEST_THOUGHT:
                seats[player].append((seconds, step.seq))
        before = now or before
    if not any(seconds > 0 for times in seats.values() for seconds, _seq in times):
        return []
    return [
        Thought(review.names[player], len(times), sum(seconds for seconds, _seq in times), *max(times))
        for player, times in seats.items()
        if times
    ]


def _time(when: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(when) if when else None
    except ValueError:
        return None


def duration(seconds: float) -> str:
    """A time for people: ``12 s``, ``3 min 5 s``, ``1 h 4 min``."""
    whole = round(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    gap = "\N{NO-BREAK SPACE}"
    if hours:
        return f"{hours}{gap}h {minutes}{gap}min"
    if minutes:
        return f"{minutes}{gap}min {rest}{gap}s" if rest else f"{minutes}{gap}min"
    return f"{rest}{gap}s"
