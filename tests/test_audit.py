"""The audit: hidden hands, rulings, and the record itself."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from golden import CASES, name_of
from ledger import notation
from ledger.audit import other_rulings as readings_module
from ledger.audit.auditor import audit, gravest
from ledger.audit.judge import judge
from ledger.audit.other_rulings import Depends, readings
from ledger.audit.replay import advance, fingerprint, steps
from ledger.audit.report_in_a_sentence import summary
from ledger.audit.review import Review, clauses
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.errors import NotARecord
from ledger.record.events import ACTS, Close, Confirm, Deal, Insert, Note, Over, Place, Play, Result, Score, Stack
from ledger.record.record import Record, effective
from ledger.record.sentences import literal, who
from ledger.rules.evidence import NOT_HELD, Evidence, Hand, Shared, prove
from ledger.rules.game import Clause, Fault, Finding, Game, Judged, Option
from ledger.rules.shared_clauses import is_past_end
from planted_slips import plant
from reports_of import records
from sheets import GAMES, a_open, review
from sheets import report as report_of
from sheets import review as review_of
from soup import correction, event

ZIGZAG = "Game: zigzag\nPlayers: A Ana, B Ben, C Cy\nOptions: first_bidder = A\n"
BUILD_UP = """Game: build-up
Players: A Ana, B Ben

