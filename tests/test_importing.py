"""A record imported twice is stored once, in every store."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from ledger.cli import cli
from ledger.games import catalog
from ledger.keep.importing import Imported, Importer
from ledger.play.simulate import simulate
from ledger.record.events import Bid, Note, Open, Pass
from ledger.record.record import Record
from ledger.stores import questions
from ledger.stores.store import SqliteStore
from sheets import PLAYERS

OPENING = Open("zigzag", players=PLAYERS, played="2026-11-20")
GAME = (OPENING, Bid("ana", 3), Bid("ben", 4), Pass("cy"), Pass("ana"), Note("tea"))


def import_all(store: SqliteStore, *records: tuple[object, ...], wanted: bool = False) -> list[Imported]:
    importer = Importer(store, lambda _sentence: wanted)
    return list(importer.run(Record(events) for events in records))  # type: ignore[arg-type]  # they are events


def outcomes(store: SqliteStore, *records: tuple[object, ...], wanted: bool = False) -> list[str]:
    return [imported.outcome for imported in import_all(store, *records, wanted=wanted)]


@pytest.mark.parametrize("at_once", [True, False])
def test_a_record_that_is_imported_again_is_known(store: SqliteStore, at_once: bool) -> None:
    if at_once:
        first, again = import_all(store, GAME, GAME)
    else:
        (first,), (again,) = import_all(store, GAME), import_all(store, GAME)
    assert (first.outcome, again) == ("imported", Imported("known", first.record))
    assert store.ids() == (first.record,)
    assert import_all(store, GAME[:2]) == import_all(store, GAME[:1]) == [again]
    assert store.read(first.record).events == GAME
    assert questions.unaudited(store) == ()


@pytest.mark.parametrize("at_once", [True, False])
def test_a_longer_record_continues_it(store: SqliteStore, at_once: bool) -> None:
    if at_once:
        first, longer, longest = import_all(store, GAME[:1], GAME[:3], GAME)
    else:
        ((first,), (longer,), (longest,)) = (import_all(store, GAME[:length]) for length in (1, 3, 6))
    assert (first.outcome, longer.outcome, longest.outcome) == ("imported", "continued", "continued")
    assert {first.record, longer.record, longest.record} == set(store.ids())
    assert store.read(first.record).events == GAME
    assert questions.unaudited(store) == ()
    assert outcomes(store, GAME) == ["known"]


def test_another_version_is_refused_unless_the_user_wants_it(store: SqliteStore) -> None:
    (first,) = import_all(store, GAME)
    variant = (*GAME[:4], Pass("ben"), Note("coffee"))
    sentence = f"it begins like record {first.record} and differs from event 4 on"
    assert import_all(store, variant) == [Imported("refused", first.record, sentence)]
    assert store.ids() == (first.record,)
    (imported,) = import_all(store, variant, wanted=True)
    assert store.read(imported.record).events == variant
    assert outcomes(store, GAME, variant, (*variant, Note("milk"))) == ["known", "known", "continued"]
    assert len(store.ids()) == 2


def test_two_versions_in_one_archive_are_two_records(store: SqliteStore) -> None:
    variant = (*GAME[:4], Pass("ben"), Note("coffee"))
    assert outcomes(store, GAME, variant) == ["imported", "imported"]
    assert outcomes(store, variant, GAME) == ["known", "known"]


def test_two_games_of_one_evening_are_two_records(store: SqliteStore) -> None:
    second_game = (OPENING, Bid("ana", 5), Pass("ben"), Pass("cy"), Note("no tea"))
    assert outcomes(store, GAME, second_game) == ["imported", "imported"]
    assert outcomes(store, GAME, second_game) == ["known", "known"]


def test_an_opening_that_was_recorded_at_the_same_time_is_the_same_game(store: SqliteStore) -> None:
    timed = replace(OPENING, when="2026-11-20T19:30:00.123Z")
    assert outcomes(store, (timed, *GAME[1:])) == ["imported"]
    assert outcomes(store, (timed, Bid("ana", 5), Pass("ben"), Pass("cy"))) == ["refused"]


def test_openings_of_other_people_are_other_games(store: SqliteStore) -> None:
    others = tuple(replace(player, name=f"{player.name} M.") for player in PLAYERS)
    assert outcomes(store, GAME[:1], (replace(OPENING, players=others),)) == ["imported", "imported"]
    assert outcomes(store, (replace(OPENING, players=others), *GAME[1:])) == ["continued"]


def test_a_refused_record_stops_no_other(store: SqliteStore) -> None:
    (first, bad, second) = import_all(store, GAME, (OPENING, Pass("dee")), (OPENING, Bid("cy", 1)))
    assert (first.outcome, second.outcome) == ("imported", "imported")
    assert (bad.outcome, bad.record) == ("refused", "")
    assert "dee" in bad.reason


def test_many_records_with_one_opening_are_told_apart(store: SqliteStore) -> None:
    game = catalog.find("zigzag")
    records = [simulate(game, seed).events for seed in range(30)]
    assert Counter(outcomes(store, *records)) == {"imported": 30}
    assert Counter(outcomes(store, *records)) == {"known": 30}
    assert outcomes(store, (*records[7], Note("later"))) == ["continued"]


# ── The command ────────────────────────────────────────────────────────────────────────────────────────────

SHEET = """\
Game: zigzag
Players: A Ana, B Ben, C Cy
Played: 2026-11-20

A bids 3
B bids 4
C passes
"""


def run(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["--ledger", str(folder / "a.sqlite"), *arguments])


def test_the_command_tells_what_became_of_each_record(tmp_path: Path) -> None:
    sheet = tmp_path / "friday.sheet"
    sheet.write_text(SHEET)
    first = run(tmp_path, "import", str(sheet)).output
    assert first.startswith("1 record imported as ")
    name = first.split()[-1]
    assert run(tmp_path, "import", str(sheet)).output == f"1 record known already as {name}\n"
    sheet.write_text(f"{SHEET}A passes\n")
    assert run(tmp_path, "import", str(sheet)).output == f"1 record continued as {name}\n"
    sheet.write_text(f"{SHEET}A bids 5\n")
    refused = run(tmp_path, "import", str(sheet))
    assert refused.exit_code == 2
    assert (
        f"{sheet}:1: not imported, because it begins like record {name} and differs from event 4 on" in refused.output
    )
    assert "--as-new imports it as a record of its own" in refused.output
    assert refused.output.endswith("\n1 record not imported\n")
    other_sheet = tmp_path / "other.sheet"
    shutil.copy(sheet, other_sheet)
    sheet.write_text(f"{SHEET}A passes\n")
    mixed = run(tmp_path, "import", "--as-new", str(other_sheet), str(sheet))
    assert (mixed.exit_code, mixed.output) == (0, "1 imported, 1 known already\n")
    output = run(tmp_path, "import", "--json", str(sheet)).output
    assert json.loads(output) == {"record": name, "outcome": "known"}
