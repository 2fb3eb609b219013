"""The documentation matches the program: its examples are run."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from ledger import __version__, notation
from ledger.cli import COMMANDS, cli
from ledger.record import codec
from ledger.record.events import EVENTS, kind

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("fixtures/**/README.md")])
README = (ROOT / "README.md").read_text("utf-8")
FIRST_SHEET = (ROOT / "docs" / "first-sheet.md").read_text("utf-8")


def blocks(page: str, kind_: str) -> list[str]:
    """The blocks of a page in that language."""
    return re.findall(rf"^```{kind_}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


@pytest.fixture
def friday(tmp_path, monkeypatch) -> Path:
    """The game of that page, in the folder of a new user."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "friday.sheet").write_text(blocks(FIRST_SHEET, "sheet")[0], "utf-8")
    return tmp_path


def test_the_audit_of_the_first_sheet_is_what_the_command_says(friday: Path) -> None:
    command, _, expected = blocks(FIRST_SHEET, "console")[0].partition("\n")
    result = CliRunner().invoke(cli, shlex.split(command.removeprefix("$ domino-ledger")))
    assert result.output == expected
    assert friday


def test_the_python_of_the_first_sheet_runs_as_it_stands(friday: Path) -> None:
    process = subprocess.run(
        [sys.executable, "-c", blocks(FIRST_SHEET, "python")[0]], cwd=friday, capture_output=True, text=True, check=True
    )
    assert "breach 7 build-up.pass Ben passes, but the 5-6 in hand fits stack 1" in process.stdout


def test_the_readme_begins_with_a_picture_and_the_two_commands() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for page in (README, (ROOT / "CONTRIBUTING.md").read_text("utf-8")):
        for target in re.findall(r"(?:`|^    )make ([a-z-]+)", page, re.MULTILINE):
            assert f"\n{target}:" in makefile, target
    first = README.splitlines()[:12]
    assert [line.partition("#")[0].strip() for line in first if line.startswith("    ")] == ["make demo", "make test"]
    assert any(line.startswith("![") for line in first[:6])
    assert "make test" in (ROOT / ".ci" / "run").read_text("utf-8")


def test_the_readme_is_short_and_leads_to_each_reader() -> None:
    assert len(README.splitlines()) <= 100
    for page in ("install", "tutorial", "recorder", "club", "keeping", "api/index", "record-format"):
        assert f"(docs/{page}.md)" in README, page


def test_every_file_that_contributors_are_led_to_is_there() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    paths = re.findall(r"`((?:ledger|viewer|tests|docs|\.ci)/[\w./-]+)`", page)
    assert len(paths) > 20
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        if "://" in target:
            continue
        linked_file = (page.parent / path).resolve() if path else page
        assert linked_file.exists(), target
        if anchor and linked_file.suffix == ".md":
            headings = re.findall(r"^#+ (.*)$", linked_file.read_text("utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_record_format_page_knows_every_event_and_its_examples_read() -> None:
    page = (ROOT / "docs" / "record-format.md").read_text("utf-8")
    for event in EVENTS:
        assert f"`{kind(event)}`" in page, event
    for block in blocks(page, "json"):
        if '"format"' in block and '"events"' in block:
            assert codec.decode(block)


def test_every_sheet_of_every_page_reads() -> None:
    count = 0
    for page in PAGES:
        for sheet in blocks(page.read_text("utf-8"), "sheet"):
            assert notation.read(sheet)
            count += 1
    assert count > 8


def test_the_messages_that_troubleshooting_explains_are_those_of_the_program() -> None:
    page = (ROOT / "docs" / "troubleshooting.md").read_text("utf-8")
    code = "".join(
        path.read_text("utf-8")
        for folder in ("ledger", "viewer")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".js", ".html")
    )
    sources = code + (ROOT / "Makefile").read_text("utf-8") + "".join(blocks(page, "console"))
    messages = [
        text for heading in re.findall(r"^### (.*)$", page, re.MULTILINE) for text in re.findall(r'"(.+?)"', heading)
    ]
    assert len(messages) > 12
    for message in messages:
        fixed = max(re.split(r"[\d…()\[\]']|domino-ledger\.sqlite|7k3m", message), key=len).strip(" ,.")
        assert fixed in sources, message


def test_the_changelog_and_the_licence_are_there() -> None:
    newest = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest
    assert re.fullmatch(rf"Unreleased|{re.escape(__version__)} – \d{{4}}-\d\d-\d\d", newest[1])
    assert "MIT License" in (ROOT / "LICENSE").read_text("utf-8")
    assert set(COMMANDS) >= {"new", "record", "import", "export", "list", "show", "replay", "audit", "history"}
