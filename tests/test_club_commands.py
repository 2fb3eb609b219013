"""The commands of a club: players, player, statistics, standings, schedule, and results for other programs."""

import csv
import io
import json
import re
import sqlite3
import urllib.parse
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from command_output import outcome_of
from ledger import notation
from ledger.audit.review import Review
from ledger.cli import cli
from ledger.club import ratings
from ledger.club.load import club_of
from ledger.club.people import everybody
from ledger.club.result_exports import bg_stats
from ledger.club.standings import standings
from ledger.games import catalog
from ledger.keep.imports import keep
from ledger.keep.recorder import Fitting, Recorder, key_digest, new_id, new_key
from ledger.keep.renaming import rename, renamings, undo
from ledger.keep.score_cards import ScoreCard, compare
from ledger.keep.stored_audits import refresh
from ledger.keep.transfer import forget_renamings, transfer
from ledger.play.simulate import simulate
from ledger.proof import log_head
from ledger.record import codec
from ledger.record.chain import record_digest
from ledger.record.errors import NotForNow
from ledger.record.events import Bid, Score, Void
from ledger.stores import open_ledger
from ledger.stores.beside import Alias, Key, Renamed
from ledger.stores.query import Query
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.replay.replay_view import ReplayView


@pytest.fixture(scope="module")
def ledger(tmp_path_factory) -> Path:
    """A ledger with three simulated games of two events, by Ana, Ben and Cy."""
    home = tmp_path_factory.mktemp("club")
    result = CliRunner().invoke(
        cli, ["simulate", "zigzag", "--seed", "3", "--count", "3", "-o", str(home / "z.ndjson")]
    )
    assert result.exit_code == 0, result.output
    lines = (home / "z.ndjson").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    for number, record in enumerate(records):
        record["events"][0] |= {"played": f"2026-05-0{number + 1}", "event": "Cup" if number else "League"}
    records[2]["events"][0]["players"][0]["name"] = "Annie"
    with SqliteStore(home / "club.sqlite") as store:
        store.append_records((f"game{n}", codec.decode(json.dumps(record)).events) for n, record in enumerate(records))
    return home / "club.sqlite"


def run(ledger: Path, *arguments: str, status: int = 0) -> str:
    """The output of a command."""
    result = CliRunner().invoke(cli, ["--ledger", str(ledger), *arguments])
    assert result.exit_code == status, result.output
    return result.output


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_players_are_listed_merged_and_split(ledger: Path) -> None:
    before = {row["name"]: row["games"] for row in lines(run(ledger, "players", "--json"))}
    assert before == {"Ben": 3, "Cy": 3, "Ana": 2, "Annie": 1}
    assert run(ledger, "players", "merge", "annie", "ANA") == "Annie is Ana from now on\n"
    assert {row["name"]: row["games"] for row in lines(run(ledger, "players", "--json"))} == {
        "Ana": 3,
        "Ben": 3,
        "Cy": 3,
    }
    with SqliteStore(ledger) as store:
        assert list(store.kept(Alias)) == [Alias("Annie", "Ana")]
        assert log_head.check(store).corruptions == ()
    assert "also known as Annie" in run(ledger, "player", "annie")
    assert "are one person already" in run(ledger, "players", "merge", "Annie", "Ana", status=2)
    assert run(ledger, "players", "split", "Annie", "--ledger", str(ledger)) == "Annie is no longer Ana\n"
    assert {row["name"]: row["games"] for row in lines(run(ledger, "players", "--json"))} == before
    assert "is not an alias" in run(ledger, "players", "split", "Annie", status=2)
    assert "did you mean Ben?" in run(ledger, "players", "merge", "Bem", "Ana", status=2)
    assert "do not go with merge" in run(ledger, "players", "--json", "merge", "Annie", "Ana", status=2)


def test_a_player_is_shown_with_games_opponents_and_form(ledger: Path) -> None:
    shown = run(ledger, "player", "ben")
    assert re.match(r"Ben\n3 games; won \d of \d \(\d+ %\)\n", shown)
    assert "form, newest first: " in shown
    (profile,) = lines(run(ledger, "player", "Ben", "--json"))
    assert (profile["name"], profile["games"]) == ("Ben", 3)
    assert "did you mean Ben?" in run(ledger, "player", "Bem", status=2)


