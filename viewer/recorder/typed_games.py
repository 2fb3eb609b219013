"""What explains the findings of a game that is in no ledger, for the page that shows it.

Source: the rules' README, "One cause, explained".
"""

from __future__ import annotations

from msgspec import Struct

from ledger.audit.review import Review
from ledger.record import codec
from viewer.pages.parts import renewed
from viewer.pages.replay_view import ReplayView
from viewer.pages.templates import environment
from viewer.pages.trying import pictures_in
from viewer.recorder.on_phone import Searching


class TypedRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A game as one line, as `replay_page` gives it."""

    record: str


class Renewal(Struct, frozen=True):
    """The parts of the page that change, as JSON, once the search is `done`; until then, ask again."""

    done: bool
    parts: str = ""


class TypedGames:
    """The search that was begun last; a newer one takes its place."""

    def __init__(self) -> None:
        self._search: tuple[str, Searching] | None = None

    def explain(self, question: TypedRecord) -> Renewal:
        """Searches for a moment for what explains the findings.  Raises NotARecord, UnknownGame."""
        record = codec.decode(question.record)
        if self._search is None or self._search[0] != question.record:
            self._search = question.record, Searching(Review(record))
        causes = self._search[1].go_on()
        if causes is None:
            return Renewal(done=False)

        def render(template: str, **values: object) -> str:
            return environment().get_template(template).render(values)

        view = ReplayView("", record, causes)
        parts = renewed(view, render, alone=True, moment_pictures=pictures_in(view))
        return Renewal(done=True, parts=parts.decode())
