"""Small pictures of tables for lists: one answer for each state, which browsers may keep, or a part of the list."""

import re
from html import unescape
from urllib.parse import unquote
from xml.etree import ElementTree as ET

from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.replay.thumbnails import INLINE

PICTURE = re.compile(r'<img class="pic" src="([^"]+)"')


def test_a_list_has_small_pictures_in_itself_once_they_are_drawn() -> None:
    store = TemporaryStore()
    small = Recorder(store).import_record(simulate(catalog.find("zigzag"), 1, {}))
    large = Recorder(store).import_record(simulate(catalog.find("ziggurat"), 3, {"set": 12}))
    client = create_app(store.reopen).test_client()
    addresses = PICTURE.findall(client.get("/").text)
    thumbnails = {f"/g/{name}/thumbnail.svg" for name in (small, large)}
    assert {address.partition("?")[0] for address in addresses} == thumbnails
    for address in addresses:
        client.get(unescape(address))
    large_source, small_source = PICTURE.findall(client.get("/").text)
    assert large_source.startswith(f"/g/{large}/thumbnail.svg?")
    assert len(client.get(f"/g/{large}/thumbnail.svg").data) > INLINE
    assert small_source.startswith("data:image/svg+xml,<svg ")
    assert "#" not in small_source
    svg = unquote(small_source.partition(",")[2]).replace("'", '"')
    assert svg == client.get(f"/g/{small}/thumbnail.svg").text
    assert ET.fromstring(svg).tag.endswith("svg")  # noqa: S314  our own drawing


def test_the_picture_in_a_list_is_that_of_the_latest_move() -> None:
    store = TemporaryStore()
    record = simulate(catalog.find("zigzag"), 1, {})
    store.append("growing000", 0, record.events[:40])
    client = create_app(store.reopen).test_client()
    client.get(unescape(PICTURE.findall(client.get("/").text)[0]))
    assert PICTURE.findall(client.get("/").text)[0].startswith("data:")
    store.append("growing000", 40, record.events[40:60])
    assert "v=60" in PICTURE.findall(client.get("/").text)[0]
    client.get(unescape(PICTURE.findall(client.get("/").text)[0]))
    assert PICTURE.findall(client.get("/").text)[0].startswith("data:")
