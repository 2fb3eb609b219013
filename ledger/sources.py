"""Whatever a person names as input: an archive, a record's JSON, a score sheet, a folder of those, standard input.

The kind is told from the text itself, so `-` and any name of a file do.  An archive is read line by line and never
held whole.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from ledger.codec import damaged, decode, read_archive, unpacked
from ledger.errors import NotARecord
from ledger.record import Record

KINDS = (".json", ".ndjson", ".jsonl", ".sheet", ".txt")
"""What the files of a folder are called that are read; ``.zst`` may follow."""
ARCHIVES = (".ndjson", ".jsonl")


class Item(NamedTuple):
    """One record of the input: FILE:LINE, and the record or why there is none."""

    name: str
    found: Record | NotARecord


class Piece(NamedTuple):
    """A part of a file as it stands there, not read yet: some lines of an archive, or all of the text of one record.

    `line` is the number of its first line, 0 where the text is one record.  `end` tells how many bytes of the file (of
    what was compressed, if it was) lie before what follows, `behind` how many of the file itself were read by then.
    """

    source: str
    line: int
    data: bytes
    end: int
    behind: int


def items(source: str) -> Iterator[Item]:
    """The records of a file, a folder or (``-``) standard input, one at a time.

    Raises OSError for a file that cannot be read.
    """
    for file in files(source):
        for found in pieces(file, 1):
            yield from read(found) if isinstance(found, Piece) else (found,)


def files(source: str) -> Iterator[str]:
    """The files that a source stands for: those of a folder in their order, or itself."""
    path = Path(source)
    if source == "-" or not path.is_dir():
        yield source
        return
    for file in sorted(path.rglob("*")):
        if file.is_file() and _kind(file) in KINDS and not file.name.endswith((".report.json", ".replay.txt")):
            yield str(file)


def pieces(file: str, most: int, begin: int = 0, line: int = 1) -> Iterator[Piece | Item]:
    """A file in pieces of whole lines, each of `most` bytes and what is left of its last line; or why it is no more.

    One that was read in part before is read on from its byte `begin`, where line `line` begins.  Raises OSError for a
    file that cannot be read.
    """
    path = Path(file)
    if file == "-":
        yield from _pieces(sys.stdin.buffer, file, most, (begin, line), lambda: 0)
        return
    with path.open("rb") as raw, unpacked(raw, path) as stream:
        try:
            if begin:
                stream.seek(begin)
        except damaged(path) as error:
            yield _cut_off(file, error)
            return
        # A pipe can only be read from its beginning, and does not know where it is.
        yield from _pieces(stream, file, most, (begin, line), raw.tell if raw.seekable() else lambda: 0)


class Cut(NamedTuple):
    """Some whole lines of a file: from byte `begin` to before `end`, the first of them of that number."""

    begin: int
    end: int
    line: int
    lines: int


def cuts(file: str, most: int, begin: int = 0, line: int = 1) -> Iterator[Cut]:
    """A plain archive cut as `pieces` cuts it, for who will read it where it stands; begun at a byte as there.

    Raises OSError for a file that cannot be read.
    """
    with Path(file).open("rb") as stream:
        stream.seek(begin)
        while data := stream.read(most):
            if not data.endswith(b"\n"):
                data += stream.readline()
            found = Cut(begin, begin + len(data), line, data.count(b"\n"))
            yield found
            begin, line = found.end, line + found.lines


def read(piece: Piece) -> Iterator[Item]:
    """The records of a piece, one at a time."""
    if not piece.line:
        yield Item(f"{piece.source}:1", one(piece.data, piece.source))
        return
    for number, found in read_archive(piece.data.split(b"\n"), piece.source, piece.line):
        yield Item(f"{piece.source}:{number}", found)


def is_blank(file: str) -> bool:
    """Whether there is nothing on the first line of a file, or nothing in it."""
    with Path(file).open("rb") as stream:
        return not stream.readline().strip()


def is_plain(file: str) -> bool:
    """Whether a file is an archive that can be read from any line on: told by its name, so that `pieces` agrees."""
    return Path(file).suffix in ARCHIVES


def _kind(path: Path) -> str:
    return Path(path.stem).suffix if path.suffix == ".zst" else path.suffix


def _pieces(
    stream: IO[bytes], source: str, most: int, at: tuple[int, int], behind: Callable[[], int]
) -> Iterator[Piece | Item]:
    held, size, (end, line), failed = list[bytes](), 0, at, None
    try:
        if not end:
            first = stream.readline()
            while first.isspace():
                end, line, first = end + len(first), line + 1, stream.readline()
            if not first:
                yield Item(source, NotARecord("there is nothing in it", source=source))
            elif not (_kind(Path(source)) in ARCHIVES or _is_whole(first)):
                yield Piece(source, 0, first + stream.read(), 0, behind())
                return
            held, size = [first], len(first)
        for each in stream:
            if size >= most:
                yield Piece(source, line, b"".join(held), end + size, behind())
                held, size, end, line = [], 0, end + size, line + len(held)
            held.append(each)
            size += len(each)
    except damaged(Path(source)) as error:
        failed = _cut_off(source, error)
    if size:
        yield Piece(source, line, b"".join(held), end + size, behind())
    if failed:
        # What came before the damage was given out already.
        yield failed


def _cut_off(source: str, error: Exception) -> Item:
    return Item(source, NotARecord(f"the compressed file is damaged or cut off: {error}", source=source))


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
    first = next(found, None)
    if first is None:
        raise NotARecord("there is no record in it", source=source)
    if next(found, None) is not None:
        raise NotARecord("several records: name one as FILE:LINE", source=source)
    return first
