"""What the owner of a ledger does over the API: sets games aside and brings them back, renames people."""

from __future__ import annotations

from typing import Annotated

from flask import Response
from msgspec import Meta, Struct

from ledger.keep.renaming import Renaming, rename, renamings, undo
from ledger.keep.stored_audits import refresh
from ledger.record.events import Text
from ledger.stores import questions
from viewer.api.endpoints import Endpoints, Nothing
from viewer.guards.access import bearer, roles, unauthorized
from viewer.recorder.recorder_routes import ledger_recorder
from viewer.server.context import store

endpoint = Endpoints()


class VoidRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Why a game is set aside; with `undo` it is brought back."""

    why: Text = ""
    undo: bool = False


class VoidReply(Struct, frozen=True):
    """The record, whether it is set aside, and its version."""

    record: str
    voided: bool
    version: int


class RenameRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The new name of a person; `merge` if somebody who has it already is the same person."""

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    merge: bool = False


class UndoRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing more than the number of the renaming, in the address."""


class RenamingView(Struct, frozen=True):
    """A renaming: its number, the two names, when it was, and in how many records."""

    number: int
    old: str
    new: str
    when: str
    records: int


def _view(renaming: Renaming) -> RenamingView:
    return RenamingView(*renaming)


def _refusal(*, writing: bool = True) -> Response | None:
    """The answer to somebody who is not the owner.  Raises NotForNow for `writing` in a ledger that is read-only."""
    if writing:
        ledger_recorder()
    # A cookie alone cannot write: another site could make the browser send it.
    if "owner" in (questions.roles(store(), "", bearer()) if writing else roles("")):
        return None
    return unauthorized("Only the owner may do this", "send the key of the owner's link (`domino-ledger link`)")


@endpoint("/records/{record_id}/void", VoidReply, problems=(400, 401, 404, 409, 415), body=VoidRequest, keyed=True)
def void(wanted: VoidRequest, record_id: str) -> VoidReply | Response:
    """Sets a game aside, so that no list, count, standings or statistics have it, or brings it back."""
    refusal = _refusal()
    if refusal is not None:
        return refusal
    version = ledger_recorder().void(record_id, wanted.why, undo=wanted.undo)
    _audit_anew()
    return VoidReply(record_id, not wanted.undo, version)


@endpoint("/players/{name}/rename", RenamingView, problems=(400, 401, 409, 415), body=RenameRequest, keyed=True)
def rename_player(wanted: RenameRequest, name: str) -> RenamingView | Response:
    """Renames a person in every record.  Fingerprints and proofs stay as they are."""
    refusal = _refusal()
    if refusal is not None:
        return refusal
    renaming = rename(store(), name, wanted.name, merge=wanted.merge)
    _audit_anew()
    return _view(renaming)


@endpoint("/renamings", list[RenamingView], problems=(400, 401))
def renaming_list(_query: Nothing) -> list[RenamingView] | Response:
    """What was renamed and not taken back, the earliest first: for the owner, because an old name may be private."""
    refusal = _refusal(writing=False)
    if refusal is not None:
        return refusal
    return list(map(_view, renamings(store())))


@endpoint("/renamings/{number}/undo", RenamingView, problems=(400, 401, 409, 415), body=UndoRequest, keyed=True)
def undo_renaming(_wanted: UndoRequest, number: str) -> RenamingView | Response:
    """Takes a renaming back."""
    refusal = _refusal()
    if refusal is not None:
        return refusal
    renaming = undo(store(), int(number) if number.isdecimal() and len(number) < 10 else 0)
    _audit_anew()
    return _view(renaming)


def _audit_anew() -> None:
    """Audits the records whose rows in the list were made anew."""
    for _ in refresh(store()):
        pass
