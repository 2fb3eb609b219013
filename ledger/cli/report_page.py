"""The report of an audit as one self-contained HTML file, for light and dark screens and for print."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.audit import reports
from ledger.audit.review import Review
from ledger.audit.summary import summary
from ledger.record.later import later
from ledger.record.visible import visible_lines
from ledger.record.words import format_value

with later():
    from jinja2 import Environment

if TYPE_CHECKING:
    from jinja2 import Template


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, trim_blocks=True, finalize=_plain)
    return environment.from_string((Path(__file__).parent / "report.html").read_text("utf-8"))


def _plain(value: object) -> object:
    """A value as people may see it: no text hides what it says."""
    return visible_lines(value) if type(value) is str else value


def page(review: Review) -> str:
    """The report of a review."""
    return _template().render(
        review=review,
        report=review.report,
        reports=reports,
        summary=summary(review),
        format_value=format_value,
        players=review.opening.players,
        scored=[entry for entry in review.scored if entry.reason.points],
    )