def test_a_merge_of_two_who_sat_at_one_table_is_doubted(ledger: Path) -> None:
    merged = run(ledger, "players", "merge", "Ben", "Cy")
    assert "Ben and Cy sat at the same table in 3 games: if they are two people, `players split 'Ben'` undoes" in merged
    # A game that the two played against each other is one game of the one person, in every count and table.
    people = {person["name"]: person for person in lines(run(ledger, "players", "--json"))}
    (profile,) = lines(run(ledger, "player", "Cy", "--json"))
    assert people["Cy"]["games"] == profile["games"] == 3
    assert (people["Cy"]["contests"], people["Cy"]["wins"]) == (profile["contests"], profile["wins"])
    for table in (run(ledger, "export", "--csv"), run(ledger, "export", "--csv", "game0")):
        names = [row["player"] for row in csv.DictReader(io.StringIO(table.removeprefix("\ufeff")))]
        assert "Ben" not in names
        assert names.count("Cy") == 2 * len(names) // 3
    run(ledger, "players", "split", "Ben")
    table = run(ledger, "export", "--csv", "--delimiter", ";")
    assert len(list(csv.DictReader(io.StringIO(table.removeprefix("\ufeff")), delimiter=";"))) == 9


def test_ratings_wait_for_ten_games(ledger: Path) -> None:
    assert "3" not in run(ledger, "players", "--rating").replace("10", "")
    (ladder,) = lines(run(ledger, "players", "--rating", "--json"))
    assert (ladder["game"], ladder["games"], ladder["ratings"], ladder["waiting"]) == ("zigzag", 3, [], 4)


def test_ratings_say_how_many_more_there_will_be(tmp_path) -> None:
    ledger = tmp_path / "club.sqlite"

    def file(*names: str, count: int = 1) -> None:
        totals = ", ".join(f"{name} {90 - 10 * place}" for place, name in enumerate(names))
        records = [notation.read(f"Game: Zigzag\nPlayers: {', '.join(names)}\ntotal: {totals}\n") for _ in range(count)]
        with SqliteStore(ledger) as store:
            store.append_records((new_id(), record.events) for record in records)

    file("Ana", "Ben", "Cy", count=10)
    assert "10 games" in run(ledger, "players", "--rating")
    assert "more with" not in run(ledger, "players", "--rating")
    file("Ana", "Ben", "Dora")
    assert "1 more with fewer than 10 games" in run(ledger, "players", "--rating")


def test_statistics_are_tables_json_or_csv(ledger: Path) -> None:
    assert "Zigzag" in run(ledger, "statistics")
    shown = run(ledger, "statistics", "zigzag")
    assert "Zigzag: 3 finished games" in shown
    assert "Highest score" in shown
    (statistics,) = lines(run(ledger, "statistics", "zigzag", "--json"))
    assert statistics["games"] == 3
    rows = list(csv.DictReader(io.StringIO(run(ledger, "statistics", "zigzag", "--csv"))))
    assert len(rows) == 9
    assert {row["player"] for row in rows} == {"Ana", "Annie", "Ben", "Cy"}
    assert "contradict" in run(ledger, "statistics", "--csv", "--json", status=2)
    assert "did you mean zigzag?" in run(ledger, "statistics", "zigzg", status=2).lower()


def test_statistics_count_miscounts_apart_from_broken_rules(ledger: Path, tmp_path) -> None:
    assert "miscounted" not in run(ledger, "statistics", "zigzag")
    path = tmp_path / "miscounted.json"
    record = simulate(catalog.find("zigzag"), 3)
    wrong = [replace(e, points=dict.fromkeys(e.points, 1)) if isinstance(e, Score) else e for e in record.events]
    path.write_bytes(codec.encode(replace(record, events=tuple(wrong))))
    shown = run(ledger, "statistics", "zigzag", str(path))
    assert "rule broken" not in shown
    assert "miscounted claims, nobody's breach of a rule: in 1 game" in shown


def test_standings_of_an_event(ledger: Path) -> None:
    assert [row["name"] for row in lines(run(ledger, "standings", "--json"))] == ["Cup", "League"]
    by_wins = lines(run(ledger, "standings", "cup", "--json"))
    assert sum(float(str(row["wins"])) for row in by_wins) == pytest.approx(2)
    assert {row["name"]: row["games"] for row in by_wins} == {"Ben": 2, "Cy": 2, "Ana": 1, "Annie": 1}
    by_points = lines(run(ledger, "standings", "cup", "--rank", "points", "--json"))
    points = [int(str(row["points"])) for row in by_points]
    assert points == sorted(points, reverse=True)
    assert "did you mean Cup?" in run(ledger, "standings", "Cupp", status=2)


