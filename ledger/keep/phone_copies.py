"""Files of the copies that phones kept: one JSON object on each line, as the page *On this phone* saves them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from ledger.keep.copies import Copy, KeyRole
from ledger.record import codec
from ledger.record.errors import NotForNow
from ledger.record.events import AnyEvent


class PhoneCopy(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of such a file: what the ledger gave the phone, with its seal."""

    format: Literal["domino-ledger-copy/1"]
    record: str
    events: tuple[AnyEvent, ...]
    ids: dict[str, str] = {}
    keys: dict[str, KeyRole] = {}
    seal: str = ""


def phone_copies(file: str) -> Iterator[tuple[Copy, str]]:
    """The copies in a file, each with its seal.  Raises NotForNow for a line that is none."""
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
            yield Copy(copy.record, copy.events, ids, copy.keys), copy.seal
