"""After any series of changes, every store answers each query like plain Python."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from golden import CASES
from ledger.audit.review import Review
from ledger.cli.list_commands import _cells
from ledger.cli.terminal import paragraph, table, wrapped
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.keep.stored_audits import audit_of, refresh
from ledger.play.simulate import simulate
from ledger.record import clock, codec
from ledger.record.codec import check
from ledger.record.events import MOVES, Amend, Note, Stack
from ledger.record.visible import without_isolates
from ledger.stores import open_ledger, questions
from ledger.stores.query import Query, Row, searchable
from ledger.stores.record_list import row_of
from ledger.stores.store import SqliteStore
from sheets import GAMES

NAMES = ("Ana", "Änne", "O'Neil", 'B"en', "李", "ben smith")
SAMPLE = CASES[::6]
QUERIES = GAMES * 13
PLACES = (None, "the kitchen", "Café Ö", "club")


def fits(row: Row, query: Query) -> bool:
    """Whether a query finds this row."""
    audit, played = row.audit, row.played
    people = "\n".join(name for _id, name in row.players)
    return (
        query.game in (None, row.game)
        and all(word in searchable(people) for word in searchable(query.player or "").split())
        and query.closed in (None, row.closed)
        and (query.place is None or searchable(query.place) in searchable(row.place or ""))
        and (query.since is None or (played is not None and played >= query.since))
        and (query.until is None or (played is not None and played <= query.until))
        and (query.verdict is None or (audit is not None and audit.verdict == query.verdict))
        and (query.clause is None or (audit is not None and query.clause in audit.clauses))
    )


def test_any_query_finds_the_same_as_plain_python(tmp_path: Path) -> None:
    random = Random(20261121)
    listed: list[Row] = []
    with open_ledger(str(tmp_path / "a.sqlite")) as database:
        for n, path in enumerate(SAMPLE):
            record = codec.decode(path.read_bytes())
            opening = record.opening
            players = tuple(replace(player, name=random.choice(NAMES)) for player in opening.players)
            played = random.choice((None, f"2026-1{random.randrange(3)}-{random.randrange(10, 28)}"))
            changed = replace(opening, players=players, place=random.choice(PLACES), played=played)
            record = check((changed, *record.events[1:]))
            Recorder(database).import_record(record, f"r{n}")
            listed.append(replace(row_of(f"r{n}", record), audit=audit_of(f"r{n}", record).summary))
        assert len(list(refresh(database))) == len(SAMPLE)
        row_count = 0
        for _ in range(QUERIES):
            query = Query(
                game=random.choice((None, None, "zigzag", "build-up", "none")),
                player=random.choice(
                    (
                        None,
                        "an",
                        "ana",
                        "ÄNNE",
                        'b"e',
                        "o'n",
                        "李",
                        "smith",
                        "nobody",
                        "*",
                        "ana OR ben",
                        "ben an",
                        "  smith   ben ",
                        "a%",
                        "_na",
                        "!",
                    )
                ),
                place=random.choice((None, None, None, "kitchen", "fé", "CAFÉ", "cl")),
                since=random.choice((None, None, "2026-11-01")),
                until=random.choice((None, None, "2026-11-30")),
                verdict=random.choice((None, None, "clean", "breach", "impossible")),
                clause=random.choice((None, None, "tiles.once", "zigzag.take")),
                closed=random.choice((None, None, None, True, False)),
                order=random.choice(("opened", "played")),
                reverse=random.random() < 0.5,
                limit=random.choice((None, 1, 5)),
                offset=random.choice((0, 0, 2)),
            )
            rows, expected = database.find(query), [row for row in listed if fits(row, query)]
            assert database.count_records(query) == len(expected)
            if query.order == "played":
                expected.sort(key=lambda row: row.played or "")
            expected = expected if query.reverse else expected[::-1]
            if query.order == "played":
                expected.sort(key=lambda row: clock.is_ahead(row.played))
            expected = expected[query.offset :][: query.limit]
            assert [row.id for row in rows] == [row.id for row in expected], query
            assert rows == expected
            row_count += len(rows)
        assert row_count > QUERIES / 4


def test_the_list_shows_how_a_game_stands(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as store:
        recorder = Recorder(store)
        record = simulate(catalog.find("build-up"), 5)
        cut = next(n for n, event in enumerate(record.events) if isinstance(event, Stack)) + 3
        name = recorder.import_record(check(record.events[:cut]), "begun")
        ended = recorder.import_record(simulate(catalog.find("zigzag"), 3, {"hands": 2}), "ended")
        assert len(list(refresh(store))) == 2
        audits = {row.id: row.audit for row in store.find(Query())}
        first, second = audits[name], audits[ended]
        assert first is not None
        assert second is not None
        review = Review(store.read(name))
        turn = [seat.turn for seat in review.scene().seats]
        assert first.turn == tuple(player for player, acts in zip(review.opening.players, turn, strict=True) if acts)
        assert (len(first.turn), first.hands, first.finished) == (1, 1, False)
        assert first.scores == review.standing().scores
        assert first.moves == sum(type(event) in MOVES for event in record.events[:cut])
        assert (second.turn, second.hands, second.finished, second.mistakes) == ((), 2, True, 0)
        assert max(second.scores) == second.scores[Review(store.read(ended)).opening.seat(second.winners[0])]


def test_on_a_terminal_a_list_has_first_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    players = tuple((f"p{n}", name) for n, name in enumerate(("Ana Lindqvist", "علي الفيتوري", "Cy", "Dee", "Eli")))
    row = Row(id="a", game="build-up", edition=None, played=None, place=None, players=players, events=7, closed=True)
    assert _cells(row, short=True)[3] == "Ana, \u2068علي\u2069, Cy +2"
    assert _cells(row)[3].count(",") == 4
    names = ("Maximiliana-Theodora von Hohenstein", "Renée", "陈静怡")
    long = replace(row, players=tuple((name, name) for name in names))
    assert without_isolates(_cells(long, short=True)[3]) == "Maximiliana-The…, Renée, 陈静怡"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")
    table(("record", "game", "players"), [("a", "domino-ziggurat 1.1", "x " * 90)])
    assert "domino-ziggurat" in capsys.readouterr().out


def test_a_record_whose_name_was_amended_is_found_by_the_new_one_alone(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as store:
        recorder = Recorder(store)
        name = recorder.import_record(codec.decode(CASES[0].read_bytes()))
        opening = store.read(name).opening
        first, *others = opening.players
        opening = replace(opening, players=(replace(first, name="Zoë"), *others))
        recorder.correct(name, Amend(0, opening, "a misspelt name"))
        assert [row.id for row in store.find(Query(player="zoë"))] == [name]
        assert store.find(Query(player=first.name)) == [] or first.id in first.name.lower()
        store.rebuild()
        assert [row.id for row in store.find(Query(player="zoë"))] == [name]


def test_records_that_wait_for_an_audit_are_found_without_reading_the_others(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as store:
        recorder = Recorder(store)
        names = [recorder.import_record(codec.decode(path.read_bytes())) for path in CASES[:6]]
        assert questions.unaudited(store) == tuple(names)
        assert len(list(refresh(store))) == 6
        assert questions.unaudited(store) == ()
        store.append(names[2], store.version(names[2]), [Note("tea")])
        assert questions.unaudited(store) == (names[2],)
        plan = store.rows("EXPLAIN QUERY PLAN SELECT id FROM record WHERE audited = 0 ORDER BY opened")
        assert ["record_waiting" in str(step) for step in plan] == [True]


def test_a_narrow_terminal_shows_a_table_as_blocks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [("7k3m", "zigzag", "Ana, Benedikt, Maximiliana and Theodora of the harbour"), ("7k3n", "", "Cy")]
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    blocks = (
        "7k3m\n    game: zigzag\n    players: Ana, Benedikt, Maximiliana\n    and Theodora of the harbour\n"
        "7k3n\n    players: Cy\n"
    )
    for columns, shown in (("40", blocks), ("63", None), ("64", None)):
        monkeypatch.setenv("COLUMNS", columns)
        table(("record", "game", "players"), rows)
        out = capsys.readouterr().out
        assert out == shown or shown is None
        assert out.startswith("7k3m\n") == (columns != "64")


def test_a_paragraph_is_wrapped_only_on_a_terminal_and_never_wider_than_100_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "a word " * 40
    paragraph(text.strip(), "  ")
    assert capsys.readouterr().out == f"  {text.strip()}\n"
    assert list(wrapped(["  " + text.strip()])) == ["  " + text.strip()]
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    for columns, widest in (("200", 100), ("50", 50)):
        monkeypatch.setenv("COLUMNS", columns)
        paragraph(text.strip(), "  ")
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) in range(widest - 7, widest + 1)
        assert all(line.startswith("  ") for line in lines)
        assert " ".join(" ".join(lines).split()) == text.strip()
    assert list(wrapped(["short", "  " + "x " * 30])) == ["short", "  " + "x " * 23 + "x", "    " + "x " * 5 + "x"]
    paragraph(text.strip())
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert not first.startswith(" ")
    assert second.startswith(("  a", "  w"))


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Łukasz", "lukasz"), ("Søren", "soren"), ("Đorđe", "dorde"), ("Guðrún", "gudrun"), ("Þór", "thor"),
        ("Næss", "naess"), ("Cœur", "coeur"), ("I\u015f\u0131k", "isik"), ("José", "jose"), ("Strauß", "strauss"),
        ("A\0b", "a\ufffdb"),
    ],
)  # fmt: skip
def test_a_name_is_found_as_people_type_it_without_its_accents(name: str, typed: str) -> None:
    assert searchable(name) == searchable(typed) == typed
