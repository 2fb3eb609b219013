"""The sixth game of docs/add-a-game.md, built and installed as its own package, without changes to any other file."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ledger import notation
from ledger.audit.auditor import audit
from ledger.audit.replay import advance, fingerprint
from ledger.audit.review import Review, clauses
from ledger.cli.record_command import Scorer
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play import forms
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.errors import UnknownGame
from ledger.record.events import ACTS, AnyEvent, Correctable, Open, Play, Player, kind
from ledger.record.record import Record
from ledger.record.scene import Row
from ledger.record.tiles import TILES, named
from ledger.rules.game import Game
from plugin_home import ROOT, Phone, blocks, install, install_block, installed, run, type_check
from temporary import TemporaryStore

TWO = Open("block", players=(Player(id="ana", name="Ana"), Player(id="ben", name="Ben")))
HANDS = "A has 0-1 1-2 2-3 3-4 4-5 5-6 6-6\nB has 0-0 1-1 2-2 3-3 4-4 5-5 0-6\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """A folder in which the sixth game is installed like any package."""
    return install_block(tmp_path_factory)


@pytest.fixture
def block(home: Path) -> Iterator[Game[Any]]:
    """The game itself, for the duration of a test."""
    with installed(home, "block") as game:
        yield game


def sheet(lines: str) -> Record:
    """A game of Block as people write it."""
    return notation.read(f"Game: block\nPlayers: A Ana, B Ben\n\n{lines}")


def findings_of(game: Game[Any], lines: str) -> list[tuple[int, str, str]]:
    """The findings of an audit of these lines: seq, clause, verdict."""
    return [(finding.seq, finding.clause, finding.verdict) for finding in audit(game, sheet(lines)).findings]


# ── Installed like any package ─────────────────────────────────────────────────────────────────────────────


def test_it_is_found_beside_the_others(home: Path) -> None:
    games = run(home, "games")
    assert games.returncode == 0, games.stderr
    assert games.stdout.count(b": ") >= 5
    assert b"block: Block (everybody), for two players" in games.stdout
    assert b"block.fit" in run(home, "clauses", "block").stdout
    assert "block" not in catalog.built_in()


def test_it_is_typed_and_so_is_its_second_revision(tmp_path) -> None:
    (tmp_path / "block.py").write_text(blocks("python"), "utf-8")
    assert not type_check(tmp_path / "block.py")
    (tmp_path / "block.py").write_text(f"{blocks('python')}\n\n{blocks('py')}", "utf-8")
    assert not type_check(tmp_path / "block.py")
    wrong = blocks("python").replace("def turn(before: Block,", "def turn(before: int,")
    (tmp_path / "block.py").write_text(wrong, "utf-8")
    assert "error" in type_check(tmp_path / "block.py")


def test_its_simulated_games_audit_clean_and_its_breaches_are_found(home: Path, block: Game[Any]) -> None:
    games = run(home, "simulate", "block", "--count", "200")
    process = run(home, "audit", "-", stdin=games.stdout)
    assert process.returncode == 0, process.stderr
    assert process.stdout.endswith(b"200 records: 200 clean\n")
    clauses = [clause.id for clause in block.clauses if clause.on and clause.verdict != "unproven"]
    assert len(clauses) == 10
    for clause in clauses:
        report = audit(block, simulate(block, 3, fault=clause))
        assert {f.clause for f in report.findings if f.verdict in ("breach", "impossible")} == {clause}


def test_it_is_recorded_replayed_and_exported_like_any_other(home: Path) -> None:
    name = run(home, "new", "block", "Ana", "Ben").stdout.decode().strip()
    recording = run(home, "record", name, stdin=b"A 5-1\nB 5-3 left\nA 6-6\n")
    assert b"Ben plays 5-3 on the left" in recording.stdout
    assert b"breach at move 3: The 6-6 fits neither the 3 nor the 1" in recording.stdout
    assert b"the line" in run(home, "show", name).stdout
    exported = run(home, "export", name, "--sheet").stdout
    assert b"A 5-1\nB 5-3 left\nA 6-6\n" in exported
    assert run(home, "audit", "-", stdin=exported).returncode == 1


def test_a_plug_in_that_cannot_be_loaded_is_named(home: Path) -> None:
    broken = home / "wrong-1.0.dist-info"
    broken.mkdir()
    (broken / "METADATA").write_text("Metadata-Version: 2.1\nName: wrong\nVersion: 1.0\n")
    (broken / "entry_points.txt").write_text("[domino_ledger.games]\nwrong = nowhere:GAME\n")
    refused = run(home, "clauses", "wrong")
    assert refused.returncode == 2
    assert b"the plug-in nowhere:GAME of the game 'wrong' cannot be loaded" in refused.stderr
    broken.joinpath("entry_points.txt").unlink()


def test_an_unknown_game_is_reported_with_the_known_ones() -> None:
    with pytest.raises(UnknownGame, match="zigzag"):
        catalog.find("bridge")


# ── Its rules ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("lines", "findings"),
    [
        pytest.param("A 0-1\nB 1-1 right\nA 1-2 right\n", [], id="a line"),
        pytest.param("A 6-6\nB 0-6 left\nA 0-1 left\nB 1-1 left\n", [], id="on the left"),
        pytest.param("A 6-6\nB 0-6\n", [(4, "block.end", "unproven")], id="both ends, and no end"),
        pytest.param("A 0-1\nB 1-1\n", [], id="one end, which need not be said"),
        pytest.param("A 0-1\nB 1-1 left\n", [(4, "block.fit", "breach")], id="the wrong end"),
        pytest.param("A 0-1\nB 3-3 right\n", [(4, "block.fit", "breach")], id="no end"),
        pytest.param("A 0-1\nA 1-2 right\n", [(4, "block.turn", "breach")], id="out of turn"),
        pytest.param("A 0-2\n", [(3, "block.hand", "breach")], id="nobody's tile"),
        pytest.param("A 0-0\n", [(3, "block.hand", "breach")], id="the other's tile"),
        pytest.param("A 0-1\nB 0-1 left\n", [(4, "tiles.once", "impossible")], id="a tile that lies there"),
        pytest.param("A 0-7\n", [(3, "tiles.in-set", "impossible")], id="of another set"),
        pytest.param("A passes\n", [(3, "block.pass", "breach")], id="a pass with a tile that fits"),
        pytest.param("A 3-4\nB 4-4 right\nA 4-5 right\nB 5-5 right\nA 5-6 right\nB 0-6 right\nA 2-3 left\n"
                     "B 2-2 left\nA 0-1 right\nB 1-1 right\nA 1-2 left\nB passes\n", [], id="a pass without one"),
        pytest.param("A 0-1\nA has 0-1 1-2 2-3 3-4 4-5 5-6 6-6\n", [(4, "tiles.once", "impossible")], id="dealt late"),
        pytest.param("result: A\n", [(3, "block.unfinished", "breach")], id="a result too early"),
    ],
)  # fmt: skip
def test_a_record_with_hands_is_judged_by_them(
    block: Game[Any], lines: str, findings: list[tuple[int, str, str]]
) -> None:
    assert findings_of(block, HANDS + lines) == findings


@pytest.mark.parametrize(
    ("lines", "findings"),
    [
        pytest.param("A 0-1\nB 1-1 right\nA 1-6 right\n", [], id="tiles that anybody may hold"),
        pytest.param("A 6-6\nB passes\nA 6-5 right\n", [(2, "block.pass", "unproven")], id="a pass, and nothing more"),
        pytest.param("A 6-6\nB passes\nA 6-5 right\nB 6-4 left\n", [(2, "block.pass", "breach")],
                     id="a pass with a tile that comes later"),
        pytest.param("A has 6-6 ...\nA 6-5\n", [], id="a part of a hand proves nothing"),
        pytest.param("B has 0-0 1-1 2-2 3-3 4-4 5-5 6-6\nA 6-6\n", [(2, "block.hand", "breach")], id="the other's"),
        pytest.param("A has nothing\nA 6-6\n", [(1, "block.deal", "breach"), (2, "block.hand", "breach")],
                     id="an empty hand is not an unknown one"),
    ],
)  # fmt: skip
def test_a_record_without_hands_is_judged_as_far_as_it_goes(
    block: Game[Any], lines: str, findings: list[tuple[int, str, str]]
) -> None:
    assert findings_of(block, lines) == findings


@pytest.mark.usefixtures("block")
def test_the_scene_shows_the_tiles_as_they_lie() -> None:
    review = Review(sheet("A 5-1\nB 5-3 left\nA 1-1 right\nB 1-4 right\nA 2-3 left\n"))
    (row,) = review.scene().areas
    assert isinstance(row, Row)
    assert [str(tile) for pile in row.piles for tile in pile.tiles] == ["2-3", "3-5", "5-1", "1-1", "1-4"]
    assert [hand.unknown for hand in review.scene().hands] == [4, 5]
    assert len({fingerprint(step.after) for step in review.steps}) == 6


# ── Recorded by phone, from the first tile ─────────────────────────────────────────────────────────────────


MOVES = [Play("p1", named("5-1")), Play("p2", named("5-3"), "left"), Play("p1", named("1-1"), "right")]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_its_pages_are_there_from_the_first_move_on(block: Game[Any], count: int) -> None:
    phone = Phone(block.name)
    for move in MOVES[:count]:
        phone.enter(move)
    assert set(phone.pages().values()) == {200}, phone.pages()
    assert len(phone.client.get(f"/api/v1/records/{phone.id}/steps").json["steps"]) == count + 1
    (line,) = phone.screen()["scene"]["areas"]
    assert [pile["tiles"] for pile in line["piles"]] == [[], [["5-1"]], [["3-5"], ["5-1"]]][count]
    assert phone.client.get("/rules/block").status_code == 200


def test_a_phone_offers_every_tile_while_no_hand_is_known(block: Game[Any]) -> None:
    form = Phone(block.name).screen()["form"]
    assert form["names"] == {"deal": [], "play": ["end"], "pass": []}
    ways = {(way["kind"], way["player"]): way for way in form["ways"]}
    assert set(ways) == {(act, player) for act in ("deal", "play", "pass") for player in ("p1", "p2")}
    for way in ways.values():
        assert len(way.get("tiles", ())) == (0 if way["kind"] == "pass" else 28)
    assert ways["play", "p1"]["due"]
    assert ways["play", "p1"]["legal"] == [{"tiles": [str(tile) for tile in TILES[:28]], "at": [[]]}]
    assert ways["pass", "p1"]["legal"] == [{"tiles": [], "at": [[]]}]


def test_a_phone_asks_for_the_end_only_where_there_are_two(block: Game[Any]) -> None:
    phone = Phone(block.name)
    form = phone.enter(MOVES[0])["form"]
    legal = next(way["legal"] for way in form["ways"] if (way["kind"], way["player"]) == ("play", "p2"))
    ends = {tile: [at for (at,) in group["at"]] for group in legal for tile in group["tiles"]}
    assert ends["3-5"] == ends["5-5"] == ["left"]
    assert ends["1-1"] == ["right"]
    phone = Phone(block.name)
    form = phone.enter(MOVES[0], Play("p2", named("5-0"), "left"), Play("p1", named("0-1"), "left"))["form"]
    legal = next(way["legal"] for way in form["ways"] if (way["kind"], way["player"]) == ("play", "p2"))
    ends = {tile: [at for (at,) in group["at"]] for group in legal for tile in group["tiles"]}
    assert ends["1-1"] == ["left", "right"]


@pytest.mark.parametrize(("choices", "tray"), [(True, True), (False, True), (True, False), (False, False)])
def test_every_kind_of_act_can_be_entered_without_choices_or_a_tray(
    block: Game[Any], choices: bool, tray: bool
) -> None:
    bare = replace(block, choices=block.choices if choices else None, tray=(lambda *_: TILES[:28]) if tray else None)
    opening = bare.opening(TWO)
    state = bare.start(opening)
    for line in ("A 5-1", "B 5-3 left", "A passes", "B 6-6 right"):  # the last one illegal
        act = notation.read_line(line, TWO)
        assert isinstance(act, ACTS)
        form = forms.form(bare, opening, state)
        way = next(way for way in form.ways if (way.kind, way.player) == (kind(act), act.player))  # type: ignore[union-attr]
        if isinstance(act, Play):
            assert str(TILES[act.tile.index]) in way.tiles
        assert {way.kind for way in form.ways} == {"deal", "play", "pass"} == set(form.names)
        assert form.names["play"] == ("end",)
        state = advance(bare, state, act)


def possible(screen: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The legal acts that a phone could enter on this screen, as it would send them."""
    for way in screen["form"]["ways"]:
        for group in way.get("legal", ()):
            for at in group["at"]:
                fields = dict(zip(screen["form"]["names"][way["kind"]], at, strict=False))
                for tile in group["tiles"] or [None]:
                    act = {"type": way["kind"], "player": way["player"], **fields}
                    yield act if tile is None else {**act, "tile": tile}


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_game_is_recorded_from_what_the_screen_offers(block: Game[Any], seed: int) -> None:
    phone, random = Phone(block.name), Random(seed)
    screen = phone.screen()
    while not screen["ended"]:
        acts = list(possible(screen))
        plays = [act for act in acts if act["type"] == "play"]
        screen = phone.enter(msgspec.convert(random.choice(plays or acts), AnyEvent))
    assert screen["findings"] == [] or {finding["verdict"] for finding in screen["findings"]} == {"unproven"}
    result: list[Correctable] = msgspec.convert(screen["result"], list[Correctable])
    screen = phone.enter(*result)
    assert screen["verdict"] in ("clean", "unproven")
    assert " wins " in screen["outcome"]
    assert set(phone.pages().values()) == {200}
    record = phone.ledger.read(phone.id)
    assert audit(block, record).finished
    assert codec.decode(codec.encode(record)) == record
    sheet_text = notation.write(record)
    assert [codec.encode_event(replace(event, when=None)) for event in record.events] == [
        codec.encode_event(event) for event in notation.read(sheet_text).events
    ]


