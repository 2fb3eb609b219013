"""Pages as files, for `export --html` and `standings -o` (entry points in pyproject.toml)."""

from ledger.audit.review import Review
from ledger.audit.slip.slip_search import causes
from ledger.record.record import Record
from viewer.club.event_file import event_file
from viewer.replay.one_file import one_file
from viewer.replay.replay_view import ReplayView


def html(record_id: str, record: Record) -> bytes:
    """The page of a record, with the causes of its mistakes."""
    return one_file(ReplayView(record_id, record, causes(Review(record, record_id)))).encode()


season = event_file
