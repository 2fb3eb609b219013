"""What might have been after a move: a record of its own, which is judged and replayed, and counts nowhere."""

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient
from msgspec.structs import replace

from ledger.cli import cli
from ledger.games import catalog
from ledger.keep.importing import Importer
from ledger.play.simulate import simulate
from ledger.record import chain, codec
from ledger.record.branches import branch_of, check_branch
from ledger.record.errors import NotARecord, NotForNow
from ledger.record.events import Close, Confirm, Note, Retract
from ledger.record.record import Branch, Record, effective
from ledger.stores.store import SqliteStore
from soup import correction
from temporary import TemporaryStore
from viewer.app import create_app

GAMES = ("ziggurat", "domino-ziggurat", "build-up", "zigzag")
GAME = simulate(catalog.find("zigzag"), 7)
BRANCH = branch_of(GAME, 17, "k3n9x0a2bc")
WHY = "this is a what-if: its end never happened, so it is in no ledger, list or count"


def link_at(record: Record, seq: int) -> str:
    return chain.links(map(chain.chained_bytes, record.events))[seq].hex()


@pytest.mark.parametrize("game", GAMES)
def test_a_branch_begins_like_the_game_and_has_its_link(game: str) -> None:
    record = simulate(catalog.find(game), 3)
    branch = branch_of(record, 17, "k3n9x0a2bc")
    assert branch.events == record.events[:18]
    assert branch.branch == Branch("k3n9x0a2bc", 17, link_at(record, 17))
    assert check_branch(branch) is branch
    longer = Record((*branch.events, Note("else")), branch.branch)
    again = branch_of(longer, 18)
    assert (again.events, again.branch) == (longer.events, Branch("", 18, link_at(longer, 18)))


@pytest.mark.parametrize("seed", range(40))
def test_the_table_is_that_of_the_replay_after_any_corrections(seed: int) -> None:
    random = Random(seed)
    events = list(simulate(catalog.find(GAMES[seed % 4]), seed).events[:30])
    players = [player.id for player in GAME.opening.players]
    for _ in range(random.randint(1, 12)):
        after = random.randint(20, len(events))
        events.insert(after, correction(after, (Note,), players, random))
    record = codec.check(event for event in events if not isinstance(event, Close))
    shown = effective(record.events)
    for place, entry in enumerate(shown.entries):
        branch = branch_of(record, entry.seq)
        assert branch.branch is not None
        count = branch.branch.seq + 1
        assert branch.events[:count] == record.events[:count]
        assert effective(branch.events).events == shown.events[: place + 1]
        assert check_branch(codec.decode(codec.encode(branch))) == branch


def test_a_game_that_is_closed_branches_off_before_that() -> None:
    over = (*GAME.events[:20], Close("finished"), Note("tea"), Confirm("ana", "0" * 64))
    for seq in (20, 21, 22):
        assert branch_of(Record(over), seq).events == GAME.events[:20]
    resumed = Record((*over[:21], Retract(20, "not over"), *GAME.events[20:24]))
    assert branch_of(resumed, 24).events == resumed.events[:25]
    with pytest.raises(NotForNow, match="there is no event 20 in this game"):
        branch_of(resumed, 20)


def test_its_text_says_where_it_branches_off() -> None:
    text = codec.encode(BRANCH)
    from_ = {"record": "k3n9x0a2bc", "seq": 17, "link": link_at(GAME, 17)}
    assert list(json.loads(text)) == ["format", "from", "events"]
    assert json.loads(text)["from"] == json.loads(codec.encode_lines(BRANCH))["from"] == from_
    assert codec.decode(text) == codec.decode(codec.encode_lines(BRANCH)) == BRANCH != Record(BRANCH.events)
    for wrong in ({**from_, "link": "ab"}, {**from_, "seq": -1}, {**from_, "more": 1}, {"record": "x"}):
        with pytest.raises(NotARecord, match=r"\$\.from"):
            codec.decode(json.dumps({**json.loads(text), "from": wrong}))


@pytest.mark.parametrize("branch", [
    replace(BRANCH, events=(GAME.events[0], Note("another"), *GAME.events[2:])),
    replace(BRANCH, events=GAME.events[:9]),
    replace(BRANCH, branch=Branch("k3n9x0a2bc", 16, link_at(GAME, 17))),
])  # fmt: skip
def test_what_does_not_branch_off_there_is_no_record(branch: Record) -> None:
    with pytest.raises(NotARecord, match="do not have the link that `from` gives"):
        check_branch(branch)


# ── Files ───────────────────────────────────────────────────────────────────────────────────────────────


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "else.ndjson"
    path.write_bytes(codec.encode(BRANCH) + b"\n")
    return path


def test_commands_judge_and_replay_it_and_say_what_it_is(file: Path) -> None:
    title = "What if, after move 17 of k3n9x0a2bc · Zigzag"
    assert f"✓ clean       {file}:1  {title}: " in run("audit", file).output
    for form in ("--markdown", "--json"):
        assert run("audit", form, file).exit_code == 0
    for command in ("show", "story"):
        assert title in run(command, file).output
    steps = run("replay", "--steps", file).output.splitlines()
    assert steps == run("replay", "--steps", file).output.splitlines()[:18]
    assert json.loads(run("export", "--ndjson", file).output)["from"]["seq"] == 17


@pytest.mark.parametrize("how", [("export", "--sheet"), ("export", "--csv"), ("export", "--bgstats")])
def test_no_sheet_and_no_result_is_made_of_it(how: tuple[str, ...], file: Path) -> None:
    result = run(*how, file)
    assert (result.exit_code, WHY in result.output) == (2, True)


def test_it_is_in_no_ledger_and_no_statistics(file: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "club.sqlite"
    result = run("--ledger", ledger, "import", file)
    assert (result.exit_code, WHY in result.output) == (2, True)
    with SqliteStore(ledger) as store:
        assert store.ids() == ()
        branch = codec.decode(file.read_bytes())
        (imported,) = Importer(store, lambda _sentence: True).run([branch])
        assert (imported.outcome, imported.reason, store.ids()) == ("refused", WHY, ())
    archive = tmp_path / "archive.ndjson"
    assert run("--ledger", ledger, "export", file, "-o", archive).exit_code == 0
    kept = run("--ledger", ledger, "import", "--keep-ids", archive)
    assert (kept.exit_code, WHY in kept.output) == (2, True)
    told = run("statistics", "zigzag", file)
    assert (told.exit_code, f"{file}:1: {WHY}" in told.output) == (2, True)


def test_a_server_takes_none() -> None:
    ledger = TemporaryStore()
    visitor: FlaskClient = create_app(ledger.reopen).test_client()
    text = codec.encode(BRANCH).decode()
    assert "this is a what-if" in visitor.post("/bring", data={"text": text, "do": "keep"}).text
    entry = {"id": "k3n9x0a2bc", "event": json.loads(text)["events"][0]}
    question = {"id": "k3n9x0a2bc", "key": "k" * 43, "add": [entry], "from": json.loads(text)["from"]}
    answer = visitor.post("/api/v1/exchange", json=question)
    assert (answer.status_code, "from" in answer.json["detail"]) == (400, True)  # type: ignore[index]
    assert ledger.ids() == ()