@pytest.mark.usefixtures("block")
def test_the_keyboard_offers_the_ends() -> None:
    recorder = Recorder(TemporaryStore(), find_game=catalog.find)
    scorer = Scorer(recorder, recorder.open(TWO), None)
    assert "A 1-5" in scorer.possible()
    scorer.record_line("A 5-1")
    assert {"B 1-5 left", "B 1-5 right"}.isdisjoint(scorer.possible())
    assert {"B 1-1 right", "B 5-5 left", "B passes"} <= set(scorer.possible())
    scorer.record_line("B 5-3 left")
    assert recorder.store.read(scorer.id).events[2] == replace(
        Play("ben", named("5-3"), "left"), when=recorder.store.read(scorer.id).events[2].when
    )


# ---- A seventh game, Fives, as a plug-in in its own package, written from docs/add-a-game.md alone.


SOURCE = ROOT / "tests" / "plugins" / "fives"
FIXTURES = sorted((SOURCE / "fixtures").glob("*.sheet"))
CASES = pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def fives_home(tmp_path_factory) -> Path:
    """A folder in which Fives is installed like any package."""
    target = tmp_path_factory.mktemp("home")
    install(SOURCE, target)
    return target


@pytest.fixture
def fives(fives_home: Path) -> Iterator[Game[Any]]:
    """The game itself, for the duration of a test."""
    with installed(fives_home, "fives") as game:
        yield game


