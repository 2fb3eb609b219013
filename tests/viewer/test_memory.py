"""The memory of a server: one arena for all threads, and a thread more for each stream."""

from __future__ import annotations

import functools
import gc
import platform
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from waitress.task import ThreadedTaskDispatcher

from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.keep.stored_audits import refresh
from ledger.play.simulate import simulate
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.pages.replay_cache import ReplayCache
from viewer.pages.thumbnails import Thumbnails
from viewer.pictures import raster
from viewer.server.bounded import Bounded
from viewer.server.listening import ANSWERING, few_at_once, grow_with_streams

GLIBC = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the allocator is not glibc")
THREADS = """
import ctypes, threading
from viewer.server.memory import return_memory
{first}
together = threading.Barrier(12)
def work():
    together.wait()
    strings = ["x" * 1000 for _ in range(100)]
    together.wait()
threads = [threading.Thread(target=work) for _ in range(12)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
ctypes.CDLL(None).malloc_stats()
"""


def arenas(first: str) -> int:
    """The number of arenas after work in twelve threads."""
    program = THREADS.format(first=first)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return len(re.findall("^Arena ", done.stderr, re.MULTILINE))


@GLIBC
def test_all_threads_share_an_arena() -> None:
    assert arenas("") > 1, "what the setting is against"
    assert arenas("assert return_memory()") == 1


@GLIBC
def test_large_strings_go_back_to_the_system() -> None:
    program = """
import re
from pathlib import Path
from viewer.server.memory import return_memory
return_memory()
def resident():
    return int(re.findall(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[0])
before = resident()
for _ in range(3):
    strings = ["x" * 300_000 for _ in range(200)]
    small = [list(range(100)) for _ in range(200)]  # one of them after each string would hold the arena
    full = resident()
    del strings
print(full - before, resident() - before)
"""
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    full, left = map(int, output.split())
    assert full > 55_000
    assert left < 5_000


@GLIBC
def test_the_pages_of_holes_go_back_to_the_system() -> None:
    program = """
import re
from pathlib import Path
from viewer.server.memory import Holes, return_memory
return_memory()
def resident():
    return int(re.findall(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[0])
strings = ["x" * 20_000 for _ in range(3000)]  # each too small for pages of its own
held = strings[::10]
full = resident()
del strings
holes, left = Holes(), resident()
print(full - left, holes.give_back(), full - resident(), holes.give_back(), len(held))
"""
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    by_itself, gave, in_all, again, _ = output
    assert (gave, again) == ("True", "False"), "the second time was too early"
    assert int(by_itself) < 5_000, "what this is against"
    assert int(in_all) > 40_000


PAGES = ("", "?ply=3", "/parts", "/reel?shape=phone", "/position.svg?ply=3", "/thumbnail.svg")
LISTS = ("/", "/players", "/statistics/ziggurat", "/api/v1/records", "/style.css")


def unbounded() -> dict[str, int]:
    """The sizes of all caches of functions that may grow without end, by function."""
    caches = [item for item in gc.get_objects() if isinstance(item, functools._lru_cache_wrapper)]
    ours = [cache for cache in caches if (cache.__module__ or "").startswith(("ledger.", "viewer."))]
    endless = [cache for cache in ours if cache.cache_parameters()["maxsize"] is None]
    return {f"{cache.__module__}.{cache.__name__}": cache.cache_info().currsize for cache in endless}


def test_however_much_is_asked_no_cache_outgrows_its_bytes() -> None:
    store = TemporaryStore()
    names = [Recorder(store).import_record(simulate(catalog.find("ziggurat"), seed)) for seed in range(6)]
    for _ in refresh(store):
        pass
    app, most = create_app(store.reopen), 200_000
    app.extensions.update(
        replay_cache=ReplayCache(4 * most), compressed=Bounded[bytes, bytes](most), thumbnails=Thumbnails(most // 8)
    )
    caches = [item for item in gc.get_objects() if type(item) is Bounded]
    before = dict[str, int]()
    for host, some in (("one", names[:2]), ("two", names[2:4]), ("three", names[4:])):
        client = app.test_client()
        client.environ_base["HTTP_HOST"] = f"{host}.example"
        for path in (*LISTS, *(f"/g/{name}{page}" for name in some for page in PAGES)):
            assert client.get(path, headers={"Accept-Encoding": "gzip"}).status_code == 200, path
            assert all(cache.total <= cache._most for cache in caches)
        after = unbounded()
        assert not before or after == before, "what grows with what is asked needs a bound"
        before = after
    assert 0 < len(app.extensions["replay_cache"]._views) < len(names), "some were dropped"


def test_each_stream_brings_a_thread_and_none_leaves() -> None:
    notifier = create_app(lambda: None, watchers=8).extensions["notifier"]  # type: ignore[arg-type,return-value]
    dispatcher = ThreadedTaskDispatcher()
    dispatcher.set_thread_count(ANSWERING)
    notifier.prepare = grow_with_streams(dispatcher)
    counts = []
    for deed in ("take", "take", "leave", "take", "take", "leave", "leave", "leave", "take"):
        if deed == "take":
            assert notifier.take_seat("one")
        else:
            notifier.leave_seat("one")
        counts.append(len(dispatcher.threads) - ANSWERING)
    dispatcher.shutdown()
    assert counts == [1, 2, 2, 2, 3, 3, 3, 3, 3]


def test_few_requests_are_answered_at_once_however_many_threads_there_are() -> None:
    most, inside, counts, full = 3, 0, set[int](), threading.Barrier(3)
    lock = threading.Lock()

    def app(_environ: object, _start_response: object) -> list[bytes]:
        nonlocal inside
        with lock:
            inside += 1
            counts.add(inside)
        full.wait(10)  # the others have begun, too
        with lock:
            inside -= 1
        return [b"answer"]

    answer: Any = few_at_once(app, most)
    with ThreadPoolExecutor(4 * most) as threads:
        assert list(threads.map(answer, range(4 * most), range(4 * most))) == [[b"answer"]] * 4 * most
    assert max(counts) == most


def test_few_threads_draw_however_many_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    drawers, together = set[int](), threading.Barrier(8)

    def draw(*, svg_string: str, width: int) -> bytes:
        drawers.add(threading.get_ident())
        return f"{svg_string} {width}".encode()

    def ask(width: int) -> bytes:
        together.wait()
        return raster.raster("<svg/>", width)

    monkeypatch.setattr(raster.resvg_py, "svg_to_bytes", draw)
    with ThreadPoolExecutor(8) as askers:
        assert list(askers.map(ask, range(8))) == [f"<svg/> {width}".encode() for width in range(8)]
    assert len(drawers) <= raster.DRAWERS
