"""One contract for every store of a ledger."""

import json
import re
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
from ledger.record import chain, codec
from ledger.record.chain import NO_NAMES, Names
from ledger.record.errors import Corrupt, IdReused, NotARecord, NotForNow, UnknownRecord, WrongVersion
from ledger.record.events import Amend, Bid, Close, Insert, Note, Open, Pass, Play, Player, Retract
from ledger.record.record import Record
from ledger.record.tiles import named
from ledger.rules.game import Finding
from ledger.stores import questions
from ledger.stores.beside import Key, Named
from ledger.stores.query import Audit, Query, Summary
from ledger.stores.store import SqliteStore
from sheets import PLAYERS
from temporary import TemporaryStore


def opening(**fields: object) -> Open:
    return Open("zigzag", players=PLAYERS, **fields)  # type: ignore[arg-type]


def play(tile: str, player: str = "ana") -> Play:
    return Play(player, named(tile))


def test_a_record_is_read_as_it_was_appended(store: SqliteStore) -> None:
    assert store.append("r", 0, [opening(), Bid("ana", 3)]) == 2
    assert store.append("r", 2, [Pass("ben")]) == 3
    assert store.read("r").events == (opening(), Bid("ana", 3), Pass("ben"))
    assert store.read("r", 2).events == (opening(), Bid("ana", 3))
    assert list(store.events("r", 1)) == [(1, Bid("ana", 3)), (2, Pass("ben"))]
    assert (store.version("r"), store.version("s"), store.ids()) == (3, 0, ("r",))


def test_appending_nothing_changes_nothing(store: SqliteStore) -> None:
    store.append("r", 0, [opening()])
    assert store.append("r", 1, []) == 1
    assert store.append("new", 0, []) == 0
    assert store.ids() == ("r",)


def test_a_stale_writer_sees_what_it_missed(store: SqliteStore) -> None:
    store.append("r", 0, [opening()])
    store.append("r", 1, [Bid("ana", 3), Pass("ben")])
    with pytest.raises(WrongVersion) as caught:
        store.append("r", 1, [Pass("cy")])
    assert (caught.value.expected, caught.value.actual) == (1, 3)
    assert caught.value.missed == (Bid("ana", 3), Pass("ben"))
    with pytest.raises(WrongVersion):
        store.append("r", 7, [Pass("cy")])
    assert store.version("r") == 3


def test_a_record_is_opened_once(store: SqliteStore) -> None:
    store.append("r", 0, [opening()])
    with pytest.raises(WrongVersion):
        store.append("r", 0, [opening()])


def test_a_missing_record_is_reported(store: SqliteStore) -> None:
    with pytest.raises(UnknownRecord):
        store.read("nobody")
    with pytest.raises(UnknownRecord):
        store.events("nobody")
    with pytest.raises(UnknownRecord):
        store.append("nobody", 4, [Pass("ana")])


def test_a_batch_is_stored_whole_or_not_at_all(store: SqliteStore) -> None:
    store.append("r", 0, [opening()])
    with pytest.raises(NotARecord):
        store.append("r", 1, [Bid("ana", 3), Pass("stranger")])
    with pytest.raises(NotARecord):
        store.append("s", 0, [Pass("ana")])
    assert store.version("r") == 1
    assert store.ids() == ("r",)


def test_an_unreadable_event_is_not_stored(store: SqliteStore) -> None:
    store.append("r", 0, [opening()])
    with pytest.raises(NotARecord, match="cannot be written"):
        store.append("r", 1, [Pass("ana"), Note(text=object())])  # type: ignore[arg-type]
    with pytest.raises(NotARecord, match=r"event 2.*\$\.bid"):
        store.append("r", 1, [Pass("ana"), Bid("ana", "three")])  # type: ignore[arg-type]
    with pytest.raises(NotARecord):
        store.append_records([("s", [opening(), Bid("ana", "three")])])  # type: ignore[arg-type]
    assert (store.version("r"), store.version("s")) == (1, 0)


def test_a_record_is_read_from_its_opening_on(store: SqliteStore) -> None:
    store.append("r", 0, [opening(), Pass("ana")])
    assert store.read("r", 9).events == (opening(), Pass("ana"))
    assert list(store.events("r", 2)) == []
    for upto in (0, -1):
        with pytest.raises(NotForNow):
            store.read("r", upto)


