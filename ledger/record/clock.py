"""The clock of this machine.  Everything that asks for the time or the day asks here, so that tests can give it."""

from datetime import UTC, date, datetime, timedelta, tzinfo

ZONE: tzinfo | None = None
"""The zone of this place; None for the one that this machine is set to."""


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


def today() -> date:
    """The day at this place."""
    return now().astimezone(ZONE).date()


def tomorrow() -> str:
    """The last day on which a game can have been played, as records write it: somewhere it is tomorrow already."""
    return (today() + timedelta(1)).isoformat()


def is_ahead(played: str | None) -> bool:
    """Whether a day of a game has not come yet anywhere."""
    return played is not None and played > tomorrow()
