"""Input as a person names it: an archive, a record's JSON, a score sheet, a folder of those, or standard input.

The text itself shows its kind, so `-` and any file name work.  Archives are read line by line, so they are never in
memory as a whole.

A **source** is what the person named.  It is cut into **chunks** that one process can audit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from ledger import notation
from ledger.record.codec import LONGEST, TOO_LONG, damaged, decode, read_archive, read_line, read_lines, unpacked
from ledger.record.errors import NotARecord, UnknownGame
from ledger.record.later import later
from ledger.record.record import Record

with later():
    from ledger.audit.review import Review

KINDS = (".json", ".ndjson", ".jsonl", ".sheet", ".txt")
"""The endings of the files in a folder that are read; ``.zst`` may follow."""
ARCHIVES = (".ndjson", ".jsonl")
LEAST, LEAST_OF_MUCH = 1 << 19, 1 << 17
"""Bytes of the last chunks of an archive for several processes: each then waits 10 ms for the others, or less."""
MUCH = 8_000_000
"""From this many bytes on, copies of a program share an archive, and it ends with the smaller chunks."""


class Item(NamedTuple):
    """One record of the input: its name (FILE:LINE), and the record or the reason that there is none."""

    name: str
    result: Record | NotARecord


class TextChunk(NamedTuple):
    """Bytes of a file, not parsed yet: some lines of an archive, or the whole text of one record.

    `line` is the number of the first line, 0 for the text of one record.  `end` is the uncompressed offset just past
    this chunk, and `consumed` the number of bytes of the file itself read so far.
    """

    source: str
    line: int
    data: bytes
    end: int
    consumed: int


class FileChunk(NamedTuple):
    """A file that the auditing process reads itself: all of it, or the lines that begin at `begin` ≤ byte < `end`.

    `line` is the number of the first line; 0 if not known yet.
    """

    path: str
    begin: int = 0
    end: int | None = None
    line: int = 1


def items(source: str) -> Iterator[Item]:
    """The records of a file, a folder or (``-``) standard input, one at a time.

    Raises OSError for a file that cannot be read.
    """
    for file in files(source):
        for chunk in text_chunks(file, 1):
            yield from read(chunk) if isinstance(chunk, TextChunk) else (chunk,)


def files(source: str) -> Iterator[str]:
    """The files of a source: those of a folder, sorted, or the source itself."""
    path = Path(source)
    if source == "-" or not path.is_dir():
        yield source
        return
    for file in sorted(path.rglob("*")):
        if file.is_file() and _kind(file) in KINDS and not file.name.endswith((".report.json", ".replay.txt")):
            yield str(file)


def text_chunks(file: str, size: int, begin: int = 0, line: int = 1) -> Iterator[TextChunk | Item]:
    """A file in chunks of whole lines; each chunk ends with the line that reaches `size` bytes.

    If the file cannot be read further, an Item at the end says why.  `begin` and `line` continue from an earlier chunk.
    Raises OSError for a file that cannot be opened.
    """
    path = Path(file)
    if file == "-":
        yield from _text_chunks(sys.stdin.buffer, file, size, (begin, line), lambda: 0)
        return
    with path.open("rb") as raw, unpacked(raw, path) as stream:
        try:
            if begin:
                stream.seek(begin)
        except damaged(path) as error:
            yield _cut_off(file, error)
            return
        # A pipe can only be read from its beginning, and has no position.
        yield from _text_chunks(stream, file, size, (begin, line), raw.tell if raw.seekable() else lambda: 0)


def file_chunks(file: str, size: int, begin: int = 0, line: int = 1) -> Iterator[tuple[FileChunk, int]]:
    """A plain archive in such chunks, as offsets for another process, each with its number of lines.

    Towards its end they become smaller, so that all processes end at about the same time.  Raises OSError for a file
    that cannot be read.
    """
    path = Path(file)
    total = path.stat().st_size
    least = LEAST if total < MUCH else LEAST_OF_MUCH
    with path.open("rb") as stream:
        stream.seek(begin)
        while data := stream.read(min(size, max(least, (total - begin) // 16))):
            end, lines = begin + len(data), count_lines(data)
            if not data.endswith(b"\n"):
                line_end, length = read_line(stream)
                end, lines = end + length, lines + line_end.endswith(b"\n")
            yield FileChunk(file, begin, end, line), lines
            begin, line = end, line + lines


def count_lines(data: bytes) -> int:
    """How many line breaks there are.

    While lines are long, as in any archive, it leaps from one to the next: `bytes.count` looks at each byte in turn.
    """
    lines, at = 0, data.find(b"\n")
    while at >= 0 and lines < len(data) >> 9:
        lines, at = lines + 1, data.find(b"\n", at + 1)
    return lines + data.count(b"\n", at) if at >= 0 else lines


def read(chunk: TextChunk) -> Iterator[Item]:
    """The records of a chunk, one at a time."""
    if not chunk.line:
        yield Item(f"{chunk.source}:1", parse(chunk.data, chunk.source))
        return
    # A stream finds the ends of long lines faster than `bytes.split`.
    lines = (line.removesuffix(b"\n") for line in BytesIO(chunk.data))
    for number, result in read_archive(lines, chunk.source, chunk.line):
        yield Item(f"{chunk.source}:{number}", result)


def is_blank(file: str) -> bool:
    """Whether the first line of a file is blank, or the file is empty."""
    with Path(file).open("rb") as stream:
        return not stream.readline(LONGEST).strip()


def is_plain(file: str) -> bool:
    """Whether a file, by its name, is an uncompressed archive, which can be read from any line on."""
    return Path(file).suffix in ARCHIVES


def _kind(path: Path) -> str:
    return Path(path.stem).suffix if path.suffix == ".zst" else path.suffix


def _text_chunks(
    stream: IO[bytes], source: str, size: int, position: tuple[int, int], consumed: Callable[[], int]
) -> Iterator[TextChunk | Item]:
    lines, length, (end, number), failure = list[bytes](), 0, position, None
    remaining = read_lines(stream)
    try:
        if not end:
            first_line, line_length = next(remaining, (b"", 0))
            while first_line.isspace():
                end, number = end + line_length, number + 1
                first_line, line_length = next(remaining, (b"", 0))
            if not first_line:
                yield Item(source, NotARecord("it is empty", source=source))
            elif not (_kind(Path(source)) in ARCHIVES or _is_object(first_line)):
                text = first_line + stream.read(LONGEST)
                too_long = len(text) >= LONGEST or line_length > LONGEST
                yield _refused(source, TOO_LONG) if too_long else TextChunk(source, 0, text, 0, consumed())
                return
            lines, length = [first_line], line_length
        for line, line_length in remaining:
            if length >= size:
                yield TextChunk(source, number, b"".join(lines), end + length, consumed())
                lines, length, end, number = [], 0, end + length, number + len(lines)
            lines.append(line)
            length += line_length
    except damaged(Path(source)) as error:
        failure = _cut_off(source, error)
    except NotARecord as error:
        failure = _refused(source, error.reason)
    if length:
        yield TextChunk(source, number, b"".join(lines), end + length, consumed())
    if failure:
        # The records before the damage were yielded already.
        yield failure


def _cut_off(source: str, error: Exception) -> Item:
    return _refused(source, f"the compressed file is damaged or cut off: {error}")


def _refused(source: str, reason: str) -> Item:
    return Item(source, NotARecord(reason, source=source))


def _is_object(line: bytes) -> bool:
    """Whether a line by itself is a JSON object."""
    if not line.lstrip().startswith(b"{"):
        return False
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False
    return True


def _begins_json(text: bytes) -> bool:
    return text.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"{", b"["))


def parse(text: bytes, source: str) -> Record | NotARecord:
    """The record in a text, JSON or sheet, or the reason that there is none."""
    try:
        if _begins_json(text):
            return decode(text)
        return notation.read(text, source)
    except NotARecord as error:
        return error if error.source else error.at(source)


def located(error: NotARecord) -> NotARecord:
    """The same error, with its line and column if it is about a field of an event in a score sheet."""
    path = Path((error.source or "").removesuffix(":1"))
    if error.event is None or not error.field or error.line not in (None, 1) or not path.is_file():
        return error
    try:
        with path.open("rb") as raw, unpacked(raw, path) as stream:
            text = stream.read(LONGEST)
        return error if _begins_json(text) else notation.locate(text, error.at(str(path)))
    except (NotARecord, OSError):
        return error


def review(name: str, record: Record) -> Review | NotARecord | UnknownGame:
    """The review of one record, or why there is none."""
    try:
        return Review(record, name)
    except NotARecord as error:
        source, _, line = name.rpartition(":")
        return located(error.at(source, int(line)) if line.isdigit() else error.at(name))
    except UnknownGame as error:
        at_opening = NotARecord(str(error), event=0, field="$.game", source=name)
        in_file = located(at_opening)
        return UnknownGame(f"{name}: {error}") if in_file is at_opening else UnknownGame(str(in_file))


def pick(source: str) -> Item:
    """The record that FILE or FILE:LINE names; without a line, the only one in the file.

    Raises NotARecord if there is none or, without a line, several; OSError as `items`.
    """
    path, colon, line = source.rpartition(":")
    by_line = bool(colon) and line.isdigit() and not Path(source).exists()
    candidates = items(path if by_line else source)
    if by_line:
        for item in candidates:
            if item.name == f"{path}:{line}":
                return item
        raise NotARecord(f"there is no record on line {line}", source=path)
    first = next(candidates, None)
    if first is None:
        raise NotARecord("there is no record in it", source=source)
    if next(candidates, None) is not None:
        raise NotARecord("it has several records: name one as FILE:LINE", source=source)
    return first
