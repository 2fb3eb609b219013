"""The manifest of an archive: a file beside it with the digest of each line as it was written.

With its manifest an exported archive can be checked later without the ledger: which record was changed, and whether
its events changed or only names.  A manifest guards against accidents, and against people who cannot write to both
files.
"""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import msgspec
from msgspec import Struct

from ledger.proof.log_head import check_confirmations
from ledger.record import chain, codec
from ledger.record.errors import NotARecord, NotForNow
from ledger.record.record import Record
from ledger.stores.query import Corruption

NOTHING: Mapping[Any, Any] = MappingProxyType({})


class ManifestLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of a manifest: the record's id in its ledger, its number of events, its digest, the SHA-256 of the line.

    Both digests are hexadecimal.  `ids` are the ids that phones gave to events, by seq, and `keys` the roles of the
    record's keys, by the SHA-256 of the key: with these a record keeps its links in another ledger.
    """

    record: str
    events: int
    fingerprint: str
    line: str
    ids: dict[int, str] = {}
    keys: dict[str, Literal["record", "watch"]] = {}


class CheckedLine(Struct, frozen=True):
    """A line of an archive: its record, or None if it holds none, and everything that is corrupt."""

    name: str
    record: Record | None
    corruptions: tuple[Corruption, ...]


def manifest_line(
    record_id: str,
    record: Record,
    line: bytes,
    ids: Mapping[int, str] = NOTHING,
    keys: Mapping[str, Literal["record", "watch"]] = NOTHING,
) -> bytes:
    """The line of a manifest for a line of an archive, both without their line ends."""
    fingerprint = chain.record_digest(record.events).hex()
    digest = sha256(line).hexdigest()
    return msgspec.json.encode(ManifestLine(record_id, len(record.events), fingerprint, digest, dict(ids), dict(keys)))


def manifest_path(path: Path) -> Path:
    """The path of an archive's manifest."""
    return path.with_name(f"{path.name}.manifest")


def check_archive(path: Path) -> Iterator[CheckedLine]:
    """Compares every line of an archive with its manifest, if there is one, and every record with its confirmations.

    Raises OSError for a file that cannot be read, NotForNow for a malformed manifest.
    """
    complete = manifest_path(path).exists()
    manifest: Iterable[ManifestLine | None] = read_manifest(manifest_path(path)) if complete else ()
    with codec.open_bytes(path) as lines:
        for line, entry in zip_longest(_number_lines(codec.read_lines(lines), codec.damaged(path)), manifest):
            if line is None:
                assert entry is not None  # noqa: S101  one of the two is there
                yield CheckedLine(str(path), None, (Corruption(str(path), f"the record {entry.record} is gone", 0),))
            elif isinstance(line, str):
                yield CheckedLine(str(path), None, (Corruption(str(path), line, 0),))
            else:
                yield _check_line(f"{path}:{line[0]}", line[1], entry, complete=complete)


def _number_lines(
    lines: Iterable[tuple[bytes, int]], damaged: tuple[type[Exception], ...]
) -> Iterator[tuple[int, bytes] | str]:
    """The lines that are not empty, numbered from 1.  If the file cannot be read to its end, the last item says why."""
    try:
        for number, (line, _length) in enumerate(lines, 1):
            if not line.isspace():
                yield number, line.removesuffix(b"\n")
    except NotARecord as error:
        yield error.reason
    except damaged as error:
        yield f"the file cannot be read further: {error}"


def _check_line(name: str, line: bytes, entry: ManifestLine | None, *, complete: bool) -> CheckedLine:
    try:
        record = codec.decode_foreign(line)
    except NotARecord as error:
        return CheckedLine(name, None, (Corruption(name, f"it is not a record: {error}", error.event or 0),))
    corruptions = list(check_confirmations(name, record))
    if complete and entry is None:
        corruptions.append(Corruption(name, "the manifest does not list it", 0))
    elif entry is not None and entry.line != sha256(line).hexdigest():
        if entry.fingerprint != chain.record_digest(record.events).hex():
            reason = f"its events are not those of the record {entry.record} in the manifest"
        else:
            reason = "its events match the manifest, but names or confirmations do not"
        corruptions.append(Corruption(name, reason, 0))
    return CheckedLine(name, record, tuple(corruptions))


def read_manifest(path: Path) -> Iterator[ManifestLine]:
    """The lines of a manifest.  Raises OSError, or NotForNow for a malformed one."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield msgspec.json.decode(line, type=ManifestLine)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise NotForNow(f"{path}:{number}: this is not a line of a manifest: {error}") from None
