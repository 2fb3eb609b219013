"""`recover`: a new ledger with the old owner's key takes in what phones saved, and says what is missing."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from ledger.cli import cli
from ledger.keep import recovering
from ledger.keep.copies import Copy, PhoneCopy, restore_copy, seal
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.keep.transfer import transfer
from ledger.record.events import Note
from ledger.stores.beside import Key
from ledger.stores.event_log import pack
from ledger.stores.store import SqliteStore
from test_keeping_ids import GAME, ID, IDS, KEY

OWNER = new_key()
LOST = (Copy(ID, GAME, IDS, {KEY.hex(): "record"}), Copy("bbbbbbbbb2", GAME[:4], {}, {}))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What is left of a ledger with two records: a head of the log, an archive, the owner's link, and phones."""
    with SqliteStore(tmp_path / "old.sqlite") as store:
        for copy in LOST:
            restore_copy(store, copy)
    (tmp_path / "head").write_text(run(tmp_path, "verify", ledger="old.sqlite").stdout)
    run(tmp_path, "export", "-o", tmp_path / "a.ndjson", ledger="old.sqlite")
    (tmp_path / "owner.link").write_text(f"The ledger: http://192.168.1.5:8000/#{OWNER}\n")
    save(tmp_path / "phone.copies", LOST[0])
    save(tmp_path / "unproved.copies", LOST[1], owner=new_key())
    return tmp_path


def save(file: Path, *copies: Copy, owner: str = OWNER) -> None:
    """What a phone saves."""
    lines = []
    for copy in copies:
        ids = {str(seq): event_id for seq, event_id in copy.ids.items()}
        text = seal(key_digest(owner), copy, pack(copy.events))
        lines.append(PhoneCopy("domino-ledger-copy/1", copy.record, tuple(copy.events), ids, dict(copy.keys), text))
    file.write_bytes(b"\n".join(map(msgspec.json.encode, lines)))


def run(folder: Path, *args: object, ledger: str = "new.sqlite", stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["--ledger", str(folder / ledger), *map(str, args)], input=stdin)


def recover(folder: Path, *args: object, stdin: str | None = None) -> Result:
    return run(folder, "recover", "--against", folder / "head", *args, stdin=stdin)


def test_what_is_missing_is_named_until_it_is_there(folder: Path) -> None:
    first = recover(folder, "--owner", folder / "owner.link")
    assert first.exit_code == 1
    assert "Until 4 Dec 2026 a game that begins here gets an id that the ledger chooses" in first.stderr
    assert "missing: 10 of 10 events of the head of the log" in first.stderr
    second = recover(folder, folder / "phone.copies")
    assert (second.exit_code, second.stdout.splitlines()[0]) == (1, "aaaaaaaaa1: 6 events came back")
    assert "missing: 4 of 10 events of the head of the log" in second.stderr
    last = recover(folder, folder / "unproved.copies", stdin="y\n")
    assert (
        "Nothing proves this copy. Take it in? bbbbbbbbb2: zigzag, Ana, Ben, Cy, 4 events, fingerprint" in last.stderr
    )
    assert last.exit_code == 0
    assert "the head of the log is the one that you kept: nothing was changed or lost" in last.stdout
    with SqliteStore(folder / "new.sqlite") as store:
        assert {key.role for key in store.kept(Key)} == {"owner", "record"}


def test_what_nothing_proves_stays_out(folder: Path) -> None:
    result = recover(folder, "--owner", folder / "owner.link", folder / "unproved.copies", stdin="n\n")
    assert (result.exit_code, "not taken in, because nothing proves it" in result.stderr) == (1, True)
    with SqliteStore(folder / "new.sqlite") as store:
        assert store.size() == 0
    assert run(folder, "recover", "--accept", folder / "unproved.copies").stdout.startswith("bbbbbbbbb2: 4 events")


def test_other_ends_and_other_orders_are_said(folder: Path) -> None:
    with SqliteStore(folder / "new.sqlite") as store:
        restore_copy(store, LOST[1])
        restore_copy(store, LOST[0]._replace(events=GAME[:3], ids={}))
        Recorder(store).append(ID, Note("another end"))
    result = recover(folder, "--owner", folder / "owner.link", folder / "phone.copies")
    assert "the ledger has something else in the record aaaaaaaaa1" in result.stderr
    with SqliteStore(folder / "new.sqlite") as store:
        Recorder(store).append(ID, Note("longer"))
        Recorder(store).append(ID, Note("longer still"))
    result = recover(folder)
    assert "phones brought them in another order" in result.stdout


def test_what_is_no_copy_or_no_link_is_refused(folder: Path) -> None:
    assert "this is not a phone's copy" in recover(folder, folder / "a.ndjson").stderr
    (folder / "owner.link").write_text("http://192.168.1.5:8000/")
    assert "there is no owner's link in this file" in recover(folder, "--owner", folder / "owner.link").stderr


def test_a_ledger_that_recovers_does_so_in_its_copy_too(folder: Path) -> None:
    recover(folder, "--owner", folder / "owner.link")
    with SqliteStore(folder / "new.sqlite") as new, SqliteStore(folder / "copy.sqlite") as copy:
        list(transfer(new, copy))
        assert recovering.until(copy) == recovering.until(new) is not None
        assert recovering.own_id(copy, ID, "") == recovering.own_id(new, ID, "") != ID
