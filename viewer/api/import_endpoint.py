"""Whole records from a program: one or more as NDJSON, imported in the same way as by `domino-ledger import`."""

import io
from collections import Counter
from collections.abc import Iterator

import msgspec
from flask import Response, request
from msgspec import Struct

from ledger.keep.importing import Importer, Outcome
from ledger.record.codec import Document, decode_foreign, read_archive
from ledger.record.errors import NotARecord
from ledger.record.record import Record
from viewer.phone.recorder_routes import day_to_come
from viewer.server.access import require_owner
from viewer.server.context import ledger_recorder, store
from viewer.server.endpoints import Endpoints, problem

endpoint = Endpoints()


class ImportQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """A record that begins like a stored one and then differs is refused, or stored as a new one with `as_new`.

    A record whose day has not come yet anywhere is refused, unless the sender is `sure`.
    """

    as_new: bool = False
    sure: bool = False


class ImportedLine(Struct, frozen=True):
    """The outcome for the record on a line; lines count from 1.

    `record` is its id in the ledger, or the id of the one that it differs from; empty if the line is not a record.
    `reason` is why it was refused.
    """

    line: int
    outcome: Outcome
    record: str
    reason: str


class ImportReport(Struct, frozen=True):
    """How many records were imported, already known, continued or refused, and the outcome for each."""

    imported: int
    known: int
    continued: int
    refused: int
    lines: list[ImportedLine]


@endpoint(
    "/records.ndjson", ImportReport, ImportQuery, problems=(400, 401, 409, 415), body=Document, lines=True, keyed=True
)
def import_records(query: ImportQuery) -> Response:
    """Imports whole records, one on each line, with the owner's key.

    Each is stored once, however often it is sent: a record that the ledger already has is `known`, one that continues
    a stored one is `continued`, and one that begins like a stored one and then differs is `refused`.  The status is
    207 if a line was refused; the others are still stored.
    """
    ledger_recorder()
    require_owner()
    refused, numbers = list[ImportedLine](), list[int]()

    def records() -> Iterator[Record]:
        for number, result in read_archive(io.BytesIO(request.get_data()), read=decode_foreign):
            if isinstance(result, NotARecord):
                reason = NotARecord(result.reason, field=result.field, event=result.event)  # without its line
                refused.append(ImportedLine(number, "refused", "", str(reason)))
            elif doubt := day_to_come(result.opening, sure=query.sure):
                refused.append(ImportedLine(number, "refused", "", doubt))
            else:
                numbers.append(number)
                yield result

    accepted = []
    for index, outcome in enumerate(Importer(store(), lambda _difference: query.as_new).run(records())):
        accepted.append(ImportedLine(numbers[index], outcome.outcome, outcome.record, outcome.reason))
    lines = sorted([*accepted, *refused], key=lambda line: line.line)
    if not lines:
        return problem(400, "There is no record", "send a record on each line")
    counts = Counter(line.outcome for line in lines)
    report = ImportReport(counts["imported"], counts["known"], counts["continued"], counts["refused"], lines)
    status = 207 if report.refused else 200
    return Response(msgspec.json.encode(report), status, content_type="application/json")