def test_a_season_is_one_page_or_a_table(ledger: Path, tmp_path) -> None:
    page, table = tmp_path / "cup.html", tmp_path / "cup.csv"
    assert run(ledger, "standings", "cup", "-o", str(page), "--address", "https://domino.example/") == f"Wrote {page}\n"
    text = page.read_text("utf-8")
    for record in ("game1", "game2"):
        assert f'href="https://domino.example/g/{record}"' in text
    assert len(re.findall(" won |shared it|Nobody won", text)) == 2
    assert "game0" not in text
    assert re.findall("<script|<link|<img|@import|url\\(", text) == []
    run(ledger, "standings", "cup", "-o", str(page))
    assert "href" not in page.read_text("utf-8")
    run(ledger, "standings", "cup", "-o", str(table))
    assert table.read_bytes().startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(table.read_text("utf-8-sig"))))
    assert {row["record"] for row in rows} == {"game1", "game2"}


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (("-o", "a.html"), "name the event"),
        (("Cup", "-o", "a.html", "--json"), "leave --json out"),
        (("Cup", "-o", "a.pdf"), "it should end in .html, .htm or .csv"),
        (("Cup", "--address", "https://domino.example"), "--address is for the links of a page"),
        (("Cup", "-o", "a.html", "--address", "domino"), "--address is like http"),
        (("Cupp", "-o", "a.html"), "did you mean Cup?"),
    ],
    ids=str,
)
def test_what_no_season_can_be_written_to_is_refused(ledger: Path, arguments: tuple[str, ...], answer: str) -> None:
    assert answer in run(ledger, "standings", *arguments, status=2)
    assert not Path("a.html").exists()


def test_a_schedule_is_made_by_the_seats_of_the_game(tmp_path) -> None:
    missing_ledger = tmp_path / "none.sqlite"
    pairs = run(missing_ledger, "schedule", "Ana", "Ben", "Cy")
    assert pairs.count("Round") == 3
    assert pairs.count("sits out") == 3
    trios = lines(run(missing_ledger, "schedule", "--game", "zigzag", *"ABCDEF", "--json"))
    assert [len(table) for table in trios[0]["tables"]] == [3, 3]  # type: ignore[attr-defined]
    assert "for 6, 9, 12 or 15 people, not 4" in run(missing_ledger, "schedule", "--game", "zigzag", *"ABCD", status=2)
    assert "'Ana' is there twice" in run(missing_ledger, "schedule", "Ana", "ana", status=2)


def test_an_empty_ledger_has_empty_answers(tmp_path) -> None:
    SqliteStore(tmp_path / "new.sqlite").close()
    assert run(tmp_path / "new.sqlite", "players") == "Nobody has played here yet.\n"
    assert run(tmp_path / "new.sqlite", "statistics") == "No game is recorded here yet.\n"
    assert "No game belongs to an event yet" in run(tmp_path / "new.sqlite", "standings")
    assert run(tmp_path / "new.sqlite", "players", "--json") == ""


def test_a_finished_game_goes_to_bg_stats(ledger: Path) -> None:
    link = run(ledger, "export", "game1", "--bgstats").strip()
    head, _, data = link.partition("?data=")
    assert head == "bgstats://app.bgstatsapp.com/createPlay.html"
    assert not set(data) & set(' {}":,&#')
    play = json.loads(urllib.parse.unquote(data))
    assert (play["sourceName"], play["sourcePlayId"], play["comments"]) == ("Domino Ledger", "game1", "Cup")
    assert play["playDate"] == "2026-05-02 12:00:00"
    assert play["game"] == {"name": "Zigzag", "sourceGameId": "zigzag", "highestWins": True, "noPoints": False}
    assert [player["name"] for player in play["players"]] == ["Ana", "Ben", "Cy"]
    assert all(
        {type(player["winner"]), type(player["startPlayer"])} == {bool} and type(player["score"]) is int
        for player in play["players"]
    )
    assert sum(player["startPlayer"] for player in play["players"]) == 1
    best = max(player["score"] for player in play["players"])
    assert {player["score"] for player in play["players"] if player["winner"]} == {best}
    assert [player["rank"] for player in play["players"] if player["winner"]] == [1]


def test_bg_stats_gets_the_end_of_a_game_in_utc() -> None:
    record = simulate(catalog.find("ziggurat"), 1)
    times = ["2026-05-02T23:10:00+02:00"] * (len(record.events) - 1)

    def play(*whens: str | None) -> dict[str, Any]:
        events = [replace(event, when=when) for event, when in zip(record.events, whens, strict=True)]
        return json.loads(urllib.parse.unquote(bg_stats(Review(codec.check(events), "r")).partition("?data=")[2]))  # type: ignore[no-any-return]

    ended = play(*times, "2026-05-02T21:55:30Z")
    assert (ended["playDate"], ended["durationMin"]) == ("2026-05-02 21:55:30", 46)
    late = play(*times, "2026-05-09T21:55:30Z")
    assert (late["playDate"], "durationMin" in late) == ("2026-05-02 21:10:00", False)


