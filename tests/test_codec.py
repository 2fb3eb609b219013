"""Strict reading, byte-stable writing, archives, and the schema."""

import json
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from command_output import run_on
from golden import CASES
from ledger.audit.review import Review
from ledger.keep.renaming import rename, renamings
from ledger.proof.log_head import check
from ledger.record import codec, tiles
from ledger.record import events as e
from ledger.record.errors import LedgerError, NotARecord, NotForNow
from ledger.record.events import Amend, AnyEvent, Bid, Insert, Note, Open, Pass, Play, Player, Retract, Void
from ledger.record.json_schema import schema
from ledger.record.record import Entry, Record, as_written, effective
from ledger.record.tiles import TILES, Tile, named
from ledger.stores.event_log import MOST_BYTES, pack
from ledger.stores.store import SqliteStore
from misread import MISREAD
from soup import correction, event, made_up
from temporary import TemporaryStore

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
    kinds = [kind for kind in e.EVENTS if kind not in (Open, *e.ABOUT_RECORDS)]
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
def test_an_archive_goes_on_after_a_line_that_is_not_a_record(name: str, tmp_path) -> None:
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


@pytest.mark.parametrize("kind", [kind for kind in (*e.ACTS, *e.CLAIMS) if kind is not e.Take])
def test_an_event_that_is_made_up_from_its_fields_can_be_read(kind: type[e.Event]) -> None:
    for seed in range(20):
        made = made_up(kind, PLAYERS, Random(seed))
        record = codec.check([Open("zigzag", players=tuple(Player(id=name) for name in PLAYERS)), made])
        assert codec.decode(codec.encode(record)).events[1] == made


# ---- Tiles and the double-N sets.


@pytest.mark.parametrize(("largest", "count"), [(6, 28), (7, 36), (8, 45), (9, 55), (12, 91)])
def test_a_set_has_the_first_indices(largest: int, count: int) -> None:
    assert tiles.size(largest) == count
    in_set = tiles.members(tiles.full(largest))
    assert len(in_set) == count
    assert max(tile.high for tile in in_set) == largest
    assert all(tile.high > largest for tile in TILES[count:])


def test_the_double_six_set_has_168_pips() -> None:
    assert sum(tile.pips for tile in tiles.members(tiles.full(6))) == 168


def test_a_tile_is_one_object_however_it_is_written() -> None:
    for tile in Tile:
        assert tile.turned.turned is tile
        assert tile.turned.index == tile.index
        assert named(str(tile)) is tile
        assert tile.double == (tile.first == tile.second)


def test_masks_and_members_are_inverse() -> None:
    subset = [named("6-4"), named("0-0"), named("12-12")]
    assert tiles.members(tiles.mask(subset)) == (named("0-0"), named("4-6"), named("12-12"))
    assert tiles.names(tiles.mask(subset)) == "0-0, 4-6, 12-12"
    assert tiles.names(0) == "none"


def test_a_tile_that_is_given_twice_is_in_the_mask_once() -> None:
    tile = named("6-4")
    assert tiles.mask([tile, tile]) == tiles.mask([tile, tile.turned]) == tiles.mask(iter([tile])) == tile.bit


def test_a_tile_that_cannot_exist_is_no_tile() -> None:
    with pytest.raises(KeyError):
        named("3-13")


# ---- The bytes of a record are bounded where it grows, and what was written can always be read back.


LETTERS = tuple(Player(id=name, name=name.upper()) for name in "abc")
OPENING = Open("zigzag", players=LETTERS)
RECORD = "full000000"
SMILE = "\N{GRINNING FACE}" * 2000
CONTROL = "\1" * 1500
"""Each of its letters takes six bytes."""


