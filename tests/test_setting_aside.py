"""Games set aside and people renamed: every list and count agrees at once, no fingerprint changes, both are undone."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from command_output import outcome_of
from ledger.cli import cli
from ledger.club.load import club_of
from ledger.club.people import everybody
from ledger.club.standings import standings
from ledger.keep.imports import keep
from ledger.keep.recorder import Fitting, Recorder, key_digest, new_key
from ledger.keep.renaming import rename, renamings, undo
from ledger.keep.score_cards import CardFile, ScoreCard
from ledger.keep.stored_audits import refresh
from ledger.keep.transfer import forget_renamings, transfer
from ledger.proof import log_head
from ledger.record.chain import record_digest
from ledger.record.errors import NotForNow
from ledger.record.events import Bid, Void
from ledger.stores import open_ledger
from ledger.stores.beside import Alias, Key, Renamed
from ledger.stores.query import Query
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore
from viewer.app import create_app

VIEWS = {
    "games": "SELECT record, players, winners FROM games ORDER BY record",
    "results": "SELECT record, name, score FROM results ORDER BY record, seat",
    "players": "SELECT name, games, wins FROM players ORDER BY name",
}


def filled(store: SqliteStore) -> list[str]:
    """A ledger of three cards, on two evenings of one event; their ids."""
    cards = (
        ScoreCard("zigzag", {"Ana": 9, "Ben": 7, "Cy": 3}, None, "2026-01-02", "Cup"),
        ScoreCard("zigzag", {"Anna": 2, "Ben": 8, "Cy": 3}, None, "2026-01-09", "Cup"),
        ScoreCard("zigzag", {"Ben": 1, "Cy": 3, "Dora": 5}, None, "2026-01-09", "Cup"),
    )
    return [filed.record for filed in keep(store, CardFile(store).compare(cards), "a.csv")]


def shown(store: SqliteStore) -> dict[str, Any]:
    """What every list, count and view of a ledger shows."""
    for _ in refresh(store):
        pass
    club = club_of(store)
    ranking = standings(club, "Cup")
    assert ranking is not None
    return {
        "list": [(row.id, row.players) for row in store.find(Query())],
        "count": store.count_records(Query()),
        "cup": [(place.name, place.games, place.wins, place.points) for place in ranking.places],
        "people": [(person.name, person.games, person.wins) for person in everybody(club)],
        **{name: store.rows(query) for name, query in VIEWS.items()},
    }


def digests(store: SqliteStore) -> list[bytes]:
    return [record_digest(store.read(record_id).events) for record_id in store.ids()]


def test_a_game_that_is_set_aside_is_in_nothing_until_it_is_brought_back(store: SqliteStore) -> None:
    first, second, third = filled(store)
    before, fingerprints = shown(store), digests(store)
    recorder = Recorder(store)
    recorder.void(second, "begun by mistake")
    after = shown(store)
    assert {row[0] for row in after["games"]} == {first, third}
    assert (after["count"], [row[0] for row in after["list"]]) == (2, [third, first])
    assert [row.id for row in store.find(Query(voided=True))] == [second]
    assert store.count_records(Query(voided=True, game="zigzag")) == 1
    assert "Anna" not in {name for name, *_ in after["people"]} | {name for name, *_ in after["players"]}
    with pytest.raises(NotForNow, match="set aside already"):
        recorder.void(second, "again")
    assert log_head.check(store).corruptions == ()
    store.rebuild()
    assert shown(store) == after
    recorder.void(second, "it was no mistake", undo=True)
    assert shown(store) == before
    assert digests(store) == fingerprints
    assert [(event.why, event.undo) for event in store.read(second).events if isinstance(event, Void)] == [
        ("begun by mistake", False), ("it was no mistake", True),
    ]  # fmt: skip
    assert log_head.check(store).corruptions == ()


def test_a_person_is_renamed_and_merged_everywhere_and_it_is_undone(store: SqliteStore, tmp_path: Path) -> None:
    filled(store)
    store.put([Alias("Annie", "Anna")])
    before, fingerprints = shown(store), digests(store)
    with pytest.raises(NotForNow, match="somebody is called 'Ana' already"):
        rename(store, "anna", "Ana")
    with pytest.raises(NotForNow, match="they are two people"):
        rename(store, "Ben", "Cy", merge=True)
    merged, changed = rename(store, "anna", "Ana", merge=True), rename(store, "BEN", "Benjamin")
    assert [(r.number, r.records) for r in (merged, changed)] == [(1, 1), (2, 3)]
    after = shown(store)
    for part in ("list", "cup", "people", "games", "results", "players"):
        assert "Anna" not in str(after[part]), part
        assert "Benjamin" in str(after[part]), part
    assert {name: games for name, games, _wins in after["people"]}["Ana"] == 2
    assert list(store.kept(Alias)) == [Alias("Annie", "Ana")]
    assert digests(store) == fingerprints
    assert log_head.check(store).corruptions == ()
    cards = CardFile(store)
    (again,) = cards.compare([ScoreCard("zigzag", {"Anna": 2, "Ben": 8, "Cy": 3}, None, "2026-01-09", "Cup")])
    assert again.outcome == "known"
    with open_ledger(str(tmp_path / "copy.sqlite")) as copy:
        list(transfer(store, copy))
        assert list(copy.kept(Renamed)) == list(store.kept(Renamed))
    assert (undo(store, 1).old, undo(store, 2).old) == ("anna", "BEN")
    assert (shown(store), list(store.kept(Alias))) == (before, [Alias("Annie", "Anna")])
    assert (renamings(store), digests(store)) == ([], fingerprints)
    assert log_head.check(store).corruptions == ()


def test_a_renaming_that_was_changed_is_found_and_a_forgotten_name_is_in_none(store: SqliteStore) -> None:
    filled(store)
    rename(store, "Dora", "Theodora")
    with store.connection.writing():  # type: ignore[attr-defined]  # both kinds have it
        store.connection.many("UPDATE renamed SET old = 'Eva'", [()])  # type: ignore[attr-defined]
    reasons = [corruption.reason for corruption in log_head.check(store).corruptions]
    assert reasons == ["what renaming 1 replaced was changed; `domino-ledger repair` deletes it"]
    store.rebuild()
    assert (renamings(store), log_head.check(store).corruptions) == ([], ())
    rename(store, "Cy", "Cyrus")
    assert forget_renamings(store, "cy") == 3
    assert renamings(store) == []


def test_only_the_owner_sets_aside_and_renames_over_the_api_and_open_pages_follow() -> None:
    store, key = TemporaryStore(), new_key()
    _first, second, _third = filled(store)
    store.put([Key("", key_digest(key), "owner")])
    client = create_app(store.reopen).test_client()
    owner = {"Authorization": f"Bearer {key}"}
    wanted = {"why": "begun by mistake"}
    assert client.post(f"/api/v1/records/{second}/void", json=wanted).status_code == 401
    assert client.get("/api/v1/renamings").status_code == 401
    answer = client.post(f"/api/v1/records/{second}/void", json=wanted, headers=owner)
    assert (answer.status_code, answer.get_json()["voided"]) == (200, True)
    assert client.post(f"/api/v1/records/{second}/void", json=wanted, headers=owner).status_code == 409
    page = client.get(f"/g/{second}").get_data(as_text=True)
    assert "set this game aside" in page
    assert "begun by mistake" in page
    assert second not in client.get("/").get_data(as_text=True)
    assert [row["id"] for row in client.get("/api/v1/records?voided=true").get_json()["records"]] == [second]
    client.post(f"/api/v1/records/{second}/void", json={"undo": True}, headers=owner)
    assert second in client.get("/").get_data(as_text=True)
    renamed = client.post("/api/v1/players/Anna/rename", json={"name": "Ana"}, headers=owner)
    assert renamed.status_code == 409
    renamed = client.post("/api/v1/players/Anna/rename", json={"name": "Ana", "merge": True}, headers=owner)
    assert (renamed.status_code, renamed.get_json()["records"]) == (200, 1)
    assert "Anna" not in client.get(f"/g/{second}").get_data(as_text=True)
    assert client.get("/api/v1/renamings", headers=owner).get_json()[0]["new"] == "Ana"
    assert client.post("/api/v1/renamings/1/undo", json={}, headers=owner).status_code == 200
    assert "Anna" in client.get(f"/g/{second}").get_data(as_text=True)


def test_a_phone_cannot_set_a_game_aside() -> None:
    with TemporaryStore() as store:
        record = store.read(filled(store)[0])
        fitting = Fitting(lambda *_: record, None)
        fitting.add(Bid("p1", 3))
        with pytest.raises(NotForNow, match="only the owner"):
            fitting.add(Void("no"))


def test_the_commands_set_aside_rename_and_undo(tmp_path: Path) -> None:
    ledger = ("--ledger", str(tmp_path / "a.sqlite"))
    with open_ledger(ledger[1]) as store:
        first, second, third = filled(store)
    assert outcome_of(*ledger, "void", second, "--why", "a test")[1] == f"record {second} is set aside\n"
    assert second not in outcome_of(*ledger, "list")[1]
    with closing(sqlite3.connect(ledger[1])) as tables:
        assert {row[0] for row in tables.execute("SELECT record FROM moves")} == {first, third}
    assert second in outcome_of(*ledger, "list", "--void")[1]
    assert "Set aside by the owner of the ledger (a test)" in outcome_of(*ledger, "history", second)[1]
    assert outcome_of(*ledger, "void", second, "--undo")[1] == f"record {second} is back\n"
    assert outcome_of(*ledger, "players", "rename", "Anna", "Ana", "--yes")[0] == 0
    assert "Anna" not in outcome_of(*ledger, "list")[1]
    assert json.loads(outcome_of(*ledger, "players", "renamed", "--json")[1])["old"] == "Anna"
    assert "is called Anna again" in outcome_of(*ledger, "players", "renamed", "--undo", "1")[1]
    assert "Anna" in outcome_of(*ledger, "list")[1]


def test_an_audit_and_results_of_the_whole_ledger_leave_it_out_and_an_archive_has_it(tmp_path: Path) -> None:
    store = TemporaryStore()
    first, second, third = filled(store)
    Recorder(store).void(second, "begun by mistake")
    path, archive = str(store.path), tmp_path / "all.ndjson"

    def run(*arguments: str) -> tuple[str, str]:
        result = CliRunner().invoke(cli, ["--ledger", path, *arguments])
        assert result.exit_code == 0, result.output
        return result.stdout, result.stderr

    printed, note = run("audit", "--json")
    assert {json.loads(line)["record"] for line in printed.splitlines()} == {first, third}
    assert "1 record set aside (`void`): left out; name one to audit it" in note
    printed, note = run("audit", "--json", second)
    assert (json.loads(printed)["record"], note) == (second, "")
    printed, note = run("export", "--csv")
    assert {line.partition(",")[0] for line in printed.splitlines()[1:]} == {first, third}
    assert "1 record set aside (`void`): left out" in note
    assert "exported too, and set aside in the archive as well" in run("export", "-o", str(archive))[1]
    assert len(archive.read_text("utf-8").splitlines()) == 3
    with open_ledger(str(tmp_path / "other.sqlite")) as other:
        assert other.count_records(Query()) == 0
    CliRunner().invoke(cli, ["--ledger", str(tmp_path / "other.sqlite"), "import", "--keep-ids", str(archive)])
    with open_ledger(str(tmp_path / "other.sqlite")) as other:
        assert [row.id for row in other.find(Query(voided=True))] == [second]
        assert other.count_records(Query()) == 2
