"""Addresses of the club's pages, and numbers as people write them."""

from flask import url_for

from ledger.stores.query import fold


def player_url(name: str) -> str:
    """The address of a player's page."""
    return _named("club.player", "club.players", name)


def replay_url(record_id: str) -> str:
    """The address of a replay."""
    return url_for("replay.replay", record_id=record_id)


def event_url(name: str) -> str:
    """The address of an event's page."""
    return _named("events.one", "events.every", name)


def _named(page: str, index: str, name: str) -> str:
    # Browsers resolve dots and some servers merge slashes, so a name with these goes behind a question mark.
    parts = name.split("/")
    if any(part in ("", ".", "..") for part in parts) or "\\" in name or fold(name) != fold(name.strip()):
        return url_for(index, name=name)
    return url_for(page, name=name)


def percent(part: float, whole: float) -> str:
    """A share in percent: ``45 %``; a dash if the whole is 0."""
    return f"{100 * part / whole:.0f}\N{NO-BREAK SPACE}%" if whole else "–"


def decimal(value: float | None) -> str:
    """A mean with one digit after the point, without it for a whole number; a dash for None."""
    return "–" if value is None else f"{value:.1f}".removesuffix(".0")
