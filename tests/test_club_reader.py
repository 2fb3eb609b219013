"""In every store, a club that is updated after each change equals one that is read anew."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.club.load import MOST_CHANGED, ClubReader, club_of
from ledger.club.people import Club, people
from ledger.club.profile import profile
from ledger.club.statistics import statistics
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.keep.stored_audits import refresh
from ledger.play.simulate import simulate
from ledger.record.chain import NO_NAMES
from ledger.record.events import Note, Open, Play, Player, Result, Retract
from ledger.record.record import Record
from ledger.stores import questions
from ledger.stores.beside import Alias, Named
from ledger.stores.contract import Store
from ledger.stores.sql import SqlStore

PLAYERS = tuple(Player(id=name.lower(), name=name) for name in ("Ana", "Ben", "Cy"))


def everything(club: Club) -> list[Any]:
    """What the pages of a club show."""
    return [
        people(club),
        [profile(club, person.key) for person in people(club)],
        [statistics(club, game) for game in ("zigzag", "ziggurat")],
        club.games,
    ]


def game(number: int) -> Record:
    """A finished game; in one with an even number the table called the wrong winner."""
    record = simulate(catalog.find("zigzag"), number)
    if number % 2:
        return record
    last = next(seq for seq, event in enumerate(record.events) if type(event) is Result)
    called = record.events[last]
    assert isinstance(called, Result)
    others = tuple(player.id for player in record.opening.players if player.id not in called.winners)
    return Record((*record.events[:last], Result(others), *record.events[last + 1 :]))


def test_an_updated_club_equals_one_that_is_read_anew(store: Store) -> None:
    reader, recorder = ClubReader(), Recorder(store)

    def check() -> Club:
        club = reader.club(store)
        assert everything(club) == everything(club_of(store))
        assert reader.club(store) is club
        return club

    assert check().games == []
    ids = [recorder.import_record(game(number)) for number in range(4)]
    assert not any(entry.game.finished for entry in check().games)
    list(refresh(store))
    before = check()
    assert sum(entry.game.mistakes > 0 for entry in before.games) == 2
    # A correction of the oldest game: first without an audit, then with another.
    version = store.version(ids[1])
    last = max(seq for seq, event in store.events(ids[1]) if type(event) is Play)
    store.append(ids[1], version, [Retract(last, why="a slip")])
    assert sum(entry.game.finished for entry in check().games) == 3
    list(refresh(store))
    assert sum(entry.game.mistakes > 0 for entry in check().games) == 3
    # New games, of today and of another day, in an event.
    for day in ("2020-05-01", None):
        recorder.open(Open("ziggurat", players=PLAYERS[:2], played=day, event="Cup"))
        check()
    # A name is erased, another one is an alias.
    erased = before.games[0]
    erased_name = erased.game.results[0].name
    store.put([Named(erased.game.record, 0, NO_NAMES)])
    assert erased_name not in {result.name for result in check().games[0].game.results}
    store.put([Alias("Ana", "Ben")])
    assert check().key("ana") == "ben"
    store.drop([Alias("Ana", "Ben")])
    assert check().key("ana") == "ana"
    store.rebuild()
    assert not any(entry.game.mistakes for entry in check().games)
    list(refresh(store))
    assert sum(entry.game.mistakes > 0 for entry in check().games) == 3


def test_a_club_after_many_changes_equals_one_that_is_read_anew(store: Store) -> None:
    reader, recorder = ClubReader(), Recorder(store)
    reader.club(store)
    for number in range(MOST_CHANGED + 1):
        recorder.open(Open("ziggurat", players=PLAYERS[:2], played=f"2020-01-{number % 28 + 1:02}"))
    assert everything(reader.club(store)) == everything(club_of(store))


def test_a_row_that_repair_mends_is_read_again(store: Store) -> None:
    if not isinstance(store, SqlStore):
        pytest.skip("nothing damages a list in memory")
    record_id = Recorder(store).import_record(game(1))
    list(refresh(store))
    with store.writing():
        store.many("UPDATE result SET score = 99 WHERE seat = ?", [(0,)])
    reader = ClubReader()
    assert reader.club(store).games[0].game.results[0].score == 99
    store.rebuild()
    list(refresh(store))
    assert reader.club(store).games[0].game.results[0].score == club_of(store).games[0].game.results[0].score != 99
    with store.writing():
        store.many("DELETE FROM result WHERE record = ? AND seat = 0", [(record_id,)])
    assert ClubReader().club(store).games == []


def test_only_changed_records_are_read_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder, reader = Recorder(store), ClubReader()
    ids = [recorder.import_record(game(number)) for number in range(3)]
    list(refresh(store))
    reader.club(store)
    requests: list[list[str]] = []
    read = questions.results
    monkeypatch.setattr(questions, "results", lambda store, of: (requests.append([*of]), read(store, of))[1])
    store.append(ids[1], store.version(ids[1]), [Note("tea")])
    reader.club(store)
    assert requests == [[ids[1]]]


def test_what_others_write_while_a_club_is_read_is_read_the_next_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder, reader = Recorder(store), ClubReader()
    ids = [recorder.import_record(game(number)) for number in range(2)]
    list(refresh(store))
    reader.club(store)
    store.append(ids[0], store.version(ids[0]), [Note("tea")])
    for interrupted in ("versions", "unaudited", "results", "mistakes"):
        # Another program writes an event before this question, and its audit after the club is read.
        read = getattr(questions, interrupted)

        def write_before(*asked: Any, read: Any = read) -> Any:
            store.append(ids[1], store.version(ids[1]), [Note("tea")])
            return read(*asked)

        with monkeypatch.context() as patch:
            patch.setattr(questions, interrupted, write_before)
            reader.club(store)
        list(refresh(store))
        assert everything(reader.club(store)) == everything(club_of(store))
        store.append(ids[0], store.version(ids[0]), [Note("tea")])
