"""Files of the copies that phones kept: one JSON object on each line, as the page *On this phone* saves them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from ledger.keep.copies import Copy, KeyRole
from ledger.proof.checkpoints import CopyProof
from ledger.record import codec
from ledger.record.errors import NotForNow
from ledger.record.events import AnyEvent


class PhoneCopy(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of such a file: what the ledger gave the phone, with its seal and with a proof, where it had these."""

    format: Literal["domino-ledger-copy/1"]
    record: str
    events: tuple[AnyEvent, ...]
    ids: dict[str, str] = {}
    keys: dict[str, KeyRole] = {}
    seal: str = ""
    proof: CopyProof | None = None


class Kept(NamedTuple):
    """A copy in the file of a phone, with its seal and its proof."""

    source: str
    copy: Copy
    seal: str
    proof: CopyProof | None


def phone_copies(file: str) -> Iterator[Kept]:
    """The copies in a file.  Raises NotForNow for a line that is none."""
    path = Path(file)
    with codec.open_bytes(path) as stream:
        for number, (line, _length) in enumerate(codec.read_lines(stream), 1):
            if line.isspace():
                continue
            try:
                copy = msgspec.json.decode(line, type=PhoneCopy)
                ids = {int(seq): event_id for seq, event_id in copy.ids.items()}
            except (msgspec.DecodeError, ValueError, RecursionError) as error:
                raise NotForNow(f"{file}:{number}: this is not a phone's copy: {error}") from None
            yield Kept(path.name, Copy(copy.record, copy.events, ids, copy.keys), copy.seal, copy.proof)
