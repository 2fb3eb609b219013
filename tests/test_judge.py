"""How the audit asks clauses and rulings about events."""

from typing import Any

import pytest
from msgspec.structs import replace

from ledger.audit.auditor import audit
from ledger.audit.judge import judge
from ledger.audit.replay import steps
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import ACTS, Play, Score
from ledger.record.record import Record, effective
from ledger.rules.game import Clause, Fault, Game, Option
from reports_of import records

ALL = [catalog.find(name) for name in catalog.built_in()]
EACH_GAME = pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
SPOILED, SEED = 60, 2026


@EACH_GAME
def test_neighbouring_clauses_with_one_condition_evaluate_it_once(game: Game[Any]) -> None:
    evaluated, judged = list[object](), list[object]()
    acts = tuple(kind for kind in game.events if kind in ACTS)

    def every_other(_before: object, event: object, _after: object) -> bool:
        evaluated.append(event)
        return len(evaluated) % 2 == 1

    def check(_before: object, event: object, _after: object, _evidence: object) -> list[Fault]:
        judged.append(event)
        return []

    pair = [Clause[Any](f"added.{name}", "Nothing is at fault.", acts, check, when=every_other) for name in ("a", "b")]
    record = simulate(game, 1)
    audit(replace(game, clauses=(*game.clauses, *pair)), record)
    assert evaluated == [event for event in record.events if type(event) in acts]
    assert judged == [event for event in evaluated[::2] for _ in pair]


@EACH_GAME
def test_rulings_with_one_condition_evaluate_it_once_and_are_not_asked_again_once_touched(game: Game[Any]) -> None:
    evaluated, asked = list[object](), list[tuple[str, object]]()
    acts = tuple(kind for kind in game.events if kind in ACTS)

    def every_other(_before: object, event: object, _after: object) -> bool:
        evaluated.append(event)
        return len(evaluated) % 2 == 1

    def touched_at(name: str, count: int) -> Option:
        def touched(_before: object, event: object, _after: object) -> bool:
            asked.append((name, event))
            return [name_ for name_, _event in asked].count(name) == count

        return Option(name, "ruling", (False, True), "nothing", on=acts, touched=touched, when=every_other)

    options = (*game.options, touched_at("never", 0), touched_at("second", 2))
    record, touched_rulings = simulate(game, 1), set[str]()
    all_steps = list(steps(game, game.opening(record.opening), effective(record.events).entries))
    judge(replace(game, options=options), all_steps, {}, touched_rulings)
    assert "second" in touched_rulings
    assert "never" not in touched_rulings
    assert evaluated == [event for event in record.events if type(event) in acts]
    assert [event for name, event in asked if name == "never"] == evaluated[::2]
    assert [event for name, event in asked if name == "second"] == evaluated[:3:2]


@pytest.mark.parametrize("name", ["build-up", "zigzag"])
def test_a_right_total_ends_a_difference(name: str) -> None:
    game = catalog.find(name)
    events: list[Any] = list(simulate(game, 1, {"hands": 3} if name == "zigzag" else {}).events)
    scores = [place for place, event in enumerate(events) if type(event) is Score and event.scope == "game"]
    for place in (scores[0], scores[2]):
        (player, points), *others = events[place].points.items()
        events[place] = replace(events[place], points={player: points + 1, **dict(others)})
    report = audit(game, Record(tuple(events)))
    assert [finding.seq for finding in report.findings] == [scores[0], scores[2]]


def test_a_clause_that_needs_evidence_is_asked_only_where_there_is_some() -> None:
    game, asked = catalog.find("zigzag"), list[object]()

    def check(_before: object, _event: object, _after: object, evidence: object) -> list[Fault]:
        asked.append(evidence)
        return [Fault("there is evidence")]

    added: Clause[Any] = Clause("added.clause", "There is none.", (Play,), check, proved=True, needs_evidence=True)
    record, seqs = simulate(game, 1), list[int]()

    def holdings(steps_: Any) -> dict[int, str]:
        seqs[:] = [step.seq for step in steps_ if type(step.event) is Play][::3]
        return dict.fromkeys(seqs, "evidence")

    report = audit(replace(game, clauses=(added,), holdings=holdings), record)
    assert [finding.seq for finding in report.findings] == seqs
    assert asked == ["evidence"] * len(seqs)


# The clauses about what is impossible skip an act that really put its tile on the table.  Others share their condition.
def test_an_act_that_a_clause_skips_or_lacks_evidence_about_breaks_it_in_no_case() -> None:
    skipped = dict.fromkeys(catalog.built_in(), 0)
    for record in records(SPOILED, SEED):
        game, played = catalog.find(record.opening.game), effective(record.events)
        needing = [clause for clause in game.clauses if clause.needs_evidence and clause.check]
        assert all(clause.proved for clause in needing)
        conditions = {clause.when for clause in game.clauses if clause.verdict == "impossible" and clause.when}
        guarded = [clause for clause in game.clauses if clause.when in conditions and clause.check]
        for step in steps(game, game.opening(played.opening), played.entries):
            event, before, after = step.event, step.before, step.after
            for clause in needing:
                assert type(event) not in clause.on or not clause.faults(before, event, after), clause.id
            for clause in guarded:
                if type(event) in clause.on and not clause.when(before, event, after):
                    assert not clause.check(before, event, after, None), (clause.id, event)
                    skipped[game.name] += 1
    assert all(skipped.values())
