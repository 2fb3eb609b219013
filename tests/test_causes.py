"""What explains findings: the planted slip is among the proposals, and the first proposal clears its cause."""

import itertools
import json
import os
from functools import cache
from random import Random

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from command_output import output_of
from golden import FIXTURES, review_of
from ledger.audit.other_rulings import Depends, Reading, Readings
from ledger.audit.report_in_a_sentence import slip_at, summary
from ledger.audit.reports import all_readings
from ledger.audit.review import Review
from ledger.audit.slip import forgotten_acts as forgetting
from ledger.audit.slip import misread_acts, slip_search
from ledger.audit.slip import misread_acts as prices
from ledger.audit.slip import slips_of_many as many
from ledger.audit.slip.causes import Amendment, Insertion, Retraction, laid
from ledger.audit.slip.slip_case import NEAR, PER_ACT, Case
from ledger.audit.slip.slip_search import causes, corrected, explain, slips
from ledger.audit.slip.trials import EVENTS, Budget, Trials, key_of
from ledger.cli import cli
from ledger.club.load import club_of
from ledger.club.profile import profile
from ledger.club.statistics import statistics
from ledger.examples.season import season
from ledger.games import catalog
from ledger.keep.stored_audits import audit_in, compare_audits, explain_stored, refresh, stored_causes
from ledger.record.codec import decode, encode
from ledger.record.events import AnyEvent, Bid, Deal, Lift, Open, Pass, Place, Play, Player, Rank, Score, Stack, actor
from ledger.record.record import Record
from ledger.record.squares import Squares
from ledger.record.tiles import named
from ledger.rules.game import GRAVE, Finding
from ledger.stores import open_ledger, questions
from ledger.stores.query import Audit, CauseRow, Query, Summary
from ledger.stores.store import SqliteStore
from planted_slips import KINDS, LIKELY, Planted, plant
from sheets import review as review_of_sheet
from slip_trials import Trial, trials, wrong, wrong_after

CASES = [(game, kind) for game in catalog.built_in() for kind in KINDS]
SLIPS = int(os.environ.get("DOMINO_SLIPS", "1"))
"""How many games of each rule set have a slip of each kind."""


@cache
def planted(game: str, kind: str, count: int) -> tuple[Planted, ...]:
    """The first of so many games with a slip of that kind that show it."""
    slips = (plant(game, kind, seed) for seed in range(count))
    return tuple(slip for slip in slips if slip is not None and wrong(slip.record))


@pytest.mark.every(8)
@pytest.mark.parametrize(("game", "kind"), CASES)
def test_the_first_proposal_clears_its_cause(game: str, kind: str) -> None:
    for slip in planted(game, kind, 3)[:SLIPS]:
        review, before = Review(slip.record), wrong(slip.record)
        explained = causes(review)
        graver = [index for index, one in enumerate(review.report.findings) if one.verdict in GRAVE]
        assert sorted(index for cause in explained for index in cause.findings) == graver
        for cause in explained:
            keys = {key_of(review.report.findings[index]) for index in cause.findings}
            assert len(cause.repairs) <= 3
            if cause.repairs:
                after = wrong(corrected(slip.record, cause.repairs[0].corrections))
                assert after <= before - keys


@cache
def tried() -> tuple[Trial, ...]:
    """What explains games with one slip each, with open and hidden hands, with and without claims."""
    return tuple(
        trial
        for number, kind in enumerate(KINDS)
        for trial in trials(catalog.built_in(), [kind], range(number % 4, number % 4 + SLIPS))
    )


def test_the_true_correction_is_among_three_for_the_kinds_that_are_likely() -> None:
    likely = [trial for trial in tried() if trial.kind in LIKELY]
    assert len(likely) >= len(LIKELY) * SLIPS
    assert sum(bool(trial.true) for trial in likely) >= 0.9 * len(likely)


def test_a_domino_that_was_forgotten_may_lie_turned_round_where_another_explains_as_much() -> None:
    found = list(trials(["ziggurat"], ["act-forgotten"], [10, 16]))
    assert [(trial.seed, trial.true) for trial in found] == [(10, 1), (16, 2)]


def test_one_slip_is_one_mistake_that_its_first_proposal_clears() -> None:
    assert sum(trial.causes == 1 for trial in tried()) >= 0.95 * len(tried())
    assert sum(trial.clears for trial in tried()) >= 0.95 * len(tried())


def test_only_those_who_had_a_part_in_a_slip_are_its_authors() -> None:
    innocent = [trial for trial in tried() if trial.innocent]
    assert all(trial.true != 1 for trial in innocent)
    assert len(innocent) <= 0.01 * len(tried())


