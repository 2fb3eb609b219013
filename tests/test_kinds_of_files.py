"""Each door for files reads the encodings that it promises, and knows what belongs to another door."""

import io
import json
import re
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ledger.cli import cli
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.codec import decode_foreign, encode, encode_lines
from ledger.record.errors import NotARecord
from ledger.stores.query import Query
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore
from viewer.app import create_app

NAMES = "Zoë", "Jörg", "Łucja"
SHEET = f"Game: zigzag\nPlayers: A {NAMES[0]}, B {NAMES[1]}, C {NAMES[2]}\nPlayed: 2026-03-01\n\nA bids 3\n"
TABLE = "day;game;player;score\n" + "".join(f"2026-03-01;zigzag;{name};{n}\n" for n, name in enumerate(NAMES))
RECORD = encode(simulate(catalog.find("zigzag"), 1))
PLAYS = json.dumps(
    {"games": [{"id": 1, "name": "Zigzag"}], "players": [{"id": n, "name": name} for n, name in enumerate(NAMES)],
     "plays": [{"gameRefId": 1, "playDate": "2026-03-01 19:00:00",
                "playerScores": [{"playerRefId": n, "score": f"{n}"} for n in range(3)]}]}
).encode()  # fmt: skip
ZIP = b"PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00"
GOOD = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le-mark", "utf-16-be-mark"]
BAD = ["cp1250", "iso8859-2", "mac_latin2", "cp852"]


