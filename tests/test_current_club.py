"""In every store, what a server answers about its club after each change equals what is worked out anew."""

from typing import Any

import pytest

from ledger.club import ratings
from ledger.club.load import club_of
from ledger.club.people import Club, everybody
from ledger.club.profile import profile
from ledger.club.standings import events
from ledger.club.statistics import kinds, statistics
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.keep.stored_audits import explain_stored, refresh
from ledger.play.simulate import simulate
from ledger.record.chain import NO_NAMES
from ledger.record.events import Note, Open, Play, Player, Result, Retract
from ledger.record.record import Record
from ledger.stores import questions
from ledger.stores.beside import Alias, Named
from ledger.stores.store import SqliteStore
from sheets import PLAYERS
from viewer.app import create_app
from viewer.club.current_club import current_club
from viewer.server.context import Ledgers, Served
from viewer.server.kept import Kept

GAMES = ("zigzag", "ziggurat")


def everything(club: Club) -> list[Any]:
    """What the pages of a club show."""
    return [
        everybody(club),
        [profile(club, key) for key in club.people.shown],
        [statistics(club, game) for game in GAMES],
        ratings.ladders(club),
        kinds(club),
        events(club),
        club.games(),
    ]


class Server:
    """The club of a ledger's server."""

    def __init__(self) -> None:
        self._kept = Kept()

    def club(self, store: SqliteStore) -> Club:
        """The club as the server sees it now."""
        app = create_app(lambda: store)
        app.extensions["served"] = Served(Ledgers(lambda: store), self._kept)
        with app.app_context():
            return current_club()


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


@pytest.fixture(autouse=True)
def few_games_make_a_rating(monkeypatch) -> None:
    """The games of these tests are few."""
    monkeypatch.setattr(ratings, "LEAST", 1)


def test_what_a_server_answers_equals_what_is_worked_out_anew(store: SqliteStore) -> None:
    server, recorder = Server(), Recorder(store)

    def check() -> Club:
        assert everything(server.club(store)) == everything(club_of(store))
        return server.club(store)

    assert check().games() == []
    ids = [recorder.import_record(game(number)) for number in range(4)]
    assert not any(played.finished for played in check().games())
    list(refresh(store))
    before = check().games()
    assert sum(played.mistakes > 0 for played in before) == 2
    # A correction of the oldest game: first without an audit, then with another.
    version = store.version(ids[1])
    last = max(seq for seq, event in store.events(ids[1]) if type(event) is Play)
    store.append(ids[1], version, [Retract(last, why="a slip")])
    assert sum(played.finished for played in check().games()) == 3
    list(refresh(store))
    assert sum(played.mistakes > 0 for played in check().games()) == 3
    # Causes are found for what is wrong.
    assert len(list(explain_stored(store, 9))) == 3
    check()
    # New games, of today and of another day, in an event.
    for day in ("2020-05-01", None):
        recorder.open(Open("ziggurat", players=PLAYERS[:2], played=day, event="Cup"))
        check()
    # A name is erased, another one is an alias.
    erased = before[0]
    store.put([Named(erased.record, 0, NO_NAMES)])
    assert erased.seats[0].name not in {seat.name for seat in check().games("record = ?", (erased.record,))[0].seats}
    store.put([Alias("Ana", "Ben")])
    assert check().people.key("ana") == "ben"
    store.drop([Alias("Ana", "Ben")])
    assert check().people.key("ana") == "ana"
    store.rebuild()
    assert not any(played.mistakes for played in check().games())
    list(refresh(store))
    assert sum(played.mistakes > 0 for played in check().games()) == 3


def test_a_ledger_that_was_put_in_the_place_of_another_is_read_anew(tmp_path) -> None:
    server = Server()
    for numbers in ((1, 3), (7, 5, 9)):
        with SqliteStore(tmp_path / f"{len(numbers)}.sqlite") as store:
            recorder = Recorder(store)
            for number in numbers:
                recorder.import_record(game(number))
            list(refresh(store))
            assert everything(server.club(store)) == everything(club_of(store))


def test_a_row_that_repair_mends_is_read_again(store: SqliteStore) -> None:
    if not isinstance(store, SqliteStore):
        pytest.skip("nothing damages a list in memory")
    record_id = Recorder(store).import_record(game(1))
    list(refresh(store))
    with store.connection.writing():
        store.connection.many("UPDATE result SET score = 99 WHERE seat = ?", [(0,)])
    server = Server()
    assert server.club(store).games()[0].seats[0].score == 99
    store.rebuild()
    list(refresh(store))
    assert everything(server.club(store)) == everything(club_of(store))
    assert server.club(store).games()[0].seats[0].score != 99
    with store.connection.writing():
        store.connection.many("DELETE FROM result WHERE record = ? AND seat = 0", [(record_id,)])
    assert club_of(store).games() == []
    everything(club_of(store))  # it lacks the row, and nothing breaks


def test_what_others_write_while_a_question_is_answered_counts_the_next_time(store: SqliteStore, monkeypatch) -> None:
    server, recorder = Server(), Recorder(store)
    ids = [recorder.import_record(game(number)) for number in range(2)]
    list(refresh(store))
    state = questions.seen

    def write_after(asked: SqliteStore) -> questions.Seen:
        before = state(asked)
        store.append(ids[1], store.version(ids[1]), [Note("tea")])
        return before

    with monkeypatch.context() as patch:
        patch.setattr(questions, "seen", write_after)
        assert not all(played.finished for played in server.club(store).games())
    list(refresh(store))
    assert everything(server.club(store)) == everything(club_of(store))
    # Somebody joins between the list of people and a question about their games.
    club = server.club(store)
    recorder.open(Open("ziggurat", players=(Player(id="z", name="Zoe"), PLAYERS[0]), event="Cup"))
    assert club.games("event = ?", ("Cup",))[0].seats[0].name == "Zoe"
    everything(club)