def test_of_two_equal_names_nobody_is_the_author() -> None:
    slip = plant("zigzag", "another-tile", 5003)
    assert slip
    review = Review(slip.record)
    explain(review)
    (cause,) = review.report.causes or ()
    assert len({repair.corrections[0].event.player for repair in cause.repairs}) > 1
    assert [row.player for row in audit_in(review).causes or ()] == [None]


def test_nothing_is_wrong_before_the_slip() -> None:
    assert not [trial for trial in tried() if trial.before]


@pytest.mark.every(2)
@pytest.mark.parametrize("game", catalog.built_in())
def test_a_trial_finds_what_an_audit_of_the_corrected_record_finds(game: str) -> None:
    random = Random(game)
    for kind in ("act-forgotten", "one-pip", "hand-misread"):
        for slip in planted(game, kind, 2):
            review = Review(slip.record)
            trying = Trials(review)
            findings = [finding for finding in review.report.findings if key_of(finding) in trying.wrong]
            some = [slip.corrections for slip in slips(Case(trying, findings, min(trying.wrong.values())))][:600]
            for corrections in random.sample(some, min(6, len(some))):
                left = wrong_after(slip.record, corrections)
                expected = frozenset(left) if left <= trying.wrong.keys() else None
                assert trying.left(corrections, partly=True) == expected


def test_the_first_wrong_finding_is_the_first_that_was_not_given_up() -> None:
    trying = Trials(review_of(FIXTURES / "domino-ziggurat" / "act-twice-broken.json"))
    first, second, third = sorted(trying.wrong)
    nothing = [Amendment(trying.entries[0].seq, trying.entries[0].event)]
    assert trying.first_wrong(nothing) == first
    assert trying.first_wrong(nothing, {first}) == second
    assert trying.first_wrong(nothing, {first, second}) == third
    assert trying.first_wrong(nothing, {first, second, third}) is None


@pytest.mark.parametrize("game", catalog.built_in())
def test_an_act_that_the_game_does_not_have_is_explained_like_any_finding(game: str) -> None:
    review = review_of(FIXTURES / game / "record-event-broken.json")
    explained = [index for cause in causes(review) for index in cause.findings]
    assert sorted(explained) == [n for n, finding in enumerate(review.report.findings) if finding.verdict in GRAVE]


def test_a_forgotten_domino_was_laid_down_as_soon_as_it_was_taken_up() -> None:
    slip = plant("domino-ziggurat", "act-forgotten", 11)
    assert slip
    lifted, shown = slip.seq - 1, min(seq for seq, _clause, _player in wrong(slip.record))
    assert (type(slip.record.events[lifted]), shown - lifted) == (Lift, 26)
    (cause,) = causes(Review(slip.record))
    insertions = [one for repair in cause.repairs for one in repair.corrections if isinstance(one, Insertion)]
    assert insertions[0].before == slip.seq
    assert laid(slip.truth[slip.seq]) in [laid(insertion.event) for insertion in insertions]


def test_tiles_that_were_set_aside_before_a_hand_was_scored_come_after_its_last_play() -> None:
    slip = plant("build-up", "act-forgotten", 38)
    assert slip
    (cause,) = causes(Review(slip.record))
    assert cause.repairs[0].corrections == (Insertion(slip.seq, slip.truth[slip.seq]),)


def test_a_record_without_a_mistake_has_no_cause() -> None:
    slip = plant("zigzag", "act-twice", 0)
    assert slip is not None
    assert causes(Review(Record(slip.truth))) == ()


@pytest.mark.parametrize("ended", ["cancelled", "spent"])
def test_a_search_that_ends_gives_each_event_with_findings_a_cause_of_its_own(ended: str) -> None:
    (slip, *_others) = planted("build-up", "act-forgotten", 4)
    review = Review(slip.record)
    explained = causes(review, Budget(0) if ended == "spent" else Budget(cancelled=lambda: True))
    assert not any(cause.repairs for cause in explained)
    events = {review.report.findings[index].seq for cause in explained for index in cause.findings}
    assert len(events) == len(explained)


def test_a_search_finds_the_same_however_slow_the_clock_is(monkeypatch) -> None:
    """It counts the events that it audits: 20 % of the usual budget are spent at the same candidate anywhere."""
    (slip, *_others) = planted("zigzag", "another-tile", 4)
    found = causes(Review(slip.record), Budget(EVENTS / 5))
    ticks = itertools.count(0, 3600)
    for clock in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        monkeypatch.setattr(f"time.{clock}", lambda: float(next(ticks)))
    budget = Budget(EVENTS / 5)
    assert causes(Review(slip.record), budget) == found
    assert budget.left < EVENTS / 5
    assert next(ticks) == 0