A lays 0-3 1-3 2-2 3-3 5-6 1-6
B lays 0-1 1-4 0-0 5-5 4-6 2-5
"""


def test_the_gravest_finding_gives_the_verdict_and_notes_count_for_nothing() -> None:
    findings = [Finding(1, "x", "note"), Finding(2, "x", "unproven"), Finding(3, "x", "breach")]
    assert gravest(findings[:1]) == "clean"
    assert gravest(findings[:2]) == "unproven"
    assert gravest(findings) == "breach"
    assert gravest([*findings, Finding(4, "x", "impossible")]) == "impossible"


def test_findings_come_in_the_order_of_play_with_the_seq_of_their_event() -> None:
    report = report_of(ZIGZAG + "\nA bids 12\nA 2-2\nB 2-5\ninsert before 2: B bids 11 because forgotten")
    assert [f.seq for f in report.findings if f.clause == "zigzag.bid.raise"] == [4]


def test_scores_and_winners_are_computed_and_never_copied_from_a_claim() -> None:
    report = report_of(ZIGZAG + "\nA bids 12\ntotal: A 99, B 98, C 97\nresult: B")
    assert report.scores == {"ana": 0, "ben": 0, "cy": 0}
    assert report.winners == ()


def test_after_a_close_only_notes_corrections_and_confirmations_follow() -> None:
    sheet = ZIGZAG + "\nA bids 12\nend abandoned\nnote: a pity\nA agrees 9f2c41d0\nretract 3 because of a slip"
    assert report_of(sheet).verdict == "clean"
    report = report_of(sheet + "\nB passes")
    assert [(f.seq, f.clause, f.verdict) for f in report.findings] == [(6, "record.after-end", "breach")]


def test_a_correction_of_nothing_is_impossible_and_the_rest_is_judged() -> None:
    report = report_of(ZIGZAG + "\nA bids 12\nretract 7 because it is not there\nB bids 11")
    assert [(f.seq, f.clause) for f in report.findings] == [(2, "record.correction"), (3, "zigzag.bid.raise")]


def test_a_corrected_slip_is_no_breach_and_a_correction_can_show_one() -> None:
    assert report_of(ZIGZAG + "\nA bids 12\nB bids 11\namend 2: B bids 13 because I misheard").verdict == "clean"
    report = report_of(ZIGZAG + "\nA bids 12\nB bids 13\namend 2: B bids 11 because I misheard")
    assert [(f.seq, f.clause) for f in report.findings] == [(2, "zigzag.bid.raise")]


def test_later_events_that_no_longer_fit_stay_and_are_judged_as_they_stand() -> None:
    before = BUILD_UP + "A 4-4 on 7\nB 1-2 on 1\n"
    assert [f for f in report_of(before).findings if f.verdict == "breach"] == []
    after = review_of(before + "amend 3: A 4-4 on 1 because the stack was 1")
    assert [step.seq for step in after.steps] == [0, 1, 2, 3, 4]
    assert [(f.seq, f.verdict) for f in after.report.findings if f.verdict == "breach"] == [(4, "breach")]


def test_a_claim_cites_what_was_expected_and_what_was_claimed() -> None:
    sheet = "Game: ziggurat\nPlayers: A Ana, B Ben\n\nA 1-2 a6-b6 =1"
    (finding,) = [f for f in report_of(sheet).findings if f.verdict == "breach"]
    assert (finding.expected, finding.claimed, finding.player) == (0, 1, "ana")


def test_the_balance_counts_tiles_and_claims() -> None:
    sheet = "Game: ziggurat\nPlayers: A Ana, B Ben\n\nA 1-2 a6-b6 =0\nB 2-5 c6-c5 =2"
    assert report_of(sheet).balance.endswith("· 1 of 2 called scores check out")
    assert report_of(sheet).balance.startswith("28 tiles = 2 on the table")


def test_an_opening_that_the_game_cannot_read_is_refused() -> None:
    for wrong, reason in (
        ("Options: set = 5", "set cannot be 5; it can be 8, 6"),
        ("Options: speed = 2", "no option 'speed'"),
        ("Edition: 3", "no edition"),
    ):  # fmt: skip
        record = notation.read(f"Game: zigzag\nPlayers: A Ana, B Ben, C Cy\n{wrong}\n")
        with pytest.raises(NotARecord, match=reason) as refused:
            audit(catalog.find("zigzag"), record)
        assert refused.value.event == 0
        assert str(refused.value.field).startswith("$.")
    two_players = notation.read("Game: zigzag\nPlayers: A Ana, B Ben\n")
    with pytest.raises(NotARecord, match="three players, not 2"):
        audit(catalog.find("zigzag"), two_players)


# ── Hidden hands ───────────────────────────────────────────────────────────────────────────────────────────


def test_no_hand_is_invented() -> None:
    report = report_of("Game: build-up\nPlayers: A Ana, B Ben\n\nA 6-6 on 1")
    assert {f.verdict for f in report.findings} <= {"unproven", "impossible"}


# ── Rulings ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_verdict_that_depends_on_a_ruling_names_it() -> None:
    sheet = BUILD_UP + "A 6-6 on 10\nB 2-4 on 4\n"
    result, own = readings(notation.read(sheet)), Review(notation.read(sheet)).report
    assert own.verdict == "breach"
    assert "tile_on_double" in own.rulings
    assert result.depends.verdict == ("tile_on_double",)
    assert result.complete
    other_reading = next(
        reading for reading in result.readings if reading.rulings == {"tile_on_double": "equal-or-more"}
    )
    assert other_reading.report.verdict != "breach"


def test_a_record_that_rests_on_no_ruling_says_so() -> None:
    result = readings(notation.read(ZIGZAG + "\nA bids 12"))
    assert (result.readings, result.depends) == ((), Depends((), (), ()))


def test_of_too_many_readings_some_are_tried_and_the_answer_is_not_complete(monkeypatch) -> None:
    record = notation.read(BUILD_UP + "A 6-6 on 10\nB 2-4 on 4\n")
    whole = readings(record)
    monkeypatch.setattr("ledger.audit.other_rulings.LIMIT", len(whole.readings))
    assert readings(record) == whole
    monkeypatch.setattr("ledger.audit.other_rulings.LIMIT", 1)
    some = readings(record)
    assert (some.complete, some.readings) == (False, whole.readings[:1])


def test_a_ruling_that_matters_only_under_another_reading_is_tried_too(monkeypatch) -> None:
    first, second = catalog.find("build-up").rulings[:2]
    other = first.values[1]
    judge = readings_module._report_under

    def report_under(game: Any, record: Record, values: dict[str, Any], name: str) -> Any:
        touched = {first.name: first.values[0]} | ({second.name: None} if values.get(first.name) == other else {})
        return replace(judge(game, record, values, name), rulings=touched)

    monkeypatch.setattr(readings_module, "_report_under", report_under)
    tried = readings(notation.read(BUILD_UP + "A 6-6 on 10\n"))
    firsts = [{}, *({first.name: value} for value in first.values[1:])]
    both = [{**one, second.name: value} for one in firsts for value in second.values]
    assert [reading.rulings for reading in tried.readings] == [*firsts, *both]
    assert tried.complete


# ── The review ─────────────────────────────────────────────────────────────────────────────────────────────


def test_names_stand_in_the_places_of_people_and_nowhere_else() -> None:
    review = review_of("Game: zigzag\nPlayers: A Ana (x1), B Ben (x2), C {0} {player} (x3)\n\nA bids 1")
    assert review.named(f"{who(0)} passes, {who(2)} has x1's tile") == "Ana passes, {0} {player} has x1's tile"
    sentence = "{expected} won, {claimed} called: {player}'s slip"
    finding = Judged(1, "a", "breach", "x3", ["x1", "x2"], "x2", sentence=sentence)
    assert review.message(finding) == "Ana and Ben won, Ben called: {0} {player}'s slip"
    assert review.named(literal("{0} {player} {")) == "{0} {player} {"


IDS = [
    ("a", "instead", "of"),
    ("12", "4", "It"),
    ("turn", "s", "The"),
    ("On", "on", "tile"),
    ("Ana Bo", "-", "playing a"),
    ("{0}", "{player}", "}{"),
    ("5-1", "2", "{"),
]


@cache
def _full_of_findings(game: str) -> Record:
    """The one with most findings of some games with a slip."""
    slips = (plant(game, kind, seed) for kind in ("act-forgotten", "one-pip", "act-twice") for seed in (1, 2))
    return max((slip.record for slip in slips if slip), key=lambda record: len(Review(record).report.findings))


@pytest.mark.parametrize("ids", IDS, ids=str)
@pytest.mark.parametrize("game", catalog.built_in())
def test_words_that_look_like_ids_stay_words(game: str, ids: tuple[str, ...]) -> None:
    """The sentences are those of the same game, recorded under ids that no sentence has."""
    record = _full_of_findings(game)
    plain = {player.id: f"zz{seat}" for seat, player in enumerate(record.opening.players)}
    odd = {player: (*ids, "was")[seat] for seat, player in enumerate(plain)}
    safe, review = (Review(_under(record, names)) for names in (plain, odd))
    assert safe.report.findings
    for finding, same in zip(safe.judged, review.judged, strict=True):
        assert review.message(same) == safe.message(finding)
    for one, other in zip(safe.scored, review.scored, strict=True):
        assert review.named(other.reason.because) == safe.named(one.reason.because)
    for place in range(0, len(safe.steps), 9):
        assert review.named(review.scene(place).status) == safe.named(safe.scene(place).status)


def _under(record: Record, ids: dict[str, str]) -> Record:
    """The record with other ids, and the old ones as names."""

    def changed(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            names = {"name": value["id"].title()} if key == "players" else {}
            return {ids.get(part, part): changed(inner, part) for part, inner in value.items()} | names
        if isinstance(value, list):
            return [changed(part, key) for part in value]
        return ids.get(value, value) if isinstance(value, str) and key != "name" else value

    return codec.decode(json.dumps(changed(json.loads(codec.encode(record)))).encode())


def test_every_clause_has_an_id_and_a_meaning() -> None:
    for name in catalog.built_in():
        published = clauses(catalog.find(name))
        for clause in published:
            assert clause.id.count(".") >= 1
            assert clause.meaning.endswith(".")
            assert bool(clause.on) == (clause.check is not None)


def test_a_report_is_json_in_the_fields_of_the_format() -> None:
    plain = msgspec.to_builtins(report_of(ZIGZAG + "\nA bids 12\nB bids 11"))
    assert set(plain) >= {"record", "game", "finished", "verdict", "scores", "winners", "findings", "rulings"}
    assert set(plain["findings"][0]) <= {"seq", "clause", "verdict", "player", "expected", "claimed", "message"}


def test_a_review_shows_any_step() -> None:
    review = review_of(ZIGZAG + "\nA bids 12\nB passes\nretract 2 because of a slip")
    assert isinstance(review, Review)
    assert review.place(1) == 1
    assert review.place(2) is None
    assert review.words(1) == "Ana bids 12"
    assert review.scene(0) != review.scene(1)


# ── One slip, one finding ──────────────────────────────────────────────────────────────────────────────────

ZIGGURAT = "Game: ziggurat\nPlayers: A Ana, B Ben\n\nA 1-2 a6-b6\nB 2-5 c6-c5\n"
"""Ben has one point, for the 2 beside Ana's."""


