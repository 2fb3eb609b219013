"""Reads a score sheet, line by line, into a record."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.notation.builder import Builder, build_event, misfit
from ledger.notation.heading import Heading
from ledger.notation.lines import parse
from ledger.notation.refusals import refusal
from ledger.notation.seats import Letters, letters_of
from ledger.notation.tree import Node, Spot, tokens, trees
from ledger.record.codec import check
from ledger.record.errors import NotARecord
from ledger.record.events import AnyEvent, Note, Open
from ledger.record.record import Record
from ledger.record.squares import USUAL, Squares, named_by

MOST = 100
"""The most mistakes that are listed for one sheet."""


def read(text: str | bytes, source: str | None = None) -> Record:
    """Reads a whole sheet.

    Raises NotARecord with source, line and column; `others` are the mistakes on later lines.
    """
    sheet, mistakes = _Sheet(), list[NotARecord]()
    try:
        for number, line in _lines(text):
            try:
                sheet.take(line, number)
            except NotARecord as error:
                mistakes.append(error)
                if len(mistakes) == MOST:
                    break
                sheet.skip()
        if not mistakes:
            return sheet.record()
    except NotARecord as error:
        mistakes.append(error)
    first, *others = mistakes
    # If no line is understood, the text is not a sheet, and one sentence is enough.
    first.others = tuple(others) if sheet.understood else ()
    raise first.at(source or "") from None


def locate(text: str | bytes, error: NotARecord) -> NotARecord:
    """An error of a game about a field of an event in this sheet, with its line and column."""
    sheet = _Sheet()
    for number, line in _lines(text):
        sheet.take(line, number)
    sheet.record()
    return sheet.located(error).at(error.source or "")


def read_line(line: str, of: Record | Open, seq: int | None = None, squares: Squares | None = None) -> AnyEvent:
    """The event of one line.  Raises NotARecord with the column."""
    letters = letters_of(of)
    tree = parse(_readable(line), None, letters)
    if tree.data != "line":
        raise refusal("this belongs in the heading of a sheet, not in an event", 1, None)
    builder = Builder(letters, squares or named_by(of))
    _check_number(tree, seq, None)
    return build_event(builder.with_by(tree), builder.spots, None)


class _Sheet:
    """The part of a sheet read so far."""

    def __init__(self) -> None:
        self._heading: Heading | None = None
        self._letters = Letters()
        self._squares = USUAL
        self._by: str | None = None
        self._events: list[AnyEvent] = []
        self._places: list[tuple[int, dict[str, Spot]]] = []
        """The line of each event, and the place of each of its fields."""
        self._unopened = False
        """Whether the heading has a mistake.  Then the lines below it can be parsed but not understood."""
        self.understood = False
        """Whether any line was understood."""

    def take(self, line: str, number: int) -> None:
        """Reads the next line that is not empty."""
        letters = self._heading.letters_so_far() if self._heading and not self._events else self._letters
        tree = parse(line, number, letters, in_heading=not self._events)
        self.understood = True
        if tree.data != "line":
            self._take_heading(tree, number)
            return
        if self._unopened:
            return
        if not self._events and (self._heading or not _opens(tree)):
            self._open(number)
        _check_number(tree, len(self._events), number)
        builder = Builder(self._letters, self._squares, number)
        data = builder.with_by(tree)
        if self._by is not None:
            data.setdefault("by", self._by)
        self._add(data, builder.spots, number)
        self._letters = builder.letters

    def record(self) -> Record:
        """The record, after the last line."""
        if not self._events:
            self._open(1)
        try:
            return check(self._events)
        except NotARecord as error:
            raise self.located(error) from None

    def located(self, error: NotARecord) -> NotARecord:
        """An error about a field of an event, at its place in the sheet."""
        line, spots = self._places[error.event or 0]
        return misfit(error.reason, error.field, spots, line)

    def skip(self) -> None:
        """Goes on after a line with a mistake, to find those after it."""
        if self._events:
            self._add_blank()
        else:
            self._unopened = True

    def _add_blank(self) -> None:
        # It counts as an event, so that later numbers are right.
        self._events.append(Note(""))
        self._places.append((0, {}))

    def _take_heading(self, tree: Node, number: int) -> None:
        if self._events:
            reason = "the heading ends where the events begin; the totals of a game are written total: A 57, B 38"
            raise refusal(reason, tree.column, number)
        self._heading = self._heading or Heading(Letters())
        self._heading.add(tree, number)

    def _open(self, number: int) -> None:
        """Opens the record with the heading that ends before this line."""
        if self._heading is None:
            raise refusal("a sheet begins with its heading, at least Game: and Players:", 1, number)
        data = self._heading.data()
        self._letters, self._by = self._heading.letters, self._heading.by
        self._squares = self._heading.squares
        self._add(data, self._heading.spots, min(line or 1 for line, _column in self._heading.spots.values()))

    def _add(self, data: dict[str, object], spots: dict[str, Spot], number: int) -> None:
        self._events.append(build_event(data, spots, number))
        self._places.append((number, spots))


def _lines(text: str | bytes) -> Iterator[tuple[int, str]]:
    """The lines that are not empty, each with its number from 1."""
    decoded = _decoded(text) if isinstance(text, bytes) else text
    unified = decoded.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for number, line in enumerate(unified.split("\n"), 1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield number, _readable(line, number)


def _decoded(text: bytes) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise NotARecord("a sheet must be UTF-8 text", line=line) from None


def _readable(line: str, number: int | None = None) -> str:
    """The line, if it can be stored as text.  Raises NotARecord for a lone surrogate."""
    try:
        line.encode()
    except UnicodeEncodeError as error:
        raise refusal("this is not a character", error.start + 1, number) from None
    return line


def _opens(tree: Node) -> bool:
    return trees(tree)[-1].data == "opening"


def _check_number(tree: Node, seq: int | None, line: int | None) -> None:
    """Raises NotARecord if the line has a number other than its event's."""
    for token in tokens(tree):
        if seq is not None and (token[:-1].strip().lstrip("0") or "0") != str(seq):
            raise refusal(f"this line is numbered {token[:-1]} but it is event {seq}", token.column, line)
