"""The chain in a record, its fingerprint, the players' confirmations, and names outside the chain."""

import json
import os
import sqlite3
import subprocess
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient
from msgspec.structs import replace

from command_output import run_in
from golden import FIXTURES
from ledger.cli import cli
from ledger.games import catalog
from ledger.keep.importing import Importer
from ledger.keep.recorder import Recorder
from ledger.keep.sources import items
from ledger.keep.transfer import forget, known_as, transfer
from ledger.play.simulate import simulate
from ledger.proof.manifest import check_archive, manifest_line
from ledger.record import chain, codec
from ledger.record.branches import branch_of, check_branch
from ledger.record.errors import NotARecord, NotForNow
from ledger.record.events import Bid, Close, Confirm, Note, Open, Player, Retract
from ledger.record.record import Branch, Record, effective
from ledger.stores import questions
from ledger.stores.store import SqliteStore
from soup import correction
from temporary import TemporaryStore
from viewer.app import create_app

FLIPS = int(os.environ.get("DOMINO_FLIPS", "60"))
SEED = 31
OPENING = Open(
    "zigzag", players=tuple(Player(id=id_, name=name) for id_, name in zip("abc", ("Ana", "Ben", "Cy"), strict=True))
)
BARE = b'{"type":"open","game":"zigzag","players":[{"id":"a"},{"id":"b"},{"id":"c"}]}'


def test_a_link_is_the_digest_of_the_one_before_and_the_bytes_of_the_event() -> None:
    first = sha256(bytes(32) + BARE).digest()
    second = sha256(first + b'{"type":"bid","player":"a","bid":3}').digest()
    assert chain.links([BARE, b'{"type":"bid","player":"a","bid":3}']) == [first, second]
    assert chain.record_digest([OPENING, Bid("a", 3)]) == second
    # For ever: a fingerprint on paper must still match in ten years.
    assert second.hex() == "3d9d00c70ca088938f05ae95f1721f3f13724b305de300778260012dc1fd4b3d"
    assert chain.fingerprint(second) == "7peg-1hrc-m249-73r5-ntaz"


def test_a_fingerprint_is_recognized_in_every_spelling() -> None:
    digest = chain.record_digest([OPENING])
    fingerprint = chain.fingerprint(digest)
    assert len(fingerprint.replace("-", "")) == 20
    for text in (
        fingerprint,
        fingerprint.upper(),
        fingerprint.replace("-", " "),
        f" {fingerprint.replace('0', 'O').replace('1', 'l')} ",
        digest.hex(),
    ):
        assert chain.matches(text, digest)
    for text in ("", fingerprint[:-1], fingerprint[:-1] + ("0" if fingerprint[-1] != "0" else "2"), "0" * 64):
        assert not chain.matches(text, digest)


def test_the_digest_of_a_record_leaves_names_out() -> None:
    nameless = Open("zigzag", players=tuple(Player(id=id_) for id_ in "abc"))
    assert chain.record_digest([OPENING]) == chain.record_digest([nameless])
    bare, names = chain.without_names(OPENING)
    assert (bare, names) == (nameless, chain.Names({"a": "Ana", "b": "Ben", "c": "Cy"}))
    assert chain.with_names(bare, names) == OPENING


def test_players_confirm_the_same_record_one_after_the_other() -> None:
    with TemporaryStore() as store:
        recorder = Recorder(store, clock=lambda: "2026-11-20T10:00:00Z")
        recorder.open(OPENING, "r")
        recorder.append("r", Close("abandoned"))
        digest = chain.record_digest(store.read("r").events).hex()
        recorder.confirm("r", "a", digest)
        recorder.confirm("r", "b", digest)
        recorder.append("r", Confirm("c", "0" * 64))
        assert [(entry.player, entry.true, entry.last) for entry in chain.confirmations(store.read("r"))] == [
            ("a", True, True), ("b", True, True), ("c", False, True),
        ]  # fmt: skip
        recorder.append("r", Note("well played"))
        recorder.correct("r", Retract(1, "we go on"))
        assert [(entry.player, entry.true, entry.last) for entry in chain.confirmations(store.read("r"))] == [
            ("a", True, False), ("b", True, False), ("c", False, False),
        ]  # fmt: skip
        with pytest.raises(NotForNow, match="has changed since"):
            recorder.confirm("r", "a", digest)
        recorder.append("r", Retract(2, "she did not"))
        assert [entry.player for entry in chain.confirmations(store.read("r"))] == ["b", "c"]