def test_a_follower_of_a_record_blocks_nobody(store: SqliteStore) -> None:
    store.append("r", 0, [opening(), Pass("ana")])
    following = store.events("r")
    assert next(following) == (0, opening())
    store.append("r", 2, [Pass("ben")])
    assert [seq for seq, _event in following] == [1]
    assert list(store.events("r", 2)) == [(2, Pass("ben"))]


def test_a_retry_changes_nothing_however_old_it_is(store: SqliteStore) -> None:
    store.append("r", 0, [opening()], ["a"])
    assert store.append("r", 1, [Bid("ana", 3), Pass("ben")], ["b", "c"]) == 3
    store.append("r", 3, [Pass("cy")], ["d"])
    retry = [Bid("ana", 3, when="2026-11-20T10:00:00Z"), Pass("ben")]
    assert store.append("r", 1, retry, ["b", "c"]) == 3
    assert store.append("r", 0, [opening()], ["a"]) == 1
    assert store.version("r") == 4


def test_a_retry_with_more_events_adds_only_the_new_ones(store: SqliteStore) -> None:
    store.append("r", 0, [opening()], ["a"])
    store.append("r", 1, [Bid("ana", 3)], ["b"])
    assert store.append("r", 1, [Bid("ana", 3), Pass("ben")], ["b", "c"]) == 3
    assert store.read("r").events[1:] == (Bid("ana", 3), Pass("ben"))


def test_an_id_stands_for_one_event(store: SqliteStore) -> None:
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


def test_records_are_kept_apart_and_in_the_order_of_their_opening(store: SqliteStore) -> None:
    for name in ("b", "a", "c"):
        store.append(name, 0, [opening(place=name)])
    store.append("a", 1, [Pass("ana")])
    assert store.ids() == ("b", "a", "c")
    assert (store.ids("a"), store.ids("%"), store.ids("nobody")) == (("a",), (), ())
    assert [(name, record.opening.place) for name, record in questions.records(store)] == [
        ("b", "b"),
        ("a", "a"),
        ("c", "c"),
    ]
    assert store.version("b") == 1


def test_many_records_are_stored_in_one_go(store: SqliteStore) -> None:
    assert store.append_records((f"r{n}", [opening(), Bid("ana", n)]) for n in range(1, 6)) == 5
    assert store.read("r3").events[1] == Bid("ana", 3)
    with pytest.raises(WrongVersion):
        store.append_records([("new", [opening()]), ("r1", [opening()])])
    with pytest.raises(NotARecord):
        store.append_records([("new", [opening()]), ("other", [Pass("ana")])])
    assert store.version("new") == 0


@pytest.fixture
def filled_store(store: SqliteStore) -> SqliteStore:
    store.append("old", 0, [opening(played="2026-01-05", place="The Old Mill")])
    store.append("new", 0, [opening(played="2026-11-20", place="kitchen"), Close("abandoned")])
    store.append("other", 0, [Open("build-up", players=(Player(id="x1", name="Émile"), Player(id="x2")))])
    taken = Finding(0, "zigzag.take", "breach")
    store.note_audits([Audit("old", 1, Summary("breach", finished=False, clauses=(taken.clause,)), [taken])])
    store.note_audits([Audit("new", 2, Summary("clean", finished=True, winners=("ana",)))])
    return store


def find_ids(store: SqliteStore, **query: object) -> list[str]:
    return [row.id for row in store.find(Query(**query))]  # type: ignore[arg-type]


def test_records_are_found_by_what_a_query_names(filled_store: SqliteStore) -> None:
    assert find_ids(filled_store) == ["other", "new", "old"]
    assert find_ids(filled_store, game="zigzag") == ["new", "old"]
    assert find_ids(filled_store, player="BEN") == ["new", "old"]
    assert find_ids(filled_store, player="émi") == ["other"]
    assert find_ids(filled_store, place="mill") == ["old"]
    assert find_ids(filled_store, since="2026-02-01") == ["new"]
    assert find_ids(filled_store, until="2026-01-05") == ["old"]
    assert find_ids(filled_store, verdict="breach") == ["old"]
    assert find_ids(filled_store, clause="zigzag.take") == ["old"]
    assert find_ids(filled_store, clause="zigzag.take", game="build-up") == []
    assert find_ids(filled_store, limit=1) == ["other"]
    assert find_ids(filled_store, limit=1, offset=1) == ["new"]


