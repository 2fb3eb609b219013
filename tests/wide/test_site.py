"""The docs site: it builds without a warning, loads nothing from elsewhere, and matches the code."""

import base64
import os
import re
import subprocess
import sys
import zlib
from importlib.util import find_spec
from pathlib import Path

import pytest

from ledger import notation
from ledger.audit.review import Review, clauses
from ledger.games import catalog

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS / "make"))

import drawing  # noqa: E402  beside the pages
import pages  # noqa: E402
import pictures  # noqa: E402

PAGES = [ROOT / "README.md", *sorted(DOCS.glob("**/*.md"))]


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The site as built by `make docs`.  A broken link, a page outside the menu or a bad anchor stops the build."""
    if find_spec("mkdocs") is None:
        pytest.skip("no MkDocs here: the extra `docs` brings it")
    folder = tmp_path_factory.mktemp("site")
    process = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return folder


def test_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    files = [*site.glob("**/*.html"), *site.glob("**/*.css")]
    assert len(files) > 25
    for file in files:
        text = file.read_text("utf-8")
        for tag in re.findall(r"<(?:script|link|img|iframe|source|video)\b[^>]*>", text):
            if 'rel="canonical"' not in tag:
                assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", tag), f"{file.name}: {tag}"
        assert not re.search(r"url\(\s*[\"']?(?:https?:)?//", text), file.name


def test_the_page_of_a_game_has_its_options_and_clauses(site: Path) -> None:
    for name in catalog.built_in():
        game = catalog.find(name)
        text = (site / "games" / f"{name}.html").read_text("utf-8")
        for option in game.options:
            assert f"<code>{option.name}</code>" in text
        for clause in clauses(game):
            assert f'id="{clause.id}"' in text
        assert name in (site / "games" / "index.html").read_text("utf-8")


def test_a_page_of_the_api_has_the_docstrings(site: Path) -> None:
    text = (site / "api" / "review.html").read_text("utf-8")
    assert 'id="ledger.audit.review.Review.standing"' in text
    assert (Review.standing.__doc__ or "") in text


def test_each_game_has_a_page_that_says_how_to_write_it_down() -> None:
    for name in catalog.built_in():
        text = (DOCS / "games" / f"{name}.md").read_text("utf-8")
        assert "## How to write it down" in text
        assert f"Game: {name}" in text


@pytest.mark.parametrize("name", sorted(catalog.built_in()))
def test_the_options_that_a_games_page_suggests_exist(name: str) -> None:
    text = (DOCS / "games" / f"{name}.md").read_text("utf-8")
    table = text.partition("## Agree before you begin")[2].partition("\n## ")[0]
    suggested = re.findall(r"`(\w+ = [^`]+)`", table)
    assert suggested
    heading = text.partition("```sheet\n")[2].partition("\n\n")[0]
    heading = "\n".join(line for line in heading.splitlines() if not line.startswith("Options:"))
    for option in suggested:
        record = notation.read(f"{heading}\nOptions: {option}\n")
        assert Review(record).opening.options.items() >= record.opening.options.items()


@pytest.mark.parametrize("name", sorted(catalog.built_in()))
def test_the_example_of_a_games_page_breaks_no_rule(name: str) -> None:
    text = (DOCS / "games" / f"{name}.md").read_text("utf-8")
    for sheet in re.findall(r"^```sheet\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        assert Review(notation.read(sheet)).report.verdict in ("clean", "unproven")


def test_every_sheet_of_a_page_can_be_run_where_it_stands() -> None:
    for page in PAGES:
        text = page.read_text("utf-8")
        framed = pages.runnable(text, "games/a.md")
        sheets = re.findall(r"^```sheet\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        fragments = re.findall(r'<iframe src="\.\./try/check\.html#\.([\w-]+)"', framed)
        assert [unpacked(fragment) for fragment in fragments] == sheets
        assert framed.count("```") == text.count("```")


def unpacked(fragment: str) -> str:
    """The text in an address's fragment."""
    return zlib.decompress(base64.urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4)), -15).decode()


def test_a_table_says_the_default_of_an_option_first() -> None:
    text = pages.rules("zigzag")
    assert "| `set` | **`8`**, `6`, `7`, `9` |" in text
    assert "a whole number from 1, or none" in text
    assert text.index("## Variants") < text.index("## Rulings") < text.index("## Facts of the table")


