"""*How to play*: five steps for each rule set, each a step of a clean record of the fixtures, drawn with one arrow."""

import re

import pytest
from flask.testing import FlaskClient

from golden import FIXTURES
from ledger.audit.auditor import audit
from ledger.audit.review import Review
from ledger.examples.lessons import Lesson, lessons
from ledger.games import catalog
from ledger.play.puzzles import puzzle
from ledger.record import codec
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.rulebook.rulebook_routes import drawn_step, parts_of

ALL = lessons()


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    """A viewer of an empty ledger."""
    return create_app(TemporaryStore().reopen).test_client()


def test_every_rule_set_is_taught() -> None:
    """Those of the editions of a game are rule sets of their own."""
    games = [catalog.find(name) for name in catalog.built_in()]
    rule_sets = [(game.name, edition) for game in games for edition in (game.editions or ("",))]
    assert sorted((lesson.game, lesson.edition) for lesson in ALL) == sorted(rule_sets)
    assert len(ALL) == 5


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: f"{lesson.game} {lesson.edition}")
def test_each_of_five_steps_is_one_of_a_clean_record_of_the_fixtures(lesson: Lesson) -> None:
    record = lesson.read()
    assert record == codec.decode((FIXTURES / f"{lesson.fixture}.json").read_bytes())
    game = catalog.find(lesson.game)
    assert audit(game, record).verdict == "clean"
    assert (record.opening.edition or "") == lesson.edition
    review = Review(record)
    assert len(lesson.steps) == 5
    for step in lesson.steps:
        assert review.place(step.seq) is not None
        assert len(step.says.split()) <= 25, step.says
        assert step.says.endswith(".")


@pytest.mark.parametrize("name", catalog.built_in())
def test_each_step_has_a_picture_with_one_arrow_inside_it(name: str) -> None:
    for part in range(1, parts_of(name) + 1):
        picture = drawn_step(name, part)
        assert picture.count('<path class="t-arrow"') == 1
        at = picture.partition('class="t-arrow" transform="translate(')[2].partition(")")[0]
        x, y = map(float, at.split())
        assert 0 < x < 620
        assert 0 < y < 400


def test_no_arrow_lies_on_the_heading_of_the_stacks() -> None:
    for part in range(1, parts_of("build-up") + 1):
        picture = drawn_step("build-up", part)
        heading = float(picture.partition(">Hand ")[0].rpartition(' y="')[2].partition('"')[0])
        y, up = re.findall(r't-arrow" transform="translate\([-\d.]+ ([-\d.]+)\)scale\(-?1 (-?1)\)', picture)[0]
        assert up == "-1" or float(y) - 66 > heading, part


@pytest.mark.parametrize("name", catalog.built_in())
def test_the_page_of_a_game_teaches_before_its_clauses_and_ends_in_puzzles(client: FlaskClient, name: str) -> None:
    page = client.get(f"/rules/{name}").text
    taught = page[page.index("How to play") : page.index("Rules, clause by clause")]
    for lesson in ALL:
        if lesson.game == name:
            assert all(step.says in taught for step in lesson.steps)
    assert 'id="how-to-play"' in page
    for part in range(1, parts_of(name) + 1):
        address = f"/rules/{name}/picture.svg" + (f"?at={part}" if part > 1 else "")
        assert f'src="{address}"' in taught
        assert client.get(address).status_code == 200
    assert client.get(f"/rules/{name}/picture.svg?at={parts_of(name) + 1}").status_code == 404
    for number in (1, 2, 3):
        assert f'href="/referee/{name}-{number}"' in taught
        assert puzzle(f"{name}-{number}").record.opening.game == name
        assert client.get(f"/referee/{name}-{number}").status_code == 200
    new_game = client.get(f"/new?game={name}").text
    assert f'href="/rules/{name}#how-to-play">How to play</a>' in new_game
