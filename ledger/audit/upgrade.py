"""How the audit of a record would differ under another revision of the rules.

A record is always judged by its own revision.  This module audits it under a newer one as well and shows only the
difference; it changes nothing.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import msgspec

from ledger.audit.review import Review
from ledger.record.errors import NotARecord
from ledger.rules.game import Finding

COMPARED = ("verdict", "finished", "scores", "winners", "title", "rulings")
"""The fields of a report that are compared, besides the findings."""


class Upgrade(NamedTuple):
    """A record under its own revision (`own`) and under the other (`new`).

    `rules` is the other revision's name.  If that revision cannot read the opening, `new` is None and `why` says so.
    """

    own: Review
    rules: str
    new: Review | None
    why: str = ""

    @property
    def same_rules(self) -> bool:
        """Whether that revision is the record's own."""
        return self.own.game.revision == self.rules

    @property
    def changed(self) -> dict[str, tuple[Any, Any]]:
        """The differing fields of the two reports, except findings: the own value and the new one."""
        if self.new is None:
            return {}
        old, new = self.own.report, self.new.report
        pairs = {field: (getattr(old, field), getattr(new, field)) for field in COMPARED}
        return {field: pair for field, pair in pairs.items() if pair[0] != pair[1]}

    @property
    def gone(self) -> list[Finding]:
        """The findings that only its own revision has."""
        return _less(self.own, self.new) if self.new else []

    @property
    def come(self) -> list[Finding]:
        """The findings that only the other revision has."""
        return _less(self.new, self.own) if self.new else []

    @property
    def differs(self) -> bool:
        """Whether the two audits differ."""
        return self.new is None or bool(self.changed or self.gone or self.come)


def upgrade(review: Review, rules: str | None = None) -> Upgrade:
    """A record compared with itself under another revision of the rules; by default the newest.

    Raises UnknownGame for an unknown revision.
    """
    game = review.newest if rules is None else review.newest.under(rules)
    if game is review.game:
        return Upgrade(review, game.revision, review)
    try:
        return Upgrade(review, game.revision, Review(review.record, review.name, game))
    except NotARecord as error:
        return Upgrade(review, game.revision, None, str(error))


def _less(one: Review, other: Review) -> list[Finding]:
    """The findings of one report that the other does not have (a multiset difference)."""
    counts = Counter(map(msgspec.json.encode, other.report.findings))
    findings = []
    for finding in one.report.findings:
        key = msgspec.json.encode(finding)
        counts[key] -= 1
        if counts[key] < 0:
            findings.append(finding)
    return findings
