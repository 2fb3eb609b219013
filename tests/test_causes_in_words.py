"""The words of a cause: what was different, and what would then be right."""

from msgspec.structs import replace

from ledger.audit.other_rulings import Depends, Reading, Readings
from ledger.audit.reports import all_readings
from ledger.audit.review import Review
from ledger.audit.slip import causes, misread_acts
from ledger.examples.season import season
from ledger.record.events import AnyEvent, Bid, Deal, Place, Play, Rank, Score, Stack
from ledger.record.squares import Squares
from ledger.record.tiles import named


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
    assert [causes.effect(count, everything=every) for count, every in ((1, False), (2, False), (2, True))] == [
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