@pytest.mark.parametrize("game", sorted(catalog.built_in()))
def test_the_page_of_a_game_says_how_to_play_it(game: str) -> None:
    text = pages.illustrated((DOCS / "games" / f"{game}.md").read_text("utf-8"), game)
    drawn = pages.illustrations(game)
    assert re.findall(r"\]\(([\w-]+\.svg)\)", text) == list(drawn)
    assert text.index(".svg)") < text.index("## How to write it down")
    assert len(set(drawn.values())) == len(drawn) in (5, 10)
    assert all(picture.startswith("<svg") and len(picture) > 2000 for picture in drawn.values())


def test_links_follow_a_page_to_its_place_on_the_site() -> None:
    guide = pages.relinked("[a](../CONTRIBUTING.md#a-clause) [b](https://x.example) [c](#here)", DOCS / "a.md", "a.md")
    assert guide == "[a](contributing.md#a-clause) [b](https://x.example) [c](#here)"
    assert pages.relinked("[a](docs/keeping.md)", ROOT / "CHANGELOG.md", "changelog.md") == "[a](keeping.md)"
    assert pages.relinked("[a](keeping.md)", DOCS / "games" / "x.md", "games/x.md") == "[a](keeping.md)"
    assert pages.relinked("[a](../index.md)", DOCS / "api" / "x.md", "api/x.md") == "[a](../index.md)"


def test_the_site_has_the_programs_own_colours_by_day_and_by_night() -> None:
    day, night = re.findall(r"\{(.*?)\}", pages.colours(), re.DOTALL)
    names = set(re.findall(r"--[\w-]+(?=:)", day))
    assert {"--page", "--table", "--tile", "--accent", "--ink"} <= names
    assert set(re.findall(r"--[\w-]+(?=:)", night)) <= names
    used = set(re.findall(r"var\((--[\w-]+)\)", (DOCS / "style" / "site.css").read_text("utf-8") + drawing.svg()))
    assert used <= names


def test_the_drawing_of_the_architecture_shows_every_room_once() -> None:
    drawn = [room for band in drawing.BANDS for room in drawing.rooms(band)]
    assert len(drawn) == len(set(drawn))
    rooms = {room.removeprefix("ledger.").replace("viewer.", "viewer/") for room in drawing.floors() if "." in room}
    games = {f"games/{name.replace('-', '_')}" for name in catalog.built_in()}
    assert set(drawn) == rooms - {"games"} | games
    picture = drawing.svg()
    for room in drawn:
        assert f">{room}</text>" in picture


def test_every_picture_is_taken_by_the_script_and_shown_on_a_page() -> None:
    shown = {name for page in PAGES for name in re.findall(r"pictures/([\w.-]+\.(?:png|gif))", page.read_text("utf-8"))}
    assert shown == set(pictures.PICTURES)
    assert shown == {path.name for path in pictures.FOLDER.iterdir()}
    for path in pictures.FOLDER.iterdir():
        assert 5_000 < path.stat().st_size < pictures.LARGEST, path.name
    assert sum(path.stat().st_size for path in pictures.FOLDER.iterdir()) < 3_000_000


def test_every_picture_has_a_text_for_readers_who_do_not_see_it() -> None:
    for page in PAGES:
        for text, _ in re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", page.read_text("utf-8")):
            assert len(text) > 15, page.name


def test_the_pictures_show_finished_and_unfinished_games_and_a_mistake() -> None:
    reviews = {name: Review(pictures.record_of(game)) for name, game in pictures.GAMES.items()}
    assert reviews["mistake"].report.verdict == "breach"
    assert not any(reviews[name].report.finished for name, game in pictures.GAMES.items() if game.cut)
    assert all(reviews[name].report.finished for name in ("old", "puzzle", "points", "tower"))


def test_a_table_of_clauses_has_the_verdict_of_what_all_records_share() -> None:
    rows = {line.split("`")[1]: line for line in pages.clause_table(catalog.find("zigzag")).splitlines()[2:]}
    assert rows["record.correction"].endswith("| impossible |")
    assert rows["record.after-end"].endswith("| breach |")
    assert rows["zigzag.cover"].endswith("| explains only |")
