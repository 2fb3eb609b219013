"""Under a path of a server with many clubs: nothing leads out of the club's addresses."""

import re

import pytest
from test_roles import KEYS, ROUTES, path_of, two_records

from viewer.app import create_app
from viewer.every_page.templates import VIEWER

ADDRESS = re.compile(r'(?:href|src|action|data-[a-z]+)="(/[^"]*)"')
QUOTED = re.compile(r'[=(:+] ?["\'`]/[a-z]')
"""An address from the root of a server, in a script."""
NORTH = {"SCRIPT_NAME": "/north"}


@pytest.mark.parametrize("route", [route for route in ROUTES if route.startswith("GET")])
def test_every_page_stays_in_the_clubs_addresses(route: str) -> None:
    with create_app(two_records().reopen).test_client().get(path_of(route), environ_overrides=NORTH) as answer:
        html = answer.text if answer.content_type.startswith("text/html") else ""
        addresses = ADDRESS.findall(html)
        assert [address for address in addresses if not address.startswith("/north/")] == []
        assert re.match("(http://localhost)?/north/", answer.headers.get("Location", "/north/"))
        assert ("site-menu" in html) == ('data-root="/north/"' in html) or "embed" in route


def test_the_service_worker_stores_only_files_of_the_club() -> None:
    script = create_app(two_records().reopen).test_client().get("/worker.js", environ_overrides=NORTH).text
    parts = re.findall(r'"(/[^"]+)"', script.partition("const PARTS = [")[2].partition("];")[0])
    assert len(parts) > 20
    assert all(part.startswith("/north/") for part in parts)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_cookie_is_the_clubs_alone(scheme: str) -> None:
    client = create_app(two_records().reopen).test_client()
    form = {"key": KEYS["recorder"], "record": "mine"}
    answer = client.post("/door", data=form, environ_overrides=NORTH, base_url=f"{scheme}://localhost")
    name = "__Secure-domino-north" if scheme == "https" else "domino-north"
    assert answer.headers["Set-Cookie"].startswith(f"{name}={KEYS['recorder']};")
    assert "Path=/north/" in answer.headers["Set-Cookie"]


def test_no_script_names_an_address_from_the_root() -> None:
    found = [
        f"{path.name}: {line.strip()}"
        for path in VIEWER.glob("*/static/**/*.js")
        for line in path.read_text("utf-8").splitlines()
        if QUOTED.search(line)
        and "[href^=" not in line
        and path.name != "rules_worker.js"  # folders of Python's, in memory
    ]
    assert found == []
