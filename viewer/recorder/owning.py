"""What the owner of a ledger does over the API: sets games aside and brings them back, renames people."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from ledger.keep.renaming import Renaming, rename, renamings, undo
from ledger.keep.stored_audits import audit_anew
from ledger.record.events import Text
from viewer.api.endpoints import Endpoints, Nothing
from viewer.guards.access import require_owner
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


@endpoint("/records/{record_id}/void", VoidReply, problems=(400, 401, 404, 409, 415), body=VoidRequest, keyed=True)
def void(wanted: VoidRequest, record_id: str) -> VoidReply:
    """Sets a game aside, so that no list, count, standings or statistics have it, or brings it back."""
    recorder = ledger_recorder()
    require_owner()
    version = recorder.void(record_id, wanted.why, undo=wanted.undo)
    audit_anew(store())
    return VoidReply(record_id, not wanted.undo, version)


@endpoint("/players/{name}/rename", Renaming, problems=(400, 401, 409, 415), body=RenameRequest, keyed=True)
def rename_player(wanted: RenameRequest, name: str) -> Renaming:
    """Renames a person in every record.  Fingerprints stay as they are."""
    ledger_recorder()
    require_owner()
    renaming = rename(store(), name, wanted.name, merge=wanted.merge)
    audit_anew(store())
    return renaming


@endpoint("/renamings", list[Renaming], problems=(400, 401))
def renaming_list(_query: Nothing) -> list[Renaming]:
    """What was renamed and not taken back, the earliest first: for the owner, because an old name may be private."""
    require_owner(writing=False)
    return renamings(store())


@endpoint("/renamings/{number}/undo", Renaming, problems=(400, 401, 409, 415), body=UndoRequest, keyed=True)
def undo_renaming(_wanted: UndoRequest, number: str) -> Renaming:
    """Takes a renaming back."""
    ledger_recorder()
    require_owner()
    renaming = undo(store(), int(number) if number.isdecimal() and len(number) < 10 else 0)
    audit_anew(store())
    return renaming
