"""The seal of an archive: what each of its lines was when it was written, in a file beside it.

An archive that was exported can be held against its seal later, without the ledger: which record was changed, and
whether its events were, or only names.  A seal guards against accidents, and against who cannot write to both files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path

import msgspec
from msgspec import Struct

from ledger import chain, codec
from ledger.errors import NotARecord, NotForNow
from ledger.heads import Harm, misconfirmed
from ledger.record import Record


class Seal(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a seal: the record's id in its ledger, how many events it had, its fingerprint, and the line's SHA-256.

    Both digests are written in hexadecimal digits.
    """

    record: str
    events: int
    fingerprint: str
    line: str


class Sealed(Struct, frozen=True):
    """A line of an archive as it was found: its record, or None where there is none, and what is harmed."""

    name: str
    record: Record | None
    harms: tuple[Harm, ...]


def seal_of(record_id: str, record: Record, line: bytes) -> bytes:
    """The line of a seal for a line of an archive, both without their ends."""
    found = chain.fingerprint(record.events).hex()
    return msgspec.json.encode(Seal(record_id, len(record.events), found, sha256(line).hexdigest()))


def beside(path: Path) -> Path:
    """Where the seal of an archive stands."""
    return path.with_name(f"{path.name}.seal")


def check_archive(path: Path) -> Iterator[Sealed]:
    """Every line of an archive, held against its seal where there is one, and each record against its confirmations.

    Raises OSError for a file that cannot be read, NotForNow for a seal that is none.
    """
    sealed = beside(path).exists()
    seals: Iterable[Seal | None] = _seals(beside(path)) if sealed else ()
    with codec.open_bytes(path) as lines:
        for found, seal in zip_longest(_numbered(lines, codec.damaged(path)), seals):
            if found is None:
                assert seal is not None  # noqa: S101  one of both is there
                yield Sealed(str(path), None, (Harm(str(path), 0, f"the record {seal.record} is gone"),))
            elif isinstance(found, str):
                yield Sealed(str(path), None, (Harm(str(path), 0, found),))
            else:
                yield _held(f"{path}:{found[0]}", found[1], seal, sealed=sealed)


def _numbered(lines: Iterable[bytes], damaged: tuple[type[Exception], ...]) -> Iterator[tuple[int, bytes] | str]:
    """The lines that are not empty, numbered from 1; why there are no more, where the file cannot be read further."""
    try:
        for number, line in enumerate(lines, 1):
            if not line.isspace():
                yield number, line.removesuffix(b"\n")
    except damaged as error:
        yield f"the file cannot be read further: {error}"


def _held(name: str, line: bytes, seal: Seal | None, *, sealed: bool) -> Sealed:
    try:
        record = codec.decode(line)
    except NotARecord as error:
        return Sealed(name, None, (Harm(name, error.event or 0, f"it is no record: {error}"),))
    harms = list(misconfirmed(name, record))
    if sealed and seal is None:
        harms.append(Harm(name, 0, "it was not there when the archive was sealed"))
    elif seal is not None and seal.line != sha256(line).hexdigest():
        if seal.fingerprint != chain.fingerprint(record.events).hex():
            harms.append(Harm(name, 0, f"its events are not those of the record {seal.record} that was sealed"))
        else:
            harms.append(Harm(name, 0, "its events are as they were sealed, but names or confirmations are not"))
    return Sealed(name, record, tuple(harms))


def _seals(path: Path) -> Iterator[Seal]:
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield msgspec.json.decode(line, type=Seal)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise NotForNow(f"{path}:{number}: this is no seal: {error}") from None
