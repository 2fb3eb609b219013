"""Whole games from a seed: their audits are clean, and a breach put into one is found at its place and nowhere else.

`DOMINO_GAMES` is their number; `make torture` plays 10,000 of each rule set.
"""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from ledger.audit.auditor import audit
from ledger.audit.replay import steps
from ledger.audit.reports import by_rules
from ledger.audit.review import Review
from ledger.cli import cli
from ledger.games import cards, catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import any_options, simulate
from ledger.record import codec
from ledger.record.errors import NotForNow, UnknownGame
from ledger.record.events import CLAIMS, Amend, Close, Deal, Draw, Open, Player, Result
from ledger.record.record import Record
from ledger.rules.game import Clause, Fault, Game
from plugin_home import installed
from sheets import GAMES
from temporary import TemporaryStore

GRAVE = ("impossible", "breach")
PARTS = 4
ZIGZAG = catalog.find("zigzag")
ALL = [catalog.find(name) for name in catalog.built_in()]
SLOW = {"domino-ziggurat": 6}
"""A puzzle with many places takes long, so the everyday run plays fewer games of it."""


def count_of(game: Game) -> int:
    """The number of games of a rule set to play."""
    return GAMES if GAMES > 1000 else max(12, GAMES // SLOW.get(game.name, 1))


def any_game(game: Game, seed: int) -> codec.Record:
    """A game with options chosen by its seed."""
    options, players, edition = any_options(game, Random(seed))
    return simulate(game, seed, options, players=players, edition=edition)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_a_simulated_game_audits_clean(game: Game, part: int) -> None:
    ends: Counter[bool] = Counter()
    for seed in range(part, count_of(game), PARTS):
        record = any_game(game, seed)
        report = audit(game, record)
        assert report.verdict == "clean", (seed, report.findings[:3])
        close = record.events[-1]
        assert isinstance(close, Close)
        assert (close.why == "finished") == report.finished
        assert codec.decode(codec.encode(record)) == record
        ends[report.finished] += 1
    # Some puzzles cannot be finished from their beginning or with their rulings, and may be given up.
    assert ends[True] > ends[False] or game.name in SLOW


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_the_same_seed_gives_the_same_game(game: Game) -> None:
    assert simulate(game, 3) == simulate(game, 3) != simulate(game, 4)


# In the double-twelve set no tile can be foreign, so smaller sets show that clause.
FAULTS = [
    pytest.param(game, clause, id=clause if clause.startswith(game.name) else f"{game.name}-{clause}")
    for game in ALL
    for clause in dict.fromkeys(clause.id for clause in game.clauses if clause.on and clause.verdict != "note")
]
QUICK = 7
"""The first seed: it plants most breaches in the first state that it tries."""
FEW = {"zigzag": {"hands": 3, "set": 6}}
RANKED = {"zigzag.rank": {"ranking": True, "scoring": "points"}}


@pytest.mark.parametrize(("game", "clause"), FAULTS)
def test_a_planted_breach_is_found_at_its_event_and_nothing_else_is_accused(game: Game, clause: str) -> None:
    options = FEW.get(game.name, {}) | RANKED.get(clause, {})
    planted = 0
    for seed in range(QUICK, QUICK + max(3, GAMES // 500)):
        try:
            record = simulate(game, seed, options, fault=clause)
        except NotForNow:
            continue
        planted += 1
        grave = [finding for finding in audit(game, record).findings if finding.verdict in GRAVE]
        assert {(finding.clause, finding.seq) for finding in grave} == {(clause, grave[0].seq)}
        # Before the breach nothing was wrong; and the breach is not the same as another event.
        before = codec.check(record.events[: grave[0].seq])
        assert not [finding for finding in audit(game, before).findings if finding.verdict in GRAVE]
        if GAMES < 1000:  # one is enough for every day; `make torture` tries many
            break
    assert planted, "no seed could plant the breach"


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_simulated_acts_are_legal_and_claims_change_nothing(game: Game) -> None:
    """`choices` and the clauses use the same predicates."""
    for seed in range(3):
        record = any_game(game, seed)
        states = list(steps(game, game.opening(record.opening), _entries(record)))
        for step in states:
            if type(step.event) in CLAIMS:
                assert game.scene(step.after) == game.scene(step.before)
                assert game.standing(step.after) == game.standing(step.before)
                assert game.choices(step.after) == game.choices(step.before)
        place = Random(seed).randrange(len(states) // 2, len(states) - 1)
        prefix = record.events[: place + 1]
        for act in list(game.choices(states[place].after))[:40]:
            findings = audit(game, codec.check((*prefix, act))).findings
            assert not [finding for finding in findings if finding.verdict in GRAVE], act


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_a_game_without_recorded_hands_has_no_breach(game: Game) -> None:
    for seed in range(4):
        record = any_game(game, seed)
        bare = codec.check(event for event in record.events if not isinstance(event, Deal | Draw))
        assert audit(game, bare).verdict in ("clean", "unproven"), seed


def test_a_fault_that_cannot_be_planted_is_refused() -> None:
    game = ALL[0]
    with pytest.raises(NotForNow, match="it has"):
        simulate(game, 1, fault="no.such.clause")


def _entries(record: codec.Record) -> list[object]:
    from ledger.record.record import effective

    return list(effective(record.events).entries)


def test_a_seed_gives_the_same_game_each_time_with_the_same_slip(golden_update: bool) -> None:
    page = Path(__file__).parent / "printed" / "seeds.digests"
    now = ""
    for name, fault, _digest in map(str.split, page.read_text("utf-8").splitlines()):
        record = simulate(catalog.find(name), 3, fault=None if fault == "None" else fault)
        now += f"{name} {fault} {sha256(codec.encode(record)).hexdigest()[:12]}\n"
    if golden_update:
        page.write_text(now, "utf-8")
    assert page.read_text("utf-8") == now


def test_what_a_game_lacks_to_be_simulated_is_named() -> None:
    with pytest.raises(NotForNow) as refused:
        simulate(replace(ZIGZAG, choices=None), 1)
    reason = "its Game has no `choices`, so nothing says what may be played"
    assert str(refused.value) == f"Zigzag cannot be simulated: {reason}"


# ---- Old records stay valid: the second revision of the guide's sixth game with the first, on the same records.


ROOT = Path(__file__).parents[1]
FIRST = catalog.find("zigzag").under("1")


class Home:
    """A folder where a revision of the sixth game is installed, with a ledger that two folders may share."""

    def __init__(self, folder: Path, ledger: Path, code: str) -> None:
        folder.mkdir()
        (folder / "block.py").write_text(code, "utf-8")
        info = folder / "domino_ledger_block-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: domino-ledger-block\nVersion: 1.0\n", "utf-8")
        (info / "entry_points.txt").write_text("[domino_ledger.games]\nblock = block:GAME\n", "utf-8")
        self.folder, self.ledger = folder, {"DOMINO_LEDGER": str(ledger)}

    def run(self, *arguments: str, stdin: str = "", code: int = 0) -> str:
        """The output of the command, with its error output if it is expected to fail."""
        with installed(self.folder, "block"):
            result = CliRunner(env=self.ledger).invoke(cli, arguments, input=stdin)
        assert result.exit_code == code, result.output
        return result.stdout + (result.stderr if code == 2 else "")

    def python(self, code: str) -> str:
        """The output of a Python script."""
        path = os.pathsep.join(map(str, (self.folder, ROOT)))
        return subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": path}, capture_output=True, encoding="utf-8", check=True,
        ).stdout  # fmt: skip


class Shelf:
    """The same ledger before and after a new revision, and the records simulated before."""

    def __init__(self, folder: Path) -> None:
        page = (ROOT / "docs" / "add-a-game.md").read_text("utf-8")
        blocks = dict(re.findall(r"^```(python|py)\n(.*?)^```", page, re.DOTALL | re.MULTILINE))
        self.old = Home(folder / "old", folder / "a.sqlite", blocks["python"])
        self.new = Home(folder / "new", folder / "a.sqlite", f"{blocks['python']}\n\n{blocks['py']}")
        self.games = self.old.run("simulate", "block", "--count", "40")
        lines = self.games.splitlines()
        # In the first game Ana plays more tiles than Ben: under the second revision only she has won.
        self.both = [line for line in lines if '"winners":["ana","ben"]' in line]
        self.blocked = next(line for line in self.both if _plays(line, "ana") > _plays(line, "ben"))
        self.won = next(line for line in lines if '"winners":["ana"]' in line)


def _plays(line: str, player: str) -> int:
    return line.count(f'"type":"play","player":"{player}"')


@pytest.fixture(scope="module")
def shelf(tmp_path_factory) -> Shelf:
    return Shelf(tmp_path_factory.mktemp("shelf"))


def test_an_older_record_is_audited_as_before(shelf: Shelf) -> None:
    assert '"rules"' not in shelf.games
    before = shelf.old.run("audit", "--json", "-", stdin=shelf.games)
    assert before.count('"verdict":"clean"') == 40
    assert shelf.new.run("audit", "--json", "-", stdin=shelf.games) == before
    record = shelf.blocked.replace('"type":"open",', '"type":"open","rules":"1",')
    assert shelf.new.run("audit", "--json", "-", stdin=record) == shelf.old.run("audit", "--json", "-", stdin=record)


def test_a_record_made_under_the_second_revision_is_judged_by_it(shelf: Shelf) -> None:
    games = shelf.new.run("simulate", "block", "--count", "40")
    assert games.count('"rules":"2"') == 40
    assert shelf.new.run("audit", "-", stdin=games).endswith("40 records: 40 clean\n")
    wrong = shelf.blocked.replace('"type":"open",', '"type":"open","rules":"2",')
    report = json.loads(shelf.new.run("audit", "--json", "-", stdin=wrong, code=1))
    assert [finding["clause"] for finding in report["findings"]] == ["block.win"]
    assert report["winners"] == ["ana"]
    output = shelf.new.run("audit", "-", stdin=wrong, code=1)
    assert "judged by revision 2 of the rules\n" in output
    assert "The first to play seven tiles wins; if both pass, the one who has played more." in output


def test_a_ledger_outlives_a_new_revision(shelf: Shelf) -> None:
    first = shelf.old.run("new", "block", "Ana", "Ben").strip()
    shelf.old.run("import", "-", stdin=shelf.blocked)
    head = shelf.old.run("verify")
    assert "2 records: 2 clean" in shelf.new.run("audit")
    assert shelf.new.run("verify") == head
    second = shelf.new.run("new", "block", "Ana", "Ben").strip()
    assert "\nRules: 1\n" in shelf.new.run("export", "--sheet", first)
    assert "\nRules: 2\n" in shelf.new.run("export", "--sheet", second)
    assert "judged by revision 1 of the rules; the newest is 2" in shelf.new.run("show", first)
    # The old program can still read and export records that it cannot judge; the list keeps the new one's findings.
    shelf.new.run("record", second, stdin="A 5-1\nB 5-3\n")
    refused = shelf.old.run("audit", second, code=2)
    assert "no revision '2' of the rules of Block is known; there are: 1" in refused
    assert shelf.old.run("export", second) == shelf.new.run("export", second)
    assert second in shelf.old.run("list", "--verdict", "clean")
    assert second in shelf.new.run("list", "--verdict", "clean")


def test_the_rules_are_shown_in_every_revision(shelf: Shelf) -> None:
    assert "for two players; rules 1, 2\n" in shelf.new.run("games")
    assert "if both pass" not in shelf.new.run("clauses", "block", "--rules", "1")
    assert "if both pass" in shelf.new.run("clauses", "block")
    assert "there are: 1, 2" in shelf.new.run("clauses", "block", "--rules", "3", code=2)
    assert "--rules needs a game" in shelf.new.run("clauses", "--rules", "1", code=2)


def test_the_pages_ask_for_the_records_own_revision(shelf: Shelf, tmp_path) -> None:
    breach = shelf.blocked.replace('"winners":["ana","ben"]', '"winners":["ben"]')
    output = shelf.new.python(f"""
from ledger.record.codec import decode
from ledger.keep.recorder import Recorder
from ledger.stores.store import SqliteStore
from viewer.app import create_app
store = SqliteStore({str(tmp_path / "replay.sqlite")!r})
for name, rules in (("one", ""), ("two", ',"rules":"2"'), ("nine", ',"rules":"9"')):
    Recorder(store).import_record(decode({breach!r}.replace('"type":"open"', '"type":"open"' + rules)), name)
client = create_app(store.reopen).test_client()
for path in ("/g/one", "/g/two", "/g/nine", "/g/nine/record.json", "/g/nine/sheet.txt", "/rules/block?rules=1",
             "/rules/block?rules=9",
             "/api/v1/games/block?rules=1", "/api/v1/records/one/screen", "/api/v1/records/nine/screen"):
    answer = client.get(path)
    print(path, answer.status_code, "the newest is 2" in answer.text, "block?rules=1#block.win" in answer.text,
          "if both pass" in answer.text)
""")
    answers = {line.split()[0]: line.split()[1:] for line in output.splitlines()}
    assert answers == {
        "/g/one": ["200", "True", "True", "False"],
        "/g/two": ["200", "False", "False", "True"],
        "/g/nine": ["422", "False", "False", "False"],
        "/g/nine/record.json": ["200", "False", "False", "False"],
        "/g/nine/sheet.txt": ["200", "False", "False", "False"],
        "/rules/block?rules=1": ["200", "False", "False", "False"],
        "/rules/block?rules=9": ["404", "False", "False", "False"],
        "/api/v1/games/block?rules=1": ["200", "False", "False", "False"],
        "/api/v1/records/one/screen": ["200", "False", "False", "False"],
        "/api/v1/records/nine/screen": ["422", "False", "False", "False"],
    }


# ── In this process: a made-up game with one clause changed ────────────────────────────────────────────────────────


def _nobody_wins(_before: object, event: Result, _after: object, _proof: object) -> list[Fault]:
    return [Fault("in this revision nobody ever wins", (), event.winners)]


@pytest.fixture
def second(monkeypatch) -> Game:
    """A made-up second revision of a game: a result is always a breach, and an option is gone."""
    (win,) = (clause for clause in FIRST.clauses if clause.id == "zigzag.win")
    changed = Clause(win.id, "Nobody wins.", (Result,), _nobody_wins)
    game = replace(
        FIRST,
        revision="2",
        earlier=FIRST,
        clauses=tuple(changed if clause is win else clause for clause in FIRST.clauses),
        options=tuple(option for option in FIRST.options if option.name != "split_penalty"),
    )
    monkeypatch.setattr("ledger.games.catalog.find", lambda _name: game)
    return game


def test_the_recorder_names_the_newest_revision_unless_one_is_named(second: Game) -> None:
    recorder = Recorder(TemporaryStore(), find_game=lambda _name: second)
    players = tuple(Player(id=name) for name in ("ana", "ben", "cy"))
    newest = recorder.open(Open("zigzag", players=players))
    named = recorder.open(Open("zigzag", players=players, rules="1"))
    assert [recorder.store.read(name).opening.rules for name in (newest, named)] == ["2", "1"]
    with pytest.raises(UnknownGame, match="there are: 1, 2"):
        recorder.open(Open("zigzag", players=players, rules="3"))
    with pytest.raises(UnknownGame, match="'3'"):
        recorder.correct(named, Amend(0, Open("zigzag", players=players, rules="3"), "a slip"))
    # An option of only the first revision can still be corrected in a record of the first.
    recorder.correct(named, Amend(0, Open("zigzag", options={"split_penalty": True}, players=players), "agreed before"))
    assert Review(recorder.store.read(named)).game is FIRST
    imported = recorder.import_record(Record((Open("zigzag", players=players),)))
    assert recorder.store.read(imported).opening.rules is None


def test_a_corrected_opening_keeps_its_revision_unless_it_names_another(second: Game) -> None:
    players = tuple(Player(id=name) for name in ("ana", "ben", "cy"))
    bare = Open("zigzag", players=players)
    opened = replace(bare, rules="2")
    for corrected, rules in ((bare, "2"), (replace(bare, rules="1"), "1"), (replace(bare, game="build-up"), "2")):
        record = Record((opened, Amend(0, corrected, "a slip")))
        assert record.rules == rules
    later = Record((bare, Amend(0, opened, "by the newer rules"), Amend(0, bare, "a name")))
    assert Review(later).game is second
    assert Review(later, as_recorded=True).game is FIRST


def test_everybody_judges_by_the_records_own_revision(second: Game) -> None:
    record = simulate(FIRST, 3, {"hands": 3})
    ours = simulate(second, 3, {"hands": 3})
    assert (record.opening.rules, ours.opening.rules) == (None, "2")
    assert [cards.game_of(entry) for entry in (record, ours)] == [FIRST, second]
    assert [Review(entry).report.verdict for entry in (record, ours)] == ["clean", "breach"]
    assert [Review(entry).report.verdict for entry in (record, ours)] == ["clean", "breach"]
    assert [by_rules(Review(entry)) for entry in (record, ours)] == [
        "judged by revision 1 of the rules; the newest is 2",
        "judged by revision 2 of the rules",
    ]
    (finding,) = Review(ours).report.findings
    assert finding.message == "in this revision nobody ever wins"


def test_revisions_are_kept_apart() -> None:
    with pytest.raises(ValueError, match="under different names"):
        replace(FIRST, earlier=FIRST)
    with pytest.raises(ValueError, match="must be one game"):
        replace(FIRST, name="zagzig", revision="2", earlier=FIRST)
    third = replace(FIRST, revision="3", earlier=replace(FIRST, revision="2", earlier=FIRST))
    assert [game.revision for game in third.revisions] == ["1", "2", "3"]
    assert third.under(None) is FIRST


def test_only_these_files_find_the_game_of_a_record() -> None:
    asking: dict[str, list[str]] = {}
    for path in sorted(p for folder in ("ledger", "viewer") for p in (ROOT / folder).rglob("*.py")):
        for after in re.findall(r"find\w*\)?\([\w.]*opening\.game\)(\.under)?", path.read_text("utf-8")):
            asking.setdefault(path.relative_to(ROOT).as_posix(), []).append(after)
    assert asking == {
        "ledger/games/cards.py": ["", ".under"],  # the newest revision, and the record's own
        "viewer/phone/recorder_routes.py": [""],
        "viewer/site/static_site.py": [""],  # only the game's title
    }


@pytest.mark.parametrize("game", catalog.games(), ids=lambda game: game.name)
def test_the_revisions_that_were_shipped_are_there(game: Game) -> None:
    assert game.under(None).revision == "1"
    assert codec.decode(codec.encode(simulate(game, 1))).rules == (game.revision if game.earlier else None)
