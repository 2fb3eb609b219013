"""Bytes ⇄ records: strict reading, byte-stable writing, and archives.

Reading is strict so that a typo never passes silently; a bad *move* is no typo and always reads.  Writing is
canonical: fields in the order of the types, defaults left out, no white space.  `decode(encode(r)) == r` for
every record, and `encode(decode(b)) == b` for every canonical text.

Source: the record format, version 1 (docs/record-format.md).
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, cast

import msgspec
from msgspec import Struct

from ledger.record import events as e
from ledger.record.errors import NotARecord
from ledger.record.record import Branch, Record
from ledger.record.words import is_day

FORMAT: Literal["domino-ledger/1"] = "domino-ledger/1"


class Document(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    gc=False,
    rename={"branch": "from"},
):
    """The text of a record: one JSON object.  With `from` it tells what might have been."""

    format: Literal["domino-ledger/1"]
    branch: Branch | None = None
    events: tuple[e.AnyEvent, ...]


_document = msgspec.json.Decoder(Document)
_event = msgspec.json.Decoder[e.AnyEvent](e.AnyEvent)
_encoder = msgspec.json.Encoder()

# msgspec says where a value has the wrong shape: "... - at `$.events[3].tile`", or "... - at `key` in `$...`".
# `re` compiles these patterns when it first needs them: most runs read no bad record.
_PLACE = r"(?s)^(?P<reason>.*?)(?: - at (?:`key` in )?`(?P<path>[^`]*)`)?$"
_EVENT_PATH = r"(?s)^\$\.events\[(\d+)\](.*)$"

# What msgspec says of a text in another shape is a regular expression.  Only days and times have one.
_DAY, _MOMENT = "a day is written as in 2026-11-20", "a time is written as in 2026-11-20T19:30:00Z"


def decode(text: bytes | str) -> Record:
    """Reads a record.

    Raises NotARecord with the event, the field and the reason: text that is not JSON, an unknown type or field,
    a wrong type, an unknown player, a missing or second opening, a tile that cannot exist, a text that is too long, a
    score card without scores.
    """
    if len(text) >= LONGEST:
        raise NotARecord(TOO_LONG)
    document = _decoded(_document.decode, text)
    record = check_whole(document.events)
    return record if document.branch is None else Record(record.events, document.branch)


def decode_foreign(text: bytes) -> Record:
    """The same for a text that somebody brings: a field must not be there twice, for each reader may take another."""
    record = decode(text)
    if encode(record) != text.strip():  # the canonical text has each field once
        require_once(text)
    return record


def require_once(text: bytes | str) -> None:
    """Raises NotARecord if an object in a text of JSON has a name twice."""
    import json

    for path in _twice(json.loads(text, object_pairs_hook=_Pairs), "$"):
        raise _invalid(f"{path.rpartition('.')[2]!r} is given twice - at `{path}`")


class _Pairs(tuple[tuple[str, Any], ...]):
    """The names and values of an object, as they were written."""

    __slots__ = ()


def _twice(value: Any, path: str) -> Iterator[str]:
    """The places of the names that an object in a value has twice."""
    if isinstance(value, _Pairs):
        names = set[str]()
        for name, inner in value:
            if name in names:
                yield f"{path}.{name}"
            names.add(name)
            yield from _twice(inner, f"{path}.{name}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _twice(inner, f"{path}[{place}]")


def decode_event(text: bytes | str) -> e.AnyEvent:
    """Reads one event, as stores keep it.  Raises NotARecord."""
    event: e.AnyEvent = _decoded(_event.decode, text)
    return event


def encode(record: Record) -> bytes:
    """The canonical text of a record: one line, without a line break at its end."""
    return _encoder.encode(Document(format=FORMAT, branch=record.branch, events=record.events))


def encode_event(event: e.AnyEvent) -> bytes:
    """The canonical text of one event."""
    return _encoder.encode(event)


def encode_lines(record: Record) -> bytes:
    """The same record with one event per line, for files that people compare."""
    rows = b",\n".join(map(_encoder.encode, record.events))
    return b"%s\n%s\n]}\n" % (encode(Record((), record.branch)).removesuffix(b"]}"), rows)


def _decoded(decode_: Callable[[Any], Any], text: bytes | str) -> Any:
    try:
        return decode_(text)
    except msgspec.ValidationError as error:
        raise _invalid(str(error)) from None
    except msgspec.DecodeError as error:
        if text[:1] in ("\ufeff", b"\xef"):
            raise NotARecord("it begins with a byte order mark (BOM): save it as UTF-8 without one") from None
        raise NotARecord(f"not JSON: {error}") from None
    except UnicodeError as error:
        raise NotARecord(f"not UTF-8: {error}") from None
    except RecursionError:
        raise NotARecord("nested deeper than any record") from None


def _invalid(message: str) -> NotARecord:
    match = re.match(_PLACE, message)
    reason, path = (match["reason"], match["path"]) if match else (message, None)
    if "matching regex" in reason:
        reason = _MOMENT if "T[" in reason else _DAY
    in_event = re.match(_EVENT_PATH, path or "")
    if in_event:
        return NotARecord(reason, event=int(in_event[1]), field=f"${in_event[2]}" if in_event[2] else None)
    return NotARecord(reason, field=path)


def check(events: Iterable[e.AnyEvent]) -> Record:
    """These events as a record, if they are one.

    It checks what types cannot say: the opening comes first and only there, its day exists, the ids of players are
    unique, later events use no others, and corrections of the opening are allowed ones.  Raises NotARecord.
    """
    record = Record(tuple(events))
    if not record.events or type(record.events[0]) is not e.Open:
        raise NotARecord("the first event is not an opening", event=0, field="$.type")
    players = ids(record.events[0])
    admit_all(1, record.events[1:], players)
    return record


def check_longer(record: Record, events: Sequence[e.AnyEvent]) -> Record:
    """A record that is checked already, with these events after it.  Raises NotARecord."""
    players = ids(record.events[0])  # type: ignore[arg-type]  # an opening
    for event in record.events if e.Amend in map(type, record.events) else ():
        if type(event) is e.Amend and type(event.event) is e.Open:
            players |= ids(event.event)
    admit_all(len(record.events), events, players)
    return Record((*record.events, *events))


def admit_all(first: int, events: Iterable[e.AnyEvent], players: frozenset[str]) -> None:
    """Raises NotARecord unless these events, from that seq on, can come after a record of these players."""
    for seq, event in enumerate(events, first):
        admit(seq, event, players)
        if type(event) is e.Amend and type(event.event) is e.Open:
            players |= ids(event.event, seq)


def check_whole(events: Iterable[e.AnyEvent]) -> Record:
    """The same for a record that is read or stored as a whole: a score card then says something about its end."""
    record = check(events)
    opening = record.events[0]
    if isinstance(opening, e.Open) and opening.card and not any(_about_the_end(record.events)):
        reason = "a score card has a score of the game, a result, or in Domino Ziggurat the cheats"
        raise NotARecord(reason, event=0, field="$.card")
    return record


_ON_A_CARD = frozenset((e.Open, e.Score, e.Cheats, e.Result, e.Note, e.Close))


def is_only_scores(events: Sequence[e.AnyEvent]) -> bool:
    """Whether a record has the scores of a game and nothing of how it was played: a sheet of it is a score card."""
    opening = events[0]
    if not isinstance(opening, e.Open) or not _ON_A_CARD.issuperset(map(type, events)):
        return False
    players = {player.id for player in opening.players}
    return any(
        isinstance(claim, e.Cheats) or (isinstance(claim, e.Score) and claim.points.keys() >= players)
        for claim in _about_the_end(events)
    )


def _about_the_end(events: Iterable[e.AnyEvent]) -> Iterator[e.Result | e.Cheats | e.Score]:
    """The claims about the end of a game: who won, somebody's score, or the cheats."""
    for event in events:
        claim = event.event if isinstance(event, e.Amend | e.Insert) else event
        if isinstance(claim, e.Result | e.Cheats) or (
            isinstance(claim, e.Score) and claim.scope == "game" and claim.points
        ):
            yield claim


