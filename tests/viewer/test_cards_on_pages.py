"""Score cards on pages and in the API: each says that only the scores are known."""

from __future__ import annotations

import pytest

from ledger.keep.score_cards import CardFile, ScoreCard
from temporary import TemporaryStore
from viewer.app import create_app


@pytest.mark.parametrize("game", ["zigzag", "Mexican Train"])
def test_every_page_says_that_only_the_scores_are_known(game: str) -> None:
    store = TemporaryStore()
    card = ScoreCard(game, {"Ana": 9, "Ben": 7, "Cy": 8}, None, "2026-11-20", "Tuesday")
    (filed,) = CardFile(store).file([card])
    client = create_app(store.reopen).test_client()
    for address in (
        "/",
        "/?verdict=scores-only",
        f"/g/{filed.record}",
        "/events/Tuesday",
        f"/statistics/{game}",
        "/players/Ana",
    ):
        text = client.get(address).get_data(as_text=True)
        assert "scores only" in text or "Only the scores are known" in text, address
    for part in ("card.png", "print", "thumbnail.svg", "parts?ply=1"):
        assert client.get(f"/g/{filed.record}/{part}").status_code == 200
    report = client.get(f"/api/v1/records/{filed.record}/report").get_json()
    assert (report["verdict"], report["scores"]) == ("scores-only", {"p1": 9, "p2": 7, "p3": 8})
