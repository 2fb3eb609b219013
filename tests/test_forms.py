"""The form marks exactly the legal acts as legal, and offers every tile that an act could name."""

from typing import Any

import pytest
from msgspec.structs import replace

from ledger.audit.replay import steps
from ledger.audit.review import Review
from ledger.games import catalog
from ledger.play import forms
from ledger.play.simulate import simulate
from ledger.record.errors import NotARecord
from ledger.record.events import ACTS, Bid, Correctable, Deal, Draw, Lift, Pass, Place, Play, Rank, Stack, kind
from ledger.record.record import Record
from ledger.record.tiles import TILES, full, members, named

GAMES = [("ziggurat", {"set": 9}), ("domino-ziggurat", {}), ("build-up", {}), ("zigzag", {"ranking": True})]


def in_form(act: Correctable) -> tuple[Any, ...]:
    """An act in the words of a form."""
    tile, at = forms.where(act)
    return kind(act), getattr(act, "player", None), tile, at


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_the_form_has_exactly_the_legal_acts_and_every_tile_that_was_named(name: str, options: dict[str, Any]) -> None:
    game = catalog.find(name)
    record = simulate(game, 4, options)
    review = Review(record)
    for step in review.steps[1:]:
        form = forms.form(game, review.opening, step.before)
        legal = {
            (way.kind, way.player, tile, at)
            for way in form.ways
            for group in way.legal
            for at in group.at
            for tile in group.tiles or ("",)
        }
        assert legal == {in_form(act) for act in game.choices(step.before)}
        if not isinstance(step.event, ACTS):
            continue
        player = getattr(step.event, "player", None)
        way = next(way for way in form.ways if way.kind == kind(step.event) and player in (way.player, None))
        tiles = getattr(step.event, "tiles", None) or [getattr(step.event, "tile", None)]
        assert {str(TILES[tile.index]) for tile in tiles if tile} <= set(way.tiles)
        assert way.due or way.kind == "aside"


@pytest.mark.parametrize(
    ("name", "options", "players", "size", "left"),
    [
        ("ziggurat", {}, 2, 14, [28, 14]),
        ("ziggurat", {"set": 12}, 2, 45, [91, 46, 1]),
        ("ziggurat", {"set": 12}, 4, 22, [91, 69, 47, 25, 3]),
        ("zigzag", {}, 3, 15, [45, 30, 15]),
        ("zigzag", {"set": 6}, 3, 9, [28, 19, 10]),
    ],
)
def test_each_hand_that_is_still_missing_is_due_with_its_number_of_tiles(
    name: str, options: dict[str, Any], players: int, size: int, left: list[int]
) -> None:
    game = catalog.find(name)
    review = Review(simulate(game, 4, options, players=players))
    ids = review.opening.players
    for place, count in enumerate(left):
        ways = forms.form(game, review.opening, review.steps[place].after).ways
        due = {way.player: way.count for way in ways if way.kind == "deal" and way.due}
        assert due == dict.fromkeys(ids[place:], size)
        way = next(way for way in ways if way.kind == ("deal" if place < players else "aside"))
        assert (len(way.tiles), way.count if place >= players else size) == (count, size if place < players else count)
    begun = next(step for step in review.steps if isinstance(step.event, Place | Bid | Pass))
    assert not [way for way in forms.form(game, review.opening, begun.after).ways if way.kind == "deal" and way.due]