def ids(opening: e.Open, seq: int = 0) -> frozenset[str]:
    """The ids of an opening's players.

    Raises NotARecord if there are none, or two are the same, or the game was played on a day that does not exist.
    """
    if opening.played is not None and not is_day(opening.played):
        raise NotARecord(f"there is no day {opening.played}", event=seq, field="$.played")
    if not opening.players:
        raise NotARecord("an opening must name its players", event=seq, field="$.players")
    unique: set[str] = set()
    for i, player in enumerate(opening.players):
        if player.id in unique:
            raise NotARecord(f"two players are called {player.id!r}", event=seq, field=f"$.players[{i}].id")
        unique.add(player.id)
    _check_card(opening, unique, seq)
    return frozenset(unique)


def _check_card(opening: e.Open, players: set[str], seq: int) -> None:
    """Raises NotARecord for what only a score card has, and for a player in two teams or in none of the game."""
    for field in ("lowest", "teams", "source"):
        if getattr(opening, field) and not opening.card:
            raise NotARecord(f"only a score card has `{field}`", event=seq, field=f"$.{field}")
    together = set[str]()
    for i, team in enumerate(opening.teams):
        for j, player in enumerate(team):
            if player not in players:
                raise NotARecord(_no_player(player, frozenset(players)), event=seq, field=f"$.teams[{i}][{j}]")
            if player in together:
                raise NotARecord(f"{player!r} is twice in the teams", event=seq, field=f"$.teams[{i}][{j}]")
            together.add(player)


_NOT_ONLY_A_PLAYER = frozenset((e.Open, e.Amend, e.Insert, e.Retract, e.Score, e.Result, e.Take))
"""The types of events in which more than the player can be refused."""


