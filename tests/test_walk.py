"""A walk through a record at the keyboard: where each key leads, compared with the list of steps."""

import pytest

from golden import CASES, review_of
from ledger.audit.review import Review
from ledger.cli.list_commands import Walk

FORWARD, BACK = ("j", " ", "l", "\x1b[C", "\x1b[B"), ("k", "h", "\x7f", "\x1b[D", "\x1b[A")


@pytest.fixture(scope="module")
def review() -> Review:
    """A game with at least three moves that have findings, none of them its first or its last step."""
    for review in map(review_of, CASES):
        marked = places_with_findings(review)
        if len(marked) >= 3 and marked[0] > 0 and marked[-1] < len(review.steps) - 1:
            return review
    raise AssertionError("no such fixture")


def places_with_findings(review: Review) -> list[int]:
    return [place for place, step in enumerate(review.steps) if step.seq in review.findings]


def pressed(review: Review, place: int, *keys: str) -> Walk:
    """A walk from this step on, after these keys."""
    walk = Walk(review)
    walk.place = place
    assert all(walk.press(key) for key in keys)
    return walk


def test_n_and_p_lead_from_any_step_to_the_next_finding_and_to_the_one_before(review: Review) -> None:
    marked = places_with_findings(review)
    for place in range(len(review.steps)):
        later, earlier = [at for at in marked if at > place], [at for at in marked if at < place]
        assert pressed(review, place, "n").place == (later[0] if later else place)
        assert pressed(review, place, "p").place == (earlier[-1] if earlier else place)
        assert ("No later findings." in pressed(review, place, "n").prompt) == (not later)
        assert ("No earlier findings." in pressed(review, place, "p").prompt) == (not earlier)


def test_arrows_and_letters_step_and_stop_at_both_ends(review: Review) -> None:
    last = len(review.steps) - 1
    for place in (0, 1, last - 1, last):
        for keys, way in ((FORWARD, 1), (BACK, -1), ("[", -10), ("]", 10)):
            assert {pressed(review, place, key).place for key in keys} == {max(0, min(last, place + way))}
        assert [pressed(review, place, key).place for key in ("^", "\x1b[H", "$", "G", "\x1b[F")] == [0, 0, *[last] * 3]
        assert pressed(review, place, "x").place == place


def test_digits_and_enter_go_to_a_move(review: Review) -> None:
    seq = review.steps[3].seq
    walk = pressed(review, 0, *str(seq))
    assert (walk.place, f"Go to move {seq}: press Enter" in walk.prompt) == (0, True)
    assert walk.press("\r")
    assert (walk.place, "Go to move" in walk.prompt) == (3, False)
    walk = pressed(review, 2, *"99999", "g")
    assert (walk.place, f"There is no move 99999; the last is {review.steps[-1].seq}." in walk.prompt) == (2, True)
    assert "no move" not in pressed(review, 2, *"99999", "g", "j").prompt
    assert pressed(review, 0, *"12", "j", "\r").place == 1, "another key forgets the digits"


@pytest.mark.parametrize("key", ["q", "\x03", "\x04", "\x1b"])
def test_a_key_quits(review: Review, key: str) -> None:
    assert not Walk(review).press(key)
