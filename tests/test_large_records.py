"""The bytes of a record are bounded where it grows, and what was written can always be read back."""

from pathlib import Path

import pytest

from command_output import run_on
from ledger.keep.renaming import rename, renamings
from ledger.proof.log_head import check
from ledger.record import codec
from ledger.record.errors import NotARecord, NotForNow
from ledger.record.events import Amend, Note, Open, Player
from ledger.stores.event_log import MOST_BYTES, pack
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore

PLAYERS = tuple(Player(id=name, name=name.upper()) for name in "abc")
OPENING = Open("zigzag", players=PLAYERS)
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
def test_what_fills_a_record_can_be_exported_and_taken_back(tmp_path: Path, text: str) -> None:
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
    store, long = TemporaryStore(), tuple(Player(id=player.id, name="ß" * 190) for player in PLAYERS)
    amended = Amend(0, Open("zigzag", players=long), "who it was")
    version = store.append(RECORD, 0, [OPENING, *[amended] * 2000])
    with pytest.raises(NotARecord, match="at most 4 MB"):
        store.append(RECORD, version, [amended] * 1500)
    assert store.append(RECORD, version, [Note("short")]) == version + 1
    assert check(store).corruptions == ()


def test_a_record_does_not_outgrow_it_by_longer_names() -> None:
    store = TemporaryStore()
    store.append(RECORD, 0, [OPENING, *[Amend(0, Open("zigzag", players=PLAYERS), "the same")] * 4000])
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