def test_a_list_has_an_order(filled_store: SqliteStore) -> None:
    assert find_ids(filled_store, reverse=True) == ["old", "new", "other"]
    assert find_ids(filled_store, order="played") == ["new", "old", "other"]
    assert find_ids(filled_store, order="played", reverse=True, limit=2) == ["other", "old"]
    with pytest.raises(NotForNow):
        Query(limit=-1)


def test_a_place_is_found_whatever_its_case(store: SqliteStore) -> None:
    store.append("r", 0, [opening(place="\u00c9COLE")])
    assert find_ids(store, place="\u00e9col") == find_ids(store, place="e\u0301col") == ["r"]


def test_a_record_is_closed_while_its_close_stands(store: SqliteStore) -> None:
    store.append("r", 0, [opening(), Close("finished")])
    assert store.find(Query())[0].closed
    store.append("r", 2, [Retract(1, "too early")])
    assert not store.find(Query())[0].closed
    before = store.find(Query())
    store.rebuild()
    assert store.find(Query()) == before


def test_an_audit_of_an_older_version_does_not_count(store: SqliteStore) -> None:
    store.append("r", 0, [opening(), Pass("ana")])
    store.note_audits([Audit("r", 2, Summary("clean", False)), Audit("r", 1, Summary("breach", False))])
    store.note_audits([Audit("nobody", 0, Summary("breach", finished=False))])
    assert find_ids(store, verdict="clean") == ["r"]
    assert (find_ids(store, verdict="breach"), questions.unaudited(store)) == ([], ())


def test_a_row_says_what_a_list_shows(filled_store: SqliteStore) -> None:
    other, new, _old = filled_store.find(Query())
    assert (other.players, other.audit, other.closed) == ((("x1", "Émile"), ("x2", "x2")), None, False)
    assert (new.game, new.played, new.place, new.events, new.closed) == ("zigzag", "2026-11-20", "kitchen", 2, True)
    assert new.audit == Summary("clean", finished=True, winners=("ana",))


def test_an_audit_counts_until_the_record_grows(filled_store: SqliteStore) -> None:
    assert questions.unaudited(filled_store) == ("other",)
    filled_store.append("old", 1, [Note("tea")])
    assert questions.unaudited(filled_store) == ("old", "other")
    assert find_ids(filled_store, verdict="breach") == []
    assert find_ids(filled_store, clause="zigzag.take") == []
    filled_store.note_audits([Audit("old", 2, Summary("unproven", finished=False))])
    assert find_ids(filled_store, verdict="unproven") == ["old"]


def test_an_amended_opening_is_what_a_list_shows(filled_store: SqliteStore) -> None:
    filled_store.append("old", 1, [Amend(0, opening(played="2025-12-31", place="barn"), "the wrong day")])
    assert find_ids(filled_store, place="barn", until="2025-12-31") == ["old"]
    filled_store.append("old", 2, [Pass("ana")])
    assert filled_store.find(Query(place="barn"))[0].events == 3
    assert filled_store.ids() == ("old", "new", "other")


def test_a_key_opens_one_record_and_no_other(store: SqliteStore) -> None:
    key, other = b"k" * 32, b"o" * 32
    assert not questions.roles(store, "r", key)
    store.put([Key("r", key)])
    store.put([Key("r", key)])
    store.append("r", 0, [opening()])
    store.rebuild()
    assert questions.roles(store, "r", key) == {"record"}
    assert not questions.roles(store, "r", other)
    assert not questions.roles(store, "s", key)
    store.put([Key("r", key, "watch")])
    store.put([Key("r", other, "watch")])
    assert list(store.kept(Key)) == [Key("r", key, "record"), Key("r", key, "watch"), Key("r", other, "watch")]
    assert store.drop([Key("r", key, "watch"), Key("r", other, "watch"), Key("s", key)]) == 2
    assert questions.roles(store, "r", key) == {"record"}
    assert not questions.roles(store, "r", other)


def test_names_stand_outside_the_chain_and_can_be_forgotten(store: SqliteStore) -> None:
    renamed_players = (Player(id="ana", name="Anna"), *PLAYERS[1:])
    store.append("r", 0, [opening(), Amend(0, Open("zigzag", players=renamed_players), "she writes it with two n")])
    assert b"Ann" not in b"".join(entry.body for entry in store.log())
    assert list(store.kept(Named)) == [
        Named("r", 0, Names({"ana": "Ana", "ben": "Ben", "cy": "Cy"})),
        Named("r", 1, Names(event=Names({"ana": "Anna", "ben": "Ben", "cy": "Cy"}))),
    ]
    link = questions.link(store, "r", 2)
    store.put([Named("r", seq, names.without({"Ana", "Anna"})) for _record, seq, names in store.kept(Named)])
    assert [player.name for player in store.read("r").opening.players] == ["", "Ben", "Cy"]
    assert (find_ids(store, player="Ann"), find_ids(store, player="Ben")) == ([], ["r"])
    assert questions.link(store, "r", 2) == link
    store.put([Named("r", 0, NO_NAMES), Named("r", 1, NO_NAMES)])
    assert list(store.kept(Named)) == []