def accusations(sheet: str) -> list[tuple[int, str, str | None]]:
    """Seq, clause and player of each breach and each impossible event."""
    return [(f.seq, f.clause, f.player) for f in report_of(sheet).findings if f.verdict in ("breach", "impossible")]


def test_a_lasting_difference_is_reported_where_it_appears_and_where_it_changes() -> None:
    def totals(*pairs: tuple[int, int]) -> str:
        return ZIGGURAT + "".join(f"total: A {ana}, B {ben}\n" for ana, ben in pairs)

    assert accusations(totals((0, 2), (0, 2), (0, 2))) == [(3, "ziggurat.win", "ben")]
    assert accusations(totals((0, 2), (3, 2), (3, 2))) == [(3, "ziggurat.win", "ben"), (4, "ziggurat.win", "ana")]
    assert accusations(totals((0, 2), (0, 3), (0, 3))) == [(3, "ziggurat.win", "ben"), (4, "ziggurat.win", "ben")]
    # A correct total in between ends the difference: the next wrong one is a new slip.
    assert accusations(totals((0, 2), (0, 1), (0, 2))) == [(3, "ziggurat.win", "ben"), (5, "ziggurat.win", "ben")]


def test_every_claim_that_carries_a_difference_is_counted_as_wrong() -> None:
    report = report_of(ZIGGURAT + "total: A 0, B 2\ntotal: A 0, B 2\n")
    assert report.balance.endswith("2 of 4 called scores check out")


