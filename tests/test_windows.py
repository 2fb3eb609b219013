r"""What can be tried of Windows without one: paths with drive letters and backslashes, and lines that end in \r\n."""

from pathlib import Path, PureWindowsPath

import pytest

from command_output import outcome_of, run_in
from golden import FIXTURES
from ledger.audit.review import sheet
from ledger.cli import audit_command, ledger_access
from ledger.keep import sources, stored_audits
from ledger.keep.sources import Item
from ledger.record import codec
from ledger.record.errors import NotARecord

BROKEN = FIXTURES / "zigzag" / "take-broken.json"
ARCHIVE, SHEET = r"C:\Domino games\league.ndjson", r"D:friday.sheet"


class WindowsPath(PureWindowsPath):
    """A path on a machine with Windows, which has these two files and no others."""

    def is_file(self) -> bool:
        """Whether it is one of the files."""
        return str(self) in (ARCHIVE, SHEET)

    def exists(self) -> bool:
        """Whether it is there."""
        return self.is_file()


@pytest.fixture
def on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the modules that read names of files see those of Windows."""
    for module in (ledger_access, sources, audit_command):
        monkeypatch.setattr(module, "Path", WindowsPath)


@pytest.mark.usefixtures("on_windows")
@pytest.mark.parametrize("name", [ARCHIVE, f"{ARCHIVE}:3", SHEET, "-"])
def test_a_file_on_a_drive_is_a_file(name: str) -> None:
    assert ledger_access.is_file(name)


@pytest.mark.usefixtures("on_windows")
@pytest.mark.parametrize("name", [r"C:\none.sheet", r"none\7k3m", "E:none.ndjson:3", "none.json"])
def test_a_file_that_is_not_there_is_not_looked_up_as_an_id(name: str) -> None:
    assert not ledger_access.is_file(name)
    assert ledger_access.is_path(name)


@pytest.mark.usefixtures("on_windows")
def test_the_colon_of_a_drive_is_not_that_of_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    records = {name: codec.decode(BROKEN.read_bytes()) for name in (f"{ARCHIVE}:1", f"{ARCHIVE}:2", SHEET)}
    monkeypatch.setattr(
        sources, "items", lambda path: (Item(*one) for one in records.items() if one[0].startswith(path))
    )
    assert sources.pick(f"{ARCHIVE}:2").name == f"{ARCHIVE}:2"
    assert sources.pick(SHEET).name == SHEET
    with pytest.raises(NotARecord, match="no record on line 3"):
        sources.pick(f"{ARCHIVE}:3")
    assert audit_command.is_single(SHEET)
    assert not audit_command.is_single(ARCHIVE)


@pytest.mark.parametrize("name", [ARCHIVE, f"{ARCHIVE}:7", SHEET])
def test_a_fault_in_a_file_on_a_drive_names_the_whole_path(name: str) -> None:
    record = codec.decode(BROKEN.read_bytes().replace(b'"zigzag"', b'"zigzag","edition":"9"', 1))
    error = stored_audits.review(name, record)
    assert isinstance(error, NotARecord)
    assert str(error).startswith(f"{name}: event 0: $.edition: ")


def test_files_with_windows_line_ends_are_read_and_judged_as_others(tmp_path: Path) -> None:
    record = codec.decode(BROKEN.read_bytes())
    texts = {"a.sheet": sheet(record).encode(), "a.json": codec.encode_lines(record)}
    texts["a.ndjson"] = codec.encode(record) + b"\n"
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text)
        expected = run_in(tmp_path, "audit", name)
        (tmp_path / name).write_bytes(text.replace(b"\n", b"\r\n"))
        assert b"\r\n" in (tmp_path / name).read_bytes()
        done = run_in(tmp_path, "audit", name)
        assert (done.returncode, done.stdout, done.stderr) == (1, expected.stdout, "")


def test_lines_that_are_typed_or_piped_on_windows_are_recorded(tmp_path: Path) -> None:
    home = ("--ledger", "club.sqlite")
    run_in(tmp_path, *home, "new", "zigzag", "Ana", "Ben", "Cy")
    typed = "A bids 12\r\nB passes\r\nC passes\r\nnote: Tea.\r\nquit\r\n"
    done = run_in(tmp_path, *home, "record", stdin=typed)
    assert "?" not in done.stderr
    exported = run_in(tmp_path, *home, "export", "--sheet").stdout
    assert "\r" not in exported
    assert [line for line in exported.splitlines() if "A" in line and "bids" in line]
    assert "Tea." in exported


def test_a_log_head_that_went_through_an_editor_of_windows_is_read(tmp_path: Path) -> None:
    home = ("--ledger", str(tmp_path / "club.sqlite"))
    outcome_of(*home, "new", "zigzag", "Ana", "Ben", "Cy")
    head = tmp_path / "friday.head"
    head.write_bytes(outcome_of(*home, "verify")[1].encode().replace(b"\n", b"\r\n"))
    assert outcome_of(*home, "verify", "--against", str(head))[0] == 0
