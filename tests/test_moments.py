"""The moments of games: how many, which, and that every word of them is true."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from ledger.audit.moments import MOST, Moment, highlights, moments
from ledger.audit.review import Review
from ledger.audit.slip.slip_search import causes
from ledger.examples.season import season
from ledger.games import catalog
from ledger.keep.imports import keep
from ledger.keep.score_cards import CardFile, ScoreCard
from ledger.play.simulate import any_options, simulate
from ledger.record.events import Cheats
from ledger.record.record import Record
from ledger.rules.game import Game, Standing
from planted_slips import plant
from sheets import GAMES, review
from stories import Told, decisive
from temporary import TemporaryStore

ALL = [catalog.find(name) for name in catalog.built_in()]
FEWEST = 4
HEAVY = {"domino-ziggurat": 6}
"""A puzzle with many places takes long, so fewer of its games are simulated."""


def checked(record: Record) -> tuple[Moment, ...]:
    """The moments of a game whose every sentence is true."""
    game = Review(record)
    found = moments(game)
    assert len({moment.words for moment in found}) == len(found) <= MOST
    assert [moment.place for moment in found] == sorted({moment.place for moment in found})
    for moment in found:
        told = Told(game, moment)
        assert moment.seq == told.step.seq
        assert moment.words
        assert moment.why
        told.sentences()
        gain = re.match(r"(\w+) \+(\d+)", moment.words)
        assert gain is None or told.gain(gain[1]) == int(gain[2])
    return found


@pytest.mark.parametrize("part", range(3))
@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_simulated_games_have_four_to_nine_true_moments(game: Game, part: int) -> None:
    for seed in range(part, max(3, GAMES // HEAVY.get(game.name, 1) // (1 if GAMES > 12 else 2)), 3):
        options, players, edition = any_options(game, Random(seed)) if seed % 2 else ({}, None, None)
        record = simulate(game, 900 + seed, options, players=players, edition=edition)
        found = checked(record)
        whole = Review(record)
        assert len(found) >= FEWEST, (seed, options, found)
        turn = decisive(whole)
        if turn is not None and whole.standing().finished and Cheats not in game.events:
            assert turn in [moment.place for moment in found], (seed, options)


@pytest.mark.parametrize("kind", ["one-pip", "act-forgotten", "wrong-seat"])
@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_slips_are_told_with_their_causes_and_without(game: Game, kind: str) -> None:
    planted = plant(game.name, kind, 4)
    if planted is None:
        pytest.skip("this game has no place for it")
    found = checked(planted.record)
    report = Review(planted.record).report
    grave = any(finding.verdict in ("impossible", "breach") for finding in report.findings)
    assert any(moment.kind == "cause" for moment in found) == grave


def test_a_slip_is_told_once_whatever_follows_from_it() -> None:
    planted = plant("ziggurat", "one-pip", 4)
    assert planted is not None
    game = Review(planted.record)
    game.explain(causes(game))
    mistakes = [moment for moment in moments(game) if "istake: " in moment.words]
    assert 1 <= len(mistakes) == len(game.report.causes or ())
    for moment in mistakes:
        Told(game, moment).sentences()


def test_a_game_that_has_just_begun_has_few_moments() -> None:
    game = review("Game: ziggurat\nPlayers: A = Ana, B = Ben\n\nA 5-1 b2-c2 L1\n")
    assert [(moment.kind, moment.words) for moment in moments(game)] == [("end", "The last act")]
    assert moments(Review(Record(game.record.events[:1]))) == ()


def test_nobody_leads_for_good_while_a_game_goes_on() -> None:
    whole = simulate(catalog.find("ziggurat"), 1).events
    begun = [record for end in range(1, len(whole)) if not Review(record := Record(whole[:end])).standing().finished]
    said = [moment.why for record in begun for moment in checked(record)]
    assert [why for why in said if " leads " in why]
    assert [why for why in said if " are level at " in why]
    assert not [why for why in said if "for good" in why or "to the end" in why]


def test_the_words_of_a_known_game() -> None:
    found = moments(Review(simulate(catalog.find("ziggurat"), 1)))
    assert [(moment.seq, moment.kind, moment.words) for moment in found] == [
        (8, "lead", "Ben +1, takes the lead"),
        (10, "level", "Ben +1, closes the base"),
        (20, "score", "Ben +3"),
        (23, "score", "Ana +3"),
        (29, "lead", "Ana +4, takes the lead"),
        (30, "end", "Ana wins 11 : 9"),
    ]
    assert found[4].why == (
        "Ana's 5-6 scores 4: its 5 on e4 covers a 5, times 4. Ana was behind 7 : 9 and leads for good."
    )


WEIGHED = ("d0kv94m3sf", "emepc5cc5y", "wb4yy6qepp", "9xy5scv5te", "tbx6vy0c3n", "7txby7rmvj", "392km5s2pb")
"""Games of the season, of each rule set and for one to four players."""


def test_what_may_matter_in_a_game_has_its_weight_its_words_and_its_reason(golden_update: bool) -> None:
    page = Path(__file__).parent / "printed" / "highlights.weighed"
    shown = ""
    for example in season():
        if example.id in WEIGHED:
            game = Review(example.record)
            shown += f"{example.id} {game.game.name}\n"
            for one in sorted(highlights(game)):
                who = "" if one.seat is None else f"{game.names[game.opening.players[one.seat]]} "
                shown += f"  {game.steps[one.place].seq} {one.kind} {one.weight}: {who}{one.words}. {one.why}\n"
    if golden_update:
        page.write_text(shown, "utf-8")
    assert page.read_text("utf-8") == shown


def test_of_a_score_card_only_the_end_is_told() -> None:
    """Nobody knows who led, or what brought the points."""
    for sheet, end in (
        (ScoreCard("Mexican Train", {"Ana": 12, "Ben": 70, "Cy": 33}, ["Ana"]), "Ana wins"),
        (ScoreCard("zigzag", {"Ana": 61, "Ben": 60, "Cy": 9}), "Ana wins"),
        (ScoreCard("domino-ziggurat", {"Ana": 3, "Ben": 3}), "Ana and Ben win"),
    ):
        store = TemporaryStore()
        (filed,) = keep(store, CardFile(store).compare([sheet]), "a.csv")
        assert [moment.words for moment in moments(Review(store.read(filed.record)))] == [end]


def test_where_the_fewest_points_win_the_fewest_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is a made-up one: Zigzag that the lowest total wins."""
    zigzag = catalog.find("zigzag")

    def standing(state: Any) -> Standing:
        now = zigzag.standing(state)
        least = tuple(seat for seat, score in enumerate(now.scores) if score == min(now.scores))
        return replace(now, winners=least if now.finished else ())

    game = replace(zigzag, standing=standing)
    monkeypatch.setattr("ledger.games.catalog.find", lambda _name: game)
    leads = 0
    for seed in range(6):
        review = Review(simulate(zigzag, seed, {"hands": 6}))
        for lead in highlights(review):
            if lead.kind == "lead" and lead.seat is not None:
                leads += 1
                scores, before = review.standing(lead.place).scores, review.standing(lead.place - 1).scores
                assert scores[lead.seat] == min(scores)
                by, behind = re.search(r"leads by (\d+)", lead.why), re.search(r"was (\d+) behind", lead.why)
                assert by is None or int(by[1]) == sorted(scores)[1] - min(scores)
                assert behind is None or int(behind[1]) == before[lead.seat] - min(before)
    assert leads
