"""The memory of a server: no cache grows without end, and few threads draw."""

import functools
import gc
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.keep.stored_audits import refresh
from ledger.play.simulate import simulate
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.pictures import png_and_gif
from viewer.server.context import Ledgers, Served
from viewer.server.kept import Kept

PAGES = ("", "?ply=3", "/parts", "/reel?shape=phone", "/position.svg?ply=3", "/thumbnail.svg")
LISTS = ("/", "/players", "/statistics/ziggurat", "/api/v1/records", "/style.css")


def unbounded() -> dict[str, int]:
    """The sizes of all caches of functions that may grow without end, by function."""
    gc.collect()  # those of earlier tests
    caches = [item for item in gc.get_objects() if isinstance(item, functools._lru_cache_wrapper)]
    ours = [cache for cache in caches if (cache.__module__ or "").startswith(("ledger.", "viewer."))]
    endless = [cache for cache in ours if cache.cache_parameters()["maxsize"] is None]
    return {f"{cache.__module__}.{cache.__name__}": cache.cache_info().currsize for cache in endless}


def test_however_much_is_asked_no_cache_outgrows_its_bytes() -> None:
    store = TemporaryStore()
    names = [Recorder(store).import_record(simulate(catalog.find("ziggurat"), seed)) for seed in range(6)]
    for _ in refresh(store):
        pass
    app, most = create_app(store.reopen), 1_000_000
    cache = Kept(most)
    app.extensions["served"] = Served(Ledgers(store.reopen), cache)
    before = dict[str, int]()
    for host, some in (("one", names[:2]), ("two", names[2:4]), ("three", names[4:])):
        client = app.test_client()
        client.environ_base["HTTP_HOST"] = f"{host}.example"
        for path in (*LISTS, *(f"/g/{name}{page}" for name in some for page in PAGES)):
            assert client.get(path, headers={"Accept-Encoding": "gzip"}).status_code == 200, path
            assert cache.total <= most
        after = unbounded()
        assert not before or after == before, "what grows with what is asked needs a bound"
        before = after
    replays = sum("replay" in key for key in cache._values)
    assert 0 < replays < len(names), "some were dropped"


def test_few_threads_draw_however_many_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    drawers, together = set[int](), threading.Barrier(8)

    def draw(*, svg_string: str, width: int) -> bytes:
        drawers.add(threading.get_ident())
        return f"{svg_string} {width}".encode()

    def ask(width: int) -> bytes:
        together.wait()
        return png_and_gif.raster("<svg/>", width)

    monkeypatch.setattr(png_and_gif.resvg_py, "svg_to_bytes", draw)
    with ThreadPoolExecutor(8) as askers:
        assert list(askers.map(ask, range(8))) == [f"<svg/> {width}".encode() for width in range(8)]
    assert len(drawers) <= png_and_gif.DRAWERS
