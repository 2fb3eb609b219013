"""One contract for every store of a ledger."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from uuid import uuid4

import pytest
from msgspec.structs import replace

from ledger import chain, codec
from ledger.chain import NO_NAMES, Names
from ledger.errors import Corrupt, IdReused, LedgerError, NotALedger, NotARecord, NotForNow, UnknownRecord, WrongVersion
from ledger.events import Amend, Bid, Close, Insert, Note, Open, Pass, Play, Player, Retract
from ledger.stores import migrations, schema
from ledger.stores.contract import Key, Named, Query, Store, Summary
from ledger.stores.memory import MemoryStore
from ledger.stores.postgres import PostgresStore
from ledger.stores.sqlite import SqliteStore
from ledger.tiles import named

PLAYERS = (Player(id="ana", name="Ana"), Player(id="ben", name="Ben"), Player(id="cy", name="Cy"))


def opening(**fields: object) -> Open:
    return Open("zigzag", players=PLAYERS, **fields)  # type: ignore[arg-type]


def play(tile: str, player: str = "ana") -> Play:
    return Play(player, named(tile))


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request, tmp_path):
    if request.param == "memory":
        with MemoryStore() as made:
            yield made
    elif request.param == "postgres":
        server = request.getfixturevalue("postgres")
        with PostgresStore(server.made(f"domino-{uuid4().hex[:12]}")) as made:
            yield made
    else:
        with SqliteStore(tmp_path / "ledger.sqlite") as made:
            yield made


def test_a_record_is_read_as_it_was_appended(store: Store) -> None:
    assert store.append("r", 0, [opening(), Bid("ana", 3)]) == 2
    assert store.append("r", 2, [Pass("ben")]) == 3
    assert store.read("r").events == (opening(), Bid("ana", 3), Pass("ben"))
    assert store.read("r", 2).events == (opening(), Bid("ana", 3))
    assert list(store.events("r", 1)) == [(1, Bid("ana", 3)), (2, Pass("ben"))]
    assert (store.version("r"), store.version("s"), store.ids()) == (3, 0, ("r",))


def test_openings_are_counted_on_from_where_they_were_counted(store: Store) -> None:
    assert (store.size(), store.openings(0, 0)) == (0, 0)
    store.append("r", 0, [opening(), Bid("ana", 3)])
    store.append_records([("s", [opening()]), ("t", [opening(), Pass("ana"), Pass("ben")])])
    assert (store.size(), store.openings(0, 6)) == (6, 3)
    store.append("r", 2, [Pass("ben")])
    store.append("u", 0, [opening()])
    store.append("r", 3, [Amend(0, opening(place="Here"), "x")])  # its row is made anew, and counts once all the same
    assert (store.size(), store.openings(6, 9), store.openings(0, 9), store.openings(3, 6)) == (9, 1, 4, 1)


def test_nothing_appended_is_nothing_changed(store: Store) -> None:
    store.append("r", 0, [opening()])
    assert store.append("r", 1, []) == 1
    assert store.append("new", 0, []) == 0
    assert store.ids() == ("r",)


def test_a_stale_writer_sees_what_it_missed(store: Store) -> None:
    store.append("r", 0, [opening()])
    store.append("r", 1, [Bid("ana", 3), Pass("ben")])
    with pytest.raises(WrongVersion) as caught:
        store.append("r", 1, [Pass("cy")])
    assert (caught.value.expected, caught.value.actual) == (1, 3)
    assert caught.value.missed == (Bid("ana", 3), Pass("ben"))
    with pytest.raises(WrongVersion):
        store.append("r", 7, [Pass("cy")])
    assert store.version("r") == 3


def test_a_record_is_opened_once(store: Store) -> None:
    store.append("r", 0, [opening()])
    with pytest.raises(WrongVersion):
        store.append("r", 0, [opening()])


def test_what_is_not_there_is_said(store: Store) -> None:
    with pytest.raises(UnknownRecord):
        store.read("nobody")
    with pytest.raises(UnknownRecord):
        store.events("nobody")
    with pytest.raises(UnknownRecord):
        store.append("nobody", 4, [Pass("ana")])


def test_a_batch_is_stored_whole_or_not_at_all(store: Store) -> None:
    store.append("r", 0, [opening()])
    with pytest.raises(NotARecord):
        store.append("r", 1, [Bid("ana", 3), Pass("stranger")])
    with pytest.raises(NotARecord):
        store.append("s", 0, [Pass("ana")])
    assert store.version("r") == 1
    assert store.ids() == ("r",)


def test_what_could_not_be_read_again_is_not_stored(store: Store) -> None:
    store.append("r", 0, [opening()])
    with pytest.raises(NotARecord, match="cannot be written"):
        store.append("r", 1, [Pass("ana"), Note(text=object())])  # type: ignore[arg-type]
    with pytest.raises(NotARecord, match=r"event 2.*\$\.bid"):
        store.append("r", 1, [Pass("ana"), Bid("ana", "three")])  # type: ignore[arg-type]
    with pytest.raises(NotARecord):
        store.append_records([("s", [opening(), Bid("ana", "three")])])  # type: ignore[arg-type]
    assert (store.version("r"), store.version("s")) == (1, 0)


def test_a_record_is_read_from_its_opening_on(store: Store) -> None:
    store.append("r", 0, [opening(), Pass("ana")])
    assert store.read("r", 9).events == (opening(), Pass("ana"))
    assert list(store.events("r", 2)) == []
    for upto in (0, -1):
        with pytest.raises(NotForNow):
            store.read("r", upto)


def test_who_follows_a_record_holds_nobody_up(store: Store) -> None:
    store.append("r", 0, [opening(), Pass("ana")])
    following = store.events("r")
    assert next(following) == (0, opening())
    store.append("r", 2, [Pass("ben")])
    assert [seq for seq, _event in following] == [1]
    assert list(store.events("r", 2)) == [(2, Pass("ben"))]


def test_a_retry_changes_nothing_however_old_it_is(store: Store) -> None:
    store.append("r", 0, [opening()], ["a"])
    assert store.append("r", 1, [Bid("ana", 3), Pass("ben")], ["b", "c"]) == 3
    store.append("r", 3, [Pass("cy")], ["d"])
    again = [Bid("ana", 3, when="2026-11-20T10:00:00Z"), Pass("ben")]
    assert store.append("r", 1, again, ["b", "c"]) == 3
    assert store.append("r", 0, [opening()], ["a"]) == 1
    assert store.version("r") == 4


def test_a_retry_that_knows_more_adds_only_the_rest(store: Store) -> None:
    store.append("r", 0, [opening()], ["a"])
    store.append("r", 1, [Bid("ana", 3)], ["b"])
    assert store.append("r", 1, [Bid("ana", 3), Pass("ben")], ["b", "c"]) == 3
    assert store.read("r").events[1:] == (Bid("ana", 3), Pass("ben"))


def test_an_id_stands_for_one_event(store: Store) -> None:
    store.append("r", 0, [opening()], ["a"])
    store.append("r", 1, [Bid("ana", 3)], ["b"])
    with pytest.raises(IdReused):
        store.append("r", 2, [Bid("ana", 4)], ["b"])
    with pytest.raises(IdReused):
        store.append("r", 2, [Pass("ben"), Pass("cy")], ["x", "x"])
    with pytest.raises(IdReused):
        store.append("r", 2, [Pass("ben"), Bid("ana", 3)], ["x", "b"])
    store.append("s", 0, [opening()], ["a"])
    assert store.version("r") == 2


def test_records_are_kept_apart_and_in_the_order_of_their_opening(store: Store) -> None:
    for name in ("b", "a", "c"):
        store.append(name, 0, [opening(place=name)])
    store.append("a", 1, [Pass("ana")])
    assert store.ids() == ("b", "a", "c")
    assert (store.ids("a"), store.ids("%"), store.ids("nobody")) == (("a",), (), ())
    assert [(name, record.opening.place) for name, record in store.records()] == [("b", "b"), ("a", "a"), ("c", "c")]
    assert store.version("b") == 1


def test_many_records_are_stored_in_one_go(store: Store) -> None:
    assert store.append_records((f"r{n}", [opening(), Bid("ana", n)]) for n in range(1, 6)) == 5
    assert store.read("r3").events[1] == Bid("ana", 3)
    with pytest.raises(WrongVersion):
        store.append_records([("new", [opening()]), ("r1", [opening()])])
    with pytest.raises(NotARecord):
        store.append_records([("new", [opening()]), ("other", [Pass("ana")])])
    assert store.version("new") == 0


@pytest.fixture
def listed(store: Store) -> Store:
    store.append("old", 0, [opening(played="2026-01-05", place="The Old Mill")])
    store.append("new", 0, [opening(played="2026-11-20", place="kitchen"), Close("abandoned")])
    store.append("other", 0, [Open("build-up", players=(Player(id="x1", name="Émile"), Player(id="x2")))])
    store.note_audit("old", 1, Summary("breach", finished=False, clauses=("zigzag.take", "zigzag.score")))
    store.note_audit("new", 2, Summary("clean", finished=True, winners=("ana",)))
    return store


def found(store: Store, **query: object) -> list[str]:
    return [row.id for row in store.find(Query(**query))]  # type: ignore[arg-type]


def test_records_are_found_by_what_a_query_names(listed: Store) -> None:
    assert found(listed) == ["other", "new", "old"]
    assert found(listed, game="zigzag") == ["new", "old"]
    assert found(listed, player="BEN") == ["new", "old"]
    assert found(listed, player="émi") == ["other"]
    assert found(listed, place="mill") == ["old"]
    assert found(listed, since="2026-02-01") == ["new"]
    assert found(listed, until="2026-01-05") == ["old"]
    assert found(listed, verdict="breach") == ["old"]
    assert found(listed, clause="zigzag.take") == ["old"]
    assert found(listed, clause="zigzag.take", game="build-up") == []
    assert found(listed, limit=1) == ["other"]
    assert found(listed, limit=1, offset=1) == ["new"]


def test_a_list_has_an_order(listed: Store) -> None:
    assert found(listed, reverse=True) == ["old", "new", "other"]
    assert found(listed, order="played") == ["new", "old", "other"]
    assert found(listed, order="played", reverse=True, limit=2) == ["other", "old"]
    with pytest.raises(NotForNow):
        Query(limit=-1)


def test_a_place_is_found_whatever_its_case(store: Store) -> None:
    store.append("r", 0, [opening(place="\u00c9COLE")])
    assert found(store, place="\u00e9col") == found(store, place="e\u0301col") == ["r"]


def test_a_record_is_closed_while_its_close_stands(store: Store) -> None:
    store.append("r", 0, [opening(), Close("finished")])
    assert store.find(Query())[0].closed
    store.append("r", 2, [Retract(1, "too early")])
    assert not store.find(Query())[0].closed
    before = store.find(Query())
    store.rebuild()
    assert store.find(Query()) == before


def test_an_audit_of_an_older_version_does_not_count(store: Store) -> None:
    store.append("r", 0, [opening(), Pass("ana")])
    store.note_audits([("r", 2, Summary("clean", finished=False)), ("r", 1, Summary("breach", finished=False))])
    store.note_audit("nobody", 0, Summary("breach", finished=False))
    assert found(store, verdict="clean") == ["r"]
    assert (found(store, verdict="breach"), store.unaudited()) == ([], ())


def test_a_row_says_what_a_list_shows(listed: Store) -> None:
    other, new, _old = listed.find(Query())
    assert (other.players, other.audit, other.closed) == ((("x1", "Émile"), ("x2", "x2")), None, False)
    assert (new.game, new.played, new.place, new.events, new.closed) == ("zigzag", "2026-11-20", "kitchen", 2, True)
    assert new.audit == Summary("clean", finished=True, winners=("ana",))


def test_an_audit_counts_until_the_record_grows(listed: Store) -> None:
    assert listed.unaudited() == ("other",)
    listed.append("old", 1, [Note("tea")])
    assert listed.unaudited() == ("old", "other")
    assert found(listed, verdict="breach") == []
    assert found(listed, clause="zigzag.take") == []
    listed.note_audit("old", 2, Summary("unproven", finished=False))
    assert found(listed, verdict="unproven") == ["old"]


def test_an_amended_opening_is_what_a_list_shows(listed: Store) -> None:
    listed.append("old", 1, [Amend(0, opening(played="2025-12-31", place="barn"), "the wrong day")])
    assert found(listed, place="barn", until="2025-12-31") == ["old"]
    listed.append("old", 2, [Pass("ana")])
    assert listed.find(Query(place="barn"))[0].events == 3
    assert listed.ids() == ("old", "new", "other")


def test_what_is_derived_can_be_made_again(listed: Store) -> None:
    bare = listed.find(Query())
    listed.rebuild()
    again = listed.find(Query())
    assert [(row.id, row.players, row.events, row.closed) for row in again] == [
        (row.id, row.players, row.events, row.closed) for row in bare
    ]
    assert listed.unaudited() == ("old", "new", "other")


def test_both_stores_answer_alike_whatever_is_done(tmp_path: Path) -> None:
    """Random appends, retries and stale writers, the same to both."""
    for seed in range(12):
        random = Random(seed)
        with MemoryStore() as memory, SqliteStore(tmp_path / f"{seed}.sqlite") as sqlite:
            for _ in range(60):
                name = random.choice("abc")
                count = random.randint(0, 2)
                events = [random.choice([opening(), Bid("ana", random.randint(1, 2)), Pass("ben"), Retract(1, "x")])
                          for _ in range(count)]  # fmt: skip
                if not memory.version(name):
                    events = [opening(), *events]
                expected = max(0, memory.version(name) + random.choice([0, 0, 0, -1, 1]))
                given = [random.choice("pqrstuvw") for _ in events] if random.random() < 0.5 else None
                outcomes = []
                for each in (memory, sqlite):
                    try:
                        outcomes.append(each.append(name, expected, events, given))
                    except (IdReused, NotARecord, UnknownRecord, WrongVersion) as error:
                        outcomes.append(type(error))
                assert outcomes[0] == outcomes[1], f"seed {seed}"
            assert dict(memory.records()) == dict(sqlite.records())
            assert [r.id for r in memory.find(Query())] == [r.id for r in sqlite.find(Query())]


# ── What only a file can show ──────────────────────────────────────────────────────────────────────────────


def test_a_ledger_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "l.sqlite") as store:
        store.append("r", 0, [opening(), Bid("ana", 3)])
    with SqliteStore(tmp_path / "l.sqlite") as store:
        assert store.read("r").events == (opening(), Bid("ana", 3))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET body = x'00'",
        "DELETE FROM event",
        "DELETE FROM event WHERE seq = 1",
        "INSERT OR REPLACE INTO event VALUES (1, 'r', 0, NULL, NULL, x'7b7d', zeroblob(32))",
        "INSERT OR REPLACE INTO event VALUES (3, 'r', 1, NULL, NULL, x'7b7d', zeroblob(32))",
        "INSERT OR REPLACE INTO event VALUES (3, 'r', 2, 'b', NULL, x'7b7d', zeroblob(32))",
        "INSERT INTO event VALUES (9, 'r', 2, NULL, NULL, x'7b7d', zeroblob(32))",
        "INSERT INTO event VALUES (3, 'r', 3, NULL, NULL, x'7b7d', zeroblob(32))",
    ],
)
def test_the_file_itself_refuses_to_change_or_lose_an_event(tmp_path: Path, statement: str) -> None:
    with SqliteStore(tmp_path / "l.sqlite") as store:
        store.append("r", 0, [opening(), Bid("ana", 3)], ["a", "b"])
    raw = sqlite3.connect(tmp_path / "l.sqlite")
    with pytest.raises(sqlite3.IntegrityError, match="a ledger only grows"):
        raw.execute(statement)
    raw.close()


def test_a_file_that_is_no_ledger_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("Ana 3, Ben 4, and so on for more than a hundred bytes of a table's notes\n" * 20)
    with pytest.raises(NotALedger):
        SqliteStore(tmp_path / "text")
    raw = sqlite3.connect(tmp_path / "other")
    raw.execute("CREATE TABLE t (x)")
    raw.close()
    with pytest.raises(NotALedger, match="not a ledger"):
        SqliteStore(tmp_path / "other")
    raw = sqlite3.connect(tmp_path / "versioned")
    raw.executescript("PRAGMA user_version = 1; CREATE TABLE event (x)")
    raw.close()
    before = (tmp_path / "versioned").read_bytes()
    with pytest.raises(NotALedger, match="not a ledger"):
        SqliteStore(tmp_path / "versioned")
    assert (tmp_path / "versioned").read_bytes() == before
    SqliteStore(tmp_path / "later").close()
    raw = sqlite3.connect(tmp_path / "later")
    raw.execute("PRAGMA user_version = 99")
    raw.close()
    with pytest.raises(NotALedger, match="made by a newer"):
        SqliteStore(tmp_path / "later")
    with pytest.raises(NotALedger, match="no folder"):
        SqliteStore(tmp_path / "missing" / "ledger")


def test_a_file_that_cannot_be_written_says_so_and_stays_readable(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "l.sqlite") as store:
        store.append("r", 0, [opening()])
        store._db.execute("PRAGMA query_only = ON")
        with pytest.raises(LedgerError, match="nothing was written"):
            store.append("r", 1, [Pass("ana")])
        assert store.version("r") == 1


def test_a_file_is_kept_as_safely_as_sqlite_can(tmp_path: Path) -> None:
    wanted = {"synchronous": 3, "journal_mode": "wal", "foreign_keys": 1, "recursive_triggers": 1, "trusted_schema": 0}
    with SqliteStore(tmp_path / "l.sqlite") as store:
        store.append("r", 0, [opening()])
        assert {name: store._db.execute(f"PRAGMA {name}").fetchone()[0] for name in wanted} == wanted
        assert store._db.execute("PRAGMA busy_timeout").fetchone() == (5000,)


def test_the_schema_is_counted_in_one_way() -> None:
    connection = sqlite3.connect(":memory:")
    pending = migrations.migrations.pending(migrations.Database(connection))
    connection.close()
    assert len(pending) == schema.VERSION


def test_an_up_to_date_file_opens_without_the_machinery_of_migrations(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    SqliteStore(path).close()
    code = "import sys; from ledger.stores.sqlite import SqliteStore; SqliteStore(sys.argv[1]).close(); "
    subprocess.run([sys.executable, "-c", code + "sys.exit('sqlite_utils' in sys.modules)", str(path)], check=True)


MAKER = """
import sys, time
from ledger.stores.sqlite import SqliteStore
time.sleep(max(0, float(sys.argv[2]) - time.time()))
SqliteStore(sys.argv[1]).close()
"""


def test_programs_that_make_one_file_at_the_same_time_all_get_it(tmp_path: Path) -> None:
    for name in "abc":
        begin = str(time.time() + 0.4)
        arguments = [sys.executable, "-c", MAKER, str(tmp_path / name), begin]
        makers = [subprocess.Popen(arguments) for _ in range(4)]
        assert [maker.wait(60) for maker in makers] == [0] * 4


RACER = """
import sys
from ledger.errors import WrongVersion
from ledger.events import Note
from ledger.stores.sqlite import SqliteStore
with SqliteStore(sys.argv[1]) as store:
    for n in range(50):
        while True:
            try:
                store.append("r", store.version("r"), [Note(f"{sys.argv[2]}/{n}")])
                break
            except WrongVersion:
                pass