def test_an_event_of_another_game_is_one_finding_and_not_a_correct_claim() -> None:
    report = report_of(ZIGGURAT + "! cheats 7\ntotal: A 0, B 1\n")
    assert accusations(ZIGGURAT + "! cheats 7\ntotal: A 0, B 1\n") == [(3, "record.event", None)]
    assert report.scores == {"ana": 0, "ben": 1}
    assert report.balance.endswith("all 2 called scores check out")


def test_findings_come_in_the_order_of_gravity_and_then_of_play() -> None:
    findings = report_of(ZIGGURAT + "total: A 0, B 2\nB 0-0 d3-e3\n! cheats 7\nA 1-2 f1-g1\n").findings
    assert [f.verdict for f in findings] == sorted(
        (f.verdict for f in findings), key=["impossible", "breach", "unproven"].index
    )
    for verdict in ("impossible", "breach", "unproven"):
        seqs = [f.seq for f in findings if f.verdict == verdict]
        assert seqs == sorted(seqs)
        assert seqs


def test_after_the_first_act_past_the_end_neither_acts_nor_claims_are_judged() -> None:
    hand = "A bids 1\nB passes\nC passes\nA 0-0\nB 1-1\nC 2-2\n"
    ended = notation.read("Game: zigzag\nPlayers: A Ana, B Ben, C Cy\nOptions: first_bidder = A, target = 1\n\n" + hand)
    game = catalog.find("zigzag")
    record = simulate(game, 5, {"hands": 3})
    late_events = [*ended.events[1:], Score("game", {"ana": 77}), Result(("ben",))]
    events = [event for event in record.events if type(event) is not Close]
    late_claims = audit(game, codec.check((*events, *late_events)))
    assert [(f.seq, f.clause, f.verdict) for f in late_claims.findings if f.verdict != "unproven"] == [
        (len(events), "zigzag.end", "breach")
    ]
    early_claim = audit(game, codec.check((*events, Score("game", {"ana": 7777}), *late_events)))
    assert [f.clause for f in early_claim.findings if f.verdict == "breach"] == ["zigzag.win", "zigzag.end"]
    balance = audit(game, record).balance.rpartition("; ")[2]
    assert late_claims.balance.rpartition("; ")[2] == balance


def test_a_clause_about_acts_past_the_end_judges_those_alone() -> None:
    game = catalog.find("ziggurat")
    late = Clause("late", "Nothing is late.", (Place,), lambda *_: [Fault("Too late")], when=is_past_end)
    game = msgspec.structs.replace(game, clauses=(*game.clauses, late), end_clause="late")
    clean = simulate(game, 1)
    assert audit(game, clean).verdict == "clean"
    events = [event for event in clean.events if type(event) is not Close]
    late_act = next(event for event in events if type(event) is Place)
    report = audit(game, Record((*events, late_act)))
    assert [(finding.seq, finding.message) for finding in report.findings] == [(len(events), "Too late")]


