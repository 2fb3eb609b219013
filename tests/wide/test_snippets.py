"""Runs every command and snippet of README and docs as a reader would type them."""

import re
import runpy
from pathlib import Path

import pytest
from click.testing import CliRunner

import snippets
from ledger.cli import cli
from snippets import ROOT, RUN, Snippet

PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]

A_CLUB = """
export DOMINO_LEDGER=club.sqlite
GAME=$(domino-ledger new build-up "Ana Lind" Ben)
domino-ledger simulate zigzag --seed 7 --count 3 -o three.ndjson
domino-ledger import three.ndjson
domino-ledger export -o league.ndjson.zst
mkdir elsewhere
"""
A_LEAGUE = """
domino-ledger simulate zigzag --seed 7 --count 12 -o league.ndjson.zst
mkdir archives
domino-ledger simulate build-up --seed 7 --count 3 -o archives/three.ndjson
"""

A_SEASON = """
domino-ledger simulate zigzag --seed 7 --count 8 -o season.ndjson
domino-ledger simulate build-up --seed 7 --count 4 --faults build-up.score -o slips.ndjson
domino-ledger --ledger club.sqlite import season.ndjson slips.ndjson
"""
A_TABLE = """
printf 'Datum,Wer,Punkte\\n2025-03-04,Ana,41\\n2025-03-04,Ben,60\\n2025-03-04,Cy,55\\n' > results.csv
"""
ways = runpy.run_path(str(ROOT / ".ci" / "ways.py"))
PREPARED = {
    "docs/troubleshooting.md": "domino-ledger new zigzag Ana Ben Cy",
    "docs/keeping.md": A_CLUB,
    "docs/operating.md": A_CLUB,
    "docs/at-scale.md": A_LEAGUE,
    "docs/club.md": A_TABLE,
    "docs/queries.md": A_SEASON,
}
"""For each page, the commands that make what its reader already has."""

TYPED_FIRST = ("README.md", "docs/first-sheet.md")
"""The pages whose commands are programs of their own, as for a reader; `make ways` runs all pages so."""
NAMES = {"7k3m": '"${GAME:=$(domino-ledger list --json | head -1 | cut -d \\" -f 4)}"', "/mnt/elsewhere": "elsewhere"}
"""The placeholders of the pages, with their values here."""


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def snippets_of(page: Path) -> list[Snippet]:
    return snippets.snippets(page.read_text("utf-8"))


WITH_COMMANDS = [
    page for page in PAGES if any(snippet.language in RUN and not snippet.why_not for snippet in snippets_of(page))
]


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name_of)
def test_the_commands_of_a_page_can_be_typed(page: Path, tmp_path, golden_update: bool) -> None:
    name, text = name_of(page), page.read_text("utf-8")
    warm = name not in TYPED_FIRST
    results = snippets.run(text, tmp_path, NAMES, PREPARED.get(name, ""), warm=warm)
    if golden_update:
        for result in results:
            if result.shown is not None and not result.good:
                printed = "".join(f"{line.rstrip()}\n" for line in result.printed.splitlines())
                text = text.replace(f"$ {result.command}\n{result.shown}", f"$ {result.command}\n{printed}")
        page.write_text(text, "utf-8")
    wrong = [
        f"{result.command}\n→ {result.status}\n{result.printed}{'≠ ' if result.shown else ''}{result.shown or ''}"
        for result in results
        if not result.good
    ]
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_command_within_a_sentence_exists_and_has_these_options(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert not re.search(r"^ {4,}(\$ )?domino-ledger", text, re.MULTILINE), "a command outside a block: nobody runs it"
    for code in re.findall(r"`domino-ledger (?:--ledger \S+ )?([a-z]+[^`]*)`", text):
        command, *arguments = code.split()
        usage = CliRunner().invoke(cli, [command, "--help"])
        assert usage.exit_code == 0, code
        for argument in arguments:
            assert not argument.startswith("--") or argument in usage.output, code


def test_a_snippet_that_is_not_run_says_why() -> None:
    left_out = [
        f"{name_of(page)}: {snippet.why_not}" for page in PAGES for snippet in snippets_of(page) if snippet.why_not
    ]
    assert all(len(line.split(": ", 1)[1]) > 10 for line in left_out)
    assert len(left_out) <= 15, left_out
    assert sum(snippet.language in RUN for page in PAGES for snippet in snippets_of(page)) > 50


@pytest.mark.parametrize("way", list(ways["TOOLS"]))
def test_each_way_of_installing_is_tried_by_the_lines_of_its_page(way: str) -> None:
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    lines = ways["lines_of"](page, way)
    assert sum(line.endswith(" demo") for line in lines) == 1
    all_lines = [line for one in ways["TOOLS"] for line in ways["lines_of"](page, one)]
    installing = re.findall(
        r"^(?:    )?(.*(?:install '|install -e|install --force|run --spec|--from|make demo|domino-ledger demo).*)$",
        page,
        re.MULTILINE,
    )
    assert set(installing) - {".venv\\Scripts\\domino-ledger demo"} <= {
        *all_lines,
        *(f"    {line}" for line in all_lines),
    }
    assert f'"{way}"' in (ROOT / ".ci" / "noxfile.py").read_text("utf-8")


def test_every_block_is_in_a_language_that_is_checked() -> None:
    known = {*RUN, "text", "json", "refused", "ebnf", "ini", "nginx", "caddy", "yaml", "sql", "toml", "py"}
    for page in PAGES:
        for snippet in snippets_of(page):
            assert snippet.language in known, f"{name_of(page)}: a block in the language {snippet.language!r}"


def test_the_harness_sees_a_command_that_fails(tmp_path) -> None:
    page = "```sh\ntrue\nfalse\n```\n\n```sh\necho hello\n```\n"
    _, first, second = snippets.run(page, tmp_path)
    assert (first.status, first.good) == (1, False)
    assert (second.printed, second.good) == ("never run", False)


def test_the_harness_keeps_files_and_variables_from_block_to_block(tmp_path) -> None:
    page = (
        "<!-- file: a.txt -->\n```text\nhello\n```\n\n```sh\nNAME=a.txt\n```\n\n"
        "```console\n$ cat $NAME\nhello\n$ cat b.txt\n…No such file…\n```\n\n"
        "<!-- exits 1: nothing is found -->\n```sh\ngrep -q hallo $NAME\n```\n"
    )
    results = snippets.run(page, tmp_path)
    assert all(result.good for result in results)
    assert results[2].printed == "hello\n"


def test_the_harness_compares_all_but_what_varies() -> None:
    assert not snippets.agrees("hello\n", "hallo\n")
    assert not snippets.agrees("hello\n", "hello\nworld\n")
    assert snippets.agrees("a\n...\nz\n", "a\nb\nc\nz\n")
    assert snippets.agrees("breach  f8yddvcvme\n", "breach  7k3m9q2x4r\n")
    assert not snippets.agrees("breach  f8yddvcvme\n", "clean  7k3m9q2x4r\n")