def run(folder: Path, *arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(cli, ["--ledger", str(folder / "club.sqlite"), *arguments], input=stdin)


def people(folder: Path) -> set[str]:
    path = folder / "club.sqlite"
    if not path.exists():
        return set()
    with SqliteStore(path) as store:
        return {name for row in store.find(Query()) for _id, name in row.players}


def encoded(text: str, encoding: str) -> bytes:
    if encoding.endswith("-mark"):
        return f"\ufeff{text}".encode(encoding.removesuffix("-mark"))
    return text.encode(encoding, "replace")


@pytest.mark.parametrize("encoding", GOOD)
@pytest.mark.parametrize(("name", "text"), [("a.sheet", SHEET), ("a.txt", SHEET), ("a.csv", TABLE)])
def test_a_command_reads_utf_8_and_utf_16(tmp_path, name: str, text: str, encoding: str) -> None:
    (tmp_path / name).write_bytes(encoded(text, encoding))
    assert run(tmp_path, "import", str(tmp_path / name)).exit_code == 0
    assert people(tmp_path) == set(NAMES)


@pytest.mark.parametrize("encoding", BAD)
@pytest.mark.parametrize(("name", "text"), [("a.sheet", SHEET), ("a.csv", TABLE)])
def test_a_command_refuses_another_encoding_with_the_letter_and_the_cure(
    tmp_path, name: str, text: str, encoding: str
) -> None:
    (tmp_path / name).write_bytes(encoded(text, encoding))
    result = run(tmp_path, "import", str(tmp_path / name))
    assert result.exit_code == 2
    assert re.search(rf"{name}:[23]: column", result.stderr)
    assert "this is not UTF-8 text: if it is meant as" in result.stderr
    assert "save the file as UTF-8" in result.stderr
    assert people(tmp_path) == set()


def bring(store: TemporaryStore, *files: tuple[str, bytes]) -> tuple[int, str]:
    form = {"file": [(io.BytesIO(data), name) for name, data in files], "do": "keep"}
    answer = create_app(store.reopen).test_client().post("/bring", data=form)
    return answer.status_code, unescape(re.sub("[\u2066-\u2069]", "", answer.text))


@pytest.mark.parametrize("encoding", GOOD)
def test_the_page_reads_a_sheet_as_the_command_does(encoding: str) -> None:
    store = TemporaryStore()
    status, _page = bring(store, ("a.sheet", encoded(SHEET, encoding)))
    assert status == 200
    assert {name for row in store.find(Query()) for _id, name in row.players} == set(NAMES)


@pytest.mark.parametrize("encoding", BAD)
def test_the_page_refuses_what_the_command_refuses(encoding: str) -> None:
    store = TemporaryStore()
    status, page = bring(store, ("good.sheet", SHEET.encode()), ("bad.sheet", encoded(SHEET, encoding)))
    assert status == 422
    assert re.search("bad.sheet:[23]: column", page)
    assert "save the file as UTF-8" in page
    assert "\ufffd" not in page
    assert not store.ids()
    assert NAMES[1] in page, "the other sheet is still there"


def test_the_page_says_what_a_spreadsheet_must_be_saved_as() -> None:
    store = TemporaryStore()
    status, page = bring(store, ("results.xlsx", ZIP))
    assert status == 422
    assert "results.xlsx" in page
    assert "this is a spreadsheet in its program's own format: save it as CSV" in page
    assert not store.ids()


@pytest.mark.parametrize("data", [RECORD, encode_lines(decode_foreign(RECORD))])
def test_the_page_takes_a_record_in_json_too(data: bytes) -> None:
    store = TemporaryStore()
    assert bring(store, ("game.json", data))[0] == 200
    assert [store.read(id_) for id_ in store.ids()] == [decode_foreign(RECORD)]
    status, page = bring(store, ("game.json", data.replace(b'"bid"', b'"bit"', 1)))
    assert status == 200
    assert "bit" in page
    assert len(store.ids()) == 1


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("results.csv", TABLE.encode()),
        ("results.txt", TABLE.replace(";", "\t").encode("utf-16")),
        ("backup.json", PLAYS),
    ],
)
def test_the_page_tries_a_table(name: str, data: bytes) -> None:
    store = TemporaryStore()
    status, page = bring(store, (name, data))
    assert status == 200
    assert name in page
    assert "A try: nothing is kept yet" in page
    assert not store.ids()


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        (
            "results.txt",
            TABLE.encode(),
            "this is a table of results: `domino-ledger import` reads a file",
        ),
        ("results", TABLE.replace(";", ",").encode(), "this is a table of results"),
        (
            "backup.txt",
            PLAYS,
            "this is an export of BG Stats: `domino-ledger import`",
        ),
        ("results.xlsx", ZIP, "this is a spreadsheet in its program's own format: save it as CSV"),
        ("results.csv", ZIP, "this is a spreadsheet in its program's own format: save it as CSV"),
        ("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "this is a spreadsheet in its program's own format"),
        ("game.json", b"\xef\xbb\xbf" + RECORD, "it begins with a byte order mark (BOM): save it as UTF-8 without one"),
    ],
)
def test_a_command_says_where_another_kind_of_file_belongs(tmp_path, name: str, data: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(data)
    result = run(tmp_path, "import", str(tmp_path / name))
    assert result.exit_code == 2
    assert words in result.stderr
    assert "did you mean" not in result.stderr
    if not name.endswith(".csv"):
        assert words in run(tmp_path, "import", "-", stdin=data).stderr


def test_a_folder_brings_every_kind(tmp_path) -> None:
    folder = tmp_path / "past"
    folder.mkdir()
    (folder / "a.sheet").write_text(SHEET, "utf-8")
    (folder / "b.csv").write_text(TABLE, "utf-8")
    (folder / "c.json").write_bytes(PLAYS)
    (folder / "d.json").write_bytes(RECORD)
    result = run(tmp_path, "import", str(folder))
    assert result.exit_code == 0, result.stderr
    with SqliteStore(tmp_path / "club.sqlite") as store:
        # The table and the export have the same game.
        assert sorted((row.game, row.card) for row in store.find(Query())) == [("zigzag", False)] * 2 + [
            ("zigzag", True)
        ]
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "0 records imported" in run(tmp_path, "import", str(empty)).stdout


@pytest.mark.parametrize(
    ("once", "twice", "place"),
    [
        ('"game":"zigzag"', '"game":"zigzag","game":"build-up"', "event 0: $.game: 'game' is given twice"),
        ('"bid":12', '"bid":12,\n"bid":14', "event 1: $.bid: 'bid' is given twice"),
        ('"name":"Ana"', '"name":"Ana","name":"Ben"', "event 0: $.players[0].name: 'name' is given twice"),
        ('"events":', '"format":"domino-ledger/1","events":', "$.format: 'format' is given twice"),
    ],
)
def test_a_field_that_is_given_twice_is_refused_by_name_and_place(tmp_path, once: str, twice: str, place: str) -> None:
    opening = '{"type":"open","game":"zigzag","players":[{"id":"a","name":"Ana"}]}'
    text = f'{{"format":"domino-ledger/1","events":[{opening},{{"type":"bid","player":"a","bid":12}}]}}'
    assert encode(decode_foreign(text.encode())) == text.encode()
    text = text.replace(once, twice, 1)
    with pytest.raises(NotARecord):
        decode_foreign(text.encode())
    for name in ("a.json", "a.ndjson"):
        (tmp_path / name).write_text(text.replace("\n", " "))
        result = run(tmp_path, "import", str(tmp_path / name))
        assert result.exit_code == 2
        assert place in result.stderr
    assert people(tmp_path) == set()


def test_a_program_is_refused_a_field_that_it_gives_twice() -> None:
    store = TemporaryStore()
    client = create_app(store.reopen).test_client()
    body = b'{"opening":{"type":"open","game":"zigzag","game":"build-up","players":[{"id":"a"},{"id":"b"}]}}'
    answer = client.post("/api/v1/records", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert "'game' is given twice" in answer.text
    assert not store.ids()
