"""What a server keeps: the latest used, up to a number of bytes, and nothing that is out of date."""

import functools
import gc
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask.testing import FlaskClient

from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.keep.stored_audits import refresh
from ledger.keep.transfer import forget, known_as
from ledger.play.simulate import simulate
from ledger.record.events import Note, Open, Player
from ledger.record.record import Record
from ledger.stores.beside import Comment
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.pictures import png_and_gif
from viewer.replay import replay_routes
from viewer.replay.replay_view import ReplayView
from viewer.server.context import Ledgers, Served
from viewer.server.kept import Kept

NAME = "Zerafina"
ABOUT = (
    "", "?ply=3", "?view=plan", "?view=recorded", "/parts", "/reel?shape=wide", "/print", "/replay.html",
    "/record.json", "/sheet.txt", "/result.csv", "/position.svg", "/moment.svg?ply=3", "/growing.svg",
    "/thumbnail.svg",
)  # fmt: skip
OF_THE_API = ("", "/report", "/steps", "/story", "/history", "/screen", "/news")
LISTS = (
    "/embed/mine", "/", "/?q=z", "/players", "/statistics/ziggurat", "/events", "/api/v1/records", "/api/v1/players",
    "/owner",
)  # fmt: skip


def of_size(size: int) -> Any:
    return lambda _value: size


def test_the_latest_used_are_kept_up_to_a_number_of_bytes() -> None:
    cache = Kept(most=100)
    for key in "ab":
        assert cache.get_or_make(key, lambda: "made", of_size(40)) == "made"
    assert cache.get("a") == "made"
    cache.get_or_make("c", lambda: "made", of_size(40))
    assert [cache.get(key) for key in "abc"] == ["made", None, "made"], "b was used longest ago"
    assert (cache.total, len(cache)) == (80, 2)
    cache.get_or_make("large", lambda: "made", of_size(500))
    assert (cache.total, len(cache), cache.get("large")) == (500, 1, "made"), "the last one stays"
    cache.get_or_make("d", lambda: "made", of_size(40))
    assert (cache.total, len(cache)) == (40, 1)


def test_a_value_that_cannot_be_made_is_tried_again() -> None:
    cache = Kept()

    def fail() -> str:
        raise OSError("full")

    for _ in range(2):
        with pytest.raises(OSError, match="full"):
            cache.get_or_make("a", fail, len)
    assert cache.get_or_make("a", lambda: "made", len) == "made"


def test_of_two_that_make_a_value_at_once_both_get_the_first() -> None:
    cache = Kept()

    def make() -> list[str]:
        cache.get_or_make("a", lambda: ["first"], len)
        return ["second"]

    assert cache.get_or_make("a", make, len) is cache.get("a")
    assert cache.get("a") == ["first"]
    assert cache.total == 1


@pytest.fixture
def store() -> TemporaryStore:
    store = TemporaryStore()
    record = simulate(catalog.find("ziggurat"), 1)
    named = zip(record.opening.players, (NAME, "Ben"), strict=True)
    players = tuple(Player(id=player.id, name=name) for player, name in named)
    opening = Open("ziggurat", players=players, options=record.opening.options, recorder=NAME, by=NAME)
    Recorder(store).import_record(Record((opening, *record.events[1:])), "mine")
    for _ in refresh(store):
        pass
    return store


def everything(client: FlaskClient) -> dict[str, bytes]:
    """All answers that show the game."""
    paths = [f"/g/mine{about}" for about in ABOUT] + [f"/api/v1/records/mine{about}" for about in OF_THE_API] + [*LISTS]
    answers = {path: client.get(path) for path in paths}
    assert {path for path, answer in answers.items() if answer.status_code != 200} <= {"/owner"}
    return {path: answer.data for path, answer in answers.items()}


def test_a_name_that_is_forgotten_while_its_pages_are_warm_is_in_no_answer(
    store: TemporaryStore, client: FlaskClient
) -> None:
    before = everything(client)
    assert sum(NAME.encode() in answer for answer in before.values()) > 12
    assert everything(client) == before, "they are warm"
    forget(store, NAME, known_as(store, NAME))
    for path, answer in everything(client).items():
        assert NAME.encode() not in answer, path


def test_a_page_shows_at_once_what_stands_beside_its_record(store: TemporaryStore, client: FlaskClient) -> None:
    assert b"What a move" not in client.get("/g/mine").data
    store.put([Comment("mine", 0, 2, "What a move", "Ben", "2026-11-20T19:00:00.000Z")])
    assert b"What a move" in client.get("/g/mine").data
    store.append("mine", store.version("mine"), [Note("The tea is cold")])
    assert b"The tea is cold" in client.get("/g/mine").data


def test_one_replay_serves_all_places_of_a_record(client: FlaskClient, monkeypatch) -> None:
    made, reads, read = list[str](), list[str](), TemporaryStore.read

    class Counted(ReplayView):
        def __init__(self, record_id: str, *more: Any, **options: Any) -> None:
            made.append(record_id)
            super().__init__(record_id, *more, **options)

    monkeypatch.setattr(replay_routes, "ReplayView", Counted)
    monkeypatch.setattr(TemporaryStore, "read", lambda store, name: reads.append(name) or read(store, name))
    for path in ("?ply=1", "?ply=2", "", "/parts", "/reel?shape=wide", "/print", "/position.svg?ply=5"):
        assert client.get(f"/g/mine{path}").status_code == 200
    assert client.get("/embed/mine?ply=4").status_code == 200
    assert made == reads == ["mine"]
    assert client.get("/api/v1/records/mine/report").status_code == 200
    assert made == ["mine"]


# ---- The memory of a server: no cache grows without end, and few threads draw.


PAGES = ("", "?ply=3", "/parts", "/reel?shape=phone", "/position.svg?ply=3", "/thumbnail.svg")
LONG_LISTS = ("/", "/players", "/statistics/ziggurat", "/api/v1/records", "/style.css")


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
        for path in (*LONG_LISTS, *(f"/g/{name}{page}" for name in some for page in PAGES)):
            assert client.get(path, headers={"Accept-Encoding": "gzip"}).status_code == 200, path
            assert cache.total <= most
        after = unbounded()
        assert not before or after == before, "what grows with what is asked needs a bound"
        before = after
    replays = sum("replay" in key for key in cache._values)
    assert 0 < replays < len(names), "some were dropped"


def test_few_threads_draw_however_many_ask(monkeypatch) -> None:
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
