"""Ids survive: a record that moves to another ledger keeps its id, the ids of its events, and its keys."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from ledger.cli import cli
from ledger.keep import recovering
from ledger.keep.copies import Copy, Different, PhoneCopy, event_ids, key_roles, restore_copy, seal
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.keep.transfer import transfer
from ledger.proof.log_head import check
from ledger.record.errors import IdReused, NotARecord, NotForNow
from ledger.record.events import AnyEvent, Bid, Note, Open, Pass, Player
from ledger.stores import questions
from ledger.stores.beside import Key
from ledger.stores.event_log import pack
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore

PLAYERS = tuple(Player(id=f"p{n}", name=name) for n, name in enumerate(("Ana", "Ben", "Cy"), 1))
OPENING = Open("zigzag", players=PLAYERS, played="2026-11-20", rules="1")
GAME: tuple[AnyEvent, ...] = (OPENING, Bid("p1", 3, by="Dana"), Bid("p2", 4), Pass("p3"), Pass("p1"), Note("tea"))
ID, KEY = "aaaaaaaaa1", key_digest("x" * 43)
IDS = {seq: f"event-{seq:03}" for seq in range(1, 6)}


def copy(**changes: object) -> Copy:
    return Copy(ID, GAME, IDS, {KEY.hex(): "record"})._replace(**changes)  # type: ignore[arg-type]


def links(store: SqliteStore, record_id: str = ID) -> list[bytes]:
    return [entry.link for entry in store.log(of=record_id)]


def run(*args: object) -> Result:
    return CliRunner().invoke(cli, [str(arg) for arg in args])


def test_a_copy_is_taken_in_with_its_ids_names_and_keys(store: SqliteStore) -> None:
    assert restore_copy(store, copy()) == 6
    assert store.read(ID).events == GAME
    assert (event_ids(store, ID), key_roles(store, ID)) == (IDS, {KEY.hex(): "record"})
    assert questions.roles(store, ID, KEY) == {"record"}
    assert not check(store).corruptions
    assert restore_copy(store, copy()) == 0
    # A phone that sends an entry again is recognised by its id.
    assert Recorder(store).append(ID, GAME[5], expected=5, event_id=IDS[5]) == 6


def test_what_is_missing_at_the_end_comes_back(store: SqliteStore) -> None:
    restore_copy(store, copy(events=GAME[:3], ids={1: IDS[1]}, keys={}))
    before = links(store)
    assert restore_copy(store, copy(ids=IDS)) == 3
    assert links(store)[:3] == before
    assert event_ids(store, ID) == {seq: IDS[seq] for seq in (1, 3, 4, 5)}
    assert restore_copy(store, copy(events=GAME[:2], ids={})) == 0
    assert not check(store).corruptions


def test_an_erased_name_does_not_come_back(store: SqliteStore) -> None:
    nameless = replace(OPENING, players=tuple(Player(id=player.id) for player in PLAYERS))
    restore_copy(store, copy(events=(nameless, *GAME[1:3]), ids={}))
    restore_copy(store, copy())
    assert {player.name for player in store.read(ID).opening.players} == {""}
    assert store.read(ID).events[3:] == GAME[3:]


def test_the_ledger_keeps_what_it_has_instead(store: SqliteStore) -> None:
    restore_copy(store, copy())
    log = list(store.log())
    for events in (
        (*GAME[:2], Bid("p2", 5)),
        (*GAME[:5], Note("coffee"), Note("milk")),
        (replace(OPENING, place="x"),),
    ):
        with pytest.raises(Different):
            restore_copy(store, copy(events=events, ids={}))
    assert list(store.log()) == log


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"record": "../etc"}, NotForNow),
        ({"record": "AAAAAAAAA1"}, NotForNow),
        ({"events": GAME[1:]}, NotARecord),
        ({"events": ()}, NotARecord),
        ({"ids": {1: "event-001", 2: "event-001"}}, IdReused),
        ({"ids": {9: "event-009"}}, NotForNow),
        ({"ids": {1: "é" * 9}}, NotForNow),
        ({"keys": {"x": "record"}}, NotForNow),
        ({"keys": {KEY.hex(): "owner"}}, NotForNow),
    ],
)
def test_what_is_no_copy_is_refused(store: SqliteStore, changes: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        restore_copy(store, copy(**changes))
    assert store.size() == 0


def test_no_two_events_have_the_same_id() -> None:
    store = TemporaryStore()
    restore_copy(store, copy(events=GAME[:4], ids={1: "event-001"}))
    with pytest.raises(IdReused, match=r"^record aaaaaaaaa1: the id 'event-001' belongs to another event$"):
        restore_copy(store, copy(ids={4: "event-001"}))
    assert store.version(ID) == 4
    with pytest.raises(IdReused, match=r"^record aaaaaaaaa1: two events have the same id$"):
        restore_copy(store, copy(ids={4: "event-004", 5: "event-004"}))
    with pytest.raises(IdReused, match=r"^record aaaaaaaaa1: every event of a batch needs an id of its own$"):
        Recorder(store).append_entries(ID, 4, GAME[4:], ["event-004"], [])
    assert restore_copy(store, copy(ids={4: "event-004"})) == 2


def test_an_exported_archive_keeps_its_ids(tmp_path) -> None:
    old, new, archive = tmp_path / "old.sqlite", tmp_path / "new.sqlite", tmp_path / "a.ndjson.zst"
    with SqliteStore(old) as store:
        restore_copy(store, copy())
        restore_copy(store, Copy("bbbbbbbbb2", GAME[:4], {}, {}))
        Recorder(store).append("bbbbbbbbb2", Note("rain"))
        store.put([Key("", key_digest("owner"), "owner")])
    assert run("--ledger", old, "export", "-o", archive).exit_code == 0
    assert run("verify", archive).exit_code == 0
    result = run("--ledger", new, "import", "--keep-ids", archive)
    assert (result.exit_code, result.output) == (0, "2 records imported\n")
    with SqliteStore(old) as one, SqliteStore(new) as other:
        assert list(one.log()) == list(other.log())
        assert list(other.kept(Key)) == [Key(ID, KEY)]
        assert [one.read(id_) for id_ in one.ids()] == [other.read(id_) for id_ in other.ids()]
    assert run("--ledger", new, "verify").exit_code == 0
    assert run("--ledger", new, "import", "--keep-ids", archive).output == "2 records known already\n"


def test_an_id_in_use_is_refused(tmp_path) -> None:
    old, new, archive = tmp_path / "old.sqlite", tmp_path / "new.sqlite", tmp_path / "a.ndjson"
    with SqliteStore(old) as store, SqliteStore(new) as target:
        restore_copy(store, copy())
        restore_copy(store, Copy("bbbbbbbbb2", GAME[:4], {}, {}))
        restore_copy(target, Copy(ID, (replace(OPENING, place="elsewhere"),), {}, {}))
        restore_copy(target, Copy("ccccccccc3", GAME[:4], {}, {}))
    run("--ledger", old, "export", "-o", archive)
    result = run("--ledger", new, "import", "--keep-ids", archive)
    assert result.exit_code == 2
    assert "the id aaaaaaaaa1 is in use by another game" in result.output
    assert "the ledger has the record bbbbbbbbb2 as ccccccccc3" in result.output
    with SqliteStore(new) as target:
        assert target.size() == 5


def test_without_its_manifest_an_archive_has_no_ids(tmp_path) -> None:
    old, new, archive = tmp_path / "old.sqlite", tmp_path / "new.sqlite", tmp_path / "a.ndjson"
    with SqliteStore(old) as store:
        restore_copy(store, copy())
        restore_copy(store, Copy("bbbbbbbbb2", GAME[:4], {}, {}))
    run("--ledger", old, "export", "-o", archive)
    lines = archive.read_bytes().splitlines(keepends=True)
    archive.write_bytes(lines[1] + lines[0])
    result = run("--ledger", new, "import", "--keep-ids", archive)
    assert (result.exit_code, result.output.count("its events are not those in the manifest")) == (2, 2)
    (tmp_path / "a.ndjson.manifest").unlink()
    assert "has no manifest beside it" in run("--ledger", new, "import", "--keep-ids", archive).output
    assert "exclude each other" in run("--ledger", new, "import", "--keep-ids", "--as-new", archive).output


# ---- `recover`: a new ledger with the old owner's key takes in what phones saved, and says what is missing.


OWNER = new_key()
LOST = (Copy(ID, GAME, IDS, {KEY.hex(): "record"}), Copy("bbbbbbbbb2", GAME[:4], {}, {}))


@pytest.fixture
def folder(tmp_path) -> Path:
    """What is left of a ledger with two records: a head of the log, an archive, the owner's link, and phones."""
    with SqliteStore(tmp_path / "old.sqlite") as store:
        for copy in LOST:
            restore_copy(store, copy)
    (tmp_path / "head").write_text(run_in(tmp_path, "verify", ledger="old.sqlite").stdout)
    run_in(tmp_path, "export", "-o", tmp_path / "a.ndjson", ledger="old.sqlite")
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


def run_in(folder: Path, *args: object, ledger: str = "new.sqlite", stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["--ledger", str(folder / ledger), *map(str, args)], input=stdin)


def recover(folder: Path, *args: object, stdin: str | None = None) -> Result:
    return run_in(folder, "recover", "--against", folder / "head", *args, stdin=stdin)


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
    assert run_in(folder, "recover", "--accept", folder / "unproved.copies").stdout.startswith("bbbbbbbbb2: 4 events")


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
