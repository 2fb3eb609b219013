"""An audit into a file that is interrupted goes on where it was, and the file has the same bytes in the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from command_output import outcome_of
from golden import CASES
from ledger.bulk.output import Output
from ledger.cli import bulk_audit
from ledger.record import codec


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Some records, read in chunks of a few; the state is saved often."""
    monkeypatch.setattr("ledger.bulk.chunks.MOST", 5000)
    monkeypatch.setitem(Output.__init__.__kwdefaults__, "every", 2000)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.ndjson"
    path.write_bytes(b"".join(codec.encode(codec.decode(case.read_bytes())) + b"\n" for case in CASES[::12]))
    return path


def interrupted(batches: int, *arguments: str) -> tuple[int, str, str]:
    """What a command does that is interrupted after so many batches of results."""

    def stop(done: Iterable[Any], _plan: object) -> Iterator[Any]:
        yield from islice(done, batches)
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bulk_audit, "with_progress", stop)
        return outcome_of("audit", *arguments)


@pytest.mark.parametrize("end", ["ndjson", "ndjson.zst"])
def test_an_interrupted_audit_is_resumed_and_ends_with_the_same_bytes(archive: Path, end: str) -> None:
    total = outcome_of("audit", "a.ndjson", "-o", f"whole.{end}")
    assert total[0] == 1
    stopped = interrupted(4, "a.ndjson", "-o", f"parts.{end}")
    assert stopped == (130, "", f"parts.{end} is not complete yet: continue with --resume\n\n")
    assert not Path(f"parts.{end}").exists()
    assert 0 < Path(f"parts.{end}.part").stat().st_size < Path(f"whole.{end}").stat().st_size
    with Path(f"parts.{end}.part").open("ab") as part:
        part.write(b"what the disk got after the last saved state")
    refused = outcome_of("audit", "a.ndjson", "-o", f"parts.{end}")
    assert refused[0] == 2
    assert f"parts.{end}.part is from an interrupted audit: continue with --resume, or delete it" in refused[2]
    (archive.parent / "b.ndjson").write_bytes(archive.read_bytes())
    refused = outcome_of("audit", "b.ndjson", "-o", f"parts.{end}", "--resume")
    assert refused[0] == 2
    assert f"parts.{end}.part is from another input or program version: delete it to start over" in refused[2]
    interrupted(2, "a.ndjson", "-o", f"parts.{end}", "--resume")
    assert outcome_of("audit", "a.ndjson", "-o", f"parts.{end}", "--resume") == total
    with codec.open_bytes(Path(f"parts.{end}")) as parts, codec.open_bytes(Path(f"whole.{end}")) as whole:
        assert list(parts) == list(whole)
    assert sorted(path.name for path in archive.parent.iterdir()) == sorted(
        ["a.ndjson", "b.ndjson", f"parts.{end}", f"whole.{end}"]
    )


@pytest.mark.usefixtures("archive")
def test_resuming_what_was_never_begun_is_a_whole_audit() -> None:
    total = outcome_of("audit", "a.ndjson", "-o", "whole.ndjson")
    assert outcome_of("audit", "a.ndjson", "-o", "new.ndjson", "--resume") == total
    assert Path("new.ndjson").read_bytes() == Path("whole.ndjson").read_bytes()
