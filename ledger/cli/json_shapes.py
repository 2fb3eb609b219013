"""Which command prints which lines with `--json`, and the JSON Schema of each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import Struct

from ledger.audit.auditor import Report
from ledger.audit.moments import MomentList
from ledger.audit.readings import AllReadings
from ledger.cli import json_lines as lines
from ledger.club.people import Person
from ledger.club.profile import Profile
from ledger.club.ratings import Ladder
from ledger.club.standings import Event, PlaceView
from ledger.club.statistics import Statistics
from ledger.keep.renaming import Renaming
from ledger.record.json_schema import DIALECT, portable
from ledger.stores.query import Row

SHAPES: Mapping[str, type[Struct]] = MappingProxyType({
    "new": lines.Begun,
    "card": lines.Begun,
    "import": lines.ImportedLine,
    "list": Row,
    "void": lines.SetAside,
    "show": lines.Step,
    "story": MomentList,
    "history": lines.CorrectionLine,
    "audit": Report,
    "audit --rulings all": AllReadings,
    "verify": lines.CheckedLedger,
    "verify RECORD": lines.CheckedRecord,
    "games": lines.GameLine,
    "clauses": lines.ClauseLine,
    "players": Person,
    "players renamed": Renaming,
    "players --rating": Ladder,
    "players --rating, of a game played together": lines.CheatsLine,
    "player": Profile,
    "statistics": lines.PlayedOften,
    "statistics GAME": Statistics,
    "standings": Event,
    "standings EVENT": PlaceView,
    "schedule": lines.RoundLine,
})  # fmt: skip
"""The type of a line by the command; where a command has several, each with its words."""


def commands() -> list[str]:
    """The commands that have `--json`."""
    return list(dict.fromkeys(re.split("[ ,]", shape)[0] for shape in SHAPES))


def shapes_of(command: str) -> dict[str, type[Struct]]:
    """The lines that a command can print."""
    return {shape: type_ for shape, type_ in SHAPES.items() if re.split("[ ,]", shape)[0] == command}


def schema_of(command: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a line that this command prints."""
    refs, types = msgspec.json.schema_components(shapes_of(command).values())
    made = refs[0] if len(refs) == 1 else {"anyOf": list(refs)}
    title = f"A line of `domino-ledger {command} --json`"
    return {"$schema": DIALECT, "title": title, **portable({**made, "$defs": types})}