def fill(store: SqliteStore, text: str, at_once: int) -> int:
    """Adds notes until there is no room; returns the version."""
    version = store.append(RECORD, 0, [OPENING])
    size = len(codec.encode_event(Note(text)))
    for _ in range((MOST_BYTES - 1000) // size // at_once):
        version = store.append(RECORD, version, [Note(text)] * at_once)
    with pytest.raises(NotARecord, match="a record has at most 4 MB, and with this it would have more: write shorter"):
        store.append(RECORD, version, [Note(text)] * at_once)
    assert store.version(RECORD) == version
    return version


@pytest.mark.parametrize("text", [SMILE, CONTROL], ids=["smiles", "control characters"])
def test_what_fills_a_record_can_be_exported_and_taken_back(tmp_path, text: str) -> None:
    path = tmp_path / "a.sqlite"
    with SqliteStore(path) as store:
        version = fill(store, text, 20)
        size = sum(len(codec.encode_event(event)) for event in store.read(RECORD).events)
        assert MOST_BYTES - 25 * len(codec.encode_event(Note(text))) < size <= MOST_BYTES
        assert store.rows("SELECT bytes FROM record")[0][0] <= MOST_BYTES
        assert store.append(RECORD, version, [Note("short")]) == version + 1
        assert check(store).corruptions == ()
        record = store.read(RECORD)
    archive, again = tmp_path / "a.ndjson.zst", tmp_path / "b.sqlite"
    assert run_on(path, "export", "-o", str(archive)).exit_code == 0
    verified = run_on(path, "verify", str(archive))
    assert verified.exit_code == 0, verified.stderr
    taken = run_on(again, "import", "--keep-ids", str(archive))
    assert taken.exit_code == 0, taken.stderr
    assert run_on(tmp_path / "c.sqlite", "copy", str(again)).exit_code != 0, "there is no such ledger"
    assert run_on(path, "copy", str(tmp_path / "c.sqlite")).exit_code == 0
    for copy in (again, tmp_path / "c.sqlite"):
        with SqliteStore(copy) as store:
            assert store.read(RECORD) == record
            with pytest.raises(NotARecord, match="at most 4 MB"):
                store.append(RECORD, version + 1, [Note(text)] * 25)


def test_names_count_too() -> None:
    store, long = TemporaryStore(), tuple(Player(id=player.id, name="ß" * 190) for player in LETTERS)
    amended = Amend(0, Open("zigzag", players=long), "who it was")
    version = store.append(RECORD, 0, [OPENING, *[amended] * 2000])
    with pytest.raises(NotARecord, match="at most 4 MB"):
        store.append(RECORD, version, [amended] * 1500)
    assert store.append(RECORD, version, [Note("short")]) == version + 1
    assert check(store).corruptions == ()


def test_a_record_does_not_outgrow_it_by_longer_names() -> None:
    store = TemporaryStore()
    store.append(RECORD, 0, [OPENING, *[Amend(0, Open("zigzag", players=LETTERS), "the same")] * 4000])
    for name in ("A", "B"):
        rename(store, name, name + "ß" * 180)
    size = store.rows("SELECT bytes FROM record")
    with pytest.raises(NotForNow, match=f"record {RECORD} would have more than 4 MB"):
        rename(store, "C", "ß" * 180)
    assert store.rows("SELECT bytes FROM record") == size
    assert [player.name for player in store.read(RECORD).events[-1].event.players][2] == "C"
    assert [renaming.old for renaming in renamings(store)] == ["A", "B"]
    assert check(store).corruptions == ()


def test_one_batch_and_one_import_are_bounded_too() -> None:
    store = TemporaryStore()
    events = (OPENING, *[Note(SMILE)] * 520)
    with pytest.raises(NotARecord, match="at most 4 MB"):
        store.append(RECORD, 0, events)
    with pytest.raises(NotARecord, match="at most 4 MB"):
        pack(events)
    with pytest.raises(NotARecord, match="at most 4 MB"):
        store.append_records([(RECORD, events)])
    assert store.ids() == ()


# ---- Corrections: nothing is overwritten, and one function computes the result.


BEGUN = Open("zigzag", players=(Player(id="ana"), Player(id="ben"), Player(id="cy")))
BID, PASS, PLAY = Bid("ana", 12), Pass("ben"), Play("ana", named("2-2"))


def entries_of(*events: object) -> list[Entry]:
    """The effective events after the opening."""
    return list(effective((BEGUN, *events)).entries[1:])  # type: ignore[arg-type]


def test_without_corrections_every_event_is_at_its_seq() -> None:
    assert entries_of(BID, PASS) == [Entry(1, BID), Entry(2, PASS)]


def test_a_retracted_event_is_gone_and_the_others_keep_their_seqs() -> None:
    assert entries_of(BID, PASS, PLAY, Retract(2, "x")) == [Entry(1, BID), Entry(3, PLAY)]


def test_an_amended_event_keeps_its_place_and_seq() -> None:
    assert entries_of(BID, PASS, Amend(1, Bid("ana", 13), "x")) == [Entry(1, Bid("ana", 13)), Entry(2, PASS)]


def test_an_inserted_event_stands_before_the_one_it_names_under_its_own_seq() -> None:
    assert entries_of(BID, PLAY, Insert(2, PASS, "x")) == [Entry(1, BID), Entry(3, PASS), Entry(2, PLAY)]


def test_two_inserts_before_one_event_stand_in_the_order_of_their_recording() -> None:
    entries = entries_of(BID, PLAY, Insert(2, PASS, "x"), Insert(2, Pass("cy"), "x"))
    assert [entry.seq for entry in entries] == [1, 3, 4, 2]


def test_an_insert_can_be_corrected_too_and_may_stand_before_a_retracted_event() -> None:
    assert entries_of(BID, PLAY, Insert(2, PASS, "x"), Amend(3, Pass("cy"), "x")) == [
        Entry(1, BID), Entry(3, Pass("cy")), Entry(2, PLAY),
    ]  # fmt: skip
    assert entries_of(BID, PASS, Retract(1, "x"), Insert(1, PLAY, "x")) == [Entry(4, PLAY), Entry(2, PASS)]


def test_the_last_correction_holds() -> None:
    assert entries_of(BID, Amend(1, Bid("ana", 13), "x"), Amend(1, Bid("ana", 14), "x")) == [Entry(1, Bid("ana", 14))]


def test_the_history_says_what_was_and_what_is() -> None:
    changes = effective((BEGUN, BID, Amend(1, PASS, "x"), Retract(1, "y"), Insert(1, PLAY, "z"))).changes
    assert [(c.seq, c.target, c.was, c.now) for c in changes] == [
        (2, 1, BID, PASS), (3, 1, PASS, None), (4, 4, None, PLAY),
    ]  # fmt: skip


@given(st.integers(0, 2**32))
def test_nothing_is_lost_and_nothing_is_there_twice(seed: int) -> None:
    random = Random(seed)
    players = ("ana", "ben", "cy")
    events = [BEGUN, *(event(random.choice((Bid, Pass, Play, Note)), players, random) for _ in range(9))]
    events += [correction(len(events), (Bid, Pass), players, random) for _ in range(random.randrange(8))]
    result = effective(events)  # type: ignore[arg-type]
    seqs = [entry.seq for entry in result.entries]
    assert len(seqs) == len(set(seqs))
    gone = {change.target for change in result.changes if change.now is None}
    failed = {slip.seq for slip in result.slips}
    added = {seq for seq, event_ in enumerate(events) if isinstance(event_, Insert) and seq not in failed}
    plain = {seq for seq, event_ in enumerate(events) if type(event_) not in e.ABOUT_RECORDS}
    assert set(seqs) == (plain | added) - gone
    assert len(result.changes) + len(result.slips) == sum(type(event_) in e.CORRECTIONS for event_ in events)
    # Insertions keep the order in which they were recorded.
    assert [seq for seq in seqs if seq in plain] == sorted(plain - gone)


def test_inserts_equal_insertions_into_a_list() -> None:
    random = Random(5)
    for _ in range(50):
        events: list[AnyEvent] = [BEGUN, *(Note(str(n)) for n in range(random.randint(1, 6)))]
        order = list(range(len(events)))
        for seq in range(len(events), len(events) + random.randint(0, 40)):
            before = random.choice(order[1:])
            events.append(Insert(before, Note(str(seq)), "x"))
            order.insert(order.index(before), seq)
        assert list(effective(events).seqs) == order


def test_a_long_chain_of_inserts_has_an_order() -> None:
    events = (BEGUN, Note("0"), *(Insert(seq - 1, Note(str(seq)), "x") for seq in range(2, 5000)))
    assert list(effective(events).seqs) == [0, *range(4999, 0, -1)]


def test_the_opening_is_the_last_amended_one_of_the_same_game() -> None:
    here, newer = replace(BEGUN, place="Here"), replace(BEGUN, place="There", rules="2")
    assert Record((BEGUN, BID)).opening is BEGUN
    assert Record((BEGUN, Amend(0, here, "x"), BID)).opening == here
    assert Record((BEGUN, Amend(0, newer, "x"), Amend(0, here, "x"))).opening == here
    assert Record((BEGUN, Amend(0, newer, "x"), Amend(0, here, "x"))).rules == "2"
    assert Record((BEGUN, Amend(0, replace(BEGUN, game="build-up"), "x"))).opening == BEGUN
    assert Record((BEGUN, Amend(0, replace(BEGUN, card=True), "x"))).opening == BEGUN
    assert Record((BEGUN, BID, Amend(1, Bid("ana", 13), "x"))).opening == BEGUN


def test_a_record_is_set_aside_until_it_is_brought_back() -> None:
    aside, back = Void("x"), Void("x", undo=True)
    assert (Record((BEGUN, BID)).void, Record((BEGUN, aside, BID)).void) == (None, aside)
    assert (Record((BEGUN, aside, back)).void, Record((BEGUN, aside, back, aside)).void) == (None, aside)


def test_as_first_written_there_are_no_corrections() -> None:
    written = as_written(
        (BEGUN, BID, Amend(1, Bid("ana", 13), "x"), PASS, Insert(3, PLAY, "x"), Retract(3, "x"), Void("x"))
    )
    assert (written.events, written.changes, written.slips) == ((BEGUN, BID, PASS), (), ())
    assert [entry.seq for entry in written.entries] == [0, 1, 3]


@pytest.mark.parametrize(("events", "words"), [
    ((Retract(3, "x"),), "There is no earlier move 3 to correct"),
    ((Amend(2, BID, "x"),), "There is no earlier move 2 to correct"),
    ((Insert(0, BID, "x"),), "Nothing happened before the opening"),
    ((Insert(9, BID, "x"),), "There is no earlier move 9 to correct"),
    ((Retract(1, "x"), Retract(1, "x")), "Move 1 was deleted already: record it again instead"),
    ((Retract(1, "x"), Amend(2, BID, "x")), "Move 2 is a correction itself: record what really happened instead"),
    (
        (Amend(0, replace(BEGUN, game="build-up"), "x"),),
        "A record cannot become one of another game: begin a new record instead",
    ),
    (
        (Amend(0, replace(BEGUN, card=True), "x"),),
        "A record cannot become a score card, or cease to be one: begin a new record instead",
    ),
])  # fmt: skip
def test_a_correction_that_changes_nothing_says_why(events: tuple[AnyEvent, ...], words: str) -> None:
    slips = effective((BEGUN, BID, *events)).slips
    assert [(slip.seq, slip.reason) for slip in slips] == [(1 + len(events), words)]
