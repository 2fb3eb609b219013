"""Days and times for people: the server writes them in one way, the page's script in the reader's own."""

from __future__ import annotations

from datetime import datetime

from markupsafe import Markup, escape

from ledger.visible import visible

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day(written: str | None) -> str:
    """A day or a time as it was recorded (ISO), as people write a day: ``12 Nov 2026``.  What is no date stays."""
    if not written:
        return ""
    try:
        read = datetime.fromisoformat(written)
    except ValueError:
        return visible(written)
    return f"{read.day} {MONTHS[read.month - 1]} {read.year}"


def day_element(written: str | None) -> Markup:
    """A day or a time as an element that a script may write in the reader's way: ``today, 03:44``."""
    if not written:
        return Markup()
    text = day(written)
    if "T" in written and text != visible(written):
        text += f", {written[11:16]}{' UTC' if written.endswith('Z') else ''}"
    return Markup('<time datetime="{}">{}</time>').format(visible(written), escape(text))