def test_in_build_up_the_last_hand_is_what_is_left_of_a_colour() -> None:
    game = catalog.find("build-up")
    review = Review(simulate(game, 4))
    deals = [step for step in review.steps if isinstance(step.event, Deal)]
    for n, step in enumerate(deals):
        ways = forms.form(game, review.opening, step.before).ways
        due = [(way.player, way.count) for way in ways if way.kind == "deal" and way.due]
        assert due == [(player, (6, 6, 6, 4)[n // 2]) for player in review.opening.players[n % 2 :]]
    tiles = next(way.tiles for way in ways if way.kind == "deal" and way.player == deals[-1].event.player)
    assert tiles == tuple(map(str, deals[-1].event.tiles))


def test_a_hand_that_is_larger_than_what_is_left_is_not_due() -> None:
    game = catalog.find("ziggurat")
    record = simulate(game, 4)
    opening = game.opening(record.opening)
    state = game.evolve(game.start(opening), Deal(opening.players[0], members(full(6))[:20]))
    assert not [way for way in forms.form(game, opening, state).ways if way.kind == "deal" and way.due]


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_without_written_hands_a_whole_game_can_be_entered(name: str, options: dict[str, Any]) -> None:
    game = catalog.find(name)
    record = simulate(game, 5, options)
    plain = Record(tuple(event for event in record.events if not isinstance(event, Deal)))
    opening = game.opening(plain.opening)
    for step in steps(game, opening, Review(plain).effective.entries):
        event = step.event
        if isinstance(event, Play | Place | Lift | Draw):
            form = forms.form(game, opening, step.before)
            way = next(way for way in form.ways if way.kind == kind(event) and way.player == event.player)
            assert str(TILES[event.tile.index]) in way.tiles


def test_a_placement_is_given_from_its_lower_half() -> None:
    east, west = Place("a", named("5-1"), (0, 0), "e", 1), Place("a", named("1-5"), (1, 0), "w", 1)
    assert forms.where(east) == forms.where(west) == ("1-5", (1, 0, "w", 1))
    assert forms.where(Place("a", named("3-3"), (2, 4), "s", 2)) == ("3-3", (2, 4, "s", 2))


def test_news_are_the_findings_that_new_events_add() -> None:
    record = simulate(catalog.find("zigzag"), 4)
    first = next(n for n, event in enumerate(record.events) if isinstance(event, Play))
    play = record.events[first]
    assert isinstance(play, Play)
    _, review, news = forms.news(Record(record.events[:first]), [play, Pass(play.player)])
    assert review.report.verdict == "breach"
    assert {finding.seq for finding in news} == {first + 1}
    *_reviews, no_news = forms.news(Record(record.events[:first]), [play])
    assert no_news == []
    with pytest.raises(NotARecord, match="no player is called"):
        forms.news(Record(record.events[:first]), [Pass("nobody")])


def test_a_game_without_a_tray_offers_every_tile_that_does_not_lie_on_the_table() -> None:
    game = replace(catalog.find("build-up"), tray=None)
    review = Review(simulate(game, 4))
    state = next(step.before for step in review.steps if isinstance(step.event, Stack))
    form = forms.form(game, review.opening, state)
    way = next(way for way in form.ways if way.kind == "stack" and way.due)
    lying = {str(TILES[laid.index]) for stack in state.stacks for laid in stack}
    assert set(way.tiles) == {str(tile) for tile in members(full(6))} - lying


# In the other two, tiles on the table can be played again, so they define a tray.
@pytest.mark.parametrize(("name", "options"), [GAMES[0], GAMES[3]])
def test_without_choices_and_a_tray_every_kind_of_act_can_be_entered(name: str, options: dict[str, Any]) -> None:
    game = replace(catalog.find(name), choices=None, tray=None, largest=9)
    record = simulate(catalog.find(name), 6, options)
    plain = Record(tuple(event for event in record.events if not isinstance(event, Deal)))
    opening = game.opening(plain.opening)
    for step in steps(game, opening, Review(plain).effective.entries):
        event = step.event
        if not isinstance(event, ACTS):
            continue
        form = forms.form(game, opening, step.before)
        by = (None, event.player) if event.player else (None, *opening.players)
        way = next(way for way in form.ways if way.kind == kind(event) and way.player in by)
        assert not way.legal
        tiles = [event.tile] if hasattr(event, "tile") else getattr(event, "tiles", ())
        assert {str(TILES[tile.index]) for tile in tiles} <= set(way.tiles)
        if isinstance(event, Rank):
            assert (event.high, event.direction) in way.open


def test_only_a_line_game_asks_for_the_end_of_a_play() -> None:
    zigzag = catalog.find("zigzag")
    review = Review(simulate(zigzag, 4))
    state = next(step.before for step in review.steps if isinstance(step.event, Play))
    form = forms.form(zigzag, review.opening, state)
    assert form.names["play"] == ()
    assert {group.at for way in form.ways for group in way.legal} == {((),)}
    assert forms.form(replace(zigzag, line_ends=True), review.opening, state).names["play"] == ("end",)
    assert forms.where(Play("a", named("5-1"), "left")) == ("1-5", ("left",))
    assert forms.where(Play("a", named("5-1"))) == ("1-5", ())