@pytest.mark.parametrize("game", ["build-up", "ziggurat", "zigzag"])
def test_the_findings_about_an_inserted_act_are_where_the_act_is(game: str) -> None:
    whole = [e for e in simulate(catalog.find(game), 3, {}).events if type(e) not in (Deal, Over)]
    plays = [place for place, event in enumerate(whole) if type(event) in (Stack, Place, Play)]
    for place in (plays[0], plays[1], plays[len(plays) // 2]):
        inserted = [*whole[:place], *whole[place + 1 :], Insert(place, whole[place], "forgotten")]
        at_once, later = (audit(catalog.find(game), Record(tuple(events))).findings for events in (whole, inserted))
        # The event itself has the last seq, and those after it move down by one.
        seqs = {seq: seq - (seq > place) for seq in range(len(whole))} | {place: len(whole) - 1}
        assert [(seqs[f.seq], f.clause, f.message) for f in at_once] == [(f.seq, f.clause, f.message) for f in later]
        assert at_once


@pytest.mark.parametrize("name", catalog.built_in())
def test_a_result_that_names_others_is_one_breach_at_that_event(name: str) -> None:
    record = simulate(catalog.find(name), 1)
    at = next(n for n, event in enumerate(record.events) if type(event) is Result)
    right = record.events[at]
    assert isinstance(right, Result)
    others = tuple(player.id for player in record.opening.players if player.id not in right.winners)
    for winners in {others, (), (*right.winners, *others)} - {right.winners}:
        wrong = Record((*record.events[:at], msgspec.structs.replace(right, winners=winners), *record.events[at + 1 :]))
        (finding,) = (f for f in audit(catalog.find(name), wrong).findings if f.verdict == "breach")
        assert (finding.seq, finding.expected, finding.claimed) == (at, sorted(right.winners), sorted(winners))
        called = "were" if len(winners) > 1 else "was"
        assert f"{called} called the winner, but " in finding.message
        assert finding.message.startswith("Nobody was") == (not winners)


# ---- How the audit asks clauses and rulings about events.


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


# ---- A report in one sentence.


OPENED = "Game: zigzag\nPlayers: A Ana, B Ben, C Cy\nOptions: first_bidder = A\n\n"


@pytest.mark.parametrize(
    ("sheet", "sentence"),
    [
        (OPENED + "A bids 12\n", "No mistakes found."),
        (ZIGGURAT, "No mistakes found, but the record leaves 2 things open."),
        (ZIGGURAT + "total: A 0, B 2\n", "One mistake: the totals at move 3."),
        (OPENED + "A bids 12\nB bids 11\nC passes\nA passes\n",
         "Two mistakes: Ben's bid of 11 at move 2 and Ana's pass at move 4."),
        (OPENED + "A bids 12\nhand: A 9, B 0, C 0\n", "One mistake: the score of hand 1."),
        (OPENED + "A bids 12\nretract 9 because I slept\n", "One mistake: the correction at event 2."),
        (ZIGGURAT + "".join(f"total: B {n}\n" for n in (2, 3, 4, 5)),
         "Four mistakes, starting with the totals at move 3."),
    ],
)  # fmt: skip
def test_a_report_opens_with_a_sentence_that_says_what_is_wrong(sheet: str, sentence: str) -> None:
    assert summary(review(sheet)) == sentence


def test_a_count_beyond_the_words_is_a_number(monkeypatch) -> None:
    game = review(ZIGGURAT + "".join(f"total: B {n}\n" for n in (2, 3, 4, 5)))
    words = ("no", "one", "two", "three", "four")
    monkeypatch.setattr("ledger.record.words.NUMBERS", words)
    assert summary(game).startswith("Four mistakes, ")
    monkeypatch.setattr("ledger.record.words.NUMBERS", words[:-1])
    assert summary(game).startswith("4 mistakes, ")


# ---- Conclusions from a record about hidden hands, compared with every hand that fits it.


HANDS_SEED = 2026
TILES = 9
Split = tuple[int, ...]
"""The tiles of each hand, as bits; the others are outside."""
Proofs = Mapping[tuple[int, int], Evidence]
"""What is proved, by the seq of an act and the seat of the hand."""


def splits(tiles: int, sizes: Sequence[int]) -> Iterator[Split]:
    """Every way to divide the tiles into hands of these sizes."""
    if not sizes:
        yield ()
        return
    bits = [1 << n for n in range(TILES) if tiles >> n & 1]
    for chosen in combinations(bits, sizes[0]):
        hand = sum(chosen)
        for rest in splits(tiles & ~hand, sizes[1:]):
            yield (hand, *rest)


def table(random: Random) -> tuple[Shared, list[Split]]:
    """Hands that are partly recorded and partly played, and every division of the tiles that fits them."""
    all_tiles = (1 << TILES) - 1
    sizes = [random.randint(1, 4) for _ in range(random.choice((1, 2, 3)))]
    while sum(sizes) > TILES:
        sizes.pop()
    tiles = [1 << n for n in random.sample(range(TILES), TILES)]
    actual = [sum(tiles.pop() for _ in range(size)) for size in sizes]
    outside = all_tiles & ~sum(actual)
    shown = sum(1 << n for n in range(TILES) if outside >> n & 1 and random.random() < 0.6)
    hands, seq = [], iter(range(1000))
    for seat, held in enumerate(actual):
        whole = random.random() < 0.3
        chance = random.choice((0, 0.3, 0.7))
        written = held if whole else sum(1 << n for n in range(TILES) if held >> n & 1 and random.random() < chance)
        hand = Hand(seat, 0, sizes[seat], written, whole, acts=[])
        order = [1 << n for n in range(TILES) if held >> n & 1]
        random.shuffle(order)
        for tile in order[: random.randint(0, len(order))]:
            if random.random() < 0.5:
                hand.ask(next(seq))
            # Sometimes a tile that is not in the hand.
            hand.play(next(seq), random.choice([1 << n for n in range(TILES)]) if random.random() < 0.1 else tile)
        hand.ask(next(seq))
        hands.append(hand)
    group = Shared(hands, all_tiles, shown, (outside & ~shown).bit_count())
    fitting = [
        split
        for split in splits(all_tiles & ~shown, sizes)
        if all(not hand.written & ~tiles for hand, tiles in zip(hands, split, strict=True))
    ]
    return group, fitting


@pytest.mark.parametrize("seed", range(40))
def test_what_is_proved_of_a_tile_and_of_a_hand_is_what_every_split_agrees_on(seed: int) -> None:
    random, answers = Random(HANDS_SEED + seed), set[bool | None]()
    for _ in range(25):
        group, fitting = table(random)
        evidence = prove([group])
        check_tiles(group, fitting, evidence)
        if not any(_misnamed(group, hand) for hand in group.hands):
            # For a pass, played tiles count too.
            fitting = [s for s in fitting if all(not hand.played & ~s[hand.seat] for hand in group.hands)]
            answers |= set(check_passes(group, fitting, evidence, random))
    assert answers == {True, False, None}


def check_tiles(group: Shared, fitting: list[Split], evidence: Proofs) -> None:
    """A tile is proved held or not exactly if every split agrees; the first one that is open counts all such tiles."""
    for hand in group.hands:
        plays = [act for act in hand.acts if act.tile and not hand.plain]
        held = [agreed(bool(split[hand.seat] & act.tile) for split in fitting) for act in plays]
        expected = [NOT_HELD if answer is False else None for answer in held]
        if None in held:
            expected[held.index(None)] = Evidence(unproved=held.count(None))
        assert [evidence.get((act.seq, hand.seat)) for act in plays] == expected


def check_passes(group: Shared, fitting: list[Split], evidence: Proofs, random: Random) -> Iterator[bool | None]:
    """A hand is known to have one of some tiles, or none, exactly if every split says so; gives what they say."""
    for hand in group.hands if fitting else ():  # none fits if too many tiles were misnamed
        before = 0
        for act in hand.acts:
            if not act.plays and not hand.plain:
                fits = random.randrange(1 << TILES)
                answer = agreed(bool(split[hand.seat] & ~before & fits) for split in fitting)
                conclusion = evidence[act.seq, hand.seat]
                assert (conclusion.some(fits), conclusion.none(fits)) == (answer is True, answer is False)
                yield answer
            before |= act.tile


def agreed(answers: Iterable[bool]) -> bool | None:
    """The answer of all, or None where they differ."""
    different = set(answers)
    return different.pop() if len(different) == 1 else None


def _misnamed(group: Shared, hand: Hand) -> bool:
    """Whether a played tile cannot have been in the hand, or was also played from another hand."""
    elsewhere = group.outside
    for other in group.hands:
        if other is not hand:
            elsewhere |= other.stated | other.played
    return bool(hand.played & elsewhere) or (hand.closed and bool(hand.played & ~hand.stated)) or _twice(hand)


def _twice(hand: Hand) -> bool:
    return sum(act.plays for act in hand.acts) != hand.played.bit_count()


def test_an_unknown_tile_leaves_a_slot() -> None:
    hand = Hand(0, 0, 3, written=0b111, whole=True, acts=[])
    hand.play(1, 0)  # one of the three, misnamed
    hand.ask(2)
    hand.play(3, 0b001)
    hand.ask(4)
    evidence = prove([Shared([hand], 0b111)])
    assert evidence[2, 0] == Evidence(known=0b001, possible=0b110, slots=1)
    assert (evidence[2, 0].some(0b110), evidence[2, 0].some(0b010), evidence[2, 0].none(0b010)) == (True, False, False)
    assert evidence[4, 0].slots == 1


def test_a_record_that_does_not_add_up_accuses_nobody() -> None:
    one, other = Hand(0, 0, 3, acts=[]), Hand(1, 0, 3, written=0b111100, whole=True, acts=[])
    one.ask(1)
    evidence = prove([Shared([one, other], 0b111111)])[1, 0]
    assert (evidence.possible, evidence.slots) == (0b11, 3)
    assert not evidence.some(0b11)


# ---- The reducer is pure and total, and every state of a record is the same everywhere.


def soup(game: Game, seed: int) -> Record:
    """A record of random events, half of them after the beginning of a legal game, with random corrections."""
    random = Random(seed)
    events = list(simulate(game, seed % 8).events)[: random.randrange(1, 60)] if seed % 2 else [a_open(game)]
    players = [player.id for player in events[0].players]  # type: ignore[union-attr]
    kinds = (*game.events, Note, Close, Confirm) if seed % 3 == 0 else game.events
    events += [event(random.choice(kinds), players, random) for _ in range(random.randint(1, 40))]
    for _ in range(random.randint(0, 3)):
        events.append(correction(len(events), game.events, players, random))
    return codec.check(events)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_no_event_raises_and_every_audit_ends(game: Game) -> None:
    for seed in range(GAMES):
        review = Review(soup(game, seed))
        assert review.report.verdict in ("clean", "note", "unproven", "breach", "impossible")
        assert review.fingerprints()
        assert review.scored is not None
        for place in range(0, len(review.steps), 9):
            after = review.steps[place].after
            assert review.scene(place).status
            assert review.words(place)
            assert game.tally(after)
            game.choices(after)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_an_event_leaves_the_state_before_it_as_it_was(game: Game) -> None:
    random = Random(7)
    state = game.start(game.opening(a_open(game)))
    players = [player.id for player in a_open(game).players]
    for _ in range(200):
        before = fingerprint(state)
        event_ = event(random.choice(game.events), players, random)
        after = advance(game, state, event_)
        assert fingerprint(state) == before
        assert fingerprint(advance(game, state, event_)) == fingerprint(after)
        state = after


def test_bookkeeping_changes_nothing() -> None:
    for game in ALL:
        state = game.start(game.opening(a_open(game)))
        for event_ in (Note("tea"), Close("abandoned"), Confirm(a_open(game).players[0].id, "9f")):
            assert advance(game, state, event_) is state


CHILD = """
import sys
from pathlib import Path
from ledger.record import codec
from ledger.audit.review import Review
for name in sys.argv[1:]:
    review = Review(codec.decode(Path(name).read_bytes()))
    print(*review.fingerprints(), review.report)
"""


def test_states_and_reports_are_the_same_under_any_hash_seed() -> None:
    names = [str(path) for path in CASES[::25]]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", CHILD, *names],
            env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }  # fmt: skip
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == len(names)


def test_a_fingerprint_tells_states_apart() -> None:
    review = Review(codec.decode(next(p for p in CASES if name_of(p) == "zigzag/ending-target").read_bytes()))
    states = {}
    for step, print_ in zip(review.steps, review.fingerprints(), strict=True):
        assert states.setdefault(print_, step.after) == step.after
    assert len(states) > 20
    assert all(len(print_) == 16 for print_ in states)


def test_an_audit_never_depends_on_the_order_in_which_records_are_audited() -> None:
    records = [codec.decode(path.read_bytes()) for path in CASES[::15]]
    forwards = [audit(catalog.find(record.opening.game), record) for record in records]
    backwards = [audit(catalog.find(record.opening.game), record) for record in reversed(records)]
    assert forwards == backwards[::-1]
