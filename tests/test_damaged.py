"""A damaged ledger: whichever bit is wrong, users get a sentence, and the undamaged parts can still be used."""

import os
import re
from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from golden import FIXTURES
from ledger.cli import cli
from ledger.keep.recorder import Recorder
from ledger.keep.sources import items
from ledger.record.errors import LedgerError
from ledger.record.events import Open, Player
from ledger.stores.store import SqliteStore
from viewer.app import create_app

FLIPS = int(os.environ.get("DOMINO_FLIPS", "60")) // 4
SEED = 6


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A ledger of some fixtures, read once, so that its derived tables are complete."""
    path = tmp_path / "a.sqlite"
    with SqliteStore(path) as store:
        recorder = Recorder(store)
        for item in islice(items(str(FIXTURES / "build-up")), 0, None, 3):
            recorder.import_record(item.result)  # type: ignore[arg-type]  # fixtures are records
    assert CliRunner().invoke(cli, ["--ledger", str(path), "list"]).exit_code == 0
    return path


@pytest.mark.usefixtures("compiled")
def test_no_flipped_bit_shows_anybody_a_traceback(ledger: Path, tmp_path: Path) -> None:
    random, whole = Random(SEED), ledger.read_bytes()
    with SqliteStore(ledger) as store:
        name = random.choice(list(store.ids()))
    outcomes: Counter[str] = Counter()
    for number in range(FLIPS):
        at = random.randrange(100, len(whole))
        broken = tmp_path / f"{number}.sqlite"
        broken.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << random.randrange(8)]) + whole[at + 1 :])
        for command in (["list"], ["audit", "--json"], ["verify"], ["show", name], ["export"], ["list", "--game", "x"]):
            result = CliRunner().invoke(cli, ["--ledger", str(broken), *command])
            assert isinstance(result.exception, SystemExit | None), (at, command, result.exception)
            outcomes[f"{command[0]} {result.exit_code}"] += 1
        try:
            store = SqliteStore(broken)
        except LedgerError:
            continue
        with store:
            client = create_app(lambda store=store: store).test_client()  # type: ignore[misc]
            for page in (
                "/",
                f"/g/{name}",
                f"/api/v1/records/{name}/report",
                f"/api/v1/records/{name}/screen",
                "/api/v1/records",
            ):
                status = client.get(page).status_code
                assert status in (200, 404, 422, 503), (at, page)
                outcomes[f"{page[:3]} {status}"] += 1
    # Most bits belong to events, and damage to one record does not affect the others.
    assert outcomes["verify 1"] > FLIPS / 4, outcomes
    assert outcomes["list 0"] > FLIPS / 2, outcomes


def test_one_damaged_record_is_reported_and_the_others_are_audited(ledger: Path) -> None:
    text = ledger.read_bytes()
    at = text.index(b'"type":"stack","player":"') + len(b'"type":"stack","player":"')
    ledger.write_bytes(text[:at] + b"\x7f" + text[at + 1 :])
    listing = CliRunner().invoke(cli, ["--ledger", str(ledger), "list"])
    assert listing.exit_code == 0
    audit = CliRunner().invoke(cli, ["--ledger", str(ledger), "audit"])
    assert audit.exit_code == 2
    assert audit.stderr.count("Error: record ") == 1
    assert "does not follow from the one before it: it was changed" in audit.stderr


def test_a_schema_that_not_even_sqlite_can_quote_is_no_traceback(ledger: Path, tmp_path: Path) -> None:
    whole = ledger.read_bytes()
    starts = [match.end() for match in re.finditer(rb"CREATE (TABLE|INDEX|TRIGGER|VIEW)", whole)]
    refused = 0
    for at in starts:
        broken = tmp_path / f"{at}.sqlite"
        broken.write_bytes(whole[:at] + b"\xa8" + whole[at + 1 :])
        for command in (["list"], ["verify"], ["export"], ["repair"], ["backup", str(tmp_path / f"{at}.copy")]):
            result = CliRunner().invoke(cli, ["--ledger", str(broken), *command])
            assert isinstance(result.exception, SystemExit | None), (at, command, result.exception)
            refused += bool(result.exit_code)
    assert refused > len(starts)


def test_a_list_of_ids_that_cannot_be_read_is_no_500(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(_start: str = "") -> list[str]:
        raise LedgerError("the ledger is damaged: database disk image is malformed")

    with SqliteStore(ledger) as store:
        monkeypatch.setattr(store, "ids", unreadable)
        client = create_app(lambda: store).test_client()
        # The page looks for records whose id begins with these words.
        answer = client.get("/?q=0000000000")
        assert answer.status_code == 503
        assert "The ledger cannot do that now" in answer.text


@pytest.mark.parametrize("left", [100, 5000, -4096])
def test_a_file_that_was_cut_off_says_what_to_do(tmp_path: Path, left: int) -> None:
    path = tmp_path / "cut.sqlite"
    with SqliteStore(path) as store:
        store.append("r", 0, [Open("zigzag", players=tuple(Player(id=name) for name in "abc"))])
    path.write_bytes(path.read_bytes()[:left])
    for words in ("list", "verify", "export", "repair"):
        result = CliRunner().invoke(cli, ["--ledger", str(path), words])
        assert (result.exit_code, "cut off or is too damaged to be read. Keep it" in result.stderr) == (3, True), words
    restored = CliRunner().invoke(cli, ["--ledger", str(tmp_path / "new.sqlite"), "restore", str(path)])
    assert "cut off or is too damaged" in restored.stderr
    assert not (tmp_path / "new.sqlite").exists()
