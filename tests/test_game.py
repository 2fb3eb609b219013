"""The contract of a game: its description, and its requirements."""

from typing import NamedTuple

import pytest
from msgspec.structs import replace

from ledger.audit.auditor import audit
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.errors import NotARecord, UnknownGame
from ledger.record.events import Bid, Open, Play, Player, Score, Stack
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
    report, right = audit(zigzag, wrong), audit(zigzag, record)
    (finding,) = report.findings
    assert (finding.seq, finding.clause, finding.verdict) == (seq, "record.event", "impossible")
    assert finding.message == "Zigzag has no line with two ends"
    assert (report.scores, report.winners) == (right.scores, right.winners)


def test_an_option_says_what_it_can_be_besides_its_values() -> None:
    options = {f"{game.name} {option.name}": option for game in catalog.games() for option in game.options}
    assert {name: option.accepts for name, option in options.items() if option.valid and option.accepts} == {
        "ziggurat first": "a player",
        "zigzag first_bidder": "a player",
        "zigzag target": "a whole number from 1, or none",
        "zigzag hands": "a whole number from 1, best a multiple of 3, or none",
    }


def test_a_value_that_an_option_cannot_have_is_refused_with_those_that_it_can() -> None:
    zigzag, players = catalog.find("zigzag"), tuple(Player(id=name) for name in "abc")
    number = "a whole number from 1, or none"
    wrong = (("first_bidder", "z", "a player"), *(("target", target, number) for target in (0, -1, 10**9 + 1)))
    for name, value, words in wrong:
        with pytest.raises(NotARecord, match=rf"{name}.*{words}"):
            zigzag.opening(Open("zigzag", options={name: value}, players=players))
    assert zigzag.opening(Open("zigzag", options={"first_bidder": "b"}, players=players)).options["first_bidder"] == "b"


class Point(NamedTuple):
    """A plug-in: what its package says, and what is found there."""

    value: str
    found: object

    def load(self) -> object:
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (ImportError("no module"), "the plug-in here:GAME of the game 'here' cannot be loaded: no module"),
        ("a text", "the plug-in here:GAME of the game 'here' is not a Game"),
    ],
)
def test_a_plug_in_without_a_game_is_named(found: object, words: str, monkeypatch) -> None:
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_which: [Point("here:GAME", found)])
    with pytest.raises(UnknownGame) as refused:
        catalog._plugin("here")
    assert str(refused.value) == words
    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda **_which: [Point("here:GAME", catalog.find("zigzag"))]
    )
    assert catalog._plugin("here") is catalog.find("zigzag")


def test_a_game_is_known_by_its_tag_and_by_its_title() -> None:
    for text in ("build-up", "Build Up", "buildup", "BUILD  UP"):
        assert catalog.titled(text) == "build-up"
    assert (catalog.titled("Build"), catalog.titled("")) == (None, None)
    with pytest.raises(UnknownGame, match="did you mean zigzag"):
        catalog.find("zig zag")
