"""The tables beside the events: every change to them is found, reported and repaired."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from command_output import run_on
from golden import FIXTURES
from ledger.keep.recorder import Recorder, key_digest
from ledger.keep.sources import items
from ledger.keep.stored_audits import compare_audits, refresh
from ledger.keep.transfer import transfer
from ledger.proof import log_head
from ledger.record.chain import Names
from ledger.record.events import Amend, Note, Open, Player
from ledger.stores import open_ledger, questions
from ledger.stores.beside import Key, Named
from ledger.stores.query import Audit, Corruption, Query, Summary
from ledger.stores.store import SqliteStore

PLAYERS = tuple(Player(id=id_, name=name) for id_, name in (("p1", "Ana"), ("p2", "Ben"), ("p3", "Cy")))


@pytest.fixture(scope="session")
def ledger_folder(tmp_path_factory) -> Path:
    """The folder of a ledger that tests copy."""
    folder = tmp_path_factory.mktemp("derived")
    fill(str(folder / "a.sqlite"))
    return folder


@pytest.fixture
def address(ledger_folder: Path, tmp_path) -> str:
    """The file of a ledger with some short fixtures, audited, with keys, and one record that was corrected."""
    shutil.copytree(ledger_folder, tmp_path, dirs_exist_ok=True)
    return str(tmp_path / "a.sqlite")


def fill(address: str) -> None:
    """Makes the ledger that tests copy."""
    with open_ledger(address) as store:
        recorder = Recorder(store)
        for number, item in enumerate(islice(items(str(FIXTURES / "zigzag")), 5, 12)):
            recorder.import_record(item.result, f"fixture{number}")  # type: ignore[arg-type]  # fixtures are records
        store.append("mine", 0, [Open("zigzag", players=PLAYERS, place="Here")])
        store.append("mine", 1, [Note("one"), Amend(0, Open("zigzag", players=PLAYERS, place="There"), "x")])
        store.append("alone", 0, [Open("zigzag", players=PLAYERS)])
        for record, role in (("mine", "record"), ("mine", "watch"), ("", "owner")):
            store.put([Key(record, key_digest(f"{record} {role}"), role)])  # type: ignore[arg-type]
        list(refresh(store))
        assert store.find(Query(verdict="breach"))


def reasons(store: SqliteStore) -> list[tuple[str, str]]:
    return [(corruption.record, corruption.reason) for corruption in log_head.check(store).corruptions]


WORKED_OUT = [  # from the events, so it comes back whole
    ("DELETE FROM record WHERE id = 'mine'", "mine", "its row in the list is missing"),
    ("DELETE FROM record", "mine", "its row in the list is missing"),
    ("UPDATE record SET version = version - 1 WHERE id = 'mine'", "mine", "differs from its events: version"),
    ("UPDATE record SET version = version + 1 WHERE id = 'mine'", "mine", "differs from its events: version"),
    ("UPDATE record SET players = replace(players, 'Ana', 'Eva') WHERE id = 'mine'", "mine", "players"),
    ("UPDATE record SET players = '[[' WHERE id = 'mine'", "mine", "players"),
    ("UPDATE record SET searched = 'x' WHERE id = 'mine'", "mine", "searched"),
    ("UPDATE record SET place = 'Elsewhere' WHERE id = 'mine'", "mine", "place"),
    ("UPDATE record SET game = 'ziggurat' WHERE id = 'mine'", "mine", "game"),
    ("UPDATE record SET played = '2001-01-01' WHERE id = 'mine'", "mine", "played"),
    ("UPDATE record SET closed = 1 - closed WHERE id = 'mine'", "mine", "closed"),
    ("UPDATE record SET opened = 100000 WHERE id = 'mine'", "mine", "opened"),
    ("UPDATE record SET id = 'other' WHERE id = 'mine'", "other", "it has no events"),
    ("UPDATE record SET audited = 0 WHERE id = 'mine'", "mine", "its audit was changed"),
    ("DELETE FROM audit WHERE record = 'mine'", "mine", "its audit is missing"),
    ("UPDATE audit SET verdict = 'clean' WHERE verdict = 'breach'", None, "its audit was changed"),
    (
        "UPDATE audit SET summary = replace(summary, 'breach', 'clean') WHERE verdict = 'breach'",
        None, "its audit was changed",
    ),
    ("UPDATE audit SET explained = 1 - explained WHERE verdict = 'breach'", None, "its audit was changed"),
    ("DELETE FROM cause", None, "its audit was changed"),
    ("UPDATE cause SET player = 'p2', move = 3", None, "its audit was changed"),
    ("UPDATE cause SET game = 'x'", None, "its audit was changed"),
    ("UPDATE finding SET game = 'x'", None, "its audit was changed"),
    ("UPDATE record SET bytes = bytes - 1 WHERE id = 'mine'", "mine", "differs from its events: bytes"),
    ("UPDATE cause SET opened = opened + 100000", None, "there are causes of what it found, and no audit"),
    ("UPDATE audit SET record = 'other' WHERE record = 'mine'", "other", "there is an audit of it"),
    ("DELETE FROM result WHERE record = 'mine'", "mine", "the results of its players differ"),
    ("UPDATE result SET score = 1000 WHERE record = 'mine' AND seat = 1", "mine", "the results of its players differ"),
    ("UPDATE result SET name = 'Eva' WHERE record = 'alone'", "alone", "the results of its players differ"),
    ("UPDATE result SET score = NULL, won = NULL, rank = NULL", None, "the results of its players differ"),
    ("UPDATE result SET opened = 100000 WHERE record = 'mine'", "mine", "the results of its players differ"),
]  # fmt: skip
KEPT = [
    ("UPDATE key SET role = 'owner' WHERE role = 'watch'", "mine", "a key that allows to owner was changed"),
    ("UPDATE key SET record = 'alone' WHERE role = 'record'", "alone", "a key that allows to record was changed"),
    ("DELETE FROM key WHERE role = 'watch'", "", "the table key has 2 rows, and should have 3"),
    ("DELETE FROM name WHERE record = 'alone'", "alone", "differs from its events: players"),
    ("DELETE FROM name WHERE record = 'mine' AND seq = 0", "", "the table name has"),
    ("UPDATE name SET names = replace(names, 'Ana', 'Eva') WHERE record = 'alone'", "alone", "the names at event 0"),
    ("UPDATE name SET record = 'other' WHERE record = 'alone'", "other", "there are names for an event"),
    ("UPDATE total SET number = number + 1", "", "the table name has"),
    ("DELETE FROM total", "", "the table key has"),
]  # fmt: skip


@pytest.mark.parametrize("changes", [WORKED_OUT, *([change] for change in KEPT)], ids=lambda rows: rows[-1][0])
def test_a_changed_row_is_found_named_and_mended(address: str, changes: list[tuple[Any, ...]]) -> None:
    with open_ledger(address) as store:
        assert reasons(store) == []
        for statement, record, reason in changes:
            before, rows, names = log_head.check(store).log_head, store.find(Query()), list(store.kept(Named))
            with store.connection.writing():
                store.connection.many(statement, [()])
            problems = reasons(store)
            assert [pair for pair in problems if record in (None, pair[0]) and reason in pair[1]], (statement, problems)
            losses = store.rebuild()
            list(refresh(store))
            checked = log_head.check(store)
            assert (checked.corruptions, checked.log_head) == ((), before), statement
            if "name SET" not in statement and "FROM name WHERE record = 'mine'" not in statement:
                assert store.find(Query()) == rows, statement
            if "FROM name" not in statement and "UPDATE name" not in statement:
                assert list(store.kept(Named)) == names, statement
            if "key" in statement:
                assert losses
            for secret, record_id in (("mine record", "mine"), (" owner", "")):
                if "key" not in statement:
                    assert questions.roles(store, record_id, key_digest(secret)), "another key opens as before"


def test_names_that_were_lost_come_back_from_the_list(address: str) -> None:
    with open_ledger(address) as store:
        names = list(store.kept(Named))
        for statement in (
            "DELETE FROM name WHERE record = 'alone'",
            "UPDATE name SET names = '{}' WHERE record = 'alone'",
        ):
            with store.connection.writing():
                store.connection.many(statement, [()])
            assert store.rebuild() == []
            assert list(store.kept(Named)) == names
            assert reasons(store) == []


def test_lost_names_of_recorders_are_reported_as_lost(address: str) -> None:
    with open_ledger(address) as store:
        store.append("kept", 0, [Open("zigzag", players=PLAYERS), Note("x", by="Ida")])
        names = list(store.kept(Named))
        for statement, reason in (
            ("DELETE FROM name WHERE record = 'kept' AND seq = 0", ""),
            ("DELETE FROM name WHERE record = 'kept' AND seq = 1", "1 row with names is gone"),
        ):
            with store.connection.writing():
                store.connection.many(statement, [()])
            assert [reason in entry.reason for entry in store.rebuild()] == ([True] if reason else [])
            assert [name for name in store.kept(Named) if not name.seq] == [name for name in names if not name.seq]
            assert reasons(store) == []


def test_no_name_comes_from_a_changed_list(address: str) -> None:
    with open_ledger(address) as store:
        store.append("nameless", 0, [Open("zigzag", players=tuple(Player(id=id_) for id_ in ("a", "b", "c")))])
        with store.connection.writing():
            statement = "UPDATE record SET players = replace(players, '\"a\"]', '\"Eva\"]') WHERE id = 'nameless'"
            store.connection.many(statement, [()])
        assert reasons(store)
        assert store.rebuild() == []
        assert [player.name for player in store.read("nameless").opening.players] == ["", "", ""]


def test_ordinary_changes_leave_a_healthy_ledger_healthy(address: str) -> None:
    with open_ledger(address) as store:
        named = [entry for entry in store.kept(Named) if entry.record == "alone"]
        store.append("alone", 1, [Amend(0, Open("zigzag", players=PLAYERS, place="Away"), "y")])
        assert reasons(store) == []
        store.put(entry._replace(names=Names(players={"p1": "Eva"})) for entry in named)
        store.put(entry._replace(names=Names()) for entry in named)
        assert store.drop(key for key in store.kept(Key, "mine") if key.role == "watch") == 1
        for _ in range(2):
            store.put([Key("mine", key_digest("again"), "watch")])
        assert reasons(store) == []
        assert store.rebuild() == []
        assert reasons(store) == []


@pytest.fixture
def unprotected(address: str) -> Iterator[SqliteStore]:
    """A ledger without its triggers."""
    with open_ledger(address) as store:
        for (trigger,) in store.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            store.connection.many(f"DROP TRIGGER {trigger}", [()])
        yield store


def test_a_cut_tail_and_a_gap_are_found(unprotected: SqliteStore) -> None:
    size = unprotected.size()
    with unprotected.connection.writing():
        unprotected.connection.many("DELETE FROM event WHERE record = 'alone'", [()])
    assert f"1 event is gone: it had {size} and has" in " ".join(reason for _record, reason in reasons(unprotected))
    assert unprotected.loss().startswith("1 event is gone: it had")
    with pytest.raises(log_head.Corrupt, match="Nothing was written"):
        unprotected.append("fixture0", unprotected.version("fixture0"), [Note("x")])


def test_a_record_that_is_gone_from_the_middle_is_found_without_a_high_water_mark(unprotected: SqliteStore) -> None:
    with unprotected.connection.writing():
        unprotected.connection.many("DELETE FROM event WHERE record = 'mine'", [()])
    unprotected.connection.mark.close()
    unprotected.connection.mark.path.unlink()
    assert "the positions have gaps" in " ".join(reason for _record, reason in reasons(unprotected))


def test_verify_and_the_list_name_what_is_wrong(address: str) -> None:
    with open_ledger(address) as store, store.connection.writing():
        store.connection.many("UPDATE record SET players = '[[' WHERE id = 'mine'", [()])
        store.connection.many("DELETE FROM record WHERE id = 'alone'", [()])
    result = run_on(address, "verify")
    assert result.exit_code == 1
    assert "record alone: its row in the list is missing" in result.stderr
    assert "record mine: its row in the list differs from its events: players" in result.stderr


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM record WHERE id = 'mine'",
        "UPDATE record SET version = version - 1 WHERE id = 'mine'",
        "UPDATE record SET version = version + 1 WHERE id = 'mine'",
        "UPDATE record SET players = '[[' WHERE id = 'mine'",
    ],
)
def test_nothing_is_appended_to_a_record_whose_row_is_wrong_and_a_sentence_says_what_to_do(
    address: str, statement: str
) -> None:
    with open_ledger(address) as store, store.connection.writing():
        version = store.version("mine")
        store.connection.many(statement, [()])
    with open_ledger(address) as store:
        for expected in (version, 0):
            with pytest.raises(log_head.Corrupt, match="`domino-ledger repair` mends"):
                store.append("mine", expected, [Open("zigzag", players=PLAYERS)])
        with pytest.raises(log_head.Corrupt, match="`domino-ledger repair` mends"), store.connection.writing():
            store.connection.many("INSERT INTO record SELECT * FROM record WHERE id = 'alone'", [()])
        store.append("alone", 1, [Note("one bad row stops no other record")])
        store.rebuild()
        assert store.append("mine", version, [Note("on")]) == version + 1


def test_a_list_that_lacks_a_row_says_so(address: str, tmp_path) -> None:
    assert run_on(address, "verify", "mine").exit_code == 0
    with open_ledger(address) as store, store.connection.writing():
        store.connection.many("DELETE FROM record WHERE id = 'mine'", [()])
        store.connection.many("UPDATE record SET version = version - 1 WHERE id = 'alone'", [()])
    for words in (("list",), ("list", "--limit", "1"), ("list", "--json"), ("export",), ("export", "--csv"), ("audit",),
                  ("export", "-o", str(tmp_path / "all.ndjson"))):  # fmt: skip
        result = run_on(address, *words)
        assert (words, result.exit_code) == (words, 2)
        assert "not shown: mine, whose row in the list is missing" in result.stderr, words
    assert "list is missing: run `domino-ledger repair`" in run_on(address, "show", "mine").stderr
    verified = run_on(address, "verify", "alone")
    assert (verified.exit_code, "alone: corrupt" in verified.stdout) == (1, True)
    assert "alone: its row in the list differs from its events: version" in verified.stderr


def test_repair_keeps_a_copy_and_mends(address: str, tmp_path) -> None:
    before = run_on(address, "list").stdout
    with open_ledger(address) as store, store.connection.writing():
        store.connection.many("DELETE FROM record WHERE id = 'mine'", [()])
        store.connection.many("UPDATE audit SET verdict = 'clean'", [()])
    result = run_on(address, "repair")
    assert result.exit_code == 0, result.stderr
    assert "intact" in result.stderr
    assert run_on(address, "list").stdout == before
    with closing(sqlite3.connect(tmp_path / "a.sqlite.before-repair")) as copy:
        assert copy.execute("SELECT count(*) FROM record WHERE id = 'mine'").fetchone() == (0,)
        assert copy.execute("SELECT count(*) FROM event WHERE record = 'mine'").fetchone() == (3,)
    refused = run_on(address, "repair", "--backup", str(tmp_path / "a.sqlite.before-repair"))
    assert refused.exit_code == 2
    assert "name a new file" in refused.stderr


def test_repair_reports_what_it_cannot_repair(unprotected: SqliteStore, address: str, tmp_path) -> None:
    with unprotected.connection.writing():
        unprotected.connection.many("DELETE FROM event WHERE record = 'alone'", [()])
        unprotected.connection.many("DELETE FROM key WHERE role = 'watch'", [()])
    result = run_on(address, "repair", "--backup", str(tmp_path / "copy"))
    assert result.exit_code == 1
    assert "not restored: 1 key is gone" in result.stderr
    assert "`restore` a backup" in result.stderr


AN_ID = "the id that a phone gave it was changed"
CHANGED_IDS = [
    ("UPDATE event SET event_id = 'x' WHERE event_id = 'one'", AN_ID),
    ("UPDATE event SET event_id = NULL WHERE event_id = 'one'", AN_ID),
    ("UPDATE event SET event_id = 'x' WHERE record = 'fixture0' AND seq = 0", AN_ID),
    ("UPDATE event SET event_id = NULL, id_digest = NULL WHERE event_id = 'one'", "2 of its events, and 1 is there"),
]


@pytest.mark.parametrize(("statement", "reason"), CHANGED_IDS)
def test_a_changed_id_of_an_event_is_found_and_a_copy_is_intact(
    unprotected: SqliteStore, tmp_path, statement: str, reason: str
) -> None:
    unprotected.append("alone", 1, [Note("one"), Note("two")], ["one", "two"])
    assert all(reason.startswith("the trigger event_") for _record, reason in reasons(unprotected))
    with unprotected.connection.writing():
        unprotected.connection.many(statement, [()])
    assert reason in " ".join(problem for _record, problem in reasons(unprotected))
    with SqliteStore(tmp_path / "copy.sqlite") as copy:
        list(transfer(unprotected, copy))
        assert reasons(copy) == []
        assert copy.append("alone", 1, [Note("two")], ["two"]) == 3, "an intact id makes a retry safe there too"
    if "id_digest" in statement:
        amended = Amend(0, Open("zigzag", players=PLAYERS, place="There"), "x")
        unprotected.append("alone", 3, [amended, Note("three")], ["three", "four"])
        assert "phones gave ids to 4 of its events, and 3 are there" in str(reasons(unprotected))
        assert unprotected.rebuild() == [
            Corruption("alone", "1 id that phones gave to events is gone: only a backup has them")
        ]
        assert reasons(unprotected) == []


@pytest.mark.parametrize("change", [{"verdict": "clean"}, {"clauses": ()}, {"winners": ("Eva",)}, {"finished": True}])
def test_verify_audits_again_and_finds_an_audit_that_was_forged_with_its_digest(
    address: str, change: dict[str, object]
) -> None:
    with open_ledger(address) as store:
        row = next(row for row in store.find(Query(verdict="breach")) if row.audit and not row.audit.finished)
        assert row.audit is not None
        store.note_audits([Audit(row.id, row.events, replace(row.audit, **change))])
        assert reasons(store) == [], "no row contradicts another"
    result = run_on(address, "verify")
    assert result.exit_code == 1
    assert f"record {row.id}: its stored audit differs from a new one: {next(iter(change))} is" in result.stderr
    assert run_on(address, "verify", "--no-audits").exit_code == 0
    with open_ledger(address) as store:
        store.rebuild()
        list(refresh(store))
    assert run_on(address, "verify").exit_code == 0


def test_an_audit_of_a_game_that_was_not_installed_is_no_forgery(address: str) -> None:
    with open_ledger(address) as store:
        store.note_audits([Audit("mine", store.version("mine"), Summary("unreadable", finished=False))])
        assert not any(compare_audits(store, store.ids()))
