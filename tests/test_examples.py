"""The season that comes with the program shows what it is said to show, and nothing else."""

from collections import Counter
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from ledger.audit.review import Review
from ledger.examples.season import SEASON, TONIGHT, Example, cards, season, season_until, tonight
from ledger.games import catalog
from ledger.record.chain import record_digest
from ledger.record.codec import encode
from ledger.record.events import CORRECTIONS, Amend, Confirm, Note

DAYS = [date(2026, 11, 16) + timedelta(n) for n in range(8)]
MISTAKES = {"ziggurat.build.score", "build-up.cover.tile", "zigzag.bid.raise"}


def of(*kinds: type) -> list[Example]:
    """The games of the season that have such an event."""
    return [example for example in season() if any(isinstance(event, kinds) for event in example.record.events)]


def test_only_three_mistakes_and_one_open_pass_are_in_it() -> None:
    reports = [Review(example.record).report for example in (*season(), *tonight())]
    findings = [finding for report in reports for finding in report.findings]
    assert {finding.clause for finding in findings if finding.verdict == "breach"} == MISTAKES
    assert [finding.clause for finding in findings if finding.verdict == "unproven"] == ["build-up.pass"]
    assert len(findings) == 4
    assert Counter(report.verdict for report in reports[:36]) == {"clean": 32, "breach": 3, "unproven": 1}


def test_it_has_all_games_over_seven_evenings_and_two_events() -> None:
    openings = [example.record.opening for example in season()]
    assert len(openings) == 36
    assert len({opening.played for opening in openings}) == 7
    assert {opening.event for opening in openings} == {"Autumn League", "Harbour Street Cup", None}
    assert {opening.game for opening in openings} == {"ziggurat", "domino-ziggurat", "build-up", "zigzag"}
    assert {opening.edition for opening in openings} == {"1.1", "2", None}
    assert {len(opening.players) for opening in openings} == {1, 2, 3, 4}
    assert all("simulated" in (opening.place or "") and opening.recorder == "a simulation" for opening in openings)


@pytest.mark.parametrize("name", ["ziggurat", "zigzag"])
def test_every_set_and_every_variant_of_a_game_was_played(name: str) -> None:
    openings = [example.record.opening for example in season() if example.record.opening.game == name]
    for option in catalog.find(name).options:
        if option.kind == "variant" or option.name == "set":
            values = {opening.options.get(option.name, option.values[0]) for opening in openings}
            assert option.accepts or values >= set(option.values), option.name
            assert len(values) > 1, option.name


def test_some_rulings_differ_from_the_usual_ones() -> None:
    options = {name for example in season() for name in example.record.opening.options}
    assert options >= {"tile_on_double", "hands", "later_start"}


def test_a_dozen_people_play_and_no_name_begins_with_the_letter_of_a_seat() -> None:
    names = {player.name for example in (*season(), *tonight()) for player in example.record.opening.players}
    assert len(names) == 12
    assert sum(not name.isascii() for name in names) == 11
    assert not any(name[0] in "ABCD" for name in names)


def test_no_two_games_are_alike_and_all_have_the_times_of_their_moves() -> None:
    assert len({example.id for example in season()}) == 36
    for example in season():
        times = [event.when for event in example.record.events]
        assert None not in times
        assert times == sorted(times, key=str)
    moves = {tuple(str(type(event)) + str(getattr(event, "tile", "")) for event in e.record.events) for e in season()}
    assert len(moves) == 36


def test_one_correction_has_its_reason_one_game_was_confirmed_and_some_have_remarks() -> None:
    (corrected,) = of(*CORRECTIONS)
    (amended,) = [event for event in corrected.record.events if isinstance(event, Amend)]
    assert "twice" in amended.why
    (confirmed,) = of(Confirm)
    heads = [event.head for event in confirmed.record.events if isinstance(event, Confirm)]
    assert heads == [record_digest(confirmed.record.events).hex()] * len(confirmed.record.opening.players)
    assert len(of(Note)) >= 6


@pytest.mark.parametrize("today", [*DAYS, date(2024, 2, 29), date(2030, 12, 31)], ids=str)
def test_it_can_end_in_the_week_before_any_day(today: date) -> None:
    examples = list(season_until(today))
    days = [date.fromisoformat(example.record.opening.played or "") for example in examples]
    assert 0 <= (today - days[-1]).days < 7
    for (id_, record), before, day in zip(examples, (*cards(), *season()), days, strict=True):
        assert id_ == before.id
        ahead = day - date.fromisoformat(before.record.opening.played or "")
        assert [event.when and datetime.fromisoformat(event.when) for event in record.events] == [
            event.when and datetime.fromisoformat(event.when) + ahead for event in before.record.events
        ]
        if id_ in [example.id for example in of(Confirm)]:
            assert Review(record).report.verdict == "clean"
            assert all(event.head == record_digest(record.events).hex() for event in record.events[-2:])


@pytest.mark.parametrize("path", [SEASON, TONIGHT], ids=lambda path: path.stem)
def test_it_is_small(path: Path) -> None:
    assert path.stat().st_size < 50_000
    assert sum(len(encode(example.record)) for example in (*season(), *tonight())) < 500_000


def test_of_the_evening_before_only_the_scores_are_known() -> None:
    reports = [Review(example.record).report for example in cards()]
    assert [report.verdict for report in reports] == ["scores-only"] * 4
    assert "Mexican Train" in {report.game for report in reports}
    names = {player.name for example in season() for player in example.record.opening.players}
    assert {player.name for example in cards() for player in example.record.opening.players} <= names
    assert {example.record.opening.event for example in cards()} == {"Autumn League"}
    assert len({example.record.opening.played for example in cards()}) == 1
