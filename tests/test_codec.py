"""Strict reading, byte-stable writing, archives, and the schema."""

import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden import CASES
from ledger.audit.review import Review
from ledger.record import codec
from ledger.record.errors import LedgerError, NotARecord
from ledger.record.events import (
    ABOUT_RECORDS,
    ACTS,
    CLAIMS,
    EVENTS,
    AnyEvent,
    Event,
    Note,
    Open,
    Pass,
    Play,
    Player,
    Take,
)
from ledger.record.json_schema import schema
from ledger.record.record import Record
from ledger.record.tiles import named
from misread import MISREAD
from soup import correction, event, made_up

OPEN = {"type": "open", "game": "zigzag", "players": [{"id": "a"}, {"id": "b"}, {"id": "c"}]}


def text(*events: dict[str, Any], **extra: Any) -> bytes:
    """The text of a record."""
    return json.dumps({"format": "domino-ledger/1", "events": list(events), **extra}).encode()


REFUSED = {
    "no JSON": (b'{"format": ', None, None, "not JSON"),
    "no UTF-8": (b'{"format":"domino-ledger/1","events":[{"type":"note","text":"\xff"}]}', None, None, "UTF-8"),
    "nested too deep": (b"[" * 100_000, None, None, ""),
    "another format": (json.dumps({"format": "domino-ledger/2", "events": [OPEN]}).encode(), None, "$.format", "enum"),
    "a list": (b"[]", None, None, "object"),
    "a field too many": (text(OPEN, more=1), None, None, "more"),
    "no events": (text(), 0, "$.type", "not an opening"),
    "no opening": (text({"type": "note", "text": "x"}), 0, "$.type", "not an opening"),
    "two openings": (text(OPEN, OPEN), 1, "$.type", "only the first event"),
    "no players": (text({"type": "open", "game": "zigzag"}), 0, "$.players", "must name its players"),
    "two alike": (
        text({**OPEN, "players": [{"id": "a"}, {"id": "a"}]}), 0, "$.players[1].id", "two players are called 'a'",
    ),
    "an unknown type": (text(OPEN, {"type": "hit", "player": "a"}), 1, "$.type", "hit"),
    "an unknown field": (text(OPEN, {"type": "pass", "player": "a", "why": "?"}), 1, None, "why"),
    "a missing field": (text(OPEN, {"type": "bid", "player": "a"}), 1, None, "bid"),
    "a wrong type": (text(OPEN, {"type": "bid", "player": "a", "bid": "12"}), 1, "$.bid", "int"),
    "a number with a fraction": (text(OPEN, {"type": "bid", "player": "a", "bid": 1.5}), 1, "$.bid", "int"),
    "an end that no line has": (
        text(OPEN, {"type": "play", "player": "a", "tile": "6-1", "end": "top"}), 1, "$.end", "'top'",
    ),
    "a tile that cannot exist": (text(OPEN, {"type": "play", "player": "a", "tile": "6-13"}), 1, "$.tile", "6-13"),
    "nobody": (text(OPEN, {"type": "pass", "player": "z"}), 1, "$.player", "no player is called 'z'"),
    "points for nobody": (text(OPEN, {"type": "score", "scope": "game", "points": {"z": 1}}), 1, "$.points", "'z'"),
    "a winner who is nobody": (text(OPEN, {"type": "result", "winners": ["a", "z"]}), 1, "$.winners[1]", "'z'"),
    "a level too low": (
        text(OPEN, {"type": "place", "player": "a", "tile": "1-1", "at": [0, 0], "dir": "e", "level": 0}),
        1, "$.level", ">= 1",
    ),
    "an option with too long a name": (text({**OPEN, "options": {"x" * 201: 1}}), 0, "$.options", "<= 200"),
    "an option too great": (text({**OPEN, "options": {"target": 10**10}}), 0, "$.options[...]", "<= 1000000000"),
    "a word instead of a time": (text(OPEN, {"type": "note", "text": "x", "when": "yesterday"}), 1, "$.when", "a time"),
    "the opening retracted": (text(OPEN, {"type": "retract", "seq": 0, "why": "x"}), 1, "$.seq", "only amended"),
    "the opening amended away": (
        text(OPEN, {"type": "amend", "seq": 0, "event": {"type": "pass", "player": "a"}, "why": "x"}),
        1, "$.event.type", "only be amended to an opening",
    ),
    "a player lost": (
        text(OPEN, {"type": "amend", "seq": 0, "event": {**OPEN, "players": [{"id": "a"}]}, "why": "x"}),
        1, "$.event.players", "leaves out b, c",
    ),
    "nobody in a correction": (
        text(OPEN, {"type": "insert", "before": 1, "event": {"type": "pass", "player": "z"}, "why": "x"}),
        1, "$.event.player", "'z'",
    ),
    "a correction corrected": (
        text(OPEN, {"type": "amend", "seq": 1, "event": {"type": "retract", "seq": 1, "why": "x"}, "why": "x"}),
        1, "$.event.type", "retract",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_an_invalid_record_is_refused_with_the_place_and_the_reason(case: str) -> None:
    document, seq, field, reason = REFUSED[case]
    with pytest.raises(NotARecord) as refused:
        codec.decode(document)
    assert (refused.value.event, refused.value.field or None) == (seq, field or refused.value.field)
    assert reason in refused.value.reason


@pytest.mark.parametrize(
    "case",
    ["two openings", "the opening retracted", "the opening amended away", "a player lost", "nobody in a correction"],
)
def test_what_comes_after_a_record_is_refused_alike(case: str) -> None:
    document, seq, field, reason = REFUSED[case]
    opening, *later = json.loads(document)["events"]
    with pytest.raises(NotARecord) as refused:
        codec.check_longer(codec.decode(text(opening)), msgspec.convert(later, list[AnyEvent]))
    assert (refused.value.event, refused.value.field) == (seq, field)
    assert reason in refused.value.reason


def test_a_player_who_came_with_an_amended_opening_may_act() -> None:
    amended = {"type": "amend", "seq": 0, "event": {**OPEN, "players": [*OPEN["players"], {"id": "z"}]}, "why": "x"}
    record, act = codec.decode(text(OPEN, amended)), Pass("z")
    assert codec.check_longer(record, (act,)) == codec.check((*record.events, act))
    with pytest.raises(NotARecord, match="'z'"):
        codec.check_longer(codec.decode(text(OPEN)), (act,))


@pytest.mark.parametrize("case", MISREAD)
def test_what_programs_easily_misread_is_accepted_or_refused_as_the_page_says(case: str) -> None:
    document, accepted = MISREAD[case]
    try:
        record = codec.decode(document)
    except NotARecord:
        assert not accepted
    else:
        assert accepted
        assert codec.decode(codec.encode(record)) == record


def test_a_play_reads_and_writes_its_end_and_none_leaves_no_trace() -> None:
    bare, left = b'{"type":"play","player":"a","tile":"5-1"}', b'{"type":"play","player":"a","tile":"5-1","end":"left"}'
    assert codec.decode_event(bare) == Play("a", named("5-1"))
    assert codec.decode_event(left) == Play("a", named("5-1"), "left")
    assert [codec.encode_event(codec.decode_event(event)) for event in (bare, left)] == [bare, left]
    field = schema()["$defs"]["Play"]["properties"]["end"]
    assert field == {"anyOf": [{"enum": ["left", "right"]}, {"type": "null"}], "default": None}
    assert "end" not in schema()["$defs"]["Play"]["required"]


PLAYERS = ("ana", "ben", "cy")
texts = st.text(min_size=1, max_size=12).filter(lambda string: string.encode("utf-8", "ignore").decode() == string)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Any record, with any events."""
    random = Random(draw(st.integers(0, 2**32)))
    opening = Open(
        "zigzag", options={"first_bidder": "ana", "target": None, "hands": 3, "split_penalty": True},
        players=tuple(Player(id=name, name=draw(st.text('Ané –"\\', max_size=4))) for name in PLAYERS),
        place=draw(st.none() | texts), when="2026-11-20T20:00:00.5Z",
    )  # fmt: skip
    kinds = [kind for kind in EVENTS if kind not in (Open, *ABOUT_RECORDS)]
    rest = [event(random.choice(kinds), PLAYERS, random) for _ in range(draw(st.integers(0, 12)))]
    rest += [correction(len(rest), kinds, PLAYERS, random) for _ in range(draw(st.integers(0, 3)))]
    return codec.check([opening, *rest, Note(draw(texts))])


@given(records())
def test_any_record_comes_back_as_it_was(record: Record) -> None:
    canonical = codec.encode(record)
    assert codec.decode(canonical) == record
    assert codec.encode(codec.decode(canonical)) == canonical
    indented = json.dumps(shuffled(json.loads(canonical)), indent=2)
    assert codec.encode(codec.decode(indented)) == canonical


def shuffled(value: Any) -> Any:
    """The same JSON with the fields of each object in the opposite order, except where the order counts."""
    if isinstance(value, list):
        return [shuffled(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: value[name] if name in ("options", "points") else shuffled(value[name]) for name in reversed(list(value))
    }


def test_defaults_are_left_out() -> None:
    record = codec.check([Open("zigzag", players=(Player(id="a"),))])
    assert codec.encode(record) == (
        b'{"format":"domino-ledger/1","events":[{"type":"open","game":"zigzag","players":[{"id":"a"}]}]}'
    )


@pytest.mark.parametrize("name", ["a.ndjson", "a.ndjson.zst"])
def test_an_archive_goes_on_after_a_line_that_is_not_a_record(name: str, tmp_path: Path) -> None:
    originals = [codec.decode(path.read_bytes()) for path in CASES[:3]]
    with codec.open_bytes(tmp_path / name, "wb") as out:
        out.writelines(codec.encode(record) + b"\n" for record in originals[:2])
        out.write(b'\n{"format":"domino-ledger/1","events":[{"type":"open","game":"zigzag"}]}\nnonsense\n')
        out.write(codec.encode(originals[2]) + b"\n")
    with codec.open_bytes(tmp_path / name) as lines:
        archive = list(codec.read_archive(lines, name))
    assert [line.result for line in archive if isinstance(line.result, Record)] == originals
    refused = [line.result for line in archive if isinstance(line.result, NotARecord)]
    assert [(error.source, error.line, error.event) for error in refused] == [(name, 4, 0), (name, 5, None)]
    assert str(refused[0]).startswith(f"{name}:4")


def test_an_archive_is_streamed() -> None:
    """A record is available before the next line is read."""
    paths = []

    def lines() -> Any:
        for path in CASES[:3]:
            paths.append(path)
            yield codec.encode(codec.decode(path.read_bytes()))

    archive = codec.read_archive(lines())
    next(archive)
    assert len(paths) == 1


def mutated(original: bytes, random: Random) -> bytes:
    """The same bytes with a few changes; after most of them the record is still valid."""
    changed = bytearray(original)
    for _ in range(random.choice((1, 1, 1, 2, 6))):
        digits = [place for place, byte in enumerate(changed) if chr(byte).isdigit()]
        place = random.randrange(len(changed))
        match random.randrange(6):
            case 0:
                changed[place] = random.randrange(256)
            case 1:
                del changed[place]
            case 2:
                changed[place:place] = changed[random.randrange(len(changed)) :][: random.randrange(30)]
            case _:
                changed[random.choice(digits)] = random.choice(b"0123456789")
    return bytes(changed)


def test_a_file_that_is_mutated_is_read_or_refused() -> None:
    """With any byte of a record changed, the result is a report or a clear error, never a traceback."""
    random = Random(20261121)
    read, refused = 0, []
    for path in random.sample(CASES, 60):
        original = path.read_bytes()
        for _ in range(12):
            try:
                read += bool(Review(codec.decode(mutated(original, random))).report.verdict)
            except LedgerError as error:
                refused.append(str(error))
    assert read > 100
    assert len(refused) > 100
    assert all(refused)


def test_a_take_says_how_many_tiles_or_their_worth() -> None:
    opening = '{"type":"open","game":"zigzag","players":[{"id":"a"},{"id":"b"},{"id":"c"}]}'
    take = '{"type":"take","player":"a"}'
    for wrong in (take, f'{{"type":"insert","before":1,"event":{take},"why":""}}'):
        with pytest.raises(NotARecord, match="a take needs"):
            codec.decode(f'{{"format":"domino-ledger/1","events":[{opening},{{"type":"pass","player":"b"}},{wrong}]}}')


@pytest.mark.parametrize("kind", [kind for kind in (*ACTS, *CLAIMS) if kind is not Take])
def test_an_event_that_is_made_up_from_its_fields_can_be_read(kind: type[Event]) -> None:
    for seed in range(20):
        made = made_up(kind, PLAYERS, Random(seed))
        record = codec.check([Open("zigzag", players=tuple(Player(id=name) for name in PLAYERS)), made])
        assert codec.decode(codec.encode(record)).events[1] == made
