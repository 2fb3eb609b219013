"""Turns the plain data of a line into an event, by the types that also read JSON: a sheet can say what a record can."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ledger.notation.refusals import Spot, refusal
from ledger.record.errors import NotARecord
from ledger.record.events import EVENTS, AnyEvent, kind

_STRUCTS: dict[str, Any] = {kind(event): event for event in EVENTS}
_PATH = r"\$\.?((?:event\.)?[a-z]*)"
"""The field at the beginning of a path of msgspec."""
_MESSAGES = (
    (r"Expected `int` >= (.*)", "at least {} is expected here"),
    (r"Expected `int` <= (.*)", "at most {} is expected here"),
    (r"Expected `str` of length >= 1", "an empty text is not allowed here"),
    (r"Expected `str` of length <= (.*)", "a text of at most {} characters is expected here"),
    (r"Expected `array` of length >= 1", "the opening does not name its players"),
    (r"Expected `array` of length <= (.*)", "at most {} are allowed here"),
    (r"Expected `str` matching regex .*", "a day is written as in 2026-11-20"),
    (r"Object missing required field `(.*)`", "the opening does not name its {}"),
)
"""Messages of msgspec for values out of bounds, each with one for people."""


def build_event(data: dict[str, Any], spots: dict[str, Spot], line: int | None) -> AnyEvent:
    """The event in this plain data.  Raises NotARecord with the place of a field that is not valid."""
    try:
        # By its own type, because msgspec would prepare the union of all types anew for each event.
        event: AnyEvent = msgspec.convert(data, _STRUCTS[data["type"]])
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `")
        raise misfit(_for_people(reason), path, spots, line) from None
    return event


def misfit(reason: str, path: str | None, spots: dict[str, Spot], line: int | None) -> NotARecord:
    """The refusal of the field at this path of an event (``$.event.tile``), with its place in the sheet."""
    match = re.match(_PATH, path or "$")
    field = match[1] if match else ""
    spot = spots.get(field) or spots.get(field.partition(".")[0]) or (line, 1)
    return refusal(reason, spot[1], spot[0])


def _for_people(reason: str) -> str:
    for pattern, message in _MESSAGES:
        if match := re.fullmatch(pattern, reason, re.DOTALL):
            return message.format(*match.groups())
    return reason
