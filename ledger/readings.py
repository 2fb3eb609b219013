"""Audits a record under every reading of its rulings, to show which findings depend on a ruling.

Where a rule document is silent or contradicts itself, a ruling decides.  This module audits a record under every other
value of the rulings that it depends on, so that you need not trust the choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger.audit import Report, report
from ledger.catalog import game_of
from ledger.game import Game
from ledger.record import Record, effective

LIMIT = 512
"""The most readings that are tried; no record has needed as many."""


class Reading(Struct, frozen=True):
    """One reading: the values that differ from the record's, and the report under them."""

    rulings: dict[str, Any]
    report: Report


class Readings(Struct, frozen=True):
    """A record under all readings.

    `own` is the report under the record's own values, `others` are those under other values.  `verdict`, `scores` and
    `winners` name the rulings that change each of them when no other ruling is changed; `jointly` names rulings that
    change one of the three only together.  `complete` is false if there were too many readings to try all.
    """

    own: Report
    others: tuple[Reading, ...]
    verdict: tuple[str, ...]
    scores: tuple[str, ...]
    winners: tuple[str, ...]
    jointly: tuple[tuple[str, ...], ...]
    complete: bool


def readings(record: Record, name: str = "", game: Game[Any] | None = None) -> Readings:
    """Audits a record under every reading of the rulings that it touches.

    A ruling that matters only under another reading is tried with all its values, too.  Raises what `audit` raises.
    """
    game = game or game_of(record)
    own = _read(game, record, {}, name)
    touched: dict[str, None] = dict.fromkeys(own.rulings)
    tried: dict[tuple[tuple[str, str], ...], Reading] = {}
    complete = True
    while True:
        before = len(touched)
        for values in islice(_values(game, own, touched), LIMIT):
            key = tuple(sorted((ruling, repr(value)) for ruling, value in values.items()))
            if key in tried:
                continue
            if len(tried) >= LIMIT:
                complete = False
                break
            tried[key] = Reading(values, _read(game, record, values, name))
            touched |= dict.fromkeys(tried[key].report.rulings)
        if len(touched) == before or not complete:
            break
    return _sum_up(own, tuple(tried.values()), complete)


def _values(game: Game[Any], own: Report, touched: Mapping[str, None]) -> Iterator[dict[str, Any]]:
    """Every other combination of the touched rulings' values, without those that are the record's own."""
    chosen = [option for option in game.rulings if option.name in touched]
    for values in product(*(option.values for option in chosen)):
        named = dict(zip((option.name for option in chosen), values, strict=True))
        if named:
            yield {ruling: value for ruling, value in named.items() if own.rulings.get(ruling, _UNSET) != value}


_UNSET = object()


def _read(game: Game[Any], record: Record, values: Mapping[str, Any], name: str) -> Report:
    opening = game.opening(record.opening)
    opening = replace(opening, options={**opening.options, **values})
    return report(game, opening, effective(record.events), name)


def _sum_up(own: Report, others: tuple[Reading, ...], complete: bool) -> Readings:
    depends: dict[str, list[str]] = {"verdict": [], "scores": [], "winners": []}
    jointly: list[tuple[str, ...]] = []
    for reading in sorted(others, key=lambda reading: len(reading.rulings)):
        differing = [
            what
            for what in depends
            if (sorted if what == "winners" else _same)(getattr(reading.report, what))
            != (sorted if what == "winners" else _same)(getattr(own, what))
        ]
        names = tuple(sorted(reading.rulings))
        if len(names) == 1:
            for what in differing:
                if names[0] not in depends[what]:
                    depends[what].append(names[0])
        elif differing and not any(name in depends[what] for what in differing for name in names):
            jointly.append(names)
    joint = tuple(dict.fromkeys(jointly))
    return Readings(
        own, others, tuple(depends["verdict"]), tuple(depends["scores"]), tuple(depends["winners"]), joint, complete
    )


def _same(value: Any) -> Any:
    return value
