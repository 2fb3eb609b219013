"""Audits a record under every reading of its rulings, to show which findings depend on a ruling.

Where a rule document is silent or contradicts itself, a ruling decides.  This module audits a record under every other
value of the rulings that it depends on, so that you need not trust the choice.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger.audit.auditor import Report, report
from ledger.games.cards import game_of
from ledger.record.record import Record, effective
from ledger.rules.game import Game

LIMIT = 512
"""The most readings that are tried; no record has needed as many."""


class Reading(Struct, frozen=True):
    """One reading: the values that differ from the record's, and the report under them."""

    rulings: dict[str, Any]
    report: Report


class Depends(Struct, frozen=True):
    """The rulings that change the verdict, the scores and the winners when no other ruling is changed."""

    verdict: tuple[str, ...]
    scores: tuple[str, ...]
    winners: tuple[str, ...]


class Readings(Struct, frozen=True):
    """A record under the `readings` that differ from its own, for programs, too.

    `jointly` names rulings that change the verdict, the scores or the winners only together.  `complete` is false if
    there were too many readings to try all.
    """

    record: str
    depends: Depends
    jointly: tuple[tuple[str, ...], ...]
    readings: tuple[Reading, ...]
    complete: bool


def readings(record: Record, name: str = "", game: Game[Any] | None = None) -> Readings:
    """Audits a record under every reading of the rulings that it touches.

    A ruling that matters only under another reading is tried with all its values, too.  Raises what `audit` raises.
    """
    game = game or game_of(record)
    own_report = _report_under(game, record, {}, name)
    touched: dict[str, None] = dict.fromkeys(own_report.rulings)
    tried: dict[tuple[tuple[str, str], ...], Reading] = {}
    complete = True
    while True:
        count = len(touched)
        for values in _values(game, own_report, touched):
            key = tuple(sorted((ruling, repr(value)) for ruling, value in values.items()))
            if key in tried:
                continue
            if len(tried) >= LIMIT:
                complete = False
                break
            tried[key] = Reading(values, _report_under(game, record, values, name))
            touched |= dict.fromkeys(tried[key].report.rulings)
        if len(touched) == count or not complete:
            break
    return _sum_up(own_report, tuple(tried.values()), complete)


def _values(game: Game[Any], own_report: Report, touched: Mapping[str, None]) -> Iterator[dict[str, Any]]:
    """Every other combination of the touched rulings' values, without those that are the record's own."""
    touched_options = [option for option in game.rulings if option.name in touched]
    for values in product(*(option.values for option in touched_options)):
        rulings = dict(zip((option.name for option in touched_options), values, strict=True))
        if rulings:
            yield dict(ruling for ruling in rulings.items() if ruling not in own_report.rulings.items())


def _report_under(game: Game[Any], record: Record, values: Mapping[str, Any], name: str) -> Report:
    opening = game.opening(record.opening)
    opening = replace(opening, options={**opening.options, **values})
    return report(game, opening, effective(record.events, record.by_type), name)


def _sum_up(own_report: Report, others: tuple[Reading, ...], complete: bool) -> Readings:
    depends: dict[str, dict[str, None]] = {field: {} for field in Depends.__struct_fields__}
    jointly: dict[tuple[str, ...], None] = {}
    for reading in sorted(others, key=lambda reading: len(reading.rulings)):
        differing = [field for field in depends if _value(reading.report, field) != _value(own_report, field)]
        names = tuple(sorted(reading.rulings))
        if len(names) == 1:
            for field in differing:
                depends[field][names[0]] = None
        elif differing and not any(name in depends[field] for field in differing for name in names):
            jointly[names] = None
    changing = Depends(*map(tuple, depends.values()))
    return Readings(own_report.record, changing, tuple(jointly), others, complete)


def _value(report: Report, field: str) -> Any:
    """A field of a report, as readings are compared by it: winners are the same in any order."""
    return sorted(report.winners or ()) if field == "winners" else getattr(report, field)