def test_bg_stats_is_offered_no_game_without_a_day() -> None:
    record = simulate(catalog.find("ziggurat"), 1)
    undated = codec.check([replace(event, when=None) for event in record.events])
    with pytest.raises(NotForNow, match="it says no day"):
        bg_stats(Review(undated, "r"))
    assert ReplayView("r", undated).bg_stats == ""
    dated = codec.check([replace(undated.opening, played="2026-05-02"), *undated.events[1:]])
    assert "2026-05-02" in ReplayView("r", dated).bg_stats


def test_an_unfinished_game_does_not_go_to_bg_stats(tmp_path) -> None:
    ledger = tmp_path / "a.sqlite"
    record_id = run(ledger, "new", "zigzag", "Ana", "Ben", "Cy").split()[-1]
    assert "only a finished game goes to BG Stats" in run(ledger, "export", record_id, "--bgstats", status=2)
    with SqliteStore(ledger) as store:
        undated = simulate(catalog.find("zigzag"), 3).events
        dated = (replace(undated[0], played="2026-05-02"), *undated[1:])  # type: ignore[call-arg]  an opening
        store.append_records([("over", dated), ("undated", undated)])
    result = CliRunner().invoke(cli, ["--ledger", str(ledger), "export", "--bgstats"])
    assert (result.exit_code, result.stdout.count("bgstats://")) == (0, 1)
    assert result.stderr.splitlines() == [
        f"left out: record {record_id}: only a finished game goes to BG Stats",
        "left out: record undated: it says no day, and BG Stats would take today",
    ]


def test_results_are_exported_as_csv(ledger: Path, tmp_path) -> None:
    printed = run(ledger, "export", "game0", "--csv").removeprefix("\ufeff")
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert [(row["player"], row["record"], row["event"]) for row in rows] == [
        ("Ana", "game0", "League"), ("Ben", "game0", "League"), ("Cy", "game0", "League"),
    ]  # fmt: skip
    out = tmp_path / "all.csv"
    run(ledger, "export", "--csv", "-o", str(out))
    assert len(list(csv.DictReader(io.StringIO(out.read_text("utf-8-sig"))))) == 9
    assert "end it in .csv" in run(ledger, "export", "--csv", "-o", str(tmp_path / "all.txt"), status=2)
    assert "leave -o out" in run(ledger, "export", "--bgstats", "-o", str(out), status=2)
    assert "contradict" in run(ledger, "export", "--csv", "--json", status=2)


def test_a_game_played_together_has_an_average_of_cheats(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(ratings, "LEAST", 1)

    def run(*words: str) -> str:
        result = CliRunner().invoke(cli, ["--ledger", str(tmp_path / "a.sqlite"), *words])
        assert result.exit_code == 0, result.output
        return result.stdout

    record = simulate(catalog.find("domino-ziggurat"), 1, players=2, edition="2")
    (tmp_path / "z.ndjson").write_bytes(codec.encode(record))
    run("import", str(tmp_path / "z.ndjson"))
    people, cheats = [player.name for player in record.opening.players], max(Review(record).report.scores.values())
    lines = [line.split() for line in run("players", "--rating").splitlines() if line]
    assert lines[:2] == [["Domino", "Ziggurat"], ["player", "cheats", "on", "average", "games"]]
    assert lines[2:4] == [[*name.split(), str(cheats), "1"] for name in sorted(people)]
    (line,) = map(json.loads, run("players", "--rating", "--json").splitlines())
    assert line["game"] == "domino-ziggurat"
    run("new", "zigzag", "Ana", "Ben", "Cy", "--event", "Open")
    assert "No game of this event is finished yet." in run("standings", "Open")


# ---- Games set aside and people renamed: every list and count agrees at once, no fingerprint changes, both are
# undone.


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
    return [filed.record for filed in keep(store, compare(store, cards), "a.csv")]


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


def test_a_person_is_renamed_and_merged_everywhere_and_it_is_undone(store: SqliteStore, tmp_path) -> None:
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
    (again,) = compare(store, [ScoreCard("zigzag", {"Anna": 2, "Ben": 8, "Cy": 3}, None, "2026-01-09", "Cup")])
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


def test_the_commands_set_aside_rename_and_undo(tmp_path) -> None:
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


def test_an_audit_and_results_of_the_whole_ledger_leave_it_out_and_an_archive_has_it(tmp_path) -> None:
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
