"""Pages as files, for `export --html` and `standings -o` (entry points in pyproject.toml)."""

from __future__ import annotations

from ledger.audit.causes import causes
from ledger.audit.review import Review
from ledger.record.errors import NotForNow
from ledger.record.record import Record
from viewer.club.season_file import season_file
from viewer.pages.alone import notes_on, one_file
from viewer.pages.checking import signature_of
from viewer.pages.replay_view import ReplayView
from viewer.runtime import Runtime, find


def html(record_id: str, record: Record, *, self_contained: bool = False, proof: str = "", key: str = "") -> bytes:
    """The page of a record.  Raises NotForNow if a self-contained page is wanted and the rules are not built.

    Raises LedgerError for a proof of another record.
    """
    runtime, view = find(), ReplayView(record_id, record, causes(Review(record, record_id)))
    if self_contained and isinstance(runtime, str):
        raise NotForNow(f"the page cannot contain the rules. {runtime}")
    embedded = runtime if self_contained and isinstance(runtime, Runtime) else None
    digest = runtime.digest if isinstance(runtime, Runtime) else ""
    notes = notes_on(record_id, record, digest, proof=proof, key=key, causes=view.causes)
    if proof:
        signature_of(view.review, notes)
    return one_file(view, notes, embedded).encode()


season = season_file
