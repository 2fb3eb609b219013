"""Whole games from a seed: their audits are clean, and a breach put into one is found at its place and nowhere else.

`DOMINO_GAMES` is their number; `make torture` plays 10,000 of each rule set.
"""

from collections import Counter
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from ledger.audit.auditor import audit
from ledger.audit.replay import steps
from ledger.games import catalog
from ledger.play.simulate import any_options, simulate
from ledger.record import codec
from ledger.record.errors import NotForNow
from ledger.record.events import CLAIMS, Close, Deal, Draw
from ledger.rules.game import Game
from sheets import GAMES

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


@pytest.mark.parametrize(("game", "fault", "reason"), [
    (
        replace(ZIGZAG, simulation=None), None,
        "Zigzag cannot be simulated: its Game has no `simulation`, so nothing deals",
    ),
    (
        replace(ZIGZAG, choices=None), None,
        "Zigzag cannot be simulated: its Game has no `choices`, so nothing says what may be played",
    ),
], ids=["no simulation", "no choices"])  # fmt: skip
def test_what_a_game_lacks_to_be_simulated_is_named(game: Game, fault: str | None, reason: str) -> None:
    with pytest.raises(NotForNow) as refused:
        simulate(game, 1, fault=fault)
    assert str(refused.value) == reason