def test_json_has_the_causes_only_if_asked(tmp_path) -> None:
    (slip, *_others) = planted("build-up", "one-pip", 4)
    path = tmp_path / "slip.ndjson"
    path.write_bytes(encode(slip.record) + b"\n")
    (plain,) = map(json.loads, output_of("audit", "--json", str(path), code=1).splitlines())
    (report,) = map(json.loads, output_of("audit", "--json", str(path), "--explain", code=1).splitlines())
    (cause,) = report.pop("causes")
    assert plain == report
    for repair in cause["repairs"]:
        assert repair["message"].startswith("If ")
        assert all("why" not in correction for correction in repair["corrections"])


def test_the_report_says_the_cause_first_unless_told_not_to(tmp_path) -> None:
    slip = next(slip for slip in planted("build-up", "act-forgotten", 6) if len(wrong(slip.record)) > 1)
    path = tmp_path / "slip.json"
    path.write_bytes(encode(slip.record))
    for options in ([], ["--explain"], ["--times", "5"], ["--markdown"]):
        assert "One mistake. If " in output_of("audit", *options, str(path), code=1)
    assert "If " not in output_of("audit", "--no-explain", str(path), code=1)


def test_a_correction_of_a_single_finding_stands_below_it(tmp_path) -> None:
    slip = next(slip for slip in planted("zigzag", "extra-pass", 6) if len(wrong(slip.record)) == 1)
    path = tmp_path / "slip.json"
    path.write_bytes(encode(slip.record))
    lines = output_of("audit", str(path), code=1).splitlines()
    (line,) = [line for line in lines if "nothing else would be wrong" in line]
    assert line.endswith(f"pass at move {slip.seq} never happened, nothing else would be wrong.")


def test_a_single_finding_is_the_mistake_even_if_another_act_would_clear_it() -> None:
    review = Review(decode((FIXTURES / "build-up" / "cover-tile-broken.json").read_bytes()))
    explain(review)
    (finding,), (cause,) = review.report.findings, review.report.causes or ()
    assert cause.repairs[0].corrections[0].seq != finding.seq
    assert slip_at(review, cause) == finding.seq
    assert summary(review) == "One mistake: Ben's 0-3 at move 28."


def test_a_ledger_keeps_causes_and_counts_each_once(tmp_path) -> None:
    slip = next(slip for slip in planted("build-up", "act-forgotten", 12) if len(wrong(slip.record)) > 2)
    right = plant("build-up", "act-twice", 1)
    assert right is not None
    with open_ledger(str(tmp_path / "a.sqlite")) as store:
        store.append("slip", 0, slip.record.events)
        store.append("right", 0, right.truth)
        list(refresh(store))
        assert stored_causes(store, "right") == ()
        assert stored_causes(store, "slip") is None
        assert list(explain_stored(store, 9, cancelled=lambda: True)) == []
        assert stored_causes(store, "slip") is None
        assert list(explain_stored(store, 9)) == ["slip"]
        assert list(explain_stored(store, 9)) == []
        (cause,) = stored_causes(store, "slip") or ()
        assert len(cause.findings) == sum(f.verdict in GRAVE for f in Review(slip.record).report.findings)
        (forgotten,) = cause.repairs[0].corrections
        assert isinstance(forgotten, Insertion)
        assert store.rows("SELECT player, count(*) FROM cause GROUP BY player") == [(actor(forgotten.event), 1)]
        assert [row.audit.mistakes for row in store.find(Query()) if row.audit] == [0, 1]
        assert list(compare_audits(store, store.ids())) == [None, None]
        assert list(store.differences()) == []


def test_one_key_makes_the_correction_and_undo_takes_it_back(tmp_path, monkeypatch) -> None:
    slip = next(slip for slip in planted("zigzag", "extra-pass", 6) if len(wrong(slip.record)) == 1)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "slip.json"
    path.write_bytes(encode(slip.record))
    output_of("--ledger", "a.sqlite", "import", str(path))
    typed = CliRunner().invoke(cli, ["--ledger", "a.sqlite", "record", "--by", "Ana"], input="audit\nfix\n")
    assert "  fix 1: If " in typed.output
    with open_ledger("a.sqlite") as store:
        (name,) = store.ids()
        fixed = store.read(name)
        assert wrong(fixed) == set()
        assert fixed.events[-1].by == "Ana"
        assert fixed.events[-1].why == "this explains the findings"
    typed = CliRunner().invoke(cli, ["--ledger", "a.sqlite", "record"], input="undo\nfix 9\n")
    assert "there is no proposal 9" in typed.output
    with open_ledger("a.sqlite") as store:
        assert len(wrong(store.read(name))) == 1


