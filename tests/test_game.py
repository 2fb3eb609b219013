"""The contract of a game: its description, and its requirements."""

from __future__ import annotations

from msgspec.structs import replace

from ledger.audit.auditor import audit
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import Bid, Play, Score, Stack
from ledger.record.record import Record
from ledger.record.tiles import named


def test_a_play_with_an_end_belongs_to_line_games_only() -> None:
    zigzag = catalog.find("zigzag")
    on_a_line = replace(zigzag, line_ends=True)
    bare, left = Play("ana", named("5-1")), Play("ana", named("5-1"), "left")
    assert [zigzag.has(play) for play in (bare, left)] == [True, False]
    assert [on_a_line.has(play) for play in (bare, left)] == [True, True]


def test_a_game_has_the_events_and_the_scores_that_it_lists() -> None:
    zigzag = catalog.find("zigzag")
    assert zigzag.has(Bid("ana", 12))
    assert not zigzag.has(Stack("ana", named("5-1"), 2))
    assert not replace(zigzag, scores=("game",)).has(Score("hand", {}))


def test_an_end_that_a_game_does_not_have_is_reported_and_its_play_ignored() -> None:
    zigzag = catalog.find("zigzag")
    record = simulate(zigzag, 4, {"hands": 3})
    seq, play = next((n, event) for n, event in enumerate(record.events) if isinstance(event, Play))
    wrong = Record((*record.events[:seq], replace(play, end="left"), *record.events[seq:]))
    for game in (zigzag, replace(zigzag, stride=None)):
        report = audit(game, wrong)
        assert [(finding.seq, finding.clause, finding.verdict) for finding in report.findings] == [
            (seq, "record.event", "impossible")
        ]
        assert report.findings[0].message == "Zigzag has no line with two ends"
        assert (report.scores, report.winners) == (audit(game, record).scores, audit(game, record).winners)
