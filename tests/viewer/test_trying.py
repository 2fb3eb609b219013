"""A game typed into a page: read, replayed, audited, or refused with the place of the mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from golden import CASES, FIXTURES
from ledger import catalog, codec
from ledger.cli import cli
from ledger.errors import NotForNow
from ledger.review import Review, sheet
from ledger.simulate import simulate
from viewer import runtime, site
from viewer.portable import answer
from viewer.runtime import PACK, PYTHON, WORKER, Runtime

SHEET = "Game: zigzag\nPlayers: A Ana, B Ben, C Cy\n\nA bids 12\nB passes\nC passes\nA 2-2\n"


def asked(name: str, text: str) -> dict[str, str]:
    """The answer to a question about a text."""
    found: dict[str, str] = json.loads(answer(name, json.dumps({"text": text})))
    return found


@pytest.mark.parametrize("case", CASES[::40], ids=lambda case: case.stem)
def test_a_record_and_its_sheet_become_the_same_page(case: Path) -> None:
    record = codec.decode(case.read_bytes())
    from_record = asked("replay", case.read_text("utf-8"))
    assert codec.decode(from_record["record"]) == record
    from_sheet = asked("replay", sheet(record))
    assert from_sheet["film"] == from_record["film"]
    assert len(json.loads(from_record["data"])["steps"]) == len(Review(record).steps)
    assert asked("sheet", from_record["record"])["sheet"] == sheet(record)


def test_names_stay_text() -> None:
    page = asked("replay", SHEET.replace("Ana", '"<img src=x onerror=alert(1)>"'))
    assert "<img" not in page["main"]
    assert "<img" not in page["film"]


def test_every_mistake_of_a_sheet_has_its_line() -> None:
    refused = json.loads(answer("replay", json.dumps({"text": SHEET.replace("passes", "pases")})))
    assert refused["problem"].startswith("Line 5, column 3: 'pases' is not understood")
    assert refused["others"][0].startswith("Line 6, column 3: ")


def test_an_error_from_the_game_has_its_line_too() -> None:
    refused = asked("replay", SHEET.replace("C Cy", "").replace("Ben, ", "Ben").replace("C passes\n", ""))
    assert refused["problem"] == "Line 2, column 1: Zigzag is for three players, not 2"


def test_of_an_archive_the_first_game_is_shown_and_the_others_are_counted() -> None:
    games = [codec.encode(simulate(catalog.find("zigzag"), seed)).decode() for seed in range(3)]
    page = asked("replay", "\n".join(games) + "\n")
    assert page["record"] == games[0]
    assert "2 more games" in page["notice"]


# ── The site ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A site, written with a runtime that is only a placeholder."""
    folder = tmp_path / "0123456789abcdef"
    folder.mkdir()
    for name in (WORKER, PYTHON, PACK):
        (folder / name).write_bytes(b"rules")
    monkeypatch.setattr(site, "find", lambda: Runtime(folder.name, folder))
    public = tmp_path / "public"
    done = CliRunner().invoke(cli, ["site", str(public)])
    assert done.exit_code == 0, done.output
    assert "python -m http.server" in done.output
    return public


def test_the_site_has_the_rules_the_examples_and_the_runtime(built: Path) -> None:
    names = {path.relative_to(built).as_posix() for path in built.rglob("*") if path.is_file()}
    assert {"index.html", "game.html", "style.css", "replay.js", f"runtime/0123456789abcdef/{PACK}"} <= names
    assert {f"rules/{name}.html" for name in catalog.built_in()} <= names
    index = (built / "index.html").read_text("utf-8")
    for case in CASES:
        assert f"examples/{case.parent.name}/{case.name}" in names
        assert f"game.html#={case.parent.name}/{case.stem}" in index


def test_no_page_names_another_origin_or_runs_an_inline_script(built: Path) -> None:
    for path in (*built.glob("*.html"), *built.glob("rules/*.html")):
        page = path.read_text("utf-8")
        assert "Content-Security-Policy" in page
        assert "<script>" not in page
        assert ' style="' not in page
        for quote in ('src="http', 'rel="stylesheet" href="http', "url(http", "import "):
            assert quote not in page, path


def test_a_second_site_replaces_the_first_and_keeps_other_files(built: Path) -> None:
    (built / "CNAME").write_text("domino.example")
    (built / site.NOTE).write_text((built / site.NOTE).read_text("utf-8") + "old.js\n")
    (built / "old.js").write_text("gone")
    assert site.write(built) > len(CASES)
    assert (built / "CNAME").exists()
    assert not (built / "old.js").exists()


def test_a_folder_of_others_is_not_written_into(built: Path) -> None:
    with pytest.raises(NotForNow, match="has other files in it"):
        site.write(built.parent)


def test_without_the_runtime_there_is_no_site(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(site, "find", lambda: runtime.find(tmp_path))
    with pytest.raises(NotForNow, match="make runtime"):
        site.write(tmp_path / "public")


def test_an_installed_package_has_examples_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(site, "FIXTURES", tmp_path / "none")
    games = {record.opening.game for _path, record in site.examples()}
    assert games == set(catalog.names())
    assert FIXTURES.exists()
