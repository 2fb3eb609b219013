"""What is kept for the next request: bounded in bytes, counted as it is, and made by one thread for all that ask."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, Lock, Semaphore
from typing import Any

import pytest

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from ledger.record.record import Record
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.pages import page_routes, replay_cache, replay_view
from viewer.pages.replay_cache import AT_ONCE, ReplayCache
from viewer.pages.replay_view import ReplayView
from viewer.pages.thumbnails import Thumbnails
from viewer.pictures.frames import Film
from viewer.server.bounded import Bounded, weight

LONG = 30
"""Seconds after which a thread that should have come is given up; none of these tests waits that long."""

TRIMMED = 0.001
"""Python itself trims a few objects of a replay later, such as the dictionaries of instances."""


def weighed(cache: Bounded[Any, Any]) -> int:
    """The bytes of what a cache really holds, counted anew."""
    return sum(cache._size(value) + weight(key) for key, (value, _) in cache._kept.items())


def test_the_latest_used_are_kept_and_their_bytes_counted() -> None:
    size = sys.getsizeof(b"x" * 100) + weight("a")
    cache = Bounded[str, bytes](most=2 * size)
    for key in "ab":
        cache.get_or_make(key, lambda: b"x" * 100)
    assert (len(cache), cache.total) == (2, 2 * size)
    assert cache.get("a") == b"x" * 100
    cache.get_or_make("c", lambda: b"y" * 100)
    assert [cache.get(key) is not None for key in "abc"] == [True, False, True], "b was not used for the longest time"
    assert cache.total == weighed(cache) == 2 * size
    assert cache.get_or_make("d", lambda: b"z" * 1000) == b"z" * 1000
    assert [cache.get(key) is not None for key in "acd"] == [True, True, False], "too large, so the others stay"
    assert cache.total == weighed(cache) == 2 * size


def test_a_value_that_is_replaced_or_grows_is_counted_once() -> None:
    cache = Bounded[str, list[bytes]](most=10_000, size=weight)
    value = cache.get_or_make("a", list, lambda _: True)
    empty = cache.total
    value.append(b"x" * 1000)
    cache.weigh("a", value)
    assert cache.total == weighed(cache) > empty + 1000
    other = cache.get_or_make("a", lambda: [b"y" * 10], lambda kept: kept is not value)
    assert cache.total == weighed(cache) < empty + 1000
    cache.weigh("a", value)  # no longer kept: somebody else still uses it
    assert cache.get("a") is other
    assert cache.total == weighed(cache)
    other.append(b"z" * 20_000)
    cache.weigh("a", other)
    assert (cache.get("a"), cache.total, len(cache)) == (None, 0, 0), "it has grown too large"


def test_what_is_shared_is_not_counted() -> None:
    text = "x" * 1000
    assert weight([text, text]) == sys.getsizeof([1, 2]) + sys.getsizeof(text)
    assert weight([text, int, sys, len], shared=(text,)) == sys.getsizeof([1, 2, 3, 4])
    record = simulate(catalog.find("zigzag"), 1)
    assert weight(record) > sum(map(sys.getsizeof, record.events)), "the fields of its events count"


class Maker:
    """Makes a value, once it is allowed to; `began` says that it has begun, `times` how often it did."""

    def __init__(self, value: Callable[[], Any]) -> None:
        self.value, self.began, self.may = value, Event(), Event()
        self.times = 0

    def __call__(self, *_arguments: Any, **_more: Any) -> Any:
        self.times += 1
        self.began.set()
        assert self.may.wait(LONG)
        return self.value()


def waits(cache: Bounded[Any, Any], threads: int) -> None:
    """Returns when so many threads make a value, or wait for one that is being made."""
    pause = Event()
    for _ in range(LONG * 1000):
        if sum(turn.threads for turn in list(cache._turns.values())) == threads:
            return
        pause.wait(0.001)
    raise AssertionError("the threads did not come")


@pytest.fixture
def pool() -> Any:
    with ThreadPoolExecutor(8) as threads:
        yield threads


def test_several_that_ask_at_once_get_one_value(pool: ThreadPoolExecutor) -> None:
    cache, make = Bounded[str, bytes](1000), Maker(lambda: b"page")
    answers: list[Future[bytes]] = [pool.submit(cache.get_or_make, "a", make) for _ in range(5)]
    assert make.began.wait(LONG)
    waits(cache, 5)
    assert pool.submit(cache.get_or_make, "b", lambda: b"other").result(LONG) == b"other", "others do not wait"
    make.may.set()
    assert {answer.result(LONG) for answer in answers} == {b"page"}
    assert make.times == 1
    assert not cache._turns


def test_an_error_is_told_to_one_and_the_next_one_tries_again(pool: ThreadPoolExecutor) -> None:
    outcomes = [OSError("the disk is busy"), b"page"]

    def value() -> bytes:
        outcome = outcomes.pop(0)
        if isinstance(outcome, OSError):
            raise outcome
        return outcome

    cache, make = Bounded[str, bytes](1000), Maker(value)
    answers = [pool.submit(cache.get_or_make, "a", make) for _ in range(4)]
    assert make.began.wait(LONG)
    waits(cache, 4)
    make.may.set()
    errors = [answer.exception(LONG) for answer in answers]
    assert sorted(map(repr, errors)) == ["None", "None", "None", "OSError('the disk is busy')"]
    assert make.times == 2
    assert (cache.get("a"), cache._turns) == (b"page", {})


def test_a_page_is_made_once_for_all_who_ask_and_other_replays_do_not_wait(
    pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = TemporaryStore()
    recorder = Recorder(store)
    slow, quick = (recorder.import_record(simulate(catalog.find(game), 1)) for game in ("ziggurat", "zigzag"))
    app = create_app(store.reopen)
    plain = app.test_client().get(f"/g/{slow}").data
    app.extensions["replay_cache"] = cache = ReplayCache()
    maker = Maker(lambda: None)
    render, make_view = page_routes.render, ReplayView

    def slow_view(record_id: str, *arguments: Any, **more: Any) -> ReplayView:
        if record_id == slow:
            maker()
        return make_view(record_id, *arguments, **more)

    rendered = []

    def counted(view: ReplayView, *arguments: Any, **more: Any) -> str:
        rendered.append(view.id)
        return render(view, *arguments, **more)

    monkeypatch.setattr(replay_cache, "ReplayView", slow_view)
    monkeypatch.setattr(page_routes, "render", counted)
    pages = [pool.submit(app.test_client().get, f"/g/{slow}") for _ in range(4)]
    assert maker.began.wait(LONG)
    waits(cache._answers, 4)
    assert pool.submit(app.test_client().get, f"/g/{quick}").result(LONG).status_code == 200
    maker.may.set()
    assert {page.result(LONG).data for page in pages} == {plain}
    assert (maker.times, rendered) == (1, [quick, slow])


def test_different_pages_of_a_replay_compute_its_parts_once(
    pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = TemporaryStore()
    record_id = Recorder(store).import_record(simulate(catalog.find("zigzag"), 1))
    app = create_app(store.reopen)
    cache: ReplayCache = app.extensions["replay_cache"]
    maker, draw = Maker(lambda: None), replay_view.film

    def slow_film(review: Review) -> Film:
        maker()
        return draw(review)

    monkeypatch.setattr(replay_view, "film", slow_film)
    parts = ("", "?ply=3", "/reel?shape=wide", "/position.svg")  # each needs the film
    addresses = [f"/g/{record_id}{part}" for part in parts]
    answers = [pool.submit(app.test_client().get, address) for address in addresses]
    assert maker.began.wait(LONG)
    waits(cache._views, 4)
    maker.may.set()
    assert [answer.result(LONG).status_code for answer in answers] == [200] * 4
    assert maker.times == 1


def test_few_threads_make_answers_at_once(pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    store, lock, all_came = TemporaryStore(), Lock(), Event()
    names = [Recorder(store).import_record(simulate(catalog.find("ziggurat"), seed)) for seed in range(8)]
    came = inside = most = 0

    class Counted(Semaphore):
        def __enter__(self) -> bool:
            nonlocal came
            with lock:
                came += 1
            if came == len(names):
                all_came.set()
            return self.acquire()

    def slow_view(*arguments: Any, **more: Any) -> ReplayView:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        assert all_came.wait(LONG)
        with lock:
            inside -= 1
        return make_view(*arguments, **more)

    make_view = ReplayView
    monkeypatch.setattr(replay_cache, "Semaphore", Counted)
    monkeypatch.setattr(replay_cache, "ReplayView", slow_view)
    app = create_app(store.reopen)
    answers = [pool.submit(app.test_client().get, f"/g/{name}") for name in names]
    assert {answer.result(LONG).status_code for answer in answers} == {200}
    assert (most, inside) == (AT_ONCE, 0)


def test_a_replay_is_counted_with_all_that_a_request_made_of_it() -> None:
    store = TemporaryStore()
    names = [Recorder(store).import_record(simulate(catalog.find("zigzag"), seed)) for seed in range(4)]
    client = create_app(store.reopen).test_client()
    client.application.extensions["replay_cache"] = cache = ReplayCache()
    client.get(f"/api/v1/records/{names[0]}/report")
    first = cache.total
    assert cache.total == pytest.approx(weighed(cache._views), rel=TRIMMED)
    assert cache.total > 10_000
    pages = {name: client.get(f"/g/{name}").data for name in names}
    assert cache.total == pytest.approx(weighed(cache._views) + weighed(cache._answers), rel=TRIMMED)
    assert (len(cache._views), len(cache._answers)) == (4, 4)
    assert cache.total > first + sum(map(len, pages.values()))
    client.application.extensions["replay_cache"] = small = ReplayCache(most=cache.total // 2)
    for name in (*names, *reversed(names)):
        assert client.get(f"/g/{name}").data == pages[name]
        assert small.total <= cache.total // 2
        assert small.total == pytest.approx(weighed(small._views) + weighed(small._answers), rel=TRIMMED)
    assert len(small._views) in (1, 2)


def test_the_latest_thumbnails_are_kept() -> None:
    def review() -> Review:
        return Review(simulate(catalog.find("zigzag"), 1))

    size = len(Thumbnails().make("a", "1", "small", review))
    thumbnails = Thumbnails(most=3 * size)
    assert thumbnails.get("a", "1", "small") is None
    first = thumbnails.make("a", "1", "small", review)
    thumbnails.make("b", "1", "small", review)
    assert thumbnails.get("a", "1", "small") is first
    thumbnails.make("c", "1", "small", review)  # drops the one that was not used
    assert thumbnails.get("b", "1", "small") is None
    assert thumbnails.get("a", "1", "small") is first
    assert thumbnails.get("a", "1", "large") is None


def test_the_thumbnail_of_a_move_takes_the_place_of_the_one_before() -> None:
    events = simulate(catalog.find("zigzag"), 1).events
    thumbnails, totals = Thumbnails(), set[int]()
    for version in map(str, range(20, 60)):
        picture = thumbnails.make("a", version, "small", lambda: Review(Record(events[:20])))
        assert thumbnails.get("a", version, "small") is picture
        totals.add(thumbnails._pictures.total)
    assert thumbnails.get("a", "20", "small") is None
    assert len(totals) == 1, "the picture is as large as before, so nothing else is kept"
