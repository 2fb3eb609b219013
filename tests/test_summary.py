"""A report in one sentence."""

import pytest

from ledger.audit.report_in_a_sentence import summary
from sheets import review

ZIGGURAT = "Game: ziggurat\nPlayers: A Ana, B Ben\n\nA 1-2 a6-b6\nB 2-5 c6-c5\n"
ZIGZAG = "Game: zigzag\nPlayers: A Ana, B Ben, C Cy\nOptions: first_bidder = A\n\n"


@pytest.mark.parametrize(
    ("sheet", "sentence"),
    [
        (ZIGZAG + "A bids 12\n", "No mistakes found."),
        (ZIGGURAT, "No mistakes found, but the record leaves 2 things open."),
        (ZIGGURAT + "total: A 0, B 2\n", "One mistake: the totals at move 3."),
        (ZIGZAG + "A bids 12\nB bids 11\nC passes\nA passes\n",
         "Two mistakes: Ben's bid of 11 at move 2 and Ana's pass at move 4."),
        (ZIGZAG + "A bids 12\nhand: A 9, B 0, C 0\n", "One mistake: the score of hand 1."),
        (ZIGZAG + "A bids 12\nretract 9 because I slept\n", "One mistake: the correction at event 2."),
        (ZIGGURAT + "".join(f"total: B {n}\n" for n in (2, 3, 4, 5)),
         "Four mistakes, starting with the totals at move 3."),
    ],
)  # fmt: skip
def test_a_report_opens_with_a_sentence_that_says_what_is_wrong(sheet: str, sentence: str) -> None:
    assert summary(review(sheet)) == sentence


def test_a_count_beyond_the_words_is_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    game = review(ZIGGURAT + "".join(f"total: B {n}\n" for n in (2, 3, 4, 5)))
    words = ("no", "one", "two", "three", "four")
    monkeypatch.setattr("ledger.record.words.NUMBERS", words)
    assert summary(game).startswith("Four mistakes, ")
    monkeypatch.setattr("ledger.record.words.NUMBERS", words[:-1])
    assert summary(game).startswith("4 mistakes, ")
