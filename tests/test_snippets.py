"""Every command and snippet of README and docs is run, as a reader would type it."""

from __future__ import annotations

from pathlib import Path

import pytest

import snippets
from ledger import notation
from snippets import ROOT, RUN, Snippet

PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]

PREPARED: dict[str, list[str]] = {}
"""By page, what a reader of it already has: commands that make it."""

NAMES: dict[str, dict[str, str]] = {}
"""By page, texts that stand for something of the reader's own, and what they stand for here."""


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def of(page: Path) -> list[Snippet]:
    return snippets.snippets(page.read_text("utf-8"))


WITH_COMMANDS = [page for page in PAGES if any(part.language in RUN and not part.why_not for part in of(page))]


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name_of)
def test_what_a_page_says_to_type_can_be_typed(page: Path, tmp_path: Path, golden_update: bool) -> None:
    name, text = name_of(page), page.read_text("utf-8")
    results = snippets.run(text, tmp_path, NAMES.get(name), "\n".join(PREPARED.get(name, ())))
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
def test_every_sheet_of_a_page_reads(page: Path) -> None:
    for part in of(page):
        if part.language == "sheet":
            assert notation.read(part.text)


def test_a_snippet_that_is_not_run_says_why() -> None:
    left_out = [f"{name_of(page)}: {part.why_not}" for page in PAGES for part in of(page) if part.why_not]
    assert all(len(line.split(": ", 1)[1]) > 10 for line in left_out)
    run = sum(part.language in RUN for page in PAGES for part in of(page)) - len(left_out)
    assert (run, len(left_out)) == (0, 0)


def test_a_block_is_in_a_language_that_somebody_checks() -> None:
    known = {*RUN, "text", "json", "refused", "ini", "nginx", "caddy", "yaml", "sql", "toml", "py"}
    for page in PAGES:
        for part in of(page):
            assert part.language in known, f"{name_of(page)}: a block in the language {part.language!r}"


def test_the_harness_sees_a_command_that_fails(tmp_path: Path) -> None:
    page = "```sh\ntrue\nfalse\n```\n\n```sh\necho hello\n```\n"
    _, first, second = snippets.run(page, tmp_path)
    assert (first.status, first.good) == (1, False)
    assert (second.printed, second.good) == ("never run", False)


def test_the_harness_keeps_files_and_variables_from_block_to_block(tmp_path: Path) -> None:
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
