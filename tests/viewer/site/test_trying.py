"""A game typed into a page: read, replayed, audited, or refused with the place of the mistake."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

from golden import CASES, FIXTURES, ROOT
from ledger.audit.moments import moments
from ledger.audit.review import Review, sheet
from ledger.cli import cli
from ledger.examples.season import season
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.errors import NotForNow
from planted_slips import plant
from viewer.browser_app import answer
from viewer.in_browser import runtime
from viewer.in_browser.runtime import NOTICE, PACK, PYTHON, WORKER, Runtime
from viewer.site import static_site

SHEET = "Game: zigzag\nPlayers: A Ana, B Ben, C Cy\n\nA bids 12\nB passes\nC passes\nA 2-2\n"


def ask(name: str, text: str) -> dict[str, str]:
    """The answer to a question about a text."""
    reply: dict[str, str] = json.loads(answer(name, json.dumps({"text": text})))
    return reply


def drawn(record: str) -> str:
    """The drawing of a record for a phone."""
    return answer("reel", json.dumps({"record": record, "shape": "phone"}))


@pytest.mark.parametrize("case", CASES[::40], ids=lambda case: case.stem)
def test_a_record_and_its_sheet_become_the_same_page(case: Path) -> None:
    record = codec.decode(case.read_bytes())
    from_record = ask("replay", case.read_text("utf-8"))
    assert codec.decode(from_record["record"]) == record
    from_sheet = ask("replay", sheet(record))
    assert drawn(from_sheet["record"]) == drawn(from_record["record"])
    assert len(json.loads(from_record["data"])["steps"]) == len(Review(record).steps)
    assert ask("sheet", from_record["record"])["sheet"] == sheet(record)


def test_moments_have_their_pictures_without_a_server() -> None:
    record = next(example.record for example in season() if example.record.opening.game == "ziggurat")
    game = ask("replay", codec.encode(record).decode())
    addresses = re.findall(r'<img src="(data:image/svg\+xml,[^"]+)"', game["main"])
    assert len(addresses) == game["main"].count("data-moment ") == len(moments(Review(record)))
    pictures = [unquote(unescape(address).partition(",")[2]) for address in addresses]
    assert all(picture.startswith("<svg ") and picture.endswith("</svg>") for picture in pictures)
    assert len(set(pictures)) == len(pictures)


def test_the_slip_behind_mistakes_is_looked_for_in_pieces_and_said_first() -> None:
    slip = plant("build-up", "act-forgotten", 1)
    assert slip
    page = ask("replay", codec.encode(slip.record).decode())
    assert "data-waits" in page["main"]
    question = json.dumps({"record": page["record"]})
    replies = iter(lambda: json.loads(answer("causes", question)), None)
    reply = next(reply for reply in replies if reply["done"])
    parts = json.loads(reply["parts"])
    assert "One mistake. " in parts["causes"]
    assert parts["story"].count("data:image") == parts["story"].count("data-moment ") > 0
    assert "findings follow from it</summary>" in parts["causes"]
    assert "data-waits" not in parts["causes"]
    assert set(parts) == {"data", "rows", "causes", "track", "charts", "story", "about"}
    assert len(parts["data"]["slips"]) == 1
    assert len(parts["rows"]) >= len(parts["data"]["steps"])
    assert json.loads(answer("causes", question)) == reply


def test_names_stay_text() -> None:
    page = ask("replay", SHEET.replace("Ana", '"<img src=x onerror=alert(1)>"'))
    assert "<img src=x" not in page["main"]
    drawing = json.loads(drawn(page["record"]))
    assert "&lt;img" in str(drawing["pieces"])
    assert "<img" not in str(drawing["pieces"])


def test_every_mistake_of_a_sheet_has_its_line() -> None:
    refused = json.loads(answer("replay", json.dumps({"text": SHEET.replace("passes", "pases")})))
    assert refused["problem"].startswith("Line 5, column 3: 'pases' is not understood")
    assert refused["others"][0].startswith("Line 6, column 3: ")


def test_an_error_from_the_game_has_its_line_too() -> None:
    refused = ask("replay", SHEET.replace("C Cy", "").replace("Ben, ", "Ben").replace("C passes\n", ""))
    assert refused["problem"] == "Line 2, column 1: Zigzag is for three players, not 2"


def test_of_an_archive_the_first_game_is_shown_and_the_others_are_counted() -> None:
    games = [codec.encode(simulate(catalog.find("zigzag"), seed)).decode() for seed in range(3)]
    page = ask("replay", "\n".join(games) + "\n")
    assert page["record"] == games[0]
    assert "2 more games" in page["notice"]


# ── The site ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def public(tmp_path_factory) -> Iterator[Path]:
    """The site of a checkout, written with a runtime that is only a placeholder."""
    folder = tmp_path_factory.mktemp("runtime") / "0123456789abcdef"
    folder.mkdir()
    for name in (WORKER, PYTHON, PACK, NOTICE):
        (folder / name).write_bytes(b"rules")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(static_site, "FIXTURES", FIXTURES)
        patch.setattr(static_site, "find_runtime", lambda: Runtime(folder.name, folder))
        folder_out = folder.parent / "public"
        result = CliRunner().invoke(cli, ["site", str(folder_out)])
        assert result.exit_code == 0, result.output
        assert "python -m http.server" in result.output
        yield folder_out


def test_the_site_has_the_rules_the_examples_and_the_runtime(public: Path) -> None:
    names = {path.relative_to(public).as_posix() for path in public.rglob("*") if path.is_file()}
    assert {"index.html", "game.html", "style.css", "replay.js", f"runtime/0123456789abcdef/{PACK}"} <= names
    assert {f"rules/{name}.html" for name in catalog.built_in()} <= names
    check = (public / "check.html").read_text("utf-8")
    for case in CASES:
        assert f"examples/{case.parent.name}/{case.name}" in names
        assert f"game.html#={case.parent.name}/{case.stem}" in check
    for example in season():
        assert f"game.html#=season/{example.id}" in check


def test_every_link_and_picture_of_the_site_is_one_of_its_files(public: Path) -> None:
    for path in public.rglob("*.html"):
        page = path.read_text("utf-8")
        # A script fills the addresses of templates in.
        shown = re.sub(r"<template.*?</template>", "", page, flags=re.DOTALL)
        for address in re.findall(r'(?:href|src)="([^"#?]+)[^"]*"', shown):
            assert address.startswith(("https://", "data:")) or (path.parent / address).is_file(), f"{path}: {address}"


def test_every_page_of_the_site_has_the_header_of_a_server(public: Path) -> None:
    for path in public.rglob("*.html"):
        page = path.read_text("utf-8")
        header, menu = page[page.index("<header") : page.index("</header>")], page[page.index('id="site-menu"') :]
        for words in ("Check a game", "Rules", "Referee"):
            assert f">{words}</a>" in header
            assert f">{words}</a>" in menu
        assert 'popovertarget="site-menu"' in header


def test_the_first_page_of_the_site_says_what_it_is_for_and_has_three_doors(public: Path) -> None:
    page = (public / "index.html").read_text("utf-8")
    doors = re.findall(r'<li class="card door">.*?<h2><a href="([^"]*)">([^<]*)</a>', page)
    assert [words for _address, words in doors] == ["Watch", "You are the referee", "Record on your phone"]
    assert "See which move broke which rule." in page
    ((watch, _), *_others) = doors
    assert (public / f"examples/{watch.partition('=')[2]}.json").is_file()


@pytest.mark.parametrize("name", catalog.built_in())
def test_the_rules_of_a_game_have_its_sentence_and_its_pictures(public: Path, name: str) -> None:
    page = (public / f"rules/{name}.html").read_text("utf-8")
    assert '<p class="about-game">' in page
    assert [f"{name}-{at}.svg" in page for at in range(1, 6)] == [True] * 5
    assert f"{name}-1.svg" in (public / "rules/index.html").read_text("utf-8")


def test_no_page_names_another_origin_or_runs_an_inline_script(public: Path) -> None:
    for path in (*public.glob("*.html"), *public.glob("rules/*.html")):
        page = path.read_text("utf-8")
        assert "Content-Security-Policy" in page
        assert "<script>" not in page
        assert ' style="' not in page
        for quote in ('src="http', 'rel="stylesheet" href="http', "url(http", "import "):
            assert quote not in page, path


def test_a_second_site_replaces_the_first_and_keeps_other_files(public: Path) -> None:
    (public / "CNAME").write_text("domino.example")
    (public / static_site.NOTE).write_text((public / static_site.NOTE).read_text("utf-8") + "old.js\n")
    (public / "old.js").write_text("gone")
    assert static_site.write_site(public) > len(CASES)
    assert (public / "CNAME").exists()
    assert not (public / "old.js").exists()


def test_a_folder_of_others_is_not_written_into(public: Path) -> None:
    with pytest.raises(NotForNow, match="has other files in it"):
        static_site.write_site(public.parent)


def test_without_the_runtime_there_is_no_site(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(runtime, "PACKAGES", ROOT)
    monkeypatch.setattr(static_site, "find_runtime", lambda: runtime.find_runtime(tmp_path))
    with pytest.raises(NotForNow, match="make runtime"):
        static_site.write_site(tmp_path / "public")


def test_an_installed_package_has_examples_too(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(static_site, "FIXTURES", tmp_path / "none")
    games = {record.opening.game for _group, _path, _title, record in static_site.examples()}
    assert games == set(catalog.names())
    assert FIXTURES.exists()
