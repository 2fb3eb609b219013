"""The clock of this machine.  Everything that asks for the time or the day asks here, so that tests can give it."""

from __future__ import annotations

from datetime import UTC, date, datetime


def now() -> datetime:
    """The time, in this machine's zone."""
    return datetime.now(UTC).astimezone()


def today() -> date:
    """The day at this place."""
    return now().date()