def admit(seq: int, event: e.AnyEvent, players: frozenset[str]) -> None:
    """Raises NotARecord for an event that cannot be at `seq` (≥ 1) in a record of these players."""
    type_ = type(event)
    if type_ not in _NOT_ONLY_A_PLAYER and getattr(event, "player", None) in players:
        return  # most events are an act of a player
    if type_ is e.Open:
        raise NotARecord("only the first event can be an opening", event=seq, field="$.type")
    if isinstance(event, e.Amend | e.Insert):
        inner = event.event
        if isinstance(event, e.Amend) and event.seq == 0:
            if type(inner) is not e.Open:
                raise NotARecord("the opening can only be amended to an opening", event=seq, field="$.event.type")
            missing = players - ids(inner, seq)
            if missing:
                reason = f"the amended opening leaves out {', '.join(sorted(missing))}: to rename a player, keep the id"
                raise NotARecord(reason, event=seq, field="$.event.players")
            return
        if type(inner) is e.Open:
            raise NotARecord("only the first event can be an opening", event=seq, field="$.event.type")
        _players(seq, inner, players, "$.event")
    elif isinstance(event, e.Retract):
        if event.seq == 0:
            raise NotARecord("the opening cannot be retracted, only amended", event=seq, field="$.seq")
    else:
        _players(seq, event, players, "$")


def _players(seq: int, event: e.Event, players: frozenset[str], path: str) -> None:
    player = getattr(event, "player", None)
    named = [] if player is None else [(player, "player")]
    if type(event) is e.Score:
        named = [(name, "points") for name in event.points]
    elif type(event) is e.Take and event.tiles is None and event.points is None:
        raise NotARecord("a take needs `tiles`, `points`, or both", event=seq, field=path)
    elif type(event) is e.Result:
        named = [(name, f"winners[{i}]") for i, name in enumerate(event.winners)]
        named += [(name, "ranks") for name in event.ranks]
    for name, field in named:
        if name not in players:
            raise NotARecord(_no_player(name, players), event=seq, field=f"{path}.{field}")


def _no_player(name: str, players: frozenset[str]) -> str:
    return f"no player is called {name!r}; the players are {', '.join(sorted(players))}"


LONGEST = 16_000_000
"""The most bytes that a record's text may have; real games need less than a hundredth of it."""
TOO_LONG = f"it is longer than {LONGEST // 1_000_000} MB, the limit for a record, and was not read"
MOST_BLANK = 1_000_000
"""How many more blank lines (each 1000 bytes count as one) than bytes of others an archive may have up to any line."""
TOO_BLANK = f"it has more than {MOST_BLANK:,} empty lines, and was not read further"


def read_line(stream: IO[bytes]) -> tuple[bytes, int]:
    """The next line and its length.  A line that is too long for a record is cut to one byte more than allowed.

    A compressed file of a few kB can unpack to a line of many GB.
    """
    line = stream.readline(LONGEST + 1)
    length = len(line)
    if length > LONGEST and not line.endswith(b"\n"):
        while part := stream.readline(1_000_000):
            length += len(part)
            if part.endswith(b"\n"):
                return line[:-1] + b"\n", length
    return line, length


def read_lines(stream: IO[bytes]) -> Iterator[tuple[bytes, int]]:
    """The remaining lines, as `read_line` reads them.

    Raises NotARecord if they are mostly blank: a compressed file of a few kB can unpack to any number of empty lines.
    """
    blank = 0
    while (line := read_line(stream))[0]:
        blank += 1 + line[1] // 1000 if line[0].isspace() else -line[1]
        if blank > MOST_BLANK:
            raise NotARecord(TOO_BLANK)
        blank = max(blank, 0)
        yield line


class Line(NamedTuple):
    """A line of an archive: its number from 1, and the record on it or why there is none."""

    number: int
    result: Record | NotARecord


def read_archive(
    lines: Iterable[bytes],
    source: str | None = None,
    first: int = 1,
    read: Callable[[bytes], Record] = decode,
) -> Iterator[Line]:
    """The records of an archive (from its line `first` on), read one at a time.

    A line that is not a record is yielded as a NotARecord with the reason, `source` and the line number, and reading
    goes on.  Empty lines are skipped.
    """
    for number, line in enumerate(lines, first):
        if not line or line.isspace():
            continue
        try:
            yield Line(number, read(line))
        except NotARecord as error:
            yield Line(number, error.at(source or "", number))


def open_bytes(path: Path, mode: Literal["rb", "wb"] = "rb") -> IO[bytes]:
    """Opens a file of bytes, through zstd if its name ends in ``.zst``.  Raises OSError as `open` does."""
    if path.suffix != ".zst":
        return path.open(mode)
    return cast("IO[bytes]", zstd().open(path, mode))  # it reads and writes bytes as a file does


def unpacked(raw: IO[bytes], path: Path) -> IO[bytes]:
    """The bytes of an open file of that name, through zstd if the name ends in ``.zst``."""
    return cast("IO[bytes]", zstd().open(raw)) if path.suffix == ".zst" else raw


def zstd() -> Any:
    """The module for zstd: Python's own or its backport.  Only compressed files need it."""
    return import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


def damaged(path: Path) -> tuple[type[Exception], ...]:
    """What reading a file can raise, besides OSError, if its compressed bytes are cut off or damaged."""
    return (EOFError, zstd().ZstdError) if path.suffix == ".zst" else ()