def test_likelier_slips_are_tried_first() -> None:
    order = (
        prices.DUPLICATE, prices.A_PASS, many.SWAPPED, prices.A_PIP, prices.NEXT_SEAT, prices.NUMBER, prices.TURNED,
        prices.ASKED_TILE, prices.NEVER, prices.STACK, prices.ANOTHER_NUMBER, prices.ANOTHER_TILE,
        prices.ANOTHER_OF_A_HAND, prices.NO_HAND,
    )  # fmt: skip
    assert list(order) == sorted(set(order))
    assert (prices.BESIDE, prices.SEAT) == (prices.A_PIP, prices.TURNED)
    assert prices.A_PIP_OF_A_HAND == prices.ANOTHER_NUMBER
    assert NEAR * PER_ACT > forgetting.FORGOTTEN > prices.TURNED


@pytest.mark.parametrize("doubled", [1, 2, 3])
def test_an_act_right_after_the_same_act_is_likeliest_too_much(doubled: int) -> None:
    acts = ["A 5-1 b2-c2 L1", "B 1-1 b3-c3 L1", "A 1-2 b4-c4 L1"]
    acts.insert(doubled, acts[doubled - 1])
    game = review_of_sheet("Game: ziggurat\nPlayers: A = Ana, B = Ben\n\n" + "\n".join(acts) + "\n")
    findings = [finding for finding in game.report.findings if finding.verdict in GRAVE]
    trying = Trials(game)
    tries = list(slips(Case(trying, findings, trying.places[findings[0].seq])))
    too_much = [slip for slip in tries if [type(correction) for correction in slip.corrections] == [Retraction]]
    assert too_much[0] == min(tries, key=lambda slip: slip.price)
    assert {slip.price for slip in too_much[:1]} == {prices.DUPLICATE}
    assert [correction.seq for correction in too_much[0].corrections] == [doubled + 1]
    assert all(slip.price > prices.DUPLICATE for slip in too_much[1:])


# ---- The words of a cause: what was different, and what would then be right.


def really(was: AnyEvent, now: AnyEvent) -> str:
    return misread_acts.was_really(was, now, {"a": "Ana", "b": "Ben"}, Squares(0, 4))


def test_a_cause_says_the_one_thing_that_was_different_or_the_whole_event() -> None:
    tile, other, third = named("1-2"), named("3-4"), named("5-6")
    place = Place("a", tile, (2, 2), "e", 1)
    assert [
        really(Bid("a", 3), Bid("b", 3)),
        really(Bid("a", 3), Bid("a", 4)),
        really(Play("a", tile), Play("a", other)),
        really(place, replace(place, at=(1, 2))),
        really(place, replace(place, dir="n")),
        really(place, replace(place, level=2)),
        really(Stack("a", tile, 3), Stack("a", tile, 4)),
        really(Rank("a", 6, "regular"), Rank("a", 6, "reverse")),
        really(Rank("a", 6, "regular"), Rank("a", 5, "regular")),
        really(place, replace(place, at=(1, 2), level=2)),
        really(Score("game", {"a": 3}), Score("game", {"a": 4})),
        really(Deal("a", (tile, other)), Deal("a", (tile, third))),
        really(Deal("a", (tile, other)), Deal("a", (tile,))),
        really(Deal("a", (tile,)), Deal("a", (tile, third))),
        really(Deal("a", (tile, tile)), Deal("a", (tile,))),
    ] == [
        "was Ben's", "was 4", "was the 3-4", "was on b3-c3", "was on c3-c4", "was on level 2", "was on stack 4",
        "was reverse", "was 5", "was “Ana plays 1-2 on level 2, b3-c3”", "were “Scores as called: Ana 4”",
        "held the 5-6, not the 3-4", "did not hold the 3-4", "held the 5-6 too", "had one tile fewer",
    ]  # fmt: skip


def test_a_cause_says_what_it_would_clear() -> None:
    assert [slip_search.effect(count, everything=every) for count, every in ((1, False), (2, False), (2, True))] == [
        "this mistake would be gone", "these 2 findings would be gone", "nothing else would be wrong",
    ]  # fmt: skip


