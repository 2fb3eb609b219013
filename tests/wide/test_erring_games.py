"""People err, in many games: a thumb on the page's own modules, which are not drawn (tests/inside/erring.mjs).

`DOMINO_ERRING_GAMES` says which games of each rule set, by their seeds: `500` those below 500, `20:30` those from 20
on; by default the first two.  `tests/browser/phone/test_erring_thumb.py` does the same in a browser, and slowly.
"""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.play.simulate import simulate
from ledger.record.events import Open
from ledger.stores.beside import Key
from node import NODE, needs_node
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.browser_app import answer
from viewer.phone.recorder_view import recorder_view

SCRIPT = Path(__file__).parents[1] / "inside" / "erring.mjs"
SEEDS = range(*map(int, os.environ.get("DOMINO_ERRING_GAMES", "2").split(":")))
STEPS = 60
GAMES: dict[str, tuple[str, dict[str, Any], str | None]] = {
    "ziggurat": ("ziggurat", {}, None),
    "domino-ziggurat-1.1": ("domino-ziggurat", {}, "1.1"),
    "domino-ziggurat-2": ("domino-ziggurat", {}, "2"),
    "build-up": ("build-up", {}, None),
    "zigzag": ("zigzag", {"hands": 3}, None),
}
SHOWN = (
    "version",
    "link",
    "title",
    "players",
    "form",
    "next",
    "prompts",
    "scene",
    "parts",
    "findings",
    "undo",
    "ended",
)


class Club:
    """The ledger of the games, and the rules of the phone."""

    def __init__(self, opening: Open) -> None:
        self.opening, self.store = opening, TemporaryStore()
        self.client = create_app(self.store.reopen).test_client()
        self.answers: dict[str, Callable[..., dict[str, Any]]] = {
            "begin": self.begin, "ledger": self.ledger, "rules": self.rules, "truth": self.truth,
        }  # fmt: skip

    def begin(self, seed: int) -> dict[str, Any]:
        """Begins a game."""
        key = new_key()
        record_id = Recorder(self.store, find_game=catalog.find).open(self.opening, f"game{seed:06}")
        self.store.put([Key(record_id, key_digest(key))])
        return {"id": record_id, "key": key}

    def ledger(self, path: str, method: str, headers: dict[str, str], body: str) -> dict[str, Any]:
        """The answer to a request."""
        with self.client.open(path, method=method, headers=headers, data=body or None) as response:
            return {"status": response.status_code, "body": response.text}

    def rules(self, name: str, text: str) -> dict[str, Any]:
        """The answer of the rules that the phone has."""
        return {"text": answer(name, text)}

    def truth(self, id: str, entries: list[list[str]], view: dict[str, Any], total: int) -> dict[str, Any]:  # noqa: A002  as a page names it
        """What the page shows, or what was entered, and the ledger does not have; "" for nothing."""
        record = self.store.read(id)
        events: list[dict[str, Any]] = [msgspec.to_builtins(event) for event in record.events[1:]]
        if [[event["type"], event["when"]] for event in events] != entries:
            return {"wrong": f"the ledger has {events}, and {entries} was entered"}
        expected = json.loads(msgspec.json.encode(recorder_view(Review(record, id))))
        moves = [move["seq"] for move in expected["moves"]]
        if total != len(record.events) or [move["seq"] for move in view["moves"]] != moves:
            return {"wrong": f"{total} entries and moves {view['moves']}, not {moves}"}
        wrong = [name for name in SHOWN if view.get(name) != expected.get(name)]
        details = {name: [view.get(name), expected.get(name)] for name in wrong}
        return {"wrong": f"the page and the ledger differ: {json.dumps(details)[:2000]}" if wrong else ""}


ONCE_WRONG = [pytest.param("build-up", range(436, 437), id="build-up: Undo before Yes")]
"""Games in which page and ledger did not agree."""


@needs_node
@pytest.mark.parametrize(("name", "seeds"), [*(pytest.param(name, SEEDS, id=name) for name in GAMES), *ONCE_WRONG])
def test_after_every_slip_page_phone_and_ledger_agree_and_nothing_is_lost_or_doubled(name: str, seeds: range) -> None:
    game, options, edition = GAMES[name]
    club = Club(simulate(catalog.find(game), 1, options, edition=edition).opening)
    command = [str(NODE), str(SCRIPT), str(STEPS), str(seeds.start), str(len(seeds))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            for line in process.stdout:
                question = json.loads(line)
                if (what := question.pop("ask")) == "end":
                    assert not question["wrongs"], "\n\n".join(question["wrongs"])
                    return
                process.stdin.write(json.dumps(club.answers[what](**question)) + "\n")
                process.stdin.flush()
        finally:
            process.kill()  # it would wait for an answer that no longer comes
    raise AssertionError(f"the thumb ended early: {process.returncode}")