"""


def test_writers_that_race_win_each_version_once(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    with SqliteStore(path) as store:
        store.append("r", 0, [opening()])
        racers = [subprocess.Popen([sys.executable, "-c", RACER, str(path), str(n)]) for n in range(4)]
        assert [racer.wait(60) for racer in racers] == [0] * 4
        notes = [event.text for event in store.read("r").events[1:] if isinstance(event, Note)]
    assert sorted(notes) == sorted(f"{who}/{n}" for who in range(4) for n in range(50))
    for who in range(4):
        assert [note for note in notes if note.startswith(f"{who}/")] == [f"{who}/{n}" for n in range(50)]


def test_a_key_opens_one_record_and_no_other(store: Store) -> None:
    key, other = b"k" * 32, b"o" * 32
    assert not store.roles("r", key)
    store.keep_key(Key("r", key))
    store.keep_key(Key("r", key))
    store.append("r", 0, [opening()])
    store.rebuild()
    assert store.roles("r", key) == {"record"}
    assert not store.roles("r", other)
    assert not store.roles("s", key)
    store.keep_key(Key("r", key, "watch"))
    store.keep_key(Key("r", other, "watch"))
    assert list(store.kept_keys()) == [Key("r", key, "record"), Key("r", key, "watch"), Key("r", other, "watch")]
    assert store.drop_keys("r", "watch") == 2
    assert store.roles("r", key) == {"record"}
    assert not store.roles("r", other)


def test_names_stand_outside_the_chain_and_can_be_forgotten(store: Store) -> None:
    other = (Player(id="ana", name="Anna"), *PLAYERS[1:])
    store.append("r", 0, [opening(), Amend(0, Open("zigzag", players=other), "she writes it with two n")])
    assert b"Ann" not in b"".join(each.body for each in store.log())
    assert list(store.names()) == [
        Named("r", 0, Names({"ana": "Ana", "ben": "Ben", "cy": "Cy"})),
        Named("r", 1, Names(event=Names({"ana": "Anna", "ben": "Ben", "cy": "Cy"}))),
    ]
    link = store.link("r", 2)
    store.set_names([Named("r", seq, names.without({"Ana", "Anna"})) for _record, seq, names in store.names()])
    assert [player.name for player in store.read("r").opening.players] == ["", "Ben", "Cy"]
    assert (found(store, player="Ann"), found(store, player="Ben")) == ([], ["r"])
    assert store.link("r", 2) == link
    store.set_names([Named("r", 0, NO_NAMES), Named("r", 1, NO_NAMES)])
    assert list(store.names()) == []


def test_recorders_stand_outside_the_chain_too(store: Store) -> None:
    events = [
        opening(recorder="Dee", by="Dee"),
        Bid("ana", 3, by="Dee"),
        Pass("ben"),
        Amend(1, Bid("ana", 4, by="Eve"), "misheard", by="Dee"),
        Insert(2, Pass("cy", by="Eve"), "forgotten"),
        Amend(0, opening(recorder="Eve"), "another wrote it"),
    ]
    store.append("r", 0, events[:2])
    store.append("r", 2, events[2:], [f"id-{n}" for n in range(4)])
    assert store.read("r").events == tuple(events)
    assert not re.search(rb"Dee|Eve|by|recorder", b"".join(each.body for each in store.log()))
    assert [(named.seq, list(named.names)) for named in store.names()] == [
        (0, ["Ana", "Ben", "Cy", "Dee", "Dee"]), (1, ["Dee"]), (3, ["Dee", "Eve"]), (4, ["Eve"]),
        (5, ["Ana", "Ben", "Cy", "Eve"]),
    ]  # fmt: skip
    links = [each.link for each in store.log()]
    assert chain.record_digest(events) == links[-1]
    store.set_names([Named(*named[:2], named.names.without({"Dee", "Eve"})) for named in store.names()])
    assert [event.by for event in store.read("r").events] == [None] * 6
    assert store.read("r").opening == opening()
    assert not re.search(rb"Dee|Eve", codec.encode(store.read("r")))
    assert [each.link for each in store.log()] == links
    # A retry is recognised whatever name it gives for its recorder.
    assert store.append("r", 2, [replace(event, by="Fay") for event in events[2:]], [f"id-{n}" for n in range(4)]) == 6


def test_each_event_is_bound_to_those_before_it(store: Store) -> None:
    store.append("r", 0, [opening(), Bid("ana", 3)])
    store.append("r", 2, [Pass("ben")])
    bodies = [each.body for each in store.log(of="r")]
    assert [each.link for each in store.log(of="r")] == chain.links(bodies)
    assert store.link("r", 3) == chain.record_digest(store.read("r").events) == chain.links(bodies)[2]
    assert (store.link("r", 4), store.link("r", 0), store.link("s", 1)) == (None, None, None)
    assert [each.seq for each in store.log(1, 2, of="r")] == [1]


def test_a_ledger_adopts_what_another_has_as_it_stands_there(store: Store) -> None:
    with MemoryStore() as other:
        other.append("r", 0, [opening(), Bid("ana", 3)], ["id-0", "id-1"])
        other.append("s", 0, [opening(place="barn")])
        assert store.append_log(other.log()) == 3
        other.append("r", 2, [Pass("ben")], ["id-2"])
        assert store.append_log(other.log(store.size())) == 1
        store.set_names(other.names())
        assert list(store.log()) == list(other.log())
        assert dict(store.records()) == dict(other.records())
        assert store.find(Query()) == other.find(Query())
        # A retry is known there too.
        assert store.append("r", 2, [Pass("ben")], ["id-2"]) == 3
        for wrong in ({"body": b"{}"}, {"link": bytes(32)}, {"seq": 9}, {"record": "t"}):
            with pytest.raises(Corrupt):
                store.append_log([next(other.log(3))._replace(**wrong)])
    assert store.size() == 4


def test_the_log_has_every_event_in_the_order_of_writing(store: Store) -> None:
    store.append("r", 0, [opening(), Bid("ana", 3)])
    store.append("s", 0, [opening()])
    store.append("r", 2, [Pass("ben")])
    store.append_records([("t", [opening(), Pass("cy")])])
    order = [(each.record, each.seq) for each in store.log()]
    assert order == [("r", 0), ("r", 1), ("s", 0), ("r", 2), ("t", 0), ("t", 1)]
    assert store.size() == 6
    assert [(each.record, each.seq) for each in store.log(1, 4)] == order[1:4]
    bare = Open("zigzag", players=tuple(Player(id=player.id) for player in PLAYERS))
    assert [codec.decode_event(each.body) for each in store.log(upto=2)] == [bare, Bid("ana", 3)]