def records() -> list[Record]:
    fixtures = [item.result for item in items(str(FIXTURES / "zigzag")) if isinstance(item.result, Record)]
    assert len(fixtures) > 5
    return fixtures


@pytest.mark.parametrize("end", ["", ".zst"])
def test_an_archive_is_compared_with_its_manifest(tmp_path, end: str) -> None:
    path = tmp_path / f"a.ndjson{end}"
    lines = [codec.encode(record) for record in records()]
    manifest = [
        manifest_line(f"r{n}", record, line) for n, (record, line) in enumerate(zip(records(), lines, strict=True))
    ]
    (tmp_path / f"a.ndjson{end}.manifest").write_bytes(b"\n".join(manifest) + b"\n")

    def corruptions(changed: list[bytes]) -> list[str]:
        with codec.open_bytes(path, "wb") as out:
            out.write(b"\n".join(changed) + b"\n")
        return [
            f"{corruption.record.rpartition(':')[2]} {corruption.reason}"
            for checked in check_archive(path)
            for corruption in checked.corruptions
        ]

    assert corruptions(lines) == []
    assert corruptions([lines[0], lines[1].replace(b'"bid":', b'"bid":1'), *lines[2:]]) == [
        "2 its events are not those of the record r1 in the manifest"
    ]
    assert corruptions([lines[0].replace(b'"name":"', b'"name":"X'), *lines[1:]]) == [
        "1 its events match the manifest, but names or confirmations do not"
    ]
    assert corruptions(lines[:-1])[-1].endswith(f"the record r{len(lines) - 1} is gone")
    assert "the manifest does not list it" in corruptions([*lines, lines[0]])[-1]
    assert "it is not a record" in corruptions([b"{}", *lines[1:]])[0]
    (tmp_path / f"a.ndjson{end}.manifest").write_bytes(b"manifest\n")
    with pytest.raises(NotForNow, match="this is not a line of a manifest"):
        corruptions(lines)


@pytest.mark.parametrize("manifest", [False, True])
def test_a_file_that_ends_too_early_is_named_with_all_that_is_gone(tmp_path, *, manifest: bool) -> None:
    path, whole = tmp_path / "a.ndjson.zst", records()[:3]
    lines = [codec.encode(record) for record in whole]
    with codec.open_bytes(path, "wb") as out:
        out.write(b"\n".join(lines) + b"\n")
    path.write_bytes(path.read_bytes()[:-9])
    if manifest:
        entries = [
            manifest_line(f"r{n}", record, line) for n, (record, line) in enumerate(zip(whole, lines, strict=True))
        ]
        (tmp_path / "a.ndjson.zst.manifest").write_bytes(b"\n".join(entries) + b"\n")
    *_read, last = checked = list(check_archive(path))
    assert [entry.name.removeprefix(str(path)) for entry in checked if entry.record] == [
        f":{number + 1}" for number in range(sum(entry.record is not None for entry in checked))
    ]
    at_file = [entry for entry in checked if entry.record is None]
    assert {entry.name for entry in at_file} == {str(path)}
    assert {(corruption.record, corruption.event) for entry in at_file for corruption in entry.corruptions} == {
        (str(path), 0)
    }
    reasons = [corruption.reason for entry in at_file for corruption in entry.corruptions]
    assert reasons[0].startswith("the file cannot be read further: ")
    gone = [f"the record r{number} is gone" for number in range(len(checked) - len(at_file) + 1, 3)] if manifest else []
    assert reasons[1:] == gone
    assert last.record is None


