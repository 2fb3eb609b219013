"""Days and times for people: the server writes them in one way, the page's script in the reader's own way."""

from ledger.record import words
from ledger.record.visible import visible


def day(moment: str | None) -> str:
    """A day or a time as it was recorded (ISO), as people write a day: ``12 Nov 2026``.  Other text stays."""
    return visible(words.day(moment)) if moment else ""


def day_and_time(moment: str) -> str:
    """A day, and the time with it where one was recorded: ``12 Nov 2026, 03:44 UTC``."""
    text = day(moment)
    if "T" in moment and text != visible(moment):
        text += f", {moment[11:16]}{' UTC' if moment.endswith('Z') else ''}"
    return text
