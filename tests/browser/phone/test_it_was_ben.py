"""An entry of long ago was wrong in one thing: only that is entered again."""

import pytest
from at_table import open_recorder
from club import Club, entered
from msgspec.structs import replace
from playwright.sync_api import BrowserContext, Page, expect
from thumb import Thumb

from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import Amend, Correctable, Pass

SIZE = {"width": 360, "height": 640}


def opened(
    phone: BrowserContext, club: Club, acts: list[Correctable], opening: object, at: int
) -> tuple[Page, Thumb, str]:
    """The recorder of a game with its list of moves, in which the entry of an act is open after one tap."""
    link, record_id = club.open(opening, acts)  # type: ignore[arg-type]
    page = phone.new_page()
    page.set_viewport_size(SIZE)
    thumb = open_recorder(page, link)
    page.locator("#show-moves").tap()
    page.locator(f"#moves ol [data-seq='{at + 1}']").tap()
    return page, thumb, record_id


@pytest.mark.parametrize("name", ["ziggurat", "build-up", "zigzag", "domino-ziggurat"])
def test_it_was_ben_is_two_taps(phone: BrowserContext, club: Club, name: str) -> None:
    edition = "2" if name == "domino-ziggurat" else None
    record = simulate(catalog.find(name), 3, players=2 + (name == "zigzag"), edition=edition)
    acts = entered(record)[:24]
    at = next(n for n, act in enumerate(acts) if n > 5 and not isinstance(act, Pass) and hasattr(act, "tile"))
    ids = [player.id for player in record.opening.players]
    names = [player.name for player in record.opening.players]
    right = acts[at].player  # type: ignore[union-attr]
    wrong = next(one for one in ids if one != right)
    acts[at] = replace(acts[at], player=wrong)  # type: ignore[call-arg]
    page, thumb, record_id = opened(phone, club, acts, record.opening, at)
    key = page.locator(f"#moves [data-do=seat][data-player='{right}']")
    expect(key).to_have_text(f"{names[ids.index(right)][0]}{names[ids.index(right)]}, not {names[ids.index(wrong)]}")
    with thumb.more():
        key.tap()
    after = club.read(record_id).events[-1]
    assert isinstance(after, Amend)
    assert after.event == replace(acts[at], player=right)  # type: ignore[call-arg]
