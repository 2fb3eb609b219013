"""What the commands print, word for word, over the season of the made-up club: the transcripts in `tests/printed/`.

A transcript has each command after ``$ ``, then its output, then its exit status if that is not 0.
`pytest tests/test_printed.py --golden-update` writes what the commands print now: read the diff.
"""

import re
import sys
import time
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from random import Random
from shlex import split

import pytest
from click.testing import CliRunner

from ledger.cli import cli
from ledger.examples.season import cards, season
from ledger.keep.recorder import Recorder
from ledger.keep.stored_audits import refresh
from ledger.stores.store import SqliteStore

TRANSCRIPTS = sorted((Path(__file__).parent / "printed").glob("*.txt"))
FILES = {
    "scores.csv": "day,game,player,score\n2026-11-20,zigzag,Ana,101\n"
    "2026-11-20,zigzag,Ben,71\n2026-11-20,zigzag,Cy,88\n",
    "no-names.csv": "a,b\n1,2\n",
    "bad.json": "{}",
    "late.sheet": "Game: zigzag\nPlayers: Ana, Ben, Cy\n\nAna flies 0-1\nAna 9-12\n",
    "names.csv": "Datum;Wer;Punkte\n04.03.2025;Ana Lind;41\n04.03.2025;Ana  Lind;60\n05.03.2025;Ana Lindt;x\n",
}
"""What the folder of the commands has beside the ledger."""


@pytest.fixture(scope="module", autouse=True)
def at_one_place() -> Iterator[None]:
    """The times of day are those of one place, and lines as wide as on a plain terminal, wherever the tests run."""
    if sys.platform == "win32":
        pytest.skip("a process cannot choose its time zone here")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        patch.setenv("COLUMNS", "80")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture(scope="module")
def season_ledger(tmp_path_factory) -> bytes:
    """The bytes of a ledger with the whole season, audited."""
    path = tmp_path_factory.mktemp("season") / "club.sqlite"
    with SqliteStore(path) as store:
        for example in (*cards(), *season()):
            Recorder(store).import_record(example.record, example.id)
        for _ in refresh(store):
            pass
    return path.read_bytes()


@pytest.fixture
def folder(tmp_path, season_ledger: bytes, monkeypatch) -> Iterator[Path]:
    """A folder with that ledger and some files.  New ids are the same each time, and so is the time of day."""
    (tmp_path / "club.sqlite").write_bytes(season_ledger)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setenv("DOMINO_LEDGER", "club.sqlite")
    monkeypatch.setattr("secrets.choice", Random(7).choice)
    with chdir(tmp_path):
        yield tmp_path


def commands_of(transcript: str) -> list[str]:
    return re.findall(r"^\$ domino-ledger(.*)$", transcript, re.MULTILINE)


def printed(command: str) -> str:
    """The part of a transcript with this command, as it runs now."""
    typed, _, stdin = command.partition(" <<< ")
    result = CliRunner().invoke(
        cli, split(typed), prog_name="domino-ledger", input="".join(f"{line}\n" for line in split(stdin))
    )
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    output = re.sub(r"[ ]+$", "", result.output, flags=re.MULTILINE)
    status = f"→ {result.exit_code}\n" if result.exit_code else ""
    return f"$ domino-ledger{command}\n{output}{status}\n"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: path.stem)
def test_the_commands_print_what_the_transcript_says(transcript: Path, golden_update: bool) -> None:
    text = transcript.read_text("utf-8")
    now = "".join(map(printed, commands_of(text)))
    if golden_update:
        transcript.write_text(now, "utf-8")
    assert transcript.read_text("utf-8") == now
