"""What might have been after a move: the rules on a phone begin such a game, and the phone keeps it."""

from msgspec import Struct

from ledger.record.branches import branch_of
from ledger.record.codec import FORMAT, Document, decode
from ledger.record.events import Seq


class BranchQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Asks for what might have been after the move `seq` of a record; `id` is its id, empty if no ledger has it."""

    record: str
    seq: Seq
    id: str = ""


def what_if(question: BranchQuestion) -> Document:
    """The text of what may be played from there.  Raises NotARecord, and NotForNow if there is no such move."""
    record = branch_of(decode(question.record), question.seq, question.id)
    return Document(format=FORMAT, branch=record.branch, events=record.events)