@pytest.mark.parametrize("end", ["", ".zst"])
def test_every_flipped_bit_of_an_archive_that_changes_a_record_is_found(tmp_path, end: str) -> None:
    random, path = Random(SEED), tmp_path / f"a.ndjson{end}"
    lines = [codec.encode(record) for record in records()]
    manifest = [
        manifest_line(f"r{n}", record, line) for n, (record, line) in enumerate(zip(records(), lines, strict=True))
    ]
    (tmp_path / f"a.ndjson{end}.manifest").write_bytes(b"\n".join(manifest) + b"\n")
    with codec.open_bytes(path, "wb") as out:
        out.write(b"\n".join(lines) + b"\n")
    whole, detected = path.read_bytes(), 0
    for _ in range(FLIPS // 3):
        at = random.randrange(len(whole))
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << random.randrange(8)]) + whole[at + 1 :])
        checked = list(check_archive(path))
        if any(entry.corruptions for entry in checked):
            detected += 1
        else:  # the last line's end, or bytes that compress the same
            assert [entry.record for entry in checked] == records()
    assert detected > FLIPS // 3 * 0.9


def test_a_ledger_is_copied_as_it_grows_and_compared(tmp_path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as source, SqliteStore(tmp_path / "b.sqlite") as copy:
        for record in records()[:3]:
            Recorder(source).import_record(record)
        assert list(transfer(source, copy))[-1] == source.size()
        Recorder(source).import_record(records()[3], "more")
        name = source.read("more").opening.players[0].name
        assert name
        forget(source, name, known_as(source, name))
        list(transfer(source, copy))
        assert list(source.log()) == list(copy.log())
        assert dict(questions.records(source)) == dict(questions.records(copy))
        assert known_as(copy, name) == {}
        assert list(transfer(source, copy)) == []
        Recorder(copy).import_record(records()[4])
        Recorder(source).import_record(records()[5])
        with pytest.raises(Exception, match="events of its own"):
            list(transfer(source, copy))


def test_a_name_that_is_forgotten_is_nowhere_in_the_files(tmp_path) -> None:
    path = tmp_path / "a.sqlite"
    name = "Wilhelmina Ottokarsdottir"
    with SqliteStore(path) as store:
        recorder = Recorder(store)
        for n in range(40):
            players = (Player(id="p1", name=name), Player(id="p2", name=f"Ben {n}"), Player(id="p3", name="Cy"))
            recorder.open(Open("zigzag", players=players), f"r{n}")
        store.append("r1", 1, [Note("x")], ["id-00001"])
        links = [entry.link for entry in store.log()]
        assert len(known_as(store, name)) == 40
        assert forget(store, name, known_as(store, name)) == []
        assert [entry.link for entry in store.log()] == links
        assert store.read("r7").opening.players[0] == Player(id="p1")
        for file in tmp_path.iterdir():
            text = file.read_bytes().lower()
            assert b"ottokarsdottir" not in text, file
            assert b"wilhelmina" not in text, file


def test_a_copy_erases_what_was_erased_in_its_source(tmp_path) -> None:
    name = "Wilhelmina Ottokarsdottir"
    with SqliteStore(tmp_path / "a.sqlite") as source, SqliteStore(tmp_path / "b.sqlite") as copy:
        Recorder(source).open(replace(OPENING, by=name, recorder=name), "r")
        list(transfer(source, copy))
        assert len(known_as(copy, name)) == 1
        forget(source, name, known_as(source, name))
        list(transfer(source, copy))
        assert known_as(copy, name) == {}
        assert not [file for file in tmp_path.iterdir() if b"Wilhelmina" in file.read_bytes()]


def run(home: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return run_in(home, "--ledger", "a.sqlite", *arguments, stdin=stdin)


def test_a_name_is_forgotten_however_it_is_typed_and_what_remains_is_listed(tmp_path) -> None:
    composed, combining = "Zo\u00eb Quxbaum", "Zoe\u0308 Quxbaum"
    with SqliteStore(tmp_path / "a.sqlite") as store:
        recorder = Recorder(store)
        players = (Player(id="p1", name=combining), Player(id="zo\u00eb", name=composed), Player(id="p3", name="Cy"))
        recorder.open(Open("zigzag", players=players, recorder=combining), "r", by=composed)
        recorder.append("r", Note(f"{composed} was late"), by=combining)
        recorder.append("r", Note("a fine game"), by=composed.upper())
    typo = run(tmp_path, "forget", "zoe quxbaum", "--yes")
    assert (typo.returncode, "did you mean 'ZO" in typo.stderr, repr(composed) in typo.stderr) == (2, True, True)
    result = run(tmp_path, "forget", combining, "--yes")
    assert result.returncode == 0
    assert "the name is erased from 1 record\n" in result.stdout
    assert "no file of the ledger holds an erased name" in result.stdout
    assert "record r: what was written in event 1 still has the name" in result.stderr
    assert "record r: the player's id 'zo\u00eb' still has the name" in result.stderr
    assert f"similar names are still there: {composed.upper()!r}" in result.stderr
    assert "exports, backups and copies" in result.stderr
    with SqliteStore(tmp_path / "a.sqlite") as store:
        assert list(known_as(store, composed)) == []
        assert [event.by for event in store.read("r").events] == [None, None, composed.upper()]
        assert store.read("r").opening.recorder is None


def test_forget_names_the_copies_beside_the_ledger(tmp_path) -> None:
    name = run(tmp_path, "new", "zigzag", 'Ana "Nix" Lind', "Ben", "Cy").stdout.strip()
    run(tmp_path, "repair")
    run(tmp_path, "export", "-o", "all.ndjson")
    run(tmp_path, "backup", "backup.sqlite")
    run(tmp_path, "new", "zigzag", "Dee", "Ben", "Cy")
    with SqliteStore(tmp_path / "other.sqlite") as other:
        other.append("other", 0, [OPENING])
    (tmp_path / "empty").touch()
    for number, similar in enumerate(('Ina "Nix" Lind', 'Ana "Nix" Linz', "Ana Nix Lind")):  # not this name
        (tmp_path / f"other{number}.ndjson").write_text(json.dumps({"name": similar}))
    forgotten = run(tmp_path, "forget", 'Ana "Nix" Lind', "--yes")
    named = [line.partition(" still has the name: run `forget` there")[0] for line in forgotten.stderr.splitlines()]
    assert [line for line in named if "sqlite" in line or "ndjson" in line] == [
        "a.sqlite.before-repair", "all.ndjson", "backup.sqlite",
    ], forgotten.stderr  # fmt: skip
    erased = run(tmp_path, "--ledger", "a.sqlite.before-repair", "forget", 'Ana "Nix" Lind', "--yes")
    assert erased.returncode == 0
    assert b"Nix" not in (tmp_path / "a.sqlite.before-repair").read_bytes()
    assert name in run(tmp_path, "list").stdout


def test_an_erased_name_that_a_reader_holds_is_reported_and_goes_with_the_next_run(tmp_path) -> None:
    path = tmp_path / "a.sqlite"
    with SqliteStore(path) as store:
        Recorder(store).open(replace(OPENING, by="Wilhelmina"), "r")
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM event").fetchall()
            result = run(tmp_path, "forget", "Wilhelmina", "--yes")
            assert result.returncode == 1
            assert "the name is erased from 1 record\n" in result.stdout
            assert "still hold erased names" in result.stderr
            assert "Run `domino-ledger forget` again, without a name" in result.stderr
        second_run = run(tmp_path, "forget")
        assert (second_run.returncode, second_run.stdout) == (0, "no file of the ledger holds an erased name\n")
        assert not [file for file in tmp_path.iterdir() if b"Wilhelmina" in file.read_bytes()]


def test_a_record_is_verified_confirmed_and_exported_from_the_command_line(tmp_path) -> None:
    name = run(tmp_path, "new", "zigzag", "Ana", "Ben", "Cy").stdout.strip()
    check = run(tmp_path, "verify", name)
    assert check.returncode == 0
    fingerprint = check.stdout.split("fingerprint ")[1].strip()
    assert run(tmp_path, "verify", name, "--fingerprint", fingerprint).returncode == 0
    wrong = f"{fingerprint[:-1]}{'0' if fingerprint[-1] != '0' else '2'}"
    assert run(tmp_path, "verify", name, "--fingerprint", wrong).returncode == 1
    assert "has confirmed" in run(tmp_path, "confirm", name, "Ana", "--fingerprint", fingerprint).stdout
    assert "has confirmed" in run(tmp_path, "confirm", name, "p2", stdin="y\n").stdout
    assert "another fingerprint" in run(tmp_path, "confirm", name, "Cy", "--fingerprint", "0000").stderr
    assert "has no player called Dee" in run(tmp_path, "confirm", name, "Dee").stderr
    assert f"fingerprint {fingerprint}, confirmed by Ana, Ben" in run(tmp_path, "verify", name).stdout
    assert run(tmp_path, "export", "-o", "a.ndjson").returncode == 0
    archive = run(tmp_path, "verify", "a.ndjson")
    assert f"a.ndjson:1: intact, 3 events, fingerprint {fingerprint}, confirmed by Ana, Ben" in archive.stdout
    assert "compared with its manifest" in archive.stderr
    (tmp_path / "a.ndjson").write_text((tmp_path / "a.ndjson").read_text().replace('"zigzag"', '"build-up"'))
    changed_archive = run(tmp_path, "verify", "a.ndjson")
    assert changed_archive.returncode == 1
    assert "not those of the record" in changed_archive.stderr
    assert "confirmed another record" in changed_archive.stderr
    forgotten = run(tmp_path, "forget", "Ana", stdin="y\n")
    assert "erased from 1 record" in forgotten.stdout
    assert "Ana" not in run(tmp_path, "list").stdout
    assert run(tmp_path, "verify").returncode == 0
    assert "no player or recorder is called" in run(tmp_path, "forget", "Ana", "--yes").stderr
    copy = run(tmp_path, "copy", "b.sqlite")
    assert copy.returncode == 0, copy.stderr
    assert copy.stdout == run(tmp_path, "verify").stdout


# ---- What might have been after a move: a record of its own, which is judged and replayed, and counts nowhere.


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


def run_command(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "else.ndjson"
    path.write_bytes(codec.encode(BRANCH) + b"\n")
    return path


def test_commands_judge_and_replay_it_and_say_what_it_is(file: Path) -> None:
    title = "What if, after move 17 of k3n9x0a2bc · Zigzag"
    assert f"✓ clean       {file}:1  {title}: " in run_command("audit", file).output
    for form in ("--markdown", "--json"):
        assert run_command("audit", form, file).exit_code == 0
    for command in ("show", "story"):
        assert title in run_command(command, file).output
    steps = run_command("replay", "--steps", file).output.splitlines()
    assert steps == run_command("replay", "--steps", file).output.splitlines()[:18]
    assert json.loads(run_command("export", "--ndjson", file).output)["from"]["seq"] == 17


@pytest.mark.parametrize("how", [("export", "--sheet"), ("export", "--csv"), ("export", "--bgstats")])
def test_no_sheet_and_no_result_is_made_of_it(how: tuple[str, ...], file: Path) -> None:
    result = run_command(*how, file)
    assert (result.exit_code, WHY in result.output) == (2, True)


def test_it_is_in_no_ledger_and_no_statistics(file: Path, tmp_path) -> None:
    ledger = tmp_path / "club.sqlite"
    result = run_command("--ledger", ledger, "import", file)
    assert (result.exit_code, WHY in result.output) == (2, True)
    with SqliteStore(ledger) as store:
        assert store.ids() == ()
        branch = codec.decode(file.read_bytes())
        (imported,) = Importer(store, lambda _sentence: True).run([branch])
        assert (imported.outcome, imported.reason, store.ids()) == ("refused", WHY, ())
    archive = tmp_path / "archive.ndjson"
    assert run_command("--ledger", ledger, "export", file, "-o", archive).exit_code == 0
    kept = run_command("--ledger", ledger, "import", "--keep-ids", archive)
    assert (kept.exit_code, WHY in kept.output) == (2, True)
    told = run_command("statistics", "zigzag", file)
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
