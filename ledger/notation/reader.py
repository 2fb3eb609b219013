"""Reads a score sheet, line by line, into a record."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from ledger.notation.heading import HEADINGS, Heading
from ledger.notation.line_reader import read_event
from ledger.notation.pieces import Line
from ledger.notation.refusals import Spot, refusal, text_of
from ledger.notation.setting import Letters, Setting, game_in, letters_of
from ledger.record.codec import check_whole, is_only_scores
from ledger.record.errors import NotARecord
from ledger.record.events import EVENTS, AnyEvent, Note, Open, kind
from ledger.record.record import Record
from ledger.record.squares import Squares, named_by

MOST = 100
"""The most mistakes that are listed for one sheet."""
_NO_LINE = ("#", "//", "```")
"""How a line begins that is only for people: a comment, or the fence of code in a message."""


def read(text: str | bytes, source: str | None = None) -> Record:
    """Reads a sheet.  `source` is the file name, for errors.

    Raises NotARecord for any other text, with `line`, `field` (``column 7``) and a `reason` that says what was expected
    and, if possible, suggests what was meant.  Its `others` are the mistakes on the lines below.
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


def read_line(
    line: str, of: Record | Open, seq: int | None = None, squares: Squares | None = None, turn: str | None = None
) -> AnyEvent:
    """The event in one line, in the record `of` or after the opening `of`.

    Players have the letters in `letters(of)`, squares the names in `squares`, or else those that the record alone
    gives.  If the line is numbered and `seq` is given, the number must be `seq`.  An act without a letter (``5-1 on
    4``) is that of the player with the id `turn`.  Raises NotARecord as `read`.  `codec.admit` checks the rest (an
    unknown quoted id, a second opening).
    """
    events = of.events if isinstance(of, Record) else (of,)
    setting = Setting(letters_of(of), squares or named_by(of), game_in(of), lambda: events, turn=turn)
    pieces = Line(_readable(line).rstrip(), None, setting)
    if "\n" in pieces.line.lstrip():
        raise refusal("an event is one line", pieces.line.rindex("\n") + 1, None)
    if _is_heading(pieces):
        raise refusal("this belongs in the heading of a sheet, not in an event", 1, None)
    data = read_event(pieces)
    _check_number(pieces, seq)
    return build_event(data, pieces.spots, None)


class _Sheet:
    """The part of a sheet read so far."""

    def __init__(self) -> None:
        self._heading: Heading | None = None
        self._setting = Setting(events=lambda: self._events, in_heading=True)
        self._by: str | None = None
        self._events: list[AnyEvent] = []
        self._places: list[tuple[int, dict[str, Spot]]] = []
        """The line of each event, and the place of each of its fields."""
        self._unopened = False
        """Whether the heading has a mistake.  Then the lines below it can be parsed but not understood."""
        self.understood = False
        """Whether any line was understood."""

    def take(self, text: str, number: int) -> None:
        """Reads the next line that is not empty."""
        line = Line(text, number, self._setting)
        if _is_heading(line):
            self._take_heading(line)
        elif self._unopened or not (self._events or self._heading or line.opens()):
            self._read_unsure(line)
            if not self._unopened:
                self.understood = True
                raise line.refuse("a sheet begins with its heading, at least Game: and Players:", 1)
        else:
            if not self._events and self._heading:
                self._require_event(Line(text, number, self._setting), complete=self._heading.complete)
                self._open()
            self._take_event(line)
        self.understood = True

    def record(self) -> Record:
        """The record, after the last line."""
        if not self._events:
            self._open()
        opening = self._events[0]
        if isinstance(opening, Open) and "card" not in self._places[0][1] and is_only_scores(self._events):
            self._events[0] = replace(opening, card=True)
        try:
            return check_whole(self._events)
        except NotARecord as error:
            raise self.located(error) from None

    def located(self, error: NotARecord) -> NotARecord:
        """An error about a field of an event, at its place in the sheet."""
        line, spots = self._places[error.event or 0]
        return misfit(error.reason, error.field, spots, line)

    def skip(self) -> None:
        """Goes on after a line with a mistake, to find those after it."""
        if self._events:
            # It counts as an event, so that later numbers are right.
            self._events.append(Note(""))
            self._places.append((0, {}))
        else:
            self._unopened = True

    def _take_heading(self, line: Line) -> None:
        if self._events:
            reason = "the heading ends where the events begin; the totals of a game are written total: A 57, B 38"
            raise line.refuse(reason)
        self._heading = self._heading or Heading(Letters())
        self._heading.add(line)

    def _require_event(self, line: Line, *, complete: bool) -> None:
        """Raises NotARecord if a line does not even begin like an event: then it was meant for the heading.

        If the heading is not `complete`, so is any line that cannot be read.
        """
        begin = line.begin
        try:
            self._read_unsure(line)
        except NotARecord:
            if line.begin == begin or not complete:
                raise

    def _read_unsure(self, line: Line) -> None:
        """Reads an event before the heading is known, or with a mistake in it: any letter may be right."""
        heading, setting = self._heading or Heading(Letters()), self._setting
        setting.letters, setting.game, setting.unsure = heading.letters_so_far(), heading.game_so_far(), True
        try:
            read_event(line)
        finally:
            setting.unsure = False

    def _open(self) -> None:
        """Opens the record with the heading."""
        if self._heading is None:
            raise refusal("a sheet begins with its heading, at least Game: and Players:", 1, 1)
        heading, setting = self._heading, self._setting
        data = heading.data()
        setting.letters, setting.squares, setting.game = heading.letters, heading.squares, heading.game
        setting.in_heading, self._by = False, heading.by
        self._add(data, heading.spots, min(line or 1 for line, _column in heading.spots.values()))

    def _take_event(self, line: Line) -> None:
        data = read_event(line)
        _check_number(line, len(self._events))
        if self._by is not None:
            data.setdefault("by", self._by)
        self._setting.in_heading = False
        self._add(data, line.spots, line.number or 0)

    def _add(self, data: dict[str, object], spots: dict[str, Spot], number: int) -> None:
        self._events.append(build_event(data, spots, number))
        self._places.append((number, spots))


