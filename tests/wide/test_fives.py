"""A seventh game, Fives, as a plug-in in its own package, written from docs/add-a-game.md alone."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from ledger import notation
from ledger.audit.auditor import audit
from ledger.audit.review import Review, clauses
from ledger.play.simulate import simulate
from ledger.record.events import ACTS, Correctable, kind
from ledger.record.record import Record
from ledger.record.tiles import named
from ledger.rules.game import Game
from plugin_home import ROOT, Phone, install, installed, run, type_check

SOURCE = ROOT / "tests" / "plugins" / "fives"
FIXTURES = sorted((SOURCE / "fixtures").glob("*.sheet"))
CASES = pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which Fives is installed like any package."""
    target = tmp_path_factory.mktemp("home")
    install(SOURCE, target)
    return target


@pytest.fixture
def fives(home: Path) -> Iterator[Game[Any]]:
    """The game itself, for the duration of a test."""
    with installed(home, "fives") as game:
        yield game


def findings(game: Game[Any], record: Record) -> str:
    """The findings of an audit, in the form of a fixture's first line."""
    texts = [f"{finding.clause} at {finding.seq}, {finding.verdict}" for finding in audit(game, record).findings]
    return "; ".join(texts) or "nothing"


def events_by_clause(game: Game[Any]) -> dict[str, set[type]]:
    """The events that each clause judges, by the id of the clause."""
    return {clause.id: set(clause.on) for clause in game.clauses if clause.on}


# ── Installed, typed, and as docs/add-a-game.md describes ─────────────────────────────────────────────────────


def test_it_is_installed_beside_the_others(home: Path) -> None:
    assert b"fives: Fives (everybody), for two players" in run(home, "games").stdout
    assert b"rounded to the nearest five" in run(home, "clauses", "fives").stdout
    games = run(home, "simulate", "fives", "--count", "300", "-p", "target=50")
    assert run(home, "audit", "-", stdin=games.stdout).stdout.endswith(b"300 records: 300 clean\n")


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
