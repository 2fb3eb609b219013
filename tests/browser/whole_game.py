"""A whole game on a phone, by taps alone."""

import os
import statistics
from typing import Any

from at_table import GAMES, acts_of, begin, by_seats, plain
from club import Club, entered
from playwright.sync_api import BrowserContext, expect
from thumb import Thumb, low_first

from ledger.audit.auditor import audit
from ledger.audit.replay import advance
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from ledger.record.events import ACTS, Close, Correctable, Deal, Place, Play, Result, Stack
from ledger.record.record import Record, effective
from ledger.stores.store import SqliteStore

TAPPED = int(os.environ.get("DOMINO_TAPPED", "40"))
"""Of a game of more acts the thumb enters the first and the last ones: every kind is among them."""
HEAD, TAIL = 10, 36


def slip_at(record: Record, acts: list[Correctable], at: int) -> Correctable | None:
    """A legal act other than the one at that place that does not prevent any of the next ten."""
    game = catalog.find(record.opening.game)
    state = game.start(game.opening(record.opening))
    for act in acts[:at]:
        state = advance(game, state, act)
    right = acts[at]
    later = {getattr(act, "tile", None) for act in acts[at : at + 12]}
    for act in game.choices(state):
        if type(act) is type(right) and plain(act) != plain(right) and _harmless(act, right, later):
            return act
    return None


def _harmless(act: Correctable, right: Correctable, later: set[Any]) -> bool:
    if isinstance(act, Place) and isinstance(right, Place):
        return act.tile.index == right.tile.index and set(low_first(act)) == set(low_first(right))
    if isinstance(act, Stack) and isinstance(right, Stack):
        return act.tile == right.tile
    return isinstance(act, Play) and act.tile not in later


def record_by_taps(phone: BrowserContext, club: Club, name: str) -> None:
    """Records the game by taps, offline for a while and with one entry put right, and compares it with the original.

    Another phone records the middle of a long game, and the hands after its first ones.
    """
    game, seed, options, edition = GAMES[name]
    record = by_seats(simulate(catalog.find(game), seed, options, edition=edition))
    acts = entered(record)
    page = phone.new_page()
    begin(page, club, record.opening)
    thumb, record_id = Thumb(page), page.url.rpartition("/")[2]
    by_another = range(HEAD, len(acts) - TAIL) if len(acts) > TAPPED else range(0)
    middle = max(len(acts) // 3, by_another.stop + 3)
    slip = next(at for at in range(middle + 7, len(acts) - 11) if slip_at(record, acts, at) is not None)
    for at, act in enumerate(acts):
        if at in by_another:
            if at == by_another.start:
                record_by_another(thumb, club, record_id, acts[by_another.start : by_another.stop])
            continue
        if at == middle:
            thumb.all_recorded()
            phone.set_offline(True)
            thumb.cut_off = True
        if at == middle + 6:
            expect(page.locator("#sync")).to_have_text("6 wait here")
            phone.set_offline(False)
            thumb.cut_off = False
            thumb.all_recorded()
        if by_another and at > HEAD and isinstance(act, Deal):
            record_by_another(thumb, club, record_id, [act])
        else:
            thumb.enter(slip_at(record, acts, slip) if at == slip else act)  # type: ignore[arg-type]
        if at == slip + 10:
            thumb.all_recorded()
            taps = list(thumb.taps)
            correct(thumb, club.read(record_id), acts[slip])
            thumb.taps = taps
    thumb.all_recorded()
    assert acts_of(club.read(record_id)) == [plain(act) for act in acts]
    page.get_by_role("button", name="Confirm result").tap()
    expect(page.locator("[data-end=closed] h2")).to_contain_text("Game over.")
    thumb.all_recorded()
    closed_record = club.read(record_id)
    assert isinstance(closed_record.events[-1], Close)
    results = [plain(event) for event in closed_record.events if isinstance(event, Result)]
    assert results == [plain(event) for event in record.events if isinstance(event, Result)]
    assert audit(catalog.find(game), closed_record).verdict == "clean"
    taps = [count for what, count in thumb.taps if what not in ("layout", "deal", "aside")]
    assert statistics.median(taps) <= 2, f"{name}: {dict(sorted(thumb.moves().items()))}"


def record_by_another(thumb: Thumb, club: Club, record_id: str, acts: list[Correctable]) -> None:
    """Another phone records these acts, and this one hears of them."""
    thumb.all_recorded()
    total = thumb.total() + len(acts)
    with SqliteStore(club.path) as store:
        for act in acts:
            Recorder(store).append(record_id, act)
    expect(thumb.page.locator("#sync")).to_have_attribute("data-total", str(total))


def correct(thumb: Thumb, record: Record, right: Correctable) -> None:
    """Finds the entry of eleven events ago in the list, and corrects it."""
    page = thumb.page
    entries = [entry for entry in effective(record.events).entries if isinstance(entry.event, ACTS)]
    page.locator("#show-moves").tap()
    page.locator(f"#moves ol [data-seq='{entries[-11].seq}']").tap()
    what, asks = ("tile", "Which tile was it?") if isinstance(right, Play) else ("place", "Where did it lie?")
    page.get_by_role("button", name=f"Another {what}").tap()
    expect(page.locator(".banner", has_text=asks)).to_be_visible()
    thumb.wait_until_sure()
    with thumb.more():
        if isinstance(right, Place):
            thumb.placed = right.tile
            thumb.lay(right)
        elif isinstance(right, Stack):
            page.locator(f"#rows [data-stack='{right.stack}']").tap()
        elif isinstance(right, Play):
            thumb.tile(right.tile)
