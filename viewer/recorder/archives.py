"""Whole records that a program sends: NDJSON of one or many, imported as `domino-ledger import` does it."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator

import msgspec
from flask import Response, request
from msgspec import Struct

from ledger.archive import audit_of
from ledger.codec import Document, read_archive
from ledger.errors import NotARecord
from ledger.importing import Importer, Outcome
from ledger.record import Record
from viewer.api.endpoints import endpoint, problem
from viewer.guards.access import bearer, unauthorized
from viewer.recorder.routes import ledger_recorder
from viewer.server.context import store
from viewer.server.request_log import current_entry


class ImportQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What becomes of a record that begins like a stored one and then differs: refused, or with `as_new` stored too."""

    as_new: bool = False


class ImportedLine(Struct, frozen=True):
    """What became of the record on a line, which counts from 1.

    `record` is its id in the ledger, or the id of the one that it differs from; empty if the line is no record.
    `reason` says why it was refused.
    """

    line: int
    outcome: Outcome
    record: str
    reason: str


class ImportReport(Struct, frozen=True):
    """How many records were imported, known already, continued or refused, and what became of each."""

    imported: int
    known: int
    continued: int
    refused: int
    lines: list[ImportedLine]


@endpoint(
    "/records.ndjson", ImportReport, ImportQuery, problems=(400, 401, 409, 415), body=Document, lines=True, keyed=True
)
def import_records(asked: ImportQuery) -> Response:
    """Imports whole records, one on each line, with the owner's key.

    Each is stored once, however often it is sent: a record that the ledger has is `known`, one that goes on after a
    stored one is `continued`, and one that begins like a stored one and then differs is `refused`.  The status is 207
    if a line was refused; the others are stored all the same.
    """
    ledger_recorder()
    if "owner" not in store().roles("", bearer()):
        return unauthorized(
            "Only the owner can import records", "send the key of the owner's link: `domino-ledger link` makes one"
        )
    refused, numbers = list[ImportedLine](), list[int]()

    def records() -> Iterator[Record]:
        for number, found in read_archive(io.BytesIO(request.get_data())):
            if isinstance(found, NotARecord):
                reason = NotARecord(found.reason, field=found.field, event=found.event)  # without its line
                refused.append(ImportedLine(number, "refused", "", str(reason)))
            else:
                numbers.append(number)
                yield found

    taken = []
    for place, one in enumerate(Importer(store(), audit_of, lambda _difference: asked.as_new).run(records())):
        taken.append(ImportedLine(numbers[place], one.outcome, one.record, one.reason))
        current_entry().recorded += one.stored
    lines = sorted([*taken, *refused], key=lambda line: line.line)
    if not lines:
        return problem(400, "There is no record", "send a record on each line")
    counts = Counter(line.outcome for line in lines)
    report = ImportReport(counts["imported"], counts["known"], counts["continued"], counts["refused"], lines)
    status = 207 if report.refused else 200
    return Response(msgspec.json.encode(report), status, content_type="application/json")
