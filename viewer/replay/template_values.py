"""What the templates of a record show at one step."""

from collections.abc import Callable
from typing import Any

import msgspec

from ledger.audit.report_in_a_sentence import summary
from ledger.audit.reports import adds_up, by_rules, outcome, ruling
from ledger.record import chain
from ledger.record.event_words import change_in_words
from ledger.record.events import CORRECTIONS
from ledger.record.words import first_names, format_value, listed
from viewer.replay.move_list import FLAGS, VERDICTS
from viewer.replay.replay_view import ReplayView


def parts_of(view: ReplayView, place: int) -> dict[str, Any]:
    """The values for templates of a record at a step."""
    return {**around_table(view, place), "table": view.drawing(place)}


def renewed(view: ReplayView, render: Callable[..., str], **more_values: Any) -> bytes:
    """What a new move, or the causes of mistakes, change on the page of a record, as JSON; `render` fills a template.

    `data` as in the page, `rows` one by one, and the elements `causes`, `track`, `charts`, `story` and `about`.
    """
    values = {**around_table(view, view.place(None)), **more_values}
    elements = {name: render(f"{name}.html", **values) for name in ("causes", "track", "charts", "story", "about")}
    return msgspec.json.encode({"data": msgspec.Raw(view.data.encode()), "rows": view.items, **elements})


def around_table(view: ReplayView, place: int) -> dict[str, Any]:
    """The values of `parts_of` without the table: a page that follows a game draws it itself."""
    review, story = view.review, view.story
    changes = () if view.recorded else review.effective.changes
    rulings = review.report.rulings
    last = len(story.lines) - 1
    onward = min(last, place + 1 + (place + 1 in story.joined))
    return {
        "r": view,
        "line": story.lines[place],
        "strip": view.strips[place],
        "place": place,
        "last": last,
        "seqs": [story.lines[n].phrase.seq for n in (0, story.shown(max(0, place - 1)), onward, last)],
        "names": review.opening.names,
        "firsts": first_names(review.opening.names),
        "people": listed(review.opening.names),
        "opening": review.effective.opening,
        "verdict": review.report.verdict,
        "corrected": any(type(event) in CORRECTIONS for event in view.record.events),
        "sentence": summary(review),
        "outcome": "" if review.card else outcome(review),
        "balance": adds_up(review),
        "judged": by_rules(review),
        "rulings": [(ruling(review, name), f"{name} = {format_value(value)}") for name, value in rulings.items()],
        "fingerprint": chain.fingerprint(view.record_digest),
        "confirmations": list(chain.confirmations(view.record)),
        "verdicts": VERDICTS,
        "flags": FLAGS,
        "history": [
            (one.event, change_in_words(one, review.names, review.squares, review.place(one.target))) for one in changes
        ],
    }