def findings(game: Game[Any], record: Record) -> str:
    """The findings of an audit, in the form of a fixture's first line."""
    texts = [f"{finding.clause} at {finding.seq}, {finding.verdict}" for finding in audit(game, record).findings]
    return "; ".join(texts) or "nothing"


def events_by_clause(game: Game[Any]) -> dict[str, set[type]]:
    """The events that each clause judges, by the id of the clause."""
    return {clause.id: set(clause.on) for clause in game.clauses if clause.on}


# ── Installed, typed, and as docs/add-a-game.md describes ─────────────────────────────────────────────────────


def test_it_is_installed_beside_the_others(fives_home: Path) -> None:
    assert b"fives: Fives (everybody), for two players" in run(fives_home, "games").stdout
    assert b"rounded to the nearest five" in run(fives_home, "clauses", "fives").stdout
    games = run(fives_home, "simulate", "fives", "--count", "300", "-p", "target=50")
    assert run(fives_home, "audit", "-", stdin=games.stdout).stdout.endswith(b"300 records: 300 clean\n")


def test_it_is_typed() -> None:
    assert not type_check(SOURCE / "fives")


def test_it_uses_nothing_that_the_guide_does_not_name() -> None:
    page = (ROOT / "docs" / "add-a-game.md").read_text("utf-8")
    files = sorted((SOURCE / "fives").glob("*.py"))
    assert files
    for node in (node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8")))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("ledger"):
            assert f"`{node.module}`" in page
            for alias in node.names:
                assert re.search(rf"`{alias.name}\b", page), f"{node.module}.{alias.name}"


# ── Judged ─────────────────────────────────────────────────────────────────────────────────────────────────


@CASES
def test_a_fixture_is_judged_as_it_says(fives: Game[Any], path: Path) -> None:
    sheet = path.read_text("utf-8")
    record = notation.read(sheet)
    assert f"# finds: {findings(fives, record)}" == sheet.partition("\n")[0]
    assert notation.read(notation.write(record)) == record


def test_every_clause_has_a_fixture_that_breaks_it_and_one_that_keeps_it(fives: Game[Any]) -> None:
    broken, kept = set[str](), set[type]()
    for path in FIXTURES:
        record = notation.read(path.read_text("utf-8"))
        report = audit(fives, record)
        broken |= {finding.clause for finding in report.findings}
        if report.verdict == "clean":
            kept |= set(map(type, record.events))
    assert broken == events_by_clause(fives).keys()
    for clause, events in events_by_clause(fives).items():
        assert events & kept, clause


@pytest.mark.parametrize("seed", range(20))
def test_a_simulated_game_adds_up(fives: Game[Any], seed: int) -> None:
    review = Review(simulate(fives, seed, {"target": 100, "last_two": seed % 3 > 0}))
    assert review.report.verdict == "clean"
    assert review.report.finished
    totals = [0, 0]
    for entry in review.scored:
        totals[entry.reason.player] += entry.reason.points
        assert entry.reason.points % 5 == 0
        assert entry.reason.clause in {clause.id for clause in clauses(fives)}
    assert tuple(totals) == review.standing().scores
    assert {sum(tally.tiles for tally in fives.tally(step.after)) for step in review.steps} == {28}


def test_every_clause_can_be_planted_and_is_found(fives: Game[Any]) -> None:
    grave = [clause.id for clause in fives.clauses if clause.on and clause.verdict != "unproven"]
    assert set(grave) == events_by_clause(fives).keys() - {"fives.counted"}
    for clause in grave:
        report = audit(fives, simulate(fives, 2, fault=clause))
        assert {f.clause for f in report.findings if f.verdict in ("breach", "impossible")} == {clause}


@pytest.mark.parametrize(
    ("line", "count"),
    [("5-5", 10), ("5-0", 5), ("5-5 5-0", 10), ("5-5 5-6 6-4", 14), ("4-4 4-6 6-6", 20), ("0-0", 0), ("1-2 2-2", 5)],
)
def test_the_ends_count_doubles_crosswise(fives: Game[Any], line: str, count: int) -> None:
    assert sys.modules[f"{fives.name}.state"].ends(tuple(map(named, line.split()))) == count


@pytest.mark.parametrize(("pips", "points"), [(0, 0), (2, 0), (3, 5), (7, 5), (8, 10), (12, 10), (13, 15)])
def test_pips_are_rounded_to_the_nearest_five(fives: Game[Any], pips: int, points: int) -> None:
    assert sys.modules[f"{fives.name}.state"].nearest_five(pips) == points


# ── Recorded by phone ──────────────────────────────────────────────────────────────────────────────────────


def by_seats(event: Correctable) -> Correctable:
    """An event of Ana and Ben with the ids that a phone assigns."""
    return replace(event, player={"ana": "p1", "ben": "p2"}[event.player])  # type: ignore[union-attr,call-arg]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_game_is_offered_move_by_move(fives: Game[Any], seed: int) -> None:
    phone = Phone(fives.name, **{"option.target": "50"})
    acts = [by_seats(event) for event in simulate(fives, seed, {"target": 50}).events if isinstance(event, ACTS)]
    screen = phone.screen()
    for act in acts:
        ways = {(way["kind"], way["player"]): way for way in screen["form"]["ways"]}
        way = ways[kind(act), act.player]  # type: ignore[union-attr]
        assert way.get("due") or kind(act) == "deal", act
        tiles = getattr(act, "tiles", None) or [tile] if (tile := getattr(act, "tile", None)) else ()
        assert {f"{member.low}-{member.high}" for member in tiles} <= set(way.get("tiles", ()))
        screen = phone.enter(act)
    assert screen["ended"]
    assert [claim["type"] for claim in screen["result"]] == ["score", "result"]
    assert screen["verdict"] == "clean"
    assert set(phone.pages().values()) == {200}


def test_a_hand_can_be_recorded_from_its_first_tile_without_the_deal(fives: Game[Any]) -> None:
    phone = Phone(fives.name)
    sheet = (SOURCE / "fixtures" / "show-kept.sheet").read_text("utf-8")
    for event in notation.read(sheet).events[1:]:
        if isinstance(event, ACTS):
            screen = phone.enter(by_seats(event))
            assert screen["verdict"] == "clean"
    assert "Ana 20, Ben 25" in screen["outcome"]
    assert set(phone.pages().values()) == {200}
