"""The API compared with its document from outside, with every check of schemathesis: a server, and a stranger.

DOMINO_EXAMPLES says how many examples for each operation; where it is set, all edges of every schema are tried too.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.record.events import Open, Player
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from serving import serving
from viewer.app import create_app
from viewer.phone import recorder_routes

EXAMPLES = os.environ.get("DOMINO_EXAMPLES", "")
SEED = "7"
# A schema does not know the players, and accepts 2.0 as a whole number: a valid request may still be refused.  And an
# id that fits the schema is seldom that of a record: posts go to one that exists.
CONFIG = """
[[operations]]
include-method = "POST"
checks.positive_data_acceptance.enabled = false
parameters = { "path.record_id" = "0" }
"""


def run_schemathesis(home: Path, examples: str, *more: str) -> subprocess.CompletedProcess[str]:
    """What schemathesis, with `more` arguments, says of a server whose ledger has one record; it holds the key."""
    key = new_key()
    with SqliteStore(home / "a.sqlite") as store:
        Recorder(store).open(Open("zigzag", players=tuple(Player(id=name) for name in "012")), "0")
        store.put([Key("0", key_digest(key))])
    (home / "schemathesis.toml").write_text(CONFIG, "utf-8")
    arguments = ["--max-examples", examples, "--seed", SEED, "--no-color", "-H", f"Authorization: Bearer {key}"]
    arguments += more
    with serving(create_app(lambda: SqliteStore(home / "a.sqlite")), threads=4) as address:
        command = [sys.executable, "-m", "schemathesis.cli", "run", f"{address}/api/openapi.json", *arguments]
        return subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)


def test_every_answer_to_a_stranger_is_as_the_document_says(tmp_path: Path) -> None:
    run = run_schemathesis(tmp_path, EXAMPLES or "10", *([] if EXAMPLES else ["--phases", "fuzzing,stateful"]))
    assert run.returncode == 0, run.stdout[-6000:]
    totals = re.search(r"(\d+) generated, (\d+) passed", run.stdout)
    assert totals
    assert int(totals[2]) > 9 * int(EXAMPLES or 10)
    with SqliteStore(tmp_path / "a.sqlite") as store:
        assert store.read("0")
        # A stranger may begin a game by the API: then its players are as many as it is for.
        for record_id in store.ids():
            opening = store.read(record_id).opening
            assert catalog.find(opening.game).seated(opening)


def test_a_server_that_asks_for_no_key_would_be_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder_routes, "holds_key", lambda _record_id: True)
    one = ("--include-path-regex", "/events$", "--max-failures", "1")
    run = run_schemathesis(tmp_path, "1", "--phases", "coverage", *one)
    assert run.returncode == 1
    assert "Authorization" in run.stdout
    assert "POST /api/v1/records/{record_id}/events" in run.stdout.partition("FAILURES")[2]