def test_recorders_stand_outside_the_chain_too(store: SqliteStore) -> None:
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
    assert not re.search(rb"Dee|Eve|by|recorder", b"".join(entry.body for entry in store.log()))
    assert [(named.seq, list(named.names)) for named in store.kept(Named)] == [
        (0, ["Ana", "Ben", "Cy", "Dee", "Dee"]), (1, ["Dee"]), (3, ["Dee", "Eve"]), (4, ["Eve"]),
        (5, ["Ana", "Ben", "Cy", "Eve"]),
    ]  # fmt: skip
    links = [entry.link for entry in store.log()]
    assert chain.record_digest(events) == links[-1]
    store.put([Named(*named[:2], named.names.without({"Dee", "Eve"})) for named in store.kept(Named)])
    assert [event.by for event in store.read("r").events] == [None] * 6
    assert store.read("r").opening == opening()
    assert not re.search(rb"Dee|Eve", codec.encode(store.read("r")))
    assert [entry.link for entry in store.log()] == links
    # A retry is recognised even with another name for its recorder.
    assert store.append("r", 2, [replace(event, by="Fay") for event in events[2:]], [f"id-{n}" for n in range(4)]) == 6


def test_each_event_is_bound_to_those_before_it(store: SqliteStore) -> None:
    store.append("r", 0, [opening(), Bid("ana", 3)])
    store.append("r", 2, [Pass("ben")])
    bodies = [entry.body for entry in store.log(of="r")]
    assert [entry.link for entry in store.log(of="r")] == chain.links(bodies)
    assert questions.link(store, "r", 3) == chain.record_digest(store.read("r").events) == chain.links(bodies)[2]
    assert (questions.link(store, "r", 4), questions.link(store, "r", 0), questions.link(store, "s", 1)) == (
        None,
        None,
        None,
    )
    assert [entry.seq for entry in store.log(1, 2, of="r")] == [1]


def test_a_ledger_copies_another_one_unchanged(store: SqliteStore) -> None:
    with TemporaryStore() as source:
        source.append("r", 0, [opening(), Bid("ana", 3)], ["id-0", "id-1"])
        source.append("s", 0, [opening(place="barn")])
        assert store.append_log(source.log()) == 3
        source.append("r", 2, [Pass("ben")], ["id-2"])
        assert store.append_log(source.log(store.size())) == 1
        store.put(source.kept(Named))
        assert list(store.log()) == list(source.log())
        assert dict(questions.records(store)) == dict(questions.records(source))
        assert store.find(Query()) == source.find(Query())
        # A retry is known there too.
        assert store.append("r", 2, [Pass("ben")], ["id-2"]) == 3
        for wrong in ({"body": b"{}"}, {"link": bytes(32)}, {"seq": 9}, {"record": "t"}):
            with pytest.raises(Corrupt):
                store.append_log([next(source.log(3))._replace(**wrong)])
    assert store.size() == 4


def test_the_log_has_every_event_in_the_order_of_writing(store: SqliteStore) -> None:
    store.append("r", 0, [opening(), Bid("ana", 3)])
    store.append("s", 0, [opening()])
    store.append("r", 2, [Pass("ben")])
    store.append_records([("t", [opening(), Pass("cy")])])
    order = [(entry.record, entry.seq) for entry in store.log()]
    assert order == [("r", 0), ("r", 1), ("s", 0), ("r", 2), ("t", 0), ("t", 1)]
    assert store.size() == 6
    assert [(entry.record, entry.seq) for entry in store.log(1, 4)] == order[1:4]
    bare = Open("zigzag", players=tuple(Player(id=player.id) for player in PLAYERS))
    assert [codec.decode_event(entry.body) for entry in store.log(upto=2)] == [bare, Bid("ana", 3)]


# ---- A record imported twice is stored once, in every store.


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


def test_the_command_tells_what_became_of_each_record(tmp_path) -> None:
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
