"""Input as a user names it: a file, a folder, an id or text."""

import tracemalloc
from typing import IO

import pytest

from golden import CASES
from ledger import notation
from ledger.keep.sources import TextChunk, items, parse, pick, read, text_chunks
from ledger.proof.manifest import check_archive
from ledger.record import codec
from ledger.record.errors import NotARecord
from ledger.record.record import Record

CASE = CASES[3]
RECORD = codec.decode(CASE.read_bytes())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", codec.encode_lines(RECORD)),
        ("a.json", codec.encode(RECORD)),
        ("a.ndjson", codec.encode(RECORD) + b"\n"),
        ("a.sheet", notation.write(RECORD).encode()),
        ("anything", codec.encode(RECORD)),
        ("anything", b"\xef\xbb\xbf" + notation.write(RECORD).encode()),
        ("a.json", b"\n\n" + codec.encode_lines(RECORD)),
    ],
)
def test_the_kind_follows_from_the_text(name: str, text: bytes, tmp_path) -> None:
    (tmp_path / name).write_bytes(text)
    (item,) = items(str(tmp_path / name))
    assert isinstance(item.result, Record)
    assert item.result.opening == RECORD.opening
    assert item.name.startswith(str(tmp_path / name))


def test_a_folder_is_read_without_the_goldens_beside_the_records() -> None:
    results = [item.result for item in items(str(CASE.parent))]
    assert len(results) == sum(path.parent == CASE.parent for path in CASES)
    assert all(isinstance(result, Record) for result in results)


@pytest.mark.parametrize("text", [b"", b"\n \n", b"\xff\xfe\x00", b"{", b"[1]", b"Game: zigzag"])
def test_an_invalid_record_is_an_error_that_names_the_file(text: bytes, tmp_path) -> None:
    (tmp_path / "a").write_bytes(text)
    (item,) = items(str(tmp_path / "a"))
    assert isinstance(item.result, NotARecord)
    assert str(item.result).startswith(str(tmp_path / "a"))


def test_a_compressed_archive_that_is_cut_off_gives_what_it_has_and_says_so(tmp_path) -> None:
    whole, cut, invalid = (tmp_path / f"{name}.ndjson.zst" for name in ("whole", "cut", "none"))
    with codec.open_bytes(whole, "wb") as out:
        out.writelines(codec.encode(codec.decode(path.read_bytes())) + b"\n" for path in CASES[:60])
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    invalid.write_bytes(b"not compressed at all")
    for path in (cut, invalid):
        *before, last = items(str(path))
        assert all(isinstance(item.result, Record) for item in before)
        assert isinstance(last.result, NotARecord)
        assert "damaged or cut off" in str(last.result)


def test_a_missing_file_is_an_error_of_the_system(tmp_path) -> None:
    with pytest.raises(FileNotFoundError):
        list(items(str(tmp_path / "nothing")))


def test_one_record_of_several_is_named_by_its_line(tmp_path) -> None:
    archive = tmp_path / "b.ndjson"
    archive.write_bytes(codec.encode(RECORD) + b"\nnonsense\n" + codec.encode(RECORD) + b"\n")
    assert pick(f"{archive}:3").result == RECORD
    assert isinstance(pick(f"{archive}:2").result, NotARecord)
    with pytest.raises(NotARecord, match="several records"):
        pick(str(archive))
    assert isinstance(parse(b"nonsense", "x"), NotARecord)


def test_a_file_in_chunks_has_the_same_records(tmp_path) -> None:
    text = b"\n \n" + b"".join(codec.encode(codec.decode(path.read_bytes())) + b"\n" for path in CASES[:40]) + b"x\n\ny"
    plain, packed = tmp_path / "a.ndjson", tmp_path / "b.ndjson.zst"
    plain.write_bytes(text)
    with codec.open_bytes(packed, "wb") as out:
        out.write(text)
    for path in (plain, packed):
        whole = list(items(str(path)))
        assert whole[0].name == f"{path}:3"
        assert len(whole) == 42
        chunks = [chunk for chunk in text_chunks(str(path), 20_000) if isinstance(chunk, TextChunk)]
        assert 3 < len(chunks) < 40
        assert [item.name for chunk in chunks for item in read(chunk)] == [item.name for item in whole]


@pytest.mark.every(5)
@pytest.mark.parametrize("name", ["a.ndjson.zst", "a.json.zst", "a.sheet.zst", "a.zst"])
@pytest.mark.parametrize("character", [b" ", b"a", b"{", b"["])
def test_a_small_file_that_unpacks_to_one_huge_line_takes_little_memory(tmp_path, name: str, character: bytes) -> None:
    path, good = tmp_path / name, codec.encode(RECORD)
    with codec.open_bytes(path, "wb") as out:
        out.write(good + b"\n" if "ndjson" in name else b"")
        for _ in range(80):
            out.write(character * 1_000_000)
        out.write(b"\n" + good + b"\n")
    assert path.stat().st_size < 100_000
    tracemalloc.start()
    results = [item.result for item in items(str(path))]
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 60_000_000
    refused = [result for result in results if isinstance(result, NotARecord)]
    if character == b" ":
        assert refused == [] or "ndjson" not in name
    else:
        assert "longer than 16 MB" in str(refused[0])
    if "ndjson" in name:
        assert [result for result in results if isinstance(result, Record)] == [RECORD, RECORD]
        assert [item.name for item in items(str(path))][-1] == f"{path}:3"
        checked = list(check_archive(path))
        assert [line.record is None for line in checked] == [False, character != b" ", False][
            :: 2 if character == b" " else 1
        ]


BLANK = 50_000
"""So many empty lines are too many here, of a million, so that the tests are quick."""


@pytest.mark.parametrize(
    "before",
    [b"", codec.encode(RECORD) + b"\n", (codec.encode(RECORD) + b"\n" * (BLANK * 9 // 10)) * 3],
    ids=["none", "one", "few"],
)
@pytest.mark.parametrize("blank", [b"\n", b"  \n"], ids=["empty", "spaces"])
def test_an_archive_of_empty_lines_is_not_read_to_its_end(tmp_path, before: bytes, blank: bytes, monkeypatch) -> None:
    monkeypatch.setattr(codec, "MOST_BLANK", BLANK)
    path = tmp_path / "bomb.ndjson.zst"
    with codec.open_bytes(path, "wb") as out:
        out.write(before)
        for _ in range(30):
            out.write(blank * BLANK)
    with path.open("rb") as raw, codec.unpacked(raw, path) as stream:
        lines = CountedLines(stream)
        with pytest.raises(NotARecord, match="empty lines"):
            list(codec.read_lines(lines))  # type: ignore[arg-type]  # it reads lines as a stream does
        assert lines.bytes < 10 * BLANK + len(before)
    *records, last = items(str(path))
    assert all(item.result == RECORD for item in records)
    assert "it has more than 1,000,000 empty lines, and was not read further" in str(last.result)
    assert any("empty lines" in corruption.reason for line in check_archive(path) for corruption in line.corruptions)


class CountedLines:
    """A stream that counts the bytes of the lines that were read from it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self.bytes = stream, 0

    def readline(self, most: int) -> bytes:
        line = self._stream.readline(most)
        self.bytes += len(line)
        return line
