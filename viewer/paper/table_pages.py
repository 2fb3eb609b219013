"""Pages for a club's past: a spreadsheet or an export of BG Stats is tried first, then kept, and can be taken back."""

import re
from base64 import b64decode, b64encode
from binascii import Error
from typing import Any

from flask import Blueprint, abort, render_template, request
from werkzeug.datastructures import MultiDict

from ledger.club.dry_run import DryRun, faulty_rows, look, people_of, read, remember, told, when_and_where
from ledger.keep import imports
from ledger.keep.recorder import key_digest, new_link
from ledger.keep.score_cards import Outcome
from ledger.keep.score_tables import BAR, MEANS, SKIP, TEMPLATE, WORDS, Plan, Reading
from ledger.record import clock
from ledger.record.words import day
from ledger.stores import questions
from viewer.server.context import ledger_recorder, store
from viewer.server.roles import roles

past = Blueprint("past", __name__)

LARGEST = 8_000_000
"""The most bytes of a table; in a form it is a third longer."""
MOST_FAULTS = 60
"""How many faults are listed."""
ANSWERS = {meaning: MEANS[meaning] for meaning in (*WORDS, BAR)} | {SKIP: "leave it out"}
"""What somebody may answer to what a column is."""
DIFFERING: dict[str, Outcome] = {"amend": "amended", "new": "new"}
"""What becomes of games that are here with other scores, by the answer."""
_HIDDEN = ("name", "sides", "differs")
"""The fields that a try hands on, besides its table and the answers."""


@past.get("/bring/template.csv")
def template() -> Any:
    """A table to fill in."""
    return TEMPLATE.encode("utf-8-sig"), {"Content-Type": "text/csv; charset=utf-8"}


@past.post("/bring/table")
def table() -> Any:
    """Tries a table with the answers so far; with ``do=keep`` it keeps what the try shows."""
    ledger_recorder()
    request.max_content_length = request.max_form_memory_size = 2 * LARGEST
    typed = MultiDict({name: values[-1] for name, values in request.form.lists()})
    try:
        data = b64decode(typed.get("data", ""), validate=True)
    except Error:
        abort(400, "this is not the table of the page")
    return tried(typed, data)


def tried(typed: MultiDict[str, str], data: bytes) -> Any:
    """The page of a table: a try, or what was kept.  Raises NotARecord if it is not a table."""
    plan, name = _plan(typed), typed.get("name", "")[:200]

    def reading_by(plan: Plan) -> Reading:
        return read(data, name or "the table", plan, store())

    reading = reading_by(plan)
    titles = [column.title for column in reading.columns]
    answers = {n: typed[f"column-{n}"] for n in range(len(titles)) if typed.get(f"column-{n}") in ANSWERS}
    cells = {field[5:]: value for field, value in typed.items() if field.startswith("cell-") and value}
    plan = plan._replace(columns={titles[n]: meaning for n, meaning in answers.items()}, same=cells)
    reading = reading_by(plan)
    alike = [one for one in people_of(reading.cards, store()) if one.same_as]
    same = [(one, typed.get(f"same-{one.name}", "yes") == "yes") for one in alike]
    if any(yes for _one, yes in same):
        reading = reading_by(plan._replace(same=cells | {one.name: one.same_as for one, yes in same if yes}))
    seen = look(reading, store(), DIFFERING.get(typed.get("differs", ""), "differs"))
    last = max((card.played or "" for card in reading.cards), default="")
    if typed.get("do") == "keep" and not reading.questions and not (clock.is_ahead(last) and typed.get("sure") != last):
        return _keep(name, seen, answered=bool(answers) or plan.sides)
    fields = [*((field, typed[field]) for field in _HIDDEN if field in typed)]
    fields += [("data", b64encode(data).decode()), *((f"same-{one.name}", "yes" if yes else "no") for one, yes in same)]
    fields += [*((f"column-{n}", meaning) for n, meaning in answers.items())]
    fields += [*((f"cell-{text}", meaning) for text, meaning in cells.items())]
    fields += [("sure", last)] if typed.get("do") == "keep" else []
    return render_template(
        "bring_table.html", name=name, seen=seen, alike=same, cells=cells, fields=fields, means=MEANS, answers=ANSWERS,
        told=told, when_and_where=when_and_where, most=MOST_FAULTS, typed=typed,
        ahead=day(last) if clock.is_ahead(last) else "",
        faults=[(re.sub(r" \(--.*\)$", "", reason), places, reading.choices.get(reason))
                for reason, places in [*seen.faults.items()][:MOST_FAULTS]],
    )  # fmt: skip


def _plan(typed: MultiDict[str, str]) -> Plan:
    def names(field: str) -> list[str]:
        return [*filter(None, map(str.strip, typed.get(field, "").split(",")))]

    days = typed.get("days", "")
    return Plan(
        game=typed.get("game", "").strip()[:200], event=typed.get("event", "").strip()[:200] or None,
        days=days if days in ("day-first", "month-first") else "",
        lowest=names("lowest"), only=names("only"), fill=bool(typed.get("fill")), sides=bool(typed.get("sides")),
        thousands=bool(typed.get("thousands")),
    )  # fmt: skip


def _keep(name: str, seen: DryRun, *, answered: bool) -> str:
    kept = imports.keep(store(), seen.matches, name or "a table")
    if answered:
        remember(store(), seen.reading.columns)
    number = imports.imports(store())[-1].number if any(match.outcome in ("new", "amended") for match in kept) else 0
    key = new_link(store(), f"import-{number}", "record") if number else ""
    days = sorted({match.card.played for match in kept if match.outcome == "new" and match.card.played})
    faulty = b64encode(faulty_rows(seen.reading)).decode() if len(seen.reading.faulty_rows) > 1 else ""
    return render_template(
        "bring_kept.html", name=name, seen=seen, number=number, key=key, days=days, faulty=faulty,
        stem=name.rpartition(".")[0] or name or "table",
    )  # fmt: skip


@past.post("/bring/table/<int:number>/<act>")
def undo(number: int, act: str) -> Any:
    """Takes an import back, or brings it back: for people with the key from its page, and for the owner."""
    ledger_recorder()
    key = request.form.get("key", "")
    if "owner" not in roles("") and "record" not in questions.roles(store(), f"import-{number}", key_digest(key)):
        abort(401, "only the person who brought a table, or the owner, takes it back")
    result = imports.take_back(store(), imports.find(store(), str(number)), redo=act == "redo")
    return render_template(
        "bring_kept.html", name=result.of.file, result=result, number=number, key=key, redo=act == "redo"
    )
