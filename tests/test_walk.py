"""A replay at the keyboard: where each word leads, compared with the list of steps."""

import pytest

from golden import CASES, review_of
from ledger.audit.review import Review
from ledger.cli.list_commands import _place_after


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


def test_f_leads_from_any_step_to_the_next_finding(review: Review) -> None:
    marked = places_with_findings(review)
    for place in range(len(review.steps)):
        later = [at for at in marked if at > place]
        assert _place_after(review, place, "f") == (later[0] if later else place)


@pytest.mark.parametrize(("on", "back"), [("\x1b[C", "\x1b[D"), ("\x1b[B", "\x1b[A")])
def test_arrows_step_and_stop_at_both_ends(review: Review, on: str, back: str) -> None:
    last = len(review.steps) - 1
    for place in (0, 1, last - 1, last):
        assert _place_after(review, place, on) == min(last, place + 1)
        assert _place_after(review, place, back) == max(0, place - 1)
        assert _place_after(review, place, "x") == place


def test_g_asks_for_a_move(review: Review, monkeypatch) -> None:
    last = len(review.steps) - 1
    for typed, place in (("3", 3), (" 0 ", 0), ("99999", last), ("", 2), ("-1", 2)):
        monkeypatch.setattr("ledger.cli.list_commands.answer_to", lambda _question, typed=typed: typed)
        assert _place_after(review, 2, "g") == place


def test_q_quits(review: Review) -> None:
    assert _place_after(review, 2, "q") is None
