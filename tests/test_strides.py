"""Strides: skipping events never changes the result of an audit, whatever the table did."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import count, islice
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from ledger.audit.auditor import audit
from ledger.audit.judge import judge, judge_record
from ledger.audit.replay import steps, steps_to_judge
from ledger.games import catalog
from ledger.play.simulate import any_options, simulate
from ledger.record import codec
from ledger.record.errors import NotARecord
from ledger.record.events import ACTS, CLAIMS, AnyEvent, Deal, Draw, Event, Layout, Note, Place, Play, Score
from ledger.record.record import Record, effective
from ledger.rules.game import Clause, Fault, Game, Option
from ledger.rules.shared_clauses import are_by_player
from planted_slips import plant
from sheets import GAMES

ALL = [game for game in map(catalog.find, catalog.built_in()) if game.stride]
EACH_GAME = pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
RECORDS = {"domino-ziggurat": GAMES // 7, "zigzag": max(5, GAMES // 4)}
"""The number of games, whose length differs: by default half of `GAMES`, and 8 at least."""
LONG = 250
"""The events of a game that is left out: one of nine hands shows what one of three shows, in ten times the time."""
SEED = 2026
BEGINNINGS = {"domino-ziggurat": 2}
"""The number of games whose beginnings are audited, by default 40."""


def tables(game: Game, seed: int) -> Iterator[list[AnyEvent]]:
    """A simulated game as it was played; and the same with a mistake that a table or its recorder could make."""
    random = Random(SEED + seed)
    options, players, edition = any_options(game, random)
    events = list(simulate(game, seed, options, players=players, edition=edition).events)
    yield events
    # Hands that are not fully recorded prove less.
    yield [event for event in events if type(event) is not Deal or random.random() < 0.8]
    before = [step.before for step in steps(game, game.opening(events[0]), effective(events).entries)]  # type: ignore[arg-type]
    for _ in range(5):
        place, other_place = random.randrange(1, len(events)), random.randrange(1, len(events))
        yield [*events[:place], *events[place + 1 :]]
        swapped = list(events)
        swapped[place], swapped[other_place] = swapped[other_place], swapped[place]
        yield swapped
        slips: list[Event] = random.sample(list(islice(game.simulation.slips(before[place], random), 200)), 2)
        yield with_one_tile_confused(events, random)
        for slip in slips:
            yield [*events[:place], slip, *events[place + random.randrange(2) :]]  # type: ignore[list-item]


def with_one_tile_confused(events: list[AnyEvent], random: Random) -> list[AnyEvent]:
    """One tile confused with another in the acts of one player, so that it is there twice."""
    texts = [codec.encode_event(event) for event in events]
    one, other = random.sample(sorted({tile for text in texts for tile in re.findall(rb'"\d+-\d+"', text)}), 2)
    who = b'"%s"' % random.choice(events[0].players).id.encode()  # type: ignore[union-attr]
    text = b",".join(text.replace(one, other) if who in text else text for text in texts)
    return list(codec.decode(b'{"format":"%s","events":[%s]}' % (codec.FORMAT.encode(), text)).events)


def records(game: Game) -> Iterator[Record]:
    """The tables of many games that are valid records."""
    games = (list(tables(game, seed)) for seed in count())
    short = (some for some in games if len(some[0]) < LONG)
    for some in islice(short, RECORDS.get(game.name, max(8, GAMES // 2))):
        for events in some:
            try:
                yield codec.check(events)
            except NotARecord:
                continue


@EACH_GAME
def test_strides_give_the_states_and_reports_of_single_steps(game: Game) -> None:
    skipped, judged_count, slow = 0, 0, replace(game, stride=None)
    for record in records(game):
        assert audit(game, record) == audit(slow, record)
        opening, effective_ = game.opening(record.opening), effective(record.events)
        step_by_seq = {step.seq: step for step in steps(game, opening, effective_.entries)}
        judged, last = steps_to_judge(game, opening, effective_, set())
        assert [step_by_seq[step.seq] for step in judged] == judged
        assert last == step_by_seq[effective_.seqs[-1]].after
        skipped, judged_count = skipped + len(step_by_seq) - len(judged), judged_count + len(judged)
    assert skipped > judged_count, "a stride that passes over little is not worth its lines"


@EACH_GAME
def test_strides_judge_the_beginning_of_a_game_as_single_steps_do(game: Game) -> None:
    """A ruling that the whole game depends on anyway is named as soon as it matters, and not before."""
    slow = replace(game, stride=None)
    for seed in range(BEGINNINGS.get(game.name, 40)):
        options, players, edition = any_options(game, Random(seed))
        events = simulate(game, seed, options, players=players, edition=edition).events
        for end in range(2, 14):
            beginning = codec.check(events[:end])
            assert audit(game, beginning) == audit(slow, beginning)


def test_no_stride_takes_a_hand_that_names_a_tile_twice() -> None:
    game = catalog.find("build-up")
    events = list(simulate(game, 1).events)
    place, deal = next((place, event) for place, event in enumerate(events) if type(event) is Deal)
    events[place] = replace(deal, tiles=(*deal.tiles, deal.tiles[0]))
    record = codec.check(events)
    assert place in [finding.seq for finding in audit(game, record).findings]
    assert audit(game, record) == audit(replace(game, stride=None), record)


def test_no_stride_ends_a_round_of_draws_with_an_unknown_tile() -> None:
    game = catalog.find("build-up")
    events = list(simulate(game, 1).events)
    place, draw = next((place, event) for place, event in enumerate(events) if type(event) is Draw)
    laid = next(event.tiles[0] for event in events if type(event) is Layout and event.player == draw.player)
    events[place] = replace(draw, tile=laid)
    played = effective(events[: place + len(events[0].players)])  # type: ignore[union-attr]
    opening = game.opening(played.opening)
    *_, last = steps(game, opening, played.entries)
    assert steps_to_judge(game, opening, played, set())[1] == last.after


def test_points_are_compared_by_player_whatever_their_order() -> None:
    players = ("ana", "ben")
    assert are_by_player({"ana": 7, "ben": 5}, players, (7, 5))
    assert are_by_player({"ben": 5, "ana": 7}, players, (7, 5))
    assert not are_by_player({"ben": 7, "ana": 5}, players, (7, 5))
    assert not are_by_player({"ana": 7}, players, (7, 5))


@EACH_GAME
def test_an_added_clause_is_checked(game: Game[Any]) -> None:
    def check(_before: object, _event: object, _after: object, _evidence: object) -> list[Fault]:
        return [Fault("this clause faults every act")]

    acts = tuple(kind for kind in game.events if kind in ACTS)
    added: Clause[Any] = Clause("added.clause", "Every act is at fault.", acts, check)
    second = replace(game, revision="2", earlier=game, clauses=(*game.clauses, added))
    record = simulate(game, 1)
    seqs = [finding.seq for finding in audit(second, record).findings if finding.clause == added.id]
    assert seqs == [seq for seq, event in enumerate(record.events) if type(event) in acts]


@EACH_GAME
def test_a_game_of_hidden_hands_is_walked_once(game: Game[Any]) -> None:
    evolved = list[object]()

    def evolve(state: object, event: object) -> object:
        evolved.append(event)
        return game.evolve(state, event)

    record = codec.check([event for event in simulate(game, 1).events if type(event) is not Deal])
    assert audit(replace(game, evolve=evolve), record) == audit(game, record)
    assert len(evolved) < 1.1 * len(record.events)


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


@EACH_GAME
def test_a_clause_that_needs_evidence_finds_no_fault_without(game: Game[Any]) -> None:
    needing = [clause for clause in game.clauses if clause.needs_evidence and clause.check]
    assert all(clause.proved for clause in needing)
    for record in islice(records(game), 60):
        for _seq, event, before, after in steps(game, game.opening(record.opening), effective(record.events).entries):
            assert not [
                clause.id for clause in needing if type(event) in clause.on and clause.faults(before, event, after)
            ]


@pytest.mark.parametrize("name", ["build-up", "zigzag"])
def test_a_right_total_that_a_stride_consumes_ends_a_difference(name: str) -> None:
    game = catalog.find(name)
    events: list[Any] = list(simulate(game, 1, {"hands": 3} if name == "zigzag" else {}).events)
    scores = [place for place, event in enumerate(events) if type(event) is Score and event.scope == "game"]
    assert len(scores) >= 3
    for place in (scores[0], scores[2]):
        (player, points), *others = events[place].points.items()
        events[place] = replace(events[place], points={player: points + 1, **dict(others)})
    record = Record(tuple(events))
    report = audit(game, record)
    assert [finding.seq for finding in report.findings] == [scores[0], scores[2]]
    assert report == audit(replace(game, stride=None), record)
    judgement, _end = judge_record(game, game.opening(record.opening), effective(record.events), set())
    judged = {step.seq for step in judgement.steps}
    assert {scores[0], scores[2]} <= judged
    assert scores[1] not in judged
    assert len(judged) < len(events) / 2


def test_a_level_of_a_ziggurat_that_was_left_too_early_stops_no_stride() -> None:
    game, games, consumed = catalog.find("ziggurat"), 0, 0
    for seed in range(100, 125):
        slip = plant("ziggurat", "wrong-place", seed)
        assert slip
        assert audit(game, slip.record) == audit(replace(game, stride=None), slip.record)
        played, opening = effective(slip.record.events), game.opening(slip.record.opening)
        all_steps = {step.seq: step for step in steps(game, opening, played.entries)}
        judged, last = steps_to_judge(game, opening, played, set())
        assert last == all_steps[played.seqs[-1]].after
        for step in judged:
            del all_steps[step.seq]
        games += bool(last.left)
        consumed += sum(bool(step.before.left) for step in all_steps.values() if type(step.event) is Place)
    assert games > 5
    assert consumed > 5 * games


# The audit looks for tiles drawn twice only among the events that no stride consumes.
def test_no_stride_consumes_the_draw_of_a_tile_that_was_drawn_or_laid_before() -> None:
    count = 0
    for game in ALL:
        if Deal in game.events:
            continue
        for record in records(game):
            played, named = effective(record.events), set[int]()
            judged = {step.seq for step in steps_to_judge(game, game.opening(played.opening), played, set())[0]}
            for seq, event in played.entries:
                if isinstance(event, Draw | Place):
                    again = type(event) is Draw and event.tile.index in named
                    assert not again or seq in judged
                    named.add(event.tile.index)
                    count += again
    assert count


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
@EACH_GAME
def test_an_act_that_the_clauses_about_the_impossible_skip_breaks_none_with_their_condition(game: Game[Any]) -> None:
    conditions = {clause.when for clause in game.clauses if clause.verdict == "impossible" and clause.when}
    guarded = [clause for clause in game.clauses if clause.when in conditions and clause.check]
    skipped = 0
    for record in islice(records(game), 150):
        for _seq, event, before, after in steps(game, game.opening(record.opening), effective(record.events).entries):
            for clause in guarded:
                if type(event) in clause.on and not clause.when(before, event, after):
                    assert not clause.check(before, event, after, None), (clause.id, event)
                    skipped += 1
    assert skipped


def changed_clauses(game: Game[Any], random: Random) -> Iterator[tuple[str, tuple[Clause[Any], ...]]]:
    """The clauses of a game without one of them, and with one field of some of them changed."""

    def fault(*_anything: object) -> list[Fault]:
        return [Fault("this clause faults every event")]

    values = {
        "id": "another.clause", "meaning": "Another meaning.", "on": (), "check": fault, "verdict": "note",
        "proved": True, "when": lambda *_anything: False, "needs_evidence": True,
    }  # fmt: skip
    for left_out in game.clauses:
        yield f"without {left_out.id}", tuple(clause for clause in game.clauses if clause is not left_out)
    for field in Clause.__struct_fields__:
        for old in random.sample(game.clauses, 3):
            new = replace(old, **{field: values[field]})
            yield f"{old.id}: {field}", tuple(new if clause is old else clause for clause in game.clauses)


def changed_options(game: Game[Any], random: Random) -> Iterator[tuple[str, tuple[Option, ...]]]:
    """The options of a game with one field of some of the rulings changed."""
    values = {
        "kind": "variant", "values": None, "meaning": "Another meaning.", "accepts": "anything", "on": (),
        "sentences": (),
        "valid": lambda *_anything: True, "touched": lambda *_anything: True, "when": lambda *_anything: False,
    }  # fmt: skip
    for field in Option.__struct_fields__[1:]:  # a game asks for its options by name
        for old in random.sample(game.rulings, 3):
            new = replace(old, **{field: old.values[::-1] if field == "values" else values[field]})
            yield f"{old.name}: {field}", tuple(new if option is old else option for option in game.options)


def changed_games(game: Game[Any], random: Random) -> Iterator[tuple[str, Game[Any]]]:
    """A game with each of its fields changed, one at a time."""
    some = {
        "name": ["another-game"], "title": ["Another Game"], "author": ["nobody"], "document": ["none"],
        "about": ["nothing"], "seats": ["anybody"], "seated": [lambda _opening: True],
        "events": [tuple(kind for kind in game.events if kind is not gone) for gone in game.events],
        "start": [partial(game.start), lambda opening: replace(game.start(opening), past=True)],
        "evolve": [partial(game.evolve), lambda state, act: state if type(act) in CLAIMS else game.evolve(state, act)],
        "standing": [lambda state: replace(game.standing(state), finished=True)],
        "scene": [partial(game.scene)],
        "editions": [(*game.editions, "none")], "defaults": [game.defaults and partial(game.defaults)],
        "scores": [("game",), ("hand",), ("hand", "game")], "line_ends": [True, False],
        "points": [lambda *_step: ()], "tally": [lambda _state: ()],
        "holdings": [None, lambda steps: dict.fromkeys([step.seq for step in steps]), lambda _steps: {}],
        "hand_number": [None], "hands_planned": [None],
        "closing": [(), tuple(kind for kind in game.events if kind in ACTS)],
        "end_clause": ["record.unfinished", game.clauses[0].id], "unfinished_clause": ["record.after-end"],
        "choices": [None], "tray": [None], "largest": [9], "simulation": [None],
        "stride": [game.stride], "revision": ["2"], "earlier": [replace(game, revision="0")],
    }  # fmt: skip
    for field in Game.__struct_fields__:
        if field in ("clauses", "options"):
            continue
        for value in some[field]:
            yield field, replace(game, **{field: value})
    for what, clauses in changed_clauses(game, random):
        yield what, replace(game, clauses=clauses)
    for what, options in changed_options(game, random):
        yield what, replace(game, options=options)


# Whatever an audit reads of a game, the stride vouches for it or does not hang on it.
@EACH_GAME
def test_with_any_field_of_a_game_changed_the_stride_changes_nothing(game: Game[Any]) -> None:
    random, options = Random(SEED), {"zigzag": {"set": 6, "hands": 2}}.get(game.name, {})
    clean = simulate(game, 2, options)
    among = [with_ends(clean, random), *islice(records(game), 30)]
    for what, changed in changed_games(game, random):
        single_steps = replace(changed, stride=None)
        for record in (clean, random.choice(among)):
            assert audit(changed, record) == audit(single_steps, record), what


def with_ends(record: Record, random: Random) -> Record:
    """The same record, in which some plays name an end of the line."""
    named = [type(event) is Play and random.random() < 0.1 for event in record.events]
    events = zip(record.events, named, strict=True)
    return Record(tuple([replace(event, end="left") if has_end else event for event, has_end in events]))


@EACH_GAME
def test_a_stride_is_trusted_for_its_own_game_and_for_others_that_differ_only_in_words(game: Game[Any]) -> None:
    assert game.trusted_stride is game.stride
    assert replace(game, revision="2", earlier=game, title="Another title").trusted_stride is game.stride
    for part, value in {"scores": ("hand",), "line_ends": True, "closing": (Note,), "holdings": dict}.items():
        assert replace(game, **{part: value}).trusted_stride is None, part