def _is_heading(line: Line) -> bool:
    """Whether a line belongs to the heading: a word of the heading, and a colon or an equals sign."""
    word = line.piece.lower()
    if word == "opened":
        return re.match(r"\s+by\s*:", line.line[line.begin + len(word) :], re.IGNORECASE) is not None
    if word not in HEADINGS:
        return False
    behind = line.line[line.begin + len(word) :].lstrip()
    return behind[:1] == ":" or (behind[:1] == "=" and line.setting.in_heading and word != "by")


def _lines(text: str | bytes) -> Iterator[tuple[int, str]]:
    """The lines that are not empty, each with its number from 1."""
    decoded = text_of(text) if isinstance(text, bytes) else text.removeprefix("\ufeff")
    unified = decoded.replace("\r\n", "\n").replace("\r", "\n")
    for number, line in enumerate(unified.split("\n"), 1):
        stripped = line.strip()
        if stripped and not stripped.startswith(_NO_LINE):
            yield number, _readable(line, number)


def _readable(line: str, number: int | None = None) -> str:
    """The line, if it can be stored as text.  Raises NotARecord for a lone surrogate."""
    try:
        line.encode()
    except UnicodeEncodeError as error:
        raise refusal("this is not a character", error.start + 1, number) from None
    return line


def _check_number(line: Line, seq: int | None) -> None:
    """Raises NotARecord if the line has a number other than its event's."""
    if seq is None or line.seq is None:
        return
    digits, column = line.seq
    if (digits.lstrip("0") or "0") != str(seq):
        raise line.refuse(f"this line is numbered {digits} but it is event {seq}", column)


_STRUCTS: dict[str, Any] = {kind(event): event for event in EVENTS}
_PATH = r"\$\.?((?:event\.)?[a-z]*)"
"""The field at the beginning of a path of msgspec."""
_MESSAGES = (
    (r"Expected `int` >= (.*)", "at least {} is expected here"),
    (r"Expected `int` <= (.*)", "at most {} is expected here"),
    (r"Expected `str` of length >= 1", "an empty text is not allowed here"),
    (r"Expected `str` of length <= (.*)", "a text of at most {} characters is expected here"),
    (r"Expected `array` of length >= 1", "the opening does not name its players"),
    (r"Expected `array` of length <= (.*)", "at most {} are allowed here"),
    (r"Expected `str` matching regex .*", "a day is written as in 2026-11-20"),
    (r"Object missing required field `(.*)`", "the opening does not name its {}"),
)
"""Messages of msgspec for values out of bounds, each with one for people."""


def build_event(data: dict[str, Any], spots: dict[str, Spot], line: int | None) -> AnyEvent:
    """The event in this plain data.  Raises NotARecord with the place of a field that is not valid."""
    try:
        # By its own type, because msgspec would prepare the union of all types anew for each event.
        event: AnyEvent = msgspec.convert(data, _STRUCTS[data["type"]])
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `")
        raise misfit(for_people(reason), path, spots, line) from None
    return event


def misfit(reason: str, path: str | None, spots: dict[str, Spot], line: int | None) -> NotARecord:
    """The refusal of the field at this path of an event (``$.event.tile``), with its place in the sheet."""
    match = re.match(_PATH, path or "$")
    field = match[1] if match else ""
    spot = spots.get(field) or spots.get(field.partition(".")[0]) or (line, 1)
    return refusal(reason, spot[1], spot[0])


def for_people(reason: str) -> str:
    """What a message of msgspec says of a value, in words for people."""
    for pattern, message in _MESSAGES:
        if match := re.fullmatch(pattern, reason, re.DOTALL):
            return message.format(*match.groups())
    return reason
