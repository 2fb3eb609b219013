"""Tests of all fixtures, and of their coverage."""

from functools import cache
from pathlib import Path

import pytest

from golden import CASES, FIXTURES, goldens, name_of, review_of
from ledger import notation
from ledger.audit.auditor import Report
from ledger.audit.replay import fingerprint, steps
from ledger.audit.review import Review, clauses
from ledger.games import catalog
from ledger.record import codec
from ledger.record.events import EVENTS, Note
from ledger.record.record import Record
from ledger.rules.game import Game
from ledger.rules.shared_clauses import RECORD_CLAUSES
from test_notation import timeless

GRAVE = ("impossible", "breach")


@cache
def reviews() -> dict[str, Review]:
    """The reviews of all fixtures, by their names."""
    return {name_of(path): review_of(path) for path in CASES}


def reports() -> dict[str, Report]:
    """The reports of all fixtures, by their names."""
    return {name: review.report for name, review in reviews().items()}


@pytest.mark.parametrize("path", CASES, ids=name_of)
def test_a_fixture_is_canonical_and_read_replayed_and_audited_as_it_says(path: Path, golden_update: bool) -> None:
    review = review_of(path)
    assert path.read_bytes() == codec.encode_lines(review.record)
    check_texts(review.record)
    check_goldens(path, golden_update)
    check_prefixes(review)
    check_tiles(review)
    check_continuations(review)


def check_goldens(path: Path, golden_update: bool) -> None:
    """The report and the replay are those that somebody once checked."""
    for golden, expected in goldens(path).items():
        if golden_update:
            golden.write_text(expected, encoding="utf-8")
        assert golden.read_text("utf-8") == expected, f"{golden}: pytest --golden-update writes it anew"


def check_texts(record: Record) -> None:
    """What is read is written again: as JSON, event by event, and as a score sheet, which has no times."""
    text = codec.encode(record)
    assert codec.decode(text) == record
    assert codec.encode(codec.decode(text)) == text
    for event in record.events:
        assert codec.decode_event(codec.encode_event(event)) == event
    assert codec.encode(notation.read(notation.write(record))) == codec.encode(timeless(record))


