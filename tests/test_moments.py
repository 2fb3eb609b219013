"""The moments of games: how many, which, and that every word of them is true."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from ledger.audit.moments import MOST, Moment, highlights, moments, summary_line
from ledger.audit.review import Review
from ledger.audit.slip.slip_search import causes
from ledger.examples.season import season
from ledger.games import catalog
from ledger.keep.imports import keep
from ledger.keep.score_cards import ScoreCard, compare
from ledger.play.exact_ends import MOST_POSITIONS, Search, decided, is_known
from ledger.play.simulate import any_options, simulate
from ledger.record.events import MOVES, Cheats, Deal, Over, actor
from ledger.record.record import Record
from ledger.record.words import a_number, first_names, listed, plural
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
        assert moment.headline
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
        assert " ." not in f"{moment.headline} {moment.why}"


def test_a_game_that_has_just_begun_has_few_moments() -> None:
    game = review("Game: ziggurat\nPlayers: A = Ana, B = Ben\n\nA 5-1 b2-c2 L1\n")
    assert [(moment.kind, moment.words) for moment in moments(game)] == [("end", "The last act")]
    assert moments(Review(Record(game.record.events[:1]))) == ()


def test_nobody_leads_for_good_while_a_game_goes_on() -> None:
    whole = simulate(catalog.find("ziggurat"), 1).events
    begun = [record for end in range(1, len(whole)) if not Review(record := Record(whole[:end])).standing().finished]
    said = [f"{moment.headline} {moment.why}" for record in begun for moment in checked(record)]
    assert [why for why in said if "n front, " in why]
    assert not [why for why in said if "for good" in why or "to the end" in why]


def test_the_words_of_a_known_game() -> None:
    found = moments(Review(simulate(catalog.find("ziggurat"), 1)))
    assert [(moment.seq, moment.kind, moment.words) for moment in found] == [
        (8, "lead", "Ben +1, leads 1 : 0"),
        (10, "level", "Ben +1, closes the base"),
        (20, "score", "Ben +3, leads by 5"),
        (23, "score", "Ana +3"),
        (29, "lead", "Ana +4, leads 11 : 9"),
        (30, "end", "Ana wins 11 : 9"),
    ]
    assert (found[4].headline, found[4].why) == (
        "Ana 5-6: one match on level 4, 4 points.",
        "Ahead for good, 11 : 9.",
    )
    assert found[4].seconds == pytest.approx(0.8 + 0.3 * 14)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_the_captions_of_a_game_are_read_in_half_a_minute_and_not_more_than_two_are_alike(game: Game) -> None:
    for seed in range(6):
        found = moments(Review(simulate(game, seed, {"set": 12} if game.name == "ziggurat" else {})))
        assert sum(moment.seconds for moment in found) <= 36
        kinds = [moment.kind for moment in found]
        assert max(map(kinds.count, kinds)) <= 2


def test_people_are_called_by_their_first_names_unless_two_share_one() -> None:
    assert first_names(["Tom Okafor", "Ana Lee", "Ana Roy", "J. Smith", "佐藤 健", "Cy"]) == [
        "Tom", "Ana Lee", "Ana Roy", "J. Smith", "佐藤", "Cy"
    ]  # fmt: skip
    assert [a_number(count) for count in (1, 8, 11, 12, 18, 80)] == ["a 1", "an 8", "an 11", "a 12", "an 18", "an 80"]


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_the_summary_line_says_who_won_and_what_decided_it(game: Game) -> None:
    for seed in range(8):
        whole = Review(simulate(game, 300 + seed))
        line, standing, turn = summary_line(whole), whole.standing(), decisive(whole)
        assert bool(line) == standing.finished
        if not line:
            continue
        if Cheats in game.events:
            assert line.startswith(
                f"{plural(standing.scores[0], 'cheat')}, and " if standing.scores[0] else "No cheats"
            )
            continue
        names = [whole.opening.names[seat] for seat in standing.winners]
        if len(names) > 1:
            assert line == f"{listed(names)} shared it"
            continue
        assert line.startswith(names[0])
        if move := re.search(r"won it at move (\d+)", line):
            assert turn is not None
            assert whole.steps[turn].seq == int(move[1])
        if points := re.search(r"(?:tile|\d): (\d+) point", line):
            gains = zip(whole.standing(turn or 0).scores, whole.standing((turn or 1) - 1).scores, strict=True)
            assert int(points[1]) in [after - before for after, before in gains]
        if result := re.search(r"won (\d+) : (\d+)", line):
            assert sorted(map(int, result.groups())) == sorted(standing.scores)
            assert int(result[1]) == max(standing.scores)
    assert summary_line(review("Game: ziggurat\nPlayers: A = Ana, B = Ben\n\nA 5-1 b2-c2 L1\n")) == ""


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
                shown += f"  {game.steps[one.place].seq} {one.kind} {one.weight}: {who}{one.words} | {one.why}\n"
    if golden_update:
        page.write_text(shown, "utf-8")
    assert page.read_text("utf-8") == shown


def test_of_a_score_card_only_the_end_is_told() -> None:
    """Nobody knows who led, or what brought the points."""
    for sheet, end, line in (
        (ScoreCard("Mexican Train", {"Ana": 12, "Ben": 70, "Cy": 33}, ["Ana"]), "Ana wins by 21", "Ana won by 21"),
        (ScoreCard("zigzag", {"Ana Lee": 61, "Ben Roy": 60, "Cy": 9}), "Ana wins by 1", "Ana won by 1"),
        (ScoreCard("ziggurat", {"Ana": 61, "Ben": 60}), "Ana wins 61 : 60", "Ana won 61 : 60"),
        (ScoreCard("domino-ziggurat", {"Ana": 3, "Ben": 3}), "Ana and Ben win", "Ana and Ben shared it"),
    ):
        store = TemporaryStore()
        (filed,) = keep(store, compare(store, [sheet]), "a.csv")
        whole = Review(store.read(filed.record))
        assert [moment.words for moment in moments(whole)] == [end]
        assert summary_line(whole) == line


def test_where_the_fewest_points_win_the_fewest_lead(monkeypatch) -> None:
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
                scores = review.standing(lead.place).scores
                assert scores[lead.seat] == min(scores)
                by = re.search(r", by (\d+)", lead.why)
                assert by
                assert int(by[1]) == sorted(scores)[1] - min(scores)
    assert leads


# ---- Where games were decided: the search equals brute force, and what it says of a whole game holds.


SEARCHED = {"zigzag": (7, {}, 250), "build-up": (4, {}, 150), "ziggurat": (3, {}, 100)}
"""By game, how many tiles before the end brute force still manages, options, and how many positions are compared."""


FEW = 20_000
"""Positions that are enough for a few moves."""


def positions(game: Game[Any], plays: int, options: dict[str, Any], seed: int) -> Iterator[Any]:
    """Positions near the ends of hands of simulated games, each with all tiles open."""
    random = Random(f"ends/{seed}")
    while True:
        steps = Review(simulate(game, random.randrange(10**6), options)).steps
        opened = [step.before for step in steps if type(step.event) in MOVES and game.ending.is_open(step.before)]
        for place, state in enumerate(opened):
            later = opened[place + 1 :]
            left = sum(
                1 for other in later if not game.hand_number or game.hand_number(other) == game.hand_number(state)
            )
            if left < plays:
                yield state


def by_force(game: Game[Any], state: Any, seat: int) -> int:
    """What a seat can be sure of, by trying everything."""
    choices = game.choices(state) if game.ending.is_open(state) else ()
    if not choices:
        return game.ending.worth(state, seat)
    pick = max if state.rules.seat[actor(choices[0])] == seat else min
    return pick(by_force(game, game.evolve(state, choice), seat) for choice in choices)


@pytest.mark.parametrize("name", SEARCHED)
def test_the_search_equals_brute_force(name: str) -> None:
    plays, options, count = SEARCHED[name]
    game, random = catalog.find(name), Random(name)
    for state in islice(positions(game, plays, options, 45), count):
        seat = random.randrange(len(state.rules.players))
        assert Search(game, seat).worth(state, random.randrange(-9, 9)) == by_force(game, state, seat)


def of(name: str, number: int = 0) -> Review:
    """A game of the season."""
    return [Review(example.record) for example in season() if example.record.opening.game == name][number]


def test_a_hand_of_zigzag_was_decided_by_a_tile_and_four_others_would_have_kept_it_open() -> None:
    third, second, first = decided((game := of("zigzag")).game, game.steps)
    assert (first.number, first.seat, first.goal, first.plays, first.seq) == (1, 1, 16, 18, 55)
    assert [str(act.tile) for act in first.better] == ["3-4", "0-7", "3-7", "3-8"]
    assert first.line[3:6] == (18, 18, 18)
    assert first.line[first.seqs.index(55)] == 15
    assert (third.seq, second.seq) == (None, None)


def test_most_hands_of_build_up_are_known_from_their_last_eight_plays_with_a_tenth_of_the_positions() -> None:
    games = of("build-up"), of("build-up", 3)
    plays = [hand.plays for game in games for hand in decided(game.game, game.steps, MOST_POSITIONS // 10)]
    assert len(plays) == 8
    assert plays.count(8) >= 6
    assert min(plays) >= 7


def test_the_line_ends_where_the_hand_ended_and_only_a_mistake_of_the_player_who_acts_changes_it() -> None:
    for name in ("zigzag", "build-up", "ziggurat"):
        game = of(name)
        for hand in decided(game.game, game.steps, FEW):
            for seq, before, after in zip(hand.seqs, hand.line, hand.line[1:], strict=False):
                player = game.opening.seat(actor(game.steps[game.place(seq)].event))
                assert before >= after if player == hand.seat else before <= after


def hidden(record: Record) -> Record:
    """The record as people write it, without a word about hands."""
    return Record(tuple(event for event in record.events if not isinstance(event, Deal | Over)))


def test_hands_that_nobody_wrote_down_are_known_by_what_was_played() -> None:
    open_, closed = of("zigzag"), Review(hidden(of("zigzag").record))
    told = [
        [replace(hand, seqs=(), seq=None) for hand in decided(game.game, game.steps, FEW)] for game in (open_, closed)
    ]
    assert told[0] == told[1]
    assert is_known(closed.game, closed.steps)


def test_nothing_is_said_where_a_tile_is_unknown_a_rule_was_broken_or_the_game_has_no_search() -> None:
    unknown = review("Game: build-up\nPlayers: A Ana, B Ben\n")
    gale = Review(simulate(catalog.find("domino-ziggurat"), 1))
    for game in (unknown, gale):
        assert not decided(game.game, game.steps)
        assert not is_known(game.game, game.steps)
    game = of("zigzag")
    turns = [step for step in game.steps if type(step.event) in MOVES and game.game.hand_number(step.after) == 3]
    late, last = turns[-3].event, turns[-1].event
    swap = {id(late): replace(late, tile=last.tile), id(last): replace(last, tile=late.tile)}
    broken = Review(Record(tuple(swap.get(id(event), event) for event in game.record.events)))
    assert [hand.number for hand in decided(broken.game, broken.steps, FEW)] == [2, 1]


def test_positions_are_counted_and_without_any_left_less_is_said() -> None:
    game = of("build-up")
    assert not decided(game.game, game.steps, 3)
    assert MOST_POSITIONS == 1_000_000