def test_readings_are_listed_with_what_changes_and_what_was_not_tried() -> None:
    own = replace(Review(season()[0].record).report, rulings={"base_scoring": "per-square"})
    other = replace(own, verdict="breach", scores={"Ana": 3, "Ben": 4}, winners=("Ben",))
    nobody = replace(own, verdict="clean", scores={"Ana": 3}, winners=())
    others = (
        Reading({"window": "fixed"}, other), Reading({"window": "fixed", "touching": True}, nobody),
        Reading({"a": 1, "b": 2}, nobody),
    )  # fmt: skip
    names = {"Ana": "Ana", "Ben": "Ben"}
    depends = Depends(("window",), (), ("window", "touching"))
    readings = Readings("", depends, (("a", "b"),), others, complete=False)
    assert list(all_readings(readings, names, own.rulings)) == [
        "  rulings that matter here: base_scoring; tried 3 other readings",
        "  verdict: changes with window",
        "  scores: does not change with any single ruling",
        "  winners: changes with window, touching",
        "  changes only with a and b together",
        "    window = fixed: breach; Ana 3, Ben 4; Ben won",
        "    a = 1, b = 2: clean; Ana 3; nobody won",
        "  not every combination of readings was tried",
    ]
    none = replace(readings, readings=(), jointly=(), complete=True)
    assert next(iter(all_readings(none, names, ()))) == "  rulings that matter here: none; tried 0 other readings"
    assert len(list(all_readings(none, names, ()))) == 4


# ---- One contract for the mistakes that every store keeps beside the audits.


def opening() -> Open:
    """The opening of a game of three."""
    return Open("zigzag", players=tuple(Player(id=name, name=name.title()) for name in ("ana", "ben", "cy")))


def mistakes(store: SqliteStore) -> tuple[dict[str, tuple[tuple[str, int], ...]], tuple[tuple[str, int], ...]]:
    """How often each person broke each clause, and in how many games each clause was broken."""
    club = club_of(store)
    profiles = [profile(club, key) for key in club.people.shown]
    return {person.name: person.mistakes for person in profiles if person.mistakes}, statistics(club, "zigzag").rules


def test_audits_with_mistakes_wait_until_they_are_explained(store: SqliteStore) -> None:
    breach, wrong = Summary("breach", False), [Finding(1, "zigzag.bid.raise", "breach", "ana")]
    for record in ("r", "s", "t"):
        store.append(record, 0, [opening(), Bid("ana", 3)])
        store.note_audits([Audit(record, 2, breach, wrong if record != "t" else ())])
    assert questions.unexplained(store, 9) == ("s", "r")
    assert questions.unexplained(store, 1) == ("s",)
    assert (questions.causes(store, "s"), questions.causes(store, "t"), questions.causes(store, "nobody")) == (
        None,
        [],
        None,
    )
    cause = CauseRow(1, "zigzag.bid.raise", "ben", "[0]", '[{"corrections":[],"message":"If …"}]')
    store.note_audits([Audit("s", 2, breach, wrong, causes=[cause])])
    assert questions.causes(store, "s") == [cause]
    assert questions.unexplained(store, 9) == ("r",)
    store.append("s", 2, [Pass("ben")])
    assert questions.causes(store, "s") is None
    assert questions.unexplained(store, 9) == ("r",)
    store.note_audits([Audit("s", 3, breach, wrong)])
    assert questions.unexplained(store, 9) == ("s", "r")


def test_mistakes_are_those_of_up_to_date_audits(store: SqliteStore) -> None:
    findings = [
        Finding(1, "zigzag.bid.raise", "breach", "ana"),
        Finding(2, "zigzag.bid.raise", "breach", "ana"),
        Finding(2, "zigzag.bid.raise", "impossible", "ben"),
        Finding(2, "record.close", "breach"),
        Finding(3, "zigzag.take", "unproven", "ana"),
        Finding(3, "zigzag.take", "note", "ana"),
    ]
    for record in ("r", "s"):
        store.append(record, 0, [opening(), Bid("ana", 3)])
        store.note_audits([Audit(record, 2, Summary("breach", False, scores=(1, 2, 3)), findings)])
    store.append("s", 2, [Pass("ben")])
    assert mistakes(store) == ({"Ana": (("zigzag.bid.raise", 2),)}, (("zigzag.bid.raise", 1),))
    cause = CauseRow(1, "zigzag.bid.raise", "ben", "[0,1,2,3]", '[{"corrections":[]}]')
    store.note_audits([Audit("r", 2, Summary("breach", False, scores=(1, 2, 3)), findings, causes=[cause])])
    assert mistakes(store) == ({"Ben": (("zigzag.bid.raise", 1),)}, (("zigzag.bid.raise", 1),))
    store.note_audits([Audit("r", 2, Summary("clean", False, scores=(1, 2, 3)))])
    assert mistakes(store) == ({}, ())
