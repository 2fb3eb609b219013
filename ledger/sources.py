"""Whatever a person names as input: an archive, a record's JSON, a score sheet, a folder of those, standard input.

The kind is told from the text itself, so `-` and any name of a file do.  An archive is read line by line and never
held whole.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from ledger.codec import damaged, decode, open_bytes, read_archive
from ledger.errors import NotARecord
from ledger.record import Record

KINDS = (".json", ".ndjson", ".jsonl", ".sheet", ".txt")
"""What the files of a folder are called that are read; ``.zst`` may follow."""
ARCHIVES = (".ndjson", ".jsonl")


class Item(NamedTuple):
    """One record of the input: FILE:LINE, and the record or why there is none."""

    name: str
    found: Record | NotARecord


def items(source: str) -> Iterator[Item]:
    """The records of a file, a folder or (``-``) standard input, one at a time.

    Raises OSError for a file that cannot be read.
    """
    if source == "-":
        yield from _items(sys.stdin.buffer, "-", archive=False)
        return
    path = Path(source)
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.is_file() and _kind(file) in KINDS and not file.name.endswith((".report.json", ".replay.txt")):
                yield from items(str(file))
        return
    try:
        with open_bytes(path) as stream:
            yield from _items(stream, source, archive=_kind(path) in ARCHIVES)
    except damaged(path) as error:
        # What came before the damage was given out already.
        yield Item(source, NotARecord(f"the compressed file is damaged or cut off: {error}", source=source))


def _kind(path: Path) -> str:
    return Path(path.stem).suffix if path.suffix == ".zst" else path.suffix


def _items(stream: IO[bytes], source: str, *, archive: bool) -> Iterator[Item]:
    first = b""
    while not first.strip():
        first = stream.readline()
        if not first:
            yield Item(source, NotARecord("there is nothing in it", source=source))
            return
    if archive or _is_whole(first):
        for number, found in read_archive(chain([first], stream), source):
            yield Item(f"{source}:{number}", found)
        return
    text = first + stream.read()
    yield Item(f"{source}:1", one(text, source))


def _is_whole(line: bytes) -> bool:
    """Whether a line is a JSON object by itself."""
    if not line.lstrip().startswith(b"{"):
        return False
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False
    return True


def one(text: bytes, source: str) -> Record | NotARecord:
    """The one record of a text, JSON or sheet, or why there is none."""
    try:
        if text.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"{", b"[")):
            return decode(text)
        from ledger import notation  # noqa: PLC0415  its grammar is only needed for sheets

        return notation.read(text, source)
    except NotARecord as error:
        return error if error.source else error.at(source)


def pick(source: str) -> Item:
    """The record that FILE or FILE:LINE names; without a line, the only one there is.

    Raises NotARecord if there is none or, without a line, several; OSError as `items`.
    """
    path, colon, line = source.rpartition(":")
    by_line = bool(colon) and line.isdigit() and not Path(source).exists()
    found = items(path if by_line else source)
    if by_line:
        for item in found:
            if item.name == f"{path}:{line}":
                return item
        raise NotARecord(f"there is no record on line {line}", source=path)
    item = next(found)
    if next(found, None) is not None:
        raise NotARecord("several records: name one as FILE:LINE", source=source)
    return item
