"""Input as a person names it: an archive, a record's JSON, a score sheet, a folder of those, or standard input.

The text itself shows its kind, so `-` and any file name work.  Archives are read line by line, so they are never in
memory as a whole.

A **source** is what the person named.  Its text is read in **chunks**, which any process can parse.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

import msgspec

from ledger.record.branches import check_branch
from ledger.record.codec import LONGEST, TOO_LONG, damaged, decode_foreign, read_archive, read_lines, unpacked
from ledger.record.errors import LedgerError, NotARecord, UnknownGame
from ledger.record.record import Record

if TYPE_CHECKING:
    from ledger.audit.review import Review

KINDS = (".json", ".ndjson", ".jsonl", ".sheet", ".txt")
"""The endings of the files in a folder that are read; ``.zst`` may follow."""
ARCHIVES = (".ndjson", ".jsonl")


class Item(NamedTuple):
    """One record of the input: its name (FILE:LINE), and the record or the reason that there is none."""

    name: str
    result: Record | NotARecord


class TextChunk(NamedTuple):
    """Bytes of a file, not parsed yet: some lines of an archive, or the whole text of one record.

    `line` is the number of the first line, 0 for the text of one record.  `consumed` is the number of bytes of the
    file itself read so far.
    """

    source: str
    line: int
    data: bytes
    consumed: int


def items(source: str) -> Iterator[Item]:
    """The records of a file, a folder or (``-``) standard input, one at a time.

    Raises OSError for a file that cannot be read.
    """
    for file in files(source):
        for chunk in text_chunks(file, 1):
            yield from read(chunk) if isinstance(chunk, TextChunk) else (chunk,)


def files(source: str, kinds: Sequence[str] = KINDS) -> Iterator[str]:
    """The files of a source: those of these kinds in a folder, sorted, or the source itself."""
    path = Path(source)
    if source == "-" or not path.is_dir():
        yield source
        return
    for file in sorted(path.rglob("*")):
        if file.is_file() and _kind(file) in kinds and not file.name.endswith((".report.json", ".replay.txt")):
            yield str(file)


def text_chunks(file: str, size: int) -> Iterator[TextChunk | Item]:
    """A file in chunks of whole lines; each chunk ends with the line that reaches `size` bytes.

    If the file cannot be read further, an Item at the end says why.  Raises OSError for a file that cannot be opened.
    """
    path = Path(file)
    if file == "-":
        yield from _text_chunks(sys.stdin.buffer, file, size, lambda: 0)
        return
    with path.open("rb") as raw, unpacked(raw, path) as stream:
        # A pipe has no position.
        yield from _text_chunks(stream, file, size, raw.tell if raw.seekable() else lambda: 0)


def read(chunk: TextChunk) -> Iterator[Item]:
    """The records of a chunk, one at a time."""
    if not chunk.line:
        yield Item(f"{chunk.source}:1", parse(chunk.data, chunk.source))
        return
    # A stream finds the ends of long lines faster than `bytes.split`.
    lines = (line.removesuffix(b"\n") for line in BytesIO(chunk.data))
    for number, result in read_archive(lines, chunk.source, chunk.line, brought):
        yield Item(f"{chunk.source}:{number}", result)


def _kind(path: Path) -> str:
    return Path(path.stem).suffix if path.suffix == ".zst" else path.suffix


def _text_chunks(stream: IO[bytes], source: str, size: int, consumed: Callable[[], int]) -> Iterator[TextChunk | Item]:
    lines, length, number, failure = list[bytes](), 0, 1, None
    remaining = read_lines(stream)
    try:
        first_line, line_length = next(remaining, (b"", 0))
        while first_line.isspace():
            number += 1
            first_line, line_length = next(remaining, (b"", 0))
        if not first_line:
            yield Item(source, NotARecord("it is empty", source=source))
        elif not (_kind(Path(source)) in ARCHIVES or _is_object(first_line)):
            text = first_line + stream.read(LONGEST)
            too_long = len(text) >= LONGEST or line_length > LONGEST
            yield _refused(source, TOO_LONG) if too_long else TextChunk(source, 0, text, consumed())
            return
        else:
            lines, length = [first_line], line_length
        for line, line_length in remaining:
            if length >= size:
                yield TextChunk(source, number, b"".join(lines), consumed())
                lines, length, number = [], 0, number + len(lines)
            lines.append(line)
            length += line_length
    except damaged(Path(source)) as error:
        failure = _refused(source, f"the compressed file is damaged or cut off: {error}")
    except NotARecord as error:
        failure = _refused(source, error.reason)
    if lines:
        yield TextChunk(source, number, b"".join(lines), consumed())
    if failure:
        # The records before the damage were yielded already.
        yield failure


def _refused(source: str, reason: str) -> Item:
    return Item(source, NotARecord(reason, source=source))


def _is_object(line: bytes) -> bool:
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
    from ledger import notation

    try:
        if _begins_json(text):
            return brought(text)
        return notation.read(text, source)
    except NotARecord as error:
        if other := of_another_kind(text):
            return NotARecord(other, source=source)
        return error if error.source else error.at(source)


def brought(text: bytes) -> Record:
    """The record in a text of JSON that somebody brings.  Raises NotARecord, also for what belongs elsewhere."""
    try:
        return check_branch(decode_foreign(text))
    except NotARecord:
        if is_export(text):
            raise NotARecord(of_another_kind(text)) from None
        raise


def is_export(text: bytes) -> bool:
    """Whether a text is an export of the app BG Stats: a JSON object with plays."""
    return text.lstrip()[:1] == b"{" and b'"plays"' in text and b'"playerScores"' in text


def of_another_kind(text: bytes) -> str:
    """What a text is that is no record and no sheet, and where it belongs; empty if it is like none that is known."""
    if is_export(text):
        return "this is an export of BG Stats: `domino-ledger import` reads a file whose name ends in .json or .bgsplay"
    first, _, rest = text.lstrip(b"\xef\xbb\xbf\r\n").replace(b"\r", b"\n").partition(b"\n")
    second = rest.lstrip(b"\n").partition(b"\n")[0]
    cells = [(first.count(mark), second.count(mark)) for mark in (b";", b"\t", b",")]
    if not _begins_json(text) and b":" not in first and any(titles and titles == row for titles, row in cells):
        return "this is a table of results: `domino-ledger import` reads a file whose name ends in .csv or .tsv"
    return ""


def located(error: NotARecord) -> NotARecord:
    """The same error, with its line and column if it is about a field of an event in a score sheet."""
    path = Path((error.source or "").removesuffix(":1"))
    if error.event is None or not error.field or error.line not in (None, 1) or not path.is_file():
        return error
    from ledger import notation

    try:
        with path.open("rb") as raw, unpacked(raw, path) as stream:
            text = stream.read(LONGEST)
        return error if _begins_json(text) else notation.locate(text, error.at(str(path)))
    except (NotARecord, OSError):
        return error


def review(name: str, record: Record | LedgerError) -> "Review | LedgerError":
    """The review of one record, or why there is none."""
    from ledger.audit.review import Review

    if isinstance(record, LedgerError):
        return record
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