def check_prefixes(review: Review) -> None:
    """Any prefix replays to the same states."""
    entries, fingerprints = review.effective.entries, review.fingerprints()
    for length in {1, len(entries) * 2 // 3 + 1}:
        prefix = [fingerprint(step.after) for step in steps(review.game, review.opening, entries[:length])]
        assert prefix == fingerprints[:length]


def check_tiles(review: Review) -> None:
    """No tile is lost and none is there twice, where the record has no such slip."""
    if any(finding.verdict == "impossible" or "deal" in finding.clause for finding in review.report.findings):
        return
    totals = {sum(tally.tiles for tally in review.game.tally(step.after)) for step in review.steps}
    assert len(totals) == 1


def check_continuations(review: Review) -> None:
    """A review that goes on from a shorter one equals this one, and one of other events is not continued."""
    record = review.record
    for count in {1, len(record.events) // 2, len(record.events) - 1, len(record.events)} - {0}:
        shorter = Review(Record(record.events[:count]), review.name)
        assert shorter.begins(record)
        longer = shorter.longer(record)
        assert longer.steps == review.steps
        assert longer.report == review.report
        assert (longer.names, longer.squares) == (review.names, review.squares)
        assert (longer.scored, longer.gains) == (review.scored, review.gains)
        played, whole = longer.effective, review.effective
        assert (played.entries, played.by_type, played.changes) == (whole.entries, whole.by_type, whole.changes)
        assert played.slips == whole.slips
    changed_events = (*record.events[:-1], Note("something else"))
    assert not review.begins(Record(changed_events))
    assert not review.begins(Record(record.events[:-1]))


def test_the_players_have_made_up_names() -> None:
    known = {"Ana", "Ben", "Cy", "Dee", "Eli", "Fay", "Gil", "Hal"}
    for review in reviews().values():
        assert set(review.opening.names) <= known, review.name


SHIPPED = [game for name in catalog.built_in() for game in catalog.find(name).revisions]
"""Every revision of every game; a fixture belongs to the one that judges it."""


def revision_id(game: Game) -> str:
    """A revision's name in the list of tests."""
    return f"{game.name}-{game.revision}"


def new_clauses(game: Game) -> set[str]:
    """The clauses that are new in this revision and that events can break; in the first revision, all of them."""
    earlier = game.earlier.clauses if game.earlier else ()
    return {clause.id for clause in game.clauses if clause.on and clause.verdict != "note" and clause not in earlier}


@pytest.mark.parametrize("game", SHIPPED, ids=revision_id)
def test_every_clause_has_a_record_that_breaks_it(game: Game) -> None:
    cited = {f.clause for name, review in reviews().items() if review.game is game
             for f in reports()[name].findings if f.verdict in GRAVE}  # fmt: skip
    # A record cannot name a tile larger than those of the double-twelve set; the other sets are covered.
    assert new_clauses(game) - cited == set()


@pytest.mark.parametrize("game", SHIPPED, ids=revision_id)
def test_every_clause_has_a_record_that_keeps_it(game: Game) -> None:
    kept: set[str] = set()
    for name, review in reviews().items():
        if review.game is game and reports()[name].verdict == "clean":
            happened = {type(step.event) for step in review.steps}
            kept |= {clause.id for clause in review.game.clauses if happened & set(clause.on)}
    assert new_clauses(game) - kept == set()


def test_the_clauses_of_all_records_are_covered() -> None:
    cited = {finding.clause for report in reports().values() for finding in report.findings}
    assert {clause.id for clause in RECORD_CLAUSES} <= cited
    verdicts = {finding.verdict for report in reports().values() for finding in report.findings}
    assert verdicts == {"impossible", "breach", "unproven", "note"}
    held = {f.verdict for report in reports().values() for f in report.findings if f.clause == "tiles.held"}
    assert held == {"breach", "unproven"}


def test_every_finding_cites_a_published_clause() -> None:
    for name, review in reviews().items():
        known = {clause.id for clause in clauses(review.game)}
        assert {finding.clause for finding in reports()[name].findings} <= known


@pytest.mark.parametrize("game", catalog.built_in())
def test_every_value_of_every_option_is_in_some_record(game: str) -> None:
    rules = catalog.find(game)
    used: dict[str, set[str]] = {option.name: set() for option in rules.options}
    editions = set()
    for name, review in reviews().items():
        if name.startswith(f"{game}/"):
            editions.add(review.opening.edition)
            for option, value in review.record.opening.options.items():
                used[option].add(repr(value))
    for option in rules.options:
        # Two values are enough for an option that is any whole number.
        values = {repr(value) for value in option.values if option.name not in ("target", "hands") or game != "zigzag"}
        assert values - used[option.name] == set(), option.name
        assert len(used[option.name]) > 1
    assert set(rules.editions) <= editions


ENDINGS = {
    "ziggurat: every domino is played": "ziggurat/ending-all-played",
    "ziggurat: a new level would have a single place": "ziggurat/ending-single-place",
    "ziggurat: the single place is still played": "ziggurat/ending-single-place-played",
    "ziggurat: equal points, and fewer dominoes left": "ziggurat/example-a-tie-settled-by-the-dominoes-left",
    "ziggurat: the win is shared": "ziggurat/ending-shared",
    "build-up: every hand is empty": "build-up/ending-hands-empty",
    "build-up: nobody can play": "build-up/ending-blocked",
    "build-up: all pass": "build-up/ending-all-pass",
    "build-up: the win is shared": "build-up/ending-shared",
    "zigzag: a total reaches the target": "zigzag/ending-target",
    "zigzag: the fixed number of hands": "zigzag/ending-fixed-hands",
    "zigzag: the win is shared": "zigzag/ending-shared",
    "domino-ziggurat: no cheats": "domino-ziggurat/example-1-1-0-cheats-legendary-architect-of-the-divine",
    "domino-ziggurat: one cheat": "domino-ziggurat/example-1-1-1-cheats-master-architect",
    "domino-ziggurat: two": "domino-ziggurat/example-1-1-2-cheats-reputable-architect",
    "domino-ziggurat: three": "domino-ziggurat/example-1-1-3-cheats-modest-architect",
    "domino-ziggurat: four": "domino-ziggurat/example-1-1-4-cheats-feeble-architect",
    "domino-ziggurat: five": "domino-ziggurat/example-1-1-5-cheats-disgraceful-blundering-saboteur",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_ending_has_a_record(ending: str) -> None:
    report = reports()[ENDINGS[ending]]
    assert report.finished
    assert report.verdict == "clean"
    assert bool(report.title) == ending.startswith("domino-ziggurat")
    assert (len(report.winners) > 1) == ("shared" in ending)


def test_an_abandoned_game_is_not_finished() -> None:
    report = reports()["zigzag/ending-abandoned"]
    assert (report.finished, report.winners) == (False, ())


def test_every_type_of_event_is_in_some_record() -> None:
    types = {type(event) for review in reviews().values() for event in review.record.events}
    missing = {event.__name__ for event in EVENTS} - {event.__name__ for event in types}
    assert missing == {"Confirm", "Void"}, "a confirmation comes with the fingerprints of records, a void from an owner"


def test_the_fixtures_have_a_page() -> None:
    assert "conformance" in (FIXTURES / "README.md").read_text("utf-8")
    assert isinstance(reviews()["zigzag/example-the-example-of-play"], Review)
