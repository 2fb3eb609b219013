"""The film of a game: never longer than 45 seconds, as long as it says, and slow enough to read."""

import json

import pytest

from ledger.examples.season import season
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.record import Record
from viewer.replay.replay_view import ReplayView

LONG = [
    ("ziggurat", {"set": 12}, 4),
    ("build-up", {}, 9),
    ("zigzag", {"hands": 9, "target": None}, 3),
    ("domino-ziggurat", {}, None),
]


def played(view: ReplayView) -> tuple[int, list[int]]:
    """The milliseconds that the player of the page takes, and the places that it shows."""
    data = json.loads(view.data)
    (wait, stride), last, joined = data["pace"], len(data["steps"]) - 1, set(data["joined"])
    stays = {place: stay for place, stay, _headline, _why in data["moments"]}
    place, time, shown = 0, 0, [0]
    while place < last:
        time += stays.get(place, wait)
        target = min(last, place + stride + (place + stride in joined))
        place = min([target, *(moment for moment in stays if moment > place)])
        shown.append(place)
    return time + stays.get(last, 0), shown


def checked(record: Record) -> None:
    view = ReplayView("one", record)
    time, shown = played(view)
    assert time <= 45_000
    assert abs(time / 1000 - view.film_pace.seconds) <= 2
    for moment in view.moments:
        assert moment.place in shown
        words = [word for word in f"{moment.headline} {moment.why}".split() if any(map(str.isalnum, word))]
        assert moment.seconds == pytest.approx(0.8 + 0.3 * len(words))
        assert len(words) <= 14


@pytest.mark.every(4)
@pytest.mark.parametrize("example", season(), ids=lambda example: example.id)
def test_a_film_of_the_season_is_as_long_as_it_says_and_at_most_45_seconds(example) -> None:
    checked(example.record)


@pytest.mark.parametrize(("game", "options", "players"), LONG, ids=[name for name, _options, _players in LONG])
@pytest.mark.parametrize("seed", range(2))
def test_a_film_of_a_long_game_is_not_longer(game: str, options: dict[str, object], players: int, seed: int) -> None:
    checked(simulate(catalog.find(game), seed, options, players=players))
