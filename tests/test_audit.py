"""The audit: hidden hands, rulings, and the record itself."""

import json
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ledger import notation
from ledger.audit import other_rulings as readings_module
from ledger.audit.auditor import audit, gravest
from ledger.audit.other_rulings import Depends, readings
from ledger.audit.review import Review, clauses
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.errors import NotARecord
from ledger.record.events import Close, Deal, Insert, Over, Place, Play, Result, Score, Stack
from ledger.record.record import Record
from ledger.record.sentences import literal, who
from ledger.rules.game import Clause, Fault, Finding, Judged
from ledger.rules.shared_clauses import is_past_end
from planted_slips import plant
from sheets import report as report_of
from sheets import review as review_of

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


def test_of_too_many_readings_some_are_tried_and_the_answer_is_not_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    record = notation.read(BUILD_UP + "A 6-6 on 10\nB 2-4 on 4\n")
    whole = readings(record)
    monkeypatch.setattr("ledger.audit.other_rulings.LIMIT", len(whole.readings))
    assert readings(record) == whole
    monkeypatch.setattr("ledger.audit.other_rulings.LIMIT", 1)
    some = readings(record)
    assert (some.complete, some.readings) == (False, whole.readings[:1])


def test_a_ruling_that_matters_only_under_another_reading_is_tried_too(monkeypatch: pytest.MonkeyPatch) -> None:
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
